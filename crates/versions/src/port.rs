//! Puts a patch that was made for one version onto another version.
//!
//! Each file is found in the foreign version, under its own name or renamed, and each run of
//! changed lines in it by a ladder of rungs: the same surroundings, a merge of lines, tokens, the
//! function of the same name, there or in another file. A part without a place is a conflict. A
//! conflict is an outcome and not an error. For example, a changed line of `f` is placed in a
//! foreign version where `f` was moved to another file.

mod align;
mod already;
mod assemble;
mod edit;
mod items;
mod ladder;
mod moved;
mod patch;
mod placement;
mod plan;
mod ported;
mod spacing;
mod surroundings;
mod tokens;
mod trail;

pub use ladder::Rung;
pub use patch::{Patch, PatchSize};
pub use ported::{Conflict, Outcome, Ported, PortedPart};

use whodunit_files::{ReadError, Version};

use crate::parallel;
use plan::Plan;
use trail::Trail;

/// Puts a patch onto a version that it was not made for.
///
/// Conflicting parts are left out; [`Ported::whole`] is there only if there are none. Files that
/// the patch does not touch are shared with the foreign version and mostly not even read.
pub fn port(patch: &Patch, foreign: &Version) -> Result<Ported, ReadError> {
    let trail = Trail::of(patch, foreign)?;
    let plans = parallel::map(&patch.files, |file| Plan::of(file, &trail, foreign));
    let mut plans: Vec<Plan<'_>> = plans.into_iter().collect::<Result<_, _>>()?;
    look_at_items(&mut plans);
    moved::place(&mut plans, patch.base(), foreign)?;
    assemble::assemble(plans, foreign)
}

/// Bytes parsed at most to place a patch; files beyond that are placed by their lines. Chosen for
/// about a second on two cores.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Finds places by items for edits that lines and tokens could not place; in as many files as there
/// is time for, the smallest first.
fn look_at_items(plans: &mut [Plan<'_>]) {
    let mut open: Vec<usize> = (0..plans.len()).filter(|&at| plans[at].is_open()).collect();
    open.sort_by_key(|&at| (plans[at].size(), at));
    let mut parsed = 0;
    open.retain(|&at| {
        parsed += plans[at].size();
        plans[at].may_parse = parsed <= MAX_PARSED_BYTES;
        plans[at].may_parse
    });
    let fates = parallel::map(&open, |&at| plans[at].climb_items());
    for (at, fates) in open.into_iter().zip(fates) {
        let steps = plans[at].steps.iter_mut().filter(|step| step.fate.is_open());
        for (step, fate) in steps.zip(fates.into_iter().flatten()) {
            step.fate = fate;
        }
    }
}
