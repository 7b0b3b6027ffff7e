//! Superfluous white space.

use crate::edits::Change;
use crate::structure::Parsed;
use crate::tokens;

/// Removes white space, or shortens it to what keeps tokens apart.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let (bytes, mut changes) = (file.bytes, Vec::new());
    tokens::tokens(bytes, |range| {
        if !bytes[range.start].is_ascii_whitespace() {
            return;
        }
        let joint = file.joints.map_or(" ", |joints| {
            let left = String::from_utf8_lossy(&bytes[range.start.saturating_sub(1)..range.start]);
            let right = String::from_utf8_lossy(&bytes[range.end..bytes.len().min(range.end + 1)]);
            joints.between(&left, &right)
        });
        if joint.len() < range.len() {
            changes.push(Change::replace(file.addresses(range), joint));
        }
    });
    changes
}
