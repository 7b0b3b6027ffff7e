//! Two lists of lines or tokens side by side, and where a stretch of one is in the other.

use std::ops::Range;

use crate::lines::Hunk;

/// Where two lists differ; all else is the same in both.
pub(super) struct Alignment {
    /// In order in both lists.
    hunks: Vec<Hunk>,
}

impl Alignment {
    pub(super) fn new(hunks: Vec<Hunk>) -> Self {
        Alignment { hunks }
    }

    pub(super) fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// Returns where one thing of the first list is in the second.
    pub(super) fn image(&self, at: u32) -> Option<u32> {
        let next = self.hunks.partition_point(|hunk| hunk.old.end <= at);
        let differs = self.hunks.get(next).is_some_and(|hunk| hunk.old.start <= at);
        (!differs).then(|| self.shifted(at, next))
    }

    /// Returns the numbers of the hunks that overlap a stretch of the first list or touch it.
    pub(super) fn touching(&self, stretch: &Range<u32>) -> Range<usize> {
        let first = self.hunks.partition_point(|hunk| hunk.old.end < stretch.start);
        let after = self.hunks[first..].partition_point(|hunk| hunk.old.start <= stretch.end);
        first..first + after
    }

    /// Returns the place of a stretch of the first list in the second, if nothing in it differs.
    /// The lines directly before and after it may differ, but two insertions at one place have no
    /// order.
    pub(super) fn place(&self, stretch: &Range<u32>) -> Option<Range<u32>> {
        let touching = self.touching(stretch);
        let mut before = touching.start;
        for at in touching {
            let hunk = &self.hunks[at].old;
            if overlap(hunk, stretch) {
                return None;
            }
            if hunk.end <= stretch.start {
                before = at + 1;
            }
        }
        Some(self.shifted(stretch.start, before)..self.shifted(stretch.end, before))
    }

    /// Returns a place of the first list in the second, with `hunks_before` hunks before it.
    pub(super) fn shifted(&self, at: u32, hunks_before: usize) -> u32 {
        match hunks_before.checked_sub(1).map(|last| &self.hunks[last]) {
            Some(last) => at - last.old.end + last.new.end,
            None => at,
        }
    }
}

/// Whether two stretches of one list cannot both be replaced.
fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => one.start == other.start,
        // An empty range within another one; at either end it counts as beside it.
        (true, false) => other.start < one.start && one.start < other.end,
        (false, true) => one.start < other.start && other.start < one.end,
        (false, false) => one.start < other.end && other.start < one.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_change_is_found() {
        // abcdef became abXYef.
        let alignment = Alignment::new(vec![Hunk { old: 2..4, new: 2..5 }]);
        assert_eq!(alignment.place(&(1..2)), Some(1..2));
        assert_eq!(alignment.place(&(4..5)), Some(5..6));
        assert_eq!(alignment.place(&(2..2)), Some(2..2));
        assert_eq!(alignment.place(&(4..4)), Some(5..5));
        assert_eq!(alignment.place(&(3..3)), None);
        assert_eq!(alignment.place(&(1..3)), None);
        assert_eq!(alignment.image(5), Some(6));
        assert_eq!(alignment.image(3), None);
    }

    #[test]
    fn two_insertions_at_one_place_have_no_order() {
        let alignment = Alignment::new(vec![Hunk { old: 2..2, new: 2..3 }]);
        assert_eq!(alignment.place(&(2..2)), None);
        assert_eq!(alignment.place(&(2..3)), Some(3..4));
        assert_eq!(alignment.place(&(1..2)), Some(1..2));
    }
}
