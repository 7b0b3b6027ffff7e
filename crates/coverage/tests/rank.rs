//! The order of things by the tests that cover them, with the numbers of the AutoFlow paper.

use whodunit_coverage::{Formula, Outcome, Ranked, Tie, rank};

use Outcome::{Failed, Passed, Skipped};

/// Ranks things that are given as the tests that cover them, `#` for each.
fn ranked(tests: &[Outcome], covered: &[&str], formula: Formula) -> Vec<Ranked> {
    let ties = vec![Tie::default(); covered.len()];
    rank(&ties, tests, formula, |test, thing| covered[thing].as_bytes()[test] == b'#')
}

/// Draws the order: `thing=score`.
fn check(tests: &[Outcome], covered: &[&str], formula: Formula, wanted: &str) {
    let ranked = ranked(tests, covered, formula);
    let drawn: Vec<String> = ranked.iter().map(|it| format!("{}={}", it.thing, it.score)).collect();
    assert_eq!(drawn.join(" "), wanted);
}

#[test]
fn the_scores_of_the_paper() {
    // Change 2 is covered by testTransfer, which fails, change 8 by testDebit, one of two that pass.
    check(&[Failed, Passed, Passed], &[".#.", "#.."], Formula::Shares, "1=1 0=0");
    // All of the failing tests and half of those that pass.
    check(&[Failed, Passed, Passed], &["##."], Formula::Shares, "0=2/3");
}

#[test]
fn what_no_test_covers_is_not_suspicious() {
    check(&[Failed, Passed], &["..", "##", ".#"], Formula::Shares, "1=1/2 0=0 2=0");
    check(&[Failed, Passed], &["..", "##", ".#"], Formula::OchiaiSquared, "1=1/2 0=0 2=0");
    check(&[], &["", ""], Formula::Shares, "0=0 1=0");
    check(&[], &["", ""], Formula::OchiaiSquared, "0=0 1=0");
}

#[test]
fn tests_that_were_skipped_do_not_count() {
    check(&[Skipped, Failed, Passed, Skipped], &["####"], Formula::Shares, "0=1/2");
}

#[test]
fn without_passing_tests_all_that_a_failing_one_covers_is_suspicious() {
    check(&[Failed, Failed], &["..", "#.", "##"], Formula::Shares, "1=1 2=1 0=0");
    check(&[Failed, Failed], &["..", "#.", "##"], Formula::OchiaiSquared, "2=1 1=1/2 0=0");
}

#[test]
fn ochiai_minds_how_many_of_the_failing_tests_cover_a_thing() {
    let tests = [Failed, Failed, Failed, Passed, Passed, Passed];
    // The shares of thing 0 are 1/3 and 0, those of thing 1 are 1 and 1/3.
    check(&tests, &["#.....", "###..#"], Formula::Shares, "0=1 1=3/4");
    check(&tests, &["#.....", "###..#"], Formula::OchiaiSquared, "1=3/4 0=1/3");
}

#[test]
fn of_equal_scores_the_newer_then_the_larger_then_the_earlier_comes_first() {
    let tie = |recency, size| Tie { recency, size };
    let things = [tie(1, 9), tie(2, 1), tie(2, 5), tie(1, 9), tie(9, 9)];
    let order =
        rank(&things, &[Failed, Passed], Formula::Shares, |test, thing| (test, thing) != (0, 4));
    let order: Vec<usize> = order.iter().map(|it| it.thing).collect();
    assert_eq!(order, [2, 1, 0, 3, 4]);
}

#[test]
fn the_tests_behind_a_score_are_counted() {
    let ranked = ranked(&[Failed, Failed, Passed], &["#.#"], Formula::Shares);
    assert_eq!((ranked[0].failed, ranked[0].passed), (1, 1));
    assert_eq!(ranked[0].score.to_string(), "1/3");
    assert!((ranked[0].score.value() - 1.0 / 3.0).abs() < 1e-9);
}
