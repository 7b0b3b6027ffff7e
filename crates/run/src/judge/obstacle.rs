//! Why a test decides nothing, in the kinds of Table 3 of Artho's *Iterative Delta Debugging*.

use super::observation::{Observation, Stage};
use super::recognise;
use crate::{Ending, Limit};

/// The obstacle that kept a test from deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// A gate refused the candidate.
    Gate,
    /// The candidate cannot be configured.
    Configure,
    /// The candidate does not build.
    Build,
    /// Another assertion failed.
    Assertion,
    /// A command did not end in time.
    Timeout,
    /// A command crashed, corrupted its memory, or took too much of it.
    Memory,
    /// Anything else.
    Other,
}

impl Obstacle {
    /// All of them, in the order of the columns of a table.
    pub const ALL: [Obstacle; 7] = [
        Obstacle::Gate,
        Obstacle::Configure,
        Obstacle::Build,
        Obstacle::Assertion,
        Obstacle::Timeout,
        Obstacle::Memory,
        Obstacle::Other,
    ];

    /// Reads it off a test that decided nothing.
    pub fn of(seen: &Observation) -> Self {
        let is_assertion =
            || seen.signature.complaints.iter().any(|it| recognise::is_failed_assertion(it));
        match (seen.stage, seen.ending()) {
            (_, Ending::Limited(Limit::Time)) => Obstacle::Timeout,
            (_, Ending::Limited(Limit::Memory)) => Obstacle::Memory,
            (Stage::Gate, _) => Obstacle::Gate,
            (Stage::Configure, _) => Obstacle::Configure,
            (Stage::Build, _) => Obstacle::Build,
            (Stage::Test, _) if seen.misuses_memory() => Obstacle::Memory,
            (Stage::Test, _) if is_assertion() => Obstacle::Assertion,
            (Stage::Test, _) => Obstacle::Other,
        }
    }

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Obstacle::Gate => "gate",
            Obstacle::Configure => "configure",
            Obstacle::Build => "build",
            Obstacle::Assertion => "assertion",
            Obstacle::Timeout => "timeout",
            Obstacle::Memory => "memory",
            Obstacle::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Output, Ran};

    fn check(stage: Stage, ending: Ending, text: &str, expected: Obstacle) {
        let output = Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 };
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        assert_eq!(Obstacle::of(&Observation::new(stage, ran, &[])), expected, "{text}");
    }

    #[test]
    fn tests_that_decide_nothing_are_told_apart() {
        let exit = Ending::Exited(1);
        let crash = "a.c:1: error: x\n";
        check(Stage::Gate, exit, crash, Obstacle::Gate);
        check(Stage::Configure, exit, crash, Obstacle::Configure);
        check(Stage::Build, exit, crash, Obstacle::Build);
        check(Stage::Build, Ending::Limited(Limit::Time), crash, Obstacle::Timeout);
        check(Stage::Test, exit, "a: a.c:3: f: Assertion `x' failed.\n", Obstacle::Assertion);
        check(Stage::Test, exit, "Traceback:\nAssertionError: got 1\n", Obstacle::Assertion);
        check(Stage::Test, Ending::Signaled(11), "", Obstacle::Memory);
        check(Stage::Test, Ending::Exited(139), "", Obstacle::Memory);
        let bounds = "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: 3\n";
        check(Stage::Test, exit, bounds, Obstacle::Memory);
        check(Stage::Test, exit, "==7==ERROR: AddressSanitizer: SEGV on x\n", Obstacle::Memory);
        check(Stage::Test, exit, "KeyError: 'x'\n", Obstacle::Other);
    }
}
