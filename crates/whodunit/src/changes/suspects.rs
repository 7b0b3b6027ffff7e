//! How suspect each part of a difference is before the first question, from what the first runs
//! showed. It decides what is asked first; nothing is excluded by it.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;

use whodunit_core::searches::{Undoable, Unit};
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{Decomposition, Order, Part};

use super::grouped::{Coarseness, Groups};
use super::leads::Leads;
use super::needs::Needs;
use crate::answer::{Evidence, RanLines};

/// How far back the statement may begin that an unmeasured line belongs to, in lines.
const LONGEST_STATEMENT: u32 = 40;

/// How suspect comments and layout are, beside 1 of a change that nothing points at.
const UNSUSPECTED: f64 = 0.01;

/// What is known of the lines of one end, by the file.
struct Runs<'a>(BTreeMap<&'a [u8], &'a RanLines>);

/// How a line ran. The order is how much it says against a change there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ran {
    /// It did not run.
    Not,
    /// Nobody knows.
    Unknown,
    /// When its file was loaded.
    Loaded,
    /// In a function.
    Called,
}

impl<'a> Runs<'a> {
    fn of(files: &'a [RanLines]) -> Self {
        Runs(files.iter().map(|it| (it.file.as_os_str().as_bytes(), it)).collect())
    }

    /// Returns how the lines of a file ran, the most telling of them.
    fn ran(&self, file: &[u8], lines: std::ops::Range<u32>) -> Ran {
        let Some(ran) = self.0.get(file) else { return Ran::Unknown };
        lines.map(|line| line_of(ran, line)).max().unwrap_or(Ran::Not)
    }
}

/// Returns how a line ran; of the further lines of a statement only the first is measured.
fn line_of(ran: &RanLines, line: u32) -> Ran {
    let is_in = |ranges: &[[u32; 2]], line| {
        ranges.iter().any(|&[first, last]| (first..=last).contains(&line))
    };
    for line in (line.saturating_sub(LONGEST_STATEMENT)..=line).rev() {
        if is_in(&ran.called, line) {
            return Ran::Called;
        }
        if is_in(&ran.loaded, line) {
            return Ran::Loaded;
        }
        if is_in(&ran.measured, line) {
            return Ran::Not;
        }
    }
    Ran::Unknown
}

/// What points at changes.
pub(super) struct Suspects<'a> {
    pub(super) parts: &'a Decomposition,
    pub(super) order: &'a Order,
    pub(super) evidence: &'a Evidence,
    pub(super) needs: &'a Needs,
}

impl Suspects<'_> {
    /// Returns what can be taken back of changes that fail: hunks, in the order in which they stand.
    pub(super) fn undoable(&self, failing: &DeltaSet, patience: usize) -> Undoable {
        let groups = Groups::new(self.parts, self.order, failing, |_| Coarseness::Hunks);
        let weights = self.weights(failing);
        let mut last: Option<(Option<usize>, Option<u32>)> = None;
        let mut units = Vec::new();
        for changes in groups.into_parts() {
            let of = |delta: Delta| weights.get(&delta).copied().unwrap_or(UNSUSPECTED);
            let weight = changes.iter().map(of).fold(0.0, f64::max);
            let place = changes.first().map(|delta| self.parts.part(delta));
            let place = place.map(|part| (part.file, part.item_id));
            let boundary = match (last, place) {
                (Some((file, _)), Some((other, _))) if file != other => 2,
                (Some((_, item)), Some((_, other))) => u8::from(item != other || item.is_none()),
                _ => 2,
            };
            last = place;
            units.push(Unit { changes, weight, boundary });
        }
        Undoable {
            all: self.parts.all(),
            units,
            believed: self.needs.all.clone(),
            certain: self.needs.certain.clone(),
            patience,
        }
    }

    /// Returns how suspect each change is, relative to the others.
    fn weights(&self, failing: &DeltaSet) -> BTreeMap<Delta, f64> {
        let leads = Leads { parts: self.parts, evidence: self.evidence };
        let quiet = self.parts.quiet(failing);
        let loud = failing.minus(&quiet);
        let spoken_of = leads.spoken_of(&loud);
        let read = leads.read_by_either(&loud);
        let tested = leads.tested(&loud);
        let (bad, good) =
            (Runs::of(&self.evidence.ran_in_bad), Runs::of(&self.evidence.ran_in_good));
        let is_traced = !self.evidence.ran_in_bad.is_empty();
        let mut weights = BTreeMap::new();
        for delta in loud.iter() {
            let near = tested.iter().position(|set| set.contains(delta));
            let mut weight = match near {
                Some(0) => 4.0,
                Some(1) => 2.0,
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
            weights.insert(delta, weight);
        }
        weights
    }

    /// Returns how a change ran: its new lines in the bad version, its old ones in the good one.
    fn ran(&self, bad: &Runs<'_>, good: &Runs<'_>, part: &Part<'_>) -> Ran {
        let new = part.new_path.map(|path| bad.ran(path.as_bytes(), part.new_lines.clone()));
        let old = part.old_path.map(|path| good.ran(path.as_bytes(), part.old_lines.clone()));
        new.max(old).unwrap_or(Ran::Unknown)
    }
}
