//! `sweep`: minimises a tree in one walk from right to left. The default for trees.
//!
//! Group testing as in `blocks`, on subtrees weighted by their tokens: it tries to leave out a row
//! of nodes with a chance of about one half. Where that does not fail, it finds the longest part of
//! the row that can be left out, and with it one node that cannot. For that node it tries the other
//! edits: its minimal string, a descendant in its place, the items of a list that it holds. Then
//! the walk continues below the node. Walks are repeated until no edit of a single shown node is
//! possible, so the result is 1-tree-minimal, and minimal under the substitutions of
//! [`TreeCandidate::in_place`], for any oracle. The idea of substituting descendants is from Perses
//! (Sun and others, 2018); the order is not: programs define things before they use them, so the
//! last nodes are tried first.

mod cursor;
mod group;
mod walk;

use std::collections::HashSet;
use std::sync::Arc;

use crate::searches::Certify;
use crate::searches::density::{Density, SINGLES};
use crate::searches::sweep::cursor::Cursor;
use crate::searches::sweep::group::{Group, chance_within};
use crate::searches::sweep::walk::{Course, Walk};
use crate::{Answer, Delta, DeltaSet, Edit, Search, Step, Tree, TreeCandidate};

/// A child with more than this share of a node that cannot be left out is entered without asking:
/// the answer would nearly always be a pass, and the last walk asks anyway.
const NEARLY_ALL: f64 = 0.9;

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Sweep {
    tree: Tree,
    /// The smallest candidate known to fail.
    current: TreeCandidate,
    /// Shown nodes of which every single edit is known to lose the failure of `current`.
    settled: DeltaSet,
    /// Nodes whose substitutes were asked about before.
    tried: DeltaSet,
    density: Density,
    /// The same among nodes whose neighbour could not be left out, counted in nodes instead of
    /// tokens: needed nodes come in clusters, and where just enough items are left to reach a
    /// count, none of them can be removed.
    beside_needed: Density,
    /// Items of lists that could not be left out when the lists were looked at.
    needed_items: DeltaSet,
    /// Lists whose items are looked at before the rest, the first one last.
    lists: Arc<[Delta]>,
    /// How many of the lists are still to be looked at.
    lists_left: usize,
    walk: Walk,
    certify: Certify,
    probe: Probe,
}

/// The question at hand.
#[derive(Clone, Debug)]
enum Probe {
    /// Leave out everything that can be left out.
    Nothing {
        all: Group,
    },
    /// Leave out the whole group.
    Run {
        group: Group,
        chance: f64,
    },
    /// Leave out the first `middle`: leaving out the first `low` is known to fail, the first `high`
    /// not to.
    Part {
        group: Group,
        low: usize,
        middle: usize,
        high: usize,
    },
    /// Make one of the other edits of a node: shrink, hoist or splice.
    InPlace {
        edits: Arc<[Edit]>,
        next: usize,
        known: Known,
    },
    Finished,
}

/// Whether a node that the walk enters is known to be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It cannot be left out.
    Needed,
    /// That was not asked.
    Unasked,
}

impl Sweep {
    /// Starts with the whole tree, which is known to fail.
    pub fn new(tree: &Tree) -> Self {
        Self::from(tree, TreeCandidate::whole(tree))
    }

    /// Starts with a candidate that is known to fail.
    pub fn from(tree: &Tree, failing: TreeCandidate) -> Self {
        let mut search = Sweep {
            // First guess: one needed token in the whole tree.
            density: Density::new(failing.weight(tree).max(2) as f64 / 2.0),
            // Beside a needed node: one in eight, as in `blocks`.
            beside_needed: Density::new(4.0),
            needed_items: DeltaSet::empty(),
            walk: Walk::new(tree, Course::First),
            tree: tree.clone(),
            current: failing,
            settled: DeltaSet::empty(),
            tried: DeltaSet::empty(),
            lists: [].into(),
            lists_left: 0,
            certify: Certify::Full,
            probe: Probe::Finished,
        };
        let all = search.gather(search.walk.cursor, &search.pending(), |_, _| false);
        if all.len() == 0 {
            search.proceed();
        } else {
            search.probe = Probe::Nothing { all };
        }
        search
    }

    /// Looks at the items of heavy lists first, the heaviest list first. That suits formats in
    /// which nothing refers to anything else, such as JSON or logs.
    #[must_use]
    pub fn heaviest_lists_first(mut self) -> Self {
        self.lists = walk::heavy_lists(&self.tree, &self.current);
        self.lists_left = self.lists.len();
        self
    }

    /// Walks over the result of another walk: most of it is needed, so nodes are asked about one by
    /// one. Nodes in `tried` get no substitutes as long as nothing in them changes.
    #[must_use]
    pub fn over_what_is_left(mut self, tried: DeltaSet) -> Self {
        self.tried = tried;
        self.walk = Walk::new(&self.tree, Course::Later);
        self.proceed();
        self
    }

    /// Sets how much is done to prove that every survivor is needed: with [`Certify::None`] there
    /// is only one walk.
    #[must_use]
    pub fn certify(mut self, certify: Certify) -> Self {
        self.certify = certify;
        self
    }

    /// Returns the shown nodes that are not settled.
    fn pending(&self) -> DeltaSet {
        self.current.nodes().minus(&self.settled)
    }

    /// Collects the next nodes that can be left out, until there are `enough`.
    fn gather(
        &self,
        mut cursor: Cursor,
        pending: &DeltaSet,
        enough: impl Fn(usize, f64) -> bool,
    ) -> Group {
        let (tree, current) = (&self.tree, &self.current);
        let edits = std::iter::from_fn(|| {
            let can_go = |node| current.leave_out(tree, node).is_some();
            let node = cursor.find(tree, pending, self.walk.bounds(), can_go)?;
            cursor.end = node;
            current.leave_out(tree, node)
        });
        Group::gather(tree, current, edits, enough)
    }

    /// Finds the next question once the last one is settled.
    fn proceed(&mut self) {
        self.probe = Probe::Finished;
        let mut pending = self.pending();
        // The walk never comes back to a node that it has entered, so settled nodes may stay
        // pending until the next walk. Removing them one by one would copy the pending set each
        // time.
        let mut settled = Vec::new();
        while !pending.is_empty() {
            let (tree, current, course) = (&self.tree, &self.current, self.walk.course);
            // A walk that does not look into nodes has nothing to ask about fixed ones.
            let wanted = |node| course.looks_into() || current.leave_out(tree, node).is_some();
            let Some(node) = self.walk.cursor.find(tree, &pending, course.list(), wanted) else {
                if course == Course::First && self.certify == Certify::None {
                    break;
                }
                self.walk_on();
                if !settled.is_empty() {
                    self.settled = self.settled.union(&settled.drain(..).collect());
                    pending = self.pending();
                }
                continue;
            };
            self.explain(node);
            if self.current.leave_out(&self.tree, node).is_none() {
                settled.extend(self.enter(node, Known::Needed));
            } else {
                self.ask_about(node, &pending);
            }
            if !matches!(self.probe, Probe::Finished) {
                break;
            }
        }
        if !settled.is_empty() {
            self.settled = self.settled.union(&settled.into_iter().collect());
        }
    }

    /// Starts the next walk when one is over.
    fn walk_on(&mut self) {
        let after_lists = matches!(self.walk.course, Course::Items(_));
        let course = match self.lists[..self.lists_left].last() {
            Some(&list) => {
                self.lists_left -= 1;
                Course::Items(list)
            }
            None if after_lists => Course::First,
            None => Course::Later,
        };
        self.walk = Walk::new(&self.tree, course);
    }

    /// Counts the suspect itself as needed if the walk has left it without finding a reason below
    /// it.
    fn explain(&mut self, next: Delta) {
        if self.walk.suspect.is_some_and(|suspect| !self.tree.is_within(next, suspect)) {
            self.walk.suspect = None;
            self.density.needed += 1.0;
        }
    }

    /// Asks about a node that can be left out, together with the next ones; or enters it without
    /// asking if it is nearly all of a node that cannot be left out.
    fn ask_about(&mut self, node: Delta, pending: &DeltaSet) {
        let cursor = self.walk.cursor;
        if self.walk.course == Course::Later {
            let stride = self.walk.stride;
            let group = self.gather(cursor, pending, |count, _| count >= stride);
            // Nearly all remaining nodes were needed before.
            self.probe = Probe::Run { group, chance: 0.1 };
            return;
        }
        let whole = self.walk.suspect.map(|suspect| self.weight_ahead(suspect));
        let share = whole.map(|whole| self.current.weight_below(&self.tree, node) as f64 / whole);
        if share.is_some_and(|share| share > NEARLY_ALL) {
            self.look_into(node, Known::Unasked);
            return;
        }
        if self.walk.course == Course::First && self.needed_items.contains(node) {
            self.walk.suspect = Some(node);
            self.look_into(node, Known::Unasked);
            return;
        }
        let density = &self.density;
        let beside = self.is_beside_needed(node).then(|| self.beside_needed.mean());
        if beside.is_some_and(|needed| needed >= SINGLES) {
            let group = self.gather(cursor, pending, |count, _| count >= 1);
            self.probe = Probe::Run { group, chance: 1.0 - self.beside_needed.mean() };
            return;
        }
        let chance_of = |weight: f64| match whole {
            Some(whole) => chance_within(density, weight, whole),
            None => density.survival(weight),
        };
        // Golomb's optimum, as in `blocks`.
        let target = (2.0 - density.mean()).recip() / (1.0 - beside.unwrap_or(0.0));
        let is_enough = |count, weight| count > 0 && chance_of(weight) < target;
        let group = self.gather(cursor, pending, is_enough);
        let group = group.first(group.split(0, group.len(), target, chance_of));
        let chance = chance_of(group.weight(0..group.len())).clamp(0.0, 1.0);
        self.probe = Probe::Run { group, chance };
    }

    /// Returns whether the next sibling is still shown although the grammar lets it be left out.
    /// The walk goes from right to left, so that sibling was probably found to be needed.
    fn is_beside_needed(&self, node: Delta) -> bool {
        let siblings = self.tree.parent(node).map_or(&[][..], |above| self.tree.children(above));
        let after = siblings.partition_point(|&sibling| sibling <= node);
        siblings.get(after).is_some_and(|&next| {
            self.current.shows(next) && self.current.leave_out(&self.tree, next).is_some()
        })
    }

    /// Returns the weight of the part of a node that the walk has not reached.
    fn weight_ahead(&self, node: Delta) -> f64 {
        let ahead = self.current.weight_within(&self.tree, node.0..self.walk.cursor.end.0);
        (ahead as f64).max(1.0)
    }

    /// Makes the first `size` edits of a group, which are known to fail.
    fn cut(&mut self, group: &Group, size: usize) {
        if size == 0 {
            return;
        }
        self.density.dropped += group.weight(0..size);
        if self.is_beside_needed(group.edits[0].node()) {
            self.beside_needed.dropped += 1.0;
        }
        self.make(&group.edits[..size]);
        self.walk.cursor.end = group.edits[size - 1].node();
    }

    fn make(&mut self, edits: &[Edit]) {
        self.current = self.current.with(&self.tree, edits);
        self.settled = DeltaSet::empty();
        if !self.tried.is_empty() {
            let mut changed = HashSet::new();
            for edit in edits {
                let mut above = Some(edit.node());
                // Where an earlier edit came by, the nodes further up are marked already.
                while let Some(node) = above.filter(|&node| changed.insert(node)) {
                    above = self.tree.parent(node);
                }
            }
            self.tried = self.tried.minus(&changed.into_iter().collect());
        }
    }

    /// Continues after the first `low` edits of a group can be made and the first `high` cannot.
    fn narrow(&mut self, group: Group, low: usize, high: usize) {
        if high - low > 1 {
            let whole = group.weight(low..high);
            let chance_of = |weight| chance_within(&self.density, weight, whole);
            let middle = group.split(low, high - 1, 0.5, chance_of);
            self.probe = Probe::Part { group, low, middle, high };
            return;
        }
        self.cut(&group, low);
        self.refuse(group.edits[low].node());
    }

    /// Continues after a node that cannot be left out.
    fn refuse(&mut self, node: Delta) {
        self.walk.stride = 1;
        self.probe = Probe::Finished;
        if self.is_beside_needed(node) {
            self.beside_needed.needed += 1.0;
        }
        match self.walk.course {
            Course::Items(_) => {
                self.density.needed += 1.0;
                self.needed_items = self.needed_items.union(&DeltaSet::run(node.0..node.0 + 1));
                self.walk.cursor.end = node;
            }
            Course::First => {
                self.walk.suspect = Some(node);
                self.look_into(node, Known::Needed);
            }
            Course::Later => self.look_into(node, Known::Needed),
        }
        if matches!(self.probe, Probe::Finished) {
            self.proceed();
        }
    }

    /// Enters a node and asks about its other edits.
    fn look_into(&mut self, node: Delta, known: Known) {
        if let Some(node) = self.enter(node, known) {
            self.settle(node, known);
        }
    }

    /// Like `look_into`, but leaves it to the caller to settle the node: returns a needed node that
    /// has no other edit.
    fn enter(&mut self, node: Delta, known: Known) -> Option<Delta> {
        self.walk.cursor = Cursor::below(&self.tree, node);
        let mut edits = self.current.in_place(&self.tree, node);
        if self.tried.contains(node) {
            // Shrinking is another way to remove the node, so it is part of the proof.
            edits.retain(|edit| matches!(edit, Edit::Shrink(_)));
        }
        let edits: Arc<[Edit]> = edits.into();
        if edits.is_empty() {
            return (known == Known::Needed).then_some(node);
        }
        self.probe = Probe::InPlace { edits, next: 0, known };
        None
    }

    fn settle(&mut self, node: Delta, known: Known) {
        if known == Known::Needed {
            self.settled = self.settled.union(&DeltaSet::run(node.0..node.0 + 1));
        }
    }

    /// Continues after an edit in place was made.
    fn replace(&mut self, edit: Edit) {
        let before = self.current.weight(&self.tree);
        let above = self.tree.parent(edit.node());
        self.make(&[edit]);
        self.density.dropped += (before - self.current.weight(&self.tree)) as f64;
        self.probe = Probe::Finished;
        match edit {
            Edit::Hoist { shown, .. } => self.look_into(shown, Known::Unasked),
            Edit::Splice { .. } => self.walk.cursor.inside = above,
            Edit::Drop(node) | Edit::Shrink(node) => self.walk.cursor.end = node,
        }
        if matches!(self.probe, Probe::Finished) {
            self.proceed();
        }
    }
}

impl Search for Sweep {
    type Candidate = TreeCandidate;

    fn step(&self) -> Step<TreeCandidate> {
        let edits = match &self.probe {
            Probe::Nothing { all: group } | Probe::Run { group, .. } => &group.edits[..],
            Probe::Part { group, middle, .. } => &group.edits[..*middle],
            Probe::InPlace { edits, next, .. } => &edits[*next..=*next],
            Probe::Finished => return Step::Done,
        };
        Step::Ask(self.current.with(&self.tree, edits))
    }

    fn learn(&mut self, answer: &Answer) {
        let goes = answer.verdict.is_fail();
        match self.probe.clone() {
            Probe::Nothing { all } if goes => {
                self.cut(&all, all.len());
                self.walk_on();
                self.proceed();
            }
            Probe::Nothing { .. } if self.lists_left > 0 => {
                self.walk_on();
                self.proceed();
            }
            Probe::Nothing { all } if all.len() == 1 => self.refuse(all.edits[0].node()),
            Probe::Nothing { .. } => {
                self.walk.suspect = Some(self.tree.root());
                self.proceed();
            }
            Probe::Run { group, .. } if goes => {
                self.cut(&group, group.len());
                self.walk.stride = group.len() * 2;
                self.proceed();
            }
            Probe::Run { group, .. } => self.narrow(group.clone(), 0, group.len()),
            Probe::Part { group, middle, high, .. } if goes => self.narrow(group, middle, high),
            Probe::Part { group, low, middle, .. } => self.narrow(group, low, middle),
            Probe::InPlace { edits, next, .. } if goes => self.replace(edits[next]),
            Probe::InPlace { edits, next, known } if next + 1 < edits.len() => {
                self.probe = Probe::InPlace { edits, next: next + 1, known };
            }
            Probe::InPlace { edits, next, known } => {
                self.settle(edits[next].node(), known);
                self.proceed();
            }
            Probe::Finished => {}
        }
    }

    fn best(&self) -> TreeCandidate {
        match &self.probe {
            Probe::Part { group, low, .. } if *low > 0 => {
                self.current.with(&self.tree, &group.edits[..*low])
            }
            _ => self.current.clone(),
        }
    }

    fn likely(&self) -> f64 {
        match &self.probe {
            Probe::Nothing { .. } => 0.05,
            Probe::Run { chance, .. } => *chance,
            Probe::Part { .. } => 0.5,
            Probe::InPlace { .. } => 0.1,
            Probe::Finished => 0.0,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
