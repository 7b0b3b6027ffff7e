//! What takes other parameters than before changes with its declaration and with those who call it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use super::lines::Side;
use super::{Edges, Reason};
use crate::decomposition::{Decomposition, Text};
use crate::words::{Word, hash, words};

/// Of a name with more definitions and declarations than these a call may mean any.
const MOST_SIGNATURES: usize = 3;

/// Parameters or arguments that are longer are not looked at.
const LONGEST_LIST: usize = 4096;

/// The parameters of a name at one end.
#[derive(Default)]
struct Signatures {
    /// The hash of each list of parameters, with the changes that it lies in.
    lists: Vec<(u64, Vec<u32>)>,
    /// Whether calls may leave some of them out.
    is_optional: bool,
}

/// For each change and name, which calls of it the change holds at the old and at the new end.
type Calls = BTreeMap<(Word, u32), [Vec<u64>; 2]>;

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    let old = signatures(decomposition, Side::Old);
    let new = signatures(decomposition, Side::New);
    let mut changed: BTreeMap<Word, (Vec<u32>, bool)> = BTreeMap::new();
    for (word, before) in &old {
        let Some(after) = new.get(word) else { continue };
        if before.lists.len() > MOST_SIGNATURES || after.lists.len() > MOST_SIGNATURES {
            continue;
        }
        let atoms: BTreeSet<u32> =
            differing(before, after).chain(differing(after, before)).collect();
        if !atoms.is_empty() {
            changed.insert(*word, (atoms.into_iter().collect(), after.is_optional));
        }
    }
    for (atoms, _) in changed.values() {
        for &other in &atoms[1..] {
            edges.add(atoms[0], other, Reason::Name);
            edges.add(other, atoms[0], Reason::Name);
        }
    }
    for ((word, atom), [before, after]) in calls(decomposition, &changed.keys().copied().collect())
    {
        let (definitions, is_optional) = &changed[&word];
        if before == after || definitions.contains(&atom) {
            continue;
        }
        let definition = definitions[0];
        if !after.is_empty() {
            edges.add(atom, definition, Reason::Name);
        }
        // Who passes nothing for an optional parameter may stay as it is.
        if !before.is_empty() && !is_optional {
            edges.add(definition, atom, Reason::Name);
        }
    }
}

/// Returns the changes of the lists that the other end does not have.
fn differing<'a>(here: &'a Signatures, other: &'a Signatures) -> impl Iterator<Item = u32> + 'a {
    let is_known = |list: u64| other.lists.iter().any(|(known, _)| *known == list);
    here.lists
        .iter()
        .filter(move |(list, _)| !is_known(*list))
        .flat_map(|(_, atoms)| atoms)
        .copied()
}

fn signatures(decomposition: &Decomposition, side: Side) -> BTreeMap<Word, Signatures> {
    let mut found: BTreeMap<Word, Signatures> = BTreeMap::new();
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        let (bytes, Some(outline)) = side.of(text) else { continue };
        let pieces = Pieces::of(decomposition, text, side);
        for signature in &outline.signatures {
            let start = signature.start as usize;
            let Some(list) = list_after(bytes, start) else { continue };
            let signatures = found.entry(signature.name).or_default();
            signatures.is_optional |= is_optional(&bytes[list.clone()]);
            let atoms = pieces.overlapping(start..list.end);
            signatures.lists.push((list_hash(&bytes[list]), atoms));
        }
    }
    found
}

fn calls(decomposition: &Decomposition, names: &HashSet<Word>) -> Calls {
    let mut calls = Calls::new();
    if names.is_empty() {
        return calls;
    }
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        for (end, side) in [Side::Old, Side::New].into_iter().enumerate() {
            let (bytes, Some(outline)) = side.of(text) else { continue };
            let pieces = Pieces::of(decomposition, text, side);
            let defined: HashSet<u32> = outline.signatures.iter().map(|it| it.start).collect();
            for word in words(bytes) {
                let name = Word::of(&bytes[word.clone()]);
                if !names.contains(&name) || defined.contains(&(word.start as u32)) {
                    continue;
                }
                let Some(list) = list_after(bytes, word.start) else { continue };
                let atoms = pieces.overlapping(word.start..list.end);
                if outline.is_quiet(word.start) {
                    continue;
                }
                let call = list_hash(&bytes[list]);
                for atom in atoms {
                    calls.entry((name, atom)).or_default()[end].push(call);
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
        let pieces = decomposition.pieces(text).map(|(atom, piece)| (side.bytes(piece), atom));
        Pieces(pieces.filter(|(range, _)| !range.is_empty()).collect())
    }

    fn overlapping(&self, range: Range<usize>) -> Vec<u32> {
        let first = self.0.partition_point(|(piece, _)| piece.end <= range.start);
        let ahead = self.0[first..].iter().take_while(|(piece, _)| piece.start < range.end);
        ahead.map(|(_, atom)| *atom).collect()
    }
}

/// Returns what is between the brackets that follow a name, type arguments passed over.
fn list_after(text: &[u8], name: usize) -> Option<Range<usize>> {
    let end = words(&text[name..]).next()?.end + name;
    let mut open = end + text[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if text.get(open) == Some(&b'<') {
        open += text[open..].iter().take(LONGEST_LIST).position(|byte| b"({;".contains(byte))?;
    }
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate().skip(open).take(LONGEST_LIST) {
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
