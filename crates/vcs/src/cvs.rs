//! Histories of CVS repositories, through the program `cvs`.
//!
//! CVS has no versions of a whole, only revisions of files. As in the paper on iterative delta
//! debugging, file revisions by the same author with the same message that are less than five
//! minutes apart are one version. The log is read once; contents are fetched as revisions of files,
//! each once, with keywords as they were checked in.

mod admin;
mod fetch;
mod lineage;
mod log;
mod number;
mod trouble;
mod trunk;
mod versions;

use std::path::Path;
use std::sync::Arc;

use whodunit_files::regular;

use self::fetch::Fetcher;
use crate::client::{Client, ClientSettings};
use crate::{Error, Span};

pub use lineage::Versions;
pub use versions::Together;

/// A module of a CVS repository.
#[derive(Clone, Debug)]
pub struct Repository {
    fetcher: Arc<Fetcher>,
    module: String,
    together: Together,
}

impl Repository {
    /// Opens a module, which is a folder of the repository; `root` has the form that `cvs -d`
    /// takes.
    pub fn open(root: &str, module: &str, settings: &ClientSettings) -> Result<Self, Error> {
        // `-f`: no start-up file of the user.
        let always = ["-f", "-q", "-d", root].map(String::from);
        let mut client = Client::new("cvs", settings, "C", trouble::passes).with(always);
        if log::is_local(root) {
            // `-R`: no locks or notes in the repository; only possible without a server.
            client = client.with(["-R".to_owned()]);
        }
        let module = module.trim_matches('/').to_owned();
        let fetcher = Fetcher::new(client, root, &module, &settings.cache)?;
        Ok(Self { fetcher: Arc::new(fetcher), module, together: Together::default() })
    }

    /// Opens the module that a folder was checked out of.
    pub fn of_checkout(folder: &Path, settings: &ClientSettings) -> Result<Self, Error> {
        let no_checkout = |_| Error::NoCheckout { path: folder.to_path_buf(), system: "CVS" };
        let read =
            |name| regular::read_to_string(&folder.join("CVS").join(name)).map_err(no_checkout);
        let (root, module) = (read("Root")?, read("Repository")?);
        let (root, module) = (root.trim(), module.trim());
        if let Some(named) =
            [(root, log::can_run_programs(root)), (module, module.starts_with('-'))]
                .into_iter()
                .find_map(|(named, is_dangerous)| is_dangerous.then(|| named.to_owned()))
        {
            return Err(Error::RunsProgram { path: folder.to_path_buf(), named });
        }
        // Old clients wrote the whole path.
        let path = log::path_of_root(root);
        let module = module.strip_prefix(path).unwrap_or(module);
        Self::open(root, module, settings)
    }

    /// Sets how revisions of files are put together to versions.
    #[must_use]
    pub fn putting(self, together: Together) -> Self {
        Repository { together, ..self }
    }

    /// Returns the versions of the trunk, or of a branch with those that it was made from.
    ///
    /// Versions are numbered from the oldest, which is 1. Bounds are these numbers, or dates.
    pub fn lineage(&self, branch: Option<&str>, span: &Span) -> Result<Versions, Error> {
        lineage::read(&self.fetcher, &self.module, branch, span, self.together)
    }
}
