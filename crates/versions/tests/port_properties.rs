//! Patches on foreign versions: what holds for all of them.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::{
    Plain, any_plain, chosen, history, is_consistent, plain, texts, two_versions, version,
};
use whodunit_core::DeltaSet;
use whodunit_test_support::needs;
use whodunit_versions::{
    Level, Outcome, Patch, Ported, Rung, TreePath, decompose, decompose_in_place, port,
};

const LEVELS: [Level; 6] =
    [Level::Directory, Level::File, Level::Item, Level::Hunk, Level::Line, Level::Token];

fn carry(good: &Plain, bad: &Plain, foreign: &Plain, level: Level, bits: &[bool]) -> Ported {
    let parts = decompose(&version(good), &version(bad), level).unwrap();
    let patch = Patch::of(&parts, &chosen(parts.len(), bits));
    port(&patch, &version(foreign)).unwrap()
}

/// Three versions of which the second was made of the first, and the third in another way.
fn three_versions() -> impl Strategy<Value = (Plain, Plain, Plain)> {
    let near = history(2..4).prop_map(|mut versions| {
        let last = versions.pop().unwrap();
        let first = versions.remove(0);
        (versions.swap_remove(0), last, first)
    });
    let any = (two_versions(), any_plain()).prop_map(|((one, two), three)| (one, two, three));
    prop_oneof![4 => near, 1 => any]
}

/// Returns the deltas that are in the version that came out, and were not there before.
fn applied(ported: &Ported) -> DeltaSet {
    let parts = ported.parts().iter();
    let applied = parts.filter(|part| matches!(part.outcome, Outcome::Applied { .. }));
    let applied: DeltaSet = applied.flat_map(|part| part.deltas.iter()).collect();
    applied.minus(&ported.conflicting())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn on_the_version_it_was_made_for_a_patch_makes_the_other((good, bad) in two_versions()) {
        for level in LEVELS {
            let ported = carry(&good, &bad, &good, level, &[true]);
            prop_assert_eq!(ported.whole().map(plain), Some(bad.clone()), "{:?}", ported.parts());
            prop_assert!(ported.rung().is_none_or(|rung| rung == Rung::Exact));
        }
    }

    #[test]
    fn on_the_version_it_was_made_for_a_part_of_it_is_the_candidate(
        (good, bad) in two_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for level in LEVELS {
            let parts = decompose(&version(&good), &version(&bad), level).unwrap();
            let candidate = chosen(parts.len(), &bits);
            let ported = port(&Patch::of(&parts, &candidate), parts.good()).unwrap();
            prop_assert_eq!(plain(ported.partial()), plain(&parts.version(&candidate)));
        }
    }

    #[test]
    fn on_the_version_that_has_it_a_patch_does_nothing(
        (good, bad) in two_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for level in LEVELS {
            let ported = carry(&good, &bad, &bad, level, &[true]);
            prop_assert_eq!(plain(ported.partial()), bad.clone(), "{:?}", ported.parts());
            prop_assert!(applied(&ported).is_empty());
            prop_assert!(ported.whole().is_some(), "{:?}", ported.parts());
        }
        // A part of it is there as well; where a renamed file went is not always to be found out.
        if good.keys().eq(bad.keys()) {
            for level in LEVELS {
                let ported = carry(&good, &bad, &bad, level, &bits);
                prop_assert_eq!(plain(ported.partial()), bad.clone(), "{:?}", ported.parts());
                prop_assert!(ported.whole().is_some(), "{:?}", ported.parts());
            }
        }
    }

    #[test]
    fn any_version_can_be_asked_and_every_delta_is_accounted_for(
        (good, bad, foreign) in three_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for level in LEVELS {
            let ported = carry(&good, &bad, &foreign, level, &bits);
            let again = carry(&good, &bad, &foreign, level, &bits);
            let tree = plain(ported.partial());
            prop_assert!(is_consistent(&tree), "{tree:?}");
            prop_assert_eq!(&tree, &plain(again.partial()));
            prop_assert_eq!(ported.parts(), again.parts());
            let parts = decompose(&version(&good), &version(&bad), level).unwrap();
            let named = applied(&ported).union(&ported.conflicting());
            prop_assert!(named.minus(&chosen(parts.len(), &bits)).is_empty());
            if applied(&ported).is_empty() && ported.conflicting().is_empty() {
                prop_assert_eq!(&tree, &foreign);
            }
            let successor = decompose_in_place(&version(&foreign), ported.partial(), level).unwrap();
            prop_assert_eq!(plain(&successor.version(&successor.all())), tree);
        }
    }
}

/// A text of mostly different lines, and two edits of it.
fn edited_texts() -> impl Strategy<Value = [String; 3]> {
    let edit = (0usize..40, 0usize..3, prop::collection::vec(0u32..1000, 0..3));
    let edits = || prop::collection::vec(edit.clone(), 0..5);
    (1usize..40, 0usize..6, edits(), edits()).prop_map(|(length, repeat, ours, theirs)| {
        let line = |at: usize| match repeat {
            0 => format!("line {at}\n"),
            repeat if at.is_multiple_of(repeat + 3) => "}\n".to_owned(),
            _ => format!("line {at}\n"),
        };
        let base: Vec<String> = (0..length).map(line).collect();
        let apply = |edits: &[(usize, usize, Vec<u32>)], by: &str| {
            let mut lines = base.clone();
            for (at, removed, added) in edits {
                let at = at % (lines.len() + 1);
                let end = (at + removed).min(lines.len());
                let added = added.iter().map(|number| format!("{by} {number}\n"));
                lines.splice(at..end, added);
            }
            lines.concat()
        };
        [base.concat(), apply(&ours, "ours"), apply(&theirs, "theirs")]
    })
}

fn git_merge(folder: &Path, [base, ours, theirs]: &[String; 3]) -> Option<String> {
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let merge = ["merge-file", "-p", "theirs", "base", "ours"];
    let output = Command::new("git").args(merge).current_dir(folder).output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn what_git_merges_without_conflict_is_merged_in_the_same_way() {
    if !needs("git") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut runner = TestRunner::new(ProptestConfig { cases: 300, ..ProptestConfig::default() });
    let merged = std::cell::Cell::new(0);
    let result = runner.run(&edited_texts(), |edited| {
        let Some(expected) = git_merge(folder.path(), &edited) else { return Ok(()) };
        merged.set(merged.get() + 1);
        let [base, ours, theirs] = edited.each_ref().map(|text| texts(&[("f", text)]));
        let parts = decompose(&base, &ours, Level::Line).unwrap();
        let ported = port(&Patch::of(&parts, &parts.all()), &theirs).unwrap();
        let whole = ported.whole();
        prop_assert!(whole.is_some(), "{:?}", ported.parts());
        let text = whole.unwrap().get(&TreePath::from("f")).unwrap().content.read().unwrap();
        prop_assert_eq!(String::from_utf8(text.to_vec()).unwrap(), expected);
        Ok(())
    });
    result.unwrap();
    assert!(merged.get() > 50, "too few of them say anything: {}", merged.get());
}

#[test]
fn edits_elsewhere_are_kept_beside_the_patch() {
    let mut runner = TestRunner::new(ProptestConfig { cases: 300, ..ProptestConfig::default() });
    let line = prop::sample::select(vec!["x = 1\n", "return\n", "}\n", "\n", "call(a, b)\n"]);
    let lines = || prop::collection::vec(line.clone(), 0..4).prop_map(|lines| lines.concat());
    // A text in three parts with a wide space between them: ours is the middle one.
    let strategy = (lines(), lines(), lines(), lines(), lines(), lines());
    runner
        .run(&strategy, |(top, top_new, middle, middle_new, end, end_new)| {
            let wall =
                |name: &str| -> String { (0..5).map(|at| format!("wall {name} {at}\n")).collect() };
            let whole = |top: &str, middle: &str, end: &str| {
                texts(&[("f.c", &[top, &wall("a"), middle, &wall("b"), end].concat())])
            };
            let parts = decompose(
                &whole(&top, &middle, &end),
                &whole(&top, &middle_new, &end),
                Level::Line,
            )
            .unwrap();
            let foreign = whole(&top_new, &middle, &end_new);
            let ported = port(&Patch::of(&parts, &parts.all()), &foreign).unwrap();
            let expected = plain(&whole(&top_new, &middle_new, &end_new));
            prop_assert_eq!(ported.whole().map(plain), Some(expected));
            Ok(())
        })
        .unwrap();
}
