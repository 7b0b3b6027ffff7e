//! Two versions become ordered deltas: folder, file, item, hunk, line, token.
//!
//! The difference is cut once, at its finest; coarser levels put the finest parts together. Files
//! are cut on several threads, and put together in their order, so the result does not depend on
//! the number of threads.

mod arrange;
mod assemble;
pub(crate) mod body;
pub(crate) mod compare;
mod copies;
pub(crate) mod directories;
pub(crate) mod moved;
pub(crate) mod pieces;
pub(crate) mod renames;
pub(crate) mod similarity;

use whodunit_files::{ReadError, TreePath, Version};

use crate::decomposition::{Decomposition, DirectoryRename, Level};
use crate::parallel;
use assemble::Assembly;
use body::{Body, Depth, Moves};
use compare::{Ends, FileEnd};

/// Decomposes the difference between two versions.
///
/// Members of a class in another order are one delta. Reads every file that differs or whose
/// identity is unknown without reading it.
pub fn decompose(good: &Version, bad: &Version, level: Level) -> Result<Decomposition, ReadError> {
    decompose_as(good, bad, level, Moves::Apart)
}

/// Decomposes a difference that will be put onto other versions as a patch. Moved members are
/// deleted in one place and inserted in another, and their order is no delta.
pub fn decompose_in_place(
    good: &Version,
    bad: &Version,
    level: Level,
) -> Result<Decomposition, ReadError> {
    decompose_as(good, bad, level, Moves::InPlace)
}

fn decompose_as(
    good: &Version,
    bad: &Version,
    level: Level,
    moves: Moves,
) -> Result<Decomposition, ReadError> {
    let differing = compare::compare(good, bad)?;
    let paired = renames::pair(good, bad, differing.removed, differing.added);
    let mut files: Vec<Ends> = paired.files;
    files.extend(differing.modified.into_iter().map(|(old, new)| (Some(old), Some(new))));
    let directories = paired.directories;
    files.sort_by(|a, b| place(a, &directories).compare_by_folder(&place(b, &directories)));
    let depths = depths(&files);
    let copied = moved::find(&files, &depths, copies::find(&files));
    let work: Vec<((&Ends, Depth), Option<FileEnd>)> =
        files.iter().zip(depths).zip(copied).collect();
    let bodies = parallel::map(&work, |(((old, new), depth), origin)| match origin {
        Some(origin) => Body::of(Some(origin), new.as_ref(), *depth, Moves::InPlace),
        None => Body::of(old.as_ref(), new.as_ref(), *depth, moves),
    });
    let mut assembly = Assembly::new(directories);
    for ((old, new), body) in files.into_iter().zip(bodies) {
        assembly.push(old, new, body);
    }
    let decomposition = assembly.finish(good.clone(), level);
    if level < Level::Token {
        return Ok(decomposition);
    }
    let all = decomposition.all();
    Ok(decomposition.refine(&all).0)
}

/// Bytes of both versions parsed at most, the smallest files first; further files are cut by their
/// lines. Chosen for about a second on two cores.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Decides which files are parsed: all if that is quickly done, else as many as possible.
fn depths(files: &[Ends]) -> Vec<Depth> {
    let size = |side: &Option<FileEnd>| side.as_ref().map_or(0, |side| side.bytes.len());
    let size = |at: usize| size(&files[at].0) + size(&files[at].1);
    let mut smallest_first: Vec<usize> = (0..files.len()).collect();
    smallest_first.sort_by_key(|&at| (size(at), at));
    let mut depths = vec![Depth::Lines; files.len()];
    let mut parsed = 0;
    for at in smallest_first {
        parsed += size(at);
        if parsed > MAX_PARSED_BYTES {
            break;
        }
        depths[at] = Depth::Syntax;
    }
    depths
}

/// Returns the path by which a file is sorted: its path in the bad version, or the one it would
/// have there.
fn place((old, new): &Ends, directories: &[DirectoryRename]) -> TreePath {
    match (old, new) {
        (_, Some(new)) => new.path.clone(),
        (Some(old), None) => directories
            .iter()
            .find_map(|rename| Some(rename.to.join(old.path.rest_below(&rename.from)?)))
            .unwrap_or_else(|| old.path.clone()),
        (None, None) => TreePath::new(""),
    }
}
