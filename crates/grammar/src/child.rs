//! The children of a node as the grammar sees them.

use super::kinds::KindId;

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// A kind of node that the grammar puts here.
    Kind(KindId),
    /// A node that may stand anywhere, as a comment.
    Extra,
    /// The text of a token that does not show, if the tree has it.
    Hidden,
    /// An error, or a kind that the grammar does not know.
    Unknown,
}
