//! Which changes are in functions that some names lead to: those of these names, and those that
//! they mention.
//!
//! A guess by names alone, which a single test can confirm for most of a difference at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whodunit_core::{Delta, DeltaSet};

use crate::decomposition::{Decomposition, Text};
use crate::outline::Item;
use crate::words::{Word, words};

/// A name that more functions have than this, as that of a constructor, leads to none.
const MOST: usize = 8;

/// A function of the bad version: its file and its name.
type Function = (usize, Word);

impl Decomposition {
    /// Returns those of some deltas that are in functions of some names, in functions that these
    /// mention, or in no function; nothing if no function has such a name.
    ///
    /// What is called outside of functions counts as well: it runs when a file is loaded.
    pub fn led_to<'a>(&self, names: impl Iterator<Item = &'a [u8]>, deltas: &DeltaSet) -> DeltaSet {
        self.look_at_syntax(deltas);
        let map = Map::of(self, deltas);
        let mut reached: BTreeSet<Function> = map.named(names.map(Word::of));
        if reached.is_empty() {
            return DeltaSet::empty();
        }
        let mentioned = reached.iter().filter_map(|function| map.mentions.get(function));
        let mentioned = map.named(mentioned.flatten().copied());
        reached.extend(mentioned);
        reached.extend(map.named(map.loaded.iter().copied()));
        let is_reached = |grain: &u32| {
            let grain = self.grain(*grain);
            let name = self.items.get(grain.item as usize).map(|name| Word::of(name.as_bytes()));
            let function = name.map(|name| (grain.file as usize, name));
            // Keys of data and what is gone are no functions.
            let function = function.filter(|function| map.mentions.contains_key(function));
            function.is_none_or(|function| reached.contains(&function))
        };
        let is_led_to = |delta: &Delta| self.grains_of(*delta).iter().any(is_reached);
        deltas.iter().filter(is_led_to).collect()
    }
}

/// What the functions of some files mention.
#[derive(Default)]
struct Map {
    /// By the last part of their names.
    functions: HashMap<Word, Vec<Function>>,
    mentions: BTreeMap<Function, BTreeSet<Word>>,
    /// What is called outside of functions.
    loaded: BTreeSet<Word>,
}

impl Map {
    fn of(decomposition: &Decomposition, deltas: &DeltaSet) -> Map {
        let mut map = Map::default();
        for (number, file) in decomposition.files.iter().enumerate() {
            let Some(text) = &file.text else { continue };
            if text.pieces.clone().any(|grain| decomposition.takes(deltas, grain)) {
                map.add(number, text);
            }
        }
        map
    }

    fn add(&mut self, file: usize, text: &Text) {
        let Some(outline) = text.new_outline() else { return };
        for item in outline.items.all() {
            let last = item.name.rsplit('.').next().unwrap_or(&item.name);
            let function = (file, Word::of(item.name.as_bytes()));
            self.functions.entry(Word::of(last.as_bytes())).or_default().push(function);
        }
        for (number, line) in (0..).zip(text.new.split_inclusive(|&byte| byte == b'\n')) {
            match outline.items.at(number) {
                Some(Item { name, .. }) => {
                    let function = (file, Word::of(name.as_bytes()));
                    let mentions = self.mentions.entry(function).or_default();
                    mentions.extend(words(line).map(|word| Word::of(&line[word])));
                }
                None => {
                    let is_call = |end: usize| line.get(end) == Some(&b'(');
                    let calls = words(line).filter(|word| is_call(word.end));
                    self.loaded.extend(calls.map(|word| Word::of(&line[word])));
                }
            }
        }
    }

    fn named(&self, names: impl Iterator<Item = Word>) -> BTreeSet<Function> {
        let functions = names.filter_map(|name| self.functions.get(&name));
        functions.filter(|functions| functions.len() <= MOST).flatten().copied().collect()
    }
}
