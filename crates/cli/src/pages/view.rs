//! What pages are made of, whichever job the answer is of. Nothing in it is markup yet.

use whodunit_jobs::changes::Cause;
use whodunit_run::Word;

/// An answer as pages show it.
pub(crate) struct View<'a> {
    pub(super) title: &'static str,
    /// The version of the program.
    pub(super) version: &'a str,
    /// Why the search did not come to its end, if it did not.
    pub(super) not_done: Option<String>,
    pub(super) command: &'a str,
    pub(super) failure: &'a str,
    /// What the command does in which version.
    pub(super) ends: Vec<(&'static str, String)>,
    pub(super) facts: Vec<Fact>,
    pub(super) causes: Vec<CauseView<'a>>,
    /// What else there is to say.
    pub(super) sections: Vec<Section<'a>>,
    /// What the answer was asked for with.
    pub(super) command_line: String,
}

/// A line of the summary.
pub(super) struct Fact {
    /// How many others it is below.
    pub(super) depth: usize,
    pub(super) text: String,
}

/// A cause with what is said about it.
pub(super) struct CauseView<'a> {
    pub(super) cause: &'a Cause,
    /// The version that it came with, if that is known.
    pub(super) came_with: Option<String>,
    /// How certain it is: proved, likely or neither.
    pub(super) certainty: &'static str,
    /// How sure it is in per cent, if it is only likely.
    pub(super) rank: Option<f64>,
    pub(super) proof: String,
    pub(super) beware: Vec<String>,
    pub(super) patches: Vec<PatchView<'a>>,
}

/// A patch with what it does to a version.
pub(super) struct PatchView<'a> {
    pub(super) does: Does,
    pub(super) on: String,
    pub(super) patch: &'a Word,
}

/// What a patch does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    MakeItFail,
    MakeItPass,
    TakeAPartOut,
    LetTheTestRun,
}

/// A part of the page with a heading of its own.
pub(super) struct Section<'a> {
    pub(super) heading: &'static str,
    pub(super) blocks: Vec<Block<'a>>,
}

/// A piece of a section.
pub(super) enum Block<'a> {
    Text(String),
    List(Vec<String>),
    /// A table; its first column names versions.
    Table {
        head: [&'static str; 3],
        rows: Vec<[String; 3]>,
    },
    Patch(PatchView<'a>),
}

impl Fact {
    pub(super) fn new(text: String) -> Self {
        Fact { depth: 0, text }
    }
}
