//! Ways to find changes, by name.

use std::sync::Arc;

use whodunit_core::searches::Certify;

use super::{
    alike, calls, data, inline, joint, layers, layout, literals, names, optional, spaces,
    specialise, stand_ins, synonyms, together,
};
use crate::changes::Changes;
use crate::edits::Change;
use crate::structure::{Outlined, Structure};

/// A way to find changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    /// Definitions with their uses, parameters with their arguments.
    Joint,
    /// Definitions, with something else in the place of their uses.
    StandIns,
    /// Definitions, with a part of them in the place of their uses.
    Inline,
    /// Functions, with the returned value in the place of their calls.
    Calls,
    /// Type parameters and namespaces.
    Specialise,
    /// The text around a name, wherever it is written.
    Layers,
    /// Shorter forms that the profile of the language knows.
    Synonyms,
    /// Words of the language that may be others.
    PlainWords,
    /// Numbers that may be 0.
    Zeros,
    /// Numbers that may be 1.
    Ones,
    /// Words in literals that may be shorter.
    LiteralWords,
    /// Words of a text without a grammar that may be shorter.
    TextWords,
    /// Names that may be the same.
    Unify,
    /// Names that may be shorter.
    Shorten,
    /// Superfluous white space.
    Spaces,
    /// White space of languages that heed it.
    Layout,
    /// Children that the grammar lets go, but that are no nodes of the tree.
    Optional,
    /// Pieces of binary data that make sense only together.
    Together,
    /// Bytes of binary data that can be removed if lengths follow.
    Data,
    /// Bytes of binary data that can be zero.
    ZeroBytes,
}

/// With no more changes than this each is asked about alone: a search in groups would ask more
/// questions than there are changes, unless most of them can be made. Chosen by hand.
const MAX_ONE_BY_ONE: usize = 24;

impl Finder {
    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Finder::Joint => "joint",
            Finder::StandIns => "stand_ins",
            Finder::Inline => "inline",
            Finder::Calls => "calls",
            Finder::Specialise => "specialise",
            Finder::Layers => "layers",
            Finder::Synonyms => "synonyms",
            Finder::PlainWords => "plain_words",
            Finder::Zeros => "zeros",
            Finder::Ones => "ones",
            Finder::LiteralWords => "literal_words",
            Finder::TextWords => "text_words",
            Finder::Unify => "unify",
            Finder::Shorten => "shorten",
            Finder::Spaces => "spaces",
            Finder::Layout => "layout",
            Finder::Optional => "optional",
            Finder::Together => "together",
            Finder::Data => "data",
            Finder::ZeroBytes => "zero_bytes",
        }
    }

    /// Lists the changes of the parsed files; `None` if there are none.
    pub(crate) fn find(self, structure: &Arc<Structure>) -> Option<Changes> {
        let data = |find: fn(&Outlined<'_>) -> Vec<Change>| {
            structure.outlined().flat_map(|file| find(&file)).collect()
        };
        let find = match self {
            Finder::Together => return Self::list(structure, data(together::find)),
            Finder::Data => return Self::list(structure, data(data::delete)),
            Finder::ZeroBytes => return Self::list(structure, data(data::zero)),
            Finder::TextWords => return Self::list(structure, data(alike::in_text)),
            Finder::LiteralWords => alike::in_literals,
            Finder::Joint => joint::find,
            Finder::StandIns => stand_ins::find,
            Finder::Inline => inline::find,
            Finder::Calls => calls::find,
            Finder::Specialise => specialise::find,
            Finder::Layers => layers::find,
            Finder::Synonyms => synonyms::find,
            Finder::PlainWords => literals::plain_words,
            Finder::Zeros => literals::zeros,
            Finder::Ones => literals::ones,
            Finder::Unify => names::unify,
            Finder::Shorten => names::shorten,
            Finder::Spaces => spaces::find,
            Finder::Layout => layout::find,
            Finder::Optional => optional::find,
        };
        Self::list(structure, structure.parsed().flat_map(|file| find(&file)).collect())
    }

    fn list(structure: &Arc<Structure>, changes: Vec<Change>) -> Option<Changes> {
        (!changes.is_empty()).then(|| Changes::new(structure.clone(), changes))
    }

    /// Returns whether it looks at files that were outlined, not parsed.
    pub(crate) fn is_for_data(self) -> bool {
        matches!(self, Finder::Together | Finder::TextWords | Finder::Data | Finder::ZeroBytes)
    }

    /// Whether `count` changes are asked about one by one and not in groups.
    pub(crate) fn lists_alternatives(self, count: usize, certify: Certify) -> bool {
        // Changes that can be made in groups were made in the first round.
        let is_left_over = certify != Certify::None;
        match self {
            Finder::StandIns | Finder::Inline | Finder::Layers => true,
            Finder::Calls | Finder::Specialise => true,
            Finder::Unify | Finder::TextWords => true,
            Finder::Joint => count <= MAX_ONE_BY_ONE,
            _ => self.is_for_the_end() || (is_left_over && count <= MAX_ONE_BY_ONE),
        }
    }

    /// Whether no other pass can make the text smaller after its finds.
    pub(crate) fn is_for_the_end(self) -> bool {
        matches!(self, Finder::Optional | Finder::Layout | Finder::LiteralWords)
    }

    /// Whether the proof rests on its questions.
    pub(crate) fn is_proof(self) -> bool {
        self == Finder::Optional
    }
}
