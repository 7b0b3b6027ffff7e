//! How a text is cut into tokens.

use whodunit_grammar::cfg::{Cfg, KindOf};

use crate::drawing::{cfg, check};

#[test]
fn the_longest_match_wins() {
    let cfg = cfg("%% a: | a \"<\" | a \"<=\" | a \"<<\" ;", "SKIP \\s+");
    check(&cfg, "<<<=< <", "a[<< <= < <]");
}

#[test]
fn of_equal_matches_a_literal_wins_and_then_the_earlier_line() {
    let cfg = cfg("%% a: \"if\" NAME KEY ;", "KEY x|y\nNAME [a-z]+\nSKIP \\s+");
    check(&cfg, "if iffy x", "a(if iffy x)");
    assert!(!cfg.accepts(b"if x y"));
}

#[test]
fn a_reluctant_repetition_stops_as_soon_as_it_can() {
    let cfg = cfg("%% a: | a WORD ;", "WORD [a-z]+\nSKIP \\s+\nSKIP /\\*(?s:.)*?\\*/");
    check(&cfg, "x /* y */ z /* u */", "a[x z]");
}

#[test]
fn a_reluctant_expression_competes_like_the_others() {
    let earlier = cfg("%% a: R | A ; ", "R a.*?b\nA [ab]+");
    let later = cfg("%% a: R | A ; ", "A [ab]+\nR a.*?b");
    let token = |cfg: &Cfg, text: &str| {
        let tree = cfg.parse(text.as_bytes()).unwrap();
        match tree.children(tree.root()).next().map(|child| tree.node(child).kind.of) {
            Some(KindOf::Token(Some(rule))) => cfg.grammar().rule(rule).name.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(token(&earlier, "ab"), "R");
    assert_eq!(token(&later, "ab"), "A");
    assert_eq!(token(&earlier, "abab"), "A", "it is longer");
    assert_eq!(token(&later, "axb"), "R");
}

#[test]
fn a_blank_in_an_expression_is_escaped() {
    let cfg = cfg("%% a: TWO ;", "TWO a\\ b a b");
    check(&cfg, "a b", "a(a b)");
}

#[test]
fn any_bytes_can_be_tokens() {
    let cfg = cfg("%% a: | a ANY ;", "ANY (?s-u:.)");
    let text: Vec<u8> = (0..=255).collect();
    let tree = cfg.parse(&text).unwrap();
    assert_eq!(tree.count(), 257);
    assert_eq!(tree.print(), text);
}

#[test]
fn what_is_no_token_is_refused_with_its_place() {
    let cfg = cfg("%% a: | a WORD ;", "WORD [a-zé]+\nSKIP \\s+");
    let error = cfg.parse("one\n é #two three".as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 4: no token begins with `#two`");
}

#[test]
fn what_is_skipped_is_kept_in_the_text() {
    let cfg = cfg("%% a: | a WORD ;", "WORD [a-z]+\nSKIP \\s+\nSKIP #[^\\n]*");
    check(&cfg, "# first\n\n one  two # last", "a[one two]");
    check(&cfg, " # nothing else", "a()");
    check(&cfg, "", "a()");
}
