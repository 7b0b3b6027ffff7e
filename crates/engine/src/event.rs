//! What happens in a run, in order. Journal, terminal and reports are folds over this.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use crate::changes::{ChangesAnswer, ChangesSettings, LearnedEnds};
use crate::history::{HistoryAnswer, HistorySettings};
use crate::key::Key;
use crate::oracle::Observation;
use crate::reduce::{Answer, Learned, ReduceSettings, Shortened};
use crate::subject::Size;

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
    /// A test ran; whether it decides anything shows later.
    Tested {
        /// The content that was tested.
        key: Key,
        /// What the rule said.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// What was seen, if it was a process.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        observation: Option<Box<Observation>>,
    },
    /// A test ran that no question asked for: one of the first runs, or one for the proof.
    Known {
        /// The content that was tested.
        key: Key,
        /// What the rule said.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// What was seen.
        observation: Box<Observation>,
    },
    /// A question was answered.
    Committed {
        /// The number of the question, from 1.
        question: u64,
        /// The content it was about.
        key: Key,
        /// The answer.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// Where the answer came from.
        source: Source,
        /// How large the candidate was.
        size: Size,
    },
    /// The best candidate got smaller.
    Improved {
        /// The number of the question that showed it.
        question: u64,
        /// How large the best candidate is now.
        size: Size,
    },
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
}

/// Why a run began again by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyAgain {
    /// The command, its script or a listed variable is not what it was before the interruption.
    TestChanged,
    /// A test says something else than it did before the interruption.
    OutcomeChanged,
    /// Tests in folders with earlier builds said something else than tests in clean ones.
    WarmFolders,
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
    /// A version that passes, on the way back through a history.
    Walk,
    /// The smallest part of a neighbour that a version lacks for the outcome to be the same.
    Port,
    /// The newest version that the fix can be carried to.
    Forward,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A test of this run decided.
    Committed,
    /// The content was known.
    Cached,
    /// It was certain without a test.
    Foretold,
}

/// Verdicts as lower-case words; the core knows nothing of serialisation.
pub(crate) mod verdict {
    use serde::{Deserialize, Deserializer, Serializer};
    use whodunit_core::Verdict;

    const WORDS: [(Verdict, &str); 3] =
        [(Verdict::Fail, "fail"), (Verdict::Pass, "pass"), (Verdict::Unresolved, "unresolved")];

    pub(crate) fn word(verdict: Verdict) -> &'static str {
        WORDS.iter().find(|(known, _)| *known == verdict).expect("all verdicts are listed").1
    }

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
    pub(crate) fn serialize<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(word(*verdict))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
        let known = WORDS.iter().find(|(_, word)| *word == text);
        known.map(|(verdict, _)| *verdict).ok_or_else(|| serde::de::Error::custom("no verdict"))
    }
}
