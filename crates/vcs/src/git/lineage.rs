//! A commit and its first parents, as a row.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::store::{Links, Store};
use super::touched::Touched;
use super::{ancestry, revision, tree};
use crate::{Beginning, Error, Lineage, Listing, ObjectId, Revision, Span, date};

/// A row of commits; see [`Repository::lineage`](super::Repository::lineage).
#[derive(Clone, Debug)]
pub struct Commits {
    store: Arc<Store>,
    ids: Vec<ObjectId>,
    beginning: Beginning,
    has_stand_in: bool,
    /// The requested paths.
    paths: Vec<Vec<u8>>,
}

impl Commits {
    /// Returns the id of a commit.
    pub fn id(&self, place: usize) -> ObjectId {
        self.ids[place]
    }
}

impl Lineage for Commits {
    fn len(&self) -> usize {
        self.ids.len()
    }

    fn revision(&self, place: usize) -> Result<Revision, Error> {
        let commit = self.store.commit(self.ids[place])?;
        Ok(Revision {
            id: commit.id.to_string(),
            short_id: commit.short_id,
            author: commit.author.name,
            time: Some(commit.author.time),
            message: self.store.message(commit.id)?,
        })
    }

    fn list(&self, place: usize) -> Result<Listing, Error> {
        tree::list(&self.store, self.ids[place])
    }

    fn beginning(&self) -> Beginning {
        self.beginning
    }

    fn has_stand_in(&self) -> bool {
        self.has_stand_in
    }

    fn through(&self, place: usize, branch: usize) -> Result<Option<Box<dyn Lineage>>, Error> {
        let parents = self.store.links(self.ids[place])?.parents;
        let (Some(first), Some(tip)) = (parents.first(), parents.get(branch)) else {
            return Ok(None);
        };
        let (since, until) = (Some(first.to_string()), Some(tip.to_string()));
        let span = Span { since, until, paths: self.paths.clone() };
        let mut row = walk(&self.store, &span)?;
        row.ids.splice(..0, self.ids[..=place].iter().copied());
        // The commit where the branch parted is the requested bound of this row.
        row.has_stand_in = false;
        Ok(Some(Box::new(row)))
    }
}

/// Walks along first parents; see [`Repository::lineage`](super::Repository::lineage).
pub(super) fn walk(store: &Arc<Store>, span: &Span) -> Result<Commits, Error> {
    let tip = revision::resolve(store, span.until.as_deref().unwrap_or("HEAD"))?;
    let tip = store.links(tip.id)?;
    let since = span.since.as_deref().map(|spec| Since::of(store, spec)).transpose()?;
    let reach =
        WalkBounds { store, shallow: store.shallow_commits()?.into_iter().collect(), since };
    let (row, mut beginning) = reach.first_parents(tip)?;
    let oldest = row.last().map(|commit| commit.id);
    let requested = match reach.since {
        Some(Since::Commit(id)) => Some(id),
        _ => None,
    };
    let touched = Touched::by(store, span.plain_paths());
    let mut ids = Vec::with_capacity(row.len());
    for (place, commit) in row.iter().enumerate() {
        let parent = commit.parents.first().filter(|_| !reach.shallow.contains(&commit.id));
        let is_end = place == 0 || (requested.is_some() && oldest == Some(commit.id));
        if is_end || touched.has_changes(commit.id, parent.copied())? {
            ids.push(commit.id);
        }
    }
    if ids.is_empty() {
        return Err(Error::NoVersions);
    }
    // The requested paths excluded older versions.
    if beginning == Beginning::Root && ids.last() != oldest.as_ref() {
        beginning = Beginning::Bound;
    }
    let has_stand_in = requested.is_some() && requested != oldest;
    let (store, paths) = (store.clone(), span.paths.clone());
    Ok(Commits { store, ids, beginning, has_stand_in, paths })
}

/// The end of the walk.
enum Since {
    /// The first commit older than this, which is excluded.
    Moment(i64),
    /// The first commit that is in the history of this one too, which is included.
    Commit(ObjectId),
}

impl Since {
    fn of(store: &Store, spec: &str) -> Result<Self, Error> {
        match date::parse_first(spec) {
            Some(moment) if !store.has_reference(spec)? => Ok(Self::Moment(moment)),
            _ => Ok(Self::Commit(revision::resolve(store, spec)?.id)),
        }
    }
}

/// The bounds of a walk.
struct WalkBounds<'a> {
    store: &'a Store,
    shallow: BTreeSet<ObjectId>,
    since: Option<Since>,
}

impl WalkBounds<'_> {
    fn first_parents(&self, tip: Links) -> Result<(Vec<Links>, Beginning), Error> {
        let newer: Option<BTreeSet<ObjectId>> = match self.since {
            Some(Since::Commit(since)) => {
                Some(ancestry::without(self.store, tip.id, Some(since))?.into_iter().collect())
            }
            _ => None,
        };
        let mut row = Vec::new();
        let mut next = tip;
        loop {
            if self.is_too_old(&next) {
                return Ok((row, Beginning::Bound));
            }
            let is_last = newer.as_ref().is_some_and(|newer| !newer.contains(&next.id));
            let parent = next.parents.first().copied();
            let is_cut_off = self.shallow.contains(&next.id);
            row.push(next);
            next = match parent {
                None => return Ok((row, Beginning::Root)),
                Some(_) if is_last => return Ok((row, Beginning::Bound)),
                Some(_) if is_cut_off => return Ok((row, Beginning::CutOff)),
                Some(parent) => self.store.links(parent)?,
            };
        }
    }

    fn is_too_old(&self, commit: &Links) -> bool {
        matches!(self.since, Some(Since::Moment(moment)) if commit.committed.seconds < moment)
    }
}
