//! Changes that open a bracket or a text of several lines need those that close it.

use super::{Edges, Reason};
use crate::decomposition::Piece;
use crate::decomposition::{Change, Text};
use crate::syntax_facts::SyntaxFacts;

/// How many more brackets of each sort a change opens than it closes; for `"""` whether the number
/// is odd.
pub(super) type Balance = [i32; SORTS];

/// Round, square and curly ones, and triple quotes.
const SORTS: usize = 4;

/// Braces hold statements, each of which is a change of its own, unlike the items in other
/// brackets.
const CURLY: usize = 2;

/// A change that opens as much as it closes.
pub(super) const EVEN: Balance = [0; SORTS];

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        if text.new_facts().is_none() {
            continue;
        }
        let mut open: Vec<Vec<(u32, i32)>> = vec![Vec::new(); SORTS];
        for (grain, piece) in decomposition.pieces(text) {
            for (sort, by) in balance(text, piece).into_iter().enumerate() {
                pair_with_open(edges, &mut open[sort], sort, grain, by);
            }
        }
    }
}

/// Returns the brackets that a change opens and does not close.
pub(super) fn balance(text: &Text, piece: &Piece) -> Balance {
    let new = count(&text.new, piece.new.start, piece.new.end, text.new_facts());
    let old = count(&text.old, piece.old.start, piece.old.end, text.old_facts());
    std::array::from_fn(|sort| match sort {
        // The same sign opens and closes.
        3 => (new[sort] - old[sort]).rem_euclid(2),
        _ => new[sort] - old[sort],
    })
}

/// Pairs a change with the nearest changes before it whose brackets it balances. For example, a
/// change that adds `foo(` and a later one that adds `)` need each other.
fn pair_with_open(
    edges: &mut Edges<'_>,
    open: &mut Vec<(u32, i32)>,
    sort: usize,
    grain: u32,
    mut balance: i32,
) {
    let is_quote = sort == SORTS - 1;
    while balance != 0 {
        let Some((other, left)) = open.pop() else { break };
        if !is_quote && left.signum() == balance.signum() {
            open.push((other, left));
            break;
        }
        pair(edges, other, grain, Reason::Brackets);
        if sort < CURLY {
            take_along(edges, other, grain);
        }
        let sum = if is_quote { 0 } else { left + balance };
        if sum.signum() == left.signum() {
            open.push((other, sum));
            return;
        }
        balance = sum;
    }
    if balance != 0 {
        open.push((grain, balance));
    }
}

fn pair(edges: &mut Edges<'_>, one: u32, other: u32, reason: Reason) {
    edges.add(one, other, reason);
    edges.add(other, one, reason);
}

/// Ties the lines between brackets to the brackets if the lines were elsewhere before: the
/// statement was reformatted, and half of it is not a statement.
fn take_along(edges: &mut Edges<'_>, first: u32, last: u32) {
    let decomposition = edges.decomposition;
    let piece = |grain: u32| match &decomposition.grain(grain).change {
        Change::Text(piece) => Some(piece),
        _ => None,
    };
    let follows = |grain: u32| {
        let pair = piece(grain).zip(piece(grain + 1));
        pair.is_some_and(|(one, next)| {
            one.old.end == next.old.start && one.new.end == next.new.start
        })
    };
    // Nothing that did not change lies between them.
    if !(first..last).all(follows) {
        return;
    }
    for grain in first + 1..last {
        if piece(grain).is_some_and(|piece| !piece.old.is_empty()) {
            pair(edges, first, grain, Reason::Nesting);
        }
    }
}

fn count(text: &[u8], start: u32, end: u32, facts: Option<&SyntaxFacts>) -> Balance {
    let mut balance = EVEN;
    let text = &text[..end as usize];
    let mut at = start as usize;
    while at < text.len() {
        let is_quote = text[at..].starts_with(b"\"\"\"") || text[at..].starts_with(b"'''");
        let (sort, by) = match text[at] {
            b'(' => (0, 1),
            b')' => (0, -1),
            b'[' => (1, 1),
            b']' => (1, -1),
            b'{' => (CURLY, 1),
            b'}' => (CURLY, -1),
            _ if is_quote => (SORTS - 1, 1),
            _ => {
                at += 1;
                continue;
            }
        };
        if is_quote || !facts.is_some_and(|facts| facts.is_quiet(at)) {
            balance[sort] += by;
        }
        at += if is_quote { 3 } else { 1 };
    }
    balance
}
