//! Which deltas are likely to belong together (section 6 of "Yesterday, my program worked. Today,
//! it does not. Why?", Zeller 1999): an order that puts them side by side, and where groups end.

mod lexical;
mod semantic;

use std::collections::BTreeMap;

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
    /// By meaning: the definition of a name with its uses and calls, and the deltas in one
    /// definition.
    Semantic,
    /// By commit, author or date: a label for each delta, in the order of the groups.
    Process(&'a [u32]),
}

/// An order of the deltas, and what lies between neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The deltas in their new order.
    deltas: Vec<Delta>,
    boundaries: Vec<u8>,
    /// The group of each delta, from coarse to fine: each level divides the groups of the one before.
    levels: Vec<Vec<u32>>,
}

/// Stronger than every boundary of places: the end of a group.
const GROUP: u8 = Boundary::Directory as u8 + 1;

impl Order {
    /// Orders the deltas of a decomposition.
    pub fn of(decomposition: &Decomposition, grouping: Grouping<'_>) -> Order {
        Self::nested(decomposition, &[grouping])
    }

    /// Orders the deltas of a decomposition by several criteria, each within the groups of the one
    /// before: by folder, file and name in the second case study of the paper.
    pub fn nested(decomposition: &Decomposition, groupings: &[Grouping<'_>]) -> Order {
        let keys: Vec<Vec<u32>> =
            groupings.iter().flat_map(|grouping| grouping.keys(decomposition)).collect();
        let key = |delta: Delta| keys.iter().map(move |level| level[delta.0 as usize]);
        let mut deltas: Vec<Delta> = decomposition.all().iter().collect();
        deltas.sort_by_cached_key(|&delta| (key(delta).collect::<Vec<u32>>(), delta.0));
        // The boundaries of places and items are those of the decomposition already.
        let keeps_places = matches!(groupings, [] | [Grouping::Location] | [Grouping::Syntactic]);
        let boundary = |pair: &[Delta]| {
            let ends_group = key(pair[0]).zip(key(pair[1])).position(|(one, other)| one != other);
            match ends_group {
                Some(level) if !keeps_places => GROUP + (keys.len() - 1 - level) as u8,
                _ => decomposition.boundary_between(pair[0], pair[1]) as u8,
            }
        };
        let boundaries = deltas.windows(2).map(boundary).collect();
        let level = |depth: usize| {
            let mut numbers = BTreeMap::new();
            let mut level = vec![0; decomposition.len()];
            for &delta in &deltas {
                let next = numbers.len() as u32;
                let name: Vec<u32> = key(delta).take(depth).collect();
                level[delta.0 as usize] = *numbers.entry(name).or_insert(next);
            }
            level
        };
        let levels = (1..=keys.len()).map(level).collect();
        Order { deltas, boundaries, levels }
    }

    /// Returns the group of each delta, from coarse to fine.
    pub fn levels(&self) -> &[Vec<u32>] {
        &self.levels
    }

    /// Returns the deltas in order.
    pub fn deltas(&self) -> &[Delta] {
        &self.deltas
    }

    /// Returns what lies between neighbours: a [`Boundary`] as a number, or one more than the
    /// coarsest where a group ends, and one more for each level of groups below.
    pub fn boundaries(&self) -> &[u8] {
        &self.boundaries
    }
}

impl Grouping<'_> {
    /// Returns by what deltas are sorted into groups, from coarse to fine.
    fn keys(&self, decomposition: &Decomposition) -> Vec<Vec<u32>> {
        let count = decomposition.len();
        match self {
            Grouping::Location => {
                [Boundary::Directory, Boundary::File].map(|it| places(decomposition, it)).into()
            }
            Grouping::Syntactic => vec![items(decomposition)],
            Grouping::Lexical => {
                vec![lexical::groups(decomposition, &Mentions::of(decomposition))]
            }
            Grouping::Semantic => vec![semantic::groups(decomposition)],
            Grouping::Process(labels) => {
                let label = |delta| labels.get(delta).copied().unwrap_or(u32::MAX);
                vec![(0..count).map(label).collect()]
            }
        }
    }
}

/// Numbers the places that lie between boundaries of a kind, in the order of the decomposition.
fn places(decomposition: &Decomposition, kind: Boundary) -> Vec<u32> {
    let mut place = 0;
    let mut places = vec![0; decomposition.len().min(1)];
    for delta in decomposition.all().iter().skip(1) {
        let boundary = decomposition.boundary_between(Delta(delta.0 - 1), delta);
        place += u32::from(boundary >= kind);
        places.push(place);
    }
    places
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
