//! A history as a row of versions, wherever it comes from.
//!
//! Only the row itself is read when it is opened; descriptions and files of revisions are read on
//! demand.

use std::fmt;

use crate::{Error, Listing, Time};

/// A row of versions, each made from the following one: the newest has place 0.
///
/// Places beyond the end are a mistake of the caller, and panic.
pub trait Lineage: fmt::Debug + Send + Sync {
    /// Returns how many versions there are, at least one.
    fn len(&self) -> usize;

    /// Returns whether there are no versions; always false.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Describes a version.
    fn revision(&self, place: usize) -> Result<Revision, Error>;

    /// Lists the files of a version.
    fn list(&self, place: usize) -> Result<Listing, Error>;

    /// Returns why the row has no older version.
    fn beginning(&self) -> Beginning;

    /// Returns whether the oldest version stands for the revision of [`Span::since`], because the
    /// newest version does not come from that revision.
    fn has_stand_in(&self) -> bool {
        false
    }

    /// Returns the row that leads to a version and on into a branch that was merged there, down to
    /// the last version that the branch shares with the row; the first branch has number 1. `None`
    /// if there is no such branch.
    fn through(&self, _place: usize, _branch: usize) -> Result<Option<Box<dyn Lineage>>, Error> {
        Ok(None)
    }
}

/// A version of a history. Texts that are not UTF-8 have replacement characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its name in the history; no other version of the history has it.
    pub id: String,
    /// The name that people use, where the whole one is long.
    pub short_id: String,
    /// Its author; empty if unknown.
    pub author: String,
    /// When it was made, if that is known.
    pub time: Option<Time>,
    /// Its message.
    pub message: String,
}

impl Revision {
    /// Returns the first line of the message.
    pub fn title(&self) -> &str {
        self.message.trim_start().lines().next().unwrap_or_default()
    }
}

/// The reason why a row of versions begins where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It is the first version of all.
    Root,
    /// Earlier versions were not fetched: the repository is shallow.
    CutOff,
    /// Earlier versions were not requested.
    Bound,
}

/// The requested part of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The oldest version that counts: a revision or a date. If the row does not have the revision,
    /// the last version that both come from is the oldest.
    pub since: Option<String>,
    /// The newest version: a revision, or a date for the last one made until then.
    pub until: Option<String>,
    /// Only versions that change one of these files or folders. The newest version is always
    /// included, since a walk starts there; so is the revision of `since`, where it ends.
    pub paths: Vec<Vec<u8>>,
}

impl Span {
    /// Returns whether all versions are requested that change a file.
    pub fn covers(&self, path: &[u8]) -> bool {
        is_within(path, &self.plain_paths())
    }

    /// Returns the paths as they are written in versions; empty if everything is requested.
    pub(crate) fn plain_paths(&self) -> Vec<Vec<u8>> {
        let plain: Vec<Vec<u8>> = self.paths.iter().map(|path| plain(path)).collect();
        if plain.iter().any(Vec::is_empty) { Vec::new() } else { plain }
    }
}

/// Removes `./` and final slashes from a path.
fn plain(path: &[u8]) -> Vec<u8> {
    let parts = path.split(|byte| *byte == b'/');
    let parts: Vec<&[u8]> = parts.filter(|part| !matches!(*part, b"" | b".")).collect();
    parts.join(&b'/')
}

/// Returns whether a path is one of these or lies in one.
pub(crate) fn is_within(path: &[u8], paths: &[Vec<u8>]) -> bool {
    let is_in = |within: &Vec<u8>| {
        let rest = path.strip_prefix(within.as_slice());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    paths.is_empty() || paths.iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(paths: &[&str]) -> Vec<Vec<u8>> {
        let paths = paths.iter().map(|path| path.as_bytes().to_vec()).collect();
        Span { paths, ..Span::default() }.plain_paths()
    }

    #[test]
    fn a_path_is_a_file_or_a_folder_with_all_in_it() {
        let paths = span(&["./src/", "a.c"]);
        assert_eq!(paths, [b"src".to_vec(), b"a.c".to_vec()]);
        for (path, within) in [("src/x/y", true), ("a.c", true), ("a.cc", false), ("srcs", false)] {
            assert_eq!(is_within(path.as_bytes(), &paths), within, "{path}");
        }
    }

    #[test]
    fn the_whole_folder_is_no_restriction() {
        assert_eq!(span(&["a", "."]), Vec::<Vec<u8>>::new());
        assert!(is_within(b"anything", &[]));
    }
}
