//! Falsified answers: each lie must be detected.

#![allow(clippy::unwrap_used)] // a missing value fails the test either way

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Findings, changes, check_code, history, reduce, same};
use crate::case::{Case, Row, Subject};
use crate::inputs::Input;
use crate::oracle::{Condition, Convention, Oracle, Rule, Seen, Shows, Verdict, Voice};
use crate::tree::{Size, Tree};
use crate::versions::{Edit, Program, What};

/// Changes an answer so that it is no longer true.
type Tamper = fn(&mut Value);

/// Falsifies a true answer in every listed way, and checks that each lie is detected.
fn check(answer: &Value, lies: &dyn Fn(&Value) -> Vec<String>, doctored: &[(&str, Tamper)]) {
    assert_eq!(lies(answer), Vec::<String>::new(), "the true answer is no lie");
    for (what, tamper) in doctored {
        let mut answer = answer.clone();
        tamper(&mut answer);
        assert!(!lies(&answer).is_empty(), "not caught: {what}");
    }
}

fn oracle(words: &[&str]) -> Oracle {
    let when = words.iter().map(|word| Condition::has(word)).collect();
    Oracle { rules: vec![Rule { when, shows: Shows::Fail }], voice: Voice::Error, heading: None }
}

fn case(oracle: Oracle, subject: Subject) -> Case {
    let convention = Convention::Command;
    Case { subject, oracle, convention, flags: vec![], has_build: false }
}

fn input() -> Input {
    let files = Tree::from([("in0.txt".into(), b"a BUG\nb\n".to_vec())]);
    Input { files, is_folder: false, words: vec![] }
}

fn reduced(answer: &Value, written: &str, seen: &[Seen]) -> Vec<String> {
    let case = case(oracle(&["BU"]), Subject::Input(input()));
    let input = input();
    let result = &Tree::from([("in0.txt".into(), written.as_bytes().to_vec())]);
    let mut findings = Findings::default();
    reduce::Answered { case: &case, input: &input, answer, result, seen: Some(seen) }
        .check(&mut findings);
    check_code(answer, Some(0), &mut findings);
    findings.lies
}

fn needed(level: &str, start: usize, end: usize) -> Value {
    json!({"level": level, "file": 0, "start": start, "end": end, "verdict": "pass"})
}

fn reduction(written: &str) -> Value {
    let size = Size::of(&Tree::from([("in0.txt".into(), written.as_bytes().to_vec())]));
    json!({
        "ended": "done",
        "files": [{"name": "in0.txt", "path": "in0.reduced.txt", "bytes": written.len()}],
        "start": {"bytes": 8, "tokens": 3},
        "size": {"bytes": size.bytes, "tokens": size.tokens},
        "proof": {
            "certify": "full",
            "levels": ["lines", "tokens", "bytes"],
            "rerun": {"verdict": "fail"},
            "needed": [needed("lines", 0, 2), needed("bytes", 0, 1)],
        },
    })
}

#[test]
fn a_false_claim_about_a_reduced_input_is_caught() {
    check(
        &reduction("BU"),
        &|answer| reduced(answer, "BU", &[]),
        &[
            ("another size", |answer| answer["size"]["bytes"] = json!(1)),
            ("another size at the start", |answer| answer["start"]["tokens"] = json!(9)),
            ("another size of a file", |answer| answer["files"][0]["bytes"] = json!(7)),
            ("the second test", |answer| answer["proof"]["rerun"]["verdict"] = json!("pass")),
            ("no second test", |answer| answer["proof"]["rerun"] = Value::Null),
            ("done without a proof", |answer| answer["proof"]["levels"] = json!([])),
            ("proved but not done", |answer| answer["ended"] = json!("gave_up")),
            ("proved but not asked for", |answer| answer["proof"]["certify"] = json!("none")),
            ("the verdict of a piece", |answer| {
                answer["proof"]["needed"][0]["verdict"] = json!("unresolved");
            }),
            ("a piece that is nowhere", |answer| answer["proof"]["needed"][0]["end"] = json!(5)),
            ("a file that is nowhere", |answer| answer["proof"]["needed"][0]["file"] = json!(1)),
        ],
    );
}

#[test]
fn a_result_that_is_too_large_or_does_not_fail_is_caught() {
    for written in ["BUG", "BU\n", "BU x", "B", ""] {
        assert!(!reduced(&reduction(written), written, &[]).is_empty(), "not caught: {written:?}");
    }
}

#[test]
fn a_smaller_candidate_that_was_seen_to_fail_is_caught() {
    let seen = |verdict, bytes| Seen { verdict, size: Size { bytes, tokens: 1, weight: 1 } };
    let answer = reduction("BU");
    assert!(reduced(&answer, "BU", &[seen(Verdict::Fail, 2), seen(Verdict::Pass, 1)]).is_empty());
    assert!(!reduced(&answer, "BU", &[seen(Verdict::Fail, 1)]).is_empty());
}

#[test]
fn a_file_that_can_go_is_caught() {
    let case = case(oracle(&["BU"]), Subject::Input(input()));
    let result = &Tree::from([("a".into(), b"BU".to_vec()), ("b".into(), b"".to_vec())]);
    let mut answer = reduction("BU");
    answer["proof"]["levels"] = json!(["files"]);
    let mut findings = Findings::default();
    let input = input();
    reduce::Answered { case: &case, input: &input, answer: &answer, result, seen: None }
        .check(&mut findings);
    assert!(findings.lies.iter().any(|lie| lie.contains("without b")), "{:?}", findings.lies);
}

/// Four versions of a file: first a harmless line is added, then the one that makes the test
/// fail, then another one.
fn row() -> Row {
    let line = |number: usize, line| Edit {
        file: "part0.txt".into(),
        what: What::Insert(line, vec![format!("n{number}q")]),
        word: format!("n{number}q"),
        comes: true,
    };
    let program = Program::of_lines(8, vec![line(0, 1), line(1, 3), line(2, 5)]);
    let version = |count: usize| program.version(&(0..count).collect::<BTreeSet<usize>>());
    Row::straight((0..4).map(version).collect())
}

const NAMES: [&str; 4] = ["0000000a", "1111111b", "2222222c", "3333333d"];

/// Returns a patch that adds words after a line of the first version, or removes them.
fn patch(row: &Row, place: usize, words: &[&str], sign: char) -> String {
    let text = String::from_utf8(row.files(place)["part0.txt"].clone()).unwrap();
    let mut body = String::new();
    let (mut old, mut new) = (0, 0);
    for line in text.lines() {
        let goes = sign == '-' && words.contains(&line);
        body += &format!("{}{line}\n", if goes { '-' } else { ' ' });
        (old, new) = (old + 1, new + usize::from(!goes));
        let word = words.iter().find(|word| sign == '+' && line.ends_with(&after(word)));
        if let Some(word) = word {
            body += &format!("+{word}\n");
            new += 1;
        }
    }
    format!(
        "diff --git a/part0.txt b/part0.txt\n--- a/part0.txt\n+++ b/part0.txt\n@@ -1,{old} +1,{new} @@\n{body}"
    )
}

fn after(word: &str) -> String {
    let number: usize = word.trim_matches(|char: char| !char.is_ascii_digit()).parse().unwrap();
    format!("o0_{}q", 2 * number + 1)
}

fn change(line: u64) -> Value {
    json!({"change": "text", "file": "part0.txt", "old_lines": null, "new_lines": [line, line]})
}

fn cause(row: &Row, good: usize, bad: usize) -> Value {
    json!({
        "culprit": [change(6)],
        "with": 0,
        "culprit_patch": patch(row, good, &["n1q"], '+'),
        "culprit_on": NAMES[good],
        "fix_patch": patch(row, bad, &["n1q"], '-'),
        "fix_on": NAMES[bad],
        "beside": {"culprit_patch": null, "fix_patch": null},
        "proof": {"good_with_culprit": "fail", "bad_without_fix": "pass", "each_needed": true},
    })
}

/// Checks an answer about the row, and returns the lies.
fn lies(answer: &Value, is_history: bool) -> Vec<String> {
    let case = case(oracle(&["n1q"]), Subject::Commits(row()));
    let names = NAMES.map(str::to_owned);
    let bench = tempfile::tempdir().unwrap();
    let row = row();
    let bench = bench.path().join("bench");
    let all = changes::Answered { case: &case, row: &row, names: &names, answer, bench: &bench };
    let mut findings = Findings::default();
    let checked =
        if is_history { history::check(&all, &mut findings) } else { all.check(&mut findings) };
    checked.unwrap();
    assert!(findings.unchecked == 0 || !findings.lies.is_empty(), "it has to look at everything");
    findings.lies
}

#[test]
fn a_false_claim_about_changes_is_caught() {
    let answer = json!({
        "ended": "done",
        "commits": [{"id": NAMES[2]}],
        "compared": {"good": "1111111", "bad": "2222222", "commits": {"good": NAMES[1], "bad": NAMES[2]}},
        "causes": [cause(&row(), 1, 2)],
    });
    check(
        &answer,
        &|answer| lies(answer, false),
        &[
            ("the commit before", |answer| answer["commits"][0]["id"] = json!(NAMES[1])),
            ("the commit after", |answer| answer["commits"][0]["id"] = json!(NAMES[3])),
            ("one commit too many", |answer| {
                answer["commits"] = json!([{"id": NAMES[2]}, {"id": NAMES[3]}]);
            }),
            ("no such commit", |answer| answer["commits"][0]["id"] = json!("4444444")),
            ("no cause", |answer| answer["causes"] = json!([])),
            ("a culprit that does no harm", |answer| {
                answer["causes"][0]["culprit_patch"] = json!(patch(&row(), 1, &["n2q"], '+'));
            }),
            ("a patch for another version", |answer| {
                answer["causes"][0]["culprit_on"] = json!(NAMES[0]);
            }),
            ("a fix that fixes nothing", |answer| {
                answer["causes"][0]["fix_patch"] = json!(patch(&row(), 2, &["n0q"], '-'));
            }),
            ("a fix for another version", |answer| answer["causes"][0]["fix_on"] = json!(NAMES[0])),
            ("a part whose removal changes nothing", |answer| {
                answer["causes"][0]["spot"] = json!({"patch": patch(&row(), 2, &["n0q"], '-')});
            }),
            ("a second patch that does no harm", |answer| {
                answer["causes"][0]["beside"]["culprit_patch"] =
                    json!(patch(&row(), 1, &["n2q"], '+'));
            }),
            ("a culprit that passes", |answer| {
                answer["causes"][0]["proof"]["good_with_culprit"] = json!("pass");
            }),
            ("a fix that cannot be told", |answer| {
                answer["causes"][0]["proof"]["bad_without_fix"] = json!("unresolved");
            }),
            ("done without a proof", |answer| {
                answer["causes"][0]["proof"]["each_needed"] = json!(false);
            }),
        ],
    );
}

#[test]
fn a_change_that_is_not_needed_is_caught() {
    let row = row();
    let mut cause = cause(&row, 0, 2);
    let answer = |cause: &Value| {
        json!({
            "ended": "done",
            "commits": [],
            "compared": {"good": NAMES[0], "bad": NAMES[2]},
            "causes": [cause],
        })
    };
    assert_eq!(lies(&answer(&cause), false), Vec::<String>::new());
    cause["culprit"] = json!([change(3), change(6)]);
    cause["culprit_patch"] = json!(patch(&row, 0, &["n0q", "n1q"], '+'));
    let found = lies(&answer(&cause), false);
    assert!(found.len() == 1 && found[0].contains("it fails without"), "{found:?}");
}

#[test]
fn a_false_claim_about_a_history_is_caught() {
    let whole = row();
    let answer = json!({
        "ended": "done",
        "outcome": {
            "outcome": "found",
            "suspects": [{"id": NAMES[2]}],
            "good": {"id": NAMES[1]},
            "causes": [cause(&whole, 1, 2)],
        },
        "back_port": {"patch": "", "on": NAMES[1], "beside": null},
        "forward": {"patch": patch(&whole, 3, &["n1q"], '-'), "proof": "pass"},
    });
    check(
        &answer,
        &|answer| lies(answer, true),
        &[
            ("the version after", |answer| {
                answer["outcome"]["suspects"][0]["id"] = json!(NAMES[3]);
            }),
            ("one version too many", |answer| {
                answer["outcome"]["suspects"] = json!([{"id": NAMES[3]}, {"id": NAMES[2]}]);
            }),
            ("a gap", |answer| answer["outcome"]["good"]["id"] = json!(NAMES[0])),
            ("a good version that fails", |answer| {
                answer["outcome"]["good"]["id"] = json!(NAMES[2]);
                answer["outcome"]["suspects"][0]["id"] = json!(NAMES[3]);
            }),
            ("not a regression", |answer| {
                answer["outcome"] =
                    json!({"outcome": "not_a_regression", "oldest": {"id": NAMES[0]}});
            }),
            ("nothing older can be tested", |answer| {
                answer["outcome"] = json!({"outcome": "untestable", "oldest": {"id": NAMES[2]}});
            }),
            ("unfinished", |answer| answer["outcome"] = json!({"outcome": "unfinished"})),
            ("a fix that does not pass", |answer| answer["forward"]["proof"] = json!("fail")),
            ("a fix that fixes nothing", |answer| {
                answer["forward"]["patch"] = json!(patch(&row(), 3, &["n0q"], '-'));
            }),
        ],
    );
}

#[test]
fn answers_that_differ_are_told_apart_but_not_by_time_and_name() {
    let answer = json!({"run": "a-1", "seconds": 1.5, "tests": {"wasted": 1}, "size": {"bytes": 3},
        "settings": {"jobs": 1}, "causes": [{"files": {"culprit": "/x/a-1.patches/culprit.patch"}}]});
    let mut other = answer.clone();
    other["run"] = json!("a-2");
    other["seconds"] = json!(9);
    other["tests"]["wasted"] = json!(0);
    other["settings"]["jobs"] = json!(8);
    other["causes"][0]["files"]["culprit"] = json!("/x/a-2.patches/culprit.patch");
    assert_eq!(same::difference(&same::plain(&answer), &same::plain(&other)), None);
    other["size"]["bytes"] = json!(4);
    assert!(same::difference(&same::plain(&answer), &same::plain(&other)).is_some());
}

#[test]
fn an_exit_code_that_does_not_agree_is_caught() {
    for (ended, code) in [("done", 3), ("gave_up", 0), ("out_of_tests", 0), ("stopped", 0)] {
        let mut findings = Findings::default();
        check_code(&json!({"ended": ended}), Some(code), &mut findings);
        assert_eq!(findings.lies.len(), 1, "{ended} {code}");
    }
}
