//! Where to cut a difference in two.

use super::changes::ChangeSet;
use super::isolation::{Probe, Way};
use crate::{Delta, DeltaSet};

/// How much farther from the aim a cut at the coarsest boundary may lie, as a share of the
/// difference.
const BONUS: f64 = 0.15;

/// Returns the cut that comes nearest to the `aim` (a share of the weight), with a preference
/// for coarse boundaries.
///
/// A cut is either the first deltas with all they need, or all but the last deltas and their
/// dependents. `None` if needs and dependents make one side of every cut empty.
pub(super) fn best_cut(changes: &ChangeSet, difference: &DeltaSet, aim: f64) -> Option<Probe> {
    let deltas: Vec<Delta> = difference.iter().collect();
    let levels: Vec<u8> =
        deltas.windows(2).map(|pair| changes.boundaries.between(pair[0], pair[1])).collect();
    let coarsest = levels.iter().copied().max().unwrap_or(0).max(1);
    let total = changes.weights.sum(difference);
    let mut best: Option<(f64, usize, Way)> = None;
    let mut consider = |place: usize, way: Way, weight: u64| {
        let distance = (weight as f64 / total as f64 - aim).abs();
        let bonus = BONUS * f64::from(levels[place - 1]) / f64::from(coarsest);
        let score = distance - bonus;
        let splits = weight > 0 && weight < total;
        if splits && best.is_none_or(|(least, _, _)| score < least) {
            best = Some((score, place, way));
        }
    };
    let mut walk = changes.implications.walk_up(difference);
    let mut weight = 0;
    for place in 1..deltas.len() {
        walk.visit(deltas[place - 1], |delta| weight += changes.weights.of(delta));
        consider(place, Way::Add, weight);
    }
    let mut walk = changes.implications.walk_down(difference);
    let mut weight = total;
    for place in (1..deltas.len()).rev() {
        walk.visit(deltas[place], |delta| weight -= changes.weights.of(delta));
        consider(place, Way::Take, weight);
    }
    best.map(|(_, place, way)| {
        let ranks = match way {
            Way::Add => 0..place,
            Way::Take => place..deltas.len(),
        };
        Probe { block: difference.slice(ranks), way }
    })
}

/// Returns how many deltas from rank `start` on make a block of about `size` that ends at the
/// coarsest boundary within half the size.
///
/// Deltas that belong together mostly lie together, so a block that ends at the end of a file
/// or a directory is more often testable. That matters more here than the exact size.
pub(super) fn block_length(
    changes: &ChangeSet,
    difference: &DeltaSet,
    start: usize,
    size: usize,
) -> usize {
    let left = difference.len() - start;
    let (least, most) = ((size / 2).max(1), (size + size / 2).min(left));
    if least >= most {
        return least.min(left);
    }
    let ahead: Vec<Delta> = difference.slice(start + least - 1..start + most + 1).iter().collect();
    let ends = (least..=most).map(|length| {
        let pair = ahead.get(length - least).zip(ahead.get(length - least + 1));
        // The end of the last delta is the coarsest boundary of all.
        let level = pair.map_or(u8::MAX, |(&one, &other)| changes.boundaries.between(one, other));
        (level, std::cmp::Reverse(length.abs_diff(size)), length)
    });
    ends.max().map_or(size, |(_, _, length)| length)
}
