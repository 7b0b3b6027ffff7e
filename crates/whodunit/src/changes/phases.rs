//! The three phases of AutoFlow: first chains of atomic changes, then atomic changes, then
//! statements.
//!
//! Zhang, Lin, Gu and Zhao, "Effective identification of failure-inducing changes: a hybrid
//! approach", 2008, section 3.3. Changes that the failing test cannot depend on are set aside
//! first; if the others do not fail without them, these changes come back.

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

/// Weight that the highest suspicion adds to a change; a change without suspicion weighs 1.
const WEIGHT: f64 = 15.0;

/// Finds the changes that cause the failure, from chains down to lines. `commits` holds the number
/// of the commit of each change, if it is known.
pub(super) fn find(
    (strategy, space): (&Strategy<'_>, &Arc<Deltas>),
    finder: &mut Finder<'_>,
    suspicion: &Suspicion,
    commits: Option<&[u32]>,
) -> Result<(Remainder, AtomicAnswer), ChangesError> {
    let mut way = Way { strategy, space, suspicion, commits, closing: Closing::Atoms };
    let (kept, came_back) = way.responsible(finder)?;
    let (suspects, chains, (changes, definitions)) = match came_back {
        // The information about the program is wrong, or the cause is elsewhere.
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

/// The course through the phases.
struct Way<'a> {
    strategy: &'a Strategy<'a>,
    space: &'a Arc<Deltas>,
    suspicion: &'a Suspicion,
    commits: Option<&'a [u32]>,
    closing: Closing,
}

/// The changes that are added to atomic changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// The changes that they need as atomic changes.
    Atoms,
    /// Also the changes that their lines seem to need.
    Lines,
}

impl Way<'_> {
    /// Sets aside the changes that the test cannot depend on, unless the failure disappears with
    /// them. Returns the remaining changes, and whether all came back.
    fn responsible(&mut self, finder: &mut Finder<'_>) -> Result<(DeltaSet, bool), ChangesError> {
        // In languages with written types, atomic changes know their needs best: single lines of
        // others that are added may not compile.
        let [atoms, lines] = [Closing::Atoms, Closing::Lines].map(|closing| {
            self.closing = closing;
            self.closed(self.suspicion.responsible().iter().copied())
        });
        // A line that never ran has no effect, unless the program does not compile without it.
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

    /// Finds the needed chains.
    fn chains(
        &self,
        finder: &mut Finder<'_>,
        kept: &DeltaSet,
    ) -> Result<(DeltaSet, Phase), ChangesError> {
        let mut among = self.suspicion.within(kept);
        among.extend(self.suspicion.responsible());
        let mut units = self.units(&among);
        // Only changes that failed together are kept.
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

    /// Finds the needed atomic changes, each with the definitions it needs. Also returns the number
    /// of definitions that were added in this way.
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
        // From the last one to the first, because a definition mostly stands before those that need
        // it.
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

    /// Finds the needed lines.
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
                // Because of unresolved tests, some of these changes may not be needed.
                self.by_levels(finder, &found)?
            }
            // A connected part is still many lines, so it is searched by files and functions.
            _ => self.by_levels(finder, &suspects)?,
        };
        let tests = finder.lab.tally.committed - before;
        let phase = Phase { of: count, left: found.suspects.len() as u64, tests };
        Ok((found, phase))
    }

    /// Returns each statement with the changes without which it does not compile, as far as they
    /// are known. Like in chains of atomic changes, a statement that another one needs is no unit
    /// of its own.
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

    /// Finds the units that are needed together, and asks about the most suspicious ones first.
    fn narrow(
        &self,
        finder: &mut Finder<'_>,
        mut units: Vec<Unit>,
    ) -> Result<(DeltaSet, Phase), ChangesError> {
        // Among equal scores newer units come first, then larger ones, then those with the earlier
        // place.
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
                    // The next phase continues with the remaining changes.
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

    /// Finds the needed groups with the algorithm of the paper.
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

    /// Returns the number of the newest commit of some changes.
    fn age(&self, changes: &DeltaSet) -> u32 {
        let commits = self.commits.unwrap_or_default();
        let known = changes.iter().filter_map(|delta| commits.get(delta.0 as usize));
        known.copied().filter(|&commit| commit != u32::MAX).max().unwrap_or(0)
    }

    /// Returns the changes of some atomic changes with all changes they need.
    fn closed(&self, atoms: impl IntoIterator<Item = usize>) -> DeltaSet {
        let changes = self.suspicion.closed(atoms).intersection(&self.strategy.failing);
        match self.closing {
            Closing::Atoms => changes,
            Closing::Lines => self.strategy.with_needs(&changes),
        }
    }
}

/// Changes that are kept or dropped together.
#[derive(Clone)]
struct Unit {
    changes: DeltaSet,
    /// The changes that are in no other unit.
    head: DeltaSet,
    score: f64,
}
