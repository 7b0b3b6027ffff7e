//! Opens a history of any kind.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use whodunit_run::Stop;
use whodunit_vcs::git::Repository;
use whodunit_vcs::{ClientSettings, Error, Lineage, Patience, Releases, Span, cvs, svn};

use crate::settings::{HistorySettings, Surroundings};

/// Time between two looks at the stop of the run.
const GLANCE: Duration = Duration::from_millis(100);

/// Returns the part of the history that the user asked for.
pub(super) fn span(settings: &HistorySettings) -> Span {
    Span {
        // Versions older than one that passes are never asked about.
        since: settings.good.clone().or_else(|| settings.since.clone()),
        until: settings.until.clone(),
        paths: settings.paths.iter().map(|path| path.as_bytes().to_vec()).collect(),
    }
}

/// Opens the given history: of a git repository, of Subversion or CVS by a checkout or an address,
/// or a folder of releases.
pub(super) fn open(
    settings: &HistorySettings,
    surroundings: &Surroundings,
    stop: &Stop,
) -> Result<Box<dyn Lineage>, Error> {
    let span = span(settings);
    let client = || ClientSettings {
        program: None,
        cache: surroundings.cache.join("histories"),
        configuration: None,
        patience: patience(stop),
    };
    let usual = cvs::Together::default();
    let together = cvs::Together {
        window: settings.cvs_window.unwrap_or(usual.window),
        any_author: settings.cvs_any_author,
    };
    let address = settings.place.as_os_str().to_string_lossy();
    if let Some((root, module)) = cvs_address(&address) {
        let repository = cvs::Repository::open(root, module, &client())?.putting(together);
        return Ok(Box::new(repository.lineage(None, &span)?));
    }
    if address.contains("://") {
        let repository = svn::Repository::open(&address, client())?;
        return Ok(Box::new(repository.lineage(&span)?));
    }
    let folder = settings.how.origin.as_path().join(settings.place.as_path());
    match Repository::discover(&folder) {
        Ok(repository) => {
            if holds_releases(&repository, &folder) {
                return Ok(Box::new(Releases::open(&folder, &span)?));
            }
            // Branches are searched later where they were merged, if the user asked for that.
            Ok(Box::new(repository.lineage(&span)?))
        }
        Err(error) => match beside(&folder) {
            Some(".svn") => {
                let path = folder.to_string_lossy();
                Ok(Box::new(svn::Repository::open(&path, client())?.lineage(&span)?))
            }
            Some("CVS") => {
                let repository = cvs::Repository::of_checkout(&folder, &client())?;
                let repository = repository.putting(together);
                Ok(Box::new(repository.lineage(None, &span)?))
            }
            // A folder that the user named contains releases; the current folder is in a
            // repository, or it is an error.
            _ if settings.place.as_path() != Path::new(".") => {
                Ok(Box::new(Releases::open(&folder, &span)?))
            }
            _ => Err(error),
        },
    }
}

/// Returns whether a folder inside of a checkout contains unpacked releases: the newest commit has
/// no file in the folder, and there are at least two releases.
pub(super) fn holds_releases(repository: &Repository, folder: &Path) -> bool {
    let releases = || Releases::open(folder, &Span::default());
    !is_tracked(repository, folder).unwrap_or(true) && releases().is_ok_and(|it| it.len() > 1)
}

/// Returns whether a folder is the checkout of a repository, or holds files of its newest commit.
fn is_tracked(repository: &Repository, folder: &Path) -> Result<bool, Error> {
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(top), Some(folder)) = (repository.work_folder().and_then(whole), whole(folder))
    else {
        return Ok(true);
    };
    let below = folder.strip_prefix(&top).ok().filter(|below| !below.as_os_str().is_empty());
    let Some(below) = below else { return Ok(true) };
    let listing = repository.list(repository.resolve("HEAD")?.id)?;
    let mut paths = listing.files.iter().map(|file| Path::new(OsStr::from_bytes(&file.path)));
    Ok(paths.any(|path| path.starts_with(below)))
}

/// Splits the root of a CVS repository and the module in it, as in `:local:/cvs#project`.
fn cvs_address(address: &str) -> Option<(&str, &str)> {
    let is_root = address.starts_with(':');
    address.rsplit_once('#').filter(|_| is_root)
}

/// Returns the kind of checkout that a folder is in.
fn beside(folder: &Path) -> Option<&'static str> {
    let kept = |folder: &Path| [".svn", "CVS"].into_iter().find(|name| folder.join(name).is_dir());
    folder.ancestors().find_map(kept)
}

/// Waits for a server and its data until the run is stopped.
fn patience(stop: &Stop) -> Patience {
    let (stop, wanted) = (stop.clone(), stop.clone());
    let patience = Patience::new(move |time| {
        let mut left = time;
        while !left.is_zero() {
            if stop.is_stopped() {
                return ControlFlow::Break(());
            }
            let nap = left.min(GLANCE);
            std::thread::sleep(nap);
            left -= nap;
        }
        ControlFlow::Continue(())
    });
    patience.while_wanted(move || !wanted.is_stopped())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_cvs_has_a_root_and_a_module() {
        assert_eq!(cvs_address(":local:/cvs#project"), Some((":local:/cvs", "project")));
        assert_eq!(cvs_address("svn://host/project#1"), None);
        assert_eq!(cvs_address("folder"), None);
    }
}
