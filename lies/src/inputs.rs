//! Random inputs to reduce: text, programs, data, folders. Every word occurs once, so that a
//! test can require one place by its word.

use std::fmt::Write;

use crate::tree::Tree;
use whodunit_test_support::Random;

/// An input and the words that a test may require.
pub(crate) struct Input {
    /// The files by their names in the folder of a test.
    pub(crate) files: Tree,
    /// Whether the input is a folder with these files.
    pub(crate) is_folder: bool,
    pub(crate) words: Vec<String>,
}

/// The name of the folder of such an input.
pub(crate) const FOLDER: &str = "project";

/// The kinds of files, by the endings of their names.
const KINDS: [&str; 10] = ["txt", "log", "c", "cpp", "json", "py", "js", "csv", "dat", "unknown"];

/// Makes an input with about `size` words.
pub(crate) fn input(random: &mut Random, size: usize) -> Input {
    let mut writer = Writer { random, words: Vec::new() };
    if writer.random.chance(30) {
        let count = writer.random.between(1, 5);
        let mut files = Tree::new();
        for number in 0..count {
            let kind = *writer.random.pick(&KINDS);
            let mut bytes = writer.file(kind, (size / count).max(2));
            if number > 0 && kind == "c" {
                let header = format!("#include \"part{}.h\"\n", number - 1);
                bytes.splice(0..0, header.into_bytes());
            }
            let folder = if writer.random.chance(30) { "src/" } else { "" };
            files.insert(format!("{FOLDER}/{folder}part{number}.{kind}"), bytes);
        }
        return Input { files, is_folder: true, words: writer.words };
    }
    let count = if writer.random.chance(12) { 2 } else { 1 };
    let mut files = Tree::new();
    for number in 0..count {
        let kind = *writer.random.pick(&KINDS);
        let bytes = writer.file(kind, size / count);
        files.insert(format!("in{number}.{kind}"), bytes);
    }
    Input { files, is_folder: false, words: writer.words }
}

struct Writer<'a> {
    random: &'a mut Random,
    words: Vec<String>,
}

impl Writer<'_> {
    /// Returns an unused word.
    fn word(&mut self) -> String {
        let letter = char::from(b'a' + self.random.below(26) as u8);
        let word = format!("{letter}q{}z", self.words.len());
        self.words.push(word.clone());
        word
    }

    fn file(&mut self, kind: &str, size: usize) -> Vec<u8> {
        let mut text = String::new();
        match kind {
            "c" | "cpp" => self.c(&mut text, size, kind == "cpp"),
            "json" => {
                self.json(&mut text, size, 0);
                text.push('\n');
            }
            "py" => self.python(&mut text, size),
            "js" => self.javascript(&mut text, size),
            "csv" => self.table(&mut text, size),
            "dat" => return self.binary(size),
            _ => self.text(&mut text, size),
        }
        text.into_bytes()
    }

    fn text(&mut self, text: &mut String, size: usize) {
        let is_indented = self.random.chance(30);
        let mut depth = 0;
        for _ in 0..size {
            text.push_str(&self.word());
            match self.random.below(8) {
                0..=3 => text.push(' '),
                4 => text.push_str(", ü "),
                5 => text.push_str(" (x) "),
                6 => text.push_str("\n\n"),
                _ => text.push('\n'),
            }
            if is_indented && text.ends_with('\n') {
                depth = self.random.below(depth + 2);
                text.push_str(&"  ".repeat(depth));
            }
        }
    }

    fn table(&mut self, text: &mut String, size: usize) {
        let columns = self.random.between(2, 5);
        for _ in 0..(size / columns).max(1) {
            let row: Vec<String> = (0..columns).map(|_| self.word()).collect();
            text.push_str(&row.join(","));
            text.push('\n');
        }
    }

    fn c(&mut self, text: &mut String, size: usize, is_cpp: bool) {
        let mut left = size;
        while left > 0 {
            let name = self.word();
            let default = if is_cpp && self.random.chance(40) { " = 7" } else { "" };
            match self.random.below(4) {
                0 => {
                    let _ = writeln!(text, "static int {name} = {};", self.random.below(100));
                }
                1 => {
                    let _ = writeln!(text, "struct {name} {{ int {}; char *next; }};", self.word());
                }
                _ => {
                    let _ = writeln!(text, "int {name}(int a, int b{default})\n{{");
                    for _ in 0..self.random.between(1, 4) {
                        self.c_statement(text, 1);
                        left = left.saturating_sub(1);
                    }
                    text.push_str("    return a;\n}\n");
                }
            }
            left = left.saturating_sub(1);
        }
    }

    fn c_statement(&mut self, text: &mut String, depth: usize) {
        let indent = "    ".repeat(depth);
        let word = self.word();
        let _ = match self.random.below(5) {
            0 if depth < 3 => {
                let _ = writeln!(text, "{indent}if (a > {word}) {{");
                self.c_statement(text, depth + 1);
                writeln!(text, "{indent}}}")
            }
            1 => writeln!(text, "{indent}int {word} = a + {};", self.random.below(50)),
            2 => writeln!(text, "{indent}call(\"{word}\", a, b);"),
            3 => writeln!(text, "{indent}/* {word} */"),
            _ => writeln!(text, "{indent}b = {word}(a, {});", self.random.below(9)),
        };
    }

    fn json(&mut self, text: &mut String, size: usize, depth: usize) {
        let is_list = self.random.chance(40);
        text.push(if is_list { '[' } else { '{' });
        let count = size.clamp(1, 5);
        for number in 0..count {
            if number > 0 {
                text.push_str(if self.random.chance(50) { ", " } else { ",\n " });
            }
            if !is_list {
                let _ = write!(text, "\"{}\": ", self.word());
            }
            match self.random.below(4) {
                0 | 1 if size > count && depth < 4 => self.json(text, size / count, depth + 1),
                2 => {
                    let _ = write!(text, "{}", self.random.below(1000));
                }
                3 if self.random.chance(30) => text.push_str("null"),
                _ => {
                    let _ = write!(text, "\"{}\"", self.word());
                }
            }
        }
        text.push(if is_list { ']' } else { '}' });
    }

    fn python(&mut self, text: &mut String, size: usize) {
        let mut left = size;
        while left > 0 {
            let name = self.word();
            if self.random.chance(30) {
                let _ = writeln!(text, "{name} = [{}, \"{}\"]", self.random.below(90), self.word());
            } else {
                let _ = writeln!(text, "def {name}(a, b=1):");
                for _ in 0..self.random.between(1, 3) {
                    let word = self.word();
                    let _ = match self.random.below(3) {
                        0 => writeln!(text, "    if a > {word}:\n        b += {}", self.word()),
                        1 => writeln!(text, "    a = {word}(b, *a)  # then"),
                        _ => writeln!(text, "    print(\"{word}\", a)"),
                    };
                    left = left.saturating_sub(1);
                }
                text.push_str("    return a\n");
            }
            left = left.saturating_sub(1);
        }
    }

    fn javascript(&mut self, text: &mut String, size: usize) {
        for _ in 0..size.div_ceil(3) {
            let (name, word, other) = (self.word(), self.word(), self.word());
            let _ = match self.random.below(3) {
                0 => writeln!(text, "const {name} = {{ {word}: 1, {other}: [2, 3] }};"),
                1 => writeln!(
                    text,
                    "function {name}(a) {{\n  if (a) {word}();\n  return {other};\n}}"
                ),
                _ => writeln!(text, "{name}.map((x) => x + {word}, \"{other}\");"),
            };
        }
    }

    fn binary(&mut self, size: usize) -> Vec<u8> {
        let mut bytes = b"\x00DAT".to_vec();
        for _ in 0..size {
            let word = self.word();
            if self.random.chance(50) {
                bytes.push(word.len() as u8);
            }
            bytes.extend_from_slice(word.as_bytes());
            for _ in 0..self.random.below(4) {
                bytes.push(self.random.below(256) as u8);
            }
        }
        bytes
    }
}
