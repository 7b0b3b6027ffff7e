//! `walk_back`: from a version that fails back to one that passes, when none is known (after
//! Artho's *Iterative Delta Debugging*).
//!
//! The paper goes back version by version, because most of its time goes into making old versions
//! testable. Here the steps double, the gap to the first pass is bisected, and a stretch that
//! cannot be tested is leapt over if the failure is there again behind it: then the cause is
//! older than the stretch, and nobody has to mend it. Only where the test cannot be run from some
//! version on does the walk halt, at the border of that stretch, for somebody to carry back what
//! the test needs.

use std::collections::BTreeSet;

use crate::{Answer, Search, Step, Verdict};

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
    /// Those before the failing one that cannot be tested as they are.
    unresolved: BTreeSet<usize>,
    /// Those among them that nobody could mend.
    hopeless: BTreeSet<usize>,
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
            unresolved: BTreeSet::new(),
            hopeless: BTreeSet::new(),
            leapt: BTreeSet::new(),
            pace,
        }
    }

    /// Starts with a version that is known to pass.
    pub fn with_good(self, good: usize) -> Self {
        WalkBack { passing: Some(good), ..self }
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
            self.unresolved = self.hopeless.range(older + 1..).copied().collect();
        }
    }

    /// Goes on after the version that passed turned out to fail.
    pub fn fails_after_all(&mut self) {
        if let Some(good) = self.passing.take() {
            self.failing = good;
            self.unresolved = BTreeSet::new();
        }
    }

    /// Goes on after the older side of the border could not be mended.
    pub fn give_up(&mut self) {
        if let Some(Halt::Border { older, .. }) = self.halt() {
            self.hopeless.insert(older);
        }
    }

    /// Goes on between a version that fails and an older one that turned out to pass.
    pub fn passes_after_all(&mut self, failing: usize, good: usize) {
        (self.failing, self.passing) = (failing, Some(good));
        self.unresolved = BTreeSet::new();
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
        self.unresolved.iter().copied()
    }

    fn next(&self) -> Next {
        match self.passing {
            Some(good) => self.between(good),
            None => self.beyond(),
        }
    }

    /// Bisects what is between the failing version and a passing one.
    fn between(&self, good: usize) -> Next {
        let bad = self.failing;
        let open = match (self.unresolved.first(), self.unresolved.last()) {
            // What lies between two that cannot be tested is taken for untestable.
            (Some(&first), Some(&last)) => {
                let (after, before) = ((bad, first), (last, good));
                if after.1 - after.0 >= before.1 - before.0 { after } else { before }
            }
            _ => (bad, good),
        };
        match middle(open) {
            Some(middle) => Next::Ask(middle),
            None if good == bad + 1 || self.hopeless.contains(&(bad + 1)) => {
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
        let (Some(&first), Some(&farthest)) = (self.unresolved.first(), self.unresolved.last())
        else {
            return Next::Ask((newer + self.stride()).min(self.last));
        };
        let is_first_look = self.unresolved.len() == 1 && self.pace != Pace::Single;
        if is_first_look && farthest < self.last {
            return Next::Ask((farthest + 2 * self.stride()).min(self.last));
        }
        match middle((newer, first)) {
            Some(middle) => Next::Ask(middle),
            None if !self.hopeless.contains(&first) => {
                Next::Halt(Halt::Border { newer, older: first })
            }
            None if farthest == self.last => Next::Halt(Halt::NothingBefore(newer)),
            None => Next::Ask((farthest + (farthest - newer)).min(self.last)),
        }
    }

    fn stride(&self) -> usize {
        match self.pace {
            Pace::Single => 1,
            Pace::Doubling(stride) => stride,
        }
    }

    fn pass(&mut self, version: usize) {
        self.passing = Some(version);
        self.unresolved.retain(|&it| it < version);
    }
}

enum Next {
    Ask(usize),
    Halt(Halt),
}

/// Returns what is halfway between two versions, if there is anything between them.
fn middle((newer, older): (usize, usize)) -> Option<usize> {
    (older - newer > 1).then(|| newer + (older - newer) / 2)
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
                let is_step = self.unresolved.first().is_none_or(|&first| version > first);
                if let (Pace::Doubling(stride), true, None) = (self.pace, is_step, self.passing) {
                    self.pace = Pace::Doubling(stride * 2);
                }
                let older = self.unresolved.split_off(&version);
                self.leapt.append(&mut self.unresolved);
                (self.failing, self.unresolved) = (version, older);
            }
            Verdict::Pass => self.pass(version),
            Verdict::Unresolved => {
                self.unresolved.insert(version);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks with an oracle; mends each border that it halts at.
    fn walk(count: usize, pace: Pace, oracle: impl Fn(usize, usize) -> Verdict) -> (Halt, usize) {
        let mut walk = WalkBack::new(count, pace);
        let (mut asked, mut mended) = (0, 0);
        loop {
            match walk.step() {
                Step::Ask(version) => {
                    asked += 1;
                    walk.learn(&oracle(version, mended).into());
                }
                Step::Done => match walk.halt().unwrap() {
                    Halt::Border { .. } => {
                        mended += 1;
                        walk.mended();
                    }
                    halt => return (halt, asked),
                },
            }
        }
    }

    fn fails_before(cause: usize) -> impl Fn(usize, usize) -> Verdict {
        move |version, _| if version < cause { Verdict::Fail } else { Verdict::Pass }
    }

    #[test]
    fn the_first_pass_is_found_in_twice_the_logarithm() {
        for cause in 1..1000 {
            let (halt, asked) = walk(1000, Pace::Doubling(1), fails_before(cause));
            assert_eq!(halt, Halt::Turn { bad: cause - 1, good: cause });
            assert!(asked <= 2 * cause.ilog2() as usize + 2, "{cause}: {asked}");
        }
    }

    #[test]
    fn a_linear_walk_tests_each_version() {
        let (halt, asked) = walk(100, Pace::Single, fails_before(40));
        assert_eq!((halt, asked), (Halt::Turn { bad: 39, good: 40 }, 40));
    }

    #[test]
    fn a_history_without_a_pass_is_walked_to_its_root() {
        let (halt, asked) = walk(1000, Pace::Doubling(1), |_, _| Verdict::Fail);
        assert_eq!(halt, Halt::NoPass);
        assert!(asked <= 11);
    }

    #[test]
    fn a_stretch_with_the_failure_behind_it_is_leapt_over() {
        let oracle = |version, mended| {
            assert_eq!(mended, 0);
            let is_broken = (100..130).contains(&version);
            if is_broken { Verdict::Unresolved } else { fails_before(700)(version, mended) }
        };
        assert_eq!(walk(1000, Pace::Doubling(1), oracle).0, Halt::Turn { bad: 699, good: 700 });
    }

    #[test]
    fn what_the_test_needs_is_asked_for_at_the_border() {
        // The test came with the newest version; a function it calls with version 90.
        let oracle = |version, mended| match (version, mended) {
            (1.., 0) | (91.., 1) => Verdict::Unresolved,
            _ => fails_before(300)(version, mended),
        };
        let (halt, asked) = walk(1000, Pace::Doubling(1), oracle);
        assert_eq!(halt, Halt::Turn { bad: 299, good: 300 });
        assert!(asked < 40, "{asked}");
    }

    #[test]
    fn a_cause_in_an_untestable_stretch_is_found_once_that_is_mended() {
        let oracle = |version, mended| match version {
            50..60 if mended == 0 => Verdict::Unresolved,
            _ => fails_before(55)(version, mended),
        };
        let (halt, _) = walk(100, Pace::Doubling(1), oracle);
        assert_eq!(halt, Halt::Turn { bad: 54, good: 55 });
    }

    #[test]
    fn what_cannot_be_mended_stays_between_the_ends() {
        let mut walk = WalkBack::new(100, Pace::Doubling(1));
        let halt = loop {
            match walk.step() {
                Step::Ask(50..60) => walk.learn(&Verdict::Unresolved.into()),
                Step::Ask(version) => walk.learn(&fails_before(55)(version, 0).into()),
                Step::Done => match walk.halt().unwrap() {
                    Halt::Border { .. } => walk.give_up(),
                    halt => break halt,
                },
            }
        };
        assert_eq!(halt, Halt::Turn { bad: 49, good: 60 });
        assert!(walk.unresolved().all(|it| (50..60).contains(&it)));
    }

    #[test]
    fn a_pass_that_is_not_believed_is_walked_over() {
        let mut walk = WalkBack::new(100, Pace::Doubling(1));
        let mut disbelieved = false;
        let halt = loop {
            match walk.step() {
                Step::Ask(version) => {
                    let cause = if disbelieved { 60 } else { 20 };
                    walk.learn(&fails_before(cause)(version, 0).into());
                }
                Step::Done if !disbelieved => {
                    disbelieved = true;
                    walk.fails_after_all();
                }
                Step::Done => break walk.halt(),
            }
        };
        assert_eq!(halt, Some(Halt::Turn { bad: 59, good: 60 }));
    }

    #[test]
    fn a_history_without_a_pass_can_turn_out_to_have_one() {
        let mut walk = WalkBack::new(100, Pace::Doubling(1));
        while let Step::Ask(_) = walk.step() {
            walk.learn(&Verdict::Fail.into());
        }
        assert_eq!(walk.halt(), Some(Halt::NoPass));
        walk.passes_after_all(10, 99);
        while let Step::Ask(version) = walk.step() {
            walk.learn(&fails_before(44)(version, 0).into());
        }
        assert_eq!(walk.halt(), Some(Halt::Turn { bad: 43, good: 44 }));
    }

    #[test]
    fn a_test_that_nothing_old_can_run_ends_with_the_last_version_that_could() {
        let mut walk = WalkBack::new(100, Pace::Doubling(1));
        let halt = loop {
            match walk.step() {
                Step::Ask(version) => {
                    let verdict = if version < 7 { Verdict::Fail } else { Verdict::Unresolved };
                    walk.learn(&verdict.into());
                }
                Step::Done => match walk.halt().unwrap() {
                    Halt::Border { newer, older } => {
                        assert_eq!((newer, older), (6, 7));
                        walk.give_up();
                    }
                    halt => break halt,
                },
            }
        };
        assert_eq!(halt, Halt::NothingBefore(6));
    }
}
