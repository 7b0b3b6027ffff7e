//! The edits that each child of a syntax node allows, and the children that must be removed
//! together.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use whodunit_grammar::shape::{Child, Fit, KindId, Shapes};

/// With up to this many children all of them are judged together. In a longer list each child is
/// judged by its neighbours and the nearer end; the parser checks the result anyway. Chosen by
/// hand.
const MAX_WHOLE_CHILDREN: usize = 16;

/// Neighbours on each side by which a child of a long list is judged; farther ones are ignored.
/// Chosen by hand.
const NEIGHBOURS: usize = 3;

/// The edits that one child allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChildOptions {
    /// The shortest run of children, itself among them, that may be removed.
    pub(super) goes_with: Option<Span>,
    /// The shortest text for its place.
    pub(super) minimal: Option<Shortest>,
    /// The number of the set of kinds that may stand in its place; 0 if nothing is known.
    pub(super) place: u32,
}

impl ChildOptions {
    /// A child about which nothing is known: it may be removed.
    pub(super) fn unknown() -> Self {
        ChildOptions { goes_with: Some(Span { before: 0, after: 0 }), minimal: None, place: 0 }
    }
}

/// How many children before and after a child are removed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    before: usize,
    after: usize,
}

/// The shortest text for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shortest {
    pub(super) text: String,
    pub(super) tokens: u32,
}

/// Children that are removed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChildGroup {
    /// Their places; separators first.
    pub(super) children: Range<usize>,
    /// The number of those that only separate the rest from the text before.
    pub(super) separators: usize,
    /// Whether the group may go.
    pub(super) is_free: bool,
    /// Whether it is one of several that are kept apart by separators.
    pub(super) in_row: bool,
}

/// The roles of children, each found out once for all places that are alike.
#[derive(Debug, Default)]
pub(super) struct Roles {
    short: HashMap<(KindId, Vec<Child>), Vec<ChildOptions>>,
    /// By the neighbours, with nothing where there is no neighbour.
    long: HashMap<(KindId, Vec<Option<Child>>), ChildOptions>,
    places: HashMap<BTreeSet<KindId>, u32>,
}

impl Roles {
    /// Returns the options of the children of a node.
    pub(super) fn of(
        &mut self,
        shapes: &Shapes,
        node: KindId,
        children: &[Child],
    ) -> Vec<ChildOptions> {
        if children.len() > MAX_WHOLE_CHILDREN {
            return self.of_many(shapes, node, children);
        }
        let key = (node, children.to_vec());
        if let Some(roles) = self.short.get(&key) {
            return roles.clone();
        }
        let fit = shapes.fit(node, children);
        let roles: Vec<ChildOptions> =
            (0..children.len()).map(|place| self.role(&fit, children, place)).collect();
        self.short.insert(key, roles.clone());
        roles
    }

    fn of_many(&mut self, shapes: &Shapes, node: KindId, children: &[Child]) -> Vec<ChildOptions> {
        let fit = shapes.fit(node, children);
        let mut roles = Vec::with_capacity(children.len());
        for place in 0..children.len() {
            let around = place as isize - NEIGHBOURS as isize..=(place + NEIGHBOURS) as isize;
            let near = |at| usize::try_from(at).ok().and_then(|at| children.get(at)).copied();
            let key = (node, around.map(near).collect::<Vec<_>>());
            let role = match self.long.get(&key) {
                Some(role) => role.clone(),
                None => {
                    let role = self.role(&fit, children, place);
                    self.long.insert(key, role.clone());
                    role
                }
            };
            roles.push(role);
        }
        roles
    }

    fn role(&mut self, fit: &Fit<'_>, children: &[Child], place: usize) -> ChildOptions {
        let goes_with = fit
            .goes_with(place)
            .map(|run| Span { before: place - run.start, after: run.end - place - 1 });
        // A guessed text may be one that the parser does not accept.
        let minimal = fit.minimal(place).filter(|phrase| phrase.guesses() == 0);
        let minimal = minimal.map(|phrase| Shortest {
            text: phrase.text().to_owned(),
            tokens: phrase.tokens() as u32,
        });
        let place = match children[place] {
            Child::Kind(_) => self.number(fit.kinds_at(place)),
            _ => 0,
        };
        ChildOptions { goes_with, minimal, place }
    }

    fn number(&mut self, kinds: BTreeSet<KindId>) -> u32 {
        let next = self.places.len() as u32 + 1;
        *self.places.entry(kinds).or_insert(next)
    }

    /// Calls `found` with the number of each set of kinds and the kinds in it.
    pub(super) fn places(&self, mut found: impl FnMut(u32, KindId)) {
        for (kinds, &place) in &self.places {
            kinds.iter().for_each(|&kind| found(place, kind));
        }
    }
}

/// Puts children that are removed together into groups, in order and without overlaps. A child in
/// no group is a sign that belongs to the node itself, unless `is_named` holds for it.
pub(super) fn groups(roles: &[ChildOptions], is_named: impl Fn(usize) -> bool) -> Vec<ChildGroup> {
    let mut groups: Vec<ChildGroup> = Vec::new();
    for place in 0..roles.len() {
        let end = groups.last().map_or(0, |group| group.children.end);
        if place < end {
            continue;
        }
        let run = roles[place].goes_with.map(|span| place - span.before..place + span.after + 1);
        let run = run.filter(|run| run.end <= roles.len());
        let alone = |is_free| ChildGroup {
            children: place..place + 1,
            separators: 0,
            is_free,
            in_row: false,
        };
        match run {
            Some(run) if run.len() == 1 => groups.push(alone(true)),
            _ if !is_named(place) => {}
            None => groups.push(alone(false)),
            Some(run) if run.start >= end => {
                let separators = (run.start..run.end).take_while(|&at| !is_named(at)).count();
                // Signs at the beginning of the group are its own unless they separate others.
                let separators = separators.min(place - run.start);
                groups.push(ChildGroup { children: run, separators, is_free: true, in_row: false });
            }
            Some(run) => {
                let before = groups.last_mut().expect("something ends after the run begins");
                let mut shared = run.start..end;
                if before.is_free && run.start > before.children.start && !shared.any(&is_named) {
                    // The sign between two items is removed with the second one.
                    before.children.end = run.start;
                    before.in_row = true;
                    let separators = place - run.start;
                    groups.push(ChildGroup {
                        children: run,
                        separators,
                        is_free: true,
                        in_row: true,
                    });
                } else {
                    groups.push(alone(false));
                }
            }
        }
    }
    hand_on_separators(&mut groups, is_named);
    groups
}

/// An item whose sign went to the next item takes the sign before it, if that is an item's.
fn hand_on_separators(groups: &mut [ChildGroup], is_named: impl Fn(usize) -> bool) {
    for next in (1..groups.len()).rev() {
        let (before, after) = groups.split_at_mut(next);
        let (before, after) = (&mut before[next - 1], &mut after[0]);
        let adjacent = before.children.end == after.children.start;
        if !(after.in_row && after.separators == 0 && before.is_free && adjacent) {
            continue;
        }
        let signs = before.children.clone().rev().take_while(|&at| !is_named(at)).count();
        if signs > 0 && signs < before.children.len() {
            before.children.end -= signs;
            before.in_row = true;
            after.children.start -= signs;
            after.separators = signs;
        }
    }
}
