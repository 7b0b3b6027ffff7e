//! A function whose parameters change must change together with its calls and its declaration. For
//! example, `int f(int a)` becomes `int f(int a, int b)` together with `f(1)` becoming `f(1, 2)`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use whodunit_syntax::words::{WordHash, hash, words};

use super::lines::Side;
use super::{Edges, Reason};
use crate::decomposition::{Decomposition, Text};

/// A name with more definitions and declarations than this is skipped: a call may mean any of them.
/// Chosen by hand.
const MAX_SIGNATURES: usize = 3;

/// Bytes of a list of parameters or arguments that are read; a longer list is skipped. Chosen by
/// hand.
const MAX_LIST_BYTES: usize = 4096;

/// The parameters of a name at one end.
#[derive(Default)]
struct Signatures {
    /// The lists of parameters.
    lists: Vec<ParameterList>,
    /// Whether calls may leave some of them out.
    is_optional: bool,
}

/// A list of parameters.
struct ParameterList {
    hash: u64,
    length: usize,
    file: u32,
    /// The changes that it lies in.
    grains: Vec<u32>,
}

/// The numbers of arguments with which each change calls each name, at the old and at the new end.
type Calls = BTreeMap<(WordHash, u32), [Vec<usize>; 2]>;

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    let old = signatures(decomposition, Side::Old);
    let new = signatures(decomposition, Side::New);
    let mut changed: BTreeMap<WordHash, (u32, bool)> = BTreeMap::new();
    for (word, before) in &old {
        let Some(after) = new.get(word) else { continue };
        if before.lists.len() > MAX_SIGNATURES || after.lists.len() > MAX_SIGNATURES {
            continue;
        }
        let differing: Vec<&ParameterList> =
            before.unlike(after).chain(after.unlike(before)).collect();
        let grains: BTreeSet<u32> =
            differing.iter().flat_map(|list| list.grains.iter().copied()).collect();
        let Some(&first) = grains.first() else { continue };
        let files: BTreeSet<u32> = differing.iter().map(|list| list.file).collect();
        let is_longer = before.lengths() != after.lengths();
        // New annotations of types and new names of parameters do not concern the callers.
        if files.len() > 1 || is_longer {
            for &other in grains.iter().skip(1) {
                edges.add(first, other, Reason::Name);
                edges.add(other, first, Reason::Name);
            }
        }
        if is_longer {
            changed.insert(*word, (first, after.is_optional));
        }
    }
    for ((word, grain), [before, after]) in calls(decomposition, &changed.keys().copied().collect())
    {
        let (definition, is_optional) = changed[&word];
        if before == after {
            continue;
        }
        if !after.is_empty() {
            edges.add(grain, definition, Reason::Name);
        }
        // A call that passes nothing for an optional parameter may stay as it is.
        if !before.is_empty() && !is_optional {
            edges.add(definition, grain, Reason::Name);
        }
    }
}

impl Signatures {
    /// Returns the lists that the other end does not have.
    fn unlike<'a>(&'a self, other: &'a Signatures) -> impl Iterator<Item = &'a ParameterList> {
        let is_known =
            |list: &ParameterList| other.lists.iter().any(|known| known.hash == list.hash);
        self.lists.iter().filter(move |list| !is_known(list))
    }

    fn lengths(&self) -> BTreeSet<usize> {
        self.lists.iter().map(|list| list.length).collect()
    }
}

fn signatures(decomposition: &Decomposition, side: Side) -> BTreeMap<WordHash, Signatures> {
    let mut found: BTreeMap<WordHash, Signatures> = BTreeMap::new();
    for (file, touched) in (0..).zip(&decomposition.files) {
        let Some(text) = &touched.text else { continue };
        let (bytes, Some(facts)) = side.of(text) else { continue };
        let pieces = Pieces::of(decomposition, text, side);
        for signature in &facts.signatures {
            let start = signature.start as usize;
            let Some(list) = list_after(bytes, start) else { continue };
            let signatures = found.entry(signature.name).or_default();
            signatures.is_optional |= is_optional(&bytes[list.clone()]);
            let grains = pieces.overlapping(start..list.end);
            let (hash, length) = (list_hash(&bytes[list.clone()]), length(&bytes[list]));
            signatures.lists.push(ParameterList { hash, length, file, grains });
        }
    }
    found
}

fn calls(decomposition: &Decomposition, names: &HashSet<WordHash>) -> Calls {
    let mut calls = Calls::new();
    if names.is_empty() {
        return calls;
    }
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        for (end, side) in [Side::Old, Side::New].into_iter().enumerate() {
            let (bytes, Some(facts)) = side.of(text) else { continue };
            let pieces = Pieces::of(decomposition, text, side);
            let defined: HashSet<u32> = facts.signatures.iter().map(|it| it.start).collect();
            for word in words(bytes) {
                let name = WordHash::of(&bytes[word.clone()]);
                if !names.contains(&name) || defined.contains(&(word.start as u32)) {
                    continue;
                }
                let Some(list) = list_after(bytes, word.start) else { continue };
                let grains = pieces.overlapping(word.start..list.end);
                if facts.is_quiet(word.start) {
                    continue;
                }
                let call = length(&bytes[list]);
                for grain in grains {
                    calls.entry((name, grain)).or_default()[end].push(call);
                }
            }
        }
    }
    calls
}

/// Where the pieces of a text are at one end.
struct Pieces(Vec<(Range<usize>, u32)>);

impl Pieces {
    fn of(decomposition: &Decomposition, text: &Text, side: Side) -> Self {
        let pieces = decomposition.pieces(text).map(|(grain, piece)| (side.bytes(piece), grain));
        Pieces(pieces.filter(|(range, _)| !range.is_empty()).collect())
    }

    fn overlapping(&self, range: Range<usize>) -> Vec<u32> {
        let first = self.0.partition_point(|(piece, _)| piece.end <= range.start);
        let ahead = self.0[first..].iter().take_while(|(piece, _)| piece.start < range.end);
        ahead.map(|(_, grain)| *grain).collect()
    }
}

/// Returns the range between the brackets after a name; type arguments are skipped.
fn list_after(text: &[u8], name: usize) -> Option<Range<usize>> {
    let end = words(&text[name..]).next()?.end + name;
    let mut open = end + text[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if text.get(open) == Some(&b'<') {
        open += text[open..].iter().take(MAX_LIST_BYTES).position(|byte| b"({;".contains(byte))?;
    }
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate().skip(open).take(MAX_LIST_BYTES) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + 1..at);
        }
    }
    None
}

/// Whether there are parameters with a value of their own, or any number of them.
fn is_optional(list: &[u8]) -> bool {
    list.contains(&b'=') || list.windows(3).any(|signs| signs == b"...")
}

/// Hashes a list without white space, so that its layout does not matter.
fn list_hash(list: &[u8]) -> u64 {
    let dense: Vec<u8> = list.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    hash(dense.strip_suffix(b",").unwrap_or(&dense))
}

/// Returns the number of parameters or arguments in a list.
fn length(list: &[u8]) -> usize {
    let list = list.trim_ascii();
    let list = list.strip_suffix(b",").unwrap_or(list);
    let (mut commas, mut depth) = (0, 0);
    for byte in list {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    if list.is_empty() { 0 } else { commas + 1 }
}
