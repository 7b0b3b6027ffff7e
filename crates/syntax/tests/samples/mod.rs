//! The samples of the languages that are built in.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // each file of tests uses its own part

use std::path::{Path, PathBuf};

use whodunit_syntax::language::Language;

/// Returns the path of a language's sample.
pub fn path(language: &Language) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(language.name());
    let mut paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let is_sample = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "sample");
    paths.find(is_sample).unwrap_or_else(|| panic!("{language:?} has no sample"))
}

/// Returns the sample of a language.
pub fn text(language: &Language) -> Vec<u8> {
    std::fs::read(path(language)).unwrap()
}
