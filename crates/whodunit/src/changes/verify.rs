//! Verifies an answer of `changes`: tests the versions with its patches again, and rebuilds its statements
//! about commits and changes from the versions.

mod causes;
mod merges;

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::evidence::Claim;
use whodunit_run::judge::Inability;
use whodunit_run::{Ended, Stop, Word};
use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{Decomposition, decompose};

pub(crate) use causes::{Due, again, is_there};

use super::cause::{Scene, counts};
use super::commits::{Merge, Narrowed, Turn, described, path, sides};
use super::deltas::Deltas;
use super::needed::each_without;
use super::origins::Origins;
use super::replay::{ReplayVersions, VersionClaim, patched};
use super::versions::{Ends, Source};
use super::{ChangesError, decomposition_level, groups_used, versions};
use crate::answer::{
    Base, Cause, ChangeCounts, ChangesAnswer, CommitPair, EndsProof, LearnedEnds, LikelyCommit,
};
use crate::settings::{ChangeLevel, Surroundings, VersionSettings};
use crate::verify::{Check, ShortNames, Verified, claimed, compare};

/// Tests the versions of an answer with its patches in clean folders, and compares its statements about
/// commits and changes with the versions.
pub fn verify(
    answer: &ChangesAnswer,
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, ChangesError> {
    let given = reopen(answer, answer.compared.given.as_ref())?;
    if answer.compared.key.is_some_and(|key| key != given.key) {
        return Err(ChangesError::Changed);
    }
    let beside = reopen(answer, answer.compared.commits.as_ref())?;
    let mut found = Again::new(answer, &given, &beside)?;
    let mut claimed = Vec::new();
    if let (Some(source), Some(base)) = (&given.repository, &found.answer.base) {
        let what = format!("{}, where the versions parted", base.commit.short_id);
        let version = source.version(source.repository.resolve(&base.commit.id)?.id)?;
        claimed.push(VersionClaim::of(&what, &version, base.verdict.verdict()));
    }
    // An answer names several commits only if the versions between them cannot be tested.
    if let (Some(source), [.., before, _], true) =
        (&given.repository, &found.answer.commits[..], is_exact(answer.ended, &answer.learned))
    {
        let version = source.version(source.repository.resolve(&before.id)?.id)?;
        claimed.push(VersionClaim::of(&before.short_id, &version, Verdict::Unresolved));
    }
    for (number, cause) in answer.causes.iter().enumerate() {
        claimed.extend(found.claims(number, cause)?);
    }
    let shown = |cause: &Cause| EndsProof { good: cause.proof.good, bad: cause.proof.bad };
    if let Some(EndsProof { good, bad }) = answer.ends.or(answer.causes.first().map(shown)) {
        let compared = &answer.compared;
        for (name, end, claim) in
            [(&compared.good, &beside.good, good), (&compared.bad, &beside.bad, bad)]
        {
            let claimed_here = claim.map(|it| VersionClaim::of(name, &end.version, it.verdict()));
            claimed.extend(claimed_here);
        }
    }
    let (settings, learned) = (&answer.settings.how, &answer.learned);
    let rule = learned.rule(Inability::Stops);
    let has_script = given.has_script;
    let replay = ReplayVersions { settings, surroundings, learned, rule, has_script };
    let claims = replay.run(claimed, stop, progress)?;
    Ok(Verified { claims, differences: compare(answer, &found.answer) })
}

/// Opens the versions of an answer. Commits are opened by their full ids, because branches move.
fn reopen(answer: &ChangesAnswer, commits: Option<&CommitPair>) -> Result<Ends, ChangesError> {
    let mut settings = answer.settings.clone();
    if let (Some(tests), Some(given)) = (&mut settings.how.old_tests, &answer.compared.given) {
        *tests = given.good.clone().into();
    }
    if let Some(CommitPair { good, bad }) = commits {
        settings.good = good.clone().into();
        settings.bad = bad.clone().into();
    }
    let mut ends = match answer.learned.own_script {
        Some(_) => versions::open_with_own_scripts(&settings)?.ok_or(ChangesError::Changed)?,
        None => versions::open(&settings)?,
    };
    let name = |word: &Word| word.as_os_str().to_string_lossy().into_owned();
    ends.good.name = name(&answer.settings.good);
    ends.bad.name = name(&answer.settings.bad);
    Ok(ends)
}

impl LearnedEnds {
    /// Returns the failure in words, rebuilt from its signature. Without a signature any failure counts, and
    /// the stated words are kept.
    pub(crate) fn failure_again(&self) -> String {
        self.signature.as_ref().map_or_else(|| self.failure.clone(), |it| format!("the test {it}"))
    }

    /// Returns a copy whose failure has the rebuilt words.
    pub(crate) fn again(&self) -> Self {
        LearnedEnds { failure: self.failure_again(), ..self.clone() }
    }
}

/// An answer that is rebuilt from the versions.
struct Again<'a> {
    given: &'a Ends,
    beside: &'a Ends,
    parts: Arc<Decomposition>,
    merge: Option<Merge>,
    answer: ChangesAnswer,
}

impl<'a> Again<'a> {
    fn new(
        stated: &ChangesAnswer,
        given: &'a Ends,
        beside: &'a Ends,
    ) -> Result<Self, ChangesError> {
        let how = &stated.settings.how;
        let (good, bad) = (&beside.good.version, &beside.bad.version);
        let parts = Arc::new(decompose(good, bad, decomposition_level(how.level))?);
        let mut narrowed = narrowed(stated, given, beside)?;
        let compared = narrowed.compared(given);
        let is_done = stated.ended == Ended::Done;
        let due = Due { good: Verdict::Pass, is_done };
        let space = Arc::new(Deltas::new(parts.clone(), false));
        let mut causes = Vec::new();
        // The sides of a merge are not tested again: the commits of the changes tell whether it counts.
        let merge = match (&given.repository, &narrowed.turn) {
            (Some(source), Some(turn)) => sides(source, turn)?.map(|(merge, _)| merge),
            _ => None,
        };
        let merge = merge.map(|merge| named(merge, &names(stated)));
        for merge in [None, merge.clone()] {
            narrowed.merge = merge;
            let origins = &Origins::of(given.repository.as_ref(), &narrowed, &parts)?;
            let (narrowed, compared, parts, space) = (&narrowed, &compared, &parts, &space);
            let scene = Scene { ends: given, narrowed, compared, origins, parts, space };
            let described = stated.causes.iter().map(|cause| again(&scene, cause, due));
            causes = described.collect::<Result<Vec<_>, _>>()?;
            let is_same = |(one, other): (&Cause, &Cause)| {
                (&one.culprit, &one.fix) == (&other.culprit, &other.fix)
            };
            if causes.iter().zip(&stated.causes).all(is_same) {
                break;
            }
        }
        keep_some(&mut causes, how);
        let lacks_cause = causes.is_empty() && how.level != ChangeLevel::Commit;
        let size = counts(&parts, &parts.all());
        let was_compared = is_settled(stated) || stated.size != ChangeCounts::default();
        let answer = ChangesAnswer {
            ended: if is_done && lacks_cause { Ended::GaveUp } else { stated.ended },
            failure: stated.learned.failure_again(),
            commits: narrowed.suspects().iter().map(described).collect(),
            likely: likely(stated, given)?,
            commits_between: narrowed.between,
            ends: due.ends(stated.ends, how.level),
            group: groups_used(&how.group, !narrowed.suspects().is_empty()),
            size: if was_compared { size } else { stated.size },
            base: narrowed.base,
            causes,
            compared,
            learned: stated.learned.again(),
            ..stated.clone()
        };
        Ok(Again { given, beside, parts, merge, answer })
    }

    /// Returns the claims of a cause about versions, and rebuilds its partners in the answer.
    fn claims(&mut self, number: usize, cause: &Cause) -> Result<Vec<VersionClaim>, ChangesError> {
        let Again { given, beside, parts, merge, answer } = self;
        let (proof, compared) = (&cause.proof, &answer.compared);
        let is_carried = (cause.beside.culprit_patch.is_some(), cause.beside.fix_patch.is_some());
        let mut claims = Vec::new();
        let mut add = |name, on: (&str, &_), patch: &Word, claimed: Option<Claim>| {
            if let Some(claimed) = claimed.filter(|_| is_there(patch)) {
                claims.push(VersionClaim::with(on, (name, patch), claimed.verdict())?);
            }
            Ok::<(), ChangesError>(())
        };
        let (culprit, fix) = (&cause.culprit_patch, &cause.fix_patch);
        let (good, bad) = (&beside.good.version, &beside.bad.version);
        if is_carried.0 {
            let on = (&*given.good.name, &given.good.version);
            add("culprit.patch", on, culprit, proof.given_good_with_culprit)?;
        }
        let here = cause.beside.culprit_patch.as_ref().unwrap_or(culprit);
        let file = if is_carried.0 { "commit-culprit.patch" } else { "culprit.patch" };
        add(file, (&compared.good, good), here, proof.good_with_culprit)?;
        if is_carried.1 {
            let on = (&*given.bad.name, &given.bad.version);
            add("fix.patch", on, fix, proof.given_bad_without_fix)?;
        }
        let here_fix = cause.beside.fix_patch.as_ref().unwrap_or(fix);
        let file_fix = if is_carried.1 { "commit-fix.patch" } else { "fix.patch" };
        add(file_fix, (&compared.bad, bad), here_fix, proof.bad_without_fix)?;
        if let Some(spot) = &cause.spot {
            add("without-spot.patch", (&compared.bad, bad), &spot.patch, Some(spot.passes))?;
        }
        let patched = patched((&compared.good, good), (file, here))?;
        let is_ordered = answer.settings.how.ordered;
        claims.extend(each_without((&compared.good, &patched), parts, cause, is_ordered));
        let partners = match (&given.repository, merge) {
            (Some(source), Some(merge)) => {
                merges::partners(cause, (source, merge), (beside, &patched), is_ordered)?
            }
            _ => merges::Partners::default(),
        };
        claims.extend(partners.claims);
        if let Some(cause) = answer.causes.get_mut(number) {
            cause.partners = partners.list;
        }
        Ok(claims)
    }
}

/// Keeps the causes that a run can have found: none if only commits were searched, one unless all were
/// asked for, and none with the same changes as the cause before it.
pub(crate) fn keep_some(causes: &mut Vec<Cause>, how: &VersionSettings) {
    let most = match (how.level, how.all) {
        (ChangeLevel::Commit, _) => 0,
        (_, false) => 1,
        (_, true) => usize::MAX,
    };
    causes.truncate(most);
    causes.dedup_by(|one, other| one.numbers == other.numbers);
}

/// Returns whether every statement about a single version was seen in a test and can be tested again.
pub(crate) fn is_exact(ended: Ended, learned: &LearnedEnds) -> bool {
    ended == Ended::Done && learned.flaky.is_none()
}

/// Returns whether a run was not stopped, so that its answer has everything that it looked for.
fn is_settled(answer: &ChangesAnswer) -> bool {
    matches!(answer.ended, Ended::Done | Ended::GaveUp)
}

/// Rebuilds from the repository how far the commits narrow down the cause.
fn narrowed(stated: &ChangesAnswer, given: &Ends, beside: &Ends) -> Result<Narrowed, ChangesError> {
    let (Some(source), Some(good), Some(bad)) =
        (&given.repository, &given.good.commit, &given.bad.commit)
    else {
        return Ok(Narrowed::default());
    };
    let names = names(stated);
    let Some(parted) = source.repository.merge_base(good.id, bad.id)? else {
        return Ok(Narrowed::default());
    };
    let mut base = None;
    if parted != good.id && (stated.base.is_some() || is_settled(stated)) {
        let commit = described(&renamed(source.repository.commit(parted)?, &names));
        let verdict = stated.base.as_ref().map(|base| base.verdict);
        let verdict = verdict.or_else(|| claimed(None, Verdict::Pass));
        base = verdict.map(|verdict| Base { commit, verdict });
    }
    let passes = base.as_ref().is_none_or(|base| base.verdict.verdict() == Verdict::Pass);
    let is_named = !stated.commits.is_empty() || is_settled(stated);
    let turn = if passes && is_named { turn(stated, beside)? } else { None };
    let Some(turn) = turn else { return Ok(Narrowed { base, ..Narrowed::default() }) };
    Ok(Narrowed {
        between: source.repository.history(parted, bad.id)?.commits.len() as u64,
        versions: Some((beside.good.version.clone(), beside.bad.version.clone())),
        turn: Some(turn),
        merge: None,
        base,
    })
}

/// Returns the commits from the passing version to the failing one: the stated commits if they form such a
/// path, else those of the history.
fn turn(stated: &ChangesAnswer, beside: &Ends) -> Result<Option<Turn>, ChangesError> {
    let (Some(source), Some(passing), Some(failing)) =
        (&beside.repository, &beside.good.commit, &beside.bad.commit)
    else {
        return Ok(None);
    };
    let names = names(stated);
    let suspects = match row(stated, source, (passing, failing)) {
        Some(row) => row,
        None => path(&source.repository.history(passing.id, failing.id)?),
    };
    let suspects: Vec<_> = suspects.into_iter().map(|it| renamed(it, &names)).collect();
    let passing = renamed(passing.clone(), &names);
    Ok(Some(Turn { passing, suspects }).filter(|turn| !turn.suspects.is_empty()))
}

/// Returns the stated commits if each is a child of the one before and the last one is `failing`.
fn row(
    stated: &ChangesAnswer,
    source: &Source,
    (passing, failing): (&CommitInfo, &CommitInfo),
) -> Option<Vec<CommitInfo>> {
    let (mut row, mut before) = (Vec::new(), passing.id);
    for commit in &stated.commits {
        let commit = source.repository.resolve(&commit.id).ok()?;
        if !commit.parents.contains(&before) {
            return None;
        }
        before = commit.id;
        row.push(commit);
    }
    (before == failing.id && !row.is_empty()).then_some(row)
}

/// Returns the stated probabilities with the commits from the repository; empty if the test is steady.
fn likely(stated: &ChangesAnswer, given: &Ends) -> Result<Vec<LikelyCommit>, ChangesError> {
    let (Some(source), true) = (&given.repository, stated.learned.flaky.is_some()) else {
        return Ok(Vec::new());
    };
    let likely = stated.likely.iter().map(|it| {
        let commit = renamed(source.repository.resolve(&it.commit.id)?, &names(stated));
        Ok(LikelyCommit { commit: described(&commit), probability: it.probability })
    });
    likely.collect()
}

/// Returns the short names of commits that an answer uses.
fn names(answer: &ChangesAnswer) -> ShortNames<'_> {
    let changes = answer.causes.iter().flat_map(|cause| cause.culprit.iter().chain(&cause.fix));
    let mut names: Vec<&str> = answer.commits.iter().map(|it| &*it.short_id).collect();
    names.extend([&*answer.compared.good, &*answer.compared.bad]);
    names.extend(changes.filter_map(|change| change.commit.as_deref()));
    names.extend(answer.base.iter().map(|base| &*base.commit.short_id));
    let partners = answer.causes.iter().flat_map(|cause| &cause.partners);
    names.extend(partners.map(|partner| &*partner.commit.short_id));
    names.extend(answer.likely.iter().map(|likely| &*likely.commit.short_id));
    ShortNames(names)
}

/// Gives a commit the short name that the answer uses for it.
fn renamed(commit: CommitInfo, names: &ShortNames<'_>) -> CommitInfo {
    CommitInfo { short_id: names.of(&commit.id.to_string(), &commit.short_id), ..commit }
}

fn named(merge: Merge, names: &ShortNames<'_>) -> Merge {
    let all = |row: Vec<CommitInfo>| row.into_iter().map(|it| renamed(it, names)).collect();
    Merge { base: merge.base, own: all(merge.own), merged: all(merge.merged) }
}
