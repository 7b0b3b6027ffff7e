//! `noisy`: finds where an ordered row turns from passing to failing with a test that is only right
//! most of the time (posterior search: Horstein 1963, Burnashev and Zigangirov 1974; with rates that
//! are not known in advance as in `git_bayesect`).
//!
//! Each of the n deltas may be the culprit; a belief holds the probability of each. The next
//! question is the one whose answer is expected to tell most about the belief, under rates of which
//! only counts are known (see [`Noise`]). Each answer counts as one run: the same beginning may be
//! asked about again. A beginning that cannot be tested is asked about once, and the deltas that
//! only it would tell apart stay together. The search ends when one delta, or several that cannot
//! be told apart, have at least the requested confidence.

use std::sync::Arc;

use crate::noise::{Noise, Sightings};
use crate::repeat::Repeat;
use crate::{Answer, Lesson, Search, Step, Verdict};

/// The search ends after this many answers with the belief it has: with rates that hardly differ it
/// would never end. A failure that shows in one of a hundred runs takes about a tenth of this
/// number.
const MOST: u32 = 20_000;

/// The search; see the module's text. A candidate is a number of deltas from the beginning.
#[derive(Clone, Debug)]
pub struct Noisy {
    confidence: f64,
    noise: Noise,
    /// The logarithm of the probability of each delta before the first answer.
    prior: Arc<[f64]>,
    /// The runs of each beginning, the empty one first.
    counts: Vec<Sightings>,
    /// Whether each beginning turned out not to be testable.
    untestable: Vec<bool>,
    /// Whether each beginning needs no more runs.
    settled: Vec<bool>,
    /// The deltas that certain answers do not rule out, the first included and the last excluded.
    possible: (usize, usize),
    answers: u32,
    belief: Arc<Belief>,
}

/// The conclusions from the answers so far.
#[derive(Debug)]
struct Belief {
    /// The probability of each delta that it is the culprit.
    posterior: Vec<f64>,
    /// The beginning that is asked about next, and the probability that it shows the failure.
    next: Option<(usize, f64)>,
}

impl Noisy {
    /// Starts with `count` deltas and searches for the culprit until it has this probability.
    /// `noise` counts earlier runs of other candidates.
    pub fn new(count: usize, confidence: f64, noise: Noise) -> Self {
        Noisy::with_prior(&vec![1.0; count], confidence, noise)
    }

    /// Starts with deltas that are not equally suspect; `weights` are relative.
    pub fn with_prior(weights: &[f64], confidence: f64, noise: Noise) -> Self {
        let total: f64 = weights.iter().sum();
        let prior = weights.iter().map(|weight| (weight / total).ln()).collect();
        let count = weights.len();
        let belief = Arc::new(Belief { posterior: Vec::new(), next: None });
        let mut search = Noisy {
            confidence,
            noise,
            prior,
            counts: vec![Sightings::default(); count + 1],
            untestable: vec![false; count + 1],
            settled: vec![false; count + 1],
            possible: (0, count),
            answers: 0,
            belief,
        };
        search.believe();
        search
    }

    /// Adds runs of a beginning that were made before the search.
    pub fn know(&mut self, beginning: usize, counts: Sightings) {
        self.counts[beginning] = self.counts[beginning].plus(counts);
        self.believe();
    }

    /// Returns the probability of each delta that it is the culprit.
    pub fn posterior(&self) -> &[f64] {
        &self.belief.posterior
    }

    /// Returns the runs of each beginning, the empty one first.
    pub fn counts(&self) -> &[Sightings] {
        &self.counts
    }

    /// Returns two sums of runs: of the beginnings without any suspect, and of those with all
    /// suspects.
    pub fn sides(&self) -> [Sightings; 2] {
        let (first, last) = self.suspects();
        let sum = |part: &[Sightings]| part.iter().fold(Sightings::default(), |a, b| a.plus(*b));
        [sum(&self.counts[..=first]), sum(&self.counts[last + 1..])]
    }

    /// Returns the most probable culprit, as the first and the last delta: several if the
    /// beginnings between them cannot be tested.
    pub fn suspects(&self) -> (usize, usize) {
        let groups = self.groups();
        let best = groups.into_iter().reduce(|a, b| if b.2 > a.2 { b } else { a });
        best.map_or((0, 0), |(first, last, _)| (first, last))
    }

    /// Returns the probability that one of the [`suspects`](Self::suspects) is the culprit.
    pub fn probability(&self) -> f64 {
        self.groups().into_iter().map(|(_, _, sum)| sum).fold(0.0, f64::max)
    }

    /// Returns whether the suspects have the requested confidence.
    pub fn is_sure(&self) -> bool {
        self.probability() >= self.confidence
    }

    /// Returns the fewest deltas that together have the requested confidence, the most probable
    /// first.
    pub fn credible(&self) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> =
            self.belief.posterior.iter().copied().enumerate().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut sum = 0.0;
        let enough = all.iter().position(|(_, share)| {
            sum += share;
            sum >= self.confidence
        });
        all.truncate(enough.map_or(all.len(), |last| last + 1));
        all
    }

    /// Returns the groups of deltas that cannot be told apart: the first and the last delta of
    /// each, and its probability.
    fn groups(&self) -> Vec<(usize, usize, f64)> {
        let mut groups: Vec<(usize, usize, f64)> = Vec::new();
        for (delta, share) in self.belief.posterior.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if delta > 0 && self.untestable[delta] => {
                    *group = (group.0, delta, group.2 + share);
                }
                _ => groups.push((delta, delta, *share)),
            }
        }
        groups
    }

    /// Applies a certain answer, which needs no repeating.
    fn rule_out(&mut self, beginning: usize, verdict: Verdict) {
        let (first, end) = self.possible;
        let possible = match verdict {
            Verdict::Fail => (first, end.min(beginning)),
            Verdict::Pass => (first.max(beginning), end),
            Verdict::Unresolved => (first, end),
        };
        // Certain answers that contradict each other rule nothing out.
        if possible.0 < possible.1 {
            self.possible = possible;
        }
        self.settled[beginning] = true;
        self.untestable[beginning] |= verdict == Verdict::Unresolved;
    }

    /// Recomputes the conclusions from the answers.
    fn believe(&mut self) {
        let count = self.prior.len();
        let total = self.counts.iter().fold(Sightings::default(), |sum, it| sum.plus(*it));
        let mut before = Sightings::default();
        let mut sides = Vec::with_capacity(count);
        for delta in 0..count {
            before = before.plus(self.counts[delta]);
            let after =
                Sightings { seen: total.seen - before.seen, runs: total.runs - before.runs };
            sides.push((before, after));
        }
        // Both sums change only at beginnings that were run, so reuse the facts in between.
        let mut known: Option<(Sightings, [f64; 3])> = None;
        let facts: Vec<[f64; 3]> = sides
            .iter()
            .map(|&(before, after)| match known {
                Some((same, facts)) if same == before => facts,
                _ => {
                    let ln = self.noise.ln_if_elsewhere(before) + self.noise.ln_if_there(after);
                    let there = self.noise.rate_there(after);
                    let facts = [ln, there, self.noise.rate_elsewhere(before)];
                    known = Some((before, facts));
                    facts
                }
            })
            .collect();
        let (first, end) = self.possible;
        let ln = facts.iter().zip(&*self.prior).enumerate().map(|(delta, (fact, prior))| {
            if delta < first || delta >= end { f64::NEG_INFINITY } else { fact[0] + prior }
        });
        let ln: Vec<f64> = ln.collect();
        let most = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut posterior: Vec<f64> = ln.iter().map(|it| (it - most).exp()).collect();
        let sum: f64 = posterior.iter().sum();
        posterior.iter_mut().for_each(|it| *it /= sum);
        let next = self.most_telling(&posterior, &facts);
        self.belief = Arc::new(Belief { posterior, next });
    }

    /// Returns the beginning whose next run is expected to tell most, and the probability that it
    /// shows the failure.
    fn most_telling(&self, posterior: &[f64], facts: &[[f64; 3]]) -> Option<(usize, f64)> {
        // The failure is in a beginning if the culprit is its last delta or an earlier one.
        let weigh = |at: usize| {
            let [_, there, elsewhere] = facts[at];
            let share = posterior[at];
            [share * there, share * entropy(there), share * elsewhere, share * entropy(elsewhere)]
        };
        let weighed: Vec<[f64; 4]> = (0..posterior.len()).map(weigh).collect();
        let (mut shows, mut doubt) = (0.0, 0.0);
        for it in &weighed {
            (shows, doubt) = (shows + it[2], doubt + it[3]);
        }
        let mut best: Option<(usize, f64, f64)> = None;
        for beginning in 0..=posterior.len() {
            if beginning > 0 {
                let it = weighed[beginning - 1];
                (shows, doubt) = (shows + it[0] - it[2], doubt + it[1] - it[3]);
            }
            let told = entropy(shows) - doubt;
            let is_open = !self.untestable[beginning] && !self.settled[beginning];
            if is_open && best.is_none_or(|(_, _, most)| told > most) {
                best = Some((beginning, shows, told));
            }
        }
        best.map(|(beginning, shows, _)| (beginning, shows))
    }
}

/// Returns the entropy, in bits, of an event with this probability.
fn entropy(chance: f64) -> f64 {
    let part = |it: f64| if it <= 0.0 { 0.0 } else { -it * it.log2() };
    part(chance) + part(1.0 - chance)
}

impl Search for Noisy {
    type Candidate = Repeat<usize>;

    fn step(&self) -> Step<Repeat<usize>> {
        match self.belief.next {
            Some((beginning, _)) if !self.is_sure() && self.answers < MOST => {
                Step::Ask(Repeat { candidate: beginning, nth: self.counts[beginning].runs })
            }
            _ => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Step::Ask(Repeat { candidate, .. }) = self.step() else { return };
        self.answers += 1;
        if answer.lessons.contains(&Lesson::Certain) {
            self.rule_out(candidate, answer.verdict);
            return self.believe();
        }
        match answer.verdict {
            // A beginning with an earlier resolved run is testable: count this run as silent.
            Verdict::Unresolved if self.counts[candidate].runs == 0 => {
                self.untestable[candidate] = true;
            }
            verdict => self.counts[candidate].count(verdict.is_fail()),
        }
        self.believe();
    }

    fn best(&self) -> Repeat<usize> {
        Repeat { candidate: self.suspects().1 + 1, nth: 0 }
    }

    fn likely(&self) -> f64 {
        self.belief.next.map_or(0.5, |(_, likely)| likely)
    }
}

#[cfg(test)]
mod tests;
