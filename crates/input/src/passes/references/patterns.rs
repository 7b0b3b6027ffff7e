//! References found by the patterns of languages (`references` in their profiles) and of build files
//! (`build_files.json`).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};
use whodunit_syntax::language::{Inline, Language, NameForm, ReferencePattern};

use super::resolve::FileNames;
use crate::snapshot::InputFile;
use crate::tokens;

/// A place in one file that names another.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The file that it stands in.
    pub(super) from: usize,
    /// The text of that file that is removed with it.
    pub(super) range: Range<usize>,
    pub(super) inline: Inline,
    /// The text before its replacement.
    head: Vec<u8>,
}

impl Reference {
    /// Returns what stands for the reference when the file it names has this text.
    pub(super) fn inlined(&self, text: &[u8]) -> Vec<u8> {
        let mut inlined = self.head.clone();
        if self.inline == Inline::Module {
            inlined.extend_from_slice(b" {\n");
        }
        inlined.extend_from_slice(text);
        if !text.is_empty() && !text.ends_with(b"\n") {
            inlined.push(b'\n');
        }
        if self.inline == Inline::Module {
            inlined.extend_from_slice(b"}\n");
        }
        inlined
    }
}

/// Patterns of references, each with its expression: of languages, and of build files.
static PATTERNS: LazyLock<Vec<(ReferencePattern, Regex)>> = LazyLock::new(|| {
    let languages = Language::all().iter().flat_map(|language| &language.profile().references);
    let build_files: Vec<ReferencePattern> =
        serde_json::from_str(include_str!("build_files.json")).expect("a file of ours is valid");
    let compiled = |pattern: ReferencePattern| {
        let regex = Regex::new(&pattern.text).expect("a pattern of ours is valid");
        (pattern, regex)
    };
    languages.cloned().chain(build_files).map(compiled).collect()
});

/// Lists the references in a file, each with the file that it names.
pub(super) fn find(
    from: usize,
    file: &InputFile,
    names: &FileNames<'_>,
) -> Vec<(usize, Reference)> {
    let mut found = Vec::new();
    let name = file.name.to_string_lossy();
    if tokens::is_binary(&file.bytes) {
        return found;
    }
    for (pattern, regex) in PATTERNS.iter() {
        if !pattern.files.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        for captures in regex.captures_iter(&file.bytes) {
            let range = captures.get(0).map_or(0..0, |whole| whole.range());
            let range =
                if pattern.form == NameForm::Item { item(&file.bytes, range) } else { Some(range) };
            let target = target(pattern, &captures, &file.name, names);
            if let (Some(range), Some(target)) = (range, target.filter(|&target| target != from)) {
                let head = captures.name("head").map(|head| head.as_bytes().to_vec());
                let (inline, head) = (pattern.inline, head.unwrap_or_default());
                found.push((target, Reference { from, range, inline, head }));
            }
        }
    }
    found
}

/// Returns the file that a reference names.
fn target(
    pattern: &ReferencePattern,
    captures: &Captures<'_>,
    file: &Path,
    names: &FileNames<'_>,
) -> Option<usize> {
    let name = std::str::from_utf8(captures.name("name")?.as_bytes()).ok()?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let (folders, name): (Vec<PathBuf>, String) = match pattern.form {
        NameForm::Path | NameForm::Item => (vec![folder.into()], name.into()),
        NameForm::Dotted => {
            let inner = name.trim_start_matches('.');
            let up = (name.len() - inner.len()).saturating_sub(1);
            let folder = folder.ancestors().nth(up)?;
            (vec![folder.into()], inner.replace('.', "/"))
        }
        NameForm::RustModule => (vec![file.with_extension(""), folder.into()], name.into()),
    };
    let full = |ending: &String| format!("{name}{ending}");
    pattern
        .endings
        .iter()
        .map(full)
        .find_map(|name| folders.iter().find_map(|folder| names.find(folder, &name)))
}

/// Returns an item of a list with the separator that is removed with it; `None` if the range is no
/// item.
fn item(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let blank = |byte: &u8| !byte.is_ascii_whitespace();
    let before = bytes[..range.start].iter().rposition(blank)?;
    let after = range.end + bytes[range.end..].iter().position(blank)?;
    match (bytes[before], bytes[after]) {
        (b'[' | b'(' | b',', b',') => {
            let next =
                bytes[after + 1..].iter().position(blank).map_or(bytes.len(), |at| after + 1 + at);
            Some(range.start..next)
        }
        (b',', b']' | b')') => Some(before..range.end),
        (b'[' | b'(', b']' | b')') => Some(range),
        _ => None,
    }
}
