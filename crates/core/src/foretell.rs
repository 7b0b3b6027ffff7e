//! Verdicts that are known before a test is run (WYNOT, section 6).

use crate::Verdict;

/// Knowledge that settles some questions without running them.
pub trait Foretell<C> {
    /// Returns the verdict on `candidate` if it is certain, `None` if only a test can tell.
    fn foretell(&self, candidate: &C) -> Option<Verdict>;
}
