//! A grammar for YACC and its lexical part, with a zero byte between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whodunit_grammar::cfg::{Cfg, Source};

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (grammar, lexical, text) = (part(), part(), part());
    let grammar = Source { name: "g.y", bytes: grammar };
    if let Ok(cfg) = Cfg::read(grammar, Source { name: "g.lex", bytes: lexical }) {
        let _ = cfg.minimal_strings();
        let _ = cfg.parse(text);
    }
});
