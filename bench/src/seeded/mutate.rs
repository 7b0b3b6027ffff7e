//! Faults that can be inserted into a text: each is one small edit within one line, found in the
//! syntax tree, and the text with it parses.
//!
//! Lines keep their numbers, so a place in the sound text is the same place in the faulty one.

use std::fmt;
use std::ops::Range;

use whodunit_syntax::language::Language;
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

/// The effect of a fault on a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mutation {
    ConditionNegated,
    OffByOne,
    StatementDropped,
    ArgumentsSwapped,
    ConstantChanged,
}

impl fmt::Display for Mutation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Mutation::ConditionNegated => "condition negated",
            Mutation::OffByOne => "off by one",
            Mutation::StatementDropped => "statement dropped",
            Mutation::ArgumentsSwapped => "arguments swapped",
            Mutation::ConstantChanged => "constant changed",
        })
    }
}

/// An edit that breaks the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) mutation: Mutation,
    /// The line it is in, from 1.
    pub(super) line: u32,
    /// The replaced bytes.
    range: Range<usize>,
    /// The replacement.
    text: String,
}

impl Fault {
    /// Returns a text with the fault in it.
    pub(super) fn put_into(&self, text: &[u8]) -> Vec<u8> {
        [&text[..self.range.start], self.text.as_bytes(), &text[self.range.end..]].concat()
    }

    /// Whether a text with the fault still parses.
    pub(super) fn leaves_a_program(&self, language: &Language, text: &[u8]) -> bool {
        parses(language, &self.put_into(text))
    }
}

/// Bytes of a line that may get a fault. A longer line was made by a machine, so no reader of an
/// answer looks at it.
const LONGEST_LINE: usize = 200;

/// Returns the faults that can be inserted into a text, in the order of their places; empty if its
/// language is unknown here, or if it does not parse.
pub(super) fn faults(language: &Language, text: &[u8]) -> Vec<Fault> {
    let Some(words) = WORDS.iter().find(|words| words.language == language.name()) else {
        return Vec::new();
    };
    let tree = parse(language, text);
    if tree.has_errors() {
        return Vec::new();
    }
    let finder = Finder { tree: &tree, words, text, lines: Lines::of(text) };
    let mut faults: Vec<Fault> = tree.ids().flat_map(|id| finder.at(id)).collect();
    faults.sort_by_key(|fault| (fault.range.start, fault.range.end, fault.mutation));
    faults
}

/// The names of the relevant nodes in a language.
struct Words {
    language: &'static str,
    /// Nodes with a field `condition`.
    branches: &'static [&'static str],
    not: &'static str,
    /// Nodes with an operator between two operands.
    operations: &'static [&'static str],
    /// Nodes that can be left out, with the text that replaces them.
    statements: &'static [&'static str],
    nothing: &'static str,
    arguments: &'static str,
    /// Arguments that cannot be swapped with others.
    bound_arguments: &'static [&'static str],
    number: &'static str,
    /// Nodes whose numbers count or index something.
    places: &'static [&'static str],
    /// The text between the quotes of a string.
    characters: &'static str,
    truths: [&'static str; 2],
}

const WORDS: [Words; 3] = [
    Words {
        language: "python",
        branches: &["if_statement", "elif_clause"],
        not: "not ",
        operations: &["comparison_operator", "boolean_operator"],
        statements: &["expression_statement", "return_statement", "raise_statement"],
        nothing: "pass",
        arguments: "argument_list",
        bound_arguments: &["keyword_argument", "list_splat", "dictionary_splat", "comment"],
        number: "integer",
        places: &["binary_operator", "comparison_operator", "subscript", "slice", "argument_list"],
        characters: "string_content",
        truths: ["True", "False"],
    },
    Words {
        language: "javascript",
        branches: &["if_statement", "ternary_expression"],
        not: "!",
        operations: &["binary_expression"],
        statements: &["expression_statement", "return_statement", "throw_statement"],
        nothing: ";",
        arguments: "arguments",
        bound_arguments: &["spread_element", "comment"],
        number: "number",
        places: &["binary_expression", "subscript_expression", "arguments"],
        characters: "string_fragment",
        truths: ["true", "false"],
    },
    Words {
        language: "rust",
        branches: &["if_expression"],
        not: "!",
        operations: &["binary_expression"],
        statements: &["expression_statement"],
        nothing: ";",
        arguments: "arguments",
        bound_arguments: &["attribute_item", "line_comment", "block_comment"],
        number: "integer_literal",
        places: &["binary_expression", "index_expression", "arguments", "range_expression"],
        characters: "string_content",
        truths: ["true", "false"],
    },
];

/// Operators with opposite meanings.
const CONTRARY: [[&str; 2]; 5] =
    [["==", "!="], ["===", "!=="], ["and", "or"], ["&&", "||"], ["is", "is not"]];
/// Operators that differ only at the limit.
const LIMITS: [[&str; 2]; 2] = [["<", "<="], [">", ">="]];

struct Finder<'a> {
    tree: &'a SyntaxTree,
    words: &'a Words,
    text: &'a [u8],
    lines: Lines,
}

impl Finder<'_> {
    /// Returns the faults of one node.
    fn at(&self, id: NodeId) -> Vec<Fault> {
        let kind = self.kind(id);
        let parent = self.tree.parent(id).map_or("", |parent| self.kind(parent));
        let found = [
            self.condition(id, kind, parent),
            self.operator(id, parent),
            self.statement(id, kind),
            self.arguments(id, kind),
            self.constant(id, kind, parent),
        ];
        found.into_iter().flatten().collect()
    }

    fn condition(&self, id: NodeId, kind: &str, parent: &str) -> Option<Fault> {
        let field = self.tree.node(id).field()?;
        let is_meant = self.tree.language().field_name(field) == "condition"
            && self.words.branches.contains(&parent)
            && !kind.starts_with("let");
        let (not, text) = (self.words.not, self.word(id)?);
        let negated = match kind {
            "parenthesized_expression" => format!("({not}{text})"),
            _ => format!("{not}({text})"),
        };
        is_meant.then(|| self.fault(Mutation::ConditionNegated, self.range(id), negated))?
    }

    fn operator(&self, id: NodeId, parent: &str) -> Option<Fault> {
        if !self.words.operations.contains(&parent) || self.tree.node(id).is_named() {
            return None;
        }
        let word = self.word(id)?;
        let other = |pairs: &[[&'static str; 2]]| {
            pairs.iter().find_map(|[one, other]| match word {
                word if word == *one => Some(*other),
                word if word == *other => Some(*one),
                _ => None,
            })
        };
        let limit = other(&LIMITS).map(|other| (Mutation::OffByOne, other));
        let contrary = || other(&CONTRARY).map(|other| (Mutation::ConditionNegated, other));
        let (mutation, other) = limit.or_else(contrary)?;
        self.fault(mutation, self.range(id), other.to_owned())
    }

    fn statement(&self, id: NodeId, kind: &str) -> Option<Fault> {
        // A string as a statement is a comment, or an instruction to the compiler.
        let is_string = |child: NodeId| self.kind(child) == "string";
        let is_meant = self.words.statements.contains(&kind)
            && !self.tree.children(id).next().is_some_and(is_string);
        let nothing = self.words.nothing.to_owned();
        is_meant.then(|| self.fault(Mutation::StatementDropped, self.range(id), nothing))?
    }

    fn arguments(&self, id: NodeId, kind: &str) -> Option<Fault> {
        if kind != self.words.arguments {
            return None;
        }
        let is_named = |child: &NodeId| self.tree.node(*child).is_named();
        let mut arguments = self.tree.children(id).filter(is_named);
        let (first, second) = (arguments.next()?, arguments.next()?);
        let is_bound = |id| self.words.bound_arguments.contains(&self.kind(id));
        if is_bound(first) || is_bound(second) || self.word(first) == self.word(second) {
            return None;
        }
        let (before, after) = (self.range(first), self.range(second));
        let between = std::str::from_utf8(&self.text[before.end..after.start]).ok()?;
        let swapped = format!("{}{between}{}", self.word(second)?, self.word(first)?);
        self.fault(Mutation::ArgumentsSwapped, before.start..after.end, swapped)
    }

    fn constant(&self, id: NodeId, kind: &str, parent: &str) -> Option<Fault> {
        let word = self.word(id)?;
        let [yes, no] = self.words.truths;
        let (mutation, text) = if kind == self.words.number {
            let number: u64 = word.parse().ok()?;
            match self.words.places.contains(&parent) {
                true => (Mutation::OffByOne, number.checked_add(1)?.to_string()),
                // Not one more, which would be off by one.
                false => (Mutation::ConstantChanged, number.checked_add(3)?.to_string()),
            }
        } else if kind == self.words.characters && self.is_used(id) {
            (Mutation::ConstantChanged, format!("{word}x"))
        } else if self.tree.is_leaf(id) && [yes, no].contains(&word) {
            (Mutation::ConstantChanged, if word == yes { no } else { yes }.to_owned())
        } else {
            return None;
        };
        self.fault(mutation, self.range(id), text)
    }

    /// Whether the string of these characters is more than a comment.
    fn is_used(&self, characters: NodeId) -> bool {
        let string = self.tree.parent(characters);
        let user = string.and_then(|string| self.tree.parent(string));
        user.is_some_and(|user| self.kind(user) != "expression_statement")
    }

    /// Returns a fault, if it is within one line of hand-written length, and changes it.
    fn fault(&self, mutation: Mutation, range: Range<usize>, text: String) -> Option<Fault> {
        let (line, length) = self.lines.at(range.start);
        let is_one = self.lines.at(range.end).0 == line && length <= LONGEST_LINE;
        let changes = self.text[range.clone()] != *text.as_bytes();
        (is_one && changes).then_some(Fault { mutation, line, range, text })
    }

    fn kind(&self, id: NodeId) -> &str {
        self.tree.language().kind_name(self.tree.node(id).kind())
    }

    fn range(&self, id: NodeId) -> Range<usize> {
        self.tree.node(id).range()
    }

    fn word(&self, id: NodeId) -> Option<&str> {
        std::str::from_utf8(self.tree.text(id)).ok()
    }
}

/// Where the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &[u8]) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1));
        Lines(starts.chain([text.len() + 1]).collect())
    }

    /// Returns the line of a place, from 1, and its length.
    pub(super) fn at(&self, place: usize) -> (u32, usize) {
        let line = self.0.partition_point(|&start| start <= place).min(self.0.len() - 1);
        (u32::try_from(line).unwrap_or(u32::MAX), self.0[line] - self.0[line - 1] - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line of each fault, with the fault in it.
    fn drawn(language: &str, text: &str) -> Vec<String> {
        let language = Language::by_name(language).unwrap();
        let line = |fault: Fault| {
            assert!(fault.leaves_a_program(&language, text.as_bytes()), "{fault:?}");
            let faulty = String::from_utf8(fault.put_into(text.as_bytes())).unwrap();
            assert_eq!(faulty.lines().count(), text.lines().count());
            let line = faulty.lines().nth(fault.line as usize - 1).unwrap().trim().to_owned();
            format!("{}: {line}", fault.mutation)
        };
        faults(&language, text.as_bytes()).into_iter().map(line).collect()
    }

    #[test]
    fn python() {
        let text =
            "def f(a, b):\n    \"\"\"Says.\"\"\"\n    if a < b:\n        g(b, a)\n    return 'c'\n";
        assert_eq!(
            drawn("python", text),
            [
                "condition negated: if not (a < b):",
                "off by one: if a <= b:",
                "statement dropped: pass",
                "arguments swapped: g(a, b)",
                "statement dropped: pass",
                "constant changed: return 'cx'",
            ]
        );
    }

    #[test]
    fn javascript() {
        let text =
            "'use strict';\nif (a === b || !c)\n  x[0] = f(a, ...b);\nreturn_ = true ? 7 : 8;\n";
        assert_eq!(
            drawn("javascript", text),
            [
                "condition negated: if (!(a === b || !c))",
                "condition negated: if (a !== b || !c)",
                "condition negated: if (a === b && !c)",
                "statement dropped: ;",
                "off by one: x[1] = f(a, ...b);",
                "statement dropped: ;",
                "condition negated: return_ = !(true) ? 7 : 8;",
                "constant changed: return_ = false ? 7 : 8;",
                "constant changed: return_ = true ? 10 : 8;",
                "constant changed: return_ = true ? 7 : 11;",
            ]
        );
    }

    #[test]
    fn rust() {
        let text = "fn f(a: Vec<u8>) {\n    if a.len() > 2 {\n        g(1, a);\n    }\n    if let Some(x) = h() {}\n}\n";
        assert_eq!(
            drawn("rust", text),
            [
                "condition negated: if !(a.len() > 2) {",
                "off by one: if a.len() >= 2 {",
                "off by one: if a.len() > 3 {",
                "statement dropped: ;",
                "off by one: g(2, a);",
                "arguments swapped: g(a, 1);",
                "statement dropped: ;",
            ]
        );
    }

    #[test]
    fn what_takes_several_lines_or_a_line_of_a_machine_is_left_alone() {
        assert_eq!(drawn("python", "f(\n    a,\n    b,\n)\n"), [""; 0]);
        assert_eq!(drawn("javascript", &format!("a = {:300};\n", 1)), [""; 0]);
    }

    #[test]
    fn a_text_that_does_not_parse_has_no_faults() {
        assert_eq!(drawn("python", "if a < b\n    g(1, 2)\n"), [""; 0]);
    }

    #[test]
    fn places_are_in_lines() {
        let lines = Lines::of(b"ab\n\nc");
        assert_eq!(
            [0, 2, 3, 4, 5].map(|place| lines.at(place)),
            [(1, 2), (1, 2), (2, 0), (3, 1), (3, 1)]
        );
    }
}
