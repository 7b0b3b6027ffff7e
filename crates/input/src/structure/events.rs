//! Turns a description of events into nodes: the events that it lets be removed may be
//! removed, and nothing else.

use std::ops::Range;

use whodunit_core::Facts;
use whodunit_grammar::arena::{Arena, NodeId};
use whodunit_syntax::events::Event;

use super::grow::{Grower, Own};
use super::roles::Shortest;
use crate::tokens;

impl Grower {
    /// Takes over a file that consists of events.
    pub(super) fn described_file(&mut self, events: &Arena<Event>, start: u32, is_free: bool) {
        let address = |range: &Range<usize>| start + range.start as u32..start + range.end as u32;
        self.open_file(address(&(0..events.text().len())), is_free);
        let mut open: Vec<(NodeId, bool)> = Vec::new();
        for id in events.ids() {
            let node = events.node(id);
            while open.last().is_some_and(|&(last, _)| Some(last) != node.parent) {
                self.leave(&mut open);
            }
            let has_node = !is_just_its_parent(events, id);
            if has_node {
                let (facts, minimal) = facts(events, id);
                let text = address(&node.range);
                self.open(text.start, text, facts, &Own { minimal, ..Own::plain() });
            }
            open.push((id, has_node));
        }
        while !open.is_empty() {
            self.leave(&mut open);
        }
        self.close();
    }

    fn leave(&mut self, open: &mut Vec<(NodeId, bool)>) {
        if let Some((_, true)) = open.pop() {
            self.close();
        }
    }
}

/// Returns whether a node is all of its parent, so that dropping either is the same.
fn is_just_its_parent(events: &Arena<Event>, id: NodeId) -> bool {
    let is_plain = |event: &Event| event.minimal.is_none() && !event.is_fixed;
    let node = events.node(id);
    node.parent.map(|parent| events.node(parent)).is_some_and(|parent| {
        parent.range == node.range && is_plain(&parent.kind) && is_plain(&node.kind)
    })
}

fn facts(events: &Arena<Event>, id: NodeId) -> (Facts, Option<Shortest>) {
    let (node, text) = (events.node(id), events.text());
    let mut at = node.range.start;
    let mut weight = 0;
    for child in events.children(id) {
        let range = &events.node(child).range;
        weight += tokens::count(&text[at..range.start]);
        at = range.end;
    }
    weight += tokens::count(&text[at..node.range.end]);
    // An event without any word counts too.
    let weight = weight.max(1) as u32;
    let minimal = node.kind.minimal.as_ref().filter(|_| !node.kind.is_fixed);
    let minimal = minimal.map(|minimal| Shortest {
        text: minimal.clone(),
        // Its author prefers it, whatever its weight.
        tokens: (tokens::count(minimal.as_bytes()) as u32).min(weight),
    });
    let facts = match &minimal {
        _ if node.kind.is_fixed => Facts::fixed(weight),
        Some(minimal) if minimal.text.as_bytes() == events.bytes(id) => Facts::fixed(weight),
        Some(minimal) => Facts::minimal(weight, minimal.tokens),
        None => Facts::free(weight),
    };
    (facts, minimal)
}
