//! Members of classes that stand in another order in the bad version.

#![allow(clippy::unwrap_used)]

mod support;

use support::texts;
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{ChangeKind, Decomposition, Level, decompose, decompose_in_place};

const OLD: &str = "\
class A {
    int first() {
        int a = 1;
        return a;
    }

    /** Says so. */
    int second() {
        int b = 2;
        return b;
    }

    int third() {
        return 3;
    }
}
";

/// `third` stands before `first`, `second` in between has another body, and `fourth` is new.
const NEW: &str = "\
class A {
    int third() {
        return 33;
    }

    /** Says so. */
    int second() {
        int b = 22;
        return b;
    }

    int fourth() {
        return 4;
    }

    int first() {
        int a = 1;
        return a;
    }
}
";

fn parts() -> Decomposition {
    let version = |text| texts(&[("A.java", text)]);
    decompose(&version(OLD), &version(NEW), Level::Line).unwrap()
}

fn text(parts: &Decomposition, set: &DeltaSet) -> String {
    let file = parts.file_in(0, set).unwrap();
    String::from_utf8(file.content.read().unwrap().to_vec()).unwrap()
}

fn order(parts: &Decomposition) -> Delta {
    let is_order = |delta: &Delta| parts.part(*delta).change == ChangeKind::Reordered;
    parts.all().iter().find(is_order).unwrap()
}

#[test]
fn the_order_is_one_change_and_the_lines_are_those_of_the_members() {
    let parts = parts();
    assert_eq!(text(&parts, &DeltaSet::empty()), OLD);
    assert_eq!(text(&parts, &parts.all()), NEW);
    let order = order(&parts);
    let alone = text(&parts, &[order].into_iter().collect());
    let places = ["third", "second", "first"].map(|name| alone.find(name).unwrap());
    assert!(places.is_sorted(), "{alone}");
    assert!(alone.contains("return 3;") && !alone.contains("fourth"), "{alone}");
    // One line each of `third` and `second`, and those of `fourth`.
    let lines = parts.all().minus(&[order].into_iter().collect());
    let changed = lines.iter().filter(|&delta| !parts.part(delta).old_lines.is_empty());
    let changed: Vec<(u32, u32)> = changed
        .map(|delta| (parts.part(delta).old_lines.start, parts.part(delta).new_lines.start))
        .collect();
    // The blank line before `third` is another change, for now it is the first.
    assert_eq!(changed, [(12, 2), (14, 3), (9, 8)]);
}

#[test]
fn every_choice_has_each_member_once() {
    let parts = parts();
    for choice in 0u32..1 << parts.len() {
        let set: DeltaSet =
            (0..parts.len() as u32).filter(|at| choice >> at & 1 == 1).map(Delta).collect();
        let text = text(&parts, &set);
        for name in ["int first()", "int second()", "int third()", "int a = 1;", "return b;"] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        let is_old = text.find("first()") < text.find("third()");
        assert_eq!(is_old, !set.contains(order(&parts)), "{text}");
    }
}

#[test]
fn lines_of_a_candidate_are_found_in_either_order() {
    let parts = parts();
    let changed = parts.all().iter().find(|&delta| parts.part(delta).new_lines == (3..4)).unwrap();
    for set in [[changed].into_iter().collect(), [changed, order(&parts)].into_iter().collect()] {
        let text = text(&parts, &set);
        let line = text.lines().position(|line| line.contains("return 33;")).unwrap() as u32 + 1;
        assert!(parts.deltas_at(&set, 0, line).contains(changed), "line {line} of {text}");
    }
}

#[test]
fn a_patch_for_other_versions_has_no_order() {
    let version = |text| texts(&[("A.java", text)]);
    let parts = decompose_in_place(&version(OLD), &version(NEW), Level::Line).unwrap();
    let is_text = |delta| parts.part(delta).change == ChangeKind::Text;
    assert!(parts.all().iter().all(is_text));
}

#[test]
fn constants_of_an_enum_stay_where_their_commas_are() {
    let old = "enum E {\n    A,\n    B;\n\n    void f() {\n    }\n\n    void g() {\n    }\n}\n";
    let new = "enum E {\n    B,\n    A;\n\n    void g() {\n    }\n\n    void f() {\n    }\n}\n";
    let version = |text| texts(&[("E.java", text)]);
    let parts = decompose(&version(old), &version(new), Level::Line).unwrap();
    let is_order = |delta| parts.part(delta).change == ChangeKind::Reordered;
    assert!(!parts.all().iter().any(is_order));
    assert_eq!(text(&parts, &parts.all()), new);
}
