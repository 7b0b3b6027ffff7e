//! Random grammars against a checker that knows nothing of Earley.

use proptest::prelude::*;
use whodunit_grammar::arena::{Arena, NodeId};
use whodunit_grammar::cfg::{CfgKind, KindOf, Part, Separators};
use whodunit_grammar::{Expr, Grammar, Rule, RuleId};

use crate::drawing::{check_tree, drawing, read};

const RULES: u32 = 4;

/// Where the sentences of every rule can end, by where they begin; grown until nothing changes.
struct Brute<'a> {
    text: &'a [String],
    /// By rule and start, the ends as bits.
    ends: Vec<Vec<u32>>,
}

impl<'a> Brute<'a> {
    fn new(grammar: &Grammar, text: &'a [String]) -> Self {
        let mut brute = Brute { text, ends: vec![vec![0; text.len() + 1]; grammar.rules.len()] };
        loop {
            let mut changed = false;
            for (place, rule) in grammar.rules.iter().enumerate() {
                for start in 0..=text.len() {
                    let ends = brute.ends_of(&rule.body, start);
                    changed |= ends != brute.ends[place][start];
                    brute.ends[place][start] = ends;
                }
            }
            if !changed {
                return brute;
            }
        }
    }

    fn ends_of(&self, body: &Expr, start: usize) -> u32 {
        match body {
            Expr::Empty => 1 << start,
            Expr::Text(text) => {
                if self.text.get(start) == Some(text) {
                    2 << start
                } else {
                    0
                }
            }
            Expr::Rule(rule) => self.ends[rule.0 as usize][start],
            Expr::Seq(parts) => {
                parts.iter().fold(1 << start, |starts, part| self.from(part, starts))
            }
            Expr::Choice(parts) => {
                parts.iter().fold(0, |ends, part| ends | self.ends_of(part, start))
            }
            other => panic!("{other:?} is not generated"),
        }
    }

    fn from(&self, body: &Expr, starts: u32) -> u32 {
        let starts = (0..=self.text.len()).filter(|start| starts >> start & 1 != 0);
        starts.fold(0, |ends, start| ends | self.ends_of(body, start))
    }
}

/// Writes a grammar without repetition as a file: one alternative a line.
fn as_yacc(grammar: &Grammar) -> Option<String> {
    let mut text = "%%\n".to_owned();
    for rule in &grammar.rules {
        let alternatives = match &rule.body {
            Expr::Choice(alternatives) => alternatives.clone(),
            one => vec![one.clone()],
        };
        let mut lines = Vec::new();
        for alternative in alternatives {
            let mut words = Vec::new();
            let mut parts = vec![alternative];
            while let Some(part) = parts.pop() {
                match part {
                    Expr::Empty => {}
                    Expr::Seq(inner) => parts.extend(inner.into_iter().rev()),
                    Expr::Text(text) => words.push(format!("'{text}'")),
                    Expr::Rule(rule) => words.push(format!("r{}", rule.0)),
                    _ => return None,
                }
            }
            lines.push(words.join(" "));
        }
        text += &format!("{}: {};\n", rule.name, lines.join(" | "));
    }
    Some(text)
}

/// Returns grammars that a YACC file can hold.
fn plain_grammars() -> impl Strategy<Value = (Grammar, String)> {
    let symbol = prop_oneof![
        "[xyz]".prop_map(Expr::Text),
        (0..RULES).prop_map(|rule| Expr::Rule(RuleId(rule))),
    ];
    let alternative = prop::collection::vec(symbol, 0..4).prop_map(Expr::Seq);
    let body = prop::collection::vec(alternative, 1..4).prop_map(Expr::Choice);
    prop::collection::vec(body, RULES as usize).prop_filter_map("no repetition", |bodies| {
        let rule = |(place, body)| Rule { name: format!("r{place}"), visible: true, body };
        let rules = bodies.into_iter().enumerate().map(rule).collect();
        let grammar = Grammar { name: "random".to_owned(), rules, extras: Vec::new() };
        as_yacc(&grammar).map(|text| (grammar, text))
    })
}

/// Prints a tree without some items of one list; `kept` has a bit for each item.
fn without_items(tree: &Arena<CfgKind>, list: NodeId, side: Separators, kept: u32) -> Vec<u8> {
    let mut children: Vec<NodeId> = tree.children(list).collect();
    if side == Separators::After {
        children.reverse();
    }
    let part = |id: &NodeId| tree.node(*id).kind.part;
    let mut dropped = Vec::new();
    let (mut item, mut is_first) = (0, true);
    let mut separators = Vec::new();
    for id in children {
        match part(&id) {
            Part::Separator => separators.push(id),
            Part::Item => {
                let is_kept = kept >> item & 1 != 0;
                if !is_kept || is_first {
                    dropped.append(&mut separators);
                }
                if !is_kept {
                    dropped.push(id);
                }
                is_first &= !is_kept;
                separators.clear();
                item += 1;
            }
            Part::Base | Part::Only => {}
        }
    }
    tree.print_with(|id| dropped.contains(&id).then_some(&b""[..]))
}

proptest! {
    #[test]
    fn every_sentence_has_a_tree_that_prints_it_and_follows_the_grammar(
        (plain, grammar) in plain_grammars(),
        texts in prop::collection::vec("[xyz ]{0,8}", 12),
    ) {
        // Rules without a finite string are refused, and that is another test.
        if let Ok(cfg) = read(&grammar, "SKIP \\s+") {
            for text in &texts {
                let parsed = cfg.parse(text.as_bytes());
                let tokens: Vec<String> =
                    text.chars().filter(|token| *token != ' ').map(String::from).collect();
                let derivable = Brute::new(&plain, &tokens).ends[0][0] >> tokens.len() & 1 != 0;
                prop_assert_eq!(parsed.is_ok(), derivable, "{} {:?}", grammar, text);
                let Ok(tree) = parsed else { continue };
                check_tree(&tree, text.as_bytes());
                for id in tree.ids() {
                    let KindOf::Rule(rule) = tree.node(id).kind.of else { continue };
                    if tree.node(id).range.is_empty() {
                        continue;
                    }
                    let children: Option<Vec<Expr>> = tree.children(id).map(|child| {
                        match tree.node(child).kind.of {
                            KindOf::Rule(rule) | KindOf::List { rule, .. } => Some(Expr::Rule(rule)),
                            KindOf::Item(_) => None,
                            KindOf::Token(_) => {
                                let text = String::from_utf8_lossy(tree.bytes(child)).into_owned();
                                Some(Expr::Text(text))
                            }
                        }
                    }).collect();
                    let children = Expr::Seq(children.unwrap_or_default());
                    let alternatives = plain.rule(rule).body.parts();
                    prop_assert!(alternatives.contains(&children), "{} {:?}", grammar, text);
                }
                prop_assert_eq!(cfg.parse(text.as_bytes()).ok(), Some(tree));
            }
        }
    }

    #[test]
    fn any_items_of_a_list_can_go(
        (_, grammar) in plain_grammars(),
        texts in prop::collection::vec("[xyz]{1,10}", 12),
        kept: u32,
    ) {
        let Ok(cfg) = read(&grammar, "") else { return Ok(()) };
        for text in &texts {
            let Ok(tree) = cfg.parse(text.as_bytes()) else { continue };
            for list in tree.ids() {
                let kind = tree.node(list).kind.of;
                let KindOf::List { least, separators, .. } = kind else { continue };
                let is_item = |id: &NodeId| tree.node(*id).kind.part == Part::Item;
                let count = tree.children(list).filter(is_item).count();
                if ((kept & ((1 << count) - 1)).count_ones() as usize) < least {
                    continue;
                }
                let shorter = without_items(&tree, list, separators, kept);
                prop_assert!(
                    cfg.accepts(&shorter),
                    "{} {} {:?}", grammar, drawing(&cfg, &tree), String::from_utf8_lossy(&shorter)
                );
            }
        }
    }
}
