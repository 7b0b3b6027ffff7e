//! The changes that a test ran, by the lines that a coverage tool counts.

#![allow(clippy::unwrap_used)]

mod support;

use std::ops::Range;

use support::{Files, between, drawing};
use whodunit_atoms::CallGraph;

/// Returns a text without the marks of its lines.
fn unmarked(text: &str) -> String {
    let marks = ["#+", "#-", "//+", "//-"];
    let plain = |line: &str| {
        let line = marks.iter().find_map(|mark| line.strip_suffix(mark)).unwrap_or(line);
        format!("{}\n", line.trim_end())
    };
    text.lines().map(plain).collect()
}

/// Checks the run changes, and the lines that were not run. In the texts of the bad version `#+`
/// ends a line that was run and `#-` one that was not; `//` may stand for `#`.
fn check(old: Files<'_>, new: Files<'_>, ran: &[&str], missed: &[&str]) {
    let plain: Vec<(&str, String)> =
        new.iter().map(|(name, text)| (*name, unmarked(text))).collect();
    let plain: Vec<(&str, &str)> =
        plain.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let before = old.iter().map(|(name, text)| (*name, unmarked(text))).collect::<Vec<_>>();
    let old: Vec<(&str, &str)> = before.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (parts, atoms) = between(&old, &plain);
    let is_run = |path: &whodunit_versions::TreePath, lines: &Range<u32>| {
        let text = new.iter().find(|(name, _)| name.as_bytes() == path.as_bytes()).unwrap().1;
        let on = |mark: &str| {
            let all = text.lines().skip(lines.start as usize - 1).take(lines.len());
            all.into_iter().any(|line| line.ends_with(mark))
        };
        if on("+") { Some(true) } else { on("-").then_some(false) }
    };
    let graph = CallGraph::of(&atoms);
    let found = graph.run(&is_run);
    let drawn = drawing(&atoms);
    let found_ran: Vec<&str> = found.atoms.iter().map(|&atom| drawn[atom].as_str()).collect();
    assert_eq!(found_ran, ran);
    let texts = found.missed.iter().map(|delta| {
        let text: Vec<u8> = parts.texts(delta).flat_map(|(_, new)| new.to_vec()).collect();
        let text = String::from_utf8(text).unwrap();
        text.trim().to_owned()
    });
    assert_eq!(texts.filter(|text| !text.is_empty()).collect::<Vec<_>>(), missed);
}

#[test]
fn a_function_was_run_if_its_body_was() {
    let old = "def used():\n    return 1\n\n\ndef never():\n    return 1\n";
    let new = "def used():  #+\n    return 2  #+\n\n\ndef never():  #+\n    return 2  #-\n";
    check(&[("a.py", old)], &[("a.py", new)], &["1 CFN used"], &["return 2"]);
    let old =
        "const used = () => {\n  return 1;\n};\nconst never = function () {\n  return 1;\n};\n";
    let new = "const used = () => { //+\n  return 2; //+\n};\nconst never = function () { //+\n  return 2; //-\n};\n";
    check(&[("a.js", old)], &[("a.js", new)], &["1 CFN used"], &["return 2;"]);
}

#[test]
fn the_first_and_the_last_line_of_a_body_count() {
    let old =
        "int zero(void) { return 0; }\nint one(void) { return 1; }\nint two(void) { return 2; }\n";
    let new = "int zero(void) { return 9; } //-\nint one(void) { return 8; } //+\nint two(void) { return 7; } //-\n";
    let missed = ["int zero(void) { return 9; }", "int two(void) { return 7; }"];
    check(&[("a.c", old)], &[("a.c", new)], &["2 CFN one"], &missed);
}

#[test]
fn a_new_function_that_nobody_calls_was_not_run() {
    let old = "class A:\n    def used(self):\n        return 1\n";
    let new = "class A:  #+\n    def used(self):  #+\n        return 2  #+\n\n    def never(self):  #+\n        return 3  #-\n";
    check(&[("a.py", old)], &[("a.py", new)], &["2 CM A.used"], &["return 3"]);
}

#[test]
fn a_decorator_of_the_program_is_run_on_loading() {
    let text = "def register(f):  #+\n    return f  #+\n\n\nclass A:\n    pass\n";
    let plain = format!("{text}\n\n@property  #+\ndef never(a):  #+\n    return 3  #-\n");
    check(&[("a.py", text)], &[("a.py", &plain)], &[], &["return 3"]);
    let own = format!("{text}\n\n@register  #+\ndef never(a):  #+\n    return 3  #-\n");
    check(&[("a.py", text)], &[("a.py", &own)], &["1 AFN never"], &["return 3"]);
}

#[test]
fn lines_that_never_ran_are_told_within_a_function_that_did() {
    let old = "def f(a):\n    return a\n";
    let new = "def f(a):  #+\n    if a > 10:  #+\n        g(  #-\n            a,\n        )\n    else:\n        h(  #+\n            a,\n        )\n    return a + 1  #+\n";
    check(&[("a.py", old)], &[("a.py", new)], &["1 CFN f"], &["g(", "a,", ")"]);
    let old = "int f(int a) {\n    return a;\n}\n";
    let new = "int f(int a) { //+\n    if (a) { //+\n        g(); //-\n        if (b) { //-\n            h(); //-\n        }\n    }\n    return a; //+\n}\n";
    let missed = ["g();", "if (b) {", "h();", "}"];
    check(&[("a.c", old)], &[("a.c", new)], &["1 CFN f"], &missed);
}

#[test]
fn definitions_that_no_tool_counts_are_told_by_their_uses() {
    let old = "#define USED 1\n#define UNUSED 1\n\nstruct point {\n    int x;\n};\n\nint f(void) {\n    return USED;\n}\n\nint g(struct point p) {\n    return p.x + UNUSED;\n}\n";
    let new = "#define USED 2\n#define UNUSED 2\n\nstruct point {\n    long x;\n};\n\nint f(void) {\n    return USED; //+\n}\n\nint g(struct point p) {\n    return p.x + UNUSED; //-\n}\n";
    check(&[("a.c", old)], &[("a.c", new)], &["2 CMA USED"], &[]);
}

#[test]
fn a_method_that_is_gone_counts_where_it_was_called() {
    let class = |body: &str| {
        format!(
            "class Base {{\n    int f() {{\n        return 1; //+\n    }}\n}}\n\nclass Sub extends Base {{\n{body}}}\n\nclass T {{\n    void test() {{\n        new Sub().f(); //+\n    }}\n}}\n"
        )
    };
    let old = class("    int f() {\n        return 2;\n    }\n");
    check(
        &[("A.java", &old)],
        &[("A.java", &class(""))],
        &["1 LC Sub.f() <- 2", "2 DM Sub.f() <- 3", "3 CM Sub.f()"],
        &[],
    );
}

#[test]
fn files_without_definitions_are_told_by_their_lines() {
    let old = "puts 1\nputs 2\n\n\nputs 3\n";
    let new = "puts 4 #+\nputs 2 #+\n\n\nputs 5 #-\n";
    check(&[("a.rb", old)], &[("a.rb", new)], &["1 TXT a.rb"], &["puts 5"]);
    check(&[("a.rb", old)], &[("a.rb", &new.replace('+', "-"))], &[], &["puts 4", "puts 5"]);
}

#[test]
fn lines_that_are_gone_go_with_those_in_their_place() {
    let old = "def f(a):\n    if a:\n        return one(a)\n    b = a\n    return 1\n";
    let new =
        "def f(a):\n    if a:\n        other = 2\n        return other\n    b = a\n    return 2\n";
    let missed = |old: &str, new: &str, run: &[u32], not: &[u32]| {
        let (parts, atoms) = between(&[("a.py", old)], &[("a.py", new)]);
        let is_run = |_: &whodunit_versions::TreePath, lines: &Range<u32>| {
            let on = |numbers: &[u32]| numbers.iter().any(|number| lines.contains(number));
            if on(run) { Some(true) } else { on(not).then_some(false) }
        };
        let missed = CallGraph::of(&atoms).run(&is_run).missed;
        let without = parts.version(&parts.all().minus(&missed));
        let text = without.get(&whodunit_versions::TreePath::from("a.py")).unwrap();
        String::from_utf8(text.content.read().unwrap().to_vec()).unwrap()
    };
    let without = missed(old, new, &[1, 2, 5, 6], &[3, 4]);
    assert_eq!(without, old.replace("return 1", "return 2"));
    // If some of the new lines of the hunk ran, the hunk stays.
    let [old, new] = [old, new].map(|text| text.replace("    b = a\n", ""));
    assert_eq!(missed(&old, &new, &[1, 2, 5], &[3, 4]), new);
}
