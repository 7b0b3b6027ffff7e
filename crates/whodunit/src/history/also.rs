//! Runs a wider suite on the newest version, without the fix and with it.

use std::sync::Arc;

use whodunit_exec::{Command, Oracle};

use super::{HistoryError, HistoryWalk};
use crate::answer::Also;
use crate::changes::TreeState;
use crate::first_runs::first_limits;

impl HistoryWalk<'_, '_> {
    /// Runs a shell command on both, in clean folders, and returns the outcomes.
    pub(super) fn also(&mut self, line: &str, fixed: &TreeState) -> Result<Also, HistoryError> {
        let newest = &self.untouched()?.at(0);
        let command = Command::shell_in_tree(line, &self.surroundings.path)
            .map_err(crate::changes::ChangesError::from)?;
        let lab = &mut self.finder.lab;
        let mut suite = Oracle { command, ..lab.workers.oracle().clone() };
        // A wider suite takes longer than the test, and its duration is unknown.
        suite.limits.test = first_limits(&self.settings.how.limits).test;
        let suite = Arc::new(suite);
        let mut seen = Vec::new();
        for state in [newest, fixed] {
            let shown = lab.workers.observe_with(&suite, &lab.rule, state)?;
            seen.push(shown.signature);
        }
        let [without, with] = [&seen[0], &seen[1]].map(ToString::to_string);
        Ok(Also { is_same: without == with, without, with })
    }
}
