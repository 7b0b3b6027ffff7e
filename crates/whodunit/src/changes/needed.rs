//! The claims of an answer that each change of a culprit is needed: without it the good version
//! does not fail.
//!
//! The changes are computed again between the versions. Their description and their effect must be
//! those of the answer and its patch; an answer that names other changes is refuted without a test.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_versions::{Decomposition, Version};

use super::ChangesError;
use super::cause::{describe, smaller};
use super::content::key_of;
use super::replay::VersionClaim;
use crate::answer::{Cause, ChangeAnswer, ChangeNumbers};
use crate::verify::Said;

/// Returns the claims of a cause about the version `on` with all changes of the culprit but one,
/// for each change; empty if the cause makes no such claim. `patched` is the version with the whole
/// culprit. If the changes are not those that the answer names, the only claim is an unfounded one.
pub(crate) fn each_without(
    (on, patched): (&str, &Version),
    parts: &Arc<Decomposition>,
    cause: &Cause,
    is_ordered: bool,
) -> Result<Vec<VersionClaim>, ChangesError> {
    if !cause.proof.each_needed.holds() {
        return Ok(Vec::new());
    }
    let ChangeNumbers { culprit, with } = &cause.numbers;
    let unfounded = || vec![VersionClaim::unfounded(format!("{on} + culprit without each change"))];
    let (Some(culprit), Some(with)) = (numbered(parts, culprit), numbered(parts, with)) else {
        return Ok(unfounded());
    };
    let unnamed = |change: &ChangeAnswer| ChangeAnswer { commit: None, ..change.clone() };
    let named: Vec<ChangeAnswer> = cause.culprit.iter().map(unnamed).collect();
    let whole = parts.version(&culprit.union(&with));
    if culprit.is_empty()
        || describe(parts, &culprit, |_| None) != named
        || key_of(&[&whole])? != key_of(&[patched])?
    {
        return Ok(unfounded());
    }
    let without = smaller(&culprit, is_ordered).into_iter().map(|kept| {
        let left_out = describe(parts, &culprit.minus(&kept), |_| None);
        let version = parts.version(&kept.union(&with));
        let places: Vec<String> = left_out.iter().map(place).collect();
        let what = format!("{on} + culprit without {}", places.join(", "));
        VersionClaim::said(what, (patched, version), Said::NotFail)
    });
    Ok(without.collect())
}

/// Returns the changes with these numbers; `None` if there are no such changes.
fn numbered(parts: &Decomposition, runs: &[[u32; 2]]) -> Option<DeltaSet> {
    let count = parts.len() as u32;
    let run = |&[first, last]: &[u32; 2]| -> Option<Range<u32>> {
        (first <= last && last < count).then_some(first..last + 1)
    };
    runs.iter().map(run).collect::<Option<Vec<_>>>().map(|runs| runs.into_iter().collect())
}

/// Returns the place of a change, in words.
pub(super) fn place(change: &ChangeAnswer) -> String {
    let file = change.file.as_os_str().to_string_lossy();
    match change.new_lines.or(change.old_lines) {
        Some([line, _]) => format!("{file}:{line}"),
        None => file.into_owned(),
    }
}
