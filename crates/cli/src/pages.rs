//! The answers of `changes` and `history` in other forms, for editors, code-hosting sites and bug
//! reports.

mod changes;
mod history;
mod markdown;
mod sarif;
mod view;

use std::fs;
use std::path::Path;

use crate::args::PagesArgs;
use crate::output;
use crate::trouble::Trouble;

pub(crate) use view::View;

/// Writes the requested pages.
pub(crate) fn write<'a>(answer: impl Into<View<'a>>, wanted: &PagesArgs) -> Result<(), Trouble> {
    if !wanted.are_wanted() {
        return Ok(());
    }
    let view = answer.into();
    let put = |path: &Path, text: String| {
        if path == Path::new("-") {
            return output::data(&text);
        }
        fs::write(path, text).map_err(|source| Trouble::Write { path: path.into(), source })
    };
    if let Some(path) = &wanted.sarif {
        put(path, sarif::page(&view)?)?;
    }
    if let Some(path) = &wanted.markdown {
        put(path, markdown::page(&view))?;
    }
    Ok(())
}
