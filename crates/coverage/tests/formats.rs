//! Files of real tools about small programs, and the executed lines in them. Paths of the machines
//! are replaced, and parts that are not about lines are shortened.

#![allow(clippy::unwrap_used)]

mod files;

use files::{bytes, source};
use whodunit_coverage::{Coverage, PathMap, Source, looks_like_coverage, read};

/// Draws the executed lines: `name 1-3 7`, one file a line.
fn drawn(coverage: &Coverage) -> String {
    let lines = coverage.files.iter().map(|(name, lines)| {
        let ranges = lines.ranges().map(|range| match (range.start(), range.end()) {
            (first, last) if first == last => format!(" {first}"),
            (first, last) => format!(" {first}-{last}"),
        });
        format!("{name}{}\n", ranges.collect::<String>())
    });
    lines.collect()
}

/// Draws the lines that are counted but were not executed.
fn missed(file: &str) -> String {
    let coverage = read(source(file, &bytes(file))).unwrap().all();
    let mut missed = Coverage::default();
    for (name, lines) in &coverage.measured {
        let all = lines.ranges().flatten();
        let lines = all.filter(|&line| !coverage.files[name].contains(line)).collect();
        missed.add_lines(name, &lines);
    }
    drawn(&missed)
}

#[test]
fn lines_that_are_counted_and_were_not_executed_are_told() {
    let in_c = "/src/project/include/fee.h 3
                /src/project/src/account.c 11
                /src/project/src/main.c";
    let in_java = "bank/Account.java 13
                   bank/AccountTest.java 10-13 20-21";
    let in_python = "bank/__init__.py
                     bank/account.py 13";
    for (file, wanted) in [
        ("bank.AccountTest.withdrawn.xml", in_java),
        ("two-tests.info", in_c),
        ("gcov.json", in_c),
        ("llvm-cov.json", in_c),
        ("llvm-cov.info", in_c),
        ("coverage-py.json", in_python),
        ("coverage-py-contexts.json", in_python),
        ("go-set.out", "example.org/bank/bank/account.go 14-20"),
    ] {
        let wanted = wanted.lines().map(|line| format!("{}\n", line.trim()));
        assert_eq!(missed(file), wanted.collect::<String>(), "{file}");
    }
}

fn check(file: &str, wanted: &str) {
    assert!(looks_like_coverage(&bytes(file)), "{file}");
    let file = read(source(file, &bytes(file))).unwrap();
    let wanted: String = wanted.trim().lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(drawn(&file.all()), wanted);
}

#[test]
fn jacoco_names_packages_and_files() {
    // JaCoCo 0.8.6, OpenJDK 17, a run of one test of JUnit 4.13.2 each.
    check(
        "bank.AccountTest.withdrawn.xml",
        "bank/Account.java 3 8-9 12 15-17 20
         bank/AccountTest.java 7 17-19",
    );
    check(
        "bank.AccountTest.deposited.xml",
        "bank/Account.java 3 8-9 20
         bank/AccountTest.java 7 10-13",
    );
}

#[test]
fn lcov_may_tell_tests_apart() {
    // LCOV 1.16 from gcc 12.2: two runs, named and put together.
    check(
        "two-tests.info",
        "/src/project/include/fee.h 1-2 4
         /src/project/src/account.c 5-7 9-10 12-13
         /src/project/src/main.c 4-8",
    );
    let file = read(source("two-tests.info", &bytes("two-tests.info"))).unwrap();
    assert!(file.outside.files.is_empty());
    let names: Vec<&str> = file.tests.keys().map(String::as_str).collect();
    assert_eq!(names, ["deposit", "withdraw"]);
    let wanted = "/src/project/include/fee.h\n/src/project/src/account.c 5-7\n\
                  /src/project/src/main.c 4-6 8\n";
    assert_eq!(drawn(&file.tests["deposit"]), wanted);
}

#[test]
fn llvm_cov_says_the_same_as_json_and_as_lcov() {
    // llvm-cov 19.1.7 from clang 19: one run, exported in both formats.
    let wanted = "/src/project/include/fee.h 1-2 4-5
                  /src/project/src/account.c 5-7 9-10 12-14
                  /src/project/src/main.c 4-9";
    check("llvm-cov.json", wanted);
    check("llvm-cov.info", wanted);
}

#[test]
fn gcov_writes_several_documents_or_packs_one() {
    // gcov 12.2: two data files to the standard output; one as a file.
    check(
        "gcov.json",
        "/src/project/include/fee.h 1-2 4
         /src/project/src/account.c 5-7 9-10 12-13
         /src/project/src/main.c 4-8",
    );
    check(
        "gcov.json.gz",
        "/src/project/include/fee.h 1-2 4
         /src/project/src/account.c 5-7 9-10 12-13",
    );
}

#[test]
fn coverage_py_may_tell_tests_apart() {
    // coverage.py 7.17.2; with --show-contexts and pytest-cov 7.1.0.
    let wanted = "bank/__init__.py
                  bank/account.py 1 4-6 8-9 11-12 14";
    check("coverage-py.json", wanted);
    check("coverage-py-contexts.json", wanted);
    let name = "coverage-py-contexts.json";
    let file = read(source(name, &bytes(name))).unwrap();
    assert_eq!(drawn(&file.outside), "bank/__init__.py\nbank/account.py 1 4-5 8 11\n");
    let names: Vec<&str> = file.tests.keys().map(String::as_str).collect();
    let wanted = [
        "tests.test_account.TestWithdraw.test_it_is_gone",
        "tests.test_account.test_any[0]",
        "tests.test_account.test_any[7]",
        "tests.test_account.test_deposit",
    ];
    assert_eq!(names, wanted);
    assert_eq!(drawn(&file.tests[wanted[0]]), "bank/account.py 6 9 12 14\n");
}

#[test]
fn profiles_of_go_have_blocks_of_lines() {
    // Go 1.19.8, with -covermode set and count.
    let wanted = "example.org/bank/bank/account.go 9-11";
    check("go-set.out", wanted);
    check("go-count.out", wanted);
}

#[test]
fn what_tools_write_in_other_releases_is_read_too() {
    let check = |text: &str, wanted: &str| {
        let file = read(Source { name: "text", bytes: text.as_bytes() }).unwrap();
        assert_eq!(drawn(&file.all()), wanted);
    };
    // LCOV 2 has comments, new records and checksums; counters run over or get huge.
    let lcov = "# comment\r\nTN:\r\nSF:a.c\r\nVER:1\r\nFNL:0,1,2\r\nFNA:0,1,f\r\nDA:1,1,x8Yg==\r\n\
                DA:2,-3\r\nDA:3,1.8e+20\r\nMCDC:1,2,t,1,0,0\r\nend_of_record\r\n";
    check(lcov, "a.c 1 3\n");
    // Before LLVM 10 flags were numbers, and there were no gaps.
    let llvm = r#"{"version":"2.0.0","type":"llvm.coverage.json.export","data":[{"files":
        [{"filename":"a.c","segments":[[1,1,5,1,1],[4,2,0,0,0]]}]}]}"#;
    check(llvm, "a.c 1-4\n");
    let go = "mode: atomic\na b.go:1.1,2.5 1 18446744073709551616\nmode: set\nc.go:3.1,9.1 1 0\n";
    check(go, "a b.go 1-2\nc.go\n");
    let groups = "\u{feff}<report name='r'><group name='g'><package name=''><sourcefile name='A.kt'>\
                  <line nr='2' mi='1' ci='1'/></sourcefile></package></group></report>";
    check(groups, "A.kt 2\n");
}

#[test]
fn all_names_are_found_in_a_version_of_the_program() {
    let check = |file: &str, tree: &[&str]| {
        let coverage = read(source(file, &bytes(file))).unwrap().all();
        let map = PathMap::new(coverage.names(), tree);
        assert!(map.unmatched.is_empty() && map.ambiguous.is_empty(), "{map:?}");
        assert_eq!(map.apply(&coverage).len(), coverage.files.len());
    };
    let c = ["include/fee.h", "src/account.c", "src/main.c"];
    for file in ["two-tests.info", "llvm-cov.json", "gcov.json", "gcov.json.gz"] {
        check(file, &c);
    }
    let java = ["src/main/java/bank/Account.java", "src/test/java/bank/AccountTest.java"];
    check("bank.AccountTest.withdrawn.xml", &java);
    check("go-set.out", &["bank/account.go", "account.go"]);
    check("coverage-py.json", &["python/bank/account.py", "python/bank/__init__.py"]);
}
