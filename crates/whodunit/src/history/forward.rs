//! Carries the fix from the version where the failure began to the newest one.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_core::searches::{Halt, Pace, WalkBack};
use whodunit_run::Ended;
use whodunit_versions::{Patch, TreePath, Version, decompose_in_place};

use super::mend::{Border, lines};
use super::row::{Patched, Row};
use super::turn::patch_text;
use super::walking::Walking;
use super::{HistoryError, HistoryWalk};
use crate::answer::{Forward, Way};
use crate::changes::{Versions, decomposition_level};
use crate::event::Stage;

/// Attempts to make the fix fit the next version, before the run gives up on carrying it forward.
const PATIENCE: usize = 12;

impl HistoryWalk<'_, '_> {
    /// Carries a fix forward; `bad` fails and `fixed` is the same version with the fix.
    pub(super) fn forward(
        &mut self,
        place: usize,
        bad: &Version,
        fixed: &Version,
    ) -> Result<Option<Forward>, HistoryError> {
        let row = Arc::new(Row::forward(self.seen_failing(place), place));
        let fix = self.difference(bad, fixed)?;
        let mut patch = Arc::new(Patch::of(&fix, &fix.all()));
        // The walk asks about the newest version first, because that one is to be fixed.
        let mut walk = WalkBack::new(row.len(), Pace::Doubling(row.len()));
        let mut is_mended = false;
        for _ in 0..PATIENCE {
            let carried = Arc::new(Patched::new(&row, Some(patch.clone()))?);
            let walking = Walking::new(walk, carried.clone(), Way::Forward);
            walk = self.walk(Stage::Forward, walking)?.walk;
            if self.finder.lab.ended != Ended::Done {
                return Ok(None);
            }
            match walk.halt() {
                Some(Halt::Border { newer, older }) => {
                    let border = Border {
                        place: place - older,
                        version: row.version(older)?,
                        neighbour: carried.version(newer)?,
                        made_for: None,
                        patch: Some(patch),
                        way: Way::Forward,
                    };
                    patch = self.mend(&border)?.patch;
                    is_mended = true;
                    walk.mended();
                }
                _ if is_mended => {
                    // A change that was needed on the way may not be needed in the newest version.
                    is_mended = false;
                    let (last, newest) = (row.len() - 1, self.row.version(0)?);
                    let fixed = carried.version(last)?;
                    patch = self.fix_point(0, &newest, &fixed, Way::Forward)?;
                }
                _ => {
                    let begun = Patch::of(&fix, &fix.all());
                    return self.prove_forward(&carried, row.len() - 1, &begun);
                }
            }
        }
        self.unported = Some(PATIENCE as u64);
        Ok(None)
    }

    /// Tests the newest version with the carried fix. `begun` is the fix of the version where the
    /// failure began.
    fn prove_forward(
        &mut self,
        carried: &Arc<Patched>,
        last: usize,
        begun: &Patch,
    ) -> Result<Option<Forward>, HistoryError> {
        let newest = self.row.version(0)?;
        let fixed = carried.version(last)?;
        let Some((proof, seen)) = self.finder.prove_seen(&carried.at(last))? else {
            return Ok(None);
        };
        if proof.verdict() != Verdict::Pass {
            return Err(self.unsteady(0, Verdict::Pass, seen)?.into());
        }
        let level = decomposition_level(self.finder.settings.level);
        let parts = decompose_in_place(&newest, &fixed, level)?;
        let patch = Patch::of(&parts, &parts.all());
        let text = patch_text(&patch)?;
        let also = self.settings.also.as_ref();
        let also = match also {
            Some(line) => self.until_stopped(|walk| walk.also(line, &carried.at(last)))?,
            None => None,
        };
        let is_elsewhere = is_elsewhere(&patch, begun);
        let size = lines(&patch)?;
        Ok(Some(Forward { patch: text, size, file: None, proof, also, is_elsewhere }))
    }
}

/// Returns whether the fix of the newest version changes none of the files of the first fix.
pub(super) fn is_elsewhere(fix: &Patch, begun: &Patch) -> bool {
    paths(fix).is_disjoint(&paths(begun))
}

/// Returns the files that a patch changes, by their names before and after.
fn paths(patch: &Patch) -> BTreeSet<&TreePath> {
    patch.paths().flat_map(|(before, after)| [before, after]).flatten().collect()
}
