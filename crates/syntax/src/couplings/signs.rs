//! The meaning of tokens and kinds of a language for couplings, looked up once for each kind.

use crate::language::{Language, NodeKind};

/// Kinds that hold statements without brackets around them.
const BLOCKS: &[&str] = &["block", "body_statement", "statement_list"];
/// The node of XML around everything between two tags. It is no container; its element is.
const BETWEEN_TAGS: &str = "content";
/// Signs between a name and its value.
const SIGNS: &[&str] = &[":", "=", "=>", ":="];

/// The meaning of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Anything else.
    Other,
    /// A bracket that opens or closes a pair; the pair's place in the language's list.
    Bracket(usize),
    /// The beginning of a tag.
    TagOpening,
    Comma,
    /// Signs between a name and its value.
    Names,
    /// Holds statements without brackets around them.
    Block,
    /// Is around the text between two tags.
    BetweenTags,
}

/// The meaning of each kind of a language.
pub(super) struct Signs(Vec<Sign>);

impl Signs {
    pub(super) fn of(language: &Language) -> Self {
        Signs(language.kinds().map(|kind| sign(language, kind)).collect())
    }

    pub(super) fn get(&self, kind: NodeKind) -> Sign {
        self.0.get(usize::from(kind.0)).copied().unwrap_or(Sign::Other)
    }
}

fn sign(language: &Language, kind: NodeKind) -> Sign {
    let name = language.kind_name(kind);
    let brackets = &language.profile().brackets;
    let bracket = brackets.iter().position(|(left, right)| left == name || right == name);
    match (language.is_named(kind), bracket) {
        (true, _) if BLOCKS.contains(&name) => Sign::Block,
        (true, _) if name == BETWEEN_TAGS => Sign::BetweenTags,
        (true, _) => Sign::Other,
        (false, _) if name == "<" => Sign::TagOpening,
        (false, _) if name == "," => Sign::Comma,
        (false, _) if SIGNS.contains(&name) => Sign::Names,
        (false, Some(pair)) => Sign::Bracket(pair),
        (false, None) => Sign::Other,
    }
}
