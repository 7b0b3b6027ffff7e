//! The files that every version gets: files and folders of this machine that were installed or made
//! beside a checkout and are in no version, and the current script of the test.
//!
//! A text file, such as a new test, is copied. Folders and other files, such as installed packages,
//! are links, because they may be large. A test is not linked, because Node and Python's
//! `Path.resolve` look for the files that it uses beside the target of a link, and so would test
//! the checkout instead of the version.
//!
//! These files are entries of all versions. So they are laid out and restored like any other file,
//! and are never among the changes.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_exec::{Script, is_checkout, root_of};
use whodunit_files::regular;
use whodunit_run::Word;
use whodunit_versions::{Content, Entry, EntryKind, TreePath, Version};

use super::ChangesError;
use crate::settings::VersionSettings;
use crate::test_files::is_test;

/// Bytes of a text file that is copied; a larger one is linked. Chosen by hand: sources are
/// smaller, and each worker writes the file to its folder.
const MAX_COPIED_BYTES: u64 = 1 << 20;

/// The files that every version gets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    links: Vec<(TreePath, Entry)>,
    /// The script of the test, at its place in the checkout: it may use the files beside it.
    script: Option<(TreePath, Entry)>,
    /// The test files of one version, which replace those of all other versions.
    tests: Option<Arc<Vec<(TreePath, Entry)>>>,
}

impl Links {
    /// Takes the files and folders of the settings. Each has its place in the checkout, or is at
    /// the top under its own name if it lies outside.
    pub(crate) fn of(settings: &VersionSettings) -> Result<Self, ChangesError> {
        let origin = settings.origin.as_path();
        let root = root_of(origin);
        let link = |given: &Word| {
            let missing = || ChangesError::NoLink { path: given.as_path().to_path_buf() };
            let path = place_of(&origin.join(given.as_path())).ok_or_else(missing)?;
            let name = || path.file_name().map(Path::new);
            let inside = path.strip_prefix(&root).ok().filter(|it| !it.as_os_str().is_empty());
            let at = inside.or_else(name).ok_or_else(missing)?;
            let at = TreePath::new(at.as_os_str().as_bytes());
            let link = || Entry {
                kind: EntryKind::Link,
                content: Content::bytes(path.as_os_str().as_bytes()),
            };
            Ok((at, copied(&path).unwrap_or_else(link)))
        };
        let links: Result<Vec<_>, ChangesError> = settings.with.iter().map(link).collect();
        Ok(Links { links: links?, script: None, tests: None })
    }

    /// Gives every version the tests of this one, and removes all others.
    pub(crate) fn with_tests_of(mut self, version: &Version) -> Self {
        let tests = version.entries().filter(|(path, _)| is_test(path));
        let tests = tests.map(|(path, entry)| (path.clone(), entry.clone())).collect();
        self.tests = Some(Arc::new(tests));
        self
    }

    /// Adds the script of the test, if it lies in the checkout that versions are read from.
    pub(crate) fn with_script(mut self, settings: &VersionSettings) -> Self {
        let origin = settings.origin.as_path();
        let words: Vec<_> = settings.test.iter().map(|word| word.as_os_str().to_owned()).collect();
        let script = Script::of(&words, origin).filter(|_| is_checkout(&root_of(origin)));
        self.script = script.and_then(|script| {
            let at = TreePath::new(script.inside?.as_os_str().as_bytes());
            let content = Content::bytes(script.bytes.to_vec());
            Some((at, Entry { kind: EntryKind::Executable, content }))
        });
        self
    }

    /// Returns whether versions have the script of the test at its place.
    pub(crate) fn has_script(&self) -> bool {
        self.script.is_some()
    }

    /// Returns the same without the script, and the path of the script, if the script may be the
    /// tested program rather than the test: the newest version has the current script, and its name
    /// is not that of a test.
    pub(crate) fn with_own_scripts(
        &self,
        newest: &Version,
    ) -> io::Result<Option<(TreePath, Self)>> {
        let Some((path, script)) = &self.script else { return Ok(None) };
        let own = newest.get(path).filter(|own| own.kind.is_file() && !is_test(path));
        let is_same = match own {
            Some(own) => own.content.read()? == script.content.read()?,
            None => false,
        };
        let plain = || Links { script: None, ..self.clone() };
        Ok(is_same.then(|| (path.clone(), plain())))
    }

    /// Returns a version without the script. An edited script makes another test, and not another
    /// version.
    pub(crate) fn without_script(&self, mut version: Version) -> Version {
        if let Some((path, _)) = &self.script {
            version.remove(path);
        }
        version
    }

    /// Returns a version with these files in place of its own.
    pub(crate) fn over(&self, mut version: Version) -> Version {
        if let Some(tests) = &self.tests {
            let own = version.entries().map(|(path, _)| path).filter(|path| is_test(path));
            let own: Vec<TreePath> = own.cloned().collect();
            own.iter().for_each(|path| drop(version.remove(path)));
            for (path, entry) in tests.iter() {
                version.insert(path.clone(), entry.clone());
            }
        }
        for (path, entry) in self.links.iter().chain(&self.script) {
            let covered = version.entries().map(|(it, _)| it);
            let covered: Vec<TreePath> =
                covered.filter(|it| it.is_below(path) || path.is_below(it)).cloned().collect();
            covered.iter().for_each(|it| drop(version.remove(it)));
            let mut entry = entry.clone();
            // A version that has the current script stays the same version.
            if let Some(own) = version.get(path).filter(|own| own.kind.is_file())
                && entry.kind.is_file()
            {
                entry.kind = own.kind;
            }
            version.insert(path.clone(), entry);
        }
        version
    }
}

/// Returns the path of a file without links in the folders above it; `None` if the file does not
/// exist.
fn place_of(path: &Path) -> Option<PathBuf> {
    let plain: PathBuf = path.components().collect();
    let name = plain.file_name().filter(|name| *name != OsStr::new(".."))?;
    let place = fs::canonicalize(plain.parent()?).ok()?.join(name);
    place.exists().then_some(place)
}

/// Returns a text file with its current content; `None` for a folder, a binary file or a large
/// file.
fn copied(path: &Path) -> Option<Entry> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_COPIED_BYTES {
        return None;
    }
    let bytes = regular::read(path).ok().filter(|bytes| !bytes.contains(&0))?;
    let is_program = metadata.permissions().mode() & 0o111 != 0;
    let kind = if is_program { EntryKind::Executable } else { EntryKind::Regular };
    Some(Entry { kind, content: Content::bytes(bytes) })
}
