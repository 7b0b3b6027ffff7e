//! Which changes are in functions that some names lead to: those of these names, and those that
//! they mention.
//!
//! A guess by names alone, which a single test can confirm for most of a difference at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whodunit_core::{Delta, DeltaSet};
use whodunit_syntax::words::{WordHash, words};

use super::{Decomposition, Text};
use crate::syntax_facts::Item;

/// A name that more functions have than this leads to none of them, as that of a constructor.
/// Chosen by hand.
const MAX_FUNCTIONS: usize = 8;

/// A function of the bad version: its file and its name.
type Function = (usize, WordHash);

impl Decomposition {
    /// Returns those of some deltas that some names lead to, in sets of which each holds the ones
    /// before it; none if no function has such a name. They are
    ///
    /// - in functions of these names, or in those that changed lines there mention;
    /// - in functions that are called outside of functions, when a file is loaded;
    /// - in functions that any line of those with these names mentions, or in no function.
    pub fn led_to<'a>(
        &self,
        names: impl Iterator<Item = &'a [u8]>,
        deltas: &DeltaSet,
    ) -> Vec<DeltaSet> {
        self.look_at_syntax(deltas);
        let map = Map::of(self, deltas);
        let named: BTreeSet<Function> = map.named(names.map(WordHash::of));
        if named.is_empty() {
            return Vec::new();
        }
        let is_named = |function: Option<Function>| function.is_some_and(|it| named.contains(&it));
        let own = deltas.iter().filter(|&delta| self.functions(&map, delta).any(is_named));
        let brought = own.flat_map(|delta| self.texts(delta)).flat_map(|(_, new)| {
            words(new).map(|word| WordHash::of(&new[word])).collect::<Vec<WordHash>>()
        });
        let mut near = map.named(brought);
        near.extend(&named);
        let mut loaded = map.named(map.loaded.iter().copied());
        loaded.extend(&near);
        let mentioned = named.iter().filter_map(|function| map.mentions.get(function));
        let mut far = map.named(mentioned.flatten().copied());
        far.extend(&loaded);
        let within = |reached: &BTreeSet<Function>, without: bool| -> DeltaSet {
            let is_reached = |function: Option<Function>| match function {
                Some(function) => reached.contains(&function),
                None => without,
            };
            deltas.iter().filter(|&delta| self.functions(&map, delta).any(is_reached)).collect()
        };
        vec![within(&near, false), within(&loaded, false), within(&far, true)]
    }

    /// Returns the function of each grain of a delta; `None` for a grain outside of functions.
    fn functions(&self, map: &Map, delta: Delta) -> impl Iterator<Item = Option<Function>> {
        self.grains_of(delta).iter().map(|&grain| {
            let grain = self.grain(grain);
            let name =
                self.items.get(grain.item as usize).map(|name| WordHash::of(name.as_bytes()));
            let function = name.map(|name| (grain.file as usize, name));
            // Keys of data and deleted functions are excluded.
            function.filter(|function| map.mentions.contains_key(function))
        })
    }
}

/// The names that the functions of some files mention.
#[derive(Default)]
struct Map {
    /// By the last part of their names.
    functions: HashMap<WordHash, Vec<Function>>,
    mentions: BTreeMap<Function, BTreeSet<WordHash>>,
    /// Names that are called outside of functions.
    loaded: BTreeSet<WordHash>,
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
        let Some(facts) = text.new_facts() else { return };
        for item in facts.items.all() {
            let last = item.name.rsplit('.').next().unwrap_or(&item.name);
            let function = (file, WordHash::of(item.name.as_bytes()));
            self.functions.entry(WordHash::of(last.as_bytes())).or_default().push(function);
        }
        for (number, line) in (0..).zip(text.new.split_inclusive(|&byte| byte == b'\n')) {
            match facts.items.at(number) {
                Some(Item { name, .. }) => {
                    let function = (file, WordHash::of(name.as_bytes()));
                    let mentions = self.mentions.entry(function).or_default();
                    mentions.extend(words(line).map(|word| WordHash::of(&line[word])));
                }
                None => {
                    let is_call = |end: usize| line.get(end) == Some(&b'(');
                    let calls = words(line).filter(|word| is_call(word.end));
                    self.loaded.extend(calls.map(|word| WordHash::of(&line[word])));
                }
            }
        }
    }

    fn named(&self, names: impl Iterator<Item = WordHash>) -> BTreeSet<Function> {
        let functions = names.filter_map(|name| self.functions.get(&name));
        functions.filter(|functions| functions.len() <= MAX_FUNCTIONS).flatten().copied().collect()
    }
}
