//! Files of the newest version that are carried back to every version.

use std::io;
use std::sync::Arc;

use whodunit_versions::{Entry, TreePath, Version};

use crate::changes::Links;

/// Files of the newest version that every version gets.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    files: Vec<(TreePath, Entry)>,
    /// Files from elsewhere that every version gets.
    links: Arc<Links>,
}

impl Overlay {
    /// Takes files and folders of the newest version; the error is the first path that it lacks.
    pub(super) fn new(newest: &Version, paths: &[Vec<u8>]) -> Result<Self, Vec<u8>> {
        let mut files = Vec::new();
        for path in paths {
            let before = files.len();
            // The path may be typed as `./tests/`.
            let parts = path.split(|byte| *byte == b'/');
            let parts: Vec<&[u8]> = parts.filter(|part| !matches!(*part, b"" | b".")).collect();
            let plain = parts.join(&b'/');
            let is_in = |file: &TreePath| {
                let rest = file.as_bytes().strip_prefix(plain.as_slice());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
            };
            let found = newest.entries().filter(|(file, _)| is_in(file));
            files.extend(found.map(|(file, entry)| (file.clone(), entry.clone())));
            if files.len() == before {
                return Err(path.clone());
            }
        }
        Ok(Overlay { files, links: Arc::default() })
    }

    /// Takes these files.
    pub(super) fn of(files: Vec<(TreePath, Entry)>) -> Self {
        Overlay { files, links: Arc::default() }
    }

    /// Adds these links for every version.
    pub(super) fn with(self, links: Links) -> Self {
        Overlay { links: Arc::new(links), ..self }
    }

    /// Returns the same for versions that keep their own script of the test, and the path of the
    /// script; see [`Links::with_own_scripts`].
    pub(super) fn with_own_scripts(
        &self,
        newest: &Version,
    ) -> io::Result<Option<(TreePath, Self)>> {
        let own = self.links.with_own_scripts(newest)?;
        Ok(own.map(|(path, links)| (path, self.clone().with(links))))
    }

    /// Returns the paths of the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &TreePath> {
        self.files.iter().map(|(path, _)| path)
    }

    /// Puts the files over a version.
    pub(super) fn over(&self, version: Version) -> Version {
        let mut version = version;
        for (path, entry) in &self.files {
            version.insert(path.clone(), entry.clone());
        }
        self.links.over(version)
    }
}
