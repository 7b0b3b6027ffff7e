//! Coverage as V8 counts it and Node writes it: counts of ranges of characters.
//!
//! The count of an inner range replaces that of the range around it. The outermost function of a
//! script is its body, which runs when the script is loaded.

use serde::Deserialize;

use crate::{Coverage, CoverageFile, Lines};

/// The test to which the lines of functions are attributed, other than those that run on loading.
pub const CALLED: &str = "called";

#[derive(Deserialize)]
struct Document {
    result: Vec<Script>,
}

#[derive(Deserialize)]
struct Script {
    url: String,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    ranges: Vec<CountedRange>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CountedRange {
    start_offset: usize,
    end_offset: usize,
    count: u64,
}

/// Reads the coverage of the scripts whose name and text `source` returns; `None` if these bytes
/// are no V8 coverage. Lines of functions are attributed to the test [`CALLED`].
pub fn read_v8(
    bytes: &[u8],
    source: impl Fn(&str) -> Option<(String, String)>,
) -> Option<CoverageFile> {
    let Document { result } = serde_json::from_slice(bytes).ok()?;
    let mut file = CoverageFile::default();
    for script in &result {
        let Some((name, text)) = source(&script.url) else { continue };
        // 0: not counted; 1: did not run; 2: ran on loading; 3: ran in a function.
        let mut states = vec![0u8; text.encode_utf16().count()];
        for function in &script.functions {
            let is_body = function
                .ranges
                .first()
                .is_some_and(|range| range.start_offset == 0 && range.end_offset >= states.len());
            for range in &function.ranges {
                let end = range.end_offset.min(states.len());
                let state = match (range.count, is_body) {
                    (0, _) => 1,
                    (_, true) => 2,
                    (_, false) => 3,
                };
                states[range.start_offset.min(end)..end].fill(state);
            }
        }
        let [measured, loaded, called] = lines(&text, &states);
        add(&mut file.outside, &name, &loaded, &measured);
        add(file.part(CALLED), &name, &called, &measured);
    }
    Some(file)
}

fn add(coverage: &mut Coverage, name: &str, executed: &Lines, measured: &Lines) {
    coverage.add_lines(name, executed);
    coverage.add_measured(name, measured);
}

/// Returns the lines that were counted, that ran on loading, and that ran in functions. Blanks
/// around a line do not matter.
fn lines(text: &str, states: &[u8]) -> [Lines; 3] {
    let mut found: [Vec<u32>; 3] = Default::default();
    let mut states = states.iter().copied();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let mut most = 0;
        for sign in line.chars() {
            let state = states.by_ref().take(sign.len_utf16()).max().unwrap_or(0);
            // A lone bracket may close a block that was left before its end.
            if !sign.is_whitespace() && sign != '}' {
                most = most.max(state);
            }
        }
        if most > 0 {
            found[0].push(number);
        }
        if let 2 | 3 = most {
            found[usize::from(most) - 1].push(number);
        }
    }
    found.map(|lines| lines.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "const a = 1;\nfunction f(x) {\n  if (x) {\n    return 2;\n  }\n  return 3;\n}\nf(0);\nfunction g() {\n  return 4;\n}\n";

    #[test]
    fn what_ran_on_loading_is_told_from_what_was_called() {
        let at = |word: &str| TEXT.find(word).unwrap();
        let range = |start: usize, end: usize, count: u32| {
            format!(r#"{{"startOffset":{start},"endOffset":{end},"count":{count}}}"#)
        };
        let function = |ranges: &[String]| format!(r#"{{"ranges":[{}]}}"#, ranges.join(","));
        let functions = [
            function(&[range(0, TEXT.len(), 1)]),
            function(&[
                range(at("function f"), at("f(0)") - 1, 1),
                range(at("{\n    return 2"), at("\n  return 3"), 0),
            ]),
            function(&[range(at("function g"), TEXT.len() - 1, 0)]),
        ];
        let json = format!(
            r#"{{"result":[{{"scriptId":"1","url":"file:///w/a.js","functions":[{}]}}]}}"#,
            functions.join(",")
        );
        let source =
            |url: &str| (url == "file:///w/a.js").then(|| ("a.js".to_owned(), TEXT.to_owned()));
        let file = read_v8(json.as_bytes(), source).unwrap();
        let of =
            |lines: &Lines| (1..=11).filter(|&line| lines.contains(line)).collect::<Vec<u32>>();
        assert_eq!(of(&file.outside.files["a.js"]), [1, 8]);
        assert_eq!(of(&file.tests[CALLED].files["a.js"]), [2, 3, 6]);
        assert!(file.outside.measured["a.js"].contains(10));
    }

    #[test]
    fn other_files_are_none() {
        assert!(read_v8(b"SF:a.js\n", |_| None).is_none());
        assert!(read_v8(b"{\"files\":{}}", |_| None).is_none());
    }
}
