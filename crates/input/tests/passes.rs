//! All passes over arbitrary folders: every candidate can be laid out, files do not mix, and the
//! simplest candidate that was ever seen to fail is the result.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use support::reduce;
use whodunit_core::searches::Certify;
use whodunit_core::{Delta, Edit, Search, Step, TreeCandidate, Verdict};
use whodunit_input::{
    Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot, Structure,
};
use whodunit_run::Key;
use whodunit_run::Subject;

/// Names of files, and the possible content of each kind.
const KINDS: [(&[&str], &[&str]); 7] = [
    (
        &["main.c", "lib.c", "lib.h", "src/util.c"],
        &[
            "#include \"lib.h\"\n",
            "int count = 12;\n",
            "static int twice(int a, int b) { return a + b * 2; }\n",
            "int main(void) { if (count > 3) { return twice(1, 2); } return 0; }\n",
            "struct pair { int left; char *right; };\n",
            "int broken( { ;\n",
        ],
    ),
    (
        &["data.json", "conf/settings.json"],
        &[
            "{\"count\": 2, \"items\": [1, 2], \"file\": \"main.c\"}\n",
            "[{\"a\": null}, {\"b\": [true, false, {}]}, \"x y\"]",
            "{\"inner\": \"{\\\"a\\\": [1, 2, 3], \\\"b\\\": 4}\"}\n",
        ],
    ),
    (
        &["run.py", "helper.py"],
        &[
            "import helper\n",
            "def twice(x, y=2):\n    return x * y\n\n",
            "class Thing(object):\n    size = 3\n\n    def grow(self):\n        self.size += 1\n\n",
            "print(twice(4), 'done')\n",
        ],
    ),
    (
        &["Makefile"],
        &["CC = cc\n", "all: main.c lib.c\n\t$(CC) -o prog main.c lib.c\n", "a:\n\tcc main.c\n"],
    ),
    (
        &["notes.txt", "list.txt", "empty.txt"],
        &[
            "",
            "main.c\nlib.c\n",
            "some words, more words\n\n  (indented (deeper))\n",
            "a\tb\tc\n1\t2\t3\n",
        ],
    ),
    (
        &["page.html", "style.css"],
        &[
            "<p class=\"a\">text<script>var a = [1, 2];</script></p>\n",
            "p { color: red; margin: 0 }\n",
        ],
    ),
    (&["blob.bin"], &["\0\0\0\u{4}abcd\0\0\0\u{2}xy", "PK\u{3}\u{4}\0\0"]),
];

/// Numbers without end, the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Makes a random folder of one to six files.
fn folder(numbers: &mut Numbers) -> Arc<Snapshot> {
    let mut files: Vec<InputFile> = Vec::new();
    for _ in 0..1 + numbers.below(6) {
        let (names, texts) = KINDS[numbers.below(KINDS.len())];
        let name = names[numbers.below(names.len())];
        if files.iter().all(|file| file.name.as_os_str() != name) {
            let parts = (0..1 + numbers.below(3)).map(|_| texts[numbers.below(texts.len())]);
            let text: String = parts.collect();
            files.push(InputFile { name: name.into(), bytes: text.as_bytes().into(), mode: 0o644 });
        }
    }
    files.sort_by(|left, right| left.name.cmp(&right.name));
    Arc::new(Snapshot::new(files))
}

fn settings(certify: Certify) -> LadderSettings {
    LadderSettings { certify, ..LadderSettings::new(Languages::ByFile) }
}

/// An oracle that answers the same about the same content.
enum Oracle {
    /// Needs these words, wherever they are.
    Words(Vec<Vec<u8>>),
    /// Fails for one content in this many, and is unresolved for as many others.
    Anything(u64),
}

impl Oracle {
    fn new(numbers: &mut Numbers, base: &Snapshot) -> Self {
        let text: Vec<u8> = base.files().iter().flat_map(|file| file.bytes.to_vec()).collect();
        if text.is_empty() || numbers.below(3) == 0 {
            return Oracle::Anything(2 + numbers.below(6) as u64);
        }
        let word = |numbers: &mut Numbers| {
            let start = numbers.below(text.len());
            text[start..text.len().min(start + 1 + numbers.below(4))].to_vec()
        };
        Oracle::Words((0..1 + numbers.below(3)).map(|_| word(numbers)).collect())
    }

    fn judge(&self, candidate: &InputCandidate) -> Verdict {
        match self {
            Oracle::Words(words) => {
                let snapshot = candidate.snapshot();
                let has = |word: &Vec<u8>| {
                    let mut files = snapshot.files().iter();
                    files.any(|file| file.bytes.windows(word.len()).any(|part| part == &word[..]))
                };
                if words.iter().all(has) { Verdict::Fail } else { Verdict::Pass }
            }
            Oracle::Anything(share) => {
                let text = Input.key(candidate).to_string();
                let number =
                    text.bytes().fold(7u64, |sum, byte| sum * 31 % 65_521 + u64::from(byte));
                match number % share {
                    0 => Verdict::Fail,
                    1 => Verdict::Unresolved,
                    _ => Verdict::Pass,
                }
            }
        }
    }
}

/// Returns the key of a content after it was laid out in two ways that must agree.
fn laid_out(candidate: &InputCandidate, base: &Snapshot) -> Key {
    let snapshot = candidate.snapshot();
    let key = Input.key(candidate);
    assert_eq!(key, Input.key(&InputCandidate::whole(snapshot.clone())));
    assert_eq!(Input.size(candidate).bytes, snapshot.len());
    let mut names = base.files().iter().map(|file| &file.name);
    assert!(snapshot.files().iter().all(|file| names.any(|name| *name == file.name)));
    key
}

/// Runs the ladder to its end, and checks every question.
fn climb(base: &Arc<Snapshot>, oracle: &Oracle, certify: Certify) {
    let mut ladder = Ladder::new(base, settings(certify));
    let mut simplest = InputCandidate::whole(base.clone());
    let mut questions = 0;
    while let Step::Ask(candidate) = ladder.step() {
        laid_out(&candidate, base);
        let foretold = Input.foretell(&candidate);
        let verdict = foretold.unwrap_or_else(|| oracle.judge(&candidate));
        if verdict.is_fail() && candidate.is_simpler_than(&simplest) {
            simplest = candidate;
        }
        ladder.learn(&verdict.into());
        assert_eq!(laid_out(&ladder.best(), base), Input.key(&simplest), "question {questions}");
        questions += 1;
        assert!(questions < 20_000, "the search does not end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_candidate_of_a_folder_can_be_laid_out_and_the_simplest_is_kept(seed: u64) {
        let mut numbers = Numbers(seed);
        let base = folder(&mut numbers);
        let oracle = Oracle::new(&mut numbers, &base);
        let certify = if numbers.below(3) == 0 { Certify::None } else { Certify::Full };
        climb(&base, &oracle, certify);
    }

    #[test]
    fn what_goes_in_one_file_does_not_touch_the_others(seed: u64) {
        let mut numbers = Numbers(seed);
        let base = folder(&mut numbers);
        let Some(structure) = settings(Certify::Full).structure(&base) else { return Ok(()) };
        let structure = Arc::new(structure);
        for _ in 0..20 {
            print_apart(&structure, &mut numbers);
        }
    }
}

#[test]
fn a_pass_that_was_put_off_is_taken_up_again() {
    let escapes: String = (0x4000..0x4384).map(|number| format!("\\u{number:04x}")).collect();
    let text = format!("/[{escapes}]/;\n");
    let escapes = |text: &str| text.matches("u4").count();
    let fails = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let line = text.lines().next().unwrap_or_default();
        let is_set = line.starts_with("/[") && line[2..].contains("]/");
        is_set && escapes(&text) >= 32
    };
    let (left, tests) = reduce("b.js", text.as_bytes(), fails);
    let left = String::from_utf8(left).unwrap();
    assert_eq!(escapes(&left), 32);
    assert!(left.len() < 32 * 6 + 8, "{left}");
    assert!(tests < 4000, "{tests}");
}

#[test]
fn many_needed_words_of_a_long_text_are_all_that_is_left() {
    let filler = |number: usize| format!("filler{} ", number * 7919 % 1000);
    let mut text = String::new();
    let mut needed = Vec::new();
    for number in 0..60 {
        (0..number * 37 % 80).for_each(|place| text.push_str(&filler(number + place)));
        needed.push(format!("needed{number:02}x"));
        text.push_str(&format!("{}, more\nand ", needed[number]));
    }
    let fails = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let words: HashSet<&str> = text.split(|char: char| !char.is_alphanumeric()).collect();
        needed.iter().all(|word| words.contains(&word[..]))
    };
    let (left, tests) = reduce("words.txt", text.as_bytes(), fails);
    assert_eq!(left.len(), needed.len() * "needed00x ".len() - 1);
    assert!(tests < 3000, "{tests}");
}

/// Edits some nodes of all files, and of each file alone: the result must be the same for that
/// file.
fn print_apart(structure: &Arc<Structure>, numbers: &mut Numbers) {
    let tree = structure.tree();
    let whole = TreeCandidate::whole(tree);
    let mut edits: Vec<Edit> = Vec::new();
    for _ in 0..1 + numbers.below(6) {
        let node = Delta(numbers.below(tree.len()) as u32);
        let is_apart =
            |edit: &Edit| !tree.is_within(edit.node(), node) && !tree.is_within(node, edit.node());
        let mut possible: Vec<Edit> = whole.leave_out(tree, node).into_iter().collect();
        possible.extend(whole.hoists(tree, node));
        possible.extend(whole.splices(tree, node));
        if tree.depth(node) > 1 && edits.iter().all(is_apart) && !possible.is_empty() {
            edits.push(possible[numbers.below(possible.len())]);
        }
    }
    let print = |edits: &[Edit]| {
        let shown = whole.with(tree, edits);
        InputCandidate::shown(structure.clone(), shown).snapshot()
    };
    let together = print(&edits);
    for (place, &file) in tree.children(tree.root()).iter().enumerate() {
        let of_file = edits.iter().copied().filter(|edit| tree.is_within(edit.node(), file));
        let alone = print(&of_file.collect::<Vec<_>>());
        let text = |snapshot: &Snapshot| {
            String::from_utf8_lossy(&snapshot.files()[place].bytes).into_owned()
        };
        assert_eq!(text(&together), text(&alone), "{edits:?}");
    }
}
