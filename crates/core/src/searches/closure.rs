//! `closure`: finds the smallest set of changes that makes a failure, where not all changes can be
//! tested without others. The default for changes.
//!
//! Only candidates are asked about that hold all that their deltas are known to need
//! (dependency-closed reduction: Kalhauge and Palsberg, "Binary reduction of dependency graphs",
//! 2019, and "Logical bytecode reduction", 2021). The phases:
//!
//! - **Isolation** keeps a candidate that passes and one that fails, cuts what differs, and moves
//!   one of the two. An unresolved answer with a lesson is asked again with what was found to be
//!   missing: the failure resolution loop of Zeller, "Yesterday, my program worked. Today, it does
//!   not. Why?", 1999, section 8. Without lessons, it is small blocks close to the two ends.
//! - **Climbing**: where the culprit does not fail alone, it interferes with something that is in
//!   the passing candidate. The way that led there is searched for it with the culprit kept, and
//!   isolated in turn; so k culprits of n changes cost about k log2 n (1999, section 4).
//! - **Widening**: before that, and because culprits are often neighbours, it is asked whether what
//!   surrounds the culprit (its hunk, its file) fails alone.
//! - **Minimising** leaves out what can go, one by one at the end.
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

/// How many answers are remembered, so that what was just asked is not asked again. Enough for
/// what one isolation asks; whoever drives the search may remember more.
const REMEMBERED: usize = 64;

/// How many sets around the culprits are tried. Each is in vain if the culprits are far apart.
const SURROUNDINGS: usize = 2;

/// Up to how many neighbours are minimised at once instead of climbing for one after the other,
/// which pays off where few of them are culprits.
const NEIGHBOURS: usize = 64;

/// The search; see the module's text.
///
/// The empty candidate must pass. At the end [`best`](Search::best) fails, and none of its deltas
/// can be left out together with its dependents so that it still fails; of deltas that need each
/// other, or that a needed one needs, that is not asked singly. Lessons count if the answer is
/// unresolved; wrong ones cost tests, not the answer.
#[derive(Clone, Debug)]
pub struct Closure {
    /// What is known of the changes, lessons included. What they hold as failing is where the
    /// search started.
    changes: Arc<ChangeSet>,
    /// The smallest candidate known to fail.
    best: DeltaSet,
    /// What the isolations found.
    found: DeltaSet,
    rungs: Rungs,
    /// Whether cutting was in vain before.
    blind: bool,
    phase: Phase,
    /// The question at hand, `None` when done.
    question: Option<DeltaSet>,
    memory: Arc<Vec<(DeltaSet, Verdict)>>,
    tally: Tally,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Asks about this first: it is thought to be the answer.
    Suspecting(DeltaSet),
    Isolating(Isolation),
    Climbing(Climb),
    Widening(Widening),
    Minimising(Minimise),
}

/// Sets around the culprits that may fail alone.
#[derive(Clone, Debug)]
struct Widening {
    /// The widest first; the last one is at hand.
    around: Vec<DeltaSet>,
    /// Where to go on if none of them fails.
    climb: Climb,
}

/// How many answers there were.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    asked: usize,
    unresolved: usize,
}

impl Closure {
    /// Starts with `count` deltas of which nothing is known but that they fail together.
    pub fn new(count: usize) -> Self {
        Self::over(ChangeSet::new(count))
    }

    /// Starts with what is known of a set of changes. Where these satisfy the known implications,
    /// so does every question.
    pub fn over(changes: ChangeSet) -> Self {
        Self::start(changes, None)
    }

    /// Starts with the question whether `suspects`, with what they need, are the answer.
    pub fn suspecting(changes: ChangeSet, suspects: DeltaSet) -> Self {
        Self::start(changes, Some(suspects))
    }

    /// Returns what is known of the changes, lessons included.
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

    /// Returns the question of the phase at hand, or of the next one that has one.
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
            // What needs all that fails says nothing new, and would be asked about for ever.
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

    /// Returns a set with what it needs of what fails. What is not in there is not needed,
    /// whatever a lesson said.
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

    /// Learns from an unresolved run; returns whether it makes another question of the one at
    /// hand.
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

    /// Returns the share of answers that were resolved, as far as they tell.
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
