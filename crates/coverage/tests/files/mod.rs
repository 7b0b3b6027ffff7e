//! The files of real tools that lie beside this one.

use std::fs;
use std::path::Path;

use whodunit_coverage::Source;

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    fs::read(folder.join(name)).unwrap()
}

pub(crate) fn source<'a>(name: &'a str, bytes: &'a [u8]) -> Source<'a> {
    Source { name, bytes }
}
