//! Definitions that cannot be changed separately, because the comparison of lines took a line of
//! one for a line of another: the end of one method for that of the next, one value for that of
//! another field.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use whodunit_syntax::definitions::{FileFacts, Pair, Part, Stretch};
use whodunit_syntax::lines::LineStarts;
use whodunit_versions::ChangedText;

use super::{Assignment, ChangedLine, Slot};

/// Definitions of a file that cannot be changed separately.
#[derive(Default)]
pub(super) struct Tangle {
    /// The pairs of definitions; the changes of runs of lines that touch them are tied.
    pub(super) pairs: BTreeSet<u32>,
    /// The groups of pairs that are tied.
    pub(super) groups: BTreeSet<Vec<u32>>,
}

impl Tangle {
    /// Finds the tangled definitions of a file.
    pub(super) fn of(
        file: &Assignment<'_>,
        text: ChangedText<'_>,
        runs: &[&[ChangedLine<'_>]],
    ) -> Tangle {
        let mut tangle = Tangle::default();
        tangle.add_partial(file, text);
        for run in runs {
            tangle.add_shifted(file, run);
            tangle.add_crossing(file, run);
        }
        tangle.add_misplaced(file, text, runs);
        tangle
    }

    fn add(&mut self, pairs: &[u32]) {
        let mut group = pairs.to_vec();
        group.sort_unstable();
        group.dedup();
        self.pairs.extend(&group);
        self.groups.insert(group);
    }

    /// Adds definitions that are added or deleted, but share lines with unchanged text.
    fn add_partial(&mut self, file: &Assignment<'_>, text: ChangedText<'_>) {
        let mut changed: [HashSet<u32>; 2] = Default::default();
        for (_, piece) in text.pieces() {
            changed[0].extend(piece.old_lines.clone());
            changed[1].extend(piece.new_lines.clone());
        }
        for (side, facts) in [file.old, file.new].into_iter().enumerate() {
            let stretches = facts.into_iter().flat_map(|facts| &facts.stretches);
            for stretch in stretches.filter(|stretch| stretch.code != 0) {
                let (pair, _) = file.place(stretch.region, side == 1);
                let Pair { old, new } = file.pairs.pairs[pair as usize];
                if old.is_some() != new.is_some() && !changed[side].contains(&stretch.line) {
                    self.add(&[pair]);
                }
            }
        }
    }

    /// Adds definitions that are the same in both versions, but whose code differs within a run of
    /// lines: there it was compared with the code of another definition.
    fn add_shifted(&mut self, file: &Assignment<'_>, run: &[ChangedLine<'_>]) {
        let mut codes: BTreeMap<(u32, Part), [Vec<u64>; 2]> = BTreeMap::new();
        for line in run {
            let sides = [file.old_on(line.piece), file.new_on(line.piece)];
            for (side, stretches) in sides.into_iter().enumerate() {
                for stretch in stretches.iter().filter(|stretch| stretch.code != 0) {
                    let (pair, part) = file.place(stretch.region, side == 1);
                    if file.slot(pair, part).1 == Slot::Text {
                        codes.entry((pair, part)).or_default()[side].push(stretch.code);
                    }
                }
            }
        }
        for ((pair, _), [old, new]) in codes {
            if old != new {
                self.add(&[pair]);
            }
        }
    }

    /// Adds definitions whose lines alternate in a run, or are not in their order: one alone would
    /// be put into the middle of the other or on its wrong side.
    fn add_crossing(&mut self, file: &Assignment<'_>, run: &[ChangedLine<'_>]) {
        let mut pairs: Vec<u32> = Vec::new();
        for line in run {
            pairs.extend(line.slots.iter().map(|slot| slot.0));
        }
        pairs.dedup();
        let mut last: HashMap<u32, usize> = HashMap::new();
        // The farthest place so far with its pair, in the good and in the bad version.
        let mut farthest: [Option<(u32, u32)>; 2] = [None, None];
        for (at, &pair) in pairs.iter().enumerate() {
            if let Some(before) = last.insert(pair, at) {
                let between = pairs[before + 1..at].iter();
                for &other in between.filter(|&&other| !is_nested(file, pair, other)) {
                    self.add(&[pair, other]);
                }
            }
            let Pair { old, new } = file.pairs.pairs[pair as usize];
            for (farthest, place) in farthest.iter_mut().zip([old, new]) {
                let Some(place) = place else { continue };
                match *farthest {
                    Some((far, other)) if place < far => {
                        if !is_nested(file, pair, other) {
                            self.add(&[pair, other]);
                        }
                    }
                    _ => *farthest = Some((place, pair)),
                }
            }
        }
    }

    /// Adds definitions where a line of one in the good version stands for a line of another in the
    /// bad one.
    fn add_misplaced(
        &mut self,
        file: &Assignment<'_>,
        text: ChangedText<'_>,
        runs: &[&[ChangedLine<'_>]],
    ) {
        let (Some(old), Some(new)) = (file.old, file.new) else { return };
        let (before, after) = (by_line(old), by_line(new));
        let places = |stretches: Option<&Vec<Stretch>>, is_new: bool| -> Vec<(u32, Part)> {
            let stretches = stretches.into_iter().flatten();
            stretches.map(|stretch| file.place(stretch.region, is_new)).collect()
        };
        let (mut from, mut to) = (0, 0);
        let end = (LineStarts::of(text.before()).count(), LineStarts::of(text.after()).count());
        let stops = runs.iter().map(|run| {
            let (first, last) = (run[0].piece, run[run.len() - 1].piece);
            let start = (first.old_lines.start, first.new_lines.start);
            (start, (last.old_lines.end, last.new_lines.end))
        });
        for (start, next) in stops.chain([(end, end)]) {
            for (old, new) in (from..start.0).zip(to..start.1) {
                let one = places(before.get(&old), false);
                let other = places(after.get(&new), true);
                if one != other {
                    let pairs = one.iter().chain(&other).map(|place| place.0);
                    self.add(&pairs.collect::<Vec<u32>>());
                }
            }
            (from, to) = next;
        }
    }
}

/// Whether one of two definitions is in the other.
fn is_nested(file: &Assignment<'_>, one: u32, other: u32) -> bool {
    let (one, other) = (file.pairs.pairs[one as usize], file.pairs.pairs[other as usize]);
    let is_in = |facts: Option<&FileFacts>, inner: Option<u32>, outer: Option<u32>| {
        let (Some(facts), Some(inner), Some(outer)) = (facts, inner, outer) else { return false };
        let owner = |&at: &u32| (at != 0).then(|| facts.members[at as usize].owner);
        std::iter::successors(Some(inner), owner).any(|at| at == outer)
    };
    is_in(file.old, one.old, other.old)
        || is_in(file.old, other.old, one.old)
        || is_in(file.new, one.new, other.new)
        || is_in(file.new, other.new, one.new)
}

fn by_line(facts: &FileFacts) -> HashMap<u32, Vec<Stretch>> {
    let mut lines: HashMap<u32, Vec<Stretch>> = HashMap::new();
    for stretch in facts.stretches.iter().filter(|stretch| stretch.code != 0) {
        lines.entry(stretch.line).or_default().push(*stretch);
    }
    lines
}
