//! Files and folders of this machine that every version is given, as links: what is installed or
//! made beside a checkout and in no version of it.
//!
//! They are entries of the versions themselves, the same in all, so that they are laid out and kept
//! right like any other file and never are among the changes.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use whodunit_exec::root_of;
use whodunit_run::Word;
use whodunit_versions::{Content, Entry, EntryKind, TreePath, Version};

use super::ChangesError;
use crate::settings::HuntSettings;

/// Links that every version is given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    links: Vec<(TreePath, Entry)>,
}

impl Links {
    /// Takes what was asked for: at its place in the checkout, or at the top under its own name if
    /// it lies outside.
    pub(crate) fn of(settings: &HuntSettings) -> Result<Self, ChangesError> {
        let origin = settings.origin.as_path();
        let root = root_of(origin);
        let link = |given: &Word| {
            let missing = || ChangesError::NoLink { path: given.as_path().to_path_buf() };
            let path = place_of(&origin.join(given.as_path())).ok_or_else(missing)?;
            let name = || path.file_name().map(Path::new);
            let inside = path.strip_prefix(&root).ok().filter(|it| !it.as_os_str().is_empty());
            let at = inside.or_else(name).ok_or_else(missing)?;
            let content = Content::bytes(path.as_os_str().as_bytes());
            let at = TreePath::new(at.as_os_str().as_bytes());
            Ok((at, Entry { kind: EntryKind::Link, content }))
        };
        let links: Result<Vec<_>, ChangesError> = settings.with.iter().map(link).collect();
        Ok(Links { links: links? })
    }

    /// Returns a version with the links. They take the place of what it has there itself.
    pub(crate) fn over(&self, mut version: Version) -> Version {
        for (path, entry) in &self.links {
            let covered = version.entries().map(|(it, _)| it);
            let covered: Vec<TreePath> =
                covered.filter(|it| it.is_below(path) || path.is_below(it)).cloned().collect();
            covered.iter().for_each(|it| drop(version.remove(it)));
            version.insert(path.clone(), entry.clone());
        }
        version
    }
}

/// Returns where a file is, without links in the folders that it is in; nothing if it is not there.
fn place_of(path: &Path) -> Option<PathBuf> {
    let plain: PathBuf = path.components().collect();
    let name = plain.file_name().filter(|name| *name != OsStr::new(".."))?;
    let place = fs::canonicalize(plain.parent()?).ok()?.join(name);
    place.exists().then_some(place)
}
