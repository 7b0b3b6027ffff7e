//! One file through a history: its paths, its kinds, its contents.

use whodunit_core::{Delta, DeltaSet};
use whodunit_files::{Content, EntryKind, TreePath};

use super::lines::WovenLines;
use crate::decompose::body::is_text;
use crate::decompose::compare::FileEnd;
use crate::decompose::renames::same_sort;
use crate::layout::LaidOut;

/// A commit; `None` for the state at the beginning.
pub(super) type Since = Option<u32>;

/// A file through a history. Of each of its sides the latest that is chosen counts.
#[derive(Debug, Default)]
pub(super) struct Thread {
    pub(super) paths: Vec<(Since, TreePath)>,
    /// Its kinds: whether it is executable.
    pub(super) modes: Vec<(Since, EntryKind)>,
    pub(super) epochs: Vec<(Since, Epoch)>,
    /// The commit that deletes it, with which it ends.
    pub(super) deleted: Option<u32>,
}

/// The content of a file from one commit to another.
#[derive(Debug)]
pub(super) enum Epoch {
    /// A text, line by line.
    Text(WovenLines),
    /// Something that is only there as a whole.
    Whole(EntryKind, Content),
}

impl Thread {
    /// Begins with a file of the good version.
    pub(super) fn since_the_beginning(side: &FileEnd) -> Self {
        Thread {
            paths: vec![(None, side.path.clone())],
            modes: vec![(None, side.entry.kind)],
            epochs: vec![(None, epoch(side, None))],
            deleted: None,
        }
    }

    /// Lets a commit change the file, or create it.
    pub(super) fn change(&mut self, commit: u32, old: Option<&FileEnd>, new: &FileEnd) {
        let since = Some(commit);
        if self.paths.last().is_none_or(|(_, path)| *path != new.path) {
            self.paths.push((since, new.path.clone()));
        }
        if self.modes.last().is_none_or(|(_, kind)| *kind != new.entry.kind) {
            self.modes.push((since, new.entry.kind));
        }
        let is_same =
            |old: &FileEnd| same_sort(old.entry.kind, new.entry.kind) && old.bytes == new.bytes;
        if old.is_some_and(is_same) {
            return;
        }
        match self.epochs.last_mut() {
            Some((_, Epoch::Text(lines))) if is_text(new) => {
                let before = old.map_or(&[][..], |old| &old.bytes);
                lines.change(commit, before, &new.bytes);
            }
            _ => self.epochs.push((since, epoch(new, since))),
        }
    }

    /// Lets a commit delete the file.
    pub(super) fn delete(&mut self, commit: u32) {
        self.deleted = Some(commit);
    }

    /// Returns the commit that creates it, unless it was there from the beginning.
    pub(super) fn created(&self) -> Since {
        self.paths.first().and_then(|(since, _)| *since)
    }

    /// Returns its path in the good version, if it is there.
    pub(super) fn first_path(&self) -> Option<&TreePath> {
        self.paths.first().filter(|(since, _)| since.is_none()).map(|(_, path)| path)
    }

    /// Returns its path in the bad version, if it is there.
    pub(super) fn last_path(&self) -> Option<&TreePath> {
        self.paths.last().filter(|_| self.deleted.is_none()).map(|(_, path)| path)
    }

    /// Returns where it is with these commits, if it is there.
    pub(super) fn path(&self, commits: &DeltaSet) -> Option<&TreePath> {
        let is_deleted = self.deleted.is_some_and(|commit| commits.contains(Delta(commit)));
        let exists = is_chosen(commits, self.created()) && !is_deleted;
        latest(&self.paths, commits).filter(|_| exists)
    }

    /// Returns the file with these commits, at a path.
    pub(super) fn laid_out(&self, commits: &DeltaSet, path: TreePath) -> Option<LaidOut> {
        let mode = *latest(&self.modes, commits).unwrap_or(&EntryKind::Regular);
        let file_mode = if mode.is_file() { mode } else { EntryKind::Regular };
        let (kind, content) = match latest(&self.epochs, commits)? {
            Epoch::Text(lines) => (file_mode, Content::bytes(lines.lay_out(commits))),
            Epoch::Whole(kind, content) if kind.is_file() => (file_mode, content.clone()),
            Epoch::Whole(kind, content) => (*kind, content.clone()),
        };
        Some(LaidOut { path, kind, content })
    }
}

fn epoch(side: &FileEnd, since: Since) -> Epoch {
    if is_text(side) {
        return Epoch::Text(WovenLines::new(since, &side.bytes));
    }
    Epoch::Whole(side.entry.kind, side.entry.content.clone())
}

/// Returns the latest of several that is chosen.
fn latest<'a, T>(several: &'a [(Since, T)], commits: &DeltaSet) -> Option<&'a T> {
    several.iter().rev().find(|(since, _)| is_chosen(commits, *since)).map(|(_, one)| one)
}

pub(super) fn is_chosen(commits: &DeltaSet, since: Since) -> bool {
    since.is_none_or(|commit| commits.contains(Delta(commit)))
}
