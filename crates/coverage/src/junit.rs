//! Reports of tests in the XML of JUnit, which most other runners write today too.

use std::collections::BTreeMap;

use crate::error::{FoundText, Problem, ReadError, Trouble};
use crate::xml::{Node, attribute, with_root};
use crate::{Format, Source};

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// It was not run.
    Skipped,
    /// It passed.
    Passed,
    /// It failed, or ended with an error.
    Failed,
}

/// A test in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedTest {
    /// Class and name, as in `bank.AccountTest.withdrawn`.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The tests of one or several reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of their first mention. A test that is listed several times, because it has
    /// several arguments or was repeated, has failed if one of its runs has.
    pub tests: Vec<ReportedTest>,
}

impl Report {
    /// Reads reports; suites may be nested.
    pub fn read<'a>(sources: impl IntoIterator<Item = Source<'a>>) -> Result<Self, ReadError> {
        let mut report = Report::default();
        let mut places = BTreeMap::new();
        for source in sources {
            let tests = tests_of(source.bytes).map_err(|trouble| trouble.named(source.name))?;
            for test in tests {
                let next = report.tests.len();
                let place = *places.entry(test.name.clone()).or_insert(next);
                match report.tests.get_mut(place) {
                    Some(known) => known.outcome = known.outcome.max(test.outcome),
                    None => report.tests.push(test),
                }
            }
        }
        Ok(report)
    }
}

fn tests_of(bytes: &[u8]) -> Result<Vec<ReportedTest>, Trouble> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    match bytes {
        [] => Err(Problem::Empty.into()),
        [b'<', ..] => with_root(bytes, |root| {
            let name = root.tag_name().name();
            if name != "testsuites" && name != "testsuite" {
                return Err(Problem::NoReport(FoundText(Some(format!("XML of `{name}`")))).into());
            }
            root.descendants().filter(|node| node.has_tag_name("testcase")).map(test).collect()
        }),
        _ => Err(Problem::NoReport(FoundText::default()).into()),
    }
}

fn test(node: Node<'_, '_>) -> Result<ReportedTest, Trouble> {
    let name = attribute(node, "name", Format::JUnit)?;
    let class = node.attribute("classname").unwrap_or_default();
    let name = match (class, name) {
        ("", name) => name.to_owned(),
        // An error before the first test of a class is reported without a name.
        (class, "") => class.to_owned(),
        (class, name) => format!("{class}.{name}"),
    };
    // `flakyFailure` and `rerunFailure` report other runs of a test; the last run counts.
    let has = |tag: &str| node.children().any(|child| child.has_tag_name(tag));
    let outcome = if has("failure") || has("error") {
        Outcome::Failed
    } else if has("skipped") {
        Outcome::Skipped
    } else {
        Outcome::Passed
    };
    Ok(ReportedTest { name, outcome })
}
