//! AspectJ, read as Java.
//!
//! There is no grammar for it. AspectJ's additions are masked, byte for byte, with Java that means
//! nearly the same: an aspect becomes a class, an advice a method, a pointcut a method without a
//! body, an introduced method one of the aspect. The masked text is kept beside.

mod items;
mod scan;

use std::collections::BTreeMap;
use std::ops::Range;

use super::member::{Member, MemberKind, Part};
use crate::words::WordHash;

/// A text that Java's grammar can read, and the definitions that were masked.
#[derive(Debug, Default)]
pub(super) struct Masked {
    /// The text, if anything had to be covered up.
    pub(super) text: Option<Vec<u8>>,
    marks: BTreeMap<usize, Mark>,
}

/// A definition that Java does not have.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) kind: MemberKind,
    /// Its name, if not that of its mask.
    pub(super) name: Option<String>,
    /// The pointcut, or the declaration.
    pointcut: Option<String>,
    /// The masked ranges, and the part of the definition that each is.
    pub(super) raw: Vec<(Range<usize>, Part)>,
    /// The class that an introduced member is for.
    owner: Option<String>,
}

impl Masked {
    /// Masks everything that is not Java, if there is any.
    pub(super) fn of(name: &str, text: &[u8]) -> Masked {
        let may_be = name.ends_with(".aj")
            || (name.ends_with(".java") && has(text, b"aspect") | has(text, b"@Aspect"));
        if may_be { items::mask(text) } else { Masked::default() }
    }

    /// Returns the mark of the definition that begins at this byte.
    pub(super) fn mark(&self, start: usize) -> Option<&Mark> {
        self.marks.get(&start)
    }
}

impl Mark {
    fn is_constructor(&self) -> bool {
        self.name.as_ref().is_some_and(|name| is_introduced_constructor(self.kind, name))
    }

    /// Changes a definition to its real kind and properties.
    pub(super) fn apply(&self, member: &mut Member) {
        member.kind = self.kind;
        member.pointcut.clone_from(&self.pointcut);
        member.needs_body |= self.kind == MemberKind::Pointcut && !self.raw.is_empty();
        if self.owner.is_some() || matches!(self.kind, MemberKind::Advice | MemberKind::Pointcut) {
            // The marks of functions without a body are for those of classes.
            member.marks.is_abstract = false;
        }
        if let Some(owner) = &self.owner {
            let owner = WordHash::of(owner.as_bytes());
            member.supers = vec![owner];
            if self.is_constructor() {
                // It is called by the name of its class.
                member.simple = owner;
            }
        } else if self.name.is_some() && self.kind != MemberKind::Pointcut {
            // Advice and declarations have no name: the one in the covered text is made up.
            member.simple = WordHash(0);
        }
    }
}

/// Whether what an aspect introduces under this name makes objects.
pub(super) fn is_introduced_constructor(kind: MemberKind, name: &str) -> bool {
    let name = name.split('(').next().unwrap_or_default();
    kind == MemberKind::IntroducedMethod && name.ends_with(".new")
}

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> String {
        let masked = Masked::of("A.aj", text.as_bytes());
        String::from_utf8(masked.text.unwrap()).unwrap()
    }

    #[test]
    fn what_is_not_java_is_covered_up_byte_for_byte() {
        let text = "\
public aspect A perthis(x()) {
    pointcut p(int m) : execution(* C.f(..))
        && args(m);
    before(int m) : p(m) { g(\"{\"); }
    after() returning(int r) : p(*) { }
    int around() : p(*) { return proceed(); }
    private int C.count = 1;
    public void C.f(int x) { }
    C.new(int y) { }
    declare parents : C implements D;
    int own() { return 1; }
}
";
        let masked = masked(text);
        assert_eq!(masked.len(), text.len());
        let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            masked.lines().map(plain).collect::<Vec<_>>(),
            [
                "public class A {",
                "void p(int m)",
                ";",
                "void b(int m) { g(\"{\"); }",
                "int a() { }",
                "int around() { return proceed(); }",
                "private int count = 1;",
                "public void f(int x) { }",
                "int n(int y) { }",
                "int d ;",
                "int own() { return 1; }",
                "}",
            ]
        );
    }

    #[test]
    fn plain_java_is_left_alone() {
        let text = b"class aspects { int aspect = 1; void before() { } }";
        assert!(Masked::of("a.java", text).text.is_none_or(|masked| masked == text));
    }
}
