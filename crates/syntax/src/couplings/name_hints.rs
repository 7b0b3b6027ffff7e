//! Hints about numbers in their names.

/// The hints of a name about its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NameHints {
    pub(super) count: bool,
    pub(super) sum: bool,
    pub(super) length: bool,
    pub(super) size: bool,
    pub(super) offset: bool,
    pub(super) lines: bool,
}

const COUNT: &[&str] = &[
    "cardinality",
    "cnt",
    "count",
    "counts",
    "entries",
    "len",
    "length",
    "n",
    "nb",
    "nr",
    "num",
    "number",
    "qty",
    "quantity",
    "size",
    "total",
];
const SUM: &[&str] = &["amount", "balance", "net", "subtotal", "sum", "total", "totals"];
const LENGTH: &[&str] = &["chars", "characters", "len", "length", "n", "size"];
const SIZE: &[&str] = &["bytes", "filesize", "len", "length", "size"];
const OFFSET: &[&str] = &["address", "offset", "offsets", "position", "startxref"];
const LINES: &[&str] = &["lines", "linecount", "loc"];

impl NameHints {
    /// Reads a name, word by word: `itemCount`, `num_items` and `Content-Length` are two each.
    pub(super) fn of(name: &[u8]) -> Self {
        let mut hints = NameHints::default();
        for word in words(name) {
            let is_one_of = |words: &[&str]| words.contains(&word.as_str());
            hints.count |= is_one_of(COUNT);
            hints.sum |= is_one_of(SUM);
            hints.length |= is_one_of(LENGTH);
            hints.size |= is_one_of(SIZE);
            hints.offset |= is_one_of(OFFSET);
            hints.lines |= is_one_of(LINES);
        }
        hints
    }
}

/// Splits a name where letters end or an upper case one follows a lower case one.
fn words(name: &[u8]) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for &byte in name {
        let begins = !byte.is_ascii_alphabetic() || (byte.is_ascii_uppercase() && was_lower);
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| byte.is_ascii_alphabetic()) {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
        was_lower = byte.is_ascii_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_names() {
        for name in ["count", "itemCount", "num_items", "Content-Length", "N", "size2"] {
            assert!(NameHints::of(name.as_bytes()).count, "{name}");
        }
        for name in ["", "account", "id", "country", "line"] {
            assert_eq!(NameHints::of(name.as_bytes()), NameHints::default(), "{name}");
        }
        assert!(NameHints::of(b"grand_total").sum);
    }
}
