//! Assigns each delta to an atomic change.
//!
//! A line belongs to the definition that it is a part of, in the good version or in the bad one. A
//! delta that is part of several changes is given to one of them, and all of them are tied. Changes
//! are also tied where the comparison of lines took the end of one method for that of another: with
//! only some of the lines of such a hunk the text is no program.

mod tangle;

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::Delta;
use whodunit_syntax::definitions::{
    FileFacts, Member, MemberKind, Pair, Pairs, Part, Region, Stretch,
};
use whodunit_versions::{ChangedFile, ChangedText, Decomposition, Piece};

use super::draft::{Draft, Drafts, Slot, body_kind, definition_kinds};
use super::kind::AtomKind;
use super::universe::Universe;
use tangle::Tangle;

/// Gives every delta to an atomic change.
pub(super) fn assign(parts: &Decomposition, universe: &Universe) -> (Drafts, Vec<Pairs>) {
    let mut drafts = Drafts::default();
    for (delta, directory) in parts.directory_deltas() {
        let to = directory.to.display().into_owned();
        let draft = drafts.add(other(AtomKind::RenameDirectory, u32::MAX, Some(to)));
        drafts.give(delta, draft);
    }
    let mut all = Vec::with_capacity(parts.file_count());
    for (number, file) in (0..).zip(parts.changed_files()) {
        let (old, new) = universe.touched[number as usize];
        let facts = |source: Option<usize>| source.map(|at| &universe.sources[at].facts);
        let assignment = Assignment {
            universe,
            number,
            file,
            old: facts(old),
            new: facts(new),
            pairs: Pairs::of(facts(old), facts(new)),
        };
        assignment.run(&mut drafts);
        all.push(assignment.pairs);
    }
    (drafts, all)
}

fn other(kind: AtomKind, file: u32, name: Option<String>) -> Draft {
    Draft {
        kind,
        slot: Slot::Text,
        file,
        old: None,
        new: None,
        name,
        former_name: None,
        deltas: Vec::new(),
    }
}

/// One file whose deltas are being assigned.
struct Assignment<'a> {
    universe: &'a Universe,
    /// The number of the file.
    number: u32,
    file: ChangedFile<'a>,
    old: Option<&'a FileFacts>,
    new: Option<&'a FileFacts>,
    pairs: Pairs,
}

/// A delta of a text, and the slots that it is part of.
struct ChangedLine<'a> {
    delta: Delta,
    piece: &'a Piece,
    slots: BTreeSet<(u32, Slot)>,
    /// Whether there are words or signs on it, and not only comments.
    has_code: bool,
}

impl Assignment<'_> {
    fn run(&self, drafts: &mut Drafts) {
        let (file, number) = (self.file, self.number);
        let whole = |drafts: &mut Drafts, delta: Option<Delta>, kind: AtomKind| {
            if let Some(delta) = delta {
                let draft = drafts.add(other(kind, number, None));
                drafts.give(delta, draft);
            }
        };
        whole(drafts, file.renamed(), AtomKind::RenameFile);
        whole(drafts, file.mode(), AtomKind::ChangeFileMode);
        whole(drafts, file.replaced(), AtomKind::ReplaceFile);
        if let Some(delta) = file.deleted() {
            let first = self.delete(drafts);
            drafts.give(delta, first);
        }
        if let Some(delta) = file.added() {
            let first = match self.new {
                Some(_) => self.draft(drafts, self.first_pair(), Slot::Define),
                None => {
                    drafts.slot(number, 0, Slot::Define, || other(AtomKind::AddFile, number, None))
                }
            };
            drafts.give(delta, first);
        }
        let Some(text) = file.text() else { return };
        whole(drafts, text.reordered(), AtomKind::ReorderMembers);
        let is_read = self.new.is_some() && (self.old.is_some() || file.good().is_none());
        if is_read {
            self.text(text, drafts);
        } else {
            let slot = if file.added().is_some() { Slot::Define } else { Slot::Text };
            let draft = drafts.slot(number, 0, slot, || other(AtomKind::ChangeText, number, None));
            for (delta, _) in text.pieces() {
                drafts.give(delta, draft);
            }
        }
    }

    /// Makes the changes of a deleted file, and ties them.
    fn delete(&self, drafts: &mut Drafts) -> usize {
        if self.old.is_none() {
            return drafts.add(other(AtomKind::DeleteFile, self.number, None));
        }
        let first = self.draft(drafts, self.first_pair(), Slot::Define);
        for pair in 1..self.pairs.pairs.len() as u32 {
            let member = self.member(pair);
            if member.kind != MemberKind::Import && !member.marks.is_unwritten {
                let draft = self.draft(drafts, pair, Slot::Define);
                drafts.tie(first, draft);
            }
        }
        first
    }

    /// Returns the definition that stands for an added or deleted file: its first class, or the
    /// file itself.
    fn first_pair(&self) -> u32 {
        let pairs = 0..self.pairs.pairs.len() as u32;
        let is_first = |&pair: &u32| {
            let member = self.member(pair);
            member.owner == 0 && member.kind.is_type() && member.kind != MemberKind::Implementation
        };
        // Only in a file with nothing but classes and imports: other code belongs to the file
        // itself.
        let in_classes = self.new.or(self.old).is_some_and(|facts| {
            facts.members.iter().all(|it| {
                it.owner != 0
                    || it.kind.is_type()
                    || matches!(it.kind, MemberKind::File | MemberKind::Import)
            })
        });
        pairs.skip(1).find(is_first).filter(|_| in_classes).unwrap_or(0)
    }

    fn text(&self, text: ChangedText<'_>, drafts: &mut Drafts) {
        let lines: Vec<ChangedLine<'_>> =
            text.pieces().map(|(delta, piece)| self.line(delta, piece)).collect();
        let runs: Vec<&[ChangedLine<'_>]> = lines
            .chunk_by(|a, b| {
                a.piece.old_lines.end == b.piece.old_lines.start
                    && a.piece.new_lines.end == b.piece.new_lines.start
            })
            .collect();
        let tangle = Tangle::of(self, text, &runs);
        // A change of each run of lines, and the definitions that the run touches.
        let mut links: Vec<(usize, u32)> = Vec::new();
        for run in runs {
            let draft = self.run_of_lines(run, &tangle, drafts);
            let touched = run.iter().flat_map(|line| &line.slots).map(|slot| slot.0);
            let touched = touched.filter(|pair| tangle.pairs.contains(pair));
            links.extend(touched.filter_map(|pair| Some((draft?, pair))));
        }
        let mut touching: BTreeMap<u32, usize> = BTreeMap::new();
        for (draft, pair) in links {
            let first = *touching.entry(pair).or_insert(draft);
            drafts.tie(first, draft);
        }
        for group in &tangle.groups {
            let slots = group.iter().flat_map(|&pair| {
                let slots = [Slot::Define, Slot::Head, Slot::Body, Slot::Text];
                let known = slots.map(|slot| drafts.find(self.number, pair, slot));
                known.into_iter().chain([touching.get(&pair).copied()]).flatten()
            });
            let found: Vec<usize> = slots.collect();
            found.windows(2).for_each(|two| drafts.tie(two[0], two[1]));
        }
    }

    /// Assigns the deltas of neighbouring lines, and returns one of their changes.
    fn run_of_lines(
        &self,
        run: &[ChangedLine<'_>],
        tangle: &Tangle,
        drafts: &mut Drafts,
    ) -> Option<usize> {
        let is_changed =
            |line: &ChangedLine<'_>| line.slots.iter().any(|slot| slot.1 != Slot::Text);
        let mut together: BTreeSet<usize> = BTreeSet::new();
        let mut touched = run.iter().flat_map(|line| &line.slots).map(|slot| slot.0);
        let is_tangled = touched.any(|pair| tangle.pairs.contains(&pair));
        // Lines of layout and of masked text get the change of their neighbours.
        let mut former = run.iter().find(|line| is_changed(line)).map(owner_of);
        for line in run {
            let slots: Vec<(u32, Slot)> = if is_changed(line) {
                former = Some(owner_of(line));
                line.slots.iter().copied().filter(|slot| slot.1 != Slot::Text).collect()
            } else if let (Some(former), true) = (former, is_tangled || !line.has_code) {
                vec![former]
            } else {
                line.slots.iter().copied().take(1).collect()
            };
            let main = if is_changed(line) { owner_of(line) } else { slots[0] };
            let main = self.draft(drafts, main.0, main.1);
            drafts.give(line.delta, main);
            together.insert(main);
            for slot in slots {
                let draft = self.draft(drafts, slot.0, slot.1);
                drafts.tie(main, draft);
                together.insert(draft);
            }
        }
        let first = together.first().copied();
        if is_tangled {
            together.iter().for_each(|&draft| drafts.tie(first.unwrap_or(draft), draft));
        }
        first
    }

    fn line<'a>(&self, delta: Delta, piece: &'a Piece) -> ChangedLine<'a> {
        let (old, new) = (self.old_on(piece), self.new_on(piece));
        let slots = [(old, false), (new, true)].into_iter().flat_map(|(stretches, is_new)| {
            stretches.iter().map(move |stretch| {
                let (pair, part) = self.place(stretch.region, is_new);
                self.slot(pair, part)
            })
        });
        let mut slots: BTreeSet<(u32, Slot)> = slots.collect();
        if self.old.is_none() && !piece.old.is_empty() {
            // The original of a copied file is no part of the new file.
            slots.insert((self.first_pair(), Slot::Define));
        }
        if slots.is_empty() {
            slots.insert((0, Slot::Text));
        }
        let has_code = old.iter().chain(new).any(|stretch| stretch.code != 0);
        ChangedLine { delta, piece, slots, has_code }
    }

    fn old_on(&self, piece: &Piece) -> &[Stretch] {
        self.old.map_or(&[], |facts| facts.on(piece.old_lines.clone()))
    }

    fn new_on(&self, piece: &Piece) -> &[Stretch] {
        self.new.map_or(&[], |facts| facts.on(piece.new_lines.clone()))
    }

    fn place(&self, region: Region, is_new: bool) -> (u32, Part) {
        let of = if is_new { &self.pairs.of_new } else { &self.pairs.of_old };
        (of[region.member() as usize], region.part())
    }

    /// Returns the slot that a part of a definition belongs to.
    fn slot(&self, pair: u32, part: Part) -> (u32, Slot) {
        let member = self.member(pair);
        let has_body = body_kind(member.kind).is_some();
        let slot = match self.both(pair) {
            None if self.new.is_some() && self.old.is_none() && self.is_of_file(member, part) => {
                return (self.first_pair(), Slot::Define);
            }
            None if part == Part::Body && has_body => Slot::Body,
            None => Slot::Define,
            Some((old, new)) => match part {
                Part::Head if old.head != new.head => Slot::Head,
                Part::Body if old.body != new.body && has_body => Slot::Body,
                _ => Slot::Text,
            },
        };
        (pair, slot)
    }

    /// Whether a part of a new file belongs to the file itself.
    fn is_of_file(&self, member: &Member, part: Part) -> bool {
        let is_top_level = member.kind == MemberKind::File && part == Part::Body;
        matches!(member.kind, MemberKind::File | MemberKind::Import) && !is_top_level
    }

    fn both(&self, pair: u32) -> Option<(&Member, &Member)> {
        let Pair { old, new } = self.pairs.pairs[pair as usize];
        Some((&self.old?.members[old? as usize], &self.new?.members[new? as usize]))
    }

    /// Returns a definition, of the bad version if it is there.
    fn member(&self, pair: u32) -> &Member {
        let Pair { old, new } = self.pairs.pairs[pair as usize];
        match (self.new, new, self.old, old) {
            (Some(facts), Some(at), ..) | (_, _, Some(facts), Some(at)) => {
                &facts.members[at as usize]
            }
            _ => unreachable!("a pair has a definition in one of the versions"),
        }
    }

    /// Returns the change of a slot.
    fn draft(&self, drafts: &mut Drafts, pair: u32, slot: Slot) -> usize {
        let ids = self.universe.touched[self.number as usize];
        let Pair { old, new } = self.pairs.pairs[pair as usize];
        let id =
            |source: Option<usize>, member: Option<u32>| Some(self.universe.id(source?, member?));
        let (old, new) = (id(ids.0, old), id(ids.1, new));
        let kind = self.member(pair).kind;
        let (added, deleted) = definition_kinds(kind);
        let former = self.both(pair).filter(|(old, new)| old.simple != new.simple);
        let is_renamed = former.is_some() && slot == Slot::Head;
        let made = |kind: AtomKind, slot: Slot| Draft {
            kind,
            slot,
            file: self.number,
            old,
            new,
            name: None,
            former_name: former.map(|(old, _)| old.name.clone()),
            deltas: Vec::new(),
        };
        let known = drafts.find(self.number, pair, slot);
        let draft = drafts.slot(self.number, pair, slot, || {
            let kind = match slot {
                Slot::Define if new.is_some() => added,
                Slot::Define => deleted,
                Slot::Head if is_renamed => added,
                Slot::Head => AtomKind::ChangeHead,
                Slot::Body => body_kind(kind).unwrap_or(added),
                Slot::Former | Slot::Text | Slot::Dispatch => AtomKind::ChangeText,
            };
            made(kind, slot)
        });
        if is_renamed && known.is_none() {
            // One line has both names, so both changes are tied.
            let gone = made(deleted, Slot::Former);
            let gone = drafts.add(Draft { new: None, former_name: None, ..gone });
            drafts.tie(draft, gone);
        }
        draft
    }
}

/// Returns the change that gets a delta: rather a body than the definition around it.
fn owner_of(line: &ChangedLine<'_>) -> (u32, Slot) {
    let rank = |slot: Slot| match slot {
        Slot::Body => 0,
        Slot::Define => 1,
        Slot::Head => 2,
        Slot::Former | Slot::Text | Slot::Dispatch => 3,
    };
    let best = line.slots.iter().min_by_key(|slot| (rank(slot.1), slot.0));
    best.copied().unwrap_or((0, Slot::Text))
}
