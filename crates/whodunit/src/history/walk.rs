//! The walk back through the versions, and forward again.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::searches::{Halt, Pace, WalkBack};
use whodunit_core::{Search, Verdict};
use whodunit_run::judge::Used;
use whodunit_run::{Ended, Key};
use whodunit_vcs::Revision;
use whodunit_versions::Patch;

use super::HistoryError;
use super::belief::{Lasts, Thought};
use super::mend::Border;
use super::own::Own;
use super::protect::Protected;
use super::row::{Patched, Row};
use super::stretches::{Sightings, Trouble};
use super::turn::Ends;
use super::walking::Walking;
use crate::answer::{
    Belief, Forward, HistoryAnswer, HistoryOutcome, HistoryStep, JobName, LearnedEnds, MemoryCheck,
    RevisionAnswer, SCHEMA, StepReason, StepResult, Watched, Way, ended_with,
};
use crate::changes::{Finder, Versions};
use crate::event::Stage;
use crate::lab::guarded;
use crate::settings::{HistorySettings, Surroundings};

/// Number of back-ports in a row that help only one version, before the run gives up making the
/// test run.
const PATIENCE: usize = 8;

/// The information that is available before the walk begins.
pub(super) struct Start<'h> {
    pub(super) settings: &'h HistorySettings,
    pub(super) surroundings: &'h Surroundings,
    /// The test of the newest version: its named parts, and with everything that it read.
    pub(super) own: Vec<Arc<Own>>,
    pub(super) protected: Protected,
    /// The name of the run.
    pub(super) run: String,
    /// The content of the newest version.
    pub(super) key: Key,
    pub(super) learned: LearnedEnds,
}

/// The oldest version that fails without a patch and its neighbour, which shows something else.
#[derive(Clone)]
pub(super) struct Unpatched {
    pub(super) failing: usize,
    pub(super) before: usize,
    /// The newest test or nothing, with which both were seen.
    pub(super) carried: Arc<Patched>,
}

/// The way back, and forward again.
pub(super) struct HistoryWalk<'h, 'a> {
    pub(super) finder: &'h mut Finder<'a>,
    /// The oldest version, if it replaces the one that the user named because the newest version
    /// does not come from that one.
    pub(super) base: Option<RevisionAnswer>,
    pub(super) settings: &'h HistorySettings,
    pub(super) surroundings: &'h Surroundings,
    pub(super) row: Arc<Row>,
    pub(super) carried: Arc<Patched>,
    /// Everything that could be carried back; the patch is a part of it.
    pub(super) unreduced: Option<Arc<Patch>>,
    /// Where the failure begins without a patch.
    pub(super) unpatched_border: Option<Unpatched>,
    /// Versions that pass with nothing but the tracked test.
    pub(super) passing_unpatched: BTreeSet<usize>,
    /// The last version that fails with a patch that is no longer carried, and that patch.
    pub(super) dropped: Option<(usize, Arc<Patched>)>,
    /// The version that the patch was made for.
    pub(super) mended_at: usize,
    /// The oldest versions that failed with earlier patches, each with its patch.
    pub(super) failed: Vec<(usize, Arc<Patched>)>,
    /// The last version that lacked the failure, with the patch it was tested with.
    pub(super) passed: Option<(usize, Arc<Patched>)>,
    /// Versions that were doubted, each with the patch that was carried then.
    pub(super) doubts: BTreeSet<(Key, usize)>,
    /// The oldest version that is known to fail.
    pub(super) oldest: usize,
    /// A version that is known to pass.
    pub(super) good: Option<usize>,
    /// The test of the newest version: its named parts, and with everything that it read.
    pub(super) own: Vec<Arc<Own>>,
    /// Whether versions that cannot be tested are also tested with the newest test.
    pub(super) own_helps: bool,
    /// The newest version that passes with its own test, which may lack the tracked function.
    pub(super) doubted: Option<usize>,
    pub(super) protected: Protected,
    pub(super) steps: Vec<HistoryStep>,
    pub(super) sightings: Sightings,
    /// The resources that the first runs used.
    pub(super) first: Vec<Used>,
    pub(super) watched: Vec<Watched>,
    /// Whether misuse of memory may cause the oldest failure, once a tool has checked that.
    pub(super) memory: Option<MemoryCheck>,
    pub(super) searches: u64,
    pub(super) forward: Option<Forward>,
    /// How often the fix was adapted before the run gave that up.
    pub(super) unported: Option<u64>,
    /// The versions between which changes were searched.
    pub(super) ends: Option<Ends>,
}

impl<'h, 'a> HistoryWalk<'h, 'a> {
    /// Begins at the newest version, without a patch.
    pub(super) fn new(
        finder: &'h mut Finder<'a>,
        start: &Start<'h>,
        row: Arc<Row>,
    ) -> Result<Self, HistoryError> {
        let (own, protected) = (start.own.clone(), start.protected.clone());
        let carried = Arc::new(Patched::untouched(&row, own.first())?);
        let mut walk = HistoryWalk {
            finder,
            base: None,
            settings: start.settings,
            surroundings: start.surroundings,
            row,
            carried,
            unreduced: None,
            unpatched_border: None,
            passing_unpatched: BTreeSet::new(),
            dropped: None,
            mended_at: 0,
            failed: Vec::new(),
            passed: None,
            doubts: BTreeSet::new(),
            oldest: 0,
            good: None,
            own,
            own_helps: true,
            doubted: None,
            protected,
            steps: Vec::new(),
            sightings: Sightings::default(),
            first: start.learned.used.clone(),
            watched: Vec::new(),
            memory: None,
            searches: 0,
            forward: None,
            unported: None,
            ends: None,
        };
        if walk.row.has_stand_in() {
            walk.base = Some(walk.described(walk.row.len() - 1)?);
        }
        Ok(walk)
    }
}

impl HistoryWalk<'_, '_> {
    /// Makes the answer from the findings.
    pub(super) fn answer(
        self,
        outcome: HistoryOutcome,
        start: &Start<'_>,
    ) -> Result<HistoryAnswer, HistoryError> {
        let Start { run, key, learned, .. } = start;
        let (back_port, stretches) = (self.back_port()?, self.stretches()?);
        let (newest, oldest) = (self.described(0)?, self.described(self.row.len() - 1)?);
        Ok(HistoryAnswer {
            job: JobName::History,
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run: run.clone(),
            ended: ended_with(self.finder.lab.ended, outcome.causes()),
            failure: learned.failure.clone(),
            command: learned.command.clone(),
            outcome,
            versions: self.row.len() as u64,
            newest,
            oldest: Some(oldest),
            base: self.base,
            key: *key,
            steps: self.steps,
            stretches,
            watched: self.watched,
            memory: self.memory,
            back_port,
            forward: self.forward,
            unported: self.unported,
            tests: self.finder.lab.tally,
            searches: self.searches,
            seconds: 0.0,
            started_over: None,
            sandbox: self.finder.lab.workers.sandbox().cloned(),
            others: self.finder.lab.recorder.others(),
            learned: learned.clone(),
            settings: self.settings.clone(),
        })
    }

    /// Walks back until there is an outcome, or the run is stopped.
    pub(super) fn go_or_stop(&mut self) -> Result<HistoryOutcome, HistoryError> {
        match self.until_stopped(Self::go)? {
            Some(outcome) => Ok(outcome),
            None => Ok(HistoryOutcome::Unfinished { oldest: self.described(self.oldest)? }),
        }
    }

    /// Does a part of the walk, as [`Finder::until_stopped`] does a part of a run.
    pub(super) fn until_stopped<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, HistoryError>,
    ) -> Result<Option<T>, HistoryError> {
        let done = guarded(|| work(self));
        self.finder.lab.unless_stopped(done)
    }

    /// Walks back until there is an outcome.
    pub(super) fn go(&mut self) -> Result<HistoryOutcome, HistoryError> {
        self.good = self.known_good()?;
        let walk = self.walk_from_newest();
        self.go_on(walk)
    }

    /// Returns a new walk, which knows only the version that is known to pass, if there is one.
    pub(super) fn walk_from_newest(&self) -> WalkBack {
        let walk = WalkBack::new(self.row.len(), self.pace());
        match self.good {
            Some(good) => walk.with_good(good),
            None => walk,
        }
    }

    pub(super) fn pace(&self) -> Pace {
        if self.settings.is_linear { Pace::Single } else { Pace::Doubling(1) }
    }

    /// Continues a walk.
    pub(super) fn go_on(&mut self, mut walk: WalkBack) -> Result<HistoryOutcome, HistoryError> {
        // Number of back-ports in a row that helped only one version.
        let (mut stuck, mut last_border) = (0, 0);
        loop {
            let mut walking = Walking::new(walk, self.carried.clone(), Way::Back);
            walking.doubts_untestable = self.own_helps;
            let walked = self.walk(Stage::Walk, walking)?;
            walk = walked.walk;
            self.oldest = walk.best();
            if self.finder.lab.ended != Ended::Done {
                return Ok(HistoryOutcome::Unfinished { oldest: self.described(walk.best())? });
            }
            if let Some((place, verdict)) = walked.doubted {
                self.ask_with_newest_test(&mut walk, place, verdict)?;
                continue;
            }
            match walk.halt() {
                Some(Halt::Border { newer, older }) => {
                    stuck = if older == last_border + 1 { stuck + 1 } else { 0 };
                    last_border = older;
                    if stuck > PATIENCE {
                        match self.drop_patch(newer)? {
                            true => walk.skip(),
                            false => walk.give_up(),
                        }
                        stuck = 0;
                        continue;
                    }
                    if let Some(outcome) = self.cross(newer, older)? {
                        return Ok(outcome);
                    }
                    walk.mended();
                }
                Some(Halt::Turn { bad, good }) if self.told_apart(&mut walk, bad, good)? => {}
                Some(Halt::Turn { bad, good }) => match self.believed(bad, good)? {
                    Thought::Passes(belief) => {
                        self.settle(bad, good)?;
                        return match self.in_branches(bad, good)? {
                            Some(outcome) => Ok(outcome),
                            None => self.turn(&walk, bad, good, belief),
                        };
                    }
                    Thought::Fails => walk.fails_after_all(),
                    Thought::SaysNothing => walk.says_nothing_after_all(),
                },
                Some(Halt::NoPass) | None if let Some((bad, good)) = self.caused_by_patch()? => {
                    return self.turn(&walk, bad, good, Belief::Untouched);
                }
                Some(Halt::NoPass) | None => match self.lasts(walk.best())? {
                    Lasts::ForSure(belief) => match self.passes_between(walk.best())? {
                        Some((failing, passing)) => walk.passes_after_all(failing, passing),
                        None => return self.not_a_regression(walk.best(), belief),
                    },
                    Lasts::Not { failing, passing } => walk.passes_after_all(failing, passing),
                },
                Some(Halt::NothingBefore(newer)) => return self.untestable(&walk, newer),
            }
        }
    }

    /// Carries the patch that the test needs over a border. Returns the outcome if a version passes
    /// with it.
    pub(super) fn cross(
        &mut self,
        newer: usize,
        older: usize,
    ) -> Result<Option<HistoryOutcome>, HistoryError> {
        let made = self.carried.patch().and(self.carried.made(self.mended_at)?);
        let made_for = match made {
            Some(made) => Some((self.row.version(self.mended_at)?, made.version.clone())),
            None => None,
        };
        let border = Border {
            place: older,
            version: self.row.version(older)?,
            neighbour: self.carried.version(newer)?,
            made_for,
            patch: self.carried.patch().cloned(),
            way: Way::Back,
        };
        let mended = self.mend(&border)?;
        if let Some((passing, belief)) = &mended.passing {
            let failing = &border.neighbour;
            return self.between(newer, older, passing, failing, *belief).map(Some);
        }
        if self.carried.patch().is_none() {
            let carried = self.carried.clone();
            self.unpatched_border = Some(Unpatched { failing: newer, before: older, carried });
        }
        self.failed.push((newer, self.carried.clone()));
        self.unreduced = Some(mended.unreduced);
        self.mended_at = older;
        self.sightings.mend(older);
        self.carry(mended.patch)?;
        Ok(None)
    }

    /// Runs a walk until it halts, and notes its steps.
    pub(super) fn walk(&mut self, stage: Stage, walking: Walking) -> Result<Walking, HistoryError> {
        let (way, carried, length) = (walking.way, walking.row.clone(), self.row.len());
        let mut seen: Vec<(usize, Verdict)> = Vec::new();
        let walked = self.finder.search_trees(stage, walking, length, &mut |state, verdict| {
            seen.push((state.count(), verdict));
        })?;
        let last = seen.len().saturating_sub(1);
        for (at, (place, verdict)) in seen.into_iter().enumerate() {
            let doubted = walked.doubted.filter(|_| at == last);
            let state = carried.at(place);
            let mut trouble = self.trouble(&state, verdict, carried.fits(place));
            if let Some((_, Verdict::Pass)) = doubted {
                trouble = Some(Trouble { reason: StepReason::OldTest, says: None });
            }
            let verdict = if trouble.is_some() { Verdict::Unresolved } else { verdict };
            // With another value the failure is not there, so the test is not in trouble.
            let is_absent = doubted.is_none()
                && !carried.has_other_test(place)
                && self.finder.lacks_failure(&state);
            if (way, verdict) == (Way::Back, Verdict::Pass)
                && carried.patch().is_none()
                && !carried.has_other_test(place)
            {
                self.passing_unpatched.insert(place);
            }
            if way == Way::Back && doubted.is_none() {
                let trouble = trouble.clone().filter(|_| !is_absent);
                self.sightings.see(carried.name(), place, trouble);
            }
            let (reason, says) =
                trouble.map_or((None, None), |Trouble { reason, says }| (Some(reason), says));
            let result = StepResult::Tested {
                way,
                verdict,
                reason,
                says,
                rung: carried.made(place)?.and_then(|made| made.rung).map(|it| it.to_string()),
            };
            match (way, verdict) {
                (Way::Back, Verdict::Fail) => self.watch(place, &state)?,
                (Way::Back, _) if is_absent => self.passed = Some((place, carried.clone())),
                _ => {}
            }
            let place = match way {
                Way::Back => place,
                Way::Forward => walked.walk.last() - place,
            };
            self.step(place, result)?;
        }
        Ok(walked)
    }

    /// Stops carrying a patch, because it helps only one version. Returns whether a patch or test
    /// was carried.
    pub(super) fn drop_patch(&mut self, newer: usize) -> Result<bool, HistoryError> {
        let had_patch = !self.carried.is_nothing();
        if had_patch {
            self.dropped = Some((newer, self.carried.clone()));
            self.unreduced = None;
            self.carried = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        }
        Ok(had_patch)
    }

    /// Returns the row in which a version is known to fail, with the patch of that time.
    pub(super) fn seen_failing(&self, bad: usize) -> &Arc<Patched> {
        match &self.dropped {
            Some((place, patched)) if *place == bad => patched,
            _ => &self.carried,
        }
    }

    /// Returns the versions without changes.
    pub(super) fn untouched(&self) -> Result<Arc<Patched>, HistoryError> {
        Ok(Arc::new(Patched::new(&self.row, None)?))
    }

    /// Carries a patch from now on; none if it is empty.
    pub(super) fn carry(&mut self, patch: Arc<Patch>) -> Result<(), HistoryError> {
        self.carried = Arc::new(match patch.is_empty() {
            true => Patched::untouched(&self.row, self.own.first())?,
            false => Patched::new(&self.row, Some(patch))?,
        });
        Ok(())
    }

    pub(super) fn described(&self, place: usize) -> Result<RevisionAnswer, HistoryError> {
        Ok(RevisionAnswer::of(self.row.revision(place)?, place))
    }
}

impl RevisionAnswer {
    /// Describes the version at a place of a history.
    pub(super) fn of(revision: Revision, place: usize) -> Self {
        RevisionAnswer {
            title: revision.title().to_owned(),
            time: revision.time.map(|time| time.seconds),
            id: revision.id,
            short_id: revision.short_id,
            author: revision.author,
            place: place as u64,
        }
    }
}
