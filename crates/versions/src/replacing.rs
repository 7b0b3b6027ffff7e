//! The replacements in some lines of one file of a version.

use std::collections::BTreeMap;
use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::parse::parse;
use whodunit_syntax::replacements::replacements;

pub use whodunit_syntax::replacements::{REPLACEMENT_KINDS, Replacement, ReplacementKind};

use crate::syntax_facts::language;

/// Returns the replacements of parts that begin in some lines of a text, each with the data of its
/// line; in the order of the text. Empty if its language is not known, or if it does not parse.
pub fn replacements_in<T: Copy>(
    path: &TreePath,
    text: &Arc<[u8]>,
    lines: &BTreeMap<u32, T>,
) -> Vec<(Replacement, T)> {
    let Some(language) = language(path, text) else { return Vec::new() };
    let tree = parse(&language, text.clone());
    if tree.has_errors() {
        return Vec::new();
    }
    let breaks = (1..).zip(text.iter()).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    let starts: Vec<usize> = std::iter::once(0).chain(breaks).collect();
    let known = |at: usize| lines.get(&(starts.partition_point(|&start| start <= at) as u32));
    let found = replacements(&tree, |at| known(at).is_some());
    found.into_iter().filter_map(|it| known(it.range.start).map(|of| (it.clone(), *of))).collect()
}
