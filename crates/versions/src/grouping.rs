//! Which deltas are likely to belong together (section 6 of "Yesterday, my program worked. Today,
//! it does not. Why?", Zeller 1999): an order that puts them side by side, and where groups end.

mod lexical;

use whodunit_core::Delta;

use crate::decomposition::{Boundary, Decomposition};
use crate::dependencies::Mentions;

/// By what deltas are put together.
#[derive(Clone, Copy, Debug)]
pub enum Grouping<'a> {
    /// By folder and file: the order of the decomposition.
    Location,
    /// By item: the parts of one function or class side by side.
    Syntactic,
    /// By rare names that they share.
    Lexical,
    /// By commit, author or date: a label for each delta, in the order of the groups.
    Process(&'a [u32]),
}

/// An order of the deltas, and what lies between neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The deltas in their new order.
    deltas: Vec<Delta>,
    boundaries: Vec<u8>,
}

/// Stronger than every boundary of places: the end of a group.
const GROUP: u8 = Boundary::Directory as u8 + 1;

impl Order {
    /// Orders the deltas of a decomposition.
    pub fn of(decomposition: &Decomposition, grouping: Grouping<'_>) -> Order {
        let count = decomposition.len();
        let groups: Vec<u32> = match grouping {
            Grouping::Location => vec![0; count],
            Grouping::Syntactic => items(decomposition),
            Grouping::Lexical => lexical::groups(decomposition, &Mentions::of(decomposition)),
            Grouping::Process(labels) => {
                (0..count).map(|delta| labels.get(delta).copied().unwrap_or(u32::MAX)).collect()
            }
        };
        let mut deltas: Vec<Delta> = (0..count as u32).map(Delta).collect();
        deltas.sort_by_key(|delta| (groups[delta.0 as usize], delta.0));
        let is_item = matches!(grouping, Grouping::Syntactic);
        let boundary = |pair: &[Delta]| {
            let ends_group = groups[pair[0].0 as usize] != groups[pair[1].0 as usize];
            // Items are grouped within the order of places, and so keep its boundaries.
            if ends_group && !is_item {
                return GROUP;
            }
            decomposition.boundary_between(pair[0], pair[1]) as u8
        };
        let boundaries = deltas.windows(2).map(boundary).collect();
        Order { deltas, boundaries }
    }

    /// Returns the deltas in order.
    pub fn deltas(&self) -> &[Delta] {
        &self.deltas
    }

    /// Returns what lies between neighbours: a [`Boundary`] as a number, or one more than the
    /// coarsest where a group ends.
    pub fn boundaries(&self) -> &[u8] {
        &self.boundaries
    }
}

/// Gives each delta the first delta of its item; those without an item stay where they are.
fn items(decomposition: &Decomposition) -> Vec<u32> {
    let mut first = std::collections::HashMap::new();
    let group = |delta: Delta| match decomposition.part(delta).item_id {
        Some(item) => *first.entry(item).or_insert(delta.0),
        None => delta.0,
    };
    decomposition.all().iter().map(group).collect()
}
