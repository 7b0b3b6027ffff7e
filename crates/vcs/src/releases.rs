//! A folder of releases as a history: folders and archives in the order of their versions.

mod order;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_files::EntryKind;

use self::order::{Name, stem};
use crate::lineage::is_within;
use crate::{
    Beginning, Error, Lineage, ListedFile, Listing, Revision, Skipped, Span, archive, near,
};

/// A row of releases.
#[derive(Clone, Debug)]
pub struct Releases {
    /// The folders and archives, newest first.
    releases: Vec<Release>,
    beginning: Beginning,
    skipped: Vec<Skipped>,
}

#[derive(Clone, Debug)]
struct Release {
    /// The name in the folder.
    name: String,
    path: PathBuf,
    order: Name,
    is_folder: bool,
}

impl Releases {
    /// Reads the releases in a folder.
    ///
    /// A release is a folder or an archive with a number in its name, as `project-1.10` or
    /// `project-1.10.tar.gz`. Numbers are compared as numbers, and a preliminary version (`rc`,
    /// `beta` and the like) is older than its release. Of a folder and an archive with the same
    /// name the folder counts. Bounds are names of releases or their versions; there are no dates.
    pub fn open(folder: &Path, span: &Span) -> Result<Self, Error> {
        let (mut releases, skipped) = find(folder)?;
        let place = |releases: &[Release], spec: &str| {
            let names = || releases.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
            let found = releases.iter().position(|release| release.is_called(spec));
            found.ok_or_else(|| Error::UnknownRevision {
                spec: spec.to_owned(),
                near: near::suggest(spec, &names()),
            })
        };
        let oldest = span.since.as_deref().map(|spec| place(&releases, spec)).transpose()?;
        let newest = span.until.as_deref().map(|spec| place(&releases, spec)).transpose()?;
        let end = oldest.map_or(releases.len(), |place| place + 1);
        let all = releases.len();
        releases.truncate(end);
        releases.drain(..newest.unwrap_or(0).min(end));
        let within = releases.len();
        let releases = only_changed(releases, &span.plain_paths(), oldest.is_some())?;
        // Bounds and paths leave releases out, perhaps also the oldest one.
        let is_whole = end == all && releases.len() == within;
        let beginning = if is_whole { Beginning::Root } else { Beginning::Bound };
        if releases.is_empty() {
            return Err(Error::NoVersions);
        }
        Ok(Self { releases, beginning, skipped })
    }

    /// Returns the entries of the folder that are no releases.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }
}

impl Lineage for Releases {
    fn len(&self) -> usize {
        self.releases.len()
    }

    /// Without an author and a time: the times of files are those of unpacking or copying.
    fn revision(&self, place: usize) -> Result<Revision, Error> {
        let Release { name, .. } = &self.releases[place];
        Ok(Revision {
            id: name.clone(),
            short_id: stem(name).to_owned(),
            author: String::new(),
            time: None,
            message: stem(name).to_owned(),
        })
    }

    fn list(&self, place: usize) -> Result<Listing, Error> {
        crate::list(&self.releases[place].path)
    }

    fn beginning(&self) -> Beginning {
        self.beginning
    }
}

impl Release {
    /// Returns whether a name means this release: its name in the folder, that name without the
    /// ending of an archive, or its version alone.
    fn is_called(&self, spec: &str) -> bool {
        let stem = stem(&self.name);
        let is_version = |rest: &str| rest.ends_with(['-', '_', 'v', 'V', ' ']);
        self.name == spec || stem == spec || stem.strip_suffix(spec).is_some_and(is_version)
    }
}

/// Returns the releases in a folder, newest first, and the other entries.
fn find(folder: &Path) -> Result<(Vec<Release>, Vec<Skipped>), Error> {
    let unreadable = |source: io::Error| Error::File { path: folder.to_path_buf(), source };
    let (mut releases, mut skipped) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut skip = |what| skipped.push(Skipped { path: name.clone().into_bytes(), what });
        let is_folder = path.is_dir();
        if !name.bytes().any(|byte| byte.is_ascii_digit()) || name.starts_with('.') {
            skip("without a version in its name");
        } else if !is_folder && !archive::is_archive(&path)? {
            skip("neither a folder nor an archive");
        } else {
            releases.push(Release { order: Name::of(&name), is_folder, name, path });
        }
    }
    // A folder is before the archive of the same name, which is dropped.
    releases.sort_by(|one, other| {
        let key = |it: &Release| (it.order.clone(), it.is_folder, it.name.clone());
        key(other).cmp(&key(one))
    });
    releases.dedup_by(|later, kept| {
        let is_same = stem(&later.name) == stem(&kept.name);
        if is_same {
            let path = later.name.clone().into_bytes();
            skipped.push(Skipped { path, what: "the same release once more" });
        }
        is_same
    });
    skipped.sort();
    Ok((releases, skipped))
}

/// Keeps the releases that change one of these files or folders, and the newest; also the oldest if
/// it has such a file or is the requested bound.
fn only_changed(
    releases: Vec<Release>,
    paths: &[Vec<u8>],
    keeps_oldest: bool,
) -> Result<Vec<Release>, Error> {
    if paths.is_empty() {
        return Ok(releases);
    }
    let files = releases.iter().map(|release| files(&crate::list(&release.path)?, paths));
    let files: Vec<Files> = files.collect::<Result<_, Error>>()?;
    let is_changed = |place: usize| match files.get(place + 1) {
        Some(older) => *older != files[place],
        None => keeps_oldest || !files[place].is_empty(),
    };
    let releases = releases.into_iter().enumerate();
    let kept = releases.filter(|(place, _)| *place == 0 || is_changed(*place));
    Ok(kept.map(|(_, release)| release).collect())
}

type Files = Vec<(Vec<u8>, EntryKind, Arc<[u8]>)>;

/// Returns those files of a version that lie within paths, with their contents.
fn files(listing: &Listing, paths: &[Vec<u8>]) -> Result<Files, Error> {
    let within = listing.files.iter().filter(|file| is_within(&file.path, paths));
    let read = |file: &ListedFile| {
        let place = || match file.content.on_disk() {
            Some(path) => path.to_owned(),
            None => PathBuf::from(OsStr::from_bytes(&file.path)),
        };
        let bytes = file.content.read().map_err(|source| Error::File { path: place(), source })?;
        Ok((file.path.clone(), file.kind, bytes))
    };
    within.map(read).collect()
}
