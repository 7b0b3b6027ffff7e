//! Facts computed from the grammars that come with the tool.

#![allow(clippy::unwrap_used)] // a test fails either way

use std::time::Instant;

use whodunit_grammar::Grammar;
use whodunit_grammar::minimal::{Minimal, Phrase};
use whodunit_grammar::shape::{Child, Shapes};
use whodunit_syntax::grammars;

fn load(language: &str) -> (Grammar, Minimal) {
    let grammar = grammars::grammar(language).unwrap();
    let minimal = Minimal::new(&grammar, grammars::given(language)).unwrap();
    (grammar, minimal)
}

fn shapes(language: &str) -> Shapes {
    let (grammar, minimal) = load(language);
    Shapes::new(grammar, &minimal)
}

fn check(language: &str, rule: &str, expected: &str) {
    let (grammar, minimal) = load(language);
    let phrase = minimal.of(grammar.find(rule).unwrap());
    assert_eq!(phrase.map(Phrase::text), Some(expected), "{rule} of {language}");
}

/// Returns children by their kinds; a kind without a name is an unnamed child.
fn children(shapes: &Shapes, kinds: &[&str]) -> Vec<Child> {
    let named =
        |kind: &str| kind.len() > 1 && kind.chars().all(|c| c.is_alphanumeric() || c == '_');
    let child = |kind: &&str| {
        let symbol = shapes.symbol(kind, named(kind)).or_else(|| shapes.symbol(kind, false));
        Child::Kind(symbol.unwrap())
    };
    kinds.iter().map(child).collect()
}

#[test]
fn every_rule_of_every_language_has_a_finite_string_in_at_most_as_many_rounds_as_rules() {
    for language in grammars::languages() {
        let (grammar, minimal) = load(language);
        let endless: Vec<&str> = minimal.endless().map(|rule| &*grammar.rule(rule).name).collect();
        assert!(endless.is_empty(), "{language}: {endless:?}");
        assert!(minimal.rounds() <= grammar.rules.len(), "{language}");
        println!("{language}: {} rules, {} rounds", grammar.rules.len(), minimal.rounds());
    }
}

#[test]
fn only_strings_that_depend_on_another_place_are_guessed() {
    let guessed = [
        // The end of a heredoc is the word at its beginning.
        ("bash", "_heredoc_body"),
        ("bash", "_simple_heredoc_body"),
        ("bash", "heredoc_body"),
        ("bash", "heredoc_redirect"),
        ("php", "heredoc"),
        ("php", "nowdoc"),
        ("php", "nowdoc_body"),
        ("ruby", "heredoc_body"),
        // The scanner decides by the text before it what a pattern is.
        ("bash", "_test_command_binary_expression"),
        // How many braces depends on how the string begins.
        ("c-sharp", "_interpolated_raw_string_content"),
        ("c-sharp", "_interpolated_verbatim_string_content"),
        ("c-sharp", "interpolation"),
        // The beginning and the end of an element have the same name; elements are given.
        ("html", "start_tag"),
        ("html", "script_start_tag"),
        ("html", "style_start_tag"),
        ("html", "end_tag"),
        ("xml", "STag"),
        ("xml", "ETag"),
        // Wrong on purpose.
        ("html", "erroneous_end_tag"),
        ("xml", "_ErroneousETag"),
        // Where it begins and ends is indentation.
        ("python", "block"),
        // The marker of a documentation comment is known by what follows.
        ("rust", "_block_doc_comment_marker"),
        // Directives at the head of a document, and text over several lines.
        ("yaml", "_drs_doc"),
        ("yaml", "_drs_doc_end"),
        ("yaml", "_s_dir"),
        ("yaml", "_s_dir_yml"),
        ("yaml", "_s_dir_tag"),
        ("yaml", "_s_dir_rsv"),
        ("yaml", "_br_mtl_dqt_ctn"),
        ("yaml", "_br_mtl_sqt_ctn"),
        ("yaml", "_r_sgl_sqt_ctn"),
        ("yaml", "_r_mtl_pln_blk"),
        ("yaml", "_br_mtl_pln_blk"),
        ("yaml", "_r_mtl_pln_flw"),
        ("yaml", "_br_mtl_pln_flw"),
    ];
    for language in grammars::languages() {
        let (grammar, minimal) = load(language);
        for id in grammar.ids() {
            let name = &*grammar.rule(id).name;
            let guesses = minimal.of(id).map_or(0, Phrase::guesses);
            let expected = guessed.contains(&(language, name));
            assert_eq!(guesses > 0, expected, "{language}: {name}");
        }
    }
}

#[test]
fn every_given_text_is_for_something_in_the_grammar() {
    for language in grammars::languages() {
        let text = grammars::text(language).unwrap();
        for name in grammars::given(language).into_keys() {
            let rule = [" = ", " ~ "].iter().any(|sign| text.contains(&format!("\n{name}{sign}")));
            assert!(rule || text.contains(&format!("${name}")), "{language}: {name}");
        }
    }
}

#[test]
fn minimal_strings_are_what_one_would_write() {
    check("c", "while_statement", "while(0);");
    check("c", "expression", "0");
    check("c", "declaration", "int a;");
    check("c", "function_definition", "int a{}");
    check("c", "preproc_if", "#if 0\n#endif");
    check("java", "method_declaration", "int a();");
    check("java", "class_declaration", "class a{}");
    check("python", "if_statement", "if 0:0\n");
    check("python", "function_definition", "def a():0\n");
    check("rust", "function_item", "fn a(){}");
    check("rust", "let_declaration", "let _;");
    check("go", "function_declaration", "func a()");
    check("javascript", "ternary_expression", "0?0:0");
    check("ruby", "string", "\"\"");
    check("html", "element", "<a></a>");
    check("xml", "element", "<a/>");
    check("json", "_value", "0");
    check("smtlib", "assert", "(assert 0)");
    check("sql", "select", "select 0");
}

#[test]
fn an_irrelevant_condition_becomes_one_token() {
    // while (x) { y--; }
    let shapes = shapes("c");
    let while_statement = shapes.symbol("while_statement", true).unwrap();
    let kinds = children(&shapes, &["while", "parenthesized_expression", "compound_statement"]);
    let fit = shapes.fit(while_statement, &kinds);
    assert_eq!(fit.goes_with(0), None);
    assert_eq!(fit.minimal(1).map(Phrase::text), Some("(0)"));
    assert_eq!(fit.minimal(2).map(Phrase::text), Some(";"));
    let condition = shapes.symbol("parenthesized_expression", true).unwrap();
    let fit = shapes.fit(condition, &children(&shapes, &["(", "binary_expression", ")"]));
    let minimal = fit.minimal(1).unwrap();
    assert_eq!((minimal.text(), minimal.tokens()), ("0", 1));
}

#[test]
fn an_argument_goes_with_its_comma_and_an_initialiser_only_with_its_sign() {
    let shapes = shapes("c");
    let arguments = shapes.symbol("argument_list", true).unwrap();
    let kinds = ["(", "identifier", ",", "number_literal", ")"];
    let fit = shapes.fit(arguments, &children(&shapes, &kinds));
    assert_eq!(fit.goes_with(1), Some(1..3));
    assert_eq!(fit.goes_with(3), Some(2..4));
    let call = shapes.symbol("call_expression", true).unwrap();
    assert!(fit.kinds_at(1).contains(&call));
    let enumerator = shapes.symbol("enumerator", true).unwrap();
    let kinds = ["identifier", "=", "number_literal"];
    let fit = shapes.fit(enumerator, &children(&shapes, &kinds));
    assert_eq!(fit.goes_with(2), Some(1..3));
}

#[test]
fn the_largest_grammar_of_a_language_is_ready_at_once() {
    let begin = Instant::now();
    let shapes = shapes("cpp");
    let unit = shapes.symbol("translation_unit", true).unwrap();
    assert!(shapes.fit(unit, &[]).is_understood());
    let took = begin.elapsed();
    println!("C++: {took:?}");
    // Unoptimised code is slow, so its time tells nothing.
    assert!(cfg!(debug_assertions) || took.as_millis() < 50, "{took:?}");
}
