//! Passes: ways to take the input apart, each with its search.

mod alike;
mod calls;
mod data;
mod finder;
mod inline;
mod joint;
mod layers;
mod layout;
#[cfg(test)]
mod listing;
mod literals;
mod names;
mod optional;
mod references;
mod spaces;
mod specialise;
mod stand_ins;
mod synonyms;
mod together;
pub(super) mod words;

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

use super::candidate::InputCandidate;
use super::languages::{FIRST_LOOK_BYTES, Languages, MAX_PARSED_BYTES};
use super::settings::{Granularity, LadderSettings};
use super::snapshot::Snapshot;
use super::structure::Structure;
pub(super) use finder::Finder;
pub(super) use references::Referred;

/// Which regions are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regions {
    /// Regions that are a large part of the input.
    Large,
    All,
}

/// A way to take the input apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Text(Granularity),
    /// Characters of more than one byte, in files that are not parsed.
    WideCharacters,
    Syntax,
    /// Parts that numbers measure, with the numbers.
    Coupled,
    /// The same in files that do not parse.
    CoupledLines,
    /// The layout of files that do not parse.
    Outline,
    /// Columns of tables.
    Columns,
    /// Texts nested in texts, up to `levels` deep.
    Nested {
        levels: u8,
        regions: Regions,
    },
    Changes(Finder),
    /// Single tokens of files that parse.
    Words,
    References(Referred),
}

const PASSES: [Pass; 35] = [
    // First, because files that are referred to can seldom be removed alone.
    Pass::References(Referred::Dropped),
    Pass::Text(Granularity::Files),
    // A string is cut into pieces by the next pass, unless it is opened before.
    Pass::Nested { levels: 3, regions: Regions::Large },
    Pass::Syntax,
    Pass::Coupled,
    Pass::CoupledLines,
    Pass::Outline,
    Pass::Changes(Finder::Together),
    Pass::Columns,
    Pass::Nested { levels: 3, regions: Regions::All },
    Pass::References(Referred::Inlined),
    Pass::Changes(Finder::Joint),
    Pass::Changes(Finder::StandIns),
    Pass::Changes(Finder::Inline),
    Pass::Changes(Finder::Calls),
    Pass::Changes(Finder::Specialise),
    Pass::Changes(Finder::Layers),
    Pass::Changes(Finder::Spaces),
    Pass::Changes(Finder::Synonyms),
    Pass::Changes(Finder::PlainWords),
    Pass::Changes(Finder::Zeros),
    Pass::Changes(Finder::Ones),
    Pass::Changes(Finder::Unify),
    Pass::Changes(Finder::Shorten),
    Pass::Text(Granularity::Lines),
    Pass::Text(Granularity::Tokens),
    Pass::Changes(Finder::TextWords),
    Pass::Changes(Finder::Optional),
    Pass::Changes(Finder::Layout),
    Pass::Words,
    Pass::Changes(Finder::LiteralWords),
    Pass::Changes(Finder::Data),
    Pass::WideCharacters,
    Pass::Text(Granularity::Bytes),
    Pass::Changes(Finder::ZeroBytes),
];

impl Pass {
    /// Returns the passes that make sense for an input, in the order in which they are taken.
    pub(super) fn all(base: &Snapshot, settings: &LadderSettings) -> Vec<Pass> {
        let finest = settings.finest;
        if let Languages::Hierarchy(_) = settings.languages {
            return vec![Pass::Syntax];
        }
        // Nodes are as fine as tokens.
        let parsed = finest >= Granularity::Tokens
            && base.files().iter().any(|file| settings.languages.syntax_of(file).is_some());
        let only_sentences = settings.wants_sentences()
            && base.files().iter().all(|file| settings.languages.syntax_of(file).is_some());
        let makes_sense = |pass: &Pass| match pass {
            // Hardly any candidate without a line or a token is still a sentence.
            Pass::Words
            | Pass::Text(Granularity::Lines | Granularity::Tokens | Granularity::Bytes)
                if only_sentences =>
            {
                false
            }
            Pass::CoupledLines | Pass::Outline | Pass::Columns | Pass::Nested { .. } => {
                finest >= Granularity::Tokens && base.len() <= MAX_PARSED_BYTES as u64
            }
            Pass::Changes(Finder::Together | Finder::TextWords) => finest >= Granularity::Tokens,
            Pass::Changes(Finder::Data | Finder::ZeroBytes) => finest >= Granularity::Bytes,
            Pass::WideCharacters => finest >= Granularity::Bytes && !only_sentences,
            Pass::Syntax | Pass::Coupled | Pass::Words | Pass::Changes(_) => parsed,
            Pass::Text(granularity) => *granularity <= finest,
            Pass::References(_) => base.files().len() > 1,
        };
        let mut passes: Vec<Pass> = PASSES.into_iter().filter(makes_sense).collect();
        let mut swap = |left, right| {
            let place = |wanted| passes.iter().position(|&pass| pass == wanted);
            if let (Some(left), Some(right)) = (place(left), place(right)) {
                passes.swap(left, right);
            }
        };
        if base.len() <= FIRST_LOOK_BYTES as u64 {
            // Items that a number counts can only be removed if the number follows, and one by one
            // they cost a test each. Large files are searched coarsely before anything is counted
            // in them.
            swap(Pass::Syntax, Pass::Coupled);
        }
        if parsed && base.files().iter().any(|file| settings.languages.reads_with_errors(file)) {
            // Where the grammar does not fit, the layout is a better guide.
            swap(Pass::Syntax, Pass::Outline);
        }
        passes
    }

    /// The same for a text that is nested in an input, in which `levels` more levels are opened.
    pub(super) fn within(base: &Snapshot, settings: &LadderSettings, levels: u8) -> Vec<Pass> {
        let mut passes = Self::all(base, settings);
        passes.retain_mut(|pass| match pass {
            Pass::Nested { levels: deeper, .. } => {
                *deeper = levels.saturating_sub(1);
                *deeper > 0
            }
            _ => true,
        });
        passes
    }

    /// Returns its name, by which passes can be left out.
    pub(super) fn name(self) -> &'static str {
        match self {
            Pass::Text(Granularity::Files) => "files",
            Pass::Text(Granularity::Lines) => "lines",
            Pass::Text(Granularity::Tokens) => "tokens",
            Pass::Text(Granularity::Bytes) => "bytes",
            Pass::WideCharacters => "wide_characters",
            Pass::Syntax => "syntax",
            Pass::Coupled => "coupled",
            Pass::CoupledLines => "coupled_lines",
            Pass::Outline => "outline",
            Pass::Columns => "columns",
            Pass::Nested { .. } => "nested",
            Pass::Words => "words",
            Pass::References(_) => "references",
            Pass::Changes(finder) => finder.name(),
        }
    }

    /// Returns whether it can remove much at once.
    pub(super) fn is_coarse(self) -> bool {
        match self {
            Pass::Syntax | Pass::Coupled | Pass::CoupledLines | Pass::Outline => true,
            Pass::References(_) => true,
            Pass::Columns | Pass::Nested { .. } | Pass::Words | Pass::Changes(_) => false,
            Pass::WideCharacters => false,
            Pass::Text(granularity) => granularity <= Granularity::Lines,
        }
    }

    /// Returns whether the proof rests on its refused candidates.
    pub(super) fn is_proof(self) -> bool {
        match self {
            Pass::Words | Pass::References(_) => false,
            Pass::Changes(finder) => finder.is_proof(),
            _ => true,
        }
    }

    /// Returns whether it is not taken again for a tiny change.
    pub(super) fn passes_over_trifles(self) -> bool {
        // Where a token is removed a gap can close, and there are few gaps that cannot.
        !self.is_proof() && self != Pass::Changes(Finder::Spaces)
    }

    /// Returns whether it is only taken when the other passes have no more questions: it asks many
    /// questions for little gain.
    pub(super) fn is_last(self, base: &Snapshot, settings: &LadderSettings) -> bool {
        let is_parsed = || base.files().iter().all(|file| settings.languages.of(file).is_some());
        match self {
            Pass::Text(granularity) => granularity != Granularity::Files && is_parsed(),
            Pass::WideCharacters => is_parsed(),
            Pass::Syntax | Pass::Coupled | Pass::CoupledLines | Pass::Outline => false,
            Pass::References(_) | Pass::Columns | Pass::Nested { .. } => false,
            Pass::Words => true,
            Pass::Changes(finder) => finder.is_for_the_end(),
        }
    }

    /// Returns whether the first question of this pass is whether anything is needed at all.
    pub(super) fn asks_for_nothing(self) -> bool {
        matches!(self, Pass::Syntax | Pass::Text(_)) && self != Pass::Text(Granularity::Files)
    }
}

/// Returns the names of all passes, in the order in which they are taken.
pub fn pass_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = PASSES.iter().map(|pass| pass.name()).collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

/// Returns the optional parts of the grammar that are no nodes of the tree: the place of each, and
/// the text without it.
pub fn optional_parts(structure: &Arc<Structure>) -> Vec<(Range<u64>, InputCandidate)> {
    let Some(parts) = Finder::Optional.find(structure).map(Arc::new) else { return Vec::new() };
    let all = DeltaSet::full(parts.len());
    let alone = |part: usize| {
        let one: DeltaSet = [Delta(part as u32)].into_iter().collect();
        (parts.addresses(part), InputCandidate::changed(parts.clone(), all.minus(&one)))
    };
    (0..parts.len()).map(alone).collect()
}
