//! The course of a search, folded from the events of its journal.
//!
//! Only [`Heading`] depends on the job: every job commits answers, gets smaller and ends.

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

/// The course of a search, as a journal tells it.
pub(super) struct Course<'a> {
    pub(super) heading: Heading,
    /// The failure we are after, if the run learned it.
    pub(super) failure: Option<String>,
    /// The shortened command, if its arguments were searched too.
    pub(super) command: Option<String>,
    pub(super) measure: Measure,
    /// The answers that came from tests, in the order of commitment.
    pub(super) tests: Vec<Test<'a>>,
    /// The size at the beginning, and after each success.
    pub(super) steps: Vec<Step>,
    /// The parts of the search, without gaps; empty if there is only one.
    pub(super) phases: Vec<Phase>,
    /// The outcomes of the tests of each search; empty if there is only one.
    pub(super) searches: Vec<Searched>,
    pub(super) tally: Tally,
    /// The other failures, and how often each was seen; the most frequent first.
    pub(super) others: Vec<(String, u64)>,
    pub(super) spent: Vec<Spent>,
    /// The duration of the run by the clock, in seconds.
    pub(super) seconds: Option<f64>,
    /// The size at the beginning and at the end by the answer, if `steps` do not tell.
    found: Option<(u64, u64)>,
    /// Why the search ended; `None` if the journal ends before that.
    pub(super) ended: Option<Ended>,
    /// The answer of a run of `history`, which tells the steps in each version.
    pub(super) history: Option<&'a HistoryAnswer>,
}

/// The description of the run.
pub(super) struct Heading {
    pub(super) job: &'static str,
    /// The subject of the job.
    pub(super) subject: String,
    /// The command line.
    pub(super) asked: String,
    /// The folder where it was typed.
    pub(super) folder: String,
}

/// The unit of a candidate's size.
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
    /// The number of the question; foretold questions are counted here, but not tested.
    pub(super) question: u64,
    pub(super) verdict: Verdict,
    /// Whether the answer was known, so that nothing was run.
    pub(super) cached: bool,
    /// The size of the candidate.
    pub(super) size: u64,
    /// The observation, if this run made it.
    pub(super) seen: Option<&'a Observation>,
}

/// The size of the best candidate from some test on.
pub(super) struct Step {
    /// The number of the test that showed it; 0 for the beginning.
    pub(super) test: u64,
    pub(super) size: u64,
}

/// A part of the search.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub(super) name: &'static str,
    /// The number of tests before it.
    pub(super) from: u64,
    /// The number of its last test.
    pub(super) to: u64,
}

/// The outcomes of the tests of a search.
pub(super) struct Searched {
    pub(super) name: &'static str,
    /// The number of suspects at its beginning.
    pub(super) changes: u64,
    pub(super) outcomes: Outcomes,
}

impl Measure {
    /// A job whose deltas are known from the beginning is measured in deltas. One that cuts its
    /// subject anew on every level starts without deltas; it is measured in bytes, because its
    /// deltas cannot be compared.
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
    /// Folds a journal, or returns `None` if it does not tell what the run was about.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let (heading, mut fold) = events.iter().find_map(|event| match event {
            Event::Started { settings, size, .. } => {
                let measure = Measure::of_start(*size);
                let start = Step { test: 0, size: measure.of(*size) };
                Some((Heading::from(&**settings), Fold::new(measure, vec![start])))
            }
            // The number of suspects is known when a search begins.
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

    /// Returns the size at the beginning and the size now.
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
    /// The number of tests before the first question about the subject.
    before: u64,
    tests: Vec<Test<'a>>,
    steps: Vec<Step>,
    questions: u64,
    tally: Tally,
    others: Others,
    /// The last observation of each content.
    seen: HashMap<Key, (Verdict, &'a Observation)>,
    asked: HashSet<Key>,
    first_runs: Option<Spent>,
    /// Tests that ran, with their contents.
    ran: Vec<(Key, Verdict, Option<&'a Observation>)>,
    /// The searches of a run that has several.
    searches: Vec<Search>,
    outcomes: OutcomeCount,
    /// The search announced last; it begins with its first question.
    next: Option<(SearchStage, u64)>,
    history: Option<&'a HistoryAnswer>,
    end: Option<End>,
}

/// One of the searches of a run.
struct Search {
    stage: SearchStage,
    changes: u64,
    /// The number of tests before it.
    from: u64,
    outcomes: Outcomes,
}

/// The facts about the course that an answer holds.
struct End {
    ended: Ended,
    tally: Tally,
    seconds: f64,
    /// The sizes at the beginning and at the end, if steps do not tell.
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
            // Everything before the new start is dropped.
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
                // A continued run repeats questions; the answer is the same.
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

    /// Begins the announced search at its first question.
    ///
    /// A continued run announces its searches again; the one with the next question is then the
    /// last one, continued.
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

    /// Returns the number of suspects that a candidate of this size leaves.
    fn left(&self, size: Size) -> u64 {
        match (self.measure, self.searches.last()) {
            (Measure::Changes | Measure::Suspects, Some(search)) => {
                report::changes::left(search.stage, search.changes, size)
            }
            (measure, _) => measure.of(size),
        }
    }

    fn commit(&mut self, key: Key, verdict: Verdict, source: Source, size: u64) {
        // The run was continued, so the answer seen before was not the last.
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
    // Only a search that finished has a last success.
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

/// Returns a part for each of several searches.
fn bands(searches: &[Search], count: u64) -> Vec<Phase> {
    let name = report::changes::name;
    let ends = searches.iter().skip(1).map(|next| next.from).chain([count]);
    let band =
        |(search, to): (&Search, u64)| Phase { name: name(search.stage), from: search.from, to };
    let mut bands: Vec<Phase> = searches.iter().zip(ends).map(band).collect();
    bands.retain(|band| band.from < band.to);
    bands
}

/// Returns the failure that a test showed instead of the tracked one, in words.
fn other_failure(verdict: Verdict, seen: &Observation) -> Option<String> {
    let other = verdict == Verdict::Unresolved && seen.stage == Stage::Test;
    let telling = !matches!(seen.ending(), Ending::Limited(_) | Ending::Exited(0));
    (other && telling).then(|| seen.signature.kind())
}

/// Other failures in the order in which they were first seen.
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
