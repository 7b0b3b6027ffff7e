//! The journal of a run, and the folder where journals are kept.
//!
//! The journal contains everything that happened, in order, and is written as it happens. An
//! interrupted run continues from its journal without repeating a test.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whodunit_run::{Ended, TestEvent, Word};

use crate::answer::WhyAgain;
use crate::event::Event;
use crate::files::create_private_folder;
use crate::records::{self, Kind, Records, RecordsError};

const KIND: Kind = Kind { name: "journal", version: 4 };

/// The journal of a run, open for writing. No other process can open it at the same time.
#[derive(Debug)]
pub struct Journal {
    records: Records,
    tests: u64,
}

impl Journal {
    /// Writes an event.
    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        self.tests += u64::from(matches!(event, Event::Test(TestEvent::Tested { .. })));
        self.records.append(event)
    }

    /// Returns all events that were written so far.
    pub(crate) fn events(&self) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let read = records::read(self.records.path(), KIND, |event| events.push(event));
        read.map_err(io::Error::other)?;
        Ok(events)
    }

    /// Forgets everything except the settings of the run, because others could have written this
    /// journal: remembered tests would be believed, and a shortened command would be run.
    pub fn forget_tests(&mut self, events: &mut Vec<Event>) -> Result<(), RunsError> {
        let oracle = events.iter().find_map(|event| match event {
            Event::Started { oracle, .. }
            | Event::ChangesStarted { oracle, .. }
            | Event::HistoryStarted { oracle, .. } => Some(*oracle),
            _ => None,
        });
        let oracle = oracle.ok_or_else(|| RunsError::Headless(self.name()))?;
        let event = Event::StartedOver { why: WhyAgain::OpenJournal, oracle };
        let path = self.records.path().to_path_buf();
        self.write(&event).map_err(|source| RecordsError::Io { path, source })?;
        events.push(event);
        Ok(())
    }

    /// Makes sure that the journal survives a power failure.
    pub fn sync(&self) -> io::Result<()> {
        self.records.sync()
    }

    /// Returns the name of the run.
    pub fn name(&self) -> String {
        name_of(self.records.path())
    }

    /// Returns how many tests were written since the journal was opened.
    pub fn tests(&self) -> u64 {
        self.tests
    }
}

/// The summary of a run that its journal gives.
#[derive(Clone, Debug)]
pub struct RunInfo {
    /// The name of the run.
    pub name: String,
    /// The folder it was started from.
    pub origin: Word,
    /// Whether the run reached its own end; a stopped run can be continued.
    pub finished: bool,
    /// The time of the last event.
    pub modified: SystemTime,
}

/// Why a run cannot be found or used.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    /// There is no run of that name.
    #[error("there is no run named `{0}`")]
    NoSuchRun(String),
    /// No run that could be shown or continued was started here.
    #[error("there is no {kind} run that was started from `{}`", .folder.as_path().display())]
    NoneHere {
        /// The folder.
        folder: Word,
        /// The kind of run that was looked for.
        kind: &'static str,
    },
    /// The journal ends before the settings of the run.
    #[error("the journal of `{0}` does not say what the run was about")]
    Headless(String),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Records(#[from] RecordsError),
}

/// The folder where journals are kept.
#[derive(Clone, Debug)]
pub struct Runs {
    folder: PathBuf,
}

impl Runs {
    /// Keeps journals in `folder`, which need not exist yet.
    pub fn new(folder: PathBuf) -> Self {
        Runs { folder }
    }

    /// Creates the journal of a new run, with a name made of `stem` and a number.
    pub fn create(&self, stem: &str) -> Result<Journal, RecordsError> {
        let io_error = |source| RecordsError::Io { path: self.folder.clone(), source };
        create_private_folder(&self.folder).map_err(io_error)?;
        let plain =
            |char: char| if char.is_alphanumeric() || "._-".contains(char) { char } else { '_' };
        let stem: String = stem.chars().map(plain).take(60).collect();
        let taken = self.highest_number(&stem).map_err(io_error)?;
        for number in taken + 1.. {
            match Records::create(&self.path(&format!("{stem}-{number}")), KIND) {
                Err(RecordsError::Io { source, .. })
                    if source.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    let records = created?;
                    records.lock()?;
                    return Ok(Journal { records, tests: 0 });
                }
            }
        }
        unreachable!("numbers do not run out")
    }

    /// Opens a journal to continue it, and returns its events.
    pub fn reopen(&self, name: &str) -> Result<(Journal, Vec<Event>), RunsError> {
        let mut events = Vec::new();
        let path = self.existing(name)?;
        let records = Records::reopen(&path, KIND, |event| events.push(event))?;
        Ok((Journal { records, tests: 0 }, events))
    }

    /// Returns whether only this user could have written the journal of a run.
    pub fn is_private(&self, name: &str) -> Result<bool, RunsError> {
        let path = self.existing(name)?;
        let file = fs::metadata(&path).map_err(|source| RecordsError::Io { path, source })?;
        let is_ours = file.uid() == rustix::process::geteuid().as_raw();
        Ok(is_ours && file.mode() & 0o022 == 0)
    }

    /// Reads a journal.
    pub fn read(&self, name: &str) -> Result<Vec<Event>, RunsError> {
        let mut events = Vec::new();
        records::read(&self.existing(name)?, KIND, |event| events.push(event))?;
        Ok(events)
    }

    /// Returns the newest run that was started from `folder`; only an unfinished one if
    /// `unfinished` is set.
    pub fn latest(&self, folder: &Path, unfinished: bool) -> Result<RunInfo, RunsError> {
        let kind = if unfinished { "unfinished" } else { "earlier" };
        self.newest_first()
            .filter_map(|path| self.info(&path, |origin| origin == folder))
            .find(|run| !(unfinished && run.finished))
            .ok_or_else(|| RunsError::NoneHere { folder: folder.into(), kind })
    }

    /// Returns all runs whose journals can be read, the newest last.
    pub fn list(&self) -> Vec<RunInfo> {
        let mut runs: Vec<RunInfo> =
            self.newest_first().filter_map(|path| self.info(&path, |_| true)).collect();
        runs.reverse();
        runs
    }

    fn newest_first(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<_> = paths.map(|path| (modified(&path), path)).collect();
        paths.sort();
        paths.into_iter().rev().map(|(_, path)| path)
    }

    /// Deletes the journal of a run that found nothing.
    pub fn discard(&self, name: &str) -> Result<(), RunsError> {
        let path = self.existing(name)?;
        fs::remove_file(&path).map_err(|source| RecordsError::Io { path, source }.into())
    }

    /// Returns the folder where the journals are kept.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads the summary of a run, if the folder that it was started from is `wanted`.
    fn info(&self, path: &Path, wanted: impl Fn(&Path) -> bool) -> Option<RunInfo> {
        let origin = records::first(path, KIND).ok()?.and_then(|event| match event {
            Event::Started { settings, .. } => Some(settings.origin),
            Event::ChangesStarted { settings, .. } => Some(settings.how.origin),
            Event::HistoryStarted { settings, .. } => Some(settings.how.origin),
            _ => None,
        })?;
        if !wanted(origin.as_path()) {
            return None;
        }
        let mut finished = false;
        records::read(path, KIND, |event| match event {
            Event::Finished { answer } => finished = answer.ended == Ended::Done,
            Event::ChangesFinished { answer } => finished = answer.ended == Ended::Done,
            Event::HistoryFinished { answer } => finished = answer.ended == Ended::Done,
            _ => {}
        })
        .ok()?;
        Some(RunInfo { name: name_of(path), origin, finished, modified: modified(path)? })
    }

    fn highest_number(&self, stem: &str) -> io::Result<u64> {
        let numbers = fs::read_dir(&self.folder)?.flatten().filter_map(|entry| {
            let name = name_of(&entry.path());
            name.strip_prefix(stem)?.strip_prefix('-')?.parse().ok()
        });
        Ok(numbers.max().unwrap_or(0))
    }

    fn existing(&self, name: &str) -> Result<PathBuf, RunsError> {
        let path = self.path(name);
        let safe = !name.contains('/') && path.exists();
        if safe { Ok(path) } else { Err(RunsError::NoSuchRun(name.into())) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.journal"))
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
