//! What happens in a run, in order. Journal, terminal and reports are folds over this.

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
        /// What it was asked to do.
        settings: Box<ReduceSettings>,
        /// The content of the input.
        key: Key,
        /// The identity of the oracle.
        oracle: Key,
        /// How large the input is.
        size: Size,
    },
    /// What was found so far does not hold; the run began again.
    StartedOver {
        /// Why.
        why: WhyAgain,
        /// The identity of the oracle from here on.
        oracle: Key,
    },
    /// A run of `changes` began.
    ChangesStarted {
        /// The version of the program.
        version: String,
        /// What it was asked to do.
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
        /// What it was asked to do.
        settings: Box<HistorySettings>,
        /// The name of the newest version.
        key: Key,
        /// The identity of the oracle.
        oracle: Key,
    },
    /// Both versions were tested as they are, and the failure is known.
    EndsLearned(Box<LearnedEnds>),
    /// The next search of the run begins.
    Search {
        /// What it looks for.
        stage: Stage,
        /// How many changes there are to suspect.
        changes: u64,
    },
    /// The input was tested as it is, and the failure is known.
    Learned(Box<Learned>),
    /// Arguments of the command that do not matter were dropped; this is what is left.
    Shortened(Shortened),
    /// The run came to an end.
    Finished {
        /// What came of it.
        answer: Box<Answer>,
    },
    /// The run of `changes` came to an end.
    ChangesFinished {
        /// What came of it.
        answer: Box<ChangesAnswer>,
    },
    /// The run of `history` came to an end.
    HistoryFinished {
        /// What came of it.
        answer: Box<HistoryAnswer>,
    },
    /// Something happened to a test or a question.
    #[serde(untagged)]
    Test(TestEvent),
}

/// Somebody who watches a run.
pub trait Watch {
    /// Takes note of what happened. An error stops the run: what cannot be written down does not
    /// count.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Takes note of how things are at the moment; called often, and not part of the journal.
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

/// What one of the searches of a run looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The commit that did it.
    Commit,
    /// The changes that did it.
    Culprit,
    /// What of the changes is needed when each is taken for itself.
    Smallest,
    /// What must go for the failure to be gone.
    Fix,
    /// A part of the bad version that passes if it is taken out or replaced.
    Spot,
    /// A version that passes, on the way back through a history.
    Walk,
    /// The smallest part of a neighbour that a version lacks for the outcome to be the same.
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
