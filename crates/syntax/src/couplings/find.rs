//! Couples numbers with the things that they may measure.
//!
//! Each number is looked up in the containers around it, so the time grows with the text, and not
//! with numbers times lists. The allowed distance depends on the name of the number and on the
//! language: records of data hold things that belong together, programs are full of small numbers
//! that mean nothing. For example, `"total": 6` beside `[1, 2, 3]` is coupled with the sum; a bare
//! `6` in a program is not.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;
use std::sync::Arc;

use super::columns::{Column, columns};
use super::decimal::{Decimal, decimals, digits};
use super::index::{Index, Seen, Thing};
use super::name_hints::NameHints;
use super::outline::{MeasuredTree, Number};
use super::{Coupling, Measure, Unit, inner, lines};
use crate::tree::{NodeId, SyntaxTree};

/// Things that one number is coupled with at most, the nearest first. Chosen by hand.
const MAX_COUPLINGS: usize = 3;
/// A smaller number rather tells whether a thing is there, so it must be next to the list it
/// counts. Chosen by hand.
const MIN_COUNT: u32 = 2;
/// A number below this is not taken for an offset or a size in bytes: it is more likely something
/// else. Chosen by hand.
const MIN_OFFSET: u32 = 10;
/// A number below this is only taken for the length of a text if its name suggests it: short texts
/// are as long as unrelated arguments by chance. Chosen by hand.
const MIN_LENGTH: u32 = 4;
/// A sum of fewer numbers than this is a coincidence, unless its name suggests a sum. Chosen by
/// hand.
const MIN_TERMS: u32 = 3;
/// Containers between a number and the thing it measures, at most. Chosen by hand.
const MAX_DISTANCE: usize = 2;

/// Finds the couplings of a tree.
pub(super) fn find(tree: &SyntaxTree) -> Vec<Coupling> {
    let outline = MeasuredTree::of(tree);
    let things = Things::of(&outline);
    let mut found: Vec<(&Number, Candidate)> = Vec::new();
    for number in &outline.numbers {
        let mut candidates = things.measured_by(number);
        candidates.sort_by_key(|candidate| (!candidate.is_named_for_it, candidate.distance));
        keep_nearest(&mut candidates);
        candidates.truncate(MAX_COUPLINGS);
        found.extend(candidates.into_iter().map(|candidate| (number, candidate)));
    }
    drop_coincidences(&outline, &mut found);
    let mut shared = HashMap::new();
    let coupling = |(number, candidate): (&Number, Candidate)| {
        let of = things.measure(number, candidate.of, &mut shared);
        Coupling { number: tree.node(number.node).range(), of }
    };
    found.into_iter().map(coupling).collect()
}

/// Something that a number may measure.
struct Candidate {
    of: Thing,
    /// Whether the name of the number fits the measure.
    is_named_for_it: bool,
    distance: usize,
}

/// Drops things when there are nearer ones of the same sort.
fn keep_nearest(candidates: &mut Vec<Candidate>) {
    let mut nearest: Vec<(Discriminant<Thing>, usize)> = Vec::new();
    candidates.retain(|candidate| {
        let sort = discriminant(&candidate.of);
        match nearest.iter().find(|(known, _)| *known == sort) {
            Some((_, distance)) => candidate.distance <= *distance,
            None => {
                nearest.push((sort, candidate.distance));
                true
            }
        }
    });
}

/// Drops candidates without support by a name, if most numbers of the same name measure nothing.
fn drop_coincidences(outline: &MeasuredTree<'_>, found: &mut Vec<(&Number, Candidate)>) {
    let mut all = vec![0_usize; outline.hints.len()];
    for number in &outline.numbers {
        all[number.name as usize] += 1;
    }
    let mut measuring = vec![0_usize; outline.hints.len()];
    let mut last = None;
    for (number, _) in found.iter() {
        if last.replace(number.node) != Some(number.node) {
            measuring[number.name as usize] += 1;
        }
    }
    found.retain(|(number, candidate)| {
        let name = number.name as usize;
        let is_rule = measuring[name] * 5 >= all[name] * 4;
        candidate.is_named_for_it || is_rule || (name == 0 && !outline.is_data)
    });
}

/// All that can be measured.
struct Things<'o, 'a> {
    outline: &'o MeasuredTree<'a>,
    columns: Vec<Column>,
    counts: Index<u32>,
    sums: Index<Decimal>,
    lengths: Index<u32>,
    sizes: Index<u32>,
    /// How many numbers without a name each container has.
    nameless: Vec<u32>,
}

impl<'o, 'a> Things<'o, 'a> {
    fn of(outline: &'o MeasuredTree<'a>) -> Self {
        let mut things = Things {
            outline,
            columns: Vec::new(),
            counts: Index::default(),
            sums: Index::default(),
            lengths: Index::default(),
            sizes: Index::default(),
            nameless: vec![0; outline.tree.len()],
        };
        for number in outline.numbers.iter().filter(|number| number.name == 0) {
            things.nameless[number.home.0 as usize] += 1;
        }
        things.file_counts();
        things.file_sums();
        things.file_lengths();
        things.file_sizes();
        things
    }

    /// Marks the containers that numbers of some sort look into.
    fn wanted(&self, is_of_sort: impl Fn(&Number, NameHints) -> bool, levels: usize) -> Vec<bool> {
        let mut wanted = vec![false; self.outline.tree.len()];
        for number in &self.outline.numbers {
            let hints = self.outline.hints[number.name as usize];
            if is_of_sort(number, hints) {
                for home in self.homes(number).take(levels) {
                    wanted[home.0 as usize] = true;
                }
            }
        }
        wanted
    }

    /// Returns the containers around a number that are searched: not beyond the items of a list,
    /// because a number in one record never counts items of a sibling record.
    fn homes(&self, number: &Number) -> impl Iterator<Item = NodeId> + '_ {
        let outward = |&home: &NodeId| {
            let is_outermost = home == self.outline.tree.root();
            let leads_out = !is_outermost && self.outline.leads_out(home);
            leads_out.then(|| self.outline.home(home))
        };
        std::iter::successors(Some(number.home), outward).take(MAX_DISTANCE + 1)
    }

    fn file_counts(&mut self) {
        let mut wanted = self.wanted(|_, hints| hints.count, MAX_DISTANCE + 1);
        let near = self.wanted(|number, _| !self.is_one_of_many(number), 1);
        wanted.iter_mut().zip(near).for_each(|(wanted, near)| *wanted |= near);
        for (index, group) in (0..).zip(&self.outline.groups) {
            let seen_from = self.outline.seen_from(group.container);
            let value = short(group.items.len());
            self.counts.add(&wanted, seen_from, value, group.container, Thing::Group(index));
        }
        self.counts.sort();
    }

    fn file_sums(&mut self) {
        let wanted = self.wanted(|number, _| number.name != 0, MAX_DISTANCE + 1);
        let outline = self.outline;
        self.columns = columns(outline, &wanted);
        for (index, column) in (0..).zip(&self.columns) {
            let seen_from = outline.seen_from(column.list);
            let mut terms = column.terms.iter().map(|&term| Decimal::read(outline.tree.text(term)));
            let sum = terms.try_fold(Decimal::default(), |sum, term| sum.plus(term?));
            if let Some(sum) = sum.filter(|sum| *sum != Decimal::default()) {
                self.sums.add(&wanted, seen_from, sum, column.list, Thing::Column(index));
            }
        }
        self.sums.sort();
    }

    fn file_lengths(&mut self) {
        let is_argument = |number: &Number| self.is_argument(number);
        let wanted = self.wanted(|number, hints| hints.length || is_argument(number), 1);
        for &string in &self.outline.strings {
            let home = self.outline.home(string);
            let seen_from = [home, self.outline.home(home)];
            if !seen_from.iter().any(|from| wanted[from.0 as usize]) {
                continue;
            }
            let text = inner(self.outline.tree.text(string));
            let bytes = Unit::Bytes.length(text);
            let characters = Unit::Characters.length(text);
            for (unit, length) in [(Unit::Bytes, bytes), (Unit::Characters, characters)] {
                if unit == Unit::Bytes || characters != bytes {
                    let thing = Thing::Length(string, unit);
                    self.lengths.add(&wanted, seen_from, short(length), string, thing);
                }
            }
        }
        self.lengths.sort();
    }

    fn file_sizes(&mut self) {
        let wanted = self.wanted(|_, hints| hints.size, 1);
        let tree = self.outline.tree;
        for container in tree.ids().skip(1).filter(|&id| self.outline.is_container(id)) {
            let home = self.outline.home(container);
            let size = short(tree.node(container).range().len());
            let thing = Thing::Size(container);
            self.sizes.add(&wanted, [home, self.outline.home(home)], size, container, thing);
        }
        self.sizes.sort();
    }

    /// Finds the things that a number may measure.
    fn measured_by(&self, number: &Number) -> Vec<Candidate> {
        let hints = self.outline.hints[number.name as usize];
        let mut found = Vec::new();
        self.find_sums(number, hints, &mut found);
        if let Some(value) = number.whole {
            self.find_counts(number, hints, value, &mut found);
            self.find_lengths(number, hints, value, &mut found);
            if value >= MIN_OFFSET {
                self.find_bytes(number, hints, value, &mut found);
            }
        }
        found
    }

    fn find_counts(
        &self,
        number: &Number,
        hints: NameHints,
        value: u32,
        found: &mut Vec<Candidate>,
    ) {
        let outline = self.outline;
        let is_significant = value >= MIN_COUNT;
        let is_near = |of: Thing, distance: usize| {
            let Thing::Group(group) = of else { return None };
            let group = &outline.groups[group as usize];
            if outline.is_in_one_of(number.node, &group.items) {
                return None;
            }
            let is_near = if hints.count {
                distance <= if is_significant { MAX_DISTANCE } else { 1 }
            } else if outline.is_data {
                // An element is one container more than a record would be.
                distance <= usize::from(outline.is_element(group.container))
            } else {
                let is_same_item = outline.entry(number.node) == outline.entry(group.container);
                distance == 0 && is_same_item && !outline.is_round(group.container)
            };
            is_near.then_some(hints.count)
        };
        let is_candidate = is_significant && !self.is_one_of_many(number);
        let is_value = outline.is_data || number.name == 0;
        if hints.count {
            self.look_up(&self.counts, value, number, MAX_DISTANCE + 1, is_near, found);
        } else if is_candidate && is_value {
            self.look_up(&self.counts, value, number, 1, is_near, found);
        }
        // `f(3, a, b, c)`: the first counts the others.
        let entry = outline.entry(number.node);
        let is_first = || outline.tree.children(number.home).nth(1) == Some(entry);
        if is_significant
            && self.is_argument(number)
            && is_first()
            && short(self.rest(entry).count()) == value
        {
            found.push(Candidate { of: Thing::Rest(entry), is_named_for_it: false, distance: 0 });
        }
    }

    fn find_sums(&self, number: &Number, hints: NameHints, found: &mut Vec<Candidate>) {
        let outline = self.outline;
        if number.name == 0 {
            return;
        }
        let is_near = |of: Thing, distance: usize| {
            let Thing::Column(column) = of else { return None };
            let column = &self.columns[column as usize];
            let is_named_for_it = hints.sum || number.name == column.name;
            let terms = short(column.terms.len());
            let is_near = if is_named_for_it {
                distance <= MAX_DISTANCE && (terms >= MIN_COUNT || (hints.sum && distance == 0))
            } else {
                let most = usize::from(outline.is_element(column.list));
                outline.is_data && terms >= MIN_TERMS && distance <= most
            };
            let is_term = outline.is_in_one_of(number.node, &column.terms);
            (is_near && !is_term).then_some(is_named_for_it)
        };
        self.look_up(&self.sums, number.value, number, MAX_DISTANCE + 1, is_near, found);
    }

    fn find_lengths(
        &self,
        number: &Number,
        hints: NameHints,
        value: u32,
        found: &mut Vec<Candidate>,
    ) {
        let is_next_to = |of: Thing, distance: usize| {
            let Thing::Length(string, _) = of else { return None };
            let last = self.outline.tree.subtree(string).next_back()?;
            // `write(1, "text", 4)`: nothing but a comma between them.
            let is_next = distance == 0 && number.node.0 == last.0 + 2;
            (hints.length || is_next).then_some(hints.length)
        };
        let may_be = if hints.length { value > 0 } else { value >= MIN_LENGTH };
        if may_be && (hints.length || self.is_argument(number)) {
            self.look_up(&self.lengths, value, number, 1, is_next_to, found);
        }
    }

    fn find_bytes(
        &self,
        number: &Number,
        hints: NameHints,
        value: u32,
        found: &mut Vec<Candidate>,
    ) {
        let tree = self.outline.tree;
        let mut measures =
            |of| found.push(Candidate { of, is_named_for_it: true, distance: MAX_DISTANCE });
        if hints.size && value == short(tree.source().len()) {
            measures(Thing::Size(tree.root()));
        }
        if hints.lines && value == short(lines(tree.source())) {
            measures(Thing::Lines(tree.root()));
        }
        if hints.offset {
            let node = begins_at(tree, value as usize);
            let holds_number = |id: &NodeId| self.outline.is_in_one_of(number.node, &[*id]);
            if let Some(node) = node.filter(|node| !holds_number(node)) {
                measures(Thing::Offset(node));
            }
        }
        if hints.size {
            let holds_number = |id: NodeId| self.outline.is_in_one_of(number.node, &[id]);
            let is_other = |of: Thing, _| match of {
                Thing::Size(of) => (!holds_number(of)).then_some(true),
                _ => None,
            };
            self.look_up(&self.sizes, value, number, 1, is_other, found);
        }
    }

    /// Adds the things that have the size of a number and are near enough, each once.
    ///
    /// The test gets a thing and its distance, and returns whether the number's name speaks for it.
    fn look_up<V: Copy + Ord>(
        &self,
        index: &Index<V>,
        value: V,
        number: &Number,
        levels: usize,
        is_near: impl Fn(Thing, usize) -> Option<bool>,
        found: &mut Vec<Candidate>,
    ) {
        let mut own = number.home;
        for (level, home) in self.homes(number).take(levels).enumerate() {
            for Seen { of, at, distance } in index.nearest(home, value, number.node) {
                let distance = level + distance;
                let is_known = found.iter().any(|known| known.of == of);
                let is_sister = level > 0 && self.outline.are_sisters(home, own, at);
                let is_new = !is_known && !is_sister;
                if let Some(is_named_for_it) = is_near(of, distance).filter(|_| is_new) {
                    found.push(Candidate { of, is_named_for_it, distance });
                }
            }
            own = home;
        }
    }

    /// Whether it is one of several numbers without names: such numbers are counted or added
    /// themselves.
    fn is_one_of_many(&self, number: &Number) -> bool {
        number.name == 0 && self.nameless[number.home.0 as usize] > 1
    }

    /// Whether it is an argument of a call.
    fn is_argument(&self, number: &Number) -> bool {
        !self.outline.is_data && number.name == 0 && self.outline.is_round(number.home)
    }

    /// Returns what follows an item in its list.
    fn rest(&self, item: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let tree = self.outline.tree;
        let is_item = |&id: &NodeId| tree.node(id).is_named() && !tree.node(id).is_extra();
        tree.children(self.outline.home(item)).filter(move |&id| id > item).filter(is_item)
    }

    /// Turns a thing into a measure; those of one thing share their list.
    fn measure(
        &self,
        number: &Number,
        of: Thing,
        shared: &mut HashMap<Thing, Arc<[Range<usize>]>>,
    ) -> Measure {
        let text = self.outline.tree.text(number.node);
        let range = |node: NodeId| self.outline.tree.node(node).range();
        let ranges = |nodes: &[NodeId]| nodes.iter().map(|&node| range(node)).collect();
        let mut list =
            |find: &dyn Fn() -> Arc<[Range<usize>]>| shared.entry(of).or_insert_with(find).clone();
        match of {
            Thing::Group(group) => Measure::Count {
                items: list(&|| ranges(&self.outline.groups[group as usize].items)),
            },
            Thing::Rest(item) => {
                Measure::Count { items: list(&|| self.rest(item).map(range).collect()) }
            }
            Thing::Column(column) => Measure::Sum {
                terms: list(&|| ranges(&self.columns[column as usize].terms)),
                decimals: digits(text).map_or(0, |digits| decimals(&text[digits])),
            },
            Thing::Length(of, unit) => Measure::Length { of: range(of), unit },
            Thing::Size(of) => Measure::Size { of: range(of) },
            Thing::Offset(of) => Measure::Offset { of: range(of) },
            Thing::Lines(of) => Measure::Lines { of: range(of) },
        }
    }
}

/// Returns a number as texts have them: those that are parsed are much shorter than 4 GiB.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the outermost node with a name that begins at this byte.
fn begins_at(tree: &SyntaxTree, byte: usize) -> Option<NodeId> {
    let start = |id: NodeId| tree.node(id).range().start;
    let (mut low, mut high) = (0, tree.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let id = NodeId(u32::try_from(middle).ok()?);
        if start(id) < byte { low = middle + 1 } else { high = middle }
    }
    let ids = tree.ids().skip(low).take_while(|&id| start(id) == byte);
    ids.take(MAX_DISTANCE + 1).find(|&id| tree.node(id).is_named())
}
