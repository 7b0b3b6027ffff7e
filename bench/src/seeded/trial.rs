//! The test of a package: its command, for this program and for whodunit, and the lines that it
//! runs.

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::packages::{Ecosystem, HOME, Package};
use super::ran_lines::{self, Place};
use crate::session::{self, Ended};

/// The time limit of the test: a fault that makes it take longer is not used.
const CAP: Duration = Duration::from_secs(20);
/// The folder of a crate's build, inside its own folder.
pub(super) const BUILT: &str = "_built";

/// Beginnings of lines that follow every failure, and so tell nothing about this one.
const HINTS: [&str; 2] = ["note: run with `RUST_BACKTRACE", "Node.js v"];

/// The test of a package.
pub(super) struct Trial {
    ecosystem: Ecosystem,
    /// A line for the shell that has to run before the test.
    pub(super) build: Option<String>,
    pub(super) test: Vec<OsString>,
    interrupted: Arc<AtomicBool>,
}

/// The result of a run of a test.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// 0 if it passed.
    pub(super) exit: i32,
    /// The last line of its output for people.
    pub(super) last_line: String,
}

/// Returns the path of a package's test.
pub(super) fn script(package: &Package) -> PathBuf {
    let extension = match package.ecosystem {
        Ecosystem::Pypi => "py",
        Ecosystem::Npm => "js",
        Ecosystem::Crates => "rs",
    };
    // Not the package's name alone: Python would import the test in its place.
    let name = format!("test_{}.{extension}", package.name.replace(['-', '.'], "_"));
    Path::new(HOME).join("tests").join(name)
}

impl Trial {
    pub(super) fn of(package: &Package, interrupted: &Arc<AtomicBool>) -> Self {
        let script = script(package);
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        // The candidate comes before the packages installed on this machine. Not `-S`: it is no
        // usual option for tests, and no tracer would be loaded.
        let mut test = match package.ecosystem {
            Ecosystem::Pypi => words(&["env", "PYTHONPATH=.", "python3", "-B"]),
            Ecosystem::Npm => words(&["node"]),
            Ecosystem::Crates => {
                words(&["sh", "-c", &format!("RUST_BACKTRACE=0 exec ./{BUILT}/test")])
            }
        };
        let is_crate = package.ecosystem == Ecosystem::Crates;
        let build = is_crate.then(|| {
            let build = Path::new(HOME).join("build.sh");
            let features = package.features.join(" ");
            let (build, script) = (build.display(), script.display());
            format!("sh '{build}' {} '{script}' {BUILT} {features}", package.name)
        });
        if !is_crate {
            test.push(script.into());
        }
        Trial { ecosystem: package.ecosystem, build, test, interrupted: interrupted.clone() }
    }

    /// Returns the test as a line for the shell.
    pub(super) fn test_line(&self) -> String {
        let word = |word: &OsString| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''"));
        format!("exec {}\n", self.test.iter().map(word).collect::<Vec<_>>().join(" "))
    }

    /// Runs the test in a folder; `None` if it cannot be built or exceeds the time limit.
    pub(super) fn run(&self, folder: &Path) -> Result<Option<Seen>, Box<dyn Error>> {
        self.run_as(folder, &[], &self.test)
    }

    /// Returns which lines of the files in a folder the test runs; `None` if that is unknown.
    pub(super) fn ran_lines(
        &self,
        folder: &Path,
    ) -> Result<Option<BTreeSet<Place>>, Box<dyn Error>> {
        let kept = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let into = kept.path();
        match self.ecosystem {
            Ecosystem::Pypi => {
                let (before, script) = self.test.split_at(self.test.len() - 1);
                let tracer = Path::new(HOME).join("trace.py").into();
                let words = [before, &[tracer, into.join("lines").into()], script].concat();
                self.run_as(folder, &[], &words)?;
                Ok(Some(ran_lines::listed(&fs::read_to_string(into.join("lines"))?)))
            }
            Ecosystem::Npm => {
                self.run_as(folder, &[("NODE_V8_COVERAGE", into)], &self.test)?;
                Ok(Some(ran_lines::of_node(into, folder)?))
            }
            Ecosystem::Crates => Ok(None),
        }
    }

    fn run_as(
        &self,
        folder: &Path,
        variables: &[(&str, &Path)],
        test: &[OsString],
    ) -> Result<Option<Seen>, Box<dyn Error>> {
        if let Some(build) = &self.build {
            let words = ["sh".into(), "-c".into(), OsString::from(build)];
            if self.run_words(folder, &[], &words)?.is_none_or(|seen| seen.exit != 0) {
                return Ok(None);
            }
        }
        self.run_words(folder, variables, test)
    }

    fn run_words(
        &self,
        folder: &Path,
        variables: &[(&str, &Path)],
        words: &[OsString],
    ) -> Result<Option<Seen>, Box<dyn Error>> {
        let output = tempfile::NamedTempFile::new()?;
        let mut command: Command = session::command();
        command.args(words).current_dir(folder).envs(variables.iter().copied());
        command.stdout(File::create(output.path())?).stderr(output.reopen()?);
        let ran = session::run(&mut command, CAP, &self.interrupted)?;
        let Ended::Itself(status) = ran.ended else {
            return match ran.ended {
                Ended::Interrupted => Err("interrupted".into()),
                _ => Ok(None),
            };
        };
        let said = fs::read(output.path())?;
        let said = String::from_utf8_lossy(&said);
        let is_said = |line: &&str| {
            !line.trim().is_empty() && !HINTS.iter().any(|hint| line.starts_with(hint))
        };
        let last_line = said.lines().rfind(is_said).unwrap_or_default();
        let seen = Seen { exit: status.code().unwrap_or(-1), last_line: last_line.to_owned() };
        Ok(Some(seen))
    }
}
