//! The subject for programs that use the library: any list, and a function as oracle.

use std::convert::Infallible;
use std::ops::Range;

use crate::{Ask, Ended, Engine, EngineError, Key, Memory, Observer, Size, Stop, Subject, Tally};
use whodunit_core::searches::Blocks;
use whodunit_core::{DeltaSet, Search, Verdict};

/// Finds a smallest part of a list that still fails.
///
/// The oracle takes a part of the list and returns whether the failure is there: a `bool`, or a
/// [`Verdict`] if a part may also be untestable.
///
/// ```
/// use whodunit_run::Minimize;
///
/// let moves = ["open", "zoom", "draw", "undo", "save", "undo", "close"];
/// let crashes = |kept: &[&str]| kept.contains(&"undo") && kept.contains(&"save");
/// let minimal = Minimize::new(&moves).jobs(2).run(crashes)?;
/// assert_eq!(minimal.kept, ["undo", "save"]);
/// # Ok::<(), whodunit_run::MinimizeError>(())
/// ```
pub struct Minimize<'a, T> {
    items: &'a [T],
    jobs: usize,
    max_tests: Option<u64>,
    stop: Stop,
}

/// The result of [`Minimize`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Minimal<T> {
    /// The remaining items: together they fail, and without any one of them they do not.
    pub kept: Vec<T>,
    /// The same by place in the list.
    pub deltas: DeltaSet,
    /// Why the search ended; only after [`Ended::Done`] every item is known to be needed.
    pub ended: Ended,
    /// How many tests it took.
    pub tests: Tally,
}

/// Why a list could not be minimised.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MinimizeError {
    /// The whole list does not fail.
    #[error("the whole list does not fail to begin with: {0:?}")]
    DoesNotFail(Verdict),
    /// The search could not go on.
    #[error(transparent)]
    Engine(#[from] EngineError<Infallible>),
}

impl<'a, T: Clone + Sync> Minimize<'a, T> {
    /// Starts with the whole list.
    pub fn new(items: &'a [T]) -> Self {
        Minimize { items, jobs: 1, max_tests: None, stop: Stop::default() }
    }

    /// Sets how many questions may be asked at once. The answer does not depend on it.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets the number of tests after which it ends; the one of the whole list does not count.
    #[must_use]
    pub fn max_tests(mut self, max_tests: u64) -> Self {
        self.max_tests = Some(max_tests);
        self
    }

    /// Sets a switch, or a moment, that ends the search early.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Asks `oracle` about parts of the list until none can be left out.
    pub fn run<V: Into<Verdict>>(
        self,
        oracle: impl Fn(&[T]) -> V + Sync,
    ) -> Result<Minimal<T>, MinimizeError> {
        let count = self.items.len();
        self.run_with(Blocks::new(count), oracle, &mut ())
    }

    /// Does the same with another search and an observer.
    pub fn run_with<S: Search<Candidate = DeltaSet>, V: Into<Verdict>>(
        self,
        search: S,
        oracle: impl Fn(&[T]) -> V + Sync,
        observer: &mut dyn Observer,
    ) -> Result<Minimal<T>, MinimizeError> {
        let items = self.items;
        let ask = |kept: &DeltaSet| -> Verdict { oracle(&pick(items, kept)).into() };
        match ask(&DeltaSet::full(items.len())) {
            Verdict::Fail => {}
            verdict => return Err(MinimizeError::DoesNotFail(verdict)),
        }
        let engine = Engine {
            subject: &List,
            memory: &mut Memory::default(),
            max_tests: self.max_tests,
            stop: self.stop.clone(),
            observer,
            keep: &mut |_, _, _| Ok(()),
        };
        let workers = (0..self.jobs).map(|_| Ask(&ask)).collect();
        let outcome = engine.run(search, workers)?;
        if let Some(message) = self.stop.panic() {
            // The oracle is the caller's own code, and so is its panic.
            panic!("{message}");
        }
        let deltas = outcome.search.best();
        let kept = pick(items, &deltas);
        Ok(Minimal { kept, deltas, ended: outcome.ended, tests: outcome.tally })
    }
}

fn pick<T: Clone>(items: &[T], kept: &DeltaSet) -> Vec<T> {
    let range = |run: Range<u32>| run.start as usize..run.end as usize;
    kept.runs().flat_map(|run| items[range(run)].iter().cloned()).collect()
}

/// A list of anything; the kept places identify a candidate.
struct List;

impl Subject for List {
    type Candidate = DeltaSet;

    fn key(&self, kept: &DeltaSet) -> Key {
        let mut bytes = Vec::new();
        for run in kept.runs() {
            bytes.extend_from_slice(&run.start.to_le_bytes());
            bytes.extend_from_slice(&run.end.to_le_bytes());
        }
        Key::of_bytes(&bytes)
    }

    fn size(&self, kept: &DeltaSet) -> Size {
        Size { deltas: kept.len(), bytes: kept.len() as u64 }
    }
}
