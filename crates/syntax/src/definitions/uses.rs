//! The names that a definition uses, the receivers of its calls, and its local names.

use crate::language::NodeRole;
use crate::tree::{NodeId, SyntaxTree};

use super::meaning::Meanings;
use super::member::{Receiver, Region, Use, UseSort};
use super::tables::Local;
use crate::lines::LineStarts;
use crate::words::WordHash;

/// Receivers followed into one another, as in `a.b().c()`; a deeper one is unknown. Chosen by hand.
const MAX_DEPTH: usize = 12;

/// Finds the uses of all definitions of a text.
pub(super) struct Users<'a> {
    pub(super) meanings: &'a Meanings,
    pub(super) tree: &'a SyntaxTree,
    pub(super) lines: &'a LineStarts,
    /// The region of each node.
    pub(super) regions: &'a [Region],
    /// Names that need no further look.
    pub(super) seen: Vec<bool>,
}

/// The uses and local names of one definition.
#[derive(Default)]
pub(super) struct MemberUses {
    pub(super) uses: Vec<Use>,
    pub(super) locals: Vec<(WordHash, Option<WordHash>)>,
}

impl Users<'_> {
    /// Finds uses and local names, for each definition.
    pub(super) fn find(mut self, members: usize) -> Vec<MemberUses> {
        let mut found: Vec<MemberUses> = (0..members).map(|_| MemberUses::default()).collect();
        for id in self.tree.ids() {
            let region = self.regions[id.0 as usize];
            let found = &mut found[region.member() as usize];
            let meaning = self.meanings.of(self.tree, id);
            if let Some(local) = meaning.local {
                self.local(id, local, found);
            }
            let known = if meaning.call.is_some() {
                self.call(id)
            } else if meaning.access.is_some() && !self.seen[id.0 as usize] {
                self.access(id)
            } else {
                self.name(id)
            };
            if let Some((place, sort, name, arity, receiver)) = known {
                let line = self.lines.line_at(self.tree.node(place).range().start);
                found.uses.push(Use { name, sort, arity, receiver, line, part: region.part() });
            }
        }
        for found in &mut found {
            join_locals(&mut found.locals);
        }
        found
    }

    fn call(&mut self, id: NodeId) -> Option<(NodeId, UseSort, WordHash, Option<u8>, Receiver)> {
        let call = self.meanings.of(self.tree, id).call?;
        let callee = self.meanings.child(self.tree, id, call.callee)?;
        let (place, receiver) = self.callee(id, callee)?;
        self.seen[callee.0 as usize] = true;
        self.seen[place.0 as usize] = true;
        let sort = if call.creates { UseSort::Creation } else { UseSort::Call };
        Some((place, sort, WordHash::of(self.tree.text(place)), self.arity(id), receiver))
    }

    fn access(&mut self, id: NodeId) -> Option<(NodeId, UseSort, WordHash, Option<u8>, Receiver)> {
        let access = self.meanings.of(self.tree, id).access?;
        let name = self.meanings.child(self.tree, id, access.name)?;
        if !self.tree.is_leaf(name) || self.tree.role(name).is_none() {
            // The accessed name is an access itself, or has arguments for types.
            return None;
        }
        self.seen[name.0 as usize] = true;
        let object = self.meanings.child(self.tree, id, access.object);
        let receiver = object.map_or(Receiver::Unknown, |object| self.receiver(object, 0));
        Some((name, UseSort::Access, WordHash::of(self.tree.text(name)), None, receiver))
    }

    fn name(&mut self, id: NodeId) -> Option<(NodeId, UseSort, WordHash, Option<u8>, Receiver)> {
        let is_name = self.tree.is_leaf(id)
            && !self.seen[id.0 as usize]
            && (self.tree.role(id) == Some(NodeRole::Identifier) || self.is_other_name(id));
        let word = WordHash::of(self.tree.text(id));
        is_name.then(|| match self.reference(id) {
            Some((sort, receiver)) => (id, sort, word, None, receiver),
            None => (id, UseSort::Name, word, None, Receiver::Implicit),
        })
    }

    /// Returns the use of a name in `Type::method`, `Type::new` and `Type.class`: code that gets
    /// such a value may call the method, or make an object of the type.
    fn reference(&self, id: NodeId) -> Option<(UseSort, Receiver)> {
        let parent = self.tree.parent(id)?;
        let named = |&child: &NodeId| self.tree.node(child).is_named();
        match self.meanings.kind_name(self.tree, parent) {
            "class_literal" => Some((UseSort::Creation, Receiver::Implicit)),
            "method_reference" => {
                let object = self.tree.children(parent).find(named)?;
                if object != id {
                    return Some((UseSort::Access, self.receiver(object, 0)));
                }
                let makes = self.tree.children(parent).any(|it| self.tree.text(it) == b"new");
                makes.then_some((UseSort::Creation, Receiver::Implicit))
            }
            _ => None,
        }
    }

    /// Whether a leaf is a name that the language file does not list.
    fn is_other_name(&self, id: NodeId) -> bool {
        self.tree.node(id).is_named()
            && self.meanings.kind_name(self.tree, id).ends_with("identifier")
    }

    /// Returns the name of a called function, and the receiver of the call.
    fn callee(&self, call: NodeId, callee: NodeId) -> Option<(NodeId, Receiver)> {
        let row = self.meanings.of(self.tree, call).call?;
        if let Some(object) = self.meanings.child(self.tree, call, row.object) {
            return Some((callee, self.receiver(object, 0)));
        }
        let mut callee = callee;
        for _ in 0..MAX_DEPTH {
            if self.tree.is_leaf(callee) {
                return Some((callee, Receiver::Implicit));
            }
            let Some(access) = self.meanings.of(self.tree, callee).access else { break };
            let name = self.meanings.child(self.tree, callee, access.name)?;
            if self.tree.is_leaf(name) {
                let object = self.meanings.child(self.tree, callee, access.object);
                let receiver = object.map_or(Receiver::Implicit, |object| self.receiver(object, 0));
                return Some((name, receiver));
            }
            callee = name;
        }
        // A type with arguments, or the like: its first name.
        let name = self.tree.subtree(callee).find(|&id| self.is_identifier(id))?;
        row.creates.then_some((name, Receiver::Implicit))
    }

    fn is_identifier(&self, id: NodeId) -> bool {
        self.tree.is_leaf(id) && self.tree.role(id) == Some(NodeRole::Identifier)
    }

    fn arity(&self, call: NodeId) -> Option<u8> {
        let row = self.meanings.of(self.tree, call).call?;
        if !self.meanings.table.counts_arguments {
            return None;
        }
        let arguments = self.meanings.child(self.tree, call, row.arguments)?;
        let is_argument = |&id: &NodeId| self.tree.node(id).is_named() && !self.is_comment(id);
        u8::try_from(self.tree.children(arguments).filter(is_argument).count()).ok()
    }

    fn is_comment(&self, id: NodeId) -> bool {
        self.tree.role(id) == Some(NodeRole::Comment)
    }

    /// Returns the receiver that an expression is, by its form.
    fn receiver(&self, id: NodeId, depth: usize) -> Receiver {
        if depth > MAX_DEPTH {
            return Receiver::Unknown;
        }
        if self.tree.is_leaf(id) {
            return match self.tree.text(id) {
                b"this" | b"self" | b"super" | b"Self" | b"cls" => Receiver::Own,
                text if self.tree.role(id) == Some(NodeRole::Identifier) => {
                    Receiver::Name(WordHash::of(text))
                }
                _ if self.tree.role(id) == Some(NodeRole::String) => {
                    Receiver::Type(WordHash::of(b"String"))
                }
                _ => Receiver::Unknown,
            };
        }
        let meaning = self.meanings.of(self.tree, id);
        if let Some(call) = meaning.call {
            let callee = self.meanings.child(self.tree, id, call.callee);
            let Some((name, receiver)) = callee.and_then(|callee| self.callee(id, callee)) else {
                return Receiver::Unknown;
            };
            let name = WordHash::of(self.tree.text(name));
            return if call.creates {
                Receiver::Type(name)
            } else {
                Receiver::Result(Box::new(receiver), name, self.arity(id))
            };
        }
        if let Some(access) = meaning.access {
            let part = |field| self.meanings.child(self.tree, id, field);
            return match (part(access.object), part(access.name)) {
                (Some(object), Some(name)) if self.tree.is_leaf(name) => Receiver::Field(
                    Box::new(self.receiver(object, depth + 1)),
                    WordHash::of(self.tree.text(name)),
                ),
                _ => Receiver::Unknown,
            };
        }
        match self.meanings.kind_name(self.tree, id) {
            "parenthesized_expression" => {
                let inner = self.tree.children(id).find(|&child| self.tree.node(child).is_named());
                inner.map_or(Receiver::Unknown, |inner| self.receiver(inner, depth + 1))
            }
            "cast_expression" => {
                let of = self.meanings.child(self.tree, id, "type");
                let of = of.and_then(|of| type_name(self.meanings, self.tree, of));
                of.map_or(Receiver::Unknown, Receiver::Type)
            }
            "string_literal" => Receiver::Type(WordHash::of(b"String")),
            _ => Receiver::Unknown,
        }
    }

    fn local(&self, id: NodeId, local: &Local, found: &mut MemberUses) {
        let of = self.meanings.child(self.tree, id, local.of);
        // A parameter for any number of values has a type without a field of its own.
        let of = of.and_then(|of| type_name(self.meanings, self.tree, of));
        let mut names = Vec::new();
        if local.name.is_empty() || self.meanings.kind_name(self.tree, id) == "spread_parameter" {
            let children = self.tree.children(id);
            children.for_each(|child| self.shallow_names(child, &mut names));
        }
        for field in &local.name {
            for child in self.meanings.children(self.tree, id, field) {
                self.names_in(child, 0, &mut names);
            }
        }
        found.locals.extend(names.into_iter().map(|name| (WordHash::of(self.tree.text(name)), of)));
    }

    fn shallow_names(&self, id: NodeId, names: &mut Vec<NodeId>) {
        if self.is_identifier(id) {
            names.push(id);
        } else if let Some(name) = self.meanings.child(self.tree, id, "name") {
            self.names_in(name, 0, names);
        }
    }

    /// Finds the names that a pattern or declarator gives.
    fn names_in(&self, id: NodeId, depth: usize, names: &mut Vec<NodeId>) {
        if self.is_identifier(id) {
            names.push(id);
            return;
        }
        let is_other = self.meanings.of(self.tree, id).access.is_some()
            || self.meanings.kind_name(self.tree, id).contains("subscript");
        if depth > MAX_DEPTH || is_other {
            return;
        }
        let inner = ["declarator", "name", "pattern"]
            .iter()
            .find_map(|field| self.meanings.child(self.tree, id, field));
        match inner {
            Some(inner) => self.names_in(inner, depth + 1, names),
            None => {
                let named = |&child: &NodeId| self.tree.node(child).is_named();
                let children = self.tree.children(id).filter(named);
                children.for_each(|child| self.names_in(child, depth + 1, names));
            }
        }
    }
}

/// Returns the name of a type without its arguments; of a path the last part.
pub(super) fn type_name(meanings: &Meanings, tree: &SyntaxTree, id: NodeId) -> Option<WordHash> {
    let mut found = None;
    let mut next = Some(id);
    while let Some(id) = next {
        if tree.is_leaf(id) {
            let is_name = tree.role(id) == Some(NodeRole::Identifier)
                || meanings.kind_name(tree, id).ends_with("identifier");
            found = is_name.then(|| WordHash::of(tree.text(id)));
            break;
        }
        let kind = meanings.kind_name(tree, id);
        let named = |&child: &NodeId| {
            tree.node(child).is_named() && !meanings.kind_name(tree, child).contains("arguments")
        };
        next = if kind.starts_with("scoped") || kind.starts_with("qualified") {
            tree.children(id).filter(named).last()
        } else {
            tree.children(id).find(named)
        };
    }
    found.filter(|&name| name != WordHash::of(b"var") && name != WordHash::of(b"auto"))
}

/// Sorts local names; of those that have several types the type is not known.
fn join_locals(locals: &mut Vec<(WordHash, Option<WordHash>)>) {
    locals.sort_unstable();
    locals.dedup();
    locals.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = None;
        }
        same
    });
}
