//! The lines of the test that a failure names, and the words in them.
//!
//! A test of a library usually checks many things and fails at one of them. The words in that line
//! are better evidence than the whole script, and so are the helpers of the test that the line
//! uses:
//!
//! ```text
//! test_a.py:9   check(half(4), 2)          the failure names this line
//! test_a.py:3   @cache                     and so this is asked, too
//! test_a.py:4   def half(x):
//! test_a.py:5       return divide(x, 2)
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use whodunit_exec::Command;
use whodunit_files::regular;

use super::evidence::{MOST_NAMED, NAMED_LINE, words_of};
use crate::test_files::is_test_name;

/// Bytes of a test file that is searched; people do not write longer ones. Chosen by hand.
const LONGEST: u64 = 256 << 10;

/// Lines of a statement or a helper whose words are taken. Chosen by hand.
const MOST_LINES: usize = 8;

/// Bytes of the shortest word that is taken; one letter is a variable.
const SHORTEST: usize = 2;

/// Returns the words of the lines of tests that an output names, in alphabetical order. The test
/// ran in `folder`.
pub(super) fn asked(output: &str, command: &Command, folder: &Path) -> Vec<String> {
    let script = command.script();
    let mut found = BTreeSet::new();
    for named in NAMED_LINE.captures_iter(output).take(MOST_NAMED) {
        let Ok(line) = named["line"].parse::<usize>() else { continue };
        let printed = Path::new(&named["file"]);
        let Some(name) = printed.file_name() else { continue };
        let text = match script.filter(|script| script.name == name) {
            Some(script) => String::from_utf8_lossy(&script.bytes).into_owned(),
            None if is_test_name(&name.to_string_lossy()) => match read(&folder.join(printed)) {
                Some(text) => text,
                None => continue,
            },
            None => continue,
        };
        found.extend(words_at(&text, line));
    }
    found.into_iter().collect()
}

fn read(path: &Path) -> Option<String> {
    let is_short = fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= LONGEST);
    is_short.then(|| regular::read_to_string(path).ok())?
}

/// Returns the words of the statement at a line, from 1, and of the helpers that it uses.
fn words_at(text: &str, line: usize) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().collect();
    if line == 0 || line > lines.len() {
        return BTreeSet::new();
    }
    let statement = &lines[line - 1..end_of_statement(&lines, line - 1)];
    let own: BTreeSet<&str> = statement.iter().flat_map(|it| words_of(it, SHORTEST)).collect();
    let mut all = own.clone();
    for (at, text) in lines.iter().enumerate() {
        if defines(text).is_some_and(|name| own.contains(name)) {
            let start =
                if at > 0 && lines[at - 1].trim_start().starts_with('@') { at - 1 } else { at };
            let helper = &lines[start..end_of_helper(&lines, at)];
            all.extend(helper.iter().flat_map(|it| words_of(it, SHORTEST)));
        }
    }
    all.into_iter().map(str::to_owned).collect()
}

/// Returns the end of the statement that begins at a line: the line that closes its brackets.
fn end_of_statement(lines: &[&str], start: usize) -> usize {
    let mut open = 0_i32;
    let most = lines.len().min(start + MOST_LINES);
    for (at, line) in lines.iter().enumerate().take(most).skip(start) {
        let count = |signs: &str| line.chars().filter(|sign| signs.contains(*sign)).count() as i32;
        open += count("([{") - count(")]}");
        if open <= 0 {
            return at + 1;
        }
    }
    most
}

/// Returns the end of the helper that begins at a line: the next line that is not indented more.
fn end_of_helper(lines: &[&str], start: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let most = lines.len().min(start + MOST_LINES);
    let is_within = |at: &usize| indent(lines[*at]) > indent(lines[start]);
    (start + 1..most).find(|at| !is_within(at)).unwrap_or(most)
}

/// Returns the name of the function, class or value that a line defines.
fn defines(line: &str) -> Option<&str> {
    const KEYWORDS: [&str; 9] =
        ["def", "fn", "function", "class", "const", "let", "var", "func", "async"];
    let mut words = words_of(line, 1).filter(|word| *word != "pub" && *word != "mut");
    let first = words.next()?;
    if KEYWORDS.contains(&first) {
        return words.find(|word| !KEYWORDS.contains(word));
    }
    let rest = line.trim_start().strip_prefix(first)?.trim_start();
    (rest.starts_with('=') && !rest.starts_with("==")).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, line: usize, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|&word| word.to_owned()).collect();
        assert_eq!(words_at(text, line), expected);
    }

    #[test]
    fn helpers_are_looked_into_with_what_stands_above_them() {
        let text = "import a\n@a.cache\ndef half(x):\n    return divide(x)\n\ncheck(half(4), 2)\n";
        check(text, 6, &["cache", "check", "def", "divide", "half", "return"]);
    }

    #[test]
    fn a_statement_goes_on_until_its_brackets_are_closed() {
        check("f(a)\nassert_eq(\n  one(\n  ), two)\nthree()\n", 2, &["assert_eq", "one", "two"]);
    }

    #[test]
    fn a_line_that_is_not_there_says_nothing() {
        check("f(a)\n", 7, &[]);
    }
}
