//! Watches one test from its start until its tree has ended.
//!
//! Time is kept by `poll`; memory and the number of processes are sampled from `/proc`, because
//! the kernel's own limits do not fit: RLIMIT_AS breaks sanitizers, Go and Java, which reserve far
//! more than they use, and RLIMIT_NPROC counts per user and is not enforced for root. A test that
//! ends within the first interval is never sampled and costs nothing.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use whodunit_run::{Ending, Limit, Limits, Output, Ran};

use super::Invocation;
use super::folder::MemoryFolder;
use super::oom::OomKills;
use super::shared::SharedMemory;
use super::spawn::{Spawned, Spawner};
use super::sys::Reaped;
use super::tree::{self, Left, Stuck};
use super::wire::{Failure, Filled, Inbox, Reply, Request};

/// The pause between two samples, at first and at least.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);

/// The pause between two samples of a long test; a program can take some hundred megabytes of new
/// memory in this time, which is how far it may overshoot.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Sampling takes at most one part in this many of the time of a processor.
const SAMPLING_SHARE: u32 = 30;

/// Samples are taken at least this often, even if that exceeds [`SAMPLING_SHARE`].
const RAREST_SAMPLES: Duration = Duration::from_millis(500);

/// Bytes that the output pipe shall hold: the largest size that the kernel grants everyone.
const PIPE_SIZE: usize = 1024 * 1024;

/// Watches the tests of a launcher.
pub(super) struct Watch {
    output: File,
    /// Bytes that the pipe holds before a test has to wait for us.
    pipe_size: usize,
    reading: Reading,
    buffer: Box<[u8]>,
    oom_kills: OomKills,
    beside: Beside,
}

/// The places of memory that is in no process.
struct Beside {
    /// The folder of the tests, if it is in memory.
    folder: Option<MemoryFolder>,
    shared: SharedMemory,
}

/// When the output pipe is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// With the samples and at the end. Waking up for each line costs more than the line.
    Sometimes,
    /// As soon as there is something: a test nearly filled the pipe.
    AtOnce,
}

/// A test to run.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) invocation: &'a Invocation,
    pub(super) limits: &'a Limits,
    /// The number of the request.
    pub(super) number: u64,
}

/// The next step after a test.
pub(super) enum Finished {
    Say(Reply),
    /// The parent is gone.
    Alone,
}

/// The reason why the watch over a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Exit,
    Limit(Limit),
    Cancel,
    Alone,
}

/// The observations of a test so far.
#[derive(Default)]
struct Seen {
    output: Output,
    peak_memory: u64,
    /// How the first process ended.
    ending: Option<Ending>,
    /// How much memory the folder of the tests took at the first sample.
    folder_at_first: Option<u64>,
}

impl Watch {
    /// Watches tests that write to the other end of this pipe, whose reads must not block.
    pub(super) fn new(output: File, folder: &Path) -> Watch {
        let pipe_size = rustix::pipe::fcntl_setpipe_size(&output, PIPE_SIZE)
            .or_else(|_| rustix::pipe::fcntl_getpipe_size(&output))
            .unwrap_or(0);
        let buffer = vec![0; 64 * 1024].into_boxed_slice();
        let oom_kills = OomKills::open();
        let beside = Beside { folder: MemoryFolder::at(folder), shared: SharedMemory::new(folder) };
        Watch { output, pipe_size, reading: Reading::Sometimes, buffer, oom_kills, beside }
    }

    /// From now on counts the System V segments of a namespace that only the tests are in.
    pub(super) fn count_segments(&mut self, table: File) {
        self.beside.shared.look_at(table);
    }

    /// Runs one test to its end, and ends the processes that it leaves.
    pub(super) fn run(
        &mut self,
        task: Task<'_>,
        spawner: &mut Spawner,
        inbox: &mut Inbox<UnixStream>,
    ) -> Finished {
        self.beside.shared.begin();
        let started = Instant::now();
        let test = match spawner.spawn(task.invocation) {
            Ok(test) => test,
            Err(failure) => return Finished::Say(Reply::Failed(failure)),
        };
        let mut seen = Seen::default();
        let cause = self.wait(&test, started, task, inbox, &mut seen);
        let duration = started.elapsed();
        if cause != Cause::Exit && seen.ending.is_none() {
            tree::kill_group(test.pid);
        }
        if let Err(Stuck { pid }) = seen.take_statuses(test.pid) {
            return Finished::Say(Reply::Failed(Failure::Stuck(pid)));
        }
        if let Err(errno) = self.restore(&mut seen.output) {
            let action = "read the output".into();
            let errno = errno.raw_os_error().unwrap_or(0);
            return Finished::Say(Reply::Failed(Failure::Launcher { action, errno }));
        }
        seen.output.close();
        match cause {
            Cause::Alone => Finished::Alone,
            Cause::Cancel => Finished::Say(Reply::Cancelled),
            Cause::Exit => {
                if seen.ending != Some(Ending::Exited(0)) && self.oom_kills.are_more() {
                    // Whatever the test reported, it was disturbed.
                    seen.ending = Some(Ending::Signaled(libc::SIGKILL));
                }
                Finished::Say(seen.report(None, duration, task.limits))
            }
            Cause::Limit(limit) => Finished::Say(seen.report(Some(limit), duration, task.limits)),
        }
    }

    /// Waits until the test's first process has ended or a reason to end the test has come up.
    fn wait(
        &mut self,
        test: &Spawned,
        started: Instant,
        Task { limits, number, .. }: Task<'_>,
        inbox: &mut Inbox<UnixStream>,
        seen: &mut Seen,
    ) -> Cause {
        let mut next_sample = SHORTEST_PAUSE;
        loop {
            let pause = limits.time.min(next_sample).saturating_sub(started.elapsed());
            let ready = self.poll(test, inbox, pause);
            if ready.test {
                return Cause::Exit;
            }
            if ready.inbox
                && let Some(cause) = listen(inbox, number)
            {
                return cause;
            }
            let now = started.elapsed();
            if now >= limits.time {
                return Cause::Limit(Limit::Time);
            }
            if (ready.output || now >= next_sample)
                && let Some(limit) = self.read_output(limits, seen)
            {
                return Cause::Limit(limit);
            }
            if now >= next_sample {
                if let Some(limit) = seen.sample(test.pid, limits, &self.beside) {
                    return Cause::Limit(limit);
                }
                let cost = started.elapsed() - now;
                let pause = (now / 10).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
                next_sample = now + pause.max(RAREST_SAMPLES.min(cost * SAMPLING_SHARE));
            }
        }
    }

    fn poll(&self, test: &Spawned, inbox: &Inbox<UnixStream>, pause: Duration) -> Ready {
        let mut awaited = [
            PollFd::new(&test.pidfd, PollFlags::IN),
            PollFd::new(inbox.source(), PollFlags::IN),
            PollFd::new(&self.output, PollFlags::IN),
        ];
        let count = if self.reading == Reading::AtOnce { 3 } else { 2 };
        let pause = Timespec::try_from(pause).ok();
        // An error is an interruption by a signal: the caller looks at the clock and polls again.
        let _ = poll(&mut awaited[..count], pause.as_ref());
        let [test, inbox, output] = awaited.map(|fd| !fd.revents().is_empty());
        Ready { test, inbox, output }
    }

    fn read_output(&mut self, limits: &Limits, seen: &mut Seen) -> Option<Limit> {
        let before = seen.output.length;
        // Not much more than the pipe holds: a test that writes as fast as we read must not keep us
        // from looking at the clock. An error occurs again, and is reported, when the test has
        // ended.
        let enough = limits.output.min(before + 2 * self.pipe_size as u64);
        let _ = self.drain(&mut seen.output, enough);
        if (seen.output.length - before) as usize > self.pipe_size / 2 {
            self.reading = Reading::AtOnce;
        }
        (seen.output.length > limits.output).then_some(Limit::Output)
    }

    /// Reads the pipe until it is empty or the output is longer than `enough`.
    fn drain(&mut self, output: &mut Output, enough: u64) -> io::Result<()> {
        while output.length <= enough {
            match (&self.output).read(&mut self.buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => output.push(&self.buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Restores the state before the test, whose processes are all gone: empties the pipe, and
    /// clears the flags of the descriptors that the next test inherits. A test may have made them
    /// non-blocking, which belongs to the open file and so would reach the next test.
    fn restore(&mut self, output: &mut Output) -> io::Result<()> {
        self.drain(output, u64::MAX)?;
        fcntl_setfl(io::stdout(), OFlags::empty())?;
        fcntl_setfl(io::stdin(), OFlags::empty())?;
        if output.length <= self.pipe_size as u64 / 4 {
            self.reading = Reading::Sometimes;
        }
        Ok(())
    }
}

/// The descriptors that `poll` found ready.
struct Ready {
    test: bool,
    inbox: bool,
    output: bool,
}

/// Reads the messages that the parent sends while a test runs.
fn listen(inbox: &mut Inbox<UnixStream>, number: u64) -> Option<Cause> {
    if !matches!(inbox.fill(), Ok(Filled::More)) {
        return Some(Cause::Alone);
    }
    while let Some(body) = inbox.take() {
        match Request::decode(&body) {
            Some(Request::Cancel { number: meant }) if meant == number => {
                return Some(Cause::Cancel);
            }
            Some(_) => {}
            None => return Some(Cause::Alone),
        }
    }
    None
}

impl Seen {
    /// Measures what the tree uses. Orphans that ended are reaped first, because those of a long
    /// build would add up.
    ///
    /// Files that the test writes to a folder in memory count as memory, and so does shared memory
    /// that it does not map. They count without a limit too, because the limit of later tests is
    /// derived from them.
    fn sample(&mut self, test: i32, limits: &Limits, beside: &Beside) -> Option<Limit> {
        tree::reap_all(|reaped| self.take(reaped, test));
        let processes = tree::ours();
        let mut usage = tree::usage(&processes);
        // Files that are in the folder at the first sample are the candidate's.
        let files = beside.folder.as_ref().map_or(0, MemoryFolder::size);
        usage.memory += files.saturating_sub(*self.folder_at_first.get_or_insert(files));
        usage.memory += beside.shared.size(&processes);
        self.peak_memory = self.peak_memory.max(usage.memory);
        if usage.processes > limits.processes {
            return Some(Limit::Processes);
        }
        limits.memory.filter(|limit| usage.memory > *limit).map(|_| Limit::Memory)
    }

    /// Reaps the test and all processes that it left, ending those that still run.
    fn take_statuses(&mut self, test: i32) -> Result<(), Stuck> {
        match tree::reap_all(|reaped| self.take(reaped, test)) {
            Left::None => Ok(()),
            Left::Some => tree::end_descendants(|reaped| self.take(reaped, test)),
        }
    }

    fn take(&mut self, reaped: Reaped, test: i32) {
        self.peak_memory = self.peak_memory.max(reaped.peak_memory);
        if reaped.pid == test {
            self.ending = Some(reaped.ending);
        }
    }

    /// Reports how the test ended.
    ///
    /// A test that ended by itself but had used more than it may counts as limited too: whether a
    /// sample fell into that moment must not decide.
    fn report(self, struck: Option<Limit>, duration: Duration, limits: &Limits) -> Reply {
        let over = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used > limit);
        let struck = struck
            .or_else(|| over(self.output.length, Some(limits.output)).then_some(Limit::Output))
            .or_else(|| over(self.peak_memory, limits.memory).then_some(Limit::Memory));
        let Some(ending) = struck.map(Ending::Limited).or(self.ending) else {
            let action = "learn how the test ended".into();
            return Reply::Failed(Failure::Launcher { action, errno: libc::ECHILD });
        };
        Reply::Ran(Ran { ending, output: self.output, duration, peak_memory: self.peak_memory })
    }
}
