//! Checks the claims of answers, with the test as a function and without knowledge of the search.

pub(crate) mod changes;
pub(crate) mod history;
pub(crate) mod reduce;
pub(crate) mod same;

#[cfg(test)]
mod doctored;

use serde_json::Value;

/// The lies that were found, one sentence each, and the numbers of checked and unchecked claims.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) lies: Vec<String>,
    /// Claims that were checked.
    pub(crate) checked: usize,
    /// Claims that this checker cannot check.
    pub(crate) unchecked: usize,
}

impl Findings {
    /// Counts a checked claim, and adds a lie if it does not hold.
    pub(crate) fn claim(&mut self, holds: bool, wrong: impl FnOnce() -> String) {
        self.checked += 1;
        if !holds {
            self.lies.push(wrong());
        }
    }

    pub(crate) fn take(&mut self, other: Findings) {
        self.lies.extend(other.lies);
        self.checked += other.checked;
        self.unchecked += other.unchecked;
    }
}

/// Returns the text of a field; `None` if it is null or missing.
fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}

/// Returns the bytes of a field that is a text, or, if they are not UTF-8, one character for each
/// byte.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(map) => {
            let text = map.get("latin1")?.as_str()?;
            Some(text.chars().map(|char| char as u32 as u8).collect())
        }
        _ => None,
    }
}

fn number(value: &Value, field: &str) -> Option<u64> {
    value.get(field).and_then(Value::as_u64)
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns whether an answer is finished and proved.
pub(crate) fn is_done(answer: &Value) -> bool {
    text(answer, "ended") == Some("done")
}

/// Checks that the exit code agrees with the answer.
pub(crate) fn check_code(answer: &Value, code: Option<i32>, findings: &mut Findings) {
    let ended = text(answer, "ended").unwrap_or("nothing");
    let names_none = text(answer, "job") == Some("history")
        && answer["outcome"]["outcome"].as_str() != Some("found");
    let wanted = match ended {
        "done" if names_none => 5,
        "done" => 0,
        "gave_up" | "out_of_time" | "out_of_tests" => 3,
        _ => 130,
    };
    findings.claim(code == Some(wanted), || {
        format!("ended is `{ended}`, but the exit code is {code:?}")
    });
}
