//! A program in a session of its own: capped, and ended with all processes that it started.

use std::error::Error;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, wait};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use whodunit_exec::process::{adopt_orphans, end_orphans};

/// The time that a program that was asked to stop has to write its result.
const GRACE: Duration = Duration::from_secs(5);
/// The interval between checks whether a program has ended: short against any measured run.
const LOOK: Duration = Duration::from_millis(5);

/// The reason why a program ended.
#[derive(Clone, Copy)]
pub(crate) enum Ended {
    Itself(ExitStatus),
    Capped,
    Interrupted,
}

/// The end of a program's run.
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) wall: Duration,
}

/// Returns a command whose first argument is the program to run.
pub(crate) fn command() -> Command {
    // A session of its own is a process group to signal, and distinguishes the processes that it
    // leaves behind from our own.
    let mut command = Command::new("setsid");
    command.stdin(Stdio::null());
    command
}

/// Runs a command of [`command`] until it ends, reaches the cap, or the user wants to stop.
pub(crate) fn run(
    command: &mut Command,
    cap: Duration,
    interrupted: &AtomicBool,
) -> Result<Ran, Box<dyn Error>> {
    adopt_orphans()?;
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("setsid: {error}"))?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let mut running = Running { group: group.ok_or("no such process")?, status: None };
    let ended = running.wait(start, cap, interrupted)?;
    let wall = start.elapsed();
    running.end()?;
    Ok(Ran { ended, wall })
}

/// Sets the flag that is returned when the user wants to stop.
pub(crate) fn watch_for_signals() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

/// Returns the absolute path of the whodunit to run: the given one, or else the one that was built
/// beside this program.
pub(crate) fn whodunit(given: Option<&Path>) -> io::Result<PathBuf> {
    match given {
        Some(program) => std::path::absolute(program),
        None => Ok(std::env::current_exe()?.with_file_name("whodunit")),
    }
}

/// Looks for a program in the folders of `PATH`.
pub(crate) fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut programs = std::env::split_paths(&path).map(|folder| folder.join(name));
    // Tools run in a folder of their own, where a relative path would mean another program.
    std::path::absolute(programs.find(|program| program.is_file())?).ok()
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Formats how a program ended by itself.
pub(crate) fn exit_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "done".into(),
        (Some(code), _) => format!("exit {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// A tool that was started in a session of its own.
struct Running {
    /// Its process, whose number is also that of its group.
    group: Pid,
    status: Option<ExitStatus>,
}

impl Running {
    fn wait(
        &mut self,
        start: Instant,
        cap: Duration,
        interrupted: &AtomicBool,
    ) -> io::Result<Ended> {
        loop {
            if let Some(status) = self.look()? {
                return Ok(Ended::Itself(status));
            }
            if interrupted.load(Ordering::Relaxed) {
                return Ok(Ended::Interrupted);
            }
            if start.elapsed() >= cap {
                return Ok(Ended::Capped);
            }
            thread::sleep(LOOK);
        }
    }

    /// Returns the status of the tool, if it has ended.
    ///
    /// Waits for its orphans too, whose parent this process becomes: tools that kill shells leave
    /// thousands.
    fn look(&mut self) -> io::Result<Option<ExitStatus>> {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) if process == self.group => {
                    self.status = Some(ExitStatus::from_raw(status.as_raw()));
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) | Err(Errno::CHILD) => return Ok(self.status),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Ends the tool and all processes that it started; first the tool has a moment to write its
    /// result.
    fn end(&mut self) -> Result<(), Box<dyn Error>> {
        if self.status.is_none() {
            self.signal(Signal::TERM)?;
            let asked = Instant::now();
            while self.look()?.is_none() && asked.elapsed() < GRACE {
                thread::sleep(LOOK);
            }
        }
        if self.status.is_none() {
            self.signal(Signal::KILL)?;
        }
        end_orphans()?;
        Ok(())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match kill_process_group(self.group, signal) {
            // `SRCH`: no process of the group is left.
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
