//! Decides whether the script of the command is the test, or the program under test.
//!
//! In `python3 check.py` the script is the test, and must be the same for every version. In
//! `python3 app.py` it is the program that broke, and every version fails with the broken one. The
//! command does not tell which of the two it is. So each version first gets the current script, and
//! if no version passes with it, each version is tested with its own script, as `git bisect` does.
//! The answer reports that, because a test that checks more than it did before looks the same.

use std::sync::Arc;

use whodunit_run::Word;

use super::HistoryError;
use super::row::Row;
use super::walk::{HistoryWalk, Start};
use crate::answer::{HistoryAnswer, HistoryOutcome, ended_with};
use crate::changes::Finder;

/// Walks back with the current script, and if no version passes, with each version's own.
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
        // The second walk added nothing.
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

/// Returns whether no version that passes was found.
fn is_doubtful(answer: &Result<HistoryAnswer, HistoryError>) -> bool {
    match answer {
        Ok(answer) => matches!(
            answer.outcome,
            HistoryOutcome::NotARegression(_) | HistoryOutcome::Untestable { .. }
        ),
        Err(error) => matches!(error, HistoryError::GoodFails { .. }),
    }
}

/// Returns whether the second walk found more than the first, or ran out of time.
fn is_telling(outcome: &HistoryOutcome) -> bool {
    matches!(outcome, HistoryOutcome::Found { .. } | HistoryOutcome::Unfinished { .. })
}
