//! CVS repositories made by the tests themselves.

use std::ffi::OsStr;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use whodunit_test_support::needs;
use whodunit_vcs::cvs::Repository;
use whodunit_vcs::{ClientSettings, Patience};

use super::files::make_writable;

/// Returns whether the program to make repositories is installed.
pub fn has_cvs() -> bool {
    needs("cvs")
}

/// A repository with a module `module`, and a checkout of it.
pub struct Cvs {
    home: TempDir,
}

impl Cvs {
    pub fn new() -> Self {
        let made = Self { home: tempfile::tempdir().unwrap() };
        made.cvs_in(&made.beside(""), &["init"]);
        fs::create_dir(made.beside("root/module")).unwrap();
        made.cvs_in(&made.beside(""), &["checkout", "module"]);
        made
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn work(&self, path: impl AsRef<Path>) -> PathBuf {
        self.home.path().join("module").join(path)
    }

    pub fn root(&self) -> String {
        self.beside("root").display().to_string()
    }

    /// Writes a file of the checkout; a new one is added to the next commit.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        let path = path.as_ref();
        let place = self.work(path);
        let is_new = !place.exists();
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        folders.reverse();
        for folder in folders.into_iter().filter(|folder| !self.work(folder).exists()) {
            fs::create_dir(self.work(folder)).unwrap();
            self.cvs(&[OsStr::new("add"), folder.as_os_str()]);
        }
        fs::write(place, content).unwrap();
        if is_new {
            self.cvs(&[OsStr::new("add"), path.as_os_str()]);
        }
        self
    }

    pub fn delete(&self, path: &str) -> &Self {
        fs::remove_file(self.work(path)).unwrap();
        self.cvs(&["remove", path]);
        self
    }

    pub fn commit(&self, message: &str) -> &Self {
        self.cvs(&["commit", "-m", message]);
        self
    }

    /// Sets the date of a file's last revision, like `2026.01.02.12.00.00`. CVS itself writes
    /// dates; they can only be changed in the file of the repository.
    pub fn date(&self, path: &str, moment: &str) -> &Self {
        let file = self.beside("root/module").join(format!("{path},v"));
        let text = fs::read_to_string(&file).unwrap();
        let head =
            text.lines().next().unwrap().trim_start_matches("head").trim_matches([' ', '\t', ';']);
        let begins = text.find(&format!("\n{head}\ndate\t")).unwrap() + head.len() + 7;
        let ends = begins + text[begins..].find(';').unwrap();
        let text = format!("{}{moment}{}", &text[..begins], &text[ends..]);
        make_writable(&file);
        fs::write(file, text).unwrap();
        self
    }

    pub fn cvs<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        self.cvs_in(&self.work(""), arguments)
    }

    pub fn cvs_in<S: AsRef<OsStr>>(&self, folder: &Path, arguments: &[S]) -> String {
        let mut command = Command::new("cvs");
        command.args(["-f", "-Q", "-d", &self.root()]).args(arguments).current_dir(folder);
        command.env("LC_ALL", "C").env("LOGNAME", "ada").env("USER", "ada");
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let arguments: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
        assert!(output.status.success(), "cvs {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns settings with a cache of the test, and no waiting.
    pub fn settings(&self) -> ClientSettings {
        ClientSettings {
            program: None,
            cache: self.beside("cache"),
            configuration: None,
            patience: Patience::new(|_| ControlFlow::Continue(())),
        }
    }

    pub fn open(&self) -> Repository {
        Repository::open(&self.root(), "module", &self.settings()).unwrap()
    }
}
