//! Makes a cause of an answer from the changes found: proves them, and adds patches and texts.
//!
//! With a history, the changes lie between two commits. Their patches are then also carried to the
//! given versions and tested there; if they have no effect there, the answer says so.

use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use whodunit_core::strategy::{Persistence, Repair};
use whodunit_core::{Delta, DeltaSet, Verdict};
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_run::{Ended, Word};
use whodunit_versions::{
    ChangeKind, Decomposition, Level, Part, ReadError, Version, carried, decompose,
};

use super::commits::Narrowed;
use super::deltas::Deltas;
use super::in_space::Space;
use super::origins::Origins;
use super::spot::SpotFound;
use super::trees::TreeState;
use super::versions::Ends;
use super::{ChangesError, Finder, compare, partners};
use crate::answer::{
    AtomicAnswer, Beside, Cause, ChangeAnswer, ChangeCounts, ChangeNumbers, ChangeWord,
    ChangesProof, CommitPair, Compared, EndsProof, Spot, word_of,
};

/// Characters of a text in an answer.
const QUOTED: usize = 400;

/// The versions and changes in which a cause is searched.
pub(super) struct Scene<'a> {
    pub(super) ends: &'a Ends,
    pub(super) narrowed: &'a Narrowed,
    pub(super) compared: &'a Compared,
    pub(super) origins: &'a Origins,
    pub(super) parts: &'a Arc<Decomposition>,
    pub(super) space: &'a Arc<Deltas>,
}

/// The changes that a search found.
pub(super) struct Finding {
    /// The changes that cause the failure.
    pub(super) culprit: DeltaSet,
    /// Other changes of the bad version that must be present.
    pub(super) with: DeltaSet,
    /// Whether each change of the culprit is needed.
    pub(super) each_needed: bool,
    /// The changes whose removal makes the bad version pass.
    pub(super) fix: Repair,
    /// A part of the bad version; with this part removed or replaced the version passes.
    pub(super) spot: Option<SpotFound>,
    /// The atomic changes of the culprit, if the user asked for them.
    pub(super) atomic: Option<AtomicAnswer>,
    /// How long the searches went on without success.
    pub(super) persistence: Persistence,
}

impl Finding {
    /// Returns the finding for changes that fail, of which nothing more is known.
    pub(super) fn unfinished(culprit: DeltaSet) -> Self {
        Finding {
            culprit,
            with: DeltaSet::empty(),
            each_needed: false,
            fix: Repair { changes: None, is_finished: false },
            spot: None,
            atomic: None,
            persistence: Persistence::default(),
        }
    }
}

/// A patch for one of the given versions, and what a test of that version with it said.
pub(super) struct Carry {
    pub(super) patch: Word,
    pub(super) claim: Claim,
}

/// Counts files, items, hunks, lines and changes.
pub(super) fn counts(parts: &Decomposition, changes: &DeltaSet) -> ChangeCounts {
    let counts = parts.counts(changes);
    ChangeCounts {
        files: counts.files as u64,
        items: counts.items as u64,
        hunks: counts.hunks as u64,
        lines: counts.lines as u64,
        changes: changes.len() as u64,
    }
}

impl Scene<'_> {
    /// Proves a finding in clean folders, and describes it as a cause.
    pub(super) fn cause(
        &self,
        finder: &mut Finder<'_>,
        found: &mut Finding,
    ) -> Result<Cause, ChangesError> {
        let all = self.parts.all();
        let mut each_needed = EachNeeded::default();
        let mut ends = EndsProof::default();
        if finder.lab.ended == Ended::Done {
            if found.each_needed {
                let Finding { culprit, with, .. } = &mut *found;
                each_needed = without_each(finder, self.space, culprit, with)?;
            }
            ends = finder.both_ends(self.parts)?;
        }
        let Finding { culprit, with, .. } = &*found;
        let fix = &found.fix.changes;
        let present = culprit.union(with);
        let failing = self.state(present.clone());
        let fixed = fix.as_ref().map(|fix| self.state(all.minus(fix)));
        let is_done = finder.lab.ended == Ended::Done;
        let fails = finder.prove(&failing)?;
        let passes = match &fixed {
            Some(fixed) => finder.prove(fixed)?,
            None => None,
        };
        let spot = match &found.spot {
            Some(found) => self.spot(finder, found)?,
            None => None,
        };
        // The time may have ended before the proof was complete.
        let is_done = is_done && finder.lab.ended == Ended::Done;
        let mut cause = Cause {
            atomic: found.atomic.clone(),
            spot,
            proof: ChangesProof {
                good: ends.good,
                bad: ends.bad,
                good_with_culprit: fails,
                bad_without_fix: passes,
                each_needed,
                fix_sought: found.fix.is_settled(),
                ..ChangesProof::default()
            },
            ..self.told(culprit, with, fix.as_ref())?
        };
        if is_done {
            self.carry(finder, &mut cause, &failing, fixed.as_ref())?;
            if let (Some(merge), Some(source)) = (&self.narrowed.merge, &self.ends.repository) {
                let before = self.state(DeltaSet::empty());
                let sides = (&before, &failing);
                cause.partners = partners::find(finder, source, merge, sides, found.persistence)?;
            }
        }
        Ok(cause)
    }

    /// Returns what is said of changes whatever tests say: they are described, counted and written as
    /// patches for the versions that are compared.
    pub(super) fn told(
        &self,
        culprit: &DeltaSet,
        with: &DeltaSet,
        fix: Option<&DeltaSet>,
    ) -> Result<Cause, ChangesError> {
        let (none, all) = (DeltaSet::empty(), self.parts.all());
        let fix_numbers = fix.map(numbers).unwrap_or_default();
        Ok(Cause {
            culprit: self.describe(culprit),
            fix: fix.map_or_else(Vec::new, |fix| self.describe(fix)),
            with: with.len() as u64,
            numbers: ChangeNumbers {
                culprit: numbers(culprit),
                with: numbers(with),
                fix: fix_numbers,
            },
            size: counts(self.parts, culprit),
            atomic: None,
            partners: Vec::new(),
            culprit_patch: patch(self.parts, &none, &culprit.union(with))?,
            culprit_on: self.compared.good.clone(),
            fix_patch: match fix {
                Some(fix) => patch(self.parts, &all, &all.minus(fix))?,
                None => Word::default(),
            },
            fix_on: self.compared.bad.clone(),
            beside: Beside::default(),
            spot: None,
            files: None,
            proof: ChangesProof::default(),
        })
    }

    /// Makes patches for the given versions, where they are others than those of the changes.
    fn carry(
        &self,
        finder: &mut Finder<'_>,
        cause: &mut Cause,
        failing: &TreeState,
        fixed: Option<&TreeState>,
    ) -> Result<(), ChangesError> {
        let (good, bad) = (&self.ends.good.version, &self.ends.bad.version);
        if let Some(older) = self.given_good_with(&failing.version()?)? {
            let carry = prove_there(finder, good, &older)?;
            self.take_culprit(cause, carry);
        }
        let fixed = fixed.map(|fixed| fixed.version()).transpose()?;
        if let Some(later) = fixed.map(|fixed| self.given_bad_with(&fixed)).transpose()?.flatten() {
            let carry = prove_there(finder, bad, &later)?;
            self.take_fix(cause, carry);
        }
        Ok(())
    }

    /// Returns the given good version with the culprit, if it is another one than that of the changes;
    /// `failing` is that one with the culprit.
    pub(super) fn given_good_with(&self, failing: &Version) -> Result<Option<Version>, ReadError> {
        let differs = |ours: &CommitPair, given: &CommitPair| ours.good != given.good;
        let Some((before, _)) = self.beside(differs) else { return Ok(None) };
        carried(&self.ends.good.version, before, failing).map(Some)
    }

    /// Returns the given bad version without the fix, if it is another one than that of the changes;
    /// `fixed` is that one without the fix.
    pub(super) fn given_bad_with(&self, fixed: &Version) -> Result<Option<Version>, ReadError> {
        let differs = |ours: &CommitPair, given: &CommitPair| ours.bad != given.bad;
        let Some((_, after)) = self.beside(differs) else { return Ok(None) };
        carried(fixed, after, &self.ends.bad.version).map(Some)
    }

    /// Returns the versions beside the commit, if these and the given ones differ so.
    fn beside(
        &self,
        differ: impl Fn(&CommitPair, &CommitPair) -> bool,
    ) -> Option<&(Version, Version)> {
        let (ours, given) = (self.compared.commits.as_ref()?, self.compared.given.as_ref()?);
        self.narrowed.versions.as_ref().filter(|_| differ(ours, given))
    }

    /// Takes note of what the culprit does to the given good version.
    pub(super) fn take_culprit(&self, cause: &mut Cause, carry: Option<Carry>) {
        cause.proof.given_good_with_culprit = carry.as_ref().map(|it| it.claim);
        if let Some(carry) = carry.filter(|it| it.claim.verdict() == Verdict::Fail) {
            let here = std::mem::replace(&mut cause.culprit_patch, carry.patch);
            cause.beside.culprit_patch = Some(here);
            cause.culprit_on.clone_from(&self.ends.good.name);
        }
    }

    /// Takes note of what the fix does to the given bad version.
    pub(super) fn take_fix(&self, cause: &mut Cause, carry: Option<Carry>) {
        cause.proof.given_bad_without_fix = carry.as_ref().map(|it| it.claim);
        if let Some(carry) = carry.filter(|it| it.claim.verdict() == Verdict::Pass) {
            let here = std::mem::replace(&mut cause.fix_patch, carry.patch);
            cause.beside.fix_patch = Some(here);
            cause.fix_on.clone_from(&self.ends.bad.name);
        }
    }

    /// Proves that the bad version passes with a part changed, and describes that part; nothing if there
    /// is no time for it, or if it does not pass.
    fn spot(
        &self,
        finder: &mut Finder<'_>,
        found: &SpotFound,
    ) -> Result<Option<Spot>, ChangesError> {
        let Some(passes) = finder.prove(&found.state)?.filter(|it| it.verdict() == Verdict::Pass)
        else {
            return Ok(None);
        };
        let (less, bad) = (found.state.version()?, self.parts.version(&self.parts.all()));
        let (how, replaced) = (found.how, found.replaced.clone());
        let (parts, patch) = spot_of(&less, &bad)?;
        Ok(Some(Spot { parts, how, replaced, patch, passes }))
    }

    fn state(&self, set: DeltaSet) -> TreeState {
        self.space.tree(set)
    }

    fn describe(&self, set: &DeltaSet) -> Vec<ChangeAnswer> {
        let commit = |delta: Delta| self.origins.commit(delta.0).map(|it| it.short_id.clone());
        describe(self.parts, set, commit)
    }
}

/// Returns the changed part of a bad version that passes with `less` in its place, and the patch for it.
pub(super) fn spot_of(
    less: &Version,
    bad: &Version,
) -> Result<(Vec<ChangeAnswer>, Word), ChangesError> {
    let parts = decompose(less, bad, Level::Line)?;
    let all = parts.all();
    Ok((describe(&parts, &all, |_| None), patch(&parts, &all, &DeltaSet::empty())?))
}

/// Tests what a version becomes, in a clean folder; nothing if it stays what it is.
fn prove_there(
    finder: &mut Finder<'_>,
    version: &Version,
    becomes: &Version,
) -> Result<Option<Carry>, ChangesError> {
    let parts = finder.until_stopped(|finder| {
        compare(&finder.lab.workers.stop, decompose, version, becomes, Level::File)
    })?;
    let Some(parts) = parts.filter(|parts| !parts.is_empty()) else { return Ok(None) };
    let all = parts.all();
    let patch = patch(&parts, &DeltaSet::empty(), &all)?;
    let state = Arc::new(Deltas::new(parts, false)).tree(all);
    Ok(finder.prove(&state)?.map(|claim| Carry { patch, claim }))
}

pub(super) fn patch(
    parts: &Decomposition,
    from: &DeltaSet,
    to: &DeltaSet,
) -> Result<Word, ChangesError> {
    Ok(Word::from(OsString::from_vec(parts.patch(from, to)?)))
}

/// Tests a culprit without each of its changes, in clean folders. If it still fails without a
/// change, that change is dropped: the search may have kept it because another change seemed to
/// need it.
pub(super) fn without_each(
    finder: &mut Finder<'_>,
    space: &Arc<Deltas>,
    culprit: &mut DeltaSet,
    with: &DeltaSet,
) -> Result<EachNeeded, ChangesError> {
    loop {
        let smaller = smaller(culprit, finder.settings.ordered);
        let state = |set: &DeltaSet| space.tree(set.union(with));
        let states: Vec<TreeState> = smaller.iter().map(state).collect();
        let claims = finder.lab.claim_all(&states)?;
        let fails =
            |claim: &Option<Claim>| claim.is_some_and(|claim| claim.verdict() == Verdict::Fail);
        match claims.iter().position(fails) {
            Some(place) => *culprit = smaller[place].clone(),
            None => {
                let claims: Option<Vec<Claim>> = claims.into_iter().collect();
                return Ok(claims.map_or_else(EachNeeded::default, |it| EachNeeded::of(&it)));
            }
        }
    }
}

/// Returns the numbers of changes as answers have them.
pub(super) fn numbers(set: &DeltaSet) -> Vec<[u32; 2]> {
    set.runs().map(|run| [run.start, run.end - 1]).collect()
}

/// Returns the smaller sets that show that each change of a culprit is needed.
///
/// In an ordered row a change cannot be left out without those after it, so only the last one is
/// left out.
pub(super) fn smaller(culprit: &DeltaSet, is_ordered: bool) -> Vec<DeltaSet> {
    let kept = if is_ordered { culprit.len().saturating_sub(1) } else { 0 };
    let one = |delta| std::iter::once(delta).collect::<DeltaSet>();
    culprit.iter().skip(kept).map(|delta| culprit.minus(&one(delta))).collect()
}

/// Returns changes in the form that answers use.
pub(super) fn describe(
    parts: &Decomposition,
    set: &DeltaSet,
    commit: impl Fn(Delta) -> Option<String>,
) -> Vec<ChangeAnswer> {
    set.iter().map(|delta| described(parts, delta, commit(delta))).collect()
}

fn described(parts: &Decomposition, delta: Delta, commit: Option<String>) -> ChangeAnswer {
    let part = parts.part(delta);
    let lines = |range: &Range<u32>| (!range.is_empty()).then(|| [range.start, range.end - 1]);
    let (mut old_text, mut new_text) = (Vec::new(), Vec::new());
    for (old, new) in parts.texts(delta) {
        old_text.extend_from_slice(old);
        new_text.extend_from_slice(new);
    }
    let Part { old_path, new_path, .. } = part;
    ChangeAnswer {
        change: change_word(part.change),
        file: new_path.or(old_path).map_or_else(|| Word::from(".".to_owned()), word_of),
        old_file: old_path.filter(|old| new_path.is_some_and(|new| new != *old)).map(word_of),
        item: part.item.map(str::to_owned),
        old_lines: lines(&part.old_lines),
        new_lines: lines(&part.new_lines),
        commit,
        old_text: quoted(&old_text),
        new_text: quoted(&new_text),
    }
}

fn change_word(kind: ChangeKind) -> ChangeWord {
    match kind {
        ChangeKind::DirectoryRenamed => ChangeWord::DirectoryRenamed,
        ChangeKind::Added => ChangeWord::Added,
        ChangeKind::Deleted => ChangeWord::Deleted,
        ChangeKind::Renamed => ChangeWord::Renamed,
        ChangeKind::Mode => ChangeWord::Mode,
        ChangeKind::Replaced => ChangeWord::Replaced,
        ChangeKind::Reordered => ChangeWord::Reordered,
        ChangeKind::Text => ChangeWord::Text,
        ChangeKind::Several => ChangeWord::Several,
    }
}

fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches(['\r', '\n']);
    match text.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
