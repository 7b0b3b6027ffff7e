//! Candidates that need not be parsed again.
//!
//! An item of a list may go whatever becomes of the others, as long as one is left. A candidate that
//! only lacks such items is as legal as the whole, and to see that costs next to nothing, where
//! parsing a large text with much deleted costs more than many a test.

use whodunit_core::{Delta, DeltaSet, Kind, Tree, TreeCandidate};

/// Returns whether all that is missing are items of lists of which others are left.
pub(super) fn is_plain(tree: &Tree, shown: &TreeCandidate) -> bool {
    if !shown.shrunk().is_empty() || shown.moves() {
        return false;
    }
    let hidden = DeltaSet::full(tree.len()).minus(shown.kept());
    hidden.runs().all(|run| {
        let (mut node, mut parent) = (Delta(run.start), None);
        while node.0 < run.end {
            let whole = tree.subtree(node).end <= run.end;
            let above = tree.parent(node).filter(|&above| shown.kept().contains(above));
            let Some(above) = above.filter(|_| whole && tree.facts(node).removal.is_free()) else {
                return false;
            };
            if parent != Some(above) && !has_another(tree, shown, above, node) {
                return false;
            }
            parent = Some(above);
            node = Delta(tree.subtree(node).end);
        }
        true
    })
}

/// Returns whether an item of the same sort as `gone` is left below a node.
fn has_another(tree: &Tree, shown: &TreeCandidate, above: Delta, gone: Delta) -> bool {
    let sort = tree.facts(gone).place;
    let is_left = |&node: &Delta| {
        let facts = tree.facts(node);
        facts.place == sort && facts.removal.is_free() && shown.kept().contains(node)
    };
    sort != Kind::default() && tree.children(above).iter().any(is_left)
}
