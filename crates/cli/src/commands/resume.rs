//! `whodunit resume`: goes on with a run that was ended before its time.

use whodunit::engine::{Ended, Stop};
use whodunit::event::Event;
use whodunit::journal::RunsError;
use whodunit::reduce::Past;

use crate::args::ResumeArgs;
use crate::exit::Exit;
use crate::output;
use crate::plan::{Environment, OutputPlan};
use crate::session::{Before, Session};
use crate::signals;
use crate::trouble::Trouble;

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
    let (journal, events) = runs.reopen(&name)?;
    let started = events.iter().find_map(|event| match event {
        Event::Started { settings, size, .. } => Some(((**settings).clone(), size.bytes)),
        _ => None,
    });
    let (mut settings, start) = started.ok_or(RunsError::Headless(name))?;
    let past = Past::from(events);
    if let Some(answer) = past.answer.as_ref().filter(|answer| answer.ended == Ended::Done) {
        if !output.quiet {
            output::note("this run is finished already; its answer:");
        }
        return session.report(answer);
    }
    settings.budget = args.budget.budget.or(settings.budget);
    settings.max_tests = args.budget.max_tests.or(settings.max_tests);
    let answer = session.carry_out(settings, journal, Before { past, start: Some(start) })?;
    session.report(&answer)
}
