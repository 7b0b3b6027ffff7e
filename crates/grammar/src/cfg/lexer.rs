//! Cuts a text into tokens: the longest match wins, then the earlier expression.
//!
//! All expressions run at once in one lazily built automaton. Those with a reluctant repetition
//! (`.*?`) have one of their own each, because "as short as can be" means nothing to an automaton
//! that looks for the longest match; what they match by themselves then competes like the others.

use std::ops::Range;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Hir, HirKind};

use super::error::{ParseError, Problem};
use crate::place::TextPosition;

/// An expression to recognise.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    hir: Hir,
}

/// A piece of text and the expression that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    /// The place of the expression in the list that the lexer was made from.
    pub(super) pattern: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Recognises the longest match of several expressions.
#[derive(Clone, Debug)]
pub(super) struct Lexer {
    automata: Vec<LexerAutomaton>,
}

#[derive(Clone, Debug)]
struct LexerAutomaton {
    dfa: DFA,
    /// The places of its expressions in the list that the lexer was made from.
    patterns: Vec<u32>,
}

impl Pattern {
    /// Reads an expression; it has to match something, and not the empty string.
    pub(super) fn expression(name: &str, expression: &str) -> Result<Self, Problem> {
        let name = || name.to_owned();
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .build()
            .parse(expression)
            .map_err(|error| Problem::Expression { name: name(), reason: error.to_string() })?;
        match hir.properties().minimum_len() {
            None => Err(Problem::MatchesNothing { name: name() }),
            Some(0) => Err(Problem::MatchesEmpty { name: name() }),
            Some(_) => {
                let pattern = Pattern { hir };
                // Some expressions can be read but not run, and this one should be named then.
                automaton(&[&pattern], MatchKind::All)
                    .map_err(|reason| Problem::Expression { name: name(), reason })?;
                Ok(pattern)
            }
        }
    }

    /// Returns the expression that matches this text alone.
    pub(super) fn literal(text: &str) -> Self {
        Pattern { hir: Hir::literal(text.as_bytes()) }
    }
}

impl Lexer {
    /// Makes a lexer; of matches that are equally long the first pattern's wins.
    pub(super) fn new(patterns: &[Pattern]) -> Result<Self, Problem> {
        let numbered = || (0..).zip(patterns);
        let mut groups: Vec<(MatchKind, Vec<(u32, &Pattern)>)> = vec![(
            MatchKind::All,
            numbered().filter(|(_, pattern)| !has_reluctant(&pattern.hir)).collect(),
        )];
        for reluctant in numbered().filter(|(_, pattern)| has_reluctant(&pattern.hir)) {
            groups.push((MatchKind::LeftmostFirst, vec![reluctant]));
        }
        let mut automata = Vec::new();
        for (kind, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
            let (places, patterns): (Vec<u32>, Vec<&Pattern>) = group.into_iter().unzip();
            let dfa = automaton(&patterns, kind).map_err(|reason| Problem::Lexer { reason })?;
            automata.push(LexerAutomaton { dfa, patterns: places });
        }
        Ok(Lexer { automata })
    }

    /// Cuts the whole text into pieces, none left out.
    pub(super) fn lex(&self, text: &[u8]) -> Result<Vec<Lexeme>, ParseError> {
        // Half of what the numbers hold, because parsers need a bit of them.
        if text.len() > (u32::MAX / 2) as usize {
            return Err(ParseError::TooLarge { bytes: text.len() });
        }
        let mut caches: Vec<Cache> =
            self.automata.iter().map(|automaton| automaton.dfa.create_cache()).collect();
        let mut lexemes = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let Some((range, pattern)) = self.longest(&mut caches, text, start) else {
                let shown = &text[start..text.len().min(start + 16)];
                let shown = String::from_utf8_lossy(shown);
                let found = shown.split(char::is_whitespace).next().unwrap_or_default();
                let found = if found.is_empty() { &shown[..] } else { found };
                let found = found.escape_debug().to_string();
                return Err(ParseError::NoToken { place: TextPosition::of(start, text), found });
            };
            let (start_byte, end) = (range.start as u32, range.end as u32);
            lexemes.push(Lexeme { pattern, start: start_byte, end });
            start = range.end;
        }
        Ok(lexemes)
    }

    /// Returns the longest match that begins at `start`.
    fn longest(
        &self,
        caches: &mut [Cache],
        text: &[u8],
        start: usize,
    ) -> Option<(Range<usize>, u32)> {
        let mut best: Option<(Range<usize>, u32)> = None;
        for (automaton, cache) in self.automata.iter().zip(caches) {
            let input = Input::new(text).range(start..).anchored(Anchored::Yes);
            // The automaton only gives up on bytes that it is configured for, and there are none.
            let Ok(Some(found)) = automaton.dfa.try_search_fwd(cache, &input) else {
                continue;
            };
            let pattern = automaton.patterns[found.pattern().as_usize()];
            let is_better = best.as_ref().is_none_or(|(range, earlier)| {
                found.offset() > range.end || (found.offset() == range.end && pattern < *earlier)
            });
            if is_better && found.offset() > start {
                best = Some((start..found.offset(), pattern));
            }
        }
        best
    }
}

fn automaton(patterns: &[&Pattern], kind: MatchKind) -> Result<DFA, String> {
    let hirs: Vec<&Hir> = patterns.iter().map(|pattern| &pattern.hir).collect();
    let config = thompson::Config::new().utf8(false).which_captures(thompson::WhichCaptures::None);
    let nfa = thompson::Compiler::new()
        .configure(config)
        .build_many_from_hir(&hirs)
        .map_err(|error| error.to_string())?;
    DFA::builder()
        .configure(DFA::config().match_kind(kind).skip_cache_capacity_check(true))
        .build_from_nfa(nfa)
        .map_err(|error| error.to_string())
}

/// Returns whether some repetition takes as little as it can. The reader limits how deep
/// expressions nest, so this may recurse.
fn has_reluctant(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
        HirKind::Repetition(repetition) => !repetition.greedy || has_reluctant(&repetition.sub),
        HirKind::Capture(capture) => has_reluctant(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_reluctant),
    }
}
