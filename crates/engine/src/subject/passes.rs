//! Ways to make a small input smaller still: each looks at a parsed input and lists changes.

mod spaces;

use std::sync::Arc;

use super::changes::{Change, Changes};
use super::structure::Structure;

/// A way to find changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finder {
    /// White space that nobody needs.
    Spaces,
}

impl Finder {
    /// Lists the changes there are to `structure`; `None` if there are none.
    pub(super) fn find(self, structure: &Arc<Structure>) -> Option<Changes> {
        let changes: Vec<Change> = match self {
            Finder::Spaces => spaces::find(structure),
        };
        (!changes.is_empty()).then(|| Changes::new(structure.clone(), changes))
    }
}
