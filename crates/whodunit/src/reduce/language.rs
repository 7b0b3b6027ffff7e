//! Loads the language of the input that the user names.
//!
//! Its files are read again when a run continues, so that a corrected grammar is used.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_exec::scratch::Scratch;
use whodunit_files::regular;
use whodunit_grammar::arena::Arena;
use whodunit_grammar::cfg::{Cfg, GrammarError, Source};
use whodunit_grammar::pattern::PatternError;
use whodunit_input::{Languages, OwnGrammar, Snapshot};
use whodunit_run::Word;
use whodunit_syntax::events::{self, Event, EventsError, EventsProblem};
use whodunit_syntax::language::{Language, LoadError, Toolchain, UnknownLanguage};

use super::ReduceError;
use crate::settings::{LanguageSettings, ReduceSettings, Surroundings};

/// Why a language, grammar or hierarchy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    /// No language has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownLanguage),
    /// A tree-sitter grammar cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A `.y` grammar or its lexical part has a fault.
    #[error(transparent)]
    Fault(#[from] GrammarError),
    /// A file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The tokens of a `.y` grammar are missing.
    #[error("`{}` has no lexical part: there is no `{}`", .grammar.display(), .lexical.display())]
    NoLexical {
        /// The grammar.
        grammar: PathBuf,
        /// The place where the tokens were looked for.
        lexical: PathBuf,
    },
    /// Tokens were given for a grammar that has its own.
    #[error("--lexical is for grammars in .y files, which `{}` is not", .0.display())]
    NotLexical(PathBuf),
    /// Some minimal string cannot be computed.
    #[error("a token of `{}` has no minimal string", .grammar.display())]
    NoMinimal {
        /// The grammar.
        grammar: PathBuf,
        /// The token and the reason.
        source: PatternError,
    },
    /// A hierarchy has a fault.
    #[error("the hierarchy `{}` cannot be used", .file.display())]
    Events {
        /// The description.
        file: PathBuf,
        /// The fault and its place.
        source: EventsError,
    },
    /// The texts of a hierarchy differ from the input.
    #[error("the texts of `{}` are not what is in `{}`", .file.display(), .input.display())]
    OtherText {
        /// The description.
        file: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// A hierarchy describes one file, and the input has several.
    #[error("the hierarchy `{}` is that of one file, and there are several", .0.display())]
    Several(PathBuf),
}

/// Returns whether a grammar is one for YACC, by its name.
pub fn is_yacc(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "y")
}

/// Reads a `.y` grammar and its tokens, which are in the same file, or by default in `NAME.lex`
/// beside it. The paths are relative to `folder`; messages contain them without it.
pub fn read_cfg(folder: &Path, path: &Path, lexical: Option<&Path>) -> Result<Cfg, LanguageError> {
    let read = |path: &Path| {
        let bytes = regular::read(&folder.join(path));
        bytes.map_err(|source| LanguageError::Read { path: path.to_owned(), source })
    };
    let beside = path.with_extension("lex");
    let bytes = read(path)?;
    if lexical.is_none() && Cfg::is_one_file(&bytes) {
        let source = Source { name: &path.to_string_lossy(), bytes: &bytes };
        return Ok(Cfg::read_one_file(source)?);
    }
    if lexical.is_none() && !folder.join(&beside).exists() {
        return Err(LanguageError::NoLexical { grammar: path.to_owned(), lexical: beside });
    }
    let lexical = lexical.unwrap_or(&beside);
    let (name, lexical_name) = (path.to_string_lossy(), lexical.to_string_lossy());
    Ok(Cfg::read(
        Source { name: &name, bytes: &bytes },
        Source { name: &lexical_name, bytes: &read(lexical)? },
    )?)
}

/// Loads the language that the settings name. A hierarchy describes `input`, and does not help with
/// any other text.
pub(super) fn load(
    settings: &ReduceSettings,
    surroundings: &Surroundings,
    scratch: &Scratch,
    input: Option<&Snapshot>,
) -> Result<Languages, LanguageError> {
    let origin = settings.origin.as_path();
    match &settings.language {
        LanguageSettings::ByFile => Ok(Languages::ByFile),
        LanguageSettings::Text => Ok(Languages::None),
        LanguageSettings::Named(name) => Ok(Languages::Given(Language::by_name(name)?)),
        LanguageSettings::Grammar { path, lexical } => {
            let (path, lexical) = (path.as_path(), lexical.as_ref().map(Word::as_path));
            if is_yacc(path) {
                let grammar = OwnGrammar::new(read_cfg(origin, path, lexical)?);
                let no_minimal =
                    |source| LanguageError::NoMinimal { grammar: path.to_owned(), source };
                return Ok(Languages::Grammar(Arc::new(grammar.map_err(no_minimal)?)));
            }
            if lexical.is_some() {
                return Err(LanguageError::NotLexical(path.to_owned()));
            }
            let toolchain =
                Toolchain { compiler: &surroundings.compiler, folder: scratch.folder() };
            Ok(Languages::Given(Language::load(&origin.join(path), &toolchain)?))
        }
        LanguageSettings::Hierarchy(file) => match input {
            Some(input) => Ok(Languages::Hierarchy(Arc::new(hierarchy(settings, file, input)?))),
            None => Ok(Languages::None),
        },
    }
}

/// Returns the texts in a description, one after the other.
pub(super) fn texts(file: &Path, description: &[u8]) -> Result<Vec<u8>, ReduceError> {
    let events = events::read_text(description);
    let events = events.map_err(|source| LanguageError::Events { file: file.into(), source })?;
    Ok(events.text().to_vec())
}

/// Reads a hierarchy, either of ranges of the input or of texts that the input consists of.
fn hierarchy(
    settings: &ReduceSettings,
    file: &Word,
    input: &Snapshot,
) -> Result<Arena<Event>, LanguageError> {
    let path = file.as_path();
    let [only] = input.files() else { return Err(LanguageError::Several(path.to_owned())) };
    let description = regular::read(&settings.origin.as_path().join(path))
        .map_err(|source| LanguageError::Read { path: path.to_owned(), source })?;
    let fault = |source| LanguageError::Events { file: path.to_owned(), source };
    let mixed = match events::read_ranges(&description, only.bytes.to_vec()) {
        Err(error) if error.problem == EventsProblem::TextWithData => error,
        read => return read.map_err(fault),
    };
    let events = events::read_text(&description).map_err(|error| match error.problem {
        EventsProblem::RangeWithoutData => fault(mixed),
        _ => fault(error),
    })?;
    if *events.text() != *only.bytes {
        let input = settings.inputs[0].as_path().to_owned();
        return Err(LanguageError::OtherText { file: path.to_owned(), input });
    }
    Ok(events)
}
