//! Advice for a language or grammar that cannot be used.

use whodunit_exec::quote;
use whodunit_jobs::grammar::cfg::Problem;
use whodunit_jobs::reduce::LanguageError;
use whodunit_jobs::syntax::events::EventsProblem;
use whodunit_jobs::syntax::language::LoadError;

use crate::trouble::GrammarTrouble;

/// The hint where a file cannot be read.
const SPELLED_RIGHT: &str = "the name is relative to the current folder; is it spelled right?";

/// Returns what to do about a command that shows a grammar.
pub(super) fn hint(trouble: &GrammarTrouble) -> Option<String> {
    match trouble {
        GrammarTrouble::Language(LanguageError::Unknown(unknown)) if unknown.near.is_empty() => {
            let text = "`whodunit grammar` lists the languages; a grammar of one's own is given by its path";
            Some(text.into())
        }
        GrammarTrouble::Language(error) => language_hint(error),
        GrammarTrouble::NoRule { near, .. } if !near.is_empty() => Some(meant(near)),
        GrammarTrouble::NoRule { .. } => Some("without --rule all are shown".into()),
    }
}

/// Returns what to do about the language that was given for the input.
pub(super) fn language_hint(error: &LanguageError) -> Option<String> {
    let text = match error {
        LanguageError::Unknown(unknown) if unknown.near.is_empty() => {
            "`whodunit grammar` lists the languages; for a grammar of one's own: --grammar PATH"
        }
        LanguageError::Unknown(unknown) => return Some(meant(&unknown.near)),
        LanguageError::Load(error) => return load_hint(error),
        LanguageError::Fault(fault) => match fault.problem {
            Problem::MatchesEmpty { .. } => "a token is at least one character: `+` for `*`",
            Problem::NoFiniteString { .. } => {
                "each rule needs an alternative that does not lead back to it"
            }
            _ => return None,
        },
        LanguageError::NoLexical { .. } => {
            "it has one token a line: a name, a regular expression, a minimal string if wanted;\n\
             --lexical FILE if it is elsewhere"
        }
        LanguageError::NoMinimal { .. } => {
            "write the minimal string behind the expression of that token"
        }
        LanguageError::Events { source, .. } => match source.problem {
            EventsProblem::RangeWithoutData => "name the data file too, before --hierarchy",
            EventsProblem::TextWithData => "a hierarchy has ranges, or it has texts",
            EventsProblem::Json { .. }
            | EventsProblem::UnknownMember { .. }
            | EventsProblem::Nothing => {
                "it is JSON like {\"children\": [{\"text\": \"a\"}]}; the page on grammars of the manual \
                 has all of it"
            }
            _ => return None,
        },
        LanguageError::OtherText { .. } => {
            "leave out the input: the texts are the input; or describe it by ranges"
        }
        LanguageError::Several(_) => "give one file, or describe them as one",
        LanguageError::Read { .. } => SPELLED_RIGHT,
        LanguageError::NotLexical(_) => return None,
    };
    Some(text.into())
}

fn load_hint(error: &LoadError) -> Option<String> {
    let text = match error {
        LoadError::NoGrammar { inside, .. } if !inside.is_empty() => {
            let inside: Vec<String> = inside.iter().map(|path| quote(path.as_os_str())).collect();
            return Some(format!("there is one in {}", inside.join(", and in ")));
        }
        LoadError::NoGrammar { .. } => {
            "the folder of a grammar has a grammar.json in it, or in its src"
        }
        LoadError::OnlyJavaScript { .. } => {
            "run `tree-sitter generate` there once; it writes src/grammar.json"
        }
        LoadError::NotAGrammar { .. } => {
            "a grammar is a folder with grammar.json, a library (.so), or a .y file"
        }
        LoadError::NoRules { .. } => "put the grammar.json that it was generated from beside it",
        LoadError::Rules { .. } => "`tree-sitter generate` writes such files from a grammar.js",
        LoadError::NoCompiler { .. } => "install a C compiler, or set CC to the one to use",
        LoadError::NoParser { .. } => "name the library after its language: libtree-sitter-NAME.so",
        LoadError::Incompatible(_) => {
            "generate the parser anew: delete parser.c and keep grammar.json"
        }
        LoadError::Read { .. } => SPELLED_RIGHT,
        LoadError::Pattern { .. }
        | LoadError::Generate { .. }
        | LoadError::Build { .. }
        | LoadError::Compile { .. }
        | LoadError::Open { .. } => return None,
    };
    Some(text.into())
}

fn meant(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("did you mean {}?", names.join(" or "))
}
