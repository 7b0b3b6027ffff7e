//! Histories: every set of commits can be laid out.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use support::{Plain, chosen, history, is_consistent, plain, texts, version};
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{Level, Version, Weave, carried, decompose};

fn weave(versions: &[Plain]) -> Weave {
    let versions: Vec<Version> = versions.iter().map(version).collect();
    Weave::new(&versions).unwrap()
}

#[test]
fn commits_are_left_out_without_a_conflict() {
    let versions = [
        texts(&[("f", "a\nb\nc\n")]),
        texts(&[("f", "a\nx\nb\nc\n")]),
        texts(&[("f", "a\nx\nb\nz\n")]),
        texts(&[("g", "a\nb\nz\n")]),
    ];
    let weave = Weave::new(&versions).unwrap();
    let text = |commits: &[u32]| {
        let commits: DeltaSet = commits.iter().map(|&commit| Delta(commit)).collect();
        let files = plain(&weave.version(&commits));
        let (path, (_, text)) = files.into_iter().next().unwrap();
        format!("{}: {}", String::from_utf8(path).unwrap(), String::from_utf8(text).unwrap())
    };
    assert_eq!(text(&[]), "f: a\nb\nc\n");
    assert_eq!(text(&[1]), "f: a\nb\nz\n");
    assert_eq!(text(&[0]), "f: a\nx\nb\nc\n");
    assert_eq!(text(&[2]), "g: a\nb\nc\n");
    assert_eq!(text(&[0, 1, 2]), "g: a\nb\nz\n");
}

#[test]
fn what_one_commit_did_is_carried_to_a_version_without_the_commits_between() {
    let first = texts(&[("f", "a\nb\nc\nd\n")]);
    let before = texts(&[("f", "a\nA\nb\nc\nd\nD\n"), ("g", "x\n")]);
    let after = texts(&[("f", "a\nA\nb\nbad\nd\nD\n"), ("g", "y\n")]);
    let older = carried(&first, &before, &after).unwrap();
    assert_eq!(plain(&older), plain(&texts(&[("f", "a\nb\nbad\nd\n")])));
    // In reverse: the later changes, without the one commit.
    let fixed = carried(&before, &after, &texts(&[("f", "1\nA\nb\nbad\nd\nD\n")])).unwrap();
    assert_eq!(plain(&fixed), plain(&texts(&[("f", "1\nA\nb\nc\nd\nD\n")])));
}

#[test]
fn each_delta_knows_its_commit() {
    let versions = [
        texts(&[("f", "a\nb\nc\n"), ("gone", "x\n")]),
        texts(&[("f", "a\nb\nc\nd\n"), ("gone", "x\n")]),
        texts(&[("f", "A\nb\nc\nd\n"), ("fresh", "y\nz\n"), ("gone", "x\n")]),
        texts(&[("f", "A\nb\nc\nd\n"), ("fresh", "y\nw\n")]),
    ];
    let weave = Weave::new(&versions).unwrap();
    let parts = decompose(&versions[0], &versions[3], Level::Line).unwrap();
    let commits: Vec<Option<u32>> =
        weave.commits_of(&parts).into_iter().map(|commit| commit.map(|delta| delta.0)).collect();
    // In order: two lines of `f`, `fresh` with two lines, `gone`.
    assert_eq!(commits, [1, 0, 1, 1, 2, 2].map(Some));
}

#[test]
fn a_renamed_folder_knows_its_commit() {
    let versions = [
        texts(&[("a/x", "1\n2\n"), ("a/y", "3\n4\n")]),
        texts(&[("a/x", "1\n2\n"), ("a/y", "3\n4\n"), ("z", "\n")]),
        texts(&[("b/x", "1\n2\n"), ("b/y", "3\n4\n"), ("z", "\n")]),
    ];
    let parts = decompose(&versions[0], &versions[2], Level::File).unwrap();
    let commits = Weave::new(&versions).unwrap().commits_of(&parts);
    assert_eq!(commits, [Some(Delta(0)), Some(Delta(1))]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_first_so_many_commits_are_a_version_of_the_history(versions in history(1..6)) {
        let weave = weave(&versions);
        for (count, expected) in versions.iter().enumerate() {
            prop_assert_eq!(&plain(&weave.version(&DeltaSet::full(count))), expected);
        }
    }

    #[test]
    fn every_set_of_commits_is_laid_out(
        versions in history(1..6),
        bits in prop::collection::vec(any::<bool>(), 6),
    ) {
        let commits = chosen(versions.len() - 1, &bits);
        let tree = plain(&weave(&versions).version(&commits));
        prop_assert!(is_consistent(&tree), "{tree:?}");
    }
}
