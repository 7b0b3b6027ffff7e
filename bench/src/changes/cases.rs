//! Real regressions, each in a folder of its own, and the two releases of each.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::facts::Facts;
use super::run::Task;
use crate::chosen::chosen_with;

/// A regression between two releases.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) facts: Facts,
    /// Fetches both releases into the folder that it gets.
    setup: PathBuf,
    /// The script that runs before the test, if there is one.
    build: Option<PathBuf>,
    /// Exits with 0 where the regression is not there, and with 1 where it is.
    test: PathBuf,
}

/// Returns the cases in `folder` by name; all of them if none is named.
pub(crate) fn chosen(folder: &Path, names: &[String]) -> Result<Vec<Case>, Box<dyn Error>> {
    chosen_with(folder, "case.toml", names, read)
}

fn read(name: String, folder: &Path) -> Result<Case, Box<dyn Error>> {
    let folder = fs::canonicalize(folder)?;
    let facts = Facts::read(&fs::read_to_string(folder.join("case.toml"))?)
        .map_err(|error| format!("{name}/case.toml: {error}"))?;
    let build = Some(folder.join("build.sh")).filter(|build| build.exists());
    let (setup, test) = (folder.join("setup.sh"), folder.join("test.sh"));
    Ok(Case { name, facts, setup, build, test })
}

impl Case {
    /// Brings both releases, as [`Fetched::bring`] does.
    pub(crate) fn fetch(&self, folder: Option<&Path>) -> Result<Brought, Box<dyn Error>> {
        let mut setup = Command::new("sh");
        setup.arg(&self.setup);
        Fetched::bring(&mut setup, ["good", "bad"], &self.name, folder)
    }

    /// Returns the task for whodunit.
    pub(crate) fn task(&self, fetched: &Fetched) -> Task {
        Task {
            good: fetched.good.clone(),
            bad: fetched.bad.clone(),
            checkout: None,
            build: self.build.as_ref().map(|build| format!("sh '{}'", build.display())),
            test: vec!["sh".into(), self.test.clone().into()],
        }
    }
}

/// Both releases of a case.
pub(crate) struct Fetched {
    pub(crate) good: PathBuf,
    pub(crate) bad: PathBuf,
    /// Removed when this value is dropped.
    _temporary: Option<tempfile::TempDir>,
}

/// Both releases, or the reason why they cannot be fetched here.
pub(crate) type Brought = Result<Fetched, String>;

impl Fetched {
    /// Replaces `{fetched}` in an option by the folder with both releases and further fetched
    /// files: `{fetched}/tests.xml`.
    pub(crate) fn named_in(&self, option: &str) -> String {
        let folder = self.good.parent().unwrap_or(&self.good);
        option.replace("{fetched}", &folder.to_string_lossy())
    }

    /// Finds both releases in the folder `case` of `folder`, by their `names` there, or has `setup`
    /// fetch them into the folder that it gets; without `folder` into a folder of their own.
    pub(crate) fn bring(
        setup: &mut Command,
        names: [&str; 2],
        case: &str,
        folder: Option<&Path>,
    ) -> Result<Brought, Box<dyn Error>> {
        let (place, temporary) = match folder {
            Some(folder) => (std::path::absolute(folder)?.join(case), None),
            None => {
                let temporary = tempfile::Builder::new().prefix("bench-").tempdir()?;
                (temporary.path().to_owned(), Some(temporary))
            }
        };
        let [good, bad] = names.map(|name| place.join(name));
        if !(good.is_dir() && bad.is_dir()) {
            fs::create_dir_all(&place)?;
            let setup = setup.arg(&place).stdin(Stdio::null()).stdout(Stdio::null()).output()?;
            if !setup.status.success() {
                let said = String::from_utf8_lossy(&setup.stderr);
                let last = said.lines().last().unwrap_or("its setup says nothing");
                return Ok(Err(last.to_owned()));
            }
        }
        Ok(Ok(Fetched { good, bad, _temporary: temporary }))
    }
}
