//! Dates as users write them, to seconds since the beginning of 1970 and back.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

const DAY: i64 = 24 * 60 * 60;

/// Returns the last second that a date stands for; `None` if the text is no date: `2026-03-01`,
/// `2026-03-01T12:00`, `2026-03-01 12:00:30`, each time with a zone (`Z`, `+02:00`, `-0330`) or in
/// UTC.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let start = parse_day(day)?;
    match time {
        None => Some(start + DAY - 1),
        Some(time) => start.checked_add(parse_time(time)?),
    }
}

/// Returns the first second that a date stands for; see [`parse`].
pub(crate) fn parse_first(text: &str) -> Option<i64> {
    let last = parse(text)?;
    let is_day = !text.contains(['T', ' ']);
    Some(if is_day { last - (DAY - 1) } else { last })
}

/// Returns the date and the time of day, as in `2026-03-01 12:00:00`. A moment beyond the years of
/// the calendar is shown as its first or last moment.
pub(crate) fn format(seconds: i64) -> String {
    let within = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    let moment = Timestamp::from_second(within).unwrap_or_default();
    moment.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Returns the first second of a day.
fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let year = number(parts.next()?, 4)?.try_into().ok()?;
    let month = number(parts.next()?, 2)?.try_into().ok()?;
    let day = number(parts.next()?, 2)?.try_into().ok()?;
    if parts.next().is_some() {
        return None;
    }
    let day = Date::new(year, month, day).ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(day.timestamp().as_second())
}

/// Returns the seconds since midnight in UTC; negative or more than a day if the zone makes it so.
fn parse_time(text: &str) -> Option<i64> {
    let zone_begins = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(zone_begins);
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = match parts.next() {
        Some(second) => number(second, 2).filter(|second| *second < 60)?,
        None => 0,
    };
    if parts.next().is_some() {
        return None;
    }
    Some(hour * 3600 + minute * 60 + second - parse_zone(zone)?)
}

fn parse_zone(text: &str) -> Option<i64> {
    if text.is_empty() || text == "Z" {
        return Some(0);
    }
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hour, minute) = match digits.split_once(':') {
        Some(parts) => parts,
        None => digits.split_at_checked(2)?,
    };
    let hour = number(hour, 2).filter(|hour| *hour < 24)?;
    let minute = number(minute, 2).filter(|minute| *minute < 60)?;
    Some(sign * (hour * 3600 + minute * 60))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_lasts_until_its_end_and_a_time_is_that_moment() {
        assert_eq!(parse("1970-01-01"), Some(86_399));
        assert_eq!(parse("2026-03-01T12:00"), Some(1_772_366_400));
        assert_eq!(parse("2026-03-01 12:00:30"), Some(1_772_366_430));
    }

    #[test]
    fn a_day_begins_at_midnight() {
        assert_eq!(parse_first("1970-01-02"), Some(86_400));
        assert_eq!(parse_first("1970-01-01T00:01"), Some(60));
    }

    #[test]
    fn zones_are_taken_off() {
        for text in ["2026-03-01T14:00+02:00", "2026-03-01T08:30-0330", "2026-03-01T12:00Z"] {
            assert_eq!(parse(text), Some(1_772_366_400), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        let texts = [
            "",
            "2026",
            "2026-3-1",
            "2026-02-30",
            "2026-13-01",
            "2026-00-01",
            "2026-03-01T",
            "2026-03-01T24:00",
            "2026-03-01T12",
            "2026-03-01T12:00+é",
            "2026-03-01-rc1",
            "v1",
        ];
        for text in texts {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn days_of_a_thousand_years_are_read_back() {
        for days in (-200_000..200_000).step_by(11) {
            let text = format(days * DAY);
            assert_eq!(parse(&text), Some(days * DAY), "{text}");
        }
        assert_eq!(format(951_782_400), "2000-02-29 00:00:00");
    }
}
