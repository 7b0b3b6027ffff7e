//! The repository itself: the only file that names the library `gix`.
//!
//! Nothing but the repository's own files is looked at: no configuration of the user or the system,
//! no environment. The results are plain data.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gix::bstr::BStr;
use gix::error::Class;
use gix::objs::{CommitRef, Kind, TagRef, TreeRefIter, tree};
use gix::odb::pack::cache::lru::MemoryCappedHashmap;
use gix::prelude::ObjectIdExt;
use gix::revision::spec::parse;
use gix::{ThreadSafeRepository, discover, open, sec};
use whodunit_files::EntryKind;

use super::grafts::Grafts;
use super::{CommitInfo, Person, pipes};
use crate::{Cause, Error, ObjectId, Time};

/// Bytes of the cache that a thread keeps for the bases of deltas in packs: with a thread for each
/// of many processors it has to be less than the 96 MiB that git takes.
const PACK_CACHE: usize = 16 << 20;

/// A repository that any number of threads read.
pub(super) struct Store {
    shared: ThreadSafeRepository,
    /// Unused handles, with their caches.
    idle: Mutex<Vec<gix::Repository>>,
    common_folder: PathBuf,
    grafts: Grafts,
}

/// The object that a name stands for.
pub(super) enum Named {
    Commit(ObjectId),
    /// A file or a folder, as a word.
    Other(&'static str),
    /// One of these ids.
    Several(Vec<String>),
    /// Nothing; with the cause if an object could not be read.
    Nothing(Option<Cause>),
}

/// The part of a commit that a walk along parents needs.
pub(super) struct Links {
    pub(super) id: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    pub(super) committed: Time,
}

/// An entry of a folder in a version.
pub(super) struct TreeEntry {
    pub(super) name: Vec<u8>,
    /// `None` stands for a folder.
    pub(super) kind: Option<EntryKind>,
    pub(super) id: ObjectId,
}

/// Returns the folders that a file `info/alternates` names, as they are written there.
pub(super) fn lenders(alternates: &[u8]) -> Vec<PathBuf> {
    gix::odb::alternate::parse(alternates).unwrap_or_default()
}

impl Store {
    /// Opens the repository that a folder belongs to.
    pub(super) fn discover(path: &Path) -> Result<Self, Error> {
        // Absolute paths stay right if the current folder changes.
        let whole = path
            .canonicalize()
            .map_err(|source| Error::File { path: path.to_path_buf(), source })?;
        if let Some(pipe) = pipes::find(&whole) {
            let source = format!("`{}` is a pipe or a device", pipe.display()).into();
            return Err(Error::Unopenable { path: path.to_path_buf(), source });
        }
        let options = discover::upwards::Options::default();
        let trust = sec::trust::Mapping { full: isolated(), reduced: isolated() };
        let found = ThreadSafeRepository::discover_opts(&whole, options, trust);
        let store = found.map(Self::new).map_err(|error| {
            let path = path.to_path_buf();
            match error.downcast_any_ref::<discover::upwards::Error>() {
                Some(_) => match broken_above(&whole) {
                    Some(source) => Error::Unopenable { path, source },
                    None => Error::NoRepository { path },
                },
                None => Error::Unopenable { path, source: error.into() },
            }
        })?;
        match store.foreign_names() {
            Some(format) => Err(Error::ForeignNames { path: path.to_path_buf(), format }),
            None => Ok(store),
        }
    }

    /// Opens the repository in just this folder, if there is a usable one.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let is_in_order = pipes::find(path).is_none();
        is_in_order.then(|| isolated().open(path).ok().map(Self::new)).flatten()
    }

    fn new(shared: ThreadSafeRepository) -> Self {
        let handle = shared.to_thread_local();
        let common_folder = handle.common_dir().to_path_buf();
        let grafts = Grafts::read(&common_folder);
        Self { shared, idle: Mutex::default(), common_folder, grafts }
    }

    /// Returns the format of branches and tags, if they are not kept in files: the library would
    /// see none.
    fn foreign_names(&self) -> Option<String> {
        self.with(|handle| {
            let format = handle.config_snapshot().string("extensions.refStorage")?.to_string();
            (!format.eq_ignore_ascii_case("files")).then_some(format)
        })
    }

    pub(super) fn work_folder(&self) -> Option<&Path> {
        self.shared.work_dir()
    }

    pub(super) fn common_folder(&self) -> &Path {
        &self.common_folder
    }

    pub(super) fn is_shallow(&self) -> Result<bool, Error> {
        self.with(gix::Repository::is_shallow).map_err(failed("the depth"))
    }

    /// Returns the commits whose parents were not fetched.
    pub(super) fn shallow_commits(&self) -> Result<Vec<ObjectId>, Error> {
        let commits = self.with(gix::Repository::shallow_commits).map_err(failed("the depth"))?;
        Ok(commits.iter().flat_map(|commits| commits.iter()).map(|id| ours(id)).collect())
    }

    /// Returns whether a branch, a tag or the like has this name.
    pub(super) fn has_reference(&self, name: &str) -> Result<bool, Error> {
        let found = self
            .with(|handle| handle.try_find_reference(name).map(|reference| reference.is_some()));
        match found {
            // An invalid name names nothing.
            Err(error) if error.classify().is_validation() => Ok(false),
            found => found.map_err(failed("the names")),
        }
    }

    /// Returns whether grafts or replacements may give commits other parents.
    pub(super) fn is_rewritten(&self) -> bool {
        let is_replaced = self.with(|handle| {
            let references = handle.references().ok()?;
            Some(references.prefixed("refs/replace/").ok()?.next().is_some())
        });
        !self.grafts.is_empty() || is_replaced == Some(true)
    }

    /// Returns the names of all tags and branches.
    pub(super) fn names(&self) -> Result<Vec<String>, Error> {
        let names = |handle: &gix::Repository| -> gix::Result<Vec<String>> {
            let references = handle.references()?;
            let mut names = Vec::new();
            for group in
                [references.tags()?, references.local_branches()?, references.remote_branches()?]
            {
                // An unreadable name is not suggested.
                names.extend(group.flatten().map(|found| found.name().shorten().to_string()));
            }
            Ok(names)
        };
        self.with(names).map_err(failed("the names"))
    }

    /// Returns the object that a name stands for.
    pub(super) fn find_name(&self, spec: &str) -> Result<Named, Error> {
        if let Some(id) = ObjectId::from_hex(spec).filter(|id| self.has(*id)) {
            return self.follow_tags(id);
        }
        // Only an ambiguous id is looked up as that of a commit: the library has to read objects
        // for that, and relies on them being in order.
        let found = match self.parse(spec, None) {
            Err(error) if is_ambiguous(&error) => {
                self.parse(spec, Some(parse::ObjectKindHint::Committish))
            }
            found => found,
        };
        match found {
            Ok(Some(id)) => self.follow_tags(id),
            Ok(None) => Ok(Named::Nothing(None)),
            Err(error) => Ok(not_found(error)),
        }
    }

    fn parse(
        &self,
        spec: &str,
        object_kind_hint: Option<parse::ObjectKindHint>,
    ) -> gix::Result<Option<ObjectId>> {
        let options = parse::Options { object_kind_hint, ..Default::default() };
        self.with(|handle| {
            let spec = gix::revision::Spec::from_bstr(BStr::new(spec), handle, options)?;
            Ok(spec.single().map(|id| ours(&id)))
        })
    }

    fn follow_tags(&self, id: ObjectId) -> Result<Named, Error> {
        let mut id = id;
        loop {
            let (kind, data) = self.object(id)?;
            match kind {
                Kind::Commit => return Ok(Named::Commit(id)),
                Kind::Tree | Kind::Blob => return Ok(Named::Other(word(kind))),
                Kind::Tag => {
                    let tag = TagRef::from_bytes(&data, theirs(id).kind());
                    id = ours(&tag.map_err(|error| corrupt(id, error))?.target());
                }
            }
        }
    }

    /// Returns a commit.
    pub(super) fn commit(&self, id: ObjectId) -> Result<CommitInfo, Error> {
        let data = self.commit_data(id)?;
        let short_id = self.with(|handle| theirs(id).attach(handle).shorten_or_id().to_string());
        let read = || -> gix::Result<CommitInfo> {
            let commit = CommitRef::from_bytes(&data, theirs(id).kind())?;
            let (author, committer) = (commit.author()?, commit.committer()?);
            let text = |bytes: &BStr| bytes.to_string();
            Ok(CommitInfo {
                id,
                short_id,
                parents: self.parents(id, &commit),
                tree: ours(&commit.tree()),
                author: Person {
                    name: text(author.name),
                    email: text(author.email),
                    time: time(&author),
                },
                committed: time(&committer),
                title: text(commit.message().summary().as_ref()),
            })
        };
        read().map_err(|error| corrupt(id, error))
    }

    /// Returns the links of a commit, at half the cost of the whole commit.
    pub(super) fn links(&self, id: ObjectId) -> Result<Links, Error> {
        let data = self.commit_data(id)?;
        let read = || -> gix::Result<Links> {
            let commit = CommitRef::from_bytes(&data, theirs(id).kind())?;
            Ok(Links {
                id,
                parents: self.parents(id, &commit),
                committed: time(&commit.committer()?),
            })
        };
        read().map_err(|error| corrupt(id, error))
    }

    fn parents(&self, id: ObjectId, commit: &CommitRef<'_>) -> Vec<ObjectId> {
        let own = || commit.parents().map(|parent| ours(&parent)).collect();
        self.grafts.parents_of(id).map_or_else(own, <[ObjectId]>::to_vec)
    }

    /// Returns the message of a commit.
    pub(super) fn message(&self, id: ObjectId) -> Result<String, Error> {
        let data = self.commit_data(id)?;
        let commit = CommitRef::from_bytes(&data, theirs(id).kind());
        commit.map(|commit| commit.message.to_string()).map_err(|error| corrupt(id, error))
    }

    /// Returns the top folder of a commit.
    pub(super) fn commit_tree(&self, id: ObjectId) -> Result<ObjectId, Error> {
        let data = self.commit_data(id)?;
        let commit = CommitRef::from_bytes(&data, theirs(id).kind());
        commit.map(|commit| ours(&commit.tree())).map_err(|error| corrupt(id, error))
    }

    fn commit_data(&self, id: ObjectId) -> Result<Vec<u8>, Error> {
        match self.object(id) {
            Ok((Kind::Commit, data)) => Ok(data),
            Ok((kind, _)) => Err(Error::NotACommit { spec: id.to_string(), kind: word(kind) }),
            Err(Error::MissingObject { .. }) if self.is_shallow()? => {
                Err(Error::Shallow { what: id.to_string() })
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the entries of a folder, as they are stored.
    pub(super) fn tree(&self, id: ObjectId) -> Result<Vec<TreeEntry>, Error> {
        let data = self.object_of_kind(id, Kind::Tree)?;
        let entries = TreeRefIter::from_bytes(&data, theirs(id).kind()).map(|entry| {
            let entry = entry.map_err(|error| corrupt(id, error))?;
            let kind = match entry.mode.kind() {
                tree::EntryKind::Tree => None,
                tree::EntryKind::Blob => Some(EntryKind::Regular),
                tree::EntryKind::BlobExecutable => Some(EntryKind::Executable),
                tree::EntryKind::Link => Some(EntryKind::Link),
                tree::EntryKind::Commit => Some(EntryKind::Submodule),
            };
            let id = ours(entry.oid);
            Ok(TreeEntry { name: entry.filename.to_vec(), kind, id })
        });
        entries.collect()
    }

    /// Returns whether the repository has an object.
    pub(super) fn has(&self, id: ObjectId) -> bool {
        self.with(|handle| handle.has_object(theirs(id)))
    }

    /// Returns the ids of the commits in the history of one commit that are not in that of another.
    pub(super) fn ancestors_without(
        &self,
        of: ObjectId,
        without: Option<ObjectId>,
    ) -> Result<Vec<ObjectId>, Error> {
        let walk = |handle: &gix::Repository| -> gix::Result<Vec<ObjectId>> {
            let walk = handle.rev_walk([theirs(of)]).with_hidden(without.map(theirs));
            walk.all()?.map(|commit| Ok(ours(&commit?.id))).collect()
        };
        self.with(walk).map_err(failed("the history"))
    }

    /// Returns the best common ancestor of two commits.
    pub(super) fn merge_base(
        &self,
        one: ObjectId,
        other: ObjectId,
    ) -> Result<Option<ObjectId>, Error> {
        let base = |handle: &gix::Repository| -> gix::Result<Option<ObjectId>> {
            Ok(handle.merge_base(theirs(one), theirs(other))?.map(|id| ours(&id)))
        };
        self.with(base).map_err(failed("the history"))
    }

    /// Returns the bytes of a blob, as they are stored.
    pub(super) fn blob(&self, id: ObjectId) -> Result<Vec<u8>, Error> {
        self.object_of_kind(id, Kind::Blob)
    }

    fn object_of_kind(&self, id: ObjectId, wanted: Kind) -> Result<Vec<u8>, Error> {
        let (kind, data) = self.object(id)?;
        if kind == wanted {
            return Ok(data);
        }
        Err(Error::CorruptObject { id, source: format!("it is a {kind}, not a {wanted}").into() })
    }

    fn object(&self, id: ObjectId) -> Result<(Kind, Vec<u8>), Error> {
        let found = self.with(|handle| {
            let object = handle.try_find_object(theirs(id))?;
            Ok::<_, gix::Error>(object.map(gix::Object::detach))
        });
        match found {
            Ok(Some(object)) => Ok((object.kind, object.data)),
            Ok(None) if self.is_partial() => Err(Error::NotFetched { id }),
            Ok(None) => Err(Error::MissingObject { id }),
            Err(error) if error.classify().has(Class::Corruption) => Err(corrupt(id, error)),
            Err(error) => Err(failed(&format!("the object {id}"))(error)),
        }
    }

    /// Returns whether some objects were left on a server that promised to keep them.
    fn is_partial(&self) -> bool {
        self.with(|handle| {
            let config = handle.config_snapshot();
            let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
            remotes.any(|remote| remote.value("promisor").is_some())
        })
    }

    /// Lends a handle to `read`; its caches are kept for the next call.
    fn with<T>(&self, read: impl FnOnce(&gix::Repository) -> T) -> T {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let handle = idle.unwrap_or_else(|| {
            let mut handle = self.shared.to_thread_local();
            handle.objects.set_pack_cache(|| Box::new(MemoryCappedHashmap::new(PACK_CACHE)));
            handle
        });
        let result = read(&handle);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
        result
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.common_folder).finish()
    }
}

/// Returns the names and paths of a `.gitmodules` file; empty if the text is invalid.
pub(super) fn read_modules(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let Ok(file) = gix::config::File::try_from(BStr::new(text)) else {
        return Vec::new();
    };
    let mut modules = Vec::new();
    for section in file.sections_by_name("submodule").into_iter().flatten() {
        let name = section.header().subsection_name().map(|name| name.to_vec());
        let path = section.value("path").map(|path| path.to_vec());
        modules.extend(name.zip(path));
    }
    modules
}

/// Returns the problem of the nearest repository, if it was not recognised as one.
fn broken_above(folder: &Path) -> Option<Cause> {
    let own = folder.ancestors().map(|above| above.join(".git")).find(|own| own.exists())?;
    let why = isolated().open(&own).err()?;
    let place = own.display();
    let source: Cause = why.into();
    Some(format!("`{place}` is no repository in order: {source}").into())
}

fn isolated() -> open::Options {
    open::Options::isolated()
}

/// Returns the user's word for a kind of object.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Tree => "folder",
        Kind::Blob => "file",
        Kind::Commit => "commit",
        Kind::Tag => "tag",
    }
}

fn time(who: &gix::actor::SignatureRef<'_>) -> Time {
    let time = who.time().unwrap_or_default();
    Time { seconds: time.seconds, offset: time.offset }
}

fn is_ambiguous(error: &gix::Error) -> bool {
    matches!(error.downcast_any_ref(), Some(parse::Error::AmbiguousPrefix { .. }))
}

fn not_found(error: gix::Error) -> Named {
    if let Some(parse::Error::AmbiguousPrefix { candidates, .. }) = error.downcast_any_ref() {
        return Named::Several(candidates.iter().map(|(id, _)| id.to_string()).collect());
    }
    let is_plain = matches!(
        error.classify().dominant_class(),
        None | Some(Class::NotFound | Class::Validation | Class::Unsupported)
    );
    Named::Nothing(if is_plain { None } else { Some(error.into()) })
}

fn failed(what: &str) -> impl FnOnce(gix::Error) -> Error {
    let what = what.to_owned();
    move |error| Error::Repository { what, source: error.into() }
}

fn corrupt(id: ObjectId, error: gix::Error) -> Error {
    Error::CorruptObject { id, source: error.into() }
}

fn ours(id: &gix::oid) -> ObjectId {
    ObjectId::new(id.as_bytes()).expect("both know the same lengths")
}

fn theirs(id: ObjectId) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(id.as_bytes())
}
