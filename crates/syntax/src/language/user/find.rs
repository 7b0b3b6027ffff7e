//! Finds the grammar that a path leads to: its sources, or a library.

use std::fs;
use std::path::{Path, PathBuf};

use super::LoadError;

/// The files that a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GrammarFiles {
    /// A grammar to be compiled.
    Sources(Sources),
    /// A grammar that was compiled.
    Library {
        /// The library.
        file: PathBuf,
        /// The `grammar.json` beside it.
        rules: Option<PathBuf>,
    },
}

/// The sources of a parser; rules or parser are there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sources {
    /// Where they are.
    pub(super) folder: PathBuf,
    /// The rules as data.
    pub(super) rules: Option<PathBuf>,
    /// The parser that was generated from them.
    pub(super) parser: Option<PathBuf>,
    /// The scanner written by hand.
    pub(super) scanner: Option<PathBuf>,
}

impl GrammarFiles {
    /// Returns the file with the rules.
    pub(super) fn rules(&self) -> Option<&Path> {
        match self {
            GrammarFiles::Sources(sources) => sources.rules.as_deref(),
            GrammarFiles::Library { rules, .. } => rules.as_deref(),
        }
    }
}

/// Returns the files of the grammar at a path.
pub(super) fn at(path: &Path) -> Result<GrammarFiles, LoadError> {
    let read = |source| LoadError::Read { path: path.to_owned(), source };
    if fs::metadata(path).map_err(read)?.is_dir() {
        return in_folder(path).map(GrammarFiles::Sources);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    if name == "grammar.json" {
        return in_folder(folder).map(GrammarFiles::Sources);
    }
    // Libraries of a system have their version behind: `libtree-sitter-c.so.15.0`.
    if !(name.ends_with(".so") || name.contains(".so.") || name.ends_with(".dylib")) {
        return Err(LoadError::NotAGrammar { file: path.to_owned() });
    }
    let rules = homes(folder).into_iter().map(|home| home.join("grammar.json"));
    let rules = rules.into_iter().find(|rules| rules.is_file());
    Ok(GrammarFiles::Library { file: path.to_owned(), rules })
}

fn in_folder(folder: &Path) -> Result<Sources, LoadError> {
    if let Some(sources) = sources(folder) {
        return Ok(sources);
    }
    let folder = folder.to_owned();
    if homes(&folder).iter().any(|home| home.join("grammar.js").is_file()) {
        return Err(LoadError::OnlyJavaScript { folder });
    }
    // Grammars of several dialects have a folder for each.
    let read = |source| LoadError::Read { path: folder.clone(), source };
    let entries = fs::read_dir(&folder).map_err(read)?.flatten().map(|entry| entry.path());
    let mut inside: Vec<PathBuf> = entries.filter(|path| sources(path).is_some()).collect();
    inside.sort();
    Err(LoadError::NoGrammar { folder, inside })
}

fn sources(folder: &Path) -> Option<Sources> {
    homes(folder).into_iter().find_map(|folder| {
        let file = |name: &str| Some(folder.join(name)).filter(|path| path.is_file());
        let (rules, parser) = (file("grammar.json"), file("parser.c"));
        if rules.is_none() && parser.is_none() {
            return None;
        }
        let scanner = file("scanner.c").or_else(|| file("scanner.cc"));
        Some(Sources { folder, rules, parser, scanner })
    })
}

/// Returns the folders in which the files of a grammar can be: tree-sitter puts them into `src`.
fn homes(folder: &Path) -> [PathBuf; 2] {
    [folder.join("src"), folder.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the files that are found in a folder with these files.
    fn check(files: &[&str], path: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let seen = match at(&folder.path().join(path)) {
            Ok(found) => format!("{found:?}"),
            Err(error) => error.to_string(),
        };
        let seen = seen.replace(&format!("{}/", folder.path().display()), "");
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_grammar_is_in_src_or_at_the_top() {
        check(
            &["g/src/grammar.json", "g/src/parser.c", "g/src/scanner.c", "g/grammar.js"],
            "g",
            r#"Sources(Sources { folder: "g/src", rules: Some("g/src/grammar.json"), parser: Some("g/src/parser.c"), scanner: Some("g/src/scanner.c") })"#,
        );
        let at_the_top = r#"Sources(Sources { folder: "g/", rules: Some("g/grammar.json"), parser: None, scanner: None })"#;
        check(&["g/grammar.json"], "g/grammar.json", &at_the_top.replace("g/\"", "g\""));
    }

    #[test]
    fn a_library_may_have_its_rules_beside_it() {
        check(
            &["libtree-sitter-g.so.15.0", "src/grammar.json"],
            "libtree-sitter-g.so.15.0",
            r#"Library { file: "libtree-sitter-g.so.15.0", rules: Some("src/grammar.json") }"#,
        );
        check(&["g.so"], "g.so", r#"Library { file: "g.so", rules: None }"#);
    }

    #[test]
    fn what_is_not_there_is_said() {
        check(&["g/README"], "g", "there is no tree-sitter grammar in `g`");
        check(
            &["g/grammar.js"],
            "g",
            "the grammar in `g` is JavaScript only, without a `grammar.json`",
        );
        check(
            &["g.txt"],
            "g.txt",
            "`g.txt` is neither the folder of a tree-sitter grammar nor a compiled one",
        );
        check(&[], "g", "cannot read `g`");
    }

    #[test]
    fn the_folders_of_dialects_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        for dialect in ["b", "a"] {
            let home = folder.path().join(dialect).join("src");
            fs::create_dir_all(&home).unwrap();
            fs::write(home.join("parser.c"), "").unwrap();
        }
        let Err(LoadError::NoGrammar { inside, .. }) = at(folder.path()) else { panic!() };
        assert_eq!(inside, [folder.path().join("a"), folder.path().join("b")]);
    }
}
