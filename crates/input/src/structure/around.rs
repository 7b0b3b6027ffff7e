//! Parts that may be removed around a place of a parsed file.

use std::collections::HashSet;
use std::ops::Range;

use whodunit_core::{Delta, Edit as TreeEdit, Tree, TreeCandidate};

use super::{Parsed, Structure};
use crate::edits::{Change, Edit};

impl<'a> Parsed<'a> {
    /// Returns the tree that all files are in.
    pub(crate) fn structure_tree(&self) -> &'a Tree {
        &self.structure.tree
    }

    /// Returns the node of the file in that tree.
    pub(crate) fn node(&self) -> Delta {
        self.structure.files[self.index].node
    }

    /// Returns the text of a node, without the white space and the separator before it.
    pub(crate) fn text_range(&self, node: Delta) -> Range<usize> {
        let place = self.structure.place(node);
        let within = |address: u32| (u64::from(address).saturating_sub(self.start)) as usize;
        within(place.body)..within(place.end)
    }

    /// Returns the ranges of text that are removed with nodes that can be left out: each with
    /// and without its separator, before it or after it.
    pub(crate) fn ranges_of_nodes(&self) -> HashSet<(usize, usize)> {
        let (tree, structure) = (self.structure_tree(), self.structure);
        let within = |address: u32| (u64::from(address).saturating_sub(self.start)) as usize;
        let mut ranges = HashSet::new();
        for node in tree.subtree(self.node()).map(Delta) {
            let children = tree.children(node);
            for (at, &child) in children.iter().enumerate() {
                if !tree.facts(child).removal.is_free() {
                    continue;
                }
                let place = structure.place(child);
                let (start, end) = (within(place.start), within(place.end));
                let lead = self.bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace());
                ranges.insert((start + lead.count(), end));
                ranges.insert((within(place.body), end));
                let next = children.get(at + 1).map(|&next| structure.place(next));
                if let Some(next) = next.filter(|next| next.start < next.lead) {
                    ranges.insert((within(place.body), within(next.lead)));
                }
            }
        }
        ranges
    }

    /// Returns the tokens of a node and everything below it.
    pub(crate) fn weight(&self, node: Delta) -> u64 {
        let tree = self.structure_tree();
        TreeCandidate::whole(tree).weight_below(tree, node)
    }

    /// Returns the smallest node around a range that can be left out.
    pub(crate) fn removable_around(&self, range: &Range<usize>) -> Option<Delta> {
        let tree = self.structure_tree();
        let mut node = self.structure.innermost(self.node(), &self.addresses(range.clone()));
        while node != self.node() {
            if tree.facts(node).removal.is_free() {
                return Some(node);
            }
            node = tree.parent(node)?;
        }
        None
    }

    /// Returns the next larger node around another one that can be left out.
    pub(crate) fn removable_above(&self, node: Delta) -> Option<Delta> {
        let tree = self.structure_tree();
        let above = |&node: &Delta| tree.parent(node).filter(|&above| above != self.node());
        let mut above = std::iter::successors(above(&node), above);
        above.find(|&node| tree.facts(node).removal.is_free())
    }

    /// Returns the change that leaves out some nodes, each of which can be.
    pub(crate) fn leave_out(&self, mut nodes: Vec<Delta>) -> Change {
        let tree = self.structure_tree();
        nodes.sort_unstable();
        let mut end = 0;
        nodes.retain(|&node| {
            let apart = node.0 >= end;
            if apart {
                end = tree.subtree(node).end;
            }
            apart
        });
        let drops: Vec<TreeEdit> = nodes.into_iter().map(TreeEdit::Drop).collect();
        let shown = TreeCandidate::whole(tree).with(tree, &drops);
        Change { edits: self.structure.edits(&shown), drops: Vec::new() }
    }

    /// Returns the change that deletes some ranges and separates tokens that would run together.
    pub(crate) fn delete(&self, ranges: &[Range<usize>]) -> Change {
        let edits = ranges.iter().map(|range| {
            let text = self.joint(range).as_bytes().to_vec();
            Edit { range: self.addresses(range.clone()), text }
        });
        Change { edits: edits.collect(), drops: Vec::new() }
    }

    /// Returns the text that must separate the texts before and after a deleted range.
    pub(crate) fn joint(&self, range: &Range<usize>) -> &'static str {
        let last = |bytes: &[u8]| {
            String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1)..]).into_owned()
        };
        let next =
            |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(1)]).into_owned();
        let (left, right) = (last(&self.bytes[..range.start]), next(&self.bytes[range.end..]));
        self.joints.map_or(" ", |joints| joints.between(&left, &right))
    }

    /// Returns whether something in a range must not be touched.
    pub(crate) fn is_protected(&self, range: &Range<usize>) -> bool {
        self.structure.files[self.index].shields.touch(range)
    }

    /// Returns whether the file still parses after a change, and nothing protected is touched.
    pub(crate) fn parses_after(&self, change: &Change) -> bool {
        self.structure.lets_through(self.index, &change.edits)
    }
}

impl Structure {
    /// Returns the innermost node within another one that a range is in.
    fn innermost(&self, top: Delta, range: &Range<u64>) -> Delta {
        let mut node = top;
        loop {
            let children = self.tree.children(node);
            let after =
                children.partition_point(|&child| u64::from(self.place(child).lead) <= range.start);
            let child = after.checked_sub(1).map(|before| children[before]);
            match child.filter(|&child| range.end <= u64::from(self.place(child).end)) {
                Some(child) => node = child,
                None => return node,
            }
        }
    }
}
