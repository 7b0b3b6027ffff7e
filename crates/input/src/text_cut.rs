//! Cuts a snapshot into deltas of one granularity.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

use super::edits::Edit;
use super::languages::Languages;
use super::settings::{Granularity, LadderSettings};
use super::snapshot::Snapshot;
use super::tokens;

/// A snapshot cut into deltas.
#[derive(Debug)]
pub struct TextCut {
    base: Arc<Snapshot>,
    granularity: Granularity,
    /// The addresses of each delta, ascending. Text that belongs to no delta is always kept.
    deltas: Vec<Range<u64>>,
    /// The deltas that do not begin where the delta before them ends.
    breaks: Vec<u32>,
    /// The delta of each file, at the granularity of files; `None` for a file with protected text.
    files: Vec<Option<Delta>>,
    /// Whether some files are not cut, because they are parsed, or are binary and have no lines.
    is_partial: bool,
}

impl TextCut {
    /// Cuts `base` into deltas; protected text belongs to no delta. In parsed files white space is
    /// no token, and names are not cut into bytes, because other passes remove these better.
    pub fn cut(base: Arc<Snapshot>, granularity: Granularity, settings: &LadderSettings) -> Self {
        let mut deltas = Vec::new();
        let mut files = Vec::new();
        let mut is_partial = false;
        for (index, file) in base.files().iter().enumerate() {
            let start = base.addresses(index).start;
            let shields = settings.protection.shields(&file.bytes);
            let is_parsed = settings.languages.of(file).is_some();
            let mut found = |range: Range<usize>| {
                shields.outside(range, |free| {
                    deltas.push(start + free.start as u64..start + free.end as u64);
                });
            };
            match granularity {
                Granularity::Files if shields.is_empty() => {
                    files.push(Some(Delta(deltas.len() as u32)));
                    deltas.push(base.addresses(index));
                }
                Granularity::Files => files.push(None),
                Granularity::Lines | Granularity::Tokens if tokens::is_binary(&file.bytes) => {
                    is_partial |= !file.bytes.is_empty();
                }
                Granularity::Lines => tokens::lines(&file.bytes, found),
                // Another pass removes the tokens of files that parse.
                Granularity::Tokens if is_parsed && !settings.languages.reads_with_errors(file) => {
                    is_partial |= !file.bytes.is_empty();
                }
                Granularity::Tokens if is_parsed => tokens::tokens(&file.bytes, |range| {
                    if !file.bytes[range.start].is_ascii_whitespace() {
                        found(range);
                    }
                }),
                Granularity::Tokens => tokens::tokens(&file.bytes, found),
                Granularity::Bytes if is_parsed => is_partial |= !file.bytes.is_empty(),
                Granularity::Bytes => tokens::bytes(&file.bytes, &mut found),
            }
        }
        TextCut { files, is_partial, ..TextCut::of(base, granularity, deltas) }
    }

    /// Cuts all of `base` into lines, tokens or bytes, as if no file had a language.
    pub fn flat(base: Arc<Snapshot>, granularity: Granularity, settings: &LadderSettings) -> Self {
        let settings = LadderSettings { languages: Languages::None, ..settings.clone() };
        Self::cut(base, granularity, &settings)
    }

    /// Cuts the text of `base` that is not parsed into its characters of more than one byte, at the
    /// granularity of bytes. A program that decodes its input rejects a part of such a character.
    pub fn wide_characters(base: Arc<Snapshot>, settings: &LadderSettings) -> Self {
        let mut deltas = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            if settings.languages.of(file).is_some() {
                continue;
            }
            let start = base.addresses(index).start;
            let shields = settings.protection.shields(&file.bytes);
            tokens::wide_characters(&file.bytes, |range| {
                let is_free = |free: &Range<usize>| *free == range;
                let mut whole = false;
                shields.outside(range.clone(), |free| whole |= is_free(&free));
                if whole {
                    deltas.push(start + range.start as u64..start + range.end as u64);
                }
            });
        }
        TextCut::of(base, Granularity::Bytes, deltas)
    }

    /// Makes a cut from the addresses of deltas, which must be ascending.
    fn of(base: Arc<Snapshot>, granularity: Granularity, deltas: Vec<Range<u64>>) -> Self {
        let breaks = (1..deltas.len())
            .filter(|&index| deltas[index - 1].end != deltas[index].start)
            .map(|index| index as u32)
            .collect();
        TextCut { base, granularity, deltas, breaks, files: Vec::new(), is_partial: false }
    }

    /// Cuts `base` into no deltas, so that everything is kept.
    pub(super) fn uncut(base: Arc<Snapshot>) -> Self {
        TextCut::of(base, Granularity::Files, Vec::new())
    }

    /// Returns whether some files have no deltas, because they are parsed, or are binary and have no lines.
    /// A statement about all deltas is then not one about all lines, tokens or bytes.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns the snapshot that is cut.
    pub fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns the granularity of the deltas.
    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Returns the addresses of the deltas.
    pub fn deltas(&self) -> &[Range<u64>] {
        &self.deltas
    }

    /// Returns the edits that keep only `kept`.
    pub(super) fn edits(&self, kept: &DeltaSet) -> Vec<Edit> {
        let mut edits = Vec::new();
        for run in DeltaSet::full(self.deltas.len()).minus(kept).runs() {
            let first = self.breaks.partition_point(|&at| at <= run.start);
            let last = self.breaks.partition_point(|&at| at < run.end);
            let inner = &self.breaks[first..last.max(first)];
            let starts = std::iter::once(run.start).chain(inner.iter().copied());
            let ends = inner.iter().copied().chain(std::iter::once(run.end));
            for (start, end) in starts.zip(ends) {
                let gone = self.deltas[start as usize].start..self.deltas[end as usize - 1].end;
                edits.push(Edit::delete(gone));
            }
        }
        edits
    }

    /// Returns whether a file is removed when only `kept` is kept.
    pub(super) fn drops_file(&self, file: usize, kept: &DeltaSet) -> bool {
        let delta = self.files.get(file).copied().flatten();
        delta.is_some_and(|delta| !kept.contains(delta))
    }
}
