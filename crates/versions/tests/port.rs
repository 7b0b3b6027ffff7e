//! The result of a patch on a version that it was not made for, drawn case by case.

#![allow(clippy::unwrap_used)]

mod support;

use support::{plain, texts};
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{
    Conflict, Content, Entry, EntryKind, Level, Outcome, Patch, PatchSize, Ported, Rung, TreePath,
    Version, decompose, decompose_in_place, port,
};

/// Puts all that differs between two versions onto a third.
fn carry(good: &Version, bad: &Version, foreign: &Version) -> Ported {
    let parts = decompose(good, bad, Level::Line).unwrap();
    port(&Patch::of(&parts, &parts.all()), foreign).unwrap()
}

/// Returns the deltas that are in the version that came out, and were not there before.
fn applied(ported: &Ported) -> DeltaSet {
    let parts = ported.parts().iter();
    let applied = parts.filter(|part| matches!(part.outcome, Outcome::Applied { .. }));
    let applied: DeltaSet = applied.flat_map(|part| part.deltas.iter()).collect();
    applied.minus(&ported.conflicting())
}

/// Applies the change of one file to a foreign text and checks the result.
fn check(file: &str, [old, new, foreign]: [&str; 3], rung: Rung, expected: &str) {
    let one = |text: &str| texts(&[(file, text)]);
    let ported = carry(&one(old), &one(new), &one(foreign));
    let whole = ported.whole().unwrap_or_else(|| panic!("{:?}", ported.parts()));
    assert_eq!(text(whole, file), expected);
    assert_eq!(ported.rung(), Some(rung));
    assert_eq!(applied(&ported).len(), decompose(&one(old), &one(new), Level::Line).unwrap().len());
    // Where it is once, it is not put again.
    let again = carry(&one(old), &one(new), whole);
    assert_eq!(text(again.partial(), file), expected);
}

fn check_conflict(file: &str, [old, new, foreign]: [&str; 3]) {
    let one = |text: &str| texts(&[(file, text)]);
    let ported = carry(&one(old), &one(new), &one(foreign));
    assert!(ported.whole().is_none());
    assert_eq!(text(ported.partial(), file), foreign);
    assert_eq!(ported.parts()[0].outcome, Outcome::Conflict(Conflict::Text));
}

fn text(version: &Version, file: &str) -> String {
    let entry = version.get(&TreePath::from(file)).unwrap();
    String::from_utf8(entry.content.read().unwrap().to_vec()).unwrap()
}

const COUNTER: &str = "\
int total;

int add(int n)
{
    total = total + n;
    check(total);
    return total;
}

int get(void)
{
    lock();
    show();
    unlock();
    return total;
}
";

#[test]
fn the_same_surroundings_are_exact_wherever_they_are() {
    let new = COUNTER.replace("total + n", "total - n");
    let foreign = format!("// a licence\n\n{COUNTER}");
    let expected = format!("// a licence\n\n{new}");
    check("a.c", [COUNTER, &new, &foreign], Rung::Exact, &expected);
}

#[test]
fn a_moved_function_is_exact() {
    let new = COUNTER.replace("check(total)", "verify(total)");
    let (add, get) = COUNTER.split_once("\nint get").unwrap();
    let (head, add) = add.split_once("\nint add").unwrap();
    let moved = format!("{head}\nint get{get}\nint add{add}");
    let expected = moved.replace("check(total)", "verify(total)");
    check("a.c", [COUNTER, &new, &moved], Rung::Exact, &expected);
    // No language is needed for it.
    check("a", [COUNTER, &new, &moved], Rung::Exact, &expected);
}

#[test]
fn other_surroundings_are_a_merge() {
    let new = COUNTER.replace("check(total)", "verify(total)");
    let foreign = COUNTER.replace("n)\n{", "n) // adds\n{ // begins");
    let expected = foreign.replace("check(total)", "verify(total)");
    check("a.c", [COUNTER, &new, &foreign], Rung::Merge, &expected);
}

#[test]
fn a_renamed_file_is_followed() {
    let good = texts(&[("src/a.c", COUNTER), ("b", "b\n")]);
    let new = COUNTER.replace("check(total)", "verify(total)");
    let bad = texts(&[("src/a.c", &new), ("b", "b\n")]);
    let foreign = texts(&[("lib/counter.c", COUNTER), ("b", "b\n")]);
    let ported = carry(&good, &bad, &foreign);
    assert_eq!(text(ported.whole().unwrap(), "lib/counter.c"), new);
    let path = TreePath::from("lib/counter.c");
    assert_eq!(ported.parts()[0].outcome, Outcome::Applied { rung: Rung::Merge, path });
    assert_eq!(ported.parts()[0].lines, 6..7);
}

#[test]
fn a_new_file_follows_its_renamed_folder() {
    let good = texts(&[("src/a.c", COUNTER), ("src/b", "one\ntwo\nthree\n")]);
    let bad = texts(&[("src/a.c", COUNTER), ("src/b", "one\ntwo\nthree\n"), ("src/c", "new\n")]);
    let foreign = texts(&[("lib/a.c", COUNTER), ("lib/b", "one\ntwo\nthree\n")]);
    let ported = carry(&good, &bad, &foreign);
    assert_eq!(text(ported.whole().unwrap(), "lib/c"), "new\n");
}

#[test]
fn an_indented_block_takes_the_token_rung_and_new_lines_are_indented() {
    let old = "def f(x):\n    a(x)\n    b(x)\n    c(x)\n    return x\n";
    let new = "def f(x):\n    a(x)\n    if x:\n        b(x)\n    c(x + 1)\n    return x\n";
    let foreign =
        "def f(x):\n    with lock:\n        a(x)\n        b(x)\n        c(x)\n        return x\n";
    let expected = "def f(x):\n    with lock:\n        a(x)\n        if x:\n            b(x)\n        \
                    c(x + 1)\n        return x\n";
    check("a.py", [old, new, foreign], Rung::Token, expected);
}

#[test]
fn line_ends_of_another_system_are_kept() {
    let new = COUNTER.replace("    show();\n", "    show();\n    flush();\n");
    let foreign = COUNTER.replace('\n', "\r\n");
    check("a.c", [COUNTER, &new, &foreign], Rung::Token, &new.replace('\n', "\r\n"));
}

#[test]
fn two_changes_of_one_line_are_merged_by_tokens() {
    let old = "k\nfn(alpha, beta, gamma)\nl\n";
    let new = "k\nfn(alpha, beta, gamma, delta)\nl\n";
    let foreign = "k\nfn(first, beta, gamma)\nl\n";
    check("a", [old, new, foreign], Rung::Token, "k\nfn(first, beta, gamma, delta)\nl\n");
}

#[test]
fn neighbouring_lines_do_not_conflict() {
    let old = "a\nb one two\nc one two\nd\n";
    let new = "a\nb one TWO\nc one two\nd\n";
    let foreign = "a\nb one two\nc ONE two\nd\n";
    check("a", [old, new, foreign], Rung::Token, "a\nb one TWO\nc ONE two\nd\n");
}

#[test]
fn a_changed_function_that_moved_is_found_by_its_name() {
    let new = COUNTER.replace("total + n", "total - n");
    let foreign = "\
int total;

int get(void)
{
    lock();
    return total;
}

int min(int n)
{
    return n < total ? n : total;
}

int add(int n)
{
    trace(n);
    total = total + n;
    verify(total, n);
    return total;
}
";
    let expected = foreign.replace("total + n", "total - n");
    check("a.c", [COUNTER, &new, foreign], Rung::Item, &expected);
}

#[test]
fn a_function_in_another_file_is_found_by_its_name() {
    let good = texts(&[("a.c", COUNTER), ("b.c", "int other;\n")]);
    let new = COUNTER.replace("total + n", "total - n");
    let bad = texts(&[("a.c", &new), ("b.c", "int other;\n")]);
    let (head, rest) = COUNTER.split_once("int add").unwrap();
    let (add, get) = rest.split_once("int get").unwrap();
    let moved = format!("int other;\n\nint add{add}").replace("check", "verify");
    let foreign = texts(&[("a.c", &format!("{head}int get{get}")), ("b.c", &moved)]);
    let ported = carry(&good, &bad, &foreign);
    let whole = ported.whole().unwrap();
    assert_eq!(text(whole, "b.c"), moved.replace("total + n", "total - n"));
    assert_eq!(text(whole, "a.c"), text(&foreign, "a.c"));
    let path = TreePath::from("b.c");
    assert_eq!(ported.parts()[0].outcome, Outcome::Applied { rung: Rung::Item, path });
    // The file that it was in need not be there.
    let ported = carry(&good, &bad, &texts(&[("b.c", &moved)]));
    assert_eq!(text(ported.whole().unwrap(), "b.c"), text(whole, "b.c"));
    // Of two that are alike, neither is it.
    let ported = carry(&good, &bad, &texts(&[("b.c", &moved), ("c.c", &moved)]));
    assert_eq!(ported.parts()[0].outcome, Outcome::Conflict(Conflict::NoFile));
}

#[test]
fn a_new_function_goes_beside_those_that_are_there() {
    let old = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
    let new = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n";
    let foreign =
        "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef z():\n    return 9\n";
    let expected = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n\n\n\
                    def z():\n    return 9\n";
    check("a.py", [old, new, foreign], Rung::Item, expected);
}

#[test]
fn what_is_added_where_others_were_removed_needs_one_neighbour() {
    let old = "one\ntwo\nthree\nfour\n";
    check(
        "a",
        [old, "one\ntwo\nthree\nfour\nfive\n", "one\ntwo\n"],
        Rung::Token,
        "one\ntwo\nfive\n",
    );
}

#[test]
fn one_line_changed_in_two_ways_is_a_conflict() {
    check_conflict("a", ["a\nlimit = 1\nb\n", "a\nlimit = 2\nb\n", "a\nlimit = 3\nb\n"]);
    check_conflict("a.c", [COUNTER, &COUNTER.replace("total + n", "total - n"), "int total;\n"]);
}

#[test]
fn hunks_without_conflict_are_ported_and_the_others_are_named() {
    let good = texts(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"), ("gone", "1\n")]);
    let bad = texts(&[("a", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"), ("gone", "2\n")]);
    let foreign = texts(&[("a", "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n")]);
    let ported = carry(&good, &bad, &foreign);
    assert!(ported.whole().is_none());
    assert_eq!(text(ported.partial(), "a"), "ONE\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    assert_eq!(applied(&ported), DeltaSet::run(1..2));
    let conflicting: DeltaSet = [Delta(0), Delta(2)].into_iter().collect();
    assert_eq!(ported.conflicting(), conflicting);
    assert_eq!(ported.parts()[2].outcome, Outcome::Conflict(Conflict::NoFile));
}

#[test]
fn what_is_there_already_is_not_put_again() {
    let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
    let new = "a\nB\nc\nd\nnew\ne\nf\ng\nH\n";
    let ported = carry(
        &texts(&[("f", old)]),
        &texts(&[("f", new)]),
        &texts(&[("f", "a\nB\nc\nd\nnew\ne\nf\ng\nh\n")]),
    );
    assert_eq!(text(ported.whole().unwrap(), "f"), new);
    assert!(ported.conflicting().is_empty());
    assert_eq!(applied(&ported), DeltaSet::run(2..3));
}

#[test]
fn files_come_go_and_change_their_kind() {
    let entry = |kind, bytes: &[u8]| Entry { kind, content: Content::bytes(bytes) };
    let mut good = texts(&[("gone", "1\n"), ("run", "x\n")]);
    good.insert(TreePath::from("data"), entry(EntryKind::Regular, b"\0\x01"));
    good.insert(TreePath::from("link"), entry(EntryKind::Link, b"here"));
    let mut bad = texts(&[("new", "2\n")]);
    bad.insert(TreePath::from("run"), entry(EntryKind::Executable, b"x\n"));
    bad.insert(TreePath::from("data"), entry(EntryKind::Regular, b"\0\x02"));
    bad.insert(TreePath::from("link"), entry(EntryKind::Link, b"there"));
    // The foreign version is the good one with a further file: the whole patch is applied.
    let mut foreign = good.clone();
    foreign.insert(TreePath::from("other"), entry(EntryKind::Regular, b"3\n"));
    let ported = carry(&good, &bad, &foreign);
    let mut expected = plain(&bad);
    expected.insert(b"other".to_vec(), (EntryKind::Regular, b"3\n".to_vec()));
    assert_eq!(plain(ported.whole().unwrap()), expected);
    assert_eq!(ported.rung(), Some(Rung::Exact));
    // Everything is something else: nothing that is no text is merged.
    let mut foreign = texts(&[("new", "else\n"), ("gone", "changed\n")]);
    foreign.insert(TreePath::from("run"), entry(EntryKind::Link, b"x\n"));
    foreign.insert(TreePath::from("data"), entry(EntryKind::Regular, b"\0\x03"));
    foreign.insert(TreePath::from("link"), entry(EntryKind::Link, b"nowhere"));
    let ported = carry(&good, &bad, &foreign);
    let conflicts: Vec<(String, Conflict)> = ported
        .parts()
        .iter()
        .filter_map(|part| match part.outcome {
            Outcome::Conflict(conflict) => Some((part.path.to_string(), conflict)),
            _ => None,
        })
        .collect();
    let expected = [
        ("data", Conflict::Content),
        ("link", Conflict::Content),
        ("new", Conflict::Text),
        ("run", Conflict::Mode),
    ];
    assert_eq!(conflicts, expected.map(|(path, conflict)| (path.to_owned(), conflict)));
    assert!(ported.partial().get(&TreePath::from("gone")).is_none());
}

#[test]
fn a_name_that_another_file_has_is_a_conflict() {
    let good = texts(&[("a", "one\ntwo\nthree\n")]);
    let bad = texts(&[("b", "one\ntwo\nthree\n"), ("c/d", "x\n")]);
    let foreign = texts(&[("a", "one\ntwo\nthree\n"), ("b", "mine\n"), ("c", "a file\n")]);
    let ported = carry(&good, &bad, &foreign);
    assert_eq!(plain(ported.partial()), plain(&foreign));
    let outcomes: Vec<&Outcome> = ported.parts().iter().map(|part| &part.outcome).collect();
    assert_eq!(outcomes, [&Outcome::Conflict(Conflict::Path); 2]);
}

#[test]
fn what_was_ported_is_decomposed_where_it_is_now() {
    let new = COUNTER.replace("total + n", "total - n").replace("    show();\n", "");
    let good = texts(&[("a.c", COUNTER)]);
    let foreign = texts(&[("lib.c", &format!("// moved\n{COUNTER}")), ("b", "b\n")]);
    let ported = carry(&good, &texts(&[("a.c", &new)]), &foreign);
    let parts = decompose_in_place(&foreign, ported.partial(), Level::Line).unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts.part(Delta(0)).new_path, Some(&TreePath::from("lib.c")));
    assert_eq!(parts.part(Delta(0)).item, Some("add"));
    let successor = Patch::of(&parts, &DeltaSet::run(0..1));
    assert_eq!(successor.size().unwrap(), PatchSize { files: 1, hunks: 1, lines: 2 });
    let patch = String::from_utf8(successor.to_text().unwrap()).unwrap();
    assert!(patch.contains("\n-    total = total + n;\n+    total = total - n;\n"), "{patch}");
}

#[test]
fn untouched_files_are_shared_and_not_read() {
    let mut foreign = texts(&[("a", "x\n1\n")]);
    let content =
        Content::file("/nowhere/to/be/found".into(), 3, std::time::SystemTime::UNIX_EPOCH);
    foreign.insert(TreePath::from("b"), Entry { kind: EntryKind::Regular, content });
    let ported = carry(&texts(&[("a", "1\n")]), &texts(&[("a", "2\n")]), &foreign);
    assert_eq!(text(ported.whole().unwrap(), "a"), "x\n2\n");
    let shared = ported.partial().get(&TreePath::from("b")).unwrap();
    assert!(shared.content.on_disk().is_some());
    let parts = decompose_in_place(&foreign, ported.partial(), Level::Line).unwrap();
    assert_eq!(parts.len(), 1);
}
