//! What is known of a case: the part of its `case.toml` that is compared.
//!
//! Of the format only tables, numbers and strings on one line are read; all else is passed over.

use std::ops::RangeInclusive;

/// What is known of a case.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// All of them together make the failure.
    pub(crate) causes: Vec<Expected>,
    /// What plain ddmin takes, hunk by hunk.
    pub(crate) ddmin: Baseline,
    /// Whether the fault came with the release or was put in for the case.
    pub(crate) kind: String,
    /// Further options for atomic changes.
    pub(crate) atomic: Vec<String>,
}

/// One place that is to blame.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) file: String,
    /// Any of these functions; none if it is in no function.
    pub(crate) functions: Vec<String>,
    pub(crate) lines: Option<RangeInclusive<u64>>,
}

/// How many tests a search takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Baseline {
    #[default]
    Unknown,
    Ended(u64),
    /// It was stopped after so many.
    Stopped(u64),
}

impl Facts {
    pub(crate) fn read(text: &str) -> Self {
        let mut facts = Facts::default();
        let mut table = "";
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                table = line;
                if table == "[[expected.cause]]" {
                    facts.causes.push(Expected::default());
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let value = unquoted(value.trim());
            match (table, key.trim(), facts.causes.last_mut()) {
                ("[[expected.cause]]", "file", Some(cause)) => cause.file = first_word(&value),
                ("[[expected.cause]]", "function", Some(cause)) => {
                    cause.functions = value.split(',').map(first_word).collect();
                }
                ("[[expected.cause]]", "lines_in_bad", Some(cause)) => cause.lines = lines(&value),
                ("", "kind", _) => facts.kind = value,
                ("[atomic]", "options", _) => {
                    facts.atomic = value.split_whitespace().map(str::to_owned).collect();
                }
                ("[baseline]", "ddmin_hunks_tests", _) => facts.ddmin = baseline(&value),
                _ => {}
            }
        }
        facts
    }
}

/// Returns what a string says, without its quotes.
fn unquoted(value: &str) -> String {
    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    inner.unwrap_or(value).replace("\\\"", "\"")
}

/// Returns what stands before a remark: `a.c (was b.c)` is about `a.c`.
fn first_word(text: impl AsRef<str>) -> String {
    text.as_ref().split_whitespace().next().unwrap_or_default().to_owned()
}

/// Reads `12`, `12-15`, with any remark behind.
fn lines(text: &str) -> Option<RangeInclusive<u64>> {
    let range = first_word(text);
    let (first, last) = range.split_once('-').unwrap_or((&range, &range));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

/// Reads a number, or the first one in words about a search that was stopped.
fn baseline(text: &str) -> Baseline {
    if let Ok(tests) = text.parse() {
        return Baseline::Ended(tests);
    }
    let number = text.split_whitespace().find_map(|word| word.parse().ok());
    number.map_or(Baseline::Unknown, Baseline::Stopped)
}

#[cfg(test)]
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
        let facts = Facts::read(CASE);
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
        assert_eq!(Facts::read("[baseline]\nddmin_hunks_tests = 72").ddmin, Baseline::Ended(72));
        assert_eq!(Facts::read("").ddmin, Baseline::Unknown);
    }
}
