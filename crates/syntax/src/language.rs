//! A language: its grammar's parser and what its folder in `languages/` says.
//!
//! A [`Language`] is a handle and cheap to copy. Those that are built in are found in
//! `languages.rs`; a user's own is [loaded](Language::load).

mod choose;
mod facts;
mod name_query;
mod profile;
mod user;

use std::fmt;
use std::num::NonZeroU16;
use std::sync::{Arc, OnceLock};

pub use choose::{FIRST_BYTES, UnknownLanguage};
pub use profile::{Beyond, Holds, Inline, NameForm, Profile, ReferencePattern};
pub use user::{LoadError, Toolchain, read_rules};

use whodunit_grammar::minimal::Minimal;
use whodunit_grammar::shape::Shapes;

use crate::bounded;
use facts::Facts;
pub use name_query::DefinitionKind;
pub(crate) use name_query::{Capture, NameQuery, Reach};

/// A language that text can be parsed in.
#[derive(Clone)]
pub struct Language(Arc<Inner>);

/// A kind of node, as a number of the language's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeKind(pub u16);

/// A field of a parent, as a number of the language's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field(pub NonZeroU16);

/// The role of a node, in any language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeRole {
    /// A name.
    Identifier,
    /// A number.
    Number,
    /// A string or a character, with its quotes.
    String,
    /// A number or a string, depending on its first character.
    Literal,
    /// A comment.
    Comment,
}

/// A parser that was made for another version of tree-sitter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parser of `{name}` has version {version} of tree-sitter's tables, not {} to {}",
    tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION,
    tree_sitter::LANGUAGE_VERSION
)]
pub struct IncompatibleParser {
    /// The language it is for.
    pub name: String,
    /// The version it has.
    pub version: usize,
}

struct Inner {
    profile: Profile,
    parser: tree_sitter::Language,
    /// The role of each kind; found when first needed.
    roles: OnceLock<Vec<Option<NodeRole>>>,
    /// Facts from its rules, if they are known; computed when first needed.
    facts: OnceLock<Option<Facts>>,
    /// The query for definitions and uses; made when first needed.
    names: OnceLock<Option<NameQuery>>,
}

impl NodeKind {
    /// Text that the grammar does not expect.
    pub const ERROR: NodeKind = NodeKind(u16::MAX);

    /// Text that the grammar reads without making a node of it.
    ///
    /// Not tree-sitter's: with it every byte that is not white space is in some leaf.
    pub const TEXT: NodeKind = NodeKind(u16::MAX - 1);
}

impl Language {
    /// Makes a language of a parser and further facts.
    ///
    /// Without `facts` the rules are those that come with the tool under this name.
    pub(crate) fn new(
        profile: Profile,
        parser: tree_sitter::Language,
        facts: OnceLock<Option<Facts>>,
    ) -> Result<Self, IncompatibleParser> {
        bounded::prepare();
        let version = parser.abi_version();
        let known = tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION;
        if !known.contains(&version) {
            return Err(IncompatibleParser { name: profile.name, version });
        }
        Ok(Language(Arc::new(Inner {
            profile,
            parser,
            roles: OnceLock::new(),
            facts,
            names: OnceLock::new(),
        })))
    }

    /// Returns its name, in lower case.
    pub fn name(&self) -> &str {
        &self.0.profile.name
    }

    /// Returns its profile: facts that its grammar does not have.
    pub fn profile(&self) -> &Profile {
        &self.0.profile
    }

    /// Returns every kind of node there is, but [`NodeKind::ERROR`] and [`NodeKind::TEXT`].
    ///
    /// Several kinds may have one name: a kind also knows where it came from.
    pub fn kinds(&self) -> impl Iterator<Item = NodeKind> + use<> {
        (0..self.0.parser.node_kind_count()).filter_map(|id| u16::try_from(id).ok()).map(NodeKind)
    }

    /// Returns the name of a kind in the grammar; a token without a name has its text as name.
    pub fn kind_name(&self, kind: NodeKind) -> &str {
        match kind {
            NodeKind::ERROR => "ERROR",
            NodeKind::TEXT => "TEXT",
            NodeKind(id) => self.0.parser.node_kind_for_id(id).unwrap_or("?"),
        }
    }

    /// Whether the grammar has a name for it; keywords and signs have none.
    pub fn is_named(&self, kind: NodeKind) -> bool {
        kind == NodeKind::ERROR
            || (kind != NodeKind::TEXT && self.0.parser.node_kind_is_named(kind.0))
    }

    /// Returns the name of a field in the grammar.
    pub fn field_name(&self, field: Field) -> &str {
        self.0.parser.field_name_for_id(field.0.get()).unwrap_or("?")
    }

    /// Returns the role of nodes of this kind.
    pub fn role(&self, kind: NodeKind) -> Option<NodeRole> {
        let roles = self.0.roles.get_or_init(|| self.roles());
        roles.get(usize::from(kind.0)).copied().flatten()
    }

    fn roles(&self) -> Vec<Option<NodeRole>> {
        let profile = self.profile();
        let lists = [
            (&profile.identifiers, NodeRole::Identifier),
            (&profile.numbers, NodeRole::Number),
            (&profile.strings, NodeRole::String),
            (&profile.literals, NodeRole::Literal),
            (&profile.comments, NodeRole::Comment),
        ];
        let role = |kind: NodeKind| {
            let name = self.is_named(kind).then(|| self.kind_name(kind))?;
            let listed = |list: &[String]| list.iter().any(|listed| listed == name);
            lists.iter().find(|(list, _)| listed(list)).map(|(_, role)| *role)
        };
        self.kinds().map(role).collect()
    }

    /// Computes now the facts that would otherwise be computed in the middle of a search.
    pub fn prepare(&self) {
        self.facts();
        self.name_query();
    }

    /// Returns the shapes of its nodes; `None` for a parser that came without its rules.
    pub fn shapes(&self) -> Option<Arc<Shapes>> {
        self.facts().map(|facts| facts.shapes.clone())
    }

    /// Returns the minimal strings of its rules; `None` for a parser that came without its rules.
    pub fn minimal(&self) -> Option<Arc<Minimal>> {
        self.facts().map(|facts| facts.minimal.clone())
    }

    /// Returns the facts from its rules, if they are known.
    fn facts(&self) -> Option<&Facts> {
        self.0.facts.get_or_init(|| Facts::shipped(self.name())).as_ref()
    }

    /// Returns how to find definitions and uses, if there is a file for it.
    pub(crate) fn name_query(&self) -> Option<&NameQuery> {
        self.0.names.get_or_init(|| NameQuery::new(self.name(), self.parser())).as_ref()
    }

    /// Returns tree-sitter's side of it.
    pub(crate) fn parser(&self) -> &tree_sitter::Language {
        &self.0.parser
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_a_language_file_names_is_in_the_grammar() {
        for language in Language::all() {
            let named = |&kind: &NodeKind| language.is_named(kind);
            let kinds: BTreeSet<&str> =
                language.kinds().filter(named).map(|kind| language.kind_name(kind)).collect();
            let profile = language.profile();
            let lists =
                [&profile.identifiers, &profile.numbers, &profile.strings, &profile.literals];
            let more = profile.comments.iter().chain(&profile.indented);
            let Beyond { needs_below, last_is_macro, never_outermost, outermost_is_macro } =
                &profile.beyond;
            let pairs =
                needs_below.iter().chain(last_is_macro).flat_map(|(one, other)| [one, other]);
            let paths =
                outermost_is_macro.iter().flat_map(|(kind, path)| path.iter().chain([kind]));
            let more = more.chain(never_outermost).chain(pairs).chain(paths);
            for kind in lists.into_iter().flatten().chain(more) {
                assert!(kinds.contains(kind.as_str()), "{language:?} has no kind `{kind}`");
            }
        }
    }

    #[test]
    fn no_two_languages_share_a_name() {
        let mut seen = BTreeSet::new();
        for profile in Language::all().iter().map(Language::profile) {
            for name in profile.other_names.iter().chain([&profile.name]) {
                assert!(seen.insert(name), "`{name}` is two languages");
                assert_eq!(*name, name.to_lowercase(), "names are found in lower case");
            }
        }
    }

    #[test]
    fn only_those_with_signs_share_an_extension() {
        let mut seen = BTreeSet::new();
        for profile in Language::all().iter().map(Language::profile) {
            for extension in &profile.extensions {
                let first = seen.insert(extension);
                assert!(first || !profile.signs.is_empty(), "`.{extension}` is two languages");
            }
        }
    }

    #[cfg(feature = "lang-c")]
    #[test]
    fn a_kind_has_a_role() {
        let language = Language::by_name("c").unwrap();
        let kind = |name| language.kinds().find(|&kind| language.kind_name(kind) == name).unwrap();
        assert_eq!(language.role(kind("identifier")), Some(NodeRole::Identifier));
        assert_eq!(language.role(kind("number_literal")), Some(NodeRole::Number));
        assert_eq!(language.role(kind("if_statement")), None);
        assert_eq!(language.role(NodeKind::ERROR), None);
    }
}
