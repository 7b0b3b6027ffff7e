//! Measures how steady a test is, and finds conditions that its outcome depends on.
//!
//! One version is run many times in the usual way, each time alone in a fresh folder, and as often
//! in each of several other ways, each of which changes one thing. If the failure shows clearly
//! more or less often than in the usual way, the test depends on that thing. The runs of all ways
//! take turns, so that a machine that becomes slower meanwhile does not look like a cause; only the
//! runs side by side come at the end.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use whodunit_core::{Sightings, Verdict};
use whodunit_exec::{Command, Oracle};
use whodunit_run::judge::{Inability, Observation, Rule};
use whodunit_run::{Counts, Ending, Key, KeyHasher, Limit, Stop, Word};
use whodunit_versions::Version;

use crate::changes::{self, ChangesError, Setup, TreeState, TreeWorkers, Versions};
use crate::first_runs;
use crate::lab::{LabError, judge};
use crate::settings::{ChangesSettings, Surroundings, VersionSettings};

/// Probability that a test which depends on none of the ways is reported to depend on one of them.
const BY_CHANCE: f64 = 0.01;

/// Part of the time limit; a slowest run that takes more of it is near the limit.
const NEAR: f64 = 0.5;

/// The version to run, and the number of runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SteadySettings {
    /// The version: a folder, an archive, or a revision of the repository.
    pub version: Word,
    /// The number of runs in each way.
    pub runs: u32,
    /// The test and its settings; the runs side by side use as many workers as it has jobs.
    pub how: VersionSettings,
}

impl SteadySettings {
    /// Runs a version this often in each way.
    pub fn new(version: impl Into<Word>, runs: u32, how: VersionSettings) -> Self {
        SteadySettings { version: version.into(), runs, how }
    }
}

/// A way to run a test: the usual one, or one that differs from it in one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// One run at a time, each in a fresh folder.
    Alone,
    /// In a folder that another run of the same version has just used.
    UsedFolder,
    /// With the same addresses of memory in each run.
    SameAddresses,
    /// With `PYTHONHASHSEED=0`.
    SameHashes,
    /// With `LC_ALL=C`.
    PlainLocale,
    /// In a time zone that has another date than UTC for most of the day.
    OtherZone,
    /// Several runs at once, each in a fresh folder.
    SideBySide,
}

/// How often a test failed in one way.
#[derive(Clone, Debug, Serialize)]
pub struct WayAnswer {
    /// The way.
    pub way: Way,
    /// The number of runs that failed, and of runs that failed or passed.
    #[serde(flatten)]
    pub counts: Counts,
    /// Inconclusive runs: exit code 125, or a limit that ended the run.
    pub inconclusive: u32,
    /// Probability of such a difference from the usual way if it is only chance.
    pub by_chance: f64,
    /// Whether the test depends on this way.
    pub matters: bool,
}

/// A way that could not be tried.
#[derive(Clone, Debug, Serialize)]
pub struct UntriedWay {
    /// The way.
    pub way: Way,
    /// Why it was not tried.
    pub why: String,
}

/// One kind of failure, or of inconclusive run.
#[derive(Clone, Debug, Serialize)]
pub struct KindOfFailure {
    /// How the test ended, and its telling line.
    pub failure: String,
    /// The number of runs, of all ways, that ended so.
    pub runs: u32,
}

/// How long runs took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Durations {
    /// The fastest run.
    pub fastest: Duration,
    /// The slowest one.
    pub slowest: Duration,
    /// The time limit that the runs of a job would have: given by the user, or derived from the
    /// first runs.
    pub limit: Duration,
    /// The number of runs that took longer than the limit, or were ended by it.
    pub beyond: u32,
}

impl Durations {
    /// Returns whether the limit is so near that a busy machine decides the outcome.
    pub fn are_near_limit(&self) -> bool {
        self.beyond > 0 || self.slowest.as_secs_f64() > NEAR * self.limit.as_secs_f64()
    }
}

/// How steady a test is.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SteadyAnswer {
    /// The command that was run.
    pub command: String,
    /// Whether all runs of all ways have the same verdict.
    pub is_steady: bool,
    /// Interval that contains the rate in the usual way in 95 of 100 cases.
    pub rate: (f64, f64),
    /// The outcomes in each way, the usual one first.
    pub ways: Vec<WayAnswer>,
    /// The ways that could not be tried.
    pub untried: Vec<UntriedWay>,
    /// The number of runs that were made at the same time side by side.
    pub side_by_side: usize,
    /// The runs that did not pass, by kind, the most frequent kind first.
    pub failures: Vec<KindOfFailure>,
    /// The durations of all runs.
    pub durations: Durations,
}

/// Runs a version many times, and measures how steady its test is. `made` is called after each run
/// with the number of runs so far and in all.
pub fn steady(
    settings: &SteadySettings,
    surroundings: &Surroundings,
    stop: &Stop,
    made: &mut dyn FnMut(usize, usize),
) -> Result<SteadyAnswer, ChangesError> {
    let SteadySettings { version, how, .. } = settings;
    let both = ChangesSettings::new(version.clone(), version.clone(), how.clone());
    let ends = stop.wait_for(move || changes::open(&both))??;
    let setup = Setup { settings: how, surroundings, stop, has_script: ends.has_script };
    let (_scratch, workers) = setup.workers(&ends.bad.version)?;
    let state = changes::at(Arc::new(Only(ends.bad.version.clone())), 0);
    let trial = Trial {
        settings,
        path: &surroundings.path,
        usual: Arc::new(workers.oracle().clone()),
        workers,
        state,
        rule: Arc::new(Rule::Bisect { same: None, inability: Inability::Stops }),
        seen: Vec::new(),
        untried: Vec::new(),
        made,
    };
    let answer = trial.run();
    // A file that changed during the runs is the likely reason of any error.
    answer.map_err(|error| ends.check().err().unwrap_or(error))
}

/// A row of one version.
struct Only(Version);

impl Versions for Only {
    fn version(&self, _: usize) -> std::io::Result<Version> {
        Ok(self.0.clone())
    }

    fn key(&self, _: usize) -> Key {
        // All contents have the same key: nothing is remembered of a run, so no key is looked up.
        KeyHasher::new().finish()
    }
}

/// The runs of a version.
struct Trial<'a> {
    settings: &'a SteadySettings,
    path: &'a OsStr,
    workers: TreeWorkers,
    usual: Arc<Oracle>,
    state: TreeState,
    rule: Arc<Rule>,
    seen: Vec<(Way, Verdict, Observation)>,
    untried: Vec<UntriedWay>,
    made: &'a mut dyn FnMut(usize, usize),
}

impl Trial<'_> {
    fn run(mut self) -> Result<SteadyAnswer, ChangesError> {
        self.workers.hands.iter_mut().for_each(|hand| hand.instruct(&self.usual, &self.rule));
        let others = self.others()?;
        let runs = self.settings.runs as usize;
        // The three are: alone, in the used folder, and side by side.
        let all = runs * (3 + others.len());
        for _ in 0..runs {
            self.workers.first().discard();
            let seen = self.workers.observe(&self.state)?;
            self.note(Way::Alone, seen, all)?;
            let seen = self.workers.observe(&self.state)?;
            self.note(Way::UsedFolder, seen, all)?;
            for (way, oracle) in &others {
                let seen = self.workers.observe_with(oracle, &self.rule, &self.state)?;
                self.note(*way, seen, all)?;
            }
        }
        let jobs = self.workers.hands.len();
        for _ in 0..runs.div_ceil(jobs) {
            let left = runs - self.seen.iter().filter(|it| it.0 == Way::SideBySide).count();
            let states = vec![self.state.clone(); left.min(jobs)];
            for seen in self.workers.observe_all(states).map_err(LabError::from)? {
                self.note(Way::SideBySide, seen.map_err(LabError::StoppedEarly)?, all)?;
            }
        }
        Ok(self.answer())
    }

    /// Returns the oracles of the ways that change the command.
    fn others(&mut self) -> Result<Vec<(Way, Arc<Oracle>)>, ChangesError> {
        let mut others = Vec::new();
        for (way, words) in [
            (Way::SameAddresses, &["setarch", "-R"][..]),
            (Way::SameHashes, &["env", "PYTHONHASHSEED=0"]),
            (Way::PlainLocale, &["env", "LC_ALL=C"]),
            (Way::OtherZone, &["env", "TZ=XXX-14"]),
        ] {
            let command = self.usual.command.under(words, self.path);
            let why = match &command {
                Err(_) => Some(format!("the program `{}` is not there", words[0])),
                Ok(_) if way == Way::SameAddresses && !self.has_same_addresses()? => {
                    Some("`setarch -R true` does not work here".into())
                }
                Ok(_) => None,
            };
            match (command, why) {
                (Ok(command), None) => {
                    others.push((way, Arc::new(Oracle { command, ..(*self.usual).clone() })));
                }
                (_, why) => self.untried.extend(why.map(|why| UntriedWay { way, why })),
            }
        }
        Ok(others)
    }

    /// Returns whether a program may run with the same addresses each time; containers forbid it.
    fn has_same_addresses(&mut self) -> Result<bool, ChangesError> {
        let command = Command::shell_in_tree("setarch -R true", self.path)?;
        let usual = (*self.usual).clone();
        let oracle = Oracle { command, gates: Vec::new(), configure: None, build: None, ..usual };
        let seen = self.workers.observe_with(&Arc::new(oracle), &self.rule, &self.state)?;
        Ok(seen.ending() == Ending::Exited(0))
    }

    fn note(&mut self, way: Way, seen: Observation, all: usize) -> Result<(), ChangesError> {
        let verdict = judge(&self.rule, &seen)?;
        self.seen.push((way, verdict, seen));
        (self.made)(self.seen.len(), all);
        Ok(())
    }

    fn answer(self) -> SteadyAnswer {
        let mut ways: Vec<WayAnswer> = Vec::new();
        for (way, verdict, _) in &self.seen {
            let place = ways.iter().position(|it| it.way == *way).unwrap_or_else(|| {
                let (counts, inconclusive) = (Counts::default(), 0);
                ways.push(WayAnswer {
                    way: *way,
                    counts,
                    inconclusive,
                    by_chance: 1.0,
                    matters: false,
                });
                ways.len() - 1
            });
            let answer = &mut ways[place];
            match verdict {
                Verdict::Unresolved => answer.inconclusive += 1,
                verdict => {
                    let mut counts = Sightings::from(answer.counts);
                    counts.count(verdict.is_fail());
                    answer.counts = counts.into();
                }
            }
        }
        let usual = Sightings::from(ways[0].counts);
        let share = BY_CHANCE / (ways.len() - 1) as f64;
        for way in &mut ways[1..] {
            way.by_chance = usual.chance_to_differ(way.counts.into());
            way.matters = way.by_chance <= share;
        }
        let verdicts = || self.seen.iter().map(|(_, verdict, _)| *verdict);
        SteadyAnswer {
            command: self.usual.command.display(),
            is_steady: verdicts().all(|it| it == self.seen[0].1),
            rate: usual.rates(),
            untried: self.untried.clone(),
            side_by_side: self.workers.hands.len(),
            failures: self.failures(),
            durations: self.durations(),
            ways,
        }
    }

    fn failures(&self) -> Vec<KindOfFailure> {
        let mut kinds: Vec<KindOfFailure> = Vec::new();
        for (_, verdict, seen) in &self.seen {
            if *verdict == Verdict::Pass {
                continue;
            }
            let failure = seen.signature.kind();
            match kinds.iter_mut().find(|it| it.failure == failure) {
                Some(kind) => kind.runs += 1,
                None => kinds.push(KindOfFailure { failure, runs: 1 }),
            }
        }
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.runs));
        kinds
    }

    fn durations(&self) -> Durations {
        let alone = self.seen.iter().filter(|it| it.0 == Way::Alone).map(|it| &it.2);
        let first: Vec<&Observation> = alone.take(2).collect();
        let limit = first_runs::later_limits(&self.settings.how.limits, &first).test.time;
        let all = || self.seen.iter().map(|(.., seen)| seen.duration);
        let is_beyond = |seen: &Observation| {
            seen.duration > limit || seen.ending() == Ending::Limited(Limit::Time)
        };
        Durations {
            fastest: all().min().unwrap_or_default(),
            slowest: all().max().unwrap_or_default(),
            limit,
            beyond: self.seen.iter().filter(|(.., seen)| is_beyond(seen)).count() as u32,
        }
    }
}
