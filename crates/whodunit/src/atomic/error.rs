//! Why something that was said about tests cannot be used.

use std::io;
use std::path::PathBuf;

/// Why something that was said about tests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AtomicError {
    /// A file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of a version cannot be read.
    #[error(transparent)]
    File(#[from] whodunit_versions::ReadError),
    /// A coverage file cannot be understood.
    #[error(transparent)]
    Coverage(#[from] whodunit_coverage::ReadError),
    /// Reports of tests cannot be made use of.
    #[error(transparent)]
    Suite(#[from] whodunit_coverage::SuiteError),
    /// None of the files that coverage is about is one of the bad version.
    #[error(
        "the coverage is of another build: it speaks of `{name}`, which is not in the bad version"
    )]
    OtherBuild {
        /// One of the names in it.
        name: String,
    },
    /// Coverage in which not one line was executed.
    #[error("the coverage says that nothing of the bad version was executed")]
    NothingRan,
    /// None of the failing tests of the reports is in the program.
    #[error("no test that fails is in the bad version; reported is `{name}`")]
    UnknownTests {
        /// One of the names in the reports.
        name: String,
    },
    /// Nothing in the program has the name that the failing test was said to begin with.
    #[error("there is no `{name}` in the bad version that a test could begin with")]
    NoEntry {
        /// The name.
        name: String,
    },
}
