//! One run of a tool on a case: a fresh folder, a cap, and nothing left behind.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::cases::Case;
use super::counting::{self, Counted, Counter};
use super::numbers::Tested;
use super::tools::{self, Place, Tool};
use crate::session::{self, Ended, Ran};

/// Runs tools.
pub(super) struct Runner {
    pub(super) cap: Duration,
    pub(super) jobs: usize,
    pub(super) whodunit: PathBuf,
    /// Set when the user wants to stop.
    pub(super) interrupted: Arc<AtomicBool>,
}

/// The result of a run.
pub(super) struct Outcome {
    pub(super) tests: Vec<Tested>,
    /// The tests that decided, as whodunit counts them.
    pub(super) committed: Option<u64>,
    pub(super) content: Vec<u8>,
    pub(super) wall: Duration,
    /// `done`, `capped`, or the problem.
    pub(super) ended: String,
}

/// The folder of a run.
struct Folder {
    /// Removed when this value is dropped.
    root: tempfile::TempDir,
    /// The tool's current folder, with the input.
    work: PathBuf,
    /// The tool's own files.
    own: PathBuf,
    out: PathBuf,
    test: PathBuf,
}

impl Folder {
    fn create(case: &Case) -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let folder = |name: &str| -> io::Result<PathBuf> {
            let path = root.path().join(name);
            fs::create_dir(&path)?;
            Ok(path)
        };
        let (work, own) = (folder("work")?, folder("own")?);
        folder("tmp")?;
        fs::write(work.join(&case.file), &case.content)?;
        let out = root.path().join(format!("out.{}", case.extension));
        let test = root.path().join("test.sh");
        Ok(Folder { root, work, own, out, test })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }
}

impl Runner {
    /// Returns the path of a tool, if it is installed.
    pub(super) fn program(&self, tool: &Tool) -> Option<PathBuf> {
        match tool.name {
            name if name == tools::WHODUNIT.name => {
                Some(self.whodunit.clone()).filter(|program| program.is_file())
            }
            _ => session::in_path(tool.program),
        }
    }

    /// Returns the number of tests that a tool runs in parallel.
    pub(super) fn jobs_of(&self, tool: &Tool) -> usize {
        if tool.parallel { self.jobs } else { 1 }
    }

    /// Runs a tool on a case. The inner error is a problem of the tool; the bench can continue.
    pub(super) fn run(
        &self,
        tool: &Tool,
        case: &Case,
    ) -> Result<Result<Outcome, String>, Box<dyn Error>> {
        let folder = Folder::create(case)?;
        let counter = Counter::listen(folder.root.path())?;
        counter.write_script(&folder.test, case)?;
        let mut command = self.command(tool, case, &folder)?;
        let Ran { ended, wall } = session::run(&mut command, self.cap, &self.interrupted)?;
        let counted = counter.finish()?;
        if matches!(ended, Ended::Interrupted) {
            return Err("interrupted".into());
        }
        outcome(tool, case, &folder, ended, counted, wall)
    }

    fn command(
        &self,
        tool: &Tool,
        case: &Case,
        folder: &Folder,
    ) -> Result<Command, Box<dyn Error>> {
        let program = self.program(tool).ok_or_else(|| format!("{} is gone", tool.name))?;
        let fill = |word: &str| {
            word.replace("{program}", &program.to_string_lossy())
                .replace("{test}", &folder.test.to_string_lossy())
                .replace("{input}", &case.file)
                .replace("{out}", &folder.out.to_string_lossy())
                .replace("{jobs}", &self.jobs.to_string())
                .replace("{extension}", &case.extension)
                .replace("{folder}", &folder.own.to_string_lossy())
        };
        if let Some((name, content)) = tool.file {
            fs::write(folder.own.join(name), fill(content))?;
        }
        let mut command = session::command();
        command
            .args(tool.words(&case.extension).into_iter().map(fill))
            .current_dir(&folder.work)
            .env("TMPDIR", folder.at("tmp"))
            .env("XDG_CACHE_HOME", folder.at("cache"))
            .env("XDG_STATE_HOME", folder.at("state"))
            .envs(tool.variables.iter().copied())
            .stdout(File::create(folder.at("stdout"))?)
            .stderr(File::create(folder.at("stderr"))?);
        Ok(command)
    }
}

fn outcome(
    tool: &Tool,
    case: &Case,
    folder: &Folder,
    ended: Ended,
    counted: Counted,
    wall: Duration,
) -> Result<Result<Outcome, String>, Box<dyn Error>> {
    if let Some(trouble) = counted.trouble {
        return Err(format!("a test could not be run: {trouble}").into());
    }
    let Some(smallest) = counted.smallest else {
        let said = last_words(folder).unwrap_or_default();
        return Ok(Err(format!("no test of it failed\n{said}")));
    };
    let result = match tool.result {
        Place::Input => folder.work.join(&case.file),
        Place::Out => folder.out.clone(),
    };
    let (mut ended, finished) = match ended {
        Ended::Itself(status) => (session::exit_words(status), true),
        Ended::Capped | Ended::Interrupted => ("capped".to_owned(), false),
    };
    // The smallest failing candidate replaces a result that is missing or does not fail.
    let mut content = smallest;
    if finished {
        match fs::read(&result).ok() {
            Some(read) if counting::fails(case, &read)? => content = read,
            Some(_) => ended.push_str(", result does not fail"),
            None => ended.push_str(", no result"),
        }
    }
    let answer = fs::read(folder.at("stdout")).unwrap_or_default();
    let committed = (tool.name == tools::WHODUNIT.name).then(|| committed_tests(&answer)).flatten();
    Ok(Ok(Outcome { tests: counted.tests, committed, content, wall, ended }))
}

/// Reads whodunit's own count from its answer.
fn committed_tests(answer: &[u8]) -> Option<u64> {
    let answer: serde_json::Value = serde_json::from_slice(answer).ok()?;
    answer.pointer("/tests/committed")?.as_u64()
}

/// Returns the last lines of a tool's output.
fn last_words(folder: &Folder) -> io::Result<String> {
    const LINES: usize = 10;
    let mut said = fs::read(folder.at("stdout"))?;
    said.extend(fs::read(folder.at("stderr"))?);
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().collect();
    Ok(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}
