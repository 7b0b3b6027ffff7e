//! The order of the first runs, as a drawing: `b` is a run of the bad end, `g` of the good end, `0` of
//! the candidate that holds nothing, and `|` makes the folder clean.

use std::ffi::OsStr;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::process::Enforced;
use whodunit_exec::{Command, Oracle, WorkerError};
use whodunit_run::judge::{Failure, Inability, Observation, Origin, Rule, Stage};
use whodunit_run::{Ending, Observe, Output, Ran, Stop, Tested, Ticket, Worker};

use super::*;
use crate::settings::WhenFlaky;

const ANY: Rule = Rule::Bisect { same: None, inability: Inability::LeavesOpen };

/// A worker that exits with the codes of a script, the last code again and again.
struct Scripted {
    asked: String,
    bad: &'static [u8],
    good: &'static [u8],
    keeps_folder: bool,
    enforced: Enforced,
}

impl Worker<char> for Scripted {
    type Error = WorkerError;

    fn test(&mut self, _: Ticket, _: &char) -> Result<Option<Tested>, WorkerError> {
        unreachable!("the first runs are observed, not judged")
    }
}

impl Observe<char> for Scripted {
    fn observe(&mut self, _: Ticket, end: &char) -> Result<Option<Observation>, WorkerError> {
        let codes = if *end == 'b' { self.bad } else { self.good };
        let place = self.asked.matches(*end).count().min(codes.len() - 1);
        let is_clean = self.asked.ends_with('|');
        self.asked.push(*end);
        let output = Output { head: Vec::new(), tail: Vec::new(), length: 0 };
        let ending = Ending::Exited(codes[place]);
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        let is_warm = self.keeps_folder && place > 0 && !is_clean;
        let origin = if is_warm { Provenance::Warm } else { Provenance::Clean };
        Ok(Some(Observation { origin, ..Observation::new(Stage::Test, ran, &[]) }))
    }
}

impl Hand<char> for Scripted {
    fn instruct(&mut self, _: &Arc<Oracle>, _: &Arc<Rule>) {}

    fn clean(&mut self) {
        self.asked.push('|');
    }

    fn files_read(&mut self) -> Vec<Arc<[u8]>> {
        Vec::new()
    }

    fn enforced(&self) -> &Enforced {
        &self.enforced
    }
}

/// Ends that fail in any way; errors are words.
struct Letters {
    has_good: bool,
    has_empty: bool,
    keeps_folder: bool,
}

#[derive(Debug, PartialEq)]
struct Words(&'static str);

impl From<LabError> for Words {
    fn from(_: LabError) -> Self {
        Words("lab")
    }
}

impl Ends for Letters {
    type Candidate = char;
    type Error = Words;

    fn failing(&self) -> &char {
        &'b'
    }

    fn passing(&self) -> Option<&char> {
        self.has_good.then_some(&'g')
    }

    fn empty(&self) -> Option<char> {
        self.has_empty.then_some('0')
    }

    fn judge(&self, run: &Observation) -> Verdict {
        ANY.judge(run)
    }

    fn check(
        &self,
        failing: &Observation,
        passing: Option<&Observation>,
    ) -> Result<(), Unexpected<Words>> {
        let doubted = Doubted {
            failing: self.judge(failing) == Verdict::Pass,
            passing: passing.is_some_and(|run| self.judge(run) == Verdict::Fail),
        };
        match (self.judge(failing), doubted == Doubted::default()) {
            (Verdict::Unresolved, _) => Err(Words("untestable").into()),
            (_, true) => Ok(()),
            (_, false) => Err(Unexpected { error: Words("unexpected"), doubted }),
        }
    }

    fn is_given(&self) -> bool {
        false
    }

    fn failure(&self, failing: [&Observation; 2], passing: &[&Observation]) -> Option<Failure> {
        Failure::learn(failing, passing, Origin::Tree)
    }

    fn rule(&self, same: Option<Failure>) -> Rule {
        Rule::Bisect { same, inability: Inability::LeavesOpen }
    }

    fn words(&self, rule: &Rule, _: &Observation) -> String {
        rule.describe()
    }

    fn differ(&self, _: Box<Observation>, _: Box<Observation>) -> Words {
        Words("differ")
    }
}

const BOTH: Letters = Letters { has_good: true, has_empty: false, keeps_folder: false };
const NEWEST: Letters = Letters { has_good: false, has_empty: false, keeps_folder: false };
const INPUT: Letters = Letters { has_good: false, has_empty: true, keeps_folder: false };

/// Returns the drawing of the runs, and the rates that they teach.
fn drawn(
    ends: &Letters,
    (bad, good): (&'static [u8], &'static [u8]),
    flaky: FlakySettings,
) -> (String, Result<Option<Flakiness>, Words>) {
    let command = Command::shell_in_tree("true", OsStr::new("/usr/bin:/bin")).unwrap();
    let limits = LimitSettings::default();
    let oracle = Oracle {
        gates: Vec::new(),
        configure: None,
        build: None,
        command,
        limits: first_limits(&limits),
        derived_time: true,
        variables: Vec::new(),
        confined: false,
    };
    let hand = Scripted {
        asked: String::new(),
        bad,
        good,
        keeps_folder: ends.keeps_folder,
        enforced: Enforced::default(),
    };
    let mut workers = Workers::new(vec![hand], oracle, Stop::default());
    let asked = Asked { flaky: &flaky, limits: &limits, is_flaky: false };
    let learned = learn(ends, &mut workers, &asked).map(|(learned, _)| learned.flaky);
    (workers.first().asked.clone(), learned)
}

fn repeat(runs: u32) -> FlakySettings {
    FlakySettings { repeat: Some(runs), ..FlakySettings::default() }
}

#[test]
fn each_end_is_run_twice_and_the_second_time_where_the_other_was() {
    let auto = FlakySettings::default();
    assert_eq!(drawn(&BOTH, (&[1], &[0]), auto), ("b|gbg".into(), Ok(None)));
    assert_eq!(drawn(&NEWEST, (&[1], &[]), auto), ("bb".into(), Ok(None)));
    assert_eq!(drawn(&INPUT, (&[1], &[0]), auto), ("bb".into(), Ok(None)));
}

#[test]
fn ends_that_differ_are_run_many_times_in_clean_folders() {
    let (asked, learned) = drawn(&BOTH, (&[1, 0, 1], &[0]), FlakySettings::default());
    assert_eq!(asked, format!("b|gbg{}{}", "|b".repeat(18), "|g".repeat(8)));
    let rates = learned.unwrap().unwrap();
    assert_eq!(rates.there, Counts { seen: 19, runs: 20 });
    assert_eq!(rates.elsewhere, Counts { seen: 0, runs: 10 });
}

#[test]
fn a_folder_is_blamed_only_if_all_runs_in_clean_folders_agree() {
    let warm = Letters { keeps_folder: true, ..NEWEST };
    let refuse = FlakySettings { when: WhenFlaky::Refuse, ..FlakySettings::default() };
    let asked = || format!("bb{}", "|b".repeat(8));
    assert_eq!(drawn(&warm, (&[1, 0, 1], &[]), refuse), (asked(), Err(Words("lab"))));
    // Two runs fail, the first of them and another, and all others pass.
    assert_eq!(drawn(&warm, (&[1, 0, 0, 1, 0], &[]), refuse), (asked(), Err(Words("differ"))));
}

#[test]
fn an_empty_candidate_is_run_only_if_the_test_is_flaky() {
    let (asked, learned) = drawn(&INPUT, (&[1, 0, 1], &[0]), repeat(4));
    assert_eq!(asked, format!("bb{}{}", "|b".repeat(2), "|0".repeat(4)));
    assert_eq!(learned.unwrap().unwrap().elsewhere, Counts { seen: 0, runs: 4 });
    assert_eq!(drawn(&INPUT, (&[1], &[0]), repeat(3)), ("bb|b".into(), Ok(None)));
}

#[test]
fn an_unexpected_run_stands_if_another_run_agrees() {
    let auto = FlakySettings::default();
    let unexpected = || Err(Words("unexpected"));
    assert_eq!(drawn(&NEWEST, (&[0], &[]), auto), ("bb".into(), unexpected()));
    assert_eq!(drawn(&BOTH, (&[0], &[0]), auto), ("b|g|b".into(), unexpected()));
    assert_eq!(drawn(&BOTH, (&[1], &[1]), auto), ("b|g|g".into(), unexpected()));
    let refuse = FlakySettings { when: WhenFlaky::Refuse, ..auto };
    assert_eq!(drawn(&BOTH, (&[0], &[0]), refuse), ("b|g".into(), unexpected()));
    assert_eq!(drawn(&NEWEST, (&[125], &[]), auto), ("b".into(), Err(Words("untestable"))));
}

#[test]
fn steady_runs_are_not_called_different() {
    assert_eq!(drawn(&NEWEST, (&[0], &[]), repeat(3)).1, Err(Words("unexpected")));
    assert_eq!(drawn(&BOTH, (&[1], &[1]), repeat(3)).1, Err(Words("unexpected")));
    let refuse = FlakySettings { when: WhenFlaky::Refuse, ..repeat(3) };
    assert_eq!(drawn(&INPUT, (&[1], &[0]), refuse), ("bb".into(), Ok(None)));
    assert_eq!(drawn(&INPUT, (&[1, 0], &[0]), refuse).1, Err(Words("differ")));
    assert_eq!(drawn(&NEWEST, (&[1, 2], &[]), refuse).1, Err(Words("differ")));
}
