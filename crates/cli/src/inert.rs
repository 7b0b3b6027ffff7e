//! Makes text of others harmless: names of files, titles of commits, output of tests.
//!
//! Such text must only be read. Here it loses the power to move the cursor, to change colours, to
//! reverse the direction of writing, and to begin a line that looks like one of ours. Pages also
//! escape what their own format treats as markup: [`markdown`], [`sarif`].

use serde::Serialize;

/// Returns a text of several lines in which nothing acts on a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' | '\t' => inert.push(char),
            char if acts(char) => inert.extend(char.escape_default()),
            char => inert.push(char),
        }
    }
    inert
}

/// Returns a text for one row of ours: like [`plain`], and without line breaks.
pub(crate) fn inert(text: &str) -> String {
    plain(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns our rows without the line breaks that are followed by anything but an indent: only our
/// own code begins rows.
pub(crate) fn continued(text: &str) -> String {
    let mut lines = text.split('\n');
    let mut rows = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        rows.push_str(if line.is_empty() || line.starts_with(' ') { "\n" } else { "\\n" });
        rows.push_str(line);
    }
    rows
}

/// Returns a text for one line of Markdown in which nothing is markup or a link.
pub(crate) fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    let plain = plain(text).replace(['\n', '\t'], " ");
    let mut rest = plain.as_str();
    while let Some(char) = rest.chars().next() {
        let is_link = rest.starts_with("://") || rest.starts_with("www.");
        if "\\`*_[]<>|#".contains(char) || (is_link && char == ':') {
            escaped.push('\\');
        }
        escaped.push(char);
        rest = &rest[char.len_utf8()..];
        if is_link && char == 'w' {
            // Some sites make links of names that begin with `www.`.
            escaped.push_str("ww\\.");
            rest = &rest["ww.".len()..];
        }
    }
    escaped
}

/// Returns a text for a message of SARIF, in which `[words](place)` would be a link.
pub(crate) fn sarif(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// Returns a value as JSON for programs, on several lines, in which nothing acts on a terminal.
///
/// All JSON that the program prints or writes to a file for others is made here and in [`json_line`].
/// Journals are for the program itself; `show --events` prints them through [`json_line`].
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| escaped(&text))
}

/// Like [`json`], on one line.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(|text| escaped(&text))
}

/// Returns the same JSON with every acting character escaped. Such characters stand in strings
/// only, because JSON has none of them outside; the breaks between its lines stay.
fn escaped(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for char in text.chars() {
        if char == '\n' || !acts(char) {
            inert.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            inert.push_str(&format!("\\u{unit:04x}"));
        }
    }
    inert
}

/// Returns whether a character acts on a terminal instead of showing something.
fn acts(char: char) -> bool {
    let is_mark = matches!(
        char,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    // Joiners are parts of words in some languages and of emoji, and they reverse nothing.
    let is_joiner = matches!(char, '\u{200c}' | '\u{200d}');
    char.is_control() || (is_mark && !is_joiner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character, and pairs of those with a meaning in some format.
    fn texts() -> impl Iterator<Item = String> {
        let odd = "a\n\t\r\u{1b}[]()\\`*_<>|#~&:/w.@ \u{202e}\u{9b}\u{7}";
        let pairs = odd.chars().flat_map(move |one| odd.chars().map(move |two| (one, two)));
        let singles = (0..=0x10_ffff).filter_map(char::from_u32).map(String::from);
        singles.chain(pairs.map(|(one, two)| format!("{one}{two}{one}://www.{two}")))
    }

    #[test]
    fn nothing_in_any_text_acts() {
        for text in texts() {
            assert!(!inert(&text).chars().any(acts), "{text:?}");
            assert!(!markdown(&text).chars().any(acts), "{text:?}");
            let is_fine = |char: char| !acts(char) || matches!(char, '\n' | '\t');
            assert!(plain(&text).chars().all(is_fine) && sarif(&text).chars().all(is_fine));
        }
    }

    #[test]
    fn json_says_the_same_and_nothing_in_it_acts() {
        // The escaping functions do not look at other characters.
        let is_told = |char: char| acts(char) || char.is_ascii();
        for text in texts().filter(|text| text.chars().any(is_told)) {
            let line = json_line(&text).unwrap();
            assert!(!line.chars().any(acts), "{text:?}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
            // Only the breaks between lines remain.
            let value = [&text, &text];
            let pretty = json(&value).unwrap();
            assert_eq!(pretty.lines().count(), 4, "{pretty}");
            assert!(!pretty.replace('\n', "").chars().any(acts), "{text:?}");
        }
    }

    #[test]
    fn no_bracket_or_link_is_left_in_pages() {
        for text in texts() {
            // A sign after a backslash makes no link.
            let page = markdown(&text).replace("\\:", " ");
            assert!(!page.contains("://") && !page.contains("www."), "{page:?}");
            let message = sarif(&text).replace("\\\\", "");
            assert!(!message.replace("\\[", "").contains('['), "{message:?}");
        }
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in ["naïve — “quotes”", "日本語", "שלום", "a\u{200d}b", "🙂", "a/b.c:12-13"]
        {
            assert_eq!(inert(text), text);
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain("a\nb\tc"), "a\nb\tc");
    }

    #[test]
    fn a_name_cannot_begin_a_row() {
        assert_eq!(inert("z\nproved     all"), "z\\nproved     all");
        assert_eq!(continued("a\n  b\nproved"), "a\n  b\\nproved");
        assert_eq!(inert("\u{1b}[31m\u{202e}"), "\\u{1b}[31m\\u{202e}");
    }
}
