//! Which changes need which: what is believed, and what is certain.

use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Implications};
use whodunit_versions::{Decomposition, Dependencies, Edge, Reason};

use super::{ChangesError, Finder, given};

/// Of more changes than this not all files are parsed to find out what needs what.
const MANY: usize = 50_000;

/// What needs what.
pub(super) struct Needs {
    edges: Vec<Edge>,
    /// New functions and the like, each with the rest of it.
    items: Vec<(Delta, DeltaSet)>,
    /// All that is known of single changes.
    pub(super) all: Implications,
    /// The same, and that a new function is of use only as a whole.
    pub(super) believed: Implications,
    /// What is certain.
    pub(super) certain: Implications,
}

impl Needs {
    /// Finds out what needs what between some changes, as long as there is time to search.
    pub(super) fn of(
        parts: &Arc<Decomposition>,
        finder: &Finder<'_>,
    ) -> Result<Self, ChangesError> {
        let given = given::needs(finder.settings, parts)?;
        let parts = parts.clone();
        let needs = finder.search_stop().wait_for(move || Needs::between(&parts))?;
        Ok(needs.with(given))
    }

    /// Adds what the user says.
    fn with(mut self, given: Vec<(Delta, Delta)>) -> Self {
        if given.is_empty() {
            return self;
        }
        let tie = |(delta, needs)| Edge { delta, needs, reason: Reason::Existence };
        self.edges.extend(given.into_iter().map(tie));
        self.keeping(&[])
    }

    fn between(parts: &Decomposition) -> Self {
        let dependencies = if parts.len() > MANY {
            Dependencies::of(parts)
        } else {
            Dependencies::within(parts, &parts.all())
        };
        let (edges, items) = (dependencies.edges().to_vec(), dependencies.new_items().to_vec());
        let none = || Implications::builder().build();
        Needs { edges, items, all: none(), believed: none(), certain: none() }.keeping(&[])
    }

    /// Takes of each of some sets all or nothing.
    pub(super) fn keeping(mut self, wholes: &[DeltaSet]) -> Self {
        for whole in wholes {
            let Some(first) = whole.first() else { continue };
            for other in whole.iter().skip(1) {
                let tie = |delta, needs| Edge { delta, needs, reason: Reason::Existence };
                self.edges.extend([tie(first, other), tie(other, first)]);
            }
        }
        let (mut all, mut certain) = (Implications::builder(), Implications::builder());
        for edge in &self.edges {
            all.add(edge.delta, edge.needs);
            if edge.reason.is_certain() {
                certain.add(edge.delta, edge.needs);
            }
        }
        let mut believed = Implications::builder();
        self.believed().for_each(|(delta, needs)| believed.add(delta, needs));
        (self.all, self.believed, self.certain) = (all.build(), believed.build(), certain.build());
        self
    }

    /// Returns some changes with all of the new functions that they are in, with what uses those,
    /// and with what all of that needs.
    pub(super) fn with_partners(&self, changes: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        let mut whole = changes.clone();
        for (first, rest) in &self.items {
            if changes.contains(*first) || !rest.intersection(changes).is_empty() {
                whole = whole.union(rest).union(&DeltaSet::run(first.0..first.0 + 1));
            }
        }
        let whole = whole.intersection(within);
        let used = self.all.dependents_within(&whole, within).union(&whole);
        self.believed.closure_up_within(&used, within)
    }

    /// Returns some changes with what they are believed to need.
    pub(super) fn believed_within(&self, changes: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.believed.closure_up_within(changes, within)
    }

    /// Returns all that is believed.
    pub(super) fn believed(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let items = self.items.iter();
        let items = items.flat_map(|(first, rest)| rest.iter().map(move |delta| (*first, delta)));
        self.edges.iter().map(|edge| (edge.delta, edge.needs)).chain(items)
    }

    /// Returns what is certain, and what opens a block with what closes it: neither goes alone, but
    /// both may without what is in it.
    pub(super) fn in_pairs(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let pairs = self.edges.iter().filter(|edge| edge.reason == Reason::Brackets);
        self.certain().chain(pairs.map(|edge| (edge.delta, edge.needs)))
    }

    /// Returns what is certain.
    pub(super) fn certain(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let certain = self.edges.iter().filter(|edge| edge.reason.is_certain());
        certain.map(|edge| (edge.delta, edge.needs))
    }
}
