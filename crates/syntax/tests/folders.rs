//! A language is a folder: each is complete, all of them are built in, and a new one is picked up.

#![allow(clippy::unwrap_used)] // a missing file fails the test either way

#[path = "../build/folders.rs"]
mod folders;
mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use folders::Folder;
use whodunit_syntax::grammars;
use whodunit_syntax::language::{Language, Profile};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn folders() -> Vec<Folder> {
    folders::read(&here().join("languages")).unwrap()
}

#[test]
fn every_folder_is_complete() {
    let manifest = fs::read_to_string(here().join("Cargo.toml")).unwrap();
    let default = manifest.split("\ndefault = [").nth(1).unwrap().split(']').next().unwrap();
    for folder in folders() {
        let path = here().join("languages").join(&folder.name);
        let profile = fs::read_to_string(path.join("profile.json")).unwrap();
        let profile: Profile = serde_json::from_str(&profile).unwrap();
        assert_eq!(profile.name, folder.name, "a language is called as its folder");
        let rules = fs::read_to_string(path.join("rules.grammar")).unwrap_or_default();
        assert!(!rules.is_empty(), "{path:?}: run `cargo run -p xtask -- grammars`");
        let feature = format!("\n{} = [", folder.feature);
        assert!(manifest.contains(&feature), "Cargo.toml has no feature `{}`", folder.feature);
        assert!(default.contains(&format!("\"{}\"", folder.feature)), "{} is off", folder.name);
        if let Some(name) = folder.crate_name {
            assert!(manifest.contains(&format!("\n{name} = ")), "Cargo.toml lacks {name}");
        }
    }
    for language in Language::all() {
        assert!(samples::path(language).exists());
    }
}

#[test]
fn what_is_built_in_are_the_folders() {
    let names: Vec<String> = folders().into_iter().map(|folder| folder.name).collect();
    assert_eq!(grammars::languages().collect::<Vec<_>>(), names);
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let built_in: BTreeSet<&str> = Language::all().iter().map(Language::name).collect();
    // Fewer only if features are off.
    assert!(built_in.is_subset(&names), "{built_in:?}");
    assert!(built_in == names || cfg!(not(feature = "default")), "{built_in:?}");
}

#[test]
fn a_language_that_is_added_is_picked_up() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("old-one/profile.json", "{}");
    write("old-one/parser.json", "{ \"crate\": \"tree-sitter-old-one\" }");
    write("old-one/names.scm", "(call) @reference.call");
    write("new-one/profile.json", "{}");
    write("new-one/parser.json", "{ \"crate\": \"tree-sitter-new\", \"constant\": \"NEW\" }");
    write("new-one/names.scm", "; inherits: old-one/names.scm\n(rule) @scope");
    write("new-one/given.json", "{}");
    write("new-one/definitions.json", "{ \"same_as\": \"old-one\" }");

    let found = folders::read(home.path()).unwrap();
    let names: Vec<&str> = found.iter().map(|folder| folder.name.as_str()).collect();
    assert_eq!(names, ["new-one", "old-one"]);
    let table = folders::table(&found, |feature| feature == "lang-new-one");
    let new = table.split("Folder {").nth(1).unwrap();
    let file = |name: &str| format!("include_str!({:?})", home.path().join(name));
    assert!(new.contains(&format!("profile: {}", file("new-one/profile.json"))), "{new}");
    assert!(new.contains(&format!("given: Some({})", file("new-one/given.json"))), "{new}");
    assert!(new.contains("rules: None"), "they are not written yet: {new}");
    let names = [file("old-one/names.scm"), file("new-one/names.scm")].join(", ");
    assert!(new.contains(&format!("names: &[{names}]")), "{new}");
    let definitions = file("old-one/definitions.json");
    assert!(new.contains(&format!("definitions: Some((\"old-one\", {definitions}))")), "{new}");
    assert!(new.contains("parser: Some(tree_sitter_new::NEW)"), "{new}");
    assert!(table.contains("parser: None"), "the feature of the other is off: {table}");
}

#[test]
fn parsers_written_in_c_are_found() {
    let folders = folders();
    let own = folders.iter().filter_map(Folder::own_parser);
    assert_eq!(own.collect::<Vec<_>>(), [here().join("languages/smtlib")]);
    let guarded: Vec<String> = folders.iter().filter_map(Folder::guard).collect();
    let code = fs::read_to_string(here().join("c/guard.c")).unwrap();
    assert!(!guarded.is_empty());
    for guard in guarded {
        assert!(code.contains(&format!("#ifdef {guard}\n")), "c/guard.c has no {guard}");
    }
}

#[test]
fn a_folder_without_a_parser_is_named() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("new")).unwrap();
    let error = folders::read(home.path()).unwrap_err();
    assert!(error.ends_with("new: expected a `profile.json`"), "{error}");
    fs::write(home.path().join("new/profile.json"), "{}").unwrap();
    let error = folders::read(home.path()).unwrap_err();
    assert!(error.ends_with("new: expected a `parser.json` or a `parser.c`"), "{error}");
}
