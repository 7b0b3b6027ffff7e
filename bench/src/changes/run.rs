//! One run of whodunit on a case, and the content of its answer.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use super::judge::Blamed;
use crate::run_args::RunArgs;
use crate::session::{self, Ended, Ran};

/// Runs whodunit.
pub(crate) struct Runner {
    cap: Duration,
    /// `None` leaves the number to whodunit.
    jobs: Option<usize>,
    pub(crate) whodunit: PathBuf,
    /// Set when the user wants to stop.
    pub(crate) interrupted: Arc<AtomicBool>,
}

/// The task of a whodunit run.
pub(crate) struct Task {
    pub(crate) good: PathBuf,
    pub(crate) bad: PathBuf,
    /// The repository, if both versions are revisions; `None` if they are folders.
    pub(crate) checkout: Option<PathBuf>,
    /// A shell line that runs before the test.
    pub(crate) build: Option<String>,
    pub(crate) test: Vec<OsString>,
}

/// The flags of the plain search that other tools have.
pub(crate) const HUNK_DDMIN: &[&str] = &["--search", "ddmin", "--level", "hunk"];

/// The result of a run.
pub(crate) struct Outcome {
    pub(crate) answer: Option<Answer>,
    pub(crate) wall: Duration,
    /// `done`, `capped`, or the problem.
    pub(crate) ended: String,
    /// Its output for people.
    pub(crate) said: String,
}

/// The part of whodunit's answer that is compared.
pub(crate) struct Answer {
    pub(crate) files: u64,
    pub(crate) hunks: u64,
    /// The commits between the versions, if they have a history.
    pub(crate) commits: Option<u64>,
    pub(crate) changes: u64,
    pub(crate) committed: u64,
    wasted: u64,
    /// The questions that were answered: by tests that decided, from memory, or without a test.
    pub(crate) asked: u64,
    /// The number of questions that neither passed nor failed.
    pub(crate) unresolved: u64,
    /// The number of atomic changes, and of those that the test reaches, where they were
    /// requested.
    pub(crate) atoms: Option<[u64; 2]>,
    /// The phases of a search for atomic changes: chains, atomic changes, lines.
    pub(crate) phases: Option<[Phase; 3]>,
    pub(crate) culprit: Vec<Blamed>,
    /// The changes that must be removed from the bad version for the test to pass.
    pub(crate) fix: Vec<Blamed>,
    /// A part of the bad version without which it passes.
    pub(crate) spot: Vec<Blamed>,
}

/// A phase of a search for atomic changes.
#[derive(Clone, Copy)]
pub(crate) struct Phase {
    /// The number of changes at its start.
    pub(crate) of: u64,
    /// The number of changes that are needed for the failure.
    pub(crate) left: u64,
    pub(crate) tests: u64,
}

impl Runner {
    /// Returns a runner of the requested whodunit, with a cap for each run.
    pub(crate) fn new(args: &RunArgs, cap: Duration) -> io::Result<Self> {
        let interrupted = session::watch_for_signals()?;
        Ok(Runner { cap, jobs: args.jobs, whodunit: args.program()?, interrupted })
    }

    /// Runs whodunit on a task with further options.
    pub(crate) fn run(
        &self,
        task: &Task,
        options: &[impl AsRef<OsStr>],
    ) -> Result<Outcome, Box<dyn Error>> {
        let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("tmp"))?;
        let mut command = session::command();
        command.arg(&self.whodunit).arg("changes").args([&task.good, &task.bad]);
        command.args(["--json", "-q"]).args(self.jobs.map(|jobs| format!("-j{jobs}")));
        command.args(options);
        if let Some(build) = &task.build {
            command.args(["--build", build]);
        }
        command
            .arg("--")
            .args(&task.test)
            .current_dir(task.checkout.as_deref().unwrap_or(folder.path()))
            .env("TMPDIR", at("tmp"))
            .env("XDG_CACHE_HOME", at("cache"))
            .env("XDG_STATE_HOME", at("state"))
            .stdout(File::create(at("stdout"))?)
            .stderr(File::create(at("stderr"))?);
        let Ran { ended, wall } = session::run(&mut command, self.cap, &self.interrupted)?;
        let ended = match ended {
            Ended::Interrupted => return Err("interrupted".into()),
            Ended::Capped => "capped".to_owned(),
            Ended::Itself(status) => session::exit_words(status),
        };
        let said = String::from_utf8_lossy(&fs::read(at("stderr"))?).into_owned();
        let answer = Answer::read(&fs::read(at("stdout"))?);
        Ok(Outcome { answer, wall, ended, said })
    }
}

impl Answer {
    fn read(json: &[u8]) -> Option<Self> {
        let answer: Value = serde_json::from_slice(json).ok()?;
        let number = |place: &str| answer.pointer(place)?.as_u64();
        let changes = |place: &str| {
            let changes = answer.pointer(place).and_then(Value::as_array);
            changes.into_iter().flatten().map(blamed).collect()
        };
        let phase = |name: &str| {
            let count = |what: &str| number(&format!("/causes/0/atomic/phases/{name}/{what}"));
            Some(Phase { of: count("of")?, left: count("left")?, tests: count("tests")? })
        };
        let phases = || Some([phase("chains")?, phase("changes")?, phase("statements")?]);
        Some(Answer {
            phases: phases(),
            files: number("/size/files")?,
            hunks: number("/size/hunks")?,
            commits: number("/commits_between").filter(|commits| *commits > 0),
            changes: number("/size/changes")?,
            committed: number("/tests/committed")?,
            wasted: number("/tests/wasted")?,
            asked: ["committed", "cached", "foretold"]
                .into_iter()
                .map(|kind| number(&format!("/tests/{kind}")))
                .sum::<Option<u64>>()?,
            unresolved: number("/tests/unresolved")?,
            atoms: number("/causes/0/atomic/phases/atoms")
                .zip(number("/causes/0/atomic/phases/responsible"))
                .map(<[u64; 2]>::from),
            culprit: changes("/causes/0/culprit"),
            fix: changes("/causes/0/fix"),
            spot: changes("/causes/0/spot/parts"),
        })
    }

    /// Returns the percentage of the questions that neither passed nor failed.
    pub(crate) fn unresolved_percent(&self) -> u64 {
        100 * self.unresolved / self.asked.max(1)
    }

    /// Returns the number of tests that were run, including those that decided nothing.
    pub(crate) fn tests_run(&self) -> u64 {
        self.committed + self.wasted
    }

    /// Returns the number of lines that the culprit deletes and adds.
    pub(crate) fn culprit_lines(&self) -> u64 {
        self.culprit.iter().map(Blamed::lines).sum()
    }
}

fn blamed(change: &Value) -> Blamed {
    let word = |name: &str| change[name].as_str().map(str::to_owned);
    Blamed {
        file: word("file").unwrap_or_default(),
        item: word("item"),
        old_lines: lines(&change["old_lines"]),
        new_lines: lines(&change["new_lines"]),
        texts: ["old_text", "new_text"].map(|name| word(name).unwrap_or_default()),
    }
}

fn lines(range: &Value) -> Option<RangeInclusive<u64>> {
    Some(range[0].as_u64()?..=range[1].as_u64()?)
}
