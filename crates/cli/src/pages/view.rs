//! What pages are made of, whichever job the answer is of. Nothing in it is markup yet.

use whodunit_jobs::changes::Cause;
use whodunit_run::Word;

/// An answer as pages show it.
pub(crate) struct View<'a> {
    pub(crate) title: &'static str,
    /// The version of the program.
    pub(crate) version: &'a str,
    /// Why the search did not come to its end, if it did not.
    pub(crate) not_done: Option<String>,
    pub(crate) command: &'a str,
    pub(crate) failure: &'a str,
    /// What the command does in which version.
    pub(crate) ends: Vec<(&'static str, String)>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) causes: Vec<CauseView<'a>>,
    /// What else there is to say.
    pub(crate) sections: Vec<Section<'a>>,
    /// What the answer was asked for with.
    pub(crate) command_line: String,
}

/// A line of the summary.
pub(crate) struct Fact {
    /// How many others it is below.
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// A cause with what is said about it.
pub(crate) struct CauseView<'a> {
    pub(crate) cause: &'a Cause,
    /// The version that it came with, if that is known.
    pub(crate) came_with: Option<String>,
    /// How certain it is: proved, likely or neither.
    pub(crate) certainty: &'static str,
    /// How sure it is in per cent, if it is only likely.
    pub(crate) rank: Option<f64>,
    pub(crate) proof: String,
    pub(crate) beware: Vec<String>,
    pub(crate) patches: Vec<PatchView<'a>>,
}

/// A patch with what it does to a version.
pub(crate) struct PatchView<'a> {
    pub(crate) does: Does,
    pub(crate) on: String,
    pub(crate) patch: &'a Word,
}

/// What a patch does.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    MakeItFail,
    MakeItPass,
    ShowAPlace,
    LetTheTestRun,
}

/// A part of the page with a heading of its own.
pub(crate) struct Section<'a> {
    pub(crate) heading: &'static str,
    pub(crate) blocks: Vec<Block<'a>>,
}

/// A piece of a section.
pub(crate) enum Block<'a> {
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
    pub(crate) fn new(text: String) -> Self {
        Fact { depth: 0, text }
    }
}
