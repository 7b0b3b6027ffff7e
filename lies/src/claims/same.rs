//! Compares the answers of two runs of one case.

use serde_json::Value;

/// Returns an answer without the parts that may differ between two runs: times, names of runs,
/// the distribution of tests, and whether outcomes were remembered.
pub(crate) fn plain(answer: &Value) -> Value {
    let mut plain = answer.clone();
    strip(&mut plain, &["run", "seconds", "tests"]);
    if let Some(learned) = plain.get_mut("learned") {
        strip(learned, &["durations", "limits", "used"]);
    }
    if let Some(settings) = plain.get_mut("settings") {
        strip(settings, &["jobs", "max_tests"]);
        if let Some(how) = settings.get_mut("how") {
            strip(how, &["jobs", "max_tests"]);
        }
    }
    // The number of other failures depends on speculative tests and on remembered outcomes.
    for other in plain.get_mut("others").and_then(Value::as_array_mut).into_iter().flatten() {
        strip(other, &["tests"]);
    }
    without_places(&mut plain);
    plain
}

fn strip(value: &mut Value, fields: &[&str]) {
    if let Value::Object(map) = value {
        map.retain(|field, _| !fields.contains(&field.as_str()));
    }
}

/// Removes the paths of written patches: their folder has the name of the run.
fn without_places(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !names_patch(value));
            map.values_mut().for_each(without_places);
        }
        Value::Array(list) => list.iter_mut().for_each(without_places),
        _ => {}
    }
}

/// Whether a text is the path of a patch; no path in the versions of a case begins with a
/// slash.
fn names_patch(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with('/') && text.ends_with(".patch"))
}

/// Returns the differences of two answers, as the first few paths with both values.
pub(crate) fn difference(one: &Value, other: &Value) -> Option<String> {
    let mut found = Vec::new();
    differ(one, other, "", &mut found);
    (!found.is_empty()).then(|| {
        found.truncate(3);
        found.join("; ")
    })
}

fn differ(one: &Value, other: &Value, path: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let mut fields: Vec<&String> = left.keys().chain(right.keys()).collect();
            fields.sort();
            fields.dedup();
            for field in fields {
                let null = Value::Null;
                let pair = (left.get(field).unwrap_or(&null), right.get(field).unwrap_or(&null));
                differ(pair.0, pair.1, &format!("{path}.{field}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (place, (left, right)) in left.iter().zip(right).enumerate() {
                differ(left, right, &format!("{path}[{place}]"), found);
            }
        }
        _ if one == other => {}
        _ => {
            let short = |value: &Value| value.to_string().chars().take(160).collect::<String>();
            found.push(format!("{path}: {} against {}", short(one), short(other)));
        }
    }
}
