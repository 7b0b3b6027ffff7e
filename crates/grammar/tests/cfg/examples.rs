//! The languages of the folder `examples`.

use std::fs;
use std::path::{Path, PathBuf};

use whodunit_grammar::arena::NodeId;
use whodunit_grammar::cfg::{Cfg, KindOf, Source};

use crate::drawing::{check, check_tree};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn file(folder_name: &str, name: &str) -> Vec<u8> {
    let path = folder(folder_name).join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the language in a folder.
fn language(folder: &str, name: &str) -> Cfg {
    let (grammar_name, lexical_name) = (format!("{name}.y"), format!("{name}.lex"));
    let (grammar, lexical) = (file(folder, &grammar_name), file(folder, &lexical_name));
    let grammar = Source { name: &grammar_name, bytes: &grammar };
    let lexical = Source { name: &lexical_name, bytes: &lexical };
    Cfg::read(grammar, lexical).unwrap_or_else(|error| panic!("{error}"))
}

fn check_file(cfg: &Cfg, folder: &str, name: &str, expected: &str) {
    let text = String::from_utf8(file(folder, name)).expect("the examples are UTF-8");
    check(cfg, &text, expected);
}

#[test]
fn the_expression_of_the_thesis_has_the_tree_of_figure_5_3() {
    let cfg = language("arithmetic", "arithmetic");
    let inner = "E[E(1) ,+ E(( E[E(2) ,* E(3)] ))]";
    let quotient = format!("E[E(( {inner} )) ,/ E(( E[E(2) ,- E(2)] ))]");
    let expected = format!("E[E(( {quotient} )) ,+ E(( E[E(3) ,* E(5)] ))]");
    check_file(&cfg, "arithmetic", "thesis.txt", &expected);
    assert_eq!(cfg.minimal(cfg.grammar().find("N").unwrap()), Some("1"));
}

#[test]
fn deep_parentheses_parse() {
    let text = file("arithmetic", "deep.txt");
    let tree = language("arithmetic", "arithmetic").parse(&text).unwrap();
    assert!(tree.depth() > 300);
    check_tree(&tree, &text);
}

#[test]
fn an_else_belongs_to_the_nearest_if() {
    let expected = "statement[{if ( ready )} {if ( open ) statement(close ;) else} \
                    ^statement({ statements[statement(wait ;) statement(wait ;)] })]";
    check_file(&language("dangling-else", "if"), "dangling-else", "nested.txt", expected);
}

#[test]
fn a_grammar_that_is_not_lr_parses() {
    let cfg = language("palindromes", "palindromes");
    let text = file("palindromes", "odd.txt");
    let tree = cfg.parse(&text).unwrap();
    assert_eq!(tree.depth(), text.len() / 2 + 1);
    check_tree(&tree, &text);
    assert!(!cfg.accepts(b"abab"));
}

#[test]
fn a_java_class_parses() {
    let cfg = language("java-subset", "java");
    assert_eq!(cfg.unreachable(), []);
    let text = file("java-subset", "Digest.java");
    let tree = cfg.parse(&text).unwrap_or_else(|error| panic!("{error}"));
    check_tree(&tree, &text);
    let members = cfg.grammar().find("members").unwrap();
    let is_members = |id: &NodeId| match tree.node(*id).kind.of {
        KindOf::List { rule, .. } => rule == members,
        _ => false,
    };
    let list = tree.ids().find(is_members).expect("the class has members");
    assert_eq!(tree.children(list).count(), 10);
}

#[test]
fn an_error_in_java_is_named() {
    let error = language("java-subset", "java").parse(b"class A {\n  int x = 3 +;\n}").unwrap_err();
    let expected = "line 2, column 14: expected one of CHARACTER, ID, NUMBER, TEXT, `!`, `(`, \
                    `++`, `+` or 8 others, found `;`";
    assert_eq!(error.to_string(), expected);
}
