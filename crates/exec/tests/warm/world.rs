//! A warm worker with everything it needs, and versions made of a few words.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use whodunit_core::Verdict;
use whodunit_exec::process::{Launcher, Settings};
use whodunit_exec::scratch::Scratch;
use whodunit_exec::warm::{Between, Warm, WarmSettings};
use whodunit_exec::{Command, Oracle, WorkerError};
use whodunit_run::Key;
use whodunit_run::judge::{Inability, Observation, Rule};
use whodunit_run::{
    EntryKind, FileChange, LayOutOver, Limits, Size, Subject, Tested, Ticket, TreeFile, Worker,
};

pub(crate) const FAKE: &str = env!("CARGO_BIN_EXE_fake-oracle");

/// A version: paths with a kind and content; `@` before a link, `*` before an executable file,
/// `+` before a submodule.
pub(crate) type Version = BTreeMap<Vec<u8>, (EntryKind, Vec<u8>)>;

pub(crate) fn version(files: &[(&str, &str)]) -> Version {
    let file = |&(path, text): &(&str, &str)| {
        let (kind, path) = match path.split_at(1) {
            ("@", path) => (EntryKind::Link, path),
            ("*", path) => (EntryKind::Executable, path),
            ("+", path) => (EntryKind::Submodule, path),
            _ => (EntryKind::Regular, path),
        };
        (path.as_bytes().to_vec(), (kind, text.as_bytes().to_vec()))
    };
    files.iter().map(file).collect()
}

/// Any number of versions; a candidate is the number of a version.
pub(crate) struct Versions(pub(crate) Vec<Version>);

fn tree_file((path, (kind, bytes)): (&Vec<u8>, &(EntryKind, Vec<u8>))) -> TreeFile {
    TreeFile { path: path.as_slice().into(), kind: *kind, bytes: bytes.as_slice().into() }
}

impl Subject for Versions {
    type Candidate = usize;

    fn key(&self, candidate: &usize) -> Key {
        Key::of_bytes(&candidate.to_le_bytes())
    }

    fn size(&self, _candidate: &usize) -> Size {
        Size::default()
    }
}

impl LayOutOver for Versions {
    fn each_file(
        &self,
        candidate: &usize,
        found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0[*candidate].iter().try_for_each(|file| found(tree_file(file)))
    }

    fn file(&self, candidate: &usize, path: &[u8]) -> io::Result<Option<TreeFile>> {
        Ok(self.0[*candidate].get_key_value(path).map(tree_file))
    }

    fn differences(&self, from: &usize, to: &usize) -> io::Result<Vec<FileChange>> {
        let (from, to) = (&self.0[*from], &self.0[*to]);
        let written = to.iter().filter(|(path, file)| from.get(*path) != Some(file));
        let removed = from.keys().filter(|path| !to.contains_key(*path));
        let removed = removed.map(|path| FileChange::Remove(path.as_slice().into()));
        Ok(written.map(|file| FileChange::Write(tree_file(file))).chain(removed).collect())
    }
}

/// A warm worker with everything it needs.
pub(crate) struct World {
    pub(crate) place: TempDir,
    pub(crate) worker: Warm<Versions>,
    pub(crate) folder: PathBuf,
    pub(crate) scratch: Scratch,
}

pub(crate) fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), memory: None, output: 1 << 20, processes: 100 }
}

pub(crate) fn path() -> OsString {
    std::env::var_os("PATH").unwrap()
}

pub(crate) fn shell(line: &str) -> Command {
    Command::shell_in_tree(line, &path()).unwrap()
}

pub(crate) fn oracle(command: Command) -> Oracle {
    Oracle {
        gates: vec![],
        configure: None,
        build: None,
        command,
        limits: limits().into(),
        derived_time: false,
        variables: vec![],
        confined: false,
    }
}

impl World {
    pub(crate) fn new(test: &str, versions: Vec<Version>) -> Self {
        World::with(oracle(shell(test)), Between::Keep, versions)
    }

    pub(crate) fn with(oracle: Oracle, between: Between, versions: Vec<Version>) -> Self {
        World::set_up(oracle, WarmSettings { between, hint: None, build_cache: None }, versions)
    }

    pub(crate) fn set_up(oracle: Oracle, settings: WarmSettings, versions: Vec<Version>) -> Self {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(&[place.path().into()], 0).unwrap();
        let slot = scratch.slot(0).unwrap();
        let launcher = Launcher::start(&Settings {
            program: FAKE.into(),
            scratch: slot.folder().into(),
            sandbox: None,
            file_size: None,
        });
        let folder = slot.candidate();
        let given = Arc::new(oracle.clone());
        let versions = Versions(versions);
        let mut worker = Warm::new(versions, launcher.unwrap(), slot, settings, oracle);
        worker
            .instruct(&given, &Arc::new(Rule::Bisect { same: None, inability: Inability::Stops }));
        World { place, worker, folder, scratch }
    }

    pub(crate) fn try_test(&mut self, candidate: usize) -> Result<Option<Tested>, WorkerError> {
        self.worker.test(Ticket::next(), &candidate)
    }

    pub(crate) fn test(&mut self, candidate: usize) -> Verdict {
        self.try_test(candidate).unwrap().unwrap().verdict
    }

    pub(crate) fn see(&mut self, candidate: usize) -> Observation {
        self.try_test(candidate).unwrap().unwrap().observation.unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn written(&self, name: &str) -> (i64, i64) {
        let found = fs::symlink_metadata(self.path(name)).unwrap();
        (found.mtime(), found.mtime_nsec())
    }

    /// Returns the files in the folder, sorted; a link as `name -> target`.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let name = path.strip_prefix(&self.folder).unwrap().display().to_string();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_symlink() {
                    found.push(format!("{name} -> {}", fs::read_link(&path).unwrap().display()));
                } else {
                    found.push(format!("{name}: {}", fs::read_to_string(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }
}
