//! `whodunit grammar`: its output for languages and users' grammars, and its errors for files
//! that are none.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Ran, WHODUNIT, World, needs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a line in the folder of the project, where the examples are.
fn at_home(line: &str) -> Ran {
    let world = World::new();
    world.finish(world.command(WHODUNIT).current_dir(root()).args(line.split_whitespace()))
}

/// Returns the output of a line that must succeed.
fn printed(ran: &Ran) -> &str {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    &ran.stdout
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(printed(ran)).unwrap()
}

/// Checks that a line fails with exactly this message.
fn check_refused(world: &World, line: &str, message: &str) {
    let ran = world.line(line);
    assert_eq!(ran.stderr, message.trim_start_matches('\n'));
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "");
}

/// Writes a `.y` grammar and its lexical part.
fn yacc(grammar: &str, lexical: &str) -> World {
    let world = World::new();
    world.write("g.y", grammar);
    world.write("g.lex", lexical);
    world
}

#[test]
fn without_a_language_all_are_listed() {
    let ran = World::new().line("grammar");
    let text = printed(&ran);
    assert!(text.contains("\npython       .py"), "{text}");
    assert!(text.contains("\nsmtlib       .smt2"), "{text}");
    let all = json(&World::new().line("grammar --json"));
    assert_eq!(all.as_array().unwrap().len(), text.lines().count());
    let cpp = all.as_array().unwrap().iter().find(|language| language["name"] == "cpp").unwrap();
    assert!(cpp["other_names"].as_array().unwrap().contains(&"c++".into()));
}

#[test]
fn every_language_can_be_shown_and_no_rule_is_endless() {
    let world = World::new();
    for language in json(&world.line("grammar --json")).as_array().unwrap() {
        let name = language["name"].as_str().unwrap();
        let shown = json(&world.line(&format!("grammar {name} --json")));
        assert_eq!(shown["endless"], Value::Array(vec![]), "{name}");
        assert_eq!(shown["start"], shown["rules"][0]["name"]);
        let text = world.line(&format!("grammar {name}"));
        let rules = shown["rules"].as_array().unwrap().len();
        assert!(printed(&text).contains(&format!("\n{rules} rules; a whole text is `")), "{name}");
    }
}

#[test]
fn a_rule_in_json_has_its_minimal_string() {
    let shown = json(&World::new().line("grammar C --rule type_qualifier --json"));
    assert_eq!(shown["name"], "c");
    let rules = shown["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 1);
    assert_eq!(rules[0]["visible"], true);
    assert!(rules[0]["body"].as_str().unwrap().contains("\"volatile\""));
    assert_eq!(rules[0]["minimal"]["tokens"], 1);
    assert_eq!(rules[0]["minimal"]["given"], false);
}

#[test]
fn long_choices_have_a_line_for_each_alternative() {
    let ran = World::new().line("grammar c --rule _non_case_statement");
    let text = printed(&ran);
    assert!(text.starts_with("_non_case_statement ~\n    attributed_statement\n  | "), "{text}");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
}

#[test]
fn a_compiled_grammar_is_shown_by_the_rules_beside_it() {
    let world = World::new();
    if !needs("cc") {
        return;
    }
    world.write("empty.c", "const void *tree_sitter_settings(void) { return 0; }");
    let compile = "cc -shared -fPIC -o libtree-sitter-settings.so empty.c";
    let compile = world.finish(world.command("sh").args(["-c", compile]));
    assert_eq!(compile.code, Some(0), "{}", compile.stderr);
    check_refused(
        &world,
        "grammar ./libtree-sitter-settings.so",
        "
error: `./libtree-sitter-settings.so` is a parser without its rules
hint: put the grammar.json that it was generated from beside it
",
    );
    fs::copy(root().join("examples/settings/src/grammar.json"), world.path("grammar.json"))
        .unwrap();
    let ran = world.line("grammar libtree-sitter-settings.so --rule pair");
    assert_eq!(printed(&ran), "pair = identifier \"=\" _value\n    minimal: `a=0`\n");
}

#[test]
fn ambiguous_grammars_and_those_that_are_not_lr_are_shown() {
    for path in ["examples/palindromes/palindromes.y", "examples/dangling-else/if.y"] {
        let shown = json(&at_home(&format!("grammar {path} --json")));
        assert_eq!(shown["endless"], Value::Array(vec![]), "{path}");
        let rules = shown["rules"].as_array().unwrap();
        assert!(rules.iter().all(|rule| rule["minimal"]["text"].is_string()), "{path}");
    }
}

#[test]
fn the_lexical_part_may_be_elsewhere() {
    let world = World::new();
    world.write("g.y", "%% s: A | s A;");
    world.write("tokens/all", "A a+ aa");
    let ran = world.line("grammar g.y --lexical tokens/all --rule s");
    assert_eq!(printed(&ran), "s = A | s A\n    minimal: `aa`\n");
    check_refused(
        &world,
        "grammar g.y",
        "
error: `g.y` has no lexical part: there is no `g.lex`
hint: it has one token a line: a name, a regular expression, a minimal string if wanted;
      --lexical FILE if it is elsewhere
",
    );
    check_refused(
        &world,
        "grammar c --lexical tokens/all",
        "error: --lexical is for grammars in .y files, which `c` is not\n",
    );
}

#[test]
fn rules_that_nothing_leads_to_are_a_warning() {
    let ran = yacc("%% s: A; alone: A;", "A a").line("grammar g.y --rule alone");
    assert_eq!(ran.stderr, "warning: no text leads to `alone`\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "alone = A\n    minimal: `a`\n"));
}

#[test]
fn an_unknown_language_lists_the_near_ones() {
    let world = World::new();
    check_refused(
        &world,
        "grammar jav",
        "
error: unknown language `jav`
hint: did you mean `java` or `javascript`?
",
    );
    check_refused(
        &world,
        "grammar brainfuck",
        "
error: unknown language `brainfuck`
hint: `whodunit grammar` lists the languages; a grammar of one's own is given by its path
",
    );
}

#[test]
fn an_unknown_rule_lists_those_with_the_word() {
    check_refused(
        &World::new(),
        "grammar json --rule str",
        "
error: `json` has no rule `str`
hint: did you mean `string` or `_string_content` or `string_content`?
",
    );
    check_refused(
        &World::new(),
        "grammar json --rule 7",
        "
error: `json` has no rule `7`
hint: without --rule all are shown
",
    );
}

#[test]
fn a_broken_description_is_refused_with_the_line() {
    let world = World::new();
    world.write("g/grammar.json", "{\"name\": \"g\",\n\"rules\": {\n  \"s\": oops }}");
    check_refused(
        &world,
        "grammar g",
        "
error: the grammar `g/grammar.json` cannot be read
  caused by: not a description of a tree-sitter grammar
  caused by: expected value at line 3 column 8
hint: `tree-sitter generate` writes such files from a grammar.js
",
    );
}

#[test]
fn what_is_no_grammar_is_said_to_be_none() {
    let world = World::new();
    world.write("mine/grammar.js", "");
    world.write("many/one/src/grammar.json", "");
    world.write("notes.txt", "");
    check_refused(
        &world,
        "grammar mine",
        "
error: the grammar in `mine` is JavaScript only, without a `grammar.json`
hint: run `tree-sitter generate` there once; it writes src/grammar.json
",
    );
    check_refused(
        &world,
        "grammar many",
        "
error: there is no tree-sitter grammar in `many`
hint: there is one in many/one
",
    );
    check_refused(
        &world,
        "grammar notes.txt",
        "
error: `notes.txt` is neither the folder of a tree-sitter grammar nor a compiled one
hint: a grammar is a folder with grammar.json, a library (.so), or a .y file
",
    );
    for path in ["nowhere/at/all", "nothing.so", "nothing.y"] {
        check_refused(
            &world,
            &format!("grammar {path}"),
            &format!(
                "error: cannot read `{path}`\n  caused by: No such file or directory (os error 2)\n\
                 hint: the name is relative to the current folder; is it spelled right?\n"
            ),
        );
    }
}

#[test]
fn a_rule_without_a_finite_string_is_named() {
    let world = World::new();
    world.write(
        "g/grammar.json",
        r#"{"name": "g", "rules": {
            "file": {"type": "CHOICE", "members": [
                {"type": "SYMBOL", "name": "loop"}, {"type": "STRING", "value": "x"}]},
            "loop": {"type": "SEQ", "members": [
                {"type": "STRING", "value": "("}, {"type": "SYMBOL", "name": "loop"}]}}}"#,
    );
    assert_eq!(
        printed(&world.line("grammar g")),
        "\
file = loop | \"x\"
    minimal: `x`
loop = \"(\" loop
    minimal: none

2 rules; a whole text is `file`; between tokens may stand /\\s/
no finite string can be made from loop
"
    );
    let shown = json(&world.line("grammar g --json"));
    assert_eq!(shown["endless"], Value::from(vec!["loop"]));
    assert_eq!(shown["rules"][1]["minimal"], Value::Null);

    check_refused(
        &yacc("%%\ns: A;\nloop: A loop;\n", "A a"),
        "grammar g.y",
        "
error: g.y:3: no finite string can be made from `loop`
hint: each rule needs an alternative that does not lead back to it
",
    );
}

#[test]
fn a_token_that_could_be_empty_is_refused() {
    check_refused(
        &yacc("%% s: A;", "SKIP \\s+\nA a*"),
        "grammar g.y",
        "
error: g.lex:2: the expression of `A` matches the empty string
hint: a token is at least one character: `+` for `*`
",
    );
}

#[test]
fn a_token_that_looks_around_needs_a_minimal_string() {
    let grammar = "%% s: A;";
    check_refused(
        &yacc(grammar, r"A (?-u:\b)a+"),
        "grammar g.y",
        "
error: a token of `g.y` has no minimal string
  caused by: the regular expression `(?-u:\\b)a+` looks at its surroundings
hint: write the minimal string behind the expression of that token
",
    );
    let ran = yacc(grammar, r"A (?-u:\b)a+ a").line("grammar g.y --rule s");
    assert_eq!(printed(&ran), "s = A\n    minimal: `a`\n");
}

#[test]
fn what_could_move_the_cursor_is_not_printed() {
    let world = World::new();
    let json =
        "{\"name\": \"g\", \"rules\": {\"s\": {\"type\": \"STRING\", \"value\": \"\\u001b\"}}}";
    world.write("g/grammar.json", json);
    let ran = world.line("grammar g");
    assert!(!printed(&ran).contains('\u{1b}'), "{}", ran.stdout);
}
