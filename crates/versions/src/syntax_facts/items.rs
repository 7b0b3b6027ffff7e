//! Functions, classes and the like, with qualified names such as `Class.method`.

use std::ops::Range;
use std::sync::Arc;

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::SyntaxTree;

use crate::lines::Lines;

/// A function, class or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its name with those of the items around it.
    pub(crate) name: Arc<str>,
    /// The lines it is on.
    pub(crate) lines: Range<u32>,
    /// The name of the item around it.
    pub(crate) parent: Option<Arc<str>>,
}

/// The items of a text, an outer one before those in it.
#[derive(Debug, Default)]
pub(crate) struct Items {
    items: Vec<Item>,
    /// For each line the innermost item.
    innermost: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Items {
    /// Returns the innermost item that a line is in.
    pub(crate) fn at(&self, line: u32) -> Option<&Item> {
        let item = *self.innermost.get(line as usize)?;
        self.items.get(item as usize)
    }

    /// Returns all items, an outer one before those in it.
    pub(crate) fn all(&self) -> &[Item] {
        &self.items
    }

    /// Returns the items that these lines lie in, the innermost first.
    pub(crate) fn around(&self, lines: Range<u32>) -> impl Iterator<Item = &Item> {
        let has =
            move |item: &&Item| item.lines.start <= lines.start && lines.end <= item.lines.end;
        self.items.iter().rev().filter(has)
    }

    /// Whether there is an item of this qualified name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.items.iter().any(|item| &*item.name == name)
    }
}

/// Finds the items of a text.
pub(crate) fn find(tree: &SyntaxTree, names: &Names, lines: &Lines<'_>) -> Items {
    let mut found: Vec<(Range<usize>, String)> = names
        .definitions()
        .iter()
        .filter(|definition| is_item(definition, tree))
        .map(|definition| {
            let name = String::from_utf8_lossy(tree.text(definition.name)).into_owned();
            (tree.node(definition.item).range(), name)
        })
        .filter(|(range, _)| !range.is_empty())
        .collect();
    found.sort_by(|(a, _), (b, _)| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    found.dedup_by(|next, kept| next.0 == kept.0);
    let mut items = Items { items: Vec::new(), innermost: vec![NONE; lines.len() as usize] };
    let mut around: Vec<(usize, Arc<str>)> = Vec::new();
    for (range, name) in found {
        while around.last().is_some_and(|(end, _)| *end <= range.start) {
            around.pop();
        }
        let parent = around.last().map(|(_, outer)| outer.clone());
        let name: Arc<str> = match &parent {
            Some(outer) => format!("{outer}.{name}").into(),
            None => name.into(),
        };
        around.push((range.end, name.clone()));
        let lines = lines.line_at(range.start)..lines.line_at(range.end - 1) + 1;
        let number = items.items.len() as u32;
        items.innermost[lines.start as usize..lines.end as usize].fill(number);
        items.items.push(Item { name, lines, parent });
    }
    items
}

/// Whether a definition is a function, a class or the like.
pub(crate) fn is_item(definition: &Definition, tree: &SyntaxTree) -> bool {
    use DefinitionKind as Kind;
    match definition.kind {
        Kind::Function | Kind::Method | Kind::Type | Kind::Module | Kind::Macro => true,
        // A variable whose value is a function; a mere declaration has no body.
        Kind::Variable | Kind::Constant => {
            let has = |sign: &[u8]| {
                let mut windows = tree.text(definition.item).windows(sign.len());
                windows.any(|window| window == sign)
            };
            definition.parameters.is_some() && (has(b"{") || has(b"=>"))
        }
        Kind::Parameter | Kind::Field | Kind::Import | Kind::Label => false,
    }
}
