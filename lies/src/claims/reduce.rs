//! The claims of an answer of `reduce`.

use std::fs;
use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::{Findings, is_done, list, number, text};
use crate::case::Case;
use crate::inputs::Input;
use crate::oracle::{Seen, Verdict};
use crate::tree::{Size, Tree, cut};

/// An answer with the case that it is about.
pub(crate) struct Answered<'a> {
    pub(crate) case: &'a Case,
    pub(crate) input: &'a Input,
    pub(crate) answer: &'a Value,
    /// The written files.
    pub(crate) result: &'a Tree,
    /// The tests that were run, if each of them decided: with one worker.
    pub(crate) seen: Option<&'a [Seen]>,
}

/// Reads the files that an answer claims to have written.
pub(crate) fn result(work: &Path, answer: &Value) -> Tree {
    let mut tree = Tree::new();
    for file in list(answer, "files") {
        if let (Some(name), Some(path)) = (text(file, "name"), text(file, "path")) {
            // A missing file counts as empty, so its content is not the expected one.
            tree.insert(name.into(), fs::read(work.join(path)).unwrap_or_default());
        }
    }
    tree
}

impl Answered<'_> {
    pub(crate) fn check(&self, findings: &mut Findings) {
        self.check_result(findings);
        self.check_smallest(findings);
        self.check_ended(findings);
        for level in list(&self.answer["proof"], "levels") {
            let level = level.as_str().unwrap_or_default();
            self.check_level(level, findings);
        }
        self.check_needed(findings);
    }

    fn verdict(&self, files: &Tree) -> Verdict {
        self.case.verdict(files)
    }

    fn check_result(&self, findings: &mut Findings) {
        let verdict = self.verdict(self.result);
        findings.claim(verdict == Verdict::Fail, || {
            format!("the result does not fail: {} {:?}", verdict.word(), shown(self.result))
        });
        for (field, files) in [("start", &self.input.files), ("size", self.result)] {
            let size = Size::of(files);
            let said =
                [number(&self.answer[field], "bytes"), number(&self.answer[field], "tokens")];
            findings.claim(said == [Some(size.bytes), Some(size.tokens)], || {
                format!("`{field}` is said to be {said:?}, but is {size:?}")
            });
        }
        for file in list(self.answer, "files") {
            let bytes =
                text(file, "name").and_then(|name| self.result.get(name)).map_or(0, Vec::len);
            findings.claim(number(file, "bytes") == Some(bytes as u64), || {
                format!("{file}: has {bytes} bytes")
            });
        }
        let rerun = text(&self.answer["proof"]["rerun"], "verdict");
        findings.claim(rerun.is_none_or(|rerun| rerun == verdict.word()), || {
            format!("the result was tested once more and is said to {rerun:?}")
        });
    }

    fn check_smallest(&self, findings: &mut Findings) {
        let size = Size::of(self.result);
        let fails =
            self.seen.unwrap_or_default().iter().filter(|seen| seen.verdict == Verdict::Fail);
        let smaller = fails.map(|seen| seen.size).find(|seen| seen.is_below(&size));
        findings.claim(smaller.is_none(), || {
            format!("{smaller:?} was seen to fail, but {size:?} was written")
        });
    }

    fn check_ended(&self, findings: &mut Findings) {
        let proof = &self.answer["proof"];
        let levels = list(proof, "levels");
        let is_full = text(proof, "certify") == Some("full");
        if is_done(self.answer) {
            findings.claim(!proof["rerun"].is_null(), || "done, but not tested once more".into());
            let is_empty = self.result.values().all(Vec::is_empty);
            findings.claim(!is_full || is_empty || !levels.is_empty(), || {
                format!("done, but nothing is proved of {:?}", shown(self.result))
            });
        }
        // A search that gave up may have proved coarser levels than requested.
        let is_over = is_done(self.answer) || self.answer["ended"] == "gave_up";
        let may_prove = is_over && is_full;
        findings.claim(may_prove || levels.is_empty(), || {
            format!("ended {}, {} but {levels:?} proved", self.answer["ended"], proof["certify"])
        });
    }

    /// Leaves out each piece of a level, one at a time.
    fn check_level(&self, level: &str, findings: &mut Findings) {
        if level == "files" {
            for name in self.result.keys() {
                let mut less = self.result.clone();
                less.remove(name);
                findings.claim(self.verdict(&less) != Verdict::Fail, || {
                    format!("no file can be left out, but it fails without {name}")
                });
            }
            return;
        }
        for (name, bytes) in self.result {
            let Some(pieces) = self.pieces(level, name, bytes) else {
                findings.unchecked += 1;
                continue;
            };
            for piece in pieces {
                let less = self.without(name, &piece);
                findings.claim(self.verdict(&less) != Verdict::Fail, || {
                    let text = String::from_utf8_lossy(&bytes[piece.clone()]);
                    format!(
                        "no {level} can be left out, but {name} fails without {piece:?} {text:?} of {:?}",
                        String::from_utf8_lossy(bytes)
                    )
                });
            }
        }
    }

    fn without(&self, name: &str, piece: &Range<usize>) -> Tree {
        let mut less = self.result.clone();
        if let Some(bytes) = less.get_mut(name) {
            bytes.drain(piece.clone());
        }
        less
    }

    /// Returns the pieces of a file at a level, as the manual defines them; `None` if a grammar
    /// is needed for that.
    fn pieces(&self, level: &str, name: &str, bytes: &[u8]) -> Option<Vec<Range<usize>>> {
        let is_parsed = self.is_parsed(name);
        match level {
            "lines" if is_binary(bytes) => Some(vec![]),
            "lines" => Some(lines(bytes)),
            "tokens" if is_parsed => None,
            "tokens" if is_binary(bytes) => Some(vec![]),
            "tokens" => Some(cut(bytes)),
            "bytes" if is_parsed => None,
            "bytes" => Some(characters(bytes)),
            "nodes" if name.ends_with(".json") && is_parsed => Some(json_items(bytes)),
            _ => None,
        }
    }

    fn is_parsed(&self, name: &str) -> bool {
        let kind = name.rsplit('.').next().unwrap_or_default();
        let is_text = self.case.flags.iter().any(|flag| flag == "text");
        ["c", "cpp", "json", "py", "js"].contains(&kind) && !is_text
    }

    /// Checks the pieces that the answer itself lists.
    fn check_needed(&self, findings: &mut Findings) {
        let left: Vec<&Value> =
            list(self.answer, "files").iter().filter(|file| !file["path"].is_null()).collect();
        for needed in list(&self.answer["proof"], "needed") {
            let level = text(needed, "level").unwrap_or_default();
            let place = number(needed, "file").unwrap_or(u64::MAX) as usize;
            let Some(name) = left.get(place).and_then(|file| text(file, "name")) else {
                findings.claim(false, || format!("{needed} is in no file of the result"));
                continue;
            };
            let range = |field| number(needed, field).map(|number| number as usize);
            let (Some(start), Some(end)) = (range("start"), range("end")) else { continue };
            let is_there =
                self.result.get(name).is_some_and(|bytes| start <= end && end <= bytes.len());
            findings.claim(is_there, || format!("{needed} is not a place of {name}"));
            // The replacement of a node that cannot be removed is not in the answer.
            if level == "nodes" || !is_there {
                findings.unchecked += usize::from(level == "nodes");
                continue;
            }
            let mut less = self.without(name, &(start..end));
            if level == "files" {
                less.remove(name);
            }
            let truth = self.verdict(&less);
            let said = text(needed, "verdict");
            // A candidate that does not parse was never tested.
            let is_foretold = text(&needed["because"], "reason") == Some("does_not_parse");
            let agrees = said == Some(truth.word()) || (is_foretold && truth != Verdict::Fail);
            findings.claim(agrees, || format!("{needed}: without it, {name} is {}", truth.word()));
        }
    }
}

fn shown(files: &Tree) -> Vec<String> {
    let file = |(name, bytes): (&String, &Vec<u8>)| {
        let text: String = String::from_utf8_lossy(bytes).chars().take(80).collect();
        format!("{name}: {text}")
    };
    files.iter().map(file).collect()
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8192).any(|byte| *byte == 0)
}

fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &[u8]| {
        start += line.len();
        start - line.len()..start
    };
    bytes.split_inclusive(|byte| *byte == b'\n').map(line).collect()
}

fn characters(bytes: &[u8]) -> Vec<Range<usize>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.char_indices().map(|(at, char)| at..at + char.len_utf8()).collect(),
        Err(_) => (0..bytes.len()).map(|at| at..at + 1).collect(),
    }
}

/// Returns each item of each list and object of a JSON text, with a comma beside it; empty if
/// the text is no JSON.
fn json_items(bytes: &[u8]) -> Vec<Range<usize>> {
    if serde_json::from_slice::<Value>(bytes).is_err() {
        return vec![];
    }
    let mut items = Vec::new();
    // For each open bracket the start of the current item, and whether the item is the first.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        match bytes[place] {
            b'"' => {
                place += 1;
                while bytes[place] != b'"' {
                    place += if bytes[place] == b'\\' { 2 } else { 1 };
                }
            }
            b'[' | b'{' => open.push((place + 1, true)),
            b',' => {
                if let Some((start, is_first)) = open.last_mut() {
                    // The first item takes the comma after it, the others the one before.
                    items.push(if *is_first { *start..place + 1 } else { *start - 1..place });
                    (*start, *is_first) = (place + 1, false);
                }
            }
            b']' | b'}' => {
                if let Some((start, is_first)) = open.pop() {
                    let is_nothing = bytes[start..place].iter().all(u8::is_ascii_whitespace);
                    if !is_nothing {
                        items.push(if is_first { start..place } else { start - 1..place });
                    }
                }
            }
            _ => {}
        }
        place += 1;
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_of_json_goes_with_a_comma() {
        let text = br#"{"a": [1, "x,]"], "b": {}}"#;
        let without = |item: &Range<usize>| {
            let mut left = text.to_vec();
            left.drain(item.clone());
            String::from_utf8(left).unwrap_or_default()
        };
        let left: Vec<String> = json_items(text).iter().map(without).collect();
        assert_eq!(
            left,
            [
                r#"{"a": [ "x,]"], "b": {}}"#,
                r#"{"a": [1], "b": {}}"#,
                r#"{ "b": {}}"#,
                r#"{"a": [1, "x,]"]}"#
            ]
        );
    }
}
