//! A layer around a name is removed from its definition and from all its uses: a dimension of an
//! array with a subscript, a star with a star. For example, `int a[2]; a[0] = 1;` becomes `int a; a
//! = 1;`.

use std::ops::Range;

use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::Change;
use crate::structure::Parsed;
use crate::tokens;

/// Layers around a name that are tried, the innermost first. Chosen by hand.
const MAX_LAYERS: usize = 4;

/// Tokens of a text in which layers are tried; in a larger one the pass has nothing to ask. Chosen
/// by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Tokens of a layer at one place; a larger layer is not tried. Chosen by hand.
const MAX_LAYER_TOKENS: usize = 8;

/// Takes one layer off the definition of a name and the same one off all its uses.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let names = Names::of(&tree);
    let mut changes = Vec::new();
    for definition in names.definitions() {
        for layer in 0..MAX_LAYERS {
            changes.extend(without_layer(file, &tree, &names, definition, layer));
        }
    }
    changes
}

fn without_layer(
    file: &Parsed<'_>,
    tree: &SyntaxTree,
    names: &Names,
    definition: &Definition,
    layer: usize,
) -> Option<Change> {
    let mut uses = names.uses(definition).peekable();
    uses.peek()?;
    let mut gone = Vec::new();
    for place in std::iter::once(definition.name).chain(uses) {
        gone.extend(layer_around(tree, place, layer)?);
    }
    let tokens: usize = gone.iter().map(|range| tokens::count(&file.bytes[range.clone()])).sum();
    let places = gone.len().max(1);
    gone.sort_by_key(|range| (range.start, range.end));
    gone.dedup();
    let apart = gone.windows(2).all(|pair| pair[0].end <= pair[1].start);
    let change = file.delete(&gone);
    (apart && tokens <= MAX_LAYER_TOKENS * places && file.parses_after(&change)).then_some(change)
}

/// Returns the text that the ancestor `layer` steps above a node has before and after the one
/// below.
fn layer_around(tree: &SyntaxTree, id: NodeId, layer: usize) -> Option<Vec<Range<usize>>> {
    let (mut inner, mut above) = (tree.node(id).range(), 0);
    let mut next = tree.parent(id);
    while let Some(outer_id) = next {
        let outer = tree.node(outer_id).range();
        if outer != inner {
            if above == layer {
                let parts = [outer.start..inner.start, inner.end..outer.end];
                return Some(parts.into_iter().filter(|part| !part.is_empty()).collect());
            }
            above += 1;
            inner = outer;
        }
        next = tree.parent(outer_id).filter(|&id| id != tree.root());
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn a_dimension_goes_with_the_subscripts() {
        let changed = listed("c", "int f() { int a[2][3]; return a[0][1]; }", find);
        assert_eq!(
            changed[..2],
            ["int f() { int a[3]; return a[1]; }", "int f() { int a[2]; return a[0]; }"]
        );
    }

    #[test]
    fn a_pointer_becomes_what_it_points_to() {
        let changed = listed("c", "void f(int *p) { g(*p); h(*p); }", find);
        assert_eq!(changed[0], "void f(int p) { g(p); h(p); }");
    }
}
