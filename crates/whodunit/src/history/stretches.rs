//! Finds stretches: neighbouring versions that could not be tested for one reason.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_run::Key;

use super::{HistoryError, HistoryWalk};
use crate::answer::{Fate, StepReason, Stretch};

/// Why a version is unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) reason: StepReason,
    /// The other failure in words, if there was one.
    pub(super) says: Option<String>,
}

/// The outcomes of versions on the way back.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// For each patch, in order, the outcome at each place; `None` where the test could run.
    carried: Vec<(Key, BTreeMap<usize, Option<Trouble>>)>,
    /// The places where a back-port was made.
    mended: BTreeSet<usize>,
}

/// Neighbouring versions with the same trouble.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    newest: usize,
    oldest: usize,
    trouble: Trouble,
}

impl Sightings {
    pub(super) fn see(&mut self, carried: Key, place: usize, trouble: Option<Trouble>) {
        match self.carried.iter_mut().find(|(it, _)| *it == carried) {
            Some((_, seen)) => _ = seen.insert(place, trouble),
            None => self.carried.push((carried, BTreeMap::from([(place, trouble)]))),
        }
    }

    pub(super) fn mend(&mut self, place: usize) {
        self.mended.insert(place);
    }

    /// Returns the stretches, the newest first. Versions between two with the same trouble are
    /// assumed to have it, too.
    fn stretches(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for (_, seen) in &self.carried {
            let mut before: Option<Found> = None;
            for (&place, trouble) in seen {
                match (&mut before, trouble) {
                    (Some(found), Some(trouble)) if found.trouble == *trouble => {
                        found.oldest = place;
                    }
                    (_, trouble) => {
                        let next = trouble.clone();
                        let next =
                            next.map(|trouble| Found { newest: place, oldest: place, trouble });
                        if let Some(done) = std::mem::replace(&mut before, next) {
                            merge(&mut found, done);
                        }
                    }
                }
            }
            if let Some(done) = before {
                merge(&mut found, done);
            }
        }
        found.sort_by_key(|found| (found.newest, found.oldest));
        found
    }
}

/// Adds a stretch. It extends one that was seen with another patch, if they overlap and have the
/// same trouble.
fn merge(all: &mut Vec<Found>, found: Found) {
    let is_same = |it: &&mut Found| {
        it.trouble == found.trouble && it.newest <= found.oldest && found.newest <= it.oldest
    };
    match all.iter_mut().find(is_same) {
        Some(known) => {
            known.newest = known.newest.min(found.newest);
            known.oldest = known.oldest.max(found.oldest);
        }
        None => all.push(found),
    }
}

impl HistoryWalk<'_, '_> {
    /// Returns the stretches that could not be tested, and how the walk continued there.
    pub(super) fn stretches(&self) -> Result<Vec<Stretch>, HistoryError> {
        let found = self.sightings.stretches().into_iter().map(|found| {
            let Found { newest, oldest, trouble } = found;
            let fate = if self.sightings.mended.range(newest..=oldest).next().is_some() {
                Fate::Mended
            } else if oldest < self.oldest {
                Fate::Leapt
            } else {
                Fate::Open
            };
            Ok(Stretch {
                newest: self.row.revision(newest)?.short_id,
                oldest: self.row.revision(oldest)?.short_id,
                place: newest as u64,
                versions: (oldest - newest + 1) as u64,
                reason: trouble.reason,
                says: trouble.says,
                fate,
            })
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trouble(says: &str) -> Option<Trouble> {
        Some(Trouble { reason: StepReason::Build, says: Some(says.into()) })
    }

    fn drawn(sightings: &Sightings) -> Vec<(usize, usize, String)> {
        let found = sightings.stretches().into_iter();
        found.map(|it| (it.newest, it.oldest, it.trouble.says.unwrap_or_default())).collect()
    }

    #[test]
    fn one_reason_is_one_stretch_unless_something_between_could_be_tested() {
        let (mut sightings, carried) = (Sightings::default(), Key::of_bytes(b"nothing"));
        for (place, says) in [(3, "a"), (9, "a"), (14, "b"), (15, ""), (20, "b"), (17, "b")] {
            sightings.see(carried, place, trouble(says).filter(|_| !says.is_empty()));
        }
        let expected = [(3, 9, "a"), (14, 14, "b"), (17, 20, "b")];
        assert_eq!(drawn(&sightings), expected.map(|(from, to, says)| (from, to, says.into())));
    }

    #[test]
    fn a_stretch_that_is_met_with_something_else_carried_is_the_same() {
        let mut sightings = Sightings::default();
        let (one, other) = (Key::of_bytes(b"one"), Key::of_bytes(b"other"));
        for (carried, place, says) in
            [(one, 3, "a"), (one, 9, "a"), (other, 3, ""), (other, 7, "a"), (other, 12, "a")]
        {
            sightings.see(carried, place, trouble(says).filter(|_| !says.is_empty()));
        }
        assert_eq!(drawn(&sightings), [(3, 12, "a".into())]);
    }
}
