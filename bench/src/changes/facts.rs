//! The known facts of a case: the part of its `case.toml` that is compared.
//!
//! An unknown key is an error: after a typing error a known fact would count as unknown.

use std::error::Error;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The known facts of a case.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Together they cause the failure.
    pub(crate) causes: Vec<Expected>,
    /// The tests that plain ddmin needs, hunk by hunk.
    pub(crate) ddmin: Baseline,
    /// Whether the fault came with the release or was inserted for the case.
    pub(crate) kind: String,
    /// Further options for atomic changes.
    pub(crate) atomic: Vec<String>,
}

/// One place of the cause.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) file: String,
    /// One of these functions; empty if it is in no function.
    pub(crate) functions: Vec<String>,
    pub(crate) lines: Option<RangeInclusive<u64>>,
}

/// The number of tests of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Baseline {
    #[default]
    Unknown,
    Ended(u64),
    /// It was stopped after this many.
    Stopped(u64),
}

/// A whole file.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)] // some keys are only for readers
struct CaseTable {
    kind: String,
    expected: ExpectedTable,
    baseline: BaselineTable,
    atomic: AtomicTable,
    name: IgnoredAny,
    ecosystem: IgnoredAny,
    package: IgnoredAny,
    good: IgnoredAny,
    bad: IgnoredAny,
    symptom: IgnoredAny,
    character: IgnoredAny,
    changed_files: IgnoredAny,
    changed_lines: IgnoredAny,
    hunks: IgnoredAny,
    cpu_seconds_per_test: IgnoredAny,
    needs: IgnoredAny,
    upstream: IgnoredAny,
    without_rename_detection: IgnoredAny,
}

/// The expected result.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)] // some keys are only for readers
struct ExpectedTable {
    cause: Vec<CauseTable>,
    minimal_hunks: IgnoredAny,
    prerequisite: IgnoredAny,
}

/// One place of the cause.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)] // some keys are only for readers
struct CauseTable {
    file: String,
    function: Option<String>,
    lines_in_bad: Option<String>,
    finer: IgnoredAny,
    lines_in_good: IgnoredAny,
    moved_from: IgnoredAny,
    rewritten_block: IgnoredAny,
    what: IgnoredAny,
}

/// The costs of other searches.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)] // some keys are only for readers
struct BaselineTable {
    ddmin_hunks_tests: Option<Tests>,
    dd_isolate_answer: IgnoredAny,
    dd_isolate_tests: IgnoredAny,
    dd_plus_hunks_tests: IgnoredAny,
    ddmin_answer: IgnoredAny,
    ddmin_outcomes: IgnoredAny,
    git_bisect: IgnoredAny,
}

/// Options of `changes` for this case.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AtomicTable {
    options: String,
}

/// A number of tests, or words about a search that was stopped.
#[derive(Deserialize)]
#[serde(untagged)]
enum Tests {
    Number(u64),
    Words(String),
}

impl Facts {
    pub(crate) fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let case: CaseTable = toml::from_str(text)?;
        let cause = |cause: CauseTable| Expected {
            file: first_word(&cause.file),
            functions: cause
                .function
                .map(|names| names.split(',').map(first_word).collect())
                .unwrap_or_default(),
            lines: cause.lines_in_bad.as_deref().and_then(lines),
        };
        Ok(Facts {
            causes: case.expected.cause.into_iter().map(cause).collect(),
            ddmin: case.baseline.ddmin_hunks_tests.map_or(Baseline::Unknown, Baseline::from),
            kind: case.kind,
            atomic: case.atomic.options.split_whitespace().map(str::to_owned).collect(),
        })
    }
}

/// Returns the text before a remark: `a.c` of `a.c (was b.c)`.
fn first_word(text: impl AsRef<str>) -> String {
    text.as_ref().split_whitespace().next().unwrap_or_default().to_owned()
}

/// Reads `12` or `12-15`; a remark may follow.
fn lines(text: &str) -> Option<RangeInclusive<u64>> {
    let range = first_word(text);
    let (first, last) = range.split_once('-').unwrap_or((&range, &range));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

impl From<Tests> for Baseline {
    /// Takes the number, or the first one in words about a search that was stopped.
    fn from(tests: Tests) -> Self {
        match tests {
            Tests::Number(tests) => Baseline::Ended(tests),
            Tests::Words(words) => {
                let number = words.split_whitespace().find_map(|word| word.parse().ok());
                number.map_or(Baseline::Unknown, Baseline::Stopped)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const CASE: &str = r#"
name = "made-up"
kind = "seeded"
changed_files = 16

[expected]
minimal_hunks = 1
[[expected.cause]]
file = "new/a.c (was old/a.c)"
function = "one (new), Two.three"
lines_in_bad = "78-83 (line 80 decides)"
what = "calls \"it\" = wrong"
[[expected.cause]]
file = "package.json"
lines_in_bad = "the line \"main\""
[[expected.prerequisite]]
file = "b.c"

[baseline]
ddmin_hunks_tests = "stopped after 344 tests (481 s): still 174 hunks"

[atomic]
options = "--tests Copy.all --fast"
"#;

    #[test]
    fn the_causes_are_read_without_remarks() {
        let facts = Facts::read(CASE).unwrap();
        let [first, second] = &facts.causes[..] else { panic!("{facts:?}") };
        assert_eq!(first.file, "new/a.c");
        assert_eq!(first.functions, ["one", "Two.three"]);
        assert_eq!(first.lines, Some(78..=83));
        assert_eq!(second, &Expected { file: "package.json".into(), ..Expected::default() });
        assert_eq!(facts.ddmin, Baseline::Stopped(344));
        assert_eq!(facts.kind, "seeded");
        assert_eq!(facts.atomic, ["--tests", "Copy.all", "--fast"]);
    }

    #[test]
    fn a_search_that_ended_has_a_plain_number() {
        let ddmin = |text: &str| Facts::read(text).unwrap().ddmin;
        assert_eq!(ddmin("[baseline]\nddmin_hunks_tests = 72"), Baseline::Ended(72));
        assert_eq!(ddmin(""), Baseline::Unknown);
    }

    #[test]
    fn a_typing_error_is_an_error() {
        for text in ["[baselin]", "[baseline]\nddmin_hunk_tests = 72", "kind = real", "kind = 1"] {
            assert!(Facts::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_case_of_atomic_changes_is_read() {
        let facts = Facts::read(include_str!("../../atomic/commons-io-copy-null/case.toml"));
        assert_eq!(facts.unwrap().causes[0].functions, ["IOUtils.copyLarge"]);
    }
}
