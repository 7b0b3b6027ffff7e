//! The query that finds the names of a language.
//!
//! The captures, in the manner of tree-sitter's tags:
//!
//! | capture | is |
//! |---|---|
//! | `@definition.…` | the defining node; alone in a pattern, that of every `@name` below it |
//! | `@name` | the name that is defined, or called |
//! | `@parameters`, `@arguments` | the node whose named children these are |
//! | `@receiver` | a parameter that calls do not list, as `self` |
//! | `@reference.call` | a call |
//! | `@scope`, `@scope.function` | the node that limits its variables and parameters |
//! | `@wrapper` | removed with the definition inside it, as decorators are |
//! | `@member` | a name after a dot: never a local variable |
//! | `@keyword` | the name of an argument |

use tree_sitter::Query;

use crate::languages::folder;

/// A query that is ready to run.
pub(crate) struct NameQuery {
    pub(crate) query: Query,
    pub(crate) captures: Vec<Capture>,
}

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// A function that is called by its name alone.
    Function,
    /// A function of a class or a module.
    Method,
    /// A class, structure, enumeration, interface, alias, sort or table.
    Type,
    /// A variable, local or not.
    Variable,
    /// A name for a value that does not change.
    Constant,
    /// A parameter, of types as well, or the variable of a loop or handler.
    Parameter,
    /// A field of a class or structure, or a column.
    Field,
    /// A name that comes from somewhere else.
    Import,
    /// A module or namespace.
    Module,
    /// A macro.
    Macro,
    /// A place to go to.
    Label,
}

/// How far a definition is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Scope,
    Function,
    File,
}

/// The meaning of one capture of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    Definition(DefinitionKind, Reach),
    Name,
    Parameters,
    Arguments,
    Receiver,
    Call,
    Scope,
    FunctionScope,
    Wrapper,
    Member,
    Keyword,
    /// Only for a condition of the pattern.
    Other,
}

impl NameQuery {
    /// Makes the query of a language that has one.
    pub(crate) fn new(name: &str, parser: &tree_sitter::Language) -> Option<Self> {
        let parts = folder(name).map(|folder| folder.names).filter(|parts| !parts.is_empty())?;
        // Fails for a user's grammar with the name of one of ours; a test covers the others.
        let query = Query::new(parser, &parts.concat()).ok()?;
        let captures = query.capture_names().iter().map(|name| capture(name)).collect();
        Some(NameQuery { query, captures })
    }
}

fn capture(name: &str) -> Capture {
    use DefinitionKind as Kind;
    match name {
        "definition.function" => Capture::Definition(Kind::Function, Reach::Function),
        "definition.method" => Capture::Definition(Kind::Method, Reach::File),
        "definition.type" => Capture::Definition(Kind::Type, Reach::Function),
        "definition.variable" => Capture::Definition(Kind::Variable, Reach::Scope),
        "definition.hoisted" => Capture::Definition(Kind::Variable, Reach::Function),
        "definition.constant" => Capture::Definition(Kind::Constant, Reach::Function),
        "definition.parameter" => Capture::Definition(Kind::Parameter, Reach::Scope),
        "definition.field" => Capture::Definition(Kind::Field, Reach::File),
        "definition.import" => Capture::Definition(Kind::Import, Reach::Function),
        "definition.module" => Capture::Definition(Kind::Module, Reach::File),
        "definition.macro" => Capture::Definition(Kind::Macro, Reach::File),
        "definition.label" => Capture::Definition(Kind::Label, Reach::Function),
        "name" => Capture::Name,
        "parameters" => Capture::Parameters,
        "arguments" => Capture::Arguments,
        "receiver" => Capture::Receiver,
        "reference.call" => Capture::Call,
        "scope" => Capture::Scope,
        "scope.function" => Capture::FunctionScope,
        "wrapper" => Capture::Wrapper,
        "member" => Capture::Member,
        "keyword" => Capture::Keyword,
        _ => Capture::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::languages::FOLDERS;

    #[test]
    fn every_query_fits_its_grammar() {
        for folder in FOLDERS {
            let name = folder.name;
            let Ok(language) = Language::by_name(name) else { continue };
            let text = folder.names.concat();
            let query = Query::new(language.parser(), &text);
            let query = query.unwrap_or_else(|error| panic!("{name}: {error}"));
            for name in query.capture_names().iter().filter(|name| !name.starts_with('_')) {
                assert!(capture(name) != Capture::Other, "{language:?}: what is `@{name}`?");
            }
        }
    }
}
