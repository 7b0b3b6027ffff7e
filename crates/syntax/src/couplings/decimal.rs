//! Numbers with decimals, added up without loss.

use std::ops::Range;

/// Digits after the point that are kept; a number with more is not read. Chosen by hand: with
/// [`MAX_DIGITS`] a sum fits into 128 bits.
const MAX_DECIMALS: usize = 12;
/// Digits of a number; one with more is a name of something and not a measure, and is not read.
/// Chosen by hand: it fits into 64 bits.
const MAX_DIGITS: usize = 18;
/// Suffixes of numbers in programs, as in `3u` or `2.5f`.
const TYPES: &[&str] = &[
    "", "u", "U", "l", "L", "ul", "UL", "ll", "LL", "ull", "ULL", "f", "F", "d", "D", "m", "M",
    "n", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64",
];

/// A number in units of the last digit that is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Decimal(i128);

impl Decimal {
    /// Reads a number that may stand in quotes.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let digits = digits(text)?;
        let number = &text[digits];
        let missing = u32::try_from(MAX_DECIMALS - decimals(number)).ok()?;
        let units = i128::from(figures(number)) * i128::from(10_u64.pow(missing));
        Some(Decimal(if number[0] == b'-' { -units } else { units }))
    }

    pub(super) fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Decimal)
    }

    /// Writes it with at least `least` decimals; with more only if they are not 0.
    pub(super) fn with_decimals(self, least: usize) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{:0width$}", self.0.unsigned_abs(), width = MAX_DECIMALS + 1);
        let (whole, rest) = digits.split_at(digits.len() - MAX_DECIMALS);
        let needed = rest.trim_end_matches('0').len();
        match needed.max(least.min(MAX_DECIMALS)) {
            0 => format!("{sign}{whole}"),
            decimals => format!("{sign}{whole}.{}", &rest[..decimals]),
        }
    }
}

/// Reads a whole number that is not negative and may stand in quotes.
pub(super) fn whole(text: &[u8]) -> Option<u32> {
    let number = &text[digits(text)?];
    let is_whole = number.iter().all(u8::is_ascii_digit);
    if is_whole { u32::try_from(figures(number)).ok() } else { None }
}

/// Returns the digits of a number as one number. There are not too many of them.
fn figures(number: &[u8]) -> u64 {
    let digits = number.iter().filter(|byte| byte.is_ascii_digit());
    digits.fold(0, |figures, digit| figures * 10 + u64::from(digit - b'0'))
}

/// Returns the number of digits after the point.
pub(super) fn decimals(digits: &[u8]) -> usize {
    digits.iter().rev().position(|&byte| byte == b'.').unwrap_or(0)
}

/// Returns where in a text the number is, if there is nothing else but quotes, white space and the
/// type of the number. Plain decimal numbers only: no exponents, no other base.
pub(super) fn digits(text: &[u8]) -> Option<Range<usize>> {
    let is_around = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    let start = text.iter().take_while(is_around).count();
    let rest = text.len() - text[start..].iter().rev().take_while(is_around).count();
    let body = text.get(start..rest)?;
    let sign = usize::from(body.first() == Some(&b'-'));
    let run = |from: usize| {
        body.get(from..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
    };
    let whole = run(sign);
    let after_point = run(sign + whole + 1);
    let has_point = body.get(sign + whole) == Some(&b'.') && after_point > 0;
    let length = sign + whole + if has_point { 1 + after_point } else { 0 };
    let has_zeros = whole > 1 && body[sign] == b'0';
    let too_long = whole + after_point > MAX_DIGITS || (has_point && after_point > MAX_DECIMALS);
    if whole == 0 || has_zeros || too_long {
        return None;
    }
    let is_type = TYPES.iter().any(|of| of.as_bytes() == &body[length..]);
    is_type.then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_what_is_around_it() {
        let read = |text: &str| digits(text.as_bytes()).map(|digits| text[digits].to_owned());
        assert_eq!(read("12"), Some("12".to_owned()));
        assert_eq!(read("\"-1.50\""), Some("-1.50".to_owned()));
        assert_eq!(read("\n  7 \n"), Some("7".to_owned()));
        assert_eq!(read("3u"), Some("3".to_owned()));
        assert_eq!(read("0"), Some("0".to_owned()));
        for no_number in
            ["", "-", "x", "0x10", "010", "1e5", "1.", ".5", "1 2", "1234567890123456789"]
        {
            assert_eq!(read(no_number), None, "{no_number}");
        }
    }

    #[test]
    fn decimals_are_kept_and_grow_if_need_be() {
        let number = |text: &str| Decimal::read(text.as_bytes()).unwrap();
        let sum = |one, other| number(one).plus(number(other)).unwrap();
        assert_eq!(sum("0.1", "0.2").with_decimals(2), "0.30");
        assert_eq!(sum("1.25", "-3").with_decimals(0), "-1.75");
        assert_eq!(sum("999999999999999999", "1").with_decimals(0), "1000000000000000000");
        assert_eq!(sum("-0.5", "0.5").with_decimals(1), "0.0");
        assert_eq!(whole(b"'3'"), Some(3));
        assert_eq!(whole(b"3.5"), None);
        assert_eq!(whole(b"-3"), None);
        assert_eq!(whole(b"99999999999"), None);
    }
}
