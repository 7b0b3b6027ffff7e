//! The answer of `changes` in other forms, for editors, code-hosting sites and bug reports.

mod markdown;
mod sarif;

use std::fs;
use std::path::Path;

use whodunit::changes::ChangesAnswer;

use crate::args::PagesArgs;
use crate::trouble::Trouble;

/// Writes the pages that were asked for.
pub(crate) fn write(answer: &ChangesAnswer, wanted: &PagesArgs) -> Result<(), Trouble> {
    let put = |path: &Path, text: String| {
        fs::write(path, text).map_err(|source| Trouble::Write { path: path.into(), source })
    };
    if let Some(path) = &wanted.sarif {
        put(path, sarif::page(answer)?)?;
    }
    if let Some(path) = &wanted.markdown {
        put(path, markdown::page(answer))?;
    }
    Ok(())
}
