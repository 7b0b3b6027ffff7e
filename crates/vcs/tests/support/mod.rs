//! Repositories made by the tests themselves, with the program `git`.

#![allow(dead_code, unreachable_pub)] // each test file uses a part

pub mod cvs;
pub mod files;
pub mod svn;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::TempDir;
use whodunit_files::EntryKind;
use whodunit_test_support::needs;
use whodunit_vcs::git::{CommitInfo, Repository};
use whodunit_vcs::{Listing, ObjectId};

/// Returns whether `git` is installed to make repositories.
pub fn has_git() -> bool {
    needs("git")
}

/// A repository in a folder of its own. Commits are a day apart, from 2 January 2026 at noon on.
pub struct Made {
    home: TempDir,
    folder: PathBuf,
    day: Cell<u32>,
}

impl Made {
    /// Makes an empty repository.
    pub fn new() -> Self {
        let made = Self::without_repository();
        made.git(["init", "--quiet", "--initial-branch=main"]);
        made
    }

    /// Makes a folder without a repository.
    pub fn without_repository() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("work");
        fs::create_dir(&folder).unwrap();
        fs::write(home.path().join("no-configuration"), "").unwrap();
        Self { home, folder, day: Cell::new(1) }
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns a place beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn open(&self) -> Repository {
        Repository::discover(&self.folder).unwrap()
    }

    /// Writes a file, making the folders it needs.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn make_executable(&self, path: &str) -> &Self {
        let rights = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.folder.join(path), rights).unwrap();
        self
    }

    /// Commits everything that is in the folder, a day later than the last time.
    pub fn commit(&self, title: &str) -> ObjectId {
        self.git(["add", "--all"]);
        self.day.set(self.day.get() + 1);
        self.git(["commit", "--quiet", "--allow-empty", "--message", title]);
        self.id("HEAD")
    }

    /// Merges branches into the present one, a day later.
    pub fn merge(&self, branch: &str) -> ObjectId {
        self.day.set(self.day.get() + 1);
        self.git(["merge", "--quiet", "--no-ff", "--no-edit", branch]);
        self.id("HEAD")
    }

    /// Commits this many times to one file, with titles of numbers.
    pub fn commit_numbers(&self, count: usize) -> Vec<ObjectId> {
        let mut commits = Vec::new();
        for number in 0..count {
            self.write("number", format!("{number}\n"));
            commits.push(self.commit(&format!("number {number}")));
        }
        commits
    }

    pub fn id(&self, spec: &str) -> ObjectId {
        ObjectId::from_hex(self.git(["rev-parse", spec]).trim()).unwrap()
    }

    /// Runs git in the folder. Returns its output.
    pub fn git<const N: usize>(&self, arguments: [&str; N]) -> String {
        let output = self.try_git(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn try_git(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Returns a command that sees no configuration but its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let date = format!("2026-01-{:02}T12:00:00+0000", self.day.get());
        let mut command = Command::new("git");
        command
            .args(["-c", "protocol.file.allow=always", "-c", "gc.auto=0"])
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("GIT_CONFIG_GLOBAL", self.home.path().join("no-configuration"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_COMMITTER_NAME", "Grace")])
            .envs([("GIT_AUTHOR_EMAIL", "ada@example.org"), ("GIT_COMMITTER_EMAIL", "g@x.org")])
            .envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)]);
        command
    }

    /// Returns the file of an object that is not in a pack.
    pub fn loose_object(&self, id: ObjectId) -> PathBuf {
        let id = id.to_string();
        self.folder.join(".git/objects").join(&id[..2]).join(&id[2..])
    }

    /// Damages an object.
    pub fn damage(&self, id: ObjectId) {
        let path = self.loose_object(id);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        fs::write(path, "no object at all").unwrap();
    }

    /// Returns everything that reading must not change: each file of checkout and repository
    /// with its bytes and time, and the output of git about them.
    pub fn fingerprint(&self) -> (BTreeMap<PathBuf, (Vec<u8>, SystemTime)>, String) {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let metadata = path.symlink_metadata().unwrap();
                let bytes = match () {
                    () if metadata.is_symlink() => {
                        fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec()
                    }
                    () if metadata.is_dir() => {
                        folders.push(path.clone());
                        Vec::new()
                    }
                    () => fs::read(&path).unwrap(),
                };
                files.insert(path, (bytes, metadata.modified().unwrap()));
            }
        }
        let status = self.git(["status", "--porcelain", "--untracked-files=all"]);
        (files, status + &self.git(["for-each-ref"]))
    }
}

/// Draws a listing: one line a file, with its kind and content.
pub fn draw(listing: &Listing) -> String {
    let mut drawing = String::new();
    for file in &listing.files {
        let kind = match file.kind {
            EntryKind::Regular => "-",
            EntryKind::Executable => "x",
            EntryKind::Link => "l",
            EntryKind::Submodule => "s",
        };
        let path = file.path.escape_ascii();
        let content = file.content.read().unwrap();
        drawing += &format!("{kind} {path}: {}\n", content.escape_ascii());
    }
    drawing
}

pub fn check(listing: &Listing, expected: &[&str]) {
    let drawing = draw(listing);
    assert_eq!(drawing.lines().collect::<Vec<_>>(), expected);
}

pub fn titles<'a>(commits: impl IntoIterator<Item = &'a CommitInfo>) -> Vec<&'a str> {
    commits.into_iter().map(|commit| commit.title.as_str()).collect()
}

/// Returns the whole text of an error: itself and its causes.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

pub fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}
