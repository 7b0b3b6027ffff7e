//! A search that is kept from asking about what no longer parses.
//!
//! Where a cut goes through a statement, the rest of the statement is taken along: that is a lesson
//! like those that build errors teach, only that it costs nothing.

use std::sync::Arc;

use whodunit_core::{Answer, DeltaSet, Lesson, Search, Step, Task, Verdict};
use whodunit_run::Stop;
use whodunit_versions::ParseGate;

use super::trees::{Space, TreeState};

/// A search over sets of deltas that asks about what parses.
#[derive(Clone)]
pub(super) struct Gated<S> {
    pub(super) search: S,
    space: Arc<Space>,
    mending: Mending,
    /// To mend may take long where large files are cut in many places.
    stop: Stop,
}

/// What is said to a search about what does not parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mending {
    /// What has to be taken along.
    Along,
    /// Nothing: each change counts for itself.
    None,
}

impl<S: Search<Candidate = DeltaSet>> Gated<S> {
    pub(super) fn new(search: S, space: Arc<Space>, mending: Mending, stop: Stop) -> Self {
        let mut gated = Gated { search, space, mending, stop };
        gated.mend();
        gated
    }

    fn gate(&self) -> Option<&Arc<ParseGate>> {
        match &*self.space {
            Space::Deltas(deltas) => deltas.gate.as_ref(),
            Space::Commits(_) | Space::Row(_) => None,
        }
    }

    /// Answers questions about what does not parse, with what would have to be added.
    ///
    /// That ends because the search does, whatever it is answered, and is left off when the run is
    /// stopped: the question at hand is not asked then.
    fn mend(&mut self) {
        let Some(gate) = self.gate().cloned() else { return };
        let stop = self.stop.clone();
        let goes_on = || !stop.is_stopped();
        while let Step::Ask(set) = self.search.step() {
            let Some(broken) = gate.broken(&set, &goes_on) else { return };
            if broken.is_empty() || !goes_on() {
                return;
            }
            let lessons = match self.mending {
                Mending::Along => {
                    let Some(mended) = gate.mend(&set, &goes_on) else { return };
                    self.lessons(&broken, &set, &mended.minus(&set))
                }
                Mending::None => Vec::new(),
            };
            self.search.learn(&Answer { verdict: Verdict::Unresolved, lessons });
        }
    }

    /// Ties what is missing to what is chosen in the same hunk, or else in the same file.
    fn lessons(&self, broken: &[usize], set: &DeltaSet, missing: &DeltaSet) -> Vec<Lesson> {
        let Space::Deltas(deltas) = &*self.space else { return Vec::new() };
        let parts = &deltas.parts;
        let mut lessons = Vec::new();
        for &file in broken {
            let own = parts.deltas_of_file(file);
            let (chosen, missing) = (own.intersection(set), own.intersection(missing));
            let hunk = |delta| parts.part(delta).hunk;
            for delta in chosen.iter() {
                let near: DeltaSet = missing.iter().filter(|&it| hunk(it) == hunk(delta)).collect();
                if !near.is_empty() {
                    lessons.push(Lesson::Implies { delta, needs: near });
                }
            }
            if lessons.is_empty() && !missing.is_empty() {
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

/// A search over sets of deltas as one over trees.
#[derive(Clone)]
pub(super) struct InSpace<S> {
    pub(super) search: S,
    pub(super) space: Arc<Space>,
}

impl<S: Search<Candidate = DeltaSet>> Search for InSpace<S> {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        self.search.step().map(|set| TreeState { space: self.space.clone(), set })
    }

    fn learn(&mut self, answer: &Answer) {
        self.search.learn(answer);
    }

    fn best(&self) -> TreeState {
        TreeState { space: self.space.clone(), set: self.search.best() }
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }

    fn task(&self) -> Option<(usize, Task)> {
        self.search.task()
    }
}

#[cfg(test)]
mod tests {
    use whodunit_versions::{Content, Entry, EntryKind, Level, TreePath, Version, decompose};

    use super::super::trees::Deltas;
    use super::*;

    /// Asks about the same without end, and stops the run at the third answer.
    #[derive(Clone)]
    struct Stubborn {
        answers: usize,
        stop: Stop,
    }

    impl Search for Stubborn {
        type Candidate = DeltaSet;

        fn step(&self) -> Step<DeltaSet> {
            Step::Ask(DeltaSet::run(0..1))
        }

        fn learn(&mut self, _: &Answer) {
            self.answers += 1;
            if self.answers == 3 {
                self.stop.stop();
            }
        }

        fn best(&self) -> DeltaSet {
            DeltaSet::full(3)
        }

        fn likely(&self) -> f64 {
            0.5
        }
    }

    fn version(text: &str) -> Version {
        let content = Content::bytes(text.as_bytes().to_vec());
        let entry = Entry { kind: EntryKind::Regular, content };
        [(TreePath::from("a.c"), entry)].into_iter().collect()
    }

    #[test]
    fn a_stop_is_heeded_although_nothing_that_is_asked_parses() {
        let (good, bad) = (version("int x;\n"), version("int x;\nint f(void) {\nreturn 2;\n}\n"));
        let parts = Arc::new(decompose(&good, &bad, Level::Line).unwrap());
        let space = Arc::new(Space::Deltas(Deltas::new(parts, true)));
        let stop = Stop::default();
        let search = Stubborn { answers: 0, stop: stop.clone() };
        let gated = Gated::new(search, space, Mending::Along, stop);
        assert_eq!(gated.search.answers, 3);
    }
}
