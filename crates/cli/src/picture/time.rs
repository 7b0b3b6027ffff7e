//! How the time of a run was spent, by the outcomes of the tests.

use std::time::Duration;

use whodunit_jobs::core::Verdict;
use whodunit_run::judge::{Observation, Stage};

/// The time that tests of one kind took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) what: &'static str,
    pub(super) tests: u64,
    /// The sum over all tests, however many ran at once.
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

/// Sums up tests, each with its verdict and whether a question asked for it.
pub(super) fn spent<'a>(ran: impl Iterator<Item = (bool, Verdict, &'a Observation)>) -> Vec<Spent> {
    let mut configurations = Spent::nothing("configurations that went well");
    let mut builds = Spent::nothing("builds that went well");
    let mut refused = Spent::nothing("refused by a gate");
    let mut unconfigured = Spent::nothing("configurations that went wrong");
    let mut broken = Spent::nothing("builds that went wrong");
    let mut fail = Spent::nothing("tests that fail");
    let mut pass = Spent::nothing("tests that pass");
    let mut unresolved = Spent::nothing("unresolved tests");
    let mut ahead = Spent::nothing("ran ahead for nothing");
    for (asked, verdict, seen) in ran {
        let built = seen.built.as_ref().map(|built| built.duration);
        let configured = seen.configured.map(|configured| configured.duration);
        if !asked {
            let before = configured.unwrap_or_default().saturating_add(built.unwrap_or_default());
            ahead.add(seen.duration.saturating_add(before));
            continue;
        }
        configured.into_iter().for_each(|duration| configurations.add(duration));
        built.into_iter().for_each(|duration| builds.add(duration));
        let row = match (seen.stage, verdict) {
            (Stage::Gate, _) => &mut refused,
            (Stage::Configure, _) => &mut unconfigured,
            (Stage::Build, _) => &mut broken,
            (Stage::Test, Verdict::Fail) => &mut fail,
            (Stage::Test, Verdict::Pass) => &mut pass,
            (Stage::Test, Verdict::Unresolved) => &mut unresolved,
        };
        row.add(seen.duration);
    }
    let before = [configurations, unconfigured, builds, broken, refused];
    let mut rows: Vec<Spent> = before.into_iter().chain([fail, pass, unresolved, ahead]).collect();
    rows.retain(|row| row.tests > 0);
    rows
}
