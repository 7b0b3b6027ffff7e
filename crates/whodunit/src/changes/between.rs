//! Finds the causes between two versions without a history between them.

use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_run::Key;
use whodunit_versions::{Decomposition, Version};

use super::cause::{Finding, Scene};
use super::commits::Narrowed;
use super::content::key_of;
use super::deltas::Deltas;
use super::origins::Origins;
use super::verify::{Due, again};
use super::versions::{End, Ends};
use super::{ChangesError, Finder, culprit};
use crate::answer::{Cause, Compared};

/// Two versions, and the causes found among the changes between them.
pub(crate) struct Between {
    ends: Ends,
    narrowed: Narrowed,
    compared: Compared,
    origins: Origins,
    parts: Arc<Decomposition>,
    space: Arc<Deltas>,
    found: Vec<(Cause, Finding)>,
}

impl Between {
    /// Finds the changes between two versions that cause the failure.
    pub(crate) fn find(
        finder: &mut Finder<'_>,
        parts: &Arc<Decomposition>,
        key: Key,
        (good, passing): (&str, &Version),
        (bad, failing): (&str, &Version),
    ) -> Result<Self, ChangesError> {
        let space = Arc::new(finder.space(parts));
        let mut between = Between::of(parts, space, key, [(good, passing), (bad, failing)]);
        between.found = culprit::find(finder, &between.scene())?;
        Ok(between)
    }

    /// Takes two versions of which nothing was found yet.
    fn of(
        parts: &Arc<Decomposition>,
        space: Arc<Deltas>,
        key: Key,
        [(good, passing), (bad, failing)]: [(&str, &Version); 2],
    ) -> Self {
        let end = |name: &str, version: &Version| End {
            name: name.to_owned(),
            version: version.clone(),
            commit: None,
        };
        Between {
            ends: Ends {
                good: end(good, passing),
                bad: end(bad, failing),
                repository: None,
                key,
                has_script: false,
                own_script: None,
            },
            narrowed: Narrowed::default(),
            compared: Compared {
                good: good.to_owned(),
                bad: bad.to_owned(),
                commits: None,
                given: None,
                key: Some(key),
            },
            origins: Origins::default(),
            parts: parts.clone(),
            space,
            found: Vec::new(),
        }
    }

    /// Returns causes of an answer as they have to be between two versions; see [`again`].
    pub(crate) fn again(
        parts: &Arc<Decomposition>,
        ends: [(&str, &Version); 2],
        causes: &[Cause],
        due: Due,
    ) -> Result<Vec<Cause>, ChangesError> {
        let key = key_of(&ends.map(|(_, version)| version))?;
        let space = Arc::new(Deltas::new(parts.clone(), false));
        let between = Between::of(parts, space, key, ends);
        causes.iter().map(|cause| again(&between.scene(), cause, due)).collect()
    }

    /// Returns the fix of each cause.
    pub(crate) fn fixes(&self) -> Vec<Option<DeltaSet>> {
        self.found.iter().map(|(_, finding)| finding.fix.changes.clone()).collect()
    }

    /// Continues searches that gave up, within the patience of the run, and returns the causes.
    pub(crate) fn causes(mut self, finder: &mut Finder<'_>) -> Result<Vec<Cause>, ChangesError> {
        let mut found = std::mem::take(&mut self.found);
        culprit::go_on(finder, &self.scene(), &mut found)?;
        Ok(found.into_iter().map(|(cause, _)| cause).collect())
    }

    fn scene(&self) -> Scene<'_> {
        let Between { ends, narrowed, compared, origins, parts, space, .. } = self;
        Scene { ends, narrowed, compared, origins, parts, space }
    }
}
