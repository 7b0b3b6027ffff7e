//! Which deltas define a name, and which mention it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use whodunit_core::DeltaSet;
use whodunit_syntax::words::{WordHash, words};

use super::lines::{ChangedLines, Side};
use crate::decomposition::{Decomposition, Text};

/// Words after which a name is defined, in languages that we cannot parse.
const DEFINING: &[&[u8]] = &[
    b"class",
    b"const",
    b"def",
    b"define",
    b"fn",
    b"func",
    b"fun",
    b"function",
    b"interface",
    b"let",
    b"module",
    b"proc",
    b"procedure",
    b"struct",
    b"sub",
    b"type",
    b"val",
    b"var",
];

/// The names in the changed texts: where each is defined, and where it is mentioned.
#[derive(Debug, Default)]
pub struct Mentions {
    pub(super) old: Names,
    pub(super) new: Names,
    /// The delta of each grain.
    deltas: Vec<u32>,
}

/// The names at one end of the changed texts.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// All words of the changed files, changed or not.
    pub(super) all: HashSet<WordHash>,
    /// The files and grains that define a name, in order.
    pub(super) defined: HashMap<WordHash, Vec<(u32, u32)>>,
    /// The files and grains that mention a name, in order.
    pub(super) mentioned: HashMap<WordHash, Vec<(u32, u32)>>,
}

impl Mentions {
    /// Finds the names in the changed texts.
    pub fn of(decomposition: &Decomposition) -> Mentions {
        let mut mentions = Mentions {
            deltas: (0..decomposition.grains.len() as u32)
                .map(|grain| decomposition.delta_of(grain).0)
                .collect(),
            ..Mentions::default()
        };
        for (number, file) in (0..).zip(&decomposition.files) {
            let Some(text) = &file.text else { continue };
            mentions.old.add(decomposition, number, text, Side::Old);
            mentions.new.add(decomposition, number, text, Side::New);
        }
        mentions
    }

    /// Returns the deltas that bring the definition of a name.
    pub fn defining(&self, name: &[u8]) -> DeltaSet {
        self.deltas_of(self.new.defined.get(&WordHash::of(name)))
    }

    /// Returns the deltas that bring or take away a mention of a name.
    pub fn mentioning(&self, name: &[u8]) -> DeltaSet {
        let word = WordHash::of(name);
        let old = self.deltas_of(self.old.mentioned.get(&word));
        old.union(&self.deltas_of(self.new.mentioned.get(&word)))
    }

    /// Returns the names that only one of the versions has, with the deltas that mention them.
    pub(crate) fn changed_names(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let only = |here: &'_ Names, other: &'_ Names| {
            let names = here.mentioned.iter().filter(|(name, _)| !other.all.contains(name));
            let mut places: Vec<(u64, u32)> = names
                .flat_map(|(name, places)| places.iter().map(|place| (name.0, place.1)))
                .map(|(name, grain)| (name, self.deltas[grain as usize]))
                .collect();
            places.sort_unstable();
            places
        };
        only(&self.old, &self.new).into_iter().chain(only(&self.new, &self.old))
    }

    fn deltas_of(&self, places: Option<&Vec<(u32, u32)>>) -> DeltaSet {
        let delta = |&(_, grain): &(u32, u32)| whodunit_core::Delta(self.deltas[grain as usize]);
        places.into_iter().flatten().map(delta).collect()
    }
}

impl Names {
    fn add(&mut self, decomposition: &Decomposition, file: u32, text: &Text, side: Side) {
        let (bytes, facts) = side.of(text);
        self.all.extend(words(bytes).map(|word| WordHash::of(&bytes[word])));
        let lines = ChangedLines::of(decomposition, text, side);
        if let Some(facts) = facts {
            for export in &facts.exports {
                if let Some(grain) = lines.grain(export.line) {
                    push(&mut self.defined, export.name, (file, grain));
                }
            }
        }
        for (grain, piece) in decomposition.pieces(text) {
            let range = side.bytes(piece);
            let changed = &bytes[range.clone()];
            let mut defines = None;
            for word in words(changed) {
                let place = range.start + word.start;
                if facts.is_some_and(|facts| facts.is_quiet(place)) {
                    continue;
                }
                let name = WordHash::of(&changed[word.clone()]);
                push(&mut self.mentioned, name, (file, grain));
                let looks_defined =
                    facts.is_none() && (defines == Some(word.start) || is_assigned(changed, &word));
                if looks_defined {
                    push(&mut self.defined, name, (file, grain));
                }
                let is_sign = DEFINING.contains(&&changed[word.clone()]);
                defines = is_sign.then(|| next_word(changed, word.end));
            }
        }
    }
}

fn push(names: &mut HashMap<WordHash, Vec<(u32, u32)>>, name: WordHash, place: (u32, u32)) {
    let places = names.entry(name).or_default();
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// Whether a word is the first of its line and `=` or `:` follows.
fn is_assigned(text: &[u8], word: &Range<usize>) -> bool {
    let begins = text[..word.start].iter().rev().take_while(|&&byte| byte != b'\n');
    let is_first = begins.into_iter().all(u8::is_ascii_whitespace);
    let rest = text[word.end..].trim_ascii_start();
    is_first && rest.first().is_some_and(|sign| b"=:".contains(sign)) && !rest.starts_with(b"==")
}

/// Returns where the next word would begin after some space.
fn next_word(text: &[u8], end: usize) -> usize {
    end + text[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}
