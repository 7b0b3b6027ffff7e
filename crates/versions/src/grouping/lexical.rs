//! Deltas that share a rare name.

use std::collections::BTreeMap;

use crate::decomposition::Decomposition;
use crate::dependencies::Mentions;

/// A name that more deltas share than this does not group them. Chosen by hand.
const MAX_SHARING_DELTAS: usize = 8;

/// Gives each delta the first delta of its group.
pub(super) fn groups(decomposition: &Decomposition, mentions: &Mentions) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..decomposition.len() as u32).collect();
    let mut shared: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (name, delta) in mentions.changed_names() {
        let deltas = shared.entry(name).or_default();
        if deltas.len() <= MAX_SHARING_DELTAS && !deltas.contains(&delta) {
            deltas.push(delta);
        }
    }
    for deltas in shared.into_values().filter(|deltas| deltas.len() <= MAX_SHARING_DELTAS) {
        for pair in deltas.windows(2) {
            let (one, other) = (root(&mut groups, pair[0]), root(&mut groups, pair[1]));
            groups[one.max(other) as usize] = one.min(other);
        }
    }
    (0..groups.len() as u32).map(|delta| root(&mut groups, delta)).collect()
}

/// Returns the first delta of a group, and shortens the way to it.
pub(super) fn root(groups: &mut [u32], mut delta: u32) -> u32 {
    while groups[delta as usize] != delta {
        let above = groups[delta as usize];
        groups[delta as usize] = groups[above as usize];
        delta = above;
    }
    delta
}
