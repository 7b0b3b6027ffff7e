//! Turns texts into one tree.
//!
//! Trees come from three sources: the parser of a language (here), a grammar of the user's own
//! ([`derived`](super::derived)), a description ([`events`](super::events)). All of them open and
//! close nodes of one [`Grower`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Facts, Kind, Tree, TreeBuilder};
use whodunit_grammar::RuleId;
use whodunit_grammar::shape::{Child, KindId, Shapes};
use whodunit_syntax::abridge::parse_abridged;
use whodunit_syntax::parse_check::ParseCheck;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use super::check::Check;
use super::child_kinds::ChildKinds;
use super::follow::{Followers, Measured};
use super::roles::{self, ChildGroup, ChildOptions, Roles, Shortest};
use super::{NO_MINIMAL, NodePlace, ParsedFile, Purpose, Structure};
use crate::languages::{Languages, Syntax};
use crate::protect::Protection;
use crate::snapshot::Snapshot;
use crate::tokens;

/// Splits each file whose structure `languages` knows into nodes. Files with more bytes than the
/// `budget` are split into larger parts only, if possible.
pub(super) fn grow(
    base: &Arc<Snapshot>,
    languages: &Languages,
    protection: &Protection,
    purpose: Purpose,
    budget: usize,
) -> Option<Structure> {
    // Addresses are kept in 32 bits.
    let end = u32::try_from(base.len()).ok()?;
    let mut grower = Grower {
        builder: Tree::builder(),
        places: vec![NodePlace { end, ..NodePlace::empty(0) }],
        minimals: Vec::new(),
        minimal_numbers: HashMap::new(),
        kinds: HashMap::new(),
        next_place: 0,
        bodies: Vec::new(),
    };
    let several = base.files().len() > 1;
    let (mut files, mut is_opaque, mut is_abridged) = (Vec::new(), true, false);
    for (index, file) in base.files().iter().enumerate() {
        let shields = protection.shields(&file.bytes);
        let start = base.addresses(index).start as u32;
        let is_free = several && shields.is_empty();
        let node = grower.builder.next();
        let (mut language, mut check, mut minimal, mut is_described) = (None, None, None, false);
        let mut followers = None;
        match languages.syntax_of(file) {
            Some(Syntax::Language(known)) => {
                let tree = match parse_abridged(&known, &file.bytes, budget) {
                    Some(tree) => {
                        (is_opaque, is_abridged) = (false, true);
                        tree
                    }
                    None => {
                        let (tree, gate) = ParseCheck::with_tree(&known, file.bytes.clone());
                        check = gate.map(Check::Parser);
                        is_opaque &= check.is_none();
                        tree
                    }
                };
                known.prepare();
                if purpose == Purpose::Coupled {
                    followers = Followers::find(&tree, u64::from(start));
                }
                let measured = match purpose {
                    Purpose::All => None,
                    Purpose::Coupled => {
                        Some(followers.as_ref().map(Followers::measured).unwrap_or_default())
                    }
                };
                let shapes = known.shapes();
                let sapling = Sapling::new(&tree, shapes.as_deref(), start, measured);
                grower.file(sapling, is_free && purpose == Purpose::All);
                (language, minimal) = (Some(known.clone()), known.minimal());
            }
            Some(Syntax::Grammar(grammar)) => match grammar.cfg().parse(&file.bytes) {
                Ok(tree) => {
                    is_opaque = false;
                    grower.derived_file(&grammar, &tree, start, is_free);
                    minimal = Some(grammar.minimal().clone());
                    check = Check::grammar(grammar, &tree);
                }
                // Other passes may have made a text that the grammar refuses.
                Err(_) => grower.opaque_file(&file.bytes, start, is_free),
            },
            Some(Syntax::Hierarchy(events)) => {
                (is_opaque, is_described) = (false, true);
                grower.described_file(&events, start, is_free);
            }
            None => grower.opaque_file(&file.bytes, start, is_free),
        }
        let unparsed = ParsedFile::unparsed(node, shields);
        files.push(ParsedFile { language, check, is_described, minimal, followers, ..unparsed });
    }
    if is_opaque {
        return None;
    }
    let Grower { builder, places, minimals, .. } = grower;
    let tree = builder.build();
    let (fragments, families) = fragments(&tree, &places);
    let base = base.clone();
    Some(Structure { base, tree, places, fragments, families, minimals, files, is_abridged })
}

pub(super) struct Grower {
    pub(super) builder: TreeBuilder,
    places: Vec<NodePlace>,
    minimals: Vec<String>,
    minimal_numbers: HashMap<String, u16>,
    /// The number of each kind.
    kinds: HashMap<KindName, u32>,
    /// Sets of kinds of the next language are numbered from here.
    pub(super) next_place: u32,
    /// Where the nodes that are open begin.
    bodies: Vec<u32>,
}

/// The identity of a kind of node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum KindName {
    /// The language, and the node.
    Node(String, KindId),
    /// A rule of the only grammar of the user's own.
    Rule(RuleId),
}

/// Work to do, the next task last.
enum Task {
    /// A syntax node becomes a node.
    Node { id: NodeId, own: Own },
    /// Several become one that may go.
    Group { children: Vec<(NodeId, ChildOptions)>, own: Own },
    /// The node opened last is complete.
    Close,
}

/// Facts about a node that its text does not show.
#[derive(Clone)]
pub(super) struct Own {
    pub(super) is_free: bool,
    pub(super) in_row: bool,
    pub(super) minimal: Option<Shortest>,
    pub(super) place: u32,
    /// Where the separator before it begins and ends.
    pub(super) separator: Option<Range<u32>>,
}

impl Own {
    pub(super) fn plain() -> Self {
        Own { is_free: false, in_row: false, minimal: None, place: 0, separator: None }
    }
}

impl NodePlace {
    pub(super) fn empty(at: u32) -> Self {
        NodePlace { start: at, lead: at, body: at, end: at, minimal: NO_MINIMAL, in_row: false }
    }
}

/// One file while it is being taken over.
struct Sapling<'a> {
    tree: &'a SyntaxTree,
    shapes: Option<&'a Shapes>,
    /// The address of the first byte.
    start: u32,
    roles: Roles,
    /// How many tokens there are before each node.
    tokens: Vec<u32>,
    /// Where the last leaf before each node ends.
    leads: Vec<u32>,
    /// The symbol of each kind of node.
    kinds: ChildKinds<'a>,
    /// If only measured parts may be removed: those.
    measured: Option<Measured>,
}

impl Grower {
    fn opaque_file(&mut self, bytes: &[u8], start: u32, is_free: bool) {
        let weight = tokens::count(bytes) as u32;
        self.builder.leaf(if is_free { Facts::free(weight) } else { Facts::fixed(weight) });
        self.places.push(NodePlace { end: start + bytes.len() as u32, ..NodePlace::empty(start) });
    }

    fn file(&mut self, mut sapling: Sapling<'_>, is_free: bool) {
        let tree = sapling.tree;
        let mut tasks = vec![Task::Node { id: tree.root(), own: Own { is_free, ..Own::plain() } }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => self.close(),
                Task::Node { id, own } => self.node(&mut sapling, id, own, &mut tasks),
                Task::Group { children, own } => {
                    self.group(&mut sapling, children, &own, &mut tasks);
                }
            }
        }
        let mut stands = Vec::new();
        sapling.roles.places(|place, kind| stands.push((place, kind)));
        stands.sort_unstable();
        let mut last = self.next_place;
        for (place, symbol) in stands {
            let kind = self.kind(sapling.kind_name(symbol));
            self.builder.stands_for(self.place_kind(place), kind);
            last = last.max(self.next_place + place);
        }
        self.next_place = last;
    }

    fn node(&mut self, sapling: &mut Sapling<'_>, id: NodeId, mut own: Own, tasks: &mut Vec<Task>) {
        let tree = sapling.tree;
        if !sapling.may_go(tree.node(id).range()) {
            (own.is_free, own.minimal, own.place) = (false, None, 0);
        }
        let (children, groups, roles) = sapling.children(id);
        let covered: u32 = groups
            .iter()
            .flat_map(|group| group.children.clone())
            .map(|place| sapling.weight(children[place]))
            .sum();
        let total = sapling.weight(id);
        let kind = sapling.kinds.kind(id).filter(|_| tree.node(id).is_named());
        let kind = kind.map_or(0, |symbol| self.kind(sapling.kind_name(symbol)).0);
        let mut facts = facts(&own, total - covered, total);
        facts = facts.kind(Kind(kind)).place(self.place_kind(own.place));
        if let Some(item) = groups.iter().find(|group| group.is_free) {
            let item = item.children.start + item.separators;
            facts = facts.list(self.place_kind(roles[item].place));
        }
        let text = sapling.range(tree.node(id).range());
        self.open(sapling.lead(id), text, facts, &own);
        tasks.push(Task::Close);
        for group in groups.into_iter().rev() {
            tasks.push(sapling.task(&children, &roles, &group));
        }
    }

    fn group(
        &mut self,
        sapling: &mut Sapling<'_>,
        children: Vec<(NodeId, ChildOptions)>,
        own: &Own,
        tasks: &mut Vec<Task>,
    ) {
        let tree = sapling.tree;
        let (first, last) = (children[0].0, children[children.len() - 1].0);
        let signs = children.iter().filter(|(id, _)| !tree.node(*id).is_named());
        let weight = signs.map(|(id, _)| sapling.weight(*id)).sum();
        let start = sapling.range(tree.node(first).range()).start;
        let end = sapling.range(tree.node(last).range()).end;
        let may_go = sapling.may_go(tree.node(first).range().start..tree.node(last).range().end);
        let facts = if may_go { Facts::free(weight) } else { Facts::fixed(weight) };
        self.open(sapling.lead(first), start..end, facts, own);
        tasks.push(Task::Close);
        for (id, role) in children.into_iter().rev() {
            if tree.node(id).is_named() {
                let own = Own { minimal: role.minimal, place: role.place, ..Own::plain() };
                tasks.push(Task::Node { id, own });
            }
        }
    }

    /// Opens the node of a file that is taken over as a whole before it is looked into.
    pub(super) fn open_file(&mut self, text: Range<u32>, is_free: bool) {
        let facts = if is_free { Facts::free(0) } else { Facts::fixed(0) };
        self.open(text.start, text, facts, &Own::plain());
    }

    /// Opens a node; the leaf before it ends at `lead`.
    pub(super) fn open(&mut self, lead: u32, text: Range<u32>, facts: Facts, own: &Own) {
        // The white space before several nodes that begin together belongs to the outermost.
        let above = self.bodies.last().copied().unwrap_or(0);
        let lead = lead.min(text.start).max(above);
        let separator = own.separator.clone().unwrap_or(lead..lead);
        let minimal = own.minimal.as_ref().filter(|_| facts.removal.minimal().is_some());
        self.builder.open(facts);
        let minimal = minimal.map_or(NO_MINIMAL, |minimal| self.minimal(&minimal.text));
        self.bodies.push(text.start.max(separator.end));
        self.places.push(NodePlace {
            start: separator.start,
            lead: lead.max(separator.end),
            body: text.start.max(separator.end),
            end: text.end.max(separator.end),
            minimal,
            in_row: own.in_row,
        });
    }

    /// Closes the node opened last.
    pub(super) fn close(&mut self) {
        self.builder.close();
        self.bodies.pop();
    }

    fn minimal(&mut self, text: &str) -> u16 {
        if let Some(&number) = self.minimal_numbers.get(text) {
            return number;
        }
        // No grammar has nearly as many.
        let number = u16::try_from(self.minimals.len()).unwrap_or(NO_MINIMAL - 1);
        self.minimals.push(text.to_owned());
        self.minimal_numbers.insert(text.to_owned(), number);
        number
    }

    /// Returns the number of a kind of node; 0 is that of no kind.
    pub(super) fn kind(&mut self, name: KindName) -> Kind {
        let next = self.kinds.len() as u32 + 1;
        Kind(*self.kinds.entry(name).or_insert(next))
    }

    pub(super) fn place_kind(&self, place: u32) -> Kind {
        Kind(if place == 0 { 0 } else { self.next_place + place })
    }
}

/// Returns what may be done to a node with this weight of its own and in all.
pub(super) fn facts(own: &Own, weight: u32, total: u32) -> Facts {
    let minimal = own.minimal.as_ref().map(|minimal| minimal.tokens);
    match minimal.filter(|&minimal| minimal < total) {
        Some(minimal) if own.is_free && minimal > 0 => Facts::either(weight, minimal),
        Some(minimal) if !own.is_free => Facts::minimal(weight, minimal),
        _ if own.is_free => Facts::free(weight),
        _ => Facts::fixed(weight),
    }
}

impl<'a> Sapling<'a> {
    fn new(
        tree: &'a SyntaxTree,
        shapes: Option<&'a Shapes>,
        start: u32,
        measured: Option<Measured>,
    ) -> Self {
        let (mut counted, mut end) = (0, 0);
        let (mut tokens, mut leads) = (Vec::new(), Vec::new());
        for id in tree.ids() {
            tokens.push(counted);
            leads.push(start + end);
            if tree.is_leaf(id) {
                counted += tokens::count(tree.text(id)) as u32;
                end = tree.node(id).range().end as u32;
            }
        }
        tokens.push(counted);
        let kinds = ChildKinds::new(tree, shapes);
        Sapling { tree, shapes, start, roles: Roles::default(), tokens, leads, kinds, measured }
    }

    /// Returns the children of a node, their groups and the options of each.
    fn children(&mut self, id: NodeId) -> (Vec<NodeId>, Vec<ChildGroup>, Vec<ChildOptions>) {
        let tree = self.tree;
        let children: Vec<NodeId> = tree.children(id).collect();
        if children.is_empty() {
            return (children, vec![], vec![]);
        }
        let unknown = ChildOptions::unknown();
        let kinds: Vec<Child> = children.iter().map(|&child| self.kinds.child(child)).collect();
        let roles = match (self.shapes, self.kinds.kind(id)) {
            (Some(shapes), Some(symbol)) if !tree.node(id).is_error() => {
                self.roles.of(shapes, symbol, &kinds)
            }
            _ => vec![unknown; children.len()],
        };
        let groups = roles::groups(&roles, |place| tree.node(children[place]).is_named());
        (children, groups, roles)
    }

    fn task(&self, children: &[NodeId], roles: &[ChildOptions], group: &ChildGroup) -> Task {
        let all = &children[group.children.clone()];
        let (separators, rest) = all.split_at(group.separators);
        let first = group.children.start + group.separators;
        let separator = separators
            .first()
            .zip(separators.last())
            .map(|(&first, &last)| self.lead(first)..self.range(self.tree.node(last).range()).end);
        let mut own =
            Own { is_free: group.is_free, in_row: group.in_row, separator, ..Own::plain() };
        let role = |place: usize| roles[first + place].clone();
        match rest {
            &[id] => {
                let ChildOptions { minimal, place, .. } = role(0);
                (own.minimal, own.place) = (minimal, place);
                if !self.tree.node(id).is_named() {
                    own.minimal = None;
                }
                Task::Node { id, own }
            }
            rest => {
                let children = rest.iter().enumerate().map(|(place, &id)| (id, role(place)));
                Task::Group { children: children.collect(), own }
            }
        }
    }

    /// Returns whether this part of the text may be removed at all.
    fn may_go(&self, range: Range<usize>) -> bool {
        self.measured.as_ref().is_none_or(|measured| measured.holds(&range))
    }

    fn kind_name(&self, symbol: KindId) -> KindName {
        KindName::Node(self.tree.language().name().to_owned(), symbol)
    }

    fn weight(&self, id: NodeId) -> u32 {
        let after = self.tree.subtree(id).next_back().map_or(id.0, |last| last.0) + 1;
        self.tokens[after as usize] - self.tokens[id.0 as usize]
    }

    /// Returns where the last leaf before a node ends.
    fn lead(&self, id: NodeId) -> u32 {
        if id == self.tree.root() { self.start } else { self.leads[id.0 as usize] }
    }

    fn range(&self, range: Range<usize>) -> Range<u32> {
        self.start + range.start as u32..self.start + range.end as u32
    }
}

/// Finds the parts of the text that are each node's own.
pub(super) fn fragments(tree: &Tree, places: &[NodePlace]) -> (Vec<Range<u32>>, Vec<u32>) {
    let (mut fragments, mut families) = (Vec::new(), vec![0]);
    for node in tree.subtree(tree.root()).map(whodunit_core::Delta) {
        let place = &places[node.0 as usize];
        let mut at = place.body;
        for &child in tree.children(node) {
            let child = &places[child.0 as usize];
            if child.start > at {
                fragments.push(at..child.start);
            }
            at = at.max(child.end);
        }
        if place.end > at {
            fragments.push(at..place.end);
        }
        families.push(fragments.len() as u32);
    }
    (fragments, families)
}
