//! The children of a node as the grammar sees them.

use super::kinds::KindId;

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// What the grammar puts here.
    Kind(KindId),
    /// What may stand anywhere.
    Extra,
    /// The text of a token that does not show, if the tree has it.
    Hidden,
    /// An error, or a kind that the grammar does not know.
    Unknown,
}
