//! The messages between a worker and its launcher.
//!
//! A message is its length (4 bytes) and its body: a tag, then the fields in order; numbers are
//! little-endian, strings have a length before them and are any bytes. Both ends are the same
//! program, so there is no version.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

use whodunit_run::{Ending, Limit, Limits, Output, Ran};

use super::{Enforced, Invocation, Missing, NetworkAccess, Protection, Sandbox, Settings};

/// From the worker to the launcher.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    /// The first message.
    Setup { scratch: PathBuf, sandbox: Option<Sandbox>, file_size: Option<u64> },
    /// Run a test. The number is never used again.
    Run { number: u64, invocation: Invocation, limits: Limits },
    /// End the test with this number; ignored if it is not the running one.
    Cancel { number: u64 },
}

/// From the launcher to the worker.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// Answers `Setup`.
    Ready(Enforced),
    /// Answers `Run`.
    Ran(Ran),
    /// Answers `Run`: it was cancelled.
    Cancelled,
    /// Answers `Run` or `Setup`: it could not be done.
    Failed(Failure),
}

/// Why a test could not be run, with the system's error number.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    Program(i32),
    Folder(i32),
    Stdin(i32),
    Stuck(i32),
    Launcher { action: String, errno: i32 },
}

/// Incoming messages; the part of a message that is not complete yet stays here.
#[derive(Debug)]
pub(super) struct Inbox<S> {
    source: S,
    bytes: Vec<u8>,
    /// Where the unread bytes begin.
    from: usize,
}

/// The outcome of `Inbox::fill`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filled {
    More,
    End,
}

impl<S: Read> Inbox<S> {
    pub(super) fn new(source: S) -> Inbox<S> {
        Inbox { source, bytes: Vec::with_capacity(4096), from: 0 }
    }

    pub(super) fn source(&self) -> &S {
        &self.source
    }

    /// Returns the body of the next message, waiting for it; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(body) = self.take() {
                return Ok(Some(body));
            }
            if self.fill()? == Filled::End {
                return Ok(None);
            }
        }
    }

    /// Reads once; waits if there is nothing to read.
    pub(super) fn fill(&mut self) -> io::Result<Filled> {
        self.bytes.drain(..std::mem::take(&mut self.from));
        let (length, room) = (self.bytes.len(), self.missing().max(4096));
        self.bytes.resize(length + room, 0);
        let got = loop {
            match self.source.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                got => break got,
            }
        };
        self.bytes.truncate(length + *got.as_ref().unwrap_or(&0));
        Ok(if got? == 0 { Filled::End } else { Filled::More })
    }

    /// Returns the body of the next message if it is complete.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        let size = self.size()?;
        let body = self.bytes.get(self.from + 4..self.from + 4 + size)?.to_vec();
        self.from += 4 + size;
        Some(body)
    }

    fn size(&self) -> Option<usize> {
        let length = self.bytes.get(self.from..self.from + 4)?;
        Some(u32::from_le_bytes(length.try_into().ok()?) as usize)
    }

    fn missing(&self) -> usize {
        self.size().map_or(0, |size| (4 + size).saturating_sub(self.bytes.len() - self.from))
    }
}

/// Writes one encoded message.
pub(super) fn send(mut sink: impl Write, message: &[u8]) -> io::Result<()> {
    sink.write_all(message)
}

/// Encodes the first message to a launcher.
pub(super) fn setup(settings: &Settings) -> Vec<u8> {
    let mut message = Encoder::new(0);
    message.bytes(settings.scratch.as_os_str());
    message.option(settings.sandbox.as_ref(), |message, sandbox| {
        message.bytes(sandbox.writes_below.as_os_str());
        message.byte(u8::from(sandbox.network == NetworkAccess::Loopback));
    });
    message.option(settings.file_size, Encoder::number);
    message.finish()
}

/// Encodes `Request::Run` without copying the invocation first.
pub(super) fn run(number: u64, invocation: &Invocation, limits: &Limits) -> Vec<u8> {
    let mut message = Encoder::new(1);
    message.number(number);
    message.bytes(&invocation.program);
    message.list(&invocation.args, |message, arg| message.bytes(arg));
    message.bytes(invocation.folder.as_os_str());
    message.list(&invocation.env, |message, (name, value)| {
        message.bytes(name);
        message.bytes(value);
    });
    message.option(invocation.stdin.as_ref(), |message, path| message.bytes(path.as_os_str()));
    message.duration(limits.time);
    message.option(limits.memory, Encoder::number);
    message.number(limits.output);
    message.number(u64::from(limits.processes));
    message.finish()
}

/// Encodes `Request::Cancel`.
pub(super) fn cancel(number: u64) -> Vec<u8> {
    let mut message = Encoder::new(2);
    message.number(number);
    message.finish()
}

impl Request {
    pub(super) fn decode(body: &[u8]) -> Option<Request> {
        let mut fields = Decoder(body);
        let request = match fields.byte()? {
            0 => Request::Setup {
                scratch: fields.string()?.into(),
                sandbox: fields.option(Decoder::sandbox)?,
                file_size: fields.option(Decoder::number)?,
            },
            1 => Request::Run {
                number: fields.number()?,
                invocation: fields.invocation()?,
                limits: fields.limits()?,
            },
            2 => Request::Cancel { number: fields.number()? },
            _ => return None,
        };
        fields.0.is_empty().then_some(request)
    }
}

impl Reply {
    pub(super) fn encode(&self) -> Vec<u8> {
        match self {
            Reply::Ready(enforced) => {
                let mut message = Encoder::new(0);
                message.list(&enforced.kept, |message, kept| message.protection(*kept));
                message.list(&enforced.missing, |message, missing| {
                    message.protection(missing.protection);
                    message.bytes(&missing.why);
                });
                message.finish()
            }
            Reply::Ran(ran) => {
                let mut message = Encoder::new(1);
                let (kind, value) = ending_code(ran.ending);
                message.byte(kind);
                message.integer(value);
                message.bytes(OsStr::from_bytes(&ran.output.head));
                message.bytes(OsStr::from_bytes(&ran.output.tail));
                message.number(ran.output.length);
                message.duration(ran.duration);
                message.number(ran.peak_memory);
                message.finish()
            }
            Reply::Cancelled => Encoder::new(2).finish(),
            Reply::Failed(failure) => {
                let mut message = Encoder::new(3);
                let (kind, value, action) = failure.code();
                message.byte(kind);
                message.integer(value);
                message.bytes(action);
                message.finish()
            }
        }
    }

    pub(super) fn decode(body: &[u8]) -> Option<Reply> {
        let mut fields = Decoder(body);
        let reply = match fields.byte()? {
            0 => Reply::Ready(Enforced {
                kept: fields.list(Decoder::protection)?,
                missing: fields.list(|fields| {
                    Some(Missing { protection: fields.protection()?, why: fields.text()? })
                })?,
            }),
            1 => Reply::Ran(Ran {
                ending: fields.ending()?,
                output: Output {
                    head: fields.slice()?.to_vec(),
                    tail: fields.slice()?.to_vec(),
                    length: fields.number()?,
                },
                duration: fields.duration()?,
                peak_memory: fields.number()?,
            }),
            2 => Reply::Cancelled,
            3 => Reply::Failed(fields.failure()?),
            _ => return None,
        };
        fields.0.is_empty().then_some(reply)
    }
}

impl Failure {
    fn code(&self) -> (u8, i32, &str) {
        match self {
            Failure::Program(errno) => (0, *errno, ""),
            Failure::Folder(errno) => (1, *errno, ""),
            Failure::Stdin(errno) => (2, *errno, ""),
            Failure::Stuck(pid) => (3, *pid, ""),
            Failure::Launcher { action, errno } => (4, *errno, action),
        }
    }
}

fn ending_code(ending: Ending) -> (u8, i32) {
    match ending {
        Ending::Exited(status) => (0, i32::from(status)),
        Ending::Signaled(signal) => (1, signal),
        Ending::Limited(Limit::Time) => (2, 0),
        Ending::Limited(Limit::Memory) => (2, 1),
        Ending::Limited(Limit::Output) => (2, 2),
        Ending::Limited(Limit::Processes) => (2, 3),
    }
}

struct Encoder(Vec<u8>);

impl Encoder {
    fn new(tag: u8) -> Encoder {
        let mut message = Vec::with_capacity(512);
        message.extend([0, 0, 0, 0, tag]);
        Encoder(message)
    }

    fn finish(mut self) -> Vec<u8> {
        let size = self.0.len() - 4;
        // The system refuses to start programs with arguments of more than a few megabytes.
        self.0[..4].copy_from_slice(&u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
        self.0
    }

    fn protection(&mut self, value: Protection) {
        self.byte(value as u8);
    }

    fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    fn integer(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    fn number(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn duration(&mut self, value: Duration) {
        self.number(u64::try_from(value.as_nanos()).unwrap_or(u64::MAX));
    }

    fn bytes(&mut self, value: impl AsRef<OsStr>) {
        let value = value.as_ref().as_bytes();
        self.number(value.len() as u64);
        self.0.extend(value);
    }

    fn option<T>(&mut self, value: Option<T>, encode: impl FnOnce(&mut Encoder, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            encode(self, value);
        }
    }

    fn list<T>(&mut self, values: &[T], encode: impl Fn(&mut Encoder, &T)) {
        self.number(values.len() as u64);
        for value in values {
            encode(self, value);
        }
    }
}

struct Decoder<'a>(&'a [u8]);

impl<'a> Decoder<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn integer(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn duration(&mut self) -> Option<Duration> {
        Some(Duration::from_nanos(self.number()?))
    }

    fn slice(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    fn string(&mut self) -> Option<OsString> {
        Some(OsString::from_vec(self.slice()?.to_vec()))
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.slice()?.to_vec()).ok()
    }

    fn option<T>(&mut self, decode: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            _ => Some(Some(decode(self)?)),
        }
    }

    fn list<T>(&mut self, decode: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| decode(self)).collect()
    }

    fn protection(&mut self) -> Option<Protection> {
        let number = self.byte()?;
        Protection::ALL.into_iter().find(|protection| *protection as u8 == number)
    }

    fn sandbox(&mut self) -> Option<Sandbox> {
        Some(Sandbox {
            writes_below: self.string()?.into(),
            network: match self.byte()? {
                0 => NetworkAccess::Everything,
                _ => NetworkAccess::Loopback,
            },
        })
    }

    fn invocation(&mut self) -> Option<Invocation> {
        Some(Invocation {
            program: self.string()?,
            args: self.list(Decoder::string)?,
            folder: self.string()?.into(),
            env: self.list(|fields| Some((fields.string()?, fields.string()?)))?,
            stdin: self.option(Decoder::string)?.map(PathBuf::from),
        })
    }

    fn limits(&mut self) -> Option<Limits> {
        Some(Limits {
            time: self.duration()?,
            memory: self.option(Decoder::number)?,
            output: self.number()?,
            processes: u32::try_from(self.number()?).ok()?,
        })
    }

    fn ending(&mut self) -> Option<Ending> {
        Some(match (self.byte()?, self.integer()?) {
            (0, status) => Ending::Exited(u8::try_from(status).ok()?),
            (1, signal) => Ending::Signaled(signal),
            (2, 0) => Ending::Limited(Limit::Time),
            (2, 1) => Ending::Limited(Limit::Memory),
            (2, 2) => Ending::Limited(Limit::Output),
            (2, 3) => Ending::Limited(Limit::Processes),
            _ => return None,
        })
    }

    fn failure(&mut self) -> Option<Failure> {
        let (kind, value, action) = (self.byte()?, self.integer()?, self.text()?);
        Some(match kind {
            0 => Failure::Program(value),
            1 => Failure::Folder(value),
            2 => Failure::Stdin(value),
            3 => Failure::Stuck(value),
            4 => Failure::Launcher { action, errno: value },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation() -> Invocation {
        Invocation {
            program: "cc".into(),
            args: vec!["-c".into(), OsString::from_vec(vec![0xff, b'\n', 0xfe])],
            folder: "/a b".into(),
            env: vec![("A".into(), "".into())],
            stdin: Some("in".into()),
        }
    }

    fn limits() -> Limits {
        Limits { time: Duration::from_millis(7), memory: None, output: u64::MAX, processes: 3 }
    }

    fn body(message: &[u8]) -> Vec<u8> {
        let mut inbox = Inbox::new(message);
        let body = inbox.next().unwrap().unwrap();
        assert_eq!(inbox.next().unwrap(), None);
        body
    }

    #[test]
    fn a_request_arrives_as_it_was_sent() {
        let message = run(5, &invocation(), &limits());
        let sent = Request::Run { number: 5, invocation: invocation(), limits: limits() };
        assert_eq!(Request::decode(&body(&message)), Some(sent));
        assert_eq!(Request::decode(&body(&cancel(5))), Some(Request::Cancel { number: 5 }));

        let sandbox = Some(Sandbox { writes_below: "w".into(), network: NetworkAccess::Loopback });
        let (program, scratch) = (PathBuf::from("p"), PathBuf::from("s"));
        let settings = Settings { program, scratch, sandbox, file_size: Some(9) };
        let Settings { scratch, sandbox, file_size, .. } = settings.clone();
        let sent = Request::Setup { scratch, sandbox, file_size };
        assert_eq!(Request::decode(&body(&setup(&settings))), Some(sent));
    }

    #[test]
    fn a_reply_arrives_as_it_was_sent() {
        let ran = |ending| {
            Reply::Ran(Ran {
                ending,
                output: Output { head: vec![0, 255], tail: vec![1], length: 1 << 40 },
                duration: Duration::from_nanos(1),
                peak_memory: 2,
            })
        };
        let why = "no".to_owned();
        for reply in [
            Reply::Ready(Enforced {
                kept: vec![Protection::Files, Protection::Ipc],
                missing: vec![Missing { protection: Protection::Network, why }],
            }),
            ran(Ending::Exited(255)),
            ran(Ending::Signaled(11)),
            ran(Ending::Limited(Limit::Time)),
            ran(Ending::Limited(Limit::Memory)),
            ran(Ending::Limited(Limit::Output)),
            ran(Ending::Limited(Limit::Processes)),
            Reply::Cancelled,
            Reply::Failed(Failure::Program(2)),
            Reply::Failed(Failure::Folder(3)),
            Reply::Failed(Failure::Stdin(4)),
            Reply::Failed(Failure::Stuck(5)),
            Reply::Failed(Failure::Launcher { action: "sing".into(), errno: 6 }),
        ] {
            assert_eq!(Reply::decode(&body(&reply.encode())), Some(reply));
        }
    }

    #[test]
    fn a_message_cut_off_anywhere_is_no_message() {
        let message = run(5, &invocation(), &limits());
        for end in 0..message.len() {
            assert_eq!(Inbox::new(&message[..end]).next().unwrap(), None);
        }
        for end in 4..message.len() {
            assert_eq!(Request::decode(&message[4..end]), None);
        }
    }

    #[test]
    fn messages_in_one_piece_come_apart_and_large_ones_come_together() {
        let mut large = invocation();
        large.args.push(OsString::from_vec(vec![b'x'; 100_000]));
        let stream = [cancel(1), run(2, &large, &limits()), cancel(3)].concat();
        let mut inbox = Inbox::new(stream.as_slice());
        let mut bodies = std::iter::from_fn(|| inbox.next().unwrap());
        let mut next = || Request::decode(&bodies.next().unwrap()).unwrap();
        assert_eq!(next(), Request::Cancel { number: 1 });
        assert_eq!(next(), Request::Run { number: 2, invocation: large, limits: limits() });
        assert_eq!(next(), Request::Cancel { number: 3 });
    }
}
