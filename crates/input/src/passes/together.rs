//! Pieces of binary data that make sense only together: a file in an archive and its entry in the
//! directory.

use crate::edits::{Change, Edit};
use crate::structure::Outlined;

/// Deletes all pieces of one thing.
pub(super) fn find(file: &Outlined<'_>) -> Vec<Change> {
    let delete = |pieces: &Vec<_>| Change {
        edits: pieces.iter().map(|piece| Edit::delete(file.addresses(piece))).collect(),
        drops: Vec::new(),
    };
    file.together.iter().map(delete).collect()
}
