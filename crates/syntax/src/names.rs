//! The definitions of a text, their uses, and their calls.
//!
//! Found by name and not by meaning: a name stands for the innermost definition of that name whose
//! scope it is in, whatever its type. Definitions, scopes and calls are captured by one query for
//! each language, `languages/*/names.scm`; a language without one still has identifiers.

mod query;
mod resolve;

use std::collections::HashMap;

use crate::language::{DefinitionKind, NodeRole};
use crate::tree::{NodeId, SyntaxTree};

/// The names of a text: definitions, their uses and calls, and all identifiers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    definitions: Vec<Definition>,
    symbols: Vec<Binding>,
    identifiers: Vec<Vec<NodeId>>,
}

/// One place that gives a name its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Where the name is written.
    pub name: NodeId,
    /// The node that is deleted with it: the whole function, or one declarator of several.
    pub item: NodeId,
    /// The kind of definition.
    pub kind: DefinitionKind,
    /// The parameters in order, without a receiver as `self`, if it has a list of them.
    pub parameters: Option<Vec<NodeId>>,
    symbol: u32,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name of the called function at the call.
    pub name: NodeId,
    /// The arguments in order.
    pub arguments: Vec<NodeId>,
    /// Which arguments are given by name, and where that name is written.
    keywords: Vec<(NodeId, NodeId)>,
}

/// The meaning of one name in one scope; it may be defined several times.
#[derive(Clone, Debug, Default)]
struct Binding {
    /// Everywhere it is written, definitions included, in order.
    places: Vec<NodeId>,
    calls: Vec<Call>,
}

impl Names {
    /// Finds the names of a text. Takes about as long as parsing it did.
    pub fn of(tree: &SyntaxTree) -> Names {
        let found = query::find(tree);
        let mut names = resolve::resolve(tree, &found);
        names.identifiers = identifiers(tree, &names.symbols);
        names
    }

    /// Returns the definitions, in the order of their names in the text.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Returns everywhere else the name of a definition is written in its scope, in order.
    ///
    /// That includes other definitions of the same name there: a prototype, an overload, a second
    /// assignment.
    pub fn uses(&self, definition: &Definition) -> impl Iterator<Item = NodeId> + '_ {
        let name = definition.name;
        self.symbol(definition).places.iter().copied().filter(move |&place| place != name)
    }

    /// Returns the calls of a definition, in order.
    pub fn calls(&self, definition: &Definition) -> &[Call] {
        &self.symbol(definition).calls
    }

    /// Returns the argument of a call for a parameter: the argument that names it, or else the one
    /// at its position.
    pub fn argument(
        &self,
        tree: &SyntaxTree,
        definition: &Definition,
        position: usize,
        call: &Call,
    ) -> Option<NodeId> {
        let parameter = *definition.parameters.as_ref()?.get(position)?;
        let named = self.parameter_name(tree, parameter).and_then(|name| {
            call.keywords.iter().find(|(_, keyword)| tree.text(*keyword) == tree.text(name))
        });
        let is_keyword = |id: NodeId| call.keywords.iter().any(|(argument, _)| *argument == id);
        let by_position = || call.arguments.get(position).copied().filter(|&id| !is_keyword(id));
        named.map(|(argument, _)| *argument).or_else(by_position)
    }

    /// Returns the identifiers, those of the same text together: in order of the first of each,
    /// and each in order of the text. Also for languages without definitions.
    pub fn identifiers(&self) -> &[Vec<NodeId>] {
        &self.identifiers
    }

    fn symbol(&self, definition: &Definition) -> &Binding {
        &self.symbols[definition.symbol as usize]
    }

    /// Returns where the name of a parameter is written.
    fn parameter_name(&self, tree: &SyntaxTree, parameter: NodeId) -> Option<NodeId> {
        let first = self.definitions.partition_point(|definition| definition.name < parameter);
        let name = self.definitions.get(first)?.name;
        tree.subtree(parameter).next_back().filter(|&last| name <= last).map(|_| name)
    }
}

/// Groups the names of a tree by their text.
fn identifiers(tree: &SyntaxTree, symbols: &[Binding]) -> Vec<Vec<NodeId>> {
    // A query may also know names that look like any other word, as those of shell functions.
    let mut places: Vec<NodeId> =
        symbols.iter().flat_map(|symbol| &symbol.places).copied().collect();
    places.extend(outermost_identifiers(tree));
    places.sort_unstable();
    places.dedup();
    let mut groups: Vec<Vec<NodeId>> = Vec::new();
    let mut group_of: HashMap<&[u8], usize> = HashMap::new();
    for place in places {
        let group = *group_of.entry(tree.text(place)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(place);
    }
    groups
}

/// Returns the identifiers of a tree that are not part of another: `$x` and not the `x` in it.
fn outermost_identifiers(tree: &SyntaxTree) -> impl Iterator<Item = NodeId> + '_ {
    let is_name = |id: NodeId| tree.role(id) == Some(NodeRole::Identifier);
    let in_name = move |id| tree.parent(id).is_some_and(is_name);
    tree.ids().filter(move |&id| is_name(id) && !in_name(id) && !tree.text(id).is_empty())
}
