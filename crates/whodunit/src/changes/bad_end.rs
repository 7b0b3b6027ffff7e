//! Searches for a small difference that makes the bad version pass, if the culprit is too large to read.
//!
//! Half-way mixtures of two versions can hardly be tested, but the bad version with a small difference
//! mostly can. There are three kinds of differences, each with its own search:
//!
//! ```text
//! changes are undone               the bad version without a file, a function, a hunk
//! words are restored               a line gets its old words, where the whole line cannot be undone
//! parts are removed or replaced    new code has no old text to return to
//! ```
//!
//! Which search succeeds depends on the program, so they take turns (`Turns` of the core). A difference that
//! makes the version pass is no repair yet: it tells where to look.

use std::sync::Arc;

use whodunit_core::searches::{Seek, SmallestUndo, Turns};
use whodunit_core::strategy::{Gated, Knowledge, Mending, READ_AT_ONCE, Strategy};
use whodunit_core::{Answer, DeltaSet, Search, Step};
use whodunit_versions::ReadError;

use super::cause::Scene;
use super::deltas::Deltas;
use super::in_space::{InSpace, Space};
use super::reworded::{Reworded, StillParses, flat};
use super::spot::{Cutouts, SpotFound, SpotSearch};
use super::trees::TreeState;
use super::{ChangesError, Finder};
use crate::answer::SpotHow;
use crate::event::Stage;

/// The differences that were found next to the bad version.
#[derive(Default)]
pub(super) struct NearBad {
    /// Changes without which the bad version passes.
    pub(super) undo: Option<DeltaSet>,
    /// The bad version with a changed line or part, which passes.
    pub(super) spot: Option<SpotFound>,
}

/// The kinds of differences that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Differences {
    /// Undoing changes only.
    Undo,
    /// All kinds.
    All,
    /// Words and parts only, because changes to undo are known or were not found.
    Spots,
}

/// One of the searches.
#[derive(Clone)]
enum Seeker {
    Undo(InSpace<Gated<SmallestUndo>, Deltas>),
    Words(InSpace<Gated<SmallestUndo>, Reworded>),
    Parts(SpotSearch),
}

impl Seeker {
    /// Returns the deltas that are undone: changes, or reworded lines.
    fn undo(&self) -> Option<&DeltaSet> {
        match self {
            Seeker::Undo(InSpace { search, .. }) => search.search.found(),
            Seeker::Words(InSpace { search, .. }) => search.search.found(),
            Seeker::Parts(_) => None,
        }
    }
}

/// Searches for a small difference that makes the bad version pass, among changes that fail together. Asks
/// at most `most` questions, and then further ones to make a finding smaller.
pub(super) fn search(
    finder: &mut Finder<'_>,
    (strategy, scene): (&Strategy<'_>, &Scene<'_>),
    suspects: &DeltaSet,
    (differences, most): (Differences, usize),
) -> Result<NearBad, ChangesError> {
    let mut seekers = Vec::new();
    let mut count = 0;
    if differences != Differences::Spots {
        let (search, space) = (strategy.undo(suspects), scene.space.clone());
        seekers.push(Seeker::Undo(InSpace { search, space }));
        count += suspects.len();
    }
    if differences != Differences::Undo {
        let (parts, evidence) = (scene.parts.clone(), finder.evidence.clone());
        let (reworded, cutouts) = finder.search_stop().wait_for(move || {
            let reworded = Reworded::of(&parts, &evidence)?;
            Ok::<_, ReadError>((reworded, Cutouts::of(&parts, &evidence, most)?))
        })??;
        count += reworded.len() + cutouts.len();
        if reworded.len() > 0 {
            let space = Arc::new(reworded);
            let knowledge: Arc<dyn Knowledge> = Arc::new(StillParses(space.clone()));
            let search = SmallestUndo::new(space.undoable());
            let search = Gated::new(search, &flat(space.len()), &knowledge, Mending::None);
            seekers.push(Seeker::Words(InSpace { search, space }));
        }
        if cutouts.len() > 0 {
            seekers.push(Seeker::Parts(SpotSearch::new(Arc::new(cutouts), most)));
        }
    }
    if seekers.is_empty() {
        return Ok(NearBad::default());
    }
    let turns = Turns::new(seekers, most);
    let turns = finder.search_trees(Stage::Spot, turns, count, &mut |_, _| ())?;
    let mut near = NearBad::default();
    for seeker in turns.into_searches() {
        let undo = seeker.undo().cloned();
        match seeker {
            Seeker::Undo(_) => near.undo = undo,
            Seeker::Words(InSpace { space, .. }) => {
                let undo = undo.filter(|undo| undo.len() <= READ_AT_ONCE);
                near.spot = near.spot.or_else(|| undo.map(|undo| as_it_was(&space, &undo)));
            }
            Seeker::Parts(search) => {
                let found = search.found()?;
                near.spot = near.spot.or(found);
            }
        }
    }
    Ok(near)
}

/// Returns the bad version with the old words in some lines.
fn as_it_was(space: &Arc<Reworded>, lines: &DeltaSet) -> SpotFound {
    SpotFound {
        state: space.tree(DeltaSet::full(space.len()).minus(lines)),
        how: SpotHow::AsItWas,
        replaced: None,
    }
}

impl Search for Seeker {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        match self {
            Seeker::Undo(search) => search.step(),
            Seeker::Words(search) => search.step(),
            Seeker::Parts(search) => search.step(),
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            Seeker::Undo(search) => search.learn(answer),
            Seeker::Words(search) => search.learn(answer),
            Seeker::Parts(search) => search.learn(answer),
        }
    }

    fn best(&self) -> TreeState {
        match self {
            Seeker::Undo(search) => search.best(),
            Seeker::Words(search) => search.best(),
            Seeker::Parts(search) => search.best(),
        }
    }

    fn likely(&self) -> f64 {
        match self {
            Seeker::Undo(search) => search.likely(),
            Seeker::Words(search) => search.likely(),
            Seeker::Parts(search) => search.likely(),
        }
    }
}

impl Seek for Seeker {
    fn has_enough(&self) -> bool {
        match self {
            Seeker::Undo(_) | Seeker::Words(_) => {
                self.undo().is_some_and(|undo| undo.len() <= READ_AT_ONCE)
            }
            Seeker::Parts(search) => search.has_found(),
        }
    }
}
