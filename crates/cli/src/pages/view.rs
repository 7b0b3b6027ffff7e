//! The parts of a page, the same for every job. None of them is markup yet.

use whodunit_jobs::changes::Cause;
use whodunit_run::Word;

/// An answer as pages show it.
pub(crate) struct View<'a> {
    pub(crate) title: &'static str,
    /// The version of the program.
    pub(crate) version: &'a str,
    /// Why the search did not finish; `None` if it did.
    pub(crate) not_done: Option<String>,
    pub(crate) command: &'a str,
    pub(crate) failure: &'a str,
    /// Versions, and the outcome of the command in each.
    pub(crate) ends: Vec<(&'static str, String)>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) causes: Vec<CauseView<'a>>,
    /// Further sections.
    pub(crate) sections: Vec<Section<'a>>,
    /// The command line that asked for the answer.
    pub(crate) command_line: String,
}

/// A line of the summary.
pub(crate) struct Fact {
    /// How many levels of other facts it is below.
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// A cause with the statements about it.
pub(crate) struct CauseView<'a> {
    pub(crate) cause: &'a Cause,
    /// The version that it came with, if that is known.
    pub(crate) came_with: Option<String>,
    /// How certain it is: proved, likely or neither.
    pub(crate) certainty: &'static str,
    /// Its probability in per cent, if it is only likely.
    pub(crate) rank: Option<f64>,
    pub(crate) proof: String,
    pub(crate) beware: Vec<String>,
    pub(crate) patches: Vec<PatchView<'a>>,
}

/// A patch with its effect on a version.
pub(crate) struct PatchView<'a> {
    pub(crate) does: Does,
    pub(crate) on: String,
    pub(crate) patch: &'a Word,
}

/// The effect of a patch.
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
