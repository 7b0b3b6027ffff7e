//! How an added file calls what its functions called otherwise where they came from: `values(x)`
//! for `_.values(x)`, `text.trim(x)` for `trim(x)`.
//!
//! Learned from functions that are alike, and applied to all, so that they work in the new place
//! and a different way of writing is no change. Only the qualifier before a name may change; the
//! name itself may not.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use whodunit_syntax::words::tokens;

use super::partners::Partner;
use crate::lines::{common, differing};

/// A name with all that stands before it, as `a.b.c`.
type Path<'a> = Vec<&'a [u8]>;

/// How often something is written in which way.
type Votes<'a> = BTreeMap<Path<'a>, usize>;

/// The qualifiers before names, and those in the new place.
#[derive(Default)]
pub(super) struct Calls<'a> {
    /// By what stood there.
    prefixes: BTreeMap<Path<'a>, Votes<'a>>,
    /// By the name, where nothing stood there.
    names: BTreeMap<&'a [u8], Votes<'a>>,
    /// By all of it, where a name itself is written a little different.
    variants: BTreeMap<Path<'a>, Votes<'a>>,
    /// The names that the new file defines.
    defined: HashSet<&'a [u8]>,
}

impl<'a> Calls<'a> {
    /// Learns from functions that are similar to their originals.
    pub(super) fn learn(pairs: &[Partner<'a>], defined: HashSet<&'a [u8]>) -> Calls<'a> {
        let mut calls = Calls { defined, ..Calls::default() };
        for pair in pairs.iter().filter(|pair| pair.is_similar) {
            for (old, new) in aligned(pair) {
                calls.vote(&old, &new);
            }
        }
        // Ignore a rewriting seen only once.
        calls.variants.retain(|_, votes| votes.values().sum::<usize>() > 1);
        calls
    }

    /// Counts that something is written in this way now.
    fn vote(&mut self, old: &Path<'a>, new: &Path<'a>) {
        if !is_name(old[0]) || !is_name(new[0]) {
            return;
        }
        let last = (old[old.len() - 1], new[new.len() - 1]);
        if last.0 == last.1 || last.0.starts_with(last.1) || last.1.starts_with(last.0) {
            let votes = self.variants.entry(old.clone()).or_default();
            *votes.entry(new.clone()).or_default() += 1;
        }
        let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        if same == 0 {
            return;
        }
        let (before, after) = (&old[..old.len() - same], &new[..new.len() - same]);
        if before.is_empty() {
            let votes = self.names.entry(old[0]).or_default();
            *votes.entry(after.to_vec()).or_default() += 1;
        }
        // An unchanged use is a vote for the qualifier that is there.
        let prefix = if old == new { &old[..old.len() - 1] } else { before };
        if !prefix.is_empty() {
            let after = if old == new { prefix } else { after };
            let votes = self.prefixes.entry(prefix.to_vec()).or_default();
            *votes.entry(after.to_vec()).or_default() += 1;
        }
    }

    /// Returns what an old function has after its name, as it would be written in the new place.
    pub(super) fn rewrite(&self, pair: &Partner<'a>) -> Vec<u8> {
        let text = &pair.old_text[pair.old.tail.clone()];
        let symbols = symbols(text);
        let alone = symbols.iter().filter(|symbol| symbol.path.len() == 1);
        let mut alone: HashSet<&[u8]> = alone.map(|symbol| symbol.path[0]).collect();
        let renamed = self.renamed(pair, &symbols, &alone);
        alone.retain(|name| !renamed.contains_key(name));
        let mut written = Vec::with_capacity(text.len());
        let mut at = 0;
        for symbol in &symbols {
            let path = match renamed.get(symbol.path[0]) {
                Some(name) => Some([&[*name], &symbol.path[1..]].concat()),
                None => self.elsewhere(&symbol.path, &alone),
            };
            let Some(path) = path else { continue };
            written.extend_from_slice(&text[at..symbol.place.start]);
            written.extend_from_slice(&path.join(&b'.'));
            at = symbol.place.end;
        }
        written.extend_from_slice(&text[at..]);
        written
    }

    /// Finds local variables that hide a name, and their present names.
    fn renamed(
        &self,
        pair: &Partner<'a>,
        symbols: &[QualifiedName<'a>],
        alone: &HashSet<&'a [u8]>,
    ) -> BTreeMap<&'a [u8], &'a [u8]> {
        let mut votes: BTreeMap<&[u8], Votes<'a>> = BTreeMap::new();
        for symbol in symbols {
            let written = self.elsewhere(&symbol.path, &HashSet::new());
            let name = written.map_or(symbol.path[0], |path| path[0]);
            if name != symbol.path[0] && alone.contains(name) {
                votes.entry(name).or_default();
            }
        }
        if votes.is_empty() {
            return BTreeMap::new();
        }
        for (old, new) in aligned(pair) {
            if let Some(votes) = votes.get_mut(old[0]).filter(|_| old[1..] == new[1..]) {
                *votes.entry(new[..1].to_vec()).or_default() += 1;
            }
        }
        let now = |(name, votes): (&'a [u8], Votes<'a>)| {
            let now = winner(&votes)?[0];
            (is_name(now) && now != name && !alone.contains(now)).then_some((name, now))
        };
        votes.into_iter().filter_map(now).collect()
    }

    fn elsewhere<'b>(&self, path: &Path<'b>, alone: &HashSet<&[u8]>) -> Option<Path<'b>>
    where
        'a: 'b,
    {
        let added = self.names.get(path[0]).and_then(winner).filter(|after| !after.is_empty());
        if let Some(after) = added {
            return Some([after.as_slice(), path.as_slice()].concat());
        }
        // A name that is used without a qualifier may be a local variable, which would be meant
        // then.
        let is_free = |name: &[u8]| !alone.contains(name);
        let variant = |path: &[&'b [u8]]| {
            let written = self.variants.get(path).and_then(winner)?;
            let is_other = written.as_slice() != path;
            (is_other && (written[0] == path[0] || is_free(written[0]))).then(|| written.clone())
        };
        if let Some(written) = variant(path) {
            return Some(written);
        }
        let prefix = (1..path.len()).rev().find_map(|length| {
            let after = winner(self.prefixes.get(&path[..length])?)?;
            let rest = &path[length..];
            let is_known = match after.is_empty() {
                true => self.defined.contains(rest[0]) && is_free(rest[0]),
                false => is_free(path[0]),
            };
            let is_other = after.as_slice() != &path[..length];
            (is_known && is_other).then(|| [after.as_slice(), rest].concat())
        });
        prefix.or_else(|| Some([variant(&path[..1])?.as_slice(), &path[1..]].concat()))
    }
}

/// Returns which name or sign of an old function is which one of the new, as far as that is plain.
fn aligned<'a>(pair: &Partner<'a>) -> Vec<(Path<'a>, Path<'a>)> {
    let paths = |text: &'a [u8], tail: &Range<usize>| -> Vec<Path<'a>> {
        symbols(&text[tail.clone()]).into_iter().map(|symbol| symbol.path).collect()
    };
    let (old, new) = (paths(pair.old_text, &pair.old.tail), paths(pair.new_text, &pair.new.tail));
    let mut places = common(old.iter().cloned(), new.iter().cloned());
    let (hunks, _) = differing(old.iter().cloned(), new.iter().cloned());
    let as_long = hunks.into_iter().filter(|hunk| hunk.old.len() == hunk.new.len());
    places.extend(as_long.flat_map(|hunk| hunk.old.zip(hunk.new)));
    places.into_iter().map(|(a, b)| (old[a as usize].clone(), new[b as usize].clone())).collect()
}

/// Returns what more than half of the votes are for.
fn winner<'v, 'a>(votes: &'v Votes<'a>) -> Option<&'v Path<'a>> {
    let all: usize = votes.values().sum();
    votes.iter().find(|(_, count)| **count * 2 > all).map(|(path, _)| path)
}

/// A name with what stands before it, or a sign, and where it is.
struct QualifiedName<'a> {
    path: Path<'a>,
    place: Range<usize>,
}

/// Cuts a text into names and signs.
fn symbols(text: &[u8]) -> Vec<QualifiedName<'_>> {
    let mut symbols: Vec<QualifiedName<'_>> = Vec::new();
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
                symbols.push(QualifiedName { path: vec![part], place: token });
            }
        }
    }
    symbols
}

fn is_name(word: &[u8]) -> bool {
    word[0].is_ascii_alphabetic() || b"_$".contains(&word[0]) || !word[0].is_ascii()
}
