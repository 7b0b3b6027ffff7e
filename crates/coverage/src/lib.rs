//! Which lines a test executes, which tests fail, and what that says about changes.
//!
//! [`read`] takes the bytes of a coverage file of any known [`Format`]; [`PathMap`] finds the files
//! that it speaks of in a version; [`Suite`] puts reports of tests and their coverage together;
//! [`rank`] orders whatever the tests cover by how suspicious it is. Only bytes are read here: no
//! file is opened, no process is run.
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

/// A file that was read, with the name to be used for it in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name; of a file with the coverage of one test, the test's name without what the tool
    /// puts behind it.
    pub name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}
