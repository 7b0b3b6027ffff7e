//! Chooses the tests that get a mark of their own in the chart.
//!
//! A few tests all get one. Of many, every failing test is drawn, though not all with words; of
//! the others, one mark stands for all that it would hide. So the page stays small enough to open,
//! however long the run was.

use std::collections::{BTreeSet, HashMap};

use whodunit_jobs::core::Verdict;

use super::course::Test;
use super::scale::{Place, Scale};

/// The most tests of each verdict whose marks have words.
const MOST: usize = 5000;

/// Marks of one verdict.
pub(super) struct Marks<'a> {
    pub(super) verdict: Verdict,
    /// Marks with words, in the order of the tests.
    pub(super) told: Vec<Mark<'a>>,
    /// The places of the marks without words.
    pub(super) untold: BTreeSet<(Place, Place)>,
}

/// The mark of a test.
pub(super) struct Mark<'a> {
    pub(super) at: (Place, Place),
    pub(super) test: &'a Test<'a>,
    /// The number of further tests that it stands for.
    pub(super) more: u64,
}

/// Returns the marks for all tests, in the order of drawing: the last ones are on top.
pub(super) fn marks<'a>(tests: &'a [Test<'a>], across: &Scale, up: &Scale) -> [Marks<'a>; 3] {
    [Verdict::Unresolved, Verdict::Pass, Verdict::Fail].map(|verdict| {
        let tests = tests.iter().filter(|test| test.verdict == verdict);
        let all = tests.map(|test| Mark { at: place(test, across, up), test, more: 0 }).collect();
        match verdict {
            Verdict::Fail => all_drawn(verdict, all),
            Verdict::Pass | Verdict::Unresolved => thinned(verdict, all),
        }
    })
}

fn place(test: &Test<'_>, across: &Scale, up: &Scale) -> (Place, Place) {
    (across.place(test.number as f64 - 0.5), up.place(test.size as f64))
}

/// Draws all marks, with words at regular distances.
fn all_drawn(verdict: Verdict, all: Vec<Mark<'_>>) -> Marks<'_> {
    let distance = all.len().div_ceil(MOST).max(1);
    let (mut told, mut untold) = (Vec::new(), BTreeSet::new());
    for (index, mark) in all.into_iter().enumerate() {
        if index.is_multiple_of(distance) {
            told.push(mark);
        } else {
            untold.insert(mark.at);
        }
    }
    Marks { verdict, told, untold }
}

/// Leaves out marks that hide each other, more and more of them until few enough are left.
fn thinned(verdict: Verdict, mut told: Vec<Mark<'_>>) -> Marks<'_> {
    let mut side = 10;
    while told.len() > MOST {
        told = one_for_each_cell(told, side);
        side *= 2;
    }
    Marks { verdict, told, untold: BTreeSet::new() }
}

fn one_for_each_cell(all: Vec<Mark<'_>>, side: i64) -> Vec<Mark<'_>> {
    let mut first: HashMap<(i64, i64), usize> = HashMap::new();
    let mut left: Vec<Mark<'_>> = Vec::new();
    for mark in all {
        let (Place(x), Place(y)) = mark.at;
        let place = *first.entry((x / side, y / side)).or_insert(left.len());
        match left.get_mut(place) {
            Some(stands) => stands.more += 1 + mark.more,
            None => left.push(mark),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(number: u64, verdict: Verdict, size: u64) -> Test<'static> {
        Test { number, question: number, verdict, cached: false, size, seen: None }
    }

    fn counts(tests: &[Test<'_>]) -> [(usize, u64, usize); 3] {
        let across = Scale::linear(tests.len() as u64, (72.0, 944.0));
        let up = Scale::linear(1000, (380.0, 40.0));
        marks(tests, &across, &up).map(|marks| {
            let stand_for = marks.told.iter().map(|mark| 1 + mark.more).sum();
            (marks.told.len(), stand_for, marks.untold.len())
        })
    }

    #[test]
    fn few_tests_all_have_their_mark_even_at_the_same_place() {
        let tests: Vec<Test<'_>> =
            (1..=4000).map(|number| test(number, Verdict::Pass, 5)).collect();
        assert_eq!(counts(&tests), [(0, 0, 0), (4000, 4000, 0), (0, 0, 0)]);
    }

    #[test]
    fn of_many_tests_all_that_fail_are_drawn_and_none_of_the_others_is_forgotten() {
        let verdicts = [Verdict::Fail, Verdict::Pass, Verdict::Unresolved];
        let tests: Vec<Test<'_>> = (1..=90_000)
            .map(|number| test(number, verdicts[(number % 3) as usize], number * 7919 % 1000))
            .collect();
        let [unresolved, pass, fail] = counts(&tests);
        for (told, stand_for, untold) in [unresolved, pass] {
            assert!((500..=5000).contains(&told), "{told}");
            assert_eq!((stand_for, untold), (30_000, 0));
        }
        assert_eq!(fail.0, 5000);
        // Marks at the very same place are one.
        assert!(fail.2 > 20_000, "{}", fail.2);
    }
}
