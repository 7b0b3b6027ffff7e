//! Finds the files of the test: from the names in the command, from the places that the failure
//! names, and from the files that the first run read.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use whodunit_exec::Script;
use whodunit_run::Word;
use whodunit_versions::{NamedItem, TreePath, Version, items_of};

use crate::answer::{OwnLines, OwnTest};
use crate::test_files::{is_test, is_test_name};

/// Bytes of the shortest word that counts; shorter words are options and the like.
const SHORTEST: usize = 3;

/// A place as tools print it: `a.py:3`, `"a.py", line 3`, `(A.java:3)`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?P<file>[\w./+@-]+)(?:", line |:)(?P<line>\d+)"#;
    Regex::new(pattern).expect("the pattern is one")
});

/// The information about the test after the first run.
pub(in crate::history) struct Clues<'a> {
    /// The newest version.
    pub(in crate::history) newest: &'a Version,
    /// The typed text: the words of the command, and the lines of configuration, build and gates.
    pub(in crate::history) typed: Vec<String>,
    /// The script in the command, which every version gets anyway.
    pub(in crate::history) script: Option<&'a Script>,
    /// The output of the failing test.
    pub(in crate::history) output: String,
    /// The files that the test read, if this is watched.
    pub(in crate::history) read: &'a [Arc<[u8]>],
}

impl Clues<'_> {
    /// Finds the files and functions that belong to the test.
    pub(in crate::history) fn find(&self) -> io::Result<OwnTest> {
        let mut found = Found::default();
        let files = Files::of(self.newest);
        for text in self.typed.iter() {
            tokens(text).for_each(|token| found.files.extend(files.named(token, 1)));
        }
        let script = self.script.map(|script| String::from_utf8_lossy(&script.bytes));
        for token in script.iter().flat_map(|text| tokens(text)) {
            // A single word of a script mostly has another meaning.
            found.files.extend(files.named(token, 2));
        }
        let mut texts = Texts { version: self.newest, known: HashMap::new() };
        self.complained_of(&files, &mut texts, &mut found)?;
        self.functions(&mut texts, &mut found)?;
        let read = self.read.iter().map(TreePath::new);
        let mut read: BTreeSet<TreePath> = read.filter(is_test).collect();
        if let Some(script) = self.script_file()? {
            found.files.remove(&script);
            read.remove(&script);
        }
        if found.files.is_empty() && found.inside.is_empty() {
            found.files.clone_from(&read);
        }
        let beside = self.beside(&found, &mut texts)?;
        let support = read.difference(&found.files).map(word).collect();
        Ok(OwnTest {
            files: found.files.iter().map(word).collect(),
            beside,
            support,
            inside: found.inside.into_iter().collect(),
            tracked: found.tracked.into_iter().collect(),
        })
    }

    /// Returns files that were read beside the files of the test and that are no tests by
    /// themselves: any file in a folder of tests, and a file without functions in the folder of the
    /// test.
    fn beside(&self, found: &Found, texts: &mut Texts<'_>) -> io::Result<Vec<Word>> {
        let folders: BTreeSet<TreePath> = found.files.iter().map(TreePath::folder).collect();
        let mut beside = Vec::new();
        for path in self.read.iter().map(TreePath::new) {
            if found.files.contains(&path) || is_test_name(&String::from_utf8_lossy(path.name())) {
                continue;
            }
            let is_near = || path.folders().chain([path.folder()]).any(|it| folders.contains(&it));
            let is_support = is_test(&path)
                || is_near() && texts.read(&path)?.is_some_and(|text| text.items.is_empty());
            if is_support {
                beside.push(word(&path));
            }
        }
        Ok(beside)
    }

    /// Returns the script as a file of the newest version, if it is one.
    fn script_file(&self) -> io::Result<Option<TreePath>> {
        let Some(script) = self.script else { return Ok(None) };
        for typed in self.typed.iter().take(2) {
            let path = TreePath::new(typed.trim_start_matches("./"));
            if let Some(entry) = self.newest.get(&path)
                && entry.content.read()? == script.bytes
            {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Adds the test files that the output names with a line, and the functions at these lines.
    fn complained_of(
        &self,
        files: &Files<'_>,
        texts: &mut Texts<'_>,
        found: &mut Found,
    ) -> io::Result<()> {
        for place in PLACE.captures_iter(&self.output) {
            let Ok(line) = place["line"].parse::<u32>() else { continue };
            let Some(path) = files.at(&place["file"]) else { continue };
            let Some(text) = texts.read(path)? else { continue };
            let around = |item: &&NamedItem| item.lines.contains(&line);
            let around: Vec<&NamedItem> = text.items.iter().filter(around).collect();
            found.add(path, text, &around);
        }
        Ok(())
    }

    /// Adds the functions that the command names, and their files.
    fn functions(&self, texts: &mut Texts<'_>, found: &mut Found) -> io::Result<()> {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
        let words = self.typed.iter().flat_map(|text| text.split(move |sign| !is_part(sign)));
        let words: BTreeSet<&str> = words.filter(|word| word.len() >= SHORTEST).collect();
        // Words of letters, digits and `_` are valid in a pattern.
        let any = words.iter().copied().collect::<Vec<_>>().join("|");
        let any = regex::bytes::Regex::new(&format!(r"\b(?:{any})\b")).map_err(io::Error::other)?;
        let read: BTreeSet<&[u8]> = self.read.iter().map(|path| &**path).collect();
        for (path, entry) in self.newest.entries().filter(|(_, entry)| entry.kind.is_file()) {
            let is_ours = found.files.contains(path) || is_test(path) && read.is_empty();
            if !is_ours && !read.contains(path.as_bytes()) {
                continue;
            }
            let bytes = entry.content.read()?;
            // Most texts contain none of the words, and need not be parsed.
            if !any.is_match(&bytes) {
                continue;
            }
            let Some(text) = texts.read(path)? else { continue };
            for item in &text.items {
                if words.contains(last_name(item)) {
                    let around = |it: &&NamedItem| {
                        it.lines.contains(item.lines.start()) && it.lines.contains(item.lines.end())
                    };
                    let around: Vec<&NamedItem> = text.items.iter().filter(around).collect();
                    found.add(path, text, &around);
                }
            }
        }
        Ok(())
    }
}

/// The texts of a version that were read.
struct Texts<'a> {
    version: &'a Version,
    known: HashMap<TreePath, Option<Text>>,
}

impl Texts<'_> {
    fn read(&mut self, path: &TreePath) -> io::Result<Option<&Text>> {
        if !self.known.contains_key(path) {
            let text = Text::read(self.version, path)?;
            self.known.insert(path.clone(), text);
        }
        Ok(self.known[path].as_ref())
    }
}

/// The files and functions found.
#[derive(Default)]
struct Found {
    files: BTreeSet<TreePath>,
    inside: BTreeSet<OwnLines>,
    tracked: BTreeSet<OwnLines>,
}

impl Found {
    /// Adds the innermost of some nested functions, if it belongs to a test.
    fn add(&mut self, path: &TreePath, text: &Text, around: &[&NamedItem]) {
        let own = |item: &NamedItem| {
            let lines = text.with_marks(&item.lines);
            OwnLines { file: word(path), first: *lines.start(), last: *lines.end() }
        };
        if is_test(path) {
            self.files.insert(path.clone());
            self.tracked.extend(around.last().map(|item| own(item)));
        } else if let Some(outermost) = around.iter().find(|item| text.is_test(item)) {
            self.inside.insert(own(outermost));
            self.tracked.extend(around.last().map(|item| own(item)));
        }
    }
}

/// A text with its functions, classes and the like.
struct Text {
    text: Arc<[u8]>,
    items: Vec<NamedItem>,
}

impl Text {
    fn read(version: &Version, path: &TreePath) -> io::Result<Option<Self>> {
        let Some(entry) = version.get(path).filter(|entry| entry.kind.is_file()) else {
            return Ok(None);
        };
        let text = entry.content.read()?;
        let items = items_of(path, &text);
        Ok(Some(Text { text, items }))
    }

    /// Returns the lines of an item with the marks above it: `#[test]`, `@Test`.
    fn with_marks(&self, lines: &RangeInclusive<u32>) -> RangeInclusive<u32> {
        let all: Vec<&[u8]> = self.text.split(|&byte| byte == b'\n').collect();
        let mut first = *lines.start();
        let is_mark = |line: &[u8]| {
            let line = line.trim_ascii_start();
            line.starts_with(b"#[") || line.starts_with(b"@")
        };
        while first > 1 && all.get(first as usize - 2).is_some_and(|line| is_mark(line)) {
            first -= 1;
        }
        first..=*lines.end()
    }

    /// Returns whether an item of a file that is no test is a test: it has a mark with `test`, or
    /// is named `test` or `tests`.
    fn is_test(&self, item: &NamedItem) -> bool {
        let lines = self.with_marks(&item.lines);
        let all = self.text.split(|&byte| byte == b'\n');
        let marks = (item.lines.start() - lines.start()) as usize;
        let mut marks = all.skip(*lines.start() as usize - 1).take(marks);
        let says_test =
            |line: &[u8]| line.to_ascii_lowercase().windows(4).any(|window| window == b"test");
        matches!(last_name(item), "test" | "tests") || marks.any(says_test)
    }
}

fn last_name(item: &NamedItem) -> &str {
    item.name.rsplit('.').next().unwrap_or(&item.name)
}

/// The files of a version, by their names.
struct Files<'a> {
    by_name: HashMap<&'a [u8], Vec<&'a TreePath>>,
    /// The test files, by their names up to the first dot.
    by_stem: HashMap<&'a [u8], Vec<&'a TreePath>>,
}

impl<'a> Files<'a> {
    fn of(version: &'a Version) -> Self {
        let mut files = Files { by_name: HashMap::new(), by_stem: HashMap::new() };
        for (path, _) in version.entries().filter(|(_, entry)| entry.kind.is_file()) {
            files.by_name.entry(path.name()).or_default().push(path);
            if is_test(path) {
                files.by_stem.entry(stem(path.name())).or_default().push(path);
            }
        }
        files
    }

    /// Returns the file at a printed place: the text is a path, the end of a path, or ends with a
    /// path.
    fn at(&self, printed: &str) -> Option<&'a TreePath> {
        let printed = printed.trim_start_matches("./").as_bytes();
        let name = printed.rsplit(|&byte| byte == b'/').next().unwrap_or(printed);
        let fits = |path: &&&TreePath| {
            ends_with(printed, path.as_bytes()) || ends_with(path.as_bytes(), printed)
        };
        let mut fitting = self.by_name.get(name)?.iter().filter(fits);
        // If several files fit and the text contains none of them whole, it is uncertain which one
        // is meant.
        let first = *fitting.next()?;
        let longer = |path: &&TreePath| path.as_bytes().len();
        match fitting.max_by_key(|path| longer(path)) {
            Some(other) if !ends_with(printed, other.as_bytes()) => None,
            Some(other) if longer(other) > longer(&first) => Some(other),
            _ => Some(first),
        }
    }

    /// Returns the test files that a word names: a path, a module or a class, possibly followed by
    /// names in it, as in `tests.test_a.Case.test_it`. Such a name has at least `parts` parts.
    fn named(&self, token: &str, parts: usize) -> Vec<TreePath> {
        let plain = token.trim_start_matches("./").trim_end_matches('/').as_bytes();
        let name = plain.rsplit(|&byte| byte == b'/').next().unwrap_or(plain);
        let same = |path: &&&TreePath| path.as_bytes() == plain && is_test(path);
        if let Some(path) = self.by_name.get(name).into_iter().flatten().find(same) {
            return vec![(*path).clone()];
        }
        let all: Vec<&[u8]> = plain.split(|&byte| byte == b'.').collect();
        for length in (parts..=all.len()).rev() {
            let (module, last) = (all[..length].join(&b'/'), all[length - 1]);
            let is_it = |path: &&&TreePath| {
                let bytes = path.as_bytes();
                let folder = &bytes[..bytes.len() - path.name().len()];
                ends_with(&[folder, stem(path.name())].concat(), &module)
            };
            let found = self.by_stem.get(last).into_iter().flatten().filter(is_it);
            let found: Vec<TreePath> = found.map(|path| (*path).clone()).collect();
            if !found.is_empty() && last.len() >= SHORTEST {
                return found;
            }
        }
        Vec::new()
    }
}

/// Returns whether `end` is the whole path or its last parts.
fn ends_with(path: &[u8], end: &[u8]) -> bool {
    let rest = path.strip_suffix(end);
    !end.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
}

fn stem(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == b'.').next().unwrap_or(name)
}

/// Returns the words of a text that may be paths or names of modules.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || "_./+-".contains(sign);
    text.split(move |sign| !is_part(sign)).filter(|token| token.len() >= SHORTEST)
}

fn word(path: &TreePath) -> Word {
    Word::from(path.as_os_str())
}
