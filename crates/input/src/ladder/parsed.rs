//! The structure of a snapshot, kept for the next pass and for other copies of the search.

use std::sync::{Arc, Mutex, PoisonError};

use crate::settings::LadderSettings;
use crate::snapshot::Snapshot;
use crate::structure::Structure;

/// How much of large files is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// About this many bytes.
    Bytes(usize),
    Everything,
}

/// A snapshot, how it was parsed, and its structure if anything in it can be parsed.
type ParsedSnapshot = (Arc<Snapshot>, Detail, Option<Arc<Structure>>);

/// The last parsed snapshot. It only saves time: the same snapshot gives the same structure.
#[derive(Debug, Default)]
pub(super) struct LastParsed(Mutex<Option<ParsedSnapshot>>);

impl LastParsed {
    /// Returns the structure of a snapshot, if anything in it can be parsed.
    pub(super) fn structure(
        &self,
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        detail: Detail,
    ) -> Option<Arc<Structure>> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((snapshot, known, structure)) = &*last
            && Arc::ptr_eq(snapshot, base)
            && (*known == detail || structure.as_ref().is_none_or(|it| !it.is_abridged()))
        {
            return structure.clone();
        }
        // Drop the last one first, so that both are not in memory together.
        *last = None;
        let (languages, protection) = (&settings.languages, &settings.protection);
        let structure = match detail {
            Detail::Bytes(budget) => Structure::read_abridged(base, languages, protection, budget),
            Detail::Everything => Structure::read(base, languages, protection),
        };
        let structure = structure.map(Arc::new);
        *last = Some((base.clone(), detail, structure.clone()));
        structure
    }
}
