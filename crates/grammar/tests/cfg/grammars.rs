//! What is read and what is refused of a grammar file.

use crate::drawing::{cfg, check, read};

const WORDS: &str = "WORD [a-z]+\nSKIP \\s+";

#[track_caller]
fn check_error(grammar: &str, lexical: &str, expected: &str) {
    match read(grammar, lexical) {
        Ok(_) => panic!("accepted"),
        Err(error) => assert_eq!(error, expected),
    }
}

#[test]
fn everything_but_the_rules_is_skipped() {
    let grammar = r#"
%{
/* prologue } " ' */
%}
%code requires { struct s { int x; }; }
%define api.value.type {union u {int}}
%union { struct { int a; } s; /* } */ char c; }
%token <s> WORD 258 OTHER 259
%type <s> list item
%left '+' "and"
%nonassoc LOW
%expect 3
%destructor { free("}"); } <s>
%unknown-thing 17 "text" name
%start list
%%
item : WORD                { if (x == '}') { puts("}\"}"); /* } */ } // }
                           }
     | '<' { mid = '\''; } list '>' <s> { $$ = $2; } ;
list[all] : %empty %prec LOW
     | list item[it]       { $all = "{"; }
%%
this is not a grammar { %{ ' "
"#;
    let words = format!("{WORDS}\nOTHER \\d+");
    check(&cfg(grammar, &words), "a <b c>", "list[item(a) item(< list[item(b) item(c)] >)]");
}

#[test]
fn comments_and_rules_without_semicolons_are_read() {
    let grammar = "// one\n%% /* two */ a: b 'x' // three\n b: 'y' | b 'y' { }\n";
    check(&cfg(grammar, ""), "yyx", "a(b[y y] x)");
}

#[test]
fn alternatives_of_one_rule_may_be_apart() {
    let grammar = "%% a: b ; b: 'x' ; a: 'y' ;";
    check(&cfg(grammar, ""), "y", "a(y)");
}

#[test]
fn escapes_in_literals_are_those_of_c() {
    let grammar = r#"%% a: '\'' '\\' "\"\x41\101" '\n' 'é' ;"#;
    check(&cfg(grammar, ""), "'\\\"AA\né", "a(' \\ \"AA \n é)");
}

#[test]
fn a_declared_text_stands_for_its_token() {
    let grammar = "%token AND \"&&\" END 0 \"end of file\"\n%% a: WORD AND WORD \"&&\" WORD END ;";
    let cfg = cfg(grammar, WORDS);
    check(&cfg, "a && b && c", "a(a && b && c END())");
    let and = cfg.grammar().find("AND").unwrap();
    let tree = cfg.parse(b"a && b && c").unwrap();
    let named = |id| tree.node(id).kind.of == whodunit_grammar::cfg::KindOf::Token(Some(and));
    assert_eq!(tree.ids().filter(|id| named(*id)).count(), 2);
}

#[test]
fn alternatives_for_errors_are_left_out() {
    let cfg = cfg("%% a: WORD ';' | error ';' ;", WORDS);
    check(&cfg, "x;", "a(x ;)");
    assert!(cfg.parse(b"error ;").is_ok_and(|tree| tree.count() == 3), "it is a word here");
}

#[test]
fn minimal_strings_are_carried_along() {
    let cfg = cfg("%% a: WORD TEXT ;", "WORD [a-z]+ ab\nTEXT \"[^\"]*\" \"a b\"\nSKIP \\s+");
    let minimal = |name| cfg.minimal(cfg.grammar().find(name).unwrap());
    assert_eq!(minimal("WORD"), Some("ab"));
    assert_eq!(minimal("TEXT"), Some("\"a b\""));
    assert_eq!(minimal("a"), None);
}

#[test]
fn comments_need_not_be_utf_8() {
    use whodunit_grammar::cfg::{Cfg, Source};
    let grammar = Source { name: "my.y", bytes: b"/* \xE9t\xE9 */ %% a: 'x';" };
    assert!(Cfg::read(grammar, Source { name: "my.lex", bytes: b"# \xFF" }).is_ok());
}

#[test]
fn an_unreachable_rule_is_known_and_harmless() {
    let cfg = cfg("%% a: WORD ; lost: 'x' other ; other: 'y' ;", WORDS);
    let names: Vec<&str> =
        cfg.unreachable().iter().map(|rule| cfg.grammar().rule(*rule).name.as_str()).collect();
    assert_eq!(names, ["lost", "other"]);
    assert!(cfg.accepts(b"word"));
}

#[test]
fn a_rule_without_a_finite_string_is_named() {
    let grammar = "%%\na: WORD\n | b ;\nb: 'x' c ;\nc: '(' b ')' ;\n";
    check_error(grammar, WORDS, "my.y:4: no finite string can be made from `b`, `c`");
}

#[test]
fn undefined_tokens_are_listed() {
    let grammar = "%token ONE TWO\n%%\na: WORD\n  | ONE b TWO ONE ;\n";
    let expected =
        "my.y:4: neither a rule nor a line of the lexical part defines `ONE`, `b`, `TWO`";
    check_error(grammar, WORDS, expected);
}

#[test]
fn a_token_that_matches_the_empty_string_is_refused_with_its_line() {
    let empty = "WORD [a-z]+\n\n# optional\nDIGITS [0-9]*\n";
    let expected = "my.lex:4: the expression of `DIGITS` matches the empty string";
    check_error("%% a: WORD DIGITS ;", empty, expected);
    let skipped = "WORD [a-z]+\nSKIP \\s*\n";
    let expected = "my.lex:2: the expression of `SKIP` matches the empty string";
    check_error("%% a: WORD ;", skipped, expected);
}

#[test]
fn a_token_that_matches_nothing_is_refused() {
    let expected = "my.lex:1: the expression of `NONE` matches nothing at all";
    check_error("%% a: NONE ;", "NONE [a&&b]", expected);
}

#[test]
fn a_broken_expression_is_refused_with_its_line() {
    let error = read("%% a: X ;", "SKIP \\s+\nX (a").unwrap_err();
    assert!(error.starts_with("my.lex:2: the expression of `X` cannot be used: "), "{error}");
    assert!(error.contains("unclosed group"), "{error}");
    let error = read("%% a: X ;", "X \\bx\\b").unwrap_err();
    assert!(error.starts_with("my.lex:1: the expression of `X` cannot be used: "), "{error}");
}

#[test]
fn a_minimal_string_has_to_be_such_a_token() {
    let expected = "my.lex:1: the minimal string `1` of `WORD` is not read as one such token";
    check_error("%% a: WORD ;", "WORD [a-z]+ 1", expected);
    // A keyword of the grammar is no word.
    let expected = "my.lex:1: the minimal string `if` of `WORD` is not read as one such token";
    check_error("%% a: \"if\" WORD ;", "WORD [a-z]+ if", expected);
}

#[test]
fn lines_of_the_lexical_part_are_checked() {
    let expected = "my.lex:2: expected the name of a token, or `SKIP`, found `[0-9]+`";
    check_error("%% a: 'x' ;", "\n[0-9]+ 1", expected);
    let expected = "my.lex:1: expected a regular expression, found the end of the line";
    check_error("%% a: 'x' ;", "WORD", expected);
    check_error("%% a: 'x' ;", "W [a-z]\nW [0-9]", "my.lex:2: `W` is defined already");
    check_error("%% a: 'x' ;", "a [a-z]", "my.lex:1: `a` is defined already");
    let expected = "my.lex:1: expected nothing after an expression to skip, found `x`";
    check_error("%% a: 'x' ;", "SKIP \\s+ x", expected);
}

#[test]
fn what_is_wrong_with_a_grammar_is_said_with_its_line() {
    let cases = [
        ("a: 'x';", "1: expected a declaration or the `%%` before the rules, found `a`"),
        (
            "%token X\n",
            "2: expected a declaration or the `%%` before the rules, found the end of the file",
        ),
        ("%%\n\n%%", "3: expected a rule, found the end of the file"),
        ("%%\n'x': a;", "2: expected the name of a rule, found `'x'`"),
        ("%%\na 'x';", "2: expected `:` after the name of a rule, found `'x'`"),
        ("%%\na: 'x' ) ;", "2: expected a symbol, `|` or `;`, found `)`"),
        ("%%\na: 'x' : 'y' ;", "2: expected a symbol, `|` or `;`, found `:`"),
        ("%%\na: 'x'\n { if (1) { }\n", "3: an action is not closed: expected `}`"),
        ("%{\nint x;\n%%\na: 'x';", "1: a prologue is not closed: expected `%}`"),
        ("%%\na: 'x' /* oh", "2: a comment is not closed: expected `*/`"),
        ("%%\na: 'x ;\n", "2: a character is not closed: expected `'`"),
        ("%%\na: \"x ;\n", "2: a string is not closed: expected `\"`"),
        ("%%\na: '' ;\n", "2: a literal needs at least one character"),
        ("%start b\n%%\na: 'x' ;\n", "1: the start rule `b` has no rule"),
        ("%start\n%%\na: 'x' ;\n", "2: expected the name of the start rule, found `%%`"),
    ];
    for (grammar, expected) in cases {
        check_error(grammar, "", &format!("my.y:{expected}"));
    }
}
