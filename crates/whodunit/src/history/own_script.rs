//! The script of the command, where that may be what is tested rather than the test.
//!
//! In `python3 check.py` the script is the test, and must be the same for every version. In
//! `python3 app.py` it is what broke, and with the broken one nothing passes. Which of the two it is
//! cannot be told from the command. So each version is given the script as it is now, and if nothing
//! passes with it, each is tested with its own, as `git bisect` does. The answer says so, because
//! a test that checks more than it did before looks the same.

use std::sync::Arc;

use whodunit_run::Word;

use super::HistoryError;
use super::row::Row;
use super::walk::{HistoryWalk, Start};
use crate::answer::{HistoryAnswer, HistoryOutcome, ended_with};
use crate::changes::Finder;

/// Goes back with the script as it is now, and if nothing passes with each version's own.
pub(super) fn walk_back(
    finder: &mut Finder<'_>,
    start: &Start<'_>,
    row: &Arc<Row>,
) -> Result<HistoryAnswer, HistoryError> {
    let with_newest = walk(finder, start, row.clone());
    if !is_doubtful(&with_newest) {
        return with_newest;
    }
    let Some((path, row)) = row.with_own_scripts()? else { return with_newest };
    let with_own = walk(finder, start, Arc::new(row));
    match (with_newest, with_own) {
        (_, Ok(mut answer)) if is_telling(&answer.outcome) => {
            answer.learned.own_script = Some(Word::from(path.as_os_str()));
            Ok(answer)
        }
        (Ok(mut answer), Ok(_)) => {
            answer.tests = finder.lab.tally;
            answer.ended = ended_with(finder.lab.ended, answer.outcome.causes());
            answer.others = finder.lab.recorder.others();
            Ok(answer)
        }
        // Nothing new was seen.
        (with_newest, Err(HistoryError::GoodFails { .. })) => with_newest,
        (_, with_own) => with_own,
    }
}

fn walk(
    finder: &mut Finder<'_>,
    start: &Start<'_>,
    row: Arc<Row>,
) -> Result<HistoryAnswer, HistoryError> {
    let mut walk = HistoryWalk::new(finder, start, row)?;
    let outcome = walk.go_or_stop()?;
    walk.check_memory()?;
    walk.answer(outcome, start)
}

/// Whether nothing was found that passes.
fn is_doubtful(answer: &Result<HistoryAnswer, HistoryError>) -> bool {
    match answer {
        Ok(answer) => matches!(
            answer.outcome,
            HistoryOutcome::NotARegression(_) | HistoryOutcome::Untestable { .. }
        ),
        Err(error) => matches!(error, HistoryError::GoodFails { .. }),
    }
}

/// Whether more is known than before, or would be if the time were not up.
fn is_telling(outcome: &HistoryOutcome) -> bool {
    matches!(outcome, HistoryOutcome::Found { .. } | HistoryOutcome::Unfinished { .. })
}
