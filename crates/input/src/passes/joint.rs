//! Parts that can only be removed together: a definition with all its uses, a parameter with the
//! argument of every call.

use std::ops::Range;

use whodunit_core::Delta;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::Change;
use crate::structure::Parsed;
use crate::tokens;

/// Tokens of a text in which a definition is left out with its uses; in a larger one they are
/// removed one after the other. Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 2000;

/// Leaves out a definition together with the text around each of its uses.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let names = Names::of(&tree);
    targets(file, &tree, &names).iter().filter_map(|target| target.with_uses(file, &tree)).collect()
}

/// A removable part, and the places where its name would lose its meaning.
pub(super) struct Target {
    /// The nodes to remove: the definition, or the parameter and its arguments.
    pub(super) goes: Vec<Delta>,
    /// Where the name is used elsewhere.
    pub(super) uses: Vec<NodeId>,
}

/// Lists the removable definitions of a file.
pub(super) fn targets(file: &Parsed<'_>, tree: &SyntaxTree, names: &Names) -> Vec<Target> {
    let mut targets = Vec::new();
    for definition in names.definitions() {
        targets.extend(target(file, tree, names, definition));
        let count = definition.parameters.as_ref().map_or(0, Vec::len);
        let parameters = (0..count).filter_map(|at| parameter(file, tree, names, definition, at));
        targets.extend(parameters);
    }
    targets
}

fn target(
    file: &Parsed<'_>,
    tree: &SyntaxTree,
    names: &Names,
    definition: &Definition,
) -> Option<Target> {
    let goes = file.removable_around(&tree.node(definition.item).range())?;
    let uses = names.uses(definition).filter(|&id| is_outside(file, tree, &[goes], id)).collect();
    Some(Target { goes: vec![goes], uses })
}

/// Finds the nodes that have to be removed with the parameter at one position of a function: that
/// of its other declarations and the arguments for it.
fn parameter(
    file: &Parsed<'_>,
    tree: &SyntaxTree,
    names: &Names,
    definition: &Definition,
    position: usize,
) -> Option<Target> {
    let others: Vec<NodeId> = names.uses(definition).collect();
    let declarations: Vec<&Definition> = names
        .definitions()
        .iter()
        .filter(|other| other.name == definition.name || others.contains(&other.name))
        .filter(|other| other.parameters.is_some())
        .collect();
    // The first declaration of a function speaks for all.
    if declarations.first().is_none_or(|first| first.name != definition.name) {
        return None;
    }
    let declared = declarations.iter().filter_map(|other| other.parameters.as_ref()?.get(position));
    let declared: Vec<NodeId> = declared.copied().collect();
    let calls = names.calls(definition);
    let arguments =
        calls.iter().filter_map(|call| names.argument(tree, definition, position, call));
    let places = declared.iter().copied().chain(arguments);
    let goes: Option<Vec<Delta>> = places.map(|id| item(file, &tree.node(id).range())).collect();
    let goes = goes?;
    let within =
        |name: NodeId| declared.iter().any(|&id| tree.subtree(id).any(|below| below == name));
    let own = names.definitions().iter().filter(|own| within(own.name));
    let uses = own.flat_map(|own| names.uses(own));
    let mut uses: Vec<NodeId> = uses.filter(|&id| is_outside(file, tree, &goes, id)).collect();
    uses.sort_unstable();
    uses.dedup();
    Some(Target { goes, uses })
}

/// Returns the smallest removable node around a use, with the sign that would be left of a
/// statement.
fn around(file: &Parsed<'_>, range: &Range<usize>) -> Option<Delta> {
    let node = file.removable_around(range)?;
    let above = file.removable_above(node);
    Some(above.filter(|&above| file.weight(above) <= file.weight(node) + 1).unwrap_or(node))
}

/// Returns the node with exactly this range, if it may be removed.
fn item(file: &Parsed<'_>, range: &Range<usize>) -> Option<Delta> {
    let tokens = tokens::count(&file.bytes[range.clone()]) as u64;
    // A comma may be part of it.
    file.removable_around(range).filter(|&node| file.weight(node) <= tokens + 1)
}

fn is_outside(file: &Parsed<'_>, tree: &SyntaxTree, goes: &[Delta], id: NodeId) -> bool {
    let Range { start, end } = tree.node(id).range();
    !goes
        .iter()
        .map(|&node| file.text_range(node))
        .any(|gone| gone.start <= start && end <= gone.end)
}

impl Target {
    /// Returns the change that also leaves out the smallest removable node around each use. `None`
    /// if there is none, or if the change would remove too much to be worth a question.
    fn with_uses(&self, file: &Parsed<'_>, tree: &SyntaxTree) -> Option<Change> {
        let around = self.uses.iter().map(|&id| around(file, &tree.node(id).range()));
        let mut nodes = around.collect::<Option<Vec<Delta>>>()?;
        nodes.extend(&self.goes);
        nodes.sort_unstable();
        nodes.dedup();
        let weight: u64 = nodes.iter().map(|&node| file.weight(node)).sum();
        let worth_asking = nodes.len() > 1 && 2 * weight <= file.weight(file.node());
        worth_asking.then(|| file.leave_out(nodes))
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn a_definition_goes_with_its_uses() {
        assert_eq!(
            listed("c", "int x; int y; void f() { y = 1; x = 2; g(); h(); i(); }", find),
            [
                " int y; void f() { y = 1; g(); h(); i(); }",
                "int x; void f() { x = 2; g(); h(); i(); }"
            ]
        );
    }

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        let changed = listed("c", "int f(int a, int b) { return 1; } int c = f(2, 3);", find);
        assert!(
            changed.contains(&"int f(int a) { return 1; } int c = f(2);".to_owned()),
            "{changed:?}"
        );
        let changed = listed("python", "def f(a, b):\n  pass\nf(1, 2)\nf(3, b=4)\n", find);
        assert!(changed.contains(&"def f(a,):\n  pass\nf(1,)\nf(3,)\n".to_owned()), "{changed:?}");
    }

    #[test]
    fn an_import_goes_with_its_uses() {
        let changed = listed("python", "import os\na = 1\nb = [1, os, 2]\n", find);
        assert_eq!(changed, ["\na = 1\nb = [1, 2]\n"]);
    }

    #[test]
    fn what_would_take_most_of_the_text_along_is_left_out() {
        assert_eq!(listed("c", "int x; void f() { while (x) { g(); h(); } }", find), [""; 0]);
    }
}
