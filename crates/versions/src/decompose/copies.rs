//! Which added file is a copy of an old one, with changes.
//!
//! Such a file is added as it was copied, and its differences are changes of their own: a line
//! that was changed in the copy is not lost among all the others. As in git, contents that share
//! at least half of their lines count, and only files that differ are searched. Other than in
//! git, lines that most files have do not count: a licence makes no copy of a short file.

use super::body::is_text;
use super::compare::{Ends, FileEnd};
use super::renames::{MIN_SIMILARITY, can_be_renamed};
use super::similarity::{Fingerprint, Index, common};

/// Returns the original of each added file that was copied.
pub(crate) fn find(files: &[Ends]) -> Vec<Option<FileEnd>> {
    let is_useful = |side: &&FileEnd| is_text(side) && can_be_renamed(side);
    let olds: Vec<&FileEnd> =
        files.iter().filter_map(|(old, _)| old.as_ref()).filter(is_useful).collect();
    let added =
        |(old, new): &'_ Ends| old.is_none() && new.as_ref().is_some_and(|it| is_useful(&it));
    if olds.is_empty() || !files.iter().any(added) {
        return vec![None; files.len()];
    }
    let prints: Vec<Fingerprint> = olds.iter().map(|old| Fingerprint::of(&old.bytes)).collect();
    let common = common(&prints);
    let prints: Vec<Fingerprint> = prints.into_iter().map(|print| print.without(&common)).collect();
    let index = Index::of(&prints);
    let origin = |ends: &Ends| {
        let new = ends.1.as_ref().filter(|_| added(ends))?;
        let print = Fingerprint::of(&new.bytes).without(&common);
        let near = index.nearby(&print).into_iter();
        let scores = near.map(|at| ((prints[at].similarity(&print) * 1000.0) as u32, at));
        let alike = scores.filter(|(score, _)| f64::from(*score) >= MIN_SIMILARITY * 1000.0);
        // Of those that are equally like it, the first.
        let (_, best) = alike.max_by_key(|&(score, at)| (score, std::cmp::Reverse(at)))?;
        Some(olds[best].clone())
    };
    files.iter().map(origin).collect()
}
