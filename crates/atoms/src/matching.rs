//! Pairs the definitions of the good version with those of the bad one, over all files.

use std::collections::HashMap;

use whodunit_syntax::definitions::{Pair, Pairs};

use super::universe::{Id, Universe};

/// Returns for each definition of a file that differs its partner in the other version.
pub(super) fn partners(universe: &Universe, pairs: &[Pairs]) -> HashMap<Id, Id> {
    let mut partners = HashMap::new();
    for (ends, pairs) in universe.touched.iter().zip(pairs) {
        let (Some(before), Some(after)) = *ends else { continue };
        for Pair { old, new } in &pairs.pairs {
            if let (Some(old), Some(new)) = (old, new) {
                let (old, new) = (universe.id(before, *old), universe.id(after, *new));
                partners.insert(old, new);
                partners.insert(new, old);
            }
        }
    }
    partners
}
