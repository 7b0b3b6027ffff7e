//! The parts of a tree that matter for couplings, in any language: lists, records, elements, and
//! the numbers and strings in them with their names.
//!
//! A container is a node that holds things together: brackets with their contents, an element with
//! its attributes, a mapping, a block. Everything else only leads to containers.

use std::collections::{BTreeMap, HashMap};

use super::decimal::{Decimal, whole};
use super::inner;
use super::name_hints::NameHints;
use super::signs::{Sign, Signs};
use crate::language::{Holds, NodeKind, NodeRole};
use crate::tree::{NodeId, SyntaxTree};

/// Fields that hold a name beside its value.
const NAME_FIELDS: &[&str] = &["key", "name", "pattern", "left", "declarator", "field"];
/// Children or descendants among which the name of a number is looked for. Names are near, and
/// nodes may have very many children. Chosen by hand.
const MAX_NAME_NODES: usize = 8;

pub(super) struct MeasuredTree<'a> {
    pub(super) tree: &'a SyntaxTree,
    pub(super) is_data: bool,
    signs: Signs,
    shapes: Vec<Shape>,
    /// The container that is strictly around a node; the root's is itself.
    home: Vec<NodeId>,
    /// The part of its container that a node is, or is in.
    entry: Vec<NodeId>,
    /// Numbers that are candidates for being a measure, or are measured.
    pub(super) numbers: Vec<Number>,
    pub(super) strings: Vec<NodeId>,
    pub(super) groups: Vec<Group>,
    /// The hints in the names of numbers; the first is for no name.
    pub(super) hints: Vec<NameHints>,
}

/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Nothing of its own.
    Plain,
    /// A token, or inside one.
    Opaque,
    /// `<name …>`.
    Tag,
    /// A tag with what belongs to it.
    Element,
    /// Items between brackets.
    List { is_round: bool, has_commas: bool },
    /// Items that follow each other without brackets.
    Sequence,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) node: NodeId,
    pub(super) value: Decimal,
    /// Its value, if it is a whole number and not negative.
    pub(super) whole: Option<u32>,
    /// The number of its name; 0 if it has none.
    pub(super) name: u32,
    /// The container that it may measure.
    pub(super) home: NodeId,
}

/// Things of one sort in one container.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) container: NodeId,
    pub(super) items: Vec<NodeId>,
}

impl<'a> MeasuredTree<'a> {
    pub(super) fn of(tree: &'a SyntaxTree) -> Self {
        let mut outline = MeasuredTree {
            tree,
            is_data: tree.language().profile().holds == Holds::Data,
            signs: Signs::of(tree.language()),
            shapes: Vec::new(),
            home: vec![tree.root(); tree.len()],
            entry: tree.ids().collect(),
            numbers: Vec::new(),
            strings: Vec::new(),
            groups: Vec::new(),
            hints: Vec::new(),
        };
        outline.shapes = shapes(tree, outline.is_data, &outline.signs);
        outline.find_homes();
        outline.find_literals();
        outline.find_groups();
        outline
    }

    pub(super) fn is_container(&self, id: NodeId) -> bool {
        let is_one = matches!(
            self.shapes[id.0 as usize],
            Shape::Element | Shape::List { .. } | Shape::Sequence
        );
        is_one || id == self.tree.root()
    }

    pub(super) fn is_element(&self, id: NodeId) -> bool {
        self.shapes[id.0 as usize] == Shape::Element
    }

    /// Whether it is a list in round brackets, as arguments are.
    pub(super) fn is_round(&self, id: NodeId) -> bool {
        matches!(self.shapes[id.0 as usize], Shape::List { is_round: true, .. })
    }

    fn sign(&self, id: NodeId) -> Sign {
        self.signs.get(self.tree.node(id).kind())
    }

    pub(super) fn home(&self, id: NodeId) -> NodeId {
        self.home[id.0 as usize]
    }

    pub(super) fn entry(&self, id: NodeId) -> NodeId {
        self.entry[id.0 as usize]
    }

    /// Returns the containers from which the inside of a container can be measured, nearest first.
    pub(super) fn seen_from(&self, container: NodeId) -> [NodeId; 2] {
        let home = self.home(container);
        let is_own = self.is_element(container) || container == self.tree.root();
        if is_own { [container, home] } else { [home, self.home(home)] }
    }

    /// Whether numbers in a container may measure something outside: not if it is one of several
    /// records in a list.
    pub(super) fn leads_out(&self, container: NodeId) -> bool {
        let entry = self.entry(container);
        let has_name = || {
            self.tree.children(entry).take(MAX_NAME_NODES).any(|id| self.sign(id) == Sign::Names)
        };
        let is_top = self.home(container) == self.tree.root();
        !self.is_data || is_top || self.is_element(container) || has_name()
    }

    /// Whether of two nodes in a container, the second maybe deeper, both are in elements of the
    /// same name.
    pub(super) fn are_sisters(&self, container: NodeId, one: NodeId, other: NodeId) -> bool {
        let mut other = other;
        while other != container && self.home(other) != container && other != self.tree.root() {
            other = self.home(other);
        }
        let are_elements = self.is_element(one) && self.is_element(other);
        are_elements && one != other && self.tag_name(one) == self.tag_name(other)
    }

    /// Whether a node is in one of these nodes, which are in order.
    pub(super) fn is_in_one_of(&self, node: NodeId, items: &[NodeId]) -> bool {
        let after = items.partition_point(|&item| item <= node);
        let last = |item: NodeId| self.tree.subtree(item).next_back().unwrap_or(item);
        after.checked_sub(1).is_some_and(|before| node <= last(items[before]))
    }

    /// Whether a node is part of an element, but not of its tag.
    fn is_content(&self, id: NodeId) -> bool {
        let is_tag = self.shapes[self.entry(id).0 as usize] == Shape::Tag;
        self.is_element(self.home(id)) && !is_tag
    }

    /// Returns the name of an element, or of the tag itself.
    fn tag_name(&self, element: NodeId) -> &'a [u8] {
        let mut below = self.tree.subtree(element).take(MAX_NAME_NODES);
        let name = below.find(|&id| self.tree.role(id) == Some(NodeRole::Identifier));
        name.map_or(b"", |name| self.tree.text(name))
    }

    fn find_homes(&mut self) {
        for id in self.tree.ids().skip(1) {
            let at = id.0 as usize;
            let Some(parent) = self.tree.parent(id) else { continue };
            let up = parent.0 as usize;
            if self.is_container(parent) {
                self.home[at] = parent;
                continue;
            }
            self.home[at] = self.home[up];
            if !self.is_data || self.sign(parent) != Sign::BetweenTags {
                self.entry[at] = self.entry[up];
            }
        }
    }

    fn find_literals(&mut self) {
        let tree = self.tree;
        let mut names: HashMap<&'a [u8], u32> = HashMap::from([(&b""[..], 0)]);
        self.hints.push(NameHints::default());
        for id in tree.ids() {
            if !self.is_outermost(id) {
                continue;
            }
            let role = tree.role(id);
            if !matches!(role, Some(NodeRole::Number | NodeRole::String)) || self.is_name(id) {
                continue;
            }
            if role == Some(NodeRole::String) {
                self.strings.push(id);
            }
            // A character of a program is no number.
            if !self.is_data && tree.text(id).starts_with(b"'") {
                continue;
            }
            let Some(value) = Decimal::read(tree.text(id)) else { continue };
            let text = self.name(id).unwrap_or_default();
            let name = *names.entry(text).or_insert_with(|| {
                self.hints.push(NameHints::of(text));
                u32::try_from(self.hints.len() - 1).unwrap_or(0)
            });
            let home = self.home(id);
            let home = if self.is_content(id) { self.home(home) } else { home };
            let whole = whole(tree.text(id));
            self.numbers.push(Number { node: id, value, whole, name, home });
        }
    }

    fn is_outermost(&self, id: NodeId) -> bool {
        let shape = |id: NodeId| self.shapes[id.0 as usize];
        let parent = self.tree.parent(id);
        shape(id) == Shape::Opaque && parent.is_none_or(|parent| shape(parent) != Shape::Opaque)
    }

    /// Whether a string is the name of a value.
    fn is_name(&self, id: NodeId) -> bool {
        let next = self.tree.parent(id).and_then(|parent| {
            let last = self.tree.subtree(id).next_back()?;
            let next = NodeId(last.0 + 1);
            self.tree.subtree(parent).next_back().filter(|&end| next <= end).map(|_| next)
        });
        next.is_some_and(|next| self.sign(next) == Sign::Names)
    }

    /// Returns the name of a value: its key, its variable, its attribute, its tag.
    fn name(&self, value: NodeId) -> Option<&'a [u8]> {
        let range = self.tree.node(value).range();
        let mut branch = value;
        // The node with the value may have several layers around it.
        while self.tree.node(branch).range() == range {
            let parent = self.tree.parent(branch)?;
            if self.is_container(parent) || self.entry(branch) == branch {
                break;
            }
            if let Some(name) = self.name_in(parent, branch) {
                return Some(name);
            }
            branch = parent;
        }
        self.is_content(value).then(|| self.tag_name(self.home(value)))
    }

    /// Returns the name that a node gives to one of its children.
    fn name_in(&self, node: NodeId, value: NodeId) -> Option<&'a [u8]> {
        let tree = self.tree;
        let mut name: Option<NodeId> = None;
        let mut has_field = false;
        let mut has_sign = false;
        for child in tree.children(node).take(MAX_NAME_NODES).take_while(|&child| child != value) {
            has_sign |= self.sign(child) == Sign::Names;
            let field = tree.node(child).field().map(|field| tree.language().field_name(field));
            let is_field = field.is_some_and(|field| NAME_FIELDS.contains(&field));
            if tree.node(child).is_named() && !has_field && (is_field || name.is_none()) {
                name = Some(child);
                has_field = is_field;
            }
        }
        let is_word =
            |&id: &NodeId| matches!(tree.role(id), Some(NodeRole::Identifier | NodeRole::String));
        let name = name.filter(|_| has_sign)?;
        let word = tree.subtree(name).take(2 * MAX_NAME_NODES).filter(is_word).last()?;
        Some(inner(tree.text(word)))
    }

    fn find_groups(&mut self) {
        for container in self.tree.ids() {
            match self.shapes[container.0 as usize] {
                Shape::List { has_commas, .. } if self.is_data || has_commas => {
                    let items = items(self.tree, container).collect();
                    self.groups.push(Group { container, items });
                }
                Shape::List { .. } => {}
                Shape::Element => self.group_elements(container),
                _ if self.is_data && self.is_container(container) => {
                    self.group_by_label(container);
                }
                _ => {}
            }
        }
    }

    /// Groups the elements in an element by their names, and takes them all together.
    fn group_elements(&mut self, container: NodeId) {
        let is_child = |id: &NodeId| self.is_element(*id);
        let mut inside: Vec<NodeId> = Vec::new();
        for child in self.tree.children(container) {
            if is_child(&child) {
                inside.push(child);
            } else {
                let between = self.tree.children(child);
                inside.extend(between.filter(|id| is_child(id) && self.home(*id) == container));
            }
        }
        let mut named: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
        for &element in &inside {
            named.entry(self.tag_name(element)).or_default().push(element);
        }
        let has_several = named.len() > 1;
        let groups = named.into_values().chain(has_several.then_some(inside));
        self.groups.extend(groups.map(|items| Group { container, items }));
    }

    /// Groups what follows each other by kind, and tables of TOML by their header.
    fn group_by_label(&mut self, container: NodeId) {
        let mut labelled: BTreeMap<(NodeKind, &[u8]), Vec<NodeId>> = BTreeMap::new();
        for item in items(self.tree, container) {
            let first = self.tree.children(item).next();
            let is_table = first.is_some_and(|first| self.tree.text(first) == b"[[");
            let header = if is_table { self.tag_name(item) } else { b"" };
            labelled.entry((self.tree.node(item).kind(), header)).or_default().push(item);
        }
        self.groups.extend(labelled.into_values().map(|items| Group { container, items }));
    }
}

fn items(tree: &SyntaxTree, list: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let is_item = |&id: &NodeId| {
        let node = tree.node(id);
        node.is_named() && !node.is_extra() && !node.is_error()
    };
    tree.children(list).filter(is_item)
}

fn shapes(tree: &SyntaxTree, is_data: bool, signs: &Signs) -> Vec<Shape> {
    let mut shapes = vec![Shape::Plain; tree.len()];
    for id in tree.ids() {
        let is_inside = |id: NodeId| shapes[id.0 as usize] == Shape::Opaque;
        if tree.role(id).is_some() || tree.parent(id).is_some_and(is_inside) {
            shapes[id.0 as usize] = Shape::Opaque;
        }
    }
    // Children before their parents: the shape of a tag decides that of its element.
    for id in tree.ids().rev() {
        if shapes[id.0 as usize] == Shape::Plain && !tree.is_leaf(id) {
            shapes[id.0 as usize] = shape(tree, id, is_data, signs, &shapes);
        }
    }
    shapes
}

fn shape(tree: &SyntaxTree, id: NodeId, is_data: bool, signs: &Signs, shapes: &[Shape]) -> Shape {
    let sign = |id: NodeId| signs.get(tree.node(id).kind());
    let Some(first) = tree.children(id).next() else { return Shape::Plain };
    let (mut last, mut named) = (first, 0_usize);
    let (mut has_commas, mut has_signs, mut is_uniform) = (false, false, true);
    let mut kind = None;
    for child in tree.children(id) {
        last = child;
        let node = tree.node(child);
        if node.is_named() && !node.is_extra() {
            named += 1;
            is_uniform &= *kind.get_or_insert(node.kind()) == node.kind();
        }
        has_commas |= sign(child) == Sign::Comma;
        has_signs |= sign(child) == Sign::Names;
    }
    let opening = tree.text(first);
    // As in `[u8; 3]` or `[i]`, which is no list.
    let is_index = !is_data && opening == b"[" && !has_commas;
    let is_bracketed = matches!(sign(first), Sign::Bracket(_)) && sign(first) == sign(last);
    let mut next = tree.children(id).skip(1);
    let mut has_name = || next.next().is_some_and(|id| tree.role(id) == Some(NodeRole::Identifier));
    let is_sequence = if is_data {
        named > 1 && is_uniform && !has_signs && sign(id) != Sign::BetweenTags
    } else {
        sign(id) == Sign::Block
    };
    if is_data && sign(first) == Sign::TagOpening && has_name() {
        Shape::Tag
    } else if shapes[first.0 as usize] == Shape::Tag {
        Shape::Element
    } else if is_bracketed && first != last && !is_index {
        Shape::List { is_round: opening == b"(", has_commas }
    } else if is_sequence {
        Shape::Sequence
    } else {
        Shape::Plain
    }
}
