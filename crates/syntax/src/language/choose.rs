//! Which language it is: by name, or by a file's name and first bytes.

use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use super::{Language, Profile};
use crate::languages::{FOLDERS, Folder};

/// Bytes at the beginning of a file that decide about its language. Chosen by hand.
pub const FIRST_BYTES: usize = 4096;

/// A language that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{name}`")]
pub struct UnknownLanguage {
    /// The requested name.
    pub name: String,
    /// Languages whose names are much like it, the nearest first.
    pub near: Vec<String>,
}

static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let language = |folder: &Folder| {
        let profile = serde_json::from_str(folder.profile).expect("a profile is valid");
        let language = Language::new(profile, folder.parser?.into(), OnceLock::new());
        Some(language.expect("a parser of ours is of our version"))
    };
    FOLDERS.iter().filter_map(language).collect()
});

impl Language {
    /// Returns every language that is built in, by name.
    pub fn all() -> &'static [Language] {
        &ALL
    }

    /// Returns the language with this name, or one of its other names, in any case of letters.
    pub fn by_name(name: &str) -> Result<Language, UnknownLanguage> {
        let wanted = name.to_lowercase();
        let known = Language::all()
            .iter()
            .find(|language| names(language.profile()).any(|known| known == wanted));
        known.cloned().ok_or_else(|| UnknownLanguage { name: name.to_owned(), near: near(&wanted) })
    }

    /// Returns the language of a file, by its whole name, its extension, the interpreter in its
    /// first line, or its beginning, in this order.
    ///
    /// Of the file's content [`FIRST_BYTES`] are enough.
    pub fn for_file(path: &Path, first_bytes: &[u8]) -> Option<Language> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let interpreter = interpreter(first_bytes);
        by_file_name(&name)
            .or_else(|| by_extension(path, first_bytes))
            .or_else(|| by_interpreter(&interpreter?))
            .or_else(|| by_opening(first_bytes))
            .cloned()
    }
}

fn names(profile: &Profile) -> impl Iterator<Item = &str> {
    std::iter::once(&profile.name).chain(&profile.other_names).map(String::as_str)
}

fn with(claims: impl Fn(&Profile) -> bool) -> impl Iterator<Item = &'static Language> {
    Language::all().iter().filter(move |language| claims(language.profile()))
}

fn by_file_name(name: &str) -> Option<&'static Language> {
    with(|profile| profile.file_names.iter().any(|known| known == name)).next()
}

/// Tries the extension as it is before the same in lower case: `.C` is not `.c`.
fn by_extension(path: &Path, first_bytes: &[u8]) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?.to_owned();
    let lower_case = extension.to_lowercase();
    [extension, lower_case].iter().find_map(|extension| {
        let claims = |profile: &Profile| profile.extensions.iter().any(|known| known == extension);
        with(claims)
            .find(|language| has_sign(language.profile(), first_bytes))
            .or_else(|| with(claims).find(|language| language.profile().signs.is_empty()))
            .or_else(|| with(claims).next())
    })
}

fn has_sign(profile: &Profile, first_bytes: &[u8]) -> bool {
    let mut lines = first_bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| profile.signs.iter().any(|sign| line.starts_with(sign.as_bytes())))
}

/// Returns the program that the first line names: `python3` for `#!/usr/bin/env -S python3.12 -u`.
fn interpreter(first_bytes: &[u8]) -> Option<String> {
    let line = first_bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words
        .next()
        .filter(|&program| program != "env")
        .or_else(|| words.find(|word| !word.starts_with('-') && !word.contains('=')))?;
    Some(program.split('.').next().unwrap_or(program).to_owned())
}

fn by_interpreter(program: &str) -> Option<&'static Language> {
    with(|profile| profile.interpreters.iter().any(|known| known == program)).next()
}

fn by_opening(first_bytes: &[u8]) -> Option<&'static Language> {
    let text = first_bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first_bytes);
    let text = text.trim_ascii_start();
    with(|profile| profile.openings.iter().any(|opening| text.starts_with(opening.as_bytes())))
        .next()
}

/// Returns the languages of which some name is a slip of the pen away, or begins alike.
fn near(wanted: &str) -> Vec<String> {
    // One slip in three letters: `pyton` and `jvaa` are meant, `go` is not `c`.
    let slips = (wanted.chars().count() / 3).max(1);
    let distance = |known: &str| {
        let begins_alike = wanted.len() > 1 && known.starts_with(wanted);
        if begins_alike { 1 } else { strsim::levenshtein(wanted, known) }
    };
    let mut near: Vec<(usize, &str)> = Language::all()
        .iter()
        .map(|language| {
            let least = names(language.profile()).map(distance).min();
            (least.unwrap_or(usize::MAX), language.name())
        })
        .filter(|&(distance, _)| distance <= slips)
        .collect();
    near.sort_unstable();
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

#[cfg(feature = "default")]
#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(path: &str, first_bytes: &str) -> Option<String> {
        Language::for_file(Path::new(path), first_bytes.as_bytes())
            .map(|language| language.name().to_owned())
    }

    #[test]
    fn a_name_is_found_in_any_case_and_by_its_other_names() {
        for (name, language) in
            [("c", "c"), ("C++", "cpp"), ("JavaScript", "javascript"), ("SMT-LIB", "smtlib")]
        {
            assert_eq!(Language::by_name(name).unwrap().name(), language);
        }
    }

    #[test]
    fn an_unknown_name_lists_the_near_ones() {
        let near = |name| Language::by_name(name).unwrap_err().near;
        assert_eq!(near("pyton"), ["python"]);
        assert_eq!(near("jav"), ["java", "javascript"]);
        assert_eq!(near("typscript"), ["typescript"]);
        assert_eq!(near("brainfuck"), [""; 0]);
        let error = Language::by_name("Cobol").unwrap_err();
        assert_eq!(error.to_string(), "unknown language `Cobol`");
    }

    #[test]
    fn a_file_is_known_by_its_extension() {
        assert_eq!(chosen("src/main.rs", ""), Some("rust".into()));
        assert_eq!(chosen("A.JAVA", ""), Some("java".into()));
        assert_eq!(chosen("a.c", ""), Some("c".into()));
        assert_eq!(chosen("a.C", ""), Some("cpp".into()));
        assert_eq!(chosen("a.unheard-of", "plain words"), None);
        assert_eq!(chosen("", ""), None);
    }

    #[test]
    fn a_header_is_c_until_it_shows_a_sign_of_cpp() {
        assert_eq!(chosen("a.h", "int f(void);\n"), Some("c".into()));
        assert_eq!(chosen("a.h", "/* */\nclass A {};\n"), Some("cpp".into()));
    }

    #[test]
    fn a_file_is_known_by_its_whole_name() {
        assert_eq!(chosen("below/Rakefile", ""), Some("ruby".into()));
        assert_eq!(chosen("Cargo.lock", ""), Some("toml".into()));
    }

    #[test]
    fn a_script_is_known_by_its_interpreter() {
        assert_eq!(chosen("run", "#!/bin/sh -e\n"), Some("bash".into()));
        assert_eq!(chosen("run", "#!/usr/bin/env python3.12\n"), Some("python".into()));
        assert_eq!(chosen("run", "#!/usr/bin/env -S A=1 node --x\n"), Some("javascript".into()));
        assert_eq!(chosen("run", "#!\n"), None);
        assert_eq!(chosen("run", "#!/usr/bin/env"), None);
    }

    #[test]
    fn a_nameless_file_is_known_by_what_it_begins_with() {
        assert_eq!(chosen("input", "\u{feff}<?xml version='1.0'?>"), Some("xml".into()));
        assert_eq!(chosen("input", "\n<!DOCTYPE html>"), Some("html".into()));
    }
}
