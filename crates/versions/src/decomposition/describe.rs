//! Descriptions of deltas, for reports and for finding the delta of a place.

use std::ops::Range;

use whodunit_core::Delta;
use whodunit_files::TreePath;

use super::{Change, Decomposition, NONE};

/// One delta, described.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The kind of change.
    pub change: ChangeKind,
    /// Where the file, or the renamed folder, is in the good version.
    pub old_path: Option<&'a TreePath>,
    /// Where the file, or the renamed folder, is in the bad version.
    pub new_path: Option<&'a TreePath>,
    /// The name of the item, such as `Class.method`, if the language of the file is known.
    pub item: Option<&'a str>,
    /// The lines of the good version that it covers, counted from 1; empty if it only adds.
    pub old_lines: Range<u32>,
    /// The lines of the bad version that it covers, counted from 1; empty if it only removes.
    pub new_lines: Range<u32>,
    /// The number of its file; a renamed folder has none.
    pub file: Option<usize>,
    /// The number of its item.
    pub item_id: Option<u32>,
    /// The number of its hunk.
    pub hunk: Option<u32>,
}

/// The kind of change that a delta makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// A folder has another name.
    DirectoryRenamed,
    /// A file is added. The lines of a text are deltas of their own; of a copy only the lines that
    /// differ from the original are.
    Added,
    /// A file is gone.
    Deleted,
    /// A file has another path.
    Renamed,
    /// The executable bit of a file changed.
    Mode,
    /// The whole content changed: binary data, the target of a link, another kind of file.
    Replaced,
    /// The members of classes stand in another order.
    Reordered,
    /// Text changed.
    Text,
    /// Several of these.
    Several,
}

impl Decomposition {
    /// Describes a delta.
    pub fn part(&self, delta: Delta) -> Part<'_> {
        let grains = self.grains_of(delta);
        let first = self.grain(grains[0]);
        let kind = |grain: &u32| kind(&self.grain(*grain).change);
        let change = if grains.iter().all(|grain| kind(grain) == kind(&grains[0])) {
            kind(&grains[0])
        } else {
            ChangeKind::Several
        };
        let same = |number: fn(&super::Grain) -> u32| {
            let value = number(first);
            let same = grains.iter().all(|&grain| number(self.grain(grain)) == value);
            (same && value != NONE).then_some(value)
        };
        let file = same(|grain| grain.file).map(|file| file as usize);
        let item_id = same(|grain| grain.item);
        let (old_path, new_path) = match (&first.change, file) {
            (Change::DirectoryRenamed(directory), _) => {
                let rename = &self.directories[*directory as usize];
                (Some(&rename.from), Some(&rename.to))
            }
            (_, Some(file)) => self.paths(file),
            (_, None) => (None, None),
        };
        let (mut old_lines, new_lines) =
            if file.is_some() { self.line_ranges(grains) } else { (0..0, 0..0) };
        if old_path.is_none() {
            // The lines of the copied original are those of another file.
            old_lines = 0..0;
        }
        Part {
            change,
            old_path,
            new_path,
            item: item_id.map(|item| &*self.items[item as usize]),
            old_lines,
            new_lines,
            file,
            item_id,
            hunk: same(|grain| grain.hunk),
        }
    }

    /// Returns the old and the new text of each piece of a delta.
    pub fn texts(&self, delta: Delta) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.grains_of(delta).iter().filter_map(|&number| {
            let grain = self.grain(number);
            let text = self.files.get(grain.file as usize)?.text.as_ref()?;
            let Change::Text(piece) = &grain.change else { return None };
            let bytes = |range: &Range<u32>| range.start as usize..range.end as usize;
            Some((&text.old[bytes(&piece.old)], &text.new[bytes(&piece.new)]))
        })
    }

    /// Returns the lines from the first to the last of some grains, counted from 1.
    fn line_ranges(&self, grains: &[u32]) -> (Range<u32>, Range<u32>) {
        let mut ranges: Option<(Range<u32>, Range<u32>)> = None;
        for &grain in grains {
            let grain = self.grain(grain);
            let Change::Text(piece) = &grain.change else { continue };
            let text = self.files.get(grain.file as usize).and_then(|file| file.text.as_ref());
            let old = text.map_or(0..0, |text| text.good_lines(&piece.old_lines));
            let new = piece.new_lines.clone();
            ranges = Some(match ranges {
                None => (old, new),
                Some((a, b)) => (
                    a.start.min(old.start)..a.end.max(old.end),
                    b.start.min(new.start)..b.end.max(new.end),
                ),
            });
        }
        let from_one = |range: Range<u32>| range.start + 1..range.end + 1;
        ranges.map_or((0..0, 0..0), |(old, new)| (from_one(old), from_one(new)))
    }
}

fn kind(change: &Change) -> ChangeKind {
    match change {
        Change::DirectoryRenamed(_) => ChangeKind::DirectoryRenamed,
        Change::Added => ChangeKind::Added,
        Change::Deleted => ChangeKind::Deleted,
        Change::Renamed => ChangeKind::Renamed,
        Change::Mode => ChangeKind::Mode,
        Change::Replaced => ChangeKind::Replaced,
        Change::Reordered => ChangeKind::Reordered,
        Change::Text(_) => ChangeKind::Text,
    }
}
