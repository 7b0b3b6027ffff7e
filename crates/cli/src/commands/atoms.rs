//! `whodunit atoms`: lists the atomic changes between two versions.

use whodunit_jobs::listing::{self, AtomsAnswer};

use crate::args::{AtomsArgs, AtomsOutput};
use crate::exit::Exit;
use crate::inert;
use crate::output;
use crate::picture;
use crate::plan::{self, Environment};
use crate::report;
use crate::trouble::Trouble;

pub(super) fn run(args: AtomsArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let AtomsOutput { json, dot, svg } = args.output;
    let settings = plan::atomic::settings(args, &environment.folder)?;
    let answer = listing::list(&settings);
    let answer =
        answer.map_err(|error| Trouble::Atoms { error, settings: Box::new(settings.clone()) })?;
    let text = match (json, dot, svg) {
        (true, _, _) => as_json(&answer)?,
        (_, true, _) => picture::atoms::dot(&answer),
        (_, _, true) => picture::atoms::svg(&answer),
        _ => report::atoms::listing(&answer),
    };
    output::data(&text)?;
    Ok(Exit::Finished)
}

fn as_json(answer: &AtomsAnswer) -> Result<String, Trouble> {
    let text = inert::json(answer).map_err(|error| Trouble::Output(error.into()))?;
    Ok(text + "\n")
}
