//! Verifies an answer of `history`: tests the versions with its patches again, and rebuilds its statements
//! about versions and changes from the history.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::judge::Inability;
use whodunit_run::{Ended, Refutation, Stop, Word};
use whodunit_vcs::{Beginning, Lineage};
use whodunit_versions::{Decomposition, Patch, Version, decompose_in_place};

use super::forward::is_elsewhere;
use super::mend::lines;
use super::overlay::Overlay;
use super::turn::patch_text;
use super::{HistoryError, checkout, lineage, links_of, overlay_of};
use crate::answer::{
    Also, BackPort, Begins, Belief, Cause, Forward, HistoryAnswer, HistoryOutcome, HistoryStep,
    NotARegression, PatchLines, RevisionAnswer, StepReason, Stretch, Untested, Watched,
};
use crate::changes::{
    Between, ChangesError, Due, ReplayVersions, VersionClaim, decomposition_level, each_without,
    is_exact, is_there, keep_some, key_of, numbered, patched, version_of,
};
use crate::settings::{ChangeLevel, HistorySettings, Surroundings};
use crate::verify::{Check, Claim, Commands, ShortNames, Verified, claimed, compare, shown};

/// At most this many rows are searched for a version on a merged branch; beyond it the main row is taken.
const MOST_ROWS: usize = 1000;

/// The name of the patch that adds the newest test to a version.
const TEST_PATCH: &str = "test.patch";

/// Tests the versions of an answer with its patches in clean folders, and compares its statements about
/// versions and changes with the history.
pub fn verify(
    (answer, commands): (&HistoryAnswer, Commands),
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, HistoryError> {
    let main = reopen(answer, surroundings, stop)?;
    let committed = version_of(main.list(0)?);
    let mut links = links_of(&answer.settings)?;
    let has_script = links.has_script();
    let whole = links.clone();
    if answer.learned.own_script.is_some()
        && let Some((_, own)) = links.with_own_scripts(&committed)?
    {
        links = own;
    }
    let overlay = overlay_of(&answer.settings, &committed)?.with(links.clone());
    let uncommitted = checkout::uncommitted_tests(&answer.settings, &committed)?;
    let newest = uncommitted.over(overlay.over(committed));
    if key_of(&[&whole.without_script(newest.clone())])? != answer.key {
        return Err(ChangesError::Changed.into());
    }
    let row = row_of(answer, &main)?;
    let names = names(answer);
    let told = Told { answer, main, row, overlay, newest, names };
    let claimed = told.claims()?;
    let (settings, learned) = (&answer.settings.how, &answer.learned);
    let rule = learned.rule(Inability::LeavesOpen);
    let replay = ReplayVersions { settings, surroundings, learned, rule, has_script };
    let claims = replay.run(claimed, stop, progress)?;
    let words = if commands == Commands::OfTheAnswer { &claims[..] } else { &[] };
    let again = told.again(words, told.base(surroundings, stop)?)?;
    Ok(Verified { claims, differences: compare(answer, &again) })
}

/// Opens the history between the versions that an answer names by their full ids, because branches move.
fn reopen(
    answer: &HistoryAnswer,
    surroundings: &Surroundings,
    stop: &Stop,
) -> Result<Arc<dyn Lineage>, HistoryError> {
    let asked = &answer.settings;
    let since = asked.good.as_ref().or(asked.since.as_ref());
    let oldest = answer.oldest.as_ref().map(|oldest| &oldest.id);
    let settings = HistorySettings {
        good: None,
        since: since.map(|since| oldest.unwrap_or(since).clone()),
        until: Some(answer.newest.id.clone()),
        ..asked.clone()
    };
    Ok(Arc::from(lineage::open(&settings, surroundings, stop)?))
}

/// Returns the row of versions that an answer is about: the main row or, if merged branches count, a row that
/// leads into a branch.
fn row_of(
    answer: &HistoryAnswer,
    main: &Arc<dyn Lineage>,
) -> Result<Arc<dyn Lineage>, HistoryError> {
    let named: Vec<&RevisionAnswer> = match &answer.outcome {
        HistoryOutcome::Found { suspects, good, .. } => suspects.iter().chain([good]).collect(),
        HistoryOutcome::NotARegression(_) => Vec::new(),
        HistoryOutcome::Untestable { oldest, .. } | HistoryOutcome::Unfinished { oldest } => {
            vec![oldest]
        }
    };
    let has = |row: &dyn Lineage, it: &&RevisionAnswer| {
        let place = it.place as usize;
        place < row.len() && row.revision(place).is_ok_and(|found| found.id == it.id)
    };
    let last = named.last().map_or(0, |it| it.place as usize);
    let (mut rows, mut next) = (vec![(main.clone(), 0)], 0);
    while let Some((row, from)) = rows.get(next).cloned() {
        if named.iter().all(|it| has(&*row, it)) {
            return Ok(row);
        }
        next += 1;
        let merges = if answer.settings.all_parents { from..last.min(row.len()) } else { 0..0 };
        for place in merges {
            for branch in 1.. {
                let Some(through) = row.through(place, branch)? else { break };
                rows.push((Arc::from(through), place + 1));
            }
        }
        if rows.len() > MOST_ROWS {
            break;
        }
    }
    Ok(main.clone())
}

/// Returns the short names of versions that an answer uses.
fn names(answer: &HistoryAnswer) -> ShortNames<'_> {
    let mut names = vec![&*answer.newest.short_id, &*answer.back_port.on];
    names.extend(answer.oldest.iter().map(|it| &*it.short_id));
    if let HistoryOutcome::Found { suspects, good, .. } = &answer.outcome {
        names.extend(suspects.iter().chain([good]).map(|it| &*it.short_id));
    }
    names.extend(answer.steps.iter().map(|step| &*step.version));
    ShortNames(names)
}

/// The statements of an answer, with the history that they are about.
struct Told<'a> {
    answer: &'a HistoryAnswer,
    main: Arc<dyn Lineage>,
    row: Arc<dyn Lineage>,
    overlay: Overlay,
    newest: Version,
    names: ShortNames<'a>,
}

/// A version with the back-port that the answer has for it.
struct End {
    name: String,
    version: Version,
}

impl End {
    fn named(&self) -> (&str, &Version) {
        (&self.name, &self.version)
    }
}

/// The two versions between which the run searched for changes.
struct Border {
    good: End,
    bad: End,
    parts: Arc<Decomposition>,
}

impl Told<'_> {
    /// Returns the place of a version by its id; the place in the answer if there is no such version.
    fn place(&self, said: &RevisionAnswer) -> Result<usize, HistoryError> {
        let stated = (said.place as usize).min(self.row.len() - 1);
        for place in std::iter::once(stated).chain(0..self.row.len()) {
            if self.row.revision(place)?.id == said.id {
                return Ok(place);
            }
        }
        Ok(stated)
    }

    fn described_in(
        &self,
        row: &dyn Lineage,
        place: usize,
    ) -> Result<RevisionAnswer, HistoryError> {
        let found = RevisionAnswer::of(row.revision(place.min(row.len() - 1))?, place);
        Ok(RevisionAnswer { short_id: self.names.of(&found.id, &found.short_id), ..found })
    }

    fn described(&self, place: usize) -> Result<RevisionAnswer, HistoryError> {
        self.described_in(&*self.row, place)
    }

    fn found(&self, said: &RevisionAnswer) -> Result<RevisionAnswer, HistoryError> {
        self.described(self.place(said)?)
    }

    /// Returns the short name of the version at a place.
    fn name(&self, place: u64) -> Result<String, HistoryError> {
        Ok(self.described(place as usize)?.short_id)
    }

    /// Reads a version with the changes that every tested version has.
    fn read(&self, said: &RevisionAnswer) -> Result<Version, HistoryError> {
        Ok(match self.place(said)? {
            0 => self.newest.clone(),
            place => self.overlay.over(version_of(self.row.list(place)?)),
        })
    }

    fn end(&self, said: &RevisionAnswer) -> Result<End, HistoryError> {
        let (name, version) = (said.short_id.clone(), self.read(said)?);
        Ok(match self.answer.back_port.given(said) {
            Some(patch) => End {
                version: patched((&name, &version), ("back-port.patch", patch))?,
                name: format!("{name} + back-port"),
            },
            None => End { name, version },
        })
    }

    fn compare(&self, from: &Version, to: &Version) -> Result<Decomposition, HistoryError> {
        let level = decomposition_level(self.answer.settings.how.level);
        Ok(decompose_in_place(from, to, level).map_err(ChangesError::from)?)
    }

    fn border(&self, good: &RevisionAnswer, bad: &RevisionAnswer) -> Result<Border, HistoryError> {
        let (good, bad) = (self.end(good)?, self.end(bad)?);
        let parts = Arc::new(self.compare(&good.version, &bad.version)?);
        Ok(Border { good, bad, parts })
    }

    /// Returns the oldest version if it stands in for the one that the user asked for. If the name that
    /// the user gave means another version today, the answer is believed.
    fn base(
        &self,
        surroundings: &Surroundings,
        stop: &Stop,
    ) -> Result<Option<RevisionAnswer>, HistoryError> {
        let until = Some(self.answer.newest.id.clone());
        let settings = HistorySettings { until, ..self.answer.settings.clone() };
        let last = |row: &dyn Lineage| row.revision(row.len() - 1).map(|it| it.id).ok();
        let is_so = match lineage::open(&settings, surroundings, stop) {
            Ok(asked) if last(&*asked) == last(&*self.main) => asked.has_stand_in(),
            _ => self.answer.base.is_some(),
        };
        is_so.then(|| self.described_in(&*self.main, self.main.len() - 1)).transpose()
    }

    /// Returns the claims of an answer about versions.
    fn claims(&self) -> Result<Vec<VersionClaim>, HistoryError> {
        let (answer, newest) = (self.answer, &self.newest);
        let name = format!("the newest version ({})", answer.newest.short_id);
        let mut claims = vec![VersionClaim::of(&name, newest, Verdict::Fail)];
        if let Some(forward) = &answer.forward {
            let fix = ("fix.patch", &forward.patch);
            claims.push(VersionClaim::with((&name, newest), fix, forward.proof.verdict())?);
        }
        let mut fails = |said: &RevisionAnswer| -> Result<(), HistoryError> {
            if said.place > 0 {
                let end = self.end(said)?;
                claims.push(VersionClaim::of(&end.name, &end.version, Verdict::Fail));
            }
            Ok(())
        };
        match &answer.outcome {
            HistoryOutcome::Found { suspects, good, causes, believed, .. } => {
                suspects.first().map(&mut fails).transpose()?;
                // Several suspects mean that those between cannot be tested; with a back-port, that is not
                // claimed about the version alone.
                let is_plain = !is_there(&answer.back_port.patch) && *believed == Belief::Untouched;
                if let (true, [_, before, ..]) = (is_plain, &suspects[..])
                    && is_exact(answer.ended, &answer.learned)
                {
                    let (name, version) = (&before.short_id, self.read(before)?);
                    claims.push(VersionClaim::of(name, &version, Verdict::Unresolved));
                }
                let end = self.end(good)?;
                claims.push(VersionClaim::of(&end.name, &end.version, self.due().good));
                if let Some(bad) = suspects.first() {
                    let border = self.border(good, bad)?;
                    for cause in causes {
                        claims.extend(self.of_cause(&border, cause)?);
                    }
                }
            }
            HistoryOutcome::NotARegression(found) => {
                fails(&found.oldest)?;
                let mut does = |it: &RevisionAnswer, test: Option<&Word>, claimed| {
                    if it.place == 0 {
                        return Ok::<_, HistoryError>(());
                    }
                    let (name, version) = (&it.short_id, self.read(it)?);
                    claims.push(match test {
                        Some(test) => {
                            VersionClaim::with((name, &version), (TEST_PATCH, test), claimed)?
                        }
                        None => VersionClaim::of(name, &version, claimed),
                    });
                    Ok(())
                };
                if let Some(begins) = found.begins.as_deref() {
                    does(&begins.failing, begins.failing_test.as_ref(), Verdict::Fail)?;
                    does(&begins.before, begins.before_test.as_ref(), Verdict::Unresolved)?;
                }
                if let Some(passes) = &found.old_test_passes {
                    does(passes, None, Verdict::Pass)?;
                }
            }
            HistoryOutcome::Untestable { oldest, .. } | HistoryOutcome::Unfinished { oldest } => {
                fails(oldest)?;
            }
        }
        Ok(claims)
    }

    fn of_cause(&self, border: &Border, cause: &Cause) -> Result<Vec<VersionClaim>, HistoryError> {
        let (Border { good, bad, parts }, mut claims) = (border, Vec::new());
        let culprit = ("culprit.patch", &cause.culprit_patch);
        if let Some(claimed) = cause.proof.good_with_culprit {
            claims.push(VersionClaim::with(good.named(), culprit, claimed.verdict())?);
        }
        let whole = patched(good.named(), culprit)?;
        let is_ordered = self.answer.settings.how.ordered;
        claims.extend(each_without((&good.name, &whole), parts, cause, is_ordered));
        if let Some(claimed) = cause.proof.bad_without_fix {
            let fix = ("its fix", &cause.fix_patch);
            claims.push(VersionClaim::with(bad.named(), fix, claimed.verdict())?);
        }
        if let Some(spot) = &cause.spot {
            let without = ("without-spot.patch", &spot.patch);
            claims.push(VersionClaim::with(bad.named(), without, spot.passes.verdict())?);
        }
        Ok(claims)
    }

    fn due(&self) -> Due {
        let instead = match &self.answer.outcome {
            HistoryOutcome::Found { instead, .. } => instead.as_ref(),
            _ => None,
        };
        let good = if instead.is_none() { Verdict::Pass } else { Verdict::Unresolved };
        Due { good, is_done: self.answer.ended == Ended::Done }
    }

    /// Rebuilds the answer from the history, with words from the tests of `claims`.
    fn again(
        &self,
        claims: &[Claim],
        base: Option<RevisionAnswer>,
    ) -> Result<HistoryAnswer, HistoryError> {
        let stated = self.answer;
        let last = self.row.len() - 1;
        let outcome = self.outcome(claims)?;
        let is_lacking = match &outcome {
            HistoryOutcome::Found { causes, .. } => {
                causes.is_empty() && stated.settings.how.level != ChangeLevel::Commit
            }
            HistoryOutcome::Unfinished { .. } => true,
            HistoryOutcome::NotARegression(_) | HistoryOutcome::Untestable { .. } => false,
        };
        let step = |it: &HistoryStep| -> Result<_, HistoryError> {
            // Steps can lead into branches that turned out to pass, which are not in the row.
            let version = match stated.settings.all_parents {
                true => it.version.clone(),
                false => self.name(it.place)?,
            };
            Ok(HistoryStep { version, place: it.place.min(last as u64), ..it.clone() })
        };
        let stretch = |it: &Stretch| -> Result<_, HistoryError> {
            let newest = self.name(it.place)?;
            let oldest = self.name(it.place.saturating_add(it.versions).saturating_sub(1))?;
            let versions = it.versions.clamp(1, (last as u64 + 1).saturating_sub(it.place).max(1));
            Ok(Stretch { newest, oldest, versions, ..it.clone() })
        };
        let watched = |it: &Watched| -> Result<_, HistoryError> {
            Ok(Watched { version: self.name(it.place)?, ..it.clone() })
        };
        let mut memory = stated.memory.clone();
        if let Some(memory) = &mut memory {
            memory.version = self.name(memory.place)?;
        }
        Ok(HistoryAnswer {
            ended: match stated.ended {
                Ended::Done if is_lacking => Ended::GaveUp,
                ended => ended,
            },
            failure: stated.learned.failure_again(),
            versions: self.row.len() as u64,
            newest: self.described(0)?,
            oldest: stated.oldest.as_ref().map(|_| self.described(last)).transpose()?,
            base,
            steps: stated.steps.iter().map(step).collect::<Result<_, _>>()?,
            stretches: stated.stretches.iter().map(stretch).collect::<Result<_, _>>()?,
            watched: stated.watched.iter().map(watched).collect::<Result<_, _>>()?,
            memory,
            back_port: self.back_port()?,
            forward: stated.forward.as_ref().map(|it| self.forward(it)).transpose()?,
            learned: stated.learned.again(),
            outcome,
            ..stated.clone()
        })
    }

    fn outcome(&self, claims: &[Claim]) -> Result<HistoryOutcome, HistoryError> {
        let untested = |it: &Untested| -> Result<Untested, HistoryError> {
            Ok(Untested { version: self.name(it.place)?, ..it.clone() })
        };
        let level = self.answer.settings.how.level;
        Ok(match &self.answer.outcome {
            HistoryOutcome::Found { suspects, good, instead, reasons, causes, ends, believed } => {
                let passing = self.place(good)?;
                let first = suspects.first().map(|bad| self.place(bad)).transpose()?;
                let first = first.unwrap_or(passing.saturating_sub(1));
                let all = (first..passing).map(|place| self.described(place));
                let all: Vec<RevisionAnswer> = all.collect::<Result<_, _>>()?;
                let (ends, reasons) = (self.due().ends(*ends, level), reasons.iter().map(untested));
                let mut causes = match suspects.first() {
                    Some(bad) => self.causes(good, bad, causes)?,
                    None => Vec::new(),
                };
                keep_some(&mut causes, &self.answer.settings.how);
                if let [only] = &all[..] {
                    let span = lineage::span(&self.answer.settings);
                    let changes =
                        causes.iter_mut().flat_map(|it| it.culprit.iter_mut().chain(&mut it.fix));
                    for change in changes.filter(|it| span.covers(it.file.as_bytes())) {
                        change.commit = Some(only.short_id.clone());
                    }
                }
                let seen = shown(claims, &self.end(good)?.name);
                let instead = match seen.map(|seen| &seen.refutation) {
                    Some(Some(Refutation::OtherValue { failure })) => Some(failure.clone()),
                    Some(_) => None,
                    None => instead.clone(),
                };
                HistoryOutcome::Found {
                    suspects: all,
                    good: self.described(passing)?,
                    instead,
                    reasons: reasons.collect::<Result<_, _>>()?,
                    causes,
                    ends,
                    believed: *believed,
                }
            }
            HistoryOutcome::NotARegression(found) => {
                let begins = found.begins.as_deref();
                let begins = begins.map(|it| self.begins(it, claims)).transpose()?;
                let passes = found.old_test_passes.as_ref();
                HistoryOutcome::NotARegression(NotARegression {
                    oldest: self.described(self.row.len() - 1)?,
                    is_cut_off: self.row.beginning() != Beginning::Root,
                    old_test_passes: passes.map(|it| self.found(it)).transpose()?,
                    begins: begins.map(Box::new),
                    ..found.clone()
                })
            }
            HistoryOutcome::Untestable { oldest, reasons, smallest } => {
                HistoryOutcome::Untestable {
                    oldest: self.found(oldest)?,
                    reasons: reasons.iter().map(untested).collect::<Result<_, _>>()?,
                    smallest: smallest.clone(),
                }
            }
            HistoryOutcome::Unfinished { oldest } => {
                HistoryOutcome::Unfinished { oldest: self.found(oldest)? }
            }
        })
    }

    fn causes(
        &self,
        good: &RevisionAnswer,
        bad: &RevisionAnswer,
        causes: &[Cause],
    ) -> Result<Vec<Cause>, HistoryError> {
        let names = [self.found(good)?.short_id, self.found(bad)?.short_id];
        let Border { good, bad, parts } = self.border(good, bad)?;
        let ends = [(&*names[0], &good.version), (&*names[1], &bad.version)];
        Ok(Between::again(&parts, ends, causes, self.due())?)
    }

    fn begins(&self, stated: &Begins, claims: &[Claim]) -> Result<Begins, HistoryError> {
        let before = match stated.before_test {
            Some(_) => format!("{} with {TEST_PATCH}", stated.before.short_id),
            None => stated.before.short_id.clone(),
        };
        let seen = shown(claims, &before).and_then(|it| it.refutation.as_ref());
        let shows = seen.map(|it| StepReason::of(it).with(it.failure()));
        Ok(Begins {
            failing: self.found(&stated.failing)?,
            failing_test: stated.failing_test.clone(),
            before: self.found(&stated.before)?,
            before_test: stated.before_test.clone(),
            shows: shows.unwrap_or_else(|| stated.shows.clone()),
        })
    }

    /// Rebuilds a patch of the answer from its effect on a version.
    fn patch(
        &self,
        version: &Version,
        (name, patch): (&'static str, &Word),
    ) -> Result<(Patch, Word, PatchLines), HistoryError> {
        let becomes = patched(("its version", version), (name, patch))?;
        let parts = self.compare(version, &becomes)?;
        let patch = Patch::of(&parts, &parts.all());
        let (text, size) = (patch_text(&patch)?, lines(&patch)?);
        Ok((patch, text, size))
    }

    fn back_port(&self) -> Result<BackPort, HistoryError> {
        let stated = &self.answer.back_port;
        let file = stated.file.clone();
        if !is_there(&stated.patch) {
            return Ok(BackPort { file, ..BackPort::default() });
        }
        let (on, other) = match &self.answer.outcome {
            HistoryOutcome::Found { suspects, good, .. } => match &stated.beside {
                Some(beside) => (good, suspects.first().map(|bad| (bad, beside))),
                None => (suspects.first().unwrap_or(good), None),
            },
            HistoryOutcome::NotARegression(NotARegression { oldest, .. })
            | HistoryOutcome::Untestable { oldest, .. }
            | HistoryOutcome::Unfinished { oldest } => (oldest, None),
        };
        let port = |on: &RevisionAnswer, patch: &Word| {
            self.patch(&self.read(on)?, ("back-port.patch", patch))
        };
        let (_, patch, size) = port(on, &stated.patch)?;
        let beside = match other {
            Some((bad, patch)) if is_there(patch) => Some(port(bad, patch)?.1),
            Some(_) => Some(Word::default()),
            None => None,
        };
        Ok(BackPort { patch, on: self.found(on)?.short_id, beside, size, file })
    }

    fn forward(&self, stated: &Forward) -> Result<Forward, HistoryError> {
        let (fix, patch, size) = self.patch(&self.newest, ("fix.patch", &stated.patch))?;
        let mut elsewhere = Vec::new();
        if let HistoryOutcome::Found { suspects, good, causes, .. } = &self.answer.outcome
            && let Some(bad) = suspects.first()
        {
            let Border { bad, parts, .. } = self.border(good, bad)?;
            for cause in causes.iter().filter(|cause| !cause.numbers.fix.is_empty()) {
                let changes = numbered(&parts, &cause.numbers.fix);
                let fixed = parts.version(&parts.all().minus(&changes));
                let begun = self.compare(&bad.version, &fixed)?;
                elsewhere.push(is_elsewhere(&fix, &Patch::of(&begun, &begun.all())));
            }
        }
        // The fix that is carried may be that of any cause.
        let is_so = elsewhere.is_empty() || elsewhere.contains(&stated.is_elsewhere);
        let also = stated.also.clone().map(|it| Also { is_same: it.without == it.with, ..it });
        Ok(Forward {
            patch,
            size,
            also,
            proof: claimed(Some(stated.proof), Verdict::Pass).unwrap_or(stated.proof),
            is_elsewhere: if is_so { stated.is_elsewhere } else { !stated.is_elsewhere },
            file: stated.file.clone(),
        })
    }
}
