//! A hunk cut into lines: an old line with the new one that it became, or a line that is only added
//! or deleted.
//!
//! Pieces lie in order in both texts and do not overlap, so every choice of them can be laid out.

use std::ops::Range;

use whodunit_syntax::words::{WordHash, tokens};

use crate::lines::{Hunk, Lines, common};

/// Cells of a table of similarities: old lines times new lines of a hunk. A larger hunk is first
/// cut at equal lines. Chosen by hand.
const MAX_TABLE_CELLS: usize = 10_000;

/// Share of words that two lines must have in common to be one change; below it they are two.
/// Chosen by hand, as for files.
const MIN_SIMILARITY: f32 = 0.5;

/// Cuts the hunks of two texts into lines; each piece comes with the number of its hunk.
pub(crate) fn cut(hunks: &[Hunk], old: &Lines<'_>, new: &Lines<'_>) -> Vec<(u32, Hunk)> {
    let mut pieces = Vec::new();
    for (number, hunk) in (0..).zip(hunks) {
        let begin = pieces.len();
        let pairs = pairs(hunk, old, new);
        let (mut from, mut to) = (hunk.old.start, hunk.new.start);
        let mut push = |old, new| pieces.push((number, Hunk { old, new }));
        for (a, b) in pairs.into_iter().chain([(hunk.old.end, hunk.new.end)]) {
            for line in from..a {
                push(line..line + 1, to..to);
            }
            for line in to..b {
                push(a..a, line..line + 1);
            }
            if a < hunk.old.end {
                push(a..a + 1, b..b + 1);
            }
            (from, to) = (a + 1, b + 1);
        }
        join_cut_off(&mut pieces, begin, old, new);
    }
    pieces
}

/// Joins what follows a line without line feed to it: alone it would be glued to that line.
fn join_cut_off(pieces: &mut Vec<(u32, Hunk)>, begin: usize, old: &Lines<'_>, new: &Lines<'_>) {
    let has_last = |lines: &Range<u32>, all: &Lines<'_>| {
        all.is_cut_off() && !lines.is_empty() && lines.end == all.len()
    };
    let is_glue = |piece: &Hunk| has_last(&piece.old, old) || has_last(&piece.new, new);
    let Some(first) = pieces[begin..].iter().position(|(_, piece)| is_glue(piece)) else { return };
    let rest = pieces.split_off(begin + first);
    let number = rest[0].0;
    let old = rest[0].1.old.start..rest[rest.len() - 1].1.old.end;
    let new = rest[0].1.new.start..rest[rest.len() - 1].1.new.end;
    pieces.push((number, Hunk { old, new }));
}

/// Finds which old line became which new one, in order.
fn pairs(hunk: &Hunk, old: &Lines<'_>, new: &Lines<'_>) -> Vec<(u32, u32)> {
    if hunk.old.len() == 1 && hunk.new.len() == 1 {
        return vec![(hunk.old.start, hunk.new.start)];
    }
    if hunk.old.len() * hunk.new.len() <= MAX_TABLE_CELLS {
        return align(hunk, old, new);
    }
    let stripped = |lines: &Lines<'_>, range: &Range<u32>| {
        let placed = |line| (lines.around(line), signs(lines.line(line)).collect());
        let words: Vec<(u64, Vec<Sign>)> = range.clone().map(placed).collect();
        words.into_iter()
    };
    let mut pairs = Vec::new();
    let (mut from, mut to) = (hunk.old.start, hunk.new.start);
    let equal = common(stripped(old, &hunk.old), stripped(new, &hunk.new));
    let equal = equal.into_iter().map(|(a, b)| (hunk.old.start + a, hunk.new.start + b));
    for (a, b) in equal.chain([(hunk.old.end, hunk.new.end)]) {
        let between = Hunk { old: from..a, new: to..b };
        if between.old.len() * between.new.len() <= MAX_TABLE_CELLS {
            pairs.extend(align(&between, old, new));
        }
        if a < hunk.old.end {
            pairs.push((a, b));
        }
        (from, to) = (a + 1, b + 1);
    }
    pairs
}

/// Pairs similar lines so that they share as much as possible altogether.
fn align(hunk: &Hunk, old: &Lines<'_>, new: &Lines<'_>) -> Vec<(u32, u32)> {
    let before: Vec<Vec<Sign>> = hunk.old.clone().map(|line| bag(old.line(line))).collect();
    let after: Vec<Vec<Sign>> = hunk.new.clone().map(|line| bag(new.line(line))).collect();
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    // best[i][j]: the largest similarity of the lines from i and from j on.
    let width = after.len() + 1;
    let mut best = vec![0.0f32; (before.len() + 1) * width];
    let mut shares = vec![0.0f32; before.len() * after.len()];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            let places = (hunk.old.start + i as u32, hunk.new.start + j as u32);
            let is_there = old.around(places.0) == new.around(places.1);
            let share = if is_there { similarity(&before[i], &after[j]) } else { 0.0 };
            shares[i * after.len() + j] = share;
            let paired =
                if share >= MIN_SIMILARITY { share + best[(i + 1) * width + j + 1] } else { 0.0 };
            best[i * width + j] =
                paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < before.len() && j < after.len() {
        let here = best[i * width + j];
        let share = shares[i * after.len() + j];
        if share >= MIN_SIMILARITY && here <= share + best[(i + 1) * width + j + 1] {
            pairs.push((hunk.old.start + i as u32, hunk.new.start + j as u32));
            i += 1;
            j += 1;
        } else if here <= best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// A word or a sign with its weight: brackets and commas weigh little, because they are in every
/// other line.
pub(crate) type Sign = (WordHash, u32);

/// Returns the words and signs of a text, sorted.
pub(super) fn bag(text: &[u8]) -> Vec<Sign> {
    let mut bag: Vec<Sign> = signs(text).collect();
    bag.sort_unstable();
    bag
}

/// Returns the words and signs of a line, without the space between them.
fn signs(line: &[u8]) -> impl Iterator<Item = Sign> + '_ {
    tokens(line).map(|token| &line[token]).filter(|token| !token[0].is_ascii_whitespace()).map(
        |token| {
            (
                WordHash::of(token),
                if token[0].is_ascii_punctuation() && token.len() == 1 { 1 } else { 4 },
            )
        },
    )
}

/// Returns the share of words that two lines have in common; blank lines are alike.
pub(super) fn similarity(one: &[Sign], other: &[Sign]) -> f32 {
    if one.is_empty() || other.is_empty() {
        return f32::from(u8::from(one.len() == other.len()));
    }
    let weight = |signs: &[Sign]| signs.iter().map(|sign| sign.1).sum::<u32>();
    let (mut a, mut b, mut shared) = (0, 0, 0);
    while a < one.len() && b < other.len() {
        let (mine, theirs) = (one[a], other[b]);
        shared += if mine == theirs { mine.1 } else { 0 };
        a += usize::from(mine <= theirs);
        b += usize::from(theirs <= mine);
    }
    2.0 * shared as f32 / (weight(one) + weight(other)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::hunks;

    /// Draws the pieces of two texts, whose lines are separated by `|`.
    fn drawing(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (old.replace('|', "\n"), new.replace('|', "\n"));
        let (before, after) = (Lines::of(old.as_bytes()), Lines::of(new.as_bytes()));
        let text = |lines: &Lines<'_>, range: &Range<u32>| {
            let lines: Vec<u8> = range.clone().flat_map(|line| lines.line(line).to_vec()).collect();
            String::from_utf8(lines).unwrap().replace('\n', "|")
        };
        let pieces = cut(&hunks(&before, &after), &before, &after);
        let draw = |(hunk, piece): &(u32, Hunk)| {
            format!("{hunk}: {} -> {}", text(&before, &piece.old), text(&after, &piece.new))
        };
        pieces.iter().map(draw).collect()
    }

    #[test]
    fn similar_lines_are_one_change_and_others_are_two() {
        assert_eq!(
            drawing("k|x = f(a, b)|foo|z|", "k|new line here|x = f(a, c)|z|"),
            ["0:  -> new line here|", "0: x = f(a, b)| -> x = f(a, c)|", "0: foo| -> "]
        );
    }

    #[test]
    fn a_line_without_its_line_feed_takes_along_what_follows() {
        assert_eq!(drawing("a|b", "a|b|c|"), ["0: b -> b|c|"]);
        assert_eq!(drawing("a|b|c|", "a|b"), ["0: b|c| -> b"]);
        assert_eq!(drawing("a|", "a|b"), ["0:  -> b"]);
    }

    #[test]
    fn one_line_for_one_line_is_one_change() {
        assert_eq!(drawing("a|b|c|", "a|x y z|c|"), ["0: b| -> x y z|"]);
    }
}
