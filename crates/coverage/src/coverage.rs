//! Coverage as one value, for every tool.

use std::collections::BTreeMap;

use crate::Lines;

/// The lines that were executed, and those that could have been, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the name that the tool gives the file. A file that is known and not executed has no lines.
    pub files: BTreeMap<String, Lines>,
    /// The lines that the tool counts executions of, by the same names. Lines outside of them may
    /// have been executed or not: comments, the further lines of a statement, constants.
    pub measured: BTreeMap<String, Lines>,
}

impl Coverage {
    /// Returns the names of the files, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Adds lines that were executed.
    pub fn add_lines(&mut self, name: &str, lines: &Lines) {
        add(&mut self.files, name, lines);
        self.add_measured(name, lines);
    }

    /// Adds lines whose executions are counted, be it that there were none.
    pub fn add_measured(&mut self, name: &str, lines: &Lines) {
        add(&mut self.measured, name, lines);
    }

    /// Adds all lines of another coverage.
    pub fn add(&mut self, other: &Coverage) {
        for (name, lines) in &other.files {
            add(&mut self.files, name, lines);
        }
        for (name, lines) in &other.measured {
            add(&mut self.measured, name, lines);
        }
    }
}

fn add(files: &mut BTreeMap<String, Lines>, name: &str, lines: &Lines) {
    match files.get_mut(name) {
        Some(known) => known.add(lines),
        None => drop(files.insert(name.to_owned(), lines.clone())),
    }
}

/// The content of one coverage file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageFile {
    /// The lines that each test executed, if the file distinguishes tests.
    pub tests: BTreeMap<String, Coverage>,
    /// The lines that were executed by no particular test: all lines if the file does not
    /// distinguish tests, otherwise those that ran before and between tests, such as code that runs
    /// on loading.
    pub outside: Coverage,
}

impl CoverageFile {
    /// Returns the lines that any test executed, or that were executed outside of tests.
    pub fn all(&self) -> Coverage {
        let mut all = self.outside.clone();
        self.tests.values().for_each(|coverage| all.add(coverage));
        all
    }

    /// Returns the coverage of a test, for changes; the empty name means no particular test.
    pub(crate) fn part(&mut self, test: &str) -> &mut Coverage {
        if test.is_empty() {
            return &mut self.outside;
        }
        self.tests.entry(test.to_owned()).or_default()
    }
}
