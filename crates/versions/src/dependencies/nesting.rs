//! Lines within others: no closing bracket without the opening one, no body without its header.

use super::lines::{ChangedLines, Side};
use super::{Edges, Reason};

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        for (facts, side) in [(text.old_facts(), Side::Old), (text.new_facts(), Side::New)] {
            let Some(facts) = facts else { continue };
            let lines = ChangedLines::of(decomposition, text, side);
            for &(line, needed) in &facts.nesting {
                // A line that became another is there in either form, and either will do.
                if let (Some(grain), Some(needed)) = (lines.grain(line), lines.lone_grain(needed)) {
                    let (grain, needed) = lines.edge(grain, needed);
                    edges.add(grain, needed, Reason::Nesting);
                }
            }
        }
    }
}
