//! The wording of a line of output: its words, with gaps where another run may differ.
//!
//! When an input shrinks, a message about it changes: positions shift, and text that the message
//! takes from the input loses words. It never gains words, so a gap for such text matches only
//! some of the words that stood there at first. A message about another part of the input is a different
//! message: otherwise, deleting a declaration would make a new `'x' undeclared` count as the old
//! one.

use std::collections::HashSet;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, bytes};
use serde::{Deserialize, Serialize};

use super::recognise::{LINE_CHARACTERS, QUOTED, is_assertion};

/// The quotes around strings in programs and data.
const STRING_QUOTES: [char; 3] = ['"', '\'', '`'];

/// A line with gaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wording {
    parts: Vec<WordingPart>,
    #[serde(skip)]
    pattern: OnceLock<Regex>,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WordingPart {
    /// This very text.
    Text(String),
    /// Any number.
    Number,
    /// Some of these words and other characters, in this order: they come from the input.
    Echo(Vec<String>),
    /// Any text, because it differs from run to run.
    Any,
}

/// How much of a line does not come from the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The line has words of its own.
    Telling,
    /// All words are in the input, but not in this order: a message may happen to consist of common
    /// words.
    Composed,
    /// The line is a piece of the input.
    Repeating,
}

/// The source of the text in messages, which determines what may change in them.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// An input that is being reduced: numbers may be positions in it, and words may come from it.
    Input(&'a InputWords<'a>),
    /// Versions of a tree: only positions shift.
    Tree,
}

/// The words of an input.
#[derive(Clone, Debug)]
pub struct InputWords<'a> {
    text: &'a str,
    words: HashSet<&'a str>,
}

impl<'a> InputWords<'a> {
    /// Reads the words of a text.
    pub fn of(text: &'a str) -> Self {
        let words = tokens(text).filter(|token| is_word(token)).collect();
        InputWords { text, words }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

/// Returns a text in which every occurrence of one of the phrases has other letters.
pub fn with_other_letters(text: &[u8], phrases: &[String]) -> Vec<u8> {
    let next = |byte: u8| match byte {
        b'z' => b'a',
        b'Z' => b'A',
        b'a'..=b'y' | b'A'..=b'Y' => byte + 1,
        _ => byte,
    };
    let mut altered = text.to_vec();
    for phrase in phrases.iter().filter(|it| !it.is_empty()) {
        let pattern =
            bytes::Regex::new(&regex::escape(phrase)).expect("an escaped text is a pattern");
        for found in pattern.find_iter(text) {
            for at in found.range() {
                altered[at] = next(text[at]);
            }
        }
    }
    altered
}

/// Patterns of numbers that depend on the surrounding code and not on its behaviour: positions in files,
/// durations, numbers of tests.
const SHIFTING: &[&str] = &[
    r"[A-Za-z_)\]]:\d+(?::\d+)*",
    r"\(\d+[,:]\d+\)",
    r"(?i)\b(?:line|lines|column|col|char|position|offset|byte|not ok|test) #?\d+",
    r"\b\d+\.\d+ ?(?:ns|us|µs|ms|s|sec|secs|seconds)\b",
    r"\b\d+(?:ns|us|µs|ms|s)\b",
];

/// Patterns of exit codes and signals of a program that another program reports: they identify the failure.
const STATUS: &[&str] =
    &[r"\] Error \d+", r"\bexit(?:ed)? (?:with )?(?:status|code):? \d+", r"\b[Ss]ignal:? \d+"];

impl Wording {
    /// Returns the wording of a line of two runs; `None` if the lines have no word in common.
    pub(super) fn of(lines: [&str; 2], origin: Origin<'_>) -> Option<Self> {
        Wording::with(lines, origin, &free_numbers(lines[0], origin))
    }

    /// Returns the wording of a line in which all numbers but statuses may differ; `None` if it has no word.
    pub(super) fn without_numbers(line: &str, origin: Origin<'_>) -> Option<Self> {
        Wording::with([line, line], origin, &all_but_statuses(line))
    }

    /// Returns the wording of lines of two runs in which numbers may differ; `None` if fewer than two words,
    /// or less than half of them, are the same, because these may be different messages.
    pub(super) fn shared(lines: [&str; 2], origin: Origin<'_>) -> Option<Self> {
        let [line, other] = lines.map(|line| tokens(line).collect::<Vec<_>>());
        let differences = differences(&line, &other);
        let words = || (0..line.len()).filter(|&place| is_word(line[place]));
        let same = words().filter(|&place| differences[place] == Difference::Nothing).count();
        let is_one = same > 1 && 2 * same >= words().count();
        is_one.then(|| Wording::with(lines, origin, &all_but_statuses(lines[0]))).flatten()
    }

    /// Returns the wording of a line of two runs; `free` says for each token whether it may differ if it
    /// is a number.
    fn with([first, second]: [&str; 2], origin: Origin<'_>, free: &[bool]) -> Option<Self> {
        let line: Vec<&str> = tokens(first).collect();
        let differences = differences(&line, &tokens(second).collect::<Vec<_>>());
        let echoes = match origin {
            // The condition of an assertion often stands in the input, but it names the failure:
            // `assert(0)` is not a smaller `assert(count > 0)`.
            Origin::Input(input) if !is_assertion(first) => echoes(first, &line, input),
            Origin::Input(_) | Origin::Tree => vec![false; line.len()],
        };
        let mut parts = Vec::new();
        let mut has_word = false;
        for (place, token) in line.iter().enumerate() {
            let part = match () {
                () if differences[place] == Difference::Anything => WordingPart::Any,
                () if echoes[place] => WordingPart::Echo(vec![(*token).to_owned()]),
                () if differences[place] == Difference::Number => WordingPart::Number,
                () if is_number(token) && free[place] => WordingPart::Number,
                () => WordingPart::Text((*token).to_owned()),
            };
            has_word |= !matches!(part, WordingPart::Any | WordingPart::Number) && is_word(token);
            add(&mut parts, part);
        }
        if first.chars().count() >= LINE_CHARACTERS {
            add(&mut parts, WordingPart::Any);
        }
        has_word.then_some(Wording { parts, pattern: OnceLock::new() })
    }

    /// Returns the amount of text in the line that does not come from the input.
    pub(super) fn weight(&self) -> Weight {
        let own = |part: &WordingPart| match part {
            WordingPart::Text(text) => tokens(text).any(|token| is_word(token) && token != "INPUT"),
            WordingPart::Number | WordingPart::Echo(_) | WordingPart::Any => false,
        };
        let echoes = self.parts.iter().filter(|part| matches!(part, WordingPart::Echo(_))).count();
        match self.parts.iter().any(own) {
            true => Weight::Telling,
            false if echoes > 1 => Weight::Composed,
            false => Weight::Repeating,
        }
    }

    /// Returns the runs of several words in the line that are in the input as well. They need not come from
    /// there, because a message of the program may happen to stand in a comment of the input.
    pub(super) fn phrases(&self) -> Vec<String> {
        let phrase = |part: &WordingPart| match part {
            WordingPart::Echo(tokens) => Some(tokens.concat()).filter(|text| is_phrase(text)),
            WordingPart::Text(_) | WordingPart::Number | WordingPart::Any => None,
        };
        self.parts.iter().filter_map(phrase).collect()
    }

    /// Returns whether a line has this wording.
    pub fn matches(&self, line: &str) -> bool {
        let pattern = self.pattern.get_or_init(|| {
            let parts: String = self.parts.iter().map(WordingPart::pattern).collect();
            Regex::new(&format!("(?s)^{parts}$")).expect("an escaped text is a pattern")
        });
        pattern.is_match(line)
    }
}

impl PartialEq for Wording {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Wording {}

impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            WordingPart::Text(text) => f.write_str(text),
            WordingPart::Number => f.write_str("N"),
            WordingPart::Echo(tokens) => tokens.iter().try_for_each(|token| f.write_str(token)),
            WordingPart::Any => f.write_str("…"),
        })
    }
}

impl WordingPart {
    fn pattern(&self) -> String {
        match self {
            WordingPart::Text(text) => WordingPart::spaced(text),
            WordingPart::Number => r"\d+".into(),
            WordingPart::Echo(tokens) => {
                tokens.iter().map(|token| WordingPart::may_lack(token)).collect()
            }
            WordingPart::Any => ".*".into(),
        }
    }

    /// Returns a pattern for a text whose outer spaces may be missing, as they are beside an empty gap.
    fn spaced(text: &str) -> String {
        let inner = text.trim_matches(' ');
        let space = |is_there: bool| if is_there { " *" } else { "" };
        let (before, after) = (space(text.starts_with(' ')), space(text.ends_with(' ')));
        format!("{before}{}{after}", regex::escape(inner))
    }

    fn may_lack(token: &str) -> String {
        match token {
            token if is_number(token) => r"\d*".into(),
            token => format!("(?:{})?", regex::escape(token)),
        }
    }
}

/// Adds a part, merged with the last one if both are of the same kind. Numbers are never merged.
fn add(parts: &mut Vec<WordingPart>, part: WordingPart) {
    match (parts.last_mut(), part) {
        (Some(WordingPart::Text(before)), WordingPart::Text(text)) => before.push_str(&text),
        (Some(WordingPart::Echo(before)), WordingPart::Echo(tokens)) => before.extend(tokens),
        (Some(WordingPart::Any), WordingPart::Any) => {}
        (_, part) => parts.push(part),
    }
}

/// Cuts a text into words, numbers and single other characters.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let inner: fn(char) -> bool = match first {
            '0'..='9' => |sign| sign.is_ascii_digit(),
            first if first.is_alphabetic() || first == '_' => {
                |sign| sign.is_alphanumeric() || sign == '_'
            }
            _ => |_| false,
        };
        let begun = first.len_utf8();
        let length = rest[begun..].find(|sign| !inner(sign)).map_or(rest.len(), |end| begun + end);
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

fn is_number(token: &str) -> bool {
    token.starts_with(|sign: char| sign.is_ascii_digit())
}

fn is_word(token: &str) -> bool {
    token.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

/// How a token of a line differs from the token of another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    Nothing,
    /// Both are numbers.
    Number,
    Anything,
}

/// Returns how the tokens of a line differ from those of another line. Lines with the same number of tokens
/// are compared token by token; otherwise everything between the common beginning and end differs.
fn differences(tokens: &[&str], others: &[&str]) -> Vec<Difference> {
    let difference = |(token, other): (&&str, &&str)| match token == other {
        true => Difference::Nothing,
        false if is_number(token) && is_number(other) => Difference::Number,
        false => Difference::Anything,
    };
    if tokens.len() == others.len() {
        let mut found: Vec<_> = tokens.iter().zip(others).map(difference).collect();
        widen_identifiers(tokens, &mut found);
        return found;
    }
    let alike = |(token, other): &(&&str, &&str)| token == other;
    let begun = tokens.iter().zip(others).take_while(alike).count();
    let most = tokens.len().min(others.len()) - begun;
    let ended = tokens.iter().rev().zip(others.iter().rev()).take(most).take_while(alike).count();
    let between = begun..tokens.len() - ended;
    // If only the other line has additional tokens, the token before them becomes the gap for them, or the
    // first token if they stand at the front.
    let between = match between.is_empty() {
        true => begun.saturating_sub(1)..begun.max(1).min(tokens.len()),
        false => between,
    };
    let mut found = vec![Difference::Nothing; tokens.len()];
    found[between].fill(Difference::Anything);
    widen_identifiers(tokens, &mut found);
    found
}

/// Makes identifiers such as `3f9a`, which are several tokens, differ as a whole.
fn widen_identifiers(tokens: &[&str], found: &mut [Difference]) {
    let is_part = |place: usize| is_word(tokens[place]) || is_number(tokens[place]);
    let mut start = 0;
    while start < tokens.len() {
        let end = (start..tokens.len()).find(|&place| !is_part(place)).unwrap_or(tokens.len());
        if found[start..end].contains(&Difference::Anything) {
            found[start..end].fill(Difference::Anything);
        }
        start = end + 1;
    }
}

/// Returns which tokens may differ if they are numbers.
fn free_numbers(line: &str, origin: Origin<'_>) -> Vec<bool> {
    if matches!(origin, Origin::Input(_)) && !is_assertion(line) {
        return all_but_statuses(line);
    }
    static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| compile(SHIFTING));
    within(line, &PATTERNS)
}

/// Returns which tokens may differ if they are numbers: all but those of statuses.
fn all_but_statuses(line: &str) -> Vec<bool> {
    static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| compile(STATUS));
    within(line, &PATTERNS).into_iter().map(|is_status| !is_status).collect()
}

/// Returns which tokens of a line begin in a match of a pattern.
fn within(line: &str, patterns: &[Regex]) -> Vec<bool> {
    let found: Vec<_> = patterns.iter().flat_map(|it| it.find_iter(line)).collect();
    let tokens: Vec<&str> = tokens(line).collect();
    with_starts(&tokens)
        .map(|(start, _)| found.iter().any(|found| found.range().contains(&start)))
        .collect()
}

fn compile(patterns: &[&str]) -> Vec<Regex> {
    patterns.iter().map(|it| Regex::new(it).expect("a pattern of ours is valid")).collect()
}

fn with_starts<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    tokens.iter().scan(0, |end, token| {
        let start = *end;
        *end += token.len();
        Some((start, *token))
    })
}

/// Returns whether a text has two words with a space between them.
fn is_phrase(text: &str) -> bool {
    let tokens: Vec<&str> = tokens(text).collect();
    let are_words = |run: &[&str]| is_word(run[0]) && run[1] == " " && is_word(run[2]);
    tokens.windows(3).any(are_words)
}

/// Returns whether a run of words stands in the input as a message of a program: within quotes, on one line.
/// A phrase must do so once. A single word must do so wherever it stands, because otherwise it may be a name.
fn is_message(input: &str, run: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_quoted = |start: usize| {
        let (before, after) = (&input[..start], &input[start + run.len()..]);
        if before.ends_with(is_part) || after.starts_with(is_part) {
            return None;
        }
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.split('\n').next().unwrap_or_default();
        let opening = before.chars().rev().find(|sign| STRING_QUOTES.contains(sign));
        Some(opening.is_some_and(|quote| after.contains(quote)))
    };
    let mut quoted = input.match_indices(run).filter_map(|(start, _)| is_quoted(start)).peekable();
    let is_there = quoted.peek().is_some();
    is_there && if is_phrase(run) { quoted.any(|it| it) } else { quoted.all(|it| it) }
}

/// Returns which tokens come from the input and may be lost: runs of words that the input has in the same
/// order, and quoted text whose words are all in the input.
///
/// A run of words that is quoted in the input but not in the message is not lost: the input is a program
/// then, and the text is its message. `raise ValueError("port is too large")` is not `raise ValueError("")`.
fn echoes(line: &str, tokens: &[&str], input: &InputWords<'_>) -> Vec<bool> {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(QUOTED).expect("a pattern of ours is valid"));
    let mut echoes = vec![false; tokens.len()];
    let is_known = |place: usize| is_word(tokens[place]) && input.has(tokens[place]);
    let mut place = 0;
    while let Some(start) = (place..tokens.len()).find(|&place| is_known(place)) {
        let mut end = start + 1;
        let next_word = |end: usize| (end..tokens.len()).find(|&place| is_word(tokens[place]));
        while let Some(next) = next_word(end).filter(|&next| is_known(next))
            && input.text.contains(&tokens[start..=next].concat())
        {
            end = next + 1;
        }
        let mut beside = tokens[..start].last().into_iter().chain(tokens.get(end));
        let is_quoted_too = beside.any(|token| token.starts_with(STRING_QUOTES));
        let is_own = !is_quoted_too && is_message(input.text, &tokens[start..end].concat());
        echoes[start..end].fill(!is_own);
        place = end;
    }
    for quoted in PATTERN.find_iter(line) {
        let is_inside = |start: usize, token: &str| {
            quoted.start() < start && start + token.len() < quoted.end()
        };
        let places: Vec<usize> = with_starts(tokens)
            .enumerate()
            .filter(|(_, (start, token))| is_inside(*start, token))
            .map(|(place, _)| place)
            .collect();
        let words = || places.iter().filter(|place| is_word(tokens[**place]));
        if words().next().is_some() && words().all(|place| input.has(tokens[*place])) {
            places.iter().for_each(|place| echoes[*place] = true);
        }
    }
    widen(tokens, &mut echoes, input);
    echoes
}

/// Extends runs by the numbers and other characters beside them, as long as these are so in the input.
fn widen(tokens: &[&str], echoes: &mut [bool], input: &InputWords<'_>) {
    let mut place = 0;
    while let Some(start) = echoes[place..].iter().position(|echo| *echo).map(|at| place + at) {
        let mut end = start + echoes[start..].iter().take_while(|echo| **echo).count();
        let mut start = start;
        let has = |run: &[&str]| input.text.contains(&run.concat());
        while start > 0 && !is_word(tokens[start - 1]) && has(&tokens[start - 1..end]) {
            start -= 1;
        }
        while end < tokens.len() && !is_word(tokens[end]) && has(&tokens[start..=end]) {
            end += 1;
        }
        let run = start..end;
        let outer = |places: &mut dyn Iterator<Item = usize>| {
            places.take_while(|place| tokens[*place] == " ").count()
        };
        let (before, after) = (outer(&mut run.clone()), outer(&mut run.clone().rev()));
        echoes[start + before..end - after].fill(true);
        place = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(line: &str, input: &str) -> Wording {
        Wording::of([line, line], Origin::Input(&InputWords::of(input))).unwrap()
    }

    #[test]
    fn text_from_the_input_may_only_lose_parts() {
        let input = "the quick BUG brown fox";
        let wording = learned("INPUT: line 52: bad text the quick BUG brown", input);
        assert_eq!(wording.to_string(), "INPUT: line N: bad text the quick BUG brown");
        assert!(wording.matches("INPUT: line 1: bad text BUG"));
        assert!(wording.matches("INPUT: line 1: bad text quick brown"));
        assert!(!wording.matches("INPUT: line 1: bad text fox"));
        assert!(!wording.matches("INPUT: line 1: missing header"));
    }

    #[test]
    fn whatever_the_input_loses_the_message_is_the_same() {
        let words = ["one", "two(three)", "four;", "two", "'five'", "6"];
        let echo = |kept: u32| {
            let kept = (0..words.len()).filter(|place| kept >> place & 1 == 1);
            kept.map(|place| words[place]).collect::<Vec<_>>().join(" ")
        };
        let all = (1 << words.len()) - 1;
        let input = format!("before {} after", echo(all));
        let wording = learned(&format!("strange text: {} (in INPUT)", echo(all)), &input);
        for kept in 0..=all {
            // Several spaces become one, because lines are cleaned before they are compared.
            let line = format!("strange text: {} (in INPUT)", echo(kept)).replace("  ", " ");
            assert!(wording.matches(&line), "{line}");
        }
        for other in ["before", "one after", "two one", "after five", "one seven"] {
            let line = format!("strange text: {other} (in INPUT)");
            assert!(!wording.matches(&line), "{line}");
        }
    }

    #[test]
    fn a_message_that_the_input_has_as_a_string_stays() {
        let input = r#"if p > 9: raise ValueError("port is too large")"#;
        let wording = learned("ValueError: port is too large", input);
        assert!(wording.matches("ValueError: port is too large"));
        for other in ["ValueError: port is missing", "ValueError: ", "ValueError: port large"] {
            assert!(!wording.matches(other), "{other}");
        }
        // A single word is a name unless it only stands in strings.
        let wording = learned("fatal: no foo", "echo \"fatal: no $1\"; f foo; g 'foo'");
        assert!(wording.matches("fatal: no ") && !wording.matches("no foo"));
        // A text that both the data and the message have in quotes may be lost.
        let wording = learned("no city 'New York'", r#"{"city": "New York"}"#);
        assert!(wording.matches("no city 'New'"));
    }

    #[test]
    fn phrases_that_may_come_from_the_input_are_listed_and_altered() {
        let input = "# must raise ValueError: bad literal for 'abc'\nf(abc)\nZ abc, z";
        let wording = learned("ValueError: bad literal for 'abc'", input);
        let phrases = wording.phrases();
        assert_eq!(phrases, ["ValueError: bad literal for 'abc'"]);
        let altered = with_other_letters(input.as_bytes(), &phrases);
        let altered = String::from_utf8(altered).unwrap();
        assert_eq!(altered, "# must raise WbmvfFssps: cbe mjufsbm gps 'bcd'\nf(abc)\nZ abc, z");
        let wording = learned("ValueError: bad literal for 'abc'", &altered);
        assert!(wording.matches("ValueError: bad literal for ''"));
        assert!(!wording.matches("ValueError: bad '"));
        assert!(wording.phrases().is_empty());
    }

    #[test]
    fn a_message_about_something_else_in_the_input_is_another() {
        let wording = learned("error: 'gone' undeclared", "int other; int main() { gone; }");
        assert!(wording.matches("error: 'gone' undeclared"));
        assert!(!wording.matches("error: 'other' undeclared"));
    }

    #[test]
    fn another_condition_is_another_assertion() {
        let wording = learned("Assertion `count > 0' failed", "assert(count > 0); f(g, count);");
        assert!(wording.matches("Assertion `count > 0' failed"));
        for other in ["0", "count", "g", "count > ", "count > 7"] {
            assert!(!wording.matches(&format!("Assertion `{other}' failed")), "{other}");
        }
    }

    #[test]
    fn quoted_text_that_is_not_from_the_input_stays() {
        let wording = learned("'NoneType' object has no attribute 'foo'", "x.foo");
        assert!(!wording.matches("'str' object has no attribute 'foo'"));
        let wording = learned("got 'f(int, x)' here", "int f(int x)");
        assert!(wording.matches("got 'f(int)' here"));
    }

    #[test]
    fn signs_around_text_from_the_input_go_with_it() {
        let wording = learned(r#"..."{"a":}" is not valid JSON"#, r#"[1, {"a":}, 2]"#);
        assert!(wording.matches(r#"..."}" is not valid JSON"#));
    }

    #[test]
    fn versions_shift_positions_and_nothing_else() {
        let check = |line: &str, same: &str, other: &str| {
            let wording = Wording::of([line, line], Origin::Tree).unwrap();
            assert!(wording.matches(line) && wording.matches(same), "{wording}: {same}");
            assert!(!wording.matches(other), "{wording}: {other}");
        };
        check(
            "panicked at src/main.rs:3:5 index out of bounds: the len is 3",
            "panicked at src/main.rs:13:25 index out of bounds: the len is 3",
            "panicked at src/main.rs:3:5 index out of bounds: the len is 4",
        );
        check(
            "AssertionError: '-1 years, 11 months' != '1 hour'",
            "AssertionError: '-1 years, 11 months' != '1 hour'",
            "AssertionError: '%(num)d hour' != '1 hour'",
        );
        check("FAIL: TestX (0.00s)", "FAIL: TestX (1.25s)", "FAIL: TestY (0.00s)");
        check("x.ts(3,5): error TS1: no", "x.ts(14,15): error TS1: no", "x.ts(3,5): error TS2: no");
        check("SyntaxError: at line 3", "SyntaxError: at line 19", "SyntaxError: in line 3");
    }

    #[test]
    fn differences_between_two_runs_are_open() {
        let check = |lines: [&str; 2], shown: &str| {
            let wording = Wording::of(lines, Origin::Tree).unwrap();
            assert_eq!(wording.to_string(), shown);
            assert!(lines.iter().all(|line| wording.matches(line)));
        };
        check(["KeyError: 'b7x in set'", "KeyError: 'q9y in set'"], "KeyError: '… in set'");
        check(["took 12 steps", "took 13 steps"], "took N steps");
        check(["got {a, b} here", "got {a} here"], "got {a…} here");
        check(["error: no", "error: no way"], "error: …");
        check(["bad word", "a bad word"], "… word");
        assert_eq!(Wording::of(["one", "two"], Origin::Tree), None);
    }
}
