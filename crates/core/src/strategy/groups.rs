//! A search over groups of changes: files first, then the functions in them, then lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::searches::{Boundaries, ChangeSet, Weights};
use crate::{Answer, Delta, DeltaSet, Implications, Lesson, Search, Step};

/// How coarse groups are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarseness {
    /// All changes with this label, such as those of one commit.
    Label(u32),
    /// All changes of a file.
    Files,
    /// All changes of a function or the like.
    Items,
    /// All changes of a hunk.
    Hunks,
    /// Each change by itself.
    Single,
}

/// Changes in groups, in order.
#[derive(Debug)]
pub struct Groups {
    groups: Vec<DeltaSet>,
    /// The group of each delta.
    group_of: BTreeMap<Delta, u32>,
    boundaries: Vec<u8>,
}

impl Groups {
    /// Groups some changes: those with the same name form a group. `order` holds all changes, each
    /// with the strength of the boundary before it.
    pub(super) fn new(
        order: impl Iterator<Item = (Delta, u8)>,
        changes: &DeltaSet,
        name: impl Fn(Delta) -> (Option<usize>, u64),
    ) -> Self {
        let mut numbers: BTreeMap<(Option<usize>, u64), usize> = BTreeMap::new();
        let mut members: Vec<Vec<Delta>> = Vec::new();
        let mut boundaries: Vec<u8> = Vec::new();
        // The strongest boundary since the last grouped change.
        let mut boundary = u8::MAX;
        for (delta, gap) in order {
            boundary = boundary.max(gap);
            if !changes.contains(delta) {
                continue;
            }
            let number = *numbers.entry(name(delta)).or_insert(members.len());
            if number == members.len() {
                members.push(Vec::new());
                boundaries.push(boundary);
            }
            members[number].push(delta);
            boundary = 0;
        }
        let numbered = (0u32..).zip(&members);
        let group_of = numbered.flat_map(|(at, group)| group.iter().map(move |&delta| (delta, at)));
        Groups {
            group_of: group_of.collect(),
            groups: members.into_iter().map(DeltaSet::from_iter).collect(),
            boundaries,
        }
    }

    /// Takes groups that may share changes; each comes with the changes that are its own.
    pub fn overlapping(groups: impl IntoIterator<Item = (DeltaSet, DeltaSet)>) -> Self {
        let (groups, heads): (Vec<DeltaSet>, Vec<DeltaSet>) = groups.into_iter().unzip();
        let mut group_of = BTreeMap::new();
        // A shared change belongs to the first group that has it, unless it is another group's own.
        for sets in [&heads, &groups] {
            for (at, set) in (0u32..).zip(sets) {
                set.iter().for_each(|delta| {
                    group_of.entry(delta).or_insert(at);
                });
            }
        }
        Groups { boundaries: vec![0; groups.len()], group_of, groups }
    }

    /// Returns how many groups there are.
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// Returns all groups, in order.
    pub fn parts(&self) -> &[DeltaSet] {
        &self.groups
    }

    /// Takes the groups out, in order.
    pub fn into_parts(self) -> Vec<DeltaSet> {
        self.groups
    }

    /// Returns the changes of some groups.
    pub fn changes(&self, groups: &DeltaSet) -> DeltaSet {
        groups.iter().flat_map(|group| self.groups[group.0 as usize].runs()).collect()
    }

    /// Returns the changes of the first groups.
    pub fn first(&self, count: usize) -> DeltaSet {
        self.changes(&DeltaSet::full(count))
    }

    /// Returns how many groups lie within some changes.
    pub fn within(&self, changes: &DeltaSet) -> usize {
        self.groups.iter().filter(|group| group.is_subset(changes)).count()
    }

    /// Returns the groups of some changes; changes without a group are left out.
    pub fn of(&self, changes: &DeltaSet) -> DeltaSet {
        changes.iter().filter_map(|delta| self.group(delta)).collect()
    }

    fn group(&self, delta: Delta) -> Option<Delta> {
        self.group_of.get(&delta).map(|&group| Delta(group))
    }

    /// Returns all groups as the deltas of a change set, with their needs.
    pub fn change_set(&self, needs: impl Iterator<Item = (Delta, Delta)>) -> ChangeSet {
        let mut implications = Implications::builder();
        for (delta, need) in needs {
            if let (Some(delta), Some(need)) = (self.group(delta), self.group(need))
                && delta != need
            {
                implications.add(delta, need);
            }
        }
        ChangeSet {
            failing: DeltaSet::full(self.count()),
            implications: implications.build(),
            boundaries: Boundaries::from_levels(self.boundaries.iter().copied()),
            weights: Weights::equal(),
        }
    }
}

/// Turns a search over groups into one over the changes in them.
#[derive(Clone)]
pub struct Grouped<S> {
    /// The search.
    pub search: S,
    groups: Arc<Groups>,
}

impl<S> Grouped<S> {
    /// Takes the elements of a search as groups.
    pub fn new(search: S, groups: &Arc<Groups>) -> Self {
        Grouped { search, groups: groups.clone() }
    }
}

impl<S: Search<Candidate = DeltaSet>> Search for Grouped<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.search.step().map(|groups| self.groups.changes(&groups))
    }

    fn learn(&mut self, answer: &Answer) {
        let lessons = answer.lessons.iter().filter_map(|lesson| {
            let Lesson::Implies { delta, needs } = lesson else { return Some(lesson.clone()) };
            let delta = self.groups.group(*delta)?;
            // A need within the group, which may share changes with others, is none.
            let needs = needs.minus(&self.groups.groups[delta.0 as usize]);
            let needs = self.groups.of(&needs);
            (!needs.is_empty()).then_some(Lesson::Implies { delta, needs })
        });
        let lessons = lessons.collect();
        self.search.learn(&Answer { verdict: answer.verdict, lessons });
    }

    fn best(&self) -> DeltaSet {
        self.groups.changes(&self.search.best())
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}
