//! `whodunit steady`: tells how steady a test is, and on what that depends.

use whodunit_jobs::changes::{ChangesSettings, VersionSettings};
use whodunit_jobs::steady::{self, SteadySettings};
use whodunit_run::{Stop, Word};

use crate::args::{SteadyArgs, processors};
use crate::exit::Exit;
use crate::output;
use crate::plan::{self, Environment};
use crate::progress::Progress;
use crate::report;
use crate::signals;
use crate::trouble::Trouble;

pub(super) fn run(args: SteadyArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let (json, quiet) = (args.json, args.quiet);
    let settings = settings(args, &environment)?;
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let mut progress = Progress::new(quiet);
    progress.begin("running the test");
    let surroundings = environment.surroundings(&settings.how.variables);
    let answer = steady::steady(&settings, &surroundings, &stop, &mut |made, all| {
        progress.checked(made, all);
    });
    progress.end();
    let answer = answer.map_err(|error| {
        let SteadySettings { version, how, .. } = settings;
        let settings = Box::new(ChangesSettings::new(version.clone(), version, how));
        Trouble::Changes { error, settings, run: None }
    })?;
    if json {
        output::json(&answer)?;
    } else if !quiet {
        output::data(&report::steady::answer(&answer))?;
    }
    Ok(Exit::Finished)
}

fn settings(typed: SteadyArgs, environment: &Environment) -> Result<SteadySettings, Trouble> {
    let SteadyArgs { version, command, runs, jobs, build, with, limits, json: _, quiet: _ } = typed;
    plan::check_one_word(&command, &environment.folder, plan::OneWordOf::Version)?;
    let mut how = VersionSettings::new(&environment.folder, command);
    how.build = build;
    how.with = with.into_iter().map(Word::from).collect();
    how.limits = plan::limit_settings(&limits);
    how.sandbox = plan::sandbox_mode(limits.sandbox);
    how.jobs = jobs.map_or_else(|| 2 * processors(), usize::from);
    Ok(SteadySettings::new(version, runs, how))
}
