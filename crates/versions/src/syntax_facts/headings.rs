//! Items of a text that there is no time to parse: a line that begins with a name heads what
//! follows it, as in the hunks that git prints.

use std::path::Path;
use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::language::Language;
use whodunit_syntax::words::words;

use crate::lines::Lines;

/// A line that heads others.
pub(crate) struct Heading {
    pub(crate) line: u32,
    pub(crate) name: Arc<str>,
}

/// Words of a heading that are not its name.
const OTHERS: &[&str] = &[
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "extern",
    "fn",
    "func",
    "function",
    "impl",
    "import",
    "include",
    "int",
    "let",
    "private",
    "protected",
    "pub",
    "public",
    "return",
    "static",
    "struct",
    "type",
    "unsigned",
    "using",
    "var",
    "void",
];

/// Finds the headings of a text in a language with functions.
pub(crate) fn headings(path: &TreePath, lines: &Lines<'_>) -> Vec<Heading> {
    let name = String::from_utf8_lossy(path.name()).into_owned();
    if Language::for_file(Path::new(&name), b"").is_none() {
        return Vec::new();
    }
    (0..lines.len())
        .filter_map(|number| {
            let line = lines.line(number);
            let first = *line.first()?;
            let begins = first.is_ascii_alphabetic() || first == b'_' || first == b'$';
            let opens = line.contains(&b'(') || line.contains(&b'{') || line.contains(&b':');
            let name = (begins && opens).then(|| heading(line)).flatten()?;
            Some(Heading { line: number, name })
        })
        .collect()
}

/// Returns the name in a heading: the word before the first bracket, or else the first one.
fn heading(line: &[u8]) -> Option<Arc<str>> {
    let is_name = |word: &&str| !OTHERS.contains(word);
    let text = |range: std::ops::Range<usize>| std::str::from_utf8(&line[range]).ok();
    let bracket = line.iter().position(|&byte| byte == b'(').unwrap_or(line.len());
    let before = words(&line[..bracket]).filter_map(text).filter(is_name).last();
    before.or_else(|| words(line).filter_map(text).find(is_name)).map(Arc::from)
}
