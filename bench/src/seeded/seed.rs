//! A fault in a release, chosen by a seed: in a line that is changed or new and that the test runs,
//! such that the test always fails.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use whodunit_syntax::language::Language;
use whodunit_test_support::Random;
use whodunit_versions::Version;

use super::difference::{Around, around, changed_lines, version, write};
use super::mutate::{self, Fault, Mutation};
use super::packages::{Ecosystem, Package};
use super::ran_lines::Place;
use super::trial::{BUILT, Seen, Trial};
use crate::changes::cases::Fetched;

/// Seeds below this number choose among different lines of a package.
const APART: u64 = 3;
/// Tries before a seed gets no case: crates, for which it is unknown what lines a test runs, find a
/// fault that makes the test fail after a dozen or two.
const MOST_TRIES: usize = 60;

/// A release with a fault in it.
pub(super) struct Seeded {
    /// Removed when this value is dropped.
    folder: tempfile::TempDir,
    /// The file with the fault.
    pub(super) file: String,
    pub(super) fault: Fault,
    /// The result of the test with it.
    pub(super) seen: Seen,
    pub(super) hunk: Hunk,
}

/// The run of changed lines around a fault, and its effect alone: whether there is a small answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old_lines: Range<u32>,
    pub(super) new_lines: Range<u32>,
    /// Whether the old release with this run fails in the same way.
    pub(super) fails: bool,
    /// Whether the faulty release without this run passes.
    pub(super) mends: bool,
}

impl Seeded {
    /// Returns the folder with the faulty release.
    pub(super) fn bad(&self) -> PathBuf {
        self.folder.path().join("bad")
    }

    /// Writes the case into a folder of its own, in the form that `bench changes` takes.
    pub(super) fn lay_out(
        &self,
        good: &Path,
        trial: &Trial,
        folder: &Path,
    ) -> Result<(), Box<dyn Error>> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        copy(good, &folder.join("good"))?;
        copy(&self.bad(), &folder.join("bad"))?;
        fs::write(folder.join("test.sh"), trial.test_line())?;
        if let Some(build) = &trial.build {
            fs::write(folder.join("build.sh"), format!("{build}\n"))?;
        }
        let Seeded { file, fault: Fault { line, mutation, .. }, .. } = self;
        let facts = format!(
            "kind = \"seeded\"\n[[expected.cause]]\nfile = \"{file}\"\nlines_in_bad = \"{line}\"\n\
             what = \"{mutation}\"\n"
        );
        Ok(fs::write(folder.join("case.toml"), facts)?)
    }
}

/// The places for faults in a package.
pub(super) struct Soil<'a> {
    package: &'a Package,
    trial: &'a Trial,
    old: Version,
    new: PathBuf,
    language: Language,
    /// Ordered by file and place; faults of one line are adjacent.
    faults: Vec<(String, Fault)>,
}

impl<'a> Soil<'a> {
    /// Finds all places for faults; the inner error tells why there are none.
    pub(super) fn of(
        package: &'a Package,
        trial: &'a Trial,
        fetched: &Fetched,
    ) -> Result<Result<Self, String>, Box<dyn Error>> {
        for folder in [&fetched.good, &fetched.bad] {
            let seen = run_in_copy(trial, folder)?;
            if seen.as_ref().is_none_or(|seen| seen.exit != 0) {
                let last_line = seen.map(|seen| seen.last_line).unwrap_or_default();
                return Ok(Err(format!("its test does not pass in both releases: {last_line}")));
            }
        }
        let (old, new) = (version(&fetched.good)?, version(&fetched.bad)?);
        let mut places = changed_lines(&old, &new)?;
        if let Some(ran) = trial.ran_lines(&fetched.bad)? {
            places = places.intersection(&ran).cloned().collect();
        }
        let language = Language::by_name(match package.ecosystem {
            Ecosystem::Pypi => "python",
            Ecosystem::Npm => "javascript",
            Ecosystem::Crates => "rust",
        })?;
        let faults = faults(package.ecosystem, &language, &places, &fetched.bad)?;
        Ok(Ok(Soil { package, trial, old, new: fetched.bad.clone(), language, faults }))
    }

    /// Returns the number of possible faults.
    pub(super) fn faults(&self) -> usize {
        self.faults.len()
    }

    /// Inserts the first fault that makes the test fail twice alike, in an order that the seed
    /// decides.
    pub(super) fn seeded(&self, seed: u64) -> Result<Option<Seeded>, Box<dyn Error>> {
        let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let bad = folder.path().join("bad");
        copy(&self.new, &bad)?;
        for (file, fault) in order(self.package, &self.faults, seed).take(MOST_TRIES) {
            let path = bad.join(file);
            let sound = fs::read(&path)?;
            // Not checked for all faults beforehand: a large file has thousands.
            if !fault.leaves_a_program(&self.language, &sound) {
                continue;
            }
            fs::write(&path, fault.put_into(&sound))?;
            let seen = self.failure(&bad)?;
            remove_built(&bad)?;
            let place = (file.clone(), fault.line);
            // The fault may have restored the text of the old release.
            let around = match seen {
                Some(_) => around(&self.old, &version(&bad)?, &place)?,
                None => None,
            };
            if let (Some(seen), Some(around)) = (seen, around) {
                let hunk = self.hunk(around, &seen)?;
                return Ok(Some(Seeded {
                    folder,
                    file: place.0,
                    fault: fault.clone(),
                    seen,
                    hunk,
                }));
            }
            fs::write(&path, sound)?;
        }
        Ok(None)
    }

    fn hunk(&self, around: Around, failure: &Seen) -> Result<Hunk, Box<dyn Error>> {
        let run = |version: &Version| {
            let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
            write(version, folder.path())?;
            self.trial.run(folder.path())
        };
        let Around { old_lines, new_lines, alone, without } = around;
        let fails = run(&alone)?.is_some_and(|seen| seen == *failure);
        let mends = run(&without)?.is_some_and(|seen| seen.exit == 0);
        Ok(Hunk { old_lines, new_lines, fails, mends })
    }

    /// Returns the result of the test, if it fails in the same way twice.
    fn failure(&self, bad: &Path) -> Result<Option<Seen>, Box<dyn Error>> {
        let Some(first) = self.trial.run(bad)? else { return Ok(None) };
        // A syntax error tells nothing about a difference.
        if first.exit == 0 || first.last_line.contains("SyntaxError") {
            return Ok(None);
        }
        let second = self.trial.run(bad)?;
        Ok(second.filter(|second| *second == first))
    }
}

/// Returns the faults at some places, in order.
fn faults(
    ecosystem: Ecosystem,
    language: &Language,
    places: &BTreeSet<Place>,
    folder: &Path,
) -> Result<Vec<(String, Fault)>, Box<dyn Error>> {
    let extensions: &[&str] = match ecosystem {
        Ecosystem::Pypi => &["py"],
        Ecosystem::Npm => &["js", "cjs", "mjs"],
        Ecosystem::Crates => &["rs"],
    };
    let files: BTreeSet<&String> = places.iter().map(|(file, _)| file).collect();
    let mut found = Vec::new();
    for file in files {
        let extension = Path::new(file).extension().unwrap_or_default();
        if !extensions.iter().any(|known| extension == *known) {
            continue;
        }
        let is_library = ecosystem != Ecosystem::Crates || file.starts_with("src/");
        let text = fs::read(folder.join(file))?;
        let end = if ecosystem == Ecosystem::Crates { before_tests(&text) } else { u32::MAX };
        let is_meant = |fault: &Fault| {
            is_library && fault.line < end && places.contains(&(file.clone(), fault.line))
        };
        let faults = mutate::faults(language, &text).into_iter().filter(is_meant);
        found.extend(faults.map(|fault| (file.clone(), fault)));
    }
    Ok(found)
}

/// Returns the first line of the tests in a Rust file: they are not built.
fn before_tests(text: &[u8]) -> u32 {
    let text = String::from_utf8_lossy(text);
    let tests = text.lines().position(|line| line.trim() == "#[cfg(test)]");
    tests.and_then(|line| u32::try_from(line).ok()).map_or(u32::MAX, |line| line + 1)
}

/// Returns the faults in the order in which they are tried for a seed.
///
/// Kinds of faults are drawn alike often, because constants are more frequent than all others
/// together. Neighbouring seeds have no line in common.
fn order<'a>(
    package: &Package,
    faults: &'a [(String, Fault)],
    seed: u64,
) -> impl Iterator<Item = &'a (String, Fault)> {
    let mix = |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte));
    let name = package.to_string().bytes().fold(0, mix);
    let mut random = Random::new(name.wrapping_add(seed));
    let lines: BTreeSet<(&String, u32)> =
        faults.iter().map(|(file, fault)| (file, fault.line)).collect();
    let ours: BTreeSet<(&String, u32)> = lines
        .into_iter()
        .zip((0..APART).cycle())
        .filter(|(_, turn)| *turn == seed % APART)
        .map(|(line, _)| line)
        .collect();
    let mut kinds: BTreeMap<Mutation, Vec<&(String, Fault)>> = BTreeMap::new();
    for fault in faults.iter().filter(|(file, fault)| ours.contains(&(file, fault.line))) {
        kinds.entry(fault.1.mutation).or_default().push(fault);
    }
    std::iter::from_fn(move || {
        kinds.retain(|_, faults| !faults.is_empty());
        let kind = below(&mut random, kinds.len())?;
        let faults = kinds.values_mut().nth(kind)?;
        let place = below(&mut random, faults.len())?;
        Some(faults.swap_remove(place))
    })
}

fn below(random: &mut Random, bound: usize) -> Option<usize> {
    let bound = u32::try_from(bound).ok().filter(|bound| *bound > 0)?;
    usize::try_from(random.below(bound)).ok()
}

/// Runs a test on a copy, where it can leave files behind.
fn run_in_copy(trial: &Trial, folder: &Path) -> Result<Option<Seen>, Box<dyn Error>> {
    let copied = tempfile::Builder::new().prefix("bench-").tempdir()?;
    copy(folder, &copied.path().join("copy"))?;
    trial.run(&copied.path().join("copy"))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn remove_built(folder: &Path) -> std::io::Result<()> {
    let built = folder.join(BUILT);
    if built.exists() { fs::remove_dir_all(built) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "def f(a, b):\n    if a < b:\n        return g(a, b, 3)\n    x = 7\n    return h(b, a)\n";

    fn tried(seed: u64) -> Vec<(String, Fault)> {
        let package = super::super::packages::all().unwrap().swap_remove(0);
        let language = Language::by_name("python").unwrap();
        let faults = mutate::faults(&language, TEXT.as_bytes());
        let faults: Vec<_> = faults.into_iter().map(|fault| ("f.py".to_owned(), fault)).collect();
        order(&package, &faults, seed).cloned().collect()
    }

    #[test]
    fn the_same_seed_tries_the_same_faults_in_the_same_order() {
        assert_eq!(tried(2), tried(2));
    }

    #[test]
    fn neighbouring_seeds_have_no_line_in_common_and_leave_none_out() {
        let lines = |seed| tried(seed).iter().map(|(_, fault)| fault.line).collect::<BTreeSet<_>>();
        assert!([(1, 2), (2, 3), (1, 3)].iter().all(|(a, b)| lines(*a).is_disjoint(&lines(*b))));
        assert_eq!((1..=3).flat_map(lines).collect::<BTreeSet<_>>(), BTreeSet::from([2, 3, 4, 5]));
    }

    #[test]
    fn the_tests_of_a_file_are_not_part_of_it() {
        assert_eq!(before_tests(b"fn f() {}\n#[cfg(test)]\nmod tests;\n"), 2);
        assert_eq!(before_tests(b"fn f() {}\n"), u32::MAX);
    }
}
