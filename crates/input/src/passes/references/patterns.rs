//! What references look like: one table.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};

use super::resolve::Names;
use crate::snapshot::InputFile;
use crate::tokens;

/// A place in one file that names another.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The file that it stands in.
    pub(super) from: usize,
    /// What goes with it, in that file.
    pub(super) range: Range<usize>,
    pub(super) inline: Inline,
    /// What comes before the text that takes its place.
    head: Vec<u8>,
}

impl Reference {
    /// Returns what stands for the reference when the file it names has this text.
    pub(super) fn inlined(&self, text: &[u8]) -> Vec<u8> {
        let mut inlined = self.head.clone();
        if self.inline == Inline::Module {
            inlined.extend_from_slice(b" {\n");
        }
        inlined.extend_from_slice(text);
        if !text.is_empty() && !text.ends_with(b"\n") {
            inlined.push(b'\n');
        }
        if self.inline == Inline::Module {
            inlined.extend_from_slice(b"}\n");
        }
        inlined
    }
}

/// How the text of a file can take the place of a reference to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inline {
    No,
    /// As it is.
    Text,
    /// Between braces, after what the pattern calls `head`.
    Module,
}

/// How a name leads to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It is a path.
    Path,
    /// It has dots for slashes; each dot in front but the first goes up.
    Dotted,
    /// It is a module of Rust, in a folder that depends on the file.
    RustModule,
    /// It is a path, and an item of a list: a separator goes with it.
    Item,
}

/// What a reference looks like.
struct Pattern {
    /// How the names of the files end that have such references.
    files: &'static [&'static str],
    /// What goes with the reference, and `name` in it.
    text: &'static str,
    way: Way,
    /// What the name of the file has after `name`; the first that is there counts.
    endings: &'static [&'static str],
    inline: Inline,
}

const C: &[&str] = &[
    ".c", ".h", ".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx", ".inc", ".inl", ".ipp", ".tcc",
    ".def", ".m", ".mm",
];
const JAVASCRIPT: &[&str] = &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];
const JAVASCRIPT_ENDINGS: &[&str] =
    &["", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".json", "/index.js", "/index.ts"];
const MAKE: &[&str] = &["Makefile", "makefile", ".mk"];
const OBJECTS: &[&str] = &[".c", ".cc", ".cpp", ".cxx", ".s", ".S"];
const LISTS: &[&str] = &[".json", ".toml", "meson.build", "BUILD", ".bazel"];
const LINES: &[&str] = &[".txt", ".lst", ".list", ".rsp", ".yml", ".yaml"];
const PAGES: &[&str] = &[".html", ".htm"];

const PATTERNS: &[Pattern] = &[
    Pattern {
        files: C,
        text: r#"(?m)^[ \t]*#[ \t]*include[ \t]*["<](?P<name>[^">\n]+)[">].*\n?"#,
        way: Way::Path,
        endings: &[""],
        inline: Inline::Text,
    },
    Pattern {
        files: &[".py", ".pyi"],
        text: r"(?m)^[ \t]*from[ \t]+(?P<name>\.*\w[\w.]*)[ \t]+import\b(?:[ \t]*\([^)]*\))?.*\n?",
        way: Way::Dotted,
        endings: &[".py", "/__init__.py", ".pyi"],
        inline: Inline::No,
    },
    Pattern {
        files: &[".py", ".pyi"],
        text: r"(?m)^[ \t]*from[ \t]+\.[ \t]+import[ \t]+(?P<name>\w+)[ \t]*(?:#.*)?(?:\n|\z)",
        way: Way::Dotted,
        endings: &[".py", "/__init__.py", ".pyi"],
        inline: Inline::No,
    },
    Pattern {
        files: &[".py", ".pyi"],
        text: r"(?m)^[ \t]*import[ \t]+(?P<name>[\w.]+)(?:[ \t]+as[ \t]+\w+)?[ \t]*(?:#.*)?(?:\n|\z)",
        way: Way::Dotted,
        endings: &[".py", "/__init__.py", ".pyi"],
        inline: Inline::No,
    },
    Pattern {
        files: JAVASCRIPT,
        text: r#"(?m)^[ \t]*(?:import|export)\b[^;'"]*['"](?P<name>\.{1,2}/[^'"\n]+)['"].*\n?"#,
        way: Way::Path,
        endings: JAVASCRIPT_ENDINGS,
        inline: Inline::No,
    },
    Pattern {
        files: JAVASCRIPT,
        text: r#"(?m)^[ \t]*(?:(?:const|let|var)\b[^;'"=]*=[ \t]*)?require\(['"](?P<name>\.{1,2}/[^'"\n]+)['"]\).*\n?"#,
        way: Way::Path,
        endings: JAVASCRIPT_ENDINGS,
        inline: Inline::No,
    },
    Pattern {
        files: &[".rs"],
        text: r"(?m)^(?P<head>[ \t]*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(?P<name>\w+))[ \t]*;.*\n?",
        way: Way::RustModule,
        endings: &[".rs", "/mod.rs"],
        inline: Inline::Module,
    },
    Pattern {
        files: &[".rb"],
        text: r#"(?m)^[ \t]*require_relative[ \t]*\(?[ \t]*['"](?P<name>[^'"\n]+)['"].*\n?"#,
        way: Way::Path,
        endings: &[".rb", ""],
        inline: Inline::Text,
    },
    Pattern {
        files: &[".css", ".scss", ".less"],
        text: r#"(?m)^[ \t]*@import\b[^;'"\n]*['"](?P<name>[^'"\n]+)['"].*\n?"#,
        way: Way::Path,
        endings: &["", ".css", ".scss", ".less"],
        inline: Inline::Text,
    },
    Pattern {
        files: PAGES,
        text: r#"<script\b[^>]*\bsrc=["'](?P<name>[^"']+)["'][^>]*>\s*</script>\n?"#,
        way: Way::Path,
        endings: &[""],
        inline: Inline::No,
    },
    Pattern {
        files: PAGES,
        text: r#"<link\b[^>]*\bhref=["'](?P<name>[^"']+)["'][^>]*>\n?"#,
        way: Way::Path,
        endings: &[""],
        inline: Inline::No,
    },
    // A rule for the object file goes as a whole.
    Pattern {
        files: MAKE,
        text: r"(?m)^(?P<name>[\w./+-]+)\.o[ \t]*:.*\n?(?:\t.*\n?)*",
        way: Way::Path,
        endings: OBJECTS,
        inline: Inline::No,
    },
    Pattern {
        files: MAKE,
        text: r#"(?P<name>[^\s:=\\$(){}"',;&|<>]+)\.o\b[ \t]*"#,
        way: Way::Path,
        endings: OBJECTS,
        inline: Inline::No,
    },
    Pattern {
        files: &["Makefile", "makefile", ".mk", "CMakeLists.txt", ".cmake"],
        text: r#"(?P<name>[^\s:=\\$(){}"',;&|<>]+)[ \t]*"#,
        way: Way::Path,
        endings: &[""],
        inline: Inline::No,
    },
    Pattern {
        files: LISTS,
        text: r#"["'](?P<name>[^"'\n]+)["']"#,
        way: Way::Item,
        endings: &[""],
        inline: Inline::No,
    },
    Pattern {
        files: LINES,
        text: r#"(?m)^[ \t]*(?:-[ \t]+)?["']?(?P<name>[^\s"']+)["']?[ \t]*(?:\n|\z)"#,
        way: Way::Path,
        endings: &[""],
        inline: Inline::No,
    },
];

static COMPILED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let compile = |pattern: &Pattern| Regex::new(pattern.text).expect("a pattern of ours is valid");
    PATTERNS.iter().map(compile).collect()
});

/// Lists the references in a file, each with the file that it names.
pub(super) fn find(from: usize, file: &InputFile, names: &Names<'_>) -> Vec<(usize, Reference)> {
    let mut found = Vec::new();
    let name = file.name.to_string_lossy();
    if tokens::is_binary(&file.bytes) {
        return found;
    }
    for (pattern, regex) in PATTERNS.iter().zip(COMPILED.iter()) {
        if !pattern.files.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        for captures in regex.captures_iter(&file.bytes) {
            let range = captures.get(0).map_or(0..0, |whole| whole.range());
            let range =
                if pattern.way == Way::Item { item(&file.bytes, range) } else { Some(range) };
            let target = pattern.target(&captures, &file.name, names);
            if let (Some(range), Some(target)) = (range, target.filter(|&target| target != from)) {
                let head = captures.name("head").map(|head| head.as_bytes().to_vec());
                let (inline, head) = (pattern.inline, head.unwrap_or_default());
                found.push((target, Reference { from, range, inline, head }));
            }
        }
    }
    found
}

impl Pattern {
    fn target(&self, captures: &Captures<'_>, file: &Path, names: &Names<'_>) -> Option<usize> {
        let name = std::str::from_utf8(captures.name("name")?.as_bytes()).ok()?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let (folders, name): (Vec<PathBuf>, String) = match self.way {
            Way::Path | Way::Item => (vec![folder.into()], name.into()),
            Way::Dotted => {
                let inner = name.trim_start_matches('.');
                let up = (name.len() - inner.len()).saturating_sub(1);
                let folder = folder.ancestors().nth(up)?;
                (vec![folder.into()], inner.replace('.', "/"))
            }
            Way::RustModule => (vec![file.with_extension(""), folder.into()], name.into()),
        };
        let full = |ending: &&str| format!("{name}{ending}");
        self.endings
            .iter()
            .map(full)
            .find_map(|name| folders.iter().find_map(|folder| names.find(folder, &name)))
    }
}

/// Returns an item of a list with the separator that goes with it; `None` if it is none.
fn item(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let blank = |byte: &u8| !byte.is_ascii_whitespace();
    let before = bytes[..range.start].iter().rposition(blank)?;
    let after = range.end + bytes[range.end..].iter().position(blank)?;
    match (bytes[before], bytes[after]) {
        (b'[' | b'(' | b',', b',') => {
            let next =
                bytes[after + 1..].iter().position(blank).map_or(bytes.len(), |at| after + 1 + at);
            Some(range.start..next)
        }
        (b',', b']' | b')') => Some(before..range.end),
        (b'[' | b'(', b']' | b')') => Some(range),
        _ => None,
    }
}
