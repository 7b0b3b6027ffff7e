//! Computes how suspicious each part of a difference is before the first question, from the
//! evidence of the first runs. It only orders the questions, and excludes nothing. The factors were
//! chosen by hand.

use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

use whodunit_core::{Delta, DeltaSet};
use whodunit_coverage::Lines;
use whodunit_versions::{Decomposition, Part};

use super::leads::Leads;
use crate::answer::{Evidence, NamedLine, RanLines};

/// Lines that are looked back for the begin of the statement of an unmeasured line.
const LONGEST_STATEMENT: u32 = 40;

/// Lines between a change and a line that the failure names, up to which the change is at the line:
/// a statement or two.
const AT_THE_LINE: u32 = 3;

/// Lines up to which a change is near such a line: a function.
const NEAR_THE_LINE: u32 = 30;

/// The measured lines of one end, by file.
struct Runs<'a>(BTreeMap<&'a [u8], FileRuns>);

/// The measured lines of a file.
struct FileRuns {
    called: Lines,
    loaded: Lines,
    measured: Lines,
}

/// How a line ran, in the order of how suspicious a change there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ran {
    /// It did not run.
    Not,
    /// It was not measured.
    Unknown,
    /// It ran when its file was loaded.
    Loaded,
    /// It ran in a function.
    Called,
}

impl<'a> Runs<'a> {
    fn of(files: &'a [RanLines]) -> Self {
        let lines =
            |ranges: &[[u32; 2]]| ranges.iter().map(|&[first, last]| first..=last).collect();
        let file = |it: &'a RanLines| {
            let runs = FileRuns {
                called: lines(&it.called),
                loaded: lines(&it.loaded),
                measured: lines(&it.measured),
            };
            (it.file.as_os_str().as_bytes(), runs)
        };
        Runs(files.iter().map(file).collect())
    }

    /// Returns how the lines of a file ran, taking the most suspicious one.
    fn ran(&self, file: &[u8], lines: Range<u32>) -> Ran {
        let Some(runs) = self.0.get(file) else { return Ran::Unknown };
        lines.map(|line| runs.ran(line)).max().unwrap_or(Ran::Not)
    }
}

impl FileRuns {
    /// Returns how a line ran. Only the first line of a statement is measured, and counts for the
    /// others.
    fn ran(&self, line: u32) -> Ran {
        let mut before = (line.saturating_sub(LONGEST_STATEMENT)..=line).rev();
        let Some(line) = before.find(|&line| self.measured.contains(line)) else {
            return Ran::Unknown;
        };
        if self.called.contains(line) {
            Ran::Called
        } else if self.loaded.contains(line) {
            Ran::Loaded
        } else {
            Ran::Not
        }
    }
}

/// The sources of suspicion against changes.
pub(super) struct Suspects<'a> {
    pub(super) parts: &'a Decomposition,
    pub(super) evidence: &'a Evidence,
}

impl Suspects<'_> {
    /// Returns how suspicious each of some changes is, relative to the others. Changes of comments
    /// and layout are left out.
    pub(super) fn weights(&self, suspects: &DeltaSet) -> BTreeMap<Delta, f64> {
        let leads = Leads { parts: self.parts, evidence: self.evidence };
        let quiet = self.parts.quiet(suspects);
        let loud = suspects.minus(&quiet);
        let spoken_of = leads.spoken_of(&loud);
        let read = leads.read_by_either(&loud);
        let (tested, asked) = (leads.tested(&loud), leads.asked(&loud));
        let (bad, good) =
            (Runs::of(&self.evidence.ran_in_bad), Runs::of(&self.evidence.ran_in_good));
        let is_traced = !self.evidence.ran_in_bad.is_empty();
        let mut weights = BTreeMap::new();
        for delta in loud.iter() {
            // Definitions that the test names where it fails come before those that it names
            // elsewhere, and these before those that they use.
            let near = |sets: &[DeltaSet]| sets.iter().position(|set| set.contains(delta));
            let mut weight = match (near(&asked), near(&tested)) {
                (Some(0), _) => 16.0,
                (Some(1), _) => 8.0,
                (_, Some(0)) => 4.0,
                (_, Some(1)) => 2.0,
                _ => 1.0,
            };
            if is_traced {
                weight *= match self.ran(&bad, &good, &self.parts.part(delta)) {
                    Ran::Called => 100.0,
                    Ran::Loaded => 10.0,
                    Ran::Unknown => 3.0,
                    Ran::Not => 1.0,
                };
            }
            if read.contains(delta) {
                weight *= 5.0;
            }
            if spoken_of.contains(delta) {
                weight *= 4.0;
            }
            weight *= self.named(&self.parts.part(delta));
            weights.insert(delta, weight);
        }
        weights
    }

    /// Returns the factor for a change because the failure names a line near it.
    fn named(&self, part: &Part<'_>) -> f64 {
        let Some(path) = part.new_path else { return 1.0 };
        let is_here = |it: &&NamedLine| it.file.as_os_str().as_bytes() == path.as_bytes();
        let named = self.evidence.named.iter().filter(is_here);
        let Range { start, end } = part.new_lines;
        let distance = |line: u32| start.saturating_sub(line).max(line.saturating_sub(end));
        match named.map(|it| distance(it.line)).min() {
            Some(0..=AT_THE_LINE) => 10.0,
            Some(0..=NEAR_THE_LINE) => 5.0,
            _ => 1.0,
        }
    }

    /// Returns how a change ran: its new lines in the bad version, its old ones in the good one.
    fn ran(&self, bad: &Runs<'_>, good: &Runs<'_>, part: &Part<'_>) -> Ran {
        let new = part.new_path.map(|path| bad.ran(path.as_bytes(), part.new_lines.clone()));
        let old = part.old_path.map(|path| good.ran(path.as_bytes(), part.old_lines.clone()));
        new.max(old).unwrap_or(Ran::Unknown)
    }
}
