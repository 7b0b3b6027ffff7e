//! Counts tests in the same way for every tool.
//!
//! Tools get a script that starts this program again for each test. It connects to the socket of
//! the bench, runs the case's own test and sends the result. A connection that closes without data
//! is a test that the tool ended, so that these are counted and timed as well; a line in a log
//! that is written at the end would miss them.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::cases::Case;
use super::numbers::{Seen, Tested};

/// The command that runs one test and counts it; scripts call it, not people.
pub(crate) const COUNTED_TEST: &str = "counted-test";

/// A message to the bench over a connection.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// This candidate fails.
    Fails(Vec<u8>),
    Passes,
    /// The test could not be run.
    Trouble(String),
    /// Sent by the bench itself, and not a test.
    Bye,
}

impl Said {
    /// Returns the bytes to send: a mark, the length of the rest, and the rest.
    fn to_bytes(&self) -> Vec<u8> {
        let (mark, rest) = match self {
            Said::Fails(candidate) => (b'f', candidate.as_slice()),
            Said::Passes => (b'p', [].as_slice()),
            Said::Trouble(trouble) => (b't', trouble.as_bytes()),
            Said::Bye => (b'b', [].as_slice()),
        };
        [&[mark], (rest.len() as u64).to_le_bytes().as_slice(), rest].concat()
    }

    /// Reads a message; `None` if the sender was killed before its end.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (mark, bytes) = bytes.split_first()?;
        let (length, rest) = bytes.split_first_chunk()?;
        if u64::from_le_bytes(*length) != rest.len() as u64 {
            return None;
        }
        match mark {
            b'f' => Some(Said::Fails(rest.to_vec())),
            b'p' => Some(Said::Passes),
            b't' => Some(Said::Trouble(String::from_utf8_lossy(rest).into_owned())),
            b'b' => Some(Said::Bye),
            _ => None,
        }
    }
}

/// The counted tests.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) tests: Vec<Tested>,
    /// The smallest candidate that failed; of those of one size the first.
    pub(super) smallest: Option<Vec<u8>>,
    /// The reason why a test could not be run.
    pub(super) trouble: Option<String>,
}

impl Counted {
    fn add(mut self, heard: Heard) -> Self {
        let Heard { start, end, said } = heard;
        let seen = match said {
            Some(Said::Bye) => return self,
            Some(Said::Fails(candidate)) => {
                let bytes = candidate.len();
                if self.smallest.as_ref().is_none_or(|smallest| bytes < smallest.len()) {
                    self.smallest = Some(candidate);
                }
                Seen::Fails { bytes }
            }
            Some(Said::Passes) => Seen::Passes,
            Some(Said::Trouble(trouble)) => {
                self.trouble = Some(trouble);
                Seen::CutShort
            }
            None => Seen::CutShort,
        };
        self.tests.push(Tested { start, end, seen });
        self
    }
}

/// One connection from beginning to end, with times since the listener began.
struct Heard {
    start: Duration,
    end: Duration,
    /// `None` if the connection closed without data.
    said: Option<Said>,
}

/// Counts the tests of one run.
pub(super) struct Counter {
    socket: PathBuf,
    done: Arc<AtomicBool>,
    counted: JoinHandle<Counted>,
}

impl Counter {
    /// Starts to listen at a socket in `folder`.
    pub(super) fn listen(folder: &Path) -> io::Result<Self> {
        let socket = folder.join("socket");
        let listener = UnixListener::bind(&socket)?;
        let done = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let is_done = Arc::clone(&done);
        thread::spawn(move || accept(&listener, &is_done, &sender));
        let counted =
            thread::spawn(move || receiver.into_iter().fold(Counted::default(), Counted::add));
        Ok(Counter { socket, done, counted })
    }

    /// Writes the script that counts and runs the test of `case`.
    pub(super) fn write_script(&self, path: &Path, case: &Case) -> io::Result<()> {
        let words = [
            std::env::current_exe()?,
            COUNTED_TEST.into(),
            self.socket.clone(),
            case.test.clone(),
            PathBuf::from(&case.file),
        ];
        let words: Vec<String> = words.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        fs::write(path, format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" ")))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
    }

    /// Returns the counted tests; waits for running ones.
    pub(super) fn finish(self) -> io::Result<Counted> {
        self.done.store(true, Ordering::Release);
        // Wakes up the listener.
        UnixStream::connect(&self.socket)?.write_all(&Said::Bye.to_bytes())?;
        self.counted.join().map_err(|_| io::Error::other("the counter panicked"))
    }
}

/// Reads the message of each test in a thread of its own, until the counter is done and no
/// connection waits.
fn accept(listener: &UnixListener, done: &AtomicBool, sender: &Sender<Heard>) {
    let begun = Instant::now();
    for connection in listener.incoming() {
        let is_done = done.load(Ordering::Acquire);
        match connection {
            Ok(connection) => {
                let (start, sender) = (begun.elapsed(), sender.clone());
                // The receiver is only gone if the bench itself has failed.
                thread::spawn(move || sender.send(hear(connection, begun, start)));
            }
            Err(_) if is_done => return,
            Err(_) => {}
        }
        // Earlier connections may still be in the queue.
        if is_done && listener.set_nonblocking(true).is_err() {
            return;
        }
    }
}

/// Waits for the end of a test.
fn hear(mut test: UnixStream, begun: Instant, start: Duration) -> Heard {
    let mut bytes = Vec::new();
    let said = test.read_to_end(&mut bytes).ok().and_then(|_| Said::from_bytes(&bytes));
    Heard { start, end: begun.elapsed(), said }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Runs one test for a tool: the words are the socket, the test, the name of the input, and the
/// tool's own argument.
pub(crate) fn run_counted(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let mut next = || words.next().unwrap_or_default();
    let (socket, test, file) = (next(), next(), next());
    let Ok(mut counter) = UnixStream::connect(socket) else {
        // The bench is gone, so nothing is counted any more.
        return ExitCode::from(2);
    };
    let (said, code) = match candidate(&next(), Path::new(&file)) {
        None => (Said::Passes, 1),
        Some(content) => match test_fails(Path::new(&test), Path::new(&file), &content) {
            Ok(true) => (Said::Fails(content), 0),
            Ok(false) => (Said::Passes, 1),
            Err(error) => (Said::Trouble(error.to_string()), 2),
        },
    };
    match counter.write_all(&said.to_bytes()) {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::from(2),
    }
}

/// Reads the candidate: the file that the tool names, or else the one with the input's name here.
fn candidate(named: &OsString, file: &Path) -> Option<Vec<u8>> {
    fs::read(named).or_else(|_| fs::read(file)).ok()
}

/// Returns whether `content` fails in the way of `case`; not counted.
pub(super) fn fails(case: &Case, content: &[u8]) -> Result<bool, Box<dyn Error>> {
    let failed = test_fails(&case.test, Path::new(&case.file), content);
    failed.map_err(|error| format!("{}: {error}", case.test.display()).into())
}

/// Runs a case's own test in a fresh folder.
fn test_fails(test: &Path, file: &Path, content: &[u8]) -> io::Result<bool> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(file), content)?;
    let status = Command::new(test)
        .current_dir(folder.path())
        .env_remove("REDUCE_COUNTER")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the counts if tests send these messages, one after the other.
    fn counted<const N: usize>(sent: [Vec<u8>; N]) -> Counted {
        let folder = tempfile::tempdir().unwrap();
        let counter = Counter::listen(folder.path()).unwrap();
        for bytes in sent {
            UnixStream::connect(&counter.socket).unwrap().write_all(&bytes).unwrap();
        }
        counter.finish().unwrap()
    }

    fn fails(candidate: &str) -> Vec<u8> {
        Said::Fails(candidate.into()).to_bytes()
    }

    #[test]
    fn a_test_that_the_tool_ended_is_counted() {
        let half = fails("candidate")[..12].to_vec();
        let counted = counted([fails("abc"), vec![], half, Said::Passes.to_bytes()]);
        let mut tests = counted.tests;
        tests.sort_by_key(|test| test.start);
        let seen: Vec<Seen> = tests.iter().map(|test| test.seen).collect();
        let cut = Seen::CutShort;
        assert_eq!(seen, [Seen::Fails { bytes: 3 }, cut, cut, Seen::Passes]);
        assert_eq!(counted.trouble, None);
    }

    #[test]
    fn the_smallest_failing_candidate_is_kept() {
        let counted = counted([fails("abc"), fails("x"), fails("abcd"), Said::Passes.to_bytes()]);
        assert_eq!(counted.smallest.as_deref(), Some(b"x".as_slice()));
    }

    #[test]
    fn trouble_is_not_a_verdict() {
        let trouble = Said::Trouble("no space left".into());
        let counted = counted([fails("abc"), trouble.to_bytes()]);
        assert_eq!(counted.trouble.as_deref(), Some("no space left"));
    }

    #[test]
    fn words_are_safe_from_the_shell() {
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }
}
