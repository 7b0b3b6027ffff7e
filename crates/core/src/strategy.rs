//! The strategy for changes, as one search: which changes cause the failure, and which must be undone.
//!
//! A [`Strategy`] holds everything that is known before the first question: the places of the changes, which
//! changes need which, and the [`Knowledge`] from the first runs. Its functions are scripts (see
//! [`Scripted`]): they ask one search after the other, and look-ahead crosses from one to the next.
//!
//! - [`closure`](Strategy::closure) finds the culprit from the good end: first among the changes that the
//!   tests point at, then by files, functions and lines.
//! - [`undo`](Strategy::undo) searches from the bad end for a few changes to undo.
//! - [`with_fix`](Strategy::with_fix) finds the changes of the bad version that must be undone.
//!
//! [`Scripted`]: crate::Scripted

mod first_suspects;
mod gated;
mod goal;
mod groups;
mod growing;
mod guesses;
mod knowledge;
mod layout;
mod levels;
mod needs;
mod one_question;
mod patient;
mod undo;
mod ways;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use gated::{Gated, Mending};
pub use goal::Goal;
pub use groups::{Coarseness, Grouped, Groups};
pub use knowledge::Knowledge;
pub use layout::{Layout, Place};
pub use levels::Remainder;
pub use needs::{Need, Needs, Sureness};
pub use patient::{Patient, Persistence};

use crate::searches::{Fix, SmallestUndo, Undoable, Unit, UnitBoundary};
use crate::{Aim, Delta, DeltaSet, Run, Search, Task, Verdict, Waits};
use goal::GoalSearch;
use one_question::OneQuestion;
use undo::Undo;

/// A culprit of at most this many changes can be read at once. For a larger one, the bad version is
/// searched as well, for a few changes to undo.
pub const READ_AT_ONCE: usize = 10;

/// How long [`SmallestUndo`] continues: questions in a row without success, how often that count starts
/// again because half of the suspect weight was cleared, and questions in all.
#[derive(Clone, Copy)]
struct UndoLimits {
    patience: usize,
    halvings: u32,
    questions: usize,
}

/// The limits near the bad version. After five halvings 3 % of the suspect weight is left.
const UNDO: UndoLimits = UndoLimits { patience: 60, halvings: 5, questions: usize::MAX };

/// The limits for making a large undo smaller, for each level of groups. Chosen by hand.
const LESS_UNDONE: UndoLimits = UndoLimits { patience: 36, halvings: 5, questions: 150 };

/// The weight of a change for which the knowledge has none, such as a comment. A change of code that
/// nothing points at weighs 1. Chosen by hand.
const UNSUSPECTED: f64 = 0.01;

/// The changes among which the strategy searches for a cause, and the knowledge about them; see the
/// module's text.
#[derive(Clone)]
pub struct Strategy<'a> {
    /// The places of the changes.
    pub layout: &'a Arc<Layout>,
    /// Which changes need which.
    pub needs: &'a Needs,
    /// Further knowledge about the changes.
    pub knowledge: Arc<dyn Knowledge>,
    /// The commit of each change, if they are grouped by it.
    pub labels: Option<&'a [u32]>,
    /// How fine the answer must be.
    pub finest: Finest,
    /// The outcome that the changes must reach.
    pub goal: Goal,
    /// Changes that are known to reach the goal together.
    pub failing: DeltaSet,
    /// How many questions without success each search may ask.
    pub persistence: Persistence,
    /// Whether the search ends at a level that was given up, because the caller has another way to continue.
    pub yields: bool,
    /// Whether the good version passes. In a history it may show another value instead; then undoing all
    /// changes is no fix.
    pub good_passes: bool,
}

/// How fine an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finest {
    /// Single changes, without coarser levels before them, because each change is a file or a commit.
    Whole,
    /// Files.
    File,
    /// Functions, types and other definitions.
    Item,
    /// Hunks.
    Hunk,
    /// Single changes.
    Single,
}

impl Finest {
    /// Returns the finest level, and the coarser levels that are searched before it.
    fn levels(self) -> (Coarseness, &'static [Coarseness]) {
        use Coarseness::{Files, Hunks, Items, Single};
        match self {
            Finest::Whole => (Single, &[]),
            Finest::File => (Files, &[]),
            Finest::Item => (Items, &[Files]),
            Finest::Hunk => (Hunks, &[Files, Items]),
            Finest::Single => (Single, &[Files, Items]),
        }
    }
}

/// The changes that cause the failure.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// The changes.
    pub changes: DeltaSet,
    /// Further changes of the bad version that must be present.
    pub with: DeltaSet,
    /// Whether each change is needed.
    pub is_smallest: bool,
    /// The changes that must be undone for the bad version to pass, if the search came upon them.
    pub undo: Option<DeltaSet>,
}

impl Culprit {
    /// Makes a culprit of changes that need no others.
    pub fn alone(left: Remainder) -> Self {
        let Remainder { suspects: changes, is_smallest, .. } = left;
        Culprit { changes, with: DeltaSet::empty(), is_smallest, undo: None }
    }
}

/// The changes that must be undone for the failure to disappear.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The changes. Undoing all of them counts only if all are the culprit.
    pub changes: Option<DeltaSet>,
    /// Whether nothing is left to ask.
    pub is_finished: bool,
}

impl Repair {
    /// Returns whether changes to undo are known, or the search for them is finished.
    pub fn is_settled(&self) -> bool {
        self.changes.is_some() || self.is_finished
    }

    /// Returns the repair with fewer changes; `other` if this one has none.
    pub fn or_smaller(self, other: Repair) -> Repair {
        match (&self.changes, &other.changes) {
            (Some(this), Some(that)) if this.len() <= that.len() => self,
            (Some(_), None) => self,
            (_, Some(_)) | (None, None) => other,
        }
    }
}

impl Strategy<'_> {
    /// Runs a search over changes until it is done.
    pub fn ask<S>(
        &self,
        run: &mut Run<DeltaSet>,
        aim: Aim,
        among: usize,
        search: impl FnOnce() -> S,
    ) -> Result<S, Waits>
    where
        S: Search<Candidate = DeltaSet> + Send + Sync + 'static,
    {
        let aim = match self.goal {
            Goal::Fail => aim,
            Goal::Restore | Goal::Answer | Goal::Pass => Aim::Port,
        };
        let mending = if aim == Aim::Smallest { Mending::None } else { Mending::Along };
        let gated = run.ask(Task { aim, among }, || {
            let search = GoalSearch { search: search(), goal: self.goal };
            Gated::new(search, self.layout, &self.knowledge, mending)
        })?;
        Ok(gated.search.search)
    }

    /// Returns each change as a group, in order.
    pub fn singles(&self) -> Arc<Groups> {
        Arc::new(self.layout.groups(&self.failing, |_| Coarseness::Single))
    }

    /// Runs a search over groups for the culprit.
    pub fn over_groups<S>(
        &self,
        run: &mut Run<DeltaSet>,
        groups: &Arc<Groups>,
        search: impl FnOnce() -> S,
    ) -> Result<S, Waits>
    where
        S: Search<Candidate = DeltaSet> + Send + Sync + 'static,
    {
        let search = || Grouped::new(search(), groups);
        Ok(self.ask(run, Aim::Culprit, groups.count(), search)?.search)
    }

    /// Returns `found`, the result of a published algorithm, if it fails by itself; else `best`, the smallest
    /// set that was seen to fail. `dd` and `dd_plus` leave out of their result the changes that had to stay
    /// applied for the tests, although the failure may need them.
    pub fn seen(
        &self,
        run: &mut Run<DeltaSet>,
        found: DeltaSet,
        best: DeltaSet,
    ) -> Result<DeltaSet, Waits> {
        if found == best || self.guess(run, &self.failing, || vec![found.clone()])? == found {
            return Ok(found);
        }
        Ok(best)
    }

    /// Asks about one set; `None` if the run asks no more questions.
    pub fn verdict(
        &self,
        run: &mut Run<DeltaSet>,
        set: &DeltaSet,
    ) -> Result<Option<Verdict>, Waits> {
        let one = || OneQuestion { set: set.clone(), verdict: None };
        Ok(self.ask(run, Aim::Culprit, set.len(), one)?.verdict)
    }

    /// Returns some changes together with all changes that they are believed to need.
    pub fn with_needs(&self, changes: &DeltaSet) -> DeltaSet {
        self.needs.believed.closure_up_within(changes, &self.failing)
    }

    /// Searches files, then the functions in them, then the finest level that was asked for.
    pub fn closure(&self, run: &mut Run<DeltaSet>) -> Result<Remainder, Waits> {
        let before = run.answers();
        let mut suspects = self.first_suspects(run)?;
        let is_tangled = (run.answers() - before).are_mostly_unresolved();
        if let Some(labels) = self.labels {
            let commit = |delta: Delta| Coarseness::Label(labels[delta.0 as usize]);
            suspects = self.narrow(run, &suspects, &commit)?.suspects;
        }
        self.by_levels(run, suspects, is_tangled)
    }

    /// Searches for the changes that must be undone. With `is_thorough`, makes them fewer if neither they
    /// nor the culprit can be read at once.
    pub fn with_fix(
        &self,
        run: &mut Run<DeltaSet>,
        mut found: Culprit,
        is_thorough: bool,
    ) -> Result<(Culprit, Repair), Waits> {
        let mut fix = match &found.undo {
            Some(undo) => Repair { changes: Some(undo.clone()), is_finished: true },
            None => self.fix(run, &found.changes)?,
        };
        let is_large = |it: &DeltaSet| it.len() > READ_AT_ONCE;
        if let Some(large) = fix.changes.as_ref().filter(|it| is_thorough && is_large(it))
            && is_large(&found.changes)
        {
            let undo = self.less_undone(run, large.clone())?;
            if undo.len() < large.len() && found.with.is_empty() {
                let around = self.around(run, &undo, &found.changes)?;
                if around.suspects.len() < found.changes.len() {
                    (found.changes, found.is_smallest) = (around.suspects, around.is_smallest);
                }
            }
            fix.changes = Some(undo);
        }
        Ok((found, fix))
    }

    /// Makes an undo smaller: tries without comments and layout, then by functions, then by hunks. The fewer
    /// changes are undone, the nearer the candidate is to the failing version, and the more candidates can be
    /// tested.
    fn less_undone(&self, run: &mut Run<DeltaSet>, mut undo: DeltaSet) -> Result<DeltaSet, Waits> {
        let quiet = run.once(|| self.knowledge.quiet(&undo));
        let loud = undo.minus(&quiet);
        if loud.len() < undo.len() && !loud.is_empty() {
            let without = self.layout.all().minus(&loud);
            if self.verdict(run, &without)? == Some(Verdict::Pass) {
                undo = loud;
            }
        }
        for coarseness in [Coarseness::Items, Coarseness::Hunks] {
            if undo.len() <= READ_AT_ONCE || self.count_groups(run, &undo, coarseness) < 2 {
                continue;
            }
            let search = || {
                let parts = self.layout.groups(&undo, |_| coarseness).into_parts().into_iter();
                let unit = |changes| Unit { changes, weight: 1.0, boundary: UnitBoundary::Item };
                let units = parts.map(unit).collect();
                SmallestUndo::less_than_all(self.undoable_units(units, LESS_UNDONE))
            };
            let search = self.ask(run, Aim::Fix, undo.len(), search)?;
            undo = search.found().cloned().unwrap_or(undo);
        }
        Ok(undo)
    }

    /// Returns a search for the fewest of some changes that must be undone for the failure to disappear.
    pub fn undo(&self, suspects: &DeltaSet) -> Gated<SmallestUndo> {
        let weights = self.knowledge.weights(suspects);
        let search = SmallestUndo::new(self.undoable(suspects, &weights));
        Gated::new(search, self.layout, &self.knowledge, Mending::Along)
    }

    /// Makes units of some changes: one for each hunk, in the order of the files.
    fn undoable(&self, suspects: &DeltaSet, weights: &BTreeMap<Delta, f64>) -> Undoable {
        let mut last: Option<(Option<usize>, Option<u32>)> = None;
        let mut units = Vec::new();
        for changes in self.layout.groups(suspects, |_| Coarseness::Hunks).into_parts() {
            let of = |delta: Delta| weights.get(&delta).copied().unwrap_or(UNSUSPECTED);
            let weight = changes.iter().map(of).fold(0.0, f64::max);
            let place = changes.first().map(|delta| self.layout.place(delta));
            let place = place.map(|part| (part.file, part.item));
            let boundary = match (last, place) {
                (Some((file, _)), Some((other, _))) if file != other => UnitBoundary::File,
                (Some((_, Some(item))), Some((_, Some(other)))) if item == other => {
                    UnitBoundary::Hunk
                }
                (Some(_), Some(_)) => UnitBoundary::Item,
                _ => UnitBoundary::File,
            };
            last = place;
            units.push(Unit { changes, weight, boundary });
        }
        self.undoable_units(units, UNDO)
    }

    fn undoable_units(&self, units: Vec<Unit>, limits: UndoLimits) -> Undoable {
        Undoable {
            all: self.layout.all(),
            units,
            believed: self.needs.all.clone(),
            certain: self.needs.certain.clone(),
            patience: self.persistence.times(limits.patience),
            halvings: limits.halvings,
            most: self.persistence.times(limits.questions),
        }
    }

    /// Returns a set together with the changes that it lacks to parse.
    pub fn mended(&self, set: &DeltaSet) -> DeltaSet {
        self.knowledge.mended(set).unwrap_or_else(|| set.clone())
    }

    /// Finds which of some failing changes are needed beside an undo. It starts from the undo with the
    /// changes that it certainly needs, or is believed to need, because these mostly fail.
    pub fn around(
        &self,
        run: &mut Run<DeltaSet>,
        undo: &DeltaSet,
        failing: &DeltaSet,
    ) -> Result<Remainder, Waits> {
        let guesses = || {
            let certain = self.needs.certain.closure_up_within(undo, failing).union(undo);
            let believed = self.needs.believed_within(undo, failing).union(undo);
            let mended = self.mended(&believed).intersection(failing);
            vec![certain.intersection(failing), mended]
        };
        let suspects = self.guess(run, failing, guesses)?;
        if suspects == *failing {
            return Ok(Remainder::new(suspects, false));
        }
        let onward = Strategy { yields: false, ..self.clone() };
        onward.by_levels(run, suspects, false)
    }

    /// Searches for the changes that must be undone for the failure to disappear.
    pub fn fix(&self, run: &mut Run<DeltaSet>, culprit: &DeltaSet) -> Result<Repair, Waits> {
        let all = self.layout.all();
        let undo = self.ask(run, Aim::Fix, all.len(), || {
            let read = self.knowledge.read(&all).pop().unwrap_or_else(DeltaSet::empty);
            Undo::new(all.clone(), self.ways_to_undo(culprit, &read))
        })?;
        if let Some(found) = undo.found() {
            return Ok(Repair { changes: Some(found), is_finished: true });
        }
        let groups = run.once(|| Arc::new(self.around_culprit(culprit)));
        let fix = self.ask(run, Aim::Fix, all.len(), || {
            let changes = groups.change_set(self.needs.believed());
            let fix = Grouped::new(Fix::new(changes, groups.of(culprit)), &groups);
            Patient::hasty(fix, groups.count(), self.persistence)
        })?;
        let left_out = groups.changes(&fix.search.search.left_out());
        // Undoing everything gives the good version, which is a fix only if all changes are the culprit.
        let is_answer = *culprit == all && self.good_passes;
        let changes = (left_out != all || is_answer).then_some(left_out);
        Ok(Repair { changes, is_finished: fix.is_finished() })
    }

    /// Groups all changes: each change of the culprit by itself, other changes of its files by hunks, and
    /// other files as a whole.
    fn around_culprit(&self, culprit: &DeltaSet) -> Groups {
        let files: BTreeSet<Option<usize>> =
            culprit.iter().map(|delta| self.layout.place(delta).file).collect();
        let coarseness = |delta: Delta| {
            if culprit.contains(delta) {
                Coarseness::Single
            } else if files.contains(&self.layout.place(delta).file) {
                Coarseness::Hunks
            } else {
                Coarseness::Files
            }
        };
        self.layout.groups(&self.layout.all(), coarseness)
    }
}
