//! References between files: a file is removed together with all references to it, or its text
//! replaces the only reference.
//!
//! A missing header or module is an error in most languages, so without this pass no file could be
//! removed that is named somewhere. The patterns of references are data, in the profiles of
//! languages and in `build_files.json`.

mod patterns;
mod resolve;

use std::collections::HashMap;
use std::ops::Range;

use whodunit_syntax::language::Inline;

use crate::edits::{Change, Edit};
use crate::protect::Protection;
use crate::snapshot::Snapshot;
use patterns::Reference;
use resolve::FileNames;

/// Texts that are inlined into others may grow to this many times the input and [`EXTRA_BYTES`];
/// further ones are not inlined. Chosen by hand.
const MAX_GROWTH: u64 = 8;
/// Bytes that a small input may grow by in any case. Chosen by hand.
const EXTRA_BYTES: u64 = 1 << 16;

/// The treatment of files that are referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Referred {
    /// The file is removed with all references to it. Files without references are listed too, so
    /// that files that refer to each other can be removed together.
    Dropped,
    /// The file is removed, and its text takes the place of the reference.
    Inlined,
}

impl Referred {
    /// Lists the possible changes: each drops at least one file.
    pub(crate) fn find(self, base: &Snapshot, protection: &Protection) -> Vec<Change> {
        let references = References::read(base, protection);
        match self {
            Referred::Dropped => references.drops(),
            Referred::Inlined => references.inlines(),
        }
    }
}

/// The references between the files of a snapshot.
struct References<'a> {
    base: &'a Snapshot,
    /// The references to each file.
    to: Vec<Vec<Reference>>,
    /// Whether each file must stay, or is named in protected text.
    stays: Vec<bool>,
}

impl<'a> References<'a> {
    fn read(base: &'a Snapshot, protection: &Protection) -> Self {
        let files = base.files();
        let names = FileNames::of(files);
        let shields: Vec<_> = files.iter().map(|file| protection.shields(&file.bytes)).collect();
        let mut to = vec![Vec::new(); files.len()];
        let mut stays: Vec<bool> = shields.iter().map(|shields| !shields.is_empty()).collect();
        for (from, file) in files.iter().enumerate() {
            for (target, reference) in patterns::find(from, file, &names) {
                stays[target] |= shields[from].touch(&reference.range);
                to[target].push(reference);
            }
        }
        References { base, to, stays }
    }

    fn drops(&self) -> Vec<Change> {
        if self.to.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let free = (0..self.to.len()).filter(|&file| !self.stays[file]);
        free.map(|file| {
            let gone = self.to[file].iter().map(|reference| self.deleted(reference));
            Change { edits: gone.chain([self.whole(file)]).collect(), drops: vec![file] }
        })
        .collect()
    }

    /// Lists files whose text can take the place of the only reference to them, after the same was
    /// done to the files that they refer to: so a whole tree of files is one change as well as
    /// many.
    fn inlines(&self) -> Vec<Change> {
        let place = |file: usize| {
            let mut places = self.to[file].iter().filter(|to| to.inline != Inline::No);
            places.next().filter(|_| places.next().is_none() && !self.stays[file])
        };
        let places: Vec<Option<&Reference>> = (0..self.to.len()).map(place).collect();
        let mut waiting: Vec<usize> = vec![0; places.len()];
        let mut inside: HashMap<usize, Vec<usize>> = HashMap::new();
        for (file, place) in places.iter().enumerate() {
            if let Some(place) = place {
                waiting[place.from] += 1;
                inside.entry(place.from).or_default().push(file);
            }
        }
        // From the leaves; files that refer to each other in a circle are never ready.
        let mut ready: Vec<usize> = (0..places.len()).filter(|&file| waiting[file] == 0).collect();
        let mut texts: HashMap<usize, (Vec<u8>, Vec<usize>)> = HashMap::new();
        let mut changes = Vec::new();
        let mut left = self.base.len() * MAX_GROWTH + EXTRA_BYTES;
        while let Some(file) = ready.pop() {
            let Some(place) = places[file] else { continue };
            let inner = inside.get(&file).map_or(&[][..], Vec::as_slice);
            let (text, drops) = self.text(file, inner, &places, &texts);
            let Some(rest) = left.checked_sub((text.len() + drops.len()) as u64) else { break };
            left = rest;
            let mut edits: Vec<Edit> = drops.iter().map(|&file| self.whole(file)).collect();
            let named = drops.iter().flat_map(|&file| &self.to[file]);
            let named = named.filter(|reference| reference.inline == Inline::No);
            edits.extend(named.map(|reference| self.deleted(reference)));
            edits.push(Edit { text: place.inlined(&text), ..self.deleted(place) });
            changes.push((file, Change { edits, drops: drops.clone() }));
            texts.insert(file, (text, drops));
            waiting[place.from] -= 1;
            if waiting[place.from] == 0 {
                ready.push(place.from);
            }
        }
        changes.sort_by_key(|(file, _)| *file);
        changes.into_iter().map(|(_, change)| change).collect()
    }

    /// Returns the text of a file with the texts of `inner` in it, and all files that it then
    /// holds.
    fn text(
        &self,
        file: usize,
        inner: &[usize],
        places: &[Option<&Reference>],
        texts: &HashMap<usize, (Vec<u8>, Vec<usize>)>,
    ) -> (Vec<u8>, Vec<usize>) {
        let bytes = &self.base.files()[file].bytes;
        let mut drops = vec![file];
        let mut inner: Vec<(&Reference, usize)> =
            inner.iter().filter_map(|&child| Some((places[child]?, child))).collect();
        inner.sort_by_key(|(place, _)| place.range.start);
        let (mut text, mut at) = (Vec::new(), 0);
        for (place, child) in inner {
            let Some((inlined, below)) = texts.get(&child) else { continue };
            if place.range.start < at {
                continue;
            }
            text.extend_from_slice(&bytes[at..place.range.start]);
            text.extend_from_slice(&place.inlined(inlined));
            at = place.range.end;
            drops.extend(below);
        }
        text.extend_from_slice(&bytes[at..]);
        (text, drops)
    }

    fn deleted(&self, reference: &Reference) -> Edit {
        let start = self.base.addresses(reference.from).start;
        let Range { start: first, end } = &reference.range;
        Edit::delete(start + *first as u64..start + *end as u64)
    }

    fn whole(&self, file: usize) -> Edit {
        Edit::delete(self.base.addresses(file))
    }
}

#[cfg(test)]
mod tests;
