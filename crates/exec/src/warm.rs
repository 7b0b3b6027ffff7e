//! A worker on this machine whose folder stays as the last test left it, so that builds do only
//! what is necessary.
//!
//! Only files that differ from the last candidate are written; the others keep their times. Changes
//! of a test to files of the candidate are undone before the next test; other files that it made
//! stay. After a test that was cancelled or ended by a limit or by `SIGKILL`, half-written files
//! may look whole to a build, so the folder is deleted and made again at the next test, which is
//! slow but right. With a command to clean it, the folder is kept even then.

mod build_cache;
mod hand;
mod stamp;
mod tree;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::again::{Attempt, until_undisturbed};
use crate::command::Command;
use crate::error::WorkerError;
use crate::oracle::Oracle;
use crate::process::Launcher;
use crate::runner::{Builds, Place, Runner};
use crate::scratch::{self, SCRIPTS, ScratchError, Slot, WORK};
use crate::trace::Trace;
use hand::Hand;
use tree::Tree;

pub use build_cache::BuildCache;

use whodunit_run::hints::{self, Mention};
use whodunit_run::judge::{Observation, Provenance, Rule, Stage};
use whodunit_run::{Ending, EntryKind, FileChange, Key, LayOutOver, TreeFile};
use whodunit_run::{Observe, Ran, Tested, Ticket, Worker};

/// The signal with which the kernel ends processes when memory runs out.
const KILL: i32 = 9;

/// The treatment of the folder between two tests.
#[derive(Clone, Debug)]
pub enum Between {
    /// It stays as it is.
    Keep,
    /// This command runs in it before the next candidate is laid out. If it fails, the folder is
    /// deleted.
    Clean(Command),
    /// It is deleted.
    Discard,
}

/// The tasks of a warm worker beside testing.
#[derive(Clone, Debug)]
pub struct WarmSettings {
    /// The treatment of the folder between two tests.
    pub between: Between,
    /// A command of the user that reads the output of a failed build or test from its standard
    /// input, and prints names or `file:line` places that the output is about, one per line.
    pub hint: Option<Command>,
    /// Where outputs of builds are kept; `None` if they are not.
    pub build_cache: Option<BuildCache>,
}

/// A worker on this machine with a folder that stays.
///
/// Commands run in that folder; `{}` is the folder itself, and `TMPDIR` is a folder that is emptied
/// after each test. A script that is part of the command is copied to a place outside the folder,
/// unless the candidates have it at its place.
pub struct Warm<B: LayOutOver> {
    subject: B,
    runner: Runner,
    slot: Slot,
    settings: WarmSettings,
    tree: Tree,
    /// The candidate whose files are in the folder; `None` if the folder cannot be relied on.
    last: Option<B::Candidate>,
    scripts: Tree,
    /// The oracle as the user gave it, without the copies of its scripts.
    given: Arc<Oracle>,
    /// Set while tests are traced.
    trace: Option<Trace>,
    /// Whether the next test has to build in a clean folder.
    must_be_clean: bool,
}

impl<B: LayOutOver> Warm<B> {
    /// Makes a worker that lays out candidates in `slot`.
    pub fn new(
        subject: B,
        launcher: Launcher,
        slot: Slot,
        settings: WarmSettings,
        oracle: Oracle,
    ) -> Self {
        let given = Arc::new(oracle);
        let runner = Runner::new(launcher, with_copies(&given, &slot));
        let tree = Tree::new(slot.folder(), WORK);
        let scripts = Tree::new(slot.folder(), SCRIPTS);
        let (last, trace, must_be_clean) = (None, None, false);
        Warm { subject, runner, slot, settings, tree, last, scripts, given, trace, must_be_clean }
    }

    /// Sets the oracle to run and the rule that judges it.
    pub fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        self.given = oracle.clone();
        self.runner.instruct(&with_copies(oracle, &self.slot), rule);
    }

    /// Returns the protections of the sandbox that could be enforced.
    pub fn enforced(&self) -> &crate::process::Enforced {
        self.runner.enforced()
    }

    /// Returns the folder that tests run in.
    pub fn folder(&self) -> PathBuf {
        self.slot.candidate()
    }

    /// Makes the next test run in a new folder.
    pub fn discard(&mut self) {
        self.last = None;
        self.must_be_clean = true;
    }

    /// Returns the files that tests have read since they were laid out, in order: all files that
    /// the last test read, and files that earlier tests read and that have stayed since.
    ///
    /// Also empty if the file system does not tell, or the folder cannot be relied on.
    pub fn files_read(&mut self) -> Vec<Arc<[u8]>> {
        if self.last.is_none() {
            return Vec::new();
        }
        let read = self.tree.begin().and_then(|mut hand| self.tree.read(&mut hand));
        read.unwrap_or_default()
    }

    /// Makes interpreters note which lines run in the following tests; see [`end_trace`]. `usual`
    /// returns the value of a variable of the environment.
    ///
    /// [`end_trace`]: Self::end_trace
    pub fn begin_trace(&mut self, usual: impl Fn(&str) -> Option<OsString>) {
        let trace = Trace::new(self.slot.folder(), &self.slot.candidate(), usual);
        self.runner.set_variables(trace.variables().to_vec());
        self.trace = Some(trace);
    }

    /// Ends a trace and returns the files in which lines were noted: LCOV from Python, V8 coverage
    /// from Node. Empty if no lines were noted.
    pub fn end_trace(&mut self) -> io::Result<Vec<Vec<u8>>> {
        self.runner.set_variables(Vec::new());
        let Some(trace) = self.trace.take() else { return Ok(Vec::new()) };
        let notes = trace.read();
        trace.remove()?;
        Ok(notes)
    }

    fn lay_out_and_run(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Observation>, WorkerError> {
        // No candidate can be relied on until everything went well.
        let last = self.last.take();
        let last = match (last, self.settings.between.clone()) {
            (Some(last), Between::Keep) => Some(last),
            (Some(last), Between::Clean(command)) => match self.clean(ticket, &command)? {
                Some(Cleaned::Yes) => Some(last),
                Some(Cleaned::No) => None,
                None => return Ok(None),
            },
            (None, _) | (_, Between::Discard) => None,
        };
        let cached = self.build_of(candidate);
        let is_cached = cached.as_ref().is_some_and(|(cache, content)| cache.has(*content));
        let last = last.filter(|_| !is_cached);
        let origin = match self.lay_out(ticket, last.as_ref(), candidate) {
            // The many files were not all written when the test was cancelled.
            Err(_) if self.runner.is_cancelled(ticket) => return Ok(None),
            updated => match updated? {
                Updated::Yes => Provenance::Warm,
                Updated::No if is_cached => Provenance::Warm,
                Updated::No => Provenance::Clean,
            },
        };
        let seen = match cached {
            Some((cache, content)) => self.run_with(ticket, &cache, content, is_cached)?,
            None => self.with_place(|runner, place| runner.observe(ticket, place))?,
        };
        self.tree.pass_time();
        let seen = match seen {
            Some(seen) => self.with_mentions(ticket, Observation { origin, ..seen })?,
            None => None,
        };
        let is_whole = seen.as_ref().is_some_and(|seen| {
            !matches!(seen.ending(), Ending::Limited(_) | Ending::Signaled(KILL))
        });
        let is_usable = is_whole || matches!(self.settings.between, Between::Clean(_));
        if self.clear_temporary(ticket).is_ok() && is_usable {
            self.last = Some(candidate.clone());
        }
        Ok(seen)
    }

    /// Returns the cache of builds and the key of the candidate. `None` where no kept build may be
    /// used: for a proof, and before the first runs are over.
    fn build_of(&self, candidate: &B::Candidate) -> Option<(BuildCache, Key)> {
        let has_build = self.given.build.is_some() || self.given.configure.is_some();
        let may_be_warm = matches!(self.settings.between, Between::Keep) && !self.must_be_clean;
        let is_used = has_build && may_be_warm && self.runner.is_instructed();
        let cache = self.settings.build_cache.clone().filter(|_| is_used)?;
        Some((cache, self.subject.key(candidate)))
    }

    /// Runs the test with a kept build, or builds and keeps the output. A build that cannot be
    /// kept, as on a full disk, is run again the next time.
    fn run_with(
        &mut self,
        ticket: Ticket,
        cache: &BuildCache,
        content: Key,
        is_cached: bool,
    ) -> Result<Option<Observation>, WorkerError> {
        let folder = self.slot.candidate();
        if is_cached {
            cache.restore(content, &folder).map_err(|source| self.failed(source))?;
            return self
                .with_place(|runner, place| runner.observe_built(ticket, place, Builds::AreThere));
        }
        let laid = self.tree.paths();
        let above = self.slot.folder().to_owned();
        let tree = &self.tree;
        {
            let mut store = || {
                let hand = Hand::new(&above, WORK);
                let changed = hand.and_then(|mut hand| tree.touched(&mut hand));
                if let Ok(changed) = changed {
                    let changed: HashSet<Arc<[u8]>> = changed.into_iter().collect();
                    let untouched = laid.iter().filter(|path| !changed.contains(*path)).cloned();
                    let _ = cache.store(content, &folder, &untouched.collect());
                }
            };
            let temporary = self.slot.temporary();
            let names = [PathBuf::from(".")];
            let place = Place {
                folder: &folder,
                temporary: &temporary,
                names: &names,
                stdin: None,
                own: &[],
            };
            self.runner.observe_built(ticket, &place, Builds::Run(&mut store))
        }
    }

    /// Updates the folder from the last candidate, if there is one, to this one; where that is
    /// impossible the folder is made again. An error if the ticket was cancelled meanwhile.
    fn lay_out(
        &mut self,
        ticket: Ticket,
        last: Option<&B::Candidate>,
        candidate: &B::Candidate,
    ) -> Result<Updated, WorkerError> {
        let updated = match last {
            Some(last) => self.update(last, candidate).map_err(|source| self.failed(source))?,
            None => Updated::No,
        };
        if updated == Updated::No {
            self.slot.clear_while(&|| !self.runner.is_cancelled(ticket))?;
            self.populate(ticket, candidate).map_err(|source| self.failed(source))?;
        }
        self.tree.end();
        self.lay_out_scripts().map_err(|source| self.failed(source))?;
        if let Some(trace) = &self.trace {
            trace.lay_out().map_err(|source| self.failed(source))?;
        }
        Ok(updated)
    }

    fn failed(&self, source: io::Error) -> WorkerError {
        WorkerError::LayOut { folder: self.slot.candidate(), source }
    }

    /// Lays a candidate out in an empty folder.
    fn populate(&mut self, ticket: Ticket, candidate: &B::Candidate) -> io::Result<()> {
        self.tree.forget();
        self.scripts.forget();
        let mut hand = self.tree.begin()?;
        let (tree, runner) = (&mut self.tree, &self.runner);
        self.subject.each_file(candidate, &mut |file| match runner.is_cancelled(ticket) {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => tree.write(&mut hand, &file),
        })
    }

    /// Writes the files that differ, and those that the last test changed.
    fn update(&mut self, from: &B::Candidate, to: &B::Candidate) -> io::Result<Updated> {
        // A test may have deleted its own folder.
        let Ok(mut hand) = self.tree.begin() else { return Ok(Updated::No) };
        let touched = self.tree.touched(&mut hand)?;
        let changes = self.subject.differences(from, to)?;
        let mut done: HashSet<&[u8]> = HashSet::new();
        for change in &changes {
            if let FileChange::Remove(path) = change {
                done.insert(path);
                self.tree.remove(&mut hand, path)?;
            }
        }
        for change in &changes {
            if let FileChange::Write(file) = change {
                done.insert(&file.path);
                self.tree.write(&mut hand, file)?;
            }
        }
        for path in touched.iter().filter(|path| !done.contains(&***path)) {
            let missing = || io::Error::other("a file of the candidate is not there");
            let file = self.subject.file(to, path)?.ok_or_else(missing)?;
            self.tree.restore(&mut hand, &file)?;
        }
        Ok(Updated::Yes)
    }

    /// Writes the copy of the script, if one is needed.
    fn lay_out_scripts(&mut self) -> io::Result<()> {
        let Some(script) = self.given.command.script() else { return Ok(()) };
        if script.place().is_some() {
            return Ok(());
        }
        let path = script.name.as_bytes().into();
        let file = TreeFile { path, kind: EntryKind::Executable, bytes: script.bytes.clone() };
        let mut hand = match self.scripts.begin() {
            Ok(hand) => hand,
            Err(_) => {
                self.scripts.forget();
                scratch::clear(&self.slot.scripts())?;
                self.scripts.begin()?
            }
        };
        self.scripts.restore(&mut hand, &file)
    }

    fn clean(&mut self, ticket: Ticket, command: &Command) -> Result<Option<Cleaned>, WorkerError> {
        let limits = self.given.limits.of(Stage::Build).clone();
        if !self.has_folder() {
            return Ok(Some(Cleaned::No));
        }
        let ran = self.with_place(|runner, place| runner.run(ticket, command, &limits, place))?;
        let is_tidy = self.clear_temporary(ticket).is_ok();
        let is_clean = |ran: Ran| is_tidy && ran.ending == Ending::Exited(0);
        Ok(ran.map(|ran| if is_clean(ran) { Cleaned::Yes } else { Cleaned::No }))
    }

    /// Adds the files and names that the output mentions. `None` if the ticket was cancelled.
    fn with_mentions(
        &mut self,
        ticket: Ticket,
        mut seen: Observation,
    ) -> Result<Option<Observation>, WorkerError> {
        if seen.ending() == Ending::Exited(0) {
            return Ok(Some(seen));
        }
        // The output of a successful build is left out: in a folder that stays, it is only about
        // the files that happened to be built again.
        let text = seen.output.text();
        if let Some(hint) = self.settings.hint.clone() {
            match self.hints(ticket, &hint, &text)? {
                Some(mentions) => seen.mentions = mentions,
                None => return Ok(None),
            }
        }
        let folder = self.slot.candidate();
        // The folder has another name in each run.
        let inside = format!("{}/", folder.display());
        seen.mentions.extend(hints::mentions(&text.replace(&inside, "./"), &folder));
        Ok(Some(seen))
    }

    fn hints(
        &mut self,
        ticket: Ticket,
        hint: &Command,
        output: &str,
    ) -> Result<Option<Vec<Mention>>, WorkerError> {
        let limits = self.given.limits.test.clone();
        if self.clear_temporary(ticket).is_err() || !self.has_folder() {
            // The test deleted the folder that the command would run in.
            return Ok(Some(Vec::new()));
        }
        let stdin = self.slot.temporary().join("output");
        let written = fs::write(&stdin, output);
        written.map_err(|source| WorkerError::LayOut { folder: self.slot.temporary(), source })?;
        let ran = self.with_place(|runner, place| {
            runner.run(ticket, hint, &limits, &Place { stdin: Some(&stdin), ..*place })
        })?;
        let folder = self.slot.candidate();
        Ok(ran.map(|ran| hints::hinted(&ran.output.text(), &folder)))
    }

    /// Empties the folder for temporary files, unless the test is no longer wanted.
    fn clear_temporary(&self, ticket: Ticket) -> Result<(), ScratchError> {
        self.slot.clear_temporary(&|| !self.runner.is_cancelled(ticket))
    }

    fn has_folder(&self) -> bool {
        fs::symlink_metadata(self.slot.candidate()).is_ok_and(|found| found.is_dir())
    }

    fn with_place<R>(&mut self, work: impl FnOnce(&mut Runner, &Place<'_>) -> R) -> R {
        let (folder, temporary) = (self.slot.candidate(), self.slot.temporary());
        let names = [PathBuf::from(".")];
        // The candidate's own files count: stack frames in them tell one failure from another.
        let own = &[];
        let place =
            Place { folder: &folder, temporary: &temporary, names: &names, stdin: None, own };
        work(&mut self.runner, &place)
    }
}

/// Whether a folder could be brought up to date.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Updated {
    Yes,
    No,
}

/// Whether a folder was cleaned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cleaned {
    Yes,
    No,
}

/// Returns the oracle with the worker's copy of its script in place of the script.
fn with_copies(oracle: &Arc<Oracle>, slot: &Slot) -> Arc<Oracle> {
    let Some(script) = oracle.command.script() else { return oracle.clone() };
    let copy: &Path = &script.place().unwrap_or_else(|| slot.scripts().join(&script.name));
    Arc::new(Oracle { command: oracle.command.with_script_at(copy), ..(**oracle).clone() })
}

impl<B: LayOutOver + Send> Worker<B::Candidate> for Warm<B> {
    type Error = WorkerError;

    fn test(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Tested>, WorkerError> {
        let seen = self.observe(ticket, candidate)?;
        seen.map(|seen| self.runner.judge(seen, &self.given)).transpose()
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        self.runner.canceller()
    }
}

impl<B: LayOutOver + Send> Observe<B::Candidate> for Warm<B> {
    fn observe(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Observation>, WorkerError> {
        let seen = until_undisturbed(&mut Trial { worker: self, ticket, candidate });
        self.must_be_clean = false;
        seen
    }
}

/// A candidate and the worker that tests it.
struct Trial<'a, B: LayOutOver> {
    worker: &'a mut Warm<B>,
    ticket: Ticket,
    candidate: &'a B::Candidate,
}

impl<B: LayOutOver> Attempt for Trial<'_, B> {
    fn attempt(&mut self) -> Result<Option<Observation>, WorkerError> {
        let worker = &mut *self.worker;
        let observed = worker.lay_out_and_run(self.ticket, self.candidate);
        if observed.is_err() {
            worker.last = None;
            // The files left behind may be what filled the disk. If they cannot be deleted, the
            // next test reports that.
            let _ = worker.slot.clear_while(&|| !worker.runner.is_cancelled(self.ticket));
        }
        observed
    }

    fn runner(&self) -> &Runner {
        &self.worker.runner
    }
}
