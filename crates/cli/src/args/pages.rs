//! The flags for other forms of an answer of `changes` or `history`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Where an answer about versions goes in other forms.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct PagesArgs {
    /// Write the causing changes as SARIF 2.1.0, for editors and code-hosting sites; - prints it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,

    /// Write the answer as Markdown, for a bug report; - prints it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) markdown: Option<PathBuf>,
}

impl PagesArgs {
    pub(crate) fn are_wanted(&self) -> bool {
        self.sarif.is_some() || self.markdown.is_some()
    }

    /// Returns whether one of the pages is printed on standard output.
    pub(crate) fn are_printed(&self) -> bool {
        [&self.sarif, &self.markdown].into_iter().flatten().any(|file| file.as_os_str() == "-")
    }
}
