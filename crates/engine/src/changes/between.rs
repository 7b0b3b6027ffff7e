//! Causes between two versions that stand for themselves, without a history between them.

use std::sync::Arc;

use whodunit_changes::{Decomposition, Version};
use whodunit_core::DeltaSet;

use super::answer::{Cause, Compared};
use super::cause::Scene;
use super::commits::Narrowed;
use super::origins::Origins;
use super::settings::ChangeSearch;
use super::trees::{Deltas, Space};
use super::versions::{End, Ends};
use super::{ChangesError, Hunt, culprit};
use crate::key::Key;

/// Finds what of the changes between two versions did it, with what has to go, if that was found.
pub(crate) fn causes_between(
    hunt: &mut Hunt<'_>,
    parts: &Arc<Decomposition>,
    key: Key,
    (good, passing): (&str, &Version),
    (bad, failing): (&str, &Version),
) -> Result<Vec<(Cause, Option<DeltaSet>)>, ChangesError> {
    let end = |name: &str, version: &Version| End {
        name: name.to_owned(),
        version: version.clone(),
        commit: None,
    };
    let ends = &Ends { good: end(good, passing), bad: end(bad, failing), repository: None, key };
    let (narrowed, origins) = (&Narrowed::default(), &Origins::default());
    let compared = &Compared {
        good: good.to_owned(),
        bad: bad.to_owned(),
        commits: None,
        given: None,
        key: Some(key),
    };
    let is_closure = hunt.settings.search == ChangeSearch::Closure;
    let space = &Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, is_closure)));
    let scene = Scene { ends, narrowed, compared, origins, parts, space };
    let found = culprit::find(hunt, &scene)?;
    Ok(found.into_iter().map(|(cause, finding)| (cause, finding.fix)).collect())
}
