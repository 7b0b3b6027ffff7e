//! Candidates that need not be parsed again.
//!
//! An item of a list may go whatever becomes of the others, as long as one is left. A candidate that
//! only lacks such items is as legal as the whole, and to see that costs next to nothing, where
//! parsing a large text with much deleted costs more than many a test. The same holds for minimal
//! strings, for what stands in the place of another node and for optional parts, but the rules taken from a grammar may
//! be wrong about those: they are trusted in large texts only.

use whodunit_core::{Delta, DeltaSet, Kind, Tree, TreeCandidate};

/// Whether what a grammar says about substitutes is believed without parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Substitutes {
    Trusted,
    Doubted,
}

/// Returns whether all that is missing are items of lists of which others are left, or has made
/// way for a substitute that is trusted.
pub(super) fn is_plain(tree: &Tree, shown: &TreeCandidate, substitutes: Substitutes) -> bool {
    let is_trusted = substitutes == Substitutes::Trusted;
    if !is_trusted && (shown.moves() || !shown.shrunk().is_empty()) {
        return false;
    }
    let hidden = DeltaSet::full(tree.len()).minus(shown.kept());
    hidden.runs().all(|run| {
        let (mut node, mut parent) = (Delta(run.start), None);
        while node.0 < run.end {
            let whole = tree.subtree(node).end <= run.end;
            let above = tree.parent(node).filter(|&above| shown.kept().contains(above));
            let Some(above) = above.filter(|_| whole) else {
                if !is_trusted {
                    return false;
                }
                // Something below it has taken its place, or the place of what it is part of.
                node = if whole { Delta(tree.subtree(node).end) } else { Delta(node.0 + 1) };
                continue;
            };
            if !shown.shrunk().contains(node) {
                let is_free = tree.facts(node).removal.is_free();
                let is_known = parent == Some(above)
                    || has_another(tree, shown, above, node)
                    || is_trusted && shown.children(tree, above).next().is_some();
                if !is_free || !is_known {
                    return false;
                }
                parent = Some(above);
            }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use whodunit_core::Edit;
    use whodunit_syntax::language::Language;

    use super::super::Structure;
    use super::*;
    use crate::subject::languages::Languages;
    use crate::subject::protect::Protection;
    use crate::subject::snapshot::{InputFile, Snapshot};

    fn read(language: &str, text: &str) -> Structure {
        let file = InputFile { name: "in".into(), bytes: text.as_bytes().into(), mode: 0o644 };
        let languages = Languages::Given(Language::by_name(language).unwrap());
        let base = Arc::new(Snapshot::new(vec![file]));
        Structure::read(&base, &languages, &Protection::new(&[]).unwrap()).unwrap()
    }

    /// Returns the nodes that can be left out.
    fn free(structure: &Structure) -> Vec<Delta> {
        let tree = structure.tree();
        let nodes = tree.subtree(tree.root()).map(Delta);
        nodes.filter(|&node| tree.facts(node).removal.is_free()).collect()
    }

    fn is_plain_without(structure: &Structure, gone: &[Delta]) -> bool {
        let tree = structure.tree();
        let edits: Vec<Edit> = gone.iter().map(|&node| Edit::Drop(node)).collect();
        is_plain(tree, &TreeCandidate::whole(tree).with(tree, &edits), Substitutes::Doubted)
    }

    #[test]
    fn items_of_a_list_are_plain_unless_all_go() {
        let list = read("json", "[1, 2, 3]");
        let items = free(&list);
        let items = &items[items.len() - 3..];
        assert!(is_plain_without(&list, &items[..1]));
        assert!(is_plain_without(&list, &items[1..]));
        assert!(!is_plain_without(&list, items));
    }

    #[test]
    fn what_is_optional_is_not_plain() {
        let function = read("c", "static int f(void) { return; }");
        let optional = free(&function);
        let tree = function.tree();
        let first = optional.iter().copied().find(|&node| tree.depth(node) > 2).unwrap();
        assert!(!is_plain_without(&function, &[first]));
    }
}
