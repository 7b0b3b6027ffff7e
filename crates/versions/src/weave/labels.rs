//! Which commit each delta between the ends comes from.

use std::collections::HashMap;
use std::ops::Range;

use whodunit_core::Delta;
use whodunit_files::TreePath;

use super::Weave;
use super::thread::{Epoch, Since, Thread};
use crate::decomposition::{ChangeKind, Decomposition, Part};

impl Weave {
    /// Returns for each delta between the good and the bad version the latest commit that it comes
    /// from; `None` if that is unknown.
    pub fn commits_of(&self, decomposition: &Decomposition) -> Vec<Option<Delta>> {
        let by_path = |path: fn(&Thread) -> Option<&TreePath>| {
            let places =
                self.threads.iter().filter_map(move |thread| Some((path(thread)?, thread)));
            places.collect::<HashMap<&TreePath, &Thread>>()
        };
        let old: HashMap<&TreePath, &Thread> = by_path(Thread::first_path);
        let new: HashMap<&TreePath, &Thread> = by_path(Thread::last_path);
        let commit = |part: Part<'_>| {
            if part.change == ChangeKind::DirectoryRenamed {
                return self.renaming(part.old_path?, part.new_path?);
            }
            let before = part.old_path.and_then(|path| old.get(path).copied());
            let after = part.new_path.and_then(|path| new.get(path).copied());
            commit_of(&part, before, after)
        };
        decomposition
            .all()
            .iter()
            .map(|delta| commit(decomposition.part(delta)).map(Delta))
            .collect()
    }
}

impl Weave {
    /// Returns the last commit that moved a file of one folder to another.
    fn renaming(&self, from: &TreePath, to: &TreePath) -> Option<u32> {
        let moved = self.threads.iter().filter(|thread| {
            thread.first_path().is_some_and(|path| path.is_below(from))
                && thread.last_path().is_some_and(|path| path.is_below(to))
        });
        moved.filter_map(|thread| thread.paths.last()?.0).max()
    }
}

fn commit_of(part: &Part<'_>, before: Option<&Thread>, after: Option<&Thread>) -> Option<u32> {
    fn last<T>(several: &[(Since, T)]) -> Option<u32> {
        several.last().and_then(|(since, _)| *since)
    }
    match part.change {
        ChangeKind::Added => after?.created(),
        ChangeKind::Deleted => before?.deleted,
        ChangeKind::Renamed => last(&after?.paths),
        ChangeKind::Mode => last(&after?.modes),
        ChangeKind::Replaced => last(&after?.epochs),
        ChangeKind::Text | ChangeKind::Several => {
            let inserted = after.and_then(|thread| inserted(thread, &part.new_lines));
            inserted.max(before.and_then(|thread| deleted(thread, &part.old_lines)))
        }
        // A folder has no thread of its own; its files have. An order concerns many lines.
        ChangeKind::DirectoryRenamed | ChangeKind::Reordered => None,
    }
}

/// Returns the last commit that inserted one of these lines of the bad version.
fn inserted(thread: &Thread, lines: &Range<u32>) -> Option<u32> {
    let (_, Epoch::Text(woven)) = thread.epochs.last()? else { return None };
    let alive = woven.lines().iter().filter(|line| line.deleted.is_none());
    within(alive, lines).filter_map(|line| line.inserted).max()
}

/// Returns the last commit that deleted one of these lines of the good version.
fn deleted(thread: &Thread, lines: &Range<u32>) -> Option<u32> {
    let (None, Epoch::Text(woven)) = thread.epochs.first()? else { return None };
    let first = woven.lines().iter().filter(|line| line.inserted.is_none());
    within(first, lines).filter_map(|line| line.deleted).max()
}

/// Returns those that have these numbers, counted from 1.
fn within<T>(all: impl Iterator<Item = T>, numbers: &Range<u32>) -> impl Iterator<Item = T> {
    let first = numbers.start.saturating_sub(1) as usize;
    all.skip(first).take(numbers.len())
}
