//! `whodunit resume`: continues an interrupted run.

use whodunit_jobs::changes::{ChangesPast, ChangesSettings};
use whodunit_jobs::event::Event;
use whodunit_jobs::history::{HistoryPast, HistorySettings};
use whodunit_jobs::journal::{Journal, RunsError};
use whodunit_jobs::reduce::{ReducePast, ReduceSettings};
use whodunit_jobs::settings::SandboxMode;
use whodunit_run::{Ended, Source, Stop, TestEvent};

use crate::args::{PagesArgs, ResumeArgs, processors};
use crate::consent::{self, Demands, Foreign};
use crate::exit::Exit;
use crate::output;
use crate::plan::{Environment, OutputPlan, outputs};
use crate::session::{Before, Session};
use crate::signals;
use crate::trouble::{Trouble, Usage};

pub(super) fn run(args: ResumeArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let output = OutputPlan::new(&args.output)?;
    let runs = environment.runs();
    let name = match args.run {
        Some(name) => name,
        None => runs.latest(&environment.folder, true)?.name,
    };
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let session = Session { environment: &environment, output: &output, stop };
    let is_foreign = !runs.is_private(&name)?;
    let (mut journal, mut events) = runs.reopen(&name)?;
    if let Some(most) = args.budget.max_tests {
        let had = tests_had(&events);
        if most <= had {
            return Err(Usage::FewerTests { run: name, had, most }.into());
        }
    }
    let started = events.iter().find_map(Started::of);
    let mut started = started.ok_or_else(|| RunsError::Headless(name.clone()))?;
    if is_foreign {
        let quiet = args.output.quiet;
        let (why, args) = (OTHER_OWNER, &args.trust);
        Foreign { name: name.clone(), why, args, has_own_commands: false, quiet }
            .confirm(&started.demands())?;
        journal.forget_tests(&mut events)?;
        let jobs = started.jobs();
        *jobs = processors().min(*jobs);
    }
    let sandbox = started.sandbox();
    *sandbox = consent::mode(&args.trust, is_foreign, *sandbox);
    started.check_outputs(&output, &args.pages)?;
    match started {
        Started::Changes(mut settings) => {
            settings.how.budget = args.budget.budget.or(settings.how.budget);
            settings.how.max_tests = args.budget.max_tests.or(settings.how.max_tests);
            go_on_with_changes(&session, &settings, journal, events, &args.pages)
        }
        Started::Reduce(..) if args.pages.are_wanted() => Err(Usage::NoPages(name).into()),
        Started::History(mut settings) => {
            settings.how.budget = args.budget.budget.or(settings.how.budget);
            settings.how.max_tests = args.budget.max_tests.or(settings.how.max_tests);
            go_on_with_history(&session, &settings, journal, events, &args.pages)
        }
        Started::Reduce(mut settings, start) => {
            settings.budget = args.budget.budget.or(settings.budget);
            settings.max_tests = args.budget.max_tests.or(settings.max_tests);
            go_on_with_reduce(&session, settings, start, journal, events)
        }
    }
}

/// Returns how many tests have decided a question since the run began.
fn tests_had(events: &[Event]) -> u64 {
    let is_test = |event: &&Event| {
        matches!(event, Event::Test(TestEvent::Committed { source: Source::Committed, .. }))
    };
    events.iter().filter(is_test).count() as u64
}

/// Why a journal is not known to be the user's own.
const OTHER_OWNER: &str = "has a journal that others can have written";

/// The job of a run, with its settings.
enum Started {
    /// With the size of the input in bytes.
    Reduce(ReduceSettings, u64),
    Changes(ChangesSettings),
    History(HistorySettings),
}

impl Started {
    /// Lists the things that the run makes whodunit use.
    fn demands(&self) -> Demands {
        match self {
            Started::Reduce(settings, _) => {
                [consent::of_reduce(settings, None), consent::files_of_reduce(settings)].concat()
            }
            Started::Changes(ChangesSettings { good, bad, how, .. }) => {
                [consent::of_changes(good, bad, how), consent::files_of_hunt(how)].concat()
            }
            Started::History(settings) => {
                [consent::of_history(settings), consent::files_of_hunt(&settings.how)].concat()
            }
        }
    }

    /// Makes sure that nothing is written over what the run reads.
    fn check_outputs(&self, output: &OutputPlan, pages: &PagesArgs) -> Result<(), Usage> {
        match self {
            Started::Reduce(settings, _) => outputs::check_reduce(settings, output),
            Started::Changes(settings) => outputs::check_changes(settings, output, pages),
            Started::History(settings) => outputs::check_history(settings, output, pages),
        }
    }

    fn jobs(&mut self) -> &mut usize {
        match self {
            Started::Reduce(settings, _) => &mut settings.jobs,
            Started::Changes(settings) => &mut settings.how.jobs,
            Started::History(settings) => &mut settings.how.jobs,
        }
    }

    fn sandbox(&mut self) -> &mut SandboxMode {
        match self {
            Started::Reduce(settings, _) => &mut settings.sandbox,
            Started::Changes(settings) => &mut settings.how.sandbox,
            Started::History(settings) => &mut settings.how.sandbox,
        }
    }

    fn of(event: &Event) -> Option<Self> {
        match event {
            Event::Started { settings, size, .. } => {
                Some(Started::Reduce((**settings).clone(), size.bytes))
            }
            Event::ChangesStarted { settings, .. } => Some(Started::Changes((**settings).clone())),
            Event::HistoryStarted { settings, .. } => Some(Started::History((**settings).clone())),
            _ => None,
        }
    }
}

fn go_on_with_changes(
    session: &Session<'_>,
    settings: &ChangesSettings,
    journal: Journal,
    events: Vec<Event>,
    pages: &PagesArgs,
) -> Result<Exit, Trouble> {
    let past = ChangesPast::from(events);
    if let Some(answer) = past.answer.as_ref().filter(|answer| answer.ended == Ended::Done) {
        say_finished(session);
        return session.report_changes(answer, pages, true);
    }
    let answer = session.find_changes(settings, journal, past)?;
    session.report_changes(&answer, pages, true)
}

fn go_on_with_history(
    session: &Session<'_>,
    settings: &HistorySettings,
    journal: Journal,
    events: Vec<Event>,
    pages: &PagesArgs,
) -> Result<Exit, Trouble> {
    let past = HistoryPast::from(events);
    if let Some(answer) = past.answer.as_ref().filter(|answer| answer.ended == Ended::Done) {
        say_finished(session);
        return session.report_history(answer, pages);
    }
    let answer = session.walk_history(settings, journal, past)?;
    session.report_history(&answer, pages)
}

fn go_on_with_reduce(
    session: &Session<'_>,
    settings: ReduceSettings,
    start: u64,
    journal: Journal,
    events: Vec<Event>,
) -> Result<Exit, Trouble> {
    let past = ReducePast::from(events);
    if let Some(answer) = past.answer.as_ref().filter(|answer| answer.ended == Ended::Done) {
        say_finished(session);
        return session.report(answer);
    }
    let answer = session.carry_out(settings, journal, Before { past, start: Some(start) })?;
    session.report(&answer)
}

fn say_finished(session: &Session<'_>) {
    if !session.output.quiet {
        output::note("this run is finished already; its answer:");
    }
}
