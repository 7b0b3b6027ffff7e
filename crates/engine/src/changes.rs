//! The job `changes`: from a version that passes and one that fails to the changes that did it.
//!
//! With a history between the versions the commit is found first, then what of it did it; without
//! one all that differs is suspected. The changes found are proved in clean folders, in both
//! directions: the good version fails with them, the bad one passes without.

mod answer;
mod between;
mod cause;
mod commits;
mod content;
mod culprit;
mod ends;
mod error;
mod evidence;
mod first_suspects;
mod gated;
mod goal;
mod grouped;
mod growing;
mod guesses;
mod hunt;
mod leads;
mod levels;
mod links;
mod locate;
mod needed;
mod needs;
mod origins;
mod partners;
mod patches;
mod patient;
mod phases;
mod record;
mod replay;
mod settings;
mod trees;
mod undo;
mod verify;
mod versions;
mod ways;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use whodunit_core::DeltaSet;
use whodunit_versions::{Decomposition, Level, ReadError, TreePath, Version, decompose};

pub use answer::{
    Base, Beside, Cause, ChangeAnswer, ChangeCounts, ChangeNumbers, ChangeWord, ChangesAnswer,
    ChangesProof, CommitAnswer, CommitPair, Compared, EndsProof, Partner, PatchFiles,
};
pub use ends::LearnedEnds;
pub use error::ChangesError;
pub use evidence::Evidence;
pub use record::ChangesPast;
pub use replay::{Claim, Said, Verified};
pub use settings::{ChangeGroup, ChangeLevel, ChangeSearch, ChangesSettings, HuntSettings};
pub use verify::verify;

pub(crate) use between::Between;
pub(crate) use cause::word;
pub(crate) use content::{key_of, name_of_version};
pub(crate) use culprit::smallest;
pub(crate) use ends::observe;
pub(crate) use goal::Goal;
pub(crate) use hunt::Hunt;
pub(crate) use links::Links;
pub(crate) use needed::each_without;
pub(crate) use patient::Persistence;
pub(crate) use replay::{Claimed, Replay, patched};
pub(crate) use trees::{Deltas, Space, TreeState, name_of};
pub(crate) use versions::{open_versions, version_of};
pub(crate) use workshop::{Crew, crew, oracle, scratch};

use crate::engine::{Observer, Stop};
use crate::event::{Event, WhyAgain};
use crate::first_runs;
use crate::journal::Journal;
use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::Inability;
use crate::process::Enforced;
use crate::record::{Recorder, start_over};
use crate::reduce::Surroundings;

/// The version of the schema of answers; it grows when a field changes its meaning or goes.
const SCHEMA: u32 = 2;

/// Somebody who watches a run of `changes`.
pub trait WatchChanges: Observer {
    /// Takes note of what the sandbox can do, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

    /// Takes note of a test that is taken from the checkout, because it is not committed.
    fn uncommitted(&mut self, _path: &TreePath) {}

    /// Takes note of something that was asked for and cannot be used, in words.
    fn unused(&mut self, _what: &str) {}
}

/// One run of `changes`.
pub struct Changes<'a> {
    /// What to do.
    pub settings: ChangesSettings,
    /// Where it is done.
    pub surroundings: &'a Surroundings,
    /// Where it is written down.
    pub journal: Journal,
    /// Where patches go if the settings do not say.
    pub patches: PathBuf,
    /// What was written down when the run was ended before its time.
    pub past: ChangesPast,
    /// A way to stop it.
    pub stop: Stop,
    /// Who watches.
    pub watch: &'a mut dyn WatchChanges,
}

impl Changes<'_> {
    /// Runs, writes the patches and returns the answer.
    ///
    /// If something that was remembered from before an interruption is no longer so, or if folders
    /// with earlier builds misled the tests, all of it is forgotten and the run begins again; after
    /// the latter in clean folders only.
    pub fn run(mut self) -> Result<ChangesAnswer, ChangesError> {
        let begun = Instant::now();
        let how = &self.settings.how;
        let oracle = workshop::oracle(how, self.surroundings)?.identity(how.limits.time);
        let mut past = std::mem::take(&mut self.past);
        let is_other = past.oracle.is_some_and(|before| before != oracle);
        let mut why = is_other.then_some(WhyAgain::TestChanged);
        let stop = self.stop.until(self.settings.how.budget.map(|budget| begun + budget));
        loop {
            if let Some(why) = why {
                start_over(&mut self.journal, self.watch, why, oracle)?;
                past = past.over(why, oracle);
            }
            let is_clean = self.settings.how.fresh || past.is_misled();
            let settings = self.settings.clone();
            let ends = stop.wait_for(move || versions::open(&settings))??;
            let attempt = self.attempt(&ends, (begun, &stop), &past, oracle);
            // A file that changed in the meantime explains whatever went wrong.
            let attempt = attempt.map_err(|error| ends.check().err().unwrap_or(error));
            why = Some(match attempt {
                Err(ChangesError::WarmDisagrees) if !is_clean => WhyAgain::WarmFolders,
                Err(ChangesError::OutcomeChanged) => WhyAgain::OutcomeChanged,
                answered => return answered,
            });
        }
    }

    /// Carries the run out, as far as its past has not done so.
    fn attempt(
        &mut self,
        ends: &versions::Ends,
        (begun, stop): (Instant, &Stop),
        past: &ChangesPast,
        identity: Key,
    ) -> Result<ChangesAnswer, ChangesError> {
        let Changes { settings, surroundings, journal, patches, watch, .. } = self;
        // Tests of an attempt that came to nothing.
        let in_vain = journal.tests();
        let mut how = settings.how.clone();
        how.fresh |= past.is_misled();
        how.max_tests = how.max_tests.map(|most| most.saturating_sub(in_vain));
        let key = match &settings.how.atomic {
            Some(atomic) => atomic.key(ends.key, settings.how.origin.as_path())?,
            None => ends.key,
        };
        if past.key.is_some_and(|before| before != key) {
            return Err(ChangesError::Changed);
        }
        let level = decomposition_level(settings.how.level);
        let parts = compare(stop, decompose, &ends.good.version, &ends.bad.version, level)?;
        if parts.is_empty() {
            return Err(ChangesError::NoDifference);
        }
        let mut oracle = workshop::oracle(&how, surroundings)?;
        let scratch = workshop::scratch(&how, surroundings, &ends.bad.version)?;
        let mut crew = workshop::crew(&how, surroundings, &scratch, &oracle)?;
        if settings.how.sandbox {
            watch.sandbox(crew[0].enforced());
        }
        let run = journal.name();
        let mut recorder = Recorder::new(journal, past.questions, &past.tests, *watch);
        if past.key.is_none() {
            let (version, settings) = (env!("CARGO_PKG_VERSION").into(), settings.clone().into());
            recorder.write(&Event::ChangesStarted { version, settings, key, oracle: identity })?;
        }
        let mut memory = Memory::default();
        let learned = match past.learned.clone() {
            Some(learned) => learned,
            None => {
                let parts = parts.clone();
                let both = stop.wait_for(move || both(&parts))?;
                let (learned, seen) = ends::learn(&how, &oracle, &both, &mut crew, stop)?;
                let names = stop.wait_for(move || both.each_ref().map(trees::name_of))?;
                for (key, (verdict, seen)) in names.into_iter().zip(seen) {
                    memory.know(key, verdict, Some(&seen));
                    recorder.known(key, verdict, &seen)?;
                }
                recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
                learned
            }
        };
        oracle.limits = learned.limits.clone();
        let reserve = first_runs::reserve(&learned.durations, settings.how.budget);
        let rule = learned.rule(Inability::Stops);
        let mut hunt = Hunt::new(&how, rule, oracle, crew, recorder, reserve, stop.clone());
        (hunt.memory, hunt.tally.wasted) = (memory, in_vain);
        hunt.evidence = learned.evidence.clone();
        hunt.persistence = hunt.persistence.max(Persistence::after(past.gave_up));
        hunt.recall(&past.tests);
        let found = hunt.find(ends, &parts)?;
        ends.check()?;
        let out = settings.how.out.as_ref();
        let patches =
            out.map_or(patches.clone(), |out| settings.how.origin.as_path().join(out.as_path()));
        let mut causes = found.causes;
        patches::write(&mut causes, &patches)?;
        let answer = ChangesAnswer {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run,
            ended: hunt.ended.with(&causes),
            failure: learned.failure.clone(),
            command: learned.command.clone(),
            commits: found.commits,
            commits_between: found.commits_between,
            base: found.base,
            causes,
            ends: found.ends,
            compared: found.compared,
            group: found.group,
            size: found.size,
            tests: hunt.tally,
            seconds: begun.elapsed().as_secs_f64(),
            started_over: past.started_over,
            others: hunt.recorder.others(),
            // Lists of files are for the search, not for readers.
            learned: LearnedEnds { evidence: Evidence::default(), ..learned },
            settings: settings.clone(),
        };
        hunt.recorder.finish(&Event::ChangesFinished { answer: Box::new(answer.clone()) })?;
        Ok(answer)
    }
}

/// Returns the good and the bad version as candidates.
fn both(parts: &Arc<Decomposition>) -> [TreeState; 2] {
    let whole = Arc::new(Space::Deltas(Deltas::new(parts.clone(), false)));
    [DeltaSet::empty(), parts.all()].map(|set| TreeState { space: whole.clone(), set })
}

/// Compares two versions with one of the functions that decompose, in a way that can be stopped.
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
