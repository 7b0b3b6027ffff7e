//! Opens a compiled parser. The only place where foreign code comes in while the program runs.
//!
//! Unsafe because nothing is known about a library but its own data.

#![allow(unsafe_code)]

use std::path::Path;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use whodunit_files::regular;

use super::LoadError;

/// The prefix of functions that return parsers, before the name of the language.
const PREFIX: &str = "tree_sitter_";

/// Opens a library and returns the parser of the language of that name, with the name.
///
/// The library stays open until the process ends: trees point into its tables, and it is not known
/// how long they live.
pub(super) fn open(file: &Path, name: &str) -> Result<(String, tree_sitter::Language), LoadError> {
    let symbol = format!("{PREFIX}{name}");
    let read = |source| LoadError::Read { path: file.to_owned(), source };
    // A bare name would be searched in the system's folders of libraries.
    let path = file.canonicalize().map_err(read)?;
    let no_parser = || {
        let instead = parsers_in(&path).unwrap_or_default();
        LoadError::NoParser { file: file.to_owned(), symbol: symbol.clone(), instead }
    };
    type Parser = Option<unsafe extern "C" fn() -> *const tree_sitter::ffi::TSLanguage>;
    // SAFETY: opening a library runs its initialisers, and the user has said to load it. A parser
    // that tree-sitter generated does nothing then; its function, which has this type, only returns
    // the address of tables that never change. They stay where they are, because the library is
    // never closed, and their first word is their version, which is checked before anything else of
    // them is used.
    unsafe {
        let library = Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL)
            .map_err(|source| LoadError::Open { file: file.to_owned(), source })?;
        let parser = library.get::<Parser>(symbol.as_bytes()).ok().and_then(|parser| *parser);
        std::mem::forget(library);
        match parser.map(|parser| parser()).filter(|tables| !tables.is_null()) {
            Some(tables) => Ok((name.to_owned(), tree_sitter::Language::from_raw(tables))),
            None => Err(no_parser()),
        }
    }
}

/// Returns the name of the language of a library: that of the file, if the library has a parser for
/// it, or else that of the only parser that it has.
pub(super) fn name_of(file: &Path) -> Result<String, LoadError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    let name = name.strip_prefix("lib").unwrap_or(name).replace('-', "_");
    let name = name.strip_prefix(PREFIX).unwrap_or(&name);
    let symbol = format!("{PREFIX}{name}");
    match &parsers_in(file)?[..] {
        [only] if *only != symbol => Ok(only[PREFIX.len()..].to_owned()),
        _ => Ok(name.to_owned()),
    }
}

/// Returns the functions of a library that seem to return parsers, by the names of functions that
/// are written in it; it is not opened.
fn parsers_in(file: &Path) -> Result<Vec<String>, LoadError> {
    let read = |source| LoadError::Read { path: file.to_owned(), source };
    let bytes = regular::read(file).map_err(read)?;
    let names = bytes.split(|&byte| byte == 0).filter(|name| {
        name.len() > PREFIX.len()
            && name.starts_with(PREFIX.as_bytes())
            && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    let mut names: Vec<String> = names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .filter(|name| !name.contains("_external_scanner_"))
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn named(file: &str, functions: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(file);
        fs::write(&file, functions.replace(' ', "\0")).unwrap();
        name_of(&file).unwrap()
    }

    #[test]
    fn a_library_is_named_by_its_file_or_by_the_only_parser_in_it() {
        assert_eq!(named("libtree-sitter-c-sharp.so.15.0", ""), "c_sharp");
        assert_eq!(named("tree_sitter_xml.so", ""), "xml");
        assert_eq!(named("xml.so", " tree_sitter_dtd tree_sitter_xml "), "xml");
        let with_scanner = " tree_sitter_xml tree_sitter_xml_external_scanner_scan ";
        assert_eq!(named("parser.so", with_scanner), "xml");
    }
}
