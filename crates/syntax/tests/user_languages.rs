//! Languages of the user's own: folders and libraries of tree-sitter grammars, good and bad.
//!
//! They need the C compiler that also built the crate.

#![allow(clippy::unwrap_used)] // a missing example fails the test either way

#[path = "sound/mod.rs"]
mod sound;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use whodunit_syntax::language::{Language, LoadError, NodeKind, NodeRole, Toolchain, read_rules};
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::parse_check::{ByteEdit, ParseCheck};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn settings() -> PathBuf {
    Path::new(HERE).join("../../examples/settings")
}

fn smtlib() -> PathBuf {
    Path::new(HERE).join("languages/smtlib")
}

/// A folder of a user with a grammar in it.
struct Home(TempDir);

impl Home {
    fn new(files: &[(&str, &str)]) -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = home.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns what loading a path of this folder says, with its causes, in which `DIR` is the
    /// folder.
    fn error(&self, name: &str, compiler: &str) -> String {
        let error = load_with(&self.path(name), compiler).unwrap_err();
        let mut said = error.to_string();
        let mut cause = error.source();
        while let Some(next) = cause {
            said = format!("{said}: {next}");
            cause = next.source();
        }
        said.replace(self.0.path().to_str().unwrap(), "DIR")
    }
}

/// Loads a language, and makes sure that nothing is left in the folder to work in.
fn load_with(path: &Path, compiler: &str) -> Result<Language, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    let loaded = Language::load(path, &Toolchain { compiler, folder: folder.path() });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
    loaded
}

fn load(path: &Path) -> Language {
    load_with(path, "cc").unwrap()
}

fn kind(language: &Language, name: &str) -> NodeKind {
    language.kinds().find(|&kind| language.kind_name(kind) == name).unwrap()
}

/// A grammar whose only rule is this.
fn grammar(rule: &str, around: &str) -> String {
    format!(r#"{{"name": "g", "rules": {{"file": {rule}}} {around}}}"#)
}

#[test]
fn a_description_is_enough_to_parse() {
    let language = load(&settings());
    assert_eq!(language.name(), "settings");
    let text = fs::read(settings().join("server.settings")).unwrap();
    let tree = parse(&language, text.clone());
    sound::check(&tree, &text);
    assert!(parses(&language, &text));
    assert!(!parses(&language, b"host ="));

    let at = |text: &str, inside: &[u8]| {
        inside.windows(text.len()).position(|window| window == text.as_bytes()).unwrap()
    };
    let gate = ParseCheck::new(&language, text.clone()).unwrap();
    let start = at("443, ", &text);
    assert!(gate.lets_through(&[ByteEdit { range: start..start + 5, text: vec![] }]));
    assert!(!gate.lets_through(&[ByteEdit { range: start..start + 3, text: vec![] }]));
}

#[test]
fn what_kinds_are_good_for_is_guessed_from_their_names() {
    let language = load(&settings());
    let role = |name| language.role(kind(&language, name));
    assert_eq!(role("identifier"), Some(NodeRole::Identifier));
    assert_eq!(role("number"), Some(NodeRole::Number));
    assert_eq!(role("string"), Some(NodeRole::String));
    assert_eq!(role("comment"), Some(NodeRole::Comment));
    assert_eq!(role("pair"), None);
    assert_eq!(language.profile().brackets, [("[".to_owned(), "]".to_owned())]);
}

#[test]
fn the_rules_of_a_folder_are_known() {
    let language = load(&settings());
    let shapes = language.shapes().unwrap();
    let pair = shapes.symbol("pair", true).unwrap();
    assert_eq!(shapes.minimal(pair).unwrap().text(), "a=0");
    let rule = shapes.grammar().find("list").unwrap();
    assert_eq!(language.minimal().unwrap().of(rule).unwrap().text(), "[]");
}

#[test]
fn a_generated_parser_gives_the_trees_of_a_built_in_one() {
    let (loaded, built_in) = (load(&smtlib()), Language::by_name("smtlib").unwrap());
    let text = fs::read(smtlib().join("sample.smt2")).unwrap();
    let kinds = |language: &Language| {
        let tree = parse(language, text.clone());
        let name = |id| language.kind_name(tree.node(id).kind()).to_owned();
        tree.ids().map(|id| (name(id), tree.node(id).range())).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&loaded), kinds(&built_in));
}

/// Compiles the parser of SMT-LIB to a library of that name.
fn compile(library: &Path) {
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O0", "-o"]).arg(library).arg("-I").arg(smtlib());
    assert!(cc.arg(smtlib().join("parser.c")).status().unwrap().success());
}

#[test]
fn a_library_is_a_language_with_or_without_its_rules() {
    let home = Home::new(&[]);
    let library = home.path("libtree-sitter-smtlib.so");
    compile(&library);
    let language = load(&library);
    assert_eq!(language.name(), "smtlib");
    assert!(parses(&language, b"(assert true)"));
    assert!(language.shapes().is_none(), "rules of ours are not those of the user");
    assert!(matches!(read_rules(&library), Err(LoadError::NoRules { .. })));

    fs::rename(&library, home.path("parser.so")).unwrap();
    fs::copy(settings().join("src/grammar.json"), home.path("grammar.json")).unwrap();
    let language = load(&home.path("parser.so"));
    assert_eq!(language.name(), "smtlib");
    assert!(language.shapes().is_none(), "those rules are of another language");

    fs::copy(smtlib().join("grammar.json"), home.path("grammar.json")).unwrap();
    let language = load(&home.path("parser.so"));
    assert!(language.shapes().is_some());
    assert_eq!(read_rules(&home.path("parser.so")).unwrap().name, "smtlib");
}

#[test]
fn a_scanner_written_by_hand_is_compiled_too() {
    let json = grammar(
        r#"{"type": "REPEAT", "content": {"type": "CHOICE", "members": [
            {"type": "SYMBOL", "name": "dot"}, {"type": "STRING", "value": "x"}]}}"#,
        r#", "externals": [{"type": "SYMBOL", "name": "dot"}]"#,
    );
    let scanner = r#"
        #include "tree_sitter/parser.h"
        void *tree_sitter_g_external_scanner_create(void) { return 0; }
        void tree_sitter_g_external_scanner_destroy(void *p) {}
        unsigned tree_sitter_g_external_scanner_serialize(void *p, char *b) { return 0; }
        void tree_sitter_g_external_scanner_deserialize(void *p, const char *b, unsigned n) {}
        bool tree_sitter_g_external_scanner_scan(void *p, TSLexer *lexer, const bool *valid) {
            if (lexer->lookahead != '.') return false;
            lexer->advance(lexer, false);
            return true;
        }"#;
    let home = Home::new(&[("src/grammar.json", &json), ("src/scanner.c", scanner)]);
    let language = load(home.0.path());
    assert!(parses(&language, b"..x."));
    assert!(!parses(&language, b".a."));

    let without = Home::new(&[("grammar.json", &json)]);
    let said = without.error("", "cc");
    assert!(said.starts_with("cannot open the library"), "{said}");
    assert!(said.contains("tree_sitter_g_external_scanner_"), "{said}");
}

#[test]
fn several_are_loaded_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let toolchain = Toolchain { compiler: "cc", folder: folder.path() };
    let load = |path: &Path| Language::load(path, &toolchain).unwrap();
    let (settings, smtlib) = (load(&settings()), load(&smtlib()));
    assert!(parses(&settings, b"a = 1") && !parses(&smtlib, b"a = 1"));
    assert!(parses(&smtlib, b"(assert true)") && !parses(&settings, b"(assert true)"));
}

#[test]
fn a_tree_outlives_its_language() {
    let tree = parse(&load(&settings()), b"a = 1".to_vec());
    assert_eq!(tree.print(), b"a = 1");
}

#[test]
fn broken_descriptions_are_refused_with_the_place() {
    let said = |json: &str| Home::new(&[("grammar.json", json)]).error("", "cc");
    assert_eq!(
        said("{\"name\": \"g\",\n \"rules\": {\n  \"file\": oops\n}}"),
        "the grammar `DIR/grammar.json` cannot be read: not a description of a tree-sitter \
         grammar: expected value at line 3 column 11"
    );
    assert_eq!(
        said(&grammar(r#"{"type": "SYMBOL", "name": "x"}"#, "")),
        "the grammar `DIR/grammar.json` cannot be read: the rule `file` names `x`, which is \
         neither a rule nor an external token"
    );
    let deep = "{\"type\": \"REPEAT\", \"content\": ".repeat(10_000);
    let said = said(&grammar(&deep, ""));
    assert!(said.contains("recursion limit exceeded at line 1 column"), "{said}");
}

#[test]
fn rules_that_are_no_grammar_for_tree_sitter_are_refused() {
    let sum = r#"{"type": "CHOICE", "members": [{"type": "STRING", "value": "1"},
        {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "file"},
            {"type": "STRING", "value": "+"}, {"type": "SYMBOL", "name": "file"}]}]}"#;
    let said = Home::new(&[("grammar.json", &grammar(sum, ""))]).error("", "cc");
    let expected = "no parser can be made from `DIR/grammar.json`: Unresolved conflict";
    assert!(said.starts_with(expected), "{said}");

    let rules = r#"{"type": "STRING", "value": "x"}, "gap": {"type": "BLANK"}"#;
    let extras = r#", "extras": [{"type": "SYMBOL", "name": "gap"}]"#;
    let said = Home::new(&[("grammar.json", &grammar(rules, extras))]).error("", "cc");
    let expected =
        "no parser can be made from `DIR/grammar.json`: tree-sitter's generator gave up on it";
    assert_eq!(said, expected);
}

#[test]
fn a_token_that_is_not_understood_is_named() {
    let home =
        Home::new(&[("grammar.json", &grammar(r#"{"type": "PATTERN", "value": "a{2,1}"}"#, ""))]);
    let said = home.error("", "cc");
    assert!(said.contains("a{2,1}"), "{said}");
}

#[test]
fn trouble_with_the_compiler_is_said() {
    let json = grammar(r#"{"type": "STRING", "value": "x"}"#, "");
    let home = Home::new(&[("grammar.json", &json)]);
    assert_eq!(
        home.error("", "no-such-compiler -O2"),
        "the C compiler `no-such-compiler -O2` cannot be run: No such file or directory (os error \
         2)"
    );
    let home = Home::new(&[("grammar.json", &json), ("parser.c", "int parser(void) {\nno\n}\n")]);
    let said = home.error("", "cc");
    assert!(said.starts_with("`cc` cannot compile the parser in `DIR/`:\n"), "{said}");
    assert!(said.contains("parser.c:2:"), "{said}");
    assert!(said.lines().count() <= 11, "{said}");
    assert_eq!(
        home.error("", "false"),
        "`false` cannot compile the parser in `DIR/`:\nexit status: 1"
    );
}

#[test]
fn a_parser_of_another_age_is_refused() {
    let parser = fs::read_to_string(smtlib().join("parser.c")).unwrap();
    for version in ["12", "99"] {
        let line = format!("#define LANGUAGE_VERSION {version}");
        let old = parser.replace("#define LANGUAGE_VERSION 15", &line);
        assert_ne!(old, parser);
        let home = Home::new(&[("parser.c", &old)]);
        assert_eq!(
            home.error("", "cc"),
            format!(
                "the parser of `smtlib` has version {version} of tree-sitter's tables, not 13 to 15"
            )
        );
    }
}

#[test]
fn a_library_without_a_parser_is_refused() {
    let home = Home::new(&[("code.c", "int f(void) { return 1; }"), ("text.so", "no library")]);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(home.path("libtree-sitter-none.so"));
    assert!(cc.arg(home.path("code.c")).status().unwrap().success());
    assert_eq!(
        home.error("libtree-sitter-none.so", "cc"),
        "`DIR/libtree-sitter-none.so` has no function `tree_sitter_none`"
    );
    let said = home.error("text.so", "cc");
    assert!(said.starts_with("cannot open the library `DIR/text.so`: "), "{said}");
    assert_eq!(
        home.error("nowhere", "cc"),
        "cannot read `DIR/nowhere`: No such file or directory (os error 2)"
    );
}
