//! Names that say what a number is.

/// The hints of a name about its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Says {
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

impl Says {
    /// Reads a name, word by word: `itemCount`, `num_items` and `Content-Length` are two each.
    pub(super) fn of(name: &[u8]) -> Self {
        let mut says = Says::default();
        for word in words(name) {
            let is_one_of = |words: &[&str]| words.contains(&word.as_str());
            says.count |= is_one_of(COUNT);
            says.sum |= is_one_of(SUM);
            says.length |= is_one_of(LENGTH);
            says.size |= is_one_of(SIZE);
            says.offset |= is_one_of(OFFSET);
            says.lines |= is_one_of(LINES);
        }
        says
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
            assert!(Says::of(name.as_bytes()).count, "{name}");
        }
        for name in ["", "account", "id", "country", "line"] {
            assert_eq!(Says::of(name.as_bytes()), Says::default(), "{name}");
        }
        assert!(Says::of(b"grand_total").sum);
    }
}
