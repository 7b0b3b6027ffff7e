//! Lines that move into a block or out of it need each other in order: a line cannot be
//! indented more than the one before it.

use super::lines::indentations;
use super::{Edges, Reason};

pub(super) fn find(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        if text.new_facts().is_none() {
            continue;
        }
        let mut former: Option<(u32, u32, isize)> = None;
        for (grain, piece) in decomposition.pieces(text) {
            let moved =
                indentations(text, piece).map_or(0, |(old, new)| new as isize - old as isize);
            let follows =
                former.filter(|(line, _, by)| *line == piece.new_lines.start && *by == moved);
            if let Some((_, before, _)) = follows.filter(|_| moved != 0) {
                edges.add(grain, before, Reason::Nesting);
            }
            former = Some((piece.new_lines.end, grain, moved));
        }
    }
}
