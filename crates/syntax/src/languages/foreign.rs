//! Parsers that `build.rs` compiles from C: our own, and those with a guard around them.
//!
//! Unsafe because it names functions written in C. The grammar crates do the same inside.

#![allow(unsafe_code)]

use tree_sitter_language::LanguageFn;
// The guard calls these from C, which does not link them.
#[cfg(feature = "lang-html")]
use tree_sitter_html as _;
#[cfg(feature = "lang-python")]
use tree_sitter_python as _;
#[cfg(feature = "lang-ruby")]
use tree_sitter_ruby as _;
#[cfg(feature = "lang-xml")]
use tree_sitter_xml as _;
#[cfg(feature = "lang-yaml")]
use tree_sitter_yaml as _;

unsafe extern "C" {
    #[cfg(feature = "lang-html")]
    fn whodunit_guarded_html() -> *const ();
    #[cfg(feature = "lang-python")]
    fn whodunit_guarded_python() -> *const ();
    #[cfg(feature = "lang-ruby")]
    fn whodunit_guarded_ruby() -> *const ();
    #[cfg(feature = "lang-smtlib")]
    fn tree_sitter_smtlib() -> *const ();
    #[cfg(feature = "lang-xml")]
    fn whodunit_guarded_xml() -> *const ();
    #[cfg(feature = "lang-yaml")]
    fn whodunit_guarded_yaml() -> *const ();
}

// Each is safe: the function only returns the address of tables that never change.

#[cfg(feature = "lang-html")]
pub(crate) const HTML: LanguageFn = unsafe { LanguageFn::from_raw(whodunit_guarded_html) };

#[cfg(feature = "lang-python")]
pub(crate) const PYTHON: LanguageFn = unsafe { LanguageFn::from_raw(whodunit_guarded_python) };

#[cfg(feature = "lang-ruby")]
pub(crate) const RUBY: LanguageFn = unsafe { LanguageFn::from_raw(whodunit_guarded_ruby) };

#[cfg(feature = "lang-smtlib")]
pub(crate) const SMTLIB: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_smtlib) };

#[cfg(feature = "lang-xml")]
pub(crate) const XML: LanguageFn = unsafe { LanguageFn::from_raw(whodunit_guarded_xml) };

#[cfg(feature = "lang-yaml")]
pub(crate) const YAML: LanguageFn = unsafe { LanguageFn::from_raw(whodunit_guarded_yaml) };
