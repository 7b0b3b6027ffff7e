//! Texts as trees: the shown nodes of a tree are a text, and a legal one.

#![allow(clippy::unwrap_used)] // a missing sample fails the test either way

use std::path::Path;
use std::sync::Arc;

use whodunit_core::{Delta, Edit, Search, Step, TreeCandidate, Verdict, searches};
use whodunit_input::{
    Input, InputCandidate, InputFile, Languages, Protection, Snapshot, Structure,
};
use whodunit_run::Subject;
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::parses;

/// A text that was parsed.
struct Text {
    language: Language,
    structure: Arc<Structure>,
}

impl Text {
    fn new(language: &Language, text: &[u8]) -> Text {
        let file = InputFile { name: "in".into(), bytes: text.into(), mode: 0o644 };
        let base = Arc::new(Snapshot::new(vec![file]));
        let nothing = Protection::new(&[]).unwrap();
        let structure =
            Structure::read(&base, &Languages::Given(language.clone()), &nothing).unwrap();
        Text { language: language.clone(), structure: Arc::new(structure) }
    }

    fn of(language: &str, text: &str) -> Text {
        Text::new(&Language::by_name(language).unwrap(), text.as_bytes())
    }

    fn whole(&self) -> TreeCandidate {
        TreeCandidate::whole(self.structure.tree())
    }

    fn candidate(&self, shown: &TreeCandidate) -> InputCandidate {
        InputCandidate::shown(self.structure.clone(), shown.clone())
    }

    fn print(&self, shown: &TreeCandidate) -> String {
        let snapshot = self.candidate(shown).snapshot();
        String::from_utf8_lossy(&snapshot.files()[0].bytes).into_owned()
    }

    /// Returns the text after each edit that can be made to the whole.
    fn after_each(&self, edits: impl Fn(&TreeCandidate, Delta) -> Vec<Edit>) -> Vec<String> {
        let (tree, whole) = (self.structure.tree(), self.whole());
        let nodes = tree.subtree(tree.root()).map(Delta);
        let all = nodes.flat_map(|node| edits(&whole, node));
        let shown = all.map(|edit| whole.with(tree, [&edit]));
        shown
            .filter(|shown| Input.foretell(&self.candidate(shown)).is_none())
            .map(|shown| self.print(&shown))
            .collect()
    }

    fn without_each(&self) -> Vec<String> {
        self.after_each(|whole, node| {
            whole.leave_out(self.structure.tree(), node).into_iter().collect()
        })
    }

    /// Sweeps with a test that fails as long as all of these words are there.
    fn sweep(&self, needed: &[&str]) -> String {
        let mut sweep = searches::Sweep::new(self.structure.tree());
        while let Step::Ask(shown) = sweep.step() {
            let candidate = self.candidate(&shown);
            let text = self.print(&shown);
            let verdict = match Input.foretell(&candidate) {
                Some(verdict) => verdict,
                None if needed.iter().all(|word| text.contains(word)) => Verdict::Fail,
                None => Verdict::Pass,
            };
            sweep.learn(&verdict.into());
        }
        self.print(&sweep.best())
    }
}

fn samples() -> impl Iterator<Item = (Language, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syntax/languages");
    Language::all().iter().flat_map(move |language| {
        let paths = folder.join(language.name()).read_dir().unwrap();
        let paths = paths.map(|entry| entry.unwrap().path());
        let samples = paths.filter(|path| path.file_stem().is_some_and(|stem| stem == "sample"));
        samples.map(|path| (language.clone(), std::fs::read(path).unwrap()))
    })
}

#[test]
fn what_is_whole_is_the_very_text() {
    for (language, text) in samples() {
        let parsed = Text::new(&language, &text);
        let printed = parsed.candidate(&parsed.whole()).snapshot();
        assert_eq!(*printed.files()[0].bytes, *text, "{language:?}");
    }
}

#[test]
fn what_is_not_foretold_parses() {
    for (language, text) in samples() {
        let parsed = Text::new(&language, &text);
        let texts = parsed.without_each();
        assert!(texts.len() > 5, "{language:?}");
        for text in texts {
            assert!(parses(&parsed.language, text.as_bytes()), "{language:?}: {text}");
        }
    }
}

#[test]
fn an_item_goes_with_its_comma() {
    let list = Text::of("json", "[1, 2, 3]");
    let without = list.without_each();
    for expected in ["[ 2, 3]", "[1, 3]", "[1, 2]"] {
        assert!(without.iter().any(|text| text == expected), "{expected}: {without:?}");
    }
}

#[test]
fn an_irrelevant_condition_becomes_the_smallest_one() {
    let program = Text::of("c", "int f(int x, int y) { while (x > 3 && y) { y--; } return y; }");
    assert_eq!(program.sweep(&["while", "y--"]), "while (0) y--;");
}

#[test]
fn the_statements_of_a_block_take_its_place() {
    let program = Text::of("java", "class A { void f() { if (a) { b(); c(); } } }");
    assert_eq!(program.sweep(&["b()", "c()"]), "{ b(); c(); }");
}

#[test]
fn what_does_not_parse_is_reduced_all_the_same() {
    let broken = Text::of("json", "{\"a\": [1, 2, }, \"needle\": 3 ]");
    assert!(broken.sweep(&["needle"]).len() < 20);
}

#[test]
fn a_value_keeps_its_sign() {
    let class = Text::of("java", "class A { int x = f(1) + (b / 0); }");
    let without = class.without_each();
    let call = |text: &&String| *text == "class A { int x = 0 + (b / 0); }";
    assert_eq!(without.iter().filter(call).count(), 1, "{without:?}");
}
