//! Errors in a file, and their places.

use std::fmt;

use crate::Format;

/// An error in reading a file.
#[derive(Debug, thiserror::Error)]
#[error("`{name}`{}: {problem}", place(.line))]
pub struct ReadError {
    /// The file.
    pub name: String,
    /// The line, where that is known.
    pub line: Option<u64>,
    /// The problem.
    #[source]
    pub problem: Problem,
}

/// A problem of a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The format is unknown.
    #[error(
        "neither JaCoCo XML, LCOV, llvm-cov, gcov or coverage.py JSON nor a cover profile of Go{0}"
    )]
    Unknown(FoundText),
    /// The XML is no report of tests.
    #[error("this is no JUnit report{0}")]
    NoReport(FoundText),
    /// It is of a known format, but damaged or cut off.
    #[error("{format} that is broken or cut off: {problem}")]
    Broken {
        /// The expected format.
        format: Format,
        /// The problem.
        problem: String,
    },
    /// It is of a known format, and names no file.
    #[error("{0} that names no source file with lines")]
    NoFiles(Format),
    /// It cannot be unpacked.
    #[error("cannot be unpacked: {0}")]
    Packed(String),
}

/// The text that was found instead of the expected one.
#[derive(Debug, Default)]
pub struct FoundText(pub Option<String>);

impl fmt::Display for FoundText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(seen) => write!(f, ", but {seen}"),
            None => Ok(()),
        }
    }
}

/// An error in putting reports and coverage together to a suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Nothing failed, so nothing is suspicious.
    #[error("none of {tests} tests fails")]
    NothingFails {
        /// The number of tests.
        tests: usize,
    },
    /// There is no coverage at all.
    #[error("there is no coverage of {tests} tests")]
    NoCoverage {
        /// The number of tests.
        tests: usize,
    },
    /// Coverage and reports are of different tests.
    #[error("the coverage is of no test that fails; reported is `{reported}`, covered `{covered}`")]
    NothingCovered {
        /// A test that fails.
        reported: String,
        /// A test whose coverage is there.
        covered: String,
    },
}

/// A problem at a line, before it becomes an error with the name of the file.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) line: Option<u64>,
    pub(crate) problem: Problem,
}

impl Trouble {
    pub(crate) fn broken(format: Format, line: u64, problem: impl Into<String>) -> Self {
        Trouble { line: Some(line), problem: Problem::Broken { format, problem: problem.into() } }
    }

    pub(crate) fn json(format: Format, error: &serde_json::Error) -> Self {
        Trouble::broken(format, error.line() as u64, error.to_string())
    }

    pub(crate) fn named(self, name: &str) -> ReadError {
        ReadError { name: name.to_owned(), line: self.line, problem: self.problem }
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Self {
        Trouble { line: None, problem }
    }
}

fn place(line: &Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}
