//! The job `changes`: from a version that passes and one that fails to the changes that cause the
//! failure.
//!
//! With a history between the versions, the commit is searched first, then the changes in it;
//! without a history every difference between the versions is a suspect. The changes found are
//! proved in clean folders, in both directions: the good version fails with them, the bad one
//! passes without them.

mod bad_end;
mod between;
mod cause;
mod commit_row;
mod commits;
mod content;
mod culprit;
mod deltas;
mod ends;
mod error;
mod evidence;
mod finder;
mod given;
mod hints;
mod in_space;
mod leads;
mod links;
mod locate;
mod needed;
mod needs;
mod noisy_row;
mod origins;
mod partners;
mod patches;
mod phases;
mod published;
mod record;
mod replay;
mod reworded;
mod setup;
mod spot;
mod suspects;
mod test_lines;
mod trace;
mod trees;
mod verify;
mod versions;

use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_run::judge::Inability;
use whodunit_run::{Ended, Key, Memory, Stop};
use whodunit_versions::{Decomposition, Level, ReadError, Version, decompose};

pub use crate::answer::{
    Base, Beside, Cause, ChangeAnswer, ChangeCounts, ChangeNumbers, ChangeWord, ChangesAnswer,
    ChangesProof, CommitAnswer, CommitPair, Compared, EndsProof, Evidence, LearnedEnds,
    LikelyCommit, Partner, PatchFiles, Replaced, Spot, SpotHow,
};
pub use crate::settings::{
    ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, ChangesSettings, VersionSettings,
};
pub use crate::versions_run::{VersionsRun, WatchChanges};
pub use error::ChangesError;
pub use record::ChangesPast;
pub use trace::TRACE_VARIABLES;
pub use verify::verify;
pub(crate) use verify::{Due, is_exact, is_there, keep_some};

pub(crate) use crate::answer::ended_with;
pub(crate) use between::Between;
pub(crate) use content::{key_of, name_of_version};
pub(crate) use culprit::smallest;
pub(crate) use deltas::Deltas;
pub(crate) use ends::{failure_of_versions, words_of_versions};
use finder::groups_used;
pub(crate) use finder::{Finder, TreeWorkers};
pub(crate) use in_space::Space;
pub(crate) use links::Links;
pub(crate) use needed::{each_without, numbered};
pub(crate) use replay::{ReplayVersions, VersionClaim, patched};
pub(crate) use setup::{Setup, identity};
pub(crate) use trees::{TreeState, Versions, at};
pub(crate) use versions::{open, open_versions, version_of};
pub(crate) use whodunit_core::strategy::Goal;

use crate::answer::{JobName, SCHEMA};
use crate::event::{Event, Watch};
use crate::job::{Course, Job};
use crate::journal::Journal;

/// One run of `changes`.
pub type Changes<'a> = VersionsRun<'a, ChangesSettings, ChangesAnswer>;

impl Changes<'_> {
    /// Runs, writes the patches and returns the answer.
    pub fn run(mut self) -> Result<ChangesAnswer, ChangesError> {
        let (past, stop) = (std::mem::take(&mut self.past), self.stop.clone());
        let budget = self.settings.how.budget;
        self.carry_out(past, (stop, budget))
    }

    /// Learns the failure, searches and proves.
    fn find(
        &mut self,
        ends: &versions::Ends,
        course: &Course<LearnedEnds, ChangesAnswer>,
    ) -> Result<ChangesAnswer, ChangesError> {
        let Changes { settings, surroundings, journal, patches, watch, .. } = self;
        let Course { past, stop, .. } = course;
        let how = settings.how.in_course(course);
        let key = match &settings.how.atomic {
            Some(atomic) => atomic.key(ends.key, settings.how.origin.as_path())?,
            None => ends.key,
        };
        if !course.is_about(key) {
            return Err(ChangesError::Changed);
        }
        let parts = difference(&settings.how, ends, stop)?;
        let has_script = ends.has_script;
        let setup = Setup { settings: &how, surroundings, stop, has_script };
        let (_scratch, mut workers) = setup.workers(&ends.bad.version)?;
        if let Some(enforced) = workers.sandbox() {
            watch.sandbox(enforced);
        }
        let run = journal.name();
        let mut recorder = course.record(journal, *watch, |version, oracle| {
            let settings = settings.clone().into();
            Event::ChangesStarted { version, settings, key, oracle }
        })?;
        let (learned, known) = match past.learned.clone() {
            Some(learned) => (learned, Vec::new()),
            None => {
                let parts = parts.clone();
                let both = stop.wait_for(move || both(&parts))?;
                let (mut learned, seen) =
                    ends::learn(&how, &both, &mut workers, &surroundings.variables, past.is_flaky)?;
                learned.own_script.clone_from(&ends.own_script);
                let names = stop.wait_for(move || both.map(|it| it.key()))?;
                (learned, names.into_iter().zip(seen).collect())
            }
        };
        let mut memory = Memory::default();
        for (key, (verdict, seen)) in &known {
            memory.know(*key, *verdict, Some(seen));
            recorder.known(*key, *verdict, seen)?;
        }
        if past.learned.is_none() {
            recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
        }
        let rule = learned.rule(Inability::Stops);
        let lab = setup.lab(workers, (rule, &learned), recorder, memory, course);
        let mut finder = Finder::new(&how, lab, past.gave_up);
        known.into_iter().for_each(|(key, (verdict, _))| finder.lab.settle(key, verdict));
        finder.evidence = learned.evidence.clone();
        let found = finder.find(ends, &parts)?;
        let ended = match finder.lab.confirm(how.flaky.confidence)? {
            Ended::Done => finder.lab.ended,
            ended => ended,
        };
        ends.check()?;
        let mut causes = found.causes;
        patches::write(&mut causes, &settings.how.patches_folder(patches))?;
        let answer = ChangesAnswer {
            job: JobName::Changes,
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run,
            ended: ended_with(ended, &causes),
            failure: learned.failure.clone(),
            command: learned.command.clone(),
            commits: found.commits,
            likely: finder.likely,
            commits_between: found.commits_between,
            base: found.base,
            causes,
            ends: found.ends,
            compared: found.compared,
            group: found.group,
            size: found.size,
            tests: finder.lab.tally,
            seconds: course.begun.elapsed().as_secs_f64(),
            started_over: past.started_over,
            sandbox: finder.lab.workers.sandbox().cloned(),
            others: finder.lab.recorder.others(),
            // The lists of files serve the search, not the readers of an answer.
            learned: LearnedEnds { evidence: Evidence::default(), ..learned },
            settings: settings.clone(),
        };
        // The answer is moved into the event and out again, because an answer with a hundred
        // thousand changes is too large to copy.
        let finished = Event::ChangesFinished { answer: Box::new(answer) };
        finder.lab.recorder.finish(&finished)?;
        let Event::ChangesFinished { answer } = finished else { unreachable!("it was made here") };
        Ok(*answer)
    }
}

impl Job for Changes<'_> {
    type Learned = LearnedEnds;
    type Answer = ChangesAnswer;
    type Error = ChangesError;

    fn oracle_identity(&self) -> Result<Key, ChangesError> {
        setup::identity(&self.settings.how, self.surroundings)
    }

    fn witnesses(&mut self) -> (&mut Journal, &mut dyn Watch) {
        (&mut self.journal, self.watch)
    }

    fn is_always_clean(&self) -> bool {
        self.settings.how.fresh
    }

    fn attempt(
        &mut self,
        course: &Course<LearnedEnds, ChangesAnswer>,
    ) -> Result<ChangesAnswer, ChangesError> {
        let settings = self.settings.clone();
        let own_scripts = {
            let (settings, stop) = (settings.clone(), course.stop.clone());
            move || stop.wait_for(move || versions::open_with_own_scripts(&settings))?
        };
        let has_own = |learned: &LearnedEnds| learned.own_script.is_some();
        let mut ends = match course.past.learned.as_ref().is_some_and(has_own) {
            true => own_scripts.clone()()?.ok_or(ChangesError::Changed)?,
            false => course.stop.wait_for(move || versions::open(&settings))??,
        };
        let mut answer = self.find(&ends, course);
        // Perhaps both fail because the script that the command names broke: each version is then
        // tested with its own.
        if matches!(answer, Err(ChangesError::BothFail { .. }))
            && let Some(own) = own_scripts()?
        {
            ends = own;
            answer = self.find(&ends, course);
        }
        // A file that changed during the run is the likely reason of any error.
        answer.map_err(|error| ends.check().err().unwrap_or(error))
    }
}

/// Returns the differences between the two given versions; an error if there are none.
fn difference(
    how: &VersionSettings,
    ends: &versions::Ends,
    stop: &Stop,
) -> Result<Arc<Decomposition>, ChangesError> {
    let level = decomposition_level(how.level);
    let parts = compare(stop, decompose, &ends.good.version, &ends.bad.version, level)?;
    if parts.is_empty() {
        return Err(ChangesError::NoDifference);
    }
    given::check(how, &parts)?;
    Ok(parts)
}

/// Returns the good and the bad version as candidates.
fn both(parts: &Arc<Decomposition>) -> [TreeState; 2] {
    let whole = Arc::new(Deltas::new(parts.clone(), false));
    [DeltaSet::empty(), parts.all()].map(|set| whole.tree(set))
}

/// Compares two versions with one of the functions that decompose; a stop of the run interrupts it.
pub(crate) fn compare(
    stop: &Stop,
    decompose: fn(&Version, &Version, Level) -> Result<Decomposition, ReadError>,
    good: &Version,
    bad: &Version,
    level: Level,
) -> Result<Arc<Decomposition>, ChangesError> {
    let (good, bad) = (good.clone(), bad.clone());
    Ok(Arc::new(stop.wait_for(move || decompose(&good, &bad, level))??))
}

pub(crate) fn decomposition_level(level: ChangeLevel) -> Level {
    match level {
        ChangeLevel::Commit | ChangeLevel::Line => Level::Line,
        ChangeLevel::Directory => Level::Directory,
        ChangeLevel::File => Level::File,
        ChangeLevel::Item => Level::Item,
        ChangeLevel::Hunk => Level::Hunk,
        ChangeLevel::Token => Level::Token,
    }
}
