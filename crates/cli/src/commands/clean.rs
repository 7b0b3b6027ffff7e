//! `whodunit clean`: lists what earlier runs left on disk, and deletes the parts that the
//! user names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use whodunit_exec::quote;
use whodunit_jobs::journal::{RunInfo, Runs};

use crate::args::CleanArgs;
use crate::exit::Exit;
use crate::output;
use crate::plan::Environment;
use crate::report;
use crate::trouble::Trouble;

pub(super) fn run(args: &CleanArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let runs = environment.runs();
    let is_due = |run: &RunInfo| {
        let is_old = args.older_than.is_some_and(|than| age(run) >= than);
        args.runs.contains(&run.name) || is_old && (run.finished || args.unfinished)
    };
    if args.runs.is_empty() && args.older_than.is_none() && !args.caches {
        return list(&environment, &runs);
    }
    // Check all names first, so that a misspelled one deletes nothing.
    for name in &args.runs {
        runs.read(name)?;
    }
    let (mut count, mut bytes) = (0, 0);
    for run in runs.list().iter().filter(|run| is_due(run)) {
        // A run that is still going on is an error, and its files stay.
        drop(runs.reopen(&run.name)?);
        bytes += size(&runs, &run.name);
        let patches = environment.patches(&run.name);
        remove(&patches)?;
        runs.discard(&run.name)?;
        count += 1;
    }
    let mut text = format!("deleted {}", report::counted(count, "run", "runs"));
    if args.caches {
        let caches = environment.caches();
        bytes += size_of(&caches);
        remove(&caches)?;
        text.push_str(" and the caches");
    }
    output::data(&format!("{text}: {}\n", report::bytes_short(bytes)))?;
    Ok(Exit::Finished)
}

/// Lists everything that can be deleted.
fn list(environment: &Environment, runs: &Runs) -> Result<Exit, Trouble> {
    let (mut rows, mut whole) = (Vec::new(), 0);
    for run in runs.list() {
        let bytes = size(runs, &run.name);
        whole += bytes;
        let state = if run.finished { "finished" } else { "unfinished" };
        let ago = format!("{} ago", report::time(age(&run)));
        rows.push([run.name.clone(), state.into(), ago, report::bytes_short(bytes)]);
    }
    let caches = environment.caches();
    let cached = size_of(&caches);
    if cached > 0 {
        let name = quote(caches.as_os_str());
        rows.push([name, "cache".into(), String::new(), report::bytes_short(cached)]);
    }
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [name, state, ago, bytes] in &rows {
        let name = output::plain(name);
        let [first, second, third] = widths;
        text.push_str(&format!("{name:first$}  {state:second$}  {ago:third$}  {bytes}\n"));
    }
    let all = report::bytes_short(whole + cached);
    text.push_str(&format!("{all} in all; nothing was deleted\n"));
    output::data(&text)?;
    if !rows.is_empty() {
        let hint = "hint: `whodunit clean --older-than 30d` deletes finished runs, `whodunit clean RUN` one \
                    run, `whodunit clean --caches` what can be fetched again";
        output::note(hint);
    }
    Ok(Exit::Finished)
}

fn age(run: &RunInfo) -> Duration {
    SystemTime::now().duration_since(run.modified).unwrap_or_default()
}

/// Returns the bytes of a run: those of its journal and its patches.
fn size(runs: &Runs, name: &str) -> u64 {
    let file = |ending: &str| runs.folder().join(format!("{name}.{ending}"));
    size_of(&file("journal")) + size_of(&file("patches"))
}

fn size_of(path: &Path) -> u64 {
    let Ok(found) = fs::symlink_metadata(path) else { return 0 };
    match found.is_dir() {
        true => inside(path).iter().map(|path| size_of(path)).sum(),
        false => found.len(),
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn remove(folder: &Path) -> Result<(), Trouble> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(Trouble::Write { path: folder.into(), source })
        }
        _ => Ok(()),
    }
}
