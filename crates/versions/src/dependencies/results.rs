//! A new function that must return a value needs the only line that returns one.

use super::lines::{ChangedLines, Side};
use super::{Edges, Reason};

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        let Some(facts) = text.new_facts() else { continue };
        let lines = ChangedLines::of(decomposition, text, Side::New);
        for &(name, result) in &facts.results {
            if let (Some(head), Some(gives)) = (lines.lone_grain(name), lines.lone_grain(result)) {
                edges.add(head, gives, Reason::Result);
            }
        }
    }
}
