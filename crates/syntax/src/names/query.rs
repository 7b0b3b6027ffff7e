//! Runs a language's query and sorts the captures.

use std::collections::{BTreeMap, HashMap, HashSet};

use tree_sitter::{QueryCursor, QueryMatch, StreamingIterator};

use crate::bounded::{Errors, Whole};
use crate::language::{Capture, DefinitionKind, Language, NameQuery, Reach};
use crate::parse::read;
use crate::tree::{NodeId, SyntaxTree};

/// The captures of a query in a text.
#[derive(Default)]
pub(super) struct Captured {
    /// Nodes that define something, and the reach of the name.
    pub(super) owners: HashMap<NodeId, (DefinitionKind, Reach)>,
    /// The names that are defined, in order of the text.
    pub(super) defined: BTreeMap<NodeId, Defined>,
    /// The names that are called, with the nodes that hold the arguments.
    pub(super) called: Vec<(NodeId, NodeId)>,
    /// Nodes that limit names; true for a function.
    pub(super) scopes: HashMap<NodeId, bool>,
    pub(super) receivers: HashSet<NodeId>,
    pub(super) wrappers: HashSet<NodeId>,
    pub(super) members: HashSet<NodeId>,
    pub(super) keywords: HashSet<NodeId>,
}

/// A name that is defined.
pub(super) struct Defined {
    /// The node that defines it, if the pattern captures one.
    pub(super) owner: Option<NodeId>,
    pub(super) parameters: Option<NodeId>,
    pattern: usize,
}

/// Runs the query of a tree's language; finds nothing if there is none.
pub(super) fn find(tree: &SyntaxTree) -> Captured {
    let mut found = Captured::default();
    let language: &Language = tree.language();
    let Some(query) = language.name_query() else { return found };
    let text: &[u8] = tree.source();
    let Some(parsed) = read(language, &Whole(text), None, Errors::Tolerated) else { return found };
    let places = NodeIndex::of(tree);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query.query, parsed.root_node(), text);
    while let Some(matched) = matches.next() {
        found.add(query, matched, &places);
    }
    found
}

impl Captured {
    fn add(&mut self, query: &NameQuery, matched: &QueryMatch<'_, '_>, places: &NodeIndex) {
        let (mut name, mut owner, mut parameters) = (None, None, None);
        let (mut call, mut arguments) = (None, None);
        for captured in matched.captures() {
            let Some(id) = places.find(captured.node) else { continue };
            match query.captures[captured.index as usize] {
                Capture::Definition(kind, reach) => {
                    self.owners.entry(id).or_insert((kind, reach));
                    owner = Some(id);
                }
                Capture::Name => name = Some(id),
                Capture::Parameters => parameters = Some(id),
                Capture::Arguments => arguments = Some(id),
                Capture::Call => call = Some(id),
                Capture::Receiver => _ = self.receivers.insert(id),
                Capture::Scope => _ = self.scopes.entry(id).or_insert(false),
                Capture::FunctionScope => _ = self.scopes.insert(id, true),
                Capture::Wrapper => _ = self.wrappers.insert(id),
                Capture::Member => _ = self.members.insert(id),
                Capture::Keyword => _ = self.keywords.insert(id),
                Capture::Other => {}
            }
        }
        let Some(name) = name else { return };
        match (call, arguments) {
            (Some(_), Some(arguments)) => self.called.push((name, arguments)),
            (Some(_), None) => {}
            (None, _) => {
                self.define(name, Defined { owner, parameters, pattern: matched.pattern_index });
            }
        }
    }

    /// Keeps of several patterns for one name one that knows parameters, and else the first.
    fn define(&mut self, name: NodeId, new: Defined) {
        let rank = |defined: &Defined| (defined.parameters.is_none(), defined.pattern);
        match self.defined.get_mut(&name) {
            Some(old) if rank(old) <= rank(&new) => {}
            Some(old) => *old = new,
            None => _ = self.defined.insert(name, new),
        }
    }
}

/// Where the nodes of the parser's tree are in ours.
struct NodeIndex(HashMap<(u32, u32, u16), NodeId>);

impl NodeIndex {
    fn of(tree: &SyntaxTree) -> Self {
        let mut places = HashMap::with_capacity(tree.len());
        for id in tree.ids().filter(|&id| tree.node(id).is_named()) {
            let node = tree.node(id);
            let key = (node.range().start, node.range().end, node.kind().0);
            // Of two nodes that are alike the outer one.
            places.entry((key.0 as u32, key.1 as u32, key.2)).or_insert(id);
        }
        NodeIndex(places)
    }

    fn find(&self, node: tree_sitter::Node<'_>) -> Option<NodeId> {
        let key = (node.start_byte() as u32, node.end_byte() as u32, node.kind_id());
        self.0.get(&key).copied()
    }
}
