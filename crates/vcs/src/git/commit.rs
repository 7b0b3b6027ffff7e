//! A commit as plain data.

use crate::{ObjectId, Time};

/// A commit. Texts that are not UTF-8 have replacement characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its id.
    pub id: ObjectId,
    /// The beginning of its id, as short as is unique in the repository.
    pub short_id: String,
    /// The commits it was made from; the first is the previous one of the same branch.
    pub parents: Vec<ObjectId>,
    /// The tree: equal ids mean equal files.
    pub tree: ObjectId,
    /// The author of the change, with the time.
    pub author: Person,
    /// When the commit was made.
    pub committed: Time,
    /// The first paragraph of the message, in one line.
    pub title: String,
}

/// Someone who did something at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// When.
    pub time: Time,
}
