//! Functions that must give back a value, as the compilers of some languages want it, and do so in
//! one place.

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::Names;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::lines::Lines;

/// Names of fields in grammars for the type of a result that compilers insist on.
const TYPES: &[&str] = &["type", "result"];

/// Finds the lines of such functions' names, each with the line of its only `return`.
pub(super) fn find(tree: &SyntaxTree, names: &Names, lines: &Lines<'_>) -> Vec<(u32, u32)> {
    let line_of = |id: NodeId| lines.line_at(tree.node(id).range().start);
    let functions = names.definitions().iter().filter(|definition| {
        let is_function =
            matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Method);
        is_function && has_result(tree, definition.item)
    });
    let found = functions.filter_map(|function| {
        let mut returns = tree.subtree(function.item).filter(|&id| gives_back(tree, id));
        let only = returns.next().filter(|_| returns.next().is_none())?;
        Some((line_of(function.name), line_of(only)))
    });
    found.filter(|(name, result)| name != result).collect()
}

fn has_result(tree: &SyntaxTree, item: NodeId) -> bool {
    tree.children(item).any(|child| {
        let field = tree.node(child).field();
        let is_type = field.is_some_and(|it| TYPES.contains(&tree.language().field_name(it)));
        is_type && tree.text(child) != b"void"
    })
}

fn gives_back(tree: &SyntaxTree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.is_named()
        && tree.language().kind_name(node.kind()) == "return_statement"
        && tree.children(id).any(|child| tree.node(child).is_named())
}
