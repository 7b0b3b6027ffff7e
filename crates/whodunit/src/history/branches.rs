//! Searches the merged branches if the failure begins at a merge.
//!
//! The walk follows the first parents, so that it stays on one line of versions. If the failure
//! begins at a merge, its cause is in one of the merged branches, or in the merge itself.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_core::searches::WalkBack;

use super::{HistoryError, HistoryWalk};
use crate::answer::HistoryOutcome;
use crate::changes::Versions;

impl HistoryWalk<'_, '_> {
    /// Looks for the cause in the branches that were merged in a version, if the user asked for
    /// that. `None` if no branch contains the cause.
    pub(super) fn in_branches(
        &mut self,
        bad: usize,
        good: usize,
    ) -> Result<Option<HistoryOutcome>, HistoryError> {
        if !self.settings.all_parents || good != bad + 1 {
            return Ok(None);
        }
        let (main, carried, passed) = (self.row.clone(), self.carried.clone(), self.passed.clone());
        // The version has another place, or none, in the row of a branch.
        let known_good = self.good.take();
        for branch in 1.. {
            let Some(row) = main.through(bad, branch)? else { break };
            self.row = Arc::new(row);
            self.carried = Arc::new(carried.in_row(&self.row)?);
            let tip = bad + 1;
            let state = self.carried.at(tip);
            if self.carried.fits(tip) && self.finder.ask_in_time(&state)? == Some(Verdict::Fail) {
                let walk = WalkBack::new(self.row.len(), self.pace()).with_bad(tip);
                let outcome = self.go_on(walk)?;
                use HistoryOutcome::{Found, NotARegression, Unfinished, Untestable};
                match outcome {
                    Found { .. } | Unfinished { .. } => return Ok(Some(outcome)),
                    NotARegression(_) | Untestable { .. } => {}
                }
            }
        }
        (self.row, self.carried, self.passed, self.oldest) = (main, carried, passed, bad);
        self.good = known_good;
        Ok(None)
    }
}
