//! Every language on its sample: the recognised parts, and damages that it must survive.

#![allow(clippy::unwrap_used)] // a missing sample fails the test either way

use std::path::PathBuf;

use whodunit_syntax::language::{FIRST_BYTES, Language, NodeRole};
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::tree::SyntaxTree;

mod samples;
mod sound;

use sound::check;

/// Returns the language, the name of its sample, and the sample.
fn samples() -> Vec<(Language, PathBuf, Vec<u8>)> {
    let sample =
        |language: &Language| (language.clone(), samples::path(language), samples::text(language));
    Language::all().iter().map(sample).collect()
}

fn errors(tree: &SyntaxTree) -> String {
    let broken = |&id: &_| tree.node(id).is_error() || tree.node(id).is_missing();
    let at = |id| {
        let start = tree.node(id).range().start;
        let line = 1 + tree.source()[..start].iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: {}\n", String::from_utf8_lossy(tree.text(id)))
    };
    tree.ids().filter(broken).map(at).collect()
}

#[test]
fn a_sample_is_recognised_by_its_name() {
    for (language, path, text) in samples() {
        let first_bytes = &text[..text.len().min(FIRST_BYTES)];
        assert_eq!(Language::for_file(&path, first_bytes), Some(language));
    }
}

#[test]
fn a_sample_parses_without_errors() {
    for (language, _, text) in samples() {
        let tree = parse(&language, text.clone());
        assert!(!tree.has_errors(), "{language:?}\n{}", errors(&tree));
        assert!(parses(&language, &text), "{language:?}");
        check(&tree, &text);
    }
}

#[test]
fn a_sample_has_a_node_of_every_role_its_language_knows() {
    for (language, _, text) in samples() {
        let tree = parse(&language, text);
        let profile = language.profile();
        let known = [
            (NodeRole::Identifier, !profile.identifiers.is_empty()),
            (NodeRole::Number, !profile.numbers.is_empty()),
            (NodeRole::String, !profile.strings.is_empty()),
            // JSON has comments only by courtesy of its readers.
            (NodeRole::Comment, language.name() != "json"),
        ];
        for (role, known) in known {
            let found = tree.ids().any(|id| tree.role(id) == Some(role));
            assert!(found || !known, "{language:?} has no {role:?}");
        }
    }
}

#[test]
fn comments_are_as_the_language_file_says() {
    for (language, _, text) in samples() {
        let tree = parse(&language, text);
        let profile = language.profile();
        let openings = profile.block_comments.iter().map(|(opening, _)| opening);
        let marks: Vec<&String> = openings.chain(&profile.line_comments).collect();
        for id in tree.ids().filter(|&id| tree.role(id) == Some(NodeRole::Comment)) {
            let text = tree.text(id);
            let marked = marks.iter().any(|mark| text.starts_with(mark.as_bytes()));
            assert!(marked, "{language:?}: {}", String::from_utf8_lossy(text));
        }
    }
}

#[test]
fn half_a_sample_still_gives_a_tree() {
    for (language, _, text) in samples() {
        for part in [&text[..text.len() / 2], &text[text.len() / 2..], b"", b"\n", b"\"", b"\0"] {
            let tree = parse(&language, part);
            check(&tree, part);
            assert_eq!(parses(&language, part), !tree.has_errors(), "{language:?}");
        }
    }
}
