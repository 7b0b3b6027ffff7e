//! Where the time of a run went, by what came of the tests.

use std::time::Duration;

use whodunit_jobs::core::Verdict;
use whodunit_run::judge::{Observation, Stage};

/// The time that tests of one kind took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) what: &'static str,
    pub(super) tests: u64,
    /// The sum of all of them, however many ran at once.
    pub(super) time: Duration,
    pub(super) longest: Duration,
}

impl Spent {
    fn nothing(what: &'static str) -> Self {
        Spent { what, tests: 0, time: Duration::ZERO, longest: Duration::ZERO }
    }

    pub(super) fn of(what: &'static str, durations: &[Duration]) -> Self {
        let mut spent = Spent::nothing(what);
        durations.iter().for_each(|&duration| spent.add(duration));
        spent
    }

    fn add(&mut self, duration: Duration) {
        self.tests += 1;
        self.time = self.time.saturating_add(duration);
        self.longest = self.longest.max(duration);
    }
}

/// Sums up tests, each with its verdict and whether it was asked about in the end.
pub(super) fn spent<'a>(ran: impl Iterator<Item = (bool, Verdict, &'a Observation)>) -> Vec<Spent> {
    let mut builds = Spent::nothing("builds that went well");
    let mut refused = Spent::nothing("refused by a gate");
    let mut broken = Spent::nothing("builds that went wrong");
    let mut fail = Spent::nothing("tests that fail");
    let mut pass = Spent::nothing("tests that pass");
    let mut unresolved = Spent::nothing("unresolved tests");
    let mut ahead = Spent::nothing("ran ahead for nothing");
    for (asked, verdict, seen) in ran {
        let built = seen.built.as_ref().map(|built| built.duration);
        if !asked {
            ahead.add(seen.duration.saturating_add(built.unwrap_or_default()));
            continue;
        }
        built.into_iter().for_each(|duration| builds.add(duration));
        let row = match (seen.stage, verdict) {
            (Stage::Gate, _) => &mut refused,
            (Stage::Build, _) => &mut broken,
            (Stage::Test, Verdict::Fail) => &mut fail,
            (Stage::Test, Verdict::Pass) => &mut pass,
            (Stage::Test, Verdict::Unresolved) => &mut unresolved,
        };
        row.add(seen.duration);
    }
    let mut rows = vec![builds, broken, refused, fail, pass, unresolved, ahead];
    rows.retain(|row| row.tests > 0);
    rows
}
