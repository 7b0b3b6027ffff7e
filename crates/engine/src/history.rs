//! The job `history`: no version that passes is known.
//!
//! From the newest version, which fails, it goes back. Where the test cannot be run, the smallest
//! part of the newer version that it needs is found and carried along. Where it passes, the
//! changes that did it are found, and what undoes them is carried to the newest version.

mod also;
mod answer;
mod belief;
mod branches;
mod checkout;
mod error;
mod forward;
mod lineage;
mod mend;
mod overlay;
mod own;
mod protect;
mod record;
mod row;
mod settings;
mod stretches;
mod tip;
mod turn;
mod verify;
mod walking;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use whodunit_core::searches::{Halt, Pace, WalkBack};
use whodunit_core::{DeltaSet, Search, Verdict};
use whodunit_versions::{Patch, Version};

pub use answer::{
    Also, BackPort, Belief, Fate, Forward, HistoryAnswer, HistoryOutcome, HistoryStep, Measure,
    NotARegression, PatchLines, RevisionAnswer, StepReason, StepResult, Stretch, Untested, Watched,
    Way,
};
pub use error::HistoryError;
pub use own::{OwnLines, OwnTest};
pub use record::HistoryPast;
pub(crate) use row::Patched;
pub use settings::HistorySettings;
pub use verify::verify;

use crate::changes::{
    ChangesError, Hunt, LearnedEnds, Links, Persistence, Space, TreeState, WatchChanges, crew,
    key_of, name_of, oracle, scratch, version_of,
};
use crate::engine::{Ended, Stop};
use crate::event::{Event, Stage, WhyAgain};
use crate::first_runs;
use crate::journal::Journal;
use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::{Inability, Used};
use crate::record::{Recorder, start_over};
use crate::reduce::Surroundings;
use belief::Lasts;
use mend::Border;
use overlay::Overlay;
use own::Own;
use protect::Protected;
use row::Row;
use stretches::{Sightings, Trouble};
use turn::Ends;
use walking::Walking;

/// The version of the schema of answers; it grows when a field changes its meaning or goes.
const SCHEMA: u32 = 2;

/// So many times in a row the test is made to run on one version only, before that is given up.
const PATIENCE: usize = 8;

/// One run of `history`.
pub struct History<'a> {
    /// What to do.
    pub settings: HistorySettings,
    /// Where it is done.
    pub surroundings: &'a Surroundings,
    /// Where it is written down.
    pub journal: Journal,
    /// Where patches go if the settings do not say.
    pub patches: PathBuf,
    /// What was written down when the run was ended before its time.
    pub past: HistoryPast,
    /// A way to stop it.
    pub stop: Stop,
    /// Who watches.
    pub watch: &'a mut dyn WatchChanges,
}

impl History<'_> {
    /// Runs, writes the patches and returns the answer.
    ///
    /// If something that was remembered from before an interruption is no longer so, or if folders
    /// with earlier builds misled the tests, all of it is forgotten and the run begins again; after
    /// the latter in clean folders only.
    pub fn run(mut self) -> Result<HistoryAnswer, HistoryError> {
        let begun = Instant::now();
        let how = &self.settings.how;
        let oracle = oracle(how, self.surroundings)?.identity(how.limits.time);
        let mut past = std::mem::take(&mut self.past);
        let is_other = past.oracle.is_some_and(|before| before != oracle);
        let mut why = is_other.then_some(WhyAgain::TestChanged);
        loop {
            if let Some(why) = why {
                start_over(&mut self.journal, self.watch, why, oracle)?;
                past = past.over(why, oracle);
            }
            let is_clean = self.settings.how.fresh || past.is_misled();
            why = Some(match self.attempt(begun, past.clone(), oracle) {
                Err(HistoryError::Changes(ChangesError::WarmDisagrees)) if !is_clean => {
                    WhyAgain::WarmFolders
                }
                Err(HistoryError::Changes(ChangesError::OutcomeChanged)) => {
                    WhyAgain::OutcomeChanged
                }
                answered => return answered,
            });
        }
    }

    /// Carries the run out, as far as its past has not done so.
    fn attempt(
        &mut self,
        begun: Instant,
        past: HistoryPast,
        identity: Key,
    ) -> Result<HistoryAnswer, HistoryError> {
        let History { settings, surroundings, journal, patches, stop, watch, .. } = self;
        // Tests of an attempt that came to nothing.
        let in_vain = journal.tests();
        let mut how = settings.how.clone();
        how.fresh |= past.is_misled();
        how.max_tests = how.max_tests.map(|most| most.saturating_sub(in_vain));
        let how = &how;
        let stop = &stop.until(how.budget.map(|budget| begun + budget));
        let opened = {
            let (settings, surroundings) = (settings.clone(), surroundings.clone());
            let client = stop.clone();
            move || open(&settings, &surroundings, &client)
        };
        let Opened { row, newest, key, mut protected } = stop.wait_for(opened)??;
        row.uncommitted().for_each(|path| watch.uncommitted(path));
        if past.key.is_some_and(|before| before != key) {
            return Err(ChangesError::Changed.into());
        }
        protected.unknown().iter().for_each(|what| watch.unused(&format!("--protect: {what}")));
        let mut oracle = oracle(how, surroundings)?;
        let scratch = scratch(how, surroundings, &newest)?;
        let mut crew = crew(how, surroundings, &scratch, &oracle)?;
        if how.sandbox {
            watch.sandbox(crew[0].enforced());
        }
        let run = journal.name();
        let mut recorder = Recorder::new(journal, past.questions, &past.tests, *watch);
        if past.key.is_none() {
            let (version, settings) = (env!("CARGO_PKG_VERSION").into(), settings.clone().into());
            recorder.write(&Event::HistoryStarted { version, settings, key, oracle: identity })?;
        }
        let carried = Arc::new(Patched::new(&row, None)?);
        let mut memory = Memory::measuring();
        let learned = match past.learned {
            Some(learned) => learned,
            None => {
                let space = Arc::new(Space::Patched(carried.clone()));
                let tip = TreeState { space, set: DeltaSet::empty() };
                let (learned, seen) = tip::learn(settings, &oracle, &tip, &mut crew, stop)?;
                let key = name_of(&tip);
                memory.know(key, Verdict::Fail, Some(&seen));
                recorder.known(key, Verdict::Fail, &seen)?;
                recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
                learned
            }
        };
        memory.track(learned.signature.clone());
        protected.add(learned.own.tracked());
        oracle.limits = learned.limits.clone();
        let reserve = first_runs::reserve(&learned.durations, how.budget);
        let rule = learned.rule(Inability::LeavesOpen);
        let mut hunt = Hunt::new(how, rule, oracle, crew, recorder, reserve, stop.clone());
        (hunt.memory, hunt.tally.wasted) = (memory, in_vain);
        hunt.persistence = hunt.persistence.max(Persistence::after(past.gave_up));
        hunt.recall(&past.tests);
        let own = learned.own.of(&newest)?;
        let carried = Arc::new(Patched::untouched(&row, own.first())?);
        let mut journey = Journey {
            hunt: &mut hunt,
            settings,
            surroundings,
            row,
            carried,
            unreduced: None,
            dropped: None,
            mended_at: 0,
            failed: Vec::new(),
            passed: None,
            oldest: 0,
            good: None,
            own,
            own_helps: true,
            doubted: None,
            protected,
            steps: Vec::new(),
            sightings: Sightings::default(),
            first: learned.used.clone(),
            watched: Vec::new(),
            searches: 0,
            forward: None,
            unported: None,
            ends: None,
        };
        let outcome = journey.go_or_stop()?;
        let mut answer = journey.answer(outcome, run, key, learned, begun)?;
        answer.started_over = past.started_over;
        let out = how.out.as_ref();
        let folder = out.map_or(patches.clone(), |out| how.origin.as_path().join(out.as_path()));
        answer.write_patches(&folder)?;
        hunt.recorder.finish(&Event::HistoryFinished { answer: Box::new(answer.clone()) })?;
        Ok(answer)
    }
}

/// The history as it was read.
struct Opened {
    row: Arc<Row>,
    newest: Version,
    /// The content of the newest version.
    key: Key,
    protected: Protected,
}

/// Opens the history, with what is always carried back.
fn open(
    settings: &HistorySettings,
    surroundings: &Surroundings,
    stop: &Stop,
) -> Result<Opened, HistoryError> {
    let lineage = lineage::open(settings, surroundings, stop)?;
    if lineage.len() < 2 {
        return Err(HistoryError::OneVersion);
    }
    let newest = version_of(lineage.list(0)?);
    let overlay = overlay_of(settings, &newest)?;
    let uncommitted = checkout::uncommitted_tests(settings, &newest)?;
    let row = Arc::new(Row::back(lineage, overlay, uncommitted));
    let newest = row.version(0)?;
    let (key, protected) = (key_of(&[&newest])?, Protected::read(settings, &newest)?);
    Ok(Opened { row, newest, key, protected })
}

/// Returns what of the newest version is always carried back.
fn overlay_of(settings: &HistorySettings, newest: &Version) -> Result<Overlay, HistoryError> {
    let paths: Vec<Vec<u8>> =
        settings.overlay.iter().map(|path| path.as_bytes().to_vec()).collect();
    let overlay = Overlay::new(newest, &paths).map_err(|path| HistoryError::NoOverlay {
        path: String::from_utf8_lossy(&path).into_owned(),
    })?;
    Ok(overlay.with(Links::of(&settings.how)?))
}

/// The way back, and forward again.
struct Journey<'h, 'a> {
    hunt: &'h mut Hunt<'a>,
    settings: &'h HistorySettings,
    surroundings: &'h Surroundings,
    row: Arc<Row>,
    carried: Arc<Patched>,
    /// What could have been carried back, of which the patch is a part.
    unreduced: Option<Arc<Patch>>,
    /// The last version that fails with a patch that is no longer carried, and that patch.
    dropped: Option<(usize, Arc<Patched>)>,
    /// The version that the patch was made for.
    mended_at: usize,
    /// The oldest versions that fail with what was carried before, and that.
    failed: Vec<(usize, Arc<Patched>)>,
    /// What the last version was seen with that does not have the failure.
    passed: Option<(usize, Arc<Patched>)>,
    /// The oldest version that is known to fail.
    oldest: usize,
    /// A version that is known to pass.
    good: Option<usize>,
    /// The test as it is in the newest version: what is named of it, and with all that it read.
    own: Vec<Arc<Own>>,
    /// Whether what cannot be tested is asked about with the newest test as well.
    own_helps: bool,
    /// The newest version that passes with its own test, which may lack what is tracked.
    doubted: Option<usize>,
    protected: Protected,
    steps: Vec<HistoryStep>,
    sightings: Sightings,
    /// What the first runs took.
    first: Vec<Used>,
    watched: Vec<Watched>,
    searches: u64,
    forward: Option<Forward>,
    /// How often the fix was made to fit before that was given up.
    unported: Option<u64>,
    /// The versions that the changes were looked for between.
    ends: Option<Ends>,
}

impl Journey<'_, '_> {
    /// Puts together what was found.
    fn answer(
        self,
        outcome: HistoryOutcome,
        run: String,
        key: Key,
        learned: LearnedEnds,
        begun: Instant,
    ) -> Result<HistoryAnswer, HistoryError> {
        let (back_port, stretches) = (self.back_port()?, self.stretches()?);
        let newest = self.described(0)?;
        Ok(HistoryAnswer {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run,
            ended: self.hunt.ended.with(outcome.causes()),
            failure: learned.failure.clone(),
            command: learned.command.clone(),
            outcome,
            versions: self.row.len() as u64,
            newest,
            key,
            steps: self.steps,
            stretches,
            watched: self.watched,
            back_port,
            forward: self.forward,
            unported: self.unported,
            tests: self.hunt.tally,
            searches: self.searches,
            seconds: begun.elapsed().as_secs_f64(),
            started_over: None,
            others: self.hunt.recorder.others(),
            learned,
            settings: self.settings.clone(),
        })
    }

    /// Goes back until something is found, or somebody wants to stop.
    fn go_or_stop(&mut self) -> Result<HistoryOutcome, HistoryError> {
        match self.until_stopped(Self::go)? {
            Some(outcome) => Ok(outcome),
            None => Ok(HistoryOutcome::Unfinished { oldest: self.described(self.oldest)? }),
        }
    }

    /// Does a part of the way, as [`Hunt::until_stopped`] does a part of a run.
    fn until_stopped<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, HistoryError>,
    ) -> Result<Option<T>, HistoryError> {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(Err(HistoryError::Changes(ChangesError::StoppedEarly(ended)))) => {
                self.hunt.ended = ended;
                Ok(None)
            }
            Ok(done) => done.map(Some),
            Err(panic) => {
                self.hunt.panicked(&*panic);
                Ok(None)
            }
        }
    }

    /// Goes back until something is found.
    fn go(&mut self) -> Result<HistoryOutcome, HistoryError> {
        self.good = self.known_good()?;
        let walk = self.walk_from_newest();
        self.go_on(walk)
    }

    /// Returns a walk that knows nothing yet but the version that is known to pass, if one is.
    fn walk_from_newest(&self) -> WalkBack {
        let walk = WalkBack::new(self.row.len(), self.pace());
        match self.good {
            Some(good) => walk.with_good(good),
            None => walk,
        }
    }

    fn pace(&self) -> Pace {
        if self.settings.is_linear { Pace::Single } else { Pace::Doubling(1) }
    }

    /// Goes on from where a walk stands.
    fn go_on(&mut self, mut walk: WalkBack) -> Result<HistoryOutcome, HistoryError> {
        // How often in a row what was found only helped one version.
        let (mut stuck, mut last_border) = (0, 0);
        loop {
            let mut walking = Walking::new(walk, self.space(), Way::Back);
            walking.doubts_untestable = self.own_helps;
            let walked = self.walk(Stage::Walk, walking)?;
            walk = walked.walk;
            self.oldest = walk.best();
            if self.hunt.ended != Ended::Done {
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
                Some(Halt::Turn { bad, good }) => match self.believed(good)? {
                    Some(belief) => {
                        self.settle(bad, good)?;
                        return match self.in_branches(bad, good)? {
                            Some(outcome) => Ok(outcome),
                            None => self.turn(&walk, bad, good, belief),
                        };
                    }
                    None => walk.fails_after_all(),
                },
                Some(Halt::NoPass) | None => match self.lasts(walk.best())? {
                    Lasts::ForSure(belief) => {
                        return self.not_a_regression(walk.best(), belief);
                    }
                    Lasts::Not { failing, passing } => walk.passes_after_all(failing, passing),
                },
                Some(Halt::NothingBefore(newer)) => return self.untestable(&walk, newer),
            }
        }
    }

    /// Carries what the test needs over a border; returns what was found if that passes.
    fn cross(
        &mut self,
        newer: usize,
        older: usize,
    ) -> Result<Option<HistoryOutcome>, HistoryError> {
        let border = Border {
            place: older,
            version: self.row.version(older)?,
            neighbour: self.carried.version(newer)?,
            patch: self.carried.patch().cloned(),
            way: Way::Back,
        };
        let mended = self.mend(&border)?;
        if let Some((passing, belief)) = &mended.passing {
            let failing = &border.neighbour;
            return self.between(newer, older, passing, failing, *belief).map(Some);
        }
        self.failed.push((newer, self.carried.clone()));
        self.unreduced = Some(mended.unreduced);
        self.mended_at = older;
        self.sightings.mend(older);
        self.carry(mended.patch)?;
        Ok(None)
    }

    /// Lets a walk ask until it halts, and writes down where it went.
    fn walk(&mut self, stage: Stage, walking: Walking) -> Result<Walking, HistoryError> {
        let (way, space, length) = (walking.way, walking.space.clone(), self.row.len());
        let mut seen: Vec<(usize, Verdict)> = Vec::new();
        let walked = self.hunt.search_trees(stage, walking, length, &mut |state, verdict| {
            seen.push((state.set.len(), verdict));
        })?;
        let last = seen.len().saturating_sub(1);
        for (at, (place, verdict)) in seen.into_iter().enumerate() {
            let doubted = walked.doubted.filter(|_| at == last);
            let state = TreeState { space: space.clone(), set: DeltaSet::full(place) };
            let Space::Patched(carried) = &*space else { continue };
            let mut trouble = self.trouble(&state, verdict, carried.fits(place));
            if let Some((_, Verdict::Pass)) = doubted {
                trouble = Some(Trouble { reason: StepReason::OldTest, says: None });
            }
            let verdict = if trouble.is_some() { Verdict::Unresolved } else { verdict };
            // Another value is an answer: the failure is not there.
            let is_absent = doubted.is_none() && self.hunt.lacks_failure(&state);
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

    /// Carries nothing from now on, because the patch only ever helps one version; returns whether
    /// there was one.
    fn drop_patch(&mut self, newer: usize) -> Result<bool, HistoryError> {
        let had_patch = !self.carried.is_nothing();
        if had_patch {
            self.dropped = Some((newer, self.carried.clone()));
            self.unreduced = None;
            self.carried = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        }
        Ok(had_patch)
    }

    /// Returns the versions with the patch that a version is known to fail with.
    fn seen_failing(&self, bad: usize) -> &Arc<Patched> {
        match &self.dropped {
            Some((place, patched)) if *place == bad => patched,
            _ => &self.carried,
        }
    }

    /// Returns the versions with what is carried back.
    fn space(&self) -> Arc<Space> {
        Arc::new(Space::Patched(self.carried.clone()))
    }

    /// Returns the versions as they are.
    fn untouched(&self) -> Result<Arc<Space>, HistoryError> {
        Ok(Arc::new(Space::Patched(Arc::new(Patched::new(&self.row, None)?))))
    }

    /// Carries a patch from now on; nothing if it is empty.
    fn carry(&mut self, patch: Arc<Patch>) -> Result<(), HistoryError> {
        self.carried = Arc::new(match patch.is_empty() {
            true => Patched::untouched(&self.row, self.own.first())?,
            false => Patched::new(&self.row, Some(patch))?,
        });
        Ok(())
    }

    fn described(&self, place: usize) -> Result<RevisionAnswer, HistoryError> {
        let revision = self.row.revision(place)?;
        Ok(RevisionAnswer {
            title: revision.title().to_owned(),
            time: revision.time.map(|time| time.seconds),
            id: revision.id,
            short_id: revision.short_id,
            author: revision.author,
            place: place as u64,
        })
    }
}
