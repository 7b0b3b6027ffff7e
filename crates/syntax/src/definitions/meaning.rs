//! The table of a language, with names of nodes and fields looked up once.

use std::num::NonZeroU16;
use std::sync::LazyLock;

use crate::language::{Field, Language, NodeKind};
use crate::languages::{FOLDERS, Folder};
use crate::tree::{NodeId, SyntaxTree};

use super::tables::{Access, Call, Local, Row, TABLES, Table};

/// A language and its table.
pub(super) struct Meanings {
    pub(super) language: Language,
    /// The language that the table is written for.
    pub(super) family: &'static str,
    pub(super) table: &'static Table,
    kinds: Vec<KindMeaning>,
    fields: Vec<String>,
}

/// The meaning of a kind of node.
#[derive(Clone, Copy, Default)]
pub(super) struct KindMeaning {
    pub(super) row: Option<&'static Row>,
    pub(super) call: Option<&'static Call>,
    pub(super) access: Option<&'static Access>,
    pub(super) local: Option<&'static Local>,
    pub(super) is_transparent: bool,
    pub(super) is_wrapper: bool,
    pub(super) is_leading: bool,
    pub(super) is_super: bool,
    pub(super) is_function: bool,
}

impl Meanings {
    /// Returns the meanings of a language's nodes, if it has a table; they are looked up once.
    pub(super) fn for_language(language: &Language) -> Option<&'static Meanings> {
        static KNOWN: LazyLock<Vec<Meanings>> = LazyLock::new(|| {
            let meanings = |folder: &Folder| {
                let (family, _) = folder.definitions?;
                let (family, table) = TABLES.iter().find(|(name, _)| *name == family)?;
                Some(Meanings::new(Language::by_name(folder.name).ok()?, family, table))
            };
            FOLDERS.iter().filter_map(meanings).collect()
        });
        KNOWN.iter().find(|meanings| meanings.language == *language)
    }

    fn new(language: Language, family: &'static str, table: &'static Table) -> Self {
        let kinds = language.kinds().map(|kind| meaning(&language, kind, table)).collect();
        let name = |id: u16| NonZeroU16::new(id).map(|id| language.field_name(Field(id)));
        let fields = (0..=u16::from(u8::MAX)).map(|id| name(id).unwrap_or("").to_owned()).collect();
        Meanings { language, family, table, kinds, fields }
    }

    /// Returns the meaning of a node.
    pub(super) fn of(&self, tree: &SyntaxTree, id: NodeId) -> KindMeaning {
        self.kinds.get(usize::from(tree.node(id).kind().0)).copied().unwrap_or_default()
    }

    /// Returns the children of a field.
    pub(super) fn children<'a>(
        &'a self,
        tree: &'a SyntaxTree,
        id: NodeId,
        field: &'a str,
    ) -> impl Iterator<Item = NodeId> + 'a {
        tree.children(id).filter(move |&child| self.is_field(tree, child, field))
    }

    /// Returns the first child of a field.
    pub(super) fn child(&self, tree: &SyntaxTree, id: NodeId, field: &str) -> Option<NodeId> {
        if field.is_empty() {
            return None;
        }
        tree.children(id).find(|&child| self.is_field(tree, child, field))
    }

    /// Whether a node is this to its parent.
    pub(super) fn is_field(&self, tree: &SyntaxTree, id: NodeId, field: &str) -> bool {
        let own = tree.node(id).field();
        own.is_some_and(|own| self.fields.get(usize::from(own.0.get())).is_some_and(|f| f == field))
    }

    /// Returns the name of a node's kind in the grammar.
    pub(super) fn kind_name(&self, tree: &SyntaxTree, id: NodeId) -> &str {
        self.language.kind_name(tree.node(id).kind())
    }
}

fn meaning(language: &Language, kind: NodeKind, table: &'static Table) -> KindMeaning {
    if !language.is_named(kind) {
        return KindMeaning::default();
    }
    let name = language.kind_name(kind);
    KindMeaning {
        row: table.rows.iter().find(|row| row.node == name),
        call: table.calls.iter().find(|call| call.node == name),
        access: table.accesses.iter().find(|access| access.node == name),
        local: table.locals.iter().find(|local| local.node == name),
        is_transparent: table.transparent.contains(&name),
        is_wrapper: table.wrappers.contains(&name),
        is_leading: table.leading.contains(&name),
        is_super: table.supers.contains(&name),
        is_function: table.functions.contains(&name),
    }
}
