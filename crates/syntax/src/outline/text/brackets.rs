//! Brackets that have a partner.
//!
//! A closing bracket is paired with the last opening one of its kind; brackets opened since then
//! have no partner. Braces are the strongest: no other bracket reaches over an opening brace.

use super::super::quotes::Quotes;
use super::{Short, What};

/// Opening brackets, the strongest first, with their closing ones.
const KINDS: [(u8, u8); 4] = [(b'{', b'}'), (b'(', b')'), (b'[', b']'), (b'<', b'>')];

/// Returns the pairs of brackets in the order in which they open, quoted strings left out.
pub(super) fn pairs(bytes: &[u8]) -> Vec<Short> {
    let mut found = BracketPairs::default();
    let mut quotes = Quotes::default();
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'"' | b'\'' | b'`' => place = quotes.end(bytes, place).unwrap_or(place),
            b'{' => found.open(0, place),
            b'(' => found.open(1, place),
            b'[' => found.open(2, place),
            b'<' if opens(bytes, place) => found.open(3, place),
            b'}' | b')' | b']' => found.close(byte, place),
            b'>' if closes(bytes, place) => found.close(byte, place),
            _ => {}
        }
        place += 1;
    }
    found.pairs.retain(|pair| pair.end > pair.start);
    found.pairs
}

/// Returns the spans of pairs and of their contents.
pub(super) fn spans(pairs: &[Short]) -> impl Iterator<Item = (Short, What)> {
    pairs.iter().flat_map(|&pair| {
        let inside = Short { start: pair.start + 1, end: pair.end - 1 };
        [(pair, What::Brackets), (inside, What::Inside)]
    })
}

/// Whether `<` looks like a bracket and not like a sign or an arrow.
fn opens(bytes: &[u8], place: usize) -> bool {
    !matches!(bytes.get(place + 1), None | Some(b' ' | b'\t' | b'\n' | b'=' | b'<' | b'-'))
}

fn closes(bytes: &[u8], place: usize) -> bool {
    !matches!(place.checked_sub(1).map(|before| bytes[before]), None | Some(b' ' | b'=' | b'-'))
}

#[derive(Default)]
struct BracketPairs {
    /// The pairs; an open one ends at its start until it is closed.
    pairs: Vec<Short>,
    /// For each kind the pairs that are open, by their place in `pairs`.
    open: [Vec<u32>; KINDS.len()],
}

impl BracketPairs {
    fn open(&mut self, kind: usize, place: usize) {
        self.open[kind].push(Short::new(self.pairs.len(), 0).start);
        self.pairs.push(Short::new(place, place));
    }

    fn close(&mut self, byte: u8, place: usize) {
        let Some(kind) = KINDS.iter().position(|&(_, close)| close == byte) else { return };
        let Some(&pair) = self.open[kind].last() else { return };
        if self.open[0].last().is_some_and(|&brace| brace > pair) {
            return;
        }
        for open in &mut self.open {
            while open.last().is_some_and(|&other| other >= pair) {
                open.pop();
            }
        }
        self.pairs[pair as usize].end = Short::new(place + 1, 0).start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let pairs = pairs(text.as_bytes());
        let found: Vec<&str> = pairs.iter().map(|pair| &text[pair.range()]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_closing_bracket_takes_the_last_of_its_kind() {
        check("(a [b) c]", &["(a [b)"]);
        check("(a (b)", &["(b)"]);
        check("}{ ( }", &["{ ( }"]);
    }

    #[test]
    fn nothing_reaches_over_an_opening_brace() {
        check("( { a ) }", &["{ a ) }"]);
    }

    #[test]
    fn signs_and_arrows_are_no_brackets() {
        check("for (i = 0; i <n; i++) { p->q; }", &["(i = 0; i <n; i++)", "{ p->q; }"]);
        check("a < b; c > d", &[]);
        check("Vec<Vec<u8>> <br />", &["<Vec<u8>>", "<u8>", "<br />"]);
    }
}
