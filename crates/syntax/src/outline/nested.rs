//! Formats inside text: JSON in a string, base64, percent-encoding.
//!
//! Only reversible encodings are reported: encoding the decoded text gives the very bytes.

use std::ops::Range;

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, Encoding};
use serde::de::IgnoredAny;

use super::is_texty;
use super::quotes::Quotes;

/// Bytes of a run that is taken for base64; a shorter one is a word, more often than not. Chosen by
/// hand.
const MIN_BASE64_BYTES: usize = 16;

/// Escapes that a text must have to be decoded; one alone is not worth it. Chosen by hand.
const MIN_ESCAPES: usize = 2;

/// How known binary formats begin.
const MAGICS: [&[u8]; 10] = [
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"PK\x03\x04",
    b"%PDF",
    b"\x1f\x8b",
    b"\0asm",
    b"\x7fELF",
    b"wOF2",
];

/// A piece of text that holds another text, or data, in disguise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nested {
    /// Where it is; quotes around it are not part of it.
    pub range: Range<usize>,
    /// How it is disguised.
    pub format: NestedFormat,
}

/// A way to write something inside text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NestedFormat {
    /// JSON in a string with double quotes, escaped as in JSON.
    JsonString,
    /// JSON in a string with single quotes or backticks; this quote and backslashes are escaped.
    JsonIn {
        /// The quote.
        quote: u8,
    },
    /// The base64 of RFC 4648.
    Base64 {
        /// With `-` and `_` in place of `+` and `/`.
        url: bool,
        /// Filled up with `=`.
        padded: bool,
    },
    /// All but letters, digits and `-_.~` as `%XX`.
    Percent {
        /// With small letters as digits.
        small: bool,
    },
}

/// Finds nested texts in order; they do not overlap.
///
/// Texts nested in a nested text are found by searching its decoded form.
pub fn nested(bytes: &[u8]) -> Vec<Nested> {
    let mut found = Vec::new();
    let mut quotes = Quotes::default();
    let mut place = 0;
    // No string begins inside another one; but there may be base64 in it.
    let mut string_end = 0;
    while let Some(&byte) = bytes.get(place) {
        if matches!(byte, b'"' | b'\'' | b'`') && place >= string_end {
            let end = quotes.end(bytes, place);
            string_end = end.map_or(place, |end| end + 1);
            let json = end.and_then(|end| json(bytes, place + 1..end));
            place = if json.is_some() { string_end } else { place + 1 };
            found.extend(json);
        } else if is_run(byte) {
            let length = bytes[place..].iter().take_while(|&&byte| is_run(byte)).count();
            found.extend(run(bytes, place..place + length));
            place += length;
        } else {
            place += 1;
        }
    }
    found
}

impl NestedFormat {
    /// Decodes a text in this format; `None` if it is not in this format.
    pub fn decode(self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            NestedFormat::JsonString => {
                let quoted = [b"\"", text, b"\""].concat();
                serde_json::from_slice::<String>(&quoted).ok().map(String::into_bytes)
            }
            NestedFormat::JsonIn { quote } => unescape(text, quote),
            NestedFormat::Base64 { url, padded } => base64(url, padded).decode(text).ok(),
            NestedFormat::Percent { .. } => percent_decode(text),
        }
    }

    /// Encodes data in this format; `None` if that is impossible, as for bytes that are no text in
    /// a string of JSON.
    pub fn encode(self, data: &[u8]) -> Option<Vec<u8>> {
        match self {
            NestedFormat::JsonString => {
                let quoted = serde_json::to_vec(std::str::from_utf8(data).ok()?).ok()?;
                Some(quoted[1..quoted.len() - 1].to_vec())
            }
            NestedFormat::JsonIn { quote } => Some(escape(data, quote)),
            NestedFormat::Base64 { url, padded } => {
                Some(base64(url, padded).encode(data).into_bytes())
            }
            NestedFormat::Percent { small } => Some(percent_encode(data, small)),
        }
    }

    /// Decodes a text, if encoding the result gives the text again.
    fn open(self, text: &[u8]) -> Option<Vec<u8>> {
        let data = self.decode(text)?;
        (self.encode(&data)? == text).then_some(data)
    }
}

/// Returns the content of a string if it is an object or a list of JSON.
fn json(bytes: &[u8], range: Range<usize>) -> Option<Nested> {
    let text = &bytes[range.clone()];
    if !matches!(text.trim_ascii_start(), [b'{' | b'[', _, ..]) {
        return None;
    }
    let format = match bytes[range.end] {
        b'"' => NestedFormat::JsonString,
        quote => NestedFormat::JsonIn { quote },
    };
    let data = format.open(text)?;
    serde_json::from_slice::<IgnoredAny>(&data).ok()?;
    Some(Nested { range, format })
}

/// Whether a byte may be part of base64 or of percent-encoded text.
fn is_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=' | b'%' | b'.' | b'~')
}

/// Looks at a run of such bytes. A `=` in front of other bytes ends something, as in `key=value`.
fn run(bytes: &[u8], range: Range<usize>) -> Vec<Nested> {
    let mut found = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let rest = &bytes[start..range.end];
        let body = rest.iter().position(|&byte| byte == b'=').unwrap_or(rest.len());
        let signs = rest[body..].iter().take_while(|&&byte| byte == b'=').count();
        let with_signs = start..start + body + signs;
        let without = start..start + body;
        let piece = base64_piece(bytes, with_signs.clone())
            .or_else(|| base64_piece(bytes, without.clone()))
            .or_else(|| percent_piece(bytes, without));
        found.extend(piece);
        start = with_signs.end;
    }
    found
}

fn base64_piece(bytes: &[u8], range: Range<usize>) -> Option<Nested> {
    let text = &bytes[range.clone()];
    if text.len() < MIN_BASE64_BYTES {
        return None;
    }
    let padded = text.len().is_multiple_of(4);
    let url = text.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let format = NestedFormat::Base64 { url, padded };
    let data = format.open(text)?;
    let is_text = std::str::from_utf8(&data).is_ok() && is_texty(&data);
    let is_known = MAGICS.iter().any(|magic| data.starts_with(magic));
    (is_text || is_known).then_some(Nested { range, format })
}

fn base64(url: bool, padded: bool) -> Encoding {
    match (url, padded) {
        (false, true) => BASE64,
        (false, false) => BASE64_NOPAD,
        (true, true) => BASE64URL,
        (true, false) => BASE64URL_NOPAD,
    }
}

fn percent_piece(bytes: &[u8], range: Range<usize>) -> Option<Nested> {
    let text = &bytes[range.clone()];
    let escapes = text.iter().filter(|&&byte| byte == b'%').count();
    if escapes < MIN_ESCAPES {
        return None;
    }
    let formats = [false, true].map(|small| NestedFormat::Percent { small });
    let format = formats.into_iter().find(|format| {
        let data = format.open(text);
        data.is_some_and(|data| std::str::from_utf8(&data).is_ok() && is_texty(&data))
    })?;
    Some(Nested { range, format })
}

fn percent_decode(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let mut data = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        if byte == b'%' {
            let (high, low) = (digit(text.get(place + 1))?, digit(text.get(place + 2))?);
            data.push((high * 16 + low) as u8);
            place += 3;
        } else {
            data.push(byte);
            place += 1;
        }
    }
    Some(data)
}

fn percent_encode(data: &[u8], small: bool) -> Vec<u8> {
    let digits = if small { b"0123456789abcdef" } else { b"0123456789ABCDEF" };
    let mut text = Vec::with_capacity(data.len());
    for &byte in data {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(byte);
        } else {
            text.extend([b'%', digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
        }
    }
    text
}

/// The escapes of strings in most languages, beside those of the quote and the backslash.
const ESCAPES: [(u8, u8); 3] = [(b'n', b'\n'), (b'r', b'\r'), (b't', b'\t')];

fn unescape(text: &[u8], quote: u8) -> Option<Vec<u8>> {
    let mut data = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        data.push(match byte {
            b'\\' => match *bytes.next()? {
                b'\\' => b'\\',
                next if next == quote => quote,
                next => ESCAPES.iter().find(|(letter, _)| *letter == next)?.1,
            },
            byte => byte,
        });
    }
    Some(data)
}

fn escape(data: &[u8], quote: u8) -> Vec<u8> {
    let mut text = Vec::with_capacity(data.len());
    for &byte in data {
        match ESCAPES.iter().find(|(_, escaped)| *escaped == byte) {
            Some((letter, _)) => text.extend([b'\\', *letter]),
            None if byte == quote || byte == b'\\' => text.extend([b'\\', byte]),
            None => text.push(byte),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = nested(text.as_bytes());
        let shown: Vec<(&str, String)> = found
            .iter()
            .map(|found| {
                let piece = &text[found.range.clone()];
                let data = found.format.decode(piece.as_bytes()).unwrap();
                assert_eq!(found.format.encode(&data).unwrap(), piece.as_bytes());
                (piece, String::from_utf8_lossy(&data).into_owned())
            })
            .collect();
        let shown: Vec<(&str, &str)> = shown.iter().map(|(a, b)| (*a, b.as_str())).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn json_in_strings_is_opened() {
        check(r#"{"a": "{\"b\": [1]}"}"#, &[(r#"{\"b\": [1]}"#, r#"{"b": [1]}"#)]);
        check(r#"x = '{"b": "it\'s"}';"#, &[(r#"{"b": "it\'s"}"#, r#"{"b": "it's"}"#)]);
        check(r#""[]" "{}" "{x}" "1" "plain""#, &[("[]", "[]"), ("{}", "{}")]);
    }

    #[test]
    fn what_cannot_be_put_back_is_not_opened() {
        check(r#""[\u0031]""#, &[]);
        check(r#""[1,\/]""#, &[]);
    }

    #[test]
    fn base64_of_text_is_opened() {
        let padded = "SGVsbG8sIGJlYXV0aWZ1bCB3b3JsZA==";
        check(&format!("key={padded}&x"), &[(padded, "Hello, beautiful world")]);
        let bare = "SGVsbG8sIGJlYXV0aWZ1bCB3b3JsZA";
        check(&format!("\"{bare}\""), &[(bare, "Hello, beautiful world")]);
        check(
            "src=\"data:image/png;base64,SGVsbG8sIGJlYXV0aWZ1bA==\"",
            &[("SGVsbG8sIGJlYXV0aWZ1bA==", "Hello, beautiful")],
        );
    }

    #[test]
    fn base64_of_known_data_is_opened() {
        let picture = BASE64.encode(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
        assert_eq!(nested(picture.as_bytes()).len(), 1);
    }

    #[test]
    fn words_and_paths_are_left_alone() {
        check("someVeryLongIdentifierName /usr/local/share/documentation/ 100% sure", &[]);
        check("d41d8cd98f00b204e9800998ecf8427e", &[]);
        check("SGVsbG8sIGJlYXV0aWZ1bCB3b3JsZB==", &[]);
    }

    #[test]
    fn percent_encoding_is_opened() {
        check("?q=%7B%22a%22%3A1%7D&r=%20", &[("%7B%22a%22%3A1%7D", r#"{"a":1}"#)]);
        check("a%2fb%2fc", &[("a%2fb%2fc", "a/b/c")]);
        check("%41%42 %2F%2f %zz%20", &[]);
    }
}
