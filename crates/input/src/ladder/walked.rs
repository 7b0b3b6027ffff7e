//! The nodes that a walk over a tree has asked about, for the next walk.
//!
//! When passes are certified the tree is walked over once more. Each node is left out once more,
//! for the proof. Replacements of a node are not tried again if its text is unchanged: the outcome
//! seldom depends on the surrounding text.

use std::collections::BTreeSet;

use whodunit_core::{Delta, DeltaSet};
use whodunit_run::{Key, KeyHasher};

use crate::structure::Structure;

/// Bytes of a text whose nodes are remembered. Nothing of a larger one is: the next walk asks all
/// questions again. Chosen by hand.
const MAX_REMEMBERED_BYTES: u64 = 20_000;

/// The texts of nodes that were asked about.
#[derive(Debug)]
pub(super) struct Walked(BTreeSet<Key>);

impl Walked {
    /// Remembers a structure that was walked over to the end.
    pub(super) fn of(structure: &Structure) -> Option<Self> {
        Some(Walked(texts(structure)?.map(|(_, text)| text).collect()))
    }

    /// Returns the nodes of the next structure that were asked about; `None` if too little is known
    /// for another kind of walk.
    pub(super) fn tried(&self, structure: &Structure) -> Option<DeltaSet> {
        let known = texts(structure)?.filter(|(_, text)| self.0.contains(text));
        Some(known.map(|(node, _)| node).collect())
    }
}

/// Returns each node and the key of its text; `None` if that would be too much.
fn texts(structure: &Structure) -> Option<impl Iterator<Item = (Delta, Key)>> {
    let (base, tree) = (structure.base(), structure.tree());
    if base.len() > MAX_REMEMBERED_BYTES {
        return None;
    }
    let nodes = structure
        .file_nodes()
        .flat_map(move |(file, top)| tree.subtree(top).map(move |node| (file, Delta(node))));
    Some(nodes.map(move |(file, node)| {
        let mut text = KeyHasher::new();
        // White space makes no difference to the possible replacements.
        for word in base.slice(file, structure.addresses(node)).split(u8::is_ascii_whitespace) {
            text.update(word);
        }
        (node, text.finish())
    }))
}
