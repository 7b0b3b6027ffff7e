//! The worker's side of a launcher: starts it, gives it tests, notices its death.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use whodunit_run::{Limits, Ran, Ticket};

use super::launcher::{ARGUMENT, NAME};
use super::tree::{self, Activity};
use super::wire::{self, Failure, Inbox, Reply};
use super::{Enforced, Invocation, ProcessError, Settings};

/// How long a program may take to become a launcher; a program that is none never does.
const START_TIME: Duration = Duration::from_secs(30);

/// The interval of looks at a launcher that owes a reply. A look costs a few microseconds, and a
/// stopped launcher is noticed at most this much later.
const GLANCE: Duration = Duration::from_millis(100);

/// A launcher that was idle in this many looks in a row is taken as stopped for good. One look is
/// not enough: a debugger may stop a launcher and let it go again, and a launcher that watches a
/// test sleeps for up to half a second. The looks take 0.8 seconds.
const IDLE_LOOKS: u32 = 8;

/// The same for a launcher that has to be awake, because the time limit of its test is over or the
/// test was cancelled. While it ends processes it sleeps for at most 20 milliseconds.
const IDLE_LOOKS_WHEN_DUE: u32 = 3;

/// How much later than the time limit of a test its reply may come from a launcher that is not idle: it
/// waits for a processor or a disk. Ending the processes of a test takes milliseconds, and on a very
/// busy machine a second. A launcher that is later is replaced, and the test is asked for again.
const LATE: Duration = Duration::from_secs(5);

/// The same after a cancellation. The program promises to end within a second of the first signal, and
/// putting a new launcher in place takes a part of that.
const LATE_AFTER_CANCEL: Duration = Duration::from_millis(500);

/// How long to wait for a launcher that is no longer needed to delete its folder. Most take less
/// than a millisecond; many workers, each with a folder full of files, are to end within a second.
const DELETION_WAIT: Duration = Duration::from_millis(20);

/// A launcher process: runs one test at a time.
///
/// Dropping it ends the process, which ends its test and deletes its folder. The deletion may take
/// longer than the drop if there are very many files.
#[derive(Debug)]
pub struct Launcher {
    settings: Settings,
    process: Child,
    inbox: Inbox<UnixStream>,
    shared: Arc<Mutex<Shared>>,
    enforced: Enforced,
    /// The number of the last request.
    number: u64,
    is_dead: bool,
}

/// Cancels tests of one launcher, from any thread.
#[derive(Clone, Debug)]
pub struct Canceller {
    shared: Arc<Mutex<Shared>>,
}

/// State shared by a launcher and its cancellers. The lock is held while a message is written,
/// never while waiting for a reply.
#[derive(Debug)]
struct Shared {
    outbox: UnixStream,
    /// The test that runs and the number of its request.
    running: Option<(Ticket, u64)>,
    /// Tickets that were cancelled; those of tests that are over are forgotten.
    cancelled: BTreeSet<Ticket>,
}

/// The results of the looks at a launcher that owes a reply.
///
/// A launcher that is ready to run and gets no processor is not idle, nor is one that waits for a disk:
/// a busy machine is no reason to replace it.
#[derive(Debug, Default)]
struct Looks {
    /// The number of looks in a row in which it was stopped, or asleep since the look before.
    idle: u32,
    last: Option<Activity>,
}

impl Looks {
    fn take(&mut self, activity: Option<Activity>) {
        let is_idle = match activity {
            Some(Activity::Stopped) => true,
            Some(Activity::Asleep { .. }) => activity == self.last,
            Some(Activity::Busy) | None => false,
        };
        self.idle = if is_idle { self.idle + 1 } else { 0 };
        self.last = activity;
    }
}

impl Launcher {
    /// Starts a launcher and waits until it is ready.
    ///
    /// [`Launcher::enforced`] tells which protections of the sandbox are missing; the caller has to
    /// report that, or to stop.
    pub fn start(settings: &Settings) -> Result<Launcher, ProcessError> {
        let failed =
            |source| ProcessError::NoLauncher { program: settings.program.clone(), source };
        let (process, ours) = spawn(settings).map_err(failed)?;
        let outbox = ours.try_clone().map_err(failed)?;
        let shared = Shared { outbox, running: None, cancelled: BTreeSet::new() };
        let mut launcher = Launcher {
            settings: settings.clone(),
            process,
            inbox: Inbox::new(ours),
            shared: Arc::new(Mutex::new(shared)),
            enforced: Enforced::default(),
            number: 0,
            is_dead: false,
        };
        launcher.set_up()?;
        Ok(launcher)
    }

    /// Ends a launcher that does not reply, and puts a new one in its place.
    fn replace(&mut self) -> Result<(), ProcessError> {
        match self.bury() {
            ProcessError::LauncherDied { .. } => {}
            error => return Err(error),
        }
        let failed =
            |source| ProcessError::NoLauncher { program: self.settings.program.clone(), source };
        let (process, ours) = spawn(&self.settings).map_err(failed)?;
        let outbox = ours.try_clone().map_err(failed)?;
        lock(&self.shared).outbox = outbox;
        tree::launchers().remove(&pid(&self.process));
        (self.process, self.inbox, self.is_dead) = (process, Inbox::new(ours), false);
        self.set_up()
    }

    /// Runs a test and returns when all its processes are gone; `None` if its ticket was cancelled
    /// before it ended.
    ///
    /// After [`ProcessError::LauncherDied`] every further test has the same error; after
    /// [`ProcessError::LauncherSilent`] there is a new launcher, and the test has to be laid out and
    /// asked for again.
    pub fn run(
        &mut self,
        ticket: Ticket,
        invocation: &Invocation,
        limits: &Limits,
    ) -> Result<Option<Ran>, ProcessError> {
        if has_zero_byte(invocation) {
            return Err(ProcessError::ZeroByte { program: invocation.program.clone() });
        }
        if self.is_dead {
            return Err(ProcessError::LauncherDied { ending: None });
        }
        self.number += 1;
        let message = wire::run(self.number, invocation, limits);
        let sent = {
            let mut shared = lock(&self.shared);
            shared.cancelled.retain(|cancelled| *cancelled >= ticket);
            if shared.cancelled.contains(&ticket) {
                return Ok(None);
            }
            shared.running = Some((ticket, self.number));
            wire::send(&shared.outbox, &message)
        };
        let reply = sent.and_then(|()| self.reply(ticket, limits.time));
        lock(&self.shared).running = None;
        if reply.as_ref().is_err_and(is_late) {
            self.replace()?;
            return match self.is_cancelled(ticket) {
                true => Ok(None),
                false => Err(ProcessError::LauncherSilent),
            };
        }
        match self.decode(reply)? {
            Reply::Ran(ran) => Ok(Some(ran)),
            Reply::Cancelled => Ok(None),
            Reply::Failed(failure) => Err(explain(failure, invocation)),
            Reply::Ready(_) => Err(ProcessError::Garbled),
        }
    }

    /// Waits for the reply to a test, but not longer than the limits above.
    fn reply(&mut self, ticket: Ticket, time: Duration) -> io::Result<Option<Vec<u8>>> {
        let begun = Instant::now();
        let mut cancelled: Option<Instant> = None;
        let mut looks = Looks::default();
        loop {
            match self.inbox.next() {
                Err(error) if is_late(&error) => {
                    looks.take(tree::activity(pid(&self.process)));
                    if cancelled.is_none() && self.is_cancelled(ticket) {
                        cancelled = Some(Instant::now());
                    }
                    let is_due = cancelled.is_some() || begun.elapsed() >= time;
                    let enough = if is_due { IDLE_LOOKS_WHEN_DUE } else { IDLE_LOOKS };
                    let is_over = looks.idle >= enough
                        || begun.elapsed() >= time.saturating_add(LATE)
                        || cancelled.is_some_and(|at| at.elapsed() >= LATE_AFTER_CANCEL);
                    if is_over {
                        return Err(error);
                    }
                }
                reply => return reply,
            }
        }
    }

    /// Returns whether the test with this ticket was cancelled.
    pub fn is_cancelled(&self, ticket: Ticket) -> bool {
        lock(&self.shared).cancelled.contains(&ticket)
    }

    /// Returns a handle with which other threads cancel tests.
    pub fn canceller(&self) -> Canceller {
        Canceller { shared: Arc::clone(&self.shared) }
    }

    /// Returns which parts of the sandbox are enforced.
    pub fn enforced(&self) -> &Enforced {
        &self.enforced
    }

    fn set_up(&mut self) -> Result<(), ProcessError> {
        let ready = self.ask_to_set_up();
        if ready.is_err() {
            // A program that is no launcher may not end by itself when its input ends.
            let _ = self.process.kill();
        }
        ready
    }

    fn ask_to_set_up(&mut self) -> Result<(), ProcessError> {
        let sent = wire::send(self.inbox.source(), &wire::setup(&self.settings));
        let _ = self.inbox.source().set_read_timeout(Some(START_TIME));
        let reply = sent.and_then(|()| self.inbox.next());
        let _ = self.inbox.source().set_read_timeout(Some(GLANCE));
        if reply.as_ref().is_err_and(is_late) {
            return Err(ProcessError::Garbled);
        }
        match self.decode(reply)? {
            Reply::Ready(enforced) => self.enforced = enforced,
            Reply::Failed(Failure::Launcher { action, errno }) => {
                let source = io::Error::from_raw_os_error(errno);
                return Err(ProcessError::LauncherFailed { action, source });
            }
            _ => return Err(ProcessError::Garbled),
        }
        Ok(())
    }

    fn decode(&mut self, reply: io::Result<Option<Vec<u8>>>) -> Result<Reply, ProcessError> {
        match reply {
            Ok(Some(body)) => Reply::decode(&body).ok_or(ProcessError::Garbled),
            Ok(None) | Err(_) => Err(self.bury()),
        }
    }

    /// Ends the processes that a dead launcher left, and returns the error to report.
    fn bury(&mut self) -> ProcessError {
        self.is_dead = true;
        let pid = pid(&self.process);
        // Its orphans become our children when it has fully died. It is not reaped yet, so that no
        // other session can get its number.
        if let Some(pid) = Pid::from_raw(pid) {
            let _ = self.process.kill();
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        }
        let ended = tree::end_session(pid);
        let ending = self.process.wait().ok();
        if let Err(stuck) = ended {
            return ProcessError::Stuck { pid: stuck.pid };
        }
        match tree::end_orphans() {
            Ok(()) => ProcessError::LauncherDied { ending },
            Err(error) => error,
        }
    }
}

impl Launcher {
    /// Waits until a launcher that has to end has ended the processes of its tests. A stopped
    /// launcher is killed, and its processes are ended here.
    fn wait_for_processes(&mut self) {
        let mut looks = Looks::default();
        loop {
            match self.inbox.next() {
                Ok(Some(_)) => {}
                Err(error) if is_late(&error) => {
                    looks.take(tree::activity(pid(&self.process)));
                    if looks.idle >= IDLE_LOOKS_WHEN_DUE {
                        self.bury();
                        return;
                    }
                }
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Waits a moment for the launcher to delete its folder and end. With very many files the
    /// launcher outlives us.
    fn wait_for_folder(&mut self) {
        let pid = pid(&self.process);
        let ended = Pid::from_raw(pid).is_none_or(|pid| has_ended_within(pid, DELETION_WAIT));
        let forget = move || {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
            }
            tree::launchers().remove(&pid);
        };
        if ended {
            forget();
        } else {
            thread::spawn(forget);
        }
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        if !self.is_dead {
            let _ = self.inbox.source().shutdown(Shutdown::Write);
            self.wait_for_processes();
        }
        match self.is_dead {
            true => drop(tree::launchers().remove(&pid(&self.process))),
            false => self.wait_for_folder(),
        }
    }
}

impl Canceller {
    /// Cancels the test with this ticket: ends it if it runs, and keeps its next commands from
    /// being run. Does nothing to a test that is over, nor to any other.
    ///
    /// Returns at once; [`Launcher::run`] returns when the processes are gone.
    pub fn cancel(&self, ticket: Ticket) {
        let mut shared = lock(&self.shared);
        shared.cancelled.insert(ticket);
        if let Some((running, number)) = shared.running
            && running == ticket
        {
            // If this fails the launcher is dead, which the thread that waits for its reply
            // notices.
            let _ = wire::send(&shared.outbox, &wire::cancel(number));
        }
    }
}

/// Starts the process, and returns it with our end of its socket.
fn spawn(settings: &Settings) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut launchers = tree::launchers();
    let process = Command::new(&settings.program)
        .arg0(NAME)
        .arg(ARGUMENT)
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    launchers.insert(pid(&process));
    Ok((process, ours))
}

/// Returns whether a child has ended, or ends within a time.
fn has_ended_within(pid: Pid, time: Duration) -> bool {
    let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { return true };
    let time = Timespec::try_from(time).ok();
    poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], time.as_ref()).is_ok_and(|ready| ready > 0)
}

/// Returns whether a read only timed out.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pid(process: &Child) -> i32 {
    Pid::from_child(process).as_raw_nonzero().get()
}

fn has_zero_byte(invocation: &Invocation) -> bool {
    let Invocation { program, args, folder, env, stdin } = invocation;
    let holds = |string: &OsStr| string.as_bytes().contains(&0);
    holds(program)
        || args.iter().any(|arg| holds(arg))
        || env.iter().any(|(name, value)| holds(name) || holds(value))
        || holds(folder.as_os_str())
        || stdin.as_ref().is_some_and(|path| holds(path.as_os_str()))
}

fn explain(failure: Failure, invocation: &Invocation) -> ProcessError {
    let system = io::Error::from_raw_os_error;
    match failure {
        Failure::Program(errno) => {
            ProcessError::CannotStart { program: invocation.program.clone(), source: system(errno) }
        }
        Failure::Folder(errno) => {
            ProcessError::NoFolder { folder: invocation.folder.clone(), source: system(errno) }
        }
        Failure::Stdin(errno) => ProcessError::NoStdin {
            file: invocation.stdin.clone().unwrap_or_default(),
            source: system(errno),
        },
        Failure::Stuck(pid) => ProcessError::Stuck { pid },
        Failure::Launcher { action, errno } => {
            ProcessError::LauncherFailed { action, source: system(errno) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of looks, up to the last one, in which the launcher was idle.
    fn idle(looks: &[Option<Activity>]) -> u32 {
        let mut seen = Looks::default();
        looks.iter().for_each(|activity| seen.take(*activity));
        seen.idle
    }

    #[test]
    fn only_a_launcher_that_is_stopped_or_sleeps_on_is_idle() {
        let (stopped, busy) = (Some(Activity::Stopped), Some(Activity::Busy));
        let asleep = |times| Some(Activity::Asleep { times });
        assert_eq!(idle(&[stopped, stopped]), 2);
        assert_eq!(idle(&[asleep(4), asleep(4), asleep(4)]), 2);
        assert_eq!(idle(&[asleep(4), asleep(5), asleep(6)]), 0, "it was awake in between");
        assert_eq!(idle(&[stopped, busy]), 0, "it waits for a processor");
        assert_eq!(idle(&[asleep(4), asleep(4), busy, asleep(4)]), 0);
        assert_eq!(idle(&[stopped, None]), 0);
    }
}
