//! Subversion repositories made by the tests themselves.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use whodunit_test_support::needs;
use whodunit_vcs::svn::Repository;
use whodunit_vcs::{ClientSettings, Patience};

use super::files::write_script;

/// Returns whether the programs to make repositories are installed.
pub fn has_svn() -> bool {
    ["svn", "svnadmin", "svnserve"].into_iter().all(needs)
}

/// A repository with `trunk` and `branches`, and a checkout of it all.
pub struct Subversion {
    home: TempDir,
}

impl Subversion {
    pub fn new() -> Self {
        let made = Self { home: tempfile::tempdir().unwrap() };
        made.run("svnadmin", made.home.path(), &["create", "repository"]);
        // The hook allows setting the dates of revisions.
        write_script(&made.beside("repository/hooks/pre-revprop-change"), "exit 0");
        let url = made.url("");
        made.run("svn", made.home.path(), &["checkout", "--quiet", &url, "work"]);
        made.svn(&["mkdir", "--quiet", "trunk", "branches"]);
        made
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn work(&self, path: &str) -> PathBuf {
        self.home.path().join("work").join(path)
    }

    pub fn url(&self, path: &str) -> String {
        format!("file://{}/{path}", self.beside("repository").display())
    }

    /// Writes a file of the checkout; a new one is added to the next commit.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let place = self.work(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
        self.svn(&["add", "--quiet", "--force", "--parents", &format!("{path}@")]);
        self
    }

    /// Commits as Ada; the number of the revision is its day in January 2026.
    pub fn commit(&self, message: &str) -> u64 {
        self.svn(&["commit", "--quiet", "--username", "ada", "--message", message]);
        self.svn(&["update", "--quiet"]);
        let text = self.run("svnlook", self.home.path(), &["youngest", "repository"]);
        let number: u64 = text.trim().parse().unwrap();
        let (revision, url) = (number.to_string(), self.url(""));
        let date = format!("2026-01-{number:02}T12:00:00.500000Z");
        self.svn(&["propset", "--quiet", "--revprop", "-r", &revision, "svn:date", &date, &url]);
        number
    }

    pub fn svn(&self, arguments: &[&str]) -> String {
        self.run("svn", &self.work(""), arguments)
    }

    fn run(&self, program: &str, folder: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env("LC_ALL", "C.UTF-8");
        if program == "svn" {
            command.arg("--config-dir").arg(self.beside("configuration"));
        }
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program} {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns settings with a cache of the test, and no waiting.
    pub fn settings(&self) -> ClientSettings {
        ClientSettings {
            program: None,
            cache: self.beside("cache"),
            configuration: Some(self.beside("configuration")),
            patience: Patience::new(|_| ControlFlow::Continue(())),
        }
    }

    pub fn open(&self, path: &str) -> Repository {
        Repository::open(&self.url(path), self.settings()).unwrap()
    }
}
