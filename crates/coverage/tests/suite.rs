//! Reports of tests, and the coverage of each of them.

#![allow(clippy::unwrap_used)]

mod files;

use std::collections::BTreeMap;

use files::{bytes, source};
use whodunit_coverage::{
    Formula, Lines, Outcome, PathMap, Report, Source, Suite, SuiteError, SuiteTest, Tie, rank,
};

fn text<'a>(name: &'a str, text: &'a str) -> Source<'a> {
    Source { name, bytes: text.as_bytes() }
}

fn outcomes(report: &Report) -> Vec<(&str, Outcome)> {
    report.tests.iter().map(|test| (test.name.as_str(), test.outcome)).collect()
}

#[test]
fn reports_of_ant_and_pytest_are_read() {
    // JUnit 4.13.2 with the formatter of Ant 1.10.13, which Surefire's is like.
    let file = bytes("TEST-bank.AccountTest.xml");
    let report = Report::read([source("TEST-bank.AccountTest.xml", &file)]).unwrap();
    let wanted = [
        ("bank.AccountTest.deposited", Outcome::Passed),
        ("bank.AccountTest.withdrawn", Outcome::Failed),
    ];
    assert_eq!(outcomes(&report), wanted);
    // pytest 9.2.0.
    let file = bytes("pytest-report.xml");
    let report = Report::read([source("pytest-report.xml", &file)]).unwrap();
    let wanted = [
        ("tests.test_account.test_deposit", Outcome::Passed),
        ("tests.test_account.TestWithdraw.test_it_is_gone", Outcome::Failed),
        ("tests.test_account.TestWithdraw.test_too_much", Outcome::Skipped),
        ("tests.test_account.test_any[0]", Outcome::Passed),
        ("tests.test_account.test_any[7]", Outcome::Passed),
    ];
    assert_eq!(outcomes(&report), wanted);
}

#[test]
fn a_test_fails_if_any_run_of_it_does_and_retries_count_by_their_end() {
    let report = "<testsuites><testsuite><testsuite>
        <testcase classname='A' name='often'/>
        <testcase classname='A' name='often'><error/></testcase>
        <testcase classname='A' name='flaky'><flakyFailure/></testcase>
        <testcase classname='A' name=''><failure/></testcase>
        </testsuite></testsuite></testsuites>";
    let again = "<testsuite><testcase classname='A' name='often'><skipped/></testcase>
        <testcase name='alone'/></testsuite>";
    let report = Report::read([text("1.xml", report), text("2.xml", again)]).unwrap();
    let wanted = [
        ("A.often", Outcome::Failed),
        ("A.flaky", Outcome::Passed),
        ("A", Outcome::Failed),
        ("alone", Outcome::Passed),
    ];
    assert_eq!(outcomes(&report), wanted);
}

/// Returns the executed lines of each test by the paths of a version; `None` without coverage.
fn executed(suite: &Suite, paths: &PathMap) -> Vec<BTreeMap<Vec<u8>, Lines>> {
    let executed = |test: &SuiteTest| test.coverage.as_ref().map(|it| paths.apply(it));
    suite.tests.iter().map(|test| executed(test).unwrap_or_default()).collect()
}

#[test]
fn a_file_for_each_test_is_found_by_its_name() {
    let names = ["bank.AccountTest.deposited.xml", "bank.AccountTest.withdrawn.xml"];
    let files = names.map(bytes);
    let coverage = names.into_iter().zip(&files).map(|(name, bytes)| Source { name, bytes });
    let report = bytes("TEST-bank.AccountTest.xml");
    let suite = Suite::read([source("report", &report)], coverage).unwrap();
    assert!(suite.uncovered.is_empty() && suite.unreported.is_empty());
    assert_eq!(suite.names(), ["bank/Account.java", "bank/AccountTest.java"]);
    // From the reports to an order of changes: `money - FEE` before what both tests execute.
    let tree = ["src/bank/Account.java", "test/bank/AccountTest.java"];
    let paths = PathMap::new(suite.names(), tree);
    assert!(paths.unmatched.is_empty());
    let executed = executed(&suite, &paths);
    let things = [9, 15, 20];
    let covers = |test: usize, thing: usize| {
        executed[test][b"src/bank/Account.java".as_slice()].contains(things[thing])
    };
    let ranked = rank(
        &[Tie::default(); 3],
        &suite.tests.iter().map(|test| test.outcome).collect::<Vec<_>>(),
        Formula::Shares,
        covers,
    );
    let drawn: Vec<String> = ranked.iter().map(|it| format!("{}={}", it.thing, it.score)).collect();
    assert_eq!(drawn, ["1=1", "0=1/2", "2=1/2"]);
}

#[test]
fn one_file_may_have_the_coverage_of_all_tests() {
    let (report, coverage) = (bytes("pytest-report.xml"), bytes("coverage-py-contexts.json"));
    let suite = Suite::read([source("report", &report)], [source("json", &coverage)]).unwrap();
    assert!(suite.uncovered.is_empty() && suite.unreported.is_empty(), "{suite:?}");
    let account = |test: usize| &suite.tests[test].coverage.as_ref().unwrap().files;
    let lines: Vec<_> = account(1)["bank/account.py"].ranges().collect();
    // Lines that run on loading count for each test; line 13 was not executed.
    assert_eq!(lines, [1..=1, 4..=6, 8..=9, 11..=12, 14..=14]);
    assert!(suite.tests[2].coverage.is_none(), "it was skipped");
}

const REPORT: &str = "<testsuite><testcase classname='A' name='one'><failure/></testcase>
    <testcase classname='A' name='two'/><testcase classname='B' name='two'/></testsuite>";
const LINES: &str = "SF:a.c\nDA:1,1\nend_of_record\n";

#[test]
fn tests_without_coverage_and_coverage_without_tests_are_said() {
    let coverage =
        [text("x/A.one.info", LINES), text("A.gone.info", LINES), text("two.info", LINES)];
    let suite = Suite::read([text("r.xml", REPORT)], coverage).unwrap();
    assert_eq!(suite.uncovered, ["A.two", "B.two"]);
    assert_eq!(suite.unreported, ["A.gone"]);
    assert_eq!(suite.ambiguous, ["two"]);
    let executed = executed(&suite, &PathMap::new(suite.names(), ["a.c"]));
    assert_eq!(executed.iter().map(BTreeMap::len).collect::<Vec<_>>(), [1, 0, 0]);
}

#[test]
fn a_suite_from_which_nothing_can_be_learned_is_an_error() {
    let passing = "<testsuite><testcase name='one'/><testcase name='two'/></testsuite>";
    let error = Suite::read([text("r.xml", passing)], []).unwrap_err();
    assert!(matches!(error, SuiteError::NothingFails { tests: 2 }));
    assert_eq!(error.to_string(), "none of 2 tests fails");
    let error = Suite::read([text("r.xml", REPORT)], []).unwrap_err();
    assert_eq!(error.to_string(), "there is no coverage of 3 tests");
    let error = Suite::read([text("r.xml", REPORT)], [text("B.two.info", LINES)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the coverage is of no test that fails; reported is `A.one`, covered `B.two`"
    );
}
