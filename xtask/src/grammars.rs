//! Extracts the grammars from the grammar crates.
//!
//! Each crate has the description from which its parser was made, `grammar.json`, among its
//! sources, but does not export it. `cargo metadata` tells where the sources are, in the versions
//! that `Cargo.lock` names; the needed part of a description is written to the folder of the
//! language as `rules.grammar`, much shorter and one rule a line.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use whodunit_syntax::grammars::tree_sitter;

/// Writes all grammars.
pub(crate) fn write() -> Result<(), Box<dyn Error>> {
    for (path, text) in made()? {
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Returns the content of each file.
fn made() -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let crates = crates()?;
    let mut files = Vec::new();
    let languages = root().join("crates/syntax/languages");
    for folder in fs::read_dir(&languages)?.flatten().map(|entry| entry.path()) {
        if !folder.is_dir() {
            continue;
        }
        let path = description(&folder, &crates)?;
        let json =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let grammar =
            tree_sitter::read(&json).map_err(|error| format!("{}: {error}", folder.display()))?;
        files.push((folder.join("rules.grammar"), grammar.to_string()));
    }
    Ok(files)
}

/// Returns the path of a language's description: in the crate that its `parser.json` names, or in
/// its own folder.
fn description(
    folder: &Path,
    crates: &HashMap<String, PathBuf>,
) -> Result<PathBuf, Box<dyn Error>> {
    let Ok(parser) = fs::read(folder.join("parser.json")) else {
        return Ok(folder.join("grammar.json"));
    };
    let parser: serde_json::Value = serde_json::from_slice(&parser)?;
    let name = parser["crate"].as_str().ok_or("a `parser.json` names a crate")?;
    let sources = crates.get(name).ok_or(format!("nobody depends on {name}"))?;
    Ok(sources.join(parser["grammar"].as_str().unwrap_or("src")).join("grammar.json"))
}

/// Returns the crates of the build, and the folders of their sources.
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
            assert!(committed == text, "{path:?} is old: run `cargo run -p xtask -- grammars`");
        }
    }
}
