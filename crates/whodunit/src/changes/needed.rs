//! The claims of an answer that each change of a culprit is needed: without it the good version
//! does not fail.
//!
//! The changes are found again between the versions by their numbers.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_versions::{Decomposition, Version};

use super::cause::{describe, smaller};
use super::replay::VersionClaim;
use crate::answer::{Cause, ChangeAnswer};
use crate::verify::Said;

/// Returns what a cause claims of the version `on` with all changes of the culprit but one, for each
/// of them; nothing if it does not claim that. `whole` is the version with the whole culprit.
pub(crate) fn each_without(
    (on, whole): (&str, &Version),
    parts: &Arc<Decomposition>,
    cause: &Cause,
    is_ordered: bool,
) -> Vec<VersionClaim> {
    if !cause.proof.each_needed.holds() {
        return Vec::new();
    }
    let [culprit, with] =
        [&cause.numbers.culprit, &cause.numbers.with].map(|it| numbered(parts, it));
    let without = smaller(&culprit, is_ordered).into_iter().map(|kept| {
        let left_out = describe(parts, &culprit.minus(&kept), |_| None);
        let version = parts.version(&kept.union(&with));
        let places: Vec<String> = left_out.iter().map(place).collect();
        let what = format!("{on} + culprit without {}", places.join(", "));
        VersionClaim::said(what, (whole, version), Said::NotFail)
    });
    without.collect()
}

/// Returns the changes with some numbers; none if one of them does not exist.
pub(crate) fn numbered(parts: &Decomposition, runs: &[[u32; 2]]) -> DeltaSet {
    let count = parts.len() as u32;
    let run = |&[first, last]: &[u32; 2]| -> Option<Range<u32>> {
        (first <= last && last < count).then_some(first..last + 1)
    };
    let runs: Option<Vec<_>> = runs.iter().map(run).collect();
    runs.map_or_else(DeltaSet::empty, |runs| runs.into_iter().collect())
}

/// Returns the place of a change, in words.
pub(super) fn place(change: &ChangeAnswer) -> String {
    let file = change.file.as_os_str().to_string_lossy();
    match change.new_lines.or(change.old_lines) {
        Some([line, _]) => format!("{file}:{line}"),
        None => file.into_owned(),
    }
}
