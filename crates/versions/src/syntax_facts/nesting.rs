//! Lines that make no sense without others: a closing bracket without the opening one, a
//! statement without the header of its block, a header without a block.
//!
//! Read off the shape of the syntax tree and the names of a few fields that grammars share. It is
//! a guess that saves tests; a wrong guess costs some.

use std::collections::{BTreeSet, HashSet};

use whodunit_syntax::language::{Field, NodeRole};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::lines::Lines;

/// Fields whose parents cannot do without them, by their names in grammars.
const NEEDED: &[&str] =
    &["body", "consequence", "declarator", "definition", "parameters", "right", "value"];

/// Finds which changed lines need which other changed lines.
pub(super) fn find(tree: &SyntaxTree, lines: &Lines<'_>, changed: &[bool]) -> Vec<(u32, u32)> {
    let mut needs = Needs { changed, found: BTreeSet::new() };
    // Nodes over several lines, by their first and last line: a line inside needs the first one.
    let mut spans: BTreeSet<(u32, std::cmp::Reverse<u32>)> = BTreeSet::new();
    let needed = needed_fields(tree);
    for id in tree.ids() {
        let range = tree.node(id).range();
        if range.is_empty() {
            continue;
        }
        let (first, last) = (lines.line_at(range.start), lines.line_at(range.end - 1));
        if first == last {
            continue;
        }
        if matches!(tree.role(id), Some(NodeRole::String | NodeRole::Comment)) {
            // A text of several lines is whole or not at all.
            needs.add(first, last);
            needs.add(last, first);
            spans.insert((first, std::cmp::Reverse(last)));
            continue;
        }
        let Some(head) = tree.children(id).find(|&child| is_head(tree, child)) else { continue };
        let line_of = |id: NodeId| lines.line_at(tree.node(id).range().start);
        let head_line = line_of(head);
        needs.add(first, head_line);
        if head_line < last {
            spans.insert((head_line, std::cmp::Reverse(last)));
        }
        for child in tree.children(id) {
            let node = tree.node(child);
            let is_last = node.range().end == range.end;
            if is_last && !node.is_named() && !node.range().is_empty() {
                needs.add(head_line, line_of(child));
                needs.add(line_of(child), head_line);
            } else if node.field().is_some_and(|field| needed.contains(&field)) {
                needs.add(head_line, line_of(child));
            }
        }
    }
    needs.nest(&spans);
    needs.found.into_iter().collect()
}

/// Whether a child makes its parent more than a list: a token, or a part with a name of its own.
fn is_head(tree: &SyntaxTree, child: NodeId) -> bool {
    let node = tree.node(child);
    (!node.is_named() || node.field().is_some()) && !node.range().is_empty()
}

fn needed_fields(tree: &SyntaxTree) -> HashSet<Field> {
    let fields: HashSet<Field> = tree.ids().filter_map(|id| tree.node(id).field()).collect();
    let language = tree.language();
    fields.into_iter().filter(|&field| NEEDED.contains(&language.field_name(field))).collect()
}

struct Needs<'a> {
    changed: &'a [bool],
    found: BTreeSet<(u32, u32)>,
}

impl Needs<'_> {
    fn add(&mut self, line: u32, needed: u32) {
        let is_changed = |line: u32| self.changed.get(line as usize).copied().unwrap_or(false);
        if line != needed && is_changed(line) && is_changed(needed) {
            self.found.insert((line, needed));
        }
    }

    /// Lets every line need the first line of the innermost span that it lies in.
    fn nest(&mut self, spans: &BTreeSet<(u32, std::cmp::Reverse<u32>)>) {
        let mut spans = spans.iter().peekable();
        let mut around: Vec<(u32, u32)> = Vec::new();
        for line in 0..self.changed.len() as u32 {
            while around.last().is_some_and(|&(_, last)| last < line) {
                around.pop();
            }
            if let Some(&(first, _)) = around.last() {
                self.add(line, first);
            }
            while let Some(&(first, std::cmp::Reverse(last))) = spans.next_if(|span| span.0 == line)
            {
                around.push((first, last));
            }
        }
    }
}
