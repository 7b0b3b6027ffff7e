//! Facts about one text in a known language: its items, lines that make no sense without others,
//! and the names that it exports.
//!
//! Made of a syntax tree that is thrown away at once: trees of thousands of files would not fit
//! into memory.

mod headings;
mod items;
mod names;
mod nesting;
mod results;

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::language::{FIRST_BYTES, Language, NodeRole};
use whodunit_syntax::names::Names;
use whodunit_syntax::parse::parse;
use whodunit_syntax::tree::SyntaxTree;
use whodunit_syntax::words::WordHash;

use crate::lines::{Hunk, Lines};

pub(crate) use headings::{Heading, headings};
pub(crate) use items::{Item, Items, is_item};

/// Bytes of a file that is parsed. A longer one is taken as plain text: it is mostly generated, and
/// parsing takes seconds. Chosen by hand.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Facts about one text.
#[derive(Debug, Default)]
pub(crate) struct SyntaxFacts {
    pub(crate) items: Items,
    /// A changed line, and another that it needs to be there.
    pub(crate) nesting: Vec<(u32, u32)>,
    /// A changed line that uses a name, and the changed line that defines it.
    pub(crate) uses: Vec<NameUse>,
    /// Every name that is defined, with the item that it is defined in.
    pub(crate) defines: HashSet<(WordHash, WordHash)>,
    /// Names that other files may use.
    pub(crate) exports: Vec<Export>,
    /// Definitions and declarations with parameters.
    pub(crate) signatures: Vec<ParameterizedName>,
    /// The line of a function's name, and the line of its only `return`.
    pub(crate) results: Vec<(u32, u32)>,
    /// Where comments and strings are, as far as lines changed.
    pub(crate) quiet: Vec<Range<u32>>,
}

/// A use of a name, with its definition in the same text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameUse {
    pub(crate) line: u32,
    pub(crate) definition: u32,
    /// The name, and the item that it is defined in.
    pub(crate) name: (WordHash, WordHash),
}

/// A name that other files may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Export {
    pub(crate) name: WordHash,
    /// The item that it is defined in; of a function that is itself.
    pub(crate) scope: WordHash,
    /// The line that defines it, changed or not.
    pub(crate) line: u32,
}

/// The definition or declaration of something with parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterizedName {
    pub(crate) name: WordHash,
    /// Where the name begins, as a byte.
    pub(crate) start: u32,
}

impl SyntaxFacts {
    /// Whether a byte of a changed line is in a comment or a string.
    pub(crate) fn is_quiet(&self, byte: usize) -> bool {
        let at = self.quiet.partition_point(|range| range.end as usize <= byte);
        self.quiet.get(at).is_some_and(|range| range.start as usize <= byte)
    }
}

/// Facts about a text in both versions.
#[derive(Debug, Default)]
pub(crate) struct FactsOfBoth {
    pub(crate) old: Option<SyntaxFacts>,
    pub(crate) new: Option<SyntaxFacts>,
}

impl FactsOfBoth {
    /// Reads the text of both versions, which differ in these lines.
    pub(crate) fn of(
        old: Option<(&TreePath, &Arc<[u8]>)>,
        new: (&TreePath, &Arc<[u8]>),
        changes: &[Hunk],
    ) -> FactsOfBoth {
        let end = |(path, text): (&TreePath, &Arc<[u8]>), lines: fn(&Hunk) -> &Range<u32>| {
            let language = language(path, text)?;
            let all = Lines::of(text);
            let mut changed = vec![false; all.len() as usize];
            for range in changes.iter().map(lines) {
                changed[range.start as usize..range.end as usize].fill(true);
            }
            Some(facts(&language, text, &all, &changed))
        };
        FactsOfBoth {
            old: old.and_then(|old| end(old, |hunk| &hunk.old)),
            new: end(new, |hunk| &hunk.new),
        }
    }
}

/// Returns the language of a file, if it is one to be parsed.
pub(crate) fn language(path: &TreePath, text: &[u8]) -> Option<Language> {
    if text.len() > MAX_PARSED_BYTES {
        return None;
    }
    let name = String::from_utf8_lossy(path.name()).into_owned();
    Language::for_file(Path::new(&name), &text[..text.len().min(FIRST_BYTES)])
}

/// Finds the items of a text, if its language is known.
pub(crate) fn items(path: &TreePath, text: &Arc<[u8]>) -> Option<Items> {
    let tree = parse(&language(path, text)?, text.clone());
    Some(items::find(&tree, &Names::of(&tree), &Lines::of(text)))
}

/// A function, class or the like of a text, and the lines it is on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedItem {
    /// Its name with those of the items around it, as in `Class.method`.
    pub name: Arc<str>,
    /// The first line and the last.
    pub lines: std::ops::RangeInclusive<u32>,
}

/// Returns the functions, classes and the like of a text, an outer one before those in it; none if
/// its language is not known.
pub fn items_of(path: &TreePath, text: &Arc<[u8]>) -> Vec<NamedItem> {
    let found = items(path, text).unwrap_or_default();
    let named = |item: &Item| NamedItem {
        name: item.name.clone(),
        lines: item.lines.start + 1..=item.lines.end,
    };
    found.all().iter().map(named).collect()
}

/// Finds the facts about a text; `changed` marks the lines that matter.
fn facts(
    language: &Language,
    text: &Arc<[u8]>,
    lines: &Lines<'_>,
    changed: &[bool],
) -> SyntaxFacts {
    let tree = parse(language, text.clone());
    let names = Names::of(&tree);
    let items = items::find(&tree, &names, lines);
    let names::NameFacts { defines, uses, exports, signatures } =
        names::find(&tree, &names, lines, changed, &items);
    // The tree of a text with errors does not show its nesting.
    let nesting = if tree.has_errors() { Vec::new() } else { nesting::find(&tree, lines, changed) };
    let results = results::find(&tree, &names, lines);
    let quiet = quiet(&tree, lines, changed);
    SyntaxFacts { items, nesting, uses, defines, exports, signatures, results, quiet }
}

/// Finds comments, and strings that no names are in.
fn quiet(tree: &SyntaxTree, lines: &Lines<'_>, changed: &[bool]) -> Vec<Range<u32>> {
    let mut quiet: Vec<Range<u32>> = Vec::new();
    for id in tree.ids() {
        let range = tree.node(id).range();
        if quiet.last().is_some_and(|last| range.start < last.end as usize) {
            continue;
        }
        let has_names = || tree.subtree(id).any(|id| tree.role(id) == Some(NodeRole::Identifier));
        let is_quiet = match tree.role(id) {
            Some(NodeRole::Comment) => true,
            Some(NodeRole::String) => !has_names(),
            _ => false,
        };
        if !is_quiet || range.is_empty() {
            continue;
        }
        let touched = lines.line_at(range.start)..=lines.line_at(range.end - 1);
        if touched.into_iter().any(|line| changed[line as usize]) {
            quiet.push(range.start as u32..range.end as u32);
        }
    }
    quiet
}
