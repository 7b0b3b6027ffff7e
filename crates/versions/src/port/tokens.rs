//! The rung of tokens: where lines changed on both sides, their words and signs are aligned, and
//! the patch's changes of them are applied to the foreign line.

use std::ops::Range;

use whodunit_syntax::words::tokens;

use super::align::Alignment;
use super::edit::{LineEdit, Texts};
use super::ladder::{Fate, Rung};
use super::patch::Chosen;
use super::placement::Placement;
use crate::decomposition::{Piece, cut_into_tokens};
use crate::lines::{Hunk, Lines, differing, hunks};

/// Bytes of a stretch that changed on both sides, of both texts together. A longer one is not
/// aligned: it is two different texts. Chosen by hand.
const MAX_ALIGNED_BYTES: usize = 1 << 20;

/// Places the edits that are open yet.
pub(super) fn place(
    texts: &Texts<'_>,
    base: &Lines<'_>,
    foreign: &Lines<'_>,
    chosen: &[Chosen],
    steps: &mut [(LineEdit, Fate)],
) {
    let lines = Alignment::new(hunks(base, foreign));
    let mut region: Option<TokenRegion<'_>> = None;
    for (edit, fate) in steps.iter_mut().filter(|(_, fate)| fate.is_open()) {
        let around = region_of(&lines, &edit.lines);
        // Edits within one foreign change come one after the other.
        let region = match region.take().filter(|known| known.lines == around) {
            Some(known) => region.insert(known),
            None => region.insert(TokenRegion::new(texts, base, foreign, &lines, around)),
        };
        *fate = region.place(texts, &chosen[edit.pieces.clone()]);
    }
}

/// A stretch of lines that changed in the foreign text, by tokens.
struct TokenRegion<'a> {
    /// In the old text, and the numbers of the foreign hunks in it.
    lines: (Range<u32>, Range<usize>),
    old: Tokens<'a>,
    foreign: Tokens<'a>,
    alignment: Option<Alignment>,
}

/// A stretch of a text cut into tokens.
struct Tokens<'a> {
    text: &'a [u8],
    /// Where each begins in the text; one more than there are tokens.
    starts: Vec<usize>,
}

/// Returns an edit's lines with the foreign changes that touch them, and the numbers of those.
fn region_of(lines: &Alignment, edit: &Range<u32>) -> (Range<u32>, Range<usize>) {
    let touching = lines.touching(edit);
    let mut covered = edit.clone();
    for hunk in &lines.hunks()[touching.clone()] {
        covered = covered.start.min(hunk.old.start)..covered.end.max(hunk.old.end);
    }
    (covered, touching)
}

impl<'a> TokenRegion<'a> {
    fn new(
        texts: &Texts<'a>,
        base: &Lines<'_>,
        foreign: &Lines<'_>,
        alignment: &Alignment,
        lines: (Range<u32>, Range<usize>),
    ) -> Self {
        let (covered, hunks) = &lines;
        let there = alignment.shifted(covered.start, hunks.start)
            ..alignment.shifted(covered.end, hunks.end);
        let old = Tokens::of(texts.old, base.bytes(covered));
        let foreign = Tokens::of(texts.foreign, foreign.bytes(&there));
        let is_short = old.bytes() + foreign.bytes() <= MAX_ALIGNED_BYTES;
        let alignment = is_short.then(|| Alignment::new(differing(old.iter(), foreign.iter()).0));
        TokenRegion { lines, old, foreign, alignment }
    }

    /// Places all pieces of an edit, or none.
    fn place(&self, texts: &Texts<'_>, chosen: &[Chosen]) -> Fate {
        let Some(alignment) = &self.alignment else { return Fate::Open };
        let mut placements = Vec::new();
        for piece in
            chosen.iter().flat_map(|chosen| cut_into_tokens(&chosen.piece, texts.old, texts.new))
        {
            let text = &texts.new[piece.new.start as usize..piece.new.end as usize];
            let Some(tokens) = self.old.at(&piece.old) else { return Fate::Open };
            if self.has(alignment, &tokens, text) {
                continue;
            }
            let place = alignment.place(&tokens).filter(|_| self.is_known(alignment, &piece));
            let Some(place) = place else { return Fate::Open };
            placements.push(Placement::tokens(self.foreign.range(&place), text.to_vec()));
        }
        match placements.is_empty() {
            true => Fate::AlreadyThere,
            false => Fate::Placed(Rung::Token, placements),
        }
    }

    /// Whether the foreign text has these tokens replaced by the same text.
    fn has(&self, alignment: &Alignment, tokens: &Range<u32>, text: &[u8]) -> bool {
        let same = |hunk: &Hunk| {
            hunk.old == *tokens && &self.foreign.text[self.foreign.range(&hunk.new)] == text
        };
        alignment.hunks()[alignment.touching(tokens)].iter().any(same)
    }

    /// Whether half of the tokens of a changed line are left, so that it is the same line. New
    /// lines need one neighbour, which they have by being placed.
    fn is_known(&self, alignment: &Alignment, piece: &Piece) -> bool {
        let starts_line = |at: u32| at == 0 || self.old.text[at as usize - 1] == b'\n';
        if piece.old.is_empty() && starts_line(piece.old.start) {
            return true;
        }
        let text = self.old.text;
        let (from, to) = (piece.old.start as usize, piece.old.end as usize);
        let start = text[..from].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // A stretch that ends with a line feed ends with its line.
        let ends_line = from < to && text[to - 1] == b'\n';
        let rest = text[to..].iter().position(|&byte| byte == b'\n');
        let end = if ends_line { to } else { rest.map_or(text.len(), |at| to + at) };
        let Some(line) = self.old.at(&(start as u32..end as u32)) else { return false };
        let (mut all, mut kept) = (0, 0);
        for token in line {
            let is_blank = self.old.token(token).trim_ascii().is_empty();
            all += usize::from(!is_blank);
            kept += usize::from(!is_blank && alignment.image(token).is_some());
        }
        kept * 2 >= all
    }
}

impl<'a> Tokens<'a> {
    fn of(text: &'a [u8], range: Range<u32>) -> Self {
        let (from, to) = (range.start as usize, range.end as usize);
        let mut starts: Vec<usize> =
            tokens(&text[from..to]).map(|token| from + token.start).collect();
        starts.push(to);
        Tokens { text, starts }
    }

    fn bytes(&self) -> usize {
        self.starts[self.starts.len() - 1] - self.starts[0]
    }

    fn token(&self, at: u32) -> &'a [u8] {
        &self.text[self.starts[at as usize]..self.starts[at as usize + 1]]
    }

    fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        self.starts.windows(2).map(|pair| &self.text[pair[0]..pair[1]])
    }

    /// Returns the tokens of a range of the text, if it begins and ends where tokens do.
    fn at(&self, range: &Range<u32>) -> Option<Range<u32>> {
        let token = |byte: u32| self.starts.binary_search(&(byte as usize)).ok();
        Some(token(range.start)? as u32..token(range.end)? as u32)
    }

    fn range(&self, tokens: &Range<u32>) -> Range<usize> {
        self.starts[tokens.start as usize]..self.starts[tokens.end as usize]
    }
}
