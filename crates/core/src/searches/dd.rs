//! `dd`: finds the changes that together make the failure (Zeller, "Yesterday, my program worked.
//! Today, it does not. Why?", 1999, Algorithm 1).
//!
//! The suspects (the paper's *c*) are cut in halves while the changes taken along (its *r*) stay
//! applied. A half that fails is searched alone; if neither does, the two interfere and each is
//! searched with the other applied. The paper's recursion is a list of calls still to be made.
//! It asks for consistent configurations; here `Unresolved` counts as not failing.

use crate::{Answer, DeltaSet, Search, Step};

/// The search; see the module's text.
///
/// The empty candidate must pass. Minimal if the oracle is monotone, unambiguous and consistent,
/// in at most two tests a delta, logarithmically many if there is one culprit.
#[derive(Clone, Debug)]
pub struct Dd {
    /// The smallest candidate that was seen to fail.
    best: DeltaSet,
    /// The deltas found by the finished calls.
    found: DeltaSet,
    /// The calls still to be made; the last one is under way and has at least two suspects.
    calls: Vec<Call>,
    probe: Half,
}

/// A call of the paper's *dd₂*.
#[derive(Clone, Debug)]
struct Call {
    suspects: DeltaSet,
    applied: DeltaSet,
}

/// Which half of the suspects is asked about.
#[derive(Clone, Copy, Debug)]
enum Half {
    First,
    /// The first one did not fail.
    Second,
}

impl Dd {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let all = DeltaSet::full(count);
        let whole = Call { suspects: all.clone(), applied: DeltaSet::empty() };
        let mut search =
            Dd { best: all, found: DeltaSet::empty(), calls: vec![whole], probe: Half::First };
        search.settle();
        search
    }

    /// Returns the set that the paper's algorithm returns: the changes that induce the failure.
    ///
    /// With more than one culprit it was put together from several calls and may never have been
    /// tested as a whole; [`best`](Search::best) was. Before the search is done it holds all
    /// deltas that are not ruled out yet.
    pub fn found(&self) -> DeltaSet {
        self.calls.iter().fold(self.found.clone(), |found, call| found.union(&call.suspects))
    }

    /// Takes single suspects as found until there is a call with something to ask.
    fn settle(&mut self) {
        self.probe = Half::First;
        while let Some(call) = self.calls.pop_if(|call| call.suspects.len() < 2) {
            self.found = self.found.union(&call.suspects);
        }
    }
}

impl Call {
    fn half(&self, half: Half) -> DeltaSet {
        let middle = self.suspects.len() / 2;
        match half {
            Half::First => self.suspects.slice(0..middle),
            Half::Second => self.suspects.slice(middle..self.suspects.len()),
        }
    }

    /// Returns the call that searches one half, with the other one applied.
    fn with_other_applied(&self, half: Half) -> Call {
        let suspects = self.half(half);
        let applied = self.applied.union(&self.suspects.minus(&suspects));
        Call { suspects, applied }
    }
}

impl Search for Dd {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.calls.last() {
            Some(call) => Step::Ask(call.half(self.probe).union(&call.applied)),
            None => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(call) = self.calls.pop() else { return };
        match self.probe {
            half if answer.verdict.is_fail() => {
                let suspects = call.half(half);
                let question = suspects.union(&call.applied);
                if question.len() < self.best.len() {
                    self.best = question;
                }
                self.calls.push(Call { suspects, applied: call.applied });
                self.settle();
            }
            Half::First => {
                self.calls.push(call);
                self.probe = Half::Second;
            }
            Half::Second => {
                self.calls.push(call.with_other_applied(Half::Second));
                self.calls.push(call.with_other_applied(Half::First));
                self.settle();
            }
        }
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        match self.probe {
            // A single culprit is as likely in one half as in the other.
            Half::First => 0.5,
            // It is not in the first: it is here, unless two interfere, which is rarer.
            Half::Second => 0.7,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs};

    #[test]
    fn one_culprit_is_found_by_halving() {
        check(
            Dd::new(8),
            needs(&[7]),
            "
            ####.... ✓
            ....#### ✗
            ....##.. ✓
            ......## ✗
            ......#. ✗
            ......#. =
            ",
        );
    }

    #[test]
    fn interfering_halves_are_searched_with_the_other_applied() {
        check(
            Dd::new(4),
            needs(&[2, 3]),
            "
            ##.. ✓
            ..## ✓
            #.## ✓
            .### ✗
            ###. ✗
            .### =
            ",
        );
    }

    #[test]
    fn what_is_found_may_be_smaller_than_what_was_seen_to_fail() {
        let mut search = Dd::new(4);
        while let Step::Ask(question) = search.step() {
            search.learn(&needs(&[2, 3])(&question).into());
        }
        assert_eq!(search.found(), crate::drawing::numbered(&[2, 3]));
        assert_eq!(search.best().len(), 3);
    }

    #[test]
    fn nothing_is_asked_about_one_delta() {
        check(Dd::new(1), needs(&[1]), "# =");
        check(Dd::new(0), needs(&[]), "=");
    }
}
