//! From an edit to its place in a foreign text, by the first rung that finds one: the same
//! surroundings, a merge of lines, tokens. Items are a rung above, in `items.rs`.
//!
//! Every rung places edits alone and in the foreign text as it is, so one that conflicts does not
//! keep others from being placed.

use std::fmt;

use super::already::{self, Shared};
use super::edit::{LineEdit, Texts, edits, patched};
use super::patch::Chosen;
use super::placement::Placement;
use super::spacing::Spaced;
use super::surroundings::Surroundings;
use super::tokens;
use crate::decompose::pieces::cut;
use crate::lines::{Hunk, Lines, hunks};

/// How an edit found its place; a later rung is less sure than the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// The lines around it are the same, here or at one other place.
    Exact,
    /// Its own lines are, and the lines around it or the name of the file are not: a merge.
    Merge,
    /// Lines were indented or broken otherwise, or something else in them changed.
    Token,
    /// The function, class or the like was found by its name.
    Item,
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rung::Exact => "exact",
            Rung::Merge => "merge",
            Rung::Token => "token",
            Rung::Item => "item",
        })
    }
}

/// The outcome of an edit.
#[derive(Debug)]
pub(super) enum Fate {
    AlreadyThere,
    /// The text to write and its places in the foreign text.
    Placed(Rung, Vec<Placement>),
    /// No place was found.
    Open,
}

impl Fate {
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Fate::Open)
    }
}

/// Lines on either side of an edit in which no foreign change may lie for the edit to be placed
/// exactly; with one nearer a less sure way is tried. Three, as in `git apply`.
pub(super) const CONTEXT: u32 = 3;

/// Places the chosen edits of a text.
pub(super) fn climb(texts: &Texts<'_>, chosen: &[Chosen]) -> Vec<(LineEdit, Fate)> {
    let base = Lines::of(texts.old);
    if texts.old == texts.foreign {
        let edits = edits(texts.old, texts.new, chosen, |_| false);
        let exact = |edit: LineEdit| {
            let placement = Placement::lines(base.bytes(&edit.lines), edit.text.clone());
            (edit, Fate::Placed(Rung::Exact, vec![placement]))
        };
        return edits.into_iter().map(exact).collect();
    }
    let foreign = Lines::of(texts.foreign);
    let pieces = cut(&hunks(&base, &foreign), &base, &foreign);
    let pieces: Vec<Hunk> = pieces.into_iter().map(|(_, piece)| piece).collect();
    let shared = already::find(texts, &base, &foreign, &pieces, chosen);
    let edits = edits(texts.old, texts.new, chosen, |at| shared.chosen[at]);
    let patched = patched(texts.old, texts.new, &base, &(0..base.len()), chosen);
    let patched = Lines::of(&patched);
    let surroundings = Surroundings::new(&base, &patched, &foreign);
    let lines = |edit: &LineEdit, rung: Rung, at: std::ops::Range<u32>| {
        Fate::Placed(rung, vec![Placement::lines(foreign.bytes(&at), edit.text.clone())])
    };
    let by_lines = |edit: &LineEdit| {
        if edit.pieces.clone().all(|at| shared.chosen[at]) {
            return Fate::AlreadyThere;
        }
        if let Some(at) = untouched(edit, &pieces, &shared, CONTEXT - 1) {
            return lines(edit, Rung::Exact, at);
        }
        if let Some(at) = surroundings.find(edit) {
            return lines(edit, Rung::Exact, at);
        }
        match untouched(edit, &pieces, &shared, 0) {
            Some(at) => lines(edit, Rung::Merge, at),
            None if surroundings.has_patched(edit) => Fate::AlreadyThere,
            None => Fate::Open,
        }
    };
    let step = |edit: LineEdit| {
        let fate = by_lines(&edit);
        (edit, fate)
    };
    let mut steps: Vec<(LineEdit, Fate)> = edits.into_iter().map(step).collect();
    if steps.iter().any(|(_, fate)| fate.is_open()) {
        let spaced = Spaced::new(texts, &base, &foreign);
        for (edit, fate) in steps.iter_mut().filter(|(_, fate)| fate.is_open()) {
            *fate = spaced.place(edit);
        }
        tokens::place(texts, &base, &foreign, chosen, &mut steps);
    }
    steps
}

/// Returns where the lines of an edit are in the foreign text, if no foreign change is as near as
/// this, but for those that the patch makes as well.
fn untouched(
    edit: &LineEdit,
    pieces: &[Hunk],
    shared: &Shared,
    margin: u32,
) -> Option<std::ops::Range<u32>> {
    let (start, end) = (edit.lines.start, edit.lines.end);
    let first = pieces.partition_point(|piece| piece.old.end < start.saturating_sub(margin));
    let near = pieces[first..].iter().take_while(|piece| piece.old.start <= end + margin);
    let mut before = first;
    for (at, piece) in (first..).zip(near) {
        let ours = shared.foreign[at]?;
        // Of lines that come at one place, those that the patch has first come first.
        let is_insertion = piece.old.is_empty() && piece.old.start == start;
        if piece.old.end <= start && (!is_insertion || ours < edit.pieces.start) {
            before = at + 1;
        }
    }
    let shift = |line: u32| match before.checked_sub(1).map(|last| &pieces[last]) {
        Some(last) => line - last.old.end + last.new.end,
        None => line,
    };
    Some(shift(start)..shift(end))
}
