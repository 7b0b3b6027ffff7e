//! Reads the output of a build or a test: the files, lines and names it complains about.
//!
//! Pure functions over text. Each tool is a table of patterns in a file of its own; text that no
//! table recognises is scanned for identifiers. [`lessons`] turns mentions into lessons about
//! deltas.

mod c;
mod go;
mod java;
mod javascript;
mod lessons;
mod linker;
mod make;
mod pattern;
mod place;
mod python;
mod rust;
mod words;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use lessons::{Locate, lessons};

use crate::word::Word;
use pattern::Pattern;
use place::OutputFolders;

/// Mentions kept of one output. Later ones are dropped, because the first errors cause the others.
/// Chosen by hand.
const MAX_MENTIONS: usize = 100;

/// Something that the output complains about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mention {
    /// The file with the problem, relative to the folder of the test as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Word>,
    /// The line with the problem, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The names that it is about; for a missing file the part of its path that is printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The kind of problem.
    pub kind: MentionKind,
}

/// The kind of problem that is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MentionKind {
    /// A name is not there, is there twice, or is something else than expected.
    Name,
    /// A file or module is not there.
    File,
    /// Something is wrong at this place.
    Position,
    /// An identifier in text that no table recognises.
    Word,
}

/// The tables of all tools; where two patterns match the same text, the one listed first counts.
const TOOLS: &[&[Pattern]] = &[
    rust::PATTERNS,
    python::PATTERNS,
    javascript::PATTERNS,
    java::PATTERNS,
    linker::PATTERNS,
    make::PATTERNS,
    go::PATTERNS,
    c::PATTERNS,
];

/// Returns the complaints in the output of a command that ran in `folder`, in the order of the
/// text.
pub fn mentions(output: &str, folder: &Path) -> Vec<Mention> {
    let places = OutputFolders::read(output, folder);
    let mut found = pattern::find(output, &places);
    if found.is_empty() {
        found = words::scan(output);
    }
    without_repetition(found)
}

/// Returns the mentions of the user's own command: on each line a `file:line`, or a name.
pub fn hinted(output: &str, folder: &Path) -> Vec<Mention> {
    let places = OutputFolders::read("", folder);
    let mention = |line: &str| {
        let place = line.rsplit_once(':').and_then(|(file, number)| {
            Some((places.file(file, 0)?, number.trim().parse().ok().filter(|&number| number > 0)?))
        });
        match place {
            Some((file, number)) => Mention {
                file: Some(file),
                line: Some(number),
                names: Vec::new(),
                kind: MentionKind::Position,
            },
            None => Mention {
                file: None,
                line: None,
                names: vec![line.into()],
                kind: MentionKind::Name,
            },
        }
    };
    let lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    without_repetition(lines.map(mention).collect())
}

fn without_repetition(found: Vec<Mention>) -> Vec<Mention> {
    let mut seen = std::collections::HashSet::new();
    found.into_iter().filter(|mention| seen.insert(mention.clone())).take(MAX_MENTIONS).collect()
}
