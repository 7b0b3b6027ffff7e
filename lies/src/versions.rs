//! Random programs in several versions, made of edits that do not touch each other: every set
//! of edits is a version, and every line has a fixed place.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::Tree;
use whodunit_test_support::Random;

/// The place of a line in its file: the number of the line in the first version that it
/// follows, and its number among those that follow it; the line of the first version itself has
/// 0.
pub(crate) type Rank = (usize, usize);

/// A version: the lines of each file.
pub(crate) type Version = BTreeMap<String, BTreeMap<Rank, String>>;

/// The first version of a program and its possible edits.
pub(crate) struct Program {
    first: Version,
    pub(crate) edits: Vec<Edit>,
}

/// A possible edit.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) file: String,
    pub(crate) what: What,
    /// The word by which a test sees it, and whether the edit adds the word.
    pub(crate) word: String,
    pub(crate) comes: bool,
}

/// The kind of an edit.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// These lines replace a line.
    Replace(usize, Vec<String>),
    /// These lines follow a line.
    Insert(usize, Vec<String>),
    /// A new file.
    Add(Vec<String>),
    /// The file is deleted.
    Remove,
}

/// The kinds of files, by the endings of their names.
const KINDS: [&str; 5] = ["txt", "c", "py", "json", "sh"];

impl Program {
    /// Makes a program with `count` possible edits.
    pub(crate) fn new(random: &mut Random, count: usize) -> Self {
        let mut first = Version::new();
        let files = random.between(1, 4);
        for number in 0..files {
            let kind = *random.pick(&KINDS);
            let folder = if random.chance(40) { "lib/" } else { "" };
            let name = format!("{folder}part{number}.{kind}");
            let lines = random.between(count.div_ceil(files) + 2, count.div_ceil(files) * 3 + 6);
            first.insert(name, first_lines(number, kind, lines));
        }
        let mut program = Program { first, edits: Vec::new() };
        let mut taken = BTreeSet::new();
        while program.edits.len() < count {
            program.edit(random, &mut taken);
        }
        program
    }

    /// Makes a program of one text with `count` lines.
    #[cfg(test)]
    pub(crate) fn of_lines(count: usize, edits: Vec<Edit>) -> Self {
        let first = Version::from([("part0.txt".into(), first_lines(0, "txt", count))]);
        Program { first, edits }
    }

    /// Adds an edit at an unused place.
    fn edit(&mut self, random: &mut Random, taken: &mut BTreeSet<(String, usize)>) {
        let number = self.edits.len();
        let word = format!("n{number}q");
        let names: Vec<String> = self.first.keys().cloned().collect();
        let file = random.pick(&names).clone();
        let kind = file.rsplit('.').next().unwrap_or_default().to_owned();
        let (word, comes, file, what) = match random.below(12) {
            0 => {
                let file = format!("new{number}.{}", random.pick(&KINDS));
                let kind = file.rsplit('.').next().unwrap_or_default().to_owned();
                let lines = new_lines(random, &kind, &word);
                (word, true, file, What::Add(lines))
            }
            1 if self.first.len() > 1 && !taken.iter().any(|(name, _)| *name == file) => {
                let count = self.first[&file].len();
                taken.extend((0..count).map(|line| (file.clone(), line)));
                let word = old_word(&file_number(&file), 1);
                (word, false, file, What::Remove)
            }
            choice => {
                let count = self.first[&file].len();
                let line = random.below(count);
                // The first and the last line hold the file together.
                if line == 0 || line + 1 == count || !taken.insert((file.clone(), line)) {
                    return;
                }
                let lines = new_lines(random, &kind, &word);
                match choice {
                    2 | 3 => {
                        let old = old_word(&file_number(&file), line);
                        (old, false, file, What::Replace(line, vec![]))
                    }
                    4..=7 => (word, true, file, What::Insert(line, lines)),
                    _ => (word, true, file, What::Replace(line, lines)),
                }
            }
        };
        self.edits.push(Edit { file, what, word, comes });
    }

    /// Returns the version with these edits.
    pub(crate) fn version(&self, edits: &BTreeSet<usize>) -> Version {
        let mut version = self.first.clone();
        for edit in edits.iter().map(|number| &self.edits[*number]) {
            if matches!(edit.what, What::Remove) {
                version.remove(&edit.file);
                continue;
            }
            let lines = version.entry(edit.file.clone()).or_default();
            let mut put = |line: usize, new: &[String]| {
                for (place, text) in new.iter().enumerate() {
                    lines.insert((line, place + 1), text.clone());
                }
            };
            match &edit.what {
                What::Replace(line, new) => {
                    put(*line, new);
                    lines.remove(&(*line, 0));
                }
                What::Insert(line, new) => put(*line, new),
                What::Add(new) => put(0, new),
                What::Remove => {}
            }
        }
        version
    }
}

/// Returns the files of a version.
pub(crate) fn files(version: &Version) -> Tree {
    let text =
        |lines: &BTreeMap<Rank, String>| lines.values().fold(String::new(), |a, b| a + b + "\n");
    version.iter().map(|(name, lines)| (name.clone(), text(lines).into_bytes())).collect()
}

fn file_number(file: &str) -> String {
    file.chars().filter(char::is_ascii_digit).collect()
}

fn old_word(file: &str, line: usize) -> String {
    format!("o{file}_{line}q")
}

/// Returns a file with a different word in each line.
fn first_lines(file: usize, kind: &str, count: usize) -> BTreeMap<Rank, String> {
    let word = |line| old_word(&file.to_string(), line);
    let line = |line: usize| {
        let is_last = line + 1 == count;
        match kind {
            "c" if file % 2 == 1 => {
                format!("int f{file}_{line}(int a) {{ return {}; }}", word(line))
            }
            "c" if line == 0 => format!("int part{file}(int a) {{"),
            "c" if is_last => "}".into(),
            "c" => format!("    a += {};", word(line)),
            "py" if line == 0 => format!("def part{file}(a):"),
            "py" if is_last => "    return a".into(),
            "py" => format!("    a += {}", word(line)),
            "json" if line == 0 => "{".into(),
            "json" if is_last => "\"end\": 0}".into(),
            "json" => format!("  \"{}\": {line},", word(line)),
            "sh" if line == 0 => format!("part{file}() {{"),
            "sh" if is_last => "}".into(),
            "sh" => format!("    echo {}", word(line)),
            _ => format!("line {}", word(line)),
        }
    };
    let lines = (0..count).map(line);
    lines.enumerate().map(|(place, text)| ((place, 0), text)).collect()
}

/// Returns one to three new lines, one of which has the word.
fn new_lines(random: &mut Random, kind: &str, word: &str) -> Vec<String> {
    let count = if random.chance(60) { 1 } else { random.between(2, 3) };
    let marked = random.below(count);
    let line = |place: usize| {
        let beside = || format!("{}{place}", word.replace('n', "x").replace('q', "y"));
        let word = if place == marked { word.to_owned() } else { beside() };
        match kind {
            "c" => format!("    a -= {word};"),
            "py" => format!("    a -= {word}"),
            "json" => format!("  \"{word}\": {place},"),
            "sh" => format!("    echo {word}"),
            _ => format!("text {word}"),
        }
    };
    (0..count).map(line).collect()
}
