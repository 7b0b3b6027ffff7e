//! Compares an answer with the answer that was rebuilt.
//!
//! A job rebuilds the fields of its answer that can be checked, and copies the others. Each field that
//! differs is a statement that does not hold.

use serde::Serialize;
use serde_json::Value;
use whodunit_core::Verdict;
use whodunit_run::evidence::{Claim, Evidence};
use whodunit_run::judge::Provenance;

/// Number of characters of a value that are shown; the rest is cut off.
const SHOWN: usize = 80;

/// Shortest abbreviation of an id, in letters, that names a commit.
const SHORTEST: usize = 4;

/// Shortest id, in letters, that can be abbreviated: a SHA-1 hash. Shorter ids are names or numbers.
const HASH: usize = 40;

/// A field of an answer that differs from the rebuilt answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field, as in `causes[0].fix[1].file`.
    pub field: String,
    /// The value in the answer, as JSON, cut short if it is long.
    pub stated: String,
    /// The value in the rebuilt answer, likewise.
    pub found: String,
}

/// Returns the fields in which two answers differ.
pub(crate) fn compare<A: Serialize>(stated: &A, found: &A) -> Vec<Difference> {
    let value = |answer| serde_json::to_value(answer).expect("answers are written as JSON");
    let mut differences = Vec::new();
    differ("", &value(stated), &value(found), &mut differences);
    differences
}

fn differ(field: &str, stated: &Value, found: &Value, differences: &mut Vec<Difference>) {
    match (stated, found) {
        (Value::Object(one), Value::Object(other)) => {
            let added = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(added) {
                let field = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                let value = |of: &serde_json::Map<String, Value>| of.get(name).cloned();
                let (one, other) =
                    (value(one).unwrap_or_default(), value(other).unwrap_or_default());
                differ(&field, &one, &other, differences);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                differ(&format!("{field}[{place}]"), one, other, differences);
            }
        }
        _ if stated == found => {}
        _ => {
            let (stated, found) = (shown(stated), shown(found));
            differences.push(Difference { field: field.to_owned(), stated, found });
        }
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// Returns a claim with this verdict: the stated claim if it has the verdict, else a new one.
pub(crate) fn claimed(stated: Option<Claim>, verdict: Verdict) -> Option<Claim> {
    let is_it = |stated: &Claim| stated.verdict() == verdict;
    stated.filter(is_it).or_else(|| Evidence::new(verdict, Provenance::Clean).claim())
}

/// The short names of commits in an answer. The usual names may be longer today, because the repository
/// has grown.
pub(crate) struct ShortNames<'a>(pub(crate) Vec<&'a str>);

impl ShortNames<'_> {
    /// Returns the name that the answer has for a commit; `usual` if it has none.
    pub(crate) fn of(&self, id: &str, usual: &str) -> String {
        let is_hash = id.len() >= HASH && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_name = |name: &&str| is_hash && name.len() >= SHORTEST && id.starts_with(*name);
        let mut names = self.0.iter().copied().filter(is_name);
        let is_usual = self.0.contains(&usual);
        let name = if is_usual { None } else { names.next() };
        name.unwrap_or(usual).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_that_differs_is_named() {
        let stated = json!({"a": 1, "b": [{"c": "x"}, {"c": "y"}], "d": [1], "e": null});
        let found = json!({"a": 1, "b": [{"c": "x"}, {"c": "z"}], "d": [1, 2], "f": 3});
        let drawn = |it: &Difference| format!("{}: {} {}", it.field, it.stated, it.found);
        let differences: Vec<String> = compare(&stated, &found).iter().map(drawn).collect();
        assert_eq!(differences, ["b[1].c: \"y\" \"z\"", "d: [1] [1,2]", "f: null 3"]);
    }

    #[test]
    fn a_longer_name_of_a_commit_is_its_name_too() {
        let names = ShortNames(vec!["abc1234", "def0", "app-1.2"]);
        let id = |begin: &str| format!("{begin:0<40}");
        assert_eq!(names.of(&id("abc12345"), "abc12"), "abc1234");
        assert_eq!(names.of(&id("def01234"), "def0"), "def0");
        assert_eq!(names.of(&id("9999"), "9999"), "9999");
        assert_eq!(names.of("app-1.20", "app-1.20"), "app-1.20");
    }
}
