//! A language of the user's own: a tree-sitter grammar, loaded while the program runs.
//!
//! It comes as a folder with `grammar.json` or `parser.c` in it, or in its `src`, which the C
//! compiler makes a library of, or as such a library. It then works like any other language; which
//! kinds are names, numbers and so on is [guessed](guess).

mod build;
mod find;
mod guess;
mod library;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use whodunit_files::regular;
use whodunit_grammar::Grammar;
use whodunit_grammar::pattern::PatternError;

use super::facts::Facts;
use super::{IncompatibleParser, Language};
use crate::grammars::tree_sitter::{self, ReadError};
use find::GrammarFiles;

/// The tools that compile a grammar's folder.
#[derive(Clone, Copy, Debug)]
pub struct Toolchain<'a> {
    /// The C compiler, with arguments if need be: what `CC` says, or `cc`.
    pub compiler: &'a str,
    /// A private folder for unfinished files; nothing is left in it. Libraries in it can be
    /// executed.
    pub folder: &'a Path,
}

/// Why a language could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or folder is not there, or closed.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The path that could not be read.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder has neither `grammar.json` nor `parser.c`, nor has its `src`.
    #[error("there is no tree-sitter grammar in `{}`", .folder.display())]
    NoGrammar {
        /// The folder.
        folder: PathBuf,
        /// Folders in it that do have a grammar.
        inside: Vec<PathBuf>,
    },
    /// The grammar is there only as JavaScript, which is not run here.
    #[error("the grammar in `{}` is JavaScript only, without a `grammar.json`", .folder.display())]
    OnlyJavaScript {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that is something else.
    #[error(
        "`{}` is neither the folder of a tree-sitter grammar nor a compiled one", .file.display()
    )]
    NotAGrammar {
        /// The file.
        file: PathBuf,
    },
    /// Only a parser is there; its rules cannot be read from it.
    #[error("`{}` is a parser without its rules", .parser.display())]
    NoRules {
        /// The parser.
        parser: PathBuf,
    },
    /// The rules cannot be read; the cause tells where.
    #[error("the grammar `{}` cannot be read", .file.display())]
    Rules {
        /// The `grammar.json`.
        file: PathBuf,
        /// The problem.
        source: ReadError,
    },
    /// A token of the grammar has no minimal string.
    #[error("the grammar `{}` has a token that is not understood", .file.display())]
    Pattern {
        /// The `grammar.json`.
        file: PathBuf,
        /// Which, and why.
        source: PatternError,
    },
    /// The rules are not a grammar that tree-sitter can make a parser of.
    #[error("no parser can be made from `{}`: {reason}", .file.display())]
    Generate {
        /// The `grammar.json`.
        file: PathBuf,
        /// The message of tree-sitter's generator.
        reason: String,
    },
    /// The folder to work in is full or closed.
    #[error("cannot build a parser in `{}`", .folder.display())]
    Build {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// There is no C compiler.
    #[error("the C compiler `{compiler}` cannot be run")]
    NoCompiler {
        /// How it was called.
        compiler: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The C compiler refused the parser or its scanner.
    #[error("`{compiler}` cannot compile the parser in `{}`:\n{said}", .folder.display())]
    Compile {
        /// How the compiler was called.
        compiler: String,
        /// Where the grammar is.
        folder: PathBuf,
        /// The first lines of its output.
        said: String,
    },
    /// The library cannot be opened.
    #[error("cannot open the library `{}`", .file.display())]
    Open {
        /// The library.
        file: PathBuf,
        /// The error of the system.
        source: libloading::Error,
    },
    /// The library has no parser, or several and none of the library's name.
    #[error("`{}` has no function `{symbol}`{}", .file.display(), found_instead(.instead))]
    NoParser {
        /// The library.
        file: PathBuf,
        /// The function that should return the parser.
        symbol: String,
        /// Functions of that sort that it seems to have.
        instead: Vec<String>,
    },
    /// The parser is of another age.
    #[error(transparent)]
    Incompatible(#[from] IncompatibleParser),
}

fn found_instead(instead: &[String]) -> String {
    if instead.is_empty() { String::new() } else { format!(", but {}", instead.join(", ")) }
}

impl Language {
    /// Loads a tree-sitter grammar: its folder, its `grammar.json`, or a library that was compiled
    /// from it.
    ///
    /// A folder without `parser.c` takes as long as tree-sitter needs to generate it: for a large
    /// language ten seconds. For a library the rules are looked for beside it; without them the
    /// language parses, but nothing is known of what its nodes may lose.
    ///
    /// **This runs code that comes with the grammar**: load only what is trusted.
    pub fn load(path: &Path, toolchain: &Toolchain<'_>) -> Result<Language, LoadError> {
        let found = find::at(path)?;
        let grammar = found.rules().map(read_file).transpose()?;
        let (name, parser) = match &found {
            GrammarFiles::Sources(sources) => build::build(sources, grammar.as_ref(), toolchain)?,
            GrammarFiles::Library { file, .. } => library::open(file, &library::name_of(file)?)?,
        };
        // Beside a library may lie the rules of another language.
        let grammar = grammar.filter(|grammar| grammar.name == name);
        let parser_of = |profile| Language::new(profile, parser.clone(), OnceLock::new());
        let bare = parser_of(super::Profile { name: name.clone(), ..Default::default() })?;
        let profile = guess::profile(&bare, grammar.as_ref());
        let facts = match (grammar, found.rules()) {
            (Some(grammar), Some(file)) => Some(
                Facts::new(grammar, BTreeMap::new())
                    .map_err(|source| LoadError::Pattern { file: file.to_owned(), source })?,
            ),
            _ => None,
        };
        Ok(Language::new(profile, parser, OnceLock::from(facts))?)
    }
}

/// Reads the rules of a tree-sitter grammar where [`Language::load`] would find them; compiles and
/// runs nothing.
pub fn read_rules(path: &Path) -> Result<Grammar, LoadError> {
    let found = find::at(path)?;
    let no_rules = || LoadError::NoRules { parser: path.to_owned() };
    let grammar = read_file(found.rules().ok_or_else(no_rules)?)?;
    match &found {
        GrammarFiles::Library { file, .. } if library::name_of(file)? != grammar.name => {
            Err(no_rules())
        }
        _ => Ok(grammar),
    }
}

fn read_file(file: &Path) -> Result<Grammar, LoadError> {
    let json = read(file)?;
    tree_sitter::read(&json).map_err(|source| LoadError::Rules { file: file.to_owned(), source })
}

fn read(path: &Path) -> Result<String, LoadError> {
    regular::read_to_string(path)
        .map_err(|source| LoadError::Read { path: path.to_owned(), source })
}
