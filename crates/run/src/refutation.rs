//! Why a candidate does not take the place of the result.

use serde::{Deserialize, Serialize};
use whodunit_core::{Reason, Verdict};

use crate::judge::{Failure, Observation, Stage};
use crate::key::KeyHasher;
use crate::{Ending, Limit};

/// Why a candidate does not show the failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refutation {
    /// It does not parse, so it was not tested.
    DoesNotParse,
    /// The test ran without the failure.
    NoFailure,
    /// The test showed another failure.
    OtherFailure {
        /// That one in words.
        failure: String,
    },
    /// The test showed another value at the assertion where the failure would show; only
    /// distinguished where that matters, in `history`.
    OtherValue {
        /// That failure in words, with the value.
        failure: String,
    },
    /// A gate refused it.
    Refused {
        /// How the gate ended, in words.
        failure: String,
    },
    /// It cannot be configured.
    DoesNotConfigure {
        /// How the configuration ended, in words.
        failure: String,
    },
    /// It does not build.
    DoesNotBuild {
        /// How the build ended, in words.
        failure: String,
    },
    /// A limit ended the test.
    CutShort {
        /// The limit.
        limit: Limit,
    },
    /// All that is known is that the question stayed open.
    Open,
}

impl Refutation {
    /// Reads it off a test; `None` if the test showed the failure.
    pub fn of(verdict: Verdict, seen: Option<&Observation>) -> Option<Self> {
        let failure = |seen: &Observation| seen.signature.kind();
        match (verdict, seen) {
            (Verdict::Fail, _) => None,
            (Verdict::Pass, _) => Some(Refutation::NoFailure),
            (Verdict::Unresolved, None) => Some(Refutation::Open),
            (Verdict::Unresolved, Some(seen)) => Some(match (seen.stage, seen.ending()) {
                (_, Ending::Limited(limit)) => Refutation::CutShort { limit },
                (Stage::Gate, _) => Refutation::Refused { failure: failure(seen) },
                (Stage::Configure, _) => Refutation::DoesNotConfigure { failure: failure(seen) },
                (Stage::Build, _) => Refutation::DoesNotBuild { failure: failure(seen) },
                (Stage::Test, _) => Refutation::OtherFailure { failure: failure(seen) },
            }),
        }
    }

    /// Does the same, and tells another value at the assertion where a failure would show from other
    /// failures.
    pub fn tracking(
        failure: Option<&Failure>,
        verdict: Verdict,
        seen: Option<&Observation>,
    ) -> Option<Self> {
        match (Refutation::of(verdict, seen), failure, seen) {
            (Some(Refutation::OtherFailure { .. }), Some(failure), Some(seen))
                if failure.has_other_value(&seen.signature) =>
            {
                Some(Refutation::OtherValue { failure: seen.signature.to_string() })
            }
            (refutation, ..) => refutation,
        }
    }

    /// Returns the text of the failure that was shown instead, if there was one.
    pub fn failure(&self) -> Option<&str> {
        match self {
            Refutation::OtherFailure { failure }
            | Refutation::OtherValue { failure }
            | Refutation::Refused { failure }
            | Refutation::DoesNotConfigure { failure }
            | Refutation::DoesNotBuild { failure } => Some(failure),
            Refutation::DoesNotParse
            | Refutation::NoFailure
            | Refutation::CutShort { .. }
            | Refutation::Open => None,
        }
    }

    /// Returns a number that distinguishes it from other refutations, for searches.
    pub fn reason(&self) -> Reason {
        let kind = match self {
            Refutation::DoesNotParse => 0,
            Refutation::NoFailure => 1,
            Refutation::OtherFailure { .. } => 2,
            Refutation::Refused { .. } => 3,
            Refutation::DoesNotBuild { .. } => 4,
            Refutation::CutShort { limit } => 16 + *limit as u8,
            Refutation::Open => 5,
            Refutation::OtherValue { .. } => 6,
            Refutation::DoesNotConfigure { .. } => 7,
        };
        let mut hasher = KeyHasher::new();
        hasher.update(&[kind]);
        hasher.update(self.failure().unwrap_or_default().as_bytes());
        Reason(u128::from(hasher.finish()) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Output, Ran};

    fn read(stage: Stage, ending: Ending, verdict: Verdict) -> Option<Refutation> {
        let text = "a.c:1:2: error: expected ';' before '}'\n";
        let output = Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 };
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        Refutation::of(verdict, Some(&Observation::new(stage, ran, &[])))
    }

    #[test]
    fn a_refutation_says_more_than_a_verdict() {
        let (exit, late) = (Ending::Exited(1), Ending::Limited(Limit::Time));
        let open = Verdict::Unresolved;
        assert_eq!(read(Stage::Test, exit, Verdict::Fail), None);
        assert_eq!(read(Stage::Test, exit, Verdict::Pass), Some(Refutation::NoFailure));
        let limit = Limit::Time;
        assert_eq!(read(Stage::Test, late, open), Some(Refutation::CutShort { limit }));
        assert_eq!(read(Stage::Gate, late, open), Some(Refutation::CutShort { limit }));
        assert!(matches!(read(Stage::Gate, exit, open), Some(Refutation::Refused { .. })));
        let configured = read(Stage::Configure, exit, open);
        assert!(matches!(configured, Some(Refutation::DoesNotConfigure { .. })));
        assert!(matches!(read(Stage::Build, exit, open), Some(Refutation::DoesNotBuild { .. })));
        assert!(matches!(read(Stage::Test, exit, open), Some(Refutation::OtherFailure { .. })));
    }
}
