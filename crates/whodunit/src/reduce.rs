//! The job `reduce`: from a failing input to the smallest input that still fails the same way.

mod arguments;
mod error;
mod folder;
mod input;
mod isolation;
mod language;
mod learn;
mod pieces;
mod proof;
mod record;
mod reduction;
mod regions;
mod result;
mod settings;
mod setup;
mod verify;

use std::any::Any;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;

use whodunit_core::{Search, Step, Verdict};
use whodunit_exec::Oracle;
use whodunit_exec::process::Enforced;
use whodunit_exec::scratch::Scratch;
use whodunit_grammar::cfg::ParseError;
use whodunit_input::{Input, InputCandidate, InputSearch, LadderSettings, Snapshot, Validity};
use whodunit_run::{Ended, Key, Stop, Subject};

pub use crate::answer::{
    Answer, Differing, FileAnswer, FolderAnswer, Isolation, Learned, Level, Needed, OtherFailure,
    Proof, Region, Regions, Rerun, Shortened, Smaller, TextSize,
};
pub use crate::settings::{
    Certification, Destination, LanguageSettings, LimitSettings, ReduceSettings, RuleSettings,
    Surroundings, Test,
};
pub use error::ReduceError;
pub use folder::{LeftOut, WhyLeftOut};
pub use language::{LanguageError, is_yacc, read_cfg};
pub use record::ReducePast;
pub use verify::verify;

use crate::answer::{JobName, SCHEMA};
use crate::event::{Event, Nobody, Watch};
use crate::first_runs;
use crate::job::{Course, Job};
use crate::journal::Journal;
use crate::lab::{Budget, EndsRun, Lab, LabError, Repeating, guarded};
use reduction::{InputWorkers, Proved, Reduction};
use result::Targets;

/// A watcher of a run of `reduce`.
pub trait WatchReduce: Watch {
    /// Takes note of the parts of the sandbox that are enforced, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

    /// Takes note of files in a folder of the input that are not part of the input.
    fn left_out(&mut self, _left_out: &[LeftOut]) {}

    /// Takes note that the best result so far was written, although the run ends with an error or a
    /// panic.
    fn rescued(&mut self, _answer: &Answer) {}

    /// Takes note of a file that is reduced as text, because the user's own grammar does not accept
    /// it.
    fn not_parsed(&mut self, _file: &Path, _why: &ParseError) {}
}

impl WatchReduce for Nobody {}

/// One run of `reduce`.
pub struct Reduce<'a> {
    /// The user's settings.
    pub settings: ReduceSettings,
    /// The machine that the run uses.
    pub surroundings: &'a Surroundings,
    /// The journal of the run.
    pub journal: Journal,
    /// The earlier part of the run, if it was interrupted.
    pub past: ReducePast,
    /// Stops the run.
    pub stop: Stop,
    /// The watcher of the run.
    pub watch: &'a mut dyn WatchReduce,
}

impl<'a> Reduce<'a> {
    /// Creates a run without a past; nobody can stop it unless [`stop`](Self::stop) is set.
    pub fn new(
        settings: ReduceSettings,
        surroundings: &'a Surroundings,
        journal: Journal,
        watch: &'a mut dyn WatchReduce,
    ) -> Self {
        let (past, stop) = Default::default();
        Reduce { settings, surroundings, journal, past, stop, watch }
    }
}

impl Reduce<'_> {
    /// Runs, writes the result and returns the answer.
    pub fn run(mut self) -> Result<Answer, ReduceError> {
        let (past, stop) = (std::mem::take(&mut self.past), self.stop.clone());
        let budget = self.settings.budget;
        self.carry_out(past, (stop, budget))
    }

    /// Chooses the targets of the result, and prepares the workers and the search.
    fn open<'s>(
        &mut self,
        settings: &'s ReduceSettings,
        found: &'s input::Found,
        course: &ReduceCourse,
    ) -> Result<(Opened<'s>, InputWorkers), ReduceError> {
        let targets = Targets::choose(settings, found, course.past.answer.clone())?;
        let snapshot = found.snapshot.clone();
        let scratch = setup::scratch(settings, self.surroundings, &snapshot)?;
        // The launchers are started at once, because they delete the folder if the program is
        // killed.
        let stop = course.stop.clone();
        let files = snapshot.files().iter().map(|file| file.name.clone()).collect();
        let workers = setup::workers(settings, self.surroundings, &scratch, files, stop)?;
        let languages = language::load(settings, self.surroundings, &scratch, Some(&snapshot))?;
        let mut ladder = settings.ladder(languages.clone())?;
        let (all, parsing, valid) = (snapshot.clone(), ladder.clone(), settings.valid);
        ladder.validity = course.stop.wait_for(move || validity(valid, &all, &parsing))??;
        let (base, climbing) = (snapshot.clone(), ladder.clone());
        let (refused, search, is_done) = course.stop.wait_for(move || {
            let search = InputSearch::new(&base, climbing);
            let is_done = matches!(search.step(), Step::Done);
            (languages.refused(&base), search, is_done)
        })?;
        for (file, why) in refused {
            self.watch.not_parsed(&file, &why);
        }
        if is_done && ladder.search.is_over_tree() {
            return Err(ReduceError::NoTree);
        }
        if is_done {
            return Err(ReduceError::NothingToAsk { level: ladder.finest.into() });
        }
        let whole = InputCandidate::whole(snapshot.clone());
        let opened = Opened { snapshot, whole, targets, _scratch: scratch, ladder, search };
        Ok((opened, workers))
    }

    /// Learns the failure, drops arguments that do not matter, and creates a lab that looks for the
    /// failure.
    fn prepare<'r>(
        &'r mut self,
        opened: &Opened<'_>,
        mut workers: InputWorkers,
        course: &ReduceCourse,
    ) -> Result<Prepared<'r>, ReduceError> {
        let Reduce { settings, surroundings, journal, watch, .. } = self;
        let past = &course.past;
        let Opened { whole, .. } = opened;
        if let Some(enforced) = workers.sandbox() {
            watch.sandbox(enforced);
        }
        let (key, size) = (Input.key(whole), Input.size(whole));
        if !course.is_about(key) {
            return Err(ReduceError::Changed);
        }
        let mut recorder = course.record(journal, *watch, |version, oracle| {
            let settings = Box::new(settings.clone());
            Event::Started { version, settings, key, oracle, size }
        })?;
        let learned = match past.learned.clone() {
            Some(learned) => learned,
            None => {
                let learned = learn::learn(settings, whole, &mut workers, past.is_flaky)?;
                recorder.write(&Event::Learned(Box::new(learned.clone())))?;
                learned
            }
        };
        let rule = learned.rule(settings)?;
        let max_tests = course.tests_left(settings.max_tests);
        let reserve = first_runs::reserve(&learned.durations, settings.budget);
        let budget = Budget { max_tests, reserve };
        let mut lab = Lab::new(Input, workers, (rule, learned.limits.clone()), recorder, budget);
        lab.expects_noise = settings.flaky.goes_on();
        lab.is_suspicious = lab.expects_noise && settings.flaky.repeat.is_some();
        if let Some(flakiness) = &learned.flaky {
            lab.repeat(Repeating::leaving_pieces(flakiness));
            lab.settle(Input.key(whole), Verdict::Fail);
        }
        lab.recall(&past.tests);
        // One test per argument decides nothing if the test is flaky.
        let mut shortened = None;
        if settings.reduce_args && learned.flaky.is_none() {
            let found = arguments::shorten(&mut lab, whole, settings, surroundings)?;
            if past.shortened.as_ref() != Some(&found) {
                lab.recorder.write(&Event::Shortened(found.clone()))?;
            }
            lab.instruct(setup::oracle(&found.settings(settings), surroundings)?);
            shortened = Some(found);
        }
        let keep = settings.keep_tests.as_ref();
        let keep = keep.map(|folder| settings.origin.as_path().join(folder.as_path()));
        let search = opened.search.clone();
        let there =
            learned.flaky.as_ref().filter(|_| settings.flaky.raise).map(|it| it.there.into());
        let reduction = Reduction { lab, search, keep, best: whole.clone(), raises: there };
        Ok(Prepared { reduction, learned, shortened })
    }
}

/// Returns the conditions that each candidate must meet, if there are any; an error if the input
/// does not meet them. `valid` demands sentences of the grammars.
fn validity(
    valid: bool,
    snapshot: &Snapshot,
    ladder: &LadderSettings,
) -> Result<Option<Arc<Validity>>, ReduceError> {
    let LadderSettings { languages, protection, .. } = ladder;
    if !valid {
        return Ok(Validity::protecting(snapshot, protection).map(Arc::new));
    }
    match Validity::of(snapshot, languages, protection) {
        Ok(validity) => Ok(Some(Arc::new(validity))),
        Err(Some(file)) => Err(ReduceError::NoSentence(file)),
        Err(None) => Err(ReduceError::NoGrammar),
    }
}

/// The course of a run of `reduce`.
type ReduceCourse = Course<Learned, Answer>;

/// The opened input with its search.
struct Opened<'s> {
    snapshot: Arc<Snapshot>,
    whole: InputCandidate,
    targets: Targets<'s>,
    /// Keeps the folder; it is deleted when this value is dropped.
    _scratch: Scratch,
    ladder: LadderSettings,
    search: InputSearch,
}

/// The lessons of the first runs, and the reduction before its first question.
struct Prepared<'r> {
    reduction: Reduction<'r>,
    learned: Learned,
    shortened: Option<Shortened>,
}

impl Job for Reduce<'_> {
    type Learned = Learned;
    type Answer = Answer;
    type Error = ReduceError;

    fn oracle_identity(&self) -> Result<Key, ReduceError> {
        let oracle: Oracle = setup::oracle(&self.settings, self.surroundings)?;
        Ok(oracle.identity(self.settings.limits.time))
    }

    fn witnesses(&mut self) -> (&mut Journal, &mut dyn Watch) {
        (&mut self.journal, self.watch)
    }

    fn is_always_clean(&self) -> bool {
        true
    }

    fn attempt(&mut self, course: &ReduceCourse) -> Result<Answer, ReduceError> {
        let (run, settings) = (self.journal.name(), self.settings.clone());
        let read = settings.clone();
        let found = course.stop.wait_for(move || input::read(&read))??;
        self.watch.left_out(&found.left_out);
        let (opened, workers) = self.open(&settings, &found, course)?;
        let Prepared { mut reduction, mut learned, shortened } =
            self.prepare(&opened, workers, course)?;
        let command = reduction.lab.workers.oracle().command.display();
        let proved = guarded(|| reduction.prove(&opened.ladder, settings.certify));
        let (mut proved, mut broken) = unless_broken(proved, &reduction, &settings)?;
        if let Some(broken) = broken.take_if(|_| !reduction.best.is_simpler_than(&opened.whole)) {
            return broken.raise();
        }
        let earlier = course.past.answer.as_ref().filter(|_| proved.ended != Ended::Done);
        if reduction.keep_earlier(earlier) {
            let Proved { ended, tally, .. } = proved;
            proved = Proved { ended, tally, ..reduction.unproved(settings.certify) };
        }
        let Proved { ended, tally: mut tests, proof, regions, isolated } = proved;
        if let Some(flaky) = &mut learned.flaky {
            flaky.least = reduction.lab.least_rate().map(|least| least.0);
        }
        let result = reduction.best.snapshot();
        let targets = opened.targets.unless_changed();
        let written = targets.and_then(|(targets, changed)| Ok((targets.write(&result)?, changed)));
        if let Some(broken) = broken.take_if(|_| written.is_err()) {
            return broken.raise();
        }
        let ((files, folders), changed_input) = written?;
        let isolated = isolated.map(|it| it.write(&opened.targets)).transpose()?;
        tests.wasted += course.in_vain;
        tests.proof = reduction.lab.tally.proof;
        let answer = Answer {
            job: JobName::Reduce,
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
            changed_input,
            start: TextSize::of(&opened.snapshot),
            size: TextSize::of(&result),
            tests,
            seconds: course.begun.elapsed().as_secs_f64(),
            started_over: course.past.started_over,
            sandbox: reduction.lab.workers.sandbox().cloned(),
            proof,
            isolated,
            regions,
            others: reduction.lab.recorder.others(),
            settings: settings.clone(),
        };
        let end = Event::Finished { answer: Box::new(answer.clone()) };
        let finished = reduction.lab.recorder.finish(&end);
        drop(reduction);
        if let Some(broken) = broken {
            self.watch.rescued(&answer);
            return broken.raise();
        }
        finished?;
        Ok(answer)
    }
}

/// Returns the outcome of a search, with the reason if an error or a panic ended it.
fn unless_broken(
    proved: std::thread::Result<Result<Proved, ReduceError>>,
    reduction: &Reduction<'_>,
    settings: &ReduceSettings,
) -> Result<(Proved, Option<Broken>), ReduceError> {
    let unproved = |ended| Proved { ended, ..reduction.unproved(settings.certify) };
    Ok(match proved {
        Ok(Ok(proved)) => (proved, None),
        // The run begins again, so no result is written.
        Ok(Err(error @ ReduceError::Lab(LabError::OutcomeChanged | LabError::Flaky))) => {
            return Err(error);
        }
        Ok(Err(error)) => match error.stopped() {
            Some(ended) => (unproved(ended), None),
            None => (unproved(Ended::Stopped), Some(Broken::Error(error))),
        },
        Err(panic) => (unproved(Ended::Defect), Some(Broken::Panic(panic))),
    })
}

/// The error or panic that ends a run before its search is done.
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
