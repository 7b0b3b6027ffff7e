//! A commit as plain data.

use std::fmt;

use super::date;
use crate::ObjectId;

/// What is known of a commit. Texts that are not UTF-8 have replacement characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its id.
    pub id: ObjectId,
    /// The beginning of its id, as short as is unique in the repository.
    pub short_id: String,
    /// The commits it was made from; the first is the one whose branch it continues.
    pub parents: Vec<ObjectId>,
    /// The tree: equal ids mean equal files.
    pub tree: ObjectId,
    /// Who wrote the change, and when.
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

/// A moment, with the zone of whoever noted it. Displayed as in `2026-03-01 12:00:00 +0100`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Seconds since the beginning of 1970.
    pub seconds: i64,
    /// How much local time was ahead of UTC, in seconds.
    pub offset: i32,
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = self.seconds.saturating_add(i64::from(self.offset));
        let minutes = self.offset.unsigned_abs() / 60;
        let sign = if self.offset < 0 { '-' } else { '+' };
        let moment = date::format(local);
        write!(f, "{moment} {sign}{:02}{:02}", minutes / 60, minutes % 60)
    }
}
