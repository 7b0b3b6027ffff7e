//! `walk_back`: from a version that fails back to one that passes, when none is known (after
//! Artho's *Iterative Delta Debugging*).
//!
//! The paper goes back version by version, because most of its time goes into making old versions
//! testable. Here the steps double, the gap to the first pass is bisected, and a stretch that
//! cannot be tested is leapt over if the failure is there again behind it: then the cause is
//! older than the stretch, and nobody has to mend it. Only where the test cannot be run from some
//! version on does the walk halt, at the border of that stretch, for somebody to carry back what
//! the test needs.
//!
//! Versions that cannot be tested for the same reason are one stretch, and so is what lies between
//! them. Where the reasons differ, there are two, and what lies between those may well be testable:
//! their border is looked for.
//!
//! A version that shows another failure where this one would show ([`Lesson::Absent`]) does not have
//! it, and counts like one that passes.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Answer, Lesson, Reason, Search, Step, Verdict};

/// So many borders between stretches are looked for at a time. If there are more the reasons say
/// little, and each border would cost as many tests as the logarithm of what is between.
const BORDERS: usize = 3;

/// The search over versions, of which 0 is the newest and known to fail; see the module's text.
///
/// Its [`best`](Search::best) is the oldest version that fails with only failing versions, or such
/// as were leapt over, after it. Where it ends is its [`halt`](WalkBack::halt).
#[derive(Clone, Debug)]
pub struct WalkBack {
    /// The oldest version.
    last: usize,
    failing: usize,
    passing: Option<usize>,
    /// Those before the failing one that cannot be tested as they are, and why.
    unresolved: BTreeMap<usize, Option<Reason>>,
    /// Those among them that nobody could mend.
    hopeless: BTreeMap<usize, Option<Reason>>,
    /// Untestable versions behind which the failure was seen again.
    leapt: BTreeSet<usize>,
    pace: Pace,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// To the version before, each time.
    Single,
    /// Twice as far as the last one; this is the next one.
    Doubling(usize),
}

/// Why a walk has no more questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// `older` cannot be tested, while `newer`, which comes right after it, fails.
    Border {
        /// Fails.
        newer: usize,
        /// Cannot be tested.
        older: usize,
    },
    /// `good` passes and `bad` fails; those between them, if any, cannot be tested.
    Turn {
        /// Fails.
        bad: usize,
        /// Passes.
        good: usize,
    },
    /// The oldest version fails, too.
    NoPass,
    /// From the version before this one on nothing can be tested.
    NothingBefore(usize),
}

impl WalkBack {
    /// Starts at the newest of `count` versions, which is known to fail.
    pub fn new(count: usize, pace: Pace) -> Self {
        WalkBack {
            last: count.saturating_sub(1),
            failing: 0,
            passing: None,
            unresolved: BTreeMap::new(),
            hopeless: BTreeMap::new(),
            leapt: BTreeSet::new(),
            pace,
        }
    }

    /// Starts with a version that is known to pass.
    pub fn with_good(self, good: usize) -> Self {
        WalkBack { passing: Some(good), ..self }
    }

    /// Starts at an older version, which is known to fail.
    pub fn with_bad(self, bad: usize) -> Self {
        WalkBack { failing: bad, ..self }
    }

    /// Returns why there are no more questions, if there are none.
    pub fn halt(&self) -> Option<Halt> {
        match self.next() {
            Next::Ask(_) => None,
            Next::Halt(halt) => Some(halt),
        }
    }

    /// Goes on after what the test needs was found for the border: its older side now fails.
    ///
    /// What could not be tested may be testable now.
    pub fn mended(&mut self) {
        if let Some(Halt::Border { older, .. }) = self.halt() {
            self.failing = older;
            self.unresolved =
                self.hopeless.range(older + 1..).map(|(&it, &why)| (it, why)).collect();
        }
    }

    /// Goes on after something else is carried: what could not be tested may be testable now.
    pub fn ask_again(&mut self) {
        self.unresolved.retain(|it, _| self.hopeless.contains_key(it));
    }

    /// Goes on after the version that passed turned out to fail.
    pub fn fails_after_all(&mut self) {
        if let Some(good) = self.passing.take() {
            self.failing = good;
            self.unresolved.clear();
        }
    }

    /// Goes on after the older side of the border could not be mended.
    pub fn give_up(&mut self) {
        if let Some(Halt::Border { older, .. }) = self.halt() {
            let reason = self.unresolved.get(&older).copied().flatten();
            self.hopeless.insert(older, reason);
        }
    }

    /// Goes on after a version turned out to say nothing that counts, whatever is carried to it.
    pub fn cannot_tell(&mut self, version: usize) {
        self.hopeless.insert(version, None);
        self.unresolved.insert(version, None);
    }

    /// Goes on after the version that passed turned out to say nothing with what is carried now.
    pub fn says_nothing_after_all(&mut self) {
        if let Some(good) = self.passing.take() {
            self.ask_again();
            self.unresolved.insert(good, None);
        }
    }

    /// Goes on after the older side of the border could not be mended, while the others may be
    /// testable now.
    pub fn skip(&mut self) {
        self.give_up();
        self.ask_again();
    }

    /// Goes on between a version that fails and an older one that turned out to pass.
    pub fn passes_after_all(&mut self, failing: usize, good: usize) {
        (self.failing, self.passing) = (failing, Some(good));
        self.unresolved.clear();
    }

    /// Returns the place of the oldest version.
    pub fn last(&self) -> usize {
        self.last
    }

    /// Returns those that cannot be tested and behind which the failure was seen again.
    pub fn leapt(&self) -> impl Iterator<Item = usize> + '_ {
        self.leapt.iter().copied()
    }

    /// Returns those that cannot be tested, between the failing version and the passing one.
    pub fn unresolved(&self) -> impl Iterator<Item = usize> + '_ {
        self.unresolved.keys().copied()
    }

    fn next(&self) -> Next {
        match self.passing {
            Some(good) => self.between(good),
            None => self.beyond(),
        }
    }

    /// Bisects what is between the failing version and a passing one, where most is open.
    fn between(&self, good: usize) -> Next {
        let bad = self.failing;
        let ends = self.unresolved.first_key_value().zip(self.unresolved.last_key_value());
        let open = match ends {
            Some(((&first, _), (&last, _))) => vec![(bad, first), (last, good)],
            None => vec![(bad, good)],
        };
        let open = open.into_iter().chain(self.between_stretches());
        match middle_of_widest(open) {
            Some(middle) => Next::Ask(middle),
            None if good == bad + 1 || self.hopeless.contains_key(&(bad + 1)) => {
                Next::Halt(Halt::Turn { bad, good })
            }
            None => Next::Halt(Halt::Border { newer: bad, older: bad + 1 }),
        }
    }

    /// Goes further back, or looks for the border of what cannot be tested.
    fn beyond(&self) -> Next {
        let newer = self.failing;
        if newer == self.last {
            return Next::Halt(Halt::NoPass);
        }
        let ends = self.unresolved.first_key_value().zip(self.unresolved.last_key_value());
        let Some(((&first, _), (&farthest, _))) = ends else {
            return Next::Ask((newer + self.stride()).min(self.last));
        };
        let is_first_look = self.unresolved.len() == 1 && self.pace != Pace::Single;
        if is_first_look && farthest < self.last {
            return Next::Ask((farthest + 2 * self.stride()).min(self.last));
        }
        // What is testable between two stretches spares the border of the first.
        let middle = middle_of_widest(self.between_stretches());
        match middle.or_else(|| middle_of_widest([(newer, first)])) {
            Some(middle) => Next::Ask(middle),
            None if !self.hopeless.contains_key(&first) => {
                Next::Halt(Halt::Border { newer, older: first })
            }
            None if farthest == self.last => Next::Halt(Halt::NothingBefore(newer)),
            None => Next::Ask((farthest + (farthest - newer)).min(self.last)),
        }
    }

    /// Returns what lies between neighbours that cannot be tested for different reasons.
    fn between_stretches(&self) -> Vec<(usize, usize)> {
        let pairs = self.unresolved.iter().zip(self.unresolved.iter().skip(1));
        let borders = pairs.filter(|((_, one), (_, other))| one != other);
        let borders: Vec<_> = borders.map(|((&newer, _), (&older, _))| (newer, older)).collect();
        if borders.len() > BORDERS { Vec::new() } else { borders }
    }

    fn stride(&self) -> usize {
        match self.pace {
            Pace::Single => 1,
            Pace::Doubling(stride) => stride,
        }
    }

    fn pass(&mut self, version: usize) {
        self.passing = Some(version);
        self.unresolved.retain(|&it, _| it < version);
    }
}

enum Next {
    Ask(usize),
    Halt(Halt),
}

/// Returns what is halfway between the two versions that most lies between, if anything does.
fn middle_of_widest(gaps: impl IntoIterator<Item = (usize, usize)>) -> Option<usize> {
    let open = gaps.into_iter().filter(|(newer, older)| older - newer > 1);
    // Of equals the newest.
    let widest = open.min_by_key(|(newer, older)| (std::cmp::Reverse(older - newer), *newer));
    widest.map(|(newer, older)| newer + (older - newer) / 2)
}

impl Search for WalkBack {
    type Candidate = usize;

    fn step(&self) -> Step<usize> {
        match self.next() {
            Next::Ask(version) => Step::Ask(version),
            Next::Halt(_) => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Next::Ask(version) = self.next() else { return };
        match answer.verdict {
            Verdict::Fail => {
                let first = self.unresolved.first_key_value();
                let is_step = first.is_none_or(|(&first, _)| version > first);
                if let (Pace::Doubling(stride), true, None) = (self.pace, is_step, self.passing) {
                    self.pace = Pace::Doubling(stride * 2);
                }
                let older = self.unresolved.split_off(&version);
                self.leapt.extend(self.unresolved.keys());
                (self.failing, self.unresolved) = (version, older);
            }
            Verdict::Pass => self.pass(version),
            Verdict::Unresolved if answer.lessons.contains(&Lesson::Absent) => self.pass(version),
            Verdict::Unresolved => {
                let reason = answer.lessons.iter().find_map(|lesson| match lesson {
                    Lesson::Because(reason) => Some(*reason),
                    Lesson::Implies { .. }
                    | Lesson::Absent
                    | Lesson::Certain
                    | Lesson::OtherTest => None,
                });
                self.unresolved.insert(version, reason);
            }
        }
    }

    fn best(&self) -> usize {
        self.failing
    }

    fn likely(&self) -> f64 {
        // On the way back most versions fail as the newest does; between a failing and a passing
        // one nothing is known.
        if self.passing.is_some() { 0.5 } else { 0.8 }
    }
}
