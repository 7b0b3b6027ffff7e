//! Sources that cannot be read as expected.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use support::{between, drawing, responsible, sound};
use whodunit_atoms::{AtomKind, NoteKind};
use whodunit_versions::TreePath;

#[test]
fn a_file_that_does_not_parse_in_one_version_is_text() {
    let good = ("A.java", "class A {\n    int f() {\n        return 1;\n    }\n}\n");
    let bad = ("A.java", "class A {\n    int f( {\n        return 2;\n}\n");
    let other = ("B.java", "class B {\n    int g() {\n        return new A().f();\n    }\n}\n");
    for (old, new) in [(good, bad), (bad, good)] {
        let (parts, atoms) = between(&[old, other], &[new, other]);
        sound(&parts, &atoms);
        assert_eq!(drawing(&atoms), ["1 TXT A.java"]);
        assert_eq!(atoms.notes().len(), 1);
        assert_eq!(atoms.notes()[0].file, TreePath::from("A.java"));
        assert_eq!(atoms.notes()[0].what, NoteKind::DoesNotParse);
        // The effect of the change is unknown, so any test may depend on it.
        assert_eq!(responsible(&atoms, "B.g"), ["1 TXT A.java"]);
    }
}

#[test]
fn a_new_file_that_does_not_parse_is_one_change() {
    let (parts, atoms) = between(&[], &[("A.java", "class A {\n    int f( {\n")]);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 AFL A.java"]);
    assert_eq!(atoms.notes()[0].what, NoteKind::DoesNotParse);
}

#[test]
fn definitions_of_one_name_are_told_apart_by_their_order() {
    let old = "class A {\n    int f() {\n        return 1;\n    }\n\n    int f() {\n        return 2;\n    }\n}\n";
    let new = old.replace("return 2", "return 3");
    let (parts, atoms) = between(&[("A.java", old)], &[("A.java", &new)]);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 CM A.f()"]);
    assert_eq!(atoms.get(0).new_lines, 7..8);
    let twice = NoteKind::DefinedTwice("A.f()".to_owned());
    assert!(atoms.notes().iter().all(|note| note.what == twice) && !atoms.notes().is_empty());
}

#[test]
fn changes_that_need_each_other_are_one_chain() {
    let old = "class A {\n}\n";
    let new = "class A {\n    int f() {\n        return g();\n    }\n\n    int g() {\n        return f();\n    }\n}\n";
    let (parts, atoms) = between(&[("A.java", old)], &[("A.java", new)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        ["1 AM A.f()", "2 AM A.g()", "3 CM A.f() <- 1 2", "4 CM A.g() <- 1 2"]
    );
    let all: BTreeSet<usize> = (0..atoms.len()).collect();
    assert_eq!(atoms.chains(&all), [[0, 1, 2, 3]]);
    assert_eq!(atoms.closure(&BTreeSet::from([0])), all);
}

#[test]
fn names_of_sources_that_are_not_there_need_nothing() {
    let old = "class A {\n    int f() {\n        return 1;\n    }\n}\n";
    let new =
        "class A {\n    int f() {\n        return Generated.parse(new Lexer()).size();\n    }\n}\n";
    let (parts, atoms) = between(&[("A.java", old)], &[("A.java", new)]);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 CM A.f()"]);
    assert!(atoms.notes().is_empty());
}

#[test]
fn other_files_are_one_change_each() {
    let (parts, atoms) = between(
        &[("README", "a\nb\nc\nd\n"), ("old.bin", "\0one"), ("gone.txt", "x\n")],
        &[("README", "A\nb\nc\nD\n"), ("old.bin", "\0two"), ("come.txt", "y\nz\n")],
    );
    sound(&parts, &atoms);
    let kinds: Vec<AtomKind> = atoms.iter().map(|atom| atom.kind).collect();
    assert_eq!(
        kinds,
        [AtomKind::ChangeText, AtomKind::AddFile, AtomKind::DeleteFile, AtomKind::ReplaceFile],
        "{:?}",
        drawing(&atoms)
    );
}

#[test]
fn versions_that_do_not_differ_have_no_changes() {
    let (parts, atoms) = between(&[("A.java", "class A {\n}\n")], &[("A.java", "class A {\n}\n")]);
    sound(&parts, &atoms);
    assert!(atoms.is_empty());
}

#[test]
fn every_kind_has_an_abbreviation_of_its_own() {
    let all: BTreeSet<&str> = AtomKind::all().iter().map(|kind| kind.abbreviation()).collect();
    assert_eq!(all.len(), AtomKind::all().len());
    for &kind in AtomKind::all() {
        assert_eq!(AtomKind::parse(kind.abbreviation()), Some(kind));
        assert!(!kind.description().is_empty());
    }
    let paper = "AF DF FI AM DM CM AC DC LC AA DA INF DIF CIFI INM DIM CIMB AEA DEA CAB ANP CPB \
                 DPC AHD DHD AAP DAP ASED DSED AIC";
    assert!(paper.split_whitespace().all(|it| AtomKind::parse(it).is_some()));
    let definitions = "AA DA INF DIF INM DIM AEA DEA ANP DPC AF DF DM AC DC";
    let is_definition = |it: &str| AtomKind::parse(it).is_some_and(AtomKind::is_definition);
    assert!(definitions.split_whitespace().all(is_definition));
}
