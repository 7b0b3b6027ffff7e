//! The lines that a text ever had.

use whodunit_core::{Delta, DeltaSet};

use super::thread::{Since, is_chosen};
use crate::lines::{Lines, hunks};

/// The lines of a text through a history, in an order that suits all of its versions.
#[derive(Debug, Default)]
pub(super) struct WovenLines {
    /// The bytes of all lines, in the order in which they were first seen.
    bytes: Vec<u8>,
    lines: Vec<WovenLine>,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct WovenLine {
    start: usize,
    end: usize,
    pub(super) inserted: Since,
    /// The commit that deletes it, after which it is gone for good.
    pub(super) deleted: Option<u32>,
}

impl WovenLines {
    /// Begins with a text.
    pub(super) fn new(since: Since, text: &[u8]) -> Self {
        let mut woven = WovenLines::default();
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let line = woven.line(line, since);
            woven.lines.push(line);
        }
        woven
    }

    /// Adds a commit that turns the old text into the new one; the old one is the text of all
    /// commits so far.
    pub(super) fn change(&mut self, commit: u32, old: &[u8], new: &[u8]) {
        let (old, new) = (Lines::of(old), Lines::of(new));
        let hunks = hunks(&old, &new);
        let mut woven = Vec::with_capacity(self.lines.len());
        let former = std::mem::take(&mut self.lines);
        let mut rest = former.into_iter();
        // How many lines of the old text have been seen.
        let mut seen = 0;
        for hunk in hunks {
            while seen < hunk.old.end {
                let Some(mut line) = rest.next() else { break };
                if line.deleted.is_none() {
                    let goes = hunk.old.contains(&seen);
                    line.deleted = goes.then_some(commit);
                    seen += 1;
                }
                woven.push(line);
            }
            for number in hunk.new {
                let line = self.line(new.line(number), Some(commit));
                woven.push(line);
            }
        }
        woven.extend(rest);
        self.lines = woven;
    }

    /// Returns the text that these commits make.
    pub(super) fn lay_out(&self, commits: &DeltaSet) -> Vec<u8> {
        let mut text: Vec<u8> = Vec::with_capacity(self.bytes.len());
        for line in &self.lines {
            let is_deleted = line.deleted.is_some_and(|commit| commits.contains(Delta(commit)));
            if is_deleted || !is_chosen(commits, line.inserted) {
                continue;
            }
            // A last line without line feed that is no longer the last.
            if text.last().is_some_and(|&byte| byte != b'\n') {
                text.push(b'\n');
            }
            text.extend_from_slice(&self.bytes[line.start..line.end]);
        }
        text
    }

    /// Returns the lines in order.
    pub(super) fn lines(&self) -> &[WovenLine] {
        &self.lines
    }

    fn line(&mut self, bytes: &[u8], inserted: Since) -> WovenLine {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        WovenLine { start, end: self.bytes.len(), inserted, deleted: None }
    }
}
