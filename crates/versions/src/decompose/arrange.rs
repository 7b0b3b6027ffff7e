//! Where the members of a class stand in both versions, cut into cells of lines: each begins with a
//! member that is in both and ends before the next one, in either version.
//!
//! Only inside of classes, where the place of a method means nothing, cells may change places.

use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::definitions::{FileFacts, Member, Pairs};

use crate::definitions::definitions;
use crate::lines::Hunk;

/// Cuts a text into cells, in the order of the bad version; `None` if they are in that order
/// already, or if the text does not parse.
pub(super) fn cells(
    (old_path, old): (&TreePath, &Arc<[u8]>),
    (new_path, new): (&TreePath, &Arc<[u8]>),
) -> Option<Vec<Hunk>> {
    let is_whole = |text: &[u8]| text.last() == Some(&b'\n');
    if !is_whole(old) || !is_whole(new) {
        return None;
    }
    let (old, new) = (
        MemberLayout::of(definitions(old_path, old)?)?,
        MemberLayout::of(definitions(new_path, new)?)?,
    );
    let pairs = Pairs::of(Some(&old.facts), Some(&new.facts));
    let arrangement = Arrangement { old, new, pairs };
    let whole = |side: &MemberLayout| side.facts.members[0].lines.clone();
    let all = Hunk { old: whole(&arrangement.old), new: whole(&arrangement.new) };
    let mut cells = Vec::new();
    arrangement.cut(0, all, &mut cells);
    let is_moved = cells.windows(2).any(|two| two[1].old.start < two[0].old.start);
    is_moved.then_some(cells)
}

/// One version of a text.
struct MemberLayout {
    facts: FileFacts,
    /// The members of each member.
    children: Vec<Vec<u32>>,
    /// The first line of each member, with the comments before it.
    starts: Vec<u32>,
    /// The lines on which each member has code of its own, outside its inner members.
    codes: Vec<Vec<u32>>,
}

impl MemberLayout {
    fn of(facts: FileFacts) -> Option<MemberLayout> {
        if facts.has_errors {
            return None;
        }
        let count = facts.members.len();
        let mut side = MemberLayout {
            children: vec![Vec::new(); count],
            starts: facts.members.iter().map(|member| member.lines.start).collect(),
            codes: vec![Vec::new(); count],
            facts,
        };
        // Only members that are written in the text have a place.
        let written = |(_, member): &(u32, &Member)| !member.marks.is_unwritten;
        for (number, member) in (0..).zip(&side.facts.members).skip(1).filter(written) {
            side.children[member.owner as usize].push(number);
        }
        for stretch in &side.facts.stretches {
            let member = stretch.region.member() as usize;
            side.starts[member] = side.starts[member].min(stretch.line);
            if stretch.code != 0 {
                side.codes[member].push(stretch.line);
            }
        }
        Some(side)
    }

    /// Whether the members of something lie one after the other, with nothing but comments between
    /// them, each on lines of its own.
    fn is_tidy(&self, of: u32) -> bool {
        let children = &self.children[of as usize];
        let end = |member: u32| self.facts.members[member as usize].lines.end;
        let start = |member: u32| self.starts[member as usize];
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else { return false };
        let inside = start(first)..end(last);
        children.windows(2).all(|two| end(two[0]) <= start(two[1]))
            && !self.codes[of as usize].iter().any(|line| inside.contains(line))
    }
}

struct Arrangement {
    old: MemberLayout,
    new: MemberLayout,
    pairs: Pairs,
}

/// A member of both versions.
#[derive(Clone, Copy)]
struct Both {
    old: u32,
    new: u32,
}

impl Arrangement {
    /// Cuts the lines of a pair of definitions.
    fn cut(&self, pair: u32, lines: Hunk, cells: &mut Vec<Hunk>) {
        let members = self.members(pair);
        let Some(&first) = members.first() else {
            cells.push(lines);
            return;
        };
        let old_start = |both: Both| self.old.starts[both.old as usize];
        let new_start = |both: Both| self.new.starts[both.new as usize];
        let mut by_old: Vec<u32> = members.iter().map(|&both| old_start(both)).collect();
        by_old.sort_unstable();
        let end = |side: &MemberLayout, of: u32| {
            let last = side.children[of as usize].last();
            last.map_or(0, |&last| side.facts.members[last as usize].lines.end)
        };
        let of = self.pairs.pairs[pair as usize];
        let (Some(old), Some(new)) = (of.old, of.new) else { return };
        let (old_end, new_end) = (end(&self.old, old), end(&self.new, new));
        cells
            .push(Hunk { old: lines.old.start..by_old[0], new: lines.new.start..new_start(first) });
        for (at, &both) in members.iter().enumerate() {
            let place = by_old.partition_point(|&start| start <= old_start(both));
            let old = old_start(both)..by_old.get(place).copied().unwrap_or(old_end);
            let next = members.get(at + 1).map_or(new_end, |&next| new_start(next));
            self.cut_member(both, &Hunk { old, new: new_start(both)..next }, cells);
        }
        cells.push(Hunk { old: old_end..lines.old.end, new: new_end..lines.new.end });
    }

    /// Cuts a member with what follows it and is in one of the versions only.
    fn cut_member(&self, both: Both, lines: &Hunk, cells: &mut Vec<Hunk>) {
        let end = |side: &MemberLayout, of: u32| side.facts.members[of as usize].lines.end;
        let (old, new) = (end(&self.old, both.old), end(&self.new, both.new));
        let own = Hunk { old: lines.old.start..old, new: lines.new.start..new };
        self.cut(self.pairs.of_old[both.old as usize], own, cells);
        let rest = Hunk { old: old..lines.old.end, new: new..lines.new.end };
        if !(rest.old.is_empty() && rest.new.is_empty()) {
            cells.push(rest);
        }
    }

    /// Returns the members of a definition that are in both versions, in the order of the bad one;
    /// empty if they cannot be taken apart.
    fn members(&self, pair: u32) -> Vec<Both> {
        let of = self.pairs.pairs[pair as usize];
        let (Some(old), Some(new)) = (of.old, of.new) else { return Vec::new() };
        if !self.old.is_tidy(old) || !self.new.is_tidy(new) {
            return Vec::new();
        }
        let both = |&new: &u32| {
            let pair = self.pairs.pairs[self.pairs.of_new[new as usize] as usize];
            Some(Both { old: pair.old?, new })
        };
        let members: Vec<Both> = self.new.children[new as usize].iter().filter_map(both).collect();
        let kind = self.new.facts.members[new as usize].kind;
        let is_in_order = members.windows(2).all(|two| two[0].old < two[1].old);
        if is_in_order || kind.is_type() { members } else { Vec::new() }
    }
}
