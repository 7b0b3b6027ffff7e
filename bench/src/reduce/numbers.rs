//! Computes the numbers of a run from its tests.

use std::time::Duration;

/// One test, with times since the start of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tested {
    pub(super) start: Duration,
    pub(super) end: Duration,
    pub(super) seen: Seen,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The failure is there.
    Fails {
        bytes: usize,
    },
    Passes,
    /// The tool ended the test: it took too long, or was no longer needed.
    CutShort,
}

/// The numbers of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// All tests that began.
    pub(super) tests: usize,
    /// Tests that ended after the last one that failed and was smaller than all before.
    pub(super) after_last_success: usize,
    /// The time during which at least one test ran. Parallel tests count once, so the rest of
    /// the wall time is the tool's own also with several jobs.
    pub(super) in_tests: Duration,
}

impl Numbers {
    /// Returns the time outside tests, divided by the tests.
    pub(super) fn tool_time(&self, wall: Duration) -> Duration {
        let tests = u32::try_from(self.tests.max(1)).unwrap_or(u32::MAX);
        wall.saturating_sub(self.in_tests) / tests
    }
}

/// Computes the numbers of a run from its tests, in any order.
pub(super) fn count(tests: &[Tested]) -> Numbers {
    Numbers {
        tests: tests.len(),
        after_last_success: after_last_success(tests),
        in_tests: covered(tests),
    }
}

fn after_last_success(tests: &[Tested]) -> usize {
    let mut by_end = tests.to_vec();
    by_end.sort_by_key(|test| test.end);
    let mut smallest = usize::MAX;
    let mut after = 0;
    for test in by_end {
        after += 1;
        if let Seen::Fails { bytes } = test.seen
            && bytes < smallest
        {
            smallest = bytes;
            after = 0;
        }
    }
    after
}

fn covered(tests: &[Tested]) -> Duration {
    let mut by_start = tests.to_vec();
    by_start.sort_by_key(|test| test.start);
    let mut until = Duration::ZERO;
    let mut sum = Duration::ZERO;
    for test in by_start {
        sum += test.end.saturating_sub(test.start.max(until));
        until = until.max(test.end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSES: Seen = Seen::Passes;

    fn fails(bytes: usize) -> Seen {
        Seen::Fails { bytes }
    }

    fn tested(start: u64, end: u64, seen: Seen) -> Tested {
        Tested { start: Duration::from_millis(start), end: Duration::from_millis(end), seen }
    }

    #[test]
    fn no_tests_are_no_trouble() {
        let numbers = count(&[]);
        assert_eq!((numbers.tests, numbers.after_last_success), (0, 0));
        assert_eq!(numbers.tool_time(Duration::from_secs(1)), Duration::from_secs(1));
    }

    #[test]
    fn only_a_smaller_failing_candidate_is_a_success() {
        let seen = [fails(9), PASSES, fails(5), fails(7), PASSES, fails(5), Seen::CutShort];
        let tests: Vec<Tested> =
            (0..).zip(seen).map(|(at, seen)| tested(2 * at, 2 * at + 1, seen)).collect();
        assert_eq!(count(&tests).after_last_success, 4);
        assert_eq!(count(&tests[..3]).after_last_success, 0);
    }

    #[test]
    fn success_comes_when_the_test_ends() {
        let slow = tested(0, 50, fails(3));
        let tests = [slow, tested(1, 10, fails(9)), tested(11, 20, PASSES), tested(21, 60, PASSES)];
        assert_eq!(count(&tests).after_last_success, 1);
    }

    #[test]
    fn tests_that_run_at_once_count_once_in_time() {
        let tests = [
            tested(10, 20, PASSES),
            tested(12, 15, PASSES),
            tested(15, 30, Seen::CutShort),
            tested(40, 45, PASSES),
        ];
        let numbers = count(&tests);
        assert_eq!(numbers.in_tests, Duration::from_millis(25));
        assert_eq!(numbers.tool_time(Duration::from_millis(65)), Duration::from_millis(10));
        assert_eq!(numbers.tool_time(Duration::from_millis(5)), Duration::ZERO);
    }
}
