//! Finds tests in the checkout that are not committed yet, which belong to the newest version; and
//! other files that the checkout has and no version has.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use whodunit_exec::root_of;
use whodunit_files::regular;
use whodunit_run::Word;
use whodunit_vcs::git::Repository;
use whodunit_versions::{Content, Entry, EntryKind, TreePath, Version};

use super::HistoryError;
use super::lineage::holds_releases;
use super::overlay::Overlay;
use super::own::is_same;
use crate::settings::HistorySettings;
use crate::test_files::is_test;

/// Number of missing files and folders that are listed.
const MOST: usize = 8;

/// Folders of version control and of caches, which no test needs.
const OTHERS: [&[u8]; 5] = [b".git", b".svn", b".hg", b"CVS", b"__pycache__"];

/// Bytes of a test that is taken from the checkout; people do not write larger ones.
const LARGEST: u64 = 4 << 20;

/// Returns the tests in the checkout that the newest version lacks or has in another form; none if
/// the newest version is not the one that is checked out.
///
/// Looks only into folders that the version has and into new folders of tests, because others are
/// built or installed.
pub(super) fn uncommitted_tests(
    settings: &HistorySettings,
    newest: &Version,
) -> Result<Overlay, HistoryError> {
    let place = settings.how.origin.as_path().join(settings.place.as_path());
    let repository = Repository::discover(&place).ok();
    let repository = repository.filter(|it| !holds_releases(it, &place));
    let folder = repository.as_ref().and_then(Repository::work_folder);
    let Some(folder) = folder.filter(|_| settings.until.is_none()) else {
        return Ok(Overlay::default());
    };
    let walk = Walk::new(newest);
    let mut files = Vec::new();
    walk.visit(folder, &TreePath::from(""), &mut files)?;
    Ok(Overlay::of(files))
}

/// Returns the files and folders in the checkout that the newest version lacks, folders first. They
/// are installed, built or kept there.
pub(super) fn lacking(
    settings: &HistorySettings,
    newest: &Version,
) -> Result<Vec<Word>, HistoryError> {
    let root = root_of(&settings.how.origin.as_path().join(settings.place.as_path()));
    let walk = Walk::new(newest);
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    let mut ahead = vec![TreePath::from("")];
    while let Some(at) = ahead.pop() {
        let folder = root.join(at.as_os_str());
        // A folder that cannot be read is skipped.
        for item in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = at.join(item.file_name().as_bytes());
            let is_folder = item.path().is_dir();
            if newest.get(&path).is_some() || OTHERS.contains(&path.name()) {
                continue;
            }
            match (is_folder, walk.folders.contains(&path)) {
                (true, true) => ahead.push(path),
                (true, false) => folders.push(path),
                (false, _) => files.push(path),
            }
        }
    }
    folders.sort();
    files.sort();
    let all = folders.into_iter().chain(files).take(MOST);
    Ok(all.map(|path| Word::from(path.as_os_str())).collect())
}

struct Walk<'a> {
    newest: &'a Version,
    /// The folders of the newest version.
    folders: BTreeSet<TreePath>,
}

impl<'a> Walk<'a> {
    fn new(newest: &'a Version) -> Self {
        let folders = newest.entries().flat_map(|(path, _)| path.folders().collect::<Vec<_>>());
        Walk { newest, folders: folders.collect() }
    }

    fn visit(
        &self,
        folder: &Path,
        at: &TreePath,
        files: &mut Vec<(TreePath, Entry)>,
    ) -> io::Result<()> {
        for item in fs::read_dir(folder)? {
            let item = item?;
            let (path, kind) = (at.join(item.file_name().as_bytes()), item.file_type()?);
            if kind.is_dir() {
                let is_new_test = is_test(&path.join(b"x")) && !path.name().starts_with(b".");
                if self.folders.contains(&path) || is_new_test {
                    self.visit(&item.path(), &path, files)?;
                }
            } else if kind.is_file() && is_test(&path) {
                files.extend(self.changed(&item.path(), path)?);
            }
        }
        Ok(())
    }

    /// Returns a test of the checkout, if the newest version lacks it or has another content.
    fn changed(&self, file: &Path, path: TreePath) -> io::Result<Option<(TreePath, Entry)>> {
        let found = fs::metadata(file)?;
        if found.len() > LARGEST {
            return Ok(None);
        }
        let bytes = regular::read(file)?;
        let is_executable = found.permissions().mode() & 0o111 != 0;
        let kind = if is_executable { EntryKind::Executable } else { EntryKind::Regular };
        let is_text = !bytes.contains(&0);
        let entry = Entry { kind, content: Content::bytes(bytes) };
        Ok(match self.newest.get(&path) {
            Some(known) if !known.kind.is_file() || is_same(known, &entry)? => None,
            // A new file that is not text was built.
            None if !is_text => None,
            _ => Some((path, entry)),
        })
    }
}
