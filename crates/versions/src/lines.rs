//! The lines of a text, and where two texts differ. The only place that names imara-diff.

mod nesting;

use std::hash::{Hash, Hasher};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use whodunit_syntax::lines::LineStarts;

/// A text of at most 4 GiB and where its lines begin.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    starts: LineStarts,
    /// The container of each line, as far as it distinguishes equal lines.
    around: Vec<u64>,
    /// The outermost key that each line belongs to, in data.
    keys: Vec<Option<Range<u32>>>,
}

/// Old lines, and the new ones in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<u32>,
    pub(crate) new: Range<u32>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text; each has its line feed, but for the last that may lack it.
    pub(crate) fn of(text: &'a [u8]) -> Self {
        Lines { text, starts: LineStarts::of(text), around: Vec::new(), keys: Vec::new() }
    }

    /// Finds the lines of a text of nested data, where equal lines in different containers differ.
    pub(crate) fn nested(text: &'a [u8]) -> Self {
        let lines = Lines::of(text);
        let (around, keys) = nesting::find(&lines).into_iter().unzip();
        Lines { around, keys, ..lines }
    }

    /// Returns the container of a line: lines in different containers are never the same line.
    pub(crate) fn around(&self, line: u32) -> u64 {
        self.around.get(line as usize).copied().unwrap_or(0)
    }

    /// Returns how many lines there are.
    pub(crate) fn len(&self) -> u32 {
        self.starts.count()
    }

    /// Returns where lines are in the text.
    pub(crate) fn bytes(&self, lines: &Range<u32>) -> Range<u32> {
        self.starts.bytes(lines)
    }

    /// Returns a line.
    pub(crate) fn line(&self, line: u32) -> &'a [u8] {
        let range = self.bytes(&(line..line + 1));
        &self.text[range.start as usize..range.end as usize]
    }

    /// Returns the line that a byte is in.
    pub(crate) fn line_at(&self, byte: usize) -> u32 {
        self.starts.line_at(byte)
    }

    /// Whether the text ends without a line feed.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.text.last().is_some_and(|&byte| byte != b'\n')
    }

    /// Returns the outermost key of data that a line belongs to.
    pub(crate) fn key(&self, line: u32) -> Option<&'a [u8]> {
        let key = self.keys.get(line as usize)?.clone()?;
        Some(&self.text[key.start as usize..key.end as usize])
    }

    fn placed(&self, lines: &Range<u32>) -> impl Iterator<Item = Placed<'a>> {
        lines.clone().map(|line| Placed { line: self.line(line), around: self.around(line) })
    }
}

/// A line and its container.
#[derive(Default, PartialEq, Eq)]
struct Placed<'a> {
    line: &'a [u8],
    around: u64,
}

impl Hash for Placed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The container seldom matters, and is not worth the time.
        self.line.hash(state);
    }
}

impl AsRef<[u8]> for Placed<'_> {
    fn as_ref(&self) -> &[u8] {
        self.line
    }
}

/// Returns where two texts differ, in order.
pub(crate) fn hunks(old: &Lines<'_>, new: &Lines<'_>) -> Vec<Hunk> {
    hunks_within(old, new, &Hunk { old: 0..old.len(), new: 0..new.len() })
}

/// Returns where some lines of two texts differ, in order.
pub(crate) fn hunks_within(old: &Lines<'_>, new: &Lines<'_>, within: &Hunk) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.reserve(within.old.len() as u32, within.new.len() as u32);
    input.update_before(old.placed(&within.old));
    input.update_after(new.placed(&within.new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let shifted = |lines: Range<u32>, by: u32| lines.start + by..lines.end + by;
    let hunks = diff.hunks().map(|hunk| Hunk {
        old: shifted(hunk.before, within.old.start),
        new: shifted(hunk.after, within.new.start),
    });
    hunks.collect()
}

/// Returns the common things of two lists in order, as pairs of places.
pub(crate) fn common<T: std::hash::Hash + Eq + Default>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
) -> Vec<(u32, u32)> {
    let differing = differing(old, new);
    let mut pairs = Vec::new();
    let (mut from, mut to) = (0, 0);
    let end = Hunk { old: differing.1.0..differing.1.0, new: differing.1.1..differing.1.1 };
    for hunk in differing.0.iter().chain([&end]) {
        pairs.extend((from..hunk.old.start).zip(to..hunk.new.start));
        (from, to) = (hunk.old.end, hunk.new.end);
    }
    pairs
}

/// Returns the differences of two lists of things, and the lengths of the lists.
pub(crate) fn differing<T: std::hash::Hash + Eq + Default>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
) -> (Vec<Hunk>, (u32, u32)) {
    let mut input = InternedInput::default();
    input.update_before(old);
    input.update_after(new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let hunks = diff.hunks().map(|hunk| Hunk { old: hunk.before, new: hunk.after }).collect();
    (hunks, (input.before.len() as u32, input.after.len() as u32))
}
