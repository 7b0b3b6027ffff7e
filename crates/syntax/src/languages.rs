//! The languages that are built in: for each its file in `languages/` and its parser.
//!
//! Where two claim the same file extension, the one that lists signs is asked first.

use tree_sitter_language::LanguageFn;

#[cfg(any(
    feature = "lang-python",
    feature = "lang-ruby",
    feature = "lang-smtlib",
    feature = "lang-yaml",
))]
mod foreign;

/// A language that is built in.
pub(crate) struct BuiltIn {
    /// Its file in `languages/`.
    pub(crate) profile: &'static str,
    /// Its parser.
    pub(crate) parser: LanguageFn,
}

macro_rules! built_in {
    ($($feature:literal $name:literal $parser:expr;)*) => {
        &[$(
            #[cfg(feature = $feature)]
            BuiltIn {
                profile: include_str!(concat!("../languages/", $name, ".json")),
                parser: $parser,
            },
        )*]
    };
}

/// Every language that is built in, by name.
pub(crate) const LANGUAGES: &[BuiltIn] = built_in! {
    "lang-bash" "bash" tree_sitter_bash::LANGUAGE;
    "lang-c" "c" tree_sitter_c::LANGUAGE;
    "lang-c-sharp" "c-sharp" tree_sitter_c_sharp::LANGUAGE;
    "lang-cpp" "cpp" tree_sitter_cpp::LANGUAGE;
    "lang-css" "css" tree_sitter_css::LANGUAGE;
    "lang-xml" "dtd" tree_sitter_xml::LANGUAGE_DTD;
    "lang-go" "go" tree_sitter_go::LANGUAGE;
    "lang-html" "html" foreign::HTML;
    "lang-java" "java" tree_sitter_java::LANGUAGE;
    "lang-javascript" "javascript" tree_sitter_javascript::LANGUAGE;
    "lang-json" "json" tree_sitter_json::LANGUAGE;
    "lang-lua" "lua" tree_sitter_lua::LANGUAGE;
    "lang-php" "php" tree_sitter_php::LANGUAGE_PHP;
    "lang-python" "python" foreign::PYTHON;
    "lang-ruby" "ruby" foreign::RUBY;
    "lang-rust" "rust" tree_sitter_rust::LANGUAGE;
    "lang-smtlib" "smtlib" foreign::SMTLIB;
    "lang-sql" "sql" tree_sitter_sequel::LANGUAGE;
    "lang-toml" "toml" tree_sitter_toml_ng::LANGUAGE;
    "lang-typescript" "tsx" tree_sitter_typescript::LANGUAGE_TSX;
    "lang-typescript" "typescript" tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    "lang-xml" "xml" foreign::XML;
    "lang-yaml" "yaml" foreign::YAML;
};
