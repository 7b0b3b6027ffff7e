//! Which added file holds functions that were elsewhere before.
//!
//! Such a file is added with these functions as they were, and their differences are changes of
//! their own: a line that was changed when a function moved is not lost in a new file. The head of
//! a function stays the new one, for it may be defined in another way, and so does the text outside
//! of functions. New functions are changes too, unless the text outside of functions mentions them.

mod calls;
mod definitions;
mod partners;
mod splice;

use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::parses;

use super::body::{Depth, is_text};
use super::compare::{Ends, FileEnd};
use crate::parallel;
use crate::syntax_facts::language;
use definitions::Defined;
use partners::Partner;

pub(crate) use partners::OldDefinitions;

/// Finds for each added file that was not copied as a whole the files of its functions.
pub(crate) fn find(
    files: &[Ends],
    depths: &[Depth],
    copied: Vec<Option<FileEnd>>,
) -> Vec<Option<FileEnd>> {
    let is_parsed = |at: &usize| depths[*at] == Depth::Syntax;
    let is_whole = |at: &usize| files[*at].0.is_none() && copied[*at].is_none();
    let added: Vec<&FileEnd> = (0..files.len())
        .filter(|at| is_parsed(at) && is_whole(at))
        .filter_map(|at| files[at].1.as_ref())
        .filter(|side| is_text(side))
        .collect();
    if added.is_empty() {
        return copied;
    }
    let olds: Vec<&FileEnd> = (0..files.len())
        .filter(is_parsed)
        .filter_map(|at| files[at].0.as_ref())
        .filter(|side| is_text(side))
        .collect();
    let olds: Vec<Origin> = parallel::map(&olds, |old| Origin::of(old));
    let known = partners::OldDefinitions::of(&olds);
    let made = parallel::map(&added, |new| assembled(new, &known));
    let mut made = added.iter().map(|side| &side.path).zip(made).peekable();
    let fill = |(ends, copied): (&Ends, Option<FileEnd>)| {
        let path = ends.1.as_ref().filter(|_| ends.0.is_none()).map(|new| &new.path)?;
        match made.next_if(|(made, _)| *made == path) {
            Some((_, made)) => made,
            None => copied,
        }
    };
    files.iter().zip(copied).map(fill).collect()
}

/// A file that functions may come from, or have come to.
pub(crate) struct Origin {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) language: Option<Language>,
    pub(crate) defined: Vec<Defined>,
}

impl Origin {
    fn of(side: &FileEnd) -> Origin {
        Origin::of_text(&side.path, &side.bytes)
    }

    pub(crate) fn of_text(path: &TreePath, bytes: &Arc<[u8]>) -> Origin {
        let language = language(path, bytes);
        let defined = language.as_ref().map(|it| definitions::find(it, bytes));
        Origin { bytes: bytes.clone(), language, defined: defined.unwrap_or_default() }
    }
}

/// Returns an added file with the functions that were elsewhere as they were.
fn assembled(new: &FileEnd, known: &partners::OldDefinitions<'_>) -> Option<FileEnd> {
    let own = Origin::of(new);
    let language = own.language.as_ref()?;
    let found = partners::find(&own, known);
    if found.is_empty() {
        return None;
    }
    // A function may be written in a way that does not fit the new head.
    let is_sound = |text: &[u8]| parses(language, text) || !parses(language, &new.bytes);
    let all = splice::assemble(&own, &found);
    let text = Some(all).filter(|text| is_sound(text)).or_else(|| {
        let alike: Vec<Partner<'_>> = found.into_iter().filter(Partner::is_written_alike).collect();
        Some(splice::assemble(&own, &alike)).filter(|text| is_sound(text))
    })?;
    Some(FileEnd { bytes: text.into(), ..new.clone() })
}
