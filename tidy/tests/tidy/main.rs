//! Checks the order of the project: ARCHITECTURE.md is true, crates have only the allowed
//! dependencies, modules import in one direction, and each foreign thing is used in one file.

#![allow(clippy::unwrap_used)] // a missing file fails the test either way

mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sources::{files, functions, root, sources_below, used};

/// Returns whether a path begins with another one, name by name.
fn is_below(path: &str, prefix: &str) -> bool {
    path == prefix || path.strip_prefix(prefix).is_some_and(|rest| rest.starts_with("::"))
}

/// Checks that no source of a folder uses any of these paths.
fn check_absent(folder: &str, absent: &[&str]) {
    for (path, text) in sources_below(folder) {
        for used in used(&text) {
            let found = absent.iter().find(|absent| is_below(&used, absent));
            assert!(found.is_none(), "{} uses {used}", path.display());
        }
    }
}

/// Returns the page without its picture.
fn architecture() -> String {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    text.split("```").step_by(2).collect()
}

/// Returns the texts in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn what_architecture_names_is_there() {
    let text = architecture();
    let names: Vec<&str> = quoted(&text).filter(|name| name.contains('/')).collect();
    assert!(names.len() > 10, "the page should name files");
    for name in names {
        assert!(root().join(name).exists(), "ARCHITECTURE.md names `{name}`, which is not there");
    }
    let whole = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(whole.lines().count() <= 70, "ARCHITECTURE.md is to be read in ten minutes");
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = format!("`crates/{}/`", entry.file_name().display());
        assert!(text.contains(&name), "ARCHITECTURE.md does not name {name}");
    }
}

#[test]
fn the_way_of_one_test_is_as_the_page_says() {
    let text = fs::read_to_string(root().join("docs/one-test.md")).unwrap();
    let stops: Vec<&str> = text.split("\n").filter(|line| line.contains(". **")).collect();
    assert!((10..=15).contains(&stops.len()), "there are {} stops", stops.len());
    for path in quoted(&text).filter(|name| name.contains('/')) {
        assert!(root().join(path).exists(), "docs/one-test.md names `{path}`, which is not there");
    }
    for stop in stops {
        let Some(path) = quoted(stop).find(|name| name.ends_with(".rs")) else { continue };
        let source = fs::read_to_string(root().join(path)).unwrap();
        let functions = quoted(stop).filter_map(|name| name.split_once("::"));
        for (_, function) in functions {
            assert!(source.contains(&format!("fn {function}")), "{path} has no `{function}`");
        }
    }
}

#[test]
fn the_glossary_can_be_learned() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let (_, table) = text.split_once("## Glossary").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    let words: Vec<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    assert!((20..=40).contains(&words.len()), "the glossary has {} words", words.len());
    for (place, word) in words.iter().enumerate() {
        assert!(!word.contains(','), "`{word}` is more than one word");
        assert!(!words[..place].contains(word), "`{word}` stands there twice");
    }
}

#[test]
fn each_place_to_add_something_is_one_path() {
    let text = architecture();
    let (_, table) = text.split_once("## Where would I add").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let wanted = [
        "a search",
        "a pass of `reduce`",
        "a language",
        "a kind of failure",
        "a coverage format",
        "a version-control system",
        "a worker",
        "a report",
    ];
    for what in wanted {
        let row = table.lines().find(|line| line.starts_with(&format!("| {what} |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md does not say where {what} goes"));
        let place = row.split('|').nth(2).unwrap();
        assert!(quoted(place).next().is_some_and(|path| path.contains('/')), "{row}");
    }
}

#[test]
fn each_invariant_names_a_test_that_is_there() {
    let text = architecture();
    let (_, invariants) = text.split_once("## Invariants").unwrap();
    let rows = invariants.lines().filter(|line| line.starts_with("| ")).skip(1);
    let named: Vec<&str> = rows.map(|row| quoted(row).last().unwrap_or(row)).collect();
    assert!(named.len() > 5, "the page should state invariants");
    let sources = sources_below("");
    let functions: BTreeSet<String> =
        sources.iter().flat_map(|(_, text)| functions(text)).collect();
    for test in named {
        assert!(functions.contains(test), "there is no test `{test}`");
    }
}

#[test]
fn the_core_only_decides() {
    let absent = [
        "std::fs",
        "std::io",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "std::env",
        "std::sync::Mutex",
        "std::sync::RwLock",
        "std::sync::mpsc",
        "serde",
    ];
    check_absent("crates/core/src", &absent);
    for (path, text) in sources_below("crates/core/src") {
        assert!(!text.contains("static mut"), "{}", path.display());
    }
    let manifest = fs::read_to_string(root().join("crates/core/Cargo.toml")).unwrap();
    assert!(!manifest.contains("\n[dependencies]"), "the core depends on nothing");
}

#[test]
fn the_library_neither_prints_nor_exits_nor_reads_the_environment() {
    let absent = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "std::env::var",
        "std::env::var_os",
        "std::env::vars",
        "std::env::home_dir",
        "std::env::current_dir",
        "env::var",
        "env::var_os",
        "env::vars",
        "env::home_dir",
        "env::current_dir",
    ];
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = entry.file_name().display().to_string();
        if name != "cli" {
            check_absent(&format!("crates/{name}/src"), &absent);
        }
    }
    let processes = ["std::process", "std::process::Command"];
    for name in ["run", "input", "grammar", "versions", "atoms", "coverage"] {
        check_absent(&format!("crates/{name}/src"), &processes);
    }
    for name in ["run", "grammar", "atoms", "coverage"] {
        check_absent(&format!("crates/{name}/src"), &["std::fs"]);
    }
    check_absent("crates/grammar/src", &["tree_sitter"]);
    for (path, text) in sources_below("crates/vcs/src") {
        let runs = used(&text).iter().any(|used| is_below(used, "std::process"));
        assert!(!runs || path.ends_with("client.rs"), "{} runs programs", path.display());
    }
    for (path, text) in sources_below("crates/exec/src") {
        let may_exit = path.ends_with("process/launcher.rs") || path.ends_with("process/spawn.rs");
        let exits = used(&text).iter().any(|used| used.ends_with("process::exit"));
        assert!(may_exit || !exits, "{} ends the process", path.display());
    }
}

#[test]
fn each_foreign_thing_has_one_file() {
    let homes = [
        ("landlock", "crates/exec/src/process/sandbox.rs"),
        ("imara_diff", "crates/versions/src/lines.rs"),
        ("indicatif", "crates/cli/src/progress.rs"),
        ("maud", "crates/cli/src/picture"),
        ("signal_hook", "crates/cli/src/signals.rs"),
        ("clap_complete", "crates/cli/src"),
        ("clap_mangen", "crates/cli/src/commands"),
        ("libloading", "crates/syntax/src/language"),
        ("tree_sitter_generate", "crates/syntax/src/language/user/build.rs"),
        ("gix", "crates/vcs/src/git/store.rs"),
        ("tree_sitter", "crates/syntax"),
        // Tests get the environment as it is; only the program reads it.
        ("env::vars_os", "crates/exec/src/process/spawn.rs"),
    ];
    for (path, text) in sources_below("crates") {
        for used in used(&text) {
            for (foreign, home) in homes {
                let is_home = path.starts_with(root().join(home));
                assert!(is_home || !is_below(&used, foreign), "{} uses {used}", path.display());
            }
        }
    }
}

#[test]
fn xml_is_read_in_one_file_of_a_crate() {
    let homes = ["crates/vcs/src/svn/answers.rs", "crates/coverage/src/xml.rs"];
    for (path, text) in sources_below("crates") {
        let reads = used(&text).iter().any(|used| is_below(used, "roxmltree"));
        let at_home = homes.iter().any(|home| path == root().join(home));
        assert!(!reads || at_home, "{} uses roxmltree", path.display());
    }
}

/// `exec` opens the files that it made itself, and those of the kernel in `/proc`.
#[test]
fn files_of_others_are_opened_in_one_file() {
    let opens = ["fs::read", "fs::read_to_string", "File::open"];
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = entry.file_name().display().to_string();
        for (path, text) in sources_below(&format!("crates/{name}/src")) {
            let used = used(&text);
            let found = used.iter().find(|used| {
                let used = used.strip_prefix("std::").unwrap_or(used);
                opens.contains(&used.strip_prefix("fs::").unwrap_or(used)) || opens.contains(&used)
            });
            let may_open = name == "exec" || path.ends_with("crates/files/src/regular.rs");
            // The folder of the demonstration contains only our own example.
            let may_open = may_open || path.ends_with("crates/cli/src/commands/demo.rs");
            assert!(may_open || found.is_none(), "{} uses {found:?}", path.display());
        }
    }
}

#[test]
fn crates_keep_to_their_edges() {
    let manifest =
        |name: &str| fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).unwrap();
    let edges: [(&str, &[&str]); 12] = [
        ("core", &[]),
        ("coverage", &[]),
        ("files", &[]),
        ("grammar", &[]),
        ("vcs", &["whodunit-files"]),
        ("syntax", &["whodunit-files", "whodunit-grammar"]),
        ("run", &["whodunit-core", "whodunit-files"]),
        ("exec", &["whodunit-core", "whodunit-run"]),
        ("input", &["whodunit-core", "whodunit-grammar", "whodunit-run", "whodunit-syntax"]),
        ("versions", &["whodunit-core", "whodunit-files", "whodunit-syntax"]),
        ("atoms", &["whodunit-core", "whodunit-syntax", "whodunit-versions"]),
        ("cli", &["whodunit-exec", "whodunit-input", "whodunit-jobs", "whodunit-run"]),
    ];
    for (name, may) in edges {
        let manifest = manifest(name);
        let (own, _) = manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
        for line in own.lines().filter(|line| line.starts_with("whodunit")) {
            let to = line.split(['.', ' ']).next().unwrap();
            assert!(may.contains(&to), "`{name}` depends on {to}");
        }
    }
    assert!(!manifest("whodunit").contains("clap"), "the library knows no command line");
    let lies = fs::read_to_string(root().join("lies/Cargo.toml")).unwrap();
    let ours = |manifest: &str| {
        let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
        let names = dependencies.lines().take_while(|line| !line.starts_with('['));
        names.filter(|line| line.contains("whodunit")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        ours(&lies),
        ["whodunit-test-support.workspace = true"],
        "the lie detector shares no code with what it is to catch"
    );
    let support = fs::read_to_string(root().join("test-support/Cargo.toml")).unwrap();
    assert!(ours(&support).is_empty(), "nor does what it shares with the other tests");
}

/// The most names that the front door shows: about as many as fit on one page of
/// documentation.
const MOST_SHOWN: usize = 80;

#[test]
fn the_front_door_is_small() {
    let text = fs::read_to_string(root().join("crates/cli/src/lib.rs")).unwrap();
    let shown: Vec<String> =
        used(&text).into_iter().filter(|path| path.starts_with("whodunit")).collect();
    let globs: Vec<&String> =
        shown.iter().filter(|path| !path.contains("::") || path.ends_with('*')).collect();
    assert!(globs.is_empty(), "the front door shows everything of {globs:?}");
    assert!((20..=MOST_SHOWN).contains(&shown.len()), "it shows {} names", shown.len());
}

#[test]
fn the_program_is_installed_by_its_name() {
    let manifest = fs::read_to_string(root().join("crates/cli/Cargo.toml")).unwrap();
    assert!(manifest.contains("[package]\nname = \"whodunit\"\n"), "{manifest}");
    assert!(manifest.contains("[[bin]]\nname = \"whodunit\"\n"), "{manifest}");
    assert!(manifest.contains("default = [\"program\"]\n"), "{manifest}");
}

#[test]
fn registries_can_describe_each_crate() {
    let fields =
        ["version", "edition", "rust-version", "license", "keywords", "categories", "readme"];
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        let (package, _) = manifest.split_once("\n\n").unwrap();
        assert!(package.contains("\ndescription = \""), "{package}");
        for field in fields {
            assert!(package.contains(&format!("\n{field}.workspace = true")), "{field}: {package}");
        }
    }
}

#[test]
fn modules_do_not_import_in_circles() {
    let mut found = String::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = entry.file_name().display().to_string();
        let imports = imports_between_modules(&entry.path().join("src"));
        if let Some(circle) = circle(&imports) {
            found.push_str(&format!("`{name}` has a circle: {circle:?}\n"));
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// Returns for each top-level module of a crate the others that it uses outside of tests.
fn imports_between_modules(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources_below(src.strip_prefix(root()).unwrap().to_str().unwrap()) {
        let inside = path.strip_prefix(src).unwrap();
        let module = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs").to_owned();
        if ["lib", "main", "bin"].contains(&module.as_str()) {
            continue;
        }
        let is_top = inside.components().count() == 1;
        for used in used(&text) {
            let below = used.strip_prefix("crate::");
            let below = below.or_else(|| used.strip_prefix("super::").filter(|_| is_top));
            let other = below.and_then(|below| below.split("::").next());
            let is_module = |name: &str| {
                src.join(format!("{name}.rs")).exists() || src.join(name).join("mod.rs").exists()
            };
            if let Some(other) = other.filter(|other| *other != module && is_module(other)) {
                imports.entry(module.clone()).or_default().insert(other.to_owned());
            }
        }
    }
    imports
}

/// Returns modules that import each other in a circle.
fn circle(imports: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<&String>> {
    let leads_to = |from: &str| {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for next in imports.get(module).into_iter().flatten() {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    };
    let leads_back = |module: &&String| leads_to(module).contains(module.as_str());
    let circle: Vec<&String> = imports.keys().filter(leads_back).collect();
    (!circle.is_empty()).then_some(circle)
}

#[test]
fn nothing_is_large_ignored_or_nameless() {
    for path in files() {
        let size = fs::metadata(&path).unwrap().len();
        assert!(size < 300_000, "{} has {size} bytes", path.display());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let vague = ["utils.rs", "util.rs", "common.rs", "helpers.rs", "misc.rs"];
        assert!(!vague.contains(&name.as_str()), "{} says nothing", path.display());
    }
    for (path, text) in sources_below("") {
        let ignored = concat!("#[ign", "ore");
        assert!(!text.contains(ignored), "{} has a test that is never run", path.display());
        let (to_do, manager) = (concat!("TO", "DO"), concat!("Man", "ager"));
        assert!(!text.contains(manager), "{} has a {manager}", path.display());
        assert!(!text.contains(to_do), "{} has something left to do", path.display());
    }
}

#[test]
fn the_changelog_knows_the_version() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    assert!(text.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_readme_gives_the_command_that_ci_runs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    for command in ["cargo test --workspace", "cargo run -- demo"] {
        assert!(readme.contains(command), "README.md lacks `{command}`");
        assert!(script.contains(command), ".ci/run lacks `{command}`");
    }
}

#[test]
fn json_for_others_is_made_in_one_place() {
    for (path, text) in sources_below("crates/cli/src") {
        let is_the_place = path.ends_with("crates/cli/src/inert.rs");
        let makes_json = ["to_string", "to_vec", "to_writer"]
            .iter()
            .any(|function| text.contains(&format!("serde_json::{function}")));
        assert!(is_the_place || !makes_json, "{} makes JSON beside inert::json", path.display());
    }
}

/// A row of docs/papers.md: its name, its commands, and its tests.
fn rows_of_papers() -> Vec<(String, Vec<String>, Vec<String>)> {
    let text = fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').skip(1).collect();
        assert_eq!(cells.len(), 6, "{line}");
        let all = |cell: &str| quoted(cell).map(str::to_owned).collect();
        (cells[0].trim().to_owned(), all(cells[3]), all(cells[4]))
    };
    rows.map(row).collect()
}

#[test]
fn every_row_of_the_papers_has_a_test_that_is_there() {
    let rows = rows_of_papers();
    let papers = [("W", 12), ("H", 10), ("I", 12), ("A", 8), ("S", 4)];
    for (paper, count) in papers {
        for number in 1..=count {
            let name = format!("{paper}{number}");
            let found = rows.iter().filter(|(row, ..)| *row == name).count();
            assert_eq!(found, 1, "rows named {name}");
        }
    }
    let sources = sources_below("");
    let functions: BTreeSet<String> =
        sources.iter().flat_map(|(_, text)| functions(text)).collect();
    for (row, commands, tests) in &rows {
        assert!(!commands.is_empty() && !tests.is_empty(), "row {row} lacks something");
        for test in tests {
            assert!(functions.contains(test), "row {row}: there is no test `{test}`");
        }
    }
}

#[test]
fn every_command_of_the_papers_is_run_by_its_test_or_the_bench() {
    let sources = sources_below("");
    let bench = fs::read_to_string(root().join("bench/src/main.rs")).unwrap();
    for (row, commands, tests) in rows_of_papers() {
        let is_there = |text: &str| tests.iter().any(|test| text.contains(&format!("fn {test}(")));
        let own: String = sources
            .iter()
            .filter(|(_, text)| is_there(text))
            .map(|(_, text)| text.as_str())
            .collect();
        for command in commands {
            if let Some(name) = command.strip_prefix("bench ") {
                assert!(bench.contains(&format!("\"{name}\" =>")), "row {row}: {command}");
                continue;
            }
            for flag in command.split(' ').filter(|word| word.starts_with("--")) {
                assert!(own.contains(flag), "row {row}: no test of it runs {flag}");
            }
        }
    }
}
