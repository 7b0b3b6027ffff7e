//! Histories of Subversion repositories, through the program `svn`.
//!
//! A repository is named by a URL or by a checkout of the user, which is only asked for its URL.
//! Versions are fetched into a checkout of our own, which is updated from one revision to the next:
//! one call that transfers the difference. Contents are those in the repository, without keywords
//! or other line ends.

mod answers;
mod checkout;
mod lineage;
mod shelf;
mod trouble;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::answers::SvnFolder;
use crate::client::{Client, ClientSettings};
use crate::{Cause, Error, Span};

pub use lineage::Revisions;

/// A folder of a Subversion repository, as it is named in the newest revision.
#[derive(Clone, Debug)]
pub struct Repository {
    folder: Arc<Folder>,
}

/// A folder of a repository, and how it is reached.
#[derive(Debug)]
struct Folder {
    client: Client,
    place: SvnFolder,
    cache: PathBuf,
}

impl Folder {
    /// Returns its name for the client, which later commits do not change.
    fn target(&self) -> String {
        format!("{}@{}", self.place.url, self.place.revision)
    }

    /// Runs the client, and parses its output.
    fn ask<T>(
        &self,
        within: Option<&Path>,
        arguments: &[&str],
        read: fn(&[u8]) -> Result<T, Cause>,
    ) -> Result<T, Error> {
        ask(&self.client, within, arguments, read)
    }
}

impl Repository {
    /// Opens the folder of a URL or of a checkout's path. Later commits are not seen.
    pub fn open(url_or_path: &str, settings: ClientSettings) -> Result<Self, Error> {
        let mut client = Client::new("svn", &settings, trouble::LOCALE, trouble::passes)
            .with(["--non-interactive", "--no-auth-cache"].map(String::from));
        if let Some(folder) = &settings.configuration {
            client = client.with(["--config-dir".to_owned(), folder.display().to_string()]);
        }
        let url = if url_or_path.contains("://") {
            url_or_path.to_owned()
        } else {
            url_of(&client, url_or_path)?
        };
        let target = format!("{url}@HEAD");
        let place = ask(&client, None, &["info", "--xml", &target], answers::place)?;
        Ok(Self { folder: Arc::new(Folder { client, place, cache: settings.cache }) })
    }

    /// Returns the URL.
    pub fn url(&self) -> &str {
        &self.folder.place.url
    }

    /// Returns the revisions that changed the folder or something in it, also under its names
    /// before it was moved or copied.
    ///
    /// Bounds are numbers, with or without `r`, `HEAD`, or dates. A revision that did not change
    /// the folder stands for the last one before it that did.
    pub fn lineage(&self, span: &Span) -> Result<Revisions, Error> {
        lineage::read(&self.folder, span)
    }
}

/// Returns the URL that a checkout was made from.
fn url_of(client: &Client, path: &str) -> Result<String, Error> {
    // Without a final `@`, one within the path would be taken for the mark of a revision.
    let target = format!("{path}@");
    let place = ask(client, None, &["info", "--xml", &target], answers::place);
    let place = place.map_err(|error| match error {
        Error::Client { said, .. } if trouble::is_no_checkout(&said) => {
            Error::NoCheckout { path: PathBuf::from(path), system: "Subversion" }
        }
        error => error,
    })?;
    Ok(place.url)
}

fn ask<T>(
    client: &Client,
    within: Option<&Path>,
    arguments: &[&str],
    read: fn(&[u8]) -> Result<T, Cause>,
) -> Result<T, Error> {
    let answer = client.run(within, arguments)?;
    read(&answer).map_err(|source| Error::Garbled { command: client.name_of(arguments), source })
}
