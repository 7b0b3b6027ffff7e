//! The signature of a definition: its kind, its name, its parameters.

use crate::language::NodeRole;
use crate::tree::{NodeId, SyntaxTree};

use super::meaning::Meanings;
use super::member::{Marks, MemberKind};
use super::tables::{Inside, Row, TABLES};
use super::uses::type_name;
use crate::words::WordHash;

/// The signature of a definition.
pub(super) struct DefinitionSignature {
    pub(super) kind: MemberKind,
    /// Its name alone.
    pub(super) name: String,
    /// Where that is written.
    pub(super) place: Option<NodeId>,
    /// Its name with the types of its parameters, in languages with overloading.
    pub(super) shown: String,
    pub(super) arity: Option<u8>,
    pub(super) of_type: Option<WordHash>,
    pub(super) has_result: bool,
    pub(super) supers: Vec<WordHash>,
    pub(super) marks: Marks,
    /// Its body.
    pub(super) body: Option<NodeId>,
    pub(super) is_value: bool,
    /// Whether it is a function, though the table lists it as a variable.
    pub(super) is_function: bool,
}

impl DefinitionSignature {
    /// Reads a definition; `node` is the whole of it, `one` its own part if it shares
    /// `node`.
    pub(super) fn of(
        meanings: &Meanings,
        tree: &SyntaxTree,
        node: NodeId,
        one: NodeId,
        row: &Row,
        owner: MemberKind,
    ) -> Option<DefinitionSignature> {
        let at = |id, field| meanings.child(tree, id, field);
        let place = name_place(meanings, tree, one, row);
        let name = match (place, row.kind) {
            (Some(place), _) => squeezed(tree, place),
            (None, MemberKind::Import) => import(&squeezed(tree, one)),
            (None, MemberKind::Initializer) => "<initializer>".to_owned(),
            (None, MemberKind::Implementation) => implementation(meanings, tree, one),
            // A type without a name of its own, or a declaration that defines nothing.
            (None, _) => return None,
        };
        if row.kind == MemberKind::Variable && place.is_some_and(|it| !is_plain(tree, it)) {
            return None;
        }
        let value = match &row.inside {
            Inside::Nothing => None,
            Inside::Members(field) | Inside::Code(field) => at(one, field),
            Inside::Value(fields) => {
                fields.iter().find_map(|field| at(one, field).or_else(|| at(node, field)))
            }
            Inside::Block("") => Some(one),
            Inside::Block(kind) => {
                tree.children(one).find(|&child| meanings.kind_name(tree, child) == *kind)
            }
        };
        if matches!(row.inside, Inside::Members("body")) && value.is_none() && is_mention(row.kind)
        {
            return None;
        }
        let mut is_value = matches!(row.inside, Inside::Value(_));
        let mut body = value;
        let mut holder = one;
        let mut is_function = matches!(row.kind, MemberKind::Function | MemberKind::Constructor);
        if row.kind == MemberKind::Variable {
            let is_lambda = |&id: &NodeId| meanings.of(tree, id).is_function;
            if let Some(function) = value.filter(is_lambda) {
                (is_function, is_value, holder) = (true, false, function);
                body = at(function, "body").or(value);
            } else if declares_function(meanings, tree, one) {
                is_function = true;
            }
        }
        let parameters = parameters(meanings, tree, holder);
        let kind = kind(row.kind, is_function, owner, at(one, "receiver").is_some());
        let types: Vec<String> =
            parameters.iter().map(|&id| parameter(meanings, tree, id)).collect();
        let counts = meanings.table.counts_arguments && is_function;
        let shown = match kind {
            MemberKind::Initializer => name.clone(),
            _ if is_function && meanings.table.overloads => format!("{name}({})", types.join(",")),
            _ => name.clone(),
        };
        let shown = match at(one, "receiver").filter(|_| is_function) {
            Some(receiver) => match receiver_type(meanings, tree, receiver) {
                Some(of) => format!("{of}.{shown}"),
                None => shown,
            },
            None => shown,
        };
        let result = meanings.table.results.iter().find_map(|field| at(node, field));
        let mut marks = marks(meanings, tree, node, &name);
        marks.is_abstract = is_function && kind != MemberKind::Constructor;
        let is_spread = |id: &NodeId| meanings.kind_name(tree, *id).starts_with("spread");
        marks.is_variadic = parameters.iter().any(is_spread);
        Some(DefinitionSignature {
            kind,
            place,
            shown,
            arity: counts.then(|| u8::try_from(parameters.len()).ok()).flatten(),
            of_type: result
                .or_else(|| at(node, "type"))
                .and_then(|of| type_name(meanings, tree, of)),
            has_result: is_function && result.is_some_and(|of| tree.text(of) != b"void"),
            supers: supers(meanings, tree, one),
            marks,
            body,
            is_value,
            is_function,
            name,
        })
    }
}

/// Returns the imported text, without the keyword that all imports of a language have.
fn import(text: &str) -> String {
    text.trim_start_matches("import ").trim_end_matches(';').to_owned()
}

/// Whether a node of this kind without members only mentions a definition elsewhere.
fn is_mention(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Class | MemberKind::Type)
}

fn kind(kind: MemberKind, is_function: bool, owner: MemberKind, has_receiver: bool) -> MemberKind {
    match kind {
        MemberKind::Function | MemberKind::Variable if is_function => {
            if owner.is_type() || has_receiver { MemberKind::Method } else { MemberKind::Function }
        }
        MemberKind::Variable if owner.is_type() => MemberKind::Field,
        MemberKind::Variable => MemberKind::Global,
        other => other,
    }
}

/// Follows the fields that lead to the name.
fn name_place(meanings: &Meanings, tree: &SyntaxTree, one: NodeId, row: &Row) -> Option<NodeId> {
    if row.name.is_empty() {
        return None;
    }
    let mut place = None;
    let mut next = Some(one);
    while let Some(id) = next {
        let is_done =
            place.is_some() && (tree.is_leaf(id) || meanings.of(tree, id).access.is_some());
        if is_done {
            break;
        }
        next = row.name.iter().find_map(|field| meanings.child(tree, id, field));
        // Brackets around a declarator have no fields.
        if next.is_none() && meanings.kind_name(tree, id).contains("parenthesized") {
            next = tree.children(id).find(|&child| tree.node(child).is_named());
        }
        place = next.or(place);
    }
    // A declarator may be the name itself.
    place.or_else(|| tree.is_leaf(one).then_some(one))
}

/// Whether the target of an assignment is a name, and not a part of something.
fn is_plain(tree: &SyntaxTree, place: NodeId) -> bool {
    tree.is_leaf(place)
        || tree.children(place).all(|child| {
            tree.is_leaf(child) && tree.text(child) != b"[" && tree.text(child) != b"."
        })
}

fn declares_function(meanings: &Meanings, tree: &SyntaxTree, one: NodeId) -> bool {
    let mut next = Some(one);
    while let Some(id) = next {
        let kind = meanings.kind_name(tree, id);
        if kind == "function_declarator" {
            // A pointer to a function is a variable.
            let inner = meanings.child(tree, id, "declarator");
            return inner.is_some_and(|it| !meanings.kind_name(tree, it).contains("parenthesized"));
        }
        next = meanings.child(tree, id, "declarator");
    }
    false
}

fn parameters(meanings: &Meanings, tree: &SyntaxTree, holder: NodeId) -> Vec<NodeId> {
    let mut next = Some(holder);
    while let Some(id) = next {
        if let Some(list) = meanings.child(tree, id, "parameters") {
            let is_parameter = |&id: &NodeId| {
                tree.node(id).is_named()
                    && tree.role(id) != Some(NodeRole::Comment)
                    && meanings.kind_name(tree, id) != "receiver_parameter"
            };
            return tree.children(list).filter(is_parameter).collect();
        }
        next = meanings.child(tree, id, "declarator");
    }
    Vec::new()
}

/// Returns the type of a parameter as it is written, without its name.
fn parameter(meanings: &Meanings, tree: &SyntaxTree, id: NodeId) -> String {
    let Some(of) = meanings.child(tree, id, "type") else {
        let is_type = |&child: &NodeId| {
            let kind = meanings.kind_name(tree, child);
            tree.node(child).is_named() && kind != "modifiers" && kind != "variable_declarator"
        };
        let of = tree.children(id).find(is_type);
        let dots = if meanings.kind_name(tree, id).starts_with("spread") { "..." } else { "" };
        return of.map_or_else(|| squeezed(tree, id), |of| squeezed(tree, of) + dots);
    };
    let dimensions = meanings.child(tree, id, "dimensions");
    squeezed(tree, of) + &dimensions.map_or(String::new(), |id| squeezed(tree, id))
}

fn receiver_type(meanings: &Meanings, tree: &SyntaxTree, receiver: NodeId) -> Option<String> {
    let of =
        tree.subtree(receiver).find(|&id| meanings.kind_name(tree, id) == "type_identifier")?;
    Some(squeezed(tree, of))
}

fn implementation(meanings: &Meanings, tree: &SyntaxTree, one: NodeId) -> String {
    let part = |field| meanings.child(tree, one, field).map(|id| squeezed(tree, id));
    let of = part("type").unwrap_or_default();
    part("trait").map_or_else(|| of.clone(), |of_trait| format!("<{of} as {of_trait}>"))
}

fn supers(meanings: &Meanings, tree: &SyntaxTree, one: NodeId) -> Vec<WordHash> {
    let is_super = |&child: &NodeId| {
        meanings.of(tree, child).is_super
            || meanings.table.supers.iter().any(|field| meanings.is_field(tree, child, field))
    };
    let mut found = Vec::new();
    for list in tree.children(one).filter(is_super) {
        let mut skip_to = 0;
        for id in tree.subtree(list).filter(|&id| tree.node(id).is_named()) {
            if meanings.kind_name(tree, id).contains("arguments") {
                skip_to = tree.subtree(id).next_back().map_or(0, |last| last.0 + 1);
            }
            // The arguments of a Python class are its supertypes.
            let is_outer = meanings.kind_name(tree, id) == "argument_list";
            let is_name = tree.is_leaf(id) && meanings.kind_name(tree, id).ends_with("identifier");
            if is_outer {
                skip_to = 0;
            } else if is_name && id.0 >= skip_to {
                found.push(WordHash::of(tree.text(id)));
            }
        }
    }
    found
}

/// Reads what stands before and around a name.
fn marks(meanings: &Meanings, tree: &SyntaxTree, node: NodeId, name: &str) -> Marks {
    let mut marks = Marks {
        is_fixture: is_fixture(name.as_bytes()),
        is_test: name.starts_with("test"),
        ..Marks::default()
    };
    let is_modifier = |&id: &NodeId| {
        let kind = meanings.kind_name(tree, id);
        kind.contains("modifier") || kind.contains("specifier")
    };
    for list in tree.children(node).filter(is_modifier) {
        for id in tree.subtree(list).filter(|&id| tree.is_leaf(id)) {
            match tree.text(id) {
                b"private" => marks.is_private = true,
                b"static" => marks.is_static = true,
                b"final" => marks.is_final = true,
                b"Override" => marks.is_override = true,
                b"Test" | b"ParameterizedTest" | b"RepeatedTest" => marks.is_test = true,
                other => marks.is_fixture |= is_fixture(other),
            }
        }
    }
    marks
}

fn is_fixture(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    // The framework of a test may be that of another language.
    let mut known = TABLES.iter().flat_map(|(_, table)| &table.fixtures);
    known.any(|known| known.as_bytes() == name)
}

/// Returns the text of a node without space and comments.
pub(super) fn squeezed(tree: &SyntaxTree, id: NodeId) -> String {
    let mut text = Vec::new();
    for leaf in tree.subtree(id).filter(|&id| tree.is_leaf(id)) {
        if tree.role(leaf) == Some(NodeRole::Comment) {
            continue;
        }
        let reads = tree.text(leaf);
        let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        if is_word(text.last()) && is_word(reads.first()) {
            text.push(b' ');
        }
        text.extend_from_slice(reads);
    }
    String::from_utf8_lossy(&text).into_owned()
}
