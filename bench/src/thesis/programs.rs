//! The programs, and the condition of their failures.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use whodunit_jobs::core::Verdict;
use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse::parse;
use whodunit_jobs::syntax::tree::SyntaxTree;

use super::nesting::{Sign, Wanted, kind, nests};

/// A program with its oracle.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The required nestings, each from the outside in.
    needed: &'static [&'static [Wanted]],
    names: Names,
}

/// The checks of an oracle for names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// A program that uses an undeclared name does not compile, nor does a function without
    /// parameters.
    Declared,
    /// No checks, as in the study of Java.
    Any,
}

const fn any(kind: &'static str) -> Wanted {
    Wanted { kind, sign: Sign::Any }
}

const fn with(kind: &'static str, token: &'static str) -> Wanted {
    Wanted { kind, sign: Sign::Token(token) }
}

const fn element(start: &'static str) -> Wanted {
    Wanted { kind: "element", sign: Sign::Begins(start) }
}

pub(super) const PROGRAMS: [Program; 4] = [
    // The loop of Figure 4.1: a sum that is a subscript, and a product with a sum.
    Program {
        name: "loop.c",
        text: include_str!("../../thesis/loop.c"),
        needed: &[
            &[
                any("function_definition"),
                any("for_statement"),
                with("assignment_expression", "="),
                with("binary_expression", "+"),
                with("binary_expression", "+"),
            ],
            &[
                any("function_definition"),
                any("for_statement"),
                with("assignment_expression", "="),
                with("binary_expression", "*"),
                any("parenthesized_expression"),
                with("binary_expression", "+"),
            ],
        ],
        names: Names::Declared,
    },
    // Many variables, and one deep expression with parentheses everywhere, like boom7.c.
    Program {
        name: "deep.c",
        text: include_str!("../../thesis/deep.c"),
        needed: &[&[
            any("function_definition"),
            any("cast_expression"),
            any("cast_expression"),
            with("assignment_expression", "="),
            with("binary_expression", ">"),
            with("assignment_expression", "="),
            with("binary_expression", "*"),
        ]],
        names: Names::Declared,
    },
    // A stylesheet with a call deep inside.
    Program {
        name: "tour.xsl",
        text: include_str!("../../thesis/tour.xsl"),
        needed: &[&[
            element("<xsl:template"),
            element("<xsl:if"),
            element("<xsl:for-each"),
            element("<xsl:call-template"),
            element("<xsl:with-param"),
        ]],
        names: Names::Any,
    },
    // A digest with a division by zero in its innermost expression.
    Program {
        name: "Sha1.java",
        text: include_str!("../../thesis/Sha1.java"),
        needed: &[&[
            any("class_declaration"),
            any("method_declaration"),
            Wanted { kind: "binary_expression", sign: Sign::Ends("/0") },
        ]],
        names: Names::Any,
    },
];

impl Program {
    pub(super) fn language(&self) -> Language {
        let language = Language::for_file(Path::new(self.name), self.text.as_bytes());
        language.expect("each program has a language")
    }

    /// Judges a text that parses.
    pub(super) fn judge(&self, text: &Arc<[u8]>) -> Verdict {
        let tree = parse(&self.language(), text.clone());
        if self.names == Names::Declared && !(has_parameters(&tree) && is_declared(&tree)) {
            return Verdict::Unresolved;
        }
        let fails = self.needed.iter().all(|wanted| nests(&tree, wanted));
        if fails { Verdict::Fail } else { Verdict::Pass }
    }
}

/// Returns whether all functions of a C program have a list of parameters. The grammar accepts
/// others too, no compiler does.
fn has_parameters(tree: &SyntaxTree) -> bool {
    let mut functions = tree.ids().filter(|&id| kind(tree, id) == "function_definition");
    functions.all(|id| tree.children(id).any(|part| kind(tree, part) == "function_declarator"))
}

/// Returns whether a C program declares every name that it uses, somewhere.
fn is_declared(tree: &SyntaxTree) -> bool {
    let mut declared = HashSet::new();
    let mut used = HashSet::new();
    for id in tree.ids().filter(|&id| kind(tree, id) == "identifier") {
        let above = tree.parent(id).map_or("", |parent| kind(tree, parent));
        let field = tree.node(id).field().map_or("", |field| tree.language().field_name(field));
        match (above, field) {
            ("preproc_def", _) | (_, "declarator") => declared.insert(tree.text(id)),
            _ => used.insert(tree.text(id)),
        };
    }
    used.is_subset(&declared)
}
