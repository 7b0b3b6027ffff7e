//! The `profile.json` of a language in `languages/`.
//!
//! Everything here is data, so that a language is added without code. Names of kinds are those of
//! the grammar; a test checks that each of them exists.

use serde::Deserialize;

/// Facts about a language that its grammar does not have.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name, in lower case.
    pub name: String,
    /// Its other names.
    #[serde(default)]
    pub other_names: Vec<String>,
    /// How the names of its files end, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Whole names of files that are written in it.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Programs that run it, as the first line of a script names them.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// Beginnings of files that identify the language.
    #[serde(default)]
    pub openings: Vec<String>,
    /// Beginnings of lines that distinguish it from another language with the same extension.
    #[serde(default)]
    pub signs: Vec<String>,
    /// The beginnings of comments that end with the line.
    #[serde(default)]
    pub line_comments: Vec<String>,
    /// The beginnings and ends of comments.
    #[serde(default)]
    pub block_comments: Vec<(String, String)>,
    /// Pairs of brackets.
    #[serde(default)]
    pub brackets: Vec<(String, String)>,
    /// Whether it is for programs or for data.
    pub holds: Holds,
    /// Kinds of names.
    #[serde(default)]
    pub identifiers: Vec<String>,
    /// Kinds of numbers.
    #[serde(default)]
    pub numbers: Vec<String>,
    /// Kinds of strings and characters, with their quotes.
    #[serde(default)]
    pub strings: Vec<String>,
    /// Kinds that are a number or a string, depending on their first character.
    #[serde(default)]
    pub literals: Vec<String>,
    /// Kinds of comments.
    #[serde(default)]
    pub comments: Vec<String>,
    /// Kinds of lists of statements that indentation puts together, where it does.
    #[serde(default)]
    pub indented: Vec<String>,
    /// Beginnings of lines that import names without listing them.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Beginnings of lines that do so if they end with `*`.
    #[serde(default)]
    pub star_imports: Vec<String>,
    /// Longer forms, and shorter ones that may mean the same; `_1` and `_2` stand for any token.
    #[serde(default)]
    pub synonyms: Vec<(String, String)>,
    /// How its files name other files.
    #[serde(default)]
    pub references: Vec<ReferencePattern>,
    /// The demands of the language beyond its parser.
    #[serde(default)]
    pub beyond: Beyond,
}

/// The demands of a language beyond its parser. A parser may accept more than the language has,
/// because it also has to read text before the preprocessor and unfinished text.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// Kinds of nodes, each with a kind that must be below it: `double a { return 1; }` is read as a
    /// function of C.
    #[serde(default)]
    pub needs_below: Vec<(String, String)>,
    /// Kinds of nodes, each with a kind that its last child is only if that is a macro: `int i() row[2]`
    /// is read as a function `i` with the attribute `row`.
    #[serde(default)]
    pub last_is_macro: Vec<(String, String)>,
    /// Kinds that cannot be the outermost ones of a file: `{ a(); }` is read as all of a program.
    #[serde(default)]
    pub never_outermost: Vec<String>,
    /// Kinds of nodes that are outermost only as a call of a macro, each with the kinds that lead to the
    /// macro's name by first children: `LICENSE("MIT");` is read as a statement, and so is `a(b) + 1;`.
    #[serde(default)]
    pub outermost_is_macro: Vec<(String, Vec<String>)>,
}

/// The pattern of a reference to another file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ReferencePattern {
    /// How the names of the files end that have such references.
    pub files: Vec<String>,
    /// An expression for the text that is removed with the reference, with the group `name` in it.
    pub text: String,
    /// How the name leads to a file.
    #[serde(default)]
    pub form: NameForm,
    /// Endings of the file's name after `name`; the first file that exists counts.
    #[serde(default = "nothing")]
    pub endings: Vec<String>,
    /// How the text of the file can take the place of the reference.
    #[serde(default)]
    pub inline: Inline,
}

/// The name of the file is complete.
fn nothing() -> Vec<String> {
    vec![String::new()]
}

/// How a name leads to a file.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum NameForm {
    /// It is a path.
    #[default]
    Path,
    /// It has dots for slashes; each leading dot but the first leads one folder up.
    Dotted,
    /// It is a module of Rust, in a folder that depends on the file.
    RustModule,
    /// It is a path, and an item of a list: a separator is removed with it.
    Item,
}

/// How the text of a file can take the place of a reference to it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Inline {
    /// It cannot.
    #[default]
    No,
    /// As it is.
    Text,
    /// Between braces, after the group `head`.
    Module,
}

/// The purpose of a language.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    /// Definitions and uses: text removed in one place is missed in another.
    #[default]
    Program,
    /// Lists of things that hardly refer to each other.
    Data,
}
