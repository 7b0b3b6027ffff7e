//! Where a file is that an output names.
//!
//! Tools name files as they were given them: relative to the folder of the test, to the folder
//! that `make` entered, or from the root of the disk.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::word::Word;

/// The folders that an output names, as `make: Entering directory`.
pub(super) struct OutputFolders {
    /// The folder of the test.
    root: PathBuf,
    /// The folders that were entered, with the part of the output that is about each.
    entered: Vec<(Range<usize>, PathBuf)>,
}

impl OutputFolders {
    pub(super) fn read(output: &str, root: &Path) -> Self {
        static TURN: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(
                r"(?m)make(?:\[\d+\])?: (?P<turn>Entering|Leaving) directory [`'](?P<folder>.+)'$",
            )
            .expect("a pattern of ours is valid")
        });
        let mut entered = Vec::new();
        let mut stack: Vec<PathBuf> = Vec::new();
        let mut since = 0;
        for turn in TURN.captures_iter(output) {
            let at = turn.get_match().start();
            if let Some(folder) = stack.last() {
                entered.push((since..at, folder.clone()));
            }
            since = at;
            if &turn["turn"] == "Entering" {
                stack.push(turn["folder"].into());
            } else {
                stack.pop();
            }
        }
        if let Some(folder) = stack.last() {
            entered.push((since..output.len(), folder.clone()));
        }
        OutputFolders { root: root.into(), entered }
    }

    /// Returns the file named at this place of the output, relative to the folder of the test;
    /// `None` if it lies elsewhere.
    pub(super) fn file(&self, named: &str, at: usize) -> Option<Word> {
        let named = named.strip_prefix("file://").unwrap_or(named);
        let part = self.entered.partition_point(|(part, _)| part.end <= at);
        let entered = self.entered.get(part).filter(|(part, _)| part.start <= at);
        let folder = entered.map_or(Path::new(""), |(_, folder)| folder);
        let path = folder.join(named);
        let path = path.strip_prefix(&self.root).unwrap_or(&path);
        let mut tidy = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => tidy.push(name),
                Component::CurDir => {}
                Component::ParentDir if tidy.pop() => {}
                _ => return None,
            }
        }
        (!tidy.as_os_str().is_empty()).then(|| Word::from(tidy))
    }
}
