//! Finds the changes that the first runs point at: those in files that the test reads, and those
//! that add words of the failure.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;

use whodunit_core::{Delta, DeltaSet};
use whodunit_run::Word;
use whodunit_versions::Decomposition;

use crate::answer::Evidence;

/// Number of changes that may add a word of the failure; a word that more changes add points at
/// none of them.
const MOST_CHANGES_OF_A_WORD: usize = 8;

/// Maps evidence to changes.
pub(super) struct Leads<'a> {
    pub(super) parts: &'a Decomposition,
    pub(super) evidence: &'a Evidence,
}

impl Leads<'_> {
    /// Returns the changes of files that the bad version's test reads, then the changes of files
    /// that the test of either version reads. Each set is empty if it covers more than half of the
    /// files.
    pub(super) fn read(&self, suspects: &DeltaSet) -> impl Iterator<Item = DeltaSet> {
        let bad = paths(&self.evidence.read_by_bad);
        let good = paths(&self.evidence.read_by_good);
        let files = self.parts.file_count();
        let mut by_bad: Vec<usize> = Vec::new();
        let mut by_either: Vec<usize> = Vec::new();
        for file in 0..files {
            let (old, new) = self.parts.paths(file);
            let is_in_bad = new.is_some_and(|path| bad.contains(path.as_bytes()));
            let is_in_good = old.is_some_and(|path| good.contains(path.as_bytes()));
            by_bad.extend(is_in_bad.then_some(file));
            by_either.extend((is_in_bad || is_in_good).then_some(file));
        }
        // The change of a renamed folder belongs to no file.
        let folders: DeltaSet =
            suspects.iter().filter(|&delta| self.parts.part(delta).file.is_none()).collect();
        let guesses = [by_bad, by_either].map(|read| {
            if read.is_empty() || read.len() * 2 > files {
                return DeltaSet::empty();
            }
            let sets = read.iter().map(|&file| self.parts.deltas_of_file(file));
            let all = sets.fold(folders.clone(), |all, set| all.union(&set));
            all.intersection(suspects)
        });
        guesses.into_iter()
    }

    /// Returns the changes of files that the test of either end reads.
    pub(super) fn read_by_either(&self, suspects: &DeltaSet) -> DeltaSet {
        let (bad, good) = (paths(&self.evidence.read_by_bad), paths(&self.evidence.read_by_good));
        let is_read = |file: &usize| {
            let (old, new) = self.parts.paths(*file);
            new.is_some_and(|path| bad.contains(path.as_bytes()))
                || old.is_some_and(|path| good.contains(path.as_bytes()))
        };
        let files = (0..self.parts.file_count()).filter(is_read);
        let all = files.flat_map(|file| self.parts.deltas_of_file(file).runs().collect::<Vec<_>>());
        all.collect::<DeltaSet>().intersection(suspects)
    }

    /// Returns the changes of definitions that the test names where it fails, then of those that it
    /// names anywhere, then of those that these use, the nearest first. Each set contains the ones
    /// before; sets with more than half of the suspects are left out.
    pub(super) fn tested(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        let names = self.evidence.tested.iter().map(String::as_bytes);
        let asked = self.asked(suspects).into_iter().next();
        let mut before =
            asked.clone().unwrap_or_else(DeltaSet::empty).union(&self.switched(suspects));
        let mut led_to: Vec<DeltaSet> = asked.map(|_| before.clone()).into_iter().collect();
        for set in self.parts.led_to(names, suspects) {
            before = before.union(&set);
            led_to.push(before.clone());
        }
        led_to.retain(|set| set.len() * 2 <= suspects.len());
        led_to
    }

    /// Returns the changes of definitions that the failing line of the test names, then of those
    /// that these use, the nearest first.
    pub(super) fn asked(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        self.parts.led_to(self.evidence.asked.iter().map(String::as_bytes), suspects)
    }

    /// Returns the changes that make the test read another file: they replace the name of a file
    /// that only the good version reads by the name of one that only the bad version reads.
    fn switched(&self, suspects: &DeltaSet) -> DeltaSet {
        let (bad, good) = (paths(&self.evidence.read_by_bad), paths(&self.evidence.read_by_good));
        let only_bad: BTreeSet<&[u8]> = bad.difference(&good).map(|path| name(path)).collect();
        let only_good: BTreeSet<&[u8]> = good.difference(&bad).map(|path| name(path)).collect();
        let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./+".contains(byte);
        let names_one = |text: &[u8], names: &BTreeSet<&[u8]>| {
            text.split(|byte| !is_path(byte)).any(|token| names.contains(name(token)))
        };
        let leads = |delta: &Delta| {
            let mut texts = self.parts.texts(*delta);
            texts.any(|(old, new)| names_one(old, &only_good) && names_one(new, &only_bad))
        };
        if only_bad.is_empty() || only_good.is_empty() {
            return DeltaSet::empty();
        }
        suspects.iter().filter(leads).collect()
    }

    /// Returns the changes that add words of the failure, without words that many changes add.
    pub(super) fn spoken_of(&self, suspects: &DeltaSet) -> DeltaSet {
        let told: BTreeSet<&[u8]> = self.evidence.words.iter().map(String::as_bytes).collect();
        let mut bringing: BTreeMap<&[u8], BTreeSet<Delta>> = BTreeMap::new();
        for delta in suspects.iter().filter(|_| !told.is_empty()) {
            for (old, new) in self.parts.texts(delta) {
                let brought = words(new).filter_map(|word| told.get(word));
                for &word in brought.filter(|&&word| !words(old).any(|other| other == word)) {
                    bringing.entry(word).or_default().insert(delta);
                }
            }
        }
        let rare = bringing.into_values().filter(|deltas| deltas.len() <= MOST_CHANGES_OF_A_WORD);
        rare.flatten().collect()
    }
}

/// Returns the last part of a path.
fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

fn paths(words: &[Word]) -> BTreeSet<&[u8]> {
    words.iter().map(|word| word.as_os_str().as_bytes()).collect()
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'_')
}
