//! Keeps a search from asking about candidates that do not parse.
//!
//! Where a cut goes through a statement, the rest of the statement is added: a lesson like those of
//! build errors, but without a test.

use std::sync::Arc;

use super::knowledge::Knowledge;
use super::layout::Layout;
use crate::{Answer, DeltaSet, Lesson, Search, Step, Verdict};

/// A search over sets of deltas that skips candidates that do not parse.
#[derive(Clone)]
pub struct Gated<S> {
    /// The search.
    pub search: S,
    layout: Arc<Layout>,
    knowledge: Arc<dyn Knowledge>,
    mending: Mending,
}

/// The lesson of a search about a candidate that does not parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// The changes that have to be added.
    Along,
    /// Nothing: each change counts by itself.
    None,
}

impl<S: Search<Candidate = DeltaSet>> Gated<S> {
    /// Keeps a search from asking about candidates that do not parse.
    pub fn new(
        search: S,
        layout: &Arc<Layout>,
        knowledge: &Arc<dyn Knowledge>,
        mending: Mending,
    ) -> Self {
        let (layout, knowledge) = (layout.clone(), knowledge.clone());
        let mut gated = Gated { search, layout, knowledge, mending };
        gated.mend();
        gated
    }

    /// Answers questions about candidates that do not parse as unresolved, with the missing changes
    /// as lessons.
    ///
    /// The loop ends because the search ends whatever it learns. When the run is stopped the loop
    /// ends at once: the question at hand is then not asked.
    fn mend(&mut self) {
        while let Step::Ask(set) = self.search.step() {
            let broken = self.knowledge.broken(&set);
            if broken.is_empty() || self.knowledge.is_over() {
                return;
            }
            let lessons = match self.mending {
                Mending::Along => {
                    let Some(mended) = self.knowledge.mended(&set) else { return };
                    self.lessons(&broken, &set, &mended.minus(&set))
                }
                Mending::None => Vec::new(),
            };
            self.search.learn(&Answer { verdict: Verdict::Unresolved, lessons });
        }
    }

    /// Makes chosen changes need the missing ones of their hunk, or else of their file.
    fn lessons(&self, broken: &[usize], set: &DeltaSet, missing: &DeltaSet) -> Vec<Lesson> {
        let mut lessons = Vec::new();
        for &file in broken {
            let before = lessons.len();
            let own = self.layout.of_file(file);
            let (chosen, missing) = (own.intersection(set), own.intersection(missing));
            let hunk = |delta| self.layout.place(delta).hunk;
            for delta in chosen.iter() {
                let near: DeltaSet = missing.iter().filter(|&it| hunk(it) == hunk(delta)).collect();
                if !near.is_empty() {
                    lessons.push(Lesson::Implies { delta, needs: near });
                }
            }
            if lessons.len() == before && !missing.is_empty() {
                let tie = |delta| Lesson::Implies { delta, needs: missing.clone() };
                lessons.extend(chosen.iter().map(tie));
            }
        }
        lessons
    }
}

impl<S: Search<Candidate = DeltaSet>> Search for Gated<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.search.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.search.learn(answer);
        self.mend();
    }

    fn best(&self) -> DeltaSet {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::strategy::Place;

    /// Nothing parses, and the run is stopped after three replies.
    #[derive(Default)]
    struct Hopeless(AtomicUsize);

    impl Knowledge for Hopeless {
        fn broken(&self, _: &DeltaSet) -> Vec<usize> {
            self.0.fetch_add(1, Ordering::Relaxed);
            vec![0]
        }

        fn mended(&self, changes: &DeltaSet) -> Option<DeltaSet> {
            Some(changes.clone())
        }

        fn is_over(&self) -> bool {
            self.0.load(Ordering::Relaxed) > 3
        }
    }

    /// Asks about the same set without end.
    #[derive(Clone)]
    struct Stubborn(usize);

    impl Search for Stubborn {
        type Candidate = DeltaSet;

        fn step(&self) -> Step<DeltaSet> {
            Step::Ask(DeltaSet::run(0..1))
        }

        fn learn(&mut self, _: &Answer) {
            self.0 += 1;
        }

        fn best(&self) -> DeltaSet {
            DeltaSet::full(3)
        }
    }

    #[test]
    fn a_stop_is_heeded_although_nothing_that_is_asked_parses() {
        let layout =
            Layout::new(vec![Place::default(); 3], (0..3).map(crate::Delta).collect(), vec![0; 2]);
        let knowledge: Arc<dyn Knowledge> = Arc::new(Hopeless::default());
        let gated = Gated::new(Stubborn(0), &Arc::new(layout), &knowledge, Mending::Along);
        assert_eq!(gated.search.0, 3);
    }
}
