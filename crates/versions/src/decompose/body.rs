//! The change inside one file: of a text line by line, of anything else as a whole.

use std::sync::Arc;

use whodunit_syntax::is_binary;
use whodunit_syntax::language::Holds;

use super::arrange::cells;
use super::compare::FileEnd;
use super::pieces::cut;
use crate::decomposition::{MemberOrder, Piece, is_shuffled};
use crate::lines::{Hunk, Lines, hunks, hunks_within};
use crate::syntax_facts::{FactsOfBoth, Heading, SyntaxFacts, headings, language};

/// How closely a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Its lines.
    Lines,
    /// Its syntax, if the language is known.
    Syntax,
}

/// How moved members are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Their order is a change by itself.
    Apart,
    /// They are deleted in one place and inserted in another.
    InPlace,
}

/// The change inside a file.
pub(crate) enum Body {
    /// Nothing; it was renamed, or its mode changed, or there is nothing in it.
    Same,
    /// All of it: binary data, a link, a submodule, or something else than it was.
    Whole,
    /// Some of its lines.
    Text(Box<TextBody>),
}

/// A text that changed.
pub(crate) struct TextBody {
    /// The text of the good version, in the order of the bad one if that is another.
    pub(crate) old: Arc<[u8]>,
    pub(crate) new: Arc<[u8]>,
    pub(crate) order: Option<MemberOrder>,
    /// The pieces in order, no two of which overlap.
    pub(crate) pieces: Vec<TextPiece>,
    pub(crate) facts: Option<FactsOfBoth>,
}

/// A part of a text that changed.
pub(crate) struct TextPiece {
    pub(crate) piece: Piece,
    /// The item that it is in; lines that were removed are in the item of the good version.
    pub(crate) item: Option<Arc<str>>,
    /// The number of its hunk; a hunk ends where its item does.
    pub(crate) hunk: u32,
}

impl Body {
    /// Compares both ends of a file.
    pub(crate) fn of(
        old: Option<&FileEnd>,
        new: Option<&FileEnd>,
        depth: Depth,
        moves: Moves,
    ) -> Body {
        match (old, new) {
            // A file that is gone is gone as a whole.
            (_, None) => Body::Same,
            (None, Some(new)) if !is_text(new) || new.bytes.is_empty() => Body::Same,
            (None, Some(new)) => Body::Text(Box::new(text(None, new, depth, moves))),
            (Some(old), Some(new)) => {
                let both_files = old.entry.kind.is_file() && new.entry.kind.is_file();
                if !both_files && (old.entry.kind != new.entry.kind || old.bytes != new.bytes) {
                    Body::Whole
                } else if old.bytes == new.bytes {
                    Body::Same
                } else if is_text(old) && is_text(new) {
                    Body::Text(Box::new(text(Some(old), new, depth, moves)))
                } else {
                    Body::Whole
                }
            }
        }
    }
}

/// Whether a file can be taken line by line.
pub(crate) fn is_text(side: &FileEnd) -> bool {
    let bytes = &side.bytes;
    side.entry.kind.is_file() && u32::try_from(bytes.len()).is_ok() && !is_binary(bytes)
}

/// Whether a file is nested data, by its name.
fn is_data(side: &FileEnd) -> bool {
    let language = language(&side.path, &side.bytes);
    language.is_some_and(|language| language.profile().holds == Holds::Data)
}

fn text(old: Option<&FileEnd>, new: &FileEnd, depth: Depth, moves: Moves) -> TextBody {
    let before: Arc<[u8]> = old.map_or_else(|| Arc::from([]), |old| old.bytes.clone());
    let body = compared(old, before, new, depth, None);
    let is_moved = moves == Moves::Apart && body.facts.as_ref().is_some_and(is_shuffled);
    let Some(old) = old.filter(|_| is_moved) else { return body };
    match cells((&old.path, &old.bytes), (&new.path, &new.bytes)) {
        Some(cells) => {
            let (order, moved) = MemberOrder::of(&cells, &old.bytes, &new.bytes);
            compared(Some(old), moved, new, depth, Some(order))
        }
        None => body,
    }
}

/// Compares a text with the new one, cell by cell if it has another order.
fn compared(
    old: Option<&FileEnd>,
    before: Arc<[u8]>,
    new: &FileEnd,
    depth: Depth,
    order: Option<MemberOrder>,
) -> TextBody {
    let after = new.bytes.clone();
    let lines = if is_data(new) { Lines::nested } else { Lines::of };
    let (old_lines, new_lines) = (lines(&before), lines(&after));
    let hunks = match &order {
        Some(order) => {
            order.lines().flat_map(|cell| hunks_within(&old_lines, &new_lines, &cell)).collect()
        }
        None => hunks(&old_lines, &new_lines),
    };
    let hunks = cut(&hunks, &old_lines, &new_lines);
    let old_text = old.map(|old| (&old.path, &before));
    let changes: Vec<Hunk> = hunks.iter().map(|(_, hunk)| hunk.clone()).collect();
    let facts =
        (depth == Depth::Syntax).then(|| FactsOfBoth::of(old_text, (&new.path, &after), &changes));
    let headings = match depth {
        Depth::Lines => [headings(&new.path, &old_lines), headings(&new.path, &new_lines)],
        Depth::Syntax => [Vec::new(), Vec::new()],
    };
    let item_at = |facts: Option<&SyntaxFacts>, headings: &[Heading], line: u32| match facts {
        Some(facts) => facts.items.at(line).map(|item| item.name.clone()),
        None => {
            let after = headings.partition_point(|heading| heading.line <= line);
            Some(headings.get(after.checked_sub(1)?)?.name.clone())
        }
    };
    let mut pieces: Vec<TextPiece> = Vec::with_capacity(hunks.len());
    let mut number = 0;
    let mut former = None;
    for (hunk, Hunk { old, new }) in hunks {
        let facts = facts.as_ref();
        let key = match new.is_empty() {
            true => old_lines.key(old.start),
            false => new_lines.key(new.start),
        };
        let item = if let Some(key) = key {
            Some(String::from_utf8_lossy(key).into())
        } else if new.is_empty() {
            item_at(facts.and_then(|both| both.old.as_ref()), &headings[0], old.start)
        } else {
            item_at(facts.and_then(|both| both.new.as_ref()), &headings[1], new.start)
        };
        let is_new =
            former != Some(hunk) || pieces.last().is_some_and(|last: &TextPiece| last.item != item);
        number += u32::from(is_new && former.is_some());
        former = Some(hunk);
        let piece = Piece {
            old: old_lines.bytes(&old),
            new: new_lines.bytes(&new),
            old_lines: old,
            new_lines: new,
        };
        pieces.push(TextPiece { piece, item, hunk: number });
    }
    TextBody { old: before, new: after, order, pieces, facts }
}
