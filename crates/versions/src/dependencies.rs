//! Dependencies: which delta makes no sense without which other, guessed from the texts.
//!
//! In order of cost: places that must be free or exist, lines within others, names and their
//! definitions, files that are mentioned. All but those of [`Reason::is_certain`] are guesses that
//! save tests. Both versions satisfy every dependency.

mod blocks;
mod brackets;
mod existence;
mod files;
mod imports;
mod items;
mod lines;
mod mentions;
mod names;
mod nesting;
mod results;
mod scopes;
mod signatures;

use whodunit_core::{Delta, DeltaSet};

use crate::decomposition::Decomposition;

pub use mentions::Mentions;

/// Dependencies between deltas.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// Sorted, without repetitions.
    edges: Vec<Edge>,
    new_items: Vec<(Delta, DeltaSet)>,
}

/// A delta that needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The delta.
    pub delta: Delta,
    /// The delta that it needs.
    pub needs: Delta,
    /// Why.
    pub reason: Reason,
}

/// Why a delta needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// A text needs its file, a file needs its place.
    Existence,
    /// A function that must return a value needs the line that returns it.
    Result,
    /// A delta that opens a bracket and one that closes it need each other.
    Brackets,
    /// A line needs the lines around it, and the ones that close its brackets.
    Nesting,
    /// The use of a name needs its definition.
    Name,
    /// A delta that mentions a file needs it.
    File,
}

impl Reason {
    /// Whether a candidate that lacks a need certainly cannot be tested; otherwise that is only
    /// likely.
    pub fn is_certain(self) -> bool {
        matches!(self, Reason::Existence | Reason::Result)
    }
}

impl Dependencies {
    /// Finds the dependencies between the deltas of a decomposition.
    ///
    /// If there is too much to parse, the largest files are not parsed and give fewer dependencies.
    pub fn of(decomposition: &Decomposition) -> Dependencies {
        Dependencies::within(decomposition, &DeltaSet::empty())
    }

    /// Does the same and parses all files of these deltas, which may be few by now.
    pub fn within(decomposition: &Decomposition, deltas: &DeltaSet) -> Dependencies {
        decomposition.look_at_syntax(deltas);
        let mut edges = Edges { decomposition, found: Vec::new() };
        existence::find(&mut edges);
        results::find(&mut edges);
        nesting::find(&mut edges);
        brackets::find(&mut edges);
        blocks::find(&mut edges);
        let mentions = Mentions::of(decomposition);
        names::find(&mut edges, &mentions);
        scopes::find(&mut edges, &mentions);
        signatures::find(&mut edges);
        files::find(&mut edges);
        imports::find(&mut edges, &mentions);
        let mut found = edges.found;
        found.sort_unstable();
        found.dedup_by_key(|edge| (edge.delta, edge.needs));
        Dependencies { edges: found, new_items: items::find(decomposition) }
    }

    /// Returns the dependencies, in order of the deltas.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the first delta of each new function or class, with the rest of it, in order.
    ///
    /// Weaker than the other dependencies: a search that takes the rest of an item along meets
    /// fewer broken programs, but must ignore this in the end to find single lines.
    pub fn new_items(&self) -> &[(Delta, DeltaSet)] {
        &self.new_items
    }
}

/// Dependencies that are being collected, between grains.
struct Edges<'a> {
    decomposition: &'a Decomposition,
    found: Vec<Edge>,
}

impl Edges<'_> {
    fn add(&mut self, grain: u32, needed: u32, reason: Reason) {
        let delta = self.decomposition.delta_of(grain);
        let needs = self.decomposition.delta_of(needed);
        if delta != needs {
            self.found.push(Edge { delta, needs, reason });
        }
    }
}
