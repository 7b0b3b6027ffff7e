//! From a grammar's folder to an open library: tree-sitter's generator where there is no
//! `parser.c`, then the C compiler.

use std::fs;
use std::io;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use tree_sitter_generate::{
    ALLOC_HEADER, ARRAY_HEADER, OptLevel, PARSER_HEADER, generate_parser_for_grammar,
};
use whodunit_grammar::Grammar;

use super::find::Sources;
use super::{LoadError, Toolchain, library, read};

/// Lines of the compiler's output that are shown; later ones are dropped, because the first error
/// comes first. Chosen by hand.
const SHOWN_LINES: usize = 10;

/// Compiles a parser and opens it; returns it with the name of its language.
pub(super) fn build(
    sources: &Sources,
    grammar: Option<&Grammar>,
    toolchain: &Toolchain<'_>,
) -> Result<(String, tree_sitter::Language), LoadError> {
    let build = |source| LoadError::Build { folder: toolchain.folder.to_owned(), source };
    let place = BuildFolder::new(toolchain.folder).map_err(build)?;
    let parser = match (&sources.parser, &sources.rules) {
        (Some(parser), _) => parser.clone(),
        (None, rules) => {
            let code = rules.as_deref().map_or(Ok(String::new()), generate)?;
            let parser = place.0.join("parser.c");
            fs::write(&parser, code).map_err(build)?;
            parser
        }
    };
    let library = place.0.join("parser.so");
    compile(sources, &parser, &library, toolchain)?;
    let name = grammar.map_or_else(|| library::name_of(&library), |g| Ok(g.name.clone()))?;
    library::open(&library, &name)
}

fn generate(rules: &Path) -> Result<String, LoadError> {
    let json = read(rules)?;
    // Warnings of the generator do not concern our user. It checks the usual mistakes in rules and
    // panics at others.
    let generated = catch_unwind(|| {
        let advice = &mut Vec::new();
        generate_parser_for_grammar(&json, None, OptLevel::default(), advice)
    });
    let reason = match generated {
        Ok(Ok((_, code))) => return Ok(code),
        Ok(Err(error)) => error.to_string().trim().to_owned(),
        Err(_) => "tree-sitter's generator gave up on it".to_owned(),
    };
    Err(LoadError::Generate { file: rules.to_owned(), reason })
}

fn compile(
    sources: &Sources,
    parser: &Path,
    library: &Path,
    toolchain: &Toolchain<'_>,
) -> Result<(), LoadError> {
    let mut words = toolchain.compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    // The parser is a large table: to optimise it more takes long and gains nothing. Warnings are
    // not about anything our user wrote.
    command.args(["-shared", "-fPIC", "-O1", "-fno-strict-aliasing", "-w", "-o"]);
    command.arg(library);
    command.arg("-I").arg(&sources.folder);
    // The headers that tree-sitter puts beside a parser, for those that come without.
    if let Some(headers) = library.parent() {
        command.arg("-I").arg(headers);
    }
    command.arg(parser);
    if let Some(scanner) = &sources.scanner {
        command.arg(scanner);
        if scanner.extension().is_some_and(|extension| extension == "cc") {
            command.arg("-lstdc++");
        }
    }
    let compiler = toolchain.compiler.to_owned();
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(source) => return Err(LoadError::NoCompiler { compiler, source }),
    };
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut said: Vec<&str> = said.lines().take(SHOWN_LINES).collect();
    let ended = output.status.to_string();
    if said.is_empty() {
        said.push(&ended);
    }
    let folder = sources.folder.clone();
    Err(LoadError::Compile { compiler, folder, said: said.join("\n") })
}

/// A folder of our own with tree-sitter's headers in it; deleted when dropped.
struct BuildFolder(PathBuf);

impl BuildFolder {
    fn new(folder: &Path) -> io::Result<BuildFolder> {
        // A path that was opened before would give the library that was there then.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let place = folder.join(format!("grammar-{}-{count}", std::process::id()));
        fs::create_dir(&place)?;
        let place = BuildFolder(place);
        let headers = place.0.join("tree_sitter");
        fs::create_dir(&headers)?;
        let texts =
            [("parser.h", PARSER_HEADER), ("alloc.h", ALLOC_HEADER), ("array.h", ARRAY_HEADER)];
        for (name, text) in texts {
            fs::write(headers.join(name), text)?;
        }
        Ok(place)
    }
}

impl Drop for BuildFolder {
    fn drop(&mut self) {
        // The owner of the surrounding folder deletes the rest.
        let _ = fs::remove_dir_all(&self.0);
    }
}
