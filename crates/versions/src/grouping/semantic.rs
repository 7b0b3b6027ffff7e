//! Deltas that are related in the program: a definition with its uses and calls, and the deltas in
//! one definition (sections 6 and 10 of the paper).
//!
//! The paper asks for slices of two program dependency graphs. Here a slice is one step long, from a
//! changed definition to the changes that use it: longer ones meet nearly everywhere in programs of
//! some size, and put everything into one group.

use std::collections::BTreeMap;

use whodunit_core::Delta;

use super::lexical::root;
use crate::decomposition::Decomposition;
use crate::dependencies::{Dependencies, Reason};

/// Gives each delta the first delta of its group.
pub(super) fn groups(decomposition: &Decomposition) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..decomposition.len() as u32).collect();
    let mut join = |one: Delta, other: Delta| {
        let (one, other) = (root(&mut groups, one.0), root(&mut groups, other.0));
        groups[one.max(other) as usize] = one.min(other);
    };
    let dependencies = Dependencies::within(decomposition, &decomposition.all());
    for edge in dependencies.edges() {
        if matches!(edge.reason, Reason::Name | Reason::Result) {
            join(edge.delta, edge.needs);
        }
    }
    for (first, rest) in dependencies.new_items() {
        rest.iter().for_each(|delta| join(*first, delta));
    }
    let mut first_of = BTreeMap::new();
    for delta in decomposition.all().iter() {
        let part = decomposition.part(delta);
        if let Some(item) = part.item_id {
            join(*first_of.entry((part.file, item)).or_insert(delta), delta);
        }
    }
    (0..groups.len() as u32).map(|delta| root(&mut groups, delta)).collect()
}
