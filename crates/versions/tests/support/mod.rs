//! Random versions, and versions drawn as text.

#![allow(dead_code, unreachable_pub)] // each file of tests uses its own part

use std::collections::BTreeMap;

use proptest::prelude::*;
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{Content, Entry, EntryKind, TreePath, Version};

/// A version as plain data.
pub type Plain = BTreeMap<Vec<u8>, (EntryKind, Vec<u8>)>;

/// Returns a version of texts.
pub fn texts(files: &[(&str, &str)]) -> Version {
    let entry = |text: &str| Entry {
        kind: EntryKind::Regular,
        content: Content::bytes(text.as_bytes().to_vec()),
    };
    files.iter().map(|(path, text)| (TreePath::from(*path), entry(text))).collect()
}

pub fn version(plain: &Plain) -> Version {
    let entry = |(kind, bytes): &(EntryKind, Vec<u8>)| Entry {
        kind: *kind,
        content: Content::bytes(bytes.clone()),
    };
    plain.iter().map(|(path, file)| (TreePath::new(path), entry(file))).collect()
}

pub fn plain(version: &Version) -> Plain {
    let file = |entry: &Entry| (entry.kind, entry.content.read().unwrap().to_vec());
    version.entries().map(|(path, entry)| (path.as_bytes().to_vec(), file(entry))).collect()
}

/// Returns the subset of `count` deltas that the bits choose.
pub fn chosen(count: usize, bits: &[bool]) -> DeltaSet {
    let is_chosen = |at: usize| !bits.is_empty() && bits[at % bits.len()];
    (0..count).filter(|&at| is_chosen(at)).map(|at| Delta(at as u32)).collect()
}

/// Whether no file is where another has a folder.
pub fn is_consistent(plain: &Plain) -> bool {
    plain.keys().all(|path| {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(at, _)| &path[..at]).all(|folder| !plain.contains_key(folder))
    })
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![
        b"a".to_vec(),
        b"b".to_vec(),
        b"c.py".to_vec(),
        b"d.c".to_vec(),
        b"\xff\xfe".to_vec(),
    ])
}

fn path() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(name(), 1..4).prop_map(|names| names.join(&b'/'))
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let lines: [&[u8]; 10] = [
        b"x = 1\n",
        b"x = 2\n",
        b"def f(a):\n",
        b"    return a\n",
        b"y = f(x)\r\n",
        b"\n",
        b"\xe9\xff\n",
        b"}\n",
        b"int g(void) {\n",
        b"import b\n",
    ];
    prop::sample::select(lines.map(<[u8]>::to_vec).to_vec())
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let text = (prop::collection::vec(line(), 0..9), any::<bool>()).prop_map(|(lines, cut)| {
        let mut text = lines.concat();
        if cut {
            text.pop();
        }
        text
    });
    prop_oneof![8 => text, 1 => prop::collection::vec(0u8..3, 0..5)]
}

fn kind() -> impl Strategy<Value = EntryKind> {
    prop_oneof![
        6 => Just(EntryKind::Regular),
        2 => Just(EntryKind::Executable),
        1 => Just(EntryKind::Link),
        1 => Just(EntryKind::Submodule),
    ]
}

/// Returns files without those that lie below another file.
fn without_clashes(files: Plain) -> Plain {
    let mut kept = Plain::new();
    for (path, file) in files {
        kept.insert(path.clone(), file);
        if !is_consistent(&kept) {
            kept.remove(&path);
        }
    }
    kept
}

pub fn any_plain() -> impl Strategy<Value = Plain> {
    prop::collection::btree_map(path(), (kind(), content()), 0..8).prop_map(without_clashes)
}

/// One step of random editing.
#[derive(Clone, Debug)]
enum Step {
    Add(Vec<u8>, EntryKind, Vec<u8>),
    Delete(usize),
    Move(usize, Vec<u8>),
    MoveFolder(usize, Vec<u8>),
    Mode(usize, EntryKind),
    Line(usize, usize, Option<Vec<u8>>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (path(), kind(), content()).prop_map(|(path, kind, text)| Step::Add(path, kind, text)),
        1 => (0usize..8).prop_map(Step::Delete),
        1 => (0usize..8, path()).prop_map(|(at, path)| Step::Move(at, path)),
        1 => (0usize..8, name()).prop_map(|(at, name)| Step::MoveFolder(at, name)),
        1 => (0usize..8, kind()).prop_map(|(at, kind)| Step::Mode(at, kind)),
        4 => (0usize..8, 0usize..9, prop::option::of(line()))
            .prop_map(|(at, place, line)| Step::Line(at, place, line)),
    ]
}

fn apply(files: &Plain, step: &Step) -> Plain {
    let mut files = files.clone();
    let nth = |files: &Plain, at: usize| files.keys().nth(at % files.len().max(1)).cloned();
    match step {
        Step::Add(path, kind, text) => _ = files.insert(path.clone(), (*kind, text.clone())),
        Step::Delete(at) => {
            nth(&files, *at).and_then(|path| files.remove(&path));
        }
        Step::Move(at, to) => {
            if let Some(file) = nth(&files, *at).and_then(|path| files.remove(&path)) {
                files.insert(to.clone(), file);
            }
        }
        Step::MoveFolder(at, name) => {
            let Some(path) = nth(&files, *at) else { return files };
            let Some(end) = path.iter().position(|&byte| byte == b'/') else { return files };
            let folder = path[..=end].to_vec();
            let to = [name.as_slice(), b"-moved/"].concat();
            files = files
                .into_iter()
                .map(|(path, file)| match path.strip_prefix(folder.as_slice()) {
                    Some(rest) => ([to.as_slice(), rest].concat(), file),
                    None => (path, file),
                })
                .collect();
        }
        Step::Mode(at, kind) => {
            if let Some(file) = nth(&files, *at).and_then(|path| files.get_mut(&path)) {
                file.0 = *kind;
            }
        }
        Step::Line(at, place, line) => {
            if let Some(file) = nth(&files, *at).and_then(|path| files.get_mut(&path)) {
                let mut lines: Vec<Vec<u8>> =
                    file.1.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                let place = *place % (lines.len() + 1);
                match line {
                    Some(line) => lines.insert(place, line.clone()),
                    None if place < lines.len() => _ = lines.remove(place),
                    None => {}
                }
                file.1 = lines.concat();
            }
        }
    }
    without_clashes(files)
}

/// Returns versions each of which was made of the one before by a few steps.
pub fn history(versions: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Plain>> {
    let edits = prop::collection::vec(prop::collection::vec(step(), 0..5), versions);
    (any_plain(), edits).prop_map(|(first, edits)| {
        let mut versions = vec![first];
        for steps in edits {
            let mut next = versions[versions.len() - 1].clone();
            for step in &steps {
                next = apply(&next, step);
            }
            versions.push(next);
        }
        versions
    })
}

/// Returns two versions, near to each other or not.
pub fn two_versions() -> impl Strategy<Value = (Plain, Plain)> {
    let near = history(1..4).prop_map(|mut versions| {
        let last = versions.pop().unwrap();
        (versions.swap_remove(0), last)
    });
    prop_oneof![4 => near, 1 => (any_plain(), any_plain())]
}
