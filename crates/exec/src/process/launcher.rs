//! The process that starts a worker's tests.
//!
//! It is this program again, started with a hidden argument, and lives as long as its worker. It is
//! small and has one thread, so starting a test costs the same however large whodunit is; it is the
//! subreaper of its tests, so it can end all processes that they leave; and it sees the end of its
//! parent as the end of its socket, so nothing survives a `kill -9`. Its name and arguments do not
//! contain the program's name, so that a `pkill` of that name leaves it alive to clean up.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};

use super::spawn::Spawner;
use super::watch::{Finished, Task, Watch};
use super::wire::{self, Failure, Inbox, Reply, Request};
use super::{Sandbox, namespaces, sandbox, sys, tree};
use crate::scratch;

/// Its name in lists of processes.
pub(super) const NAME: &str = "test-launcher";

/// The argument that makes the program a launcher.
pub(super) const ARGUMENT: &str = "--launch-tests-for-parent";

/// How many files a process of a test may have open at once; beyond it, opening fails with `EMFILE`.
/// Web servers and databases ask for a few thousand; some programs close every number up to the limit
/// when they start another one, which takes seconds at the million that some machines allow.
const OPEN_FILES: u64 = 16_384;

/// Becomes the launcher, or another process that helps a run, if this process was started for that;
/// does not return then.
///
/// The program calls it first in `main`, before it starts threads.
pub fn run_if_asked() {
    if let Some(status) = scratch::janitor::delete_if_asked(std::env::args_os().skip(1)) {
        std::process::exit(status);
    }
    if let Some(status) = namespaces::help_if_asked(std::env::args_os().skip(1)) {
        std::process::exit(status);
    }
    if std::env::args_os().nth(1).is_some_and(|argument| argument == OsStr::new(ARGUMENT)) {
        let status = serve().map_or(1, |()| 0);
        std::process::exit(status);
    }
    scratch::janitor::is_known_here();
}

/// Serves until the parent is gone, then cleans up.
fn serve() -> io::Result<()> {
    let _ = rustix::thread::set_name(c"test-launcher");
    sys::take_signals();
    // A session of its own: it has no terminal to read from or to be interrupted by, and the parent
    // can find what this launcher leaves behind if it is killed.
    let _ = setsid();
    tree::adopt_orphans()?;
    let (socket, output) = take_descriptors()?;
    let mut inbox = Inbox::new(UnixStream::from(socket));
    let Some(Request::Setup { scratch, sandbox, file_size }) = receive(&mut inbox)? else {
        return Ok(());
    };
    let mut watch = Watch::new(output, &scratch);
    let outcome = work(&mut inbox, &mut watch, sandbox.as_ref(), file_size);
    tree::keeper_is(None);
    let _ = tree::end_descendants(|_| {});
    // The end of the socket tells the parent that no process of a test is left; nobody waits for
    // the rest.
    drop(inbox);
    clean_up(&scratch);
    outcome
}

/// Runs the requested tests.
fn work(
    inbox: &mut Inbox<UnixStream>,
    watch: &mut Watch,
    sandbox: Option<&Sandbox>,
    file_size: Option<u64>,
) -> io::Result<()> {
    let reply =
        |inbox: &Inbox<UnixStream>, reply: &Reply| wire::send(inbox.source(), &reply.encode());
    if let Err(failure) = prepare(file_size) {
        return reply(inbox, &Reply::Failed(failure));
    }
    let prepared = sandbox.map(sandbox::prepare);
    let (mut confinement, enforced) = prepared.unzip();
    if let Some(table) = confinement.as_mut().and_then(|confinement| confinement.segments.take()) {
        watch.count_segments(table);
    }
    let mut enforced = enforced.unwrap_or_default();
    let mut spawner = Spawner::new(confinement);
    if let Some(sandbox) = sandbox {
        spawner.try_sandbox(&sandbox.writes_below, &mut enforced);
    }
    reply(inbox, &Reply::Ready(enforced))?;
    while let Some(request) = receive(inbox)? {
        // A cancel without a running test came too late: its test is over.
        let Request::Run { number, invocation, limits } = request else { continue };
        let task = Task { invocation: &invocation, limits: &limits, number };
        match watch.run(task, &mut spawner, inbox) {
            Finished::Say(answer) => reply(inbox, &answer)?,
            Finished::Alone => break,
        }
    }
    Ok(())
}

/// Returns the next request; `None` if the parent is gone.
fn receive(inbox: &mut Inbox<UnixStream>) -> io::Result<Option<Request>> {
    let Some(body) = inbox.next()? else { return Ok(None) };
    Request::decode(&body).map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Takes the socket from standard input, and replaces the three standard descriptors by those that
/// tests inherit: the null device, and a pipe whose other end is returned. So a test needs no
/// redirection.
///
/// It is a pipe, not a file in memory, because scripts write to `/dev/stderr`: that opens the file
/// again and truncates it. Nothing ever waits for the end of the pipe, so it does not matter which
/// process keeps it open; it is read while a test runs and emptied when its tree has ended.
fn take_descriptors() -> io::Result<(OwnedFd, File)> {
    let socket = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&read, true)?;
    rustix::stdio::dup2_stdin(null)?;
    rustix::stdio::dup2_stdout(&write)?;
    rustix::stdio::dup2_stderr(&write)?;
    Ok((socket, File::from(read)))
}

/// Sets the limits that all tests inherit and that the kernel enforces.
fn prepare(file_size: Option<u64>) -> Result<(), Failure> {
    let failure = |action: &str, errno: rustix::io::Errno| Failure::Launcher {
        action: action.into(),
        errno: errno.raw_os_error(),
    };
    if !tree::is_visible() {
        return Err(failure("see processes in /proc", rustix::io::Errno::NOENT));
    }
    // Not 0: a program that collects core dumps through a pipe would still be started for every
    // crash; 1 is the value that the kernel takes as "none at all" for it and for files.
    lower(Resource::Core, 1).map_err(|errno| failure("turn off core dumps", errno))?;
    lower(Resource::Nofile, OPEN_FILES).map_err(|errno| failure("limit open files", errno))?;
    if let Some(size) = file_size {
        lower(Resource::Fsize, size).map_err(|errno| failure("limit file sizes", errno))?;
    }
    Ok(())
}

/// Lowers both limits of a resource; a lower limit stays.
fn lower(resource: Resource, to: u64) -> rustix::io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let least = |limit: Option<u64>| Some(limit.map_or(to, |limit| limit.min(to)));
    setrlimit(resource, Rlimit { current: least(current), maximum: least(maximum) })
}

/// Deletes the worker's folder, and the run's folder if the run is gone: it may hold folders whose
/// launchers were never started.
fn clean_up(folder: &Path) {
    let _ = scratch::remove(folder);
    if let Some(above) = folder.parent().filter(|above| scratch::is_run_folder(above)) {
        scratch::remove_if_left_behind(above);
        // Where there are no locks, the last launcher to end deletes the empty folder.
        let _ = std::fs::remove_dir(PathBuf::from(above));
    }
}
