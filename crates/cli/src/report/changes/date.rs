//! Dates from seconds, without the clock and the time zone.

use jiff::Timestamp;

/// Returns the day in UTC that a number of seconds since 1970 falls on.
pub(crate) fn date(seconds: i64) -> String {
    let within = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(within).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let known = [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_772_409_600, "2026-03-02"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, day) in known {
            assert_eq!(date(seconds), day);
        }
    }
}
