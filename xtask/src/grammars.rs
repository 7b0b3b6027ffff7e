//! Takes the grammars out of the grammar crates.
//!
//! Each crate has the description from which its parser was made, `grammar.json`, among its
//! sources, but does not export it. `cargo metadata` says where the sources are, in the versions
//! that `Cargo.lock` names; what the tool needs of a description is written to
//! `crates/syntax/grammars/`, much shorter and one rule a line. The library includes these files,
//! so a new language needs an empty one before its grammar can be written.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use whodunit_syntax::grammars::tree_sitter;

/// The languages, and where their descriptions are: a crate, and a file in it.
const DESCRIPTIONS: &[(&str, Source)] = &[
    ("bash", Source::Crate("tree-sitter-bash", "src")),
    ("c", Source::Crate("tree-sitter-c", "src")),
    ("c-sharp", Source::Crate("tree-sitter-c-sharp", "src")),
    ("cpp", Source::Crate("tree-sitter-cpp", "src")),
    ("css", Source::Crate("tree-sitter-css", "src")),
    ("dtd", Source::Crate("tree-sitter-xml", "dtd/src")),
    ("go", Source::Crate("tree-sitter-go", "src")),
    ("html", Source::Crate("tree-sitter-html", "src")),
    ("java", Source::Crate("tree-sitter-java", "src")),
    ("javascript", Source::Crate("tree-sitter-javascript", "src")),
    ("json", Source::Crate("tree-sitter-json", "src")),
    ("lua", Source::Crate("tree-sitter-lua", "src")),
    ("php", Source::Crate("tree-sitter-php", "php/src")),
    ("python", Source::Crate("tree-sitter-python", "src")),
    ("ruby", Source::Crate("tree-sitter-ruby", "src")),
    ("rust", Source::Crate("tree-sitter-rust", "src")),
    ("smtlib", Source::Own("crates/syntax/languages/smtlib")),
    ("sql", Source::Crate("tree-sitter-sequel", "src")),
    ("toml", Source::Crate("tree-sitter-toml-ng", "src")),
    ("tsx", Source::Crate("tree-sitter-typescript", "tsx/src")),
    ("typescript", Source::Crate("tree-sitter-typescript", "typescript/src")),
    ("xml", Source::Crate("tree-sitter-xml", "xml/src")),
    ("yaml", Source::Crate("tree-sitter-yaml", "src")),
];

/// The folder of a description.
enum Source {
    /// In the sources of a crate.
    Crate(&'static str, &'static str),
    /// In this project.
    Own(&'static str),
}

/// Writes all grammars.
pub(crate) fn write() -> Result<(), Box<dyn Error>> {
    for (path, text) in made()? {
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Returns what belongs into which file.
fn made() -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let crates = crates()?;
    let mut files = Vec::new();
    for (language, source) in DESCRIPTIONS {
        let folder = match source {
            Source::Own(folder) => root().join(folder),
            Source::Crate(name, folder) => {
                let sources = crates.get(*name).ok_or(format!("nobody depends on {name}"))?;
                sources.join(folder)
            }
        };
        let path = folder.join("grammar.json");
        let json =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let grammar = tree_sitter::read(&json).map_err(|error| format!("{language}: {error}"))?;
        let to = root().join("crates/syntax/grammars").join(format!("{language}.grammar"));
        files.push((to, grammar.to_string()));
    }
    Ok(files)
}

/// Returns the crates that are built with, and the folders of their sources.
fn crates() -> Result<HashMap<String, PathBuf>, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--all-features", "--locked"])
        .current_dir(root())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("cargo metadata failed: {said}").into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let place = |package: &serde_json::Value| {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
        Some((package["name"].as_str()?.to_owned(), folder.to_owned()))
    };
    Ok(packages.iter().filter_map(place).collect())
}

fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_grammars_are_those_of_the_crates_we_build_with() {
        for (path, text) in made().unwrap() {
            let committed = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(committed == text, "{name} is old: run `cargo run -p xtask -- grammars`");
        }
    }
}
