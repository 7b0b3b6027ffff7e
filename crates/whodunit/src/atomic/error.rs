//! The error for information about tests that cannot be used.

use std::io;
use std::path::PathBuf;

/// Why information about tests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AtomicError {
    /// A file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of a version cannot be read.
    #[error(transparent)]
    File(#[from] whodunit_versions::ReadError),
    /// A coverage file cannot be understood.
    #[error(transparent)]
    Coverage(#[from] whodunit_coverage::ReadError),
    /// Test reports cannot be used.
    #[error(transparent)]
    Suite(#[from] whodunit_coverage::SuiteError),
    /// No file in the coverage belongs to the bad version.
    #[error(
        "the coverage is of another build: it speaks of `{name}`, which is not in the bad version"
    )]
    OtherBuild {
        /// One of the names in the coverage.
        name: String,
    },
    /// The coverage contains no executed line.
    #[error("the coverage says that nothing of the bad version was executed")]
    NothingRan,
    /// None of the failing tests of the reports is in the program.
    #[error("no test that fails is in the bad version; reported is `{name}`")]
    UnknownTests {
        /// One of the names in the reports.
        name: String,
    },
    /// The program contains nothing with the name that the failing test is said to begin with.
    #[error("there is no `{name}` in the bad version that a test could begin with")]
    NoEntry {
        /// The name.
        name: String,
    },
}
