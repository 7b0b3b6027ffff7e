//! Which deltas are testable only together with which others.
//!
//! Implications known from the start are one compact table for each direction, shared by all
//! copies; those learned later are a small map beside it. Following them is a loop over a work
//! list, so neither long chains nor cycles (deltas that are kept all or none) are a difficulty.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Delta, DeltaSet, Foretell, Lesson, Verdict};

/// Implications between deltas: "a candidate with this one is testable only with those".
#[derive(Clone, Debug, Default)]
pub struct Implications {
    needs: Links,
    dependents: Links,
    /// One more than the last delta of any implication.
    extent: u32,
}

/// Collects the implications known from the start.
#[derive(Debug, Default)]
pub struct ImplicationsBuilder {
    /// A delta, and one it needs.
    pairs: Vec<(u32, u32)>,
}

/// The edges of one direction: from each delta to the deltas it needs, or to those that need it.
#[derive(Clone, Debug, Default)]
struct Links {
    /// Where the targets of each delta start; one more entry than deltas, or none at all.
    starts: Arc<[u32]>,
    targets: Arc<[u32]>,
    learned: Arc<BTreeMap<u32, DeltaSet>>,
}

/// A walk along implications that finds each delta of a set once.
pub(crate) struct Walk<'a> {
    links: &'a Links,
    /// The deltas not found yet.
    open: Marks,
    to_visit: Vec<u32>,
}

/// A set of deltas as a bit map: testing membership is one lookup.
struct Marks(Vec<u64>);

impl Implications {
    /// Returns the implications of deltas none of which is known to need another.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the implications of `count` deltas each of which needs all earlier ones.
    pub fn chain(count: usize) -> Self {
        let mut builder = Self::builder();
        for delta in DeltaSet::full(count).iter().skip(1) {
            builder.add(delta, Delta(delta.0 - 1));
        }
        builder.build()
    }

    /// Starts to collect implications.
    pub fn builder() -> ImplicationsBuilder {
        ImplicationsBuilder::default()
    }

    /// Stores a lesson; returns whether it is new.
    pub fn learn(&mut self, lesson: &Lesson) -> bool {
        let Lesson::Implies { delta, needs } = lesson else { return false };
        let known: DeltaSet = self.needs.of(delta.0).chain([delta.0]).map(Delta).collect();
        let fresh = needs.minus(&known);
        if fresh.is_empty() {
            return false;
        }
        let one = DeltaSet::run(delta.0..delta.0 + 1);
        for need in fresh.iter() {
            self.dependents.add(need.0, &one);
        }
        self.needs.add(delta.0, &fresh);
        let last = fresh.union(&one).last().map_or(0, |last| last.0 + 1);
        self.extent = self.extent.max(last);
        true
    }

    /// Returns the set with everything that it needs.
    pub fn closure_up(&self, set: &DeltaSet) -> DeltaSet {
        self.closure_up_within(set, &DeltaSet::run(0..self.extent))
    }

    /// Returns the largest part of the set whose needs are all in it.
    pub fn closure_down(&self, set: &DeltaSet) -> DeltaSet {
        let there = Marks::of(set);
        let wanting = set.iter().filter(|delta| self.lacks(*delta, &there)).collect();
        set.minus(&self.dependents_within(&wanting, set))
    }

    /// Returns the set with everything that depends on it: all that has to be left out with it.
    pub fn dependents(&self, set: &DeltaSet) -> DeltaSet {
        self.dependents_within(set, &DeltaSet::run(0..self.extent))
    }

    /// Returns whether the set lacks something that one of its deltas needs.
    pub fn violated_by(&self, set: &DeltaSet) -> bool {
        let there = Marks::of(set);
        self.extent > 0 && set.iter().any(|delta| self.lacks(delta, &there))
    }

    /// Returns the implications in the mirror, for sets of deltas that are left out: where a
    /// delta needs another, leaving out the other needs leaving out the delta.
    pub fn mirrored(&self) -> Self {
        Implications {
            needs: self.dependents.clone(),
            dependents: self.needs.clone(),
            extent: self.extent,
        }
    }

    /// Like [`closure_up`](Self::closure_up), but adds and follows only deltas in `within`.
    pub fn closure_up_within(&self, set: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.needs.reached(set, within)
    }

    /// Like [`dependents`](Self::dependents), but deltas outside `within` are neither added nor
    /// followed.
    pub fn dependents_within(&self, set: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.dependents.reached(set, within)
    }

    /// Like [`closure_up_within`](Self::closure_up_within), and also adds the deltas that, by a
    /// lesson, need one of the result: deltas named in one lesson usually belong together.
    pub(crate) fn party_up_within(&self, set: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.needs.reached_with(set, within, &self.dependents)
    }

    /// Like [`dependents_within`](Self::dependents_within), and also adds the deltas that, by a
    /// lesson, one of the result needs.
    pub(crate) fn party_down_within(&self, set: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.dependents.reached_with(set, within, &self.needs)
    }

    /// Starts a walk, within `within`, to the deltas that others need.
    pub(crate) fn walk_up(&self, within: &DeltaSet) -> Walk<'_> {
        self.needs.walk(within)
    }

    /// Starts a walk, within `within`, to the deltas that depend on others.
    pub(crate) fn walk_down(&self, within: &DeltaSet) -> Walk<'_> {
        self.dependents.walk(within)
    }

    /// Returns the deltas of the set so that each comes after the ones it needs: a depth-first
    /// walk that starts from the deltas in their natural order. In a cycle one delta comes before
    /// one that it needs.
    pub(crate) fn needs_first(&self, set: &DeltaSet) -> Vec<Delta> {
        let mut open = Marks::of(set);
        let mut sorted = Vec::with_capacity(set.len());
        // The path of the depth-first walk: each delta with its needs that were not visited yet.
        let mut path: Vec<(Delta, Vec<u32>)> = Vec::new();
        for root in set.iter() {
            if open.remove(root.0) {
                path.push((root, self.needs.of(root.0).collect()));
            }
            while let Some((delta, ahead)) = path.last_mut() {
                match ahead.pop() {
                    Some(next) if open.remove(next) => {
                        path.push((Delta(next), self.needs.of(next).collect()));
                    }
                    Some(_) => {}
                    None => {
                        sorted.push(*delta);
                        path.pop();
                    }
                }
            }
        }
        sorted
    }

    fn lacks(&self, delta: Delta, there: &Marks) -> bool {
        self.needs.of(delta.0).any(|need| !there.contains(need))
    }
}

impl Foretell<DeltaSet> for Implications {
    fn foretell(&self, candidate: &DeltaSet) -> Option<Verdict> {
        self.violated_by(candidate).then_some(Verdict::Unresolved)
    }
}

impl ImplicationsBuilder {
    /// Adds that `delta` needs another one.
    pub fn add(&mut self, delta: Delta, need: Delta) {
        if delta != need {
            self.pairs.push((delta.0, need.0));
        }
    }

    /// Returns the collected implications.
    pub fn build(self) -> Implications {
        let last = self.pairs.iter().map(|&(delta, need)| delta.max(need)).max();
        let extent = last.map_or(0, |last| last + 1);
        let back = self.pairs.iter().map(|&(delta, need)| (need, delta));
        Implications {
            needs: Links::new(self.pairs.iter().copied(), extent),
            dependents: Links::new(back, extent),
            extent,
        }
    }
}

impl Links {
    /// Returns the deltas reached from a set along these links, and along the learned links of
    /// `others`.
    fn reached_with(&self, set: &DeltaSet, within: &DeltaSet, others: &Links) -> DeltaSet {
        let mut reached = self.reached(set, within);
        loop {
            let learned = others.learned.iter().filter(|(from, _)| reached.contains(Delta(**from)));
            let party = learned.fold(reached.clone(), |party, (_, to)| party.union(to));
            let party = self.reached(&party.intersection(within), within);
            if party.len() == reached.len() {
                return reached;
            }
            reached = party;
        }
    }

    /// Sorts pairs by their first delta, with a counting sort: there may be millions.
    fn new(pairs: impl ExactSizeIterator<Item = (u32, u32)> + Clone, extent: u32) -> Self {
        u32::try_from(pairs.len()).expect("fewer than 2^32 implications");
        let mut starts = vec![0; extent as usize + 1];
        for (from, _) in pairs.clone() {
            starts[from as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut targets = vec![0; pairs.len()];
        let mut next: Vec<u32> = starts.clone();
        for (from, to) in pairs {
            let place = &mut next[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        }
        Links { starts: starts.into(), targets: targets.into(), learned: Arc::default() }
    }

    fn add(&mut self, from: u32, to: &DeltaSet) {
        let learned = Arc::make_mut(&mut self.learned).entry(from).or_insert_with(DeltaSet::empty);
        *learned = learned.union(to);
    }

    fn of(&self, delta: u32) -> impl Iterator<Item = u32> + '_ {
        let place = delta as usize;
        let known = match self.starts.get(place..place + 2) {
            Some(ends) => &self.targets[ends[0] as usize..ends[1] as usize],
            None => &[],
        };
        // Most searches learn nothing and this is the innermost loop, so spare the lookup.
        let learned = if self.learned.is_empty() { None } else { self.learned.get(&delta) };
        known.iter().copied().chain(learned.into_iter().flat_map(|set| set.iter().map(|d| d.0)))
    }

    fn walk(&self, within: &DeltaSet) -> Walk<'_> {
        Walk { links: self, open: Marks::of(within), to_visit: Vec::new() }
    }

    fn reached(&self, set: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        if self.targets.is_empty() && self.learned.is_empty() {
            return set.clone();
        }
        let mut walk = self.walk(within);
        let mut found = Vec::new();
        for delta in set.iter() {
            walk.open.remove(delta.0);
        }
        for delta in set.iter() {
            walk.spread(delta, |delta| found.push(delta));
        }
        set.union(&found.into_iter().collect())
    }
}

impl Walk<'_> {
    /// Visits a delta and follows the links from there; calls `found` for each delta not found
    /// before.
    pub(crate) fn visit(&mut self, delta: Delta, mut found: impl FnMut(Delta)) {
        if self.open.remove(delta.0) {
            found(delta);
            self.spread(delta, found);
        }
    }

    fn spread(&mut self, delta: Delta, mut found: impl FnMut(Delta)) {
        self.to_visit.push(delta.0);
        while let Some(delta) = self.to_visit.pop() {
            for next in self.links.of(delta) {
                if self.open.remove(next) {
                    found(Delta(next));
                    self.to_visit.push(next);
                }
            }
        }
    }
}

impl Marks {
    fn of(set: &DeltaSet) -> Self {
        let mut words = vec![0; set.last().map_or(0, |last| last.0 as usize / 64 + 1)];
        for run in set.runs() {
            let (first, last) = (run.start as usize / 64, (run.end as usize - 1) / 64);
            let from = u64::MAX << (run.start % 64);
            let to = u64::MAX >> (63 - (run.end - 1) % 64);
            if first == last {
                words[first] |= from & to;
            } else {
                words[first] |= from;
                words[first + 1..last].fill(u64::MAX);
                words[last] |= to;
            }
        }
        Marks(words)
    }

    fn contains(&self, delta: u32) -> bool {
        self.0.get(delta as usize / 64).is_some_and(|word| word >> (delta % 64) & 1 == 1)
    }

    /// Removes a delta; returns whether it was in the set.
    fn remove(&mut self, delta: u32) -> bool {
        let was_in = self.contains(delta);
        if was_in {
            self.0[delta as usize / 64] &= !(1 << (delta % 64));
        }
        was_in
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::numbered;
    use proptest::prelude::*;

    fn implications(pairs: &[(u32, u32)]) -> Implications {
        let mut builder = Implications::builder();
        for &(delta, need) in pairs {
            builder.add(Delta(delta - 1), Delta(need - 1));
        }
        builder.build()
    }

    fn lesson(delta: u32, needs: &[u32]) -> Lesson {
        Lesson::Implies { delta: Delta(delta - 1), needs: numbered(needs) }
    }

    #[test]
    fn what_is_needed_comes_along_and_what_depends_goes_along() {
        let chain = implications(&[(3, 2), (2, 1), (5, 3)]);
        assert_eq!(chain.closure_up(&numbered(&[3, 9])), numbered(&[1, 2, 3, 9]));
        assert_eq!(chain.dependents(&numbered(&[2])), numbered(&[2, 3, 5]));
        assert_eq!(chain.closure_down(&numbered(&[1, 3, 4, 5])), numbered(&[1, 4]));
        assert!(chain.violated_by(&numbered(&[3])));
        assert!(!chain.violated_by(&numbered(&[1, 2, 4])));
    }

    #[test]
    fn a_circle_goes_all_or_none() {
        let circle = implications(&[(1, 4), (4, 6), (6, 1)]);
        assert_eq!(circle.closure_up(&numbered(&[4])), numbered(&[1, 4, 6]));
        assert_eq!(circle.closure_down(&numbered(&[1, 2, 4])), numbered(&[2]));
    }

    #[test]
    fn a_lesson_is_new_once() {
        let mut learned = implications(&[(2, 1)]);
        assert!(!learned.learn(&lesson(2, &[1, 2])));
        assert!(learned.learn(&lesson(9, &[2, 12])));
        assert!(!learned.learn(&lesson(9, &[12])));
        assert_eq!(learned.closure_up(&numbered(&[9])), numbered(&[1, 2, 9, 12]));
        assert_eq!(learned.mirrored().closure_up(&numbered(&[1])), numbered(&[1, 2, 9]));
    }

    #[test]
    fn long_chains_and_millions_of_implications_are_no_difficulty() {
        let count = 200_000;
        let chain = Implications::chain(count);
        let last = DeltaSet::run(count as u32 - 1..count as u32);
        assert_eq!(chain.closure_up(&last), DeltaSet::full(count));
        assert_eq!(chain.needs_first(&DeltaSet::full(count)).len(), count);
        let mut builder = Implications::builder();
        for delta in 10..count as u32 {
            (1..=10).for_each(|back| builder.add(Delta(delta), Delta(delta - back)));
        }
        assert_eq!(builder.build().closure_up(&last), DeltaSet::full(count));
    }

    proptest! {
        #[test]
        fn closures_are_what_the_definition_says(
            pairs in prop::collection::vec((1u32..12, 1u32..12), 0..16),
            late in prop::collection::vec((1u32..12, 1u32..12), 0..4),
            members in prop::collection::btree_set(1u32..12, 0..12),
        ) {
            let mut store = implications(&pairs);
            for &(delta, need) in &late {
                store.learn(&lesson(delta, &[need]));
            }
            let all: Vec<(u32, u32)> = pairs.into_iter().chain(late).collect();
            let set = numbered(&members.iter().copied().collect::<Vec<_>>());
            let has = |set: &DeltaSet, delta: u32| set.contains(Delta(delta - 1));
            let whole = |set: &DeltaSet| all.iter().all(|&(d, n)| !has(set, d) || has(set, n));
            prop_assert_eq!(store.violated_by(&set), !whole(&set));
            let (mut up, mut down) = (set.clone(), set.clone());
            for _ in 0..all.len() {
                for &(delta, need) in &all {
                    if has(&up, delta) {
                        up = up.union(&numbered(&[need]));
                    }
                    if !has(&down, need) {
                        down = down.minus(&numbered(&[delta]));
                    }
                }
            }
            prop_assert_eq!(store.closure_up(&set), up);
            prop_assert_eq!(store.closure_down(&set), down.clone());
            let mirror = DeltaSet::full(11).minus(&set);
            prop_assert_eq!(store.mirrored().closure_up(&mirror), DeltaSet::full(11).minus(&down));
            let sorted = store.needs_first(&set);
            prop_assert_eq!(sorted.iter().copied().collect::<DeltaSet>(), set);
        }
    }
}
