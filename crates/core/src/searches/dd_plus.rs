//! `dd_plus`: `dd` for changes that do not all combine (Zeller, "Yesterday, my program worked.
//! Today, it does not. Why?", 1999, Algorithm 2).
//!
//! Suspects (the paper's *c*) are cut into n subsets, tested with the applied changes (its *r*);
//! where too many tests are unresolved, into more and smaller ones. Departures: questions are
//! asked one by one and the search goes on as soon as the case is decided; and "try again"
//! follows the paper's text and Table 6, where a subset that passed leaves *c* and joins *r*,
//! while the formula only says the latter. The recursion is a list of calls still to be made.

use std::sync::Arc;

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// The search; see the module's text.
///
/// The empty candidate must pass. Minimal if the culprits are *safe*: if each can be applied
/// alone or removed alone without leaving something that cannot be tested. While all answers
/// are resolved it asks what [`Dd`](super::Dd) asks. After unresolved ones a question can come up
/// again in another round; it does not remember verdicts from round to round.
#[derive(Clone, Debug)]
pub struct DdPlus {
    /// The smallest candidate that was seen to fail.
    best: DeltaSet,
    /// The deltas found by the finished calls.
    found: DeltaSet,
    /// The calls still to be made.
    calls: Vec<Call>,
    /// The call under way, `None` when all are made.
    round: Option<Round>,
}

/// A call of the paper's *dd₃*.
#[derive(Clone, Debug)]
struct Call {
    suspects: DeltaSet,
    applied: DeltaSet,
    /// Into how many subsets the suspects are cut.
    parts: usize,
}

/// A call in the course of its tests.
#[derive(Clone, Debug)]
struct Round {
    suspects: DeltaSet,
    applied: DeltaSet,
    /// The suspects in at least two parts.
    subsets: Arc<[DeltaSet]>,
    /// The subsets that passed.
    passed: DeltaSet,
    /// The subsets whose complement failed.
    dispensable: DeltaSet,
    /// The first unresolved subset whose complement passed.
    preferred: Option<usize>,
    probe: Probe,
}

/// The question at hand.
#[derive(Clone, Copy, Debug)]
enum Probe {
    /// Keep only this subset of the suspects.
    Subset(usize),
    /// Keep all suspects but this subset.
    Complement(usize),
}

/// The outcome of a round, in the paper's order.
enum Case {
    /// A subset fails.
    Found(usize),
    /// A subset and its complement both pass.
    Interference(usize),
    /// A subset is unresolved, its complement passes.
    Preference(usize),
    /// "Try again", or "nothing left".
    Ignorance,
}

impl DdPlus {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let all = DeltaSet::full(count);
        let mut search =
            DdPlus { best: all.clone(), found: DeltaSet::empty(), calls: Vec::new(), round: None };
        search.call(all, DeltaSet::empty(), 2);
        search.proceed();
        search
    }

    /// Returns the set that the paper's algorithm returns: the changes that induce the failure.
    ///
    /// It may never have been tested as a whole, and without the changes that had to stay
    /// applied it may not even be testable; [`best`](Search::best) was seen to fail. Before the
    /// search is done it holds all deltas that are not ruled out yet.
    pub fn found(&self) -> DeltaSet {
        let calls = self.calls.iter().map(|call| &call.suspects);
        let open = calls.chain(self.round.iter().map(|round| &round.suspects));
        open.fold(self.found.clone(), |found, suspects| found.union(suspects))
    }

    fn call(&mut self, suspects: DeltaSet, applied: DeltaSet, parts: usize) {
        self.calls.push(Call { suspects, applied, parts });
    }

    /// Begins the next call that has something to ask; single suspects are found.
    fn proceed(&mut self) {
        while let Some(call) = self.calls.pop() {
            if call.suspects.len() > 1 {
                self.round = Some(Round::new(call));
                return;
            }
            self.found = self.found.union(&call.suspects);
        }
    }

    /// Makes the calls that a decided round leads to.
    fn decide(&mut self, case: &Case, round: Round) {
        match *case {
            Case::Found(index) => self.call(round.subsets[index].clone(), round.applied, 2),
            Case::Interference(index) => {
                let subset = round.subsets[index].clone();
                let complement = round.complement(index);
                let with_subset = round.applied.union(&subset);
                let with_complement = round.applied.union(&complement);
                self.call(complement, with_subset, 2);
                self.call(subset, with_complement, 2);
            }
            Case::Preference(index) => {
                let with_complement = round.applied.union(&round.complement(index));
                self.call(round.subsets[index].clone(), with_complement, 2);
            }
            Case::Ignorance => {
                let (suspects, applied) = round.narrowed();
                let parts = round.subsets.len();
                if parts < round.suspects.len() {
                    self.call(suspects, applied, 2 * parts);
                } else {
                    // Nothing left to try: these suspects cannot be told apart.
                    self.found = self.found.union(&suspects);
                }
            }
        }
        self.proceed();
    }
}

impl Round {
    fn new(call: Call) -> Self {
        Round {
            subsets: call.suspects.split(call.parts).into(),
            suspects: call.suspects,
            applied: call.applied,
            passed: DeltaSet::empty(),
            dispensable: DeltaSet::empty(),
            preferred: None,
            probe: Probe::Subset(0),
        }
    }

    fn question(&self) -> DeltaSet {
        let suspects = match self.probe {
            Probe::Subset(index) => self.subsets[index].clone(),
            Probe::Complement(index) => self.complement(index),
        };
        suspects.union(&self.applied)
    }

    fn complement(&self, index: usize) -> DeltaSet {
        self.suspects.minus(&self.subsets[index])
    }

    fn passed(&self, index: usize) -> bool {
        self.subsets[index].first().is_some_and(|delta| self.passed.contains(delta))
    }

    /// Takes the verdict on the question at hand; returns the case once it is decided.
    fn take(&mut self, verdict: Verdict) -> Option<Case> {
        match (self.probe, verdict) {
            (Probe::Subset(index), Verdict::Fail) => return Some(Case::Found(index)),
            (Probe::Subset(index), Verdict::Pass) => {
                self.passed = self.passed.union(&self.subsets[index]);
            }
            (Probe::Complement(index), Verdict::Fail) => {
                self.dispensable = self.dispensable.union(&self.subsets[index]);
            }
            (Probe::Complement(index), Verdict::Pass) if self.passed(index) => {
                return Some(Case::Interference(index));
            }
            (Probe::Complement(index), Verdict::Pass) => {
                self.preferred.get_or_insert(index);
            }
            (_, Verdict::Unresolved) => {}
        }
        self.advance()
    }

    /// Moves to the next question that can still change the case, or returns the case.
    fn advance(&mut self) -> Option<Case> {
        let parts = self.subsets.len();
        let next = match self.probe {
            Probe::Subset(index) if index + 1 < parts => {
                self.probe = Probe::Subset(index + 1);
                return None;
            }
            Probe::Subset(_) if parts == 2 => return Some(self.case_of_two()),
            Probe::Subset(_) => 0,
            Probe::Complement(index) => index + 1,
        };
        // Only an interference comes before a preference, and that takes a subset that passed.
        let mut rest = next..parts;
        let next = rest.find(|&index| self.preferred.is_none() || self.passed(index));
        match (next, self.preferred) {
            (Some(index), _) => {
                self.probe = Probe::Complement(index);
                None
            }
            (None, Some(index)) => Some(Case::Preference(index)),
            (None, None) => Some(Case::Ignorance),
        }
    }

    /// Returns the case of two subsets, which are each other's complements.
    fn case_of_two(&self) -> Case {
        match (self.passed(0), self.passed(1)) {
            (true, true) => Case::Interference(0),
            (true, false) => Case::Preference(1),
            (false, true) => Case::Preference(0),
            (false, false) => Case::Ignorance,
        }
    }

    /// Returns the suspects and the applied changes to try again with.
    fn narrowed(&self) -> (DeltaSet, DeltaSet) {
        let suspects = self.suspects.minus(&self.passed).minus(&self.dispensable);
        if !suspects.is_empty() {
            return (suspects, self.applied.union(&self.passed));
        }
        // Subsets that are dispensable one at a time need not be so together, and subsets that
        // pass one at a time may fail together: dropping them all would lose the failure. One
        // dispensable subset can always go.
        let dispensable = |subset: &&DeltaSet| subset.is_subset(&self.dispensable);
        match self.subsets.iter().find(dispensable) {
            Some(subset) => {
                let joining = subset.intersection(&self.passed);
                (self.suspects.minus(subset), self.applied.union(&joining))
            }
            None => (self.suspects.clone(), self.applied.clone()),
        }
    }
}

impl Search for DdPlus {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match &self.round {
            Some(round) => Step::Ask(round.question()),
            None => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(mut round) = self.round.take() else { return };
        if answer.verdict.is_fail() {
            let question = round.question();
            if question.len() < self.best.len() {
                self.best = question;
            }
        }
        match round.take(answer.verdict) {
            Some(case) => self.decide(&case, round),
            None => self.round = Some(round),
        }
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        let Some(round) = &self.round else { return 0.0 };
        match round.probe {
            // One culprit, in each of the subsets with the same chance.
            Probe::Subset(_) => 1.0 / round.subsets.len() as f64,
            // It is nearly always among the others, but complements are asked about only where
            // many tests are unresolved.
            Probe::Complement(_) => 0.4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delta;
    use crate::drawing::{check, needs, numbered, together};

    fn found(mut search: DdPlus, oracle: impl Fn(&DeltaSet) -> Verdict) -> DeltaSet {
        while let Step::Ask(question) = search.step() {
            search.learn(&oracle(&question).into());
        }
        search.found()
    }

    #[test]
    fn a_passing_complement_stays_applied() {
        // Nothing can be tested without the last.
        let oracle = |candidate: &DeltaSet| match candidate.contains(Delta(3)) {
            true => needs(&[1])(candidate),
            false => Verdict::Unresolved,
        };
        check(
            DdPlus::new(4),
            oracle,
            "
            ##.. ?
            ..## ✓
            #.## ✗
            #.## =
            ",
        );
    }

    #[test]
    fn ignorance_is_met_with_smaller_subsets() {
        check(
            DdPlus::new(4),
            together(&[2, 3], needs(&[1])),
            "
            ##.. ?
            ..## ?
            #... ✗
            #... =
            ",
        );
    }

    #[test]
    fn interference_comes_before_preference() {
        // The seventh answer prefers the first subset. Of the complements left only that of the
        // fourth subset, which passed, is asked about: it shows an interference.
        let oracle = |candidate: &DeltaSet| {
            let passing: [&[u32]; 3] = [&[4], &[2, 3, 4], &[1, 2, 3]];
            match passing.iter().any(|numbers| numbered(numbers) == *candidate) {
                true => Verdict::Pass,
                false => Verdict::Unresolved,
            }
        };
        check(
            DdPlus::new(4),
            oracle,
            "
            ##.. ?
            ..## ?
            #... ?
            .#.. ?
            ..#. ?
            ...# ✓
            .### ✓
            ###. ✓
            #..# ?
            .### ✓
            #### =
            ",
        );
    }

    #[test]
    fn changes_that_cannot_be_told_apart_are_found_together() {
        let oracle = together(&[2, 3], needs(&[2]));
        assert_eq!(found(DdPlus::new(3), oracle), numbered(&[2, 3]));
    }

    #[test]
    fn subsets_that_are_dispensable_one_at_a_time_are_not_all_dropped() {
        // Fails with any three of the four: every complement of a single delta fails.
        let oracle = |candidate: &DeltaSet| match candidate.len() {
            0 => Verdict::Pass,
            3.. => Verdict::Fail,
            _ => Verdict::Unresolved,
        };
        assert_eq!(found(DdPlus::new(4), oracle), numbered(&[2, 3, 4]));
    }

    #[test]
    fn nothing_is_asked_about_one_delta() {
        check(DdPlus::new(1), needs(&[1]), "# =");
        check(DdPlus::new(0), needs(&[]), "=");
    }
}
