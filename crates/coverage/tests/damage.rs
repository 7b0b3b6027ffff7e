//! Files that are empty, cut off, of other formats, or full of nonsense give an error with its
//! place, and never a panic.

#![allow(clippy::unwrap_used)]

mod files;

use files::{bytes, source};
use proptest::prelude::*;
use whodunit_coverage::{PathMap, Report, Source, Suite, looks_like_coverage, read};

const COVERAGE: [&str; 11] = [
    "bank.AccountTest.deposited.xml",
    "bank.AccountTest.withdrawn.xml",
    "coverage-py-contexts.json",
    "coverage-py.json",
    "gcov.json",
    "gcov.json.gz",
    "go-count.out",
    "go-set.out",
    "llvm-cov.info",
    "llvm-cov.json",
    "two-tests.info",
];

fn said(name: &str, bytes: &[u8]) -> String {
    read(source(name, bytes)).unwrap_err().to_string()
}

fn check(text: &str, wanted: &str) {
    assert_eq!(said("f", text.as_bytes()), format!("`f`{wanted}"), "{text}");
}

#[test]
fn what_is_no_coverage_is_named() {
    let formats = "neither JaCoCo XML, LCOV, llvm-cov, gcov or coverage.py JSON nor a cover \
                   profile of Go";
    check("", ": the file is empty");
    check("\u{feff} \n", ": the file is empty");
    check("src/a.c:10\n", &format!(": {formats}"));
    check("[1, 2]", &format!(": {formats}"));
    check("{\"a\": 1}", &format!(": {formats}, but some other JSON"));
    check("<coverage/>", &format!(": {formats}, but XML of `coverage`"));
    assert!(!looks_like_coverage(b"src/a.c:10\n") && !looks_like_coverage(b""));
    let read = |text: &str| {
        Report::read([Source { name: "r", bytes: text.as_bytes() }]).unwrap_err().to_string()
    };
    assert_eq!(read(""), "`r`: the file is empty");
    assert_eq!(read("ok 1"), "`r`: this is no JUnit report");
    assert_eq!(read("<report/>"), "`r`: this is no JUnit report, but XML of `report`");
    assert_eq!(
        read("<testsuite>\n<testcase/></testsuite>"),
        "`r`, line 2: JUnit report that is broken or cut off: `testcase` has no `name`"
    );
}

#[test]
fn what_names_no_file_is_an_error() {
    check("TN:\n", ": LCOV file that names no source file with lines");
    check("mode: set\n", ": cover profile of Go that names no source file with lines");
    check("<report name='x'/>", ": JaCoCo XML that names no source file with lines");
    let empty = r#"{"meta": {}, "files": {}}"#;
    check(empty, ": coverage.py JSON that names no source file with lines");
    let summary = r#"{"type": "x", "data": [{"files": [{"filename": "a.c", "summary": {}}]}]}"#;
    let wanted = ": llvm-cov JSON that is broken or cut off: it is a summary only; leave out \
                  -summary-only";
    check(summary, wanted);
}

#[test]
fn the_line_of_a_mistake_is_said() {
    let lcov = ", line 3: LCOV file that is broken or cut off: ";
    check("TN:\nSF:a\nDA:x,1\n", &format!("{lcov}no line and count"));
    check("TN:\nSF:a\nDA:99999999999,1\n", &format!("{lcov}no line and count"));
    check("TN:\nSF:a\nDA:1,nan\n", &format!("{lcov}no line and count"));
    check("TN:\nSF:a\nwhat is this\n", &format!("{lcov}no record"));
    check("TN:\nSF:a\nSF:b\n", &format!("{lcov}a file begins before the last one ends"));
    check("TN:\n\nDA:1,1\n", &format!("{lcov}a line of no file"));
    check("TN:\n\nend_of_record\n", &format!("{lcov}the end of no file"));
    check("TN:\nSF:a\nDA:1,1", &format!("{lcov}it is cut off within a file"));
    let go = ", line 2: cover profile of Go that is broken or cut off: no \
              `file:line.column,line.column`";
    for line in ["a.go:1.1,2.2 1", "a.go:1,2 1 1", "a.go:3.1,2.1 1 1", "a.go:1.1,99999999999.1 1 1"]
    {
        check(&format!("mode: set\n{line}\n"), go);
    }
    let line = "<report><package name='p'>\n<sourcefile name='A'>\n<line nr='-1' ci='1'/>\
                </sourcefile></package></report>";
    let wanted = ", line 3: JaCoCo XML that is broken or cut off: `-1` is no number for `nr`";
    check(line, wanted);
    let number = "{\"meta\": {},\n\"files\": {\"a\": {\"executed_lines\": [99999999999]}}}";
    assert!(said("f", number.as_bytes()).starts_with("`f`, line 2: coverage.py JSON that is "));
    let order = r#"{"type": "x", "data": [{"files": [{"filename": "a.c",
        "segments": [[9, 1, 1, true, true, false], [2, 1, 0, true, true, false]]}]}]}"#;
    assert!(said("f", order.as_bytes()).ends_with("the segments of a file are out of order"));
}

#[test]
fn a_file_that_is_cut_off_is_never_taken_for_a_whole_one() {
    for name in COVERAGE {
        let whole = bytes(name);
        let end = whole.trim_ascii_end().len();
        for length in 0..end {
            let cut = read(source(name, &whole[..length]));
            // Profiles of Go and trace files have no end mark: a part of one can be a valid
            // shorter one.
            let is_list = name.ends_with(".out") || name.ends_with(".info");
            let is_stream =
                name == "gcov.json" && whole[..length].trim_ascii_end().ends_with(b"\"}");
            assert!(is_list || is_stream || cut.is_err(), "{name} cut to {length}");
        }
    }
}

#[test]
fn entities_that_name_each_other_and_deep_nesting_are_errors() {
    let bomb = "<!DOCTYPE r [<!ENTITY a 'xx'><!ENTITY b '&a;&a;'><!ENTITY c '&b;&c;'>]>\
                <report>&c;</report>";
    assert!(said("f", bomb.as_bytes()).contains("broken"));
    let deep = "<report>".repeat(100_000);
    assert!(said("f", deep.as_bytes()).contains("broken"));
    let deep = format!("{}{}", "<report>".repeat(100_000), "</report>".repeat(100_000));
    assert!(read(source("f", deep.as_bytes())).is_err());
    let deep = format!("{{\"meta\": {}", "[".repeat(100_000));
    assert!(said("f", deep.as_bytes()).contains("broken"));
}

fn mutated() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6);
    (0..COVERAGE.len() + 2, edits).prop_map(|(file, edits)| {
        let names = COVERAGE.into_iter().chain(["pytest-report.xml", "TEST-bank.AccountTest.xml"]);
        let mut bytes = bytes(names.into_iter().nth(file).unwrap());
        for (at, byte, edit) in edits {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match edit {
                0 => bytes.truncate(at),
                1 => bytes.splice(at..at, *b"99999999999999999999").for_each(drop),
                2 if !bytes.is_empty() => drop(bytes.remove(at)),
                _ if !bytes.is_empty() => bytes[at] = byte,
                _ => {}
            }
        }
        (file, bytes)
    })
}

proptest! {
    #[test]
    fn nothing_that_is_read_makes_it_panic((_, bytes) in mutated()) {
        let file = source("a.b", &bytes);
        looks_like_coverage(&bytes);
        if let Ok(coverage) = read(file) {
            let coverage = coverage.all();
            let map = PathMap::new(coverage.names(), ["src/account.c", "bank/account.py", ""]);
            prop_assert!(map.apply(&coverage).len() <= 3);
        }
        let report = Report::read([file]);
        let suite = Suite::read([file], [file]);
        prop_assert!(report.is_ok() || suite.is_err());
    }
}
