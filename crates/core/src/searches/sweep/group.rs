//! Nodes that are asked about together.

use std::ops::Range;
use std::sync::Arc;

use crate::searches::density::Density;
use crate::{Edit, Tree, TreeCandidate};

/// Edits of nodes none of which is below another, in the order of the walk.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) edits: Arc<[Edit]>,
    /// For each place the weight of all edits before it; one more entry for the total.
    sums: Arc<[f64]>,
}

impl Group {
    /// Groups `edits` until none is left or `enough` holds for their number and weight.
    pub(super) fn gather(
        tree: &Tree,
        current: &TreeCandidate,
        mut edits: impl Iterator<Item = Edit>,
        enough: impl Fn(usize, f64) -> bool,
    ) -> Self {
        let (mut found, mut sums) = (Vec::new(), vec![0.0]);
        let mut total = 0.0;
        while !enough(found.len(), total)
            && let Some(edit) = edits.next()
        {
            total += resistance(tree, current, edit);
            found.push(edit);
            sums.push(total);
        }
        Group { edits: found.into(), sums: sums.into() }
    }

    pub(super) fn len(&self) -> usize {
        self.edits.len()
    }

    pub(super) fn weight(&self, places: Range<usize>) -> f64 {
        self.sums[places.end] - self.sums[places.start]
    }

    /// Returns the group of the first edits only.
    pub(super) fn first(&self, size: usize) -> Group {
        Group { edits: self.edits[..size].into(), sums: self.sums[..=size].into() }
    }

    /// Returns the place after `low`, up to `high`, where the chance that all edits from `low`
    /// up to it can be made is nearest to `chance`; `chance_of` gives the chance for a weight.
    pub(super) fn split(
        &self,
        low: usize,
        high: usize,
        chance: f64,
        chance_of: impl Fn(f64) -> f64,
    ) -> usize {
        let off = |place: usize| (chance_of(self.weight(low..place)) - chance).abs();
        // The chance falls with the weight: the nearest is the last place above it or the first
        // below.
        let places = low + 1..high + 1;
        let above = places.clone().take_while(|&place| chance_of(self.weight(low..place)) > chance);
        let above = above.last().unwrap_or(low + 1);
        let below = (above + 1).min(high);
        if off(above) <= off(below) { above } else { below }
    }
}

/// Returns how much a node resists removal: its tokens, at least 1.
fn resistance(tree: &Tree, current: &TreeCandidate, edit: Edit) -> f64 {
    (current.weight_below(tree, edit.node()) as f64).max(1.0)
}

/// Returns the chance that a `part` can be removed of something that as a `whole` cannot.
pub(super) fn chance_within(density: &Density, part: f64, whole: f64) -> f64 {
    let none = density.survival(whole);
    (density.survival(part) - none) / (1.0 - none)
}
