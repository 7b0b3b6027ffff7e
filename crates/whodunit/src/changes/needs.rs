//! Finds from the versions where changes are, and which changes need which.

use std::sync::Arc;

use whodunit_core::Delta;
use whodunit_core::strategy::{Layout, Need, Needs, Place, Sureness};
use whodunit_versions::{Decomposition, Dependencies, Order, Part, Reason};

use super::{ChangesError, Finder, given};

/// With more changes than this, some files are not parsed to find which changes need which.
const MANY: usize = 50_000;

/// Finds out which changes need which, as long as there is time to search.
pub(super) fn needs(
    parts: &Arc<Decomposition>,
    finder: &Finder<'_>,
) -> Result<Needs, ChangesError> {
    let given = given::needs(finder.settings, parts)?;
    let parts = parts.clone();
    Ok(finder.search_stop().wait_for(move || needs_between(&parts, given))?)
}

/// Finds the needs that the sources show, and adds `given`, the user's statements.
fn needs_between(parts: &Decomposition, given: Vec<(Delta, Delta)>) -> Needs {
    let dependencies = if parts.len() > MANY {
        Dependencies::of(parts)
    } else {
        Dependencies::within(parts, &parts.all())
    };
    let needs = dependencies.edges().iter().map(|edge| Need {
        delta: edge.delta,
        needs: edge.needs,
        sureness: match edge.reason {
            reason if reason.is_certain() => Sureness::Certain,
            Reason::Brackets => Sureness::Brackets,
            _ => Sureness::Believed,
        },
    });
    let certain = |(delta, needs)| Need { delta, needs, sureness: Sureness::Certain };
    let needs = needs.chain(given.into_iter().map(certain));
    Needs::new(needs.collect(), dependencies.new_items().to_vec())
}

/// Returns the places of changes, in an order.
pub(super) fn layout(parts: &Decomposition, order: &Order) -> Arc<Layout> {
    let place = |delta| {
        let Part { file, item_id: item, hunk, old_lines, new_lines, .. } = parts.part(delta);
        Place { file, item, hunk, old_lines, new_lines }
    };
    let places = parts.all().iter().map(place).collect();
    Arc::new(Layout::new(places, order.deltas().to_vec(), order.boundaries().to_vec()))
}
