//! The tree of a text: which one of many, and lists where there is recursion.

use whodunit_grammar::cfg::{KindOf, Part};

use crate::drawing::{cfg, check, check_tree};

const NAMES: &str = "NAME [a-z]+\nSKIP \\s+";

#[test]
fn recursion_to_the_left_is_a_list() {
    check(&cfg("%% l: l NAME | NAME ;", NAMES), "a b c", "l[a b c]");
    check(&cfg("%% l: l NAME | ;", NAMES), "a b c", "l[a b c]");
    check(&cfg("%% l: l NAME ';' | ;", NAMES), "a; b;", "l[{a ;} {b ;}]");
}

#[test]
fn recursion_to_the_right_is_a_list() {
    check(&cfg("%% l: NAME l | NAME ;", NAMES), "a b c", "l[a b c]");
    check(&cfg("%% l: NAME l | ;", NAMES), "a b c", "l[a b c]");
    check(&cfg("%% l: NAME ',' l | NAME ;", NAMES), "a, b, c", "l[a ,, b ,, c]");
}

#[test]
fn separators_are_told_from_items() {
    check(&cfg("%% l: NAME | l ',' NAME ;", NAMES), "a, b, c", "l[a ,, b ,, c]");
    check(
        &cfg("%% e: t | e '+' t | e '-' t ; t: NAME ;", NAMES),
        "a+b-c",
        "e[t(a) ,+ t(b) ,- t(c)]",
    );
    check(
        &cfg("%% l: NAME '=' NAME | l ',' NAME '=' NAME ;", NAMES),
        "a=b, c=d",
        "l[{a = b} ,, {c = d}]",
    );
}

#[test]
fn a_separator_may_be_a_rule() {
    let cfg = cfg("%% e: NAME | e o NAME ; o: '+' | '-' ;", NAMES);
    check(&cfg, "a+b-c", "e[a ,o(+) b ,o(-) c]");
}

#[test]
fn what_a_list_is_added_to_is_its_base() {
    let calls = cfg("%% e: NAME | e '(' ')' | e '.' NAME ;", NAMES);
    check(&calls, "f().x()", "e[^e(f) {( )} {. x} {( )}]");
    let signs = cfg("%% e: NAME | '-' e | '!' e ;", NAMES);
    check(&signs, "-!-x", "e[- ! - ^e(x)]");
}

#[test]
fn a_list_says_how_many_items_have_to_stay() {
    let least = |grammar: &str, text: &str| {
        let tree = cfg(grammar, NAMES).parse(text.as_bytes()).unwrap();
        match tree.node(tree.root()).kind.of {
            KindOf::List { least, .. } => least,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(least("%% l: l NAME | ;", "a b"), 0);
    assert_eq!(least("%% l: l NAME | NAME ;", "a b"), 1);
    assert_eq!(least("%% l: | NAME | l ',' NAME ;", "a, b"), 0);
    assert_eq!(least("%% l: NAME | l '!' ;", "a!!"), 0);
}

#[test]
fn every_subset_of_the_items_is_a_sentence() {
    let cfg = cfg("%% e: NAME | e '(' ')' | e '.' NAME ;", NAMES);
    let text = b"f().x().y";
    let tree = cfg.parse(text).unwrap();
    let items: Vec<_> = tree.ids().filter(|id| tree.node(*id).kind.part == Part::Item).collect();
    assert_eq!(items.len(), 4);
    for subset in 0..1_usize << items.len() {
        let printed = tree.print_with(|id| {
            let place = items.iter().position(|item| *item == id)?;
            (subset >> place & 1 != 0).then_some(&b""[..])
        });
        assert!(cfg.accepts(&printed), "{}", String::from_utf8_lossy(&printed));
    }
}

#[test]
fn a_list_inside_of_a_list_is_its_own() {
    let cfg = cfg("%% l: | l i ; i: NAME | '(' l ')' ;", NAMES);
    check(&cfg, "a (b c) ()", "l[i(a) i(( l[i(b) i(c)] )) i(( l() ))]");
}

#[test]
fn recursion_through_another_rule_is_no_chain() {
    let cfg = cfg("%% a: b | NAME ; b: a '+' ;", NAMES);
    check(&cfg, "x++", "a(b(a(b(a(x) +)) +))");
}

#[test]
fn the_earlier_alternative_is_preferred() {
    check(&cfg("%% s: a | b ; a: NAME ; b: NAME ;", NAMES), "x", "s(a(x))");
    check(&cfg("%% s: b | a ; a: NAME ; b: NAME ;", NAMES), "x", "s(b(x))");
}

#[test]
fn longer_first_children_are_preferred() {
    let cfg = cfg("%% s: l m r ; l: | l 'x' ; m: | m 'x' ; r: | r 'x' ;", "");
    check(&cfg, "xxx", "s(l[x x x] m() r())");
    let middle = crate::drawing::cfg("%% s: o m o ; o: | 'x' ; m: | m 'x' ;", "");
    check(&middle, "xxxx", "s(o(x) m[x x x] o())");
}

#[test]
fn an_ambiguous_operator_groups_to_the_left() {
    let cfg = cfg("%% e: e '-' e | e '*' e | '(' e ')' | NAME ;", NAMES);
    check(&cfg, "a-b-c", "e[e(a) ,- e(b) ,- e(c)]");
    check(&cfg, "a-(b*c)", "e[e(a) ,- e(( e[e(b) ,* e(c)] ))]");
}

#[test]
fn operators_group_to_the_left_and_signs_bind_tighter() {
    let cfg = cfg("%% e: e '*' e | e '+' e | '-' e | NAME ;", NAMES);
    check(&cfg, "a*b+c*d", "e[e(a) ,* e(b) ,+ e(c) ,* e(d)]");
    check(&cfg, "-a+-b", "e[e[- ^e(a)] ,+ e[- ^e(b)]]");
}

#[test]
fn a_long_ambiguous_sum_takes_linear_time() {
    let cfg = cfg("%% e: e '*' e | e '+' e | '-' e | NAME ;", NAMES);
    let text = vec!["-a"; 10_000].join("+");
    let tree = cfg.parse(text.as_bytes()).unwrap();
    assert_eq!(tree.children(tree.root()).count(), 19_999);
    check_tree(&tree, text.as_bytes());
}

#[test]
fn rules_that_lead_back_to_themselves_do_not_hang() {
    check(&cfg("%% a: a | 'x' ;", ""), "x", "a(x)");
    check(&cfg("%% a: b | 'x' ; b: c ; c: a ;", ""), "x", "a(x)");
    check(&cfg("%% a: a a | 'x' | ;", ""), "x", "a[a(x)]");
    check(&cfg("%% a: n a n | 'x' ; n: | n n ;", ""), "x", "a(x)");
    assert!(cfg("%% a: a a | 'x' | ;", "").accepts(b"xxxxx"));
}

#[test]
fn empty_rules_have_empty_nodes_inside_of_their_parents() {
    let cfg = cfg("%% s: o NAME o ';' o | ; o: | '!' ;", NAMES);
    check(&cfg, " a ; ", "s(o() a o() ; o())");
    check(&cfg, "  ", "s()");
}

#[test]
fn a_wrong_token_is_refused_with_what_was_expected() {
    let cfg = cfg("%% s: | s t ; t: NAME '=' e ';' ; e: NAME | '(' e ')' ;", NAMES);
    let error = |text: &str| cfg.parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error("a = b;\n c = ;"), "line 2, column 6: expected one of NAME, `(`, found `;`");
    assert_eq!(error("a = (b;"), "line 1, column 7: expected `)`, found `;`");
    assert_eq!(error("a = b"), "line 1, column 6: expected `;`, found the end of the text");
    assert_eq!(
        error("a = b; )"),
        "line 1, column 8: expected one of NAME, the end of the text, found `)`"
    );
}

#[test]
fn ten_thousand_parentheses_are_fine() {
    let cfg = cfg("%% e: e '+' e | '(' e ')' | NAME ;", NAMES);
    let text = format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000));
    let tree = cfg.parse(text.as_bytes()).unwrap();
    assert_eq!(tree.depth(), 10_002);
    check_tree(&tree, text.as_bytes());
    assert!(!cfg.accepts(&text.as_bytes()[1..]));
}

#[test]
fn ten_thousand_items_are_fine_on_either_side() {
    let text = "x ".repeat(10_000);
    for grammar in ["%% l: l NAME | NAME ;", "%% l: NAME l | NAME ;", "%% l: l NAME | ;"] {
        let tree = cfg(grammar, NAMES).parse(text.as_bytes()).unwrap();
        assert_eq!(tree.children(tree.root()).count(), 10_000, "{grammar}");
        check_tree(&tree, text.as_bytes());
    }
}

#[test]
fn ten_thousand_ifs_are_fine() {
    let cfg = cfg("%% s: \"if\" s | \"if\" s \"else\" s | NAME ;", NAMES);
    let text = format!("{}x else y", "if ".repeat(10_000));
    check_tree(&cfg.parse(text.as_bytes()).unwrap(), text.as_bytes());
}
