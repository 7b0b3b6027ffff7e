//! Collects evidence of the first runs that tells the search where to look first.
//!
//! The evidence only orders the questions; no answer rests on it without a test.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use whodunit_exec::Command;
use whodunit_run::Word;
use whodunit_run::judge::Observation;
use whodunit_versions::TreePath;

use super::deltas::Chosen;
use super::trees::TreeState;
use crate::answer::NamedLine;

/// Number of words of the failure that are looked for; a test that prints more of them prints data.
const MOST_WORDS: usize = 64;

/// Number of words of the test that are looked for; a script with more of them is a large program.
const MOST_TESTED: usize = 1024;

/// Number of lines that are taken from the output of a failure; an output that names more is a
/// list.
pub(super) const MOST_NAMED: usize = 64;

/// A file and a line, as stack traces and assertions print them.
pub(super) static NAMED_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?<file>[\w./@+$-]*[\w+$-]\.\w+)(?:"?,? line |:|\()(?<line>[0-9]{1,7})\b"#)
        .expect("the pattern is valid")
});

/// Bytes of the shortest word that is looked for; shorter words occur in too many lines.
const SHORTEST_WORD: usize = 4;

/// Returns the files read at one end that differ between the ends.
pub(super) fn differing(read: &[Arc<[u8]>], end: &TreeState) -> Vec<Word> {
    let Some(Chosen { deltas, .. }) = Chosen::of(end) else { return Vec::new() };
    let parts = &deltas.parts;
    let paths = (0..parts.file_count()).flat_map(|file| {
        let (old, new) = parts.paths(file);
        [old, new].into_iter().flatten().map(TreePath::as_bytes)
    });
    let differing: BTreeSet<&[u8]> = paths.collect();
    let read = read.iter().filter(|path| differing.contains(&***path));
    read.map(|path| Word::from(OsStr::from_bytes(path))).collect()
}

/// Returns the lines of differing files of the bad version that a failure names: `a/b.js:12`,
/// `"a/b.py", line 12`, `(B.java:12)`. Folders before the file's path are ignored.
pub(super) fn named_lines(output: &str, bad: &TreeState) -> Vec<NamedLine> {
    let Some(Chosen { deltas, .. }) = Chosen::of(bad) else { return Vec::new() };
    let paths = (0..deltas.parts.file_count()).filter_map(|file| deltas.parts.paths(file).1);
    let mut by_name: BTreeMap<&[u8], Vec<&TreePath>> = BTreeMap::new();
    paths.for_each(|path| by_name.entry(path.name()).or_default().push(path));
    let mut named = BTreeSet::new();
    for found in NAMED_LINE.captures_iter(output) {
        let (printed, line) = (&found["file"], found["line"].parse());
        let name = printed.rsplit('/').next().unwrap_or(printed);
        let candidates = by_name.get(name.as_bytes()).map_or(&[][..], Vec::as_slice);
        let is_it = |path: &&&TreePath| is_end_of(path.as_bytes(), printed.as_bytes());
        let file = match candidates {
            // Some tools omit the folders.
            [only] => Some(only),
            several => several.iter().find(is_it),
        };
        if let (Some(file), Ok(line)) = (file, line) {
            named.insert(NamedLine { file: Word::from(file.as_os_str()), line });
        }
    }
    named.into_iter().take(MOST_NAMED).collect()
}

/// Returns whether `path` is the whole of another path, or its end.
fn is_end_of(path: &[u8], whole: &[u8]) -> bool {
    let before = whole.strip_suffix(path);
    before.is_some_and(|before| matches!(before.last(), None | Some(b'/')))
}

/// Returns the words of a failure that a pass does not contain, in their order.
pub(super) fn telling_words(failing: &Observation, passing: &Observation) -> Vec<String> {
    let (failing, passing) = (failing.output.text(), passing.output.text());
    let usual: BTreeSet<&str> = words(&passing).collect();
    let mut told = BTreeSet::new();
    let telling = words(&failing).filter(|word| !usual.contains(word) && told.insert(*word));
    telling.take(MOST_WORDS).map(str::to_owned).collect()
}

/// Returns the words of the command and of the script that it runs, in alphabetical order.
pub(super) fn tested(command: &Command) -> Vec<String> {
    let texts = command.texts().map(|text| String::from_utf8_lossy(text).into_owned());
    let texts: Vec<String> = texts.collect();
    let found: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    found.into_iter().take(MOST_TESTED).map(str::to_owned).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    words_of(text, SHORTEST_WORD)
}

/// Returns the words of a text with at least `shortest` bytes.
pub(super) fn words_of(text: &str, shortest: usize) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let words = text.split(move |sign: char| !is_part(sign));
    words.filter(move |word| {
        word.len() >= shortest && !word.starts_with(|sign: char| sign.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use whodunit_core::DeltaSet;
    use whodunit_versions::{Content, Entry, EntryKind, Level, Version, decompose};

    use super::super::deltas::Deltas;
    use super::super::in_space::Space;
    use super::*;

    /// Returns the lines that a text names, for a version with these files, all of them new.
    fn named(files: &[&str], output: &str) -> Vec<(String, u32)> {
        let entry = || Entry { kind: EntryKind::Regular, content: Content::bytes(*b"a\n") };
        let bad = Version::from_iter(files.iter().map(|&file| (TreePath::from(file), entry())));
        let parts = Arc::new(decompose(&Version::new(), &bad, Level::Line).unwrap());
        let set = parts.all();
        let space = Arc::new(Deltas::new(parts, false));
        assert_ne!(set, DeltaSet::empty());
        let lines = named_lines(output, &space.tree(set));
        lines.into_iter().map(|it| (it.file.as_path().display().to_string(), it.line)).collect()
    }

    #[test]
    fn frames_of_stacks_name_lines() {
        let files = ["pkg/a.py", "lib/b.js", "src/main/C.java", "other/x.rs", "src/x.rs"];
        let output = "  File \"/tmp/slot/pkg/a.py\", line 12, in run\n    at f (/tmp/s/lib/b.js:3:14)\n\
                      \tat org.C.main(C.java:77)\nthread panicked at src/x.rs:5:9:\nelse.c:9: oops";
        let expected =
            [("lib/b.js", 3), ("pkg/a.py", 12), ("src/main/C.java", 77), ("src/x.rs", 5)];
        assert_eq!(named(&files, output), expected.map(|(file, line)| (file.to_owned(), line)));
    }
}
