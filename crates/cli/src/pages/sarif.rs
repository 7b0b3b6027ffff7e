//! SARIF 2.1.0: the format in which editors and code-hosting sites take marks on lines.

use std::os::unix::ffi::OsStrExt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};
use whodunit_jobs::changes::{ChangeAnswer, ChangeWord, Partner};
use whodunit_run::Word;

use super::view::{CauseView, View};
use crate::inert::{self, sarif};
use crate::report::changes::{commit, kind, place};
use crate::trouble::Trouble;

const RULE: &str = "failure-inducing-change";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the page.
pub(super) fn page(view: &View<'_>) -> Result<String, Trouble> {
    let results: Vec<Value> = view.causes.iter().flat_map(|it| results(view, it)).collect();
    let page = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "whodunit",
                "version": view.version,
                "rules": [{
                    "id": RULE,
                    "shortDescription": { "text": "A change that makes a test fail" },
                    "fullDescription": { "text": sarif(&format!(
                        "With this change, and those it is related to, `{}` fails where it passed: {}",
                        view.command, view.failure
                    )) },
                    "defaultConfiguration": { "level": "error" },
                }],
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    Ok(inert::json(&page).map_err(|error| Trouble::Output(error.into()))? + "\n")
}

fn results(view: &View<'_>, it: &CauseView<'_>) -> Vec<Value> {
    let cause = it.cause;
    let result = |(at, change): (usize, &ChangeAnswer)| {
        let others = cause.culprit.iter().enumerate().filter(|(other, _)| *other != at);
        let together = match cause.proof.each_needed.holds() {
            true => "fails together with this change, and not without it",
            false => "fails together with this change",
        };
        let mut related: Vec<Value> =
            others.map(|(_, other)| self::related(other, together)).collect();
        related.extend(cause.partners.iter().flat_map(partner));
        let mut result = json!({
            "ruleId": RULE,
            "ruleIndex": 0,
            "level": "error",
            "message": { "text": sarif(&message(view, it, change)) },
            "locations": [{ "physicalLocation": location(change) }],
        });
        if let Some(rank) = it.rank {
            result["rank"] = rank.into();
        }
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
        result
    };
    cause.culprit.iter().enumerate().map(result).collect()
}

fn message(view: &View<'_>, it: &CauseView<'_>, change: &ChangeAnswer) -> String {
    let what = kind(change).unwrap_or_else(|| "changed".into());
    let mut text = format!("{} ({what}): with this `{}` fails", place(change), view.command);
    if it.cause.culprit.len() > 1 {
        text.push_str(", together with the related changes");
    }
    text.push_str(&format!(": {}.", view.failure));
    if let Some(why) = &view.not_done {
        text.push_str(&format!(" Not done: {why}."));
    }
    if let Some(version) = &it.came_with {
        text.push_str(&format!(" It came with {version}."));
    }
    text
}

/// Returns the places of the other side of a merge; if only its commit is known, just that.
fn partner(partner: &Partner) -> Vec<Value> {
    let name = commit(&partner.commit);
    let text = format!("fails only together with this, of the merge's other side: {name}");
    if partner.changes.is_empty() {
        return vec![json!({ "message": { "text": sarif(&text) } })];
    }
    partner.changes.iter().map(|change| related(change, &text)).collect()
}

fn related(change: &ChangeAnswer, text: &str) -> Value {
    json!({ "physicalLocation": location(change), "message": { "text": sarif(text) } })
}

fn location(change: &ChangeAnswer) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(&change.file) } });
    if change.change == ChangeWord::Text {
        // A deletion has no lines in the bad version; its place is that of its old lines.
        let [first, last] = change.new_lines.or(change.old_lines).unwrap_or([1, 1]);
        location["region"] =
            json!({ "startLine": first.max(1), "endLine": last.max(first).max(1) });
    }
    location
}

/// Returns a path as a relative URI.
fn uri(path: &Word) -> String {
    percent_encode(path.as_os_str().as_bytes(), ENCODED).to_string()
}

/// All bytes that are encoded: those that are neither unreserved in a URI nor the slash
/// between folders.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_uri_is_written_in_percent() {
        assert_eq!(uri(&Word::from("a b/ü:#.c")), "a%20b/%C3%BC%3A%23.c");
    }
}
