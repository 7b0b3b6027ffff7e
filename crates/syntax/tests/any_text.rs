//! Properties that hold for any text, in every language.

#![cfg(feature = "default")]
#![allow(clippy::unwrap_used)] // a missing sample fails the test either way

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::parse_check::{ByteEdit, ParseCheck};
use whodunit_syntax::tree::NodeId;

mod samples;
mod sound;

use sound::check;

fn any_language() -> impl Strategy<Value = Language> {
    prop::sample::select(Language::all())
}

/// A place and a length as parts of the whole, and bytes to put there.
fn any_damage() -> impl Strategy<Value = Vec<(f64, f64, Vec<u8>)>> {
    let one = || prop_oneof![any::<u8>(), prop::sample::select(&b"\"'`()[]{}<>/*#\\\n\t \0"[..])];
    let bytes = prop::collection::vec(one(), 0..6);
    prop::collection::vec((0.0..1.0, 0.0..0.2, bytes), 1..5)
}

fn damaged(mut text: Vec<u8>, damage: &[(f64, f64, Vec<u8>)]) -> Vec<u8> {
    for (place, part, bytes) in damage {
        let start = (text.len() as f64 * place) as usize;
        let end = text.len().min(start + (text.len() as f64 * part) as usize);
        text.splice(start..end, bytes.iter().copied());
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_printed_back(
        language in any_language(),
        text in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        check(&parse(&language, text.as_slice()), &text);
    }

    #[test]
    fn a_damaged_sample_is_printed_back(language in any_language(), damage in any_damage()) {
        let text = damaged(samples::text(&language), &damage);
        let tree = parse(&language, text.as_slice());
        check(&tree, &text);
        prop_assert_eq!(parses(&language, &text), !tree.has_errors());
    }
}

proptest! {
    // Always the same cases: tree-sitter's parsing after an edit is not always like its parsing
    // afresh, some three times in 34,500, and has only been seen to be too strict.
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_the_gate_lets_through_parses(
        language in any_language(),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0), 1..4),
    ) {
        let text = samples::text(&language);
        let tree = parse(&language, text.as_slice());
        let gate = ParseCheck::new(&language, text.as_slice()).unwrap();
        let node = |part: f64| NodeId((tree.len() as f64 * part) as u32);
        let mut edits: Vec<ByteEdit> = Vec::new();
        for &(replaced, by) in &places {
            let range = tree.node(node(replaced)).range();
            edits.push(ByteEdit { range, text: tree.text(node(by)).to_vec() });
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup_by(|next, edit| next.range.start < edit.range.end);
        let mut candidate = text;
        for edit in edits.iter().rev() {
            candidate.splice(edit.range.clone(), edit.text.iter().copied());
        }
        prop_assert!(!gate.lets_through(&edits) || parses(&language, &candidate));
    }
}

/// Parses a text that is nested `depth` times, closed and unclosed.
fn check_nested(language: &str, depth: usize, before: &str, open: &str, close: &str) {
    let language = Language::by_name(language).unwrap();
    let unclosed = format!("{before}{}", open.repeat(depth));
    let closed = format!("{unclosed}{}", close.repeat(depth));
    for text in [unclosed, closed] {
        let tree = parse(&language, text.as_bytes());
        check(&tree, text.as_bytes());
        drop(tree.clone());
        let gate = ParseCheck::new(&language, text.as_bytes()).unwrap();
        gate.lets_through(&[ByteEdit { range: 0..1, text: Vec::new() }]);
    }
}

#[test]
fn deep_nesting_is_no_danger_to_the_stack() {
    check_nested("c", 10_000, "int a = ", "(", ")");
    check_nested("javascript", 10_000, "", "[", "]");
    check_nested("json", 10_000, "", "{\"a\":[", "]}");
    check_nested("lua", 10_000, "a = ", "{", "}");
    check_nested("python", 10_000, "a = ", "(", ")");
    check_nested("rust", 10_000, "fn f() ", "{", "}");
    check_nested("smtlib", 10_000, "(assert ", "(f ", "x)");
    check_nested("yaml", 10_000, "", "[", "]");
    // Here the parser takes time with the square of the depth.
    check_nested("html", 500, "", "<a>", "</a>");
    check_nested("xml", 500, "", "<a>", "</a>");
}

#[test]
fn a_deep_tree_is_as_deep_as_its_text() {
    let language = Language::by_name("json").unwrap();
    let text = "[".repeat(10_000) + &"]".repeat(10_000);
    let tree = parse(&language, text.as_bytes());
    assert!(!tree.has_errors());
    let innermost = tree.ids().rfind(|&id| !tree.is_leaf(id)).unwrap();
    let above = std::iter::successors(Some(innermost), |&id| tree.parent(id)).count();
    assert_eq!(above, 10_001);
}

#[test]
fn a_scanner_that_runs_out_of_room_does_not_end_the_process() {
    check_nested("yaml", 10_000, "", "- ", "");
    check_nested("yaml", 10_000, "", "? ", "");

    let mut lines = String::new();
    for depth in 0..700 {
        writeln!(lines, "{:depth$}if a:", "").unwrap();
    }
    let inside = format!("{lines}{:700}f'''{{b", "");
    let heredocs = |length: usize| format!("a(<<{0})\n text\n{0}\n", "A".repeat(length));
    for (language, text) in [
        ("python", lines),
        ("python", inside),
        ("ruby", heredocs(255)),
        ("ruby", heredocs(256)),
        ("ruby", heredocs(1_019)),
        ("ruby", heredocs(100_000)),
        ("ruby", "\"#{".repeat(1_000)),
        ("bash", "cat <<A\n".repeat(1_000)),
        ("c-sharp", "$\"{".repeat(1_000)),
        ("php", "<?php <<<A\n{$a[".repeat(1_000)),
    ] {
        let language = Language::by_name(language).unwrap();
        check(&parse(&language, text.as_bytes()), text.as_bytes());
    }
}

#[test]
fn a_tree_takes_little_memory() {
    for language in Language::all() {
        let text = samples::text(language).repeat(20);
        let tree = parse(language, text.as_slice());
        assert!(tree.memory() <= 40 * text.len(), "{language:?}");
    }
}
