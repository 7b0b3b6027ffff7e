//! The difference between two candidates as a patch in git's format; binary data included.

mod apply;
mod binary;
mod unified;

use std::io;

use whodunit_core::DeltaSet;
use whodunit_files::{Entry, EntryKind, ReadError, TreePath};
use whodunit_syntax::is_binary;

use crate::decomposition::Decomposition;
use crate::layout::LaidOut;

pub use apply::{DoesNotApply, apply};

/// The text is not a valid git patch.
struct MalformedPatch;

impl Decomposition {
    /// Returns the patch that makes one candidate of another.
    ///
    /// From the empty set to the culprit it makes the good version fail; from the full set to the
    /// full set without the fix, it makes the bad version pass.
    pub fn patch(&self, from: &DeltaSet, to: &DeltaSet) -> Result<Vec<u8>, ReadError> {
        let states = self.affected(from, to).into_iter();
        patch(states.map(|file| (self.laid_out(file, from), self.laid_out(file, to))).collect())
    }
}

/// Returns the patch that brings files from one state to another; a file that is absent before is
/// created, one that is absent after is deleted, and one with two paths is renamed.
pub fn patch(files: Vec<(Option<LaidOut>, Option<LaidOut>)>) -> Result<Vec<u8>, ReadError> {
    let mut changes: Vec<(Option<LaidOut>, Option<LaidOut>)> = Vec::new();
    for (before, after) in files {
        match (before, after) {
            // Git has no form for a file that becomes a link: the file is deleted, the link is
            // added.
            (Some(old), Some(new)) if old.kind.is_file() != new.kind.is_file() => {
                changes.push((Some(old), None));
                changes.push((None, Some(new)));
            }
            (None, None) => {}
            change => changes.push(change),
        }
    }
    // Deletions come first, so that their paths are free.
    changes.sort_by(|a, b| {
        let key = |(before, after): &(Option<LaidOut>, Option<LaidOut>)| {
            let path = after.as_ref().or(before.as_ref()).map(|file| file.path.clone());
            (after.is_some(), path)
        };
        key(a).cmp(&key(b))
    });
    let mut text = Vec::new();
    for (before, after) in changes {
        write_file(&mut text, before.as_ref(), after.as_ref())?;
    }
    Ok(text)
}

fn write_file(
    out: &mut Vec<u8>,
    before: Option<&LaidOut>,
    after: Option<&LaidOut>,
) -> Result<(), ReadError> {
    let old = before.map(content).transpose()?;
    let new = after.map(content).transpose()?;
    let Some(old_path) = before.or(after).map(|file| &file.path) else { return Ok(()) };
    let Some(new_path) = after.or(before).map(|file| &file.path) else { return Ok(()) };
    let same_content = old == new;
    let is_text = ![&old, &new].into_iter().flatten().any(|content| is_binary(content));
    let mut header = Vec::new();
    match (before, after) {
        (None, Some(after)) => line(&mut header, &["new file mode ", mode(after.kind)]),
        (Some(before), None) => line(&mut header, &["deleted file mode ", mode(before.kind)]),
        (Some(before), Some(after)) => {
            if before.kind != after.kind {
                line(&mut header, &["old mode ", mode(before.kind)]);
                line(&mut header, &["new mode ", mode(after.kind)]);
            }
            if before.path != after.path {
                path_line(&mut header, "rename from ", "", &before.path);
                path_line(&mut header, "rename to ", "", &after.path);
            }
        }
        (None, None) => {}
    }
    if header.is_empty() && same_content {
        return Ok(());
    }
    out.extend_from_slice(b"diff --git ");
    out.extend_from_slice(&quoted("a/", old_path));
    out.push(b' ');
    out.extend_from_slice(&quoted("b/", new_path));
    out.push(b'\n');
    out.extend_from_slice(&header);
    if !same_content && !is_text {
        write_binary(out, old.as_deref(), new.as_deref());
        return Ok(());
    }
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    if same_content || (old.is_empty() && new.is_empty()) {
        return Ok(());
    }
    let end = |out: &mut Vec<u8>, sign: &str, prefix: &str, file: Option<&LaidOut>| match file {
        Some(file) => path_line(out, sign, prefix, &file.path),
        None => line(out, &[sign, "/dev/null"]),
    };
    end(out, "--- ", "a/", before);
    end(out, "+++ ", "b/", after);
    unified::write(out, &old, &new);
    Ok(())
}

fn write_binary(out: &mut Vec<u8>, old: Option<&[u8]>, new: Option<&[u8]>) {
    let name = |content: Option<&[u8]>| match content {
        Some(content) => binary::object_name(content),
        None => Some(binary::NOTHING.to_owned()),
    };
    match name(old).zip(name(new)) {
        Some((before, after)) => {
            line(out, &["index ", &before, "..", &after]);
            binary::write(out, old.unwrap_or_default(), new.unwrap_or_default());
        }
        // Made to deceive: git would not take it either.
        None => line(out, &["Binary files differ"]),
    }
}

/// The text of a patch before the name of a submodule's revision.
const REVISION: &[u8] = b"Subproject commit ";

fn content(file: &LaidOut) -> Result<Vec<u8>, ReadError> {
    let entry = Entry { kind: file.kind, content: file.content.clone() };
    shown(&entry).map_err(|source| ReadError { path: file.path.clone(), source })
}

/// Returns the content of a file as a patch shows it; of a submodule its revision.
fn shown(entry: &Entry) -> io::Result<Vec<u8>> {
    let bytes = entry.content.read()?;
    if entry.kind == EntryKind::Submodule {
        return Ok([REVISION, bytes.trim_ascii(), b"\n"].concat());
    }
    Ok(bytes.to_vec())
}

/// Returns the content of which a patch shows this.
fn stored(kind: EntryKind, shown: Vec<u8>) -> Vec<u8> {
    match shown.strip_prefix(REVISION) {
        Some(revision) if kind == EntryKind::Submodule => revision.trim_ascii().to_vec(),
        _ => shown,
    }
}

fn mode(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Regular => "100644",
        EntryKind::Executable => "100755",
        EntryKind::Link => "120000",
        EntryKind::Submodule => "160000",
    }
}

fn line(out: &mut Vec<u8>, parts: &[&str]) {
    out.extend_from_slice(parts.concat().as_bytes());
    out.push(b'\n');
}

fn path_line(out: &mut Vec<u8>, sign: &str, prefix: &str, path: &TreePath) {
    let name = quoted(prefix, path);
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(&name);
    // A name with a space would else end at it.
    if !prefix.is_empty() && name.contains(&b' ') {
        out.push(b'\t');
    }
    out.push(b'\n');
}

/// Returns a path as git writes it: in quotes if there is anything unusual in it.
fn quoted(prefix: &str, path: &TreePath) -> Vec<u8> {
    let plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    let mut name = prefix.as_bytes().to_vec();
    if path.as_bytes().iter().all(|&byte| plain(byte)) {
        name.extend_from_slice(path.as_bytes());
        return name;
    }
    name.insert(0, b'"');
    for &byte in path.as_bytes() {
        match byte {
            b'"' | b'\\' => name.extend([b'\\', byte]),
            byte if plain(byte) => name.push(byte),
            byte => name.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    name.push(b'"');
    name
}
