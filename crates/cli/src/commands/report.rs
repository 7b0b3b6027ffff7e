//! `whodunit report`: draws the search of a run from its journal.

use std::fs;
use std::path::{Path, PathBuf};

use whodunit_exec::quote;
use whodunit_jobs::journal::RunsError;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::plan::Environment;
use crate::trouble::Trouble;
use crate::{output, picture, report};

pub(super) fn run(args: &ReportArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let runs = environment.runs();
    let name = match &args.run {
        Some(name) => name.clone(),
        None => runs.latest(&environment.folder, false)?.name,
    };
    let page = picture::page(&name, &runs.read(&name)?)
        .ok_or_else(|| RunsError::Headless(name.clone()))?;
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.html")));
    if path == Path::new("-") {
        output::data(&page)?;
    } else {
        fs::write(&path, page).map_err(|source| Trouble::Report { path: path.clone(), source })?;
        output::data(&report::table(&[("report", output::plain(&quote(path.as_os_str())))]))?;
    }
    Ok(Exit::Finished)
}
