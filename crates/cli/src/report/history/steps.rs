//! The steps on the way, as tables: the numbers that Artho's *Iterative Delta Debugging*
//! reports of its experiments.

use std::collections::BTreeMap;
use std::fmt::Write;

use whodunit_jobs::core::Verdict;
use whodunit_jobs::history::{HistoryAnswer, HistoryStep, StepReason, StepResult, Way};

use super::lines;
use crate::output::plain;
use crate::report::{counted, number};

/// The outcomes of tests of versions, and the reasons for inconclusive ones.
#[derive(Debug, Default)]
pub(crate) struct Reasons {
    fail: u64,
    pass: u64,
    open: BTreeMap<StepReason, u64>,
}

impl Reasons {
    pub(crate) fn of(answer: &HistoryAnswer) -> Self {
        let mut reasons = Reasons::default();
        for step in &answer.steps {
            match &step.result {
                StepResult::Tested { verdict: Verdict::Fail, .. } => reasons.fail += 1,
                StepResult::Tested { verdict: Verdict::Pass, .. } => reasons.pass += 1,
                StepResult::Tested { reason, .. } => {
                    *reasons.open.entry(reason.unwrap_or(StepReason::Test)).or_default() += 1;
                }
                StepResult::Searched { .. } => {}
            }
        }
        reasons
    }

    /// Returns the outcomes on one line.
    pub(crate) fn words(&self) -> String {
        let open: u64 = self.open.values().sum();
        let all = counted(self.fail + self.pass + open, "step", "steps");
        let (fail, pass) = (number(self.fail), number(self.pass));
        let mut text = format!("{all}: {fail} failed, {pass} passed");
        if open > 0 {
            let why = self.open.iter().map(|(reason, count)| format!("{count} {}", name(*reason)));
            let why: Vec<String> = why.collect();
            let _ = write!(text, ", {} inconclusive ({})", number(open), why.join(", "));
        }
        text
    }
}

/// Returns the steps as a table.
pub(crate) fn steps(answer: &HistoryAnswer) -> String {
    let width = answer.steps.iter().map(|step| plain(&step.version).chars().count()).max();
    let width = width.unwrap_or(0).max("version".len());
    let mut text = format!("\n{:width$} {:>6}  result\n", "version", "back");
    for step in &answer.steps {
        let (version, back) = (plain(&step.version), number(step.place));
        let _ = writeln!(text, "{version:width$} {back:>6}  {}", result(step));
    }
    text.push('\n');
    text
}

/// Returns the outcome of a step.
pub(crate) fn result(step: &HistoryStep) -> String {
    match &step.result {
        StepResult::Tested { way, verdict, reason, says, rung } => {
            let mut text = match (verdict, reason) {
                (Verdict::Fail, _) => "fails".to_owned(),
                (Verdict::Pass, _) => "passes".to_owned(),
                (Verdict::Unresolved, Some(StepReason::Patch)) if *way == Way::Forward => {
                    "the fix does not fit".to_owned()
                }
                (Verdict::Unresolved, Some(reason)) => plain(&reason.with(says.as_deref())),
                (Verdict::Unresolved, None) => "cannot be tested".to_owned(),
            };
            if let Some(rung) = rung {
                let _ = write!(text, " (the patch fits: {})", plain(rung));
            }
            text
        }
        StepResult::Searched { way, before, after, tests, again: _ } => {
            let what = match way {
                Way::Back => "what the test needs",
                Way::Forward => "what the fix needs",
            };
            let found = after.as_ref().map_or_else(|| "nothing yet".to_owned(), lines);
            let tests = counted(*tests, "test", "tests");
            format!("{what}: {found}, out of {} ({tests})", lines(before))
        }
    }
}

fn name(reason: StepReason) -> &'static str {
    match reason {
        StepReason::OtherValue => "other value",
        StepReason::Patch => "patch",
        StepReason::Configure => "configure",
        StepReason::Build => "build",
        StepReason::Test => "test",
        StepReason::OldTest => "other test",
        StepReason::Timeout => "timeout",
        StepReason::Memory => "memory",
    }
}
