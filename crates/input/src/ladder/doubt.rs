//! Candidates that a parser accepts and their language does not, such as `{ a(); }` as a program of
//! C.
//!
//! Nearly every test refuses them, and a few tests do not: a compiler that crashes before it
//! complains, an expression that looks at the text. So some are asked about, and the answers decide
//! about the others. The counts belong to the ladder, not to one pass. Passes that prove something
//! ask about all of them.

use std::sync::Arc;

use whodunit_core::Verdict;

use crate::candidate::InputCandidate;
use crate::settings::LadderSettings;
use crate::snapshot::Snapshot;
use crate::structure::MAX_CHECKED_BYTES;
use crate::validity::Validity;

/// Doubtful candidates that are asked about before any is passed over. Chosen by hand: with the loop of the
/// thesis 4 of the first 68 candidates have syntax errors, and 8 of 72 if all are asked about.
const ASKED_FIRST: u32 = 4;

/// After these, one candidate in this many is asked about. Chosen by hand.
const ONE_OF: u32 = 8;

/// The counts of doubtful candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DoubtCount {
    /// The number of doubtful candidates so far.
    met: u32,
    /// Whether the failure was seen with one of them: then none is skipped.
    one_fails: bool,
}

impl DoubtCount {
    fn passes_over_next(self) -> bool {
        !self.one_fails && self.met >= ASKED_FIRST && !self.met.is_multiple_of(ONE_OF)
    }
}

/// Knows which candidates of a pass are doubtful.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    validity: Arc<Validity>,
    pub(super) count: DoubtCount,
}

impl Doubt {
    /// Returns the doubts about candidates of a snapshot; `None` if no language of it demands more
    /// than its parser, or if finding out would take too long.
    pub(super) fn about(
        base: &Snapshot,
        settings: &LadderSettings,
        count: DoubtCount,
    ) -> Option<Self> {
        if base.len() > MAX_CHECKED_BYTES || settings.wants_sentences() {
            return None;
        }
        let validity = Validity::beyond_parser(base, &settings.languages, &settings.protection)?;
        Some(Doubt { validity: Arc::new(validity), count })
    }

    /// Returns whether the language refuses a candidate, as far as is known.
    pub(super) fn is_about(&self, candidate: &InputCandidate) -> bool {
        candidate.clone().demanding(&self.validity).is_refused()
    }

    /// Returns whether the next doubtful candidate is skipped.
    pub(super) fn passes_over_next(&self) -> bool {
        self.count.passes_over_next()
    }

    /// Records a doubtful candidate, and the answer if it was asked about.
    pub(super) fn note(&mut self, answer: Option<Verdict>) {
        self.count.met += 1;
        self.count.one_fails |= answer.is_some_and(Verdict::is_fail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws which of the first doubtful candidates are asked about, if the failure shows with one of them.
    fn asked(fails: Option<u32>) -> String {
        let mut count = DoubtCount::default();
        let mut ask = |number| {
            let passed_over = count.passes_over_next();
            count.met += 1;
            count.one_fails |= !passed_over && fails == Some(number);
            if passed_over { '.' } else { '#' }
        };
        (0..20).map(&mut ask).collect()
    }

    #[test]
    fn a_few_doubtful_candidates_are_asked_about_and_all_once_one_of_them_fails() {
        assert_eq!(asked(None), "####....#.......#...");
        assert_eq!(asked(Some(2)), "####################");
        assert_eq!(asked(Some(8)), "####....############");
        // The failing candidate was skipped.
        assert_eq!(asked(Some(9)), "####....#.......#...");
    }
}
