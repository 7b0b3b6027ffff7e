//! Each change is drawn as the remaining files with their content.

use super::*;
use crate::InputFile;

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let file = |(name, text): &(&str, &str)| InputFile {
        name: name.into(),
        bytes: text.as_bytes().into(),
        mode: 0o644,
    };
    Snapshot::new(files.iter().map(file).collect())
}

/// Makes each change by itself.
fn changed(referred: Referred, files: &[(&str, &str)]) -> Vec<Vec<(String, String)>> {
    let base = snapshot(files);
    let protection = Protection::new(&[]).unwrap();
    let make = |change: Change| {
        let mut left = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            if change.drops.contains(&index) {
                continue;
            }
            let addresses = base.addresses(index);
            let mut text = file.bytes.to_vec();
            let mut edits = change.edits.clone();
            edits.retain(|edit| {
                addresses.start <= edit.range.start && edit.range.end <= addresses.end
            });
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
            for Edit { range, text: new } in edits {
                let within = |address: u64| (address - addresses.start) as usize;
                text.splice(within(range.start)..within(range.end), new);
            }
            left.push((file.name.display().to_string(), String::from_utf8(text).unwrap()));
        }
        left
    };
    let referred = referred.find(&base, &protection).into_iter();
    // Files without references have no edits but their own.
    referred.filter(|change| change.edits.len() > 1).map(make).collect()
}

fn check(referred: Referred, files: &[(&str, &str)], expected: &[&[(&str, &str)]]) {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    let expected: Vec<Vec<_>> =
        expected.iter().map(|files| files.iter().map(owned).collect()).collect();
    assert_eq!(changed(referred, files), expected);
}

#[test]
fn a_header_goes_with_its_includes() {
    check(
        Referred::Dropped,
        &[("a.c", "#include \"inc/a.h\"\nint x;\n"), ("b.c", "# include <a.h>\n"), ("inc/a.h", "")],
        &[&[("a.c", "int x;\n"), ("b.c", "")]],
    );
}

#[test]
fn a_name_that_means_two_files_is_no_reference() {
    check(Referred::Dropped, &[("a.c", "#include <a.h>\n"), ("x/a.h", ""), ("y/a.h", "")], &[]);
}

#[test]
fn modules_go_with_their_imports() {
    check(
        Referred::Dropped,
        &[
            ("p/main.py", "from . import a\nfrom .b import (x,\n  y)\nimport os\n"),
            ("p/a.py", ""),
            ("p/b.py", "import p.a\n"),
        ],
        &[
            &[("p/main.py", "from .b import (x,\n  y)\nimport os\n"), ("p/b.py", "")],
            &[("p/main.py", "from . import a\nimport os\n"), ("p/a.py", "")],
        ],
    );
    check(
        Referred::Dropped,
        &[
            ("main.ts", "import {\n x } from './lib/x';\nconst y = require(\"./y\");\nf();\n"),
            ("lib/x.ts", ""),
            ("y.js", ""),
        ],
        &[
            &[("main.ts", "const y = require(\"./y\");\nf();\n"), ("y.js", "")],
            &[("main.ts", "import {\n x } from './lib/x';\nf();\n"), ("lib/x.ts", "")],
        ],
    );
    check(
        Referred::Dropped,
        &[("main.rb", "require_relative 'lib/x'\nputs 1\n"), ("lib/x.rb", "")],
        &[&[("main.rb", "puts 1\n")]],
    );
}

#[test]
fn lists_of_files_lose_the_name() {
    check(
        Referred::Dropped,
        &[
            ("b.json", "{\"files\": [\"a.c\", \"b.c\"], \"main\": \"b.c\"}"),
            ("a.c", ""),
            ("b.c", ""),
        ],
        &[
            &[("b.json", "{\"files\": [\"b.c\"], \"main\": \"b.c\"}"), ("b.c", "")],
            &[("b.json", "{\"files\": [\"a.c\"], \"main\": \"b.c\"}"), ("a.c", "")],
        ],
    );
    check(
        Referred::Dropped,
        &[("CMakeLists.txt", "add_executable(x a.c b.c)\n"), ("a.c", ""), ("b.c", "")],
        &[
            &[("CMakeLists.txt", "add_executable(x b.c)\n"), ("b.c", "")],
            &[("CMakeLists.txt", "add_executable(x a.c )\n"), ("a.c", "")],
        ],
    );
}

#[test]
fn includes_are_inlined_to_any_depth() {
    check(
        Referred::Inlined,
        &[
            ("a.c", "#include \"b.h\"\nint a;\n"),
            ("b.h", "#include \"c.h\"\nint b;"),
            ("c.h", "int c;\n"),
        ],
        &[
            &[("a.c", "int c;\nint b;\nint a;\n")],
            &[("a.c", "#include \"b.h\"\nint a;\n"), ("b.h", "int c;\nint b;")],
        ],
    );
}

#[test]
fn modules_of_rust_are_inlined() {
    check(
        Referred::Inlined,
        &[
            ("main.rs", "pub(crate) mod x;\nfn main() {}\n"),
            ("x.rs", "mod y;\n"),
            ("x/y.rs", "fn y() {}"),
        ],
        &[
            &[("main.rs", "pub(crate) mod x {\nmod y {\nfn y() {}\n}\n}\nfn main() {}\n")],
            &[
                ("main.rs", "pub(crate) mod x;\nfn main() {}\n"),
                ("x.rs", "mod y {\nfn y() {}\n}\n"),
            ],
        ],
    );
}

#[test]
fn what_is_needed_twice_is_not_inlined_and_neither_is_a_circle() {
    let twice = [("a.c", "#include \"x.h\"\n"), ("b.c", "#include \"x.h\"\n"), ("x.h", "int x;\n")];
    check(Referred::Inlined, &twice, &[]);
    let circle = [("a.h", "#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")];
    check(Referred::Inlined, &circle, &[]);
}
