//! `whodunit reduce`: finds the smallest input that still fails the same way.

use whodunit_jobs::reduce::{ReduceSettings, Test};
use whodunit_run::Stop;

use crate::args::ReduceArgs;
use crate::exit::Exit;
use crate::plan::{self, Environment, OutputPlan};
use crate::session::{self, Before, Session};
use crate::signals;
use crate::trouble::Trouble;

pub(super) fn run(args: ReduceArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let output = OutputPlan::new(&args.output)?;
    let settings = plan::reduce(args, &environment.folder)?;
    plan::outputs::check_reduce(&settings, &output)?;
    session::warn_about_root(&environment, &output, settings.sandbox.is_on());
    if let Test::Command(command) = &settings.test {
        session::warn_about_shell_words(&output, command);
    }
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let session = Session { environment: &environment, output: &output, stop };
    let journal = environment.runs().create(&stem(&settings))?;
    let answer = session.carry_out(settings, journal, Before::default())?;
    session.report(&answer)
}

/// Returns the beginning of the names of the run and its successors.
pub(super) fn stem(settings: &ReduceSettings) -> String {
    let path = settings.inputs[0].as_path();
    format!("reduce-{}", path.file_name().unwrap_or_default().to_string_lossy())
}
