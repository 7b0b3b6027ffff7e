//! `whodunit reduce` with the language of the user's choice: shipped, of the user's own, a
//! hierarchy, or none.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{Ran, WHODUNIT, World, needs};
use whodunit_jobs::reduce::read_cfg;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().unwrap()
}

/// Returns a world with an example's files in it.
fn example(folder: &str) -> World {
    let world = World::new();
    for entry in fs::read_dir(examples().join(folder)).unwrap().flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), world.path(entry.file_name())).unwrap();
        }
    }
    world
}

/// Returns a world with a `.y` grammar, its tokens, an input and a test that wants a needle.
fn grammar(rules: &str, tokens: &str, input: &str) -> World {
    let world = World::new();
    world.write("g.y", rules);
    world.write("g.lex", tokens);
    world.write("in.txt", input);
    world.script("t.sh", "touch \"$(dirname \"$0\")/tested\"; grep -q needle \"$1\"");
    world
}

/// Checks that a line fails with exactly this message, and that nothing was tested or is left.
fn check_refused(world: &World, line: &str, message: &str) {
    let names = world.names();
    let ran = world.line(line);
    let said = without_root(&ran).replace(world.path("").to_str().unwrap(), "WORK/");
    assert_eq!(said, message.trim_start_matches('\n'));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(world.names(), names);
    assert_eq!(world.runs(), [""; 0]);
}

/// Returns the output without the warning about tests that run as root.
fn without_root(ran: &Ran) -> String {
    let lines = ran.stderr.lines().filter(|line| !line.contains("tests run as root"));
    lines.map(|line| format!("{line}\n")).collect()
}

fn check_done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Exits with 0 if a text divides by zero, as any shell understands it.
const DIVIDES_BY_ZERO: &str =
    r#"case "$( (echo $(( $(cat "$1") )) ) 2>&1 )" in *"division by"*) exit 0;; esac; exit 1"#;

#[test]
fn the_arithmetic_of_the_thesis_needs_only_its_grammar() {
    let world = example("arithmetic");
    world.script("t.sh", DIVIDES_BY_ZERO);
    check_done(&world.line("reduce thesis.txt --grammar arithmetic.y --test ./t.sh"));
    assert_eq!(world.text("thesis.reduced.txt"), "1/(2-2)");
    let answer = world.answer("reduce deep.txt --grammar arithmetic.y --test ./t.sh");
    assert_eq!(world.text("deep.reduced.txt"), "1/(2-2)");
    assert_eq!(answer["settings"]["language"]["grammar"]["path"], "arithmetic.y");
}

#[test]
fn a_program_in_a_java_subset_stays_a_program() {
    let world = example("java-subset");
    world.script("t.sh", "grep -q while \"$1\" && grep -q '% 64' \"$1\"");
    let line = "reduce Digest.java --grammar java.y --keep-tests kept --test ./t.sh";
    check_done(&world.line(line));
    // The first pass uses the grammar, and so does every candidate of it.
    let grammar = read_cfg(&world.path(""), Path::new("java.y"), None).unwrap();
    let mut kept: Vec<PathBuf> =
        fs::read_dir(world.path("kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    for folder in &kept[..25] {
        let text = fs::read(folder.join("Digest.java")).unwrap();
        assert!(grammar.accepts(&text), "{}", String::from_utf8_lossy(&text));
    }
    assert!(world.read("Digest.reduced.java").len() < 20);
}

#[test]
fn a_tree_sitter_grammar_is_compiled_for_the_run() {
    if !needs("cc") {
        return;
    }
    let world = example("settings");
    world.script("t.sh", "tr -d ' \\n' < \"$1\" | grep -q '=\\[.*\"/search\",2\\]'");
    let mut command = world.command(WHODUNIT);
    command.args(["reduce", "server.settings", "--test", "./t.sh", "--grammar"]);
    check_done(&world.finish(command.arg(examples().join("settings"))));
    assert_eq!(world.text("server.reduced.settings"), "=[\"/search\",2]");

    let ran = world.finish(command.env("CC", "no-such-compiler"));
    let message = "error: the C compiler `no-such-compiler` cannot be run\n  \
                   caused by: No such file or directory (os error 2)\n\
                   hint: install a C compiler, or set CC to the one to use\n";
    assert_eq!((without_root(&ran).as_str(), ran.code), (message, Some(2)));
}

#[test]
fn a_session_is_reduced_event_by_event() {
    let world = example("ui-session");
    world.script("t.sh", "grep -q 'begin replace' \"$1\" && grep -q zoom session.txt");
    let ran = world.line("reduce --hierarchy session.json --test ./t.sh");
    check_done(&ran);
    let left = "start editor\nbegin replace\n  from a\n  to a\nend replace\nzoom 100\nquit\n";
    assert_eq!(world.text("session.reduced.txt"), left);
    assert!(ran.stdout.contains("each event that is left was asked about"), "{}", ran.stdout);
    check_refused(
        &example("ui-session"),
        "reduce --hierarchy session.json --in-place --test ./t.sh",
        "
error: the result is text and cannot replace the hierarchy
hint: choose another place with --out
",
    );
}

#[test]
fn the_texts_of_a_hierarchy_may_be_in_a_file_too() {
    let world = World::new();
    world.write("h.json", r#"{"children": [{"text": "a\n"}, {"text": "needle\n"}]}"#);
    world.write("log", "a\nneedle\n");
    world.script("t.sh", "grep -q needle log");
    check_done(&world.line("reduce log --hierarchy h.json --test ./t.sh"));
    assert_eq!(world.text("log.reduced"), "needle\n");

    fs::remove_file(world.path("log.reduced")).unwrap();
    let world = World::new();
    world.write("h.json", r#"{"children": [{"text": "a\n"}]}"#);
    world.write("log", "b\n");
    check_refused(
        &world,
        "reduce log --hierarchy h.json -- cat",
        "
error: the texts of `h.json` are not what is in `log`
hint: leave out the input: the texts are the input; or describe it by ranges
",
    );
    check_refused(
        &world,
        "reduce log h.json --hierarchy h.json -- cat {}",
        "
error: the hierarchy `h.json` is that of one file, and there are several
hint: give one file, or describe them as one
",
    );
}

#[test]
fn frames_of_a_film_go_by_the_ranges_of_a_hierarchy() {
    let world = example("video-frames");
    world.script("t.sh", "grep -qa '^YUV' clip.y4m && grep -qa zxxz clip.y4m");
    check_done(&world.line("reduce clip.y4m --hierarchy clip.json --test ./t.sh"));
    let film = world.read("clip.y4m");
    let left = [&film[..39], &film[75..87], &film[99..]].concat();
    assert_eq!(world.read("clip.reduced.y4m"), left);
    let world = example("video-frames");
    world.script("t.sh", "true");
    check_refused(
        &world,
        "reduce --hierarchy clip.json --test ./t.sh",
        "
error: the hierarchy `clip.json` cannot be used
  caused by: $.children[0]: `range` needs a data file
hint: name the data file too, before --hierarchy
",
    );
}

#[test]
fn a_hierarchy_that_is_none_is_refused_with_the_place() {
    let world = World::new();
    world.write("in.txt", "abc");
    world.write("h.json", "{\"children\": [\n  {\"range\": [0, 4]}]}");
    check_refused(
        &world,
        "reduce in.txt --hierarchy h.json -- cat",
        "
error: the hierarchy `h.json` cannot be used
  caused by: $.children[0]: the range 0..4 does not fit into 3 bytes of data
",
    );
    world.write("h.json", "{\"children\": [\n  {\"range\": oops}]}");
    let ran = world.line("reduce in.txt --hierarchy h.json -- cat");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("$.children[0]: line 2, column "), "{}", ran.stderr);
}

#[test]
fn an_irrelevant_condition_becomes_the_smallest_legal_one() {
    let world = World::new();
    world.write("w.c", "void f() {\n  while (x + g(y) > 1) { y--; }\n}\n");
    let wanted = "tr -d ' \\n' < w.c | grep -q '{while([^(){}][^{}]*){y--;}}$'";
    world.script("t.sh", wanted);
    check_done(&world.line("reduce w.c --test ./t.sh --level tokens"));
    let left = world.text("w.reduced.c");
    assert!(left.contains("while(0){y--;}"), "{left}");
}

#[test]
fn the_language_can_be_named_or_be_none() {
    let world = World::new();
    world.write("in.dat", "[1, [2, \"needle\"], 3]");
    let closed = "grep -q needle in.dat && grep -q '^\\[.*\\]$' in.dat";
    world.script("t.sh", closed);
    let tests = |flags: &str| {
        let answer = world.answer(&format!("reduce in.dat {flags} -j1 --test ./t.sh"));
        (answer["tests"]["foretold"].as_u64().unwrap(), world.text("in.reduced.dat"))
    };
    let (_, as_json) = tests("--language JSON --level tokens");
    assert_eq!(as_json, "[needle]");
    for flags in ["", "--language text", "--language none"] {
        let (foretold, left) = tests(flags);
        assert_eq!((foretold, left.as_str()), (0, "[needle]"), "{flags}");
    }
}

#[test]
fn an_unknown_language_is_refused_with_the_near_ones() {
    let world = World::new();
    world.write("in.txt", "a");
    check_refused(
        &world,
        "reduce in.txt --language jav -- cat",
        "
error: unknown language `jav`
hint: did you mean `java` or `javascript`?
",
    );
    check_refused(
        &world,
        "reduce in.txt --language brainfuck -- cat",
        "
error: unknown language `brainfuck`
hint: `whodunit grammar` lists the languages; for a grammar of one's own: --grammar PATH
",
    );
    let ran = world.line("reduce in.txt --language c --grammar g.y -- cat");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}

#[test]
fn a_grammar_that_fails_to_load_is_refused_with_the_line() {
    let world = grammar("%%\ns: A\n | oops;\n", "A [a-z]+", "needle");
    check_refused(
        &world,
        "reduce in.txt --grammar g.y --test ./t.sh",
        "error: g.y:3: neither a rule nor a line of the lexical part defines `oops`\n",
    );
    check_refused(
        &grammar("%%\ns: A;\nloop: A loop;\n", "A [a-z]+", "needle"),
        "reduce in.txt --grammar g.y --test ./t.sh",
        "
error: g.y:3: no finite string can be made from `loop`
hint: each rule needs an alternative that does not lead back to it
",
    );
    check_refused(
        &grammar("%% s: A;", "SKIP \\s+\nA [a-z]*", "needle"),
        "reduce in.txt --grammar g.y --test ./t.sh",
        "
error: g.lex:2: the expression of `A` matches the empty string
hint: a token is at least one character: `+` for `*`
",
    );
    let world = grammar("%% s: A;", "A a", "needle");
    fs::remove_file(world.path("g.lex")).unwrap();
    check_refused(
        &world,
        "reduce in.txt --grammar g.y --test ./t.sh",
        "
error: `g.y` has no lexical part: there is no `g.lex`
hint: it has one token a line: a name, a regular expression, a minimal string if wanted;
      --lexical FILE if it is elsewhere
",
    );
    world.write("folder/grammar.json", "{\"name\": \"g\",\n\"rules\": {\n  \"s\": oops }}");
    check_refused(
        &world,
        "reduce in.txt --grammar folder --test ./t.sh",
        "
error: the grammar `WORK/folder/grammar.json` cannot be read
  caused by: not a description of a tree-sitter grammar
  caused by: expected value at line 3 column 8
hint: `tree-sitter generate` writes such files from a grammar.js
",
    );
}

#[test]
fn ambiguous_grammars_and_those_that_are_not_lr_will_do() {
    let world = example("palindromes");
    world.script("t.sh", "grep -q '^.*bab.*$' \"$1\"");
    check_done(&world.line("reduce odd.txt --grammar palindromes.y --test ./t.sh"));
    assert_eq!(world.text("odd.reduced.txt"), "bab");

    let world = example("dangling-else");
    // Only whole statements with a condition around them.
    world.script("t.sh", "tr -d '\\n' < \"$1\" | grep -q '^if *(.*) *.*{ *wait;.*} *$'");
    check_done(&world.line("reduce nested.txt --grammar if.y --level tokens --test ./t.sh"));
    assert_eq!(world.text("nested.reduced.txt"), "if(){wait;}");
}

#[test]
fn what_the_grammar_refuses_is_reduced_as_text() {
    let world = grammar("%% s: A | s A;", "A [a-z]+\nSKIP \\s+", "some needle\nin a 7 stack");
    let ran = world.line("reduce in.txt --grammar g.y --test ./t.sh");
    check_done(&ran);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    let warning = "warning: `in.txt` is reduced as text, because it is not as the grammar has it:\n  \
                   line 2, column 6: no token begins with `7`";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
}

#[test]
fn tokens_may_be_elsewhere_and_a_run_goes_on_with_them() {
    let words: String = (0..60).map(|number| format!("w{number} ")).collect();
    let world = grammar("%% s: A | s A;", "", &format!("{words}needle {words}"));
    world.write("elsewhere/tokens", "A [a-z0-9]+\nSKIP \\s+");
    let line = "reduce in.txt --grammar g.y --lexical elsewhere/tokens --max-tests 3 --test ./t.sh";
    assert_eq!(world.line(line).code, Some(3));
    let tokens = fs::read(world.path("elsewhere/tokens")).unwrap();
    world.write("elsewhere/tokens", "A [a-z");
    let ran = world.line("resume --max-tests 1000");
    assert_eq!(ran.code, Some(2));
    let message = "error: elsewhere/tokens:1: ";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert!(ran.stderr.contains("to continue: whodunit resume reduce-in.txt"), "{}", ran.stderr);
    world.write("elsewhere/tokens", tokens);
    let ran = world.line("resume --max-tests 1000 --json");
    check_done(&ran);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    world.write("answer.json", &ran.stdout);
    check_done(&world.line("verify answer.json"));
}

#[test]
fn any_depth_of_nesting_is_fine() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}\n", open.repeat(10_000), close.repeat(10_000))
    };
    let world = World::new();
    world.script("t.sh", "grep -q needle \"$1\"");
    world.write("deep.json", nested("[", "\"needle\"", "]"));
    world.write("deep.c", format!("int needle = {};", nested("(", "1", ")")));
    world.write("deep.txt", nested("(", "needle", ")"));
    world.write("g.y", "%% s: '(' s ')' | A;");
    world.write("g.lex", "A [a-z]+\nSKIP \\s+");
    world.write("deep.events", nested("{\"children\": [", "{\"text\": \"needle\"}", "]}"));
    for what in ["deep.json", "deep.c", "deep.txt --grammar g.y", "--hierarchy deep.events"] {
        let ran = world.line(&format!("reduce {what} --max-tests 6 -q --test ./t.sh"));
        assert!(matches!(ran.code, Some(0 | 3)), "{what}: {:?} {}", ran.code, ran.stderr);
    }
}

#[test]
fn what_only_parses_with_errors_is_reduced_too() {
    let world = World::new();
    let text = "int a[ = ;\nvoid f(void) { g(1, ; h(2); if (x { needle(3); } }\n}} int b;\n";
    world.write("broken.c", text);
    world.script("t.sh", "grep -q needle broken.c");
    check_done(&world.line("reduce broken.c --test ./t.sh"));
    assert_eq!(world.text("broken.reduced.c"), "needle");
}

#[test]
fn encodings_may_be_mixed() {
    let world = World::new();
    let mut bytes = "// größe\nint a = 1; /* ".to_owned().into_bytes();
    bytes.extend(b"\xff\xfe caf\xe9 */\nchar *n = \"\x80needle\xe9\";\n");
    bytes.extend(b"\xef\xbb\xbfint z;\n");
    world.write("mixed.c", bytes);
    world.script("t.sh", "LC_ALL=C grep -qa needle mixed.c");
    check_done(&world.line("reduce mixed.c --test ./t.sh"));
    let left = world.read("mixed.reduced.c");
    assert!(left.windows(6).any(|part| part == b"needle") && left.len() <= 10, "{left:?}");
}

#[test]
fn the_help_teaches_the_flags() {
    let help = World::new().line("reduce --help").stdout;
    let words = [
        "The language of the input:",
        "--language <NAME>",
        "`whodunit grammar` lists the languages",
        "--grammar <PATH>",
        "load only what you trust",
        "--lexical <FILE>",
        "NAME.lex beside it",
        "--hierarchy <FILE>",
        "whodunit reduce crash.calc --grammar calc.y -- ./calc {}",
        "whodunit reduce --hierarchy session.json -- ./replay {}",
    ];
    for word in words {
        assert!(help.contains(word), "{word}\n{help}");
    }
}
