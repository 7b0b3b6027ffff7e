//! Arguments of all benches that run whodunit on cases.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::session;

/// The folder of the committed tables.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
/// The default cap of a run.
const CAP: Duration = Duration::from_secs(600);

/// Which runs there are, how they are limited, and where the rows go.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Run this case, or this language, only. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,

    /// End a run after this many seconds (default: 600; 900 over atomic changes of libraries)
    #[arg(long, value_name = "SECONDS", value_parser = session::seconds)]
    cap: Option<Duration>,

    /// Run this many tests at once (default: as whodunit decides, or 2 where others run as well)
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// The whodunit to run (default: the one that was built beside this program)
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Also put the rows into this file (default: the table of this bench); other rows there are
    /// kept
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    write: Option<Option<PathBuf>>,
}

/// What else whodunit is told.
#[derive(clap::Args)]
pub(crate) struct WithArgs {
    /// Give this option to whodunit. Can be repeated
    #[arg(long = "with", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,
}

impl RunArgs {
    /// Returns the cap of a run.
    pub(crate) fn cap(&self) -> Duration {
        self.cap_or(CAP)
    }

    /// Returns the cap of a run, with another default.
    pub(crate) fn cap_or(&self, usual: Duration) -> Duration {
        self.cap.unwrap_or(usual)
    }

    /// Returns the path of whodunit.
    pub(crate) fn program(&self) -> io::Result<PathBuf> {
        session::whodunit(self.program.as_deref())
    }

    /// Returns the file that the rows are written to, if there is one; `table` is this bench's
    /// own.
    pub(crate) fn write_to(&self, table: &str) -> Option<PathBuf> {
        let given = self.write.as_ref()?;
        Some(given.clone().unwrap_or_else(|| Path::new(TABLES).join(table)))
    }
}
