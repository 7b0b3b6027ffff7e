//! Resolves the matches of a query to definitions with their uses.
//!
//! Everything is done in walks over the flat tree, so that depth is no danger and the time grows
//! with the text alone.

use std::collections::{BTreeMap, HashMap};

use super::query::Captured;
use super::{Binding, Call, Definition, Names};
use crate::language::{DefinitionKind, Reach};
use crate::tree::{NodeId, SyntaxTree};

/// Finds the definition that each name stands for.
pub(super) fn resolve(tree: &SyntaxTree, found: &Captured) -> Names {
    if found.defined.is_empty() {
        return Names::default();
    }
    let above = Above::of(tree, found);
    let definitions = definitions(tree, found, &above);
    let items = items(tree, found, &definitions);
    let mut scopes = Scopes::default();
    let mut names = Names::default();
    for (definition, item) in definitions.iter().zip(items) {
        let symbol = scopes.declare(tree, definition, &above);
        names.definitions.push(Definition {
            name: definition.name,
            item,
            kind: definition.kind,
            parameters: definition.parameters.map(|list| parameters(tree, list, found)),
            symbol,
        });
    }
    let stands_for = scopes.places(tree, found);
    names.symbols.resize_with(scopes.symbol_of.len(), Binding::default);
    for &(place, symbol) in &stands_for {
        names.symbols[symbol as usize].places.push(place);
    }
    add_calls(tree, found, &stands_for, &mut names.symbols);
    names
}

/// A definition whose item and meaning are not yet known.
struct Bare {
    name: NodeId,
    owner: NodeId,
    kind: DefinitionKind,
    reach: Reach,
    parameters: Option<NodeId>,
}

/// The surroundings of each node.
struct Above {
    /// The innermost definition it belongs to, with no scope in between.
    owner: Vec<Option<NodeId>>,
    /// The innermost scope that is strictly around it.
    scope: Vec<NodeId>,
    /// The innermost function that is strictly around it.
    function: Vec<NodeId>,
}

impl Above {
    fn of(tree: &SyntaxTree, found: &Captured) -> Self {
        let root = tree.root();
        let mut above = Above {
            owner: vec![None; tree.len()],
            scope: vec![root; tree.len()],
            function: vec![root; tree.len()],
        };
        for id in tree.ids() {
            let at = id.0 as usize;
            let parent = tree.parent(id);
            let parent_scope = parent.and_then(|parent| found.scopes.get(&parent));
            if let Some(parent) = parent {
                let up = parent.0 as usize;
                above.scope[at] = if parent_scope.is_some() { parent } else { above.scope[up] };
                let is_function = parent_scope == Some(&true);
                above.function[at] = if is_function { parent } else { above.function[up] };
            }
            above.owner[at] = if found.owners.contains_key(&id) {
                Some(id)
            } else if found.scopes.contains_key(&id) {
                None
            } else {
                parent.and_then(|parent| above.owner[parent.0 as usize])
            };
        }
        above
    }
}

fn definitions(tree: &SyntaxTree, found: &Captured, above: &Above) -> Vec<Bare> {
    let mut definitions = Vec::new();
    for (&name, defined) in &found.defined {
        let Some(owner) = defined.owner.or(above.owner[name.0 as usize]) else { continue };
        let Some(&(kind, reach)) = found.owners.get(&owner) else { continue };
        if tree.text(name).is_empty() {
            continue;
        }
        let (kind, reach) = match (kind, defined.parameters) {
            (DefinitionKind::Function, _) if found.members.contains(&name) => {
                (DefinitionKind::Method, Reach::File)
            }
            (DefinitionKind::Variable, Some(_)) => (DefinitionKind::Function, reach),
            (DefinitionKind::Field, Some(_)) => (DefinitionKind::Method, Reach::File),
            _ => (kind, reach),
        };
        definitions.push(Bare { name, owner, kind, reach, parameters: defined.parameters });
    }
    definitions
}

/// Returns what would be deleted with each definition.
///
/// That is all of what defines it, if it defines nothing else; of a declaration of several it is
/// the largest part with this name alone. No two such parts overlap, so the climbs are short.
fn items(tree: &SyntaxTree, found: &Captured, definitions: &[Bare]) -> Vec<NodeId> {
    let mut of_owner: HashMap<NodeId, Vec<usize>> = HashMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        of_owner.entry(definition.owner).or_default().push(index);
    }
    let mut items: Vec<NodeId> = definitions.iter().map(|definition| definition.owner).collect();
    for sisters in of_owner.values().filter(|sisters| sisters.len() > 1) {
        for (place, &index) in sisters.iter().enumerate() {
            let before = place.checked_sub(1).map(|place| definitions[sisters[place]].name);
            let after = sisters.get(place + 1).map(|&index| definitions[index].name);
            items[index] = largest_alone(tree, &definitions[index], before, after);
        }
    }
    for item in &mut items {
        while let Some(parent) = tree.parent(*item).filter(|parent| found.wrappers.contains(parent))
        {
            *item = parent;
        }
    }
    items
}

/// Returns the largest node around a name, below what defines it, that holds neither neighbour.
fn largest_alone(
    tree: &SyntaxTree,
    definition: &Bare,
    before: Option<NodeId>,
    after: Option<NodeId>,
) -> NodeId {
    let holds = |id: NodeId, name: Option<NodeId>| {
        let last = tree.subtree(id).next_back().unwrap_or(id);
        name.is_some_and(|name| id <= name && name <= last)
    };
    let mut alone = definition.name;
    while let Some(parent) = tree.parent(alone) {
        if parent == definition.owner || holds(parent, before) || holds(parent, after) {
            break;
        }
        alone = parent;
    }
    alone
}

/// Returns the parameters of a list; one that has several names, as in `a, b int`, is several.
fn parameters(tree: &SyntaxTree, list: NodeId, found: &Captured) -> Vec<NodeId> {
    let is_name = |&id: &NodeId| {
        let field = tree.node(id).field().map(|field| tree.language().field_name(field));
        tree.node(id).is_named() && field == Some("name")
    };
    let mut parameters = Vec::new();
    for id in listed(tree, list).filter(|id| !found.receivers.contains(id)) {
        let names: Vec<NodeId> = tree.children(id).filter(is_name).collect();
        match names.len() {
            0 | 1 => parameters.push(id),
            _ => parameters.extend(names),
        }
    }
    parameters
}

/// Returns the named children of a list, without comments.
fn listed(tree: &SyntaxTree, list: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(list).filter(|&id| tree.node(id).is_named() && !tree.node(id).is_extra())
}

/// A text that is a name, and the number of its symbol.
type Named<'a> = (&'a [u8], u32);

/// The names of each scope.
#[derive(Default)]
struct Scopes<'a> {
    symbol_of: HashMap<(NodeId, &'a [u8]), u32>,
    /// The names that each scope adds: texts and their bindings.
    of_scope: BTreeMap<NodeId, Vec<Named<'a>>>,
    /// The symbols of the names that are defined.
    defined: HashMap<NodeId, u32>,
}

impl<'a> Scopes<'a> {
    /// Notes a definition; returns the number of its symbol.
    fn declare(&mut self, tree: &'a SyntaxTree, definition: &Bare, above: &Above) -> u32 {
        let owner = definition.owner.0 as usize;
        let scope = match definition.reach {
            Reach::Scope => above.scope[owner],
            Reach::Function => above.function[owner],
            Reach::File => tree.root(),
        };
        let text = known_as(tree, definition);
        let next = u32::try_from(self.symbol_of.len()).unwrap_or(u32::MAX);
        let symbol = *self.symbol_of.entry((scope, text)).or_insert(next);
        if symbol == next {
            self.of_scope.entry(scope).or_default().push((text, symbol));
        }
        self.defined.insert(definition.name, symbol);
        symbol
    }

    /// Returns for each name that is written in the text the symbol it stands for, if any.
    fn places(&self, tree: &'a SyntaxTree, found: &Captured) -> Vec<(NodeId, u32)> {
        let mut names: Vec<NodeId> = super::outermost_identifiers(tree).collect();
        names.extend(self.defined.keys());
        names.extend(found.called.iter().map(|(name, _)| *name));
        names.sort_unstable();
        names.dedup();
        let mut known = VisibleNames::default();
        let mut scopes = self.of_scope.iter().peekable();
        let mut places = Vec::new();
        for name in names {
            while let Some((&scope, symbols)) = scopes.next_if(|(scope, _)| **scope <= name) {
                known.close(tree, scope);
                known.open(scope, symbols);
            }
            known.close(tree, name);
            let is_free = found.members.contains(&name) || found.keywords.contains(&name);
            let text = tree.text(name);
            let met = if is_free { known.in_file(tree, text) } else { known.innermost(text) };
            let symbol = self.defined.get(&name).copied().or(met);
            places.extend(symbol.map(|symbol| (name, symbol)));
        }
        places
    }
}

/// The names that are visible at one place of a walk through the text.
#[derive(Default)]
struct VisibleNames<'s, 'a> {
    /// The scopes around this place, outermost first, and the names that they add.
    open: Vec<(NodeId, &'s [Named<'a>])>,
    /// The symbols of each text, with their scopes, outermost first.
    symbols: HashMap<&'a [u8], Vec<(NodeId, u32)>>,
}

impl<'s, 'a> VisibleNames<'s, 'a> {
    fn open(&mut self, scope: NodeId, symbols: &'s [Named<'a>]) {
        for &(text, symbol) in symbols {
            self.symbols.entry(text).or_default().push((scope, symbol));
        }
        self.open.push((scope, symbols));
    }

    /// Leaves the scopes that end before a node.
    fn close(&mut self, tree: &SyntaxTree, node: NodeId) {
        let ended = |scope| tree.subtree(scope).next_back().is_none_or(|last| last < node);
        while let Some((_, symbols)) = self.open.pop_if(|(scope, _)| ended(*scope)) {
            for (text, _) in symbols {
                self.symbols.get_mut(text).and_then(Vec::pop);
            }
        }
    }

    fn innermost(&self, text: &[u8]) -> Option<u32> {
        self.symbols.get(text)?.last().map(|(_, symbol)| *symbol)
    }

    fn in_file(&self, tree: &SyntaxTree, text: &[u8]) -> Option<u32> {
        let (scope, symbol) = self.symbols.get(text)?.first()?;
        (*scope == tree.root()).then_some(*symbol)
    }
}

/// Returns the name of a definition at its uses: of a path its last part.
fn known_as<'a>(tree: &'a SyntaxTree, definition: &Bare) -> &'a [u8] {
    let text = tree.text(definition.name);
    let is_path = definition.kind == DefinitionKind::Import;
    let slash = text.iter().rposition(|&byte| byte == b'/').filter(|_| is_path);
    slash.map_or(text, |slash| &text[slash + 1..])
}

/// Gives each symbol its calls.
fn add_calls(
    tree: &SyntaxTree,
    found: &Captured,
    stands_for: &[(NodeId, u32)],
    symbols: &mut [Binding],
) {
    let keyword_of: HashMap<NodeId, NodeId> = found
        .keywords
        .iter()
        .filter_map(|&keyword| tree.parent(keyword).map(|argument| (argument, keyword)))
        .collect();
    for &(name, list) in &found.called {
        let Ok(place) = stands_for.binary_search_by_key(&name, |(place, _)| *place) else {
            continue;
        };
        let holds_name = |id: NodeId| {
            tree.subtree(id).next_back().is_some_and(|last| id <= name && name <= last)
        };
        let arguments: Vec<NodeId> = listed(tree, list).filter(|&id| !holds_name(id)).collect();
        let named = |id: &NodeId| keyword_of.get(id).map(|keyword| (*id, *keyword));
        let keywords = arguments.iter().filter_map(named).collect();
        let symbol = &mut symbols[stands_for[place].1 as usize];
        symbol.calls.push(Call { name, arguments, keywords });
    }
    for symbol in symbols {
        symbol.calls.sort_by_key(|call| call.name);
        symbol.calls.dedup_by_key(|call| call.name);
    }
}
