//! Single words of the bad version replaced by those of the good one.
//!
//! Between two releases lines change for reasons that affect the whole text: a helper gets another
//! name, all calls get one more argument, a file is reformatted. A line with such a change cannot
//! be taken back by itself, but the rest of its changes can.
//!
//! ```text
//! good   if (sign === '#') value = render(token, tags);
//! bad    if (sign !== '#') value = render(token, tags, config);
//! asked  if (sign === '#') value = render(token, tags, config);    `, config` came in many places
//! ```
//!
//! Functions are compared with those of the same name, wherever these were, word by word, whatever
//! is between the words. Text in no such function is compared with the file that it was in.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use whodunit_files::{ReadError, TreePath};
use whodunit_syntax::language::NodeRole;
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::words::tokens;

use crate::decompose::moved::{OldDefinitions, Origin};
use crate::decomposition::Decomposition;
use crate::lines::{Hunk, differing};
use crate::parallel;
use crate::syntax_facts::language;

/// An edit that is made in this many places or more is one change of all of them: taken back in one place alone
/// it breaks the program. Chosen by hand.
const SYSTEMATIC: usize = 3;

/// Words on either side of an edit; where more of them differ in a row, the text was rewritten.
/// Chosen by hand.
const MOST_WORDS: usize = 60;

/// Bytes of the good version in which functions are searched by name; beyond it each file is only
/// compared with itself. Chosen for about a second.
const MAX_PARSED_BYTES: usize = 8 << 20;

/// Share that a function must have in common with one of the same name. Lower than for moved functions: a wrong
/// pair costs a test, and nothing else.
const MIN_SIMILARITY: f32 = 0.3;

/// The words of one line of the bad version that can be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewording {
    /// The file.
    pub path: TreePath,
    /// The line in it, from 1.
    pub line: u32,
    /// The number of the function or file that it was compared with; neighbours with one number belong together.
    pub item: u32,
    /// How many words differ.
    pub words: usize,
    /// The edits in order: ranges of bytes, and the text that takes their place.
    pub edits: Vec<(Range<usize>, Vec<u8>)>,
}

impl Rewording {
    /// Returns a text with some rewordings of it, in order.
    pub fn apply<'a>(text: &[u8], rewordings: impl Iterator<Item = &'a Rewording>) -> Vec<u8> {
        let mut made = Vec::with_capacity(text.len());
        let mut done = 0;
        for (range, words) in rewordings.flat_map(|it| &it.edits) {
            // Edits of neighbouring lines may touch, but never overlap.
            if range.start < done {
                continue;
            }
            made.extend_from_slice(&text[done..range.start]);
            made.extend_from_slice(words);
            done = range.end;
        }
        made.extend_from_slice(&text[done..]);
        made
    }
}

/// Finds the rewordings in some files of the bad version, in the order of the text.
pub fn rewordings(parts: &Decomposition, paths: &[TreePath]) -> Result<Vec<Rewording>, ReadError> {
    let mut olds = Vec::new();
    let mut news = Vec::new();
    let mut size = 0;
    for file in parts.changed_files() {
        let before = file.text().map(|text| text.before().clone());
        let mut origin = None;
        if let Some((path, entry)) = file.good()
            && size <= MAX_PARSED_BYTES
        {
            let bytes = entry.content.read_at(path)?;
            size += bytes.len();
            origin = Some((path.clone(), bytes));
        }
        if let Some((path, entry)) = file.bad()
            && paths.contains(path)
        {
            let before = before.filter(|it| !it.is_empty());
            news.push((path.clone(), entry.content.read_at(path)?, before));
        }
        olds.extend(origin);
    }
    let olds: Vec<Origin> = parallel::map(&olds, |(path, bytes)| Origin::of_text(path, bytes));
    let known = OldDefinitions::of(&olds);
    let compared =
        parallel::map(&news, |(path, after, before)| compare(path, after, before.as_ref(), &known));
    let mut counts: HashMap<(&[u8], &[u8]), usize> = HashMap::new();
    for ((_, after, _), edits) in news.iter().zip(&compared) {
        for edit in edits {
            *counts.entry(edit.kind(after)).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    let mut first_item = 0;
    for ((path, after, _), edits) in news.iter().zip(&compared) {
        let mut lines: BTreeMap<u32, Rewording> = BTreeMap::new();
        let starts = line_starts(after);
        for edit in edits.iter().filter(|it| counts[&it.kind(after)] < SYSTEMATIC) {
            let line = starts.partition_point(|&start| start <= edit.at) as u32;
            let item = first_item + edit.item;
            let new = || Rewording { path: path.clone(), line, item, words: 0, edits: Vec::new() };
            let of_line = lines.entry(line).or_insert_with(new);
            of_line.words += edit.words;
            of_line.edits.push((edit.range.clone(), edit.text.clone()));
        }
        first_item += edits.iter().map(|it| it.item + 1).max().unwrap_or(0);
        found.extend(lines.into_values());
    }
    Ok(found)
}

/// Whether a text parses if another one at the same path does.
pub fn still_parses(path: &TreePath, before: &[u8], after: &[u8]) -> bool {
    language(path, before).is_none_or(|it| parses(&it, after) || !parses(&it, before))
}

/// A difference of some words in a row.
struct WordEdit {
    /// The place of the first word that differs, or of the word before the missing text.
    at: usize,
    /// The bytes of the bad version that are replaced.
    range: Range<usize>,
    /// The old text.
    text: Vec<u8>,
    words: usize,
    item: u32,
}

impl WordEdit {
    /// Returns the removed and the inserted text of the edit, wherever it is.
    fn kind<'a>(&'a self, after: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        (self.text.trim_ascii(), after[self.range.clone()].trim_ascii())
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect()
}

/// Compares a file with its good version, in the order of the file.
fn compare(
    path: &TreePath,
    after: &Arc<[u8]>,
    before: Option<&Arc<[u8]>>,
    known: &OldDefinitions<'_>,
) -> Vec<WordEdit> {
    let own = Origin::of_text(path, after);
    let comments = comments(&own);
    let mut edits = Vec::new();
    let mut compared: Vec<Range<usize>> = Vec::new();
    for defined in own.defined.iter().filter(|it| !it.is_type) {
        if compared.last().is_some_and(|last| defined.whole.start < last.end) {
            continue;
        }
        let Some((score, file, old)) = known.nearest(defined, &own) else { continue };
        if score < MIN_SIMILARITY {
            continue;
        }
        let origin = known.origin(file);
        let old_words = words(&origin.bytes, old.whole.clone(), &self::comments(origin));
        let new_words = words(after, defined.whole.clone(), &comments);
        let item = 1 + compared.len() as u32;
        let pair = Pair { old: &origin.bytes, new: after, old_words, new_words, item };
        edits.extend(pair.edits());
        compared.push(defined.whole.clone());
    }
    if let Some(before) = before {
        let origin = Origin::of_text(path, before);
        let old_words = words(before, 0..before.len(), &self::comments(&origin));
        let new_words = words(after, 0..after.len(), &comments);
        let pair = Pair { old: before, new: after, old_words, new_words, item: 0 };
        let is_outside = |edit: &WordEdit| {
            let place = compared.partition_point(|it| it.end <= edit.range.start);
            compared.get(place).is_none_or(|it| edit.range.end <= it.start)
        };
        edits.extend(pair.edits().into_iter().filter(is_outside));
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits
}

/// Returns where the comments of a text are.
fn comments(origin: &Origin) -> Vec<Range<usize>> {
    let Some(language) = &origin.language else { return Vec::new() };
    let tree = parse(language, origin.bytes.clone());
    let is_comment = |id: &_| tree.role(*id) == Some(NodeRole::Comment);
    tree.ids().filter(is_comment).map(|id| tree.node(id).range()).collect()
}

/// Returns the words and signs of a part of a text that are in no comment.
fn words(text: &[u8], part: Range<usize>, comments: &[Range<usize>]) -> Vec<Range<usize>> {
    let place = |word: Range<usize>| part.start + word.start..part.start + word.end;
    let is_said = |word: &Range<usize>| {
        let at = comments.partition_point(|comment| comment.end <= word.start);
        !text[word.start].is_ascii_whitespace()
            && comments.get(at).is_none_or(|comment| word.start < comment.start)
    };
    tokens(&text[part.clone()]).map(place).filter(is_said).collect()
}

/// Two texts that are compared word by word.
struct Pair<'a> {
    old: &'a [u8],
    new: &'a [u8],
    old_words: Vec<Range<usize>>,
    new_words: Vec<Range<usize>>,
    item: u32,
}

impl Pair<'_> {
    fn edits(&self) -> Vec<WordEdit> {
        let old = self.old_words.iter().map(|word| &self.old[word.clone()]);
        let new = self.new_words.iter().map(|word| &self.new[word.clone()]);
        let (hunks, _) = differing(old, new);
        hunks.iter().filter_map(|hunk| self.edit(hunk)).collect()
    }

    fn edit(&self, hunk: &Hunk) -> Option<WordEdit> {
        if hunk.old.len() > MOST_WORDS || hunk.new.len() > MOST_WORDS {
            return None;
        }
        let [old, new] = [(&self.old_words, &hunk.old), (&self.new_words, &hunk.new)]
            .map(|(words, run)| Run::of(words, run));
        let (range, taken) = match (old.is_empty, new.is_empty) {
            (false, false) => (new.first..new.end, old.first..old.end),
            // The space between words belongs to the word after it.
            (true, _) => (new.before?..new.end_with_blanks(self.new), 0..0),
            (false, true) => (new.before?..new.before?, old.before?..old.end_with_blanks(self.old)),
        };
        let text = self.indented(taken, range.start);
        let at = if new.is_empty { range.start.saturating_sub(1) } else { new.first };
        let words = hunk.old.len() + hunk.new.len();
        Some(WordEdit { at, range, text, words, item: self.item })
    }

    /// Returns a part of the old text, indented as the place in the new text that it is put to.
    fn indented(&self, taken: Range<usize>, place: usize) -> Vec<u8> {
        let (have, want) = (indentation(self.old, taken.start), indentation(self.new, place));
        let mut lines = self.old[taken].split_inclusive(|&byte| byte == b'\n');
        let mut text = lines.next().unwrap_or_default().to_vec();
        for line in lines {
            match line.strip_prefix(have) {
                Some(rest) => text.extend_from_slice(&[want, rest].concat()),
                None => text.extend_from_slice(line),
            }
        }
        text
    }
}

/// Where some words in a row are.
struct Run {
    /// The end of the word before them, if there is one.
    before: Option<usize>,
    first: usize,
    end: usize,
    is_empty: bool,
}

impl Run {
    fn of(words: &[Range<usize>], run: &Range<u32>) -> Run {
        let before = run.start.checked_sub(1).map(|last| words[last as usize].end);
        let own = &words[run.start as usize..run.end as usize];
        Run {
            before,
            first: own.first().map_or(0, |word| word.start),
            end: own.last().map_or(0, |word| word.end),
            is_empty: own.is_empty(),
        }
    }

    /// Returns where the words end: with the blanks after them if there are none before them.
    fn end_with_blanks(&self, text: &[u8]) -> usize {
        if self.before != Some(self.first) {
            return self.end;
        }
        let rest = &text[self.end..];
        self.end + rest.iter().position(|byte| !b" \t".contains(byte)).unwrap_or(rest.len())
    }
}

/// Returns the space before the first word of the line of a place.
fn indentation(text: &[u8], place: usize) -> &[u8] {
    let start = text[..place].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let line = &text[start..];
    let length = line.iter().position(|byte| !b" \t".contains(byte)).unwrap_or(line.len());
    &line[..length]
}

#[cfg(test)]
mod tests {
    use whodunit_files::{Content, Entry, EntryKind, Version};

    use super::*;
    use crate::{Level, decompose};

    fn version(files: &[(&str, &str)]) -> Version {
        let entry = |text: &str| Entry {
            kind: EntryKind::Regular,
            content: Content::bytes(text.as_bytes()),
        };
        files.iter().map(|(path, text)| (TreePath::from(*path), entry(text))).collect()
    }

    /// Returns each reworded line of a file of the bad version.
    fn reworded(good: &[(&str, &str)], bad: &[(&str, &str)], path: &str) -> Vec<String> {
        let parts = decompose(&version(good), &version(bad), Level::Line).unwrap();
        let found = rewordings(&parts, &[TreePath::from(path)]).unwrap();
        let text = bad.iter().find(|it| it.0 == path).unwrap().1;
        let line = |it: &Rewording| {
            let made = Rewording::apply(text.as_bytes(), std::iter::once(it));
            let made = String::from_utf8(made).unwrap();
            let line = made.lines().nth(it.line as usize - 1).unwrap_or_default();
            format!("{} {}", it.line, line.trim())
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn what_came_in_many_places_stays() {
        let good = "if (a === 1) f(b);\ng(b);\nh(b);\ni(b);\n";
        let bad = "if (a !== 1) f(b, c);\ng(b, c);\nh(b, c);\ni(b, c);\n";
        assert_eq!(
            reworded(&[("a.js", good)], &[("a.js", bad)], "a.js"),
            ["1 if (a === 1) f(b, c);"]
        );
    }

    #[test]
    fn both_places_of_swapped_words_go_together() {
        let [good, bad] = ["f(one, two)\n", "f(two, one)\n"];
        assert_eq!(reworded(&[("a.py", good)], &[("a.py", bad)], "a.py"), ["1 f(one, two)"]);
    }

    #[test]
    fn a_function_is_compared_with_where_it_was() {
        let old = "class A:\n    def f(self, x):\n        y = x + 1\n        return y * 2\n";
        let good = [("a.py", old), ("b.py", "z = 1\nzz = 2\nzzz = 3\n")];
        let new = "z = 1\nzz = 2\nzzz = 3\n\n\ndef f(self, x):\n    y = x + 3\n    return y * 2\n";
        let bad = [("a.py", "class A:\n    pass\n"), ("b.py", new)];
        assert_eq!(reworded(&good, &bad, "b.py"), ["7 y = x + 1"]);
    }

    #[test]
    fn a_statement_comes_back_where_it_was() {
        let good = "def f(x):\n    if x:\n        y = 1\n        z = g(y)\n        return z\n";
        let bad = "def f(x):\n  if x:\n    y = 1\n    return z\n";
        let parts = decompose(&version(&[("a.py", good)]), &version(&[("a.py", bad)]), Level::Line);
        let found = rewordings(&parts.unwrap(), &[TreePath::from("a.py")]).unwrap();
        let made = Rewording::apply(bad.as_bytes(), found.iter());
        let made = String::from_utf8(made).unwrap();
        assert_eq!(made, "def f(x):\n  if x:\n    y = 1\n    z = g(y)\n    return z\n");
    }

    #[test]
    fn comments_are_not_reworded() {
        let [good, bad] = ["f(1)  # one\ng(2)\n", "f(1)  # two\ng(3)\n"];
        assert_eq!(reworded(&[("a.py", good)], &[("a.py", bad)], "a.py"), ["2 g(2)"]);
    }
}
