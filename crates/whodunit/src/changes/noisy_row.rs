//! Finds the commit with a flaky test, and the probability of each commit.

use std::sync::Arc;

use whodunit_core::searches::Noisy;
use whodunit_core::{Answer, Noise, Repeat, Search, Step};

use super::commit_row::Commits;
use super::commits::Turn;
use super::trees::{TreeState, at};
use super::{ChangesError, Finder};
use crate::answer::LikelyCommit;
use crate::event::{Event, Stage};

/// Number of commits that are named, unless more of them are needed to reach the confidence.
const NAMED: usize = 4;

/// Probability below which a commit is not named.
const NEGLIGIBLE: f64 = 0.001;

/// The search [`Noisy`] over the commits of a row.
#[derive(Clone)]
struct NoisyRow {
    noisy: Noisy,
    commits: Arc<Commits>,
}

impl NoisyRow {
    fn state(&self, repeat: Repeat<usize>) -> Repeat<TreeState> {
        repeat.map(|place| at(self.commits.clone(), place))
    }
}

impl Search for NoisyRow {
    type Candidate = Repeat<TreeState>;

    fn step(&self) -> Step<Self::Candidate> {
        self.noisy.step().map(|repeat| self.state(repeat))
    }

    fn learn(&mut self, answer: &Answer) {
        self.noisy.learn(answer);
    }

    fn best(&self) -> Self::Candidate {
        self.state(self.noisy.best())
    }

    fn likely(&self) -> f64 {
        self.noisy.likely()
    }
}

/// Finds where a row of commits turns from passing to failing. The version before the row passes,
/// and the last commit fails. If there are not enough tests, all commits that are likely enough are
/// suspects.
pub(super) fn bisect(
    finder: &mut Finder<'_>,
    commits: &Arc<Commits>,
    noise: Noise,
) -> Result<Turn, ChangesError> {
    let count = commits.row.len();
    let confidence = finder.settings.flaky.confidence;
    let row = NoisyRow { noisy: Noisy::new(count, confidence, noise), commits: commits.clone() };
    let row = if finder.is_over() {
        row
    } else {
        let event = Event::Search { stage: Stage::Commit, changes: count as u64 };
        finder.lab.recorder.write(&event)?;
        finder.lab.search_runs(row)?
    };
    let credible = row.noisy.credible();
    let (first, last) = match row.noisy.is_sure() {
        true => row.noisy.suspects(),
        false => {
            let places = || credible.iter().map(|(place, _)| *place);
            (places().min().unwrap_or(0), places().max().unwrap_or(0))
        }
    };
    let mut likely: Vec<(usize, f64)> = row.noisy.posterior().iter().copied().enumerate().collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    likely.retain(|(_, probability)| *probability >= NEGLIGIBLE);
    likely.truncate(credible.len().max(NAMED));
    let named = |(place, probability): (usize, f64)| LikelyCommit {
        commit: super::commits::described(&commits.row[place]),
        probability,
    };
    finder.likely = likely.into_iter().map(named).collect();
    let suspects = commits.row[first..=last].to_vec();
    Ok(Turn { passing: commits.at(first).clone(), suspects })
}
