//! Writes the table of languages from the folders in `languages/`, and compiles the C code:
//! parsers of our own, a guard for some scanners, and the bounds of parsing. The other parsers
//! come with their crates.

use std::path::Path;
use std::{env, fs};

#[path = "build/folders.rs"]
mod folders;

fn main() {
    println!("cargo:rerun-if-changed=languages");
    println!("cargo:rerun-if-changed=c");
    println!("cargo:rerun-if-changed=build");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let folders = folders::read(&Path::new(&here).join("languages"))
        .unwrap_or_else(|error| panic!("{error}"));
    let is_on = |feature: &str| {
        let name = feature.to_uppercase().replace('-', "_");
        env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
    };
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("languages.rs"), folders::table(&folders, is_on))
        .expect("the folder for what is built can be written to");

    let mut parsers = cc::Build::new();
    parsers.warnings(false); // the generator's files are not ours to tidy
    for folder in &folders {
        if let Some(path) = folder.own_parser() {
            // Also without its feature: the guard needs its header.
            parsers.include(path);
            if is_on(&folder.feature) {
                parsers.file(path.join("parser.c"));
            }
        }
        if let Some(guard) = folder.guard().filter(|_| is_on(&folder.feature)) {
            parsers.define(&guard, None);
        }
    }
    parsers.file("c/guard.c");
    parsers.file("c/bounded.c");
    // Set by the crate of the parser.
    parsers.include(env::var("DEP_TREE_SITTER_INCLUDE").expect("the parser says where it is"));
    parsers.compile("whodunit-parsers");
}
