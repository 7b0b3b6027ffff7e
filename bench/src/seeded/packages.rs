//! The packages that get faults: `bench/seeded/packages.txt`.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::changes::cases::{Brought, Fetched};

/// The files of the packages: their table, their tests, and the scripts that fetch them.
pub(super) const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/seeded");

/// Where a package is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Ecosystem {
    Pypi,
    Npm,
    Crates,
}

/// Whether single results are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Half {
    /// They are, to find out what can be done better.
    Dev,
    /// Only totals are, so nothing can be fitted to them.
    Kept,
}

/// A package in two releases.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) ecosystem: Ecosystem,
    pub(super) name: String,
    old: String,
    new: String,
    pub(super) half: Half,
    /// Of a crate, those that it is built with.
    pub(super) features: Vec<String>,
}

impl Ecosystem {
    pub(super) const ALL: [Ecosystem; 3] = [Ecosystem::Crates, Ecosystem::Npm, Ecosystem::Pypi];

    /// Returns its name, as a registry is commonly called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Ecosystem::Pypi => "pypi",
            Ecosystem::Npm => "npm",
            Ecosystem::Crates => "crates",
        }
    }
}

impl fmt::Display for Package {
    /// Writes its name: one package may be in several ecosystems.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.ecosystem.name(), self.name)
    }
}

impl Package {
    /// Finds both releases in `folder`, or fetches them.
    pub(super) fn fetch(&self, folder: Option<&Path>) -> Result<Brought, Box<dyn Error>> {
        let mut setup = Command::new("sh");
        setup.arg(Path::new(HOME).join("fetch.sh"));
        setup.args([self.ecosystem.name(), &self.name, &self.old, &self.new]);
        Fetched::bring(&mut setup, ["old", "new"], &self.to_string(), folder)
    }
}

/// Returns all packages, in the order of the table.
pub(super) fn all() -> Result<Vec<Package>, Box<dyn Error>> {
    let path = Path::new(HOME).join("packages.txt");
    let named = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| named(&error))?;
    read(&text).map_err(|error| named(&error).into())
}

fn read(text: &str) -> Result<Vec<Package>, String> {
    let is_row = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
    let row = |line: &str| package(line).ok_or_else(|| format!("not a package: {line}"));
    text.lines().filter(is_row).map(row).collect()
}

fn package(line: &str) -> Option<Package> {
    use clap::ValueEnum;
    let mut words = line.split_whitespace();
    let mut word = || words.next();
    Some(Package {
        ecosystem: Ecosystem::from_str(word()?, false).ok()?,
        name: word()?.to_owned(),
        old: word()?.to_owned(),
        new: word()?.to_owned(),
        half: Half::from_str(word()?, false).ok()?,
        features: words.map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn both_halves_of_each_ecosystem_are_alike_in_number() {
        for ecosystem in Ecosystem::ALL {
            let packages = all().unwrap();
            let count = |half| {
                let is_meant = |it: &&Package| it.ecosystem == ecosystem && it.half == half;
                packages.iter().filter(is_meant).count()
            };
            assert!(count(Half::Dev).abs_diff(count(Half::Kept)) <= 1, "{}", ecosystem.name());
        }
    }

    #[test]
    fn each_package_is_there_once_and_has_a_test() {
        let mut names = BTreeSet::new();
        for package in all().unwrap() {
            assert!(names.insert(package.to_string()), "{package} is there twice");
            let test = super::super::trial::script(&package);
            assert!(test.exists(), "{package} has no {}", test.display());
        }
    }

    #[test]
    fn a_row_that_lacks_something_is_not_passed_over() {
        assert!(read("# a package\n\nnpm  qs  1.0.0  2.0.0  dev\n").is_ok());
        assert!(read("npm  qs  1.0.0  dev\n").is_err());
    }
}
