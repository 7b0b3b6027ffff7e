//! Properties of the tree of any text.

use whodunit_syntax::tree::SyntaxTree;

/// Checks that a tree prints its text, that its nodes lie as they should, and that its leaves hold
/// all but white space.
pub(crate) fn check(tree: &SyntaxTree, text: &[u8]) {
    assert!(tree.print() == text, "{:?} does not print its text", tree.language());
    assert_eq!(tree.node(tree.root()).range(), 0..text.len());
    for id in tree.ids() {
        let within = tree.node(id).range();
        let mut at = within.start;
        for child in tree.children(id) {
            let range = tree.node(child).range();
            assert!(at <= range.start && range.start <= range.end && range.end <= within.end);
            assert_eq!(tree.parent(child), Some(id));
            at = range.end;
        }
    }
    let mut at = 0;
    for leaf in tree.leaves().filter(|&leaf| leaf != tree.root()) {
        let range = tree.node(leaf).range();
        assert!(text[at..range.start].trim_ascii().is_empty(), "a gap holds text");
        at = range.end;
    }
    assert!(tree.len() == 1 || text[at..].trim_ascii().is_empty(), "a gap holds text");
}
