//! Reads versions and the history between them.
//!
//! A version is a [`Listing`]: files with their contents, from any source. Folders ([`folder`]),
//! archives ([`archive`]) and commits of git repositories ([`git`]) can be listed. A history is a
//! [`Lineage`]: a row of versions, of git, of Subversion ([`svn`]), of CVS ([`cvs`]), or of
//! releases in a folder ([`Releases`]).
//!
//! Everything here only reads: checkout, index, branches and objects of a repository stay as they
//! are, also when they are in disorder; fetched data is written to a folder of the caller. Nothing
//! is printed, and no environment variable is read, except the search path for client programs; a
//! git repository is the one at the given path, whatever `GIT_DIR` says.

pub mod archive;
mod client;
pub mod cvs;
mod date;
mod error;
pub mod folder;
pub mod git;
mod id;
mod lineage;
mod listing;
mod near;
mod releases;
pub mod svn;
mod time;

use std::path::Path;

pub use client::{ClientSettings, Patience};
pub use error::{Cause, Error};
pub use id::ObjectId;
pub use lineage::{Beginning, Lineage, Revision, Span};
pub use listing::{ListedFile, Listing, Skipped};
pub use releases::Releases;
pub use time::Time;

/// Lists the version at a path: a folder, or else an archive.
pub fn list(path: &Path) -> Result<Listing, Error> {
    let metadata =
        path.metadata().map_err(|source| Error::File { path: path.to_path_buf(), source })?;
    match metadata {
        it if it.is_dir() => folder::list(path),
        it if it.is_file() => archive::list(path),
        // Opening a pipe would wait for a writer.
        _ => Err(Error::UnknownFormat { path: path.to_path_buf() }),
    }
}
