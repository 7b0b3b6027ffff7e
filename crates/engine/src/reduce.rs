//! The job `reduce`: from a failing input to the smallest input that still fails the same way.

mod answer;
mod arguments;
mod folder;
mod golden;
mod input;
mod language;
mod pieces;
mod proof;
mod record;
mod regions;
mod result;
mod settings;
mod verify;
mod workshop;

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use whodunit_core::{Search, Step, Verdict};
use whodunit_grammar::cfg::ParseError;

pub use answer::{
    Answer, FileAnswer, FolderAnswer, Level, Needed, OtherFailure, Proof, Region, Regions, Rerun,
    SCHEMA, Smaller, TextSize,
};
pub use arguments::Shortened;
pub use folder::{LeftOut, WhyLeftOut};
pub use golden::Learned;
pub use language::{LanguageError, LanguageSettings, is_yacc, read_cfg};
pub use record::Past;
pub use settings::{
    Certification, Destination, LimitSettings, ReduceSettings, RuleSettings, Surroundings, Test,
};
pub use verify::{Check, Verified, verify};

use crate::engine::{Ended, Engine, EngineError, Observer, Outcome, Stop, Tally};
use crate::event::{Event, WhyAgain};
use crate::evidence::Evidence;
use crate::first_runs;
use crate::journal::Journal;
use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::{BadCommand, Observation, Oracle, Rule};
use crate::process::{Enforced, Limit, ProcessError};
use crate::record::{Recorder, start_over};
use crate::scratch::ScratchError;
use crate::subject::{Input, InputCandidate, Ladder, LadderSettings, Languages, Subject};
use crate::worker::WorkerError;
use arguments::Shortening;
use pieces::{AreAll, Cut};
use proof::{Open, WhyOpen, Worth};
use result::Targets;
use workshop::Crew;

/// How much longer than the derived limit a test may take before its hanging is believed.
const SECOND_CHANCE: u32 = 5;

/// Why an input could not be reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The input cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The input is a folder without a name, which a test could not see.
    #[error("`{}` has no name that a test could see it under", .0.display())]
    Nameless(PathBuf),
    /// The input has no content.
    #[error("`{}` is empty: there is nothing to reduce", .0.display())]
    Empty(PathBuf),
    /// No part of the input may be left out.
    #[error("there is nothing to ask: down to {level}, no part of the input may be left out")]
    NothingToAsk {
        /// The finest level.
        level: Level,
    },
    /// The same file was given twice.
    #[error("`{}` is given twice", .0.display())]
    Twice(PathBuf),
    /// There is something where the folder of the result would go.
    #[error("`{}` is there already", .0.display())]
    Occupied(PathBuf),
    /// The result would be part of the input.
    #[error("`{}` lies in `{}`, which is to be reduced", .path.display(), .folder.display())]
    Inside {
        /// Where something would be written.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The input is not what it was when the run began.
    #[error("the input is not what it was when the run began")]
    Changed,
    /// The result is not what the answer is about.
    #[error("`{}` is not the result that the answer is about", .0.display())]
    ResultChanged(PathBuf),
    /// The language is not known, or the grammar or hierarchy cannot be used.
    #[error(transparent)]
    Language(Box<LanguageError>),
    /// A pattern is not valid.
    #[error("the pattern of {flag} is not valid")]
    Pattern {
        /// The flag that gave it.
        flag: &'static str,
        /// What is wrong with it.
        source: regex::Error,
    },
    /// The result cannot be written.
    #[error("cannot write `{}`", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] BadCommand),
    /// The test does not show the failure on the input as it is.
    #[error("the input does not fail to begin with")]
    DoesNotFail {
        /// What was seen.
        seen: Box<Observation>,
    },
    /// The test could not find something to run.
    #[error("the test could not be run")]
    NotRunnable {
        /// What was seen.
        seen: Box<Observation>,
    },
    /// The test of the input as it is struck a limit.
    #[error("the test of the input as it is struck a limit")]
    CutShort {
        /// The limit.
        limit: Limit,
    },
    /// Two runs on the same bytes differ.
    #[error("two tests of the same bytes differ")]
    Flaky {
        /// The first run.
        first: Box<Observation>,
        /// The second run.
        second: Box<Observation>,
    },
    /// A test says something else than it did before the run was interrupted. The run begins
    /// again then, so that nobody else sees this.
    #[error("a test says something else than it did before the run was interrupted")]
    OutcomeChanged,
    /// The run was stopped, or its time was up, before there was anything to keep.
    #[error("{} before anything was found", .0.words())]
    StoppedEarly(Ended),
    /// There is no folder for the candidates.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A test could not be run.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The search could not go on.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// What happens cannot be written down.
    #[error("cannot write down what happens")]
    Journal(#[source] io::Error),
}

impl From<LanguageError> for ReduceError {
    fn from(error: LanguageError) -> Self {
        ReduceError::Language(Box::new(error))
    }
}

impl From<Ended> for ReduceError {
    fn from(ended: Ended) -> Self {
        ReduceError::StoppedEarly(ended)
    }
}

impl From<ProcessError> for ReduceError {
    fn from(error: ProcessError) -> Self {
        ReduceError::Worker(error.into())
    }
}

/// Somebody who watches a run of `reduce`.
pub trait Watch: Observer {
    /// Takes note of what the sandbox can do, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

    /// Takes note of what is not part of the input though it lies in a folder that is.
    fn left_out(&mut self, _left_out: &[LeftOut]) {}

    /// Takes note that the best so far was written, although the run ends with an error or a panic.
    fn rescued(&mut self, _answer: &Answer) {}

    /// Takes note of a file that is reduced as text, because the grammar of the user's own
    /// refuses it.
    fn not_parsed(&mut self, _file: &Path, _why: &ParseError) {}
}

/// One run of `reduce`.
pub struct Reduce<'a> {
    /// What to do.
    pub settings: ReduceSettings,
    /// Where it is done.
    pub surroundings: &'a Surroundings,
    /// Where it is written down.
    pub journal: Journal,
    /// What was written down when the run was ended before its time.
    pub past: Past,
    /// A way to stop it.
    pub stop: Stop,
    /// Who watches.
    pub watch: &'a mut dyn Watch,
}

impl Reduce<'_> {
    /// Runs, writes the result and returns the answer.
    ///
    /// If something that was remembered from before an interruption turns out to be no longer so,
    /// all of it is forgotten and the run begins again.
    pub fn run(mut self) -> Result<Answer, ReduceError> {
        let begun = Instant::now();
        let oracle = workshop::oracle(&self.settings, self.surroundings)?;
        let oracle = oracle.identity(self.settings.limits.time);
        let mut past = std::mem::take(&mut self.past);
        if past.oracle.is_some_and(|before| before != oracle) {
            past = self.start_over(past, WhyAgain::TestChanged, oracle)?;
        }
        match self.attempt(begun, past.clone(), oracle) {
            Err(ReduceError::OutcomeChanged) => {
                past = self.start_over(past, WhyAgain::OutcomeChanged, oracle)?;
                self.attempt(begun, past, oracle)
            }
            answered => answered,
        }
    }

    /// Writes down that the run begins again, and returns what is left of its past.
    fn start_over(&mut self, past: Past, why: WhyAgain, oracle: Key) -> Result<Past, ReduceError> {
        start_over(&mut self.journal, self.watch, why, oracle).map_err(ReduceError::Journal)?;
        Ok(past.over(why, oracle))
    }

    /// Carries the run out, as far as its past has not done so.
    fn attempt(
        &mut self,
        begun: Instant,
        past: Past,
        identity: Key,
    ) -> Result<Answer, ReduceError> {
        let stop = self.stop.until(self.settings.budget.map(|budget| begun + budget));
        // Tests of an attempt that came to nothing.
        let in_vain = self.journal.tests();
        let settings = self.settings.clone();
        let found = stop.wait_for(move || input::read(&settings))??;
        self.watch.left_out(&found.left_out);
        let snapshot = found.snapshot.clone();
        let whole = InputCandidate::whole(snapshot.clone());
        let targets = Targets::choose(&self.settings, &found, past.answer.clone())?;
        let mut oracle = workshop::oracle(&self.settings, self.surroundings)?;
        let scratch = workshop::scratch(&self.settings, self.surroundings, &snapshot)?;
        let languages =
            language::load(&self.settings, self.surroundings, &scratch, Some(&snapshot))?;
        let ladder = self.settings.ladder(languages.clone())?;
        let (base, settings) = (snapshot.clone(), ladder.clone());
        let (refused, search, is_done) = stop.wait_for(move || {
            let search = Ladder::new(&base, settings);
            let is_done = matches!(search.step(), Step::Done);
            (languages.refused(&base), search, is_done)
        })?;
        for (file, why) in refused {
            self.watch.not_parsed(&file, &why);
        }
        if is_done {
            return Err(ReduceError::NothingToAsk { level: ladder.finest.into() });
        }
        let mut crew =
            workshop::crew(&self.settings, self.surroundings, &scratch, &snapshot, &oracle)?;
        if self.settings.sandbox {
            self.watch.sandbox(crew[0].enforced());
        }
        let run = self.journal.name();

        let mut recorder =
            Recorder::new(&mut self.journal, past.questions, &past.tests, &mut *self.watch);
        let (key, size) = (Input.key(&whole), Input.size(&whole));
        match past.key {
            Some(before) if before != key => return Err(ReduceError::Changed),
            Some(_) => {}
            None => {
                recorder
                    .write(&started(&self.settings, key, identity, size))
                    .map_err(ReduceError::Journal)?;
            }
        }
        let learned = match past.learned {
            Some(learned) => learned,
            None => {
                let learned = golden::learn(&self.settings, &oracle, &whole, &mut crew, &stop)?;
                let event = Event::Learned(Box::new(learned.clone()));
                recorder.write(&event).map_err(ReduceError::Journal)?;
                learned
            }
        };
        oracle.limits = learned.limits.clone();
        let rule = Arc::new(learned.rule(&self.settings)?);
        let mut max_tests = self.settings.max_tests.map(|most| most.saturating_sub(in_vain));
        let shortened = match past.shortened.filter(|shortened| shortened.complete) {
            Some(shortened) => Some(shortened),
            None if self.settings.reduce_args => {
                let shortening = Shortening {
                    settings: &self.settings,
                    surroundings: self.surroundings,
                    limits: &oracle.limits,
                    rule: &rule,
                    whole: &whole,
                    max_tests,
                    stop: &stop,
                };
                let shortened = shortening.search(&mut crew)?;
                let event = Event::Shortened(shortened.clone());
                recorder.write(&event).map_err(ReduceError::Journal)?;
                Some(shortened)
            }
            None => None,
        };
        if let Some(shortened) = &shortened {
            let limits = oracle.limits;
            oracle = workshop::oracle(&shortened.settings(&self.settings), self.surroundings)?;
            oracle.limits = limits;
            max_tests = max_tests.map(|most| most.saturating_sub(shortened.tests));
        }
        let command = oracle.command.display();
        let mut memory = Memory::default();
        past.tests.iter().for_each(|test| test.recall(&oracle, &mut memory));
        let keep = self.settings.keep_tests.as_ref();
        let keep = keep.map(|folder| self.settings.origin.as_path().join(folder.as_path()));

        let reserve = first_runs::reserve(&learned.durations, self.settings.budget);
        let mut hunt = Hunt {
            ladder: search,
            tally: Tally::default(),
            ran: 0,
            max_tests,
            reserve,
            stop,
            oracle: Arc::new(oracle),
            rule,
            crew,
            memory,
            recorder,
            keep,
            best: whole.clone(),
        };
        let certify = self.settings.certify;
        let proved = catch_unwind(AssertUnwindSafe(|| hunt.prove(&ladder, certify)));
        let (proved, mut broken) = match proved {
            Ok(Ok(proved)) => (proved, None),
            // Begun again with nothing to remember.
            Ok(Err(ReduceError::OutcomeChanged)) => return Err(ReduceError::OutcomeChanged),
            Ok(Err(ReduceError::StoppedEarly(ended))) => {
                (Proved { ended, ..hunt.unproved(certify) }, None)
            }
            Ok(Err(error)) => (hunt.unproved(certify), Some(Broken::Error(error))),
            Err(panic) => {
                let unproved = Proved { ended: Ended::Defect, ..hunt.unproved(certify) };
                (unproved, Some(Broken::Panic(panic)))
            }
        };
        if let Some(broken) = broken.take_if(|_| !hunt.best.is_simpler_than(&whole)) {
            return broken.raise();
        }
        let Proved { ended, tally: mut tests, proof, regions } = proved;
        let result = hunt.best.snapshot();
        let written = targets.write(&result);
        if let Some(broken) = broken.take_if(|_| written.is_err()) {
            return broken.raise();
        }
        let (files, folders) = written?;
        tests.committed += shortened.as_ref().map_or(0, |shortened| shortened.tests);
        tests.wasted += in_vain;
        tests.proof = hunt.tally.proof;
        let answer = Answer {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            run,
            ended,
            failure: learned.failure.clone(),
            command,
            shortened,
            learned,
            files,
            folders,
            start: TextSize::of(&snapshot),
            size: TextSize::of(&result),
            tests,
            seconds: begun.elapsed().as_secs_f64(),
            started_over: past.started_over,
            proof,
            regions,
            others: hunt.recorder.others(),
            settings: self.settings.clone(),
        };
        let end = Event::Finished { answer: Box::new(answer.clone()) };
        let finished = hunt.recorder.finish(&end);
        drop(hunt);
        if let Some(broken) = broken {
            self.watch.rescued(&answer);
            return broken.raise();
        }
        finished.map_err(ReduceError::Journal)?;
        Ok(answer)
    }
}

/// Why a run ends though its search did not.
enum Broken {
    Error(ReduceError),
    Panic(Box<dyn Any + Send>),
}

impl Broken {
    fn raise(self) -> Result<Answer, ReduceError> {
        match self {
            Broken::Error(error) => Err(error),
            Broken::Panic(panic) => resume_unwind(panic),
        }
    }
}

/// What came of a search and how sure that is.
struct Proved {
    ended: Ended,
    tally: Tally,
    proof: Proof,
    regions: Regions,
}

/// What came of testing what could not be claimed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// Each of them was tested.
    All,
    /// Not all of them could be.
    LeftOff(Ended),
    /// One that only took too long fails: the search was misled.
    Misled,
}

/// The search with everything it needs.
struct Hunt<'a> {
    ladder: Ladder,
    /// What the searches took so far.
    tally: Tally,
    /// How many tests had run when the last of them ended.
    ran: u64,
    max_tests: Option<u64>,
    /// The time that is kept back for testing the result once more.
    reserve: Duration,
    stop: Stop,
    oracle: Arc<Oracle>,
    rule: Arc<Rule>,
    crew: Crew,
    memory: Memory,
    recorder: Recorder<'a>,
    /// Where every candidate that is asked about is kept.
    keep: Option<PathBuf>,
    /// The simplest candidate that a committed answer calls failing: this is what is written,
    /// whatever becomes of the search.
    best: InputCandidate,
}

impl Hunt<'_> {
    /// Searches until the result is as small and as certain as it gets.
    fn prove(
        &mut self,
        ladder: &LadderSettings,
        certify: Certification,
    ) -> Result<Proved, ReduceError> {
        let mut from = self.ladder.clone();
        'search: loop {
            let Outcome { ended, tally, .. } = self.search(from)?;
            let result = self.best.clone();
            let mut proved = Proved { ended, tally, ..self.unproved(certify) };
            proved.proof.rerun = match self.rerun(&result)? {
                Ok(rerun) => rerun,
                Err(ended) => {
                    proved.ended = ended;
                    return Ok(proved);
                }
            };
            let fails = proved.proof.rerun.map(|rerun| rerun.verdict.verdict());
            if fails.is_some_and(|verdict| verdict != Verdict::Fail) {
                if self.memory.reaches_back() {
                    return Err(ReduceError::OutcomeChanged);
                }
                // Nothing can be claimed of it.
                if proved.ended == Ended::Done {
                    proved.ended = Ended::GaveUp;
                }
                return Ok(proved);
            }
            let snapshot = result.snapshot();
            let is_whole = ended == Ended::Done && certify == Certification::Full;
            // A list that is too long to make is not proved.
            let Some((cuts, are_all)) = Cut::all(&snapshot, ladder) else {
                if is_whole {
                    proved.ended = Ended::GaveUp;
                }
                return Ok(proved);
            };
            if is_whole {
                let mut worth = Worth::Asked;
                let (ledger, is_complete) = loop {
                    let mut ledger = proof::look_up(&cuts, &self.memory, worth);
                    if !ledger.open.is_empty() {
                        match self.settle(ledger.open)? {
                            Settled::All => {}
                            Settled::LeftOff(ended) => proved.ended = ended,
                            Settled::Misled => {
                                // Asked again from the beginning, as in a run that is resumed.
                                self.memory.rewind();
                                self.recorder.rewind();
                                (self.tally, self.ran) = (Tally::default(), 0);
                                from = self.ladder.clone();
                                continue 'search;
                            }
                        }
                        ledger = proof::look_up(&cuts, &self.memory, worth);
                    }
                    let smaller = ledger.fails.as_ref().map(InputCandidate::snapshot);
                    if let Some(smaller) = smaller.filter(|it| it.len() < snapshot.len()) {
                        // It was foretold not to fail, or not asked about, and does.
                        from = Ladder::new(&smaller, ladder.clone());
                        continue 'search;
                    }
                    let is_complete = are_all == AreAll::Yes && ledger.is_complete(&cuts);
                    if is_complete || worth == Worth::Rest || proved.ended != Ended::Done {
                        break (ledger, is_complete);
                    }
                    worth = Worth::Rest;
                };
                let is_described = matches!(ladder.languages, Languages::Hierarchy(_));
                if proved.ended == Ended::Done && !is_complete && !is_described {
                    proved.ended = Ended::GaveUp;
                }
                proved.proof.level = ledger.levels.last().copied();
                proved.proof.levels = ledger.levels;
                proved.proof.needed = ledger.needed;
            }
            proved.regions = regions::find(&snapshot, &cuts, &self.memory);
            return Ok(proved);
        }
    }

    /// Returns what is said of the best candidate when nothing could be proved.
    fn unproved(&self, certify: Certification) -> Proved {
        let proof = Proof { level: None, levels: vec![], certify, rerun: None, needed: vec![] };
        let tally = Tally { committed: self.memory.ran(), ..Tally::default() };
        Proved { ended: Ended::Stopped, tally, proof, regions: Regions::default() }
    }

    fn search(&mut self, ladder: Ladder) -> Result<Outcome<Ladder>, ReduceError> {
        for worker in &mut self.crew {
            worker.instruct(&self.oracle, &self.rule);
        }
        let before = self.tally.answers();
        let (keep, best) = (self.keep.as_deref(), &mut self.best);
        let mut keep = |question, candidate: &InputCandidate, verdict: Verdict| {
            if verdict.is_fail() && candidate.is_simpler_than(best) {
                *best = candidate.clone();
            }
            match keep {
                Some(folder) => record::keep(folder, before + question, candidate, verdict),
                None => Ok(()),
            }
        };
        let max_tests = self.max_tests.map(|most| most.saturating_sub(self.tally.committed));
        let engine = Engine {
            subject: &Input,
            memory: &mut self.memory,
            max_tests,
            stop: self.stop.sooner(self.reserve),
            observer: &mut self.recorder,
            keep: &mut keep,
        };
        let mut outcome = engine.run(ladder, self.crew.iter_mut().collect())?;
        self.recorder.next_search(outcome.tally.answers());
        self.tally.add(outcome.tally, self.ran);
        self.ran = self.memory.ran();
        outcome.tally = self.tally;
        Ok(outcome)
    }

    /// Tests the result once more, afresh; says why if it could not be.
    fn rerun(
        &mut self,
        result: &InputCandidate,
    ) -> Result<Result<Option<Rerun>, Ended>, ReduceError> {
        match golden::observe(&mut self.crew, result, &self.stop) {
            Ok(seen) => {
                self.tally.proof += 1;
                let evidence = Evidence::of(self.rule.judge(&seen), &seen);
                Ok(Ok(evidence.claim().map(|verdict| Rerun { verdict })))
            }
            Err(ReduceError::StoppedEarly(ended)) => Ok(Err(ended)),
            Err(error) => Err(error),
        }
    }

    /// Tests what cannot be claimed yet, those that only took too long with more time. An error if
    /// a test says something else than it did earlier.
    fn settle(&mut self, open: Vec<Open>) -> Result<Settled, ReduceError> {
        let tests = self.tally.committed + open.len() as u64;
        if self.max_tests.is_some_and(|most| tests > most) {
            return Ok(Settled::LeftOff(Ended::OutOfTests));
        }
        let mut patient = (*self.oracle).clone();
        patient.limits = patient.limits.more_time(SECOND_CHANCE);
        let (hasty, others): (Vec<Open>, Vec<Open>) =
            open.into_iter().partition(|it| it.why == WhyOpen::Hasty);
        let mut settled = Settled::All;
        for (oracle, open) in [(self.oracle.clone(), others), (Arc::new(patient), hasty)] {
            self.crew.iter_mut().for_each(|worker| worker.instruct(&oracle, &self.rule));
            let candidates = open.iter().map(|it| it.without.clone()).collect();
            let all = first_runs::observe_all(&mut self.crew, |_| (), candidates, &self.stop)?;
            for (Open { key, without, why }, seen) in open.iter().zip(all) {
                let seen = match seen {
                    Ok(seen) => seen,
                    Err(ended) => return Ok(Settled::LeftOff(ended)),
                };
                self.tally.proof += 1;
                let (before, verdict) = (self.memory.evidence(*key), self.rule.judge(&seen));
                self.memory.know(*key, verdict, Some(&seen));
                self.recorder.known(*key, verdict, &seen).map_err(ReduceError::Journal)?;
                let is_other = before.is_some_and(|before| before.is_contradicted_by(verdict));
                if *why == WhyOpen::Earlier && is_other {
                    return Err(ReduceError::OutcomeChanged);
                }
                if verdict == Verdict::Fail && without.is_simpler_than(&self.best) {
                    self.best = without.clone();
                }
                if *why == WhyOpen::Hasty && verdict == Verdict::Fail {
                    settled = Settled::Misled;
                }
            }
        }
        Ok(settled)
    }
}

fn started(settings: &ReduceSettings, key: Key, oracle: Key, size: crate::subject::Size) -> Event {
    Event::Started {
        version: env!("CARGO_PKG_VERSION").into(),
        settings: Box::new(settings.clone()),
        key,
        oracle,
        size,
    }
}
