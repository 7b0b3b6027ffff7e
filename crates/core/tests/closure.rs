//! The promises of `closure` and `fix` where deltas need each other, for oracles of all sorts.
//!
//! An implication is known from the start, told when it is violated, never told, or told wrongly.

use proptest::prelude::*;
use whodunit_core::searches::{Boundaries, ChangeSet, Closure, Fix, Weights};
use whodunit_core::{Answer, Delta, DeltaSet, Implications, Lesson, Search, Step, Verdict};
use whodunit_test_support::mix;

use Verdict::{Fail, Pass, Unresolved};

const COUNT: u32 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Beforehand,
    WhenViolated,
    Never,
    /// Told although it does not hold.
    Wrongly,
}

/// A simulated set of changes: all of them fail, none of them pass.
#[derive(Clone, Debug)]
struct Subject {
    /// A delta, one that it needs, and the time when the search learns that.
    implications: Vec<(u32, u32, Told)>,
    /// A candidate with all deltas of one of these sets fails.
    causes: Vec<DeltaSet>,
    /// For this many in sixteen candidates the verdict is random.
    nonsense: u64,
    seed: u64,
    levels: Vec<u8>,
    weights: Vec<u32>,
}

impl Subject {
    fn changes(&self) -> ChangeSet {
        ChangeSet {
            implications: self.truth(&[Told::Beforehand]),
            boundaries: Boundaries::from_levels(self.levels.iter().copied()),
            weights: Weights::from_weights(self.weights.iter().copied()),
            ..ChangeSet::new(COUNT as usize)
        }
    }

    fn truth(&self, told: &[Told]) -> Implications {
        let mut builder = Implications::builder();
        for (delta, need, how) in &self.implications {
            if told.contains(how) {
                builder.add(Delta(*delta), Delta(*need));
            }
        }
        builder.build()
    }

    fn judge(&self, candidate: &DeltaSet) -> Verdict {
        if candidate.is_empty() {
            return Pass;
        }
        if candidate.len() == COUNT as usize {
            return Fail;
        }
        let bits = candidate.iter().fold(0, |bits, delta| bits | 1 << delta.0);
        let lot = mix(self.seed ^ bits);
        if lot % 16 < self.nonsense {
            return [Fail, Pass, Unresolved][(lot >> 8) as usize % 3];
        }
        let violated = self.implications.iter().any(|&(delta, need, told)| {
            told != Told::Wrongly
                && candidate.contains(Delta(delta))
                && !candidate.contains(Delta(need))
        });
        match self.causes.iter().any(|cause| cause.is_subset(candidate)) {
            _ if violated => Unresolved,
            true => Fail,
            false => Pass,
        }
    }

    fn answer(&self, candidate: &DeltaSet) -> Answer {
        let mut answer = Answer::from(self.judge(candidate));
        let in_answers = [Told::WhenViolated, Told::Wrongly];
        let told = self.implications.iter().filter(|(_, _, told)| in_answers.contains(told));
        for &(delta, need, _) in told {
            let (delta, need) = (Delta(delta), Delta(need));
            let violated = candidate.contains(delta) && !candidate.contains(need);
            if answer.verdict == Unresolved && violated {
                answer.lessons.push(Lesson::Implies { delta, needs: only(need) });
            }
        }
        answer
    }

    /// Drives a search to its end; returns its questions.
    fn drive<S: Search<Candidate = DeltaSet>>(&self, search: &mut S) -> Vec<DeltaSet> {
        let known = self.truth(&[Told::Beforehand]);
        let mut asked = Vec::new();
        while let Step::Ask(question) = search.step() {
            assert!(!known.violated_by(&question), "{question:?} is known not to be testable");
            assert!((0.0..=1.0).contains(&search.likely()));
            search.learn(&self.answer(&question));
            asked.push(question);
            assert!(asked.len() < 16 + 8 * (COUNT * COUNT) as usize, "does not end");
        }
        asked
    }
}

/// Asserts that no delta that others do not need can be removed together with its dependents.
fn assert_minimal(set: &DeltaSet, implications: &Implications, goes: impl Fn(&DeltaSet) -> bool) {
    for delta in set.iter() {
        let gone = implications.dependents_within(&only(delta), set);
        let needed = implications.closure_up_within(&only(delta), set);
        let is_needed_by_others = !gone.is_subset(&needed);
        assert!(is_needed_by_others || !goes(&set.minus(&gone)), "{delta:?} can go from {set:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn the_result_fails_and_nothing_can_go_from_it(subject in subjects(vec![
        Told::Beforehand, Told::WhenViolated, Told::Never, Told::Wrongly,
    ], 0..17)) {
        let mut search = Closure::over(subject.changes());
        subject.drive(&mut search);
        let best = search.best();
        prop_assert_eq!(subject.judge(&best), Fail);
        let implications = &search.changes().implications;
        assert_minimal(&best, implications, |smaller| subject.judge(smaller) == Fail);
    }

    #[test]
    fn the_fixed_candidate_passes_and_nothing_can_be_put_back(subject in subjects(vec![
        Told::Beforehand, Told::WhenViolated, Told::Never, Told::Wrongly,
    ], 0..17), culprit in prop::collection::vec(0..COUNT, 1..3)) {
        let culprit = culprit.into_iter().map(Delta).collect();
        let mut search = Fix::new(subject.changes(), culprit);
        subject.drive(&mut search);
        let all = DeltaSet::full(COUNT as usize);
        prop_assert_eq!(subject.judge(&search.best()), Pass);
        let implications = search.implications();
        assert_minimal(&search.left_out(), implications, |left_out| {
            subject.judge(&all.minus(left_out)) == Pass
        });
    }

    #[test]
    fn with_all_implications_told_the_smallest_set_is_found(
        subject in subjects(vec![Told::Beforehand, Told::WhenViolated], 0..1),
    ) {
        let mut search = Closure::over(subject.changes());
        subject.drive(&mut search);
        let truth = subject.truth(&[Told::Beforehand, Told::WhenViolated]);
        let whole: Vec<DeltaSet> =
            subject.causes.iter().map(|cause| truth.closure_up(cause)).collect();
        let best = search.best();
        prop_assert!(whole.contains(&best), "{:?} is none of {:?}", best, whole);
    }

    #[test]
    fn with_all_implications_known_nothing_is_unresolved(
        subject in subjects(vec![Told::Beforehand], 0..1),
    ) {
        let asked = subject.drive(&mut Closure::over(subject.changes()));
        prop_assert!(asked.iter().all(|question| subject.judge(question) != Unresolved));
    }
}

prop_compose! {
    fn subjects(told: Vec<Told>, nonsense: std::ops::Range<u64>)(
        implications in prop::collection::vec(
            (0..COUNT, 0..COUNT, prop::sample::select(told)), 0..8,
        ),
        causes in prop::collection::vec(prop::collection::btree_set(0..COUNT, 1..4), 1..3),
        nonsense in nonsense,
        seed: u64,
        levels in prop::collection::vec(0u8..4, 0..COUNT as usize),
        weights in prop::collection::vec(0u32..9, 0..COUNT as usize),
    ) -> Subject {
        let causes = causes.into_iter().map(|cause| cause.into_iter().map(Delta).collect());
        Subject { implications, causes: causes.collect(), nonsense, seed, levels, weights }
    }
}

fn only(delta: Delta) -> DeltaSet {
    DeltaSet::run(delta.0..delta.0 + 1)
}
