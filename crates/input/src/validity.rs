//! Whether a candidate may be asked about: whether every file of it is a sentence of its grammar, and
//! whether everything protected is still in it.
//!
//! An expression such as `^#include.*$` matches because of the text around it. Without the line
//! break before it, the text would no longer be protected, and the next step would remove it. So a
//! candidate has to match in the same way as the input.
//!
//! A parser may accept more than the language has; the profile of the language lists the further
//! demands of the language ([`Beyond`]).

use std::collections::HashMap;
use std::path::PathBuf;

use whodunit_syntax::language::{Beyond, Language};
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::tree::NodeId;

use super::languages::{Languages, Syntax};
use super::protect::Protection;
use super::snapshot::{InputFile, Snapshot};

/// The demands on every candidate.
#[derive(Debug)]
pub struct Validity {
    /// The grammars of the files, if only sentences are asked about.
    grammars: HashMap<PathBuf, (Syntax, Faults)>,
    /// The protected text of each file that has some.
    protected: HashMap<PathBuf, Vec<u8>>,
    protection: Protection,
}

/// The syntax errors of a text, as the parser of its language marks them: the texts of error nodes,
/// and the kinds of missing nodes. A parser does not know every dialect of its language, so an
/// input may have some and still be right; a candidate may have these, and no others.
type Faults = Vec<Vec<u8>>;

impl Validity {
    /// Reads the protected text of an input; `None` if there is none.
    pub fn protecting(base: &Snapshot, protection: &Protection) -> Option<Self> {
        let mut protected = HashMap::new();
        for file in base.files() {
            let shields = protection.shields(&file.bytes);
            if !shields.is_empty() {
                protected.insert(file.name.clone(), shields.text(&file.bytes));
            }
        }
        let (grammars, protection) = (HashMap::new(), protection.clone());
        (!protected.is_empty()).then_some(Validity { grammars, protected, protection })
    }

    /// Also takes the grammars of the files of an input. An error names a file that is no sentence
    /// of a grammar of the user's own; `None` if no file has a grammar.
    pub fn of(
        base: &Snapshot,
        languages: &Languages,
        protection: &Protection,
    ) -> Result<Self, Option<PathBuf>> {
        let mut grammars = HashMap::new();
        for file in base.files() {
            let Some(syntax) = languages.syntax_of(file) else { continue };
            let Some(faults) = faults(&syntax, file) else {
                return Err(Some(file.name.clone()));
            };
            grammars.insert(file.name.clone(), (syntax, faults));
        }
        if grammars.is_empty() {
            return Err(None);
        }
        let protected =
            Self::protecting(base, protection).map_or_else(HashMap::new, |it| it.protected);
        Ok(Validity { grammars, protected, protection: protection.clone() })
    }

    /// Takes the grammars of the files whose languages demand more than their parsers; `None` if
    /// there are no such files.
    pub(super) fn beyond_parser(
        base: &Snapshot,
        languages: &Languages,
        protection: &Protection,
    ) -> Option<Self> {
        let grammar = |file: &InputFile| {
            let language = languages.of(file)?;
            let asks_more = language.profile().beyond != Beyond::default();
            let syntax = asks_more.then_some(Syntax::Language(language))?;
            let faults = faults(&syntax, file)?;
            Some((file.name.clone(), (syntax, faults)))
        };
        let grammars: HashMap<_, _> = base.files().iter().filter_map(grammar).collect();
        let (protected, protection) = (HashMap::new(), protection.clone());
        (!grammars.is_empty()).then_some(Validity { grammars, protected, protection })
    }

    /// Returns whether only sentences are asked about.
    pub fn wants_sentences(&self) -> bool {
        !self.grammars.is_empty()
    }

    /// Returns whether every remaining file is a sentence of its grammar, and no protected text is
    /// missing.
    pub(super) fn holds(&self, candidate: &Snapshot) -> bool {
        let is_protected = |file: &&InputFile| self.protected.contains_key(&file.name);
        candidate.files().iter().filter(is_protected).count() == self.protected.len()
            && candidate.files().iter().all(|file| self.allows(file))
    }

    fn allows(&self, file: &InputFile) -> bool {
        let keeps =
            |text: &Vec<u8>| self.protection.shields(&file.bytes).text(&file.bytes) == *text;
        self.protected.get(&file.name).is_none_or(keeps)
            && self
                .grammars
                .get(&file.name)
                .is_none_or(|(syntax, own)| is_sentence(syntax, own, file))
    }
}

/// Returns whether a file has no other syntax errors than its `own`, those of the input.
fn is_sentence(syntax: &Syntax, own: &Faults, file: &InputFile) -> bool {
    match syntax {
        Syntax::Language(language) if own.is_empty() && !parses(language, &file.bytes) => false,
        _ => faults(syntax, file).is_some_and(|faults| is_among(&faults, own)),
    }
}

/// Returns whether each of some faults is one of the others, in ascending order.
fn is_among(faults: &Faults, own: &Faults) -> bool {
    let mut own = own.iter();
    faults.iter().all(|fault| own.any(|it| it == fault))
}

/// Returns the syntax errors of a file in ascending order; `None` if its grammar refuses it without
/// naming errors.
fn faults(syntax: &Syntax, file: &InputFile) -> Option<Faults> {
    match syntax {
        Syntax::Language(language) => Some(marked(language, &file.bytes)),
        Syntax::Grammar(grammar) => grammar.cfg().accepts(&file.bytes).then(Faults::default),
        // Events have no grammar: everything that a description lets be removed may be removed.
        Syntax::Hierarchy(_) => Some(Faults::default()),
    }
}

/// Returns the errors that a parser marks, and nodes that lack what their language demands.
fn marked(language: &Language, bytes: &[u8]) -> Faults {
    let Beyond { needs_below, last_is_macro, never_outermost, outermost_is_macro } =
        &language.profile().beyond;
    let tree = parse(language, bytes);
    let kind = |id: NodeId| language.kind_name(tree.node(id).kind());
    let lacks = |id: NodeId| {
        let asked = needs_below.iter().filter(|(node, _)| kind(id) == node);
        asked.into_iter().any(|(_, below)| !tree.subtree(id).any(|it| kind(it) == below))
    };
    let is_outside = |id: NodeId| {
        tree.parent(id) == Some(tree.root()) && never_outermost.iter().any(|it| it == kind(id))
    };
    let is_macro = |id: NodeId| {
        let Some(parent) = tree.parent(id).filter(|_| !last_is_macro.is_empty()) else {
            return false;
        };
        let is_row = |(node, last): &(String, String)| kind(parent) == node && kind(id) == last;
        last_is_macro.iter().any(is_row) && tree.children(parent).last() == Some(id)
    };
    // The name of the macro, which must be used in the input in the same way; otherwise the whole
    // node.
    let used_as_macro = |id: NodeId| {
        let is_outermost = tree.parent(id) == Some(tree.root());
        let (_, path) = outermost_is_macro.iter().find(|it| is_outermost && it.0 == kind(id))?;
        let down = |id: NodeId, next: &String| {
            let first = tree.children(id).next()?;
            (kind(first) == next).then_some(first)
        };
        Some(path.iter().try_fold(id, down).unwrap_or(id))
    };
    let fault = |id: NodeId| match tree.node(id) {
        node if node.is_missing() => Some(kind(id).as_bytes().to_vec()),
        node if node.is_error() => Some(tree.text(id).to_vec()),
        // As many of a kind are allowed as the input has: a dialect may have them.
        _ if is_outside(id) => Some(kind(id).as_bytes().to_vec()),
        _ if lacks(id) || is_macro(id) => Some(tree.text(id).to_vec()),
        _ => used_as_macro(id).map(|it| tree.text(it).to_vec()),
    };
    let mut faults: Faults = tree.ids().filter_map(fault).collect();
    faults.sort_unstable();
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether `text` may be tested for an input of one file.
    fn is_valid(name: &str, input: &str, text: &str) -> bool {
        let snapshot = |text: &str| {
            let bytes = text.as_bytes().into();
            Snapshot::new(vec![InputFile { name: name.into(), bytes, mode: 0o644 }])
        };
        let nothing = Protection::new(&[]).expect("no expression is wrong");
        let validity = Validity::of(&snapshot(input), &Languages::ByFile, &nothing);
        validity.is_ok_and(|validity| validity.holds(&snapshot(text)))
    }

    #[test]
    fn what_does_not_parse_is_no_sentence() {
        let input = "int a(void) { return 1; }";
        assert!(is_valid("a.c", input, "int *a(int z[]) { return 1; }"));
        assert!(!is_valid("a.c", input, "int a(void) { return 1; "));
        assert!(!is_valid("a.txt", "whatever", "what"));
    }

    #[test]
    fn a_function_of_c_without_a_list_of_parameters_is_no_sentence() {
        assert!(!is_valid("a.c", "int a(void) { return 1; }", "double a { return 1; }"));
    }

    #[test]
    fn a_statement_is_no_program_of_c() {
        let input = "int a(void) { for (;;) { a(); } }";
        assert!(!is_valid("a.c", input, "for (;;) { a(); }"));
        assert!(!is_valid("a.c", input, "{ a(); }"));
        assert!(is_valid("a.c", input, "int a(void) { }"));
    }

    #[test]
    fn a_method_is_no_program_of_java_unless_the_input_is_one() {
        let input = "class A { int b; void a() { for (;;) { b = 1; } } }";
        assert!(is_valid("A.java", input, "class A { int b; }"));
        for text in ["void a() { }", "for (;;) { b = 1; }", "{ b = 1; }", "int b;", "b = 1;"] {
            assert!(!is_valid("A.java", input, text), "{text}");
        }
        let input = "void main() { a(); } void a() { for (;;) { } }";
        assert!(is_valid("A.java", input, "void main() { } void a() { }"));
        assert!(is_valid("A.java", input, "void main() { }"));
        assert!(!is_valid("A.java", input, "void main() { } for (;;) { }"));
    }

    #[test]
    fn what_only_a_macro_makes_right_has_to_be_in_the_input() {
        let input = "int a(int n) { int i; i = n; }";
        assert!(!is_valid("a.c", input, "int a(int n) { int i() n[2]; }"));
        let input = "int a; int b(void) { a(3); return (long) (a = 0); }";
        for text in ["int a; (long) (a = 0);", "int a; a(3);", "int a; a(3) + 1;", "int a; a;"] {
            assert!(!is_valid("a.c", input, text), "{text}");
        }
        let input = "LICENSE(\"MIT\", 2);\nint b(void) { a(3); }";
        assert!(is_valid("a.c", input, "LICENSE(2);"));
        assert!(!is_valid("a.c", input, "a(3);"));
        let input = "int a(int n) NORETURN { int i; }";
        assert!(is_valid("a.c", input, "int a(int n) NORETURN { }"));
    }

    #[test]
    fn errors_of_the_input_are_allowed_and_no_others() {
        // The parser does not know a loop as the body of `switch`.
        let input = "int a(int n) { switch (n) do { case 0: n++; } while (n); return f(n); }";
        assert!(is_valid("a.c", input, input));
        assert!(is_valid("a.c", input, "int a(int n) { return f(n); }"));
        assert!(!is_valid("a.c", input, "int a(int n) { return f(n; }"));
    }
}
