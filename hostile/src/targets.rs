//! The targets, one function for each reader.

use std::fs;
use std::path::Path;

use serde_json::Value;
use whodunit_jobs::answer::{Answer, ChangesAnswer, HistoryAnswer};
use whodunit_jobs::coverage;
use whodunit_jobs::foreign;
use whodunit_jobs::grammar::cfg::{Cfg, Source};
use whodunit_jobs::journal::Runs;
use whodunit_jobs::syntax::{events, outline};
use whodunit_jobs::vcs;
use whodunit_jobs::versions::{Content, Entry, EntryKind, TreePath, Version, apply};
use whodunit_run::hints;

#[path = "../../crates/cli/src/inert.rs"]
#[allow(dead_code)] // some of it is for its own tests
mod inert_text;

/// The lines of a patch before a block of binary data.
const BINARY: &[u8] = b"diff --git a/x b/x\nnew file mode 100644\n\
    index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n\
    GIT binary patch\n";

/// Reads the answer of a run of any job, as `verify` does before it asks the user.
pub fn answer(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let _ = foreign::source(&value, &Runs::new("/nonexistent".into()));
    if let Ok(answer) = serde_json::from_value::<Answer>(value.clone()) {
        let _ = answer.check();
    }
    if let Ok(answer) = serde_json::from_value::<ChangesAnswer>(value.clone()) {
        let _ = answer.check();
    }
    if let Ok(answer) = serde_json::from_value::<HistoryAnswer>(value) {
        let _ = answer.check();
    }
}

/// Lists an archive, and checks that no path leads out of the folder that it is laid out in.
pub fn archive(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("archive");
    fs::write(&path, bytes).expect("a file can be written");
    if let Ok(listing) = vcs::list(&path) {
        listing.files.iter().for_each(|file| check_path(&file.path));
    }
}

/// Outlines binary data by its lengths and checksums.
pub fn blocks(bytes: &[u8]) {
    let _ = outline::binary(bytes);
}

/// Reads a coverage file of any format, and a report of JUnit.
pub fn coverage(bytes: &[u8]) {
    let _ = coverage::read(coverage::Source { name: "coverage", bytes });
    let _ = coverage::Report::read([coverage::Source { name: "report", bytes }]);
}

/// Reads the diagnostics of a compiler, a linker or a user's command.
pub fn diagnostics(bytes: &[u8]) {
    let output = String::from_utf8_lossy(bytes);
    let _ = hints::mentions(&output, Path::new("/folder"));
    let _ = hints::hinted(&output, Path::new("/folder"));
}

/// Reads a grammar for YACC, its lexical part and a sentence, with a zero byte between them.
pub fn grammar(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    parse(part(), part(), part());
}

/// Reads a description of a hierarchy, of texts and of ranges.
pub fn hierarchy(bytes: &[u8]) {
    if let Ok(tree) = events::read_text(bytes) {
        assert_eq!(tree.print(), tree.text(), "an untouched tree prints its text");
    }
    let data = (0..=255).collect();
    let _ = events::read_ranges(bytes, data);
}

/// Makes a text inert in every form, and checks that nothing in it acts on a terminal or begins a
/// line.
pub fn inert(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let row = inert_text::inert(&text);
    assert!(!row.chars().any(char::is_control), "{row:?}");
    let _ = inert_text::plain(&text);
    let _ = inert_text::continued(&text);
    let _ = inert_text::sarif(&text);
    let json = inert_text::json_line(&text).expect("a text is JSON");
    assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(&*text));
    assert_eq!(inert_text::inert(&json), json, "something acts in {json:?}");
    let line = inert_text::markdown(&text);
    assert!(!line.chars().any(char::is_control), "{line:?}");
}

/// Reads a journal: the bytes as they are, and each line with its missing checksum added.
pub fn journal(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let runs = Runs::new(folder.path().to_path_buf());
    let mut summed = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        summed.extend(format!("{:08x} ", crc32fast::hash(line)).bytes());
        summed.extend_from_slice(line);
        summed.push(b'\n');
    }
    for bytes in [bytes, &summed] {
        fs::write(folder.path().join("x-1.journal"), bytes).expect("a file can be written");
        let _ = runs.read("x-1");
        let _ = runs.list();
    }
}

/// Reads a lexical part for a valid grammar.
pub fn lexical(bytes: &[u8]) {
    parse(b"%% s: s A | B;", bytes, b"a b (1)");
}

/// Applies a patch as git writes them, and one with a block of binary data.
pub fn patch(bytes: &[u8]) {
    let content = Content::bytes(b"1\n2\n3\n".to_vec());
    let entry = Entry { kind: EntryKind::Regular, content };
    let version: Version = [(TreePath::from("a"), entry)].into_iter().collect();
    let _ = apply(&version, bytes);
    let _ = apply(&version, &[BINARY, bytes].concat());
}

/// Lists a tar archive with one file of this name: names of files in archives and in git trees are
/// checked by the same rules.
pub fn tree(bytes: &[u8]) {
    let name = &bytes[..bytes.len().min(99)];
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name);
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(b"00000000000\0");
    header[148..156].fill(b' ');
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    archive(&[&header[..], &[0; 1024]].concat());
}

fn parse(grammar: &[u8], lexical: &[u8], text: &[u8]) {
    let grammar = Source { name: "g.y", bytes: grammar };
    if let Ok(cfg) = Cfg::read(grammar, Source { name: "g.lex", bytes: lexical }) {
        let _ = cfg.minimal_strings();
        let _ = cfg.parse(text);
    }
}

fn check_path(path: &[u8]) {
    let parts = || path.split(|byte| *byte == b'/');
    let is_fine = |part: &[u8]| !matches!(part, b"" | b"." | b"..") && !part.contains(&0);
    assert!(parts().all(is_fine), "{:?}", String::from_utf8_lossy(path));
    assert!(!parts().any(|part| part.eq_ignore_ascii_case(b".git")));
}
