//! A text needs its file, and a file needs that nothing else is in its place.

use super::{Edges, Reason};
use crate::decomposition::{clash, deciding_grains};

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for file in &decomposition.files {
        let (Some(added), Some(text)) = (file.added, &file.text) else { continue };
        for grain in text.pieces.clone() {
            edges.add(grain, added, Reason::Existence);
        }
    }
    for (one, other) in decomposition.rivals.pairs() {
        make_room(edges, one, other);
    }
}

/// Finds what forecloses that two files want one place: something that is always taken when they
/// clash, and something that never is.
fn make_room(edges: &mut Edges<'_>, one: u32, other: u32) {
    let decomposition = edges.decomposition;
    let mut grains = deciding_grains(decomposition, one);
    grains.extend(deciding_grains(decomposition, other));
    grains.sort_unstable();
    grains.dedup();
    // Of all choices that clash: what all of them take, and what none of them takes.
    let mut clashing: Option<(u32, u32)> = None;
    for choice in 0..1u32 << grains.len() {
        let takes = |grain: u32| {
            let at = grains.iter().position(|&known| known == grain);
            at.is_some_and(|at| choice & (1 << at) != 0)
        };
        let wanted = |file: u32| decomposition.wanted_path(file, &takes);
        let clashes = wanted(one).zip(wanted(other)).is_some_and(|(a, b)| clash(&a, &b));
        if clashes {
            let (taken, missing) = clashing.unwrap_or((u32::MAX, u32::MAX));
            clashing = Some((taken & choice, missing & !choice));
        }
    }
    let Some((taken, missing)) = clashing else { return };
    let first = |mask: u32| (0..grains.len()).find(|at| mask & (1 << at) != 0);
    if let (Some(taken), Some(missing)) = (first(taken), first(missing)) {
        edges.add(grains[taken], grains[missing], Reason::Existence);
    }
}
