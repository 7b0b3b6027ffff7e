//! Files that were cut, put together to one decomposition.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use whodunit_files::{TreePath, Version};

use super::body::{Body, TextBody};
use super::compare::FileEnd;
use crate::decomposition::{
    Change, Decomposition, Deltas, DirectoryRename, End, Grain, Level, NONE, Reordering, Rivals,
    Text, Touched,
};

/// A decomposition that is being made.
pub(crate) struct Assembly {
    directories: Vec<DirectoryRename>,
    /// Their grains, as far as they have one already.
    directory_grains: Vec<Option<u32>>,
    files: Vec<Arc<Touched>>,
    grains: Vec<Grain>,
    items: Vec<Arc<str>>,
    folder_numbers: HashMap<TreePath, u32>,
    hunks: u32,
    lines: u32,
}

impl Assembly {
    /// Begins with the renamed folders.
    pub(crate) fn new(directories: Vec<DirectoryRename>) -> Self {
        Assembly {
            directory_grains: vec![None; directories.len()],
            directories,
            files: Vec::new(),
            grains: Vec::new(),
            items: Vec::new(),
            folder_numbers: HashMap::new(),
            hunks: 0,
            lines: 0,
        }
    }

    /// Adds a file; files come in their order.
    pub(crate) fn push(&mut self, old: Option<FileEnd>, new: Option<FileEnd>, body: Body) {
        let old_directory = self.directory_of(old.as_ref(), |rename| &rename.from);
        let new_directory = self.directory_of(new.as_ref(), |rename| &rename.to);
        for directory in [old_directory, new_directory].into_iter().flatten() {
            self.announce(directory);
        }
        let place = match (&old, &new) {
            (_, Some(new)) => new.path.folder(),
            (Some(old), None) => old.path.folder(),
            (None, None) => return,
        };
        let folder = self.folder(&place);
        let first = self.next_grain();
        let whole = matches!(body, Body::Whole);
        let (renamed, mode) = match (&old, &new) {
            (Some(old), Some(new)) => (
                self.mapped(&old.path, old_directory) != new.path,
                old.entry.kind != new.entry.kind && !whole,
            ),
            _ => (false, false),
        };
        let added = old.is_none().then(|| self.whole(Change::Added, folder));
        let deleted = new.is_none().then(|| self.whole(Change::Deleted, folder));
        let renamed = renamed.then(|| self.whole(Change::Renamed, folder));
        let mode = mode.then(|| self.whole(Change::Mode, folder));
        let replaced = whole.then(|| self.whole(Change::Replaced, folder));
        let text = match body {
            Body::Text(text) => Some(self.text(*text, folder)),
            Body::Same | Body::Whole => None,
        };
        let end = |side: FileEnd| End { path: side.path, entry: side.entry };
        self.files.push(Arc::new(Touched {
            old: old.map(end),
            new: new.map(end),
            old_directory,
            new_directory,
            added,
            deleted,
            renamed,
            mode,
            replaced,
            text,
            grains: first..self.next_grain(),
        }));
    }

    /// Finishes the decomposition.
    pub(crate) fn finish(self, good: Version, level: Level) -> Decomposition {
        let mut decomposition = Decomposition {
            good,
            directories: self.directories,
            files: self.files,
            deltas: Deltas::of(&self.grains, level),
            grains: self.grains,
            items: self.items,
            rivals: Rivals::default(),
            directory_grains: self.directory_grains.into_iter().flatten().collect(),
        };
        decomposition.rivals = Rivals::of(&decomposition);
        decomposition
    }

    fn directory_of(
        &self,
        side: Option<&FileEnd>,
        folder: impl Fn(&DirectoryRename) -> &TreePath,
    ) -> Option<u32> {
        let path = &side?.path;
        let found = self.directories.iter().position(|rename| path.is_below(folder(rename)));
        found.map(|at| at as u32)
    }

    /// Returns an old path as it is when its folder is renamed.
    fn mapped(&self, path: &TreePath, directory: Option<u32>) -> TreePath {
        let rename = directory.map(|at| &self.directories[at as usize]);
        rename
            .and_then(|rename| Some(rename.to.join(path.rest_below(&rename.from)?)))
            .unwrap_or_else(|| path.clone())
    }

    /// Gives a renamed folder its grain, before the first of its files.
    fn announce(&mut self, directory: u32) {
        if self.directory_grains[directory as usize].is_some() {
            return;
        }
        let to = self.directories[directory as usize].to.clone();
        let folder = self.folder(&to);
        self.directory_grains[directory as usize] = Some(self.next_grain());
        self.grains.push(Grain {
            change: Change::DirectoryRenamed(directory),
            file: NONE,
            folder,
            item: NONE,
            hunk: NONE,
            line: NONE,
        });
    }

    fn folder(&mut self, path: &TreePath) -> u32 {
        if let Some(&number) = self.folder_numbers.get(path) {
            return number;
        }
        let number = self.folder_numbers.len() as u32;
        self.folder_numbers.insert(path.clone(), number);
        number
    }

    fn next_grain(&self) -> u32 {
        u32::try_from(self.grains.len()).expect("there are fewer than 2^32 changes")
    }

    /// Adds a grain that is not a piece of a text.
    fn whole(&mut self, change: Change, folder: u32) -> u32 {
        let grain = self.next_grain();
        let file = self.files.len() as u32;
        self.grains.push(Grain { change, file, folder, item: NONE, hunk: NONE, line: NONE });
        grain
    }

    fn text(&mut self, body: TextBody, folder: u32) -> Text {
        let order = body.order.map(|order| Reordering {
            grain: self.whole(Change::Reordered, folder),
            order: Arc::new(order),
        });
        let first = self.next_grain();
        let file = self.files.len() as u32;
        let mut items: HashMap<Arc<str>, u32> = HashMap::new();
        let mut last_hunk = None;
        for piece in body.pieces {
            let item = piece.item.map_or(NONE, |name| {
                *items.entry(name.clone()).or_insert_with(|| {
                    self.items.push(name);
                    self.items.len() as u32 - 1
                })
            });
            self.hunks += u32::from(last_hunk.is_some_and(|last| last != piece.hunk));
            last_hunk = Some(piece.hunk);
            let (hunk, line) = (self.hunks, self.lines);
            self.lines += 1;
            let change = Change::Text(piece.piece);
            self.grains.push(Grain { change, file, folder, item, hunk, line });
        }
        self.hunks += 1;
        Text {
            old: body.old,
            new: body.new,
            order,
            pieces: first..self.next_grain(),
            facts: body.facts.map(|both| OnceLock::from(Arc::new(both))).unwrap_or_default(),
        }
    }
}
