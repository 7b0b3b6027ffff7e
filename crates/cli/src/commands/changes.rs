//! `whodunit changes`: finds the changes between two versions that made it fail.

use std::iter;

use whodunit_jobs::changes::{ChangesPast, ChangesSettings};
use whodunit_run::Stop;

use crate::args::ChangesArgs;
use crate::exit::Exit;
use crate::plan::{self, Environment, OutputPlan, dates};
use crate::session::{self, Session};
use crate::signals;
use crate::trouble::Trouble;

pub(super) fn run(mut args: ChangesArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let output = OutputPlan::new(&args.hunt.output)?;
    for version in iter::once(&mut args.good).chain(&mut args.bad) {
        dates::absolute_version(version, &environment.folder);
    }
    let (pages, phases) = (args.pages.clone(), args.atomic.phases);
    let settings = plan::changes::settings(args, &environment.folder)?;
    plan::outputs::check_changes(&settings, &output, &pages)?;
    session::warn_about_root(&environment, &output, settings.how.sandbox.is_on());
    session::warn_about_shell_words(&output, &settings.how.test);
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let session = Session { environment: &environment, output: &output, stop };
    let journal = environment.runs().create(&stem(&settings))?;
    let answer = session.find_changes(&settings, journal, ChangesPast::default())?;
    session.report_changes(&answer, &pages, phases)
}

/// Returns the beginning of the names of the run and its successors.
fn stem(settings: &ChangesSettings) -> String {
    let bad = settings.bad.as_path().file_name().unwrap_or_default();
    format!("changes-{}", bad.to_string_lossy())
}
