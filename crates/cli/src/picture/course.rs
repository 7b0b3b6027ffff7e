//! The course of a search, folded from the events of its journal.
//!
//! Nothing here depends on the job but [`Heading`]: every job commits answers, gets smaller and
//! comes to an end.

use std::collections::{HashMap, HashSet};

use whodunit_jobs::changes::ChangesSettings;
use whodunit_jobs::core::Verdict;
use whodunit_jobs::event::{Event, Stage as SearchStage};
use whodunit_jobs::history::{HistoryAnswer, HistoryOutcome, HistorySettings};
use whodunit_jobs::reduce::ReduceSettings;
use whodunit_run::Key;
use whodunit_run::judge::{Observation, Stage};
use whodunit_run::{Ended, Ending, Size, Source, Tally, TestEvent};

use super::text::counted;
use super::time::{self, Spent};
use crate::report::outcomes::{OutcomeCount, Outcomes};
use crate::{plan, report};

/// What a journal says about the course of a search.
pub(super) struct Course<'a> {
    pub(super) heading: Heading,
    /// The failure we are after, if the run came to learn it.
    pub(super) failure: Option<String>,
    /// What is left of the command, if its arguments were searched too.
    pub(super) command: Option<String>,
    pub(super) measure: Measure,
    /// The answers that came from tests, in the order of commitment.
    pub(super) tests: Vec<Test<'a>>,
    /// The size to begin with, and after each success.
    pub(super) steps: Vec<Step>,
    /// Stretches of the search, without gaps; empty if there is only one.
    pub(super) phases: Vec<Phase>,
    /// What the tests inside of each search said; empty if there is only one.
    pub(super) searches: Vec<Searched>,
    pub(super) tally: Tally,
    /// Other failures that were met, and how often; the most frequent first.
    pub(super) others: Vec<(String, u64)>,
    pub(super) spent: Vec<Spent>,
    /// How long the run took by the clock, in seconds.
    pub(super) seconds: Option<f64>,
    /// How much there was and how much is left by the answer, if steps do not tell.
    found: Option<(u64, u64)>,
    /// Why the search ended; `None` if the journal ends before it.
    pub(super) ended: Option<Ended>,
    /// The answer of a run of `history`, which says what was done in which version.
    pub(super) history: Option<&'a HistoryAnswer>,
}

/// What the run was asked to do.
pub(super) struct Heading {
    pub(super) job: &'static str,
    /// What the job was about.
    pub(super) subject: String,
    /// The command line.
    pub(super) asked: String,
    /// The folder where it was typed.
    pub(super) folder: String,
}

/// What the size of a candidate is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Bytes,
    Deltas,
    Changes,
    /// Versions on the way, changes in the end.
    Suspects,
}

/// An answer that came from a test.
pub(super) struct Test<'a> {
    /// The number of the test, from 1.
    pub(super) number: u64,
    /// The number of the question; what is foretold is asked too, but not tested.
    pub(super) question: u64,
    pub(super) verdict: Verdict,
    /// Whether the answer was known, so that nothing had to be run.
    pub(super) cached: bool,
    /// The size of the candidate.
    pub(super) size: u64,
    /// What was seen, if this run saw it.
    pub(super) seen: Option<&'a Observation>,
}

/// The best candidate from some test on.
pub(super) struct Step {
    /// The number of the test that showed it; 0 for the beginning.
    pub(super) test: u64,
    pub(super) size: u64,
}

/// A stretch of the search.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub(super) name: &'static str,
    /// How many tests come before it.
    pub(super) from: u64,
    /// The number of its last test.
    pub(super) to: u64,
}

/// What the tests inside of a search said.
pub(super) struct Searched {
    pub(super) name: &'static str,
    /// How many changes there were to suspect.
    pub(super) changes: u64,
    pub(super) outcomes: Outcomes,
}

impl Measure {
    /// A job whose deltas are known from the beginning is measured by them. One that cuts its
    /// subject anew on every level starts without; its deltas cannot be compared, its bytes can.
    fn of_start(start: Size) -> Self {
        if start.deltas > 0 { Measure::Deltas } else { Measure::Bytes }
    }

    fn of(self, size: Size) -> u64 {
        match self {
            Measure::Bytes => size.bytes,
            Measure::Deltas | Measure::Changes | Measure::Suspects => size.deltas as u64,
        }
    }

    pub(super) fn unit(self) -> &'static str {
        match self {
            Measure::Bytes => "bytes",
            Measure::Deltas => "deltas",
            Measure::Changes => "changes",
            Measure::Suspects => "suspects",
        }
    }

    /// Returns a size in words.
    pub(super) fn words(self, size: u64) -> String {
        match self {
            Measure::Bytes => counted(size, "byte", "bytes"),
            Measure::Deltas => counted(size, "delta", "deltas"),
            Measure::Changes => counted(size, "change", "changes"),
            Measure::Suspects => counted(size, "suspect", "suspects"),
        }
    }
}

impl From<&ReduceSettings> for Heading {
    fn from(settings: &ReduceSettings) -> Self {
        let inputs = settings.inputs.iter().map(|input| input.as_path().display().to_string());
        Heading {
            job: "reduce",
            subject: inputs.collect::<Vec<_>>().join(", "),
            asked: plan::command_line(settings),
            folder: settings.origin.as_path().display().to_string(),
        }
    }
}

impl From<&ChangesSettings> for Heading {
    fn from(settings: &ChangesSettings) -> Self {
        let name = |version: &whodunit_run::Word| version.as_path().display().to_string();
        Heading {
            job: "changes",
            subject: format!("{} to {}", name(&settings.good), name(&settings.bad)),
            asked: plan::changes::command_line(settings),
            folder: settings.how.origin.as_path().display().to_string(),
        }
    }
}

impl From<&HistorySettings> for Heading {
    fn from(settings: &HistorySettings) -> Self {
        let newest = settings.until.as_deref().unwrap_or("the newest version");
        Heading {
            job: "history",
            subject: format!("{} back from {newest}", settings.place.as_path().display()),
            asked: plan::history::command_line(settings),
            folder: settings.how.origin.as_path().display().to_string(),
        }
    }
}

impl<'a> Course<'a> {
    /// Folds a journal, or returns `None` if it does not say what the run was about.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let (heading, mut fold) = events.iter().find_map(|event| match event {
            Event::Started { settings, size, .. } => {
                let measure = Measure::of_start(*size);
                let start = Step { test: 0, size: measure.of(*size) };
                Some((Heading::from(&**settings), Fold::new(measure, vec![start])))
            }
            // How much there is to suspect shows when a search begins.
            Event::ChangesStarted { settings, .. } => {
                Some((Heading::from(&**settings), Fold::new(Measure::Changes, Vec::new())))
            }
            Event::HistoryStarted { settings, .. } => {
                Some((Heading::from(&**settings), Fold::new(Measure::Suspects, Vec::new())))
            }
            _ => None,
        })?;
        events.iter().for_each(|event| fold.take(event));
        Some(fold.end(heading))
    }

    /// Returns the size to begin with and the size now.
    pub(super) fn sizes(&self) -> (u64, u64) {
        let size = |step: Option<&Step>| step.map_or(0, |step| step.size);
        self.found.unwrap_or_else(|| (size(self.steps.first()), size(self.steps.last())))
    }
}

/// A course while the journal is being read.
struct Fold<'a> {
    measure: Measure,
    failure: Option<String>,
    command: Option<String>,
    /// Tests before the first question about the subject.
    before: u64,
    tests: Vec<Test<'a>>,
    steps: Vec<Step>,
    questions: u64,
    tally: Tally,
    others: Others,
    /// What was seen last of each content.
    seen: HashMap<Key, (Verdict, &'a Observation)>,
    asked: HashSet<Key>,
    first_runs: Option<Spent>,
    /// Tests that ran, with their contents.
    ran: Vec<(Key, Verdict, Option<&'a Observation>)>,
    /// The searches of a run that has several.
    searches: Vec<Search>,
    outcomes: OutcomeCount,
    /// The search that was told of last, until it asks.
    next: Option<(SearchStage, u64)>,
    history: Option<&'a HistoryAnswer>,
    end: Option<End>,
}

/// One of the searches of a run.
struct Search {
    stage: SearchStage,
    changes: u64,
    /// How many tests come before it.
    from: u64,
    outcomes: Outcomes,
}

/// What an answer says about the course.
struct End {
    ended: Ended,
    tally: Tally,
    seconds: f64,
    /// How much there was to begin with and in the end, if steps do not tell.
    sizes: Option<(u64, u64)>,
}

impl<'a> Fold<'a> {
    fn new(measure: Measure, steps: Vec<Step>) -> Self {
        Fold {
            measure,
            failure: None,
            command: None,
            before: 0,
            tests: Vec::new(),
            steps,
            questions: 0,
            tally: Tally::default(),
            others: Others::default(),
            seen: HashMap::new(),
            asked: HashSet::new(),
            first_runs: None,
            ran: Vec::new(),
            searches: Vec::new(),
            outcomes: OutcomeCount::default(),
            next: None,
            history: None,
            end: None,
        }
    }

    fn take(&mut self, event: &'a Event) {
        self.fold(event);
        if let Event::Test(event) = event {
            let search = self.searches.last_mut().map(|search| &mut search.outcomes);
            self.outcomes.take(event, search);
        }
    }

    fn fold(&mut self, event: &'a Event) {
        match event {
            Event::Started { .. } | Event::ChangesStarted { .. } | Event::HistoryStarted { .. } => {
            }
            // What came before does not count any more.
            Event::StartedOver { .. } => {
                *self = Fold::new(self.measure, self.steps.drain(..).take(1).collect());
            }
            Event::Test(TestEvent::Known { .. }) => {}
            Event::EndsLearned(learned) => {
                self.failure = Some(learned.failure.clone());
                self.first_runs = Some(Spent::of("first runs", &learned.durations));
            }
            Event::Search { stage, changes } => self.next = Some((*stage, *changes)),
            Event::Learned(learned) => {
                self.failure = Some(learned.failure.clone());
                self.first_runs = Some(Spent::of("first runs", &learned.durations));
            }
            Event::Shortened(shortened) => {
                self.command = Some(report::command(shortened));
                self.before = self.tests.len() as u64;
                self.others = Others::default();
            }
            Event::Test(TestEvent::Tested { key, verdict, observation }) => {
                let observation = observation.as_deref();
                self.ran.push((*key, *verdict, observation));
                if let Some(observation) = observation {
                    self.seen.insert(*key, (*verdict, observation));
                }
            }
            Event::Test(TestEvent::Committed { question, key, verdict, source, size }) => {
                // What is asked again after a run went on is the same answer.
                if *question > self.questions {
                    self.questions = *question;
                    self.begin();
                    self.commit(*key, *verdict, *source, self.left(*size));
                }
            }
            Event::Test(TestEvent::Improved { size, .. }) => {
                let step = Step { test: self.tests.len() as u64, size: self.left(*size) };
                let last = self.steps.last().is_some_and(|last| last.size == step.size);
                if !last {
                    self.tally.after_last_success = 0;
                    self.steps.push(step);
                }
            }
            Event::Finished { answer } => {
                let (ended, tally, seconds) = (answer.ended, answer.tests, answer.seconds);
                self.end = Some(End { ended, tally, seconds, sizes: None });
            }
            Event::HistoryFinished { answer } => {
                let (ended, tally, seconds) = (answer.ended, answer.tests, answer.seconds);
                let found = match &answer.outcome {
                    HistoryOutcome::Found { suspects, .. } => Some(suspects.len() as u64),
                    _ => None,
                };
                let sizes = found.map(|found| (answer.versions, found));
                self.history = Some(answer);
                self.end = Some(End { ended, tally, seconds, sizes });
            }
            Event::ChangesFinished { answer } => {
                let (ended, tally, seconds) = (answer.ended, answer.tests, answer.seconds);
                let found = answer.causes.first().map(|cause| cause.culprit.len() as u64);
                let sizes = found.map(|found| (answer.size.changes, found));
                self.end = Some(End { ended, tally, seconds, sizes });
            }
        }
    }

    /// Takes note that a search asks, from as many changes as there are.
    ///
    /// A run that goes on tells of its searches again; the one that asks next is the one that
    /// was last.
    fn begin(&mut self) {
        let Some((stage, changes)) = self.next.take() else { return };
        let is_last = |last: &Search| last.stage == stage && last.changes == changes;
        if !self.searches.last().is_some_and(is_last) {
            let from = self.tests.len() as u64;
            let outcomes = Outcomes::default();
            self.searches.push(Search { stage, changes, from, outcomes });
            self.steps.push(Step { test: from, size: changes });
        }
    }

    /// Returns how much is left to suspect with a candidate of this size.
    fn left(&self, size: Size) -> u64 {
        match (self.measure, self.searches.last()) {
            (Measure::Changes | Measure::Suspects, Some(search)) => {
                report::changes::left(search.stage, search.changes, size)
            }
            (measure, _) => measure.of(size),
        }
    }

    fn commit(&mut self, key: Key, verdict: Verdict, source: Source, size: u64) {
        // The run went on after an answer that was not the last.
        self.end = None;
        self.asked.insert(key);
        self.tally.unresolved += u64::from(verdict == Verdict::Unresolved);
        let seen = self.seen.get(&key);
        if let Some(failure) = seen.and_then(|(verdict, seen)| other_failure(*verdict, seen)) {
            self.others.count(failure);
        }
        match source {
            Source::Committed => {
                self.tally.committed += 1;
                self.tally.after_last_success += 1;
            }
            Source::Cached => self.tally.cached += 1,
            Source::Foretold => {
                self.tally.foretold += 1;
                return;
            }
        }
        self.tests.push(Test {
            number: self.tests.len() as u64 + 1,
            question: self.questions,
            verdict,
            cached: source == Source::Cached,
            size,
            seen: seen.map(|(_, observation)| *observation),
        });
    }

    fn end(mut self, heading: Heading) -> Course<'a> {
        self.tally.wasted = (self.ran.len() as u64).saturating_sub(self.tally.committed);
        let count = self.tests.len() as u64;
        let ended = self.end.as_ref().map(|end| end.ended);
        let asked = &self.asked;
        let ran = self.ran.iter().filter_map(|&(key, verdict, observation)| {
            Some((asked.contains(&key), verdict, observation?))
        });
        let mut spent: Vec<Spent> = self.first_runs.into_iter().collect();
        spent.extend(time::spent(ran));
        let searches = self.searches.iter().map(|search| Searched {
            name: report::changes::name(search.stage),
            changes: search.changes,
            outcomes: search.outcomes.clone(),
        });
        Course {
            heading,
            failure: self.failure,
            command: self.command,
            measure: self.measure,
            phases: match &self.searches[..] {
                [] => phases(self.before, &self.steps, count, ended),
                searches => bands(searches, count),
            },
            searches: searches.collect(),
            tests: self.tests,
            steps: self.steps,
            tally: self.end.as_ref().map_or(self.tally, |end| end.tally),
            others: self.others.sorted(),
            spent,
            found: self.end.as_ref().and_then(|end| end.sizes),
            seconds: self.end.map(|end| end.seconds),
            ended,
            history: self.history,
        }
    }
}

fn phases(before: u64, steps: &[Step], count: u64, ended: Option<Ended>) -> Vec<Phase> {
    // Only a search that came to its end had its last success.
    let last = steps.last().map(|step| step.test.max(before));
    let last = last.filter(|_| ended == Some(Ended::Done)).unwrap_or(count);
    let mut phases = vec![
        Phase { name: "arguments", from: 0, to: before },
        Phase { name: "search", from: before, to: last },
        Phase { name: "after the last success", from: last, to: count },
    ];
    phases.retain(|phase| phase.from < phase.to);
    if phases.len() > 1 { phases } else { Vec::new() }
}

/// Returns a stretch for each of several searches.
fn bands(searches: &[Search], count: u64) -> Vec<Phase> {
    let name = report::changes::name;
    let ends = searches.iter().skip(1).map(|next| next.from).chain([count]);
    let band =
        |(search, to): (&Search, u64)| Phase { name: name(search.stage), from: search.from, to };
    let mut bands: Vec<Phase> = searches.iter().zip(ends).map(band).collect();
    bands.retain(|band| band.from < band.to);
    bands
}

/// Returns the failure that a test showed instead of ours, in words.
fn other_failure(verdict: Verdict, seen: &Observation) -> Option<String> {
    let other = verdict == Verdict::Unresolved && seen.stage == Stage::Test;
    let telling = !matches!(seen.ending(), Ending::Limited(_) | Ending::Exited(0));
    (other && telling).then(|| seen.signature.kind())
}

/// Failures in the order in which they were met.
#[derive(Default)]
struct Others {
    counts: Vec<(String, u64)>,
    places: HashMap<String, usize>,
}

impl Others {
    fn count(&mut self, failure: String) {
        let next = self.counts.len();
        let place = *self.places.entry(failure.clone()).or_insert(next);
        if place == next {
            self.counts.push((failure, 0));
        }
        self.counts[place].1 += 1;
    }

    fn sorted(mut self) -> Vec<(String, u64)> {
        self.counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        self.counts
    }
}
