//! One run of whodunit on a case, and what its answer says.

use std::error::Error;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use super::cases::{Case, Fetched};
use super::judge::Blamed;
use crate::session::{self, Ended, Ran};

/// Runs whodunit.
pub(super) struct Runner {
    pub(super) cap: Duration,
    /// As many as whodunit takes by itself if nothing is said.
    pub(super) jobs: Option<usize>,
    pub(super) whodunit: PathBuf,
    /// Set when the user wants to stop.
    pub(super) interrupted: Arc<AtomicBool>,
}

/// How whodunit is called.
#[derive(Clone, Copy)]
pub(super) enum Search {
    /// Without options.
    Default,
    /// As the plain search that others have.
    HunkDdmin,
}

/// What came of a run.
pub(super) struct Outcome {
    pub(super) answer: Option<Answer>,
    pub(super) wall: Duration,
    /// `done`, `capped`, or what was wrong.
    pub(super) ended: String,
    /// What it printed for people.
    pub(super) said: String,
}

/// The part of whodunit's answer that is compared.
pub(super) struct Answer {
    pub(super) files: u64,
    pub(super) hunks: u64,
    pub(super) changes: u64,
    pub(super) committed: u64,
    wasted: u64,
    pub(super) unresolved: u64,
    pub(super) culprit: Vec<Blamed>,
}

impl Runner {
    pub(super) fn run(
        &self,
        case: &Case,
        fetched: &Fetched,
        search: Search,
    ) -> Result<Outcome, Box<dyn Error>> {
        let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("tmp"))?;
        let mut command = session::command();
        command.arg(&self.whodunit).arg("changes").args([&fetched.good, &fetched.bad]);
        command.args(["--json", "-q"]).args(self.jobs.map(|jobs| format!("-j{jobs}")));
        if let Search::HunkDdmin = search {
            command.args(["--search", "ddmin", "--level", "hunk"]);
        }
        command
            .args(["--", "sh"])
            .arg(&case.test)
            .current_dir(folder.path())
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
        let culprit = answer.pointer("/causes/0/culprit").and_then(Value::as_array);
        Some(Answer {
            files: number("/size/files")?,
            hunks: number("/size/hunks")?,
            changes: number("/size/changes")?,
            committed: number("/tests/committed")?,
            wasted: number("/tests/wasted")?,
            unresolved: number("/tests/unresolved")?,
            culprit: culprit.into_iter().flatten().map(blamed).collect(),
        })
    }

    /// Returns how many tests were run, those that decided nothing included.
    pub(super) fn tests_run(&self) -> u64 {
        self.committed + self.wasted
    }

    /// Returns how many lines the culprit takes out and puts in.
    pub(super) fn culprit_lines(&self) -> u64 {
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
    }
}

fn lines(range: &Value) -> Option<RangeInclusive<u64>> {
    Some(range[0].as_u64()?..=range[1].as_u64()?)
}
