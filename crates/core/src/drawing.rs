//! Drawings of a search's questions, for tests.
//!
//! One line a question: `#` kept, `.` dropped, then the verdict (`✗` fail, `✓` pass, `?`
//! unresolved); the last line, marked `=`, is the best candidate at the end. Deltas in oracles
//! count from 1 as in the papers, so `needs(&[7])` is the seventh column.

pub(crate) mod trees;

use std::fmt::Write;

use crate::{Answer, Delta, DeltaSet, Search, Step, Verdict};

/// Asserts that a search asks exactly the drawn questions. Indentation and outer blank lines of
/// `expected` do not count.
pub(crate) fn check<S>(search: S, oracle: impl Fn(&DeltaSet) -> Verdict, expected: &str)
where
    S: Search<Candidate = DeltaSet>,
{
    let drawn = draw(search, oracle);
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert!(
        drawn.lines().map(str::trim).eq(expected.iter().copied()),
        "drawn:\n{drawn}\nexpected:\n{}\n",
        expected.join("\n")
    );
}

/// Drives a search to its end and draws what it asked.
///
/// The drawing is as wide as the first [`best`](Search::best) reaches: the whole subject.
pub(crate) fn draw<S>(mut search: S, oracle: impl Fn(&DeltaSet) -> Verdict) -> String
where
    S: Search<Candidate = DeltaSet>,
{
    let width = search.best().last().map_or(0, |last| last.0 + 1);
    // Quadratic searches on the widths that fit a screen stay far below it.
    let patience = 10_000;
    let mut drawing = String::new();
    for _ in 0..patience {
        let Step::Ask(question) = search.step() else {
            writeln!(drawing, "{} =", row(&search.best(), width)).expect("a string takes it all");
            return drawing;
        };
        let verdict = oracle(&question);
        writeln!(drawing, "{} {}", row(&question, width), mark(verdict))
            .expect("a string takes it all");
        search.learn(&Answer::from(verdict));
    }
    panic!("still asking after {patience} questions");
}

/// Returns an oracle that fails when all of `culprits` are there and passes otherwise.
pub(crate) fn needs(culprits: &[u32]) -> impl Fn(&DeltaSet) -> Verdict + Clone + use<> {
    let culprits = numbered(culprits);
    move |candidate| if culprits.is_subset(candidate) { Verdict::Fail } else { Verdict::Pass }
}

/// Returns an oracle that cannot test a candidate with some but not all of `group`, and says
/// what `oracle` says about the others.
pub(crate) fn together(
    group: &[u32],
    oracle: impl Fn(&DeltaSet) -> Verdict,
) -> impl Fn(&DeltaSet) -> Verdict {
    let group = numbered(group);
    move |candidate| match group.intersection(candidate).len() {
        0 => oracle(candidate),
        all if all == group.len() => oracle(candidate),
        _ => Verdict::Unresolved,
    }
}

/// Returns the set of deltas that are numbered from 1.
pub(crate) fn numbered(numbers: &[u32]) -> DeltaSet {
    numbers.iter().map(|&number| Delta(number - 1)).collect()
}

fn row(candidate: &DeltaSet, width: u32) -> String {
    (0..width).map(|place| if candidate.contains(Delta(place)) { '#' } else { '.' }).collect()
}

fn mark(verdict: Verdict) -> char {
    match verdict {
        Verdict::Fail => '✗',
        Verdict::Pass => '✓',
        Verdict::Unresolved => '?',
    }
}
