//! Atomic changes drawn as text.

#![allow(dead_code, unreachable_pub, unused_imports)] // each file of tests uses its own part

#[path = "../../../versions/tests/support/mod.rs"]
mod versions;

use std::collections::BTreeSet;

use whodunit_atoms::{Atoms, CallGraph};
use whodunit_core::DeltaSet;
use whodunit_versions::{Decomposition, Level, decompose};

pub use versions::*;

/// Files of the good or the bad version.
pub type Files<'a> = &'a [(&'a str, &'a str)];

pub fn between(old: Files<'_>, new: Files<'_>) -> (Decomposition, Atoms) {
    let parts = decompose(&texts(old), &texts(new), Level::Line).unwrap();
    let atoms = Atoms::of(&parts).unwrap();
    (parts, atoms)
}

/// Draws the changes, each with the numbers of those it needs, counted from 1.
pub fn drawing(atoms: &Atoms) -> Vec<String> {
    let draw = |number: usize| {
        let atom = atoms.get(number);
        let was = atom.former_name.as_ref().map_or(String::new(), |name| format!(" was {name}"));
        let mut text = format!("{} {} {}{was}", number + 1, atom.kind.abbreviation(), atom.name);
        let needs: Vec<String> =
            atoms.prerequisites(number).iter().map(|needed| (needed + 1).to_string()).collect();
        if !needs.is_empty() {
            text.push_str(&format!(" <- {}", needs.join(" ")));
        }
        text
    };
    (0..atoms.len()).map(draw).collect()
}

/// Checks the changes between two versions of one file, and that they are sound.
pub fn check(file: &str, old: &str, new: &str, expected: &[&str]) {
    let (parts, atoms) = between(&[(file, old)], &[(file, new)]);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), expected);
}

/// Checks that every delta is in one change, and that the changes have no other deltas.
pub fn sound(parts: &Decomposition, atoms: &Atoms) {
    let mut seen = DeltaSet::empty();
    for (number, atom) in atoms.iter().enumerate() {
        assert!(seen.intersection(&atom.deltas).is_empty(), "{atom:?} shares deltas");
        seen = seen.union(&atom.deltas);
        assert!(atom.deltas.iter().all(|delta| atoms.of_delta(delta) == number));
        assert!(atoms.prerequisites(number).iter().all(|it| atoms.needs(number).contains(it)));
    }
    assert_eq!(seen, parts.all());
    let all: BTreeSet<usize> = (0..atoms.len()).collect();
    assert_eq!(plain(&parts.version(&atoms.deltas(&all))), plain(&parts.version(&parts.all())));
    let covered: BTreeSet<usize> = atoms.chains(&all).into_iter().flatten().collect();
    assert_eq!(covered, all, "chains have all changes");
}

/// Returns the changes that are responsible for a test, as they are drawn.
pub fn responsible(atoms: &Atoms, test: &str) -> Vec<String> {
    let graph = CallGraph::of(atoms);
    let entries = graph.entries(test);
    assert!(!entries.is_empty(), "there is no test `{test}`");
    let drawn = drawing(atoms);
    graph.responsible(&entries).into_iter().map(|atom| drawn[atom].clone()).collect()
}
