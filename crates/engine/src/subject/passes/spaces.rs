//! White space that nobody needs.

use crate::subject::changes::Change;
use crate::subject::structure::Structure;
use crate::subject::tokens;

/// Removes white space, or as much of it as tokens allow that would run together.
pub(super) fn find(structure: &Structure) -> Vec<Change> {
    let mut changes = Vec::new();
    for (file, joints) in structure.languages() {
        let start = structure.base().addresses(file).start;
        let bytes = &structure.base().files()[file].bytes;
        tokens::tokens(bytes, |range| {
            if !bytes[range.start].is_ascii_whitespace() {
                return;
            }
            let joint = joints.map_or(" ", |joints| {
                let left =
                    String::from_utf8_lossy(&bytes[range.start.saturating_sub(1)..range.start]);
                let right =
                    String::from_utf8_lossy(&bytes[range.end..bytes.len().min(range.end + 1)]);
                joints.between(&left, &right)
            });
            if joint.len() < range.len() {
                let range = start + range.start as u64..start + range.end as u64;
                changes.push(Change::replace(range, joint));
            }
        });
    }
    changes
}
