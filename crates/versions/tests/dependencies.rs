//! Needs between deltas: drawn for small texts, and as properties of all.

#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use support::{chosen, plain, texts, two_versions, version};
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{
    ChangeKind, Decomposition, Dependencies, Grouping, Level, Mentions, Order, ParseGate, Reason,
    Version, decompose,
};

fn cut(good: &Version, bad: &Version) -> Decomposition {
    decompose(good, bad, Level::Line).unwrap()
}

/// Draws a delta as its old and new text, or as its change of a file.
fn drawn(parts: &Decomposition, delta: Delta) -> String {
    let part = parts.part(delta);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let mut drawing = String::new();
    for (old, new) in parts.texts(delta) {
        drawing += [text(old), text(new)].join(" => ").trim();
    }
    match part.change {
        ChangeKind::Text => drawing,
        change => format!("{change:?} {}", part.new_path.or(part.old_path).unwrap()),
    }
}

/// Checks what needs what for one reason.
fn check(good: &[(&str, &str)], bad: &[(&str, &str)], reason: Reason, expected: &[(&str, &str)]) {
    let parts = cut(&texts(good), &texts(bad));
    let found: Vec<(String, String)> = Dependencies::of(&parts)
        .edges()
        .iter()
        .filter(|edge| edge.reason == reason)
        .map(|edge| (drawn(&parts, edge.delta), drawn(&parts, edge.needs)))
        .collect();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_use_of_a_new_function_needs_its_definition() {
    check(
        &[("a.py", "x = 1\n"), ("b.py", "y = 1\n")],
        &[("a.py", "def fresh(): return 2\nx = fresh()\n"), ("b.py", "y = fresh()\n")],
        Reason::Name,
        &[
            ("x = 1 => x = fresh()", "=> def fresh(): return 2"),
            ("y = 1 => y = fresh()", "=> def fresh(): return 2"),
        ],
    );
}

#[test]
fn a_definition_goes_after_its_uses() {
    check(
        &[(
            "a.c",
            "int gone(void) { return 1; }\nint k;\nint x = 3;\nint f(void) { return gone(); }\n",
        )],
        &[("a.c", "int k;\nint x = 3;\nint f(void) { return 1; }\n")],
        Reason::Name,
        &[(
            "int gone(void) { return 1; } =>",
            "int f(void) { return gone(); } => int f(void) { return 1; }",
        )],
    );
}

#[test]
fn a_parameter_more_ties_declaration_definition_and_callers() {
    check(
        &[
            ("a.h", "void f(int x);\n"),
            ("a.c", "void f(int x)\n{\n}\n"),
            ("b.c", "int k;\nvoid g(void)\n{\n    f(1);\n}\n"),
        ],
        &[
            ("a.h", "void f(int x, int y);\n"),
            ("a.c", "void f(int x, int y)\n{\n}\n"),
            ("b.c", "int k;\nvoid g(void)\n{\n    f(1, 2);\n}\n"),
        ],
        Reason::Name,
        &[
            ("void f(int x) => void f(int x, int y)", "void f(int x); => void f(int x, int y);"),
            ("void f(int x) => void f(int x, int y)", "f(1); => f(1, 2);"),
            ("void f(int x); => void f(int x, int y);", "void f(int x) => void f(int x, int y)"),
            ("f(1); => f(1, 2);", "void f(int x) => void f(int x, int y)"),
        ],
    );
}

#[test]
fn who_calls_with_an_optional_parameter_needs_it_and_not_the_other_way_round() {
    check(
        &[("a.py", "def f(\n    x,\n):\n    return x\n"), ("b.py", "k = 1\nf(1)\n")],
        &[("a.py", "def f(\n    x,\n    y=0,\n):\n    return x\n"), ("b.py", "k = 1\nf(1, 2)\n")],
        Reason::Name,
        &[("f(1) => f(1, 2)", "=> y=0,")],
    );
}

#[test]
fn what_is_called_as_before_is_not_tied_to_new_parameters() {
    check(
        &[("a.js", "function f(x) {}\n"), ("b.js", "let a = f(1);\n")],
        &[("a.js", "function f(x, y) {}\n"), ("b.js", "let b = f(1);\n")],
        Reason::Name,
        &[],
    );
}

#[test]
fn a_field_gets_another_name_where_the_old_one_is_a_word_of_others() {
    check(
        &[
            ("a.h", "struct s {\n    int amount;\n};\n"),
            ("b.c", "int f(struct s *it, int amount)\n{\n    return it->amount;\n}\n"),
        ],
        &[
            ("a.h", "struct s {\n    int quantity;\n};\n"),
            ("b.c", "int f(struct s *it, int amount)\n{\n    return it->quantity;\n}\n"),
        ],
        Reason::Name,
        &[
            ("int amount; => int quantity;", "return it->amount; => return it->quantity;"),
            ("return it->amount; => return it->quantity;", "int amount; => int quantity;"),
        ],
    );
}

#[test]
fn a_field_that_another_structure_has_too_is_needed_where_it_is_new() {
    check(
        &[
            ("a.h", "struct one {\n    int size;\n};\nstruct two {\n    int k;\n};\n"),
            ("b.c", "int f(struct two *it)\n{\n    return 1;\n}\n"),
        ],
        &[
            (
                "a.h",
                "struct one {\n    int size;\n};\nstruct two {\n    int k;\n    int size;\n};\n",
            ),
            ("b.c", "int f(struct two *it)\n{\n    return it->size;\n}\n"),
        ],
        Reason::Name,
        &[("return 1; => return it->size;", "=> int size;")],
    );
}

#[test]
fn a_function_moves_as_a_whole() {
    check(
        &[("a.py", "def f(): return 1\nx = 1\n"), ("b.py", "y = 1\n")],
        &[("a.py", "x = 1\n"), ("b.py", "y = 1\ndef f(): return 1\n")],
        Reason::Name,
        &[
            ("def f(): return 1 =>", "=> def f(): return 1"),
            ("=> def f(): return 1", "def f(): return 1 =>"),
        ],
    );
}

#[test]
fn names_that_are_new_in_a_file_need_the_includes_that_came_with_them() {
    check(
        &[("a.c", "int k;\nint f(char *s)\n{\n    return 0;\n}\n")],
        &[("a.c", "#include <string.h>\nint k;\nint f(char *s)\n{\n    return strlen(s);\n}\n")],
        Reason::Name,
        &[("return 0; => return strlen(s);", "=> #include <string.h>")],
    );
    check(
        &[("a.c", "#include <string.h>\nint k;\nint f(char *s)\n{\n    return strlen(s);\n}\n")],
        &[("a.c", "int k;\nint f(char *s)\n{\n    return 0;\n}\n")],
        Reason::Name,
        &[("#include <string.h> =>", "return strlen(s); => return 0;")],
    );
}

#[test]
fn a_new_case_comes_with_what_it_is_a_case_of() {
    let old =
        "int f(enum e it)\n{\n    switch (it) {\n    case A: return 1;\n    }\n    return 0;\n}\n";
    check(
        &[("a.h", "enum e { A };\n"), ("b.c", old)],
        &[
            ("a.h", "enum e { A, B };\n"),
            ("b.c", &old.replace("    }\n", "    case B: return 2;\n    }\n")),
        ],
        Reason::Name,
        &[
            ("enum e { A }; => enum e { A, B };", "=> case B: return 2;"),
            ("=> case B: return 2;", "enum e { A }; => enum e { A, B };"),
        ],
    );
}

#[test]
fn a_new_function_needs_its_only_result() {
    check(
        &[("a.c", "int k;\n")],
        &[("a.c", "int k;\nint f(void)\n{\n    k++;\n    return k;\n}\nvoid g(void)\n{\n}\n")],
        Reason::Result,
        &[("=> int f(void)", "=> return k;")],
    );
}

#[test]
fn what_is_within_a_new_block_needs_its_header() {
    check(
        &[("a.py", "x = 1\n")],
        &[("a.py", "x = 1\nif x:\n    print(x)\n    print(2)\n")],
        Reason::Nesting,
        &[("=> if x:", "=> print(x)"), ("=> print(x)", "=> if x:"), ("=> print(2)", "=> if x:")],
    );
}

#[test]
fn brackets_come_in_pairs() {
    check(
        &[("a.c", "int f(void) {\n  int x = 1;\n  return x;\n}\n")],
        &[("a.c", "int f(void) {\n  int x = 1;\n  if (x) {\n    x++;\n  }\n  return x;\n}\n")],
        Reason::Brackets,
        &[("=> if (x) {", "=> }"), ("=> }", "=> if (x) {")],
    );
}

#[test]
fn a_statement_that_is_laid_out_anew_is_one_change() {
    check(
        &[("a.py", "k = 1\nf(\n    one, two, three\n)\nk = 2\n")],
        &[("a.py", "k = 1\nf(one, two, three)\nk = 2\n")],
        Reason::Nesting,
        &[
            ("f( =>", "one, two, three => f(one, two, three)"),
            ("one, two, three => f(one, two, three)", "f( =>"),
        ],
    );
}

#[test]
fn a_text_without_grammar_has_names_too() {
    check(
        &[("a.conf", "speed = 1\n"), ("b.conf", "use speed\n")],
        &[("a.conf", "speed = 1\nrange = 2\n"), ("b.conf", "use range\n")],
        Reason::Name,
        &[("use speed => use range", "=> range = 2")],
    );
}

#[test]
fn what_includes_a_new_file_needs_it() {
    check(
        &[("src/a.c", "int x;\n"), ("src/old.h", "int gone_1; int gone_2;\n")],
        &[("src/a.c", "#include \"new.h\"\nint x;\n"), ("src/new.h", "int come;\n")],
        Reason::File,
        &[("=> #include \"new.h\"", "Added src/new.h")],
    );
}

#[test]
fn a_file_needs_that_the_folder_of_its_name_is_gone() {
    check(
        &[("x/a", "1\n"), ("x/b", "2\n")],
        &[("x", "a text of its own\n")],
        Reason::Existence,
        &[
            ("Added x", "Deleted x/a"),
            ("Added x", "Deleted x/b"),
            ("=> a text of its own", "Added x"),
        ],
    );
}

#[test]
fn a_renamed_folder_is_one_delta_for_all_its_files() {
    let good = texts(&[
        ("lib-1/a.c", "int a;\nint a2;\nint a3;\n"),
        ("lib-1/b.c", "int b;\nint b2;\nint b3;\n"),
        ("lib-1/doc/c", "some words\nmore words\n"),
        ("lib-1/gone", "nothing like the others\n"),
        ("build", "cc lib-1/a.c\n"),
    ]);
    let bad = texts(&[
        ("lib-2/a.c", "int a;\nint a2;\nint a4;\n"),
        ("lib-2/b.c", "int b;\nint b2;\nint b3;\n"),
        ("lib-2/doc/c", "some words\nmore words\n"),
        ("lib-2/fresh", "hello there\n"),
        ("build", "cc lib-2/a.c\n"),
    ]);
    let parts = cut(&good, &bad);
    let all: Vec<String> = parts.all().iter().map(|delta| drawn(&parts, delta)).collect();
    let expected = [
        "cc lib-1/a.c => cc lib-2/a.c",
        "DirectoryRenamed lib-2",
        "int a3; => int a4;",
        "Added lib-2/fresh",
        "=> hello there",
        "Deleted lib-1/gone",
    ];
    assert_eq!(all, expected);
    // Without the new name of the folder everything else is as well in the old one.
    let rest = parts.all().minus(&DeltaSet::run(1..2));
    let paths: Vec<Vec<u8>> = plain(&parts.version(&rest)).into_keys().collect();
    let expected: [&[u8]; 5] =
        [b"build", b"lib-1/a.c", b"lib-1/b.c", b"lib-1/doc/c", b"lib-1/fresh"];
    assert_eq!(paths, expected);
}

#[test]
fn items_have_qualified_names() {
    let good = texts(&[("a.py", "class A:\n    def f(self):\n        return 1\n\nx = 1\n")]);
    let bad = texts(&[("a.py", "class A:\n    def f(self):\n        return 2\n\nx = 2\n")]);
    let parts = cut(&good, &bad);
    let items: Vec<Option<&str>> = parts.all().iter().map(|delta| parts.part(delta).item).collect();
    assert_eq!(items, [Some("A.f"), None]);
    assert_eq!(parts.part(Delta(0)).new_lines, 3..4);
}

#[test]
fn a_new_function_has_its_lines_to_take_along() {
    let old = "int f(void) {\n  int y = 1;\n  return y;\n}\n";
    let good = texts(&[("a.c", old)]);
    let bad = texts(&[(
        "a.c",
        &format!("{}\nint g(void) {{\n  int x = 2;\n  return x;\n}}\n", old.replace('1', "3")),
    )]);
    let parts = cut(&good, &bad);
    // The changed line of the old function, a blank line, and the new function.
    assert_eq!(Dependencies::of(&parts).new_items(), [(Delta(2), DeltaSet::run(3..6))]);
}

#[test]
fn what_no_longer_parses_is_foretold() {
    let good = texts(&[("a.c", "int f(void) { return 1; }\n"), ("b.c", "int x;\n")]);
    let bad = texts(&[("a.c", "int f(void) {\n  return 2;\n}\n"), ("b.c", "int y;\n")]);
    let parts = Arc::new(cut(&good, &bad));
    let gate = ParseGate::new(parts.clone());
    assert!(gate.lets_through(&DeltaSet::empty()) && gate.lets_through(&parts.all()));
    let header = DeltaSet::run(0..1);
    let goes_on = || true;
    assert_eq!(gate.broken(&header, &goes_on).unwrap(), [0]);
    assert!(!gate.lets_through(&header));
    let mended = gate.mend(&header, &goes_on).unwrap();
    assert!(header.is_subset(&mended) && gate.lets_through(&mended));
    let asked = std::cell::Cell::new(0);
    let goes_on_once = || asked.replace(asked.get() + 1) == 0;
    assert_eq!(gate.mend(&header, &goes_on_once), None, "a stop is heeded between two hunks");
    assert_eq!(gate.broken(&header, &|| false), None);
    assert!(mended.len() < parts.len(), "the other file is left alone");
    assert!(gate.lets_through(&DeltaSet::run(parts.len() as u32 - 1..parts.len() as u32)));
}

#[test]
fn a_body_without_a_head_is_foretold() {
    let good = texts(&[("a.c", "int x;\n")]);
    let bad = texts(&[("a.c", "int x;\nint f(void)\n{\n  return 2;\n}\n")]);
    let parts = Arc::new(cut(&good, &bad));
    let gate = ParseGate::new(parts.clone());
    assert!(!gate.lets_through(&DeltaSet::run(1..4)));
    assert!(gate.lets_through(&DeltaSet::run(0..4)));
}

#[test]
fn a_new_source_and_the_line_of_its_build_file_need_each_other() {
    let (before, after) = ("OBJ = main.o\n\nall:\n", "OBJ = main.o src/fresh.o\n\nall:\n");
    let main = ("main.c", "int main;\n");
    let line = "OBJ = main.o => OBJ = main.o src/fresh.o";
    for name in ["Makefile", "rules.mk"] {
        let (old, new) =
            ([(name, before), main], [(name, after), main, ("src/fresh.c", "int x;\n")]);
        let source = "Added src/fresh.c";
        check(&old, &new, Reason::File, &[(line, source), (source, line)]);
    }
    // A line of no build file is not needed, and an object means no source there.
    let (old, new) = ([("a.c", "x\n")], [("a.c", "\"new.h\" \"new.o\"\n"), ("new.h", "y\n")]);
    check(&old, &new, Reason::File, &[("x => \"new.h\" \"new.o\"", "Added new.h")]);
    // In reverse: a source is deleted together with the line that lists it.
    let old = [("Makefile", "SRC = main.c old.c\n"), main, ("old.c", "int x;\n")];
    let new = [("Makefile", "SRC = main.c\n"), main];
    let (line, source) = ("SRC = main.c old.c => SRC = main.c", "Deleted old.c");
    check(&old, &new, Reason::File, &[(line, source), (source, line)]);
}

#[test]
fn who_defines_and_who_mentions_a_name_is_known() {
    let good = texts(&[("a.py", "x = 1\n"), ("b.py", "z = 1\n")]);
    let bad = texts(&[("a.py", "def f(): pass\nx = 1\n"), ("b.py", "z = f\n")]);
    let mentions = Mentions::of(&cut(&good, &bad));
    assert_eq!(mentions.defining(b"f"), DeltaSet::run(0..1));
    assert_eq!(mentions.mentioning(b"f"), DeltaSet::run(0..2));
    assert!(mentions.mentioning(b"nobody").is_empty());
}

#[test]
fn groups_lie_side_by_side() {
    let good = texts(&[("a", "1\nk\nk\n2\nk\nk\n3\n"), ("b", "4\n")]);
    let bad = texts(&[("a", "shared\nk\nk\nalone\nk\nk\nother\n"), ("b", "shared\n")]);
    let parts = cut(&good, &bad);
    let order = Order::of(&parts, Grouping::Lexical);
    assert_eq!(order.deltas(), [0, 3, 1, 2].map(Delta));
    assert_eq!(order.boundaries()[1..], [6, 6]);
    let order = Order::of(&parts, Grouping::Process(&[2, 1, 2, 1]));
    assert_eq!(order.deltas(), [1, 3, 0, 2].map(Delta));
}

#[test]
fn names_are_grouped_within_files_and_files_within_folders() {
    let text = |three: [&str; 3]| three.map(|it| format!("{it}\nk\nk\n")).concat();
    let [old, new] = [["1", "2", "3"], ["shared", "alone", "shared"]].map(text);
    let files = ["a/x", "a/y", "b/x"];
    let parts = cut(&texts(&files.map(|it| (it, &*old))), &texts(&files.map(|it| (it, &*new))));
    let order = Order::nested(&parts, &[Grouping::Location, Grouping::Lexical]);
    assert_eq!(order.deltas(), [0, 2, 1, 3, 5, 4, 6, 8, 7].map(Delta));
    // A name that all files share does not go beyond the file.
    assert_eq!(order.levels()[0], [0, 0, 0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(order.levels()[1], [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    assert_eq!(order.levels()[2], [0, 1, 0, 2, 3, 2, 4, 5, 4]);
    let between = order.boundaries();
    assert!(between[5] > between[2] && between[2] > between[1] && between[1] > between[0]);
}

#[test]
fn a_definition_is_grouped_with_what_calls_it() {
    let good = texts(&[
        ("a.py", "def f(a):\n    return a\n\ndef g(a):\n    return a\n"),
        ("b.py", "x = f(1)\ny = 2\nz = g(3)\n"),
    ]);
    let bad = texts(&[
        ("a.py", "def f(a, b):\n    return a\n\ndef h(a):\n    return a\n"),
        ("b.py", "x = f(1, 2)\ny = 2\nz = h(3)\n"),
    ]);
    let parts = cut(&good, &bad);
    let order = Order::of(&parts, Grouping::Semantic);
    let group = |text: &str| {
        let it = parts.all().iter().find(|&it| drawn(&parts, it).contains(text)).unwrap();
        order.levels()[0][it.0 as usize]
    };
    assert_eq!(group("def h"), group("z = h(3)"));
    assert_ne!(group("def h"), group("x = f(1, 2)"));
}

/// Adds needs until no more are missing.
fn closed(dependencies: &Dependencies, mut set: DeltaSet) -> DeltaSet {
    loop {
        let edges = dependencies.edges().iter().filter(|edge| set.contains(edge.delta));
        let needed = set.union(&edges.map(|edge| edge.needs).collect());
        if needed == set {
            return set;
        }
        set = needed;
    }
}

proptest! {
    #[test]
    fn in_what_lacks_nothing_every_file_has_its_place(
        (good, bad) in two_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let parts = cut(&version(&good), &version(&bad));
        let set = closed(&Dependencies::of(&parts), chosen(parts.len(), &bits));
        let absent = |part: ChangeKind| {
            let is_so = |delta: &Delta| parts.part(*delta).change == part;
            parts.all().iter().filter(is_so).filter(|delta| set.contains(*delta)).count()
        };
        let added = absent(ChangeKind::Added);
        let deleted = absent(ChangeKind::Deleted);
        let files = parts.version(&set).len();
        prop_assert_eq!(files, good.len() + added - deleted, "a file was left out");
    }

    #[test]
    fn nothing_that_is_found_hangs_on_chance((good, bad) in two_versions()) {
        let parts = cut(&version(&good), &version(&bad));
        let again = cut(&version(&good), &version(&bad));
        let (one, other) = (Dependencies::of(&parts), Dependencies::of(&again));
        prop_assert_eq!(one.edges(), other.edges());
        let all = [Grouping::Location, Grouping::Syntactic, Grouping::Lexical, Grouping::Semantic];
        for grouping in all {
            let order = Order::of(&parts, grouping);
            prop_assert_eq!(&order, &Order::of(&again, grouping));
            let ordered: DeltaSet = order.deltas().iter().copied().collect();
            prop_assert_eq!(ordered, parts.all());
        }
    }
}

#[test]
fn comments_blank_lines_and_layout_are_quiet_and_nothing_else() {
    let parts = cut(
        &texts(&[(
            "a.py",
            "def f(x):\n    \"\"\"Old.\n    text\n    \"\"\"\n    # why\n    k = g(x, 'a')\n    return k - 1\n",
        )]),
        &texts(&[(
            "a.py",
            "def f(x):\n    \"\"\"New.\n    words\n    \"\"\"\n    # because\n\n    k = g(\n        x,\n        \"a\",\n    )\n    return k + 1\n",
        )]),
    );
    let loud: Vec<String> =
        parts.all().minus(&parts.quiet(&parts.all())).iter().map(|it| drawn(&parts, it)).collect();
    assert_eq!(loud, ["return k - 1 => return k + 1"]);
}
