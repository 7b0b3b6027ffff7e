//! Where changes stand, and in which order they are taken.

use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::{Coarseness, Groups};
use crate::{Delta, DeltaSet, Hierarchy};

/// Where a change stands.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The number of its file; a renamed folder has none.
    pub file: Option<usize>,
    /// The number of its function or the like.
    pub item: Option<u32>,
    /// The number of its hunk.
    pub hunk: Option<u32>,
    /// Its lines in the good version.
    pub old_lines: Range<u32>,
    /// Its lines in the bad version.
    pub new_lines: Range<u32>,
}

/// The places and the order of all changes.
#[derive(Clone, Debug)]
pub struct Layout {
    places: Vec<Place>,
    order: Vec<Delta>,
    /// The strength of the boundary before each change but the first, in order.
    boundaries: Vec<u8>,
    files: BTreeMap<usize, DeltaSet>,
}

impl Layout {
    /// Takes the place of each change, an order of all changes, and the strength of the boundaries
    /// between neighbours in that order.
    pub fn new(places: Vec<Place>, order: Vec<Delta>, boundaries: Vec<u8>) -> Self {
        let mut files: BTreeMap<usize, Vec<Delta>> = BTreeMap::new();
        for (delta, place) in (0..).map(Delta).zip(&places) {
            if let Some(file) = place.file {
                files.entry(file).or_default().push(delta);
            }
        }
        let files = files.into_iter().map(|(file, deltas)| (file, deltas.into_iter().collect()));
        Layout { files: files.collect(), places, order, boundaries }
    }

    /// Returns all changes.
    pub fn all(&self) -> DeltaSet {
        DeltaSet::full(self.places.len())
    }

    /// Returns how many changes there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Returns where a change stands.
    pub fn place(&self, delta: Delta) -> &Place {
        &self.places[delta.0 as usize]
    }

    /// Returns the changes of a file.
    pub fn of_file(&self, file: usize) -> DeltaSet {
        self.files.get(&file).cloned().unwrap_or_else(DeltaSet::empty)
    }

    /// Returns some changes in groups, in order; `coarseness` may depend on the change.
    pub fn groups(&self, changes: &DeltaSet, coarseness: impl Fn(Delta) -> Coarseness) -> Groups {
        let gaps = std::iter::once(u8::MAX).chain(self.boundaries.iter().copied());
        let order = self.order.iter().copied().zip(gaps);
        Groups::new(order, changes, |delta| self.name(delta, coarseness(delta)))
    }

    /// Returns a hierarchy with groups as parts of hunks, and hunks as parts of files.
    pub fn hierarchy(&self, groups: &Groups) -> Hierarchy {
        let mut tree = Hierarchy::builder();
        let mut before = None;
        for first in groups.parts().iter().filter_map(DeltaSet::first) {
            let Place { file, hunk, .. } = *self.place(first);
            match before {
                Some(place) if place == (file, hunk) => {}
                Some((other, _)) if other == file => {
                    tree.close().open();
                }
                Some(_) => {
                    tree.close().close().open().open();
                }
                None => {
                    tree.open().open();
                }
            }
            before = Some((file, hunk));
            tree.deltas(1);
        }
        if before.is_some() {
            tree.close().close();
        }
        tree.build()
    }

    /// Returns the name of the group of a change.
    fn name(&self, delta: Delta, coarseness: Coarseness) -> (Option<usize>, u64) {
        let place = self.place(delta);
        let single = 1 << 40 | u64::from(delta.0);
        let hunk = place.hunk.map_or(single, |hunk| 1 << 41 | u64::from(hunk));
        match coarseness {
            Coarseness::Label(number) => (None, 1 << 42 | u64::from(number)),
            // A renamed folder is in no file.
            Coarseness::Files if place.file.is_some() => (place.file, 0),
            Coarseness::Items => (place.file, place.item.map_or(hunk, u64::from)),
            Coarseness::Hunks => (place.file, hunk),
            Coarseness::Files | Coarseness::Single => (place.file, single),
        }
    }
}
