//! Parsing ends, whatever the text: files with lines deleted, doubled and mixed, and deep nesting.
//!
//! The bound is a count of work, about half a second of it; the tests allow for slow machines, and
//! measure the time of the processor, because others may want it too.

mod samples;

use std::time::Duration;

use whodunit_syntax::language::Language;
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::parse_check::{ByteEdit, ParseCheck};

/// The time limit for parsing one text on a slow machine, without optimisation.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// Returns lines with some deleted, doubled, cut short, or put in the place of others.
fn damaged(lines: &[&str], random: &mut Random) -> String {
    let (kind, rate) = (random.below(5), [2, 3, 10, 50][random.below(4)]);
    let mut text = String::new();
    for line in lines {
        let is_hit = random.below(rate) == 0;
        match kind {
            _ if !is_hit => text.push_str(line),
            0 => {}
            1 => text.extend([*line, *line]),
            2 => text.push_str(lines[random.below(lines.len())]),
            3 => text.extend(line.chars().take(random.below(line.len()))),
            _ => text.extend([lines[random.below(lines.len())], *line]),
        }
    }
    text
}

/// Calls `does`, and fails if that takes too long.
fn in_time<T>(what: &str, does: impl FnOnce() -> T) -> T {
    let begun = processor_time();
    let done = does();
    let took = processor_time() - begun;
    assert!(took < PATIENCE, "{what}: {took:?}");
    done
}

/// Returns the processor time of this thread.
fn processor_time() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this is Linux");
    let first = times.split(' ').next().and_then(|time| time.parse().ok());
    Duration::from_nanos(first.expect("the first number is nanoseconds on a processor"))
}

#[test]
fn damaged_files_of_every_language_are_parsed_or_given_up() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for language in Language::all() {
        let sample = String::from_utf8(samples::text(language)).expect("samples are UTF-8");
        let whole = sample.repeat((48 << 10) / sample.len() + 1);
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let gate = ParseCheck::new(language, whole.as_bytes()).expect("samples are parsed");
        for round in 0..4 {
            let text = damaged(&lines, &mut random);
            let what = format!("{}, round {round}", language.name());
            let tree = in_time(&what, || parse(language, text.as_bytes()));
            assert_eq!(tree.print(), text.as_bytes(), "{what}");
            in_time(&what, || parses(language, text.as_bytes()));
            let edit = ByteEdit { range: 0..whole.len(), text: text.into_bytes() };
            in_time(&what, || gate.lets_through(&[edit]));
        }
    }
}

#[test]
fn deep_nesting_is_parsed_or_given_up() {
    const DEEP: usize = 5_000;
    let pairs = ["()", "[]", "{}"].map(|pair| pair.split_at(1));
    let tags = [("<a>", "</a>"), ("<div>", "</div>"), ("a<", ">"), ("/*", "*/"), ("- ", "")];
    for language in Language::all() {
        for (open, close) in pairs.iter().chain(&tags) {
            let text = open.repeat(DEEP) + &close.repeat(DEEP);
            let what = format!("{}, {open}{close}", language.name());
            in_time(&what, || parse(language, text.as_bytes()));
        }
    }
}
