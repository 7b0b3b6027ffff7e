//! The lines that each test executes, the outcomes of tests, and a ranking of changes by these.
//!
//! [`read`] takes the bytes of a coverage file of any known [`Format`]; [`PathMap`] finds its files
//! in a version; [`Suite`] puts reports of tests and their coverage together; [`rank`] orders
//! things by how suspicious the tests that cover them make them. Only bytes are read here: no file
//! is opened, no process is run.
//!
//! ```
//! use whodunit_coverage::{PathMap, Source, read};
//!
//! let file = Source { name: "test.info", bytes: b"SF:/build/src/a.c\nDA:3,1\nend_of_record\n" };
//! let coverage = read(file)?.all();
//! let paths = PathMap::new(coverage.names(), [b"src/a.c".as_slice(), b"src/b.c".as_slice()]);
//! let found = paths.apply(&coverage);
//! assert!(found[b"src/a.c".as_slice()].contains(3));
//! # Ok::<(), whodunit_coverage::ReadError>(())
//! ```

#![forbid(unsafe_code)]

mod coverage;
mod error;
mod formats;
mod junit;
mod lines;
mod names;
mod paths;
mod rank;
mod suite;
mod xml;

pub use coverage::{Coverage, CoverageFile};
pub use error::{Problem, ReadError, SuiteError};
pub use formats::{CALLED, Format, looks_like_coverage, read, read_v8};
pub use junit::{Outcome, Report, ReportedTest};
pub use lines::Lines;
pub use paths::{Ambiguous, PathMap, Shared};
pub use rank::{Formula, Fraction, Ranked, Tie, rank};
pub use suite::{Suite, SuiteTest, by_test};

/// A file that was read, with its name for messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name; for a file with the coverage of one test, the test's name with the endings that
    /// the tool adds.
    pub name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}
