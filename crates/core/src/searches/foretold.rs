//! `foretold`: a search that answers foretold questions itself (Zeller, "Yesterday, my program
//! worked. Today, it does not. Why?", 1999, section 6, "Predicting Test Outcomes").
//!
//! The search within learns the foretold verdicts as if a test had given them, so only questions
//! that need a test are asked.

use crate::{Answer, Foretell, Search, Step};

/// A search whose foretold questions are answered at once; see the module's text.
#[derive(Clone, Debug)]
pub struct Foretold<S, F> {
    search: S,
    foresight: F,
    foretold: usize,
}

impl<S: Search, F: Foretell<S::Candidate> + Clone> Foretold<S, F> {
    /// Wraps a search.
    pub fn new(search: S, foresight: F) -> Self {
        let mut wrapped = Foretold { search, foresight, foretold: 0 };
        wrapped.settle();
        wrapped
    }

    /// Returns how many questions were answered without a test so far.
    pub fn foretold(&self) -> usize {
        self.foretold
    }

    /// Returns the search within. Its next question is not foretold.
    pub fn search(&self) -> &S {
        &self.search
    }

    /// Answers questions until one needs a test. It ends because the search within does.
    fn settle(&mut self) {
        while let Step::Ask(candidate) = self.search.step()
            && let Some(verdict) = self.foresight.foretell(&candidate)
        {
            self.search.learn(&Answer::from(verdict));
            self.foretold += 1;
        }
    }
}

impl<S: Search, F: Foretell<S::Candidate> + Clone> Search for Foretold<S, F> {
    type Candidate = S::Candidate;

    fn step(&self) -> Step<S::Candidate> {
        self.search.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.search.learn(answer);
        self.settle();
    }

    fn best(&self) -> S::Candidate {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs};
    use crate::searches::Dd;
    use crate::{Delta, DeltaSet, Verdict};

    /// Knows that the first delta is needed.
    #[derive(Clone)]
    struct FirstIsNeeded;

    impl Foretell<DeltaSet> for FirstIsNeeded {
        fn foretell(&self, candidate: &DeltaSet) -> Option<Verdict> {
            (!candidate.contains(Delta(0))).then_some(Verdict::Pass)
        }
    }

    #[test]
    fn only_questions_that_need_a_test_come_out() {
        check(
            Foretold::new(Dd::new(4), FirstIsNeeded),
            needs(&[1, 4]),
            "
            ##.. ✓
            #.## ✗
            ###. ✓
            ##.# ✗
            #.## =
            ",
        );
    }

    #[test]
    fn answers_without_a_test_are_counted() {
        let mut search = Foretold::new(Dd::new(4), FirstIsNeeded);
        assert_eq!(search.foretold(), 0);
        search.learn(&Verdict::Pass.into());
        assert_eq!(search.foretold(), 1);
    }
}
