//! The job `changes`: from a version that passes and one that fails to the changes that did it.
//!
//! With a history between the versions the commit is found first, then what of it did it; without
//! one all that differs is suspected. The changes found are proved in clean folders, in both
//! directions: the good version fails with them, the bad one passes without.

mod answer;
mod between;
mod cause;
mod commits;
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
mod locate;
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

use whodunit_changes::{Decomposition, Level, decompose};
use whodunit_core::DeltaSet;

pub use answer::{
    Base, Beside, Cause, ChangeAnswer, ChangeCounts, ChangeWord, ChangesAnswer, ChangesProof,
    CommitAnswer, CommitPair, Compared, Partner, PatchFiles,
};
pub use ends::LearnedEnds;
pub use error::ChangesError;
pub use evidence::Evidence;
pub use record::ChangesPast;
pub use replay::{Claim, Verified};
pub use settings::{ChangeGroup, ChangeLevel, ChangeSearch, ChangesSettings, HuntSettings};
pub use verify::verify;

pub(crate) use between::Between;
pub(crate) use cause::word;
pub(crate) use culprit::smallest;
pub(crate) use ends::observe;
pub(crate) use goal::Goal;
pub(crate) use hunt::{Folders, Hunt};
pub(crate) use patient::Persistence;
pub(crate) use replay::{Claimed, Replay, patched};
pub(crate) use trees::{Deltas, Space, TreeState, key_of};
pub(crate) use versions::{open_versions, version_of};
pub(crate) use workshop::{Crew, crew, oracle, scratch};

use crate::engine::{Budget, Observer, Stop};
use crate::event::Event;
use crate::journal::Journal;
use crate::key::Key;
use crate::oracle::Inability;
use crate::process::Enforced;
use crate::record::Recorder;
use crate::reduce::Surroundings;

/// The version of the schema of answers; it grows when a field changes its meaning or goes.
const SCHEMA: u32 = 2;

/// Somebody who watches a run of `changes`.
pub trait WatchChanges: Observer {
    /// Takes note of what the sandbox can do, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

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
    pub fn run(self) -> Result<ChangesAnswer, ChangesError> {
        let begun = Instant::now();
        let ends = versions::open(&self.settings)?;
        // A file that changed in the meantime explains whatever went wrong.
        self.carry_out(&ends, begun).map_err(|error| ends.check().err().unwrap_or(error))
    }

    fn carry_out(
        self,
        ends: &versions::Ends,
        begun: Instant,
    ) -> Result<ChangesAnswer, ChangesError> {
        let Changes { settings, surroundings, journal, patches, past, stop, watch } = self;
        let key = match &settings.how.atomic {
            Some(atomic) => atomic.key(ends.key, settings.how.origin.as_path())?,
            None => ends.key,
        };
        if past.key.is_some_and(|before| before != key) {
            return Err(ChangesError::Changed);
        }
        let level = decomposition_level(settings.how.level);
        let parts = Arc::new(decompose(&ends.good.version, &ends.bad.version, level)?);
        if parts.is_empty() {
            return Err(ChangesError::NoDifference);
        }
        let mut oracle = workshop::oracle(&settings.how, surroundings)?;
        let scratch = workshop::scratch(&settings.how, surroundings, &ends.bad.version)?;
        let mut crew = workshop::crew(&settings.how, surroundings, &scratch, &oracle)?;
        if settings.how.sandbox {
            watch.sandbox(crew[0].enforced());
        }
        let run = journal.name();
        let mut recorder = Recorder::new(journal, past.questions, &past.tests, watch);
        if past.key.is_none() {
            let (version, settings) = (env!("CARGO_PKG_VERSION").into(), settings.clone().into());
            recorder.write(&Event::ChangesStarted { version, settings, key })?;
        }
        let learned = match past.learned.clone() {
            Some(learned) => learned,
            None => {
                let learned =
                    ends::learn(&settings.how, &oracle, both(&parts, ends.key), &mut crew, &stop)?;
                recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
                learned
            }
        };
        oracle.limits = learned.limits.clone();
        let deadline = settings.how.budget.map(|budget| begun + budget);
        let budget = Budget { deadline, tests: settings.how.max_tests };
        let rule = learned.rule(Inability::Stops);
        let mut hunt = Hunt::new(&settings.how, rule, oracle, crew, recorder, budget, stop);
        hunt.evidence = learned.evidence.clone();
        hunt.persistence = hunt.persistence.max(Persistence::after(past.gave_up));
        hunt.recall(&past.tests);
        let folders = Folders { surroundings, scratch: &scratch };
        let (found, warm_disagreed) = hunt.find_for_sure(ends, &parts, &folders)?;
        ends.check()?;
        let out = settings.how.out.as_ref();
        let patches = out.map_or(patches, |out| settings.how.origin.as_path().join(out.as_path()));
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
            compared: found.compared,
            group: found.group,
            size: found.size,
            tests: hunt.tally,
            seconds: begun.elapsed().as_secs_f64(),
            warm_disagreed,
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
fn both(parts: &Arc<Decomposition>, key: Key) -> [TreeState; 2] {
    let whole = Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, false)));
    [DeltaSet::empty(), parts.all()].map(|set| TreeState { space: whole.clone(), set })
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
