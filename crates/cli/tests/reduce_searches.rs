//! `whodunit reduce --search`: the published searches on the trees and texts of the passes, each
//! with its own claim.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use serde_json::Value;
use support::{Ran, World, needs, numbered};

/// A function that needs its parameter as long as its loop uses it.
const PROGRAM: &str = "int used(int a, int b) {\n    int c = a;\n    while (c > 0) {\n        \
                       c = c - 1;\n        boom(c + 1);\n    }\n    return c;\n}\n\n\
                       int other(void) {\n    return 1;\n}\n";

/// Reduces the program while it holds the call of `boom`.
fn reduce(search: &str) -> (World, Ran) {
    let world = World::new();
    world.write("in.c", PROGRAM);
    world.script("t.sh", "grep -q 'boom(' in.c");
    let ran = world.line(&format!("reduce in.c --search {search} --test ./t.sh"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (world, ran)
}

/// Runs it once more for its answer, and verifies that.
fn verified(world: &World, line: &str) -> Value {
    let ran = world.line(&format!("{line} --json"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world.write("answer.json", &ran.stdout);
    let verified = world.line("verify answer.json");
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn searches_over_trees_leave_what_the_failure_needs() {
    for search in ["hdd", "hdd_plus", "hdd_star", "hdd_recursive"] {
        let (world, ran) = reduce(search);
        let left = world.text("in.reduced.c");
        assert!(left.contains("boom(") && !left.contains("other"), "{search}: {left}");
        let is_proved = ran.stdout.contains("no node can be left out (1-tree-minimal)");
        assert_eq!(is_proved, ["hdd_plus", "hdd_star"].contains(&search), "{}", ran.stdout);
        let says_so = format!("`{search}` does not ask about each node that is left");
        assert_eq!(ran.stdout.contains(&says_so), !is_proved, "{}", ran.stdout);
    }
}

#[test]
fn a_tree_is_minimal_in_the_answer_and_when_it_is_verified() {
    let (world, _) = reduce("hdd_star");
    let answer = verified(&world, "reduce in.c --search hdd_star --test ./t.sh");
    assert_eq!(answer["ended"], "done");
    assert_eq!(answer["proof"]["levels"], serde_json::json!(["nodes"]));
    assert!(!answer["proof"]["needed"].as_array().unwrap().is_empty());
    assert_eq!(answer["settings"]["search"], "hdd_star");
}

#[test]
fn no_token_of_the_result_of_ddmin_can_be_left_out() {
    let world = World::new();
    // It has a grammar, which a search over tokens ignores.
    world.write("in.json", "[1, [2, 3], {\"a\": 4}]");
    world.script("t.sh", "grep -q '2.*4' in.json");
    let line = "reduce in.json --search ddmin --level tokens --test ./t.sh";
    let ran = world.line(line);
    assert_eq!(world.text("in.reduced.json"), "24", "{}", ran.stderr);
    assert!(ran.stdout.contains("no token can be left out (1-minimal)"), "{}", ran.stdout);
    assert_eq!(verified(&world, line)["proof"]["levels"], serde_json::json!(["tokens"]));
}

#[test]
fn isolate_prints_the_line_that_makes_the_failure() {
    let world = World::new();
    world.write("in.txt", numbered(64, &[(20, "open"), (50, "close twice")]));
    world.script("t.sh", "grep -q open in.txt && grep -q twice in.txt");
    let line = "reduce in.txt --search isolate --level lines --test ./t.sh";
    let ran = world.line(line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (failing, passing) = (world.text("in.reduced.txt"), world.text("in.passing.txt"));
    let added: Vec<&str> = failing.lines().filter(|it| !passing.contains(it)).collect();
    assert_eq!(added.len(), 1, "{failing}");
    assert!(["open", "close twice"].contains(&added[0]), "{added:?}");
    assert!(ran.stdout.contains(&format!(": {}\n", added[0])), "{}", ran.stdout);
    assert!(ran.stdout.contains("without the difference it passes\n"), "{}", ran.stdout);
    let answer = verified(&world, line);
    assert_eq!(answer["isolated"]["difference"][0]["text"], added[0]);
    assert_eq!(answer["isolated"]["minimal"], true);
    assert_eq!(answer["isolated"]["verdict"], "pass");
}

#[test]
fn without_an_input_that_passes_nothing_is_isolated() {
    let world = World::new();
    world.write("in.txt", "one\nboom\n");
    world.script("t.sh", "grep -q boom $1 && { echo error: boom; exit 3; }\ntest -s $1 || exit 9");
    let ran = world.line("reduce in.txt --search isolate --level lines -- ./t.sh {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("error: the empty input does not pass"), "{}", ran.stderr);
}

#[test]
fn a_plain_list_has_no_tree() {
    let world = World::new();
    world.write("in.txt", "boom");
    world.script("t.sh", "grep -q boom in.txt");
    let ran = world.line("reduce in.txt --search hdd --test ./t.sh");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("error: there is no tree to search"), "{}", ran.stderr);
}

#[test]
fn the_number_of_workers_does_not_change_what_a_search_finds() {
    for search in ["isolate", "hdd_plus"] {
        let (world, _) = reduce(search);
        let one = world.line(&format!("reduce in.c --search {search} --test ./t.sh -j1 --json"));
        let four = world.line(&format!("reduce in.c --search {search} --test ./t.sh -j4 --json"));
        let answers = [one, four].map(|ran| serde_json::from_str::<Value>(&ran.stdout).unwrap());
        for field in ["files", "proof", "isolated"] {
            assert_eq!(answers[0][field], answers[1][field], "{search}: {field}");
        }
        assert_eq!(answers[0]["tests"]["committed"], answers[1]["tests"]["committed"]);
    }
}

/// A program whose parts fail to compile in many ways, and a loop as the body of a `switch`, which
/// the parser does not know.
const LOOP: &str = "double scale(double row[], int n) {\n    int i;\n    int j;\n    \
                    for (j = 0; j < n; j++) {\n        i = i + j;\n        \
                    row[i] = row[i] * (row[0] + 0);\n    }\n    return row[n];\n}\n\n\
                    int send(int *to, int count) {\n    switch (count % 2) do {\n        \
                    case 0: *to = 1;\n        case 1: *to = 2;\n    } while (--count > 0);\n    \
                    return (int)scale(0, 2);\n}\n";

#[test]
fn with_valid_the_compiler_sees_no_syntax_error() {
    if !needs("cc") {
        return;
    }
    let flags = ["--valid", "--valid --search hdd_star"];
    for flags in flags {
        let world = World::new();
        world.write("in.c", LOOP);
        let errors = world.beside("errors.txt");
        let script = format!(
            "cc -fsyntax-only -w in.c 2>>{} || exit 1\ntr -d ' \\n' <in.c | \
             grep -q 'for(.*;.*;.*).*row\\[i\\]=row\\[i\\]\\*(row\\[0\\]+0)'",
            errors.display()
        );
        world.script("t.sh", &script);
        let ran = world.line(&format!("reduce in.c {flags} --test ./t.sh"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(!world.text("in.reduced.c").contains("send"), "{}", ran.stdout);
        assert!(ran.stdout.contains("as a sentence of its grammar"), "{}", ran.stdout);
        let errors = std::fs::read_to_string(errors).unwrap();
        // An undeclared name is an error too, but no syntax error.
        assert!(errors.contains("undeclared"), "nothing was refused");
        let syntax: Vec<&str> =
            errors.lines().filter(|line| line.contains("error: expected")).collect();
        assert!(syntax.is_empty(), "{flags}: {syntax:#?}");
    }
}

#[test]
fn only_an_input_with_a_grammar_has_sentences() {
    let world = World::new();
    world.write("in.txt", "boom");
    world.script("t.sh", "grep -q boom in.txt");
    let ran = world.line("reduce in.txt --valid --test ./t.sh");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("error: no file of the input has a grammar"), "{}", ran.stderr);
    let ran = world.line("reduce in.txt --valid --search ddmin --test ./t.sh");
    assert!(ran.stderr.contains("do not go together"), "{}", ran.stderr);
}

#[test]
fn the_loop_of_figure_4_1_is_reduced_with_a_real_compiler() {
    if !needs("gcc") {
        return;
    }
    // The numbers of tests and tokens in the thesis for the real crash: HDD 86 and 51, HDD* 164
    // and 51.
    let bars = [("--search hdd", 86), ("--search hdd_star", 164), ("--valid", 250)];
    for (flags, most) in bars {
        let world = World::new();
        world.write("loop.c", include_str!("../../../bench/thesis/loop.c"));
        let errors = world.beside("errors.txt");
        let script = format!(
            "gcc -fsyntax-only -w loop.c 2>>{} || exit 1\ntr -d ' \\n' <loop.c | grep -Eq \
             'for\\(.*\\).*=.*\\+.*\\+.*z\\[i\\]=z\\[i\\]\\*\\(z\\[0\\]\\+1'",
            errors.display()
        );
        world.script("t.sh", &script);
        let answer =
            world.line(&format!("reduce loop.c {flags} -j1 --json -q --test ./t.sh")).stdout;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let (tests, tokens) = (&answer["tests"]["committed"], &answer["size"]["tokens"]);
        assert!(tests.as_u64().unwrap() <= most, "{flags}: {tests} tests");
        assert!(tokens.as_u64().unwrap() <= 51, "{flags}: {tokens} tokens");
        let errors = std::fs::read_to_string(errors).unwrap();
        let syntax = errors.matches("error: expected").count();
        let allowed = if flags == "--valid" { 0 } else { 5 };
        assert!(syntax <= allowed, "{flags}: {syntax} syntax errors");
    }
}

#[test]
fn the_default_comes_to_the_tokens_of_the_thesis_within_120_tests_and_few_syntax_errors() {
    if !needs("gcc") {
        return;
    }
    let world = World::new();
    world.write("loop.c", include_str!("../../../bench/thesis/loop.c"));
    let log = world.beside("log");
    // Operators of two characters count twice, so that no input is taken for a smaller one.
    let script = format!(
        "tokens=$(grep -oE '[[:alnum:]_.]+|[^[:space:]]' loop.c | wc -l)\necho $tokens >>{log}\n\
         if ! gcc -fsyntax-only -w loop.c 2>complaints; then\n\
         grep -q 'error: expected' complaints && echo syntax >>{log}\nexit 1\nfi\ntr -d ' \\n' <loop.c | grep -Eq \
         'for\\(.*\\).*=.*\\+.*\\+.*z\\[i\\]=z\\[i\\]\\*\\(z\\[0\\]\\+1' || exit 1\n\
         echo fails >>{log}",
        log = log.display()
    );
    world.script("t.sh", &script);
    let ran = world.line("reduce loop.c -j1 -q --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let log = std::fs::read_to_string(log).unwrap();
    let (mut tests, mut errors, mut tokens) = (0, 0, usize::MAX);
    for line in log.lines() {
        match line.parse() {
            Ok(count) => (tests, tokens) = (tests + 1, count),
            Err(_) if line == "syntax" => errors += 1,
            Err(_) if tokens <= 51 => break,
            Err(_) => {}
        }
    }
    assert!(tokens <= 51 && tests <= 120, "{tokens} tokens after {tests} tests");
    assert!(errors * 10 <= tests, "{errors} of {tests} have syntax errors");
    // The result is asked about token by token, and most of these candidates have a syntax error.
    let later = log.lines().filter(|line| *line == "syntax").count();
    assert!(later > errors, "no token was left out that the grammar needs");
}

#[test]
fn a_cast_that_is_left_alone_is_no_candidate_with_valid() {
    if !needs("gcc") {
        return;
    }
    let world = World::new();
    world.write("deep.c", include_str!("../../../bench/thesis/deep.c"));
    let errors = world.beside("errors.txt");
    let script = format!(
        "gcc -fsyntax-only -w deep.c 2>>{} || exit 1\ntr -d ' \\n' <deep.c | grep -Eq \
         'longint\\)\\(+signedshort\\)\\(+var0\\)?=.*>.*var1\\)?=.*\\*'",
        errors.display()
    );
    world.script("t.sh", &script);
    let ran = world.line("reduce deep.c --valid -j1 -q --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let errors = std::fs::read_to_string(errors).unwrap();
    assert!(errors.contains("error: "), "nothing was refused");
    assert!(!errors.contains("error: expected"), "{errors}");
}
