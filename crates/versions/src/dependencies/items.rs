//! New functions and classes: part of one is seldom of use.

use std::collections::BTreeMap;

use whodunit_core::{Delta, DeltaSet};

use crate::decomposition::{Decomposition, NONE};

/// Returns the first delta of each item that is new as a whole, with the rest of the item.
pub(super) fn find(decomposition: &Decomposition) -> Vec<(Delta, DeltaSet)> {
    let mut found = Vec::new();
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        let mut items: BTreeMap<u32, (bool, Vec<Delta>)> = BTreeMap::new();
        for (grain, piece) in decomposition.pieces(text) {
            let item = decomposition.grain(grain).item;
            let (is_new, deltas) = items.entry(item).or_insert((item != NONE, Vec::new()));
            *is_new &= piece.old.is_empty();
            deltas.push(decomposition.delta_of(grain));
        }
        let was_there = |item: u32| {
            let name = &decomposition.items[item as usize];
            text.old_facts().is_some_and(|facts| facts.items.has(name))
        };
        // Keys of data are no functions: a part of the new data can be useful.
        let is_data = |item: u32| {
            let name = &decomposition.items[item as usize];
            text.new_facts().is_some_and(|facts| !facts.items.has(name))
        };
        let new_items = items.into_iter().filter(|(item, (is_new, deltas))| {
            *is_new && deltas.len() > 1 && !was_there(*item) && !is_data(*item)
        });
        found.extend(new_items.map(|(_, (_, deltas))| {
            let rest: DeltaSet = deltas[1..].iter().copied().collect();
            (deltas[0], rest)
        }));
    }
    found.retain(|(first, rest)| !rest.contains(*first));
    found.sort_by_key(|(first, _)| *first);
    found
}
