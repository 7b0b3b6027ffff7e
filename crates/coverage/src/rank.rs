//! Ranks things by how suspicious the tests that cover them make them: section 3.2 of the AutoFlow
//! paper (Zhang, Gu, Chen, Zhao), and Ochiai's coefficient.
//!
//! Scores are fractions of whole numbers, so that equal scores are equal and every machine has the
//! same order.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use crate::Outcome;

/// The formula of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// The paper's: `%failed / (%passed + %failed)`, the shares of failing and of passing tests
    /// that cover the thing.
    #[default]
    Shares,
    /// Ochiai's coefficient, squared, which orders alike and is a fraction:
    /// `failed² / (all failing · (failed + passed))`.
    OchiaiSquared,
}

/// The order of things with the same score: the newer one comes first, then the larger one, then
/// the one that was named first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    /// When it was changed, on any scale that grows.
    pub recency: u64,
    /// How large it is, on any scale.
    pub size: u64,
}

/// A thing, its score, and the counts of tests behind the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The number of the thing.
    pub thing: usize,
    /// From 0 to 1; a higher score is more suspicious.
    pub score: Fraction,
    /// The number of failing tests that cover it.
    pub failed: usize,
    /// The number of passing tests that cover it.
    pub passed: usize,
}

/// Orders things by their scores, the most suspicious first.
///
/// `covers` returns whether a test covers a thing, both given by their numbers; skipped tests do
/// not count.
pub fn rank(
    things: &[Tie],
    tests: &[Outcome],
    formula: Formula,
    covers: impl Fn(usize, usize) -> bool,
) -> Vec<Ranked> {
    let count = |outcome| tests.iter().filter(|test| **test == outcome).count();
    let all = Counts { failed: count(Outcome::Failed), passed: count(Outcome::Passed) };
    let ranked = (0..things.len()).map(|thing| {
        let covering = |outcome| {
            let tests = (0..tests.len()).filter(|&test| tests[test] == outcome);
            tests.filter(|&test| covers(test, thing)).count()
        };
        let by = Counts { failed: covering(Outcome::Failed), passed: covering(Outcome::Passed) };
        let score = formula.score(by, all);
        Ranked { thing, score, failed: by.failed, passed: by.passed }
    });
    let mut ranked: Vec<Ranked> = ranked.collect();
    ranked.sort_by_key(|it| (Reverse(it.score), Reverse(things[it.thing]), it.thing));
    ranked
}

/// Numbers of failed and passed tests.
#[derive(Clone, Copy)]
struct Counts {
    failed: usize,
    passed: usize,
}

impl Formula {
    fn score(self, by: Counts, all: Counts) -> Fraction {
        let wide = |count: usize| count as u128;
        match self {
            // Without passing tests the share would be 0/0: a thing that failing tests cover has
            // the score 1.
            Formula::Shares => {
                let failed = wide(by.failed) * wide(all.passed.max(1));
                Fraction::new(failed, failed + wide(by.passed) * wide(all.failed))
            }
            Formula::OchiaiSquared => Fraction::new(
                wide(by.failed) * wide(by.failed),
                wide(all.failed) * (wide(by.failed) + wide(by.passed)),
            ),
        }
    }
}

/// A fraction from 0 to 1, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// Makes a fraction of two numbers of tests; a thing that no test covers is not suspicious: 0/0
    /// is 0.
    fn new(numerator: u128, denominator: u128) -> Self {
        if numerator == 0 {
            return Fraction { numerator: 0, denominator: 1 };
        }
        let common = greatest_common_divisor(numerator, denominator);
        let narrow = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        Fraction {
            numerator: narrow(numerator / common),
            denominator: narrow(denominator / common),
        }
    }

    /// Returns it as a number to be shown; compare the fractions themselves.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let wide = |one: u64, other: u64| u128::from(one) * u128::from(other);
        wide(self.numerator, other.denominator).cmp(&wide(other.numerator, self.denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
