//! Runs a wider suite on the newest version, without the fix and with it.

use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_exec::{Command, Oracle};

use super::answer::Also;
use super::{HistoryError, Journey};
use crate::changes::{Space, TreeState, observe};
use crate::first_runs::first_limits;

impl Journey<'_, '_> {
    /// Runs a line for the shell on both, in clean folders, and says what it showed.
    pub(super) fn also(
        &mut self,
        line: &str,
        space: &Arc<Space>,
        last: usize,
    ) -> Result<Also, HistoryError> {
        let command = Command::shell_in_tree(line, &self.surroundings.path)
            .map_err(crate::changes::ChangesError::from)?;
        let mut suite = Oracle { command, ..(*self.hunt.oracle).clone() };
        // A wider suite takes longer than the test, how much longer nobody has seen.
        suite.limits.test = first_limits(&self.settings.how.limits).test;
        let suite = Arc::new(suite);
        let newest = TreeState { space: self.untouched()?, set: DeltaSet::empty() };
        let fixed = TreeState { space: space.clone(), set: DeltaSet::full(last) };
        let mut seen = Vec::new();
        for state in [newest, fixed] {
            let worker = &mut self.hunt.crew[0];
            worker.discard();
            worker.instruct(&suite, &self.hunt.rule);
            seen.push(observe(&mut self.hunt.crew, &state, &self.hunt.stop)?.signature);
        }
        let worker = &mut self.hunt.crew[0];
        worker.discard();
        worker.instruct(&self.hunt.oracle, &self.hunt.rule);
        let [without, with] = [&seen[0], &seen[1]].map(ToString::to_string);
        Ok(Also { is_same: without == with, without, with })
    }
}
