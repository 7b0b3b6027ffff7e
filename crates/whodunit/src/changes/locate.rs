//! Maps places in the output of a build to changes.

use whodunit_core::DeltaSet;
use whodunit_run::hints::Locate;
use whodunit_versions::TreePath;

use super::deltas::Deltas;

/// Looks up changes, as a candidate has them.
pub(super) struct Locator<'a> {
    pub(super) deltas: &'a Deltas,
    pub(super) set: &'a DeltaSet,
}

impl Locate for Locator<'_> {
    fn touching(&self, file: &[u8], line: u32) -> DeltaSet {
        let file = file.strip_prefix(b"./").unwrap_or(file);
        let whole = self.deltas.parts.file_at(self.set, &TreePath::new(file));
        whole
            .or_else(|| self.only_file_named(file))
            .map_or_else(DeltaSet::empty, |file| self.deltas.parts.deltas_at(self.set, file, line))
    }

    fn defining(&self, name: &str) -> DeltaSet {
        // The last part of a qualified name is the name of the definition.
        let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
        self.deltas.mentions().defining(last.as_bytes())
    }

    fn using(&self, name: &str) -> DeltaSet {
        let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
        self.deltas.mentions().mentioning(last.as_bytes())
    }

    fn making(&self, file: &str) -> DeltaSet {
        let wanted = file.trim_start_matches("./");
        let dotted = wanted.replace('.', "/");
        let makes = |path: &TreePath| {
            let path = path.display();
            let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
            [wanted, &dotted]
                .iter()
                .any(|wanted| ends_with(&path, wanted) || ends_with(stem, wanted))
        };
        let makers = self.deltas.makers.iter().filter(|(path, _)| makes(path));
        makers.flat_map(|(_, deltas)| deltas).copied().collect()
    }
}

impl Locator<'_> {
    /// Returns the file whose path ends like this, if it is the only one, because some tools omit
    /// the folders.
    fn only_file_named(&self, end: &[u8]) -> Option<usize> {
        let parts = &self.deltas.parts;
        let is_it = |file: &usize| {
            let path = parts.paths(*file);
            let path = path.1.or(path.0).map(TreePath::as_bytes);
            let before = path.and_then(|path| path.strip_suffix(end));
            !end.is_empty() && before.is_some_and(|before| matches!(before.last(), Some(b'/')))
        };
        let mut found = (0..parts.file_count()).filter(is_it);
        found.next().filter(|_| found.next().is_none())
    }
}

/// Returns whether `end` is the whole path or its last parts.
fn ends_with(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end);
    !end.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
