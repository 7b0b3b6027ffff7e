//! The definitions in the files of a version.

use std::sync::Arc;

use whodunit_files::TreePath;
use whodunit_syntax::definitions::{self, FileFacts};
use whodunit_syntax::language::Language;

use crate::syntax_facts::language;

/// Returns the language that the definitions of a file are read in; AspectJ is read as Java.
pub fn definition_language(path: &TreePath, text: &[u8]) -> Option<Language> {
    if path.name().ends_with(b".aj") {
        return Language::by_name("java").ok();
    }
    language(path, text)
}

/// Reads the definitions of a file, if its language has definitions.
pub fn definitions(path: &TreePath, text: &Arc<[u8]>) -> Option<FileFacts> {
    definitions::read(&definition_language(path, text)?, &path.display(), text)
}
