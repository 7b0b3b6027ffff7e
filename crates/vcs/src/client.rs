//! Runs the client programs of version control systems.
//!
//! Programs see a fixed locale, get no input, and have options that forbid questions. A call that
//! fails because a server or a lock is busy is repeated; any other failure is reported in the
//! program's own words.

mod cache;
mod patience;

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

pub(crate) use cache::{Cache, make_folder_of, unusable};
pub use patience::Patience;

use crate::Error;

/// How often the client checks whether the output of a program is still wanted. Chosen by hand: too
/// short to be noticed.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Settings of a client program.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The program, unless it is the one in the search path.
    pub program: Option<PathBuf>,
    /// A folder for fetched versions, so that each is fetched once. It may be used by several
    /// processes and by later runs.
    pub cache: PathBuf,
    /// The folder with the client's configuration, unless it is the user's. Subversion only, whose
    /// client creates a missing folder with its defaults.
    pub configuration: Option<PathBuf>,
    /// The waits while a server or a lock is busy.
    pub patience: Patience,
}

/// A client program.
#[derive(Debug)]
pub(crate) struct Client {
    program: PathBuf,
    /// Arguments before those of each call.
    always: Vec<String>,
    locale: &'static str,
    patience: Patience,
    /// Whether the error in a message of the program passes by itself.
    passes: fn(&str) -> bool,
}

impl Client {
    /// Returns a client with arguments before those of each call.
    pub(crate) fn new(
        name: &str,
        settings: &ClientSettings,
        locale: &'static str,
        passes: fn(&str) -> bool,
    ) -> Self {
        let program = settings.program.clone().unwrap_or_else(|| PathBuf::from(name));
        let patience = settings.patience.clone();
        Self { program, always: Vec::new(), locale, patience, passes }
    }

    /// Adds arguments to every call.
    pub(crate) fn with<const N: usize>(mut self, arguments: [String; N]) -> Self {
        self.always.extend(arguments);
        self
    }

    /// Runs the program in a folder, and returns its output. The first argument is the program's
    /// command.
    pub(crate) fn run<S: AsRef<OsStr>>(
        &self,
        folder: Option<&Path>,
        arguments: &[S],
    ) -> Result<Vec<u8>, Error> {
        let mut attempts = 0;
        loop {
            let output = self.run_once(folder, arguments)?;
            if output.status.success() {
                return Ok(output.stdout);
            }
            attempts += 1;
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let command = self.name_of(arguments);
            if !(self.passes)(&said) {
                return Err(Error::Client { command, said });
            }
            if self.patience.wait(attempts).is_break() {
                return Err(Error::Unreachable { command, attempts, said });
            }
        }
    }

    fn run_once<S: AsRef<OsStr>>(
        &self,
        folder: Option<&Path>,
        arguments: &[S],
    ) -> Result<Output, Error> {
        let mut command = Command::new(&self.program);
        command.args(&self.always).args(arguments).stdin(Stdio::null());
        command.env("LC_ALL", self.locale).env("LANGUAGE", "C").env("TZ", "UTC");
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => Error::NoClient { program: self.program.clone() },
            _ => Error::File { path: self.program.clone(), source },
        };
        let mut child = command.spawn().map_err(failed)?;
        let stdout = read_along(child.stdout.take());
        let stderr = read_along(child.stderr.take());
        let mut texts = [Vec::new(), Vec::new()];
        for (text, pipe) in texts.iter_mut().zip([stdout, stderr]) {
            *text = loop {
                match pipe.recv_timeout(CHECK_INTERVAL) {
                    Ok(read) => break read.map_err(failed)?,
                    Err(_) if self.patience.goes_on() => {}
                    Err(_) => {
                        let _ = child.kill();
                        let _ = child.wait();
                        return Err(Error::Interrupted { command: self.name_of(arguments) });
                    }
                }
            };
        }
        let [stdout, stderr] = texts;
        Ok(Output { status: child.wait().map_err(failed)?, stdout, stderr })
    }

    /// Returns the name of a call for errors: without its arguments, which may hold secrets.
    pub(crate) fn name_of<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let program = self.program.file_name().unwrap_or(self.program.as_os_str());
        let command = arguments.first().map(|first| first.as_ref().to_string_lossy());
        format!("{} {}", program.to_string_lossy(), command.unwrap_or_default())
    }
}

/// Reads a pipe to its end on a thread of its own.
fn read_along(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (done, text) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // After an interruption nobody receives the result.
        let _ = done.send(read.map(|_| bytes));
    });
    text
}
