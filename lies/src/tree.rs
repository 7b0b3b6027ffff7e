//! Files by path, in memory and on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Files by path.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// Reads all files in and below a folder, except hidden ones.
pub(crate) fn read(folder: &Path) -> io::Result<Tree> {
    let mut tree = Tree::new();
    read_below(folder, "", &mut tree)?;
    Ok(tree)
}

fn read_below(folder: &Path, prefix: &str, tree: &mut Tree) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            read_below(&entry.path(), &format!("{prefix}{name}/"), tree)?;
        } else {
            tree.insert(format!("{prefix}{name}"), fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Writes files into a new folder.
pub(crate) fn write(folder: &Path, tree: &Tree) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (path, bytes) in tree {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// The number of bytes, and of words and marks, of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) bytes: u64,
    pub(crate) tokens: u64,
    /// The measure of "simpler": the tokens, but the bytes of files that hold a zero byte.
    pub(crate) weight: u64,
}

impl Size {
    pub(crate) fn of(tree: &Tree) -> Self {
        let bytes = tree.values().map(|bytes| bytes.len() as u64).sum();
        let weight = |bytes: &Vec<u8>| match bytes.contains(&0) {
            true => bytes.len() as u64,
            false => tokens(bytes),
        };
        Size {
            bytes,
            tokens: tree.values().map(|bytes| tokens(bytes)).sum(),
            weight: tree.values().map(weight).sum(),
        }
    }

    /// Returns whether this is smaller in one of the two numbers and not larger in the other.
    pub(crate) fn is_below(&self, other: &Size) -> bool {
        let is_less = self.bytes < other.bytes || self.weight < other.weight;
        is_less && self.bytes <= other.bytes && self.weight <= other.weight
    }
}

/// Counts words and marks, but not white space.
fn tokens(bytes: &[u8]) -> u64 {
    let is_space = |token: &Range<usize>| Class::of(bytes[token.start]) == Class::Space;
    cut(bytes).iter().filter(|token| !is_space(token)).count() as u64
}

/// Returns words, runs of white space, and single other characters.
pub(crate) fn cut(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (place, byte) in bytes.iter().enumerate() {
        let class = Class::of(*byte);
        match found.last_mut() {
            Some(last) if class != Class::Mark && class == Class::of(bytes[last.start]) => {
                last.end = place + 1;
            }
            _ => found.push(place..place + 1),
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Mark,
}

impl Class {
    /// In any encoding, a byte beyond ASCII is part of a word.
    fn of(byte: u8) -> Self {
        match byte {
            b' ' | 0x09..=0x0d => Class::Space,
            b'_' | 0x80.. => Class::Word,
            _ if byte.is_ascii_alphanumeric() => Class::Word,
            _ => Class::Mark,
        }
    }
}
