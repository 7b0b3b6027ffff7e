//! Watches the resources of the tracked failure: time, memory and output, in comparison with those
//! of the newest version.
//!
//! A limit ends a test that uses too much; this module compares tests below the limits. Time
//! differs from run to run and memory from machine to machine, so these are only reported. The
//! output hardly differs: a failure with the same telling line and much more or much less output
//! may be another one. So it is tested again in a clean folder before it counts.

use whodunit_core::Verdict;
use whodunit_run::judge::Used;

use super::{HistoryError, HistoryWalk};
use crate::answer::{Measure, Watched};
use crate::changes::TreeState;

/// Factor and seconds by which a test must be slower than in the newest version to be reported. The
/// seconds are needed because on a busy machine a test of a few milliseconds may take ten times as
/// long.
const TIME: (f64, f64) = (5.0, 1.0);

/// Factor and bytes by which a test must use more memory to be reported; a language runtime alone
/// uses less than that.
const MEMORY: (f64, f64) = (4.0, (64 << 20) as f64);

/// Factor and bytes by which the output must be longer or shorter to be reported: a stack trace or
/// a list of tests is longer than that, a changed number or path is shorter.
const OUTPUT: (f64, f64) = (4.0, 512.0);

/// Returns the resources in which a test deviates from the first runs, with the factors.
fn deviations(first: &[Used], seen: Used) -> Vec<(Measure, f64)> {
    let mut found = Vec::new();
    let most = |of: fn(&Used) -> f64| first.iter().map(of).fold(0.0, f64::max);
    let mut more = |measure, of: fn(&Used) -> f64, (factor, margin): (f64, f64)| {
        let (before, now) = (most(of), of(&seen));
        if now >= before * factor && now - before >= margin {
            found.push((measure, now / before.max(1e-9)));
        }
    };
    more(Measure::Time, |used| used.duration.as_secs_f64(), TIME);
    more(Measure::Memory, |used| used.memory as f64, MEMORY);
    let output = |used: &Used| used.output as f64;
    let least = first.iter().map(output).fold(f64::INFINITY, f64::min);
    more(Measure::Output, |used| used.output as f64, OUTPUT);
    let now = output(&seen);
    if now * OUTPUT.0 <= least && least - now >= OUTPUT.1 {
        found.push((Measure::Output, now / least));
    }
    found
}

impl HistoryWalk<'_, '_> {
    /// Compares a version that fails with the first runs; an error if a test in a clean folder does
    /// not fail again.
    pub(super) fn watch(&mut self, place: usize, state: &TreeState) -> Result<(), HistoryError> {
        let Some(seen) = self.finder.used(state) else { return Ok(()) };
        for (measure, times) in deviations(&self.first, seen) {
            let is_confirmed = match measure {
                Measure::Time | Measure::Memory => false,
                Measure::Output if !self.finder.lab.has_tests_left(1) => false,
                Measure::Output => match self.finder.prove_seen(state)? {
                    Some((claim, _)) if claim.verdict() == Verdict::Fail => {
                        // This test is part of the search, and counts like its other tests.
                        self.finder.lab.tally.committed += 1;
                        true
                    }
                    Some((_, seen)) => {
                        return Err(self.unsteady(place, Verdict::Fail, seen)?.into());
                    }
                    None => false,
                },
            };
            let version = self.row.revision(place)?.short_id;
            let watched = Watched { version, place: place as u64, measure, times, is_confirmed };
            self.watched.push(watched);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    fn used(millis: u64, memory: u64, output: u64) -> Used {
        Used { duration: Duration::from_millis(millis), memory, output }
    }

    #[test]
    fn what_is_much_more_or_much_less_stands_out() {
        let first = [used(500, 20 * MIB, 4 * KIB), used(400, 21 * MIB, 4 * KIB + 3)];
        let check = |seen, expected: &[Measure]| {
            let found: Vec<Measure> =
                deviations(&first, seen).into_iter().map(|(measure, _)| measure).collect();
            assert_eq!(found, expected, "{seen:?}");
        };
        check(used(500, 20 * MIB, 4 * KIB), &[]);
        check(used(2400, 80 * MIB, 9 * KIB), &[]);
        check(used(2500, 20 * MIB, 4 * KIB), &[Measure::Time]);
        check(used(500, 100 * MIB, 4 * KIB), &[Measure::Memory]);
        check(used(500, 20 * MIB, 40 * KIB), &[Measure::Output]);
        check(used(500, 20 * MIB, 100), &[Measure::Output]);
    }

    #[test]
    fn little_things_do_not_stand_out() {
        let first = [used(3, MIB, 20)];
        assert_eq!(deviations(&first, used(90, 40 * MIB, 300)), []);
        assert_eq!(deviations(&first, used(3, MIB, 0)), []);
    }
}
