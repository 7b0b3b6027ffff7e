//! Real regressions, each in a folder of its own, and the two releases of each.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::facts::Facts;
use super::run::Task;

/// A regression between two releases.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) facts: Facts,
    /// Brings both releases to the folder that it is given.
    setup: PathBuf,
    /// Has to run before the test, if there is one.
    build: Option<PathBuf>,
    /// Exits with 0 where the regression is not there, and with 1 where it is.
    test: PathBuf,
}

/// Returns the cases in `folder` by name; all of them if none is named.
pub(crate) fn chosen(folder: &Path, names: &[String]) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let wanted = names.is_empty() || names.contains(&name);
        if wanted && entry.path().join("case.toml").exists() {
            cases.push(read(name, &entry.path())?);
        }
    }
    if let Some(name) = names.iter().find(|name| cases.iter().all(|case| case.name != **name)) {
        return Err(format!("there is no case `{name}` in {}", folder.display()).into());
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

fn read(name: String, folder: &Path) -> Result<Case, Box<dyn Error>> {
    let folder = fs::canonicalize(folder)?;
    let facts = Facts::read(&fs::read_to_string(folder.join("case.toml"))?);
    let build = Some(folder.join("build.sh")).filter(|build| build.exists());
    let (setup, test) = (folder.join("setup.sh"), folder.join("test.sh"));
    Ok(Case { name, facts, setup, build, test })
}

impl Case {
    /// Returns what whodunit is run on.
    pub(crate) fn task(&self, fetched: &Fetched) -> Task {
        Task {
            good: fetched.good.clone(),
            bad: fetched.bad.clone(),
            build: self.build.as_ref().map(|build| format!("sh '{}'", build.display())),
            test: vec!["sh".into(), self.test.clone().into()],
        }
    }
}

/// Both releases of a case.
pub(crate) struct Fetched {
    good: PathBuf,
    bad: PathBuf,
    /// Removed when this goes.
    _temporary: Option<tempfile::TempDir>,
}

impl Fetched {
    /// Fills in the folder with both releases and what else was fetched: `{fetched}/tests.xml`.
    pub(crate) fn named_in(&self, option: &str) -> String {
        let folder = self.good.parent().unwrap_or(&self.good);
        option.replace("{fetched}", &folder.to_string_lossy())
    }

    /// Finds both releases in `folder`, or brings them there; without one, to a folder of their
    /// own. The inner error says why that cannot be done here.
    pub(crate) fn bring(
        case: &Case,
        folder: Option<&Path>,
    ) -> Result<Result<Self, String>, Box<dyn Error>> {
        let (place, temporary) = match folder {
            Some(folder) => (std::path::absolute(folder)?.join(&case.name), None),
            None => {
                let temporary = tempfile::Builder::new().prefix("bench-").tempdir()?;
                (temporary.path().to_owned(), Some(temporary))
            }
        };
        let (good, bad) = (place.join("good"), place.join("bad"));
        if !(good.is_dir() && bad.is_dir()) {
            fs::create_dir_all(&place)?;
            let setup = Command::new("sh")
                .arg(&case.setup)
                .arg(&place)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .output()?;
            if !setup.status.success() {
                let said = String::from_utf8_lossy(&setup.stderr);
                let last = said.lines().last().unwrap_or("setup.sh says nothing");
                return Ok(Err(last.to_owned()));
            }
        }
        Ok(Ok(Fetched { good, bad, _temporary: temporary }))
    }
}
