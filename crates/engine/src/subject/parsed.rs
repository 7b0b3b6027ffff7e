//! The structure of a snapshot, kept for the next pass and for other copies of the search.

use std::sync::{Arc, Mutex, PoisonError};

use super::ladder::LadderSettings;
use super::snapshot::Snapshot;
use super::structure::Structure;

/// A snapshot, and its structure if anything in it can be parsed.
type Parsed = (Arc<Snapshot>, Option<Arc<Structure>>);

/// What was parsed last. It only saves time: the same snapshot gives the same structure.
#[derive(Debug, Default)]
pub(super) struct LastParsed(Mutex<Option<Parsed>>);

impl LastParsed {
    /// Returns the structure of a snapshot, if anything in it can be parsed.
    pub(super) fn structure(
        &self,
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
    ) -> Option<Arc<Structure>> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((snapshot, structure)) = &*last
            && Arc::ptr_eq(snapshot, base)
        {
            return structure.clone();
        }
        let structure = Structure::read(base, &settings.languages, &settings.protection);
        let structure = structure.map(Arc::new);
        *last = Some((base.clone(), structure.clone()));
        structure
    }
}
