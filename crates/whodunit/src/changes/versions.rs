//! The two versions: folders, archives, or revisions of the repository.

use std::path::Path;
use std::sync::Arc;

use whodunit_run::{Key, Word};
use whodunit_vcs::git::{CommitInfo, Repository};
use whodunit_vcs::{Listing, ObjectId};
use whodunit_versions::Version;

use super::ChangesError;
use super::content::key_of;
use super::links::Links;
use crate::settings::{ChangesSettings, VersionSettings};

/// The two versions, and the repository if they are revisions of it.
pub(crate) struct Ends {
    pub(super) good: End,
    pub(crate) bad: End,
    pub(super) repository: Option<Arc<Source>>,
    /// The key of both contents together.
    pub(super) key: Key,
    /// Whether the versions have the script of the test at its place.
    pub(crate) has_script: bool,
    /// The script, if each version has its own.
    pub(super) own_script: Option<Word>,
}

/// One of the versions.
pub(crate) struct End {
    /// The name that the user gave.
    pub(super) name: String,
    pub(crate) version: Version,
    pub(super) commit: Option<CommitInfo>,
}

/// A repository whose commits are read as versions.
pub(crate) struct Source {
    pub(super) repository: Repository,
    /// The files that each version gets.
    links: Links,
}

impl Source {
    /// Returns the files of a commit.
    pub(super) fn version(&self, commit: ObjectId) -> Result<Version, whodunit_vcs::Error> {
        Ok(self.links.over(version_of(self.repository.list(commit)?)))
    }
}

impl Ends {
    /// Checks that the files of both versions have not changed since the run began.
    pub(crate) fn check(&self) -> Result<(), ChangesError> {
        for end in [&self.good, &self.bad] {
            if let Some(path) = end.version.first_changed() {
                let (version, path) = (end.name.clone(), path.to_string());
                return Err(ChangesError::FileChanged { version, path });
            }
        }
        Ok(())
    }
}

/// Reads the given versions, with the current script of the test.
pub(crate) fn open(settings: &ChangesSettings) -> Result<Ends, ChangesError> {
    let ChangesSettings { good, bad, how } = settings;
    let (origin, plain) = (how.origin.as_path(), plain_links(how)?);
    let with_script = plain.clone().with_script(how);
    let mut links = &with_script;
    let mut ends = open_ends(origin, links, good, bad)?;
    if ends.2.is_none() {
        // Only revisions of the checkout have a place for the script.
        links = &plain;
        ends = open_ends(origin, links, good, bad)?;
    }
    let (good, bad, repository) = ends;
    let [one, other] = [&good, &bad].map(|end| links.without_script(end.version.clone()));
    let key = key_of(&[&one, &other])?;
    let (has_script, own_script) = (links.has_script(), None);
    Ok(Ends { good, bad, repository, key, has_script, own_script })
}

/// Reads the given versions, each with its own script. `None` if they do not both have the script,
/// or if the script is a test; see [`Links::with_own_scripts`].
pub(super) fn open_with_own_scripts(
    settings: &ChangesSettings,
) -> Result<Option<Ends>, ChangesError> {
    let ChangesSettings { good, bad, how } = settings;
    let (origin, plain) = (how.origin.as_path(), plain_links(how)?);
    let (good, bad, repository) = open_ends(origin, &plain, good, bad)?;
    let links = plain.with_script(how);
    let Some((path, _)) = links.with_own_scripts(&bad.version)? else { return Ok(None) };
    if repository.is_none() || !good.version.get(&path).is_some_and(|it| it.kind.is_file()) {
        return Ok(None);
    }
    let [one, other] = [&good, &bad].map(|end| links.without_script(end.version.clone()));
    let key = key_of(&[&one, &other])?;
    let own_script = Some(Word::from(path.as_os_str()));
    Ok(Some(Ends { good, bad, repository, key, has_script: true, own_script }))
}

/// Reads two versions of any kind.
pub(crate) fn open_versions(
    origin: &Path,
    old: &Word,
    new: &Word,
    has_old_tests: bool,
) -> Result<(Version, Version), ChangesError> {
    let (old, new, _) = open_ends(origin, &Links::default(), old, new)?;
    let links = match has_old_tests {
        true => Links::default().with_tests_of(&old.version),
        false => Links::default(),
    };
    Ok((old.version, links.over(new.version)))
}

/// Returns the files that every version gets, without the script of the test.
fn plain_links(how: &VersionSettings) -> Result<Links, ChangesError> {
    let links = Links::of(how)?;
    let Some(word) = &how.old_tests else { return Ok(links) };
    let (old, ..) = open_ends(how.origin.as_path(), &Links::default(), word, word)?;
    Ok(links.with_tests_of(&old.version))
}

/// Reads two versions, with the repository if both are revisions of it.
fn open_ends(
    origin: &Path,
    links: &Links,
    good: &Word,
    bad: &Word,
) -> Result<(End, End, Option<Arc<Source>>), ChangesError> {
    let repository = Repository::discover(origin);
    let repository = repository.map(|repository| Source { repository, links: links.clone() });
    let end = |word: &Word| -> Result<End, ChangesError> {
        let name = word.as_os_str().to_string_lossy().into_owned();
        let path = origin.join(word.as_path());
        let revision = match &repository {
            Ok(source) => source.repository.resolve(&name).map(|commit| (source, commit)),
            Err(_) if path.exists() => return in_files(name, &path, links),
            Err(whodunit_vcs::Error::NoRepository { .. }) => {
                return Err(ChangesError::NoSuchVersion { name });
            }
            // The name would be looked up as a revision if the repository could be opened.
            Err(_) => return Err(ChangesError::Version(why_not(origin))),
        };
        match revision {
            Ok((source, commit)) => {
                Ok(End { name, version: source.version(commit.id)?, commit: Some(commit) })
            }
            Err(_) if path.exists() => in_files(name, &path, links),
            Err(error) => Err(error.into()),
        }
    };
    let (good, bad) = (end(good)?, end(bad)?);
    let both = good.commit.is_some() && bad.commit.is_some();
    let repository = repository.ok().filter(|_| both).map(Arc::new);
    Ok((good, bad, repository))
}

/// Returns why the repository cannot be opened, again, because the first error cannot be copied.
fn why_not(origin: &Path) -> whodunit_vcs::Error {
    match Repository::discover(origin) {
        Err(error) => error,
        Ok(_) => whodunit_vcs::Error::NoRepository { path: origin.to_path_buf() },
    }
}

fn in_files(name: String, path: &Path, links: &Links) -> Result<End, ChangesError> {
    let version = links.over(version_of(whodunit_vcs::list(path)?));
    Ok(End { name, version, commit: None })
}

/// Turns a listing into a version.
pub(crate) fn version_of(listing: Listing) -> Version {
    listing.into_version()
}
