//! Finds the atomic changes that the failing test can depend on, and how suspicious each of them
//! is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use whodunit_atoms::{Atoms, CallGraph, Entry, NoteKind, Ran};
use whodunit_core::DeltaSet;
use whodunit_versions::Decomposition;

use super::affected::affected_tests;
use super::error::AtomicError;
use super::files::Files;
use super::measured::{self, Measured};
use super::suite::Scores;
use crate::answer::{AffectedTest, AtomAnswer, ResponsibleBy, word_of};
use crate::settings::AtomicSettings;

/// The information that is available before the first question.
pub(crate) struct Known<'a> {
    pub(crate) parts: &'a Decomposition,
    pub(crate) settings: &'a AtomicSettings,
    /// The folder that the paths of files are relative to.
    pub(crate) origin: &'a Path,
    /// Words that may contain the name of the failing test.
    pub(crate) words: BTreeSet<String>,
    /// Whether the answer lists the tests of the suite with the changes that can affect each.
    pub(crate) lists_tests: bool,
}

impl Known<'_> {
    /// Returns the paths of the bad version.
    pub(super) fn bad_paths(&self) -> BTreeSet<Vec<u8>> {
        let good = self.parts.good().entries().map(|(path, _)| path.as_bytes().to_vec());
        let mut paths: BTreeSet<Vec<u8>> = good.collect();
        for file in 0..self.parts.file_count() {
            let (old, new) = self.parts.paths(file);
            if let Some(old) = old {
                paths.remove(old.as_bytes());
            }
            paths.extend(new.map(|path| path.as_bytes().to_vec()));
        }
        paths
    }
}

/// The atomic changes with the suspicion of each.
pub(crate) struct Suspicion {
    atoms: Atoms,
    responsible: BTreeSet<usize>,
    /// The changes that were measured and never ran, from all atomic changes.
    missed: DeltaSet,
    by: ResponsibleBy,
    entries: Vec<String>,
    /// One score for each atomic change, if there is a suite of tests.
    scores: Option<Vec<f64>>,
    /// The tests of the suite, if they were asked for.
    tests: Option<Vec<AffectedTest>>,
    notes: Vec<String>,
}

impl Suspicion {
    /// Finds out which atomic changes the failing test can depend on.
    pub(crate) fn of(known: &Known<'_>) -> Result<Self, AtomicError> {
        let atoms = Atoms::of(known.parts)?;
        let mut notes = notes(&atoms);
        let calls = CallGraph::of(&atoms);
        let scores = match known.lists_tests {
            // Affected tests are listed even if no test fails.
            true => None,
            false => Scores::of(known, &atoms, &calls)?,
        };
        let tests = match known.lists_tests {
            true => {
                let (tests, more) = affected_tests(known, &atoms, &calls)?;
                notes.extend(more);
                Some(tests)
            }
            false => None,
        };
        let Responsible { atoms: responsible, missed, by, entries } =
            match known.settings.coverage[..] {
                [] => Responsible::by_calls(known, &atoms, &calls)?,
                _ => Responsible::by_measure(known, &atoms, &calls, &mut notes)?,
            };
        let scores = scores.map(|Scores { scores, notes: more }| {
            notes.extend(more);
            scores
        });
        Ok(Suspicion { atoms, responsible, missed, by, entries, scores, tests, notes })
    }

    pub(crate) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// Returns the atomic changes that the failing test can depend on.
    pub(crate) fn responsible(&self) -> &BTreeSet<usize> {
        &self.responsible
    }

    /// Returns the changes that were measured and never ran.
    pub(crate) fn missed(&self) -> &DeltaSet {
        &self.missed
    }

    pub(crate) fn by(&self) -> ResponsibleBy {
        self.by
    }

    /// Returns the names of the places where the failing test begins.
    pub(crate) fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Returns the tests of the suite with the changes that can affect each, if they were asked
    /// for.
    pub(crate) fn tests(&self) -> Option<&[AffectedTest]> {
        self.tests.as_deref()
    }

    /// Returns notes about information that could not be used.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns how suspicious an atomic change is, from 0 to 1.
    pub(crate) fn suspect(&self, atom: usize) -> f64 {
        self.scores.as_ref().map_or(0.0, |scores| scores[atom])
    }

    /// Returns the atomic changes that contain some of these changes, and those without changes
    /// that follow from them.
    pub(crate) fn within(&self, changes: &DeltaSet) -> BTreeSet<usize> {
        let mut within: BTreeSet<usize> =
            changes.iter().map(|delta| self.atoms.of_delta(delta)).collect();
        for atom in 0..self.atoms.len() {
            let needs = self.atoms.needs(atom);
            let follows = self.atoms.get(atom).deltas.is_empty() && !needs.is_empty();
            if follows && needs.iter().all(|need| within.contains(need)) {
                within.insert(atom);
            }
        }
        within
    }

    /// Returns the changes of some atomic changes and of everything they need.
    pub(crate) fn closed(&self, atoms: impl IntoIterator<Item = usize>) -> DeltaSet {
        self.atoms.deltas(&self.atoms.closure(&atoms.into_iter().collect()))
    }

    /// Returns the atomic changes that contain some of these changes, bodies first.
    pub(crate) fn culprit(&self, changes: &DeltaSet) -> Vec<AtomAnswer> {
        let atoms: BTreeSet<usize> =
            changes.iter().map(|delta| self.atoms.of_delta(delta)).collect();
        let (definitions, bodies): (Vec<usize>, Vec<usize>) =
            atoms.into_iter().partition(|&atom| self.atoms.get(atom).kind.is_definition());
        bodies.into_iter().chain(definitions).map(|atom| self.described(atom)).collect()
    }

    /// Returns an atomic change in the form that answers use.
    pub(crate) fn described(&self, atom: usize) -> AtomAnswer {
        let change = self.atoms.get(atom);
        let lines = |lines: &std::ops::Range<u32>| {
            (!lines.is_empty()).then(|| [lines.start, lines.end - 1])
        };
        AtomAnswer {
            number: atom as u64 + 1,
            kind: change.kind.abbreviation().to_owned(),
            description: change.kind.description().to_owned(),
            name: change.name.clone(),
            old_name: change.former_name.clone(),
            file: word_of(&change.file),
            old_lines: lines(&change.old_lines),
            new_lines: lines(&change.new_lines),
            needs: self.atoms.prerequisites(atom).iter().map(|&need| need as u64 + 1).collect(),
            responsible: (self.by != ResponsibleBy::Nothing)
                .then(|| self.responsible.contains(&atom)),
            score: self.scores.as_ref().map(|scores| scores[atom]),
        }
    }
}

/// The atomic changes that the failing test can depend on.
struct Responsible {
    atoms: BTreeSet<usize>,
    missed: DeltaSet,
    by: ResponsibleBy,
    entries: Vec<String>,
}

impl Responsible {
    /// Derives the atomic changes from the calls in the source of the program.
    fn by_calls(
        known: &Known<'_>,
        atoms: &Atoms,
        calls: &CallGraph<'_>,
    ) -> Result<Self, AtomicError> {
        let (entries, missed) = (entries(known, calls)?, DeltaSet::empty());
        if entries.is_empty() {
            let atoms = (0..atoms.len()).collect();
            let (by, entries) = (ResponsibleBy::Nothing, Vec::new());
            return Ok(Responsible { atoms, missed, by, entries });
        }
        let all: Vec<Entry> = entries.values().flatten().copied().collect();
        let (atoms, by) = (calls.responsible(&all), ResponsibleBy::Calls);
        Ok(Responsible { atoms, missed, by, entries: entries.into_keys().collect() })
    }

    /// Takes the atomic changes that the coverage shows.
    fn by_measure(
        known: &Known<'_>,
        atoms: &Atoms,
        calls: &CallGraph<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Self, AtomicError> {
        let files = Files::read(&known.settings.coverage, known.origin)?;
        let coverage = measured::coverage(&files)?;
        let measured = Measured::new(known, calls, atoms, coverage.names().collect())?;
        if measured.is_idle(&coverage) {
            return Err(AtomicError::NothingRan);
        }
        notes.extend(measured.notes());
        notes.extend(measured.doubts(&coverage));
        let Ran { atoms, missed } = measured.ran(&coverage);
        Ok(Responsible { atoms, missed, by: ResponsibleBy::Coverage, entries: Vec::new() })
    }
}

/// Returns the places where the failing test begins: those that the settings name, otherwise those
/// that the words name.
fn entries(
    known: &Known<'_>,
    calls: &CallGraph<'_>,
) -> Result<BTreeMap<String, Vec<Entry>>, AtomicError> {
    let mut entries = BTreeMap::new();
    for name in &known.settings.entries {
        let found = calls.entries(name);
        if found.is_empty() {
            return Err(AtomicError::NoEntry { name: name.clone() });
        }
        entries.insert(name.clone(), found);
    }
    if !entries.is_empty() {
        return Ok(entries);
    }
    let found = known.words.iter().map(|word| (word.clone(), calls.entries(word)));
    Ok(closest(found.filter(|(_, found)| !found.is_empty()).collect(), calls))
}

/// Keeps only the names of tests, if there are some, and of these only the ones whose class is
/// named as well, if there are some. Other words may be anything.
fn closest(
    mut found: BTreeMap<String, Vec<Entry>>,
    calls: &CallGraph<'_>,
) -> BTreeMap<String, Vec<Entry>> {
    let is_test = |entries: &Vec<Entry>| entries.iter().any(|&entry| calls.is_test(entry));
    if found.values().any(is_test) {
        found.retain(|_, entries| is_test(entries));
    }
    let sets: Vec<BTreeSet<Entry>> =
        found.values().map(|entries| entries.iter().copied().collect()).collect();
    let is_within = |entries: &Vec<Entry>| {
        let own: BTreeSet<Entry> = entries.iter().copied().collect();
        sets.iter().any(|other| own.len() < other.len() && own.is_subset(other))
    };
    if found.values().any(is_within) {
        found.retain(|_, entries| is_within(entries));
    }
    found
}

fn notes(atoms: &Atoms) -> Vec<String> {
    let note = |note: &whodunit_atoms::Note| {
        let file = note.file.display();
        match &note.what {
            NoteKind::DoesNotParse => {
                format!("`{file}` does not parse in one of the versions, so its changes are text")
            }
            NoteKind::DefinedTwice(name) => format!("`{file}` defines `{name}` more than once"),
        }
    };
    atoms.notes().iter().map(note).collect()
}
