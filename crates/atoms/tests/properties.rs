//! Any set of changes with all their needs is a program.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::*;
use support::{drawing, plain, sound, texts, two_versions, version};
use whodunit_atoms::{Atoms, CallGraph};
use whodunit_core::DeltaSet;
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::parses;
use whodunit_versions::{Level, TreePath, Version, decompose};

/// A class of a few members, any of which may be there.
type Class = Vec<Option<Member>>;

#[derive(Clone, Debug)]
struct Member {
    sort: Sort,
    /// The members that it uses, if they are there.
    uses: Vec<usize>,
    /// The number of its body.
    variant: u8,
    is_on_one_line: bool,
}

#[derive(Clone, Copy, Debug)]
enum Sort {
    Field,
    Void,
    Value,
}

const MEMBERS: usize = 6;

fn member() -> impl Strategy<Value = Option<Member>> {
    let sort = prop_oneof![Just(Sort::Field), Just(Sort::Void), Just(Sort::Value)];
    let uses = prop::collection::vec(0..MEMBERS, 0..3);
    let member = (sort, uses, 0u8..3, prop::bool::weighted(0.2));
    let member = member.prop_map(|(sort, uses, variant, is_on_one_line)| Member {
        sort,
        uses,
        variant,
        is_on_one_line,
    });
    prop_oneof![3 => member.prop_map(Some), 1 => Just(None)]
}

/// Returns a class before and after some of its members were edited, added, or deleted.
fn classes() -> impl Strategy<Value = (Class, Class)> {
    let class = prop::collection::vec(member(), MEMBERS);
    let edits = prop::collection::vec(prop::option::weighted(0.5, member()), MEMBERS);
    (class, edits).prop_map(|(old, edits)| {
        let mut new: Class = old.clone();
        for (at, edit) in edits.into_iter().enumerate() {
            if let Some(mut edit) = edit {
                // The kind of a member stays the same: its change is tested elsewhere.
                if let (Some(edit), Some(old)) = (&mut edit, &old[at]) {
                    edit.sort = old.sort;
                }
                new[at] = edit;
            }
        }
        (old, new)
    })
}

/// Writes a class down.
fn text(class: &Class) -> String {
    let mut text = String::from("class A {\n");
    for (at, member) in class.iter().enumerate() {
        let Some(member) = member else { continue };
        let uses = member.uses.iter().filter_map(|&used| {
            Some(match class[used].as_ref()?.sort {
                Sort::Field => format!("n{used} = {};", member.variant),
                Sort::Void | Sort::Value => format!("n{used}();"),
            })
        });
        let uses: Vec<String> = uses.collect();
        let end = if member.is_on_one_line { " " } else { "\n        " };
        match member.sort {
            Sort::Field if member.variant == 0 => writeln!(text, "    int n{at};").unwrap(),
            Sort::Field => writeln!(text, "    int n{at} ={end}{};", member.variant).unwrap(),
            Sort::Void | Sort::Value => {
                let is_void = matches!(member.sort, Sort::Void);
                let of = if is_void { "void" } else { "int" };
                write!(text, "    {of} n{at}() {{").unwrap();
                for used in uses {
                    write!(text, "{end}{used}").unwrap();
                }
                if !is_void {
                    write!(text, "{end}return {};", member.variant).unwrap();
                }
                let close = if member.is_on_one_line { " " } else { "\n    " };
                writeln!(text, "{close}}}").unwrap();
            }
        }
        if member.variant == 1 {
            text.push('\n');
        }
    }
    text.push_str("}\n");
    text
}

/// Complains if a class would not compile.
fn complaint(text: &str) -> Option<String> {
    if !parses(&Language::by_name("java").unwrap(), text.as_bytes()) {
        return Some("does not parse".to_owned());
    }
    for at in 0..MEMBERS {
        let definitions =
            [format!("int n{at}() {{"), format!("void n{at}() {{"), format!("int n{at}")];
        let count = |line: &str| definitions.iter().any(|it| line.trim().starts_with(it.as_str()));
        let defined = text.lines().filter(|line| count(line)).count();
        let used = text.contains(&format!(" n{at}();")) || text.contains(&format!(" n{at} = "));
        let is_field = text.contains(&format!("    int n{at} ="));
        if defined > 1 || (used && !is_field && defined == 0) {
            return Some(format!("n{at} is defined {defined} times"));
        }
    }
    let mut is_value = false;
    let mut returns = true;
    for line in text.lines() {
        if line.starts_with("    int") && line.contains('{') {
            (is_value, returns) = (true, false);
        }
        returns |= line.contains("return");
        if line.starts_with("    }") || line.ends_with(" }") {
            if is_value && !returns {
                return Some("a value is missing".to_owned());
            }
            is_value = false;
        }
    }
    None
}

fn text_of(version: &Version) -> String {
    let file = version.get(&TreePath::from("A.java")).unwrap();
    String::from_utf8(file.content.read().unwrap().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_closed_set_of_changes_is_a_program(
        (old, new) in classes(),
        bits in prop::collection::vec(any::<bool>(), 1..24),
    ) {
        let (old, new) = (text(&old), text(&new));
        prop_assert_eq!(complaint(&old), None, "{}", old);
        let parts =
            decompose(&texts(&[("A.java", &old)]), &texts(&[("A.java", &new)]), Level::Line);
        let parts = parts.unwrap();
        let atoms = Atoms::of(&parts).unwrap();
        sound(&parts, &atoms);
        let chosen = (0..atoms.len()).filter(|at| bits[at % bits.len()]).collect();
        for chosen in [chosen, (0..atoms.len()).filter(|at| !bits[at % bits.len()]).collect()] {
            let closed = atoms.closure(&chosen);
            let laid_out = text_of(&parts.version(&atoms.deltas(&closed)));
            prop_assert_eq!(
                complaint(&laid_out), None,
                "{:#?}\n{:?}\n{}\n--- old\n{}\n--- new\n{}",
                drawing(&atoms), closed, laid_out, old, new
            );
        }
    }

    #[test]
    fn any_two_versions_have_changes((good, bad) in two_versions()) {
        let parts = decompose(&version(&good), &version(&bad), Level::Line).unwrap();
        let atoms = Atoms::of(&parts).unwrap();
        sound(&parts, &atoms);
        prop_assert_eq!(plain(&parts.version(&DeltaSet::empty())), good);
        let all: BTreeSet<usize> = (0..atoms.len()).collect();
        prop_assert_eq!(plain(&parts.version(&atoms.deltas(&all))), bad);
        let graph = CallGraph::of(&atoms);
        prop_assert!(graph.covered(&graph.entries("f")).is_subset(&all));
    }
}
