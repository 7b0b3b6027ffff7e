//! How often a test shows the failure: where the failure is, and where it is not.
//!
//! A flaky test has two rates: r, how often a run shows the failure where it is, and f, how often a
//! run shows it where it is not. Neither rate is known, only counts of runs. Every probability here
//! is an average over all rates that agree with the counts, so few runs give a careful answer and
//! many runs a firm one.

use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::Verdict;

/// Runs of one kind, and how many of them showed the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sightings {
    /// Runs that showed the failure.
    pub seen: u32,
    /// All runs.
    pub runs: u32,
}

impl Sightings {
    /// Counts one more run.
    pub fn count(&mut self, shows: bool) {
        self.seen += u32::from(shows);
        self.runs += 1;
    }

    /// Returns both counts together.
    pub fn plus(self, other: Sightings) -> Self {
        Sightings { seen: self.seen + other.seen, runs: self.runs + other.runs }
    }

    /// Returns how many runs did not show the failure.
    pub fn silent(self) -> u32 {
        self.runs - self.seen
    }

    /// Returns the range that holds the true rate in 95 of 100 cases (Wilson's interval).
    pub fn rates(self) -> (f64, f64) {
        if self.runs == 0 {
            return (0.0, 1.0);
        }
        let (runs, z) = (f64::from(self.runs), 1.96_f64);
        let rate = f64::from(self.seen) / runs;
        let spread = z * (rate * (1.0 - rate) / runs + z * z / (4.0 * runs * runs)).sqrt();
        let edge = |it: f64| ((it + z * z / (2.0 * runs)) / (1.0 + z * z / runs)).clamp(0.0, 1.0);
        (edge(rate - spread), edge(rate + spread))
    }

    /// Returns the probability that two counts with the same true rate differ at least as much as
    /// these (Fisher's exact test, two-sided).
    pub fn chance_to_differ(self, other: Sightings) -> f64 {
        let all = self.plus(other);
        let ln_choose =
            |of: u32, some: u32| ln_factorial(of) - ln_factorial(some) - ln_factorial(of - some);
        let ln_chance = |seen: u32| {
            ln_choose(self.runs, seen) + ln_choose(other.runs, all.seen - seen)
                - ln_choose(all.runs, all.seen)
        };
        let (least, most) = (all.seen.saturating_sub(other.runs), all.seen.min(self.runs));
        // Outcomes with equal probability may differ by rounding; count them as equal.
        let is_as_far = |it: &f64| *it <= ln_chance(self.seen) + 1e-9;
        let sum: f64 = (least..=most).map(ln_chance).filter(is_as_far).map(f64::exp).sum();
        sum.min(1.0)
    }
}

/// The counts from which the two rates are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// Runs where the failure is.
    pub there: Sightings,
    /// Runs where it is not.
    pub elsewhere: Sightings,
}

/// Possible values of f, each as a share of r, and the probability given to each before the first
/// run: half of all flaky tests are assumed only to miss the failure (share 0). Shares near 1 are
/// left out: they would leave nothing to tell the two rates apart. Chosen by hand, with simulations
/// like those of `bench noisy`.
const ELSEWHERE: [(f64, f64); 8] = [
    (0.0, 0.5),
    (0.02, 0.1),
    (0.05, 0.1),
    (0.1, 0.1),
    (0.2, 0.1),
    (0.35, 0.05),
    (0.5, 0.03),
    (0.7, 0.02),
];
/// The prior of r, a Beta distribution: every rate is equally likely.
const THERE: (u32, u32) = (1, 1);

impl Noise {
    /// Returns the probability, as a logarithm, that runs of candidates with the failure show these
    /// counts.
    pub fn ln_if_there(&self, counts: Sightings) -> f64 {
        ln_predictive(THERE, self.there, counts)
    }

    /// Returns the probability, as a logarithm, that runs of candidates without the failure show
    /// these counts.
    pub fn ln_if_elsewhere(&self, counts: Sightings) -> f64 {
        self.ln_elsewhere(self.elsewhere.plus(counts)) - self.ln_elsewhere(self.elsewhere)
    }

    /// Returns the probability that the next run shows the failure where it is, after these further
    /// counts.
    pub fn rate_there(&self, counts: Sightings) -> f64 {
        let all = self.there.plus(counts);
        f64::from(all.seen + THERE.0) / f64::from(all.runs + THERE.0 + THERE.1)
    }

    /// Returns the probability that the next run shows the failure where it is not, after these
    /// further counts.
    pub fn rate_elsewhere(&self, counts: Sightings) -> f64 {
        let all = self.elsewhere.plus(counts);
        let one = Sightings { seen: all.seen + 1, runs: all.runs + 1 };
        (self.ln_elsewhere(one) - self.ln_elsewhere(all)).exp()
    }

    /// Returns the probability, as a logarithm, of all counts where the failure is not.
    fn ln_elsewhere(&self, counts: Sightings) -> f64 {
        let there = self.rate_there(Sightings::default());
        let (seen, silent) = (f64::from(counts.seen), f64::from(counts.silent()));
        let ln = ELSEWHERE.map(|(part, belief)| {
            let rate = part * there;
            match (rate > 0.0, counts.seen) {
                (true, _) => belief.ln() + seen * rate.ln() + silent * (1.0 - rate).ln(),
                (false, 0) => belief.ln(),
                (false, _) => f64::NEG_INFINITY,
            }
        });
        let most = ln.into_iter().fold(f64::NEG_INFINITY, f64::max);
        most + ln.into_iter().map(|it| (it - most).exp()).sum::<f64>().ln()
    }

    /// Returns how probable it is that the failure is in a candidate with these counts, if it was
    /// `likely` before the first of its runs.
    pub fn probability(&self, likely: f64, counts: Sightings) -> f64 {
        let odds = likely.ln() - (1.0 - likely).ln() + self.ln_if_there(counts)
            - self.ln_if_elsewhere(counts);
        1.0 / (1.0 + (-odds).exp())
    }
}

/// The least rate at which a candidate may show the failure. A candidate that shows it less often
/// is refused, as if the failure were not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastRate(pub f64);

/// The error bounds: the probability that an accepted candidate has a lower rate, and that a
/// refused one has a sufficient rate. The first is smaller: accepting wrongly breaks a promise,
/// refusing wrongly only leaves the result larger.
const RATE_BOUNDS: (f64, f64) = (0.005, 0.05);

/// A candidate that is undecided after this many runs is refused: its rate is hardly higher than
/// the least one.
const MOST_FOR_RATE: u32 = 96;

impl LeastRate {
    /// Returns the probability that candidates with these counts have at least this rate, if all
    /// rates were equally probable before.
    pub fn probability(self, counts: Sightings) -> f64 {
        // The Beta distribution with whole parameters equals a sum over the binomial distribution.
        let (all, rate) = (counts.runs + 1, self.0);
        let ln_chance = |seen: u32| {
            let ln_choose = ln_factorial(all) - ln_factorial(seen) - ln_factorial(all - seen);
            ln_choose + f64::from(seen) * rate.ln() + f64::from(all - seen) * (1.0 - rate).ln()
        };
        (0..=counts.seen).map(|seen| ln_chance(seen).exp()).sum::<f64>().min(1.0)
    }

    /// Returns whether a candidate with these counts is good enough; `None` while its runs do not
    /// suffice to tell.
    pub fn verdict(self, counts: Sightings) -> Option<Verdict> {
        let (wrongly_taken, wrongly_refused) = RATE_BOUNDS;
        let enough = self.probability(counts);
        if enough >= 1.0 - wrongly_taken {
            Some(Verdict::Fail)
        } else {
            let is_over = enough <= wrongly_refused || counts.runs >= MOST_FOR_RATE;
            is_over.then_some(Verdict::Pass)
        }
    }
}

/// Returns the probability, as a logarithm, of counts after other counts, if the rate has a Beta
/// distribution.
fn ln_predictive(prior: (u32, u32), before: Sightings, counts: Sightings) -> f64 {
    ln_beta_ratio(prior, before.plus(counts)) - ln_beta_ratio(prior, before)
}

/// Returns the probability, as a logarithm, of one order of these runs, if the rate has a Beta
/// distribution.
fn ln_beta_ratio((shows, silent): (u32, u32), counts: Sightings) -> f64 {
    ln_beta(shows + counts.seen, silent + counts.silent()) - ln_beta(shows, silent)
}

/// Returns the logarithm of the Beta function of two whole numbers.
fn ln_beta(a: u32, b: u32) -> f64 {
    ln_factorial(a - 1) + ln_factorial(b - 1) - ln_factorial(a + b - 1)
}

/// Factorials below this number come from a table; beyond it Stirling's series is exact to the last
/// digits.
const TABLE: usize = 4096;

fn ln_factorial(number: u32) -> f64 {
    static FACTORIALS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let mut sum = 0.0;
        let sums = (1..TABLE).map(|number| {
            sum += (number as f64).ln();
            sum
        });
        std::iter::once(0.0).chain(sums.collect::<Vec<_>>()).collect()
    });
    match FACTORIALS.get(number as usize) {
        Some(&known) => known,
        None => {
            let number = f64::from(number);
            number * number.ln() - number + 0.5 * (2.0 * PI * number).ln() + 1.0 / (12.0 * number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(seen: u32, runs: u32) -> Sightings {
        Sightings { seen, runs }
    }

    #[test]
    fn the_probabilities_of_all_outcomes_add_up_to_one() {
        let noise = Noise { there: counts(7, 10), elsewhere: counts(0, 10) };
        let orders = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];
        let sum = |ln: &dyn Fn(Sightings) -> f64| -> f64 {
            (0..=5).map(|seen| orders[seen as usize] * ln(counts(seen, 5)).exp()).sum()
        };
        assert!((sum(&|it| noise.ln_if_there(it)) - 1.0).abs() < 1e-9);
        assert!((sum(&|it| noise.ln_if_elsewhere(it)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_next_run_is_as_likely_as_its_counts_say() {
        let noise = Noise { there: counts(3, 4), elsewhere: counts(0, 6) };
        for already in [counts(0, 0), counts(0, 3), counts(2, 3)] {
            let one = counts(already.seen + 1, already.runs + 1);
            let there = (noise.ln_if_there(one) - noise.ln_if_there(already)).exp();
            assert!((there - noise.rate_there(already)).abs() < 1e-9);
            let elsewhere = (noise.ln_if_elsewhere(one) - noise.ln_if_elsewhere(already)).exp();
            assert!((elsewhere - noise.rate_elsewhere(already)).abs() < 1e-9);
        }
    }

    #[test]
    fn silence_is_evidence_that_the_failure_is_not_there() {
        let noise = Noise { there: counts(7, 10), elsewhere: counts(0, 10) };
        let probability = |seen, runs| noise.probability(0.5, counts(seen, runs));
        assert!((probability(0, 0) - 0.5).abs() < 1e-9);
        assert!((1..20).all(|runs| probability(0, runs) < probability(0, runs - 1)));
        assert!(probability(4, 5) > 0.9);
    }

    #[test]
    fn counts_differ_by_chance_as_often_as_fisher_says() {
        // Fisher's tea taster: three of four cups right against one of four.
        assert!((counts(3, 4).chance_to_differ(counts(1, 4)) - 34.0 / 70.0).abs() < 1e-9);
        assert!((counts(5, 5).chance_to_differ(counts(0, 5)) - 2.0 / 252.0).abs() < 1e-9);
        assert!((counts(2, 7).chance_to_differ(counts(2, 7)) - 1.0).abs() < 1e-9);
        assert!((counts(0, 0).chance_to_differ(counts(2, 7)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_rate_lies_between_its_bounds() {
        let (least, most) = counts(7, 20).rates();
        assert!((least - 0.181).abs() < 0.001 && (most - 0.567).abs() < 0.001);
        assert_eq!(counts(0, 0).rates(), (0.0, 1.0));
        assert!(counts(0, 20).rates().0 < 1e-9 && counts(20, 20).rates().1 > 1.0 - 1e-9);
    }

    #[test]
    fn a_rate_that_suffices_is_told_from_one_that_does_not() {
        let least = LeastRate(0.5);
        assert!((least.probability(counts(0, 0)) - 0.5).abs() < 1e-9);
        assert!((least.probability(counts(3, 3)) - 15.0 / 16.0).abs() < 1e-9);
        assert_eq!(least.verdict(counts(6, 6)), None);
        assert_eq!(least.verdict(counts(7, 7)), Some(Verdict::Fail));
        assert_eq!(least.verdict(counts(0, 4)), Some(Verdict::Pass));
        assert_eq!(least.verdict(counts(48, 96)), Some(Verdict::Pass), "no better than it must be");
    }

    #[test]
    fn large_factorials_go_on_where_the_table_ends() {
        let (below, above) = (ln_factorial(TABLE as u32 - 1), ln_factorial(TABLE as u32));
        assert!((above - below - (TABLE as f64).ln()).abs() < 1e-7);
    }
}
