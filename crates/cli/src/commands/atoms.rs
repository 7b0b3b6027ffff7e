//! `whodunit atoms`: lists the atomic changes between two versions.

use whodunit_jobs::listing::{self, AtomsAnswer, AtomsSettings};
use whodunit_run::Word;

use crate::args::{AtomsArgs, AtomsOutput};
use crate::exit::Exit;
use crate::inert;
use crate::output;
use crate::picture;
use crate::plan::{self, Environment};
use crate::report;
use crate::report::atoms::KindCounts;
use crate::trouble::Trouble;

pub(super) fn run(args: AtomsArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let AtomsOutput { json, dot, svg } = args.output;
    let counts_kinds = args.kinds;
    let pairs = plan::atomic::settings(args, &environment.folder)?;
    if counts_kinds {
        let kinds = pairs.iter().map(kinds_of).collect::<Result<Vec<_>, _>>()?;
        let text = match (json, svg) {
            (true, _) => as_json(&kinds)?,
            (_, true) => picture::atoms::kinds_svg(&kinds),
            _ => report::atoms::kinds(&kinds),
        };
        output::data(&text)?;
        return Ok(Exit::Finished);
    }
    let settings = pairs.first().expect("there are two versions");
    let answer = list(settings)?;
    let text = match (json, dot, svg) {
        (true, _, _) => as_json(&answer)?,
        (_, true, _) => picture::atoms::dot(&answer),
        (_, _, true) => picture::atoms::svg(&answer),
        _ => report::atoms::listing(&answer),
    };
    output::data(&text)?;
    Ok(Exit::Finished)
}

fn list(settings: &AtomsSettings) -> Result<AtomsAnswer, Trouble> {
    let failed = |error| Trouble::Atoms { error, settings: Box::new(settings.clone()) };
    listing::list(settings).map_err(failed)
}

/// Counts the changes of each kind between two versions.
fn kinds_of(settings: &AtomsSettings) -> Result<KindCounts, Trouble> {
    let name = |version: &Word| version.as_os_str().to_string_lossy().into_owned();
    let AtomsAnswer { atoms, kinds, .. } = list(settings)?;
    let (old, new) = (name(&settings.old), name(&settings.new));
    Ok(KindCounts { old, new, changes: atoms.len() as u64, kinds })
}

fn as_json<A: serde::Serialize>(answer: &A) -> Result<String, Trouble> {
    let text = inert::json(answer).map_err(|error| Trouble::Output(error.into()))?;
    Ok(text + "\n")
}
