//! A strategy of several searches, written as a function, is one search.
//!
//! The function asks a search, looks at its result, and decides which search comes next. A search must
//! be copyable at any point, and a half-run function is not. So the function is run again from its
//! beginning whenever a search has ended, and its earlier calls return the stored results:
//!
//! ```text
//! script                          1st time   2nd time   3rd time
//! let files = run.ask(files)?;    asks       stored     stored
//! let lines = run.ask(lines)?;               asks       stored
//! Ok(lines)                                             returns
//! ```
//!
//! The function must be pure: with the same results it does the same. [`Run::once`] stores the results
//! of long computations. Look-ahead crosses from one search of the script to the next, because a copy
//! continues like the original.

mod boxed;

use std::any::Any;
use std::ops::{AddAssign, Sub};
use std::sync::Arc;

use crate::{Answer, Search, Step, Task, Verdict};
use boxed::Boxed;

/// A stored result: a finished search, or a computed value.
#[derive(Clone)]
struct Known {
    value: Arc<dyn Any + Send + Sync>,
    /// How many answers the search took; none for a computed value.
    answers: Answers,
}

/// A strategy: returns its outcome, or waits for a search to end.
pub type Script<'s, C, O> = dyn Fn(&mut Run<C>) -> Result<O, Waits> + 's;

/// The script cannot go on before a search has ended.
#[derive(Debug)]
pub struct Waits(());

/// A count of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// All answers.
    pub all: u64,
    /// Answers that say neither that the failure is there nor that it is not.
    pub unresolved: u64,
}

impl Answers {
    /// Whether most of them are unresolved.
    pub fn are_mostly_unresolved(self) -> bool {
        self.unresolved * 2 > self.all
    }

    fn count(&mut self, verdict: Verdict) {
        self.all += 1;
        self.unresolved += u64::from(verdict == Verdict::Unresolved);
    }
}

impl AddAssign for Answers {
    fn add_assign(&mut self, more: Answers) {
        self.all += more.all;
        self.unresolved += more.unresolved;
    }
}

impl Sub for Answers {
    type Output = Answers;

    fn sub(self, before: Answers) -> Answers {
        Answers { all: self.all - before.all, unresolved: self.unresolved - before.unresolved }
    }
}

/// One run of a script: asks its searches and hands their results to the script.
pub struct Run<C> {
    known: Vec<Known>,
    /// How many of the `known` results the script has taken so far.
    told: usize,
    answers: Answers,
    /// Nothing more may be asked: searches are returned unfinished.
    is_over: bool,
    waiting: Option<Busy<C>>,
}

impl<C: Clone + 'static> Run<C> {
    /// Asks a search until it is done, and returns it. `task` says what it is for.
    ///
    /// Where nothing more may be asked, the search is returned as it is: its `best` is then the
    /// best known candidate, and its `step` still asks.
    pub fn ask<S>(&mut self, task: Task, make: impl FnOnce() -> S) -> Result<S, Waits>
    where
        S: Search<Candidate = C> + Send + Sync + 'static,
    {
        if let Some(ended) = self.next_known::<S>() {
            return Ok(ended);
        }
        let search = make();
        if self.is_over || matches!(search.step(), Step::Done) {
            self.know(search.clone());
            return Ok(search);
        }
        let (number, answers) = (self.known.len(), Answers::default());
        self.waiting = Some(Busy { search: Boxed::new(search), task, number, answers });
        Err(Waits(()))
    }

    /// Computes a value once; later runs of the script get the stored value.
    pub fn once<T: Clone + Send + Sync + 'static>(&mut self, compute: impl FnOnce() -> T) -> T {
        if let Some(value) = self.next_known::<T>() {
            return value;
        }
        let value = compute();
        self.know(value.clone());
        value
    }

    /// Returns how many answers the finished searches of the script had so far.
    pub fn answers(&self) -> Answers {
        self.answers
    }

    fn next_known<T: Clone + 'static>(&mut self) -> Option<T> {
        let Known { value, answers } = self.known.get(self.told)?;
        self.told += 1;
        self.answers += *answers;
        let value = value.downcast_ref::<T>();
        Some(value.expect("a script that is told the same does the same").clone())
    }

    fn know<T: Send + Sync + 'static>(&mut self, value: T) {
        self.known.push(Known { value: Arc::new(value), answers: Answers::default() });
        self.told += 1;
    }
}

/// The search that the script waits for.
#[derive(Clone)]
struct Busy<C> {
    search: Boxed<C>,
    task: Task,
    /// Tells searches with the same task apart.
    number: usize,
    answers: Answers,
}

impl<C> Busy<C> {
    fn ended(&self) -> Known {
        Known { value: self.search.inner(), answers: self.answers }
    }
}

/// A script as a search; see the module's text.
pub struct Scripted<'s, C, O> {
    script: &'s Script<'s, C, O>,
    known: Vec<Known>,
    /// The search that is being asked; `None` when the script has ended.
    busy: Option<Busy<C>>,
    /// The smallest candidate of the search asked last.
    best: C,
    outcome: Option<O>,
}

impl<C: Clone, O: Clone> Clone for Scripted<'_, C, O> {
    fn clone(&self) -> Self {
        Scripted {
            script: self.script,
            known: self.known.clone(),
            busy: self.busy.clone(),
            best: self.best.clone(),
            outcome: self.outcome.clone(),
        }
    }
}

impl<'s, C: Clone + 'static, O: Clone> Scripted<'s, C, O> {
    /// Begins a script. `failing` is known to fail.
    pub fn new(script: &'s Script<'s, C, O>, failing: C) -> Self {
        let mut scripted =
            Scripted { script, known: Vec::new(), busy: None, best: failing, outcome: None };
        scripted.go_on();
        scripted
    }

    /// Returns the outcome of the script. If the script has not ended, returns the outcome it would
    /// have if nothing more were asked.
    pub fn conclude(&self) -> O {
        if let Some(outcome) = &self.outcome {
            return outcome.clone();
        }
        let mut known = self.known.clone();
        known.extend(self.busy.iter().map(Busy::ended));
        match self.run(known, true) {
            (Ok(outcome), _) => outcome,
            (Err(Waits(())), _) => unreachable!("a script that is over waits for nothing"),
        }
    }

    fn run(&self, known: Vec<Known>, is_over: bool) -> (Result<O, Waits>, Run<C>) {
        let answers = Answers::default();
        let mut run = Run { known, told: 0, answers, is_over, waiting: None };
        let outcome = (self.script)(&mut run);
        (outcome, run)
    }

    /// Runs the script until it needs an answer.
    fn go_on(&mut self) {
        let known = std::mem::take(&mut self.known);
        let (outcome, run) = self.run(known, false);
        self.outcome = outcome.ok();
        (self.known, self.busy) = (run.known, run.waiting);
        if let Some(busy) = &self.busy {
            self.best = busy.search.best();
        }
    }
}

impl<C: Clone + 'static, O: Clone> Search for Scripted<'_, C, O> {
    type Candidate = C;

    fn step(&self) -> Step<C> {
        self.busy.as_ref().map_or(Step::Done, |busy| busy.search.step())
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(busy) = &mut self.busy else { return };
        busy.answers.count(answer.verdict);
        busy.search.learn(answer);
        if matches!(busy.search.step(), Step::Done) {
            self.best = busy.search.best();
            self.known.push(busy.ended());
            self.go_on();
        }
    }

    fn best(&self) -> C {
        self.busy.as_ref().map_or_else(|| self.best.clone(), |busy| busy.search.best())
    }

    fn likely(&self) -> f64 {
        self.busy.as_ref().map_or(0.0, |busy| busy.search.likely())
    }

    fn heeds_unresolved(&self) -> bool {
        // The script may look at the number of unresolved answers even where its search ignores
        // them.
        self.busy.is_some()
    }

    fn task(&self) -> Option<(usize, Task)> {
        self.busy.as_ref().map(|busy| (busy.number, busy.task))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searches::{Ddmin, Each};
    use crate::{Aim, Delta, DeltaSet};

    fn task(among: usize) -> Task {
        Task { aim: Aim::Culprit, among }
    }

    /// Looks for the needed tens, then for the needed ones within them.
    fn tens_then_ones(run: &mut Run<DeltaSet>) -> Result<(DeltaSet, Answers), Waits> {
        let tens = run.ask(task(5), || Tens(Ddmin::new(5)))?;
        let coarse = run.answers();
        let left = tens.best();
        let ones = run.once(|| left.iter().collect::<Vec<Delta>>());
        let search = run.ask(task(ones.len()), || Ones(Ddmin::new(ones.len()), ones.into()))?;
        Ok((search.best(), coarse))
    }

    /// Each element stands for ten deltas.
    #[derive(Clone)]
    struct Tens(Ddmin);

    /// Each element stands for one delta of a list.
    #[derive(Clone)]
    struct Ones(Ddmin, Arc<[Delta]>);

    macro_rules! over {
        ($name:ident, $set:expr) => {
            impl Search for $name {
                type Candidate = DeltaSet;
                fn step(&self) -> Step<DeltaSet> {
                    self.0.step().map(|set| $set(self, &set))
                }
                fn learn(&mut self, answer: &Answer) {
                    self.0.learn(answer);
                }
                fn best(&self) -> DeltaSet {
                    $set(self, &self.0.best())
                }
            }
        };
    }

    over!(Tens, |_: &Tens, set: &DeltaSet| {
        let ten = |delta: Delta| DeltaSet::run(delta.0 * 10..delta.0 * 10 + 10).runs().next();
        set.iter().filter_map(ten).collect::<DeltaSet>()
    });
    over!(Ones, |it: &Ones, set: &DeltaSet| {
        set.iter().map(|place| it.1[place.0 as usize]).collect::<DeltaSet>()
    });

    fn needs(needed: &[u32]) -> impl Fn(&DeltaSet) -> Verdict + '_ {
        move |set| match needed.iter().all(|&it| set.contains(Delta(it))) {
            true => Verdict::Fail,
            false => Verdict::Pass,
        }
    }

    /// Asks at most `most` questions.
    fn drive<O: Clone>(
        search: &mut Scripted<'_, DeltaSet, O>,
        oracle: impl Fn(&DeltaSet) -> Verdict,
        most: usize,
    ) -> Vec<DeltaSet> {
        let mut asked = Vec::new();
        while let (Step::Ask(question), true) = (search.step(), asked.len() < most) {
            let verdict = oracle(&question);
            asked.push(question);
            search.learn(&Answer::from(verdict));
        }
        asked
    }

    #[test]
    fn one_search_follows_the_other() {
        let mut search = Scripted::new(&tens_then_ones, DeltaSet::full(50));
        assert_eq!(search.task(), Some((0, task(5))));
        let asked = drive(&mut search, needs(&[23, 41]), usize::MAX);
        let (found, coarse) = search.conclude();
        assert_eq!(found, [Delta(23), Delta(41)].into_iter().collect());
        assert!(coarse.all > 0 && coarse.all < asked.len() as u64);
        assert_eq!((search.best(), search.task()), (found, None));
    }

    #[test]
    fn a_copy_goes_on_like_the_original() {
        for at in 0..30 {
            let mut original = Scripted::new(&tens_then_ones, DeltaSet::full(50));
            drive(&mut original, needs(&[7, 38]), at);
            let mut copy = original.clone();
            let asked = drive(&mut copy, needs(&[7, 38]), usize::MAX);
            assert_eq!(asked, drive(&mut original, needs(&[7, 38]), usize::MAX));
            assert_eq!(copy.conclude(), original.conclude());
        }
    }

    #[test]
    fn a_script_that_is_cut_off_says_what_was_known() {
        for most in 0..40 {
            let mut search = Scripted::new(&tens_then_ones, DeltaSet::full(50));
            drive(&mut search, needs(&[11]), most);
            let (left, _) = search.conclude();
            assert!(left.contains(Delta(11)) && needs(&[11])(&left) == Verdict::Fail);
        }
    }

    #[test]
    fn what_is_unresolved_is_heeded_because_it_is_counted() {
        let script = |run: &mut Run<DeltaSet>| {
            run.ask(task(4), || Ddmin::new(4))?;
            Ok(run.answers().unresolved)
        };
        let unresolved = |verdict: Verdict| {
            let mut search = Scripted::new(&script, DeltaSet::full(4));
            assert!(search.heeds_unresolved() && !Ddmin::new(4).heeds_unresolved());
            drive(&mut search, |_| verdict, usize::MAX);
            search.conclude()
        };
        assert!(unresolved(Verdict::Unresolved) > unresolved(Verdict::Pass));
    }

    #[test]
    fn what_is_computed_is_computed_once() {
        let computed = std::cell::Cell::new(0);
        let script = |run: &mut Run<DeltaSet>| {
            let count = run.once(|| {
                computed.set(computed.get() + 1);
                3
            });
            for _ in 0..4 {
                run.ask(task(count), || Ddmin::new(count))?;
            }
            Ok(())
        };
        let mut search = Scripted::new(&script, DeltaSet::full(3));
        drive(&mut search, needs(&[1]), usize::MAX);
        search.conclude();
        assert_eq!(computed.get(), 1);
    }

    #[test]
    fn a_search_without_questions_is_passed_over() {
        let script = |run: &mut Run<DeltaSet>| {
            run.ask(task(1), || Each::new(0))?;
            Ok(run.answers().all)
        };
        let search = Scripted::new(&script, DeltaSet::full(3));
        assert_eq!((search.step(), search.conclude()), (Step::Done, 0));
    }
}
