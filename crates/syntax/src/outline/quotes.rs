//! Strings in quotes that begin and end on one line.

/// Finds the ends of strings; scans each line at most once for each kind of quote.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    /// For `"`, `'` and the backtick: no string that starts before this place ends on its line.
    hopeless_before: [usize; 3],
}

impl Quotes {
    /// Returns the place of the quote that ends the string which starts at this one, if there is
    /// a string. To be called with rising places.
    pub(super) fn end(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        let quote = bytes[start];
        let kind = [b'"', b'\'', b'`'].iter().position(|&kind| kind == quote)?;
        // After a letter it is an apostrophe.
        let apostrophe = quote == b'\'' && start > 0 && bytes[start - 1].is_ascii_alphanumeric();
        if apostrophe || start < self.hopeless_before[kind] {
            return None;
        }
        let mut place = start + 1;
        while let Some(&byte) = bytes.get(place) {
            match byte {
                b'\\' if bytes.get(place + 1).is_some_and(|&next| next != b'\n') => place += 2,
                b'\n' => break,
                byte if byte == quote => return Some(place),
                _ => place += 1,
            }
        }
        self.hopeless_before[kind] = place;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<usize> {
        Quotes::default().end(text.as_bytes(), 0)
    }

    #[test]
    fn a_string_ends_at_its_own_quote_on_its_line() {
        assert_eq!(end(r#""a'b" "#), Some(4));
        assert_eq!(end(r#""a\"b""#), Some(5));
        assert_eq!(end("\"a\n\""), None);
        assert_eq!(end("\"a\\\n\""), None);
        assert_eq!(end("\"a\\"), None);
        assert_eq!(end("`a`"), Some(2));
    }

    #[test]
    fn an_apostrophe_starts_no_string() {
        assert_eq!(Quotes::default().end(b"don't (a) won't", 3), None);
    }
}
