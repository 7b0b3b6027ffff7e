//! Makes dates in words, as git understands them (`yesterday`, `2 weeks ago`, `March 10 2026`),
//! absolute: a run that is resumed tomorrow has the same bounds.

use std::ffi::OsString;
use std::path::Path;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use whodunit_jobs::vcs::git::Repository;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Makes a revision or date absolute if it is a date in words and not a revision of the repository
/// that `folder` is in.
pub(crate) fn absolute(text: &mut String, folder: &Path) {
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    let Some(date) = read(text, &now) else { return };
    let is_revision = || Repository::discover(folder).is_ok_and(|it| it.resolve(text).is_ok());
    if !is_revision() {
        *text = date;
    }
}

/// The same for a version, which may be a file as well.
pub(crate) fn absolute_version(word: &mut OsString, folder: &Path) {
    let Some(text) = word.to_str().filter(|_| !folder.join(&*word).exists()) else { return };
    let mut text = text.to_owned();
    absolute(&mut text, folder);
    *word = text.into();
}

/// Returns the date that some words stand for, as revisions and histories take it; `None` if they
/// are not such words. All times are in UTC.
fn read(text: &str, now: &Zoned) -> Option<String> {
    let lower = text.trim().to_lowercase().replace([',', '.', '_'], " ");
    let words: Vec<&str> = lower.split_whitespace().collect();
    match words[..] {
        ["now"] => Some(moment(now)),
        ["today"] => Some(now.date().to_string()),
        // As in git: the same time of day, one day before.
        ["yesterday"] => before(now, 1, "day"),
        ["last", unit] => before(now, 1, unit),
        [count, unit, "ago"] => before(now, number(count)?, unit),
        [month, day, year] if named_month(month).is_some() => date(year, month, day),
        [day, month, year] => date(year, month, day),
        [one, other] => {
            let (month, day) = if named_month(one).is_some() { (one, other) } else { (other, one) };
            let this_year = date(&now.year().to_string(), month, day)?;
            // A date that has not come yet this year was last year.
            match this_year > now.date().to_string() {
                true => date(&(now.year() - 1).to_string(), month, day),
                false => Some(this_year),
            }
        }
        _ => None,
    }
}

fn number(word: &str) -> Option<i64> {
    let words =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let named = words.iter().position(|it| *it == word).and_then(|it| i64::try_from(it).ok());
    named.or_else(|| (word == "a" || word == "an").then_some(1)).or_else(|| word.parse().ok())
}

fn before(now: &Zoned, count: i64, unit: &str) -> Option<String> {
    // The most units of any kind that a date may be back.
    const MOST: i64 = 1_000_000;
    let count = Some(count).filter(|count| (0..=MOST).contains(count))?;
    let span = match unit.strip_suffix('s').unwrap_or(unit) {
        "second" | "sec" => count.seconds(),
        "minute" | "min" => count.minutes(),
        "hour" => count.hours(),
        "day" => (count * 24).hours(),
        "week" => (count * 7 * 24).hours(),
        "month" => i16::try_from(count).ok()?.months(),
        "year" => i16::try_from(count).ok().filter(|it| *it < 9999)?.years(),
        _ => return None,
    };
    now.checked_sub(span).ok().as_ref().map(moment)
}

fn moment(at: &Zoned) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn named_month(word: &str) -> Option<i8> {
    let is_it = |month: &&str| *month == word || word.len() >= 3 && month.starts_with(word);
    let place = MONTHS.iter().position(is_it)?;
    i8::try_from(place + 1).ok()
}

fn date(year: &str, month: &str, day: &str) -> Option<String> {
    let ending = ["st", "nd", "rd", "th"].iter().find_map(|ending| day.strip_suffix(ending));
    let day = ending.unwrap_or(day).parse().ok()?;
    let year = Some(year).filter(|year| year.len() == 4)?.parse().ok()?;
    Some(Date::new(year, named_month(month)?, day).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_words_become_dates() {
        let now: Timestamp = "2026-03-15T10:20:30Z".parse().unwrap();
        let now = now.to_zoned(TimeZone::UTC);
        for (text, date) in [
            ("yesterday", "2026-03-14T10:20:30Z"),
            ("today", "2026-03-15"),
            ("now", "2026-03-15T10:20:30Z"),
            ("2 weeks ago", "2026-03-01T10:20:30Z"),
            ("2.weeks.ago", "2026-03-01T10:20:30Z"),
            ("three months ago", "2025-12-15T10:20:30Z"),
            ("90 minutes ago", "2026-03-15T08:50:30Z"),
            ("last year", "2025-03-15T10:20:30Z"),
            ("March 10 2026", "2026-03-10"),
            ("10 Mar 2026", "2026-03-10"),
            ("Mar 10, 2026", "2026-03-10"),
            ("March 3rd", "2026-03-03"),
            ("December 24", "2025-12-24"),
        ] {
            assert_eq!(read(text, &now).as_deref(), Some(date), "{text}");
        }
    }

    #[test]
    fn revisions_and_nonsense_are_no_dates_in_words() {
        let now = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
        for text in [
            "",
            "HEAD",
            "v1.4",
            "2026-03-01",
            "ago",
            "2 ago",
            "many weeks ago",
            "Mar 32 2026",
            "main",
        ] {
            assert_eq!(read(text, &now), None, "{text}");
        }
    }
}
