//! Lengths, counts and checksums that follow the edits of binary data.

use std::ops::Range;

use super::Structure;
use crate::edits::Edit;

impl Structure {
    /// Adds the edits that have to follow: ascending, and without overlaps if the given ones are.
    pub(crate) fn mended(&self, edits: Vec<Edit>, drops_file: impl Fn(usize) -> bool) -> Vec<Edit> {
        let mut more = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            if !file.repairs.fields().is_empty() && !drops_file(index) {
                self.mend_file(index, &edits, &mut more);
            }
        }
        if more.is_empty() { edits } else { self.merged(edits, more) }
    }

    fn mend_file(&self, index: usize, edits: &[Edit], more: &mut Vec<Edit>) {
        let addresses = self.base.addresses(index);
        let (bytes, repairs) = (&self.base.files()[index].bytes, &self.files[index].repairs);
        let overlaps =
            |edit: &&Edit| edit.range.start < addresses.end && edit.range.end > addresses.start;
        let within = |range: &Range<u64>| {
            let place =
                |at: u64| (at.clamp(addresses.start, addresses.end) - addresses.start) as usize;
            place(range.start)..place(range.end)
        };
        let (mut deleted, mut replaced, mut changed) = (Vec::new(), Vec::new(), bytes.to_vec());
        for edit in edits.iter().filter(overlaps) {
            let range = within(&edit.range);
            if edit.text.len() == range.len() {
                changed[range.clone()].copy_from_slice(&edit.text);
                replaced.push(range);
            } else {
                deleted.push(range);
            }
        }
        let mut fields = repairs.after(&changed, &deleted);
        if deleted.is_empty() {
            fields.extend(repairs.checksums(&changed, &replaced));
        }
        more.extend(fields.into_iter().map(|(range, text)| Edit {
            range: addresses.start + range.start as u64..addresses.start + range.end as u64,
            text,
        }));
    }

    /// Merges two lists of edits that do not overlap. An insertion becomes part of the edit before
    /// it; between two files it belongs to the second one.
    fn merged(&self, edits: Vec<Edit>, more: Vec<Edit>) -> Vec<Edit> {
        let mut all: Vec<Edit> = Vec::with_capacity(edits.len() + more.len());
        let mut edits = edits.into_iter().peekable();
        let mut more = more.into_iter().peekable();
        loop {
            let from_more = match (edits.peek(), more.peek()) {
                (Some(edit), Some(field)) => field.range.start < edit.range.start,
                (edit, _) => edit.is_none(),
            };
            let next = if from_more { more.next() } else { edits.next() };
            let Some(mut next) = next else { return all };
            if next.range.is_empty() && !self.base.begins_file(next.range.start) {
                match all.last_mut().filter(|last| last.range.end >= next.range.start) {
                    Some(last) => {
                        last.text.extend(next.text);
                        continue;
                    }
                    None => {
                        next.range.start -= 1;
                        next.text.splice(0..0, self.base.bytes(next.range.clone()).iter().copied());
                    }
                }
            }
            all.push(next);
        }
    }
}
