//! Names that are known elsewhere as well, but no longer, or only now, in one place: a field with
//! another name, a field that another structure has too, a function that moved to another file.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_syntax::words::{WordHash, words};

use super::lines::{ChangedLines, Side};
use super::mentions::{Mentions, Names};
use super::names::MAX_DEFINING_FILES;
use super::{Edges, Reason};
use crate::decomposition::Piece;
use crate::decomposition::{Change, Text};

/// Where a name is defined at one end.
#[derive(Default)]
struct Places {
    files: BTreeSet<u32>,
    scopes: BTreeSet<WordHash>,
    /// On changed lines, where the other end of the file does not define it: file and grain.
    only_here: Vec<(u32, u32)>,
}

pub(super) fn find(edges: &mut Edges<'_>, mentions: &Mentions) {
    let old = definitions(edges, Side::Old);
    let new = definitions(edges, Side::New);
    mentioned(edges, &new, &mentions.new, &mentions.old, Side::New);
    mentioned(edges, &old, &mentions.old, &mentions.new, Side::Old);
    moved(edges, &old, &new);
}

fn definitions(edges: &Edges<'_>, side: Side) -> BTreeMap<WordHash, Places> {
    let decomposition = edges.decomposition;
    let mut found: BTreeMap<WordHash, Places> = BTreeMap::new();
    for (number, file) in (0..).zip(&decomposition.files) {
        let Some(text) = &file.text else { continue };
        let Some(facts) = side.of(text).1 else { continue };
        let other = side.other().of(text).1;
        let lines = ChangedLines::of(decomposition, text, side);
        for export in &facts.exports {
            let places = found.entry(export.name).or_default();
            places.files.insert(number);
            places.scopes.insert(export.scope);
            let name = (export.name, export.scope);
            if other.is_some_and(|other| other.defines.contains(&name)) {
                continue;
            }
            places.only_here.extend(lines.grain(export.line).map(|grain| (number, grain)));
        }
    }
    // A name in many files or scopes identifies none of them.
    found.retain(|_, places| {
        places.files.len() <= MAX_DEFINING_FILES && places.scopes.len() <= MAX_DEFINING_FILES
    });
    found
}

/// Pairs what defines a name in a new place with the changes that bring a mention of it, and what
/// takes a definition away with those that take a mention away. Names that stand alone have been
/// looked up in their scopes.
fn mentioned(
    edges: &mut Edges<'_>,
    definitions: &BTreeMap<WordHash, Places>,
    here: &Names,
    other: &Names,
    side: Side,
) {
    for (word, places) in definitions {
        // A name that the other end lacks altogether has been seen to.
        if places.only_here.is_empty() || !other.all.contains(word) {
            continue;
        }
        for &(file, grain) in here.mentioned.get(word).into_iter().flatten() {
            if places.only_here.contains(&(file, grain)) || !brings(edges, file, grain, *word, side)
            {
                continue;
            }
            for &(_, definition) in &places.only_here {
                let (grain, needed) = side.edge(grain, definition);
                edges.add(grain, needed, Reason::Name);
            }
        }
    }
}

/// Ties the deletion of a definition to the addition of the same name in another file: without
/// the new one the name is missing, with both it is defined twice.
fn moved(
    edges: &mut Edges<'_>,
    old: &BTreeMap<WordHash, Places>,
    new: &BTreeMap<WordHash, Places>,
) {
    for (word, gone) in old {
        let Some(come) = new.get(word) else { continue };
        for &(from, goes) in &gone.only_here {
            for &(_, comes) in come.only_here.iter().filter(|(to, _)| *to != from) {
                edges.add(goes, comes, Reason::Name);
                edges.add(comes, goes, Reason::Name);
            }
        }
    }
}

/// Whether a change has more mentions of a word as a member of something at one end than at the
/// other.
fn brings(edges: &Edges<'_>, file: u32, grain: u32, word: WordHash, side: Side) -> bool {
    let decomposition = edges.decomposition;
    let text = decomposition.files[file as usize].text.as_ref();
    let (Some(text), Change::Text(piece)) = (text, &decomposition.grain(grain).change) else {
        return false;
    };
    count(text, piece, word, side) > count(text, piece, word, side.other())
}

fn count(text: &Text, piece: &Piece, word: WordHash, side: Side) -> usize {
    let part = &side.of(text).0[side.bytes(piece)];
    let is_member = |before: &[u8]| {
        let before = before.trim_ascii_end();
        [b".".as_slice(), b"->", b"::"].iter().any(|sign| before.ends_with(sign))
    };
    let mentions = words(part).filter(|range| WordHash::of(&part[range.clone()]) == word);
    mentions.filter(|range| is_member(&part[..range.start])).count()
}
