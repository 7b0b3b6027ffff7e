//! `smallest_undo`: finds the fewest changes that must be undone for a failure to disappear.
//!
//! It works next to the version that fails. Half-way mixtures of two versions can hardly ever be
//! tested, but the failing version without a few neighbouring changes mostly can. The search undoes
//! changes in groups of neighbours. If the version still fails without a group, the group is cleared.
//! If a group cannot be tested, the error tells which changes must be undone with it, or the group is
//! cut into parts. If the version passes without a group, the answer is in that group, and [`Blocks`]
//! narrows it, first by units, then by single changes.
//!
//! The next group is the most promising one: its suspect weight times the share of groups of its size
//! that could be tested so far. If no single group is enough, the cleared groups are undone together,
//! because a failure may have several causes, each of which is sufficient.

use std::ops::Range;
use std::sync::Arc;

use crate::searches::Blocks;
use crate::{Answer, Delta, DeltaSet, Implications, Lesson, Search, Step, Verdict};

/// The number of units in a group at which half of the groups can be tested, before any was. Measured on
/// real pairs of releases: eight neighbouring hunks can be undone in one to two thirds of the cases.
const HALF_TESTABLE: f64 = 12.0;

/// The number of tests that this expectation counts for.
const EXPECTATION: f64 = 2.0;

/// How often a group is asked about again together with changes that depend on it. A second error mostly
/// means that half of the version would have to be undone.
const RETRIES: u8 = 1;

/// A group of at most this many functions is cut into its functions, a larger one into halves. A single
/// function can be undone more often than several that refer to each other.
const FEW_PARTS: usize = 16;

/// How far a cut between functions may be from the middle of the weight to be better than a cut within a
/// function, as a share of the weight. Chosen by hand.
const OFF_CENTRE: f64 = 0.25;

/// A group may grow to this many times its changes by those that are believed to depend on it. Beyond that
/// only changes that certainly depend on it are added. An error may always add this many changes.
const SPREAD: usize = 6;

/// An answer of at most this many changes is narrowed change by change, a larger one by units only.
/// Narrowing may ask at least this many questions without success.
const SINGLY: usize = 64;

/// Changes that are undone together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The changes.
    pub changes: DeltaSet,
    /// How suspect they are, relative to other units.
    pub weight: f64,
    /// The boundary to the unit before it. Groups never span files, and are cut between functions
    /// if they can be.
    pub boundary: UnitBoundary,
}

/// The boundary between two neighbouring units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitBoundary {
    /// Both are in the same function.
    Hunk,
    /// They are in different functions, or in none.
    Item,
    /// They are in different files.
    File,
}

/// The changes that may be undone.
#[derive(Clone, Debug)]
pub struct Undoable {
    /// All changes; together they fail.
    pub all: DeltaSet,
    /// Some of the changes as units, in the order of the files.
    pub units: Vec<Unit>,
    /// Which changes are believed to need which.
    pub believed: Implications,
    /// Which changes certainly need which.
    pub certain: Implications,
    /// How many questions in a row without a pass end the search for a group, or the narrowing of it.
    pub patience: usize,
    /// How often that count starts again because half of the suspect weight was cleared.
    pub halvings: u32,
    /// How many questions are asked in all, including those that narrow the answer.
    pub most: usize,
}

/// The search; see the module's text. Its result is [`found`](SmallestUndo::found).
#[derive(Clone, Debug)]
pub struct SmallestUndo {
    ground: Arc<Undoable>,
    /// The groups that may be asked about; the current one is the last.
    open: Vec<Group>,
    /// By the number of bits of a group's unit count: how many such groups were asked about, and how many
    /// of them could be tested.
    testable: Vec<(u32, u32)>,
    /// Questions since the last pass, the last halving of the suspect weight, or the start of narrowing.
    in_vain: usize,
    /// How often half of the suspect weight was cleared.
    halved: u32,
    /// The open weight at the last halving, and the weight that was cleared since.
    open_weight: f64,
    cleared_weight: f64,
    /// All questions so far.
    questions: usize,
    /// Units without which the version still fails.
    cleared: Vec<usize>,
    /// The smallest candidate known to fail.
    best: DeltaSet,
    /// The smallest set known to make the version pass if it is undone.
    found: Option<DeltaSet>,
    /// The units that contain `found`.
    suspects: Vec<usize>,
    state: State,
}

#[derive(Clone, Debug)]
struct Group {
    units: Range<usize>,
    weight: f64,
}

#[derive(Clone, Debug)]
enum State {
    /// Undoes one group after the other, the current one together with `also`.
    Sweeping {
        also: DeltaSet,
        retries: u8,
    },
    /// Undoes cleared groups together; the ranges are places in `cleared`, the next one last.
    Together {
        ranges: Vec<Range<usize>>,
    },
    /// Restores changes that need not be undone.
    Narrowing {
        pieces: Arc<[DeltaSet]>,
        closing: Closing,
        blocks: Blocks,
    },
    Done,
}

impl State {
    fn narrowing(pieces: Arc<[DeltaSet]>, closing: Closing) -> Self {
        let blocks = Blocks::new(pieces.len()).skip_empty();
        State::Narrowing { pieces, closing, blocks }
    }
}

/// Which further changes are undone along with some changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// Those that are believed to depend on them.
    Dependents,
    Nothing,
}

impl SmallestUndo {
    /// Starts from changes that fail.
    pub fn new(ground: Undoable) -> Self {
        let count = ground.units.len();
        let starts = ground.units.iter().enumerate().skip(1);
        let starts =
            starts.filter(|(_, unit)| unit.boundary == UnitBoundary::File).map(|(place, _)| place);
        let mut ends: Vec<usize> = std::iter::once(0).chain(starts).chain([count]).collect();
        ends.dedup();
        let state = State::Sweeping { also: DeltaSet::empty(), retries: 0 };
        let mut search = SmallestUndo {
            best: ground.all.clone(),
            open: Vec::new(),
            ground: Arc::new(ground),
            testable: vec![(0, 0); usize::BITS as usize + 1],
            in_vain: 0,
            halved: 0,
            open_weight: 0.0,
            cleared_weight: 0.0,
            questions: 0,
            cleared: Vec::new(),
            found: None,
            suspects: Vec::new(),
            state,
        };
        search.open = ends.windows(2).map(|ends| search.group(ends[0]..ends[1])).collect();
        search.open_weight = search.open.iter().map(|group| group.weight).sum();
        search.choose();
        search.proceed();
        search
    }

    /// Starts from changes that fail, and that pass if all units are undone. Restores the units that need
    /// not be undone, one after the other.
    pub fn less_than_all(ground: Undoable) -> Self {
        let mut search = SmallestUndo::new(ground);
        let suspects: Vec<usize> = (0..search.ground.units.len()).collect();
        search.found = Some(search.changes(suspects.iter().copied()));
        search.state = search.put_back(&suspects);
        (search.open, search.suspects) = (Vec::new(), suspects);
        search.proceed();
        search
    }

    /// Returns the smallest set that is known to make the failure disappear if it is undone.
    pub fn found(&self) -> Option<&DeltaSet> {
        self.found.as_ref()
    }

    fn group(&self, units: Range<usize>) -> Group {
        let weight = self.ground.units[units.clone()].iter().map(|unit| unit.weight).sum();
        Group { units, weight }
    }

    /// Returns how promising a question about a group is.
    fn promise(&self, group: &Group) -> f64 {
        let count = group.units.len() as f64;
        let expected = HALF_TESTABLE / (HALF_TESTABLE + count);
        let (asked, tested) = self.testable[bits(group.units.len())];
        let chance =
            (f64::from(tested) + EXPECTATION * expected) / (f64::from(asked) + EXPECTATION);
        group.weight * chance
    }

    /// Moves the most promising group to the end; of equal ones, the first one in the files.
    fn choose(&mut self) {
        let best = self.open.iter().enumerate().max_by(|(_, this), (_, that)| {
            let promise = self.promise(this).total_cmp(&self.promise(that));
            promise.then(that.units.start.cmp(&this.units.start))
        });
        if let Some((place, _)) = best {
            let group = self.open.remove(place);
            self.open.push(group);
        }
    }

    /// Cuts units in two where about half of the weight lies on each side, between functions if
    /// there is such a place near the middle.
    fn cut(&self, units: Range<usize>) -> usize {
        let all = &self.ground.units;
        let total: f64 = all[units.clone()].iter().map(|unit| unit.weight).sum();
        let mut before = 0.0;
        let mut best = (f64::INFINITY, units.start + units.len() / 2);
        for place in units.start + 1..units.end {
            before += all[place - 1].weight;
            let lopsided = (before / total.max(f64::MIN_POSITIVE) - 0.5).abs();
            let is_within = all[place].boundary == UnitBoundary::Hunk;
            let cost = if is_within { lopsided + OFF_CENTRE } else { lopsided };
            if cost < best.0 {
                best = (cost, place);
            }
        }
        best.1
    }

    fn changes(&self, units: impl IntoIterator<Item = usize>) -> DeltaSet {
        let units = units.into_iter().flat_map(|unit| self.ground.units[unit].changes.runs());
        units.collect()
    }

    /// Returns some changes together with the changes that depend on them.
    fn with_dependents(&self, changes: &DeltaSet) -> DeltaSet {
        let Undoable { all, believed, certain, .. } = &*self.ground;
        let wide = believed.dependents_within(changes, all).union(changes);
        if wide.len() <= changes.len() * SPREAD {
            return wide;
        }
        certain.dependents_within(changes, all).union(changes)
    }

    /// Returns the changes that the next question undoes.
    fn undone(&self) -> Option<DeltaSet> {
        match &self.state {
            State::Sweeping { also, .. } => {
                let group = self.open.last()?.units.clone();
                Some(self.with_dependents(&self.changes(group)).union(also))
            }
            State::Together { ranges } => {
                let units = self.cleared[ranges.last()?.clone()].iter().copied();
                Some(self.with_dependents(&self.changes(units)))
            }
            State::Narrowing { pieces, closing, blocks } => match blocks.step() {
                Step::Ask(kept) => Some(self.narrowed(pieces, *closing, &kept)),
                Step::Done => None,
            },
            State::Done => None,
        }
    }

    fn narrowed(&self, pieces: &[DeltaSet], closing: Closing, kept: &DeltaSet) -> DeltaSet {
        let changes = kept.iter().flat_map(|at| pieces[at.0 as usize].runs()).collect();
        match closing {
            Closing::Dependents => self.with_dependents(&changes),
            Closing::Nothing => changes,
        }
    }

    /// Learns the answer about the current group.
    fn learn_group(&mut self, answer: &Answer, undone: DeltaSet) {
        let Some(Group { units, weight }) = self.open.last().cloned() else { return };
        let counts = &mut self.testable[bits(units.len())];
        counts.0 += 1;
        counts.1 += u32::from(answer.verdict != Verdict::Unresolved);
        if answer.verdict == Verdict::Unresolved && self.take_along(&answer.lessons, &undone) {
            return;
        }
        self.open.pop();
        match answer.verdict {
            Verdict::Pass => return self.narrow(units, undone),
            Verdict::Fail => {
                self.cleared.extend(units);
                self.take_heart(weight);
            }
            // A single unit that cannot be tested stays open.
            Verdict::Unresolved if units.len() == 1 => {}
            Verdict::Unresolved => self.open_parts(units),
        }
        self.sweep();
    }

    /// Resets the count of questions without success if half of the open weight was cleared: such a
    /// search finds the group, or has soon cleared nearly all of the weight.
    fn take_heart(&mut self, cleared: f64) {
        self.cleared_weight += cleared;
        if self.halved < self.ground.halvings && self.cleared_weight * 2.0 >= self.open_weight {
            self.halved += 1;
            self.open_weight = self.open.iter().map(|group| group.weight).sum();
            (self.cleared_weight, self.in_vain) = (0.0, 0);
        }
    }

    /// Continues with the most promising group.
    fn sweep(&mut self) {
        self.choose();
        self.state = State::Sweeping { also: DeltaSet::empty(), retries: 0 };
    }

    /// Replaces a group by its parts: its functions if they are few, else its halves.
    fn open_parts(&mut self, units: Range<usize>) {
        let is_start = |place: &usize| self.ground.units[*place].boundary > UnitBoundary::Hunk;
        let mut cuts: Vec<usize> = (units.start + 1..units.end).filter(is_start).collect();
        if cuts.is_empty() || cuts.len() >= FEW_PARTS {
            cuts = vec![self.cut(units.clone())];
        }
        let ends: Vec<usize> = [units.start].into_iter().chain(cuts).chain([units.end]).collect();
        let parts: Vec<Group> = ends.windows(2).map(|ends| self.group(ends[0]..ends[1])).collect();
        self.open.extend(parts);
    }

    /// Adds to the current group the changes that depend on it according to an error. Returns whether
    /// there are new ones, few enough to ask again.
    fn take_along(&mut self, lessons: &[Lesson], undone: &DeltaSet) -> bool {
        let State::Sweeping { also, retries } = &mut self.state else { return false };
        let needing = lessons.iter().filter_map(|lesson| match lesson {
            Lesson::Implies { delta, needs } => {
                let lacks = !needs.intersection(undone).is_empty();
                (lacks && !undone.contains(*delta)).then_some(*delta)
            }
            Lesson::Because(_) | Lesson::Absent | Lesson::Certain | Lesson::OtherTest => None,
        });
        let more: DeltaSet = needing.collect::<DeltaSet>().intersection(&self.ground.all);
        if more.is_empty() || *retries >= RETRIES || more.len() > undone.len().max(SPREAD) {
            return false;
        }
        *also = also.union(&more);
        *retries += 1;
        true
    }

    /// Searches the parts of a group without which the version passes. Each part is undone in the failing
    /// version, because that is easier to test than restoring a part of the group.
    fn narrow(&mut self, units: Range<usize>, undone: DeltaSet) {
        self.found = Some(undone);
        (self.open, self.cleared) = (Vec::new(), Vec::new());
        self.suspects = units.clone().collect();
        if units.len() > 1 {
            self.open_parts(units);
        }
        self.sweep();
    }

    /// Restores units that need not be undone.
    fn put_back(&self, units: &[usize]) -> State {
        let pieces = units.iter().map(|&unit| self.ground.units[unit].changes.clone());
        State::narrowing(pieces.collect(), Closing::Dependents)
    }

    /// Moves on to the next state that has a question.
    fn proceed(&mut self) {
        while let Some(next) = self.following() {
            // Narrowing a group that was found may ask as many questions as finding it.
            if let (State::Sweeping { .. }, State::Narrowing { .. }) = (&self.state, &next) {
                self.in_vain = 0;
            }
            self.state = next;
        }
    }

    /// Returns the state that follows if this one has no question left.
    fn following(&self) -> Option<State> {
        match &self.state {
            State::Sweeping { .. } if !self.open.is_empty() && !self.is_over() => None,
            State::Sweeping { .. } => Some(match (&self.found, self.cleared.len()) {
                (Some(_), _) => self.put_back(&self.suspects),
                (None, 0 | 1) => State::Done,
                (None, all) => State::Together { ranges: vec![all / 2..all, 0..all / 2, 0..all] },
            }),
            State::Together { ranges } => ranges.is_empty().then_some(State::Done),
            State::Narrowing { .. } if self.in_vain >= self.ground.patience.max(SINGLY) => {
                Some(State::Done)
            }
            State::Narrowing { pieces, closing, blocks } => match (blocks.step(), &self.found) {
                (Step::Ask(kept), found) => {
                    let undone = self.narrowed(pieces, *closing, &kept);
                    // A part with its dependents may be all of `found`, whose verdict is known.
                    let known = match found {
                        Some(found) if undone == *found => Verdict::Fail,
                        _ if undone.is_empty() => Verdict::Pass,
                        _ => return None,
                    };
                    let (pieces, closing, mut blocks) = (pieces.clone(), *closing, blocks.clone());
                    blocks.learn(&Answer::from(known));
                    Some(State::Narrowing { pieces, closing, blocks })
                }
                (Step::Done, Some(found))
                    if *closing == Closing::Dependents && found.len() <= SINGLY =>
                {
                    let one = |delta: Delta| DeltaSet::run(delta.0..delta.0 + 1);
                    Some(State::narrowing(found.iter().map(one).collect(), Closing::Nothing))
                }
                (Step::Done, _) => Some(State::Done),
            },
            State::Done => None,
        }
    }

    fn is_over(&self) -> bool {
        self.in_vain >= self.ground.patience
    }
}

impl Search for SmallestUndo {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.undone().map_or(Step::Done, |undone| Step::Ask(self.ground.all.minus(&undone)))
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(undone) = self.undone() else { return };
        self.questions += 1;
        self.in_vain = if answer.verdict == Verdict::Pass { 0 } else { self.in_vain + 1 };
        let question = self.ground.all.minus(&undone);
        if answer.verdict.is_fail() && question.len() < self.best.len() {
            self.best = question;
        }
        let passes = answer.verdict == Verdict::Pass;
        match &mut self.state {
            State::Sweeping { .. } => self.learn_group(answer, undone),
            State::Together { ranges } => {
                if let Some(range) = ranges.pop().filter(|_| passes) {
                    self.found = Some(undone);
                    self.state = self.put_back(&self.cleared[range]);
                }
            }
            State::Narrowing { blocks, .. } => {
                blocks.learn(&Answer::from(if passes { Verdict::Fail } else { Verdict::Pass }));
                if passes {
                    self.found = Some(undone);
                }
            }
            State::Done => {}
        }
        if self.questions >= self.ground.most {
            self.state = State::Done;
        }
        self.proceed();
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        match &self.state {
            State::Sweeping { .. } => 0.6,
            State::Together { .. } => 0.4,
            State::Narrowing { blocks, .. } => 1.0 - blocks.likely(),
            State::Done => 0.0,
        }
    }
}

fn bits(count: usize) -> usize {
    (usize::BITS - count.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs, numbered, together};

    /// Returns a search over single changes in files of four; the listed changes are the most suspect.
    fn over(count: usize, suspect: &[u32], pairs: &[(u32, u32)]) -> SmallestUndo {
        let unit = |number: u32| Unit {
            changes: DeltaSet::run(number..number + 1),
            weight: if suspect.contains(&(number + 1)) { 100.0 } else { 1.0 },
            boundary: if number.is_multiple_of(4) {
                UnitBoundary::File
            } else {
                UnitBoundary::Hunk
            },
        };
        let mut builder = Implications::builder();
        pairs.iter().for_each(|&(delta, need)| builder.add(Delta(delta - 1), Delta(need - 1)));
        let implications = builder.build();
        SmallestUndo::new(Undoable {
            all: DeltaSet::full(count),
            units: (0..count as u32).map(unit).collect(),
            believed: implications.clone(),
            certain: implications,
            patience: 100,
            halvings: 0,
            most: usize::MAX,
        })
    }

    /// Runs a search and returns the changes that must be undone, and the number of questions.
    fn undo(
        mut search: SmallestUndo,
        oracle: impl Fn(&DeltaSet) -> Verdict,
    ) -> (Option<DeltaSet>, usize) {
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            search.learn(&oracle(&question).into());
            asked += 1;
        }
        (search.found().cloned(), asked)
    }

    #[test]
    fn a_group_without_which_it_passes_is_narrowed() {
        check(
            over(12, &[], &[]),
            needs(&[3]),
            "
            ....######## ✓
            ..########## ✗
            ##..######## ✓
            ##.######### ✓
            ..########## =
            ",
        );
    }

    #[test]
    fn the_most_suspect_are_taken_back_first() {
        let (found, asked) = undo(over(1000, &[700, 701, 702, 703], &[]), needs(&[702]));
        assert_eq!(found, Some(numbered(&[702])));
        assert!(asked < 10, "{asked}");
    }

    #[test]
    fn of_what_is_enough_that_is_put_back_which_need_not_go() {
        let Undoable { all, units, believed, certain, .. } = (*over(12, &[], &[]).ground).clone();
        let units = units[4..].to_vec();
        let ground =
            Undoable { all, units, believed, certain, patience: 10, halvings: 0, most: 99 };
        let either = |candidate: &DeltaSet| Verdict::from(has(candidate, 6) || has(candidate, 7));
        let (found, asked) = undo(SmallestUndo::less_than_all(ground), either);
        assert_eq!(found, Some(numbered(&[6, 7])));
        assert!(asked < 16, "{asked}");
    }

    #[test]
    fn what_cannot_be_tested_in_part_goes_together() {
        let oracle = together(&[2, 3, 4], needs(&[3]));
        let (found, _) = undo(over(12, &[], &[]), oracle);
        assert_eq!(found, Some(numbered(&[2, 3, 4])));
    }

    #[test]
    fn what_depends_on_the_culprit_goes_along() {
        let oracle = |candidate: &DeltaSet| match (has(candidate, 3), has(candidate, 9)) {
            (false, true) => Verdict::Unresolved,
            (true, _) => Verdict::Fail,
            (false, false) => Verdict::Pass,
        };
        let (found, _) = undo(over(40, &[], &[(9, 3)]), oracle);
        assert_eq!(found, Some(numbered(&[3, 9])));
    }

    #[test]
    fn two_causes_are_taken_back_together() {
        let either = |candidate: &DeltaSet| Verdict::from(has(candidate, 3) || has(candidate, 30));
        let (found, _) = undo(over(40, &[], &[]), either);
        assert_eq!(found, Some(numbered(&[3, 30])));
    }

    #[test]
    fn an_error_says_what_else_has_to_go() {
        let mut search = over(40, &[], &[]);
        let Step::Ask(question) = search.step() else { panic!("nothing asked") };
        assert!(!has(&question, 3) && has(&question, 20));
        let lesson = Lesson::Implies { delta: Delta(19), needs: numbered(&[3]) };
        search.learn(&Answer { verdict: Verdict::Unresolved, lessons: vec![lesson] });
        let Step::Ask(question) = search.step() else { panic!("nothing asked") };
        assert!(!has(&question, 3) && !has(&question, 20));
    }

    #[test]
    fn it_ends_with_what_is_known_when_enough_was_asked() {
        let mut search = over(12, &[], &[]);
        Arc::make_mut(&mut search.ground).most = 2;
        let (found, asked) = undo(search, needs(&[3]));
        assert_eq!((found, asked), (Some(numbered(&[1, 2, 3, 4])), 2));
    }

    #[test]
    fn it_goes_on_while_each_time_half_of_what_is_suspect_is_cleared() {
        // The cause is in the last of 64 files of four changes; one question clears a file.
        let found_with = |halvings| {
            let mut search = over(256, &[], &[]);
            let ground = Arc::make_mut(&mut search.ground);
            (ground.patience, ground.halvings) = (35, halvings);
            undo(search, needs(&[256])).0
        };
        assert_eq!([found_with(0), found_with(5)], [None, Some(numbered(&[256]))]);
    }

    #[test]
    fn where_nothing_passes_nothing_is_found() {
        let (found, asked) = undo(over(20, &[], &[]), |_| Verdict::Fail);
        assert_eq!(found, None);
        assert!(asked < 10, "{asked}");
    }

    fn has(candidate: &DeltaSet, number: u32) -> bool {
        candidate.contains(Delta(number - 1))
    }
}
