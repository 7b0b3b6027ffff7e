//! The example of the paper: an account that takes a fee.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use support::texts;
use whodunit_atoms::{Atoms, CallGraph};
use whodunit_versions::{Level, Version, decompose};

fn version(name: &str) -> Version {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/account").join(name);
    let files: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    texts(&files)
}

fn atoms() -> Atoms {
    Atoms::of(&decompose(&version("old"), &version("new"), Level::Line).unwrap()).unwrap()
}

/// Returns numbers as the paper counts them, from 1.
fn counted(atoms: impl IntoIterator<Item = usize>) -> Vec<usize> {
    atoms.into_iter().map(|atom| atom + 1).collect()
}

#[test]
fn there_are_the_sixteen_changes_of_the_paper() {
    let atoms = atoms();
    let seen: Vec<String> =
        atoms.iter().map(|atom| format!("{} {}", atom.kind.abbreviation(), atom.name)).collect();
    assert_eq!(
        seen,
        [
            "AF Account.FEE",
            "CM Account.transfer(Account,double)",
            "CM Account.debit(double)",
            "FI Account.FEE",
            "AIC Account.debit(double)",
            "AA AccountAspect",
            "AEA AccountAspect.before(Account account, double m):AccountDebit(account, m)",
            "CAB AccountAspect.before(Account account, double m):AccountDebit(account, m)",
            "ANP AccountAspect.AccountDebit",
            "CPB AccountAspect.AccountDebit",
            "AIC Auth.login()",
            "AA AuthAspect",
            "AEA AuthAspect.around():LoginEntry()",
            "CAB AuthAspect.around():LoginEntry()",
            "ANP AuthAspect.LoginEntry",
            "CPB AuthAspect.LoginEntry",
        ]
    );
    assert!(atoms.notes().is_empty());
}

#[test]
fn they_depend_on_each_other_as_in_the_paper() {
    let atoms = atoms();
    let needs: Vec<(usize, Vec<usize>)> = (0..atoms.len())
        .map(|atom| (atom + 1, counted(atoms.prerequisites(atom).to_vec())))
        .filter(|(_, needs)| !needs.is_empty())
        .collect();
    assert_eq!(
        needs,
        [
            (2, vec![1]),
            (4, vec![1]),
            (5, vec![7]),
            (7, vec![6, 9]),
            (8, vec![7]),
            (9, vec![6]),
            (10, vec![9]),
            (11, vec![13]),
            (13, vec![12, 15]),
            (14, vec![13]),
            (15, vec![12]),
            (16, vec![15]),
        ]
    );
}

#[test]
fn the_responsible_changes_and_chains_are_those_of_the_paper() {
    let atoms = atoms();
    let graph = CallGraph::of(&atoms);
    let responsible = |test: &str| graph.responsible(&graph.entries(test));
    let transfer = responsible("AccountTest.testTransfer");
    assert_eq!(counted(transfer.clone()), [1, 2, 4, 11, 12, 13, 14, 15, 16]);
    let chains: Vec<Vec<usize>> = atoms.chains(&transfer).into_iter().map(counted).collect();
    assert_eq!(chains, [vec![1, 2, 4], vec![11, 12, 13, 14, 15, 16]]);
    let debit = counted(responsible("testDebit"));
    assert_eq!(debit, [3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert!(responsible("testCredit").is_empty());
    assert_eq!(responsible("AccountTest#testTransfer"), transfer);
    assert_eq!(responsible("AccountTest.java").len(), 16);
    assert_eq!(responsible("AccountTest").len(), 16);
    assert!(graph.entries("noSuchTest").is_empty());
}

#[test]
fn chains_cover_all_and_are_closed() {
    let atoms = atoms();
    let all: BTreeSet<usize> = (0..atoms.len()).collect();
    let chains = atoms.chains(&all);
    let covered: BTreeSet<usize> = chains.iter().flatten().copied().collect();
    assert_eq!(covered, all);
    for chain in chains {
        let chain: BTreeSet<usize> = chain.into_iter().collect();
        assert_eq!(atoms.closure(&chain), chain);
    }
}
