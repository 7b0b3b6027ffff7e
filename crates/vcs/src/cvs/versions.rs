//! From revisions of files to versions of a whole.

use std::collections::BTreeMap;
use std::time::Duration;

use super::log::LoggedFile;
use super::number::RevisionNumber;
use super::trunk;

/// How revisions of files are put together to versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// Revisions this far apart or farther belong to two versions.
    pub window: Duration,
    /// Whether revisions with different authors or messages can be one version.
    pub any_author: bool,
}

impl Default for Together {
    /// Five minutes, as in "Iterative Delta Debugging" (Artho 2011, 5.3); unlike there, the author and
    /// the message are the same.
    fn default() -> Self {
        Together { window: Duration::from_secs(5 * 60), any_author: false }
    }
}

/// A version: file revisions that were committed together.
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
    changes: Vec<(usize, Option<RevisionNumber>)>,
}

impl File {
    /// Returns the revision of a file in a version; `None` if the file is not there.
    pub(super) fn revision(&self, version: usize) -> Option<&RevisionNumber> {
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
struct FileRevision {
    seconds: i64,
    file: usize,
    place: usize,
}

/// An author and a message.
type Said<'a> = (&'a [u8], &'a [u8]);

/// Puts revisions of files together.
pub(super) fn gather(logged: &[LoggedFile], branch: Option<&str>, together: Together) -> Row {
    let rows: Vec<_> = logged.iter().map(|file| trunk::row(file, branch)).collect();
    let mut alike: BTreeMap<Said<'_>, Vec<FileRevision>> = BTreeMap::new();
    for (file, row) in rows.iter().enumerate() {
        for (place, (seconds, revision)) in row.iter().enumerate() {
            let said: Said<'_> = match together.any_author {
                true => (&[], &[]),
                false => (&revision.author, &revision.message),
            };
            alike.entry(said).or_default().push(FileRevision { seconds: *seconds, file, place });
        }
    }
    let mut versions: Vec<(Version, Vec<FileRevision>)> = Vec::new();
    let window = i64::try_from(together.window.as_secs()).unwrap_or(i64::MAX);
    for (_, mut parts) in alike {
        parts.sort_unstable();
        for close in parts.chunk_by(|one, next| next.seconds - one.seconds < window) {
            let seconds = close.iter().map(|part| part.seconds).max().unwrap_or_default();
            let mut files: Vec<usize> = close.iter().map(|part| part.file).collect();
            files.sort_unstable();
            files.dedup();
            // Where authors or messages differ, those of the last revision count.
            let Some(last) = close.last() else { continue };
            let revision = rows[last.file][last.place].1;
            let (author, message) = (revision.author.clone(), revision.message.clone());
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
        for FileRevision { file, place, .. } in parts.iter().copied() {
            // If versions overlap in time, a file does not return to an older revision.
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

#[cfg(test)]
mod tests {
    use super::super::log::LoggedRevision;
    use super::*;

    /// Makes a file of revisions: each a time, an author and a message; a message `dead` deletes.
    fn file(path: &str, revisions: &[(i64, &str, &str)]) -> LoggedFile {
        let revision =
            |(place, (seconds, author, message)): (usize, &(i64, &str, &str))| LoggedRevision {
                number: RevisionNumber::parse(&format!("1.{}", place + 1)).unwrap(),
                seconds: *seconds,
                author: author.as_bytes().to_vec(),
                is_dead: *message == "dead",
                message: message.as_bytes().to_vec(),
            };
        let revisions = revisions.iter().enumerate().map(revision).collect();
        LoggedFile { path: path.as_bytes().to_vec(), branches: Vec::new(), revisions }
    }

    /// Draws versions: the author and the message, and each file with its revision.
    fn draw(files: &[LoggedFile]) -> Vec<String> {
        drawn(files, Together::default())
    }

    fn drawn(files: &[LoggedFile], together: Together) -> Vec<String> {
        let row = gather(files, None, together);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let draw = |(place, version): (usize, &Version)| {
            let mut line = format!("{} {}:", text(&version.author), text(&version.message));
            for file in &row.files {
                let revision = file.revision(place).map(RevisionNumber::to_string);
                line += &format!(" {}", revision.unwrap_or_else(|| "-".to_owned()));
            }
            line
        };
        row.versions.iter().enumerate().map(draw).collect()
    }

    #[test]
    fn close_revisions_are_chained() {
        let files = [
            file("a", &[(0, "ada", "x"), (598, "ada", "x")]),
            file("b", &[(299, "ada", "x"), (898, "ada", "x")]),
            file("c", &[(299, "grace", "x"), (300, "ada", "y")]),
        ];
        let expected =
            ["grace x: - - 1.1", "ada y: - - 1.2", "ada x: 1.2 1.1 1.2", "ada x: 1.2 1.2 1.2"];
        assert_eq!(draw(&files), expected);
    }

    #[test]
    fn whoever_and_whatever_is_one_version_if_that_is_asked_for() {
        let files = [
            file("a", &[(0, "ada", "x"), (500, "grace", "z")]),
            file("b", &[(299, "grace", "y")]),
            file("c", &[(900, "ada", "late")]),
        ];
        let any = Together { any_author: true, ..Together::default() };
        assert_eq!(drawn(&files, any), ["grace z: 1.2 1.1 -", "ada late: 1.2 1.1 1.1"]);
        let window = Duration::from_secs(100);
        let narrow = Together { window, any_author: true };
        assert_eq!(drawn(&files, narrow).len(), 4);
        assert_eq!(draw(&files).len(), 4);
    }

    #[test]
    fn a_file_never_goes_back_where_versions_overlap() {
        let files =
            [file("a", &[(0, "ada", "x"), (100, "grace", "y")]), file("b", &[(200, "ada", "x")])];
        assert_eq!(draw(&files), ["grace y: 1.2 -", "ada x: 1.2 1.1"]);
    }

    #[test]
    fn clocks_that_went_back_change_no_order() {
        let files = [file("a", &[(1000, "ada", "x"), (50, "ada", "y"), (1000, "ada", "dead")])];
        assert_eq!(draw(&files), ["ada x: 1.1", "ada y: 1.2", "ada dead: -"]);
    }

    #[test]
    fn what_was_added_on_a_branch_first_is_no_version() {
        let files = [file("a", &[(0, "ada", "dead"), (1000, "ada", "x")])];
        assert_eq!(draw(&files), ["ada x: 1.2"]);
    }
}
