//! Where two tokens meet: whether white space has to keep them apart.
//!
//! Words and numbers next to each other run together, and so do signs that would begin a longer
//! sign of the grammar (`+` and `+`, `/` and `*`). A space too many does no harm; where the grammar
//! allows no white space between tokens none is ever put there.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::pattern;
use super::{Expr, Grammar};

/// The rules of a grammar about neighbouring tokens.
#[derive(Clone, Debug)]
pub struct Joints {
    /// Invisible text that may stand between tokens: a space, a line break, or nothing.
    space: &'static str,
    /// The texts with which tokens are, or begin.
    signs: BTreeSet<String>,
}

impl Joints {
    /// Collects what `grammar` says.
    pub fn new(grammar: &Grammar) -> Self {
        let may_be_between =
            |text: &&str| grammar.extras.iter().any(|extra| is(grammar, extra, text, 0));
        let space = [" ", "\n"].into_iter().find(may_be_between).unwrap_or("");
        let mut signs = BTreeSet::new();
        for expr in grammar.rules.iter().map(|rule| &rule.body).chain(&grammar.extras) {
            collect_signs(expr, &mut signs);
        }
        Joints { space, signs }
    }

    /// Returns what has to stand between two texts so that they remain two tokens.
    pub fn between(&self, left: &str, right: &str) -> &'static str {
        if self.run_together(left, right) { self.space } else { "" }
    }

    fn run_together(&self, left: &str, right: &str) -> bool {
        let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else {
            return false;
        };
        if is_word(last) && is_word(first) {
            return true;
        }
        if last.is_ascii_digit() && first == '.' || last == '.' && first.is_ascii_digit() {
            return true;
        }
        self.signs
            .range::<str, _>((Bound::Included(left), Bound::Unbounded))
            .map_while(|sign| sign.strip_prefix(left))
            .any(|more| !more.is_empty() && (more.starts_with(right) || right.starts_with(more)))
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Says whether `expr` can be just `text`. Looks through a few rules only: white space is near.
fn is(grammar: &Grammar, expr: &Expr, text: &str, depth: usize) -> bool {
    let is = |expr: &Expr| is(grammar, expr, text, depth + 1);
    match expr {
        _ if depth > 8 => false,
        Expr::Text(own) => own == text,
        Expr::Pattern(pattern) => pattern::matches(pattern, text),
        Expr::Rule(id) => is(&grammar.rule(*id).body),
        Expr::Choice(parts) => parts.iter().any(is),
        Expr::Token(body)
        | Expr::Immediate(body)
        | Expr::Repeat(body)
        | Expr::Repeat1(body)
        | Expr::Alias { body, .. } => is(body),
        Expr::Empty | Expr::External(_) | Expr::Seq(_) => false,
    }
}

fn collect_signs(expr: &Expr, signs: &mut BTreeSet<String>) {
    match expr {
        Expr::Text(text) => {
            signs.insert(text.clone());
        }
        // A later part of a token begins no token.
        Expr::Token(body) => match &**body {
            Expr::Seq(parts) => parts.first().into_iter().for_each(|part| {
                collect_signs(&Expr::Token(Box::new(part.clone())), signs);
            }),
            Expr::Choice(parts) => {
                for part in parts {
                    collect_signs(&Expr::Token(Box::new(part.clone())), signs);
                }
            }
            body => collect_signs(body, signs),
        },
        expr => expr.parts().iter().for_each(|part| collect_signs(part, signs)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joints(extras: &str) -> Joints {
        let text = format!(
            "grammar g\nextras {extras}\n\
             all = (\"+\" | \"++\" | \"-\" | \"->\" | \">\" | \"(\" | word)*\n\
             word = /[a-z]+/\ncomment = {{\"//\" /.*/}}\n"
        );
        Joints::new(&text.parse().unwrap())
    }

    #[test]
    fn words_next_to_each_other_are_kept_apart() {
        let joints = joints(r"/\s/");
        assert_eq!(joints.between("a", "b"), " ");
        assert_eq!(joints.between("int", "0"), " ");
        assert_eq!(joints.between("a", "("), "");
        assert_eq!(joints.between("", "a"), "");
    }

    #[test]
    fn signs_that_would_make_a_longer_sign_are_kept_apart() {
        let joints = joints(r"/\s/ comment");
        assert_eq!(joints.between("+", "+"), " ");
        assert_eq!(joints.between("-", ">"), " ");
        assert_eq!(joints.between("/", "/"), " ");
        assert_eq!(joints.between("-", "("), "");
        assert_eq!(joints.between("0", "."), " ");
    }

    #[test]
    fn nothing_is_put_where_the_grammar_allows_no_white_space() {
        assert_eq!(joints("").between("a", "b"), "");
        assert_eq!(joints(r"/\n/").between("a", "b"), "\n");
    }
}
