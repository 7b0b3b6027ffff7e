//! Finds the test that a name stands for: `bank.AccountTest.withdrawn`, `AccountTest#withdrawn`
//! and `bank_AccountTest_withdrawn` are one test.

use std::collections::BTreeMap;

/// The result of looking up a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The test at this place.
    Test(usize),
    /// One of several tests.
    Several,
    /// No known test.
    Nobody,
}

/// Tests to be found by their names.
pub(crate) struct Tests {
    /// One for each way to cut names into words.
    indexes: Vec<Index>,
}

/// Places of tests by words of their names.
#[derive(Default)]
struct Index {
    by_all: BTreeMap<Vec<String>, Vec<usize>>,
    by_last: BTreeMap<Vec<String>, Vec<usize>>,
}

type Cut = fn(char) -> bool;

/// The ways to cut a name into words, the strictest first: not at all; at all but letters, digits
/// and `_`; at `_` too, because names of tests in LCOV have no other separator.
const CUTS: [Cut; 3] =
    [|_| false, |it| !it.is_alphanumeric() && it != '_', |it| !it.is_alphanumeric()];

impl Tests {
    pub(crate) fn new(tests: &[&str]) -> Self {
        let index = |cut: Cut| {
            let mut index = Index::default();
            for (place, test) in tests.iter().enumerate() {
                let words = words_of(test, cut);
                for first in 1..words.len() {
                    index.by_last.entry(words[first..].to_vec()).or_default().push(place);
                }
                index.by_all.entry(words).or_default().push(place);
            }
            index
        };
        Tests { indexes: CUTS.into_iter().map(index).collect() }
    }

    /// Finds the test of a name: the one with the same words, else the one whose name ends with
    /// them, else the one with the longest name that they end with.
    pub(crate) fn find(&self, name: &str) -> Named {
        let mut found = Named::Nobody;
        for (cut, index) in CUTS.into_iter().zip(&self.indexes) {
            let words = words_of(name, cut);
            let ends = (1..words.len()).find_map(|first| index.by_all.get(&words[first..]));
            let tests = [index.by_all.get(&words), index.by_last.get(&words), ends];
            for tests in tests.into_iter().flatten() {
                match tests[..] {
                    [test] => return Named::Test(test),
                    _ => found = Named::Several,
                }
            }
        }
        found
    }
}

fn words_of(name: &str, cut: Cut) -> Vec<String> {
    name.split(cut).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTS: [&str; 5] = [
        "bank.AccountTest.withdrawn",
        "bank.AccountTest.deposited",
        "bank.OtherTest.deposited",
        "tests.test_a.test_any[0]",
        "demo::unit.account::empty",
    ];

    fn check(name: &str, wanted: Named) {
        assert_eq!(Tests::new(&TESTS).find(name), wanted, "{name}");
    }

    #[test]
    fn names_are_told_apart_by_their_words() {
        check("bank.AccountTest.withdrawn", Named::Test(0));
        check("bank/AccountTest#withdrawn", Named::Test(0));
        check("bank_AccountTest_withdrawn", Named::Test(0));
        check("tests_test_a_test_any_0_", Named::Test(3));
        check("demo-unit-account--empty", Named::Test(4));
    }

    #[test]
    fn the_end_of_a_name_is_enough_if_it_is_the_only_one() {
        check("AccountTest.deposited", Named::Test(1));
        check("withdrawn", Named::Test(0));
        check("org.example.bank.OtherTest.deposited", Named::Test(2));
        check("deposited", Named::Several);
        check("drawn", Named::Nobody);
        check("", Named::Nobody);
    }
}
