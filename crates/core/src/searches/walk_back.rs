//! `walk_back`: from a version that fails back to one that passes, when none is known (after
//! Artho's *Iterative Delta Debugging*).
//!
//! The paper goes back version by version, because most of its time goes into making old versions
//! testable. Here the steps double, and the gap to the first pass is bisected. A stretch that
//! cannot be tested is leapt over if the failure shows again behind it: then the cause is older
//! than the stretch, and the stretch need not be mended. Otherwise the walk halts at the border of
//! the stretch, so that its driver can carry back what the test needs.
//!
//! Versions that cannot be tested for the same reason form one stretch, together with the versions
//! between them. Different reasons mean different stretches, and versions between two stretches may
//! be testable: their border is searched.
//!
//! A version that shows another failure where this one would show ([`Lesson::Absent`]) does not
//! have this failure, and counts like one that passes.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Answer, Lesson, Reason, Search, Step, Verdict};

/// Borders between stretches are searched only if there are at most this many. More borders mean
/// that the reasons tell little, and each would cost as many tests as the logarithm of its gap.
const BORDERS: usize = 3;

/// The search over versions, of which 0 is the newest and known to fail; see the module's text.
///
/// Its [`best`](Search::best) is the oldest version that fails with only failing versions, or
/// leapt-over ones, after it. Its [`halt`](WalkBack::halt) is the reason why it has no more
/// questions.
#[derive(Clone, Debug)]
pub struct WalkBack {
    /// The oldest version.
    last: usize,
    failing: usize,
    passing: Option<usize>,
    /// Versions older than `failing` that cannot be tested as they are, and why.
    unresolved: BTreeMap<usize, Option<Reason>>,
    /// Versions that could not be mended, and why.
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
    /// Twice as far as the last one; the number is the length of the next step.
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

    /// Continues after the older side of the border was mended: it now fails.
    ///
    /// Other versions that could not be tested may be testable now.
    pub fn mended(&mut self) {
        if let Some(Halt::Border { older, .. }) = self.halt() {
            self.failing = older;
            self.unresolved =
                self.hopeless.range(older + 1..).map(|(&it, &why)| (it, why)).collect();
        }
    }

    /// Continues after something else is carried: versions that could not be tested may be testable
    /// now.
    pub fn ask_again(&mut self) {
        self.unresolved.retain(|it, _| self.hopeless.contains_key(it));
    }

    /// Continues after the version that passed turned out to fail.
    pub fn fails_after_all(&mut self) {
        if let Some(good) = self.passing.take() {
            self.failing = good;
            self.unresolved.clear();
        }
    }

    /// Continues after the older side of the border could not be mended.
    pub fn give_up(&mut self) {
        if let Some(Halt::Border { older, .. }) = self.halt() {
            let reason = self.unresolved.get(&older).copied().flatten();
            self.hopeless.insert(older, reason);
        }
    }

    /// Continues after a version turned out to give no usable answer, whatever is carried to it.
    pub fn cannot_tell(&mut self, version: usize) {
        self.hopeless.insert(version, None);
        self.unresolved.insert(version, None);
    }

    /// Continues after the version that passed turned out to be unresolved with what is carried
    /// now.
    pub fn says_nothing_after_all(&mut self) {
        if let Some(good) = self.passing.take() {
            self.ask_again();
            self.unresolved.insert(good, None);
        }
    }

    /// Continues after the older side of the border could not be mended, while other versions may
    /// be testable now.
    pub fn skip(&mut self) {
        self.give_up();
        self.ask_again();
    }

    /// Continues between a version that fails and an older one that turned out to pass.
    pub fn passes_after_all(&mut self, failing: usize, good: usize) {
        (self.failing, self.passing) = (failing, Some(good));
        self.unresolved.clear();
    }

    /// Returns the place of the oldest version.
    pub fn last(&self) -> usize {
        self.last
    }

    /// Returns the untestable versions behind which the failure was seen again.
    pub fn leapt(&self) -> impl Iterator<Item = usize> + '_ {
        self.leapt.iter().copied()
    }

    /// Returns the untestable versions between the failing version and the passing one.
    pub fn unresolved(&self) -> impl Iterator<Item = usize> + '_ {
        self.unresolved.keys().copied()
    }

    fn next(&self) -> Next {
        match self.passing {
            Some(good) => self.between(good),
            None => self.beyond(),
        }
    }

    /// Bisects the widest open gap between the failing version and a passing one.
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

    /// Goes further back, or searches the border of the versions that cannot be tested.
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
        // A failing version between two stretches makes the border of the first one unnecessary.
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

    /// Returns the gaps between neighbouring untestable versions with different reasons.
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

/// Returns the middle of the widest gap, if any gap has a version in it.
fn middle_of_widest(gaps: impl IntoIterator<Item = (usize, usize)>) -> Option<usize> {
    let open = gaps.into_iter().filter(|(newer, older)| older - newer > 1);
    // Of equally wide gaps, the newest.
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
