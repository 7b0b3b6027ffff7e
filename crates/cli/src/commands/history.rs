//! `whodunit history`: finds the version that made it fail, without knowing one that passes.

use whodunit_jobs::history::{HistoryPast, HistorySettings};
use whodunit_run::Stop;

use crate::args::{HistoryArgs, VersionsArgs};
use crate::exit::Exit;
use crate::plan::{self, Environment, OutputPlan, dates};
use crate::session::{self, Session};
use crate::signals;
use crate::trouble::Trouble;

pub(super) fn run(mut args: HistoryArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let output = OutputPlan::new(&args.hunt.output)?;
    let VersionsArgs { good, since, until, .. } = &mut args.versions;
    for version in [good, since, until].into_iter().flatten() {
        dates::absolute(version, &environment.folder);
    }
    let pages = args.pages.clone();
    let settings = plan::history::settings(args, &environment.folder)?;
    plan::outputs::check_history(&settings, &output, &pages)?;
    session::warn_about_root(&environment, &output, settings.how.sandbox.is_on());
    session::warn_about_shell_words(&output, &settings.how.test);
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let session = Session { environment: &environment, output: &output, stop };
    let journal = environment.runs().create(&stem(&settings))?;
    let answer = session.walk_history(&settings, journal, HistoryPast::default())?;
    session.report_history(&answer, &pages)
}

/// Returns the beginning of the names of the run and its successors.
fn stem(settings: &HistorySettings) -> String {
    let place = settings.how.origin.as_path().join(settings.place.as_path());
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    // The name of a module of a CVS repository comes after the path.
    let name = name.rsplit('#').next().unwrap_or_default();
    format!("history-{name}")
}
