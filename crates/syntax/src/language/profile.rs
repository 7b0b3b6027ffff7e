//! What the `profile.json` of a folder in `languages/` says about a language.
//!
//! Everything here is data, so that a language is added without code. Names of kinds are those of
//! the grammar; a test checks that each of them exists.

use serde::Deserialize;

/// What is known about a language besides its grammar.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is called, in lower case.
    pub name: String,
    /// What else people call it.
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
    /// What a file begins with that can be nothing else.
    #[serde(default)]
    pub openings: Vec<String>,
    /// What a line begins with that tells it from another language with the same extension.
    #[serde(default)]
    pub signs: Vec<String>,
    /// What begins a comment that ends with the line.
    #[serde(default)]
    pub line_comments: Vec<String>,
    /// What begins and ends a comment.
    #[serde(default)]
    pub block_comments: Vec<(String, String)>,
    /// What opens and what closes.
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
    /// Kinds that are a number or a string: their first character tells.
    #[serde(default)]
    pub literals: Vec<String>,
    /// Kinds of comments.
    #[serde(default)]
    pub comments: Vec<String>,
    /// Kinds of lists of statements that indentation puts together, where it does.
    #[serde(default)]
    pub indented: Vec<String>,
    /// What a line begins with that brings names without naming them.
    #[serde(default)]
    pub imports: Vec<String>,
    /// What a line begins with that does so if it ends with `*`.
    #[serde(default)]
    pub star_imports: Vec<String>,
    /// How its files name other files.
    #[serde(default)]
    pub references: Vec<ReferencePattern>,
}

/// What a reference to another file looks like.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ReferencePattern {
    /// How the names of the files end that have such references.
    pub files: Vec<String>,
    /// An expression for all that goes with the reference, with the group `name` in it.
    pub text: String,
    /// How the name leads to a file.
    #[serde(default)]
    pub form: NameForm,
    /// What the name of the file has after `name`; the first that is there counts.
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
    /// It has dots for slashes; each dot in front but the first goes up.
    Dotted,
    /// It is a module of Rust, in a folder that depends on the file.
    RustModule,
    /// It is a path, and an item of a list: a separator goes with it.
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

/// What a language is for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    /// Definitions and uses: what is taken away here is missed there.
    #[default]
    Program,
    /// Lists of things that hardly refer to each other.
    Data,
}
