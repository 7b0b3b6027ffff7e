//! An index of measurable things by the containers they are visible from and by their value.

use super::Unit;
use crate::tree::NodeId;

/// Equal things considered on either side of a number; farther ones are ignored. Chosen by
/// hand.
const NEAREST: usize = 2;

/// A measurable thing; groups and columns by their place in their lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Thing {
    Group(u32),
    /// The nodes after this one in its list.
    Rest(NodeId),
    Column(u32),
    Length(NodeId, Unit),
    Size(NodeId),
    Offset(NodeId),
    Lines(NodeId),
}

/// A thing that was found.
pub(super) struct Seen {
    pub(super) of: Thing,
    /// Where it is.
    pub(super) at: NodeId,
    /// How many containers are between.
    pub(super) distance: usize,
}

/// Things of one sort, with values of this type.
#[derive(Default)]
pub(super) struct Index<V>(Vec<Filed<V>>);

/// One thing, as it is seen from one container.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Filed<V> {
    seen_from: NodeId,
    value: V,
    /// Where it is.
    at: NodeId,
    thing: Thing,
    /// How many containers are between.
    distance: u8,
}

impl<V: Copy + Ord> Index<V> {
    /// Files a thing at a node under the containers that are wanted.
    pub(super) fn add(
        &mut self,
        wanted: &[bool],
        seen_from: [NodeId; 2],
        value: V,
        at: NodeId,
        thing: Thing,
    ) {
        let [near, far] = seen_from;
        for (distance, seen_from) in [(0, near), (1, far)] {
            let is_new = distance == 0 || near != far;
            if is_new && wanted[seen_from.0 as usize] {
                self.0.push(Filed { seen_from, value, at, thing, distance });
            }
        }
    }

    /// Makes it ready for looking up.
    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Returns the things of a value that are seen from a container, those nearest to a node.
    pub(super) fn nearest(
        &self,
        seen_from: NodeId,
        value: V,
        node: NodeId,
    ) -> impl Iterator<Item = Seen> + '_ {
        let key = |filed: &Filed<V>| (filed.seen_from, filed.value);
        let middle = |filed: &Filed<V>| (key(filed), filed.at) < ((seen_from, value), node);
        let middle = self.0.partition_point(middle);
        let is_equal = move |filed: &&Filed<V>| key(filed) == (seen_from, value);
        let before = self.0[..middle].iter().rev().take_while(is_equal).take(NEAREST);
        let after = self.0[middle..].iter().take_while(is_equal).take(NEAREST);
        let seen = |filed: &Filed<V>| Seen {
            of: filed.thing,
            at: filed.at,
            distance: filed.distance.into(),
        };
        before.chain(after).map(seen)
    }
}
