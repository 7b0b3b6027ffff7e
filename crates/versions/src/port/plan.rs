//! The plan for one file of a foreign version.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use whodunit_core::DeltaSet;
use whodunit_files::{Content, Entry, EntryKind, ReadError, TreePath, Version};

use super::edit::{LineEdit, Texts, patched};
use super::items::{self, Itemised};
use super::ladder::{Fate, Rung, climb};
use super::patch::{FilePatch, TextPatch};
use super::ported::{Conflict, Outcome, PortedPart};
use super::trail::Trail;
use crate::decompose::body::is_text;
use crate::decompose::compare::FileEnd;
use crate::layout::LaidOut;
use crate::lines::Lines;

/// The plan for a file of a patch in a foreign version.
pub(super) struct Plan<'a> {
    pub(super) patch: &'a FilePatch,
    /// Where the file is in the foreign version.
    pub(super) from: Option<TreePath>,
    /// Where it is afterwards.
    pub(super) to: Option<TreePath>,
    pub(super) kind: EntryKind,
    /// Its content afterwards, without the edits.
    pub(super) content: Content,
    /// The parts with an outcome, in order.
    pub(super) parts: Vec<PortedPart>,
    /// Which of these is left out if the file cannot be where it is to be.
    pub(super) about_path: Option<usize>,
    /// The edits of a text.
    pub(super) steps: Vec<Step>,
    /// The text of the file in the foreign version, if edits are to be applied to it.
    foreign_text: Option<Arc<[u8]>>,
    /// Whether there is time to look at its items.
    pub(super) may_parse: bool,
    /// The old text by its items, parsed when first needed.
    old_items: OnceLock<Option<Itemised>>,
}

/// An edit and what becomes of it.
pub(super) struct Step {
    pub(super) edit: LineEdit,
    pub(super) fate: Fate,
    /// The file of the foreign version that it is applied to.
    pub(super) path: Option<TreePath>,
}

impl<'a> Plan<'a> {
    /// Plans what to do to a file.
    pub(super) fn of(
        patch: &'a FilePatch,
        trail: &Trail,
        foreign: &Version,
    ) -> Result<Plan<'a>, ReadError> {
        let mut plan = Plan {
            patch,
            from: None,
            to: None,
            kind: EntryKind::Regular,
            content: Content::bytes([]),
            parts: Vec::new(),
            about_path: None,
            steps: Vec::new(),
            foreign_text: None,
            may_parse: false,
            old_items: OnceLock::new(),
        };
        match (&patch.before, &patch.after) {
            (None, Some(after)) => plan.add(after, trail, foreign)?,
            (Some(before), None) => plan.delete(before, trail, foreign)?,
            (Some(before), Some(after)) => plan.change(before, after, trail, foreign)?,
            (None, None) => {}
        }
        Ok(plan)
    }

    /// Returns the name of the file in the version that the patch was made for, or that it gets.
    pub(super) fn name(&self) -> TreePath {
        let end = self.patch.before.as_ref().or(self.patch.after.as_ref());
        end.map_or_else(|| TreePath::new(""), |end| end.path.clone())
    }

    /// Returns the old text by its items, if its language is known and there is time.
    pub(super) fn old_items(&self, text: &TextPatch) -> Option<&Itemised> {
        let items = || self.may_parse.then(|| Itemised::of(&self.name(), &text.old)).flatten();
        self.old_items.get_or_init(items).as_ref()
    }

    pub(super) fn record_outcome(&mut self, deltas: &DeltaSet, outcome: Outcome) {
        let path = self.name();
        self.parts.push(PortedPart { deltas: deltas.clone(), path, lines: 0..0, outcome });
    }

    fn add(&mut self, after: &LaidOut, trail: &Trail, foreign: &Version) -> Result<(), ReadError> {
        let path = trail.lead(&after.path);
        let deltas = &self.patch.existence.union(&self.patch.path);
        (self.kind, self.content) = (after.kind, after.content.clone());
        let Some(theirs) = trail.staying(&path, foreign) else {
            self.to = Some(path.clone());
            self.about_path = Some(self.parts.len());
            self.record_outcome(deltas, Outcome::Applied { rung: Rung::Exact, path });
            return Ok(());
        };
        self.keep(&path, theirs);
        let (ours, theirs) = (side(&path, &entry(after))?, side(&path, theirs)?);
        let outcome = if ours.bytes == theirs.bytes && ours.entry.kind == theirs.entry.kind {
            Outcome::AlreadyThere
        } else if !is_text(&ours) || !is_text(&theirs) {
            Outcome::Conflict(Conflict::Content)
        } else if has_all_lines(&theirs.bytes, &ours.bytes) {
            Outcome::AlreadyThere
        } else if has_all_lines(&ours.bytes, &theirs.bytes) {
            (self.kind, self.content) = (after.kind, after.content.clone());
            Outcome::Applied { rung: Rung::Merge, path }
        } else {
            Outcome::Conflict(Conflict::Text)
        };
        self.record_outcome(deltas, outcome);
        Ok(())
    }

    fn delete(
        &mut self,
        before: &LaidOut,
        trail: &Trail,
        foreign: &Version,
    ) -> Result<(), ReadError> {
        let deltas = &self.patch.existence.union(&self.patch.path);
        let Some((path, theirs)) = trail.find(&before.path, foreign) else {
            self.record_outcome(deltas, Outcome::AlreadyThere);
            return Ok(());
        };
        self.keep(&path, theirs);
        self.to = None;
        let is_same = path == before.path && is_equal(&path, &entry(before), theirs)?;
        let rung = if is_same { Rung::Exact } else { Rung::Merge };
        self.record_outcome(deltas, Outcome::Applied { rung, path });
        Ok(())
    }

    fn change(
        &mut self,
        before: &LaidOut,
        after: &LaidOut,
        trail: &Trail,
        foreign: &Version,
    ) -> Result<(), ReadError> {
        let patch = self.patch;
        let Some((path, theirs)) = trail.find(&before.path, foreign) else {
            for deltas in [&patch.path, &patch.mode, &patch.content] {
                if !deltas.is_empty() {
                    self.record_outcome(deltas, Outcome::Conflict(Conflict::NoFile));
                }
            }
            if let Some(text) = &patch.text {
                self.climb(text, None);
            }
            return Ok(());
        };
        self.keep(&path, theirs);
        if before.path != after.path {
            self.rename(before, after, trail, &path);
        }
        if before.kind != after.kind && patch.content.is_empty() {
            self.change_mode(before.kind, after.kind, &path);
        }
        if !patch.content.is_empty() {
            let outcome = if is_equal(&path, &entry(after), theirs)? {
                Outcome::AlreadyThere
            } else if is_equal(&path, &entry(before), theirs)? {
                (self.kind, self.content) = (after.kind, after.content.clone());
                Outcome::Applied { rung: Rung::Exact, path: path.clone() }
            } else {
                Outcome::Conflict(Conflict::Content)
            };
            self.record_outcome(&patch.content, outcome);
        }
        if let Some(text) = &patch.text {
            let theirs = side(&path, theirs)?;
            if is_text(&theirs) {
                self.climb(text, Some(&theirs));
            } else {
                let deltas = text.chosen.iter().map(|chosen| chosen.delta).collect();
                self.record_outcome(&deltas, Outcome::Conflict(Conflict::Content));
            }
        }
        Ok(())
    }

    /// Leaves a file of the foreign version as and where it is.
    fn keep(&mut self, path: &TreePath, theirs: &Entry) {
        self.from = Some(path.clone());
        self.to = Some(path.clone());
        (self.kind, self.content) = (theirs.kind, theirs.content.clone());
    }

    fn rename(&mut self, before: &LaidOut, after: &LaidOut, trail: &Trail, path: &TreePath) {
        let wanted = trail.lead(&after.path);
        let outcome = if *path == wanted || *path == after.path {
            Outcome::AlreadyThere
        } else if *path == before.path || *path == trail.lead(&before.path) {
            self.to = Some(wanted);
            self.about_path = Some(self.parts.len());
            Outcome::Applied { rung: Rung::Exact, path: path.clone() }
        } else {
            Outcome::Conflict(Conflict::Path)
        };
        self.record_outcome(&self.patch.path, outcome);
    }

    fn change_mode(&mut self, before: EntryKind, after: EntryKind, path: &TreePath) {
        let outcome = if self.kind == after {
            Outcome::AlreadyThere
        } else if self.kind == before {
            self.kind = after;
            Outcome::Applied { rung: Rung::Exact, path: path.clone() }
        } else {
            Outcome::Conflict(Conflict::Mode)
        };
        self.record_outcome(&self.patch.mode, outcome);
    }

    /// Finds the place of each edit within the file itself, by lines and tokens.
    fn climb(&mut self, text: &TextPatch, theirs: Option<&FileEnd>) {
        let empty: Arc<[u8]> = Arc::from([]);
        let foreign = theirs.map_or(&empty, |theirs| &theirs.bytes);
        let texts = Texts { old: &text.old, new: &text.new, foreign };
        let is_renamed = theirs.is_some_and(|theirs| theirs.path != self.name());
        let step = |(edit, fate): (LineEdit, Fate)| {
            let fate = match fate {
                _ if theirs.is_none() => Fate::Open,
                Fate::Placed(rung, placements) if is_renamed => {
                    Fate::Placed(rung.max(Rung::Merge), placements)
                }
                fate => fate,
            };
            Step { edit, fate, path: self.from.clone() }
        };
        self.steps = climb(&texts, &text.chosen).into_iter().map(step).collect();
        self.foreign_text = theirs.map(|theirs| theirs.bytes.clone());
    }

    /// Whether an edit has no place yet.
    pub(super) fn is_open(&self) -> bool {
        self.steps.iter().any(|step| step.fate.is_open())
    }

    /// Returns the bytes of text to be read for the items of the file.
    pub(super) fn size(&self) -> usize {
        let old = self.patch.text.as_ref().map_or(0, |text| text.old.len());
        old + self.foreign_text.as_ref().map_or(0, |text| text.len())
    }

    /// Finds the places of the open edits by the items of the file; all fates in order.
    pub(super) fn climb_items(&self) -> Option<Vec<Fate>> {
        let text = self.patch.text.as_ref()?;
        let old = self.old_items(text)?;
        let foreign = Itemised::of(self.from.as_ref()?, self.foreign_text.as_ref()?)?;
        let open = self.steps.iter().filter(|step| step.fate.is_open());
        let mut steps: Vec<(LineEdit, Fate)> =
            open.map(|step| (step.edit.clone(), Fate::Open)).collect();
        items::place(old, &text.new, &foreign, &text.chosen, &mut steps);
        if steps.iter().any(|(edit, fate)| fate.is_open() && edit.lines.is_empty()) {
            let lines = Lines::of(&text.old);
            let all: Range<u32> = 0..lines.len();
            let patched = patched(&text.old, &text.new, &lines, &all, &text.chosen);
            let patched = Itemised::of(&self.name(), &patched.into())?;
            for (edit, fate) in steps.iter_mut().filter(|(_, fate)| fate.is_open()) {
                *fate = items::place_new(old, &patched, &foreign, edit);
            }
        }
        Some(steps.into_iter().map(|(_, fate)| fate).collect())
    }
}

fn entry(file: &LaidOut) -> Entry {
    Entry { kind: file.kind, content: file.content.clone() }
}

fn side(path: &TreePath, entry: &Entry) -> Result<FileEnd, ReadError> {
    let bytes = entry.content.read_at(path)?;
    Ok(FileEnd { path: path.clone(), entry: entry.clone(), bytes })
}

/// Whether two files are the same.
fn is_equal(path: &TreePath, one: &Entry, other: &Entry) -> Result<bool, ReadError> {
    if one.kind != other.kind {
        return Ok(false);
    }
    match one.content.same_as(&other.content) {
        Some(same) => Ok(same),
        None => Ok(one.content.read_at(path)? == other.content.read_at(path)?),
    }
}

/// Whether a text has all lines of another, in order.
fn has_all_lines(text: &[u8], wanted: &[u8]) -> bool {
    let is_feed = |byte: &u8| *byte == b'\n';
    let mut lines = text.split_inclusive(is_feed);
    wanted.split_inclusive(is_feed).all(|line| lines.any(|other| other == line))
}
