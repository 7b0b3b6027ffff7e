//! Which changed line uses a name that another changed line defines.

use std::collections::{BTreeSet, HashSet};

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};
use whodunit_syntax::words::WordHash;

use super::{Export, Items, NameUse, ParameterizedName};
use crate::lines::Lines;

/// Facts about the names of a text.
#[derive(Default)]
pub(super) struct NameFacts {
    /// Every name that is defined, with the item that it is defined in.
    pub(super) defines: HashSet<(WordHash, WordHash)>,
    pub(super) uses: Vec<NameUse>,
    pub(super) exports: Vec<Export>,
    pub(super) signatures: Vec<ParameterizedName>,
}

/// Finds definitions and uses.
pub(super) fn find(
    tree: &SyntaxTree,
    names: &Names,
    lines: &Lines<'_>,
    changed: &[bool],
    items: &Items,
) -> NameFacts {
    let line_of = |id: NodeId| lines.line_at(tree.node(id).range().start);
    let is_changed = |line: u32| changed.get(line as usize).copied().unwrap_or(false);
    let places: HashSet<NodeId> = names.definitions().iter().map(|known| known.name).collect();
    let (mut found, mut uses) = (NameFacts::default(), BTreeSet::new());
    for definition in names.definitions() {
        let line = line_of(definition.name);
        let scope = items.at(line).map_or(WordHash(0), |item| WordHash::of(item.name.as_bytes()));
        let name = (WordHash::of(tree.text(definition.name)), scope);
        found.defines.insert(name);
        if is_export(definition, tree) {
            found.exports.push(Export { name: name.0, scope, line });
        }
        if definition.parameters.is_some() {
            let start = tree.node(definition.name).range().start as u32;
            found.signatures.push(ParameterizedName { name: name.0, start });
        }
        if !is_changed(line) {
            continue;
        }
        // The first definition of a name is the one that its uses need, if none was there before.
        let other_definitions = || names.uses(definition).filter(|place| places.contains(place));
        if other_definitions().any(|other| other < definition.name || !is_changed(line_of(other))) {
            continue;
        }
        for place in names.uses(definition) {
            let used = line_of(place);
            if used != line && is_changed(used) {
                uses.insert((used, line, name));
            }
        }
    }
    let uses = uses.into_iter();
    found.uses = uses.map(|(line, definition, name)| NameUse { line, definition, name }).collect();
    found
}

/// Whether other files may use a definition.
fn is_export(definition: &Definition, tree: &SyntaxTree) -> bool {
    use DefinitionKind as Kind;
    match definition.kind {
        Kind::Function | Kind::Method | Kind::Type | Kind::Field => true,
        Kind::Constant | Kind::Macro | Kind::Module => true,
        // A variable of the text as a whole, not of a function.
        Kind::Variable => {
            let depth = std::iter::successors(tree.parent(definition.item), |&id| tree.parent(id));
            depth.take(4).count() < 4
        }
        Kind::Parameter | Kind::Import | Kind::Label => false,
    }
}
