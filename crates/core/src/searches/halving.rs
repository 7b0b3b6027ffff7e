//! `halving`: reduces a failing list by bisection from right to left (Artho, "Iterative delta
//! debugging", 2011, 3.1 to 3.4 and Figure 3).
//!
//! A chunk is dropped as a whole if the failure stays; otherwise its right half is tried, then its
//! left. Over a [`Hierarchy`] the halves are made of whole files, then of whole hunks, then of
//! lines. The paper calls a test that keeps the tracked behaviour "passing"; here that is `Fail`,
//! and `Unresolved` counts as not failing. The paper's cache of earlier outcomes is one flag here:
//! after the right half was dropped, dropping the left half too would repeat the question about
//! the whole chunk.

use std::ops::Range;
use std::sync::Arc;

use crate::hierarchy::Part;
use crate::{Answer, DeltaSet, Hierarchy, Search, Step};

/// The search; see the module's text.
///
/// At most 2n−1 tests for n deltas. There is one walk only, so a survivor was needed when it was
/// tried but may have become dispensable since; searching the result again settles that.
#[derive(Clone, Debug)]
pub struct Halving {
    hierarchy: Hierarchy,
    /// The smallest candidate that was seen to fail.
    kept: DeltaSet,
    /// The chunks still to be tried, the next one last; that one is never known to be needed.
    ahead: Vec<Chunk>,
}

#[derive(Clone, Debug)]
struct Chunk {
    extent: Extent,
    place: Place,
}

/// The content of a chunk.
#[derive(Clone, Debug)]
enum Extent {
    /// Some of the parts of one node.
    Parts { parts: Arc<[Part]>, chosen: Range<usize> },
    /// Deltas that no node divides further.
    Run(Range<u32>),
}

/// How a chunk came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Whole,
    Left,
    /// The left half of the same chunk comes next.
    Right,
}

impl Halving {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        Self::over(Hierarchy::flat(count))
    }

    /// Starts with all deltas of a hierarchy, which together are known to fail.
    pub fn over(hierarchy: Hierarchy) -> Self {
        let deltas = hierarchy.deltas(hierarchy.root());
        let parts: Arc<[Part]> =
            [Part { deltas: deltas.clone(), node: Some(hierarchy.root()) }].into();
        let whole = Chunk { extent: Extent::Parts { parts, chosen: 0..1 }, place: Place::Whole };
        let ahead = if deltas.is_empty() { Vec::new() } else { vec![whole] };
        Halving { hierarchy, kept: DeltaSet::run(deltas), ahead }
    }

    /// Puts the halves of a needed chunk ahead, unless it is a single delta. If they differ in
    /// size the right half is the larger one.
    fn divide(&mut self, chunk: Chunk) {
        let (left, right) = match self.dissect(chunk.extent) {
            Extent::Parts { parts, chosen: Range { start, end } } => {
                let middle = start.midpoint(end);
                let half = |chosen| Extent::Parts { parts: parts.clone(), chosen };
                (half(start..middle), half(middle..end))
            }
            Extent::Run(Range { start, end }) if end - start == 1 => return,
            Extent::Run(Range { start, end }) => {
                let middle = start.midpoint(end);
                (Extent::Run(start..middle), Extent::Run(middle..end))
            }
        };
        self.ahead.push(Chunk { extent: left, place: Place::Left });
        self.ahead.push(Chunk { extent: right, place: Place::Right });
    }

    /// Descends from a single part until there are several parts, or a run of deltas.
    fn dissect(&self, mut extent: Extent) -> Extent {
        loop {
            let Extent::Parts { parts, chosen } = &extent else { return extent };
            let [only] = &parts[chosen.clone()] else { return extent };
            extent = match only.node {
                None => Extent::Run(only.deltas.clone()),
                Some(node) => {
                    let parts: Arc<[Part]> = self.hierarchy.parts(node).into();
                    Extent::Parts { chosen: 0..parts.len(), parts }
                }
            };
        }
    }
}

impl Chunk {
    fn deltas(&self) -> DeltaSet {
        DeltaSet::run(match &self.extent {
            Extent::Parts { parts, chosen } => {
                parts[chosen.start].deltas.start..parts[chosen.end - 1].deltas.end
            }
            Extent::Run(deltas) => deltas.clone(),
        })
    }
}

impl Search for Halving {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.ahead.last() {
            Some(chunk) => Step::Ask(self.kept.minus(&chunk.deltas())),
            None => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(mut chunk) = self.ahead.pop() else { return };
        if answer.verdict.is_fail() {
            self.kept = self.kept.minus(&chunk.deltas());
            if chunk.place != Place::Right {
                return;
            }
            // Dropping the left half too would repeat the question about the whole chunk, which
            // did not fail; so the left half is divided without a question.
            chunk = self.ahead.pop().expect("the left half waits below the right one");
        }
        self.divide(chunk);
    }

    fn best(&self) -> DeltaSet {
        self.kept.clone()
    }

    fn likely(&self) -> f64 {
        match self.ahead.last().map(|chunk| chunk.place) {
            // Something is nearly always needed.
            Some(Place::Whole) => 0.02,
            // At least one half of a needed chunk is needed, seldom both if few deltas are.
            _ => 0.5,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs};

    #[test]
    fn a_question_known_from_backtracking_is_skipped() {
        check(
            Halving::new(8),
            needs(&[6]),
            "
            ........ ✓
            ####.... ✓
            ######.. ✗
            #####... ✓
            ####.#.. ✗
            .....#.. ✗
            .....#.. =
            ",
        );
    }

    #[test]
    fn what_remains_of_a_needed_chunk_is_needed() {
        check(
            Halving::new(4),
            needs(&[1]),
            "
            .... ✓
            ##.. ✗
            #... ✗
            #... =
            ",
        );
    }

    #[test]
    fn files_go_before_hunks_and_hunks_before_lines() {
        let mut patch = Hierarchy::builder();
        patch.open().open().deltas(2).close().close();
        patch.open().open().deltas(3).close().open().deltas(1).close().close();
        patch.open().open().deltas(2).close().close();
        check(
            Halving::over(patch.build()),
            needs(&[4]),
            "
            ........ ✓
            ##...... ✓
            ######.. ✗
            #####... ✗
            ###..... ✓
            ####.... ✗
            ##.#.... ✗
            ...#.... ✗
            ...#.... =
            ",
        );
    }

    #[test]
    fn all_that_cannot_be_dropped_takes_two_tests_a_delta_less_one() {
        let drawing = crate::drawing::draw(Halving::new(13), needs(&Vec::from_iter(1..=13)));
        assert_eq!(drawing.lines().count() - 1, 2 * 13 - 1);
    }

    #[test]
    fn ten_thousand_nodes_inside_each_other_are_fine() {
        let mut tree = Hierarchy::builder();
        for _ in 0..10_000 {
            tree.open().deltas(1);
        }
        let mut search = Halving::over(tree.build());
        while let Step::Ask(question) = search.step() {
            search.learn(&needs(&[9_999])(&question).into());
        }
        assert_eq!(search.best(), crate::drawing::numbered(&[9_999]));
    }

    #[test]
    fn nothing_is_asked_about_nothing() {
        check(Halving::new(0), needs(&[]), "=");
    }
}
