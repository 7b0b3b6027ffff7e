//! Doubts a failure that lasts: it may come from memory that is not initialised, or that is no
//! longer initialised because of a part that was removed from the back-port (section 5.2 of
//! *Iterative Delta Debugging*).
//!
//! The oldest failing version, with its back-port, and the newest version are built and tested
//! again under valgrind, or by a command of the user, such as one that builds with a sanitizer.
//! Warnings of both builds about values that are not initialised are used as well. The answer
//! reports the complaints, but they change no verdict, because a memory checker changes what a
//! program does.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::Arc;

use whodunit_exec::{BadCommand, Command, Oracle};
use whodunit_run::Ended;
use whodunit_run::judge::{Observation, Stage};

use super::{HistoryError, HistoryWalk};
use crate::answer::MemoryCheck;
use crate::changes::ChangesError;
use crate::first_runs::first_limits;
use crate::settings::HistorySettings;

/// The word for valgrind; any other text is a shell command.
const VALGRIND: &str = "valgrind";

/// Command before the test for valgrind: it prints only errors, also of the processes that the test
/// starts. Leaks are no misuse.
const WORDS: [&str; 5] =
    [VALGRIND, "--quiet", "--trace-children=yes", "--leak-check=no", "--log-fd=2"];

/// Parts of compiler warnings about values that are not initialised or not returned.
const WARNINGS: [&str; 6] = [
    "uninitialized",
    "uninitialised",
    "no return statement",
    "control reaches end of non-void",
    "non-void function does not return a value",
    "might not have been initialized",
];

/// Returns the command that checks the memory of a test, if the user asked for one.
pub(super) fn command(
    settings: &HistorySettings,
    test: &Command,
    path: &OsStr,
) -> Result<Option<Command>, BadCommand> {
    let Some(line) = &settings.memcheck else { return Ok(None) };
    let command = match line.as_str() {
        VALGRIND => test.under(&WORDS, path),
        line => Command::shell_in_tree(line, path),
    };
    command.map(Some)
}

impl HistoryWalk<'_, '_> {
    /// Checks the memory of the oldest failing version and of the newest one, if the user asked for
    /// that and there is time.
    pub(super) fn check_memory(&mut self) -> Result<(), HistoryError> {
        let test = &self.finder.lab.workers.oracle().command;
        let command = command(self.settings, test, &self.surroundings.path);
        let Some(command) = command.map_err(ChangesError::from)? else { return Ok(()) };
        if self.finder.lab.ended != Ended::Done {
            return Ok(());
        }
        let found = self.until_stopped(|walk| walk.memory_of(command))?;
        self.memory = found;
        Ok(())
    }

    fn memory_of(&mut self, command: Command) -> Result<MemoryCheck, HistoryError> {
        let place = self.ends.as_ref().map_or(self.oldest, |ends| ends.failing.0);
        let (old, newest) = (self.seen_failing(place).at(place), self.untouched()?.at(0));
        let lab = &mut self.finder.lab;
        let displayed = command.display();
        let mut oracle = Oracle { command, ..lab.workers.oracle().clone() };
        // Under a checker a test takes many times as long, and the factor is unknown.
        oracle.limits.test = first_limits(&self.settings.how.limits).test;
        let oracle = Arc::new(oracle);
        let mut said = Vec::new();
        for state in [old, newest] {
            let seen = lab.workers.observe_with(&oracle, &lab.rule, &state)?;
            lab.tally.proof += 1;
            said.push(complaints(&seen));
        }
        let version = self.row.revision(place)?.short_id;
        let newest = said.pop().unwrap_or_default();
        let complaints = said.pop().unwrap_or_default();
        Ok(MemoryCheck { command: displayed, version, place: place as u64, complaints, newest })
    }
}

/// Returns the complaints of a test and its build, each once, without their places.
fn complaints(seen: &Observation) -> Vec<String> {
    let mut found = BTreeSet::new();
    if seen.stage == Stage::Test && seen.misuses_memory() {
        found.insert(seen.signature.telling.clone().unwrap_or_else(|| seen.signature.to_string()));
    }
    if seen.stage != Stage::Test {
        found.insert(format!("it cannot be checked: it {}", seen.signature));
    }
    let build = seen.built.as_ref().map(|built| built.output.text()).unwrap_or_default();
    for line in build.lines() {
        let Some((_, warning)) = line.split_once("warning: ") else { continue };
        if WARNINGS.iter().any(|part| warning.contains(part)) {
            found.insert(format!("warning: {}", warning.trim()));
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use whodunit_run::judge::Built;
    use whodunit_run::{Ending, Output, Ran};

    use super::*;

    fn output(text: &str) -> Output {
        Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 }
    }

    #[test]
    fn complaints_are_those_of_checkers_and_of_compilers() {
        let check = |test: &str, build: &str, expected: &[&str]| {
            let (ending, duration, peak_memory) = (Ending::Exited(1), Duration::ZERO, 0);
            let ran = Ran { ending, output: output(test), duration, peak_memory };
            let mut seen = Observation::new(Stage::Test, ran, &[]);
            seen.built = Some(Built { output: output(build), duration, peak_memory });
            assert_eq!(complaints(&seen), expected, "{test}{build}");
        };
        check("wrong\n", "a.c:3: warning: unused variable\n", &[]);
        let valgrind = "==7== Conditional jump or move depends on uninitialised value(s)\n";
        check(valgrind, "", &["Conditional jump"]);
        let warning = "a.c:3:4: warning: 'x' is used uninitialized [-Wuninitialized]\n";
        let said = "warning: 'x' is used uninitialized [-Wuninitialized]";
        check("wrong\n", &warning.repeat(2), &[said]);
    }
}
