//! Mentions in outputs of real tools, and the lessons from them.
//!
//! Each file `hints/NAME.out` is the output of a tool in the folder `/work`;
//! `hints/NAME.mentions` lists the mentions read off it: kind, place, names.

#![allow(clippy::unwrap_used)] // In a test that is the message.

use std::fs;
use std::path::Path;

use whodunit_core::{Delta, DeltaSet, Lesson};
use whodunit_run::hints::{Locate, Mention, MentionKind, hinted, lessons, mentions};

fn picture(mentions: &[Mention]) -> String {
    let line = |mention: &Mention| {
        let kind = format!("{:?}", mention.kind).to_lowercase();
        let file = mention.file.as_ref().map(|file| file.as_path().display().to_string());
        let place = match (file, mention.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file,
            (None, _) => "-".into(),
        };
        format!("{kind} {place} {}", mention.names.join(" ")).trim_end().to_owned() + "\n"
    };
    mentions.iter().map(line).collect()
}

#[test]
fn real_outputs_are_understood() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hints");
    let mut wrong = Vec::new();
    let mut outputs = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "out") {
            outputs += 1;
            let output = fs::read_to_string(&path).unwrap();
            let found = picture(&mentions(&output, Path::new("/work")));
            let expected = fs::read_to_string(path.with_extension("mentions")).unwrap_or_default();
            if found != expected {
                wrong.push(format!("== {}\n{found}", path.display()));
            }
        }
    }
    assert!(outputs > 20);
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn an_output_without_an_end_is_read_up_to_a_point() {
    let line = |i: u32| format!("src/a.c:{i}:1: error: 'x{i}' undeclared (first use)\n");
    let output: String = (1..2000).map(line).collect();
    let found = mentions(&output, Path::new("/work"));
    assert_eq!(found.len(), 100);
    assert_eq!(found[0].line, Some(1), "the first errors cause the others");
}

#[test]
fn files_elsewhere_are_not_files_of_the_candidate() {
    let output = "/usr/include/x.h:3:1: error: unknown type name 'colour_t'\n\
                  ../other/y.c:3:1: error: 'thing' undeclared\n";
    assert_eq!(picture(&mentions(output, Path::new("/work"))), "name - colour_t\nname - thing\n");
}

#[test]
fn the_users_own_command_says_names_and_places() {
    let found = hinted("src/a.c:12\n\n  helper \n./b.c:3\nsrc/a.c:12\nstd::swap\n", Path::new("/"));
    let expected = "position src/a.c:12\nname - helper\nposition b.c:3\nname - std::swap\n";
    assert_eq!(picture(&found), expected);
}

#[test]
fn mentions_survive_being_stored() {
    let found = mentions("a.c:3:4: error: 'limit' undeclared\n", Path::new("/work"));
    let stored = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Mention>>(&stored).unwrap(), found);
}

/// Deltas with the places that they touch and the names they define: (delta, file, line,
/// names, file made).
struct Table(&'static [(u32, &'static str, u32, &'static str, &'static str)]);

impl Locate for Table {
    fn touching(&self, file: &[u8], line: u32) -> DeltaSet {
        let here = self.0.iter().filter(|row| row.1.as_bytes() == file && row.2 == line);
        here.map(|row| Delta(row.0)).collect()
    }

    fn defining(&self, name: &str) -> DeltaSet {
        self.0.iter().filter(|row| row.3 == name).map(|row| Delta(row.0)).collect()
    }

    fn making(&self, file: &str) -> DeltaSet {
        self.0.iter().filter(|row| row.4 == file).map(|row| Delta(row.0)).collect()
    }
}

const TABLE: Table = Table(&[
    (0, "a.c", 3, "", ""),
    (1, "lib.c", 1, "helper", ""),
    (2, "b.c", 9, "", ""),
    (3, "lib.c", 5, "area", ""),
    (4, "new.h", 1, "", "new.h"),
    (5, "z.c", 1, "", ""),
]);

fn set(deltas: &[u32]) -> DeltaSet {
    deltas.iter().map(|&delta| Delta(delta)).collect()
}

/// Checks that an output of a candidate teaches these lessons: pairs of a delta and its
/// needs.
fn check_lessons(output: &str, candidate: &[u32], blamed: &[u32], expected: &[(u32, &[u32])]) {
    let mentions = mentions(output, Path::new("/work"));
    let expected: Vec<Lesson> = expected
        .iter()
        .map(|(delta, needs)| Lesson::Implies { delta: Delta(*delta), needs: set(needs) })
        .collect();
    assert_eq!(lessons(&mentions, &set(candidate), &set(blamed), &TABLE), expected);
}

#[test]
fn a_use_needs_its_definition() {
    let output = "a.c:3:1: error: 'helper' undeclared\n";
    check_lessons(output, &[0, 5], &[5], &[(0, &[1])]);
    check_lessons(output, &[0, 1, 5], &[5], &[]);
}

#[test]
fn a_changed_definition_needs_its_uses_changed() {
    // The new `area` takes more; the call of before is still there.
    let output = "b.c:9:1: error: too few arguments to function 'area'\n";
    check_lessons(output, &[3, 5], &[5], &[(3, &[2])]);
}

#[test]
fn an_include_needs_its_file() {
    let output = "a.c:3:10: fatal error: new.h: No such file or directory\n";
    check_lessons(output, &[0], &[0], &[(0, &[4])]);
}

#[test]
fn where_nobody_is_named_the_newest_are_blamed() {
    let output = "/usr/bin/ld: main.o: undefined reference to `helper'\n";
    check_lessons(output, &[0, 2, 5], &[2, 5], &[(2, &[1]), (5, &[1])]);
}

#[test]
fn what_is_not_about_a_delta_teaches_nothing() {
    check_lessons("a.c:3:1: error: 'elsewhere' undeclared\n", &[0], &[0], &[]);
    check_lessons("all is well\n", &[0], &[0], &[]);
}

#[test]
fn a_word_that_everybody_defines_says_nothing() {
    struct Everywhere;
    impl Locate for Everywhere {
        fn touching(&self, _file: &[u8], _line: u32) -> DeltaSet {
            DeltaSet::empty()
        }
        fn defining(&self, _name: &str) -> DeltaSet {
            DeltaSet::full(50)
        }
        fn making(&self, _file: &str) -> DeltaSet {
            DeltaSet::empty()
        }
    }
    let word =
        Mention { file: None, line: None, names: vec!["x1".into()], kind: MentionKind::Word };
    assert_eq!(lessons(&[word], &set(&[0]), &set(&[0]), &Everywhere), []);
}
