//! A made-up test: a function from files to the behaviour of a test run.
//!
//! The same function runs as the test of a run (as a program of its own, which also records the
//! files that it was asked about) and checks the answer of that run afterwards.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use crate::tree::{self, Size, Tree};
use whodunit_test_support::mix;

/// Rules, of which the first that applies decides; if none applies, the test passes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Oracle {
    pub(crate) rules: Vec<Rule>,
    pub(crate) voice: Voice,
    /// The condition for the second wording of a heading that every run prints.
    pub(crate) heading: Option<Condition>,
}

/// The behaviour of the test if all conditions are met.
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

/// A property of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fact {
    /// Some file has this text.
    Has(String),
    /// All files together contain this text at least this often.
    AtLeast(String, usize),
    /// Some file has the first text before the second one.
    Before(String, String),
    /// There is a file of this name.
    File(String),
    /// The brackets of every file are balanced.
    Balanced,
    /// One content in `of` has this property by chance.
    Chance { seed: u64, of: u64 },
}

/// The behaviour of a run of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shows {
    Pass,
    /// The failure that the run searches.
    Fail,
    /// Another failure: one of two with messages of their own, or [`QUIET`].
    Other(u8),
    /// The test reports that it cannot decide.
    Skip,
    /// It does not build.
    Unbuilt,
}

/// The kind of another failure that prints nothing.
pub(crate) const QUIET: u8 = 3;

/// The verdict on the tested files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fail,
    Pass,
    Unresolved,
}

impl Verdict {
    /// Returns its word in answers.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Fail => "fail",
            Verdict::Pass => "pass",
            Verdict::Unresolved => "unresolved",
        }
    }
}

/// The form of failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Voice {
    /// A line that begins with `error:`.
    #[default]
    Error,
    /// An exception with a trace.
    Exception,
    /// Lines without a known form.
    Plain,
    /// The exit status alone.
    Status,
    /// A signal.
    Signal,
}

/// The convention by which a test tells its outcome.
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
    /// Returns the behaviour of the test on these files.
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

    /// Prints the usual output of every run.
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

/// A test that was run, as the test itself recorded it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) verdict: Verdict,
    pub(crate) size: Size,
}

/// Reads the records of the tests of a run.
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

/// Runs as the test of a run if the command line requests it: `be-the-test STAGE ORACLE CONVENTION
/// [PATH]...`; without paths, the files are those of the current folder. Each test is recorded
/// beside the oracle.
pub fn obey_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args().skip(1);
    if words.next()? != ASKED {
        return None;
    }
    let words: Vec<String> = words.collect();
    Some(match obey(&words) {
        Ok(code) => code,
        // The program takes this code for an error of the test, never for a verdict.
        Err(_) => ExitCode::from(127),
    })
}

fn obey(words: &[String]) -> io::Result<ExitCode> {
    let [stage, oracle, convention, paths @ ..] = words else {
        return Err(io::Error::other("too few words"));
    };
    // The log is no word of the command: files that a command names must not change while it is
    // used.
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

/// Reports the line of a word that needs a missing one, as compilers do.
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
    /// Shows a behaviour by its output and its exit code.
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
