//! Small parts of a text replaced by similar ones.
//!
//! Removing a part mostly leaves a text that cannot run: the value that it computed is missing.
//! Replacing a part by a similar one mostly leaves a text that can run, and that does something
//! else at this place alone:
//!
//! ```text
//! if (size < limit)      if (size <= limit)     if (size >= limit)
//! copy(from, to)         copy(to, from)
//! items[place + 1]       items[place - 1]       items[place + 2]       items[place + 0]
//! ```
//!
//! The pairs of replacements are data; a part is found by the text of a token and by its place in
//! the tree, in the same way in all languages. The result may not be a text of the language, which
//! the caller has to check.

use std::ops::Range;

use crate::language::{Language, NodeRole};
use crate::tree::{NodeId, SyntaxTree};

/// A part of a text, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The replaced range.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
    /// How the two are related.
    pub kind: ReplacementKind,
}

/// The relation between a part and its replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplacementKind {
    /// A condition, and its contrary.
    Contrary,
    /// A comparison that includes the limit, and one that does not.
    Limit,
    /// Two operators between the same operands.
    Operator,
    /// Two arguments next to each other in the other order.
    Order,
    /// A number, and one less or one more.
    Number,
    /// True and false.
    Truth,
    /// Names or keywords for the two directions, ends or quantities of one thing.
    Twin,
}

/// Every kind there is.
pub const REPLACEMENT_KINDS: [ReplacementKind; 7] = [
    ReplacementKind::Contrary,
    ReplacementKind::Limit,
    ReplacementKind::Operator,
    ReplacementKind::Order,
    ReplacementKind::Number,
    ReplacementKind::Truth,
    ReplacementKind::Twin,
];

/// Comparisons and their opposites. Like all pairs below, they replace each other in the given
/// direction only, unless both directions are listed.
const CONTRARY: &[(&str, &str)] = &[
    ("==", "!="),
    ("!=", "=="),
    ("===", "!=="),
    ("!==", "==="),
    ("~=", "=="),
    ("is", "is not"),
    ("is not", "is"),
    ("in", "not in"),
    ("not in", "in"),
    ("<", ">="),
    (">=", "<"),
    (">", "<="),
    ("<=", ">"),
];

/// Comparisons that differ at the limit only.
const LIMITS: &[(&str, &str)] = &[("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")];

/// Operators that take the same operands.
const OPERATORS: &[(&str, &str)] = &[
    ("and", "or"),
    ("or", "and"),
    ("&&", "||"),
    ("||", "&&"),
    ("||", "??"),
    ("??", "||"),
    ("+", "-"),
    ("-", "+"),
    ("*", "/"),
    ("/", "*"),
    ("//", "/"),
    ("%", "/"),
    ("&", "|"),
    ("|", "&"),
    ("<<", ">>"),
    (">>", "<<"),
    ("+=", "-="),
    ("-=", "+="),
    ("+=", "="),
    ("-=", "="),
    ("*=", "/="),
    ("/=", "*="),
    ("|=", "&="),
    ("&=", "|="),
    ("++", "--"),
    ("--", "++"),
    ("..", "..="),
    ("..=", ".."),
];

/// Names and keywords that replace each other. Only such as are common in more than one library.
const TWINS: &[(&str, &str)] = &[
    ("break", "continue"),
    ("min", "max"),
    ("any", "all"),
    ("some", "every"),
    ("first", "last"),
    ("left", "right"),
    ("start", "end"),
    ("begin", "end"),
    ("before", "after"),
    ("prev", "next"),
    ("previous", "next"),
    ("head", "tail"),
    ("lower", "upper"),
    ("width", "height"),
    ("row", "column"),
    ("key", "value"),
    ("keys", "values"),
    ("floor", "ceil"),
    ("append", "extend"),
    ("append", "prepend"),
    ("push", "unshift"),
    ("pop", "shift"),
    ("push_front", "push_back"),
    ("pop_front", "pop_back"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("split", "rsplit"),
    ("partition", "rpartition"),
    ("lstrip", "rstrip"),
    ("ljust", "rjust"),
    ("startswith", "endswith"),
    ("startsWith", "endsWith"),
    ("starts_with", "ends_with"),
    ("indexOf", "lastIndexOf"),
    ("trimStart", "trimEnd"),
    ("trim_start", "trim_end"),
    ("padStart", "padEnd"),
    ("toLowerCase", "toUpperCase"),
    ("to_lowercase", "to_uppercase"),
    ("to_ascii_lowercase", "to_ascii_uppercase"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("match", "fullmatch"),
    ("match", "search"),
    ("getattr", "hasattr"),
    ("isinstance", "issubclass"),
];

/// Values that are true or false.
const TRUTHS: &[(&str, &str)] =
    &[("true", "false"), ("false", "true"), ("True", "False"), ("False", "True")];

/// Kinds of arguments that are bound to a name or stand for several, by a part of the kind's name.
const BOUND: [&str; 5] = ["keyword", "named", "splat", "spread", "comment"];

/// Bytes of a line that is searched. A longer line was made by a machine.
const LONGEST_LINE: usize = 300;

/// Returns the replacements of parts that begin at a wanted place, in the order of places.
pub fn replacements(tree: &SyntaxTree, is_wanted: impl Fn(usize) -> bool) -> Vec<Replacement> {
    let negation = negation_of(tree.language());
    let finder = Finder { tree, negation };
    let mut found = Vec::new();
    for id in tree.ids() {
        let node = tree.node(id);
        if is_wanted(node.range().start) && !node.has_errors() {
            finder.add(id, &mut found);
        }
    }
    found.retain(|it| it.range.len() <= LONGEST_LINE);
    found.sort_by_key(|it| (it.range.start, it.range.end));
    found
}

/// Returns the text before a condition that makes it the opposite: a word or a sign of the
/// language.
fn negation_of(language: &Language) -> &'static str {
    let is_word = |kind| !language.is_named(kind) && language.kind_name(kind) == "not";
    if language.kinds().any(is_word) { "not " } else { "!" }
}

struct Finder<'a> {
    tree: &'a SyntaxTree,
    negation: &'static str,
}

impl Finder<'_> {
    fn add(&self, id: NodeId, found: &mut Vec<Replacement>) {
        let Some(word) = self.word(id) else { return };
        let tree = self.tree;
        let mut put = |kind, range: Range<usize>, text: String| {
            found.push(Replacement { range, text, kind });
        };
        let range = || tree.node(id).range();
        let others = |pairs: &'static [(&str, &str)]| {
            pairs.iter().filter(move |(this, _)| *this == word).map(|(_, that)| (*that).to_owned())
        };
        if !tree.node(id).is_named() {
            if self.is_operator(id) {
                for (pairs, kind) in [
                    (CONTRARY, ReplacementKind::Contrary),
                    (LIMITS, ReplacementKind::Limit),
                    (OPERATORS, ReplacementKind::Operator),
                ] {
                    others(pairs).for_each(|text| put(kind, range(), text));
                }
            }
        } else if let Some(text) = self.contrary(id, word) {
            put(ReplacementKind::Contrary, range(), text);
        } else if self.is_arguments(id) {
            self.add_orders(id, found);
            return;
        }
        if !tree.is_leaf(id) {
            return;
        }
        others(TRUTHS).for_each(|text| put(ReplacementKind::Truth, range(), text));
        let is_name = tree.role(id) != Some(NodeRole::String);
        for &(this, that) in TWINS.iter().filter(|_| is_name) {
            if this == word || that == word {
                let other = if this == word { that } else { this };
                put(ReplacementKind::Twin, range(), other.to_owned());
            }
        }
        if let (Some(NodeRole::Number), Ok(number)) = (tree.role(id), word.parse::<u64>()) {
            let texts = [number.checked_sub(1), number.checked_add(1)].into_iter().flatten();
            texts.for_each(|it| put(ReplacementKind::Number, range(), it.to_string()));
        }
    }

    /// Whether a token stands between two operands.
    fn is_operator(&self, id: NodeId) -> bool {
        let Some(parent) = self.tree.parent(id) else { return false };
        let is_named = |it: &NodeId| self.tree.node(*it).is_named();
        let (mut before, mut is_after) = (false, false);
        for child in self.tree.children(parent) {
            if child == id {
                is_after = true;
            } else if is_after {
                return before && is_named(&child);
            } else {
                before = is_named(&child);
            }
        }
        false
    }

    /// Returns the opposite of a condition that is no comparison itself.
    fn contrary(&self, id: NodeId, word: &str) -> Option<String> {
        let tree = self.tree;
        let parent = tree.parent(id)?;
        let before = tree.children(parent).take_while(|it| *it != id).last();
        let follows_if = before.is_some_and(|it| matches!(tree.text(it), b"if" | b"elif"));
        let kind_of = |id: NodeId| tree.language().kind_name(tree.node(id).kind());
        let field = tree.node(id).field().map(|it| tree.language().field_name(it));
        let is_loop = ["while", "for", "do"].iter().any(|it| kind_of(parent).starts_with(it));
        let is_let = kind_of(id).starts_with("let");
        if is_loop || is_let || !(follows_if || field == Some("condition")) {
            return None;
        }
        let inner = word.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        let is_wrapped = kind_of(id).contains("parenthesized") || kind_of(id).contains("clause");
        let holds = match inner.filter(|_| is_wrapped) {
            Some(_) => tree.children(id).find(|it| tree.node(*it).is_named())?,
            None => id,
        };
        let is_comparison = tree.children(holds).count() == 3
            && tree.children(holds).nth(1).is_some_and(|sign| {
                let sign = self.word(sign).unwrap_or_default();
                CONTRARY.iter().any(|(this, _)| *this == sign)
            });
        if is_comparison {
            return None;
        }
        let not = self.negation;
        Some(match inner.filter(|_| is_wrapped) {
            Some(inner) => format!("({not}({inner}))"),
            None => format!("{not}({word})"),
        })
    }

    fn is_arguments(&self, id: NodeId) -> bool {
        let language = self.tree.language();
        let field = self.tree.node(id).field();
        field.is_some_and(|field| language.field_name(field) == "arguments")
    }

    /// Adds the arguments of a call with two neighbours in the other order.
    fn add_orders(&self, id: NodeId, found: &mut Vec<Replacement>) {
        let tree = self.tree;
        let is_argument = |it: &NodeId| tree.node(*it).is_named() && !tree.node(*it).is_extra();
        let arguments: Vec<NodeId> = tree.children(id).filter(is_argument).collect();
        let is_bound = |it: NodeId| {
            let kind = tree.language().kind_name(tree.node(it).kind());
            BOUND.iter().any(|bound| kind.contains(bound))
        };
        for pair in arguments.windows(2) {
            let (one, other) = (pair[0], pair[1]);
            if is_bound(one) || is_bound(other) || tree.text(one) == tree.text(other) {
                continue;
            }
            let [before, after] = [one, other].map(|it| tree.node(it).range());
            let between = std::str::from_utf8(&tree.source()[before.end..after.start]);
            if let (Some(first), Some(second), Ok(between)) =
                (self.word(one), self.word(other), between)
            {
                found.push(Replacement {
                    range: before.start..after.end,
                    text: format!("{second}{between}{first}"),
                    kind: ReplacementKind::Order,
                });
            }
        }
    }

    fn word(&self, id: NodeId) -> Option<&str> {
        std::str::from_utf8(self.tree.text(id)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    /// Compares the text after each replacement, without those that are no text of the language.
    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let language = Language::by_name(language).unwrap();
        let tree = parse(&language, text.as_bytes());
        assert!(!tree.has_errors(), "{text}");
        let found = replacements(&tree, |_| true);
        let with =
            |it: &Replacement| [&text[..it.range.start], &it.text, &text[it.range.end..]].concat();
        let mut texts: Vec<String> = found.iter().map(with).collect();
        texts.retain(|text| !parse(&language, text.as_bytes()).has_errors());
        assert_eq!(texts, expected);
    }

    #[test]
    fn comparisons_are_exchanged_with_their_neighbours() {
        check("python", "a < b\n", &["a >= b\n", "a <= b\n"]);
        check("python", "a is not b\n", &["a is b\n"]);
        check("python", "a not in b\n", &["a in b\n"]);
        check("javascript", "a || b;", &["a && b;", "a ?? b;"]);
        check("rust", "fn f() { a..b }", &["fn f() { a..=b }"]);
    }

    #[test]
    fn a_condition_is_negated_unless_its_comparison_can_be() {
        check("python", "if a:\n    b()\n", &["if not (a):\n    b()\n"]);
        check("python", "x = a if b else c\n", &["x = a if not (b) else c\n"]);
        check("javascript", "if (a) b();", &["if (!(a)) b();"]);
        check("javascript", "if (a == b) c();", &["if (a != b) c();"]);
        check("javascript", "a ? b : c;", &["!(a) ? b : c;"]);
        check("c", "int f() { if (a) b(); }", &["int f() { if (!(a)) b(); }"]);
        check("rust", "fn f() { if let Some(a) = b {} }", &[]);
        check("python", "while a:\n    b()\n", &[]);
    }

    #[test]
    fn neighbouring_arguments_change_places() {
        check("python", "f(a, *b)\n", &[]);
        check("python", "f(a, b, c=d)\n", &["f(b, a, c=d)\n"]);
        check("rust", "fn f() { g(a, b, c) }", &["fn f() { g(b, a, c) }", "fn f() { g(a, c, b) }"]);
        check("java", "class A { int f() { return g(a, a); } }", &[]);
    }

    #[test]
    fn constants_and_names_are_exchanged_with_their_neighbours() {
        check("python", "x = 1\n", &["x = 0\n", "x = 2\n"]);
        check("python", "x = '1'\n", &[]);
        check("python", "x = True\n", &["x = False\n"]);
        check("javascript", "a.min();", &["a.max();"]);
        check(
            "go",
            "package a\nfunc f() { for { break } }",
            &["package a\nfunc f() { for { continue } }"],
        );
    }

    #[test]
    fn signs_of_types_are_no_operators() {
        check("rust", "fn f(a: Vec<u8>, b: &u8) -> *const u8 { c }", &[]);
    }
}
