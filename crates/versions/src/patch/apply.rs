//! Applies a patch as `git apply` would, without a repository: to the letter, or not at all.
//!
//! It reads the patches that this crate writes, so that an answer is checked by its text and not
//! by the data it was made of.

use whodunit_files::{Content, Entry, EntryKind, TreePath, Version};

use super::{MalformedPatch, binary};

/// Why a patch does not apply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DoesNotApply {
    /// The text is not a patch in git's format, or is incomplete.
    #[error("the patch is damaged, or not whole")]
    Damaged,
    /// A file differs from the one that the patch was made for.
    #[error("the patch is not for this `{0}`")]
    Other(TreePath),
}

impl From<MalformedPatch> for DoesNotApply {
    fn from(MalformedPatch: MalformedPatch) -> Self {
        DoesNotApply::Damaged
    }
}

/// Returns a version with a patch applied.
pub fn apply(version: &Version, patch: &[u8]) -> Result<Version, DoesNotApply> {
    let mut lines = patch.split_inclusive(|&byte| byte == b'\n').peekable();
    let mut gone = Vec::new();
    let mut came = Vec::new();
    while let Some(line) = lines.next() {
        let names = line.strip_prefix(b"diff --git ").ok_or(MalformedPatch)?;
        let file = read_file(names, &mut lines)?;
        let after = file.after(version)?;
        gone.extend(file.old);
        came.extend(file.new.zip(after));
    }
    let mut patched = version.clone();
    for path in &gone {
        patched.remove(path);
    }
    for (path, entry) in came {
        patched.insert(path, entry);
    }
    Ok(patched)
}

/// The change of one file.
struct ReadFilePatch {
    /// The path before; `None` if the file is created.
    old: Option<TreePath>,
    /// The path after; `None` if the file is deleted.
    new: Option<TreePath>,
    kind: Option<EntryKind>,
    body: PatchBody,
}

enum PatchBody {
    Same,
    Hunks(Vec<PatchHunk>),
    Binary(Vec<u8>),
}

/// Lines with their signs.
struct PatchHunk {
    /// How many lines come before it.
    start: usize,
    lines: Vec<(u8, Vec<u8>)>,
}

fn read_file<'a, I>(
    names: &[u8],
    lines: &mut std::iter::Peekable<I>,
) -> Result<ReadFilePatch, MalformedPatch>
where
    I: Iterator<Item = &'a [u8]>,
{
    let path = same_name(names);
    let mut file =
        ReadFilePatch { old: path.clone(), new: path, kind: None, body: PatchBody::Same };
    while let Some(line) = lines.next_if(|line| !line.starts_with(b"diff --git ")) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if let Some(mode) = line.strip_prefix(b"new file mode ") {
            (file.old, file.kind) = (None, Some(kind(mode)?));
        } else if line.starts_with(b"deleted file mode ") {
            file.new = None;
        } else if let Some(mode) = line.strip_prefix(b"new mode ") {
            file.kind = Some(kind(mode)?);
        } else if let Some(name) = line.strip_prefix(b"rename from ") {
            file.old = Some(unquoted(name).ok_or(MalformedPatch)?);
        } else if let Some(name) = line.strip_prefix(b"rename to ") {
            file.new = Some(unquoted(name).ok_or(MalformedPatch)?);
        } else if line == b"GIT binary patch" {
            file.body = PatchBody::Binary(binary::read(lines)?);
            // The way back is not needed here.
            binary::read(lines)?;
        } else if line.starts_with(b"@@ ") {
            let hunk = read_hunk(line, lines)?;
            match &mut file.body {
                PatchBody::Hunks(hunks) => hunks.push(hunk),
                body => *body = PatchBody::Hunks(vec![hunk]),
            }
        } else if !is_passed_over(line) {
            return Err(MalformedPatch);
        }
    }
    if file.old.is_none() && file.new.is_none() {
        return Err(MalformedPatch);
    }
    Ok(file)
}

/// Whether a line of a heading can be ignored, because its facts are repeated elsewhere.
fn is_passed_over(line: &[u8]) -> bool {
    [&b"old mode "[..], b"index ", b"--- ", b"+++ "].iter().any(|start| line.starts_with(start))
}

fn read_hunk<'a, I>(
    head: &[u8],
    lines: &mut std::iter::Peekable<I>,
) -> Result<PatchHunk, MalformedPatch>
where
    I: Iterator<Item = &'a [u8]>,
{
    let head = std::str::from_utf8(head).map_err(|_| MalformedPatch)?;
    let mut words = head.split(' ').skip(1);
    let mut place = |sign: char| -> Option<(usize, usize)> {
        let word = words.next()?.strip_prefix(sign)?;
        let (first, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let (first, mut old) = place('-').ok_or(MalformedPatch)?;
    let (_, mut new) = place('+').ok_or(MalformedPatch)?;
    // One that is empty names the line before it.
    let start = if old == 0 { first } else { first.checked_sub(1).ok_or(MalformedPatch)? };
    let mut hunk = PatchHunk { start, lines: Vec::new() };
    while old > 0 || new > 0 || lines.peek().is_some_and(|line| line.starts_with(b"\\ ")) {
        let (&sign, text) = lines.next().and_then(<[u8]>::split_first).ok_or(MalformedPatch)?;
        let (from_old, from_new) = match sign {
            b' ' => (1, 1),
            b'-' => (1, 0),
            b'+' => (0, 1),
            b'\\' => {
                let (_, last) = hunk.lines.last_mut().ok_or(MalformedPatch)?;
                last.pop();
                continue;
            }
            _ => return Err(MalformedPatch),
        };
        old = old.checked_sub(from_old).ok_or(MalformedPatch)?;
        new = new.checked_sub(from_new).ok_or(MalformedPatch)?;
        hunk.lines.push((sign, text.to_vec()));
    }
    Ok(hunk)
}

impl ReadFilePatch {
    /// Returns the file as it is after, if it is there.
    fn after(&self, version: &Version) -> Result<Option<Entry>, DoesNotApply> {
        let other = |path: &TreePath| DoesNotApply::Other(path.clone());
        let (kind, before) = match &self.old {
            Some(path) => {
                let entry = version.get(path).ok_or_else(|| other(path))?;
                (entry.kind, super::shown(entry).map_err(|_| other(path))?)
            }
            None => (EntryKind::Regular, Vec::new()),
        };
        let Some(path) = &self.new else { return Ok(None) };
        let content = match &self.body {
            PatchBody::Same => before,
            PatchBody::Binary(content) => content.clone(),
            PatchBody::Hunks(hunks) => {
                patched(&before, hunks).ok_or_else(|| other(self.old.as_ref().unwrap_or(path)))?
            }
        };
        let kind = self.kind.unwrap_or(kind);
        Ok(Some(Entry { kind, content: Content::bytes(super::stored(kind, content)) }))
    }
}

/// Applies hunks to a text; `None` if they do not fit the text.
fn patched(before: &[u8], hunks: &[PatchHunk]) -> Option<Vec<u8>> {
    let old: Vec<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
    let (mut at, mut text) = (0, Vec::new());
    for hunk in hunks {
        text.extend(old.get(at..hunk.start)?.concat());
        at = hunk.start;
        for (sign, line) in &hunk.lines {
            if *sign != b'+' {
                let _ = old.get(at).filter(|it| *it == line)?;
                at += 1;
            }
            if *sign != b'-' {
                text.extend_from_slice(line);
            }
        }
    }
    text.extend(old.get(at..)?.concat());
    Some(text)
}

fn kind(mode: &[u8]) -> Result<EntryKind, MalformedPatch> {
    let kinds = [EntryKind::Regular, EntryKind::Executable, EntryKind::Link, EntryKind::Submodule];
    kinds.into_iter().find(|&kind| super::mode(kind).as_bytes() == mode).ok_or(MalformedPatch)
}

/// Returns the name that stands twice after `diff --git`, unless there are two.
fn same_name(names: &[u8]) -> Option<TreePath> {
    let names = names.strip_suffix(b"\n").unwrap_or(names);
    let (old, new) = names.split_at(names.len() / 2);
    let new = new.strip_prefix(b" ")?;
    let inner = |name: &[u8], prefix: &[u8]| {
        let path = unquoted(name)?;
        path.as_bytes().strip_prefix(prefix).map(TreePath::new)
    };
    let (old, new) = (inner(old, b"a/")?, inner(new, b"b/")?);
    (old == new).then_some(new)
}

/// Returns a name as it is, without the quotes that git writes around unusual ones.
fn unquoted(name: &[u8]) -> Option<TreePath> {
    let Some(quoted) = name.strip_prefix(b"\"") else { return Some(TreePath::new(name)) };
    let quoted = quoted.strip_suffix(b"\"")?;
    let mut bytes = Vec::new();
    let mut rest = quoted.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match *rest.next()? {
            first @ b'0'..=b'3' => {
                let mut digit = || rest.next().map(|digit| digit.wrapping_sub(b'0') & 7);
                (first - b'0') << 6 | digit()? << 3 | digit()?
            }
            plain => plain,
        });
    }
    Some(TreePath::new(bytes))
}
