//! Explains why the search stopped: lists parts of the result, with the reasons why the candidates
//! without them were refused.
//!
//! The parts are files, the nodes of parsed files, and the lines of other files. Only known
//! verdicts are used; no test is run for this list.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, Edit, TreeCandidate};
use whodunit_input::{Input, InputCandidate, Snapshot};
use whodunit_run::{Key, Refutation, Subject};

use super::pieces::{Cut, Nodes};
use crate::answer::{Level, Region, Regions, Smaller};

/// Maximum number of regions in an answer; the others are only counted.
const LISTED: usize = 200;
/// Maximum number of nodes that are looked at; nothing may be known about most of them.
const LOOKED_AT: usize = 2000;
/// Bytes of candidates that are printed for a large result; beyond it no more nodes are looked at.
const PRINTED: u64 = 1 << 22;
/// Bytes of candidates that are parsed, to find those that do not parse; beyond it none are parsed.
const PARSED: u64 = 1 << 20;
/// Bytes of candidates that are hashed; beyond it no more candidates are listed. A result of 40 KB
/// may have 40,000 pieces, and the candidate without one of them has 40 KB as well. Hashing up to this limit
/// takes a tenth of a second.
const HASHED: u64 = 1 << 26;
/// Maximum number of candidates in one region.
const SMALLER: usize = 4;
/// Maximum number of characters of a text in an answer; a longer text is cut off.
const TEXT: usize = 60;

/// Returns why a content was refused: `None` if it was not asked about, `Some(None)` if it fails.
pub(super) type Asked<'a> = dyn Fn(Key) -> Option<Option<Refutation>> + 'a;

/// Lists the regions of a result that have known verdicts.
pub(super) fn find(result: &Arc<Snapshot>, cuts: &[Cut], asked: &Asked<'_>) -> Regions {
    let nodes = cuts.iter().find_map(|cut| match cut {
        Cut::Nodes(nodes) => Some(nodes),
        Cut::Text { .. } => None,
    });
    let finder = RegionFinder { result, nodes, asked, hashed: Cell::new(0) };
    let mut found: Vec<(u32, Region)> = Vec::new();
    for cut in cuts {
        match cut.level() {
            Level::Files => found.extend(finder.pieces(cut).map(|region| (0, region))),
            Level::Lines | Level::Bytes => found.extend(finder.text(cut, cuts)),
            Level::Nodes | Level::Tokens => {}
        }
    }
    let mut more = nodes.map_or(0, |nodes| finder.nodes(nodes, &mut found));
    // The outermost regions are listed, in the order of the text.
    found.sort_by_key(|(depth, region)| (*depth, region.file, region.start));
    more += found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let mut listed: Vec<Region> = found.into_iter().map(|(_, region)| region).collect();
    listed.sort_by_key(|region| (region.file, region.start, Reverse(region.end)));
    Regions { listed, more: more as u64 }
}

struct RegionFinder<'a> {
    result: &'a Arc<Snapshot>,
    nodes: Option<&'a Nodes>,
    asked: &'a Asked<'a>,
    hashed: Cell<u64>,
}

impl RegionFinder<'_> {
    /// Returns a region for each piece of a cut that is known to be needed.
    fn pieces<'a>(&'a self, cut: &'a Cut) -> impl Iterator<Item = Region> + 'a {
        cut.pieces().filter_map(|piece| {
            let text = self.slice(piece.file, piece.start..piece.end);
            let smaller = vec![self.smaller(&piece.without, text, &[])?];
            Some(self.region(piece.level, piece.file, piece.start..piece.end, smaller))
        })
    }

    /// Returns the lines of files that were not parsed, with the tokens in them; or bytes of files
    /// without lines.
    fn text(&self, cut: &Cut, cuts: &[Cut]) -> Vec<(u32, Region)> {
        let is_parsed = |file| self.nodes.is_some_and(|nodes| nodes.structure.is_parsed(file));
        let lines = cut.level() == Level::Lines;
        let fits = |region: &Region| {
            let bytes = &self.result.files()[region.file].bytes;
            !is_parsed(region.file) && lines != whodunit_input::is_binary(bytes)
        };
        let mut regions: Vec<(u32, Region)> =
            self.pieces(cut).filter(fits).map(|region| (1, region)).collect();
        let tokens = cuts.iter().find(|cut| cut.level() == Level::Tokens).filter(|_| lines);
        let mut next = 0;
        for token in tokens.into_iter().flat_map(Cut::pieces) {
            let before = |region: &Region| {
                region.file < token.file || region.file == token.file && region.end <= token.start
            };
            next += regions[next..].iter().take_while(|(_, region)| before(region)).count();
            let Some((_, region)) = regions.get_mut(next) else { break };
            let within = region.file == token.file && region.start <= token.start;
            let text = self.slice(token.file, token.start..token.end);
            let is_space = text.trim_ascii().is_empty();
            if within && !is_space && region.smaller.len() < SMALLER {
                let smaller = self.smaller(&token.without, text, &[]);
                smaller.into_iter().for_each(|smaller| add(&mut region.smaller, smaller));
            }
        }
        regions
    }

    /// Adds the outermost nodes with their smaller candidates, and returns how many removable nodes
    /// were not looked at. Nodes with the same bytes are one region.
    fn nodes(&self, nodes: &Nodes, found: &mut Vec<(u32, Region)>) -> usize {
        let tree = nodes.structure.tree();
        let whole = TreeCandidate::whole(tree);
        let mut inwards: Vec<Delta> = nodes.within_files().collect();
        inwards.sort_by_key(|&node| tree.depth(node));
        let mut places: HashMap<(usize, Range<u64>), usize> = HashMap::new();
        for (looked_at, &node) in inwards.iter().enumerate() {
            let bytes = looked_at as u64 * self.result.len();
            if places.len() == LISTED || looked_at == LOOKED_AT || bytes > PRINTED {
                let rest = inwards[looked_at..].iter();
                return rest.filter(|&&node| whole.leave_out(tree, node).is_some()).count();
            }
            let smaller = self.smaller_nodes(nodes, &whole, node, bytes < PARSED);
            let (file, range) = nodes.place(node);
            if let Some(&place) = places.get(&(file, range.clone())) {
                smaller.into_iter().for_each(|smaller| add(&mut found[place].1.smaller, smaller));
            } else if !smaller.is_empty() {
                places.insert((file, range.clone()), found.len());
                found.push((tree.depth(node), self.region(Level::Nodes, file, range, smaller)));
            }
        }
        0
    }

    /// Returns the known candidates in which a node is removed or replaced by a part of it. With
    /// `foretell`, the candidate without the node is parsed if nothing is known about it.
    fn smaller_nodes(
        &self,
        nodes: &Nodes,
        whole: &TreeCandidate,
        node: Delta,
        foretell: bool,
    ) -> Vec<Smaller> {
        let tree = nodes.structure.tree();
        let text = |node: Delta| nodes.structure.base().bytes(nodes.structure.addresses(node));
        let smaller = |edit: Edit, foretell: bool| {
            let instead = match edit {
                Edit::Drop(_) => &[][..],
                Edit::Shrink(node) => nodes.structure.minimal(node).as_bytes(),
                Edit::Hoist { shown, .. } => text(shown),
                Edit::Splice { list, .. } => text(list),
            };
            let without = nodes.candidate(&edit)?;
            // Parsing all candidates in which the node is replaced would take too long.
            if !foretell && (self.asked)(Input.key(&without)).is_none() {
                return None;
            }
            self.smaller(&without, text(node), instead)
        };
        let mut known = Vec::new();
        let left_out = whole.leave_out(tree, node).and_then(|edit| smaller(edit, foretell));
        left_out.into_iter().for_each(|smaller| add(&mut known, smaller));
        for edit in whole.in_place(tree, node) {
            smaller(edit, false).into_iter().for_each(|smaller| add(&mut known, smaller));
        }
        known
    }

    /// Returns a candidate with the reason why it was refused; `None` if it was not asked about, or
    /// fails, or if too many candidates were hashed.
    fn smaller(&self, without: &InputCandidate, text: &[u8], instead: &[u8]) -> Option<Smaller> {
        if self.hashed.replace(self.hashed.get() + self.result.len()) > HASHED {
            return None;
        }
        let key = Input.key(without);
        let because = match (self.asked)(key) {
            Some(refutation) => refutation?,
            // Pieces never touch what is protected.
            None => Input.foretell(without).map(|_| Refutation::DoesNotParse)?,
        };
        Some(Smaller { without: shorten(text), instead: shorten(instead), key, because })
    }

    fn region(
        &self,
        level: Level,
        file: usize,
        range: Range<u64>,
        smaller: Vec<Smaller>,
    ) -> Region {
        let before = self.slice(file, 0..range.start);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let text = shorten(self.slice(file, range.clone()));
        Region { level, file, start: range.start, end: range.end, line, text, smaller }
    }

    fn slice(&self, file: usize, range: Range<u64>) -> &[u8] {
        &self.result.files()[file].bytes[range.start as usize..range.end as usize]
    }
}

/// Adds a candidate, unless the list is full or has one that looks the same.
fn add(known: &mut Vec<Smaller>, smaller: Smaller) {
    let same = |known: &Smaller| {
        known.key == smaller.key
            || (&known.without, &known.instead) == (&smaller.without, &smaller.instead)
    };
    if known.len() < SMALLER && !known.iter().any(same) {
        known.push(smaller);
    }
}

/// Returns the beginning of a text, on one line.
pub(super) fn shorten(bytes: &[u8]) -> String {
    // A character has at most four bytes; the rest allows for white space.
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(8 * TEXT)]);
    let mut text = String::new();
    for word in head.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    let cut = text.char_indices().nth(TEXT).map(|(end, _)| end);
    match cut {
        Some(end) => text[..end].to_owned() + "…",
        None if bytes.len() > 8 * TEXT => text + "…",
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_to_one_line() {
        assert_eq!(shorten(b"for (;;)\n\t{ }\n"), "for (;;) { }");
        let long = shorten("ü".repeat(1000).as_bytes());
        assert_eq!((long.chars().count(), long.ends_with('…')), (TEXT + 1, true));
    }
}
