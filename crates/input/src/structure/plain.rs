//! Candidates of large texts that are not parsed again.
//!
//! An item of a list may be removed independently of the others, as long as one is left; so may
//! optional parts, and a node may be replaced by a kind that the grammar allows in its place. A
//! candidate with only such edits is legal by the grammar's rules. The rules are not always exact,
//! but parsing a large text with many deletions costs more than a few useless tests.

use whodunit_core::{Delta, DeltaSet, Tree, TreeCandidate};

/// Returns whether no node has lost its whole content, and all missing parts may be removed.
pub(super) fn is_plain(tree: &Tree, shown: &TreeCandidate) -> bool {
    let hidden = DeltaSet::full(tree.len()).minus(shown.kept());
    hidden.runs().all(|run| {
        let (mut node, mut parent) = (Delta(run.start), None);
        while node.0 < run.end {
            let whole = tree.subtree(node).end <= run.end;
            let above = tree.parent(node).filter(|&above| shown.kept().contains(above));
            let Some(above) = above.filter(|_| whole) else {
                // A node below it has taken its place, or the place of a node above it.
                node = if whole { Delta(tree.subtree(node).end) } else { Delta(node.0 + 1) };
                continue;
            };
            if !shown.shrunk().contains(node) {
                let holds_something =
                    parent == Some(above) || shown.children(tree, above).next().is_some();
                if !holds_something || !tree.facts(node).removal.is_free() {
                    return false;
                }
                parent = Some(above);
            }
            node = Delta(tree.subtree(node).end);
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use whodunit_core::Edit;
    use whodunit_syntax::language::Language;

    use super::super::Structure;
    use super::*;
    use crate::languages::Languages;
    use crate::protect::Protection;
    use crate::snapshot::{InputFile, Snapshot};

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
        is_plain(tree, &TreeCandidate::whole(tree).with(tree, &edits))
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
}
