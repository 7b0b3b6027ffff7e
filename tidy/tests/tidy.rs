//! Checks that the house is in order: what ARCHITECTURE.md says is true, crates keep to their
//! edges, and each foreign thing has one file.

#![allow(clippy::unwrap_used)] // a missing file fails the test either way

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Returns the files of the project, without what is built and what git keeps.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let skipped = ["target", ".git", "proptest-regressions"];
            if skipped.iter().any(|skipped| name == *skipped) {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn sources_below(folder: &str) -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|path| path.starts_with(root().join(folder)))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Returns the lines of code that are not comments, up to the tests of the file.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let tests = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn check_absent(folder: &str, words: &[&str]) {
    for (path, text) in sources_below(folder) {
        for line in code(&text) {
            let found = words.iter().find(|word| line.contains(**word));
            assert!(found.is_none(), "{}: {}", path.display(), line.trim());
        }
    }
}

#[test]
fn what_architecture_names_is_there() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|name| name.contains('/')).collect();
    assert!(names.len() > 10, "the page should name files");
    for name in names {
        assert!(root().join(name).exists(), "ARCHITECTURE.md names `{name}`, which is not there");
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
        "serde",
        "println!",
        "Mutex",
        "RwLock",
        "static mut",
    ];
    check_absent("crates/core/src", &absent);
    let manifest = fs::read_to_string(root().join("crates/core/Cargo.toml")).unwrap();
    assert!(!manifest.contains("\n[dependencies]"), "the core depends on nothing");
}

#[test]
fn the_library_neither_prints_nor_exits_nor_reads_the_environment() {
    let absent = [
        "println!",
        "print!(",
        "eprint",
        "env::var(",
        "env::var_os",
        "env::vars()",
        "env::home_dir",
        "env::current_dir",
    ];
    check_absent("crates/engine/src", &absent);
    check_absent("crates/syntax/src", &absent);
    check_absent("crates/vcs/src", &absent);
    check_absent("crates/changes/src", &absent);
    check_absent("crates/changes/src", &["std::process", "Command::"]);
    check_absent("crates/coverage/src", &absent);
    check_absent("crates/coverage/src", &["std::process", "std::fs", "File::open"]);
    for (path, text) in sources_below("crates/vcs/src") {
        let runs = code(&text).any(|line| line.contains("std::process"));
        assert!(!runs || path.ends_with("client.rs"), "{} runs programs", path.display());
    }
    for (path, text) in sources_below("crates/engine/src") {
        let may_exit = path.ends_with("process/launcher.rs") || path.ends_with("process/spawn.rs");
        let exits = code(&text).any(|line| line.contains("process::exit"));
        assert!(may_exit || !exits, "{} ends the process", path.display());
    }
}

#[test]
fn each_foreign_thing_has_one_file() {
    let homes = [
        ("landlock::", "crates/engine/src/process/sandbox.rs"),
        ("imara_diff::", "crates/changes/src/decompose/lines.rs"),
        ("indicatif::", "crates/cli/src/progress.rs"),
        ("maud::", "crates/cli/src/picture"),
        ("signal_hook::", "crates/cli/src/signals.rs"),
        ("clap_complete::", "crates/cli/src"),
        ("clap_mangen::", "crates/cli/src/commands"),
        ("libloading::", "crates/syntax/src/language"),
        ("tree_sitter_generate::", "crates/syntax/src/language/user/build.rs"),
        ("gix::", "crates/vcs/src/git/store.rs"),
        // Tests get the environment as it is; only the program reads it.
        ("env::vars_os", "crates/engine/src/process/spawn.rs"),
    ];
    for (foreign, home) in homes {
        for (path, text) in sources_below("crates") {
            let used = code(&text).any(|line| line.contains(foreign));
            assert!(
                !used || path.starts_with(root().join(home)),
                "{} uses {foreign}",
                path.display()
            );
        }
    }
}

#[test]
fn xml_is_read_in_one_file_of_a_crate() {
    let homes = ["crates/vcs/src/svn/answers.rs", "crates/coverage/src/xml.rs"];
    for (path, text) in sources_below("crates") {
        let used = code(&text).any(|line| line.contains("roxmltree::"));
        let at_home = homes.iter().any(|home| path == root().join(home));
        assert!(!used || at_home, "{} uses roxmltree", path.display());
    }
}

#[test]
fn crates_keep_to_their_edges() {
    let manifest =
        |name: &str| fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).unwrap();
    for inner in ["whodunit-core", "whodunit-coverage", "whodunit-syntax", "whodunit-vcs"] {
        assert!(!manifest("cli").contains(inner), "the program uses the library only");
    }
    for name in ["syntax", "vcs", "coverage"] {
        let ours = manifest(name).lines().any(|line| {
            line.starts_with("whodunit.")
                || line.starts_with("whodunit =")
                || line.contains("-core")
        });
        assert!(!ours, "`{name}` depends on no crate of ours");
    }
    assert!(!manifest("engine").contains("clap"), "the library knows no command line");
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
        for line in code(&text) {
            assert!(!line.contains(manager), "{}: {line}", path.display());
        }
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
    for command in ["cargo test --workspace", "cargo run --release -- demo"] {
        assert!(readme.contains(command), "README.md lacks `{command}`");
        assert!(script.contains(command), ".ci/run lacks `{command}`");
    }
}
