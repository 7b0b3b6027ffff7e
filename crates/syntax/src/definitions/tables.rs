//! The `definitions.json` of a language: kinds of nodes that define, call and name something.
//!
//! Names of nodes and fields are those of its grammar. Absent members are empty or false.

use std::sync::LazyLock;

use serde::Deserialize;

use super::member::MemberKind;
use crate::languages::FOLDERS;

/// The tables, each with the language that it is written for.
pub(super) static TABLES: LazyLock<Vec<(&'static str, Table)>> = LazyLock::new(|| {
    let mut tables: Vec<(&str, Table)> = Vec::new();
    for (family, json) in FOLDERS.iter().filter_map(|folder| folder.definitions) {
        if tables.iter().all(|(known, _)| *known != family) {
            tables.push((family, serde_json::from_str(json).expect("a test reads every table")));
        }
    }
    tables
});

/// The table of one language.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, bound(deserialize = "'de: 'static"))]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// Nodes whose children are taken as if they stood in their place.
    pub(super) transparent: Vec<&'static str>,
    /// Nodes that belong to the definition in them: decorators, `export`, `template`.
    pub(super) wrappers: Vec<&'static str>,
    /// Nodes that belong to the definition that follows them.
    pub(super) leading: Vec<&'static str>,
    pub(super) calls: Vec<Call>,
    pub(super) accesses: Vec<Access>,
    pub(super) locals: Vec<Local>,
    /// Fields and kinds of what names the supertypes of a class.
    pub(super) supers: Vec<&'static str>,
    /// Values that make a variable a function.
    pub(super) functions: Vec<&'static str>,
    /// Classes that have a constructor even if none is written.
    pub(super) made: Vec<&'static str>,
    /// Fields that hold the type of a result.
    pub(super) results: Vec<&'static str>,
    /// Names and annotations of code that is run around each test, in small letters.
    pub(super) fixtures: Vec<&'static str>,
    /// Whether several functions of one name differ by the types of their parameters.
    pub(super) overloads: bool,
    /// Whether a call must have as many arguments as there are parameters.
    pub(super) counts_arguments: bool,
}

/// A node that defines something.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) node: &'static str,
    pub(super) kind: MemberKind,
    /// Fields that lead to the name, tried in order again and again.
    #[serde(default)]
    pub(super) name: Vec<&'static str>,
    #[serde(default)]
    pub(super) each: Each,
    #[serde(default)]
    pub(super) inside: Inside,
}

/// The part of a node that is one definition.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Each {
    #[default]
    Whole,
    /// Each child of this field.
    Field(&'static str),
    /// Each child or grandchild of one of these kinds; if there is none, it is no definition.
    Kind(Vec<&'static str>),
}

/// The contents of a definition, by field.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Inside {
    #[default]
    Nothing,
    /// Other definitions.
    Members(&'static str),
    /// Code in brackets, or indented.
    Code(&'static str),
    /// An expression.
    Value(Vec<&'static str>),
    /// Code in a child of this kind.
    Block(&'static str),
}

/// A node that calls something.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) node: &'static str,
    /// The field of the callee: a name, or an access.
    pub(super) callee: &'static str,
    pub(super) arguments: &'static str,
    /// The field of the receiver, if it is not part of the callee.
    #[serde(default)]
    pub(super) object: &'static str,
    #[serde(default)]
    pub(super) creates: bool,
}

/// A node that takes something out of something else: `a.b`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Access {
    pub(super) node: &'static str,
    #[serde(default)]
    pub(super) object: &'static str,
    pub(super) name: &'static str,
}

/// A node that defines a local name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Local {
    pub(super) node: &'static str,
    #[serde(default)]
    pub(super) of: &'static str,
    #[serde(default)]
    pub(super) name: Vec<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::languages::Folder;

    #[test]
    fn every_kind_of_node_in_a_table_is_in_one_of_its_grammars() {
        for (family, table) in TABLES.iter() {
            let is_of = |folder: &&Folder| folder.definitions.is_some_and(|it| it.0 == *family);
            let names = FOLDERS.iter().filter(is_of).map(|folder| folder.name);
            let languages: Vec<Language> =
                names.filter_map(|name| Language::by_name(name).ok()).collect();
            let is_known = |node: &str| {
                languages.iter().any(|known| known.kinds().any(|it| known.kind_name(it) == node))
            };
            let rows = table.rows.iter().map(|row| row.node);
            let others = [&table.transparent, &table.wrappers, &table.leading, &table.functions];
            let nodes = rows
                .chain(others.into_iter().flatten().copied())
                .chain(table.calls.iter().map(|call| call.node))
                .chain(table.accesses.iter().map(|access| access.node))
                .chain(table.locals.iter().map(|local| local.node));
            for node in nodes {
                assert!(is_known(node), "no grammar of {languages:?} has `{node}`");
            }
        }
    }
}
