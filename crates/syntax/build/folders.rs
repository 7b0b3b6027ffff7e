//! From the folders in `languages/` to the table that the library includes.
//!
//! Shared by the build script and by the test that adds a language.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder in `languages/`.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Its name, which is also that of the language.
    pub(crate) name: String,
    path: PathBuf,
    /// The crate of the parser; none if the folder has a `parser.c` of its own.
    pub(crate) crate_name: Option<String>,
    /// The name of the parser in its crate.
    constant: String,
    /// The feature that the language is built with.
    pub(crate) feature: String,
    /// Whether its scanner needs the guard in `c/guard.c`.
    pub(crate) is_guarded: bool,
    /// The files of its query, inherited ones first.
    names: Vec<PathBuf>,
    /// The language whose `definitions.json` counts for it, if any does.
    definitions: Option<String>,
}

/// Reads all folders, by name.
pub(crate) fn read(languages: &Path) -> Result<Vec<Folder>, String> {
    let entries =
        fs::read_dir(languages).map_err(|error| format!("{}: {error}", languages.display()))?;
    let folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut folders: Vec<Folder> =
        folders.map(|path| read_one(languages, path)).collect::<Result<_, _>>()?;
    folders.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(folders)
}

fn read_one(languages: &Path, path: PathBuf) -> Result<Folder, String> {
    let error = |what: &str| format!("{}: {what}", path.display());
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(error("no name"))?.to_owned();
    if !path.join("profile.json").exists() {
        return Err(error("expected a `profile.json`"));
    }
    let has_parser = path.join("parser.c").exists();
    let parser: Value = match fs::read(path.join("parser.json")) {
        Ok(json) => serde_json::from_slice(&json).map_err(|said| error(&said.to_string()))?,
        Err(_) if has_parser => Value::Null,
        Err(_) => return Err(error("expected a `parser.json` or a `parser.c`")),
    };
    let said = |key: &str| parser[key].as_str().map(str::to_owned);
    let mut names = Vec::new();
    if path.join("names.scm").exists() {
        add_names(languages, &path.join("names.scm"), &mut names)?;
    }
    let definitions = match fs::read(path.join("definitions.json")) {
        Ok(json) => {
            let json: Value =
                serde_json::from_slice(&json).map_err(|said| error(&said.to_string()))?;
            Some(json["same_as"].as_str().unwrap_or(&name).to_owned())
        }
        Err(_) => None,
    };
    Ok(Folder {
        definitions,
        crate_name: said("crate"),
        constant: said("constant").unwrap_or_else(|| "LANGUAGE".to_owned()),
        feature: said("feature").unwrap_or_else(|| format!("lang-{name}")),
        is_guarded: parser["guarded"] == Value::Bool(true),
        names,
        path,
        name,
    })
}

/// Adds a query with those that it begins with, each named as `; inherits: c/names.scm`.
fn add_names(languages: &Path, file: &Path, names: &mut Vec<PathBuf>) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    for inherited in text.lines().map_while(|line| line.strip_prefix("; inherits: ")) {
        add_names(languages, &languages.join(inherited.trim()), names)?;
    }
    names.push(file.to_owned());
    Ok(())
}

impl Folder {
    /// Returns the folder, if the parser has to be compiled from it.
    pub(crate) fn own_parser(&self) -> Option<&Path> {
        self.crate_name.is_none().then_some(&*self.path)
    }

    /// Returns the name of the guard's definition in C.
    pub(crate) fn guard(&self) -> Option<String> {
        self.is_guarded.then(|| format!("GUARD_{}", self.name.to_uppercase()))
    }

    /// Returns the function that returns the parser, if that is not a constant of a crate.
    fn function(&self) -> Option<String> {
        let name = self.name.replace('-', "_");
        match &self.crate_name {
            None => Some(format!("tree_sitter_{name}")),
            Some(_) => self.is_guarded.then(|| format!("whodunit_guarded_{name}")),
        }
    }
}

/// Writes the table as Rust; `is_on` tells whether a feature is on.
pub(crate) fn table(folders: &[Folder], is_on: impl Fn(&str) -> bool) -> String {
    let mut functions = String::new();
    let mut links = String::new();
    let mut rows = String::new();
    for folder in folders {
        let file = |name: &str| folder.path.join(name);
        let optional = |path: PathBuf| match path.exists() {
            true => format!("Some(include_str!({path:?}))"),
            false => "None".to_owned(),
        };
        let crate_name = folder.crate_name.as_ref().map(|name| name.replace('-', "_"));
        let parser = match (is_on(&folder.feature), folder.function(), crate_name) {
            (true, Some(function), crate_name) => {
                if let Some(crate_name) = crate_name {
                    // The guard calls it from C, which does not link it.
                    let _ = writeln!(links, "use {crate_name} as _;");
                }
                let _ = writeln!(functions, "    fn {function}() -> *const ();");
                // Safe: the function only returns the address of tables that never change.
                format!("Some(unsafe {{ tree_sitter_language::LanguageFn::from_raw({function}) }})")
            }
            (true, None, Some(crate_name)) => format!("Some({crate_name}::{})", folder.constant),
            _ => "None".to_owned(),
        };
        let names: Vec<String> =
            folder.names.iter().map(|path| format!("include_str!({path:?})")).collect();
        let definitions = folder.definitions.as_ref().map_or("None".to_owned(), |family| {
            let path = folder.path.with_file_name(family).join("definitions.json");
            format!("Some(({family:?}, include_str!({path:?})))")
        });
        let _ = writeln!(
            rows,
            "    Folder {{\n        name: {:?},\n        profile: include_str!({:?}),\n        \
             rules: {},\n        given: {},\n        names: &[{}],\n        definitions: {definitions},\n        parser: {parser},\n    }},",
            folder.name,
            file("profile.json"),
            optional(file("rules.grammar")),
            optional(file("given.json")),
            names.join(", "),
        );
    }
    let functions = match functions.is_empty() {
        true => String::new(),
        false => format!("unsafe extern \"C\" {{\n{functions}}}\n\n"),
    };
    format!("{links}\n{functions}pub(crate) const FOLDERS: &[Folder] = &[\n{rows}];\n")
}
