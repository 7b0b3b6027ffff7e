//! Rebuilds a cause from the numbers of its changes and from the versions.

use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::Word;
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_versions::{Level, Version, decompose};

use crate::answer::{Cause, ChangeNumbers, ChangesProof, EndsProof, Spot, SpotHow};
use crate::changes::ChangesError;
use crate::changes::cause::{Carry, Scene, patch, spot_of};
use crate::changes::needed::numbered;
use crate::changes::replay::patched;
use crate::settings::ChangeLevel;
use crate::verify::claimed;

/// The claims that an answer must make.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    /// The verdict on the good version: pass or, in `history`, another value.
    pub(crate) good: Verdict,
    /// Whether the answer says that the run is done; then no claim may be missing.
    pub(crate) is_done: bool,
}

impl Due {
    /// Returns the claim with this verdict if the run is done or the answer states a claim.
    fn claim(self, stated: Option<Claim>, verdict: Verdict) -> Option<Claim> {
        if self.is_done || stated.is_some() { claimed(stated, verdict) } else { None }
    }

    /// Returns the claims about both versions; `None` unless only commits were searched, because causes have
    /// such claims themselves.
    pub(crate) fn ends(self, stated: Option<EndsProof>, level: ChangeLevel) -> Option<EndsProof> {
        if level != ChangeLevel::Commit {
            return None;
        }
        let EndsProof { good, bad } = stated.unwrap_or_default();
        let due =
            EndsProof { good: self.claim(good, self.good), bad: self.claim(bad, Verdict::Fail) };
        (stated.is_some() || self.is_done).then_some(due)
    }

    fn proof(self, stated: ChangesProof, has_fix: bool) -> ChangesProof {
        let is_needed = self.is_done || stated.each_needed.holds();
        let fixed = self.claim(stated.bad_without_fix, Verdict::Pass);
        ChangesProof {
            good: self.claim(stated.good, self.good),
            bad: self.claim(stated.bad, Verdict::Fail),
            good_with_culprit: self.claim(stated.good_with_culprit, Verdict::Fail),
            bad_without_fix: fixed.filter(|_| has_fix),
            each_needed: if is_needed { EachNeeded::of(&[]) } else { stated.each_needed },
            fix_sought: self.is_done || has_fix || stated.fix_sought,
            given_good_with_culprit: None,
            given_bad_without_fix: None,
        }
    }
}

/// Rebuilds a cause from the numbers of its changes. Its files, its partners and the phases of a search over
/// atomic changes are copied.
pub(crate) fn again(scene: &Scene<'_>, stated: &Cause, due: Due) -> Result<Cause, ChangesError> {
    let (parts, ChangeNumbers { culprit, with, fix }) = (scene.parts, &stated.numbers);
    let [culprit, with, fix] = [culprit, with, fix].map(|runs| numbered(parts, runs));
    let fix = Some(fix).filter(|fix| !fix.is_empty());
    let all = parts.all();
    let spot = stated.spot.as_ref();
    let mut cause = Cause {
        atomic: stated.atomic.clone(),
        partners: stated.partners.clone(),
        files: stated.files.clone(),
        spot: spot.map(|spot| spot_again(spot, &parts.version(&all))).transpose()?,
        proof: due.proof(stated.proof, fix.is_some()),
        ..scene.told(&culprit, &with, fix.as_ref())?
    };
    let failing = parts.version(&culprit.union(&with));
    if let Some(older) = scene.given_good_with(&failing)? {
        let claim = stated.proof.given_good_with_culprit;
        let carry = carried(&scene.ends.good.version, &older, (claim, due, Verdict::Fail))?;
        scene.take_culprit(&mut cause, carry);
    }
    let fixed = fix.map(|fix| parts.version(&all.minus(&fix)));
    let later = fixed.map(|fixed| scene.given_bad_with(&fixed)).transpose()?.flatten();
    if let Some(later) = later {
        let claim = stated.proof.given_bad_without_fix;
        let carry = carried(&scene.ends.bad.version, &later, (claim, due, Verdict::Pass))?;
        scene.take_fix(&mut cause, carry);
    }
    Ok(cause)
}

/// Returns the patch for a given version; `None` if the patch is empty or was not tested.
fn carried(
    version: &Version,
    becomes: &Version,
    (stated, due, verdict): (Option<Claim>, Due, Verdict),
) -> Result<Option<Carry>, ChangesError> {
    let parts = decompose(version, becomes, Level::File)?;
    let claim = stated.or_else(|| due.claim(None, verdict));
    let Some(claim) = claim.filter(|_| !parts.is_empty()) else { return Ok(None) };
    let patch = patch(&parts, &DeltaSet::empty(), &parts.all())?;
    Ok(Some(Carry { patch, claim }))
}

/// Rebuilds a spot from its patch.
fn spot_again(stated: &Spot, bad: &Version) -> Result<Spot, ChangesError> {
    let less = patched(("the bad version", bad), ("without-spot.patch", &stated.patch))?;
    let (parts, patch) = spot_of(&less, bad)?;
    let replaced = stated.replaced.clone().filter(|_| stated.how == SpotHow::Replaced);
    let passes = claimed(Some(stated.passes), Verdict::Pass).unwrap_or(stated.passes);
    Ok(Spot { parts, how: stated.how, replaced, patch, passes })
}

/// Returns whether a patch is not empty.
pub(crate) fn is_there(patch: &Word) -> bool {
    !patch.as_bytes().is_empty()
}
