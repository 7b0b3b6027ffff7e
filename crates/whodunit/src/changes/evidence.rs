//! What the first runs show about where to look first.
//!
//! Nothing of it is believed without a test: it only decides what is asked first.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use whodunit_exec::Command;
use whodunit_run::Word;
use whodunit_run::judge::Observation;
use whodunit_versions::TreePath;

use super::trees::{Space, TreeState};

/// So many words of the failure are looked for; what prints more prints data.
const MOST_WORDS: usize = 64;

/// So many words of the test are looked for: more are those of a large program.
const MOST_TESTED: usize = 1024;

/// Shorter words are in every other line.
const SHORTEST_WORD: usize = 4;

/// Returns those of the files read at one end that differ between the ends.
pub(super) fn differing(read: &[Arc<[u8]>], end: &TreeState) -> Vec<Word> {
    let Space::Deltas(deltas) = &*end.space else { return Vec::new() };
    let parts = &deltas.parts;
    let paths = (0..parts.file_count()).flat_map(|file| {
        let (old, new) = parts.paths(file);
        [old, new].into_iter().flatten().map(TreePath::as_bytes)
    });
    let differing: BTreeSet<&[u8]> = paths.collect();
    let read = read.iter().filter(|path| differing.contains(&***path));
    read.map(|path| Word::from(OsStr::from_bytes(path))).collect()
}

/// Returns the words of a failure that a pass does not have, in order.
pub(super) fn telling_words(failing: &Observation, passing: &Observation) -> Vec<String> {
    let (failing, passing) = (failing.output.text(), passing.output.text());
    let usual: BTreeSet<&str> = words(&passing).collect();
    let mut told = BTreeSet::new();
    let telling = words(&failing).filter(|word| !usual.contains(word) && told.insert(*word));
    telling.take(MOST_WORDS).map(str::to_owned).collect()
}

/// Returns the words of a test, in order: of the command and of the script that it runs.
pub(super) fn tested(command: &Command) -> Vec<String> {
    let texts = command.texts().map(|text| String::from_utf8_lossy(text).into_owned());
    let texts: Vec<String> = texts.collect();
    let found: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    found.into_iter().take(MOST_TESTED).map(str::to_owned).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let words = text.split(move |sign: char| !is_part(sign));
    words.filter(|word| {
        word.len() >= SHORTEST_WORD && !word.starts_with(|sign: char| sign.is_ascii_digit())
    })
}
