//! A moment as plain data.

use std::fmt;

use crate::date;

/// A moment, with the zone of its author. Displayed as in `2026-03-01 12:00:00 +0100`.
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
