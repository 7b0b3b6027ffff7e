//! Patterns of complaints, and finding them.
//!
//! The meaning of the groups of a pattern: `file` and `line` are the place, `name` is the name
//! in the complaint, `path` is a missing file. Without `name` the names are the quoted texts in
//! the group `message`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::place::OutputFolders;
use super::{Mention, MentionKind, TOOLS, words};
use crate::word::Word;

/// How a complaint looks.
pub(super) struct Pattern {
    text: &'static str,
    kind: MentionKind,
}

/// A complaint about a name.
pub(super) const fn name(text: &'static str) -> Pattern {
    Pattern { text, kind: MentionKind::Name }
}

/// A complaint about a file that is not there.
pub(super) const fn file(text: &'static str) -> Pattern {
    Pattern { text, kind: MentionKind::File }
}

/// A complaint about something else at a place.
pub(super) const fn position(text: &'static str) -> Pattern {
    Pattern { text, kind: MentionKind::Position }
}

/// Returns all complaints in the order of the text.
pub(super) fn find(text: &str, places: &OutputFolders) -> Vec<Mention> {
    static COMPILED: LazyLock<Vec<(Regex, MentionKind)>> = LazyLock::new(|| {
        let patterns = TOOLS.iter().copied().flatten();
        let compile = |text: &str| Regex::new(text).expect("a pattern of ours is valid");
        patterns.map(|pattern| (compile(pattern.text), pattern.kind)).collect()
    });
    let mut found: Vec<(std::ops::Range<usize>, Mention)> = Vec::new();
    for (pattern, kind) in COMPILED.iter() {
        let before = found.len();
        for captures in pattern.captures_iter(text) {
            let range = captures.get_match().range();
            let is_taken = |(taken, _): &(std::ops::Range<usize>, Mention)| {
                taken.start < range.end && range.start < taken.end
            };
            if !found[..before].iter().any(is_taken) {
                let mention = read(&captures, *kind, places);
                found.push((range, mention));
            }
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let says_something = |mention: &Mention| mention.file.is_some() || !mention.names.is_empty();
    found.into_iter().map(|(_, mention)| mention).filter(says_something).collect()
}

fn read(captures: &Captures<'_>, kind: MentionKind, places: &OutputFolders) -> Mention {
    let group = |name: &str| captures.name(name);
    let file = group("file").and_then(|file| places.file(file.as_str(), file.start()));
    let line = group("line").and_then(|line| line.as_str().parse().ok());
    let names = match (group("path"), group("name"), group("message")) {
        (Some(path), _, _) => vec![missing(path.as_str(), path.start(), places)],
        (_, Some(name), _) => words::identifiers(name.as_str()),
        (_, _, Some(message)) => words::quoted(message.as_str()),
        _ => Vec::new(),
    };
    // A line number without a file is useless.
    Mention { line: line.filter(|_| file.is_some()), file, names, kind }
}

/// Returns the part of a missing file's path that is printed.
fn missing(path: &str, at: usize, places: &OutputFolders) -> String {
    let path = places.file(path, at).unwrap_or_else(|| Word::from(path));
    path.as_os_str().to_string_lossy().into_owned()
}
