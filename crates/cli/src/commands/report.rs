//! `whodunit report`: draws the search of a run from its journal, or compares several runs.

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
    let (page, name) = match &args.runs[..] {
        [] | [_] => {
            let name = match args.runs.first() {
                Some(name) => name.clone(),
                None => runs.latest(&environment.folder, false)?.name,
            };
            let page = picture::page(&name, &runs.read(&name)?);
            (page.ok_or_else(|| RunsError::Headless(name.clone()))?, format!("{name}.html"))
        }
        several => {
            let read = |name: &String| Ok((name.clone(), runs.read(name)?));
            let read = several.iter().map(read).collect::<Result<Vec<_>, RunsError>>()?;
            (picture::pages(&read).map_err(RunsError::Headless)?, "runs.html".to_owned())
        }
    };
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(name));
    if path == Path::new("-") {
        output::data(&page)?;
    } else {
        fs::write(&path, page).map_err(|source| Trouble::Report { path: path.clone(), source })?;
        output::data(&report::table(&[("report", output::plain(&quote(path.as_os_str())))]))?;
    }
    Ok(Exit::Finished)
}
