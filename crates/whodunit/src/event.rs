//! The events of a run, in order. Journal, terminal and reports are folds over them.

use std::io;

use serde::{Deserialize, Serialize};
use whodunit_core::Aim;
use whodunit_run::{Key, Size, Status, TestEvent};

use crate::answer::{
    Answer, ChangesAnswer, HistoryAnswer, Learned, LearnedEnds, Shortened, WhyAgain,
};
use crate::settings::{ChangesSettings, HistorySettings, ReduceSettings};

/// Something that happened in a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A run began.
    Started {
        /// The version of the program.
        version: String,
        /// The settings of the run.
        settings: Box<ReduceSettings>,
        /// The content of the input.
        key: Key,
        /// The identity of the oracle.
        oracle: Key,
        /// How large the input is.
        size: Size,
    },
    /// The findings so far do not hold; the run began again.
    StartedOver {
        /// The reason.
        why: WhyAgain,
        /// The identity of the oracle from here on.
        oracle: Key,
    },
    /// A run of `changes` began.
    ChangesStarted {
        /// The version of the program.
        version: String,
        /// The settings of the run.
        settings: Box<ChangesSettings>,
        /// The content of both versions.
        key: Key,
        /// The identity of the oracle.
        oracle: Key,
    },
    /// A run of `history` began.
    HistoryStarted {
        /// The version of the program.
        version: String,
        /// The settings of the run.
        settings: Box<HistorySettings>,
        /// The name of the newest version.
        key: Key,
        /// The identity of the oracle.
        oracle: Key,
    },
    /// The ends were tested unchanged, and the failure is known: `changes` tests both versions,
    /// `history` the newest one.
    EndsLearned(Box<LearnedEnds>),
    /// The next search of the run begins.
    Search {
        /// The aim of the search.
        stage: Stage,
        /// The number of changes that the search suspects.
        changes: u64,
    },
    /// The whole input was tested, and the failure is known.
    Learned(Box<Learned>),
    /// Arguments of the command that do not matter were dropped. Holds the shorter command.
    Shortened(Shortened),
    /// The run ended.
    Finished {
        /// The answer of the run.
        answer: Box<Answer>,
    },
    /// The run of `changes` ended.
    ChangesFinished {
        /// The answer of the run.
        answer: Box<ChangesAnswer>,
    },
    /// The run of `history` ended.
    HistoryFinished {
        /// The answer of the run.
        answer: Box<HistoryAnswer>,
    },
    /// Something happened to a test or a question.
    #[serde(untagged)]
    Test(TestEvent),
}

/// A watcher of a run, such as the terminal.
pub trait Watch {
    /// Takes note of an event. An error stops the run, because an event that cannot be written down
    /// does not count.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Takes note of the current progress; called often, and not part of the journal.
    fn status(&mut self, _status: &Status) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Watch for Nobody {
    fn event(&mut self, _event: &Event) -> io::Result<()> {
        Ok(())
    }
}

/// The aim of one of the searches of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The commit that causes the failure.
    Commit,
    /// The changes that cause the failure.
    Culprit,
    /// The changes that are still needed when each is taken on its own.
    Smallest,
    /// The changes whose removal makes the failure disappear.
    Fix,
    /// A part of the bad version; with this part removed or replaced the version passes.
    Spot,
    /// A version that passes, on the way back through a history.
    Walk,
    /// The smallest part of a neighbouring version that a version needs to have the same outcome.
    Port,
    /// The newest version that the fix can be carried to.
    Forward,
}

impl From<Aim> for Stage {
    fn from(aim: Aim) -> Self {
        match aim {
            Aim::Culprit => Stage::Culprit,
            Aim::Smallest => Stage::Smallest,
            Aim::Fix => Stage::Fix,
            Aim::Port => Stage::Port,
        }
    }
}
