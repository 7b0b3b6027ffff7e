//! Words and numbers in the form that the page needs.

use std::time::Duration;

use maud::html;

pub(super) use crate::report::{counted, number};
use crate::{output, report};

/// Returns `text` without characters that are forbidden in a page, whatever markup is made of
/// it.
pub(super) fn plain(text: &str) -> String {
    // XML forbids these; they are no characters in any text.
    output::plain(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Returns `text` for a drawing, without markup and without forbidden characters.
pub(super) fn escaped(text: &str) -> String {
    html! { (plain(text)) }.into_string()
}

/// Returns at most `most` characters of the first line.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Returns a duration in words, even a very short one.
pub(super) fn duration(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{} ms", duration.as_millis()),
        _ => report::time(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(escaped("<b a=\"1\">&amp;"), "&lt;b a=&quot;1&quot;&gt;&amp;amp;");
        assert_eq!(escaped("a\u{1b}[1mb\u{ffff}\0"), "a\\u{1b}[1mb\u{fffd}\\u{0}");
    }

    #[test]
    fn digits_come_in_threes() {
        let numbers = [0, 999, 1000, 1_234_567].map(number);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(shortened("äöü\nx", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
    }

    #[test]
    fn short_times_are_not_nothing() {
        assert_eq!(duration(Duration::from_millis(17)), "17 ms");
        assert_eq!(duration(Duration::from_millis(2345)), "2.3 s");
    }
}
