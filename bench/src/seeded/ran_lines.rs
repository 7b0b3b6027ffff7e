//! The lines that a test runs, read from the output of a tracer or the interpreter.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::mutate::Lines;

/// A line of a file, from 1.
pub(super) type Place = (String, u32);

/// Reads one place a line: the file, a blank, the number.
pub(super) fn listed(text: &str) -> BTreeSet<Place> {
    let place = |line: &str| {
        let (file, number) = line.rsplit_once(' ')?;
        Some((file.to_owned(), number.parse().ok()?))
    };
    text.lines().filter_map(place).collect()
}

/// Reads the coverage that Node.js wrote into a folder: of the files below `root`.
pub(super) fn of_node(written: &Path, root: &Path) -> Result<BTreeSet<Place>, Box<dyn Error>> {
    let root = fs::canonicalize(root)?;
    let prefix = format!("file://{}/", root.display());
    let mut places = BTreeSet::new();
    for entry in fs::read_dir(written)? {
        let report: Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
        for script in report["result"].as_array().into_iter().flatten() {
            let Some(file) = script["url"].as_str().and_then(|url| url.strip_prefix(&prefix))
            else {
                continue;
            };
            let text = fs::read_to_string(root.join(file))?;
            places.extend(run_in(&text, script).into_iter().map(|line| (file.to_owned(), line)));
        }
    }
    Ok(places)
}

/// Returns the lines of a script whose first character was run.
fn run_in(text: &str, script: &Value) -> Vec<u32> {
    // Ranges come from the outside in, and count UTF-16 units.
    let mut is_run = vec![false; text.encode_utf16().count()];
    let functions = script["functions"].as_array().into_iter().flatten();
    for range in functions.flat_map(|it| it["ranges"].as_array().into_iter().flatten()) {
        let place = |name: &str| {
            let place = range[name].as_u64().and_then(|place| usize::try_from(place).ok());
            place.unwrap_or_default().min(is_run.len())
        };
        let (start, end) = (place("startOffset"), place("endOffset"));
        let runs = range["count"].as_u64() != Some(0);
        is_run[start.min(end)..end].fill(runs);
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes: Vec<u8> = units.iter().map(|&unit| u8::try_from(unit).unwrap_or(b'x')).collect();
    let lines = Lines::of(&bytes);
    let mut seen = BTreeSet::new();
    let first =
        |place: &usize| !bytes[*place].is_ascii_whitespace() && seen.insert(lines.at(*place).0);
    let firsts: Vec<usize> = (0..bytes.len()).filter(first).collect();
    firsts.into_iter().filter(|&place| is_run[place]).map(|place| lines.at(place).0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let places = listed("a b.py 3\nc.py 7\nnothing\n");
        assert_eq!(places, BTreeSet::from([("a b.py".to_owned(), 3), ("c.py".to_owned(), 7)]));
    }

    #[test]
    fn an_inner_range_counts_for_what_is_in_it() {
        let text = "f();\nfunction f() {\n  if (ä) {\n    g();\n  }\n}\n";
        let at = |word: &str| {
            text.encode_utf16().count() - text.split_once(word).unwrap().1.encode_utf16().count()
        };
        let range = |start: usize, end: usize, count: u32| serde_json::json!({ "startOffset": start, "endOffset": end, "count": count });
        let script = serde_json::json!({ "functions": [
            { "ranges": [range(0, at("  }\n}"), 1)] },
            { "ranges": [range(5, at("  }\n}"), 2), range(at("(ä) "), at("g();\n  }"), 0)] },
        ] });
        assert_eq!(run_in(text, &script), [1, 2, 3, 6]);
    }
}
