//! What is in a file: at hand, on disk, or in a store, and read only when asked for.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::TreePath;

/// The content of a file; a copy is shared.
#[derive(Clone)]
pub struct Content(Source);

#[derive(Clone)]
enum Source {
    Bytes(Arc<[u8]>),
    File { path: Arc<PathBuf>, length: u64 },
    Stored { store: Arc<dyn Store>, id: Arc<[u8]> },
}

/// A place that contents are kept in, as the objects of a repository.
pub trait Store: Send + Sync {
    /// Reads a content. Contents of one store with equal names are equal, and with other names
    /// they differ.
    fn read(&self, id: &[u8]) -> io::Result<Vec<u8>>;
}

/// A file that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{path}`")]
pub struct ReadError {
    /// Where it is in its version.
    pub path: TreePath,
    /// What went wrong.
    #[source]
    pub source: io::Error,
}

impl Content {
    /// Makes a content of bytes.
    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        Content(Source::Bytes(bytes.into()))
    }

    /// Makes a content that is in a file of so many bytes.
    pub fn file(path: PathBuf, length: u64) -> Self {
        Content(Source::File { path: Arc::new(path), length })
    }

    /// Makes a content that a store has under this name.
    pub fn stored(store: Arc<dyn Store>, id: impl Into<Arc<[u8]>>) -> Self {
        Content(Source::Stored { store, id: id.into() })
    }

    /// Reads it.
    pub fn read(&self) -> io::Result<Arc<[u8]>> {
        match &self.0 {
            Source::Bytes(bytes) => Ok(bytes.clone()),
            Source::File { path, .. } => std::fs::read(path.as_path()).map(Arc::from),
            Source::Stored { store, id } => store.read(id).map(Arc::from),
        }
    }

    /// Reads it as the content of this file of a version.
    pub fn read_at(&self, path: &TreePath) -> Result<Arc<[u8]>, ReadError> {
        self.read().map_err(|source| ReadError { path: path.clone(), source })
    }

    /// Returns the bytes if they are at hand.
    pub fn at_hand(&self) -> Option<&Arc<[u8]>> {
        match &self.0 {
            Source::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the file on disk that holds it, if one does: it can be copied from there.
    pub fn on_disk(&self) -> Option<&Path> {
        match &self.0 {
            Source::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Whether two contents are equal, as far as that can be told without reading.
    pub fn same_as(&self, other: &Content) -> Option<bool> {
        match (&self.0, &other.0) {
            (Source::Bytes(a), Source::Bytes(b)) => Some(Arc::ptr_eq(a, b) || a == b),
            (
                Source::File { path: a, length: a_length },
                Source::File { path: b, length: b_length },
            ) => {
                if a_length != b_length {
                    return Some(false);
                }
                (a == b).then_some(true)
            }
            (Source::Stored { store: a, id: a_id }, Source::Stored { store: b, id: b_id }) => {
                let same_store = std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b));
                same_store.then_some(a_id == b_id)
            }
            (Source::Bytes(bytes), Source::File { length, .. })
            | (Source::File { length, .. }, Source::Bytes(bytes)) => {
                (bytes.len() as u64 != *length).then_some(false)
            }
            _ => None,
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Bytes(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
            Source::File { path, length } => write!(f, "{} ({length} bytes)", path.display()),
            Source::Stored { id, .. } => write!(f, "stored {id:02x?}"),
        }
    }
}
