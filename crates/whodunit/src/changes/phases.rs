//! The three phases of AutoFlow: chains of atomic changes, atomic changes, statements.
//!
//! Zhang, Lin, Gu and Zhao, "Effective identification of failure-inducing changes: a hybrid
//! approach", 2008, section 3.3. What the failing test cannot depend on is set aside first; if the
//! rest does not fail by itself, it comes back.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::searches::{ChangeSet, Closure, DdPlus, Weights};
use whodunit_core::strategy::{Grouped, Groups, Patient, Remainder, Strategy};
use whodunit_core::{Aim, Delta, DeltaSet, Script, Search};

use super::deltas::Deltas;
use super::{ChangesError, Finder};
use crate::answer::{AtomicAnswer, Phase, Phases};
use crate::atomic::Suspicion;
use crate::settings::{ChangeLevel, ChangeSearch};

/// How much more the most suspect change weighs than one that is not suspect at all.
const WEIGHT: f64 = 15.0;

/// Finds the changes that did it, from chains down to lines. `commits` are the numbers of the
/// commits that each change came with, if that is known.
pub(super) fn find(
    (strategy, space): (&Strategy<'_>, &Arc<Deltas>),
    finder: &mut Finder<'_>,
    suspicion: &Suspicion,
    commits: Option<&[u32]>,
) -> Result<(Remainder, AtomicAnswer), ChangesError> {
    let mut way = Way { strategy, space, suspicion, commits, closing: Closing::Atoms };
    let (kept, came_back) = way.responsible(finder)?;
    let (suspects, chains, (changes, definitions)) = match came_back {
        // What is known of the program does not hold for it, or the cause is elsewhere.
        true => (kept, Phase::default(), (Phase::default(), 0)),
        false => {
            let (suspects, chains) = way.chains(finder, &kept)?;
            let (suspects, changes, definitions) = way.changes(finder, &suspects)?;
            (suspects, chains, (changes, definitions))
        }
    };
    let (left, statements) = way.statements(finder, suspects)?;
    let phases = Phases {
        atoms: suspicion.atoms().len() as u64,
        responsible: suspicion.responsible().len() as u64,
        responsible_by: suspicion.by(),
        entries: suspicion.entries().to_vec(),
        came_back,
        chains,
        changes,
        definitions,
        statements,
        notes: suspicion.notes().to_vec(),
    };
    let culprit = suspicion.culprit(&left.suspects);
    Ok((left, AtomicAnswer { culprit, phases }))
}

/// The way through the phases.
struct Way<'a> {
    strategy: &'a Strategy<'a>,
    space: &'a Arc<Deltas>,
    suspicion: &'a Suspicion,
    commits: Option<&'a [u32]>,
    closing: Closing,
}

/// What comes along with atomic changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// What they need as atomic changes.
    Atoms,
    /// Also what their lines are believed to need.
    Lines,
}

impl Way<'_> {
    /// Sets aside what the test cannot depend on, unless the failure goes with it. Returns what is
    /// left, and whether all came back.
    fn responsible(&mut self, finder: &mut Finder<'_>) -> Result<(DeltaSet, bool), ChangesError> {
        // Where types are written down atomic changes know best what they need: single lines of
        // others that come along may be no program.
        let [atoms, lines] = [Closing::Atoms, Closing::Lines].map(|closing| {
            self.closing = closing;
            self.closed(self.suspicion.responsible().iter().copied())
        });
        // A line that never ran does nothing, unless the program cannot be without it.
        let ran = atoms.minus(self.suspicion.missed());
        let ran = self.strategy.mended(&ran).intersection(&atoms);
        let kept = vec![ran, atoms, lines];
        let failing = &self.strategy.failing;
        let found =
            self.carry_out(finder, &|run| self.strategy.guess(run, failing, || kept.clone()))?;
        let place = kept.iter().position(|kept| *kept == found);
        if place.is_some_and(|place| place < 2) {
            self.closing = Closing::Atoms;
        }
        Ok((found, place.is_none()))
    }

    /// Finds the chains that are needed.
    fn chains(
        &self,
        finder: &mut Finder<'_>,
        kept: &DeltaSet,
    ) -> Result<(DeltaSet, Phase), ChangesError> {
        let mut among = self.suspicion.within(kept);
        among.extend(self.suspicion.responsible());
        let mut units = self.units(&among);
        // No more than what was seen to fail.
        units.iter_mut().for_each(|unit| unit.changes = unit.changes.intersection(kept));
        self.narrow(finder, units)
    }

    /// Returns the chains among some atomic changes.
    fn units(&self, among: &BTreeSet<usize>) -> Vec<Unit> {
        let chains = self.suspicion.atoms().chains(among).into_iter().map(|chain| {
            let score = chain.iter().map(|&atom| self.suspicion.suspect(atom)).fold(0.0, f64::max);
            Unit { changes: self.closed(chain.iter().copied()), head: DeltaSet::empty(), score }
        });
        chains.collect()
    }

    /// Finds the atomic changes that are needed, each with the definitions it needs; returns how
    /// many definitions came along so.
    fn changes(
        &self,
        finder: &mut Finder<'_>,
        suspects: &DeltaSet,
    ) -> Result<(DeltaSet, Phase, u64), ChangesError> {
        let atoms = self.suspicion.atoms();
        let among = self.suspicion.within(suspects);
        let (definitions, bodies): (BTreeSet<usize>, BTreeSet<usize>) =
            among.iter().copied().partition(|&atom| atoms.get(atom).kind.is_definition());
        let unit = |atom: usize| Unit {
            changes: self.closed([atom]).intersection(suspects),
            head: atoms.get(atom).deltas.clone(),
            score: self.suspicion.suspect(atom),
        };
        let mut units: Vec<Unit> = bodies.iter().map(|&atom| unit(atom)).collect();
        let mut taken = units.iter().fold(DeltaSet::empty(), |all, it| all.union(&it.changes));
        let mut came_along = 0;
        // From the last one on: what others need mostly stands before them.
        for &atom in definitions.iter().rev() {
            if atoms.get(atom).deltas.is_subset(&taken) {
                came_along += 1;
                continue;
            }
            let unit = unit(atom);
            taken = taken.union(&unit.changes);
            units.push(unit);
        }
        let (left, phase) = self.narrow(finder, units)?;
        Ok((left, phase, came_along))
    }

    /// Finds the lines that are needed.
    fn statements(
        &self,
        finder: &mut Finder<'_>,
        suspects: DeltaSet,
    ) -> Result<(Remainder, Phase), ChangesError> {
        let count = suspects.len() as u64;
        if count < 2 {
            let left = Remainder::new(suspects, true);
            return Ok((left, Phase { of: count, left: count, tests: 0 }));
        }
        let before = finder.lab.tally.committed;
        let found = match finder.settings.search {
            ChangeSearch::DdPlus if finder.settings.level == ChangeLevel::Line => {
                let (found, _) = self.narrow(finder, self.statement_chains(&suspects))?;
                // Where tests were unresolved, changes that are not needed may be among them.
                self.by_levels(finder, &found)?
            }
            // What hangs together in many ways is still many lines, in files and functions.
            _ => self.by_levels(finder, &suspects)?,
        };
        let tests = finder.lab.tally.committed - before;
        let phase = Phase { of: count, left: found.suspects.len() as u64, tests };
        Ok((found, phase))
    }

    /// Returns each statement with what it is known to need, without which it could not be built. As
    /// in chains of atomic changes, what another statement needs is no unit of its own.
    fn statement_chains(&self, suspects: &DeltaSet) -> Vec<Unit> {
        let with_needs = |delta: Delta| {
            let own = DeltaSet::run(delta.0..delta.0 + 1);
            let changes = self.strategy.with_needs(&own).intersection(suspects);
            Unit { changes, head: own, score: 0.0 }
        };
        let units: Vec<Unit> = suspects.iter().map(with_needs).collect();
        let is_in_another = |unit: &Unit| {
            let larger = |it: &Unit| it.changes.len() > unit.changes.len();
            units.iter().any(|it| larger(it) && unit.changes.is_subset(&it.changes))
        };
        let outermost = units.iter().filter(|unit| !is_in_another(unit));
        outermost.cloned().collect()
    }

    /// Finds the units that are needed together, the most suspect asked about first.
    fn narrow(
        &self,
        finder: &mut Finder<'_>,
        mut units: Vec<Unit>,
    ) -> Result<(DeltaSet, Phase), ChangesError> {
        // Of equals what is new comes first, then what is large, then what stands before.
        let rank = |unit: &Unit| (self.age(&unit.changes), unit.changes.len());
        units.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| rank(other).cmp(&rank(one)))
        });
        let mut told_apart: Vec<Unit> = Vec::new();
        for unit in units {
            if !unit.changes.is_empty() && told_apart.iter().all(|it| it.changes != unit.changes) {
                told_apart.push(unit);
            }
        }
        let all = told_apart.iter().fold(DeltaSet::empty(), |all, it| all.union(&it.changes));
        let of = told_apart.len() as u64;
        if of < 2 {
            return Ok((all, Phase { of, left: of, tests: 0 }));
        }
        let weights: Vec<u32> =
            told_apart.iter().map(|unit| 1 + (unit.score * WEIGHT) as u32).collect();
        let units = told_apart.into_iter().map(|unit| (unit.changes, unit.head));
        let groups = Arc::new(Groups::overlapping(units));
        let before = finder.lab.tally.committed;
        let found = match finder.settings.search {
            ChangeSearch::DdPlus => {
                let found = self.dd_plus(finder, &groups, all.len())?;
                let left = groups.within(&found) as u64;
                let phase = Phase { of, left, tests: finder.lab.tally.committed - before };
                return Ok((found, phase));
            }
            _ => {
                let search = || {
                    let changes = ChangeSet {
                        weights: Weights::from_weights(weights.iter().copied()),
                        ..ChangeSet::new(groups.count())
                    };
                    let search = Grouped::new(Closure::over(changes), &groups);
                    // The next phase goes on from whatever is left.
                    Patient::hasty(search, groups.count(), self.strategy.persistence)
                };
                self.carry_out(finder, &|run| {
                    let search = self.strategy.ask(run, Aim::Culprit, all.len(), search)?;
                    Ok(search.search.search.best())
                })?
            }
        };
        let phase =
            Phase { of, left: found.len() as u64, tests: finder.lab.tally.committed - before };
        Ok((groups.changes(&found), phase))
    }

    /// Finds the groups that are needed with the algorithm of the paper.
    fn dd_plus(
        &self,
        finder: &mut Finder<'_>,
        groups: &Arc<Groups>,
        count: usize,
    ) -> Result<DeltaSet, ChangesError> {
        self.carry_out(finder, &|run| {
            let search = || Grouped::new(DdPlus::new(groups.count()), groups);
            let search = self.strategy.ask(run, Aim::Culprit, count, search)?.search;
            let [found, best] = [search.found(), search.best()].map(|it| groups.changes(&it));
            self.strategy.seen(run, found, best)
        })
    }

    fn by_levels(
        &self,
        finder: &mut Finder<'_>,
        suspects: &DeltaSet,
    ) -> Result<Remainder, ChangesError> {
        self.carry_out(finder, &|run| self.strategy.by_levels(run, suspects.clone(), false))
    }

    fn carry_out<O: Clone>(
        &self,
        finder: &mut Finder<'_>,
        script: &Script<'_, DeltaSet, O>,
    ) -> Result<O, ChangesError> {
        finder.carry_out(script, self.space, &self.strategy.failing)
    }

    /// Returns the number of the newest commit that some changes came with.
    fn age(&self, changes: &DeltaSet) -> u32 {
        let commits = self.commits.unwrap_or_default();
        let known = changes.iter().filter_map(|delta| commits.get(delta.0 as usize));
        known.copied().filter(|&commit| commit != u32::MAX).max().unwrap_or(0)
    }

    /// Returns the changes of some atoms with all that they need.
    fn closed(&self, atoms: impl IntoIterator<Item = usize>) -> DeltaSet {
        let changes = self.suspicion.closed(atoms).intersection(&self.strategy.failing);
        match self.closing {
            Closing::Atoms => changes,
            Closing::Lines => self.strategy.with_needs(&changes),
        }
    }
}

/// What is taken or left as a whole.
#[derive(Clone)]
struct Unit {
    changes: DeltaSet,
    /// What of it is in no other unit.
    head: DeltaSet,
    score: f64,
}
