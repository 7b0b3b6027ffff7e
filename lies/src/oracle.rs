//! A made-up test: a function from files to what a test run shows.
//!
//! The same function runs as the test of a run (as a program of its own, which also writes down
//! what it was asked about) and takes the answer of that run apart afterwards.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use crate::tree::{self, Size, Tree};
use whodunit_test_support::mix;

/// Rules, of which the first that applies decides; without one the test passes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Oracle {
    pub(crate) rules: Vec<Rule>,
    pub(crate) voice: Voice,
    /// Whether a heading that every run prints has one wording or another one.
    pub(crate) heading: Option<Condition>,
}

/// Under which conditions, all of them, the test shows what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) when: Vec<Condition>,
    pub(crate) shows: Shows,
}

/// A fact, and whether it must hold or must not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Condition {
    pub(crate) fact: Fact,
    pub(crate) holds: bool,
}

/// Something that can be said of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fact {
    /// Some file has this text.
    Has(String),
    /// This text is there so many times, in all files together.
    AtLeast(String, usize),
    /// Some file has the first text before the second one.
    Before(String, String),
    /// There is a file of this name.
    File(String),
    /// The brackets of every file are balanced.
    Balanced,
    /// One content in so many has this by chance.
    Chance { seed: u64, of: u64 },
}

/// What a run of the test shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shows {
    Pass,
    /// The failure that the run is about.
    Fail,
    /// Another failure: one of two with words of their own, or [`QUIET`].
    Other(u8),
    /// The test says that it cannot tell.
    Skip,
    /// It does not build.
    Unbuilt,
}

/// The kind of another failure that says nothing.
pub(crate) const QUIET: u8 = 3;

/// What follows for the files that were tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fail,
    Pass,
    Unresolved,
}

impl Verdict {
    /// Returns the word that answers have for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Fail => "fail",
            Verdict::Pass => "pass",
            Verdict::Unresolved => "unresolved",
        }
    }
}

/// How failures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Voice {
    /// By a line that begins with `error:`.
    #[default]
    Error,
    /// By an exception, with a trace of where it came from.
    Exception,
    /// By lines that look like nothing in particular.
    Plain,
    /// By the exit status alone.
    Status,
    /// By a signal.
    Signal,
}

/// By which convention a test tells its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Convention {
    /// It fails as programs do; 125 is nothing special.
    Command,
    /// It exits with 0 if the failure is there.
    Script,
    /// As for `git bisect run`.
    Bisect,
}

impl Oracle {
    /// Returns what a run of the test on these files shows.
    pub(crate) fn shows(&self, files: &Tree) -> Shows {
        let applies = |rule: &&Rule| rule.when.iter().all(|condition| condition.is_met(files));
        self.rules.iter().find(applies).map_or(Shows::Pass, |rule| rule.shows)
    }

    pub(crate) fn verdict(&self, files: &Tree) -> Verdict {
        match self.shows(files) {
            Shows::Fail => Verdict::Fail,
            Shows::Pass => Verdict::Pass,
            Shows::Other(_) | Shows::Skip | Shows::Unbuilt => Verdict::Unresolved,
        }
    }

    /// Prints what every run prints.
    #[allow(clippy::print_stdout)] // this is what tests do
    fn say_usual(&self, files: &Tree) {
        let size = Size::of(files);
        println!("looked at {} bytes", size.bytes);
        if let Some(heading) = &self.heading {
            println!(
                "{} of words: {}",
                if heading.is_met(files) { "total" } else { "sum" },
                size.tokens
            );
        }
    }
}

impl Condition {
    pub(crate) fn has(text: &str) -> Self {
        Condition { fact: Fact::Has(text.into()), holds: true }
    }

    pub(crate) fn lacks(text: &str) -> Self {
        Condition { fact: Fact::Has(text.into()), holds: false }
    }

    pub(crate) fn is_met(&self, files: &Tree) -> bool {
        self.fact.holds(files) == self.holds
    }
}

impl Fact {
    fn holds(&self, files: &Tree) -> bool {
        match self {
            Fact::Has(text) => files.values().any(|bytes| place(bytes, text).is_some()),
            Fact::AtLeast(text, least) => {
                files.values().map(|bytes| count(bytes, text)).sum::<usize>() >= *least
            }
            Fact::Before(first, second) => files.values().any(|bytes| {
                place(bytes, first).is_some_and(|at| place(&bytes[at..], second).is_some())
            }),
            Fact::File(name) => files.contains_key(name),
            Fact::Balanced => files.values().all(|bytes| is_balanced(bytes)),
            Fact::Chance { seed, of } => mix(hash(files) ^ seed).is_multiple_of(*of),
        }
    }
}

fn place(bytes: &[u8], text: &str) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text.as_bytes())
}

fn count(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).filter(|window| *window == text.as_bytes()).count()
}

fn is_balanced(bytes: &[u8]) -> bool {
    let mut open = Vec::new();
    for byte in bytes {
        match byte {
            b'(' | b'[' | b'{' => open.push(*byte),
            b')' if open.pop() != Some(b'(') => return false,
            b']' if open.pop() != Some(b'[') => return false,
            b'}' if open.pop() != Some(b'{') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Returns a number for the names and contents of files.
pub(crate) fn hash(files: &Tree) -> u64 {
    let mut hash = files.len() as u64;
    for (path, bytes) in files {
        for part in [path.as_bytes(), bytes] {
            hash = mix(hash ^ part.len() as u64);
            for byte in part {
                hash = mix(hash ^ u64::from(*byte));
            }
        }
    }
    hash
}

/// A test that was run, as the test itself wrote it down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) verdict: Verdict,
    pub(crate) size: Size,
}

/// Reads what the tests of a run wrote down.
pub(crate) fn read_log(path: &Path) -> Vec<Seen> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let seen = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let verdict = match words.next()? {
            "fail" => Verdict::Fail,
            "pass" => Verdict::Pass,
            _ => Verdict::Unresolved,
        };
        let bytes = words.next()?.parse().ok()?;
        Some(Seen {
            verdict,
            size: Size {
                bytes,
                tokens: words.next()?.parse().ok()?,
                weight: words.next()?.parse().ok()?,
            },
        })
    });
    seen.collect()
}

/// The first word of the command line of a test.
pub(crate) const ASKED: &str = "be-the-test";

/// The name of the file that tests write to.
pub(crate) const LOG: &str = "log";

/// Runs as the test of a run if the command line says so: `be-the-test STAGE ORACLE CONVENTION
/// [PATH]...`; without paths, the files are those of the current folder. What it is asked about is
/// written down beside the oracle.
pub fn obey_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args().skip(1);
    if words.next()? != ASKED {
        return None;
    }
    let words: Vec<String> = words.collect();
    Some(match obey(&words) {
        Ok(code) => code,
        // The program takes this for an error of the test, never for a verdict.
        Err(_) => ExitCode::from(127),
    })
}

fn obey(words: &[String]) -> io::Result<ExitCode> {
    let [stage, oracle, convention, paths @ ..] = words else {
        return Err(io::Error::other("too few words"));
    };
    // Not a word of the command: what a command names must not change while it is used.
    let log = Path::new(oracle).with_file_name(LOG);
    let oracle: Oracle = serde_json::from_slice(&fs::read(oracle)?)?;
    let convention: Convention = serde_json::from_str(&format!("{convention:?}"))?;
    let files = given(paths)?;
    let shows = oracle.shows(&files);
    if stage == "build" {
        return build(&oracle, shows, &files);
    }
    write_log(&log, oracle.verdict(&files), &files)?;
    if convention == Convention::Script {
        return Ok(ExitCode::from(u8::from(shows != Shows::Fail)));
    }
    oracle.say_usual(&files);
    Ok(oracle.voice.speak(shows, &files))
}

fn given(paths: &[String]) -> io::Result<Tree> {
    if paths.is_empty() {
        return tree::read(Path::new("."));
    }
    let mut files = Tree::new();
    for path in paths {
        let path = Path::new(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let below = tree::read(path)?;
            files.extend(below.into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else if path.exists() {
            files.insert(name, fs::read(path)?);
        }
    }
    Ok(files)
}

fn write_log(log: &Path, verdict: Verdict, files: &Tree) -> io::Result<()> {
    let Size { bytes, tokens, weight } = Size::of(files);
    let line = format!("{} {bytes} {tokens} {weight} {:x}\n", verdict.word(), hash(files));
    File::options().create(true).append(true).open(log)?.write_all(line.as_bytes())
}

/// Complains about the line with a word that needs another one, as compilers do.
#[allow(clippy::print_stdout)] // this is what tests do
fn build(oracle: &Oracle, shows: Shows, files: &Tree) -> io::Result<ExitCode> {
    if shows != Shows::Unbuilt {
        return Ok(ExitCode::SUCCESS);
    }
    let applies = |rule: &&Rule| rule.when.iter().all(|condition| condition.is_met(files));
    let words = |holds: bool| {
        let rule = oracle.rules.iter().find(applies);
        let conditions = rule.into_iter().flat_map(|rule| &rule.when);
        conditions.filter(move |condition| condition.holds == holds).find_map(|condition| {
            match &condition.fact {
                Fact::Has(word) => Some(word.clone()),
                _ => None,
            }
        })
    };
    let (there, missing) = (words(true).unwrap_or_default(), words(false).unwrap_or_default());
    for (path, bytes) in files {
        if let Some(at) = place(bytes, &there).filter(|_| !there.is_empty()) {
            let line = count(&bytes[..at], "\n") + 1;
            println!("{path}:{line}:5: error: '{missing}' undeclared");
        }
    }
    Ok(ExitCode::from(2))
}

impl Voice {
    /// Tells what a test shows, by what it prints and how it ends.
    #[allow(clippy::print_stdout, clippy::print_stderr)] // this is what tests do
    fn speak(self, shows: Shows, files: &Tree) -> ExitCode {
        let kind = match shows {
            Shows::Pass => return ExitCode::SUCCESS,
            Shows::Skip | Shows::Unbuilt => return ExitCode::from(125),
            Shows::Other(QUIET) => {
                return ExitCode::from(if self == Voice::Status { 9 } else { 1 });
            }
            Shows::Fail => 0,
            Shows::Other(kind) => kind,
        };
        let what = ["the total is wrong", "no such unit", "the header is missing"];
        let what = what[usize::from(kind).min(2)];
        match self {
            Voice::Error => eprintln!("error: {what}"),
            Voice::Exception => {
                let name = ["ValueError", "KeyError", "TypeError"][usize::from(kind).min(2)];
                let size = Size::of(files).tokens;
                eprintln!("Traceback (most recent call last):");
                eprintln!("  File \"check.py\", line {}, in check", 10 + kind);
                eprintln!("    look({size})");
                eprintln!("{name}: {what}");
            }
            Voice::Plain => {
                let line = Size::of(files).bytes % 7;
                println!("input, line {line}: {what}");
            }
            Voice::Status => return ExitCode::from(3 + kind),
            Voice::Signal => {
                use rustix::process::{Signal, getpid, kill_process};
                let signal = [Signal::ABORT, Signal::SEGV, Signal::FPE][usize::from(kind).min(2)];
                let _ = kill_process(getpid(), signal);
            }
        }
        ExitCode::from(1)
    }
}
