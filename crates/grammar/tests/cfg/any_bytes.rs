//! Grammars of anybody: an error or a grammar, and never a panic. `fuzz/` goes further from here.

use proptest::prelude::*;
use whodunit_grammar::cfg::{Cfg, Source};

/// What grammars for YACC are made of, in any order.
const WORDS: [&str; 32] = [
    "%%", "%{", "%}", "%token", "%left", "%prec", "%start", "%type", "%union", "%empty", "<int>",
    "a", "b", "A", "B", "error", ":", "|", ";", "{", "}", "'x'", "'\\n'", "\"==\"", "'", "\"",
    "/*", "*/", "//", "\n", "$$", "\u{e9}",
];

/// What lexical parts are made of.
const LEXICAL: [&str; 12] =
    ["A", "B", "SKIP", " ", "\n", "[0-9]+", "\\s+", "(", "x{1000}", "a*?", "#", "1"];

fn words(from: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(from).prop_map(|word| word.as_bytes().to_vec());
    let word = prop_oneof![20 => word, 1 => prop::collection::vec(any::<u8>(), 0..4)];
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(&b' '))
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

/// Reads a grammar and parses something with it; all that counts is that it ends.
fn use_up(grammar: &[u8], lexical: &[u8]) {
    let grammar = Source { name: "g.y", bytes: grammar };
    let lexical = Source { name: "g.lex", bytes: lexical };
    if let Ok(cfg) = Cfg::read(grammar, lexical) {
        let _ = cfg.minimal_strings();
        let _ = cfg.parse(b"x == x");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_grammar_or_an_error(grammar in bytes(), lexical in bytes()) {
        use_up(&grammar, &lexical);
    }

    #[test]
    fn any_words_of_grammars_are_a_grammar_or_an_error(
        grammar in words(&WORDS),
        lexical in words(&LEXICAL),
    ) {
        use_up(&grammar, &lexical);
        use_up(&[b"%% ", &grammar[..]].concat(), &lexical);
    }
}
