//! How an added file calls what its functions called otherwise where they came from: `values(x)`
//! for `_.values(x)`, `text.trim(x)` for `trim(x)`.
//!
//! Learned from functions that are alike, and done to all, so that they work in the new place and
//! what is only written in another way is no change. Nothing but what stands before a name is
//! taken for another way to write it.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::super::lines::{common, differing};
use super::partners::Partner;
use crate::words::tokens;

/// A name with all that stands before it, as `a.b.c`.
type Path<'a> = Vec<&'a [u8]>;

/// How often something is written in which way.
type Votes<'a> = BTreeMap<Path<'a>, usize>;

/// What stands before names, and what stands there in the new place.
#[derive(Default)]
pub(super) struct Calls<'a> {
    /// By what stood there.
    prefixes: BTreeMap<Path<'a>, Votes<'a>>,
    /// By the name, where nothing stood there.
    names: BTreeMap<&'a [u8], Votes<'a>>,
    /// What the new file defines.
    defined: HashSet<&'a [u8]>,
}

impl<'a> Calls<'a> {
    /// Learns from functions that are like what they were.
    pub(super) fn learn(pairs: &[Partner<'a>], defined: HashSet<&'a [u8]>) -> Calls<'a> {
        let mut calls = Calls { defined, ..Calls::default() };
        for pair in pairs.iter().filter(|pair| pair.is_similar) {
            let old = symbols(&pair.old_text[pair.old.tail.clone()]);
            let new = symbols(&pair.new_text[pair.new.tail.clone()]);
            let parts = |symbols: &[Symbol<'a>]| symbols.iter().map(|it| it.path.clone()).collect();
            let (old, new): (Vec<Path<'a>>, Vec<Path<'a>>) = (parts(&old), parts(&new));
            for (a, b) in common(old.iter().cloned(), new.iter().cloned()) {
                calls.vote(&old[a as usize], &new[b as usize]);
            }
            let (hunks, _) = differing(old.iter().cloned(), new.iter().cloned());
            for hunk in hunks.iter().filter(|hunk| hunk.old.len() == hunk.new.len()) {
                for (a, b) in hunk.old.clone().zip(hunk.new.clone()) {
                    calls.vote(&old[a as usize], &new[b as usize]);
                }
            }
        }
        calls
    }

    /// Counts that something is written in this way now.
    fn vote(&mut self, old: &Path<'a>, new: &Path<'a>) {
        let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        if same == 0 || !is_name(old[0]) {
            return;
        }
        let (before, after) = (&old[..old.len() - same], &new[..new.len() - same]);
        if before.is_empty() {
            let votes = self.names.entry(old[0]).or_default();
            *votes.entry(after.to_vec()).or_default() += 1;
        }
        // What is written as it was speaks for whatever stands before the name.
        let prefix = if old == new { &old[..old.len() - 1] } else { before };
        if !prefix.is_empty() {
            let after = if old == new { prefix } else { after };
            let votes = self.prefixes.entry(prefix.to_vec()).or_default();
            *votes.entry(after.to_vec()).or_default() += 1;
        }
    }

    /// Returns a text as it would be written in the new place.
    pub(super) fn rewrite(&self, text: &[u8]) -> Vec<u8> {
        let symbols = symbols(text);
        // What is used by itself may be a local variable; then that would be meant.
        let alone = symbols.iter().filter(|symbol| symbol.path.len() == 1);
        let alone: HashSet<&[u8]> = alone.map(|symbol| symbol.path[0]).collect();
        let mut written = Vec::with_capacity(text.len());
        let mut at = 0;
        for symbol in &symbols {
            let Some(path) = self.elsewhere(&symbol.path, &alone) else { continue };
            written.extend_from_slice(&text[at..symbol.place.start]);
            written.extend_from_slice(&path.join(&b'.'));
            at = symbol.place.end;
        }
        written.extend_from_slice(&text[at..]);
        written
    }

    fn elsewhere<'b>(&self, path: &Path<'b>, alone: &HashSet<&[u8]>) -> Option<Path<'b>>
    where
        'a: 'b,
    {
        let added = self.names.get(path[0]).and_then(winner).filter(|after| !after.is_empty());
        if let Some(after) = added {
            return Some([after.as_slice(), path.as_slice()].concat());
        }
        let (before, after) = (1..path.len()).rev().find_map(|length| {
            let votes = self.prefixes.get(&path[..length])?;
            Some((length, winner(votes)?))
        })?;
        let rest = &path[before..];
        let is_known = match after.is_empty() {
            true => self.defined.contains(rest[0]) && !alone.contains(rest[0]),
            false => !alone.contains(path[0]),
        };
        let is_other = after.as_slice() != &path[..before];
        (is_known && is_other).then(|| [after.as_slice(), rest].concat())
    }
}

/// Returns what more than half of the votes are for.
fn winner<'v, 'a>(votes: &'v Votes<'a>) -> Option<&'v Path<'a>> {
    let all: usize = votes.values().sum();
    votes.iter().find(|(_, count)| **count * 2 > all).map(|(path, _)| path)
}

/// A name with what stands before it, or a sign, and where it is.
struct Symbol<'a> {
    path: Path<'a>,
    place: Range<usize>,
}

/// Cuts a text into names and signs.
fn symbols(text: &[u8]) -> Vec<Symbol<'_>> {
    let mut symbols: Vec<Symbol<'_>> = Vec::new();
    let mut joins = false;
    for token in tokens(text) {
        let part = &text[token.clone()];
        if part.trim_ascii().is_empty() {
            joins = false;
            continue;
        }
        let last =
            symbols.last_mut().filter(|last| last.place.end + usize::from(joins) == token.start);
        match last {
            Some(last) if joins && is_name(part) => {
                last.path.push(part);
                last.place.end = token.end;
                joins = false;
            }
            Some(last) if part == b"." && is_name(last.path[0]) => joins = true,
            _ => {
                joins = false;
                symbols.push(Symbol { path: vec![part], place: token });
            }
        }
    }
    symbols
}

fn is_name(word: &[u8]) -> bool {
    word[0].is_ascii_alphabetic() || b"_$".contains(&word[0]) || !word[0].is_ascii()
}
