//! Exit codes. They are documented in the help, and tested.

use std::io::ErrorKind;
use std::process::ExitCode;

use whodunit_exec::WorkerError;
use whodunit_exec::process::ProcessError;
use whodunit_jobs::LabError;
use whodunit_jobs::RecordsError;
use whodunit_jobs::changes::{Cause, ChangesAnswer, ChangesError};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::history::{HistoryAnswer, HistoryError, HistoryOutcome};
use whodunit_jobs::journal::RunsError;
use whodunit_jobs::reduce::{Answer, ReduceError};
use whodunit_run::Ended;

use crate::trouble::Trouble;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Finished = 0,
    Machine = 1,
    BadInput = 2,
    NotDone = 3,
    NotProved = 4,
    NotNamed = 5,
    /// As `sysexits.h` has it.
    Defect = 70,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

impl From<Ended> for Exit {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Done => Exit::Finished,
            Ended::GaveUp | Ended::OutOfTime | Ended::OutOfTests => Exit::NotDone,
            Ended::Stopped => Exit::Interrupted,
            Ended::Defect => Exit::Defect,
        }
    }
}

impl From<&Answer> for Exit {
    fn from(answer: &Answer) -> Self {
        let rerun = answer.proof.rerun.map(|rerun| rerun.verdict.verdict());
        match rerun {
            Some(Verdict::Pass | Verdict::Unresolved) => Exit::NotProved,
            Some(Verdict::Fail) | None => answer.ended.into(),
        }
    }
}

impl From<&ChangesAnswer> for Exit {
    fn from(answer: &ChangesAnswer) -> Self {
        let is_refuted = |cause: &Cause| cause.proof.is_refuted(Verdict::Pass);
        let is_other = answer.ends.is_some_and(|ends| ends.is_refuted(Verdict::Pass));
        match is_other || answer.causes.iter().any(is_refuted) {
            true => Exit::NotProved,
            false => answer.ended.into(),
        }
    }
}

impl From<&HistoryAnswer> for Exit {
    fn from(answer: &HistoryAnswer) -> Self {
        let is_found = matches!(answer.outcome, HistoryOutcome::Found { .. });
        match Exit::from(answer.ended) {
            Exit::Finished if !is_found => Exit::NotNamed,
            exit => exit,
        }
    }
}

impl From<&Trouble> for Exit {
    fn from(trouble: &Trouble) -> Self {
        match trouble {
            Trouble::Usage(_)
            | Trouble::Answer { .. }
            | Trouble::BadAnswer { .. }
            | Trouble::Untrusted(_)
            | Trouble::NoAnswer(_)
            | Trouble::Grammar(_) => Exit::BadInput,
            Trouble::Reduce { error, .. } => Exit::from(error),
            Trouble::Changes { error, .. } | Trouble::Atoms { error, .. } => Exit::from(error),
            Trouble::History { error, .. } => Exit::from(error),
            Trouble::Verify { error: ReduceError::ResultChanged(_), .. } => Exit::NotProved,
            Trouble::Verify { error, .. } => Exit::from(error),
            Trouble::Runs(RunsError::Records(error)) => Exit::from(error),
            Trouble::Runs(_) => Exit::BadInput,
            Trouble::NoHome
            | Trouble::NoFolder(_)
            | Trouble::NoScratch(_)
            | Trouble::Signals(_)
            | Trouble::Output(_)
            | Trouble::Report { .. }
            | Trouble::Write { .. } => Exit::Machine,
        }
    }
}

impl From<&ReduceError> for Exit {
    fn from(error: &ReduceError) -> Self {
        match error {
            ReduceError::Read { .. }
            | ReduceError::Nameless(_)
            | ReduceError::OverInput(_)
            | ReduceError::Occupied(_)
            | ReduceError::Inside { .. }
            | ReduceError::Empty(_)
            | ReduceError::NothingToAsk { .. }
            | ReduceError::NoTree
            | ReduceError::NoPassing
            | ReduceError::NoSentence(_)
            | ReduceError::NoGrammar
            | ReduceError::Twice(_)
            | ReduceError::Changed
            | ReduceError::ResultChanged(_)
            | ReduceError::Language(_)
            | ReduceError::Pattern { .. }
            | ReduceError::Command(_)
            | ReduceError::DoesNotFail { .. }
            | ReduceError::CutShort { .. }
            | ReduceError::TooRare { .. }
            | ReduceError::Flaky { .. } => Exit::BadInput,
            ReduceError::Lab(error) => Exit::from(error),
            ReduceError::Write { source, .. } if source.kind() == ErrorKind::NotFound => {
                Exit::BadInput
            }
            ReduceError::Write { .. } | ReduceError::Scratch(_) => Exit::Machine,
        }
    }
}

impl From<&ChangesError> for Exit {
    fn from(error: &ChangesError) -> Self {
        match error {
            ChangesError::NoLink { .. }
            | ChangesError::NoSuchVersion { .. }
            | ChangesError::Version(_)
            | ChangesError::File(_)
            | ChangesError::NoDifference
            | ChangesError::Changed
            | ChangesError::FileChanged { .. }
            | ChangesError::Swapped
            | ChangesError::BothPass { .. }
            | ChangesError::BothFail { .. }
            | ChangesError::Untestable { .. }
            | ChangesError::Flaky { .. }
            | ChangesError::Unsteady { .. }
            | ChangesError::NothingToVerify
            | ChangesError::Atomic(_)
            | ChangesError::Needs { .. }
            | ChangesError::Command(_) => Exit::BadInput,
            ChangesError::DoesNotApply { .. } => Exit::NotProved,
            ChangesError::Lab(error) => Exit::from(error),
            ChangesError::Write { .. } | ChangesError::Scratch(_) | ChangesError::Io(_) => {
                Exit::Machine
            }
        }
    }
}

impl From<&HistoryError> for Exit {
    fn from(error: &HistoryError) -> Self {
        match error {
            HistoryError::TipPasses { .. }
            | HistoryError::TipUntestable { .. }
            | HistoryError::NoOverlay { .. }
            | HistoryError::OneVersion
            | HistoryError::GoodFails { .. }
            | HistoryError::Protect { .. } => Exit::BadInput,
            HistoryError::Changes(error) => Exit::from(error),
        }
    }
}

impl From<&LabError> for Exit {
    fn from(error: &LabError) -> Self {
        match error {
            LabError::StoppedEarly(ended) => Exit::from(*ended),
            LabError::NotRunnable { .. }
            | LabError::OutcomeChanged
            | LabError::WarmDisagrees
            | LabError::Flaky => Exit::BadInput,
            LabError::Worker(error) => Exit::from(error),
            LabError::Journal(_) => Exit::Machine,
        }
    }
}

impl From<&WorkerError> for Exit {
    fn from(error: &WorkerError) -> Self {
        match error {
            // No machine has names that long; the version has them.
            WorkerError::LayOut { source, .. } if source.kind() == ErrorKind::InvalidFilename => {
                Exit::BadInput
            }
            WorkerError::Command(_)
            | WorkerError::Stopped { .. }
            | WorkerError::Process(
                ProcessError::CannotStart { .. } | ProcessError::ZeroByte { .. },
            ) => Exit::BadInput,
            _ => Exit::Machine,
        }
    }
}

impl From<&RecordsError> for Exit {
    fn from(error: &RecordsError) -> Self {
        match error {
            RecordsError::Io { .. } => Exit::Machine,
            _ => Exit::BadInput,
        }
    }
}
