//! From revisions of files to versions of a whole.

use std::collections::BTreeMap;

use super::log::LoggedFile;
use super::number::Number;
use super::trunk;

/// File revisions that are farther apart belong to different versions.
const CLOSE: i64 = 5 * 60;

/// A version: what was committed together.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) author: Vec<u8>,
    pub(super) message: Vec<u8>,
    /// When its last file revision was made.
    pub(super) seconds: i64,
    /// The files it changes, by their places.
    pub(super) files: Vec<usize>,
}

/// A file: the versions that change it, and its revision in each, oldest first. A deleted file has
/// no revision.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// The path below the root of the repository.
    pub(super) path: Vec<u8>,
    changes: Vec<(usize, Option<Number>)>,
}

impl File {
    /// Returns the revision that a file has in a version, if it is there.
    pub(super) fn revision(&self, version: usize) -> Option<&Number> {
        let before = self.changes.partition_point(|(changed, _)| *changed <= version);
        self.changes[..before].last()?.1.as_ref()
    }
}

/// The versions, oldest first, and the files.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) versions: Vec<Version>,
    pub(super) files: Vec<File>,
}

/// A revision of a file: its time, its file and its place in the file's row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    seconds: i64,
    file: usize,
    place: usize,
}

/// An author, and what was said.
type Said<'a> = (&'a [u8], &'a [u8]);

/// Puts revisions of files together.
pub(super) fn gather(logged: &[LoggedFile], branch: Option<&str>) -> Row {
    let rows: Vec<_> = logged.iter().map(|file| trunk::row(file, branch)).collect();
    let mut alike: BTreeMap<Said<'_>, Vec<Part>> = BTreeMap::new();
    for (file, row) in rows.iter().enumerate() {
        for (place, (seconds, revision)) in row.iter().enumerate() {
            let said = (&revision.author[..], &revision.message[..]);
            alike.entry(said).or_default().push(Part { seconds: *seconds, file, place });
        }
    }
    let mut versions: Vec<(Version, Vec<Part>)> = Vec::new();
    for ((author, message), mut parts) in alike {
        parts.sort_unstable();
        for close in parts.chunk_by(|one, next| next.seconds - one.seconds < CLOSE) {
            let seconds = close.iter().map(|part| part.seconds).max().unwrap_or_default();
            let mut files: Vec<usize> = close.iter().map(|part| part.file).collect();
            files.sort_unstable();
            files.dedup();
            let (author, message) = (author.to_vec(), message.to_vec());
            versions.push((Version { author, message, seconds, files }, close.to_vec()));
        }
    }
    versions.sort_by(|(one, _), (other, _)| {
        let order = |it: &Version| (it.seconds, it.files.clone(), it.message.clone());
        order(one).cmp(&order(other))
    });

    let mut newest: Vec<Option<usize>> = vec![None; logged.len()];
    let mut files: Vec<File> =
        logged.iter().map(|file| File { path: file.path.clone(), changes: Vec::new() }).collect();
    for (version, (_, parts)) in versions.iter().enumerate() {
        for Part { file, place, .. } in parts.iter().copied() {
            // Where versions overlap in time, a file does not go back.
            if newest[file].is_some_and(|newest| newest >= place) {
                continue;
            }
            newest[file] = Some(place);
            let revision = rows[file][place].1;
            let number = (!revision.is_dead).then(|| revision.number.clone());
            files[file].changes.push((version, number));
        }
    }
    Row { versions: versions.into_iter().map(|(version, _)| version).collect(), files }
}
