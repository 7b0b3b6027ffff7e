//! `closure`: finds the smallest set of changes that makes a failure, where not all changes can be
//! tested without others. The default for changes.
//!
//! Every question holds all deltas that its deltas are known to need (dependency-closed reduction:
//! Kalhauge and Palsberg, "Binary reduction of dependency graphs", 2019, and "Logical bytecode
//! reduction", 2021). The phases:
//!
//! - **Isolation** keeps a candidate that passes and one that fails, cuts their difference in two, and
//!   moves one of the two candidates. An unresolved question with a lesson is asked again with the
//!   missing deltas added: the failure resolution loop of Zeller, "Yesterday, my program worked. Today,
//!   it does not. Why?", 1999, section 8. Where cuts stay unresolved without a lesson, it asks about
//!   small blocks close to the two candidates.
//! - **Widening**: culprits are often neighbours, so where the culprit found does not fail alone, this
//!   phase asks whether its surroundings (its hunk, its file) fail alone.
//! - **Climbing**: where they do not, the culprit interferes with something in the passing candidate.
//!   The passing candidates on the way there are searched with the culprit kept, and the next culprit is
//!   isolated in turn; so k culprits of n changes cost about k log2 n (1999, section 4).
//! - **Minimising** leaves out deltas that are not needed, at the end one by one.
//!
//! With implications that form a chain this is a binary search.

mod changes;
mod climb;
mod cut;
mod isolation;
mod minimise;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use changes::{Boundaries, ChangeSet, Weights};

use crate::{Answer, DeltaSet, Search, Step, Verdict};
use climb::{Climb, Rungs};
use isolation::Isolation;
use minimise::Minimise;

/// The number of answers remembered, so that no recent question is asked again. Enough for the
/// questions of one isolation; the driver of the search may remember more.
const REMEMBERED: usize = 64;

/// At most this many sets around the culprits are tested. These tests bring nothing if the culprits
/// are far apart.
const SURROUNDINGS: usize = 2;

/// A failing set around the culprits with at most this many deltas is minimised directly. In a
/// larger one the search climbs for one culprit after the other, which pays off where few of many
/// are culprits.
const NEIGHBOURS: usize = 64;

/// The search; see the module's text.
///
/// The empty candidate must pass. At the end [`best`](Search::best) fails, and stops failing when
/// any of its deltas is left out together with its dependents. Two kinds of deltas are not tested
/// singly: deltas that need each other, and deltas that a needed one needs. Lessons count if the
/// answer is unresolved; wrong ones cost tests, not the answer.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The facts known about the changes, lessons included. `failing` stays the candidate that the
    /// search started from.
    changes: Arc<ChangeSet>,
    /// The smallest candidate known to fail.
    best: DeltaSet,
    /// The culprits that the isolations found.
    found: DeltaSet,
    rungs: Rungs,
    /// Whether an earlier isolation had to give up cutting its difference in two.
    blind: bool,
    phase: Phase,
    /// The question at hand, `None` when done.
    question: Option<DeltaSet>,
    memory: Arc<Vec<(DeltaSet, Verdict)>>,
    tally: Tally,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Asks first about this set, which is probably the answer.
    Suspecting(DeltaSet),
    Isolating(Isolation),
    Climbing(Climb),
    Widening(Widening),
    Minimising(Minimise),
}

/// Sets around the culprits that may fail alone.
#[derive(Clone, Debug)]
struct Widening {
    /// The widest first; the last one is asked about next.
    around: Vec<DeltaSet>,
    /// The climb to continue with if none of the sets fails.
    climb: Climb,
}

/// A count of the answers.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    asked: usize,
    unresolved: usize,
}

impl Closure {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        Self::over(ChangeSet::new(count))
    }

    /// Starts with the facts known about a set of changes. If `failing` satisfies the known
    /// implications, so does every question.
    pub fn over(changes: ChangeSet) -> Self {
        Self::start(changes, None)
    }

    /// Starts by asking whether `suspects`, with the deltas they need, are the answer.
    pub fn suspecting(changes: ChangeSet, suspects: DeltaSet) -> Self {
        Self::start(changes, Some(suspects))
    }

    /// Returns the facts known about the changes, lessons included.
    pub fn changes(&self) -> &ChangeSet {
        &self.changes
    }

    fn start(changes: ChangeSet, suspects: Option<DeltaSet>) -> Self {
        let best = changes.failing.clone();
        let low = (DeltaSet::empty(), true);
        let phase = match suspects {
            Some(suspects) => Phase::Suspecting(suspects),
            None => Phase::Isolating(Isolation::new(&changes, low, best.clone(), false)),
        };
        let mut search = Closure {
            changes: Arc::new(changes),
            best,
            found: DeltaSet::empty(),
            rungs: Arc::new(vec![DeltaSet::empty()]),
            blind: false,
            phase,
            question: None,
            memory: Arc::default(),
            tally: Tally::default(),
        };
        search.settle();
        search
    }

    /// Moves on to the next question whose answer is not known.
    fn settle(&mut self) {
        while let Some(question) = self.next_question() {
            let known = self.known(&question);
            match (&mut self.phase, known) {
                (Phase::Isolating(isolation), _) if isolation.is_pointless(&question) => {
                    isolation.turn_away(&self.changes);
                }
                (_, Some(verdict)) => self.decide(question, verdict),
                (_, None) => {
                    self.question = Some(question);
                    return;
                }
            }
        }
    }

    /// Returns the next question, moving on to the next phase that has one.
    fn next_question(&mut self) -> Option<DeltaSet> {
        loop {
            if let Some(question) = self.phase_question() {
                return Some(question);
            }
            let next = match &self.phase {
                Phase::Isolating(isolation) => {
                    self.found = self.found.union(&isolation.difference());
                    self.blind |= isolation.is_blind();
                    Phase::Climbing(Climb::new(&self.rungs))
                }
                Phase::Climbing(climb) => self.after_climbing(climb.clone()),
                Phase::Suspecting(_) | Phase::Widening(_) | Phase::Minimising(_) => return None,
            };
            self.phase = next;
        }
    }

    fn phase_question(&self) -> Option<DeltaSet> {
        match &self.phase {
            Phase::Suspecting(suspects) => Some(self.with_needs(suspects)),
            Phase::Isolating(isolation) => isolation.question(&self.changes),
            Phase::Climbing(climb) => {
                let rung = &self.rungs[climb.rung()?];
                Some(rung.union(&self.with_needs(&self.found)))
            }
            Phase::Widening(widening) => Some(self.with_needs(widening.around.last()?)),
            Phase::Minimising(minimise) => minimise.question(&self.changes),
        }
    }

    /// Returns the sets around the culprits that are worth asking about, the widest first.
    fn surroundings(&self) -> Vec<DeltaSet> {
        let boundaries = &self.changes.boundaries;
        let mut around = Vec::new();
        let mut last = self.with_needs(&self.found);
        for level in 1..=boundaries.coarsest() {
            let next = boundaries.around(&self.found, level).intersection(&self.best);
            if around.len() == SURROUNDINGS || next.len() * 2 > self.best.len() {
                break;
            }
            // A set that needs the whole of `best` tells nothing new, and would be asked about for
            // ever.
            if !next.is_subset(&last) && self.with_needs(&next) != self.best {
                around.push(next.clone());
                last = next;
            }
        }
        around.reverse();
        around
    }

    fn after_climbing(&mut self, climb: Climb) -> Phase {
        if climb.is_at_the_bottom() {
            return Phase::Minimising(Minimise::new(&self.changes, self.best.clone()));
        }
        let Some(below) = climb.lower else {
            unreachable!("a climb ends between two rungs or at the bottom")
        };
        Arc::make_mut(&mut self.rungs).truncate(below.rung + 1);
        let low = (below.candidate, below.passes);
        Phase::Isolating(Isolation::new(&self.changes, low, self.best.clone(), self.blind))
    }

    /// Returns the set and its needs, as far as they are in `best`. Deltas outside `best` are not
    /// needed, whatever a lesson said.
    fn with_needs(&self, set: &DeltaSet) -> DeltaSet {
        let set = set.intersection(&self.best);
        self.changes.implications.closure_up_within(&set, &self.best)
    }

    fn known(&self, question: &DeltaSet) -> Option<Verdict> {
        if *question == self.best {
            return Some(Verdict::Fail);
        }
        if question.is_empty() {
            return Some(Verdict::Pass);
        }
        let known = self.memory.iter().rev().find(|(asked, _)| asked == question);
        known.map(|(_, verdict)| *verdict)
    }

    fn remember(&mut self, question: DeltaSet, verdict: Verdict) {
        let memory = Arc::make_mut(&mut self.memory);
        if memory.len() == REMEMBERED {
            memory.remove(0);
        }
        memory.push((question, verdict));
    }

    fn decide(&mut self, question: DeltaSet, verdict: Verdict) {
        if verdict.is_fail() {
            self.best = question.clone();
        }
        match &mut self.phase {
            Phase::Suspecting(_) => {
                let changes = &self.changes;
                self.phase = if verdict.is_fail() {
                    Phase::Minimising(Minimise::new(changes, question))
                } else {
                    let mut low = DeltaSet::empty();
                    if verdict == Verdict::Pass {
                        low = question;
                        Arc::make_mut(&mut self.rungs).push(low.clone());
                    }
                    let high = self.best.clone();
                    Phase::Isolating(Isolation::new(changes, (low, true), high, false))
                };
            }
            Phase::Isolating(isolation) => {
                if isolation.decide(&self.changes, question, verdict) {
                    Arc::make_mut(&mut self.rungs).push(isolation.low.clone());
                }
            }
            Phase::Climbing(climb) => {
                let alone = climb.rung() == Some(0);
                climb.decide(&self.rungs, question, verdict);
                let climb = climb.clone();
                let around = self.surroundings();
                if alone && !verdict.is_fail() && !around.is_empty() {
                    self.phase = Phase::Widening(Widening { around, climb });
                }
            }
            Phase::Widening(_) if verdict.is_fail() && question.len() <= NEIGHBOURS => {
                self.phase = Phase::Minimising(Minimise::new(&self.changes, question));
            }
            Phase::Widening(_) if verdict.is_fail() => {
                for rung in Arc::make_mut(&mut self.rungs) {
                    *rung = rung.intersection(&question);
                }
                self.phase = Phase::Climbing(Climb::new(&self.rungs));
            }
            Phase::Widening(widening) => {
                widening.around.pop();
                if widening.around.is_empty() {
                    self.phase = Phase::Climbing(widening.climb.clone());
                }
            }
            Phase::Minimising(minimise) => {
                minimise.decide(&self.changes, question, verdict.is_fail());
            }
        }
    }

    /// Learns the lessons of an unresolved run; returns whether they change the question at hand.
    fn take_lessons(&mut self, answer: &Answer, question: &DeltaSet) -> bool {
        let changes = Arc::make_mut(&mut self.changes);
        let mut taught = false;
        for lesson in &answer.lessons {
            taught |= changes.implications.learn(lesson);
        }
        if !taught {
            return false;
        }
        if let Phase::Minimising(minimise) = &mut self.phase {
            minimise.note_lesson();
        }
        let changed = self.phase_question().is_some_and(|next| next != *question);
        if let (true, Phase::Isolating(isolation)) = (changed, &mut self.phase) {
            isolation.note_lesson(&self.changes);
        }
        changed
    }

    /// Returns the estimated share of resolved answers.
    fn resolved(&self) -> f64 {
        1.0 - self.tally.unresolved as f64 / (self.tally.asked + 1) as f64
    }
}

impl Search for Closure {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.question.clone().map_or(Step::Done, Step::Ask)
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(question) = self.question.take() else { return };
        let unresolved = answer.verdict == Verdict::Unresolved;
        self.tally.asked += 1;
        self.tally.unresolved += usize::from(unresolved);
        self.remember(question.clone(), answer.verdict);
        if !(unresolved && self.take_lessons(answer, &question)) {
            self.decide(question, answer.verdict);
        }
        self.settle();
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        let Some(question) = &self.question else { return 0.0 };
        match &self.phase {
            Phase::Isolating(isolation) => {
                isolation.chance(&self.changes, question) * self.resolved()
            }
            // Most failures have one cause that needs nothing beside it.
            Phase::Suspecting(_) => 0.9,
            Phase::Climbing(climb) if climb.rung() == Some(0) => 0.8,
            Phase::Climbing(_) | Phase::Widening(_) => 0.5,
            Phase::Minimising(_) => 0.1,
        }
    }
}
