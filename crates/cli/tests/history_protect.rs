//! `history --protect`: the lines that the test executes stay in the back-port.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::{World, found, has_git, needs};

/// A test that fails in the same way without the line that runs the program, in a function that
/// older versions have too: the trap of figure 7 in *Iterative Delta Debugging*.
const TEST: &str = "test1() {
    result=0
    result=$((result + $(run_test)))
    [ \"$result\" != 0 ]
}
";

fn trap(file: &str) -> World {
    let world = World::new();
    world.git("init -q -b main");
    let old = "# tests\n\ntest1() {\n    exit 9\n}\n";
    world.write(file, old);
    world.write("program.sh", "run_test() {\n    echo 1\n}\n");
    world.commit("good");
    world.write("program.sh", "run_test() {\n    echo 0\n}\n");
    world.commit("bad");
    world.write("notes.txt", "nothing\n");
    world.commit("between");
    world.write(file, format!("# tests\n\n{TEST}"));
    world.commit("tested");
    // The lines are at other places in the newest version.
    world.write(file, format!("# tests\n# of the program\n\n# first\n{TEST}"));
    world.commit("tip");
    let run = "test1 || { echo wrong; exit 1; }\n";
    let check = format!("set -u\n. ./program.sh\n. ./{file}\n{run}");
    fs::write(world.beside("check.sh"), check).unwrap();
    world
}

#[test]
fn what_the_test_executes_is_not_cut_away() {
    if !has_git() {
        return;
    }
    let world = trap("t/tests.sh");
    // A file with the name of a test stays whole by itself, whatever search makes the rest
    // smaller.
    for search in ["closure", "ddmin"] {
        let answer = world.answer(&format!("history --search {search} -- sh ../check.sh"));
        let (title, back_port) = found(&answer);
        assert_eq!(title, "bad", "{search}");
        assert!(back_port.contains("+    result=$((result + $(run_test)))"), "{back_port}");
    }
    // A file with another name has to be named.
    let world = trap("lib/part.sh");
    let files = [
        ("lcov.info", "SF:/build/t/tests.sh\nDA:5,1\nDA:6,1\nDA:7,1\nDA:8,1\nend_of_record\n"),
        ("cover.out", "mode: set\nexample.org/m/t/tests.sh:5.1,8.24 3 1\n"),
        (
            "coverage.json",
            r#"{"meta": {"format": 3}, "files": {"t/tests.sh": {"executed_lines": [5, 6, 7, 8]}}}"#,
        ),
        ("places", "t/tests.sh:5-7\nt/tests.sh:8\n"),
    ];
    for (jobs, (name, text)) in (1..).zip(files) {
        fs::write(world.beside(name), text.replace("t/tests.sh", "lib/part.sh")).unwrap();
        let line = format!("history -j{jobs} --protect ../{name} -- sh ../check.sh");
        let answer = world.answer(&line);
        let (title, back_port) = found(&answer);
        assert_eq!(title, "bad", "{name}");
        assert!(back_port.contains("+    result=$((result + $(run_test)))"), "{back_port}");
        assert!(!back_port.contains("first"), "{back_port}");
        assert_eq!(answer["forward"]["proof"], "pass");
    }
}

#[test]
fn what_is_protected_and_not_there_is_said() {
    if !has_git() {
        return;
    }
    let world = trap("t/tests.sh");
    let check = |text: &str, code: i32, wanted: &[&str]| {
        fs::write(world.beside("given"), text).unwrap();
        let ran = world.line("history --protect ../given -- sh ../check.sh");
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        for wanted in wanted {
            assert!(ran.stderr.contains(wanted), "{wanted}: {}", ran.stderr);
        }
    };
    let lines = "DA:6,1\nend_of_record\n";
    let (here, away) = (format!("SF:/b/t/tests.sh\n{lines}"), format!("SF:/b/x.c\n{lines}"));
    let warning = "warning: --protect: `/b/x.c` is not in the newest version\n";
    check(&format!("{here}{away}"), 0, &[warning]);
    check("t/tests.sh:6\ngone.sh\n", 0, &["--protect: `gone.sh` is not in the newest version"]);
    let none = "none of its files is in the newest version: ";
    check(&away, 2, &["given`: ", none, "`/b/x.c`\n", "hint: ", "a coverage tool"]);
    check("gone.sh:1\nalso.sh\n", 2, &[none, "`gone.sh`, `also.sh`\n"]);
    let cut_off =
        "given`: line 3: LCOV file that is broken or cut off: it is cut off within a file";
    check("SF:/b/t/tests.sh\nDA:6,1\n", 2, &[cut_off]);
    let nothing = "SF:/b/t/tests.sh\nDA:6,0\nend_of_record\n";
    check(nothing, 2, &["given`: it says that nothing was executed"]);
    check("<coverage/>", 2, &["given`: neither JaCoCo XML, ", ", but XML of `coverage`"]);
    check("{\"a\": 1}", 2, &["given`: neither JaCoCo XML, ", ", but some other JSON"]);
}

#[test]
fn a_name_for_several_files_protects_none_of_them() {
    if !has_git() {
        return;
    }
    let world = trap("t/tests.sh");
    world.write("u/t/tests.sh", "other\n");
    world.write("v/t/tests.sh", "other\n");
    world.commit("more");
    let name = |name: &str| format!("SF:{name}\nDA:6,1\nDA:8,1\nend_of_record\n");
    fs::write(world.beside("given"), name("program.sh") + &name("/x/v/t/tests.sh")).unwrap();
    let ran = world.line("history --protect ../given -- sh ../check.sh");
    assert!(!ran.stderr.contains("--protect"), "{}", ran.stderr);
    world.git("mv t/tests.sh t/first.sh");
    world.write("../check.sh", "exit 1\n");
    world.commit("moved");
    fs::write(world.beside("given"), name("program.sh") + &name("t/tests.sh")).unwrap();
    let ran = world.line("history --protect ../given -- sh ../check.sh");
    let wanted = "warning: --protect: `t/tests.sh` may be `u/t/tests.sh`, `v/t/tests.sh`\n";
    assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
}

#[test]
fn what_gcov_says_of_the_newest_version_is_all_that_is_needed() {
    if !has_git() || !needs("gcc") || !needs("gcov") {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    const HEAD: &str = "#include <stdlib.h>\nint sum(int a, int b);\n";
    let sum = |sign: &str| format!("int sum(int a, int b) {{\n    return a {sign} b;\n}}\n");
    let main = |lines: &str| format!("{HEAD}int main(void) {{\n{lines}}}\n");
    world.script("build.sh", "gcc $* -o t src/sum.c test/main.c");
    world.write("test/main.c", main("    exit(9);\n"));
    world.write("src/sum.c", sum("+"));
    world.commit("good");
    world.write("src/sum.c", sum("-"));
    world.commit("bad");
    world.write("notes.txt", "nothing\n");
    world.commit("between");
    let test = main("    int wrong = 1;\n    wrong -= sum(1, 1) == 2;\n    return wrong;\n");
    world.write("test/main.c", &test);
    world.commit("tested");
    world.write("test/main.c", format!("/* A test. */\n\n{test}"));
    world.commit("tip");
    let measure = "cp -r . ../measured && cd ../measured && ./build.sh --coverage && ! ./t && \
                   gcov --json-format --stdout *.gcda >../gcov.json";
    let ran = world.finish(world.command("sh").args(["-c", measure]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let line = "history --protect ../gcov.json --build ./build.sh -- ./t";
    let answer = world.answer(line);
    let (title, back_port) = found(&answer);
    assert_eq!(title, "bad");
    assert!(back_port.contains("+    wrong -= sum(1, 1) == 2;"), "{back_port}");
    // The name of the folder marks the file as a test, so nothing else has to.
    let unprotected = world.answer(&line.replace("--protect ../gcov.json", ""));
    assert_eq!(found(&unprotected).0, "bad");
}
