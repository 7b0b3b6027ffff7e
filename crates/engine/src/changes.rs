//! The job `changes`: from a version that passes and one that fails to the changes that did it.
//!
//! With a history between the versions the commit is found first, then what of it did it; without
//! one all that differs is suspected. The changes found are proved in clean folders, in both
//! directions: the good version fails with them, the bad one passes without.

mod answer;
mod commits;
mod culprit;
mod ends;
mod error;
mod gated;
mod grouped;
mod locate;
mod patches;
mod patient;
mod record;
mod settings;
mod trees;
mod versions;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use whodunit_changes::{Level, decompose};
use whodunit_core::{DeltaSet, Search, Verdict};

pub use answer::{
    Cause, ChangeAnswer, ChangeCounts, ChangeWord, ChangesAnswer, ChangesProof, CommitAnswer,
    Compared, PatchFiles,
};
pub use ends::LearnedEnds;
pub use error::ChangesError;
pub use record::ChangesPast;
pub use settings::{ChangeGroup, ChangeLevel, ChangeSearch, ChangesSettings};

use crate::engine::{Budget, Ended, Engine, Observer, Outcome, Stop, Tally};
use crate::event::{Event, Stage};
use crate::journal::Journal;
use crate::memory::Memory;
use crate::oracle::{Oracle, Rule};
use crate::process::Enforced;
use crate::record::Recorder;
use crate::reduce::Surroundings;
use crate::subject::Subject;
use gated::{Gated, Mending};
use trees::{Deltas, Space, TreeState, Trees};
use workshop::Crew;

/// The version of the schema of answers; it grows when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

/// Somebody who watches a run of `changes`.
pub trait WatchChanges: Observer {
    /// Takes note of what the sandbox can do, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}
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
    pub fn run(mut self) -> Result<ChangesAnswer, ChangesError> {
        let begun = Instant::now();
        let deadline = self.settings.budget.map(|budget| begun + budget);
        let past = std::mem::take(&mut self.past);
        let ends = versions::open(&self.settings)?;
        let key = trees::key_of(&[&ends.good.version, &ends.bad.version])?;
        match past.key {
            Some(before) if before != key => return Err(ChangesError::Changed),
            _ => {}
        }
        let level = decomposition_level(self.settings.level);
        let parts = Arc::new(decompose(&ends.good.version, &ends.bad.version, level)?);
        if parts.is_empty() {
            return Err(ChangesError::NoDifference);
        }
        let whole = Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, false)));
        let mut oracle = workshop::oracle(&self.settings, self.surroundings)?;
        let scratch = workshop::scratch(&self.settings, self.surroundings, &ends.bad.version)?;
        let mut crew = workshop::crew(&self.settings, self.surroundings, &scratch, &oracle)?;
        if self.settings.sandbox {
            self.watch.sandbox(crew[0].enforced());
        }
        let run = self.journal.name();
        let mut recorder = Recorder::new(self.journal, past.questions, &past.tests, self.watch);
        if past.key.is_none() {
            let settings = Box::new(self.settings.clone());
            let version = env!("CARGO_PKG_VERSION").into();
            recorder.write(&Event::ChangesStarted { version, settings, key })?;
        }
        let good = TreeState { space: whole.clone(), set: DeltaSet::empty() };
        let bad = TreeState { space: whole, set: parts.all() };
        let learned = match past.learned {
            Some(learned) => learned,
            None => {
                let learned =
                    ends::learn(&self.settings, &oracle, &good, &bad, &mut crew, &self.stop)?;
                recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
                learned
            }
        };
        oracle.limits = learned.limits.clone();
        if let Some(build) = &mut oracle.build {
            build.limits = learned.limits.clone();
        }
        let command = oracle.command.display();
        let rule = Arc::new(learned.rule());
        let mut memory = Memory::default();
        past.tests.iter().for_each(|test| test.recall(oracle.derived_time, &mut memory));
        let oracle = Arc::new(oracle);
        for worker in &mut crew {
            worker.instruct(&oracle, &rule);
        }
        let mut hunt = Hunt {
            settings: &self.settings,
            oracle,
            rule,
            crew,
            memory,
            recorder,
            budget: Budget { deadline, tests: self.settings.max_tests },
            stop: self.stop.clone(),
            tally: Tally::default(),
            ended: Ended::Done,
            gave_up: false,
        };
        let mut warm_disagreed = false;
        let found = loop {
            match hunt.find(&ends, &parts, key) {
                // What was built before misled the tests: all over, in clean folders.
                Err(ChangesError::WarmDisagrees) if !warm_disagreed => {
                    warm_disagreed = true;
                    hunt.start_over(self.surroundings, &scratch)?;
                }
                found => break found?,
            }
        };
        let patches = self.settings.out.as_ref();
        let patches =
            patches.map_or(self.patches, |out| self.settings.origin.as_path().join(out.as_path()));
        let mut causes = found.causes;
        patches::write(&mut causes, &patches)?;
        let answer = ChangesAnswer {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run,
            ended: hunt.ended,
            failure: learned.failure.clone(),
            command,
            commits: found.commits,
            commits_between: found.commits_between,
            causes,
            compared: found.compared,
            size: found.size,
            tests: hunt.tally,
            seconds: begun.elapsed().as_secs_f64(),
            warm_disagreed,
            others: hunt.recorder.others(),
            learned,
            settings: self.settings.clone(),
        };
        hunt.recorder.finish(&Event::ChangesFinished { answer: Box::new(answer.clone()) })?;
        Ok(answer)
    }
}

/// What a run has found.
struct Found {
    commits: Vec<CommitAnswer>,
    commits_between: u64,
    causes: Vec<Cause>,
    compared: Compared,
    size: ChangeCounts,
}

/// The searches with everything they need.
struct Hunt<'a> {
    settings: &'a ChangesSettings,
    oracle: Arc<Oracle>,
    rule: Arc<Rule>,
    crew: Crew,
    memory: Memory,
    recorder: Recorder<'a>,
    budget: Budget,
    stop: Stop,
    tally: Tally,
    ended: Ended,
    /// Whether a search took too many tests for what it brought.
    gave_up: bool,
}

impl Hunt<'_> {
    /// Finds the commit if there is a history, then the changes.
    fn find(
        &mut self,
        ends: &versions::Ends,
        whole: &Arc<whodunit_changes::Decomposition>,
        key: crate::key::Key,
    ) -> Result<Found, ChangesError> {
        let narrowed = commits::narrow(self, ends)?;
        let compared =
            Compared { good: narrowed.good_name(&ends.good), bad: narrowed.bad_name(&ends.bad) };
        let (parts, key) = match &narrowed.versions {
            Some((good, bad)) => {
                let level = decomposition_level(self.settings.level);
                let key = trees::key_of(&[good, bad])?;
                (Arc::new(decompose(good, bad, level)?), key)
            }
            None => (whole.clone(), key),
        };
        let mut causes = Vec::new();
        if self.settings.level != ChangeLevel::Commit {
            causes = culprit::find(self, &parts, key, &narrowed)?;
        }
        Ok(Found {
            size: culprit::counts(&parts),
            commits: narrowed.commits,
            commits_between: narrowed.between,
            causes,
            compared,
        })
    }

    /// Asks a search until it is done.
    fn search<S>(
        &mut self,
        stage: Stage,
        search: S,
        space: &Arc<Space>,
        changes: usize,
        watch: &mut dyn FnMut(&DeltaSet, Verdict),
    ) -> Result<S, ChangesError>
    where
        S: Search<Candidate = DeltaSet>,
    {
        let mending = if stage == Stage::Smallest { Mending::None } else { Mending::Along };
        let gated = Gated::new(search, space.clone(), mending);
        if self.ended != Ended::Done {
            return Ok(gated.search);
        }
        self.recorder.write(&Event::Search { stage, changes: changes as u64 })?;
        let mut budget = self.budget;
        budget.tests = budget.tests.map(|most| most.saturating_sub(self.tally.committed));
        let mut questions = 0;
        let mut keep = |question: u64, state: &TreeState, verdict| {
            questions = questions.max(question);
            watch(&state.set, verdict);
            Ok(())
        };
        let ran_before = self.memory.ran();
        let engine = Engine {
            subject: &Trees,
            memory: &mut self.memory,
            budget,
            stop: self.stop.clone(),
            observer: &mut self.recorder,
            keep: &mut keep,
        };
        let Outcome { search, ended, tally } = engine.run(gated, self.crew.iter_mut().collect())?;
        self.recorder.next_search(questions);
        self.ended = ended;
        self.add(tally, ran_before);
        Ok(search.search)
    }

    fn add(&mut self, tally: Tally, ran_before: u64) {
        let Tally { committed, cached, foretold, wasted, unresolved, after_last_success } = tally;
        self.tally.committed += committed;
        self.tally.cached += cached;
        self.tally.foretold += foretold;
        // The engine counts what ran in all and did not decide in this search.
        self.tally.wasted += wasted.saturating_sub(ran_before);
        self.tally.unresolved += unresolved;
        self.tally.after_last_success = after_last_success;
    }

    /// Asks about one tree; a test if it is not known.
    fn ask(&mut self, state: &TreeState) -> Result<Verdict, ChangesError> {
        let key = Trees.key(state);
        if let Some(verdict) = self.memory.get(key) {
            return Ok(verdict);
        }
        let seen = ends::observe(&mut self.crew, state, &self.stop)?;
        if self.rule.stops(&seen) {
            return Err(ChangesError::NotRunnable { seen: Box::new(seen) });
        }
        let verdict = self.rule.judge(&seen);
        self.memory.recall(key, verdict, Some(&seen));
        self.recorder.settled(key, verdict, &seen)?;
        self.tally.committed += 1;
        Ok(verdict)
    }

    /// Tests a tree in a clean folder.
    fn prove(&mut self, state: &TreeState) -> Result<Verdict, ChangesError> {
        self.crew[0].discard();
        let seen = ends::observe(&mut self.crew, state, &self.stop)?;
        if self.rule.stops(&seen) {
            return Err(ChangesError::NotRunnable { seen: Box::new(seen) });
        }
        Ok(self.rule.judge(&seen))
    }

    /// Forgets everything and goes on in clean folders only.
    fn start_over(
        &mut self,
        surroundings: &Surroundings,
        scratch: &crate::scratch::Scratch,
    ) -> Result<(), ChangesError> {
        let settings = ChangesSettings { fresh: true, ..self.settings.clone() };
        // The folders are free once the workers are gone.
        self.crew.clear();
        self.crew = workshop::crew(&settings, surroundings, scratch, &self.oracle)?;
        for worker in &mut self.crew {
            worker.instruct(&self.oracle, &self.rule);
        }
        self.memory = Memory::default();
        (self.ended, self.gave_up) = (Ended::Done, false);
        Ok(())
    }
}

fn decomposition_level(level: ChangeLevel) -> Level {
    match level {
        ChangeLevel::Commit | ChangeLevel::Line => Level::Line,
        ChangeLevel::Directory => Level::Directory,
        ChangeLevel::File => Level::File,
        ChangeLevel::Item => Level::Item,
        ChangeLevel::Hunk => Level::Hunk,
        ChangeLevel::Token => Level::Token,
    }
}
