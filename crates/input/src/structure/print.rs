//! Turns the shown nodes of a tree into edits of the text.

use whodunit_core::{Delta, Piece, TreeCandidate};

use super::{NO_MINIMAL, Structure};
use crate::edits::Edit;

/// Bytes on either side of a deletion that decide whether a space must be put between them. No sign
/// of a language is longer.
const SEAM_BYTES: usize = 3;

/// Returns the edits of the base that leave only the shown nodes.
pub(super) fn edits(structure: &Structure, shown: &TreeCandidate) -> Vec<Edit> {
    let mut printer = Printer {
        structure,
        edits: Vec::new(),
        at: 0,
        pending: Vec::new(),
        file: 0,
        open: Vec::new(),
    };
    for piece in shown.shown(&structure.tree) {
        printer.print(piece);
    }
    printer.finish()
}

/// Writes down what lies between the pieces of the base that are shown.
struct Printer<'a> {
    structure: &'a Structure,
    edits: Vec<Edit>,
    /// Text before this address is finished.
    at: u32,
    /// New text that comes next.
    pending: Vec<u8>,
    /// The file that `at` is in.
    file: usize,
    /// The nodes entered and not left.
    open: Vec<Open>,
}

struct Open {
    node: Delta,
    /// How many of its fragments are shown.
    fragments: usize,
    /// Whether an item was shown, so that the next one needs a separator.
    row_begun: bool,
}

impl Printer<'_> {
    fn print(&mut self, piece: Piece) {
        match piece {
            Piece::Enter { node, place } => {
                self.begin(place);
                self.open.push(Open { node, fragments: 0, row_begun: false });
            }
            Piece::Leave(_) => {
                self.show_fragments(u32::MAX);
                self.open.pop();
            }
            Piece::Whole { first, last, place } => {
                self.begin(place);
                let end = self.structure.place(last).end;
                self.show(self.structure.place(first).body, end);
                if let Some(open) = self.open.last_mut() {
                    let fragments = self.structure.fragments(open.node);
                    open.fragments = fragments.partition_point(|fragment| fragment.start < end);
                    open.row_begun |= self.structure.place(last).in_row;
                }
            }
            Piece::Minimal(node) => {
                self.begin(node);
                let minimal = self.structure.place(node).minimal;
                if minimal != NO_MINIMAL {
                    self.write(self.structure.minimals[minimal as usize].as_bytes());
                }
            }
        }
    }

    /// Shows the text before the body of the node that takes this place.
    fn begin(&mut self, place: Delta) {
        let Some(open) = self.open.last() else { return };
        let (structure, node, row_begun) = (self.structure, open.node, open.row_begun);
        let top = match structure.tree.parent(place) {
            Some(parent) if parent == node => place,
            _ => structure.tree.child_towards(node, place),
        };
        let (top, place) = (*structure.place(top), *structure.place(place));
        self.show_fragments(top.start);
        // Text from here on belongs to the file of this place, even if nothing of that file is
        // shown before it.
        self.change_file(top.start);
        if row_begun {
            // The first item of a list that was dissolved has no separator of its own.
            let separator = if place.start < place.lead { place } else { top };
            self.show(separator.start, separator.lead);
        } else if !top.in_row && top.start >= self.at {
            // A sign that separates nothing is the item's own, like the `=` of a value.
            self.show(top.start, top.lead);
        }
        if let Some(open) = self.open.last_mut() {
            open.row_begun |= top.in_row;
        }
        self.show(place.lead, place.body);
    }

    /// Shows the innermost node's own text before an address.
    fn show_fragments(&mut self, before: u32) {
        let Some(open) = self.open.last() else { return };
        let fragments = self.structure.fragments(open.node);
        let mut next = open.fragments;
        while let Some(fragment) = fragments.get(next).filter(|fragment| fragment.start < before) {
            self.show(fragment.start, fragment.end);
            next += 1;
        }
        if let Some(open) = self.open.last_mut() {
            open.fragments = next;
        }
    }

    fn show(&mut self, start: u32, end: u32) {
        if start >= end {
            return;
        }
        // A separator that is borrowed from an outer item lies before the text shown last.
        if start < self.at {
            let text = self.structure.base.bytes(u64::from(start)..u64::from(end)).to_vec();
            self.write(&text);
            return;
        }
        self.change_file(start);
        if start > self.at || !self.pending.is_empty() {
            let base = &self.structure.base;
            // Several files may be shown at once.
            let end = u64::from(end).min(base.addresses(self.file).end);
            self.join(base.slice(self.file, u64::from(start)..end));
            let text = std::mem::take(&mut self.pending);
            self.edits.push(Edit { range: u64::from(self.at)..u64::from(start), text });
        }
        self.at = end;
    }

    /// Closes the files before the one with this address.
    fn change_file(&mut self, address: u32) {
        let base = &self.structure.base;
        while self.file + 1 < base.files().len()
            && u64::from(address) >= base.addresses(self.file + 1).start
        {
            self.file += 1;
            self.end_file(base.addresses(self.file).start as u32);
        }
    }

    /// Leaves out the rest of a file up to its end, and ends it with the pending text: an insertion
    /// where two files meet would belong to the second.
    fn end_file(&mut self, end: u32) {
        let text = std::mem::take(&mut self.pending);
        if self.at < end {
            self.edits.push(Edit { range: u64::from(self.at)..u64::from(end), text });
            self.at = end;
        } else if !text.is_empty() {
            let last = u64::from(end) - 1..u64::from(end);
            let text = [self.structure.base.bytes(last.clone()), &text].concat();
            self.edits.push(Edit { range: last, text });
        }
    }

    fn write(&mut self, text: &[u8]) {
        self.join(text);
        self.pending.extend_from_slice(text);
    }

    /// Separates tokens that would run together with the text shown last.
    fn join(&mut self, next: &[u8]) {
        let joints = self.structure.files[self.file].joints();
        let start = self.structure.base.addresses(self.file).start as u32;
        let last: &[u8] = if self.pending.is_empty() {
            // The last shown text ends here, unless nothing of this file was shown.
            let from = self.at.saturating_sub(SEAM_BYTES as u32).max(start);
            self.structure.base.slice(self.file, u64::from(from)..u64::from(self.at.max(from)))
        } else {
            &self.pending[self.pending.len().saturating_sub(SEAM_BYTES)..]
        };
        let last = String::from_utf8_lossy(last);
        let next = String::from_utf8_lossy(&next[..next.len().min(SEAM_BYTES)]);
        let space = match joints {
            Some(joints) => (0..last.len())
                .filter(|&from| last.is_char_boundary(from))
                .map(|from| joints.between(&last[from..], &next))
                .find(|space| !space.is_empty())
                .unwrap_or(""),
            None => "",
        };
        self.pending.extend_from_slice(space.as_bytes());
    }

    fn finish(mut self) -> Vec<Edit> {
        let end = self.structure.base.len() as u32;
        self.change_file(end);
        self.end_file(end);
        self.edits
    }
}
