//! The content of a file: at hand, on disk, or in a store, and read only when asked for.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::TreePath;

/// The content of a file; a copy is shared.
#[derive(Clone)]
pub struct Content(Source);

#[derive(Clone)]
enum Source {
    Bytes(Arc<[u8]>),
    File(Arc<OnDisk>),
    Stored { store: Arc<dyn Store>, id: Arc<[u8]> },
}

/// A file on disk as it was when its version was listed.
struct OnDisk {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
    /// A hash of the content when it was first read.
    first: OnceLock<u64>,
}

impl OnDisk {
    /// Reads it, and checks that it is the same as when it was first read.
    fn read(&self) -> io::Result<Vec<u8>> {
        let bytes = crate::regular::read(&self.path)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let hash = hasher.finish();
        if bytes.len() as u64 != self.length || *self.first.get_or_init(|| hash) != hash {
            let path = self.path.display();
            return Err(io::Error::other(format!("`{path}` changed while the search ran")));
        }
        Ok(bytes)
    }

    /// Whether the file system tells that nothing was written to it.
    fn is_untouched(&self) -> bool {
        let metadata = std::fs::metadata(&self.path);
        metadata.is_ok_and(|it| {
            it.len() == self.length && it.modified().is_ok_and(|time| time == self.modified)
        })
    }
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
    /// The error.
    #[source]
    pub source: io::Error,
}

impl Content {
    /// Makes a content of bytes.
    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        Content(Source::Bytes(bytes.into()))
    }

    /// Makes the content of a file of this length, last written to at this time.
    pub fn file(path: PathBuf, length: u64, modified: SystemTime) -> Self {
        let on_disk = OnDisk { path, length, modified, first: OnceLock::new() };
        Content(Source::File(Arc::new(on_disk)))
    }

    /// Makes a content that a store has under this name.
    pub fn stored(store: Arc<dyn Store>, id: impl Into<Arc<[u8]>>) -> Self {
        Content(Source::Stored { store, id: id.into() })
    }

    /// Reads it. A file on disk that has changed is an error.
    pub fn read(&self) -> io::Result<Arc<[u8]>> {
        match &self.0 {
            Source::Bytes(bytes) => Ok(bytes.clone()),
            Source::File(file) => file.read().map(Arc::from),
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

    /// Returns the name under which a store has it, if one does.
    pub fn stored_as(&self) -> Option<&Arc<[u8]>> {
        match &self.0 {
            Source::Stored { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Returns the file on disk that holds it, if one does: it can be copied from there.
    pub fn on_disk(&self) -> Option<&Path> {
        match &self.0 {
            Source::File(file) => Some(&file.path),
            _ => None,
        }
    }

    /// Returns whether it is the same as when it was first read. A file on disk that the file
    /// system reports as unwritten is not read for that.
    pub fn is_as_it_was(&self) -> bool {
        match &self.0 {
            Source::File(file) => file.is_untouched() || file.read().is_ok(),
            Source::Bytes(_) | Source::Stored { .. } => true,
        }
    }

    /// Whether two contents are equal, as far as that is known without reading.
    pub fn same_as(&self, other: &Content) -> Option<bool> {
        match (&self.0, &other.0) {
            (Source::Bytes(a), Source::Bytes(b)) => Some(Arc::ptr_eq(a, b) || a == b),
            (Source::File(a), Source::File(b)) => {
                if a.length != b.length {
                    return Some(false);
                }
                (a.path == b.path).then_some(true)
            }
            (Source::Stored { store: a, id: a_id }, Source::Stored { store: b, id: b_id }) => {
                let same_store = std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b));
                same_store.then_some(a_id == b_id)
            }
            (Source::Bytes(bytes), Source::File(file))
            | (Source::File(file), Source::Bytes(bytes)) => {
                (bytes.len() as u64 != file.length).then_some(false)
            }
            _ => None,
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Bytes(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
            Source::File(file) => write!(f, "{} ({} bytes)", file.path.display(), file.length),
            Source::Stored { id, .. } => write!(f, "stored {id:02x?}"),
        }
    }
}
