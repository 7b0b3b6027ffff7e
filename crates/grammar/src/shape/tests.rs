use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::kinds::Recursion;
use super::super::random::{self, Sentence, View};
use super::*;

const LIST: &str = "grammar list\n\
         extras /\\s/ comment\n\
         list = \"[\" (_item (\",\" _item)*)? \"]\"\n\
         _item ~ number | name | list\n\
         call = name list body?\n\
         body = \"{\" (_item \";\")* \"}\"\n\
         number = /[0-9]+/\n\
         name = /[a-z]+/\n\
         comment = {\"#\" /.*/}\n\
         typed = name:type name\n";

fn shapes(text: &str) -> Shapes {
    let grammar: Grammar = text.parse().unwrap();
    let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
    Shapes::new(grammar, &minimal)
}

/// Finds a kind: a named one if there is one of that name.
fn symbol(shapes: &Shapes, name: &str) -> KindId {
    shapes.symbol(name, true).or_else(|| shapes.symbol(name, false)).unwrap()
}

fn children(shapes: &Shapes, names: &str) -> Vec<Child> {
    let child = |name| match name {
        "comment" => Child::Extra,
        "HIDDEN" => Child::Hidden,
        "ERROR" => Child::Unknown,
        name => Child::Kind(symbol(shapes, name)),
    };
    names.split_whitespace().map(child).collect()
}

fn fit<'a>(shapes: &'a Shapes, node: &str, names: &str) -> Fit<'a> {
    shapes.fit(symbol(shapes, node), &children(shapes, names))
}

#[test]
fn an_item_goes_with_its_comma() {
    let shapes = shapes(LIST);
    let fit = fit(&shapes, "list", "[ number , name , list ]");
    assert!(fit.is_understood());
    assert_eq!(fit.goes_with(1), Some(1..3));
    assert_eq!(fit.goes_with(3), Some(3..5));
    assert_eq!(fit.goes_with(5), Some(4..6), "the last one goes with the comma before it");
    assert_eq!(fit.goes_with(0), None);
    assert!(fit.may_go(1..6), "all items with all commas");
    assert!(!fit.may_go(1..4), "a comma would be left at the front");
    assert_eq!(fit.goes_with(2), Some(2..4));
    assert_eq!(fit.goes_with(6), None);
}

#[test]
fn an_only_child_of_a_fixed_place_can_only_be_replaced() {
    let shapes = shapes(LIST);
    let fit = fit(&shapes, "call", "name list body");
    assert_eq!((fit.goes_with(0), fit.minimal(0).map(Phrase::text)), (None, Some("a")));
    assert_eq!((fit.goes_with(1), fit.minimal(1).map(Phrase::text)), (None, Some("[]")));
    assert_eq!(fit.goes_with(2), Some(2..3));
}

#[test]
fn the_shortest_text_of_a_place_is_of_whatever_kind_fits_there() {
    let shapes = shapes(LIST);
    let fit = fit(&shapes, "list", "[ list ]");
    assert_eq!(fit.minimal(1).map(Phrase::text), Some("0"));
    assert_eq!(shapes.minimal(symbol(&shapes, "list")).map(Phrase::text), Some("[]"));
    let kinds: Vec<&str> = fit.kinds_at(1).into_iter().map(|kind| shapes.name(kind).0).collect();
    assert_eq!(kinds, ["list", "number", "name"]);
}

#[test]
fn comments_may_always_go_and_are_in_nobodys_way() {
    let shapes = shapes(LIST);
    let fit = fit(&shapes, "list", "[ comment number comment , name ]");
    assert!(fit.is_understood());
    assert_eq!(fit.goes_with(1), Some(1..2));
    assert_eq!(fit.goes_with(2), Some(2..5));
    assert!(fit.may_go(2..5) && fit.may_go(1..2) && fit.may_go(3..4));
}

#[test]
fn of_children_with_errors_everything_may_go_and_nothing_is_promised() {
    let shapes = shapes(LIST);
    for names in ["[ ERROR ]", "[ number number ]"] {
        let fit = fit(&shapes, "list", names);
        assert!(!fit.is_understood());
        assert_eq!(fit.goes_with(0), Some(0..1));
        assert!(fit.may_go(0..3));
        assert!(fit.minimal(1).is_none());
    }
}

#[test]
fn a_hidden_token_is_counted_on_only_where_it_can_have_been_before() {
    let shapes = shapes(
        "grammar g\nextras /\\s/\n\
             line = name (\";\" | $_line_end)\n\
             lines = (name $_line_end)*\n\
             quoted = (/b'/ | \"'\") name? \"'\"\n\
             name = /[a-z]+/\n",
    );
    assert_eq!(fit(&shapes, "line", "name ;").goes_with(1), None);
    assert_eq!(fit(&shapes, "lines", "name name").goes_with(0), Some(0..1));
    let lines = fit(&shapes, "line", "name HIDDEN");
    assert_eq!(lines.goes_with(1), None, "what ends the line has to be there");
    let quoted = fit(&shapes, "quoted", "' name '");
    assert!(!quoted.may_go(1..3), "the quote that is left is no beginning without a letter");
    assert!(fit(&shapes, "quoted", "name '").is_understood());
}

#[test]
fn recursion_through_hidden_rules_is_followed() {
    let shapes = shapes(
        "grammar g\nextras /\\s/\n\
             left = _left\n\
             _left ~ _left \",\" name | name\n\
             right = _right\n\
             _right ~ name \",\" _right | name\n\
             nested = _nested\n\
             _nested ~ \"(\" _nested \")\" | name\n\
             mixed = _a\n\
             _a ~ \"a\" _b | \"c\"\n\
             _b ~ _b \"b\" | \"d\"\n\
             name = /[a-z]+/\n",
    );
    for node in ["left", "right"] {
        let fit = fit(&shapes, node, "name , name , name");
        assert_eq!(fit.goes_with(2), Some(2..4), "{node}");
        assert!(!fit.may_go(2..3), "{node}");
    }
    assert!(fit(&shapes, "nested", "( ( name ) )").is_understood());
    assert!(!fit(&shapes, "nested", "( ( name )").is_understood());
    assert!(fit(&shapes, "mixed", "a d b b").is_understood());
    assert!(!fit(&shapes, "mixed", "c b").is_understood());
}

#[test]
fn a_list_of_a_hundred_thousand_items_is_no_burden() {
    let shapes = shapes(LIST);
    let items = 100_000;
    let text = format!("[ {} name ]", "number , ".repeat(items - 1));
    let fit = fit(&shapes, "list", &text);
    assert!(fit.is_understood());
    for item in 0..items - 1 {
        assert_eq!(fit.goes_with(2 * item + 1), Some(2 * item + 1..2 * item + 3));
    }
}

fn legal(shapes: &Shapes, word: &[String]) -> bool {
    let names = word.iter().map(|name| Child::Kind(symbol(shapes, name)));
    shapes.fit(symbol(shapes, "r0"), &names.collect::<Vec<_>>()).is_understood()
}

proptest! {
    #[test]
    fn answers_are_those_of_trying_every_sequence(grammar in random::grammars()) {
        const LONGEST: usize = 4;
        let words = random::derived(&grammar, View::Children, LONGEST).swap_remove(0);
        let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
        let shapes = Shapes::new(grammar, &minimal);
        let alphabet: Vec<String> = (0..shapes.kinds.count() as u32)
            .map(|kind| shapes.name(KindId(kind)).0.to_owned())
            .collect();
        // Recursion in the middle is followed so far and no further.
        let mut rules = shapes.grammar().ids();
        let exact = rules.all(|rule| shapes.kinds.recursion(rule) != Recursion::Middle);
        let agree = |claimed: bool, word: &[String]| {
            claimed == words.contains(word) || !exact && !claimed
        };
        let mut sequences: Vec<Sentence> = vec![Vec::new()];
        for _ in 0..3 {
            for sequence in sequences.clone() {
                for name in &alphabet {
                    sequences.push([sequence.as_slice(), std::slice::from_ref(name)].concat());
                }
            }
        }
        for sequence in &sequences {
            prop_assert!(agree(legal(&shapes, sequence), sequence), "{:?}", sequence);
        }
        for word in &words {
            let names: Vec<Child> =
                word.iter().map(|name| Child::Kind(symbol(&shapes, name))).collect();
            let fit = shapes.fit(symbol(&shapes, "r0"), &names);
            if !fit.is_understood() {
                continue;
            }
            for from in 0..word.len() {
                for to in from + 1..=word.len() {
                    let rest = [&word[..from], &word[to..]].concat();
                    prop_assert!(agree(fit.may_go(from..to), &rest));
                }
                for name in &alphabet {
                    let mut other = word.clone();
                    other[from] = name.clone();
                    let kind = symbol(&shapes, name);
                    prop_assert!(agree(fit.kinds_at(from).contains(&kind), &other));
                }
            }
        }
    }
}
