//! Numbers that may be added up: those of one list, and those of one name in a list of records.

use super::outline::MeasuredTree;
use crate::tree::NodeId;

/// Numbers that belong together.
pub(super) struct Column {
    /// Their container.
    pub(super) list: NodeId,
    /// The number of their name; 0 if they have none.
    pub(super) name: u32,
    /// The numbers, in order.
    pub(super) terms: Vec<NodeId>,
}

/// The property that makes numbers of one container one column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ColumnSort {
    /// They have this name.
    Named(u32),
    /// They have this place in their row.
    Placed(u32),
}

/// Finds the columns that are seen from where they are wanted, in the order of their lists.
pub(super) fn columns(outline: &MeasuredTree<'_>, wanted: &[bool]) -> Vec<Column> {
    let is_wanted =
        |list: NodeId| outline.seen_from(list).iter().any(|from| wanted[from.0 as usize]);
    let mut cells: Vec<(NodeId, ColumnSort, NodeId)> = Vec::new();
    let mut place = Places::default();
    for number in &outline.numbers {
        let (home, node) = (number.home, number.node);
        if is_wanted(home) {
            cells.push((home, ColumnSort::Named(number.name), node));
        }
        let list = outline.home(home);
        if home == list || !is_wanted(list) {
            continue;
        }
        let row = match number.name {
            0 => place.of(outline, home, node).map(ColumnSort::Placed),
            name => Some(ColumnSort::Named(name)),
        };
        cells.extend(row.map(|row| (list, row, node)));
    }
    cells.sort_unstable();
    let of_one = |one: &(NodeId, ColumnSort, NodeId), other: &(NodeId, ColumnSort, NodeId)| {
        (one.0, one.1) == (other.0, other.1)
    };
    let column = |cells: &[(NodeId, ColumnSort, NodeId)]| {
        let (list, sort, _) = cells[0];
        let name = if let ColumnSort::Named(name) = sort { name } else { 0 };
        Column { list, name, terms: cells.iter().map(|cell| cell.2).collect() }
    };
    // One place of one row is no column; a long list of numbers has many of those.
    let is_column = |cells: &&[(NodeId, ColumnSort, NodeId)]| {
        cells.len() > 1 || matches!(cells[0].1, ColumnSort::Named(_))
    };
    cells.chunk_by(of_one).filter(is_column).map(column).collect()
}

/// Tells which item of a list something is in; asked in order, it counts on from the last answer.
#[derive(Default)]
struct Places {
    list: Option<NodeId>,
    item: Option<NodeId>,
    place: u32,
}

impl Places {
    fn of(&mut self, outline: &MeasuredTree<'_>, list: NodeId, node: NodeId) -> Option<u32> {
        let entry = outline.entry(node);
        if self.list != Some(list) || self.item.is_none_or(|item| item > entry) {
            *self = Places { list: Some(list), item: outline.tree.children(list).next(), place: 0 };
        }
        while self.item.is_some_and(|item| item < entry) {
            let last = outline.tree.subtree(self.item?).next_back()?;
            self.item = Some(NodeId(last.0 + 1));
            self.place += 1;
        }
        (self.item == Some(entry)).then_some(self.place)
    }
}
