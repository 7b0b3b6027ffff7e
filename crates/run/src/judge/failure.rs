//! The failure that a run looks for, as learned from the first runs.
//!
//! The failure consists of the lines that two failing runs have in common and a passing run does
//! not print. A telling line keeps its quoted texts and numbers, because another value is
//! another failure; texts and numbers in which the two runs differ, or that come from an input that
//! will shrink, are left open. Without a telling line the lines that both runs print identify
//! the failure, with open numbers. For example, `AssertionError: 3 != 4` is not the failure
//! `AssertionError: 5 != 4`, but `read 17 records` is the same line as `read 18 records`.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::observation::Observation;
use super::recognise;
use super::signature::{Signature, ending_in_words, says_little};
use super::wording::{InputWords, Origin, Weight, Wording};
use crate::{Ending, Key};

/// Lines at the end of an output that identify a failure without a telling line: a complaint
/// and the lines after it. Earlier lines are ignored, because they are a log whose text varies.
/// Chosen by hand.
const MAX_LINES: usize = 8;

/// Last lines of a failure that are shown to the user; the others are left out. Chosen by hand.
const SHOWN_LINES: usize = 3;

/// The failure that a run looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// How the process ends.
    pub ending: Ending,
    /// The telling line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<Wording>,
    /// The functions that are being executed, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// Whether the functions differ from run to run, and so identify nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_anywhere: bool,
    /// Lines that are printed, if none is telling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Wording>,
    /// Lines that passing runs print more often than failing ones. One of them may stand for one of
    /// `lines`, which may differ for another reason than the failure. For example, the good version
    /// prints `sum: 3` and the bad one `total: 4`; a version in between that prints `sum: 4` fails in
    /// the same way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<Wording>,
    /// The lines that the failing run prints, if there is something in `instead`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// All lines that the first runs print, failing or passing, if there is something in `instead`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Wording>,
    /// The kinds of complaints that may be printed; none if not all of the output is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaints: Option<BTreeSet<String>>,
    /// Whether the failing runs print nothing at all. A run that prints an error message then fails for
    /// another reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_silent: bool,
    /// A hash of the places in files that both runs name, see [`Signature::places`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Key>,
    /// The last lines of the output, if none of them distinguishes the failure from others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
}

impl Failure {
    /// Learns the failure that two failing runs share and passing runs do not show; `None` if they
    /// fail in different ways.
    pub fn learn(
        [first, second]: [&Observation; 2],
        passing: &[&Observation],
        origin: Origin<'_>,
    ) -> Option<Self> {
        let (one, other) = (&first.signature, &second.signature);
        if one.ending != other.ending {
            return None;
        }
        // The same message from two places, such as the two sides of a data race, is one failure.
        let is_anywhere = one.frames != other.frames;
        if is_anywhere && (one.telling.is_none() || one.telling != other.telling) {
            return None;
        }
        let telling = match (&one.telling, &other.telling) {
            (Some(one), Some(other)) => Some(Wording::of([one, other], origin)?),
            (None, None) => None,
            _ => return None,
        };
        let lines = common_lines([one, other], passing, origin);
        let (mut instead, mut printed, mut known) = (Vec::new(), Vec::new(), Vec::new());
        if !lines.is_empty() {
            let passing: Vec<Vec<String>> = passing.iter().map(|run| lines_of(run)).collect();
            let is_more = |line: &Wording| {
                let mut runs = passing.iter();
                runs.all(|run| count(line, run) > count(line, &one.lines))
            };
            instead = wordings(passing.iter().flatten(), origin);
            instead.retain(is_more);
            if !instead.is_empty() {
                printed.clone_from(&one.lines);
                let failing = one.lines.iter().chain(&other.lines);
                known = wordings(passing.iter().flatten().chain(failing), origin);
            }
        }
        let is_whole = [first, second].iter().all(|run| !run.output.is_cut());
        let complaints = is_whole.then(|| {
            let usual = passing.iter().map(|run| recognise::complaints(&run.output.text()));
            usual.chain([one.complaints.clone(), other.complaints.clone()]).flatten().collect()
        });
        let is_silent = [first, second].iter().all(|run| run.output.length == 0);
        let frames = if is_anywhere { Vec::new() } else { one.frames.clone() };
        let ending = one.ending;
        let places = one.places.filter(|places| other.places == Some(*places));
        let last_lines = Vec::new();
        let mut learned = Failure {
            ending,
            telling,
            frames,
            is_anywhere,
            lines,
            instead,
            printed,
            known,
            complaints,
            is_silent,
            places,
            last_lines,
        };
        if learned.is_unclear() {
            learned.last_lines = shown(first);
        }
        Some(learned)
    }

    /// Returns whether only the exit status distinguishes the failure from others.
    pub fn is_unclear(&self) -> bool {
        let says_nothing =
            self.telling.is_none() && self.frames.is_empty() && self.lines.is_empty();
        says_nothing && says_little(self.ending)
    }

    /// Returns the texts of several words in the lines of two failing runs that the input has as well, so that
    /// they may come from there; see [`with_other_letters`](super::with_other_letters).
    pub fn phrases([first, second]: [&Observation; 2], input: &InputWords<'_>) -> Vec<String> {
        let (one, other) = (&first.signature, &second.signature);
        let lines = one.lines.iter().filter(|line| other.lines.contains(line));
        let lines = one.telling.iter().chain(lines);
        let wordings = lines.filter_map(|line| Wording::of([line, line], Origin::Input(input)));
        let mut phrases: Vec<String> = wordings.flat_map(|it| it.phrases()).collect();
        phrases.sort();
        phrases.dedup();
        phrases
    }

    /// Returns whether a run shows this failure. Other output does not matter, unless it contains a
    /// kind of complaint that the first runs did not have.
    pub fn is_shown_by(&self, seen: &Signature) -> bool {
        let telling = match (&self.telling, &seen.telling) {
            (Some(telling), Some(line)) => telling.matches(line),
            (None, None) => true,
            _ => false,
        };
        telling
            && self.ending == seen.ending
            && (self.is_anywhere || self.frames == seen.frames)
            && self.has_lines(seen)
            && self.complaints.as_ref().is_none_or(|known| seen.complaints.is_subset(known))
            && !(self.is_silent && seen.error_line.is_some())
    }

    /// Returns whether a run prints the lines of the failure, or lines of passing runs in their
    /// place and nothing that the first runs did not print.
    fn has_lines(&self, seen: &Signature) -> bool {
        let is_seen = |line: &&Wording| seen.lines.iter().any(|seen| line.matches(seen));
        let missing = self.lines.iter().filter(|line| !is_seen(line)).count();
        let is_one_of = |lines: &[Wording], seen: &str| lines.iter().any(|line| line.matches(seen));
        let more =
            |line: &Wording| count(line, &seen.lines).saturating_sub(count(line, &self.printed));
        let instead: usize = self.instead.iter().map(more).sum();
        missing == 0
            || (missing <= instead && seen.lines.iter().all(|line| is_one_of(&self.known, line)))
    }
}

/// Returns the lines that both runs print and passing ones do not, at most the last few.
fn common_lines(
    [one, other]: [&Signature; 2],
    passing: &[&Observation],
    origin: Origin<'_>,
) -> Vec<Wording> {
    let usual: Vec<String> = passing.iter().flat_map(|run| lines_of(run)).collect();
    let (mut lines, mut composed) = (Vec::new(), None);
    for line in &one.lines {
        let Some(plain) = Wording::without_numbers(line, origin) else { continue };
        let is_common = other.lines.iter().any(|line| plain.matches(line));
        // A line may have a name in it that is another in each run.
        let alike = || other.lines.iter().find_map(|it| Wording::shared([line, it], origin));
        let Some(wording) = Some(plain).filter(|_| is_common).or_else(alike) else { continue };
        let is_usual = usual.iter().any(|line| wording.matches(line));
        if is_usual || lines.contains(&wording) {
            continue;
        }
        match wording.weight() {
            Weight::Telling => lines.push(wording),
            Weight::Composed => composed = Some(wording),
            Weight::Repeating => {}
        }
    }
    lines.drain(..lines.len().saturating_sub(MAX_LINES));
    if lines.is_empty() { composed.into_iter().collect() } else { lines }
}

/// Returns how many of the lines have this wording.
fn count(line: &Wording, lines: &[String]) -> usize {
    lines.iter().filter(|seen| line.matches(seen)).count()
}

fn lines_of(run: &Observation) -> Vec<String> {
    recognise::last_lines(&run.output.text(), &[])
}

/// Returns how lines are worded, each wording once, whatever numbers are in them.
fn wordings<'a>(lines: impl Iterator<Item = &'a String>, origin: Origin<'_>) -> Vec<Wording> {
    let mut wordings: Vec<Wording> = Vec::new();
    for line in lines {
        let wording = Wording::without_numbers(line, origin);
        wordings.extend(wording.filter(|wording| !wordings.contains(wording)));
    }
    wordings
}

/// Returns the last lines of an output as they are.
fn shown(run: &Observation) -> Vec<String> {
    let text = run.output.text();
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let short = |line: &str| line.chars().take(recognise::LINE_CHARACTERS).collect();
    let lines: Vec<String> = lines.map(short).collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].to_vec()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ending_in_words(self.ending))?;
        if let Some(telling) = &self.telling {
            write!(f, " and says \"{telling}\"")?;
        }
        let (others, last) = self.lines.split_at(self.lines.len().saturating_sub(SHOWN_LINES));
        for (number, line) in last.iter().enumerate() {
            let word = if number == 0 { " and prints" } else { "," };
            write!(f, "{word} \"{line}\"")?;
        }
        if !others.is_empty() {
            write!(f, " after {} other lines", others.len())?;
        }
        if !self.frames.is_empty() {
            write!(f, " in {}", self.frames.join(" < "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::observation::Stage;
    use super::*;
    use crate::{Output, Ran};

    const FAILS: Ending = Ending::Exited(1);
    const SEGV: Ending = Ending::Signaled(11);

    fn seen(ending: Ending, text: &str) -> Observation {
        let output = Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 };
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        Observation::new(Stage::Test, ran, &["doc.txt".into()])
    }

    /// Learns from two runs on an input.
    fn of_input(ending: Ending, texts: [&str; 2], input: &str) -> Failure {
        let [first, second] = texts.map(|text| seen(ending, text));
        let origin = Origin::Input(&InputWords::of(input));
        Failure::learn([&first, &second], &[], origin).unwrap()
    }

    fn shows(failure: &Failure, ending: Ending, text: &str) -> bool {
        failure.is_shown_by(&seen(ending, text).signature)
    }

    #[test]
    fn a_plain_message_is_what_tells_the_failure() {
        let line = "doc.txt: line 52: forbidden word BUG\n";
        let failure = of_input(FAILS, [line, line], "some BUG here");
        let words = "exits with 1 and prints \"INPUT: line N: forbidden word BUG\"";
        assert_eq!(failure.to_string(), words);
        assert!(shows(&failure, FAILS, "doc.txt: line 1: forbidden word BUG\n"));
        assert!(shows(&failure, FAILS, "hello\ndoc.txt: line 1: forbidden word BUG\n"));
        assert!(!shows(&failure, FAILS, "doc.txt:1: missing header\n"));
        assert!(!shows(&failure, FAILS, ""));
        assert!(!failure.is_unclear());
    }

    #[test]
    fn lines_that_differ_or_only_repeat_the_input_tell_nothing() {
        let text = |id: &str| format!("some text\n{id} things\n12 - 13\n");
        let failure = of_input(FAILS, [&text("a"), &text("b")], "some text, more text");
        assert_eq!(failure.to_string(), "exits with 1");
        assert!(failure.is_unclear());
        assert_eq!(failure.last_lines, ["some text", "a things", "12 - 13"]);
        let quiet = of_input(SEGV, ["about a\n", "about a\n"], "");
        assert!(quiet.to_string() == "dies of SIGSEGV" && !quiet.is_unclear());
    }

    #[test]
    fn a_message_of_words_that_the_input_has_too_tells_all_the_same() {
        let line = "doc.txt: line 52: forbidden word BUG\n";
        let failure = of_input(FAILS, [line, line], "a forbidden word on a line\nsome BUG\n");
        assert!(shows(&failure, FAILS, "doc.txt: line 1: forbidden word BUG\n"));
        assert!(!shows(&failure, FAILS, "doc.txt:1: missing header\n"));
    }

    #[test]
    fn a_complaint_of_another_kind_is_another_failure() {
        let ice = "doc.txt:9:1: internal compiler error: in fold, at tree.c:12\n";
        let failure = of_input(FAILS, [ice, ice], "");
        assert!(shows(&failure, FAILS, ice));
        assert!(shows(&failure, FAILS, &format!("doc.txt:1:1: warning: unused\n{ice}")));
        for error in ["error: expected ';' before '}'", "error: 'x' was not declared"] {
            assert!(!shows(&failure, FAILS, &format!("doc.txt:1:1: {error}\n{ice}")), "{error}");
        }
        let failure = of_input(SEGV, ["", ""], "");
        assert!(shows(&failure, SEGV, "warning: something\n"));
        assert!(!shows(&failure, SEGV, "doc.txt:3: syntax error\n"));
        assert!(!shows(&failure, SEGV, "Traceback:\nSyntaxError: invalid syntax\n"));
    }

    #[test]
    fn a_name_that_is_another_in_each_run_leaves_the_rest_of_its_line() {
        let text = |name: &str| format!("step 1\nfatal: bad thing in {name}\n");
        for names in [["tmpab_1x", "tmp93kz"], ["12ab34cd", "e18f6e7e"], ["12ab", "98ef"]] {
            let failure = of_input(FAILS, names.map(text).each_ref().map(String::as_str), "");
            let words = "exits with 1 and prints \"step N\", \"fatal: bad thing in …\"";
            assert_eq!(failure.to_string(), words, "{names:?}");
            assert!(shows(&failure, FAILS, &text("c0ffee99")));
            assert!(!shows(&failure, FAILS, "step 1\nfatal: other thing in tmpab_1x\n"));
        }
    }

    #[test]
    fn a_failure_without_a_word_is_not_one_with_an_error_message() {
        for ending in [FAILS, SEGV] {
            let failure = of_input(ending, ["", ""], "");
            for message in ["fatal: bad config", "ERROR bad", "cat: x: No such file or directory"] {
                assert!(!shows(&failure, ending, message), "{message}");
            }
            assert!(shows(
                &failure,
                ending,
                "doc.txt:1:1: warning: invalid escape\nread 3 lines\n"
            ));
        }
        let other = seen(FAILS, "cannot read x\n").signature;
        assert_eq!(other.to_string(), "exits with 1 and prints \"cannot read x\"");
        let failure = of_input(FAILS, ["12\n", "12\n"], "");
        assert!(shows(&failure, FAILS, "cannot read x\n"));
    }

    #[test]
    fn complaints_that_were_there_may_stay_or_go() {
        let error = "doc.txt:1:1: error: 'x' was not declared\n";
        let ice = "doc.txt:9:1: internal compiler error: in fold, at tree.c:12\n";
        let both = format!("{error}{ice}");
        let failure = of_input(FAILS, [&both, &both], "");
        assert!(shows(&failure, FAILS, ice) && shows(&failure, FAILS, &both));
        let broken = "doc.txt:1:1: error: expected ';' before '}'\n";
        assert!(!shows(&failure, FAILS, &format!("{both}{broken}")));
    }

    #[test]
    fn what_the_good_version_prints_tells_nothing() {
        let bad = seen(FAILS, "version 1.3\nchecking\nthe sum is off\n");
        let good = seen(Ending::Exited(0), "version 1.2\nchecking\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert_eq!(failure.to_string(), "exits with 1 and prints \"the sum is off\"");
        let all = seen(Ending::Exited(0), "version 1.2\nchecking\nthe sum is off\n");
        let failure = Failure::learn([&bad, &bad], &[&all], Origin::Tree).unwrap();
        assert_eq!(failure.last_lines.len(), 3);
    }

    #[test]
    fn other_wording_of_what_passing_runs_print_too_hides_no_failure() {
        // Between the two versions a heading was reworded as well, for another reason.
        let bad = seen(FAILS, "total of 2\nrows: 3\n");
        let good = seen(Ending::Exited(0), "sum of 2\nrows: 3\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert!(shows(&failure, FAILS, "total of 2\nrows: 3\n"));
        assert!(shows(&failure, FAILS, "sum of 4\nrows: 3\n"));
        assert!(!shows(&failure, FAILS, "sum of 2\nthe disk is full\n"));
        assert!(!shows(&failure, FAILS, "rows: 3\n"));
        assert!(!shows(&failure, FAILS, ""));
    }

    #[test]
    fn a_line_in_a_list_may_be_another_for_another_reason() {
        let bad = seen(FAILS, "line 1\nother\nline 3\n");
        let good = seen(Ending::Exited(0), "line 1\nline 2\nline 3\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert!(shows(&failure, FAILS, "line 1\nline 2\nline 3\n"));
        assert!(!shows(&failure, FAILS, "line 1\nline 3\n"));
    }

    #[test]
    fn another_number_in_a_usual_line_stands_for_nothing() {
        let bad = seen(FAILS, "looked at 130 bytes\nthe total is wrong\n");
        let good = seen(Ending::Exited(0), "looked at 120 bytes\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert!(shows(&failure, FAILS, "looked at 125 bytes\nthe total is wrong\n"));
        assert!(!shows(&failure, FAILS, "looked at 125 bytes\n"));
    }

    #[test]
    fn no_heading_stands_for_the_line_that_complains() {
        let bad = seen(FAILS, "total of 2\nthe sums differ\n");
        let good = seen(Ending::Exited(0), "sum of 2\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert!(shows(&failure, FAILS, "sum of 2\nthe sums differ\n"));
        assert!(!shows(&failure, FAILS, "sum of 2\n"));
        // Without another wording of it the line must be there.
        let quiet = seen(Ending::Exited(0), "total of 2\n");
        let failure = Failure::learn([&bad, &bad], &[&quiet], Origin::Tree).unwrap();
        assert!(!shows(&failure, FAILS, "total of 2\n"));
        // A telling line has no other wording.
        let bad = seen(FAILS, "total of 2\nKeyError: 7\n");
        let failure = Failure::learn([&bad, &bad], &[&good], Origin::Tree).unwrap();
        assert!(!shows(&failure, FAILS, "sum of 2\n"));
    }

    #[test]
    fn another_value_is_another_failure() {
        let says = |value: &str| format!("Traceback:\nAssertionError: '{value}' != '1 hour'\n");
        let bad = seen(FAILS, &says("-1 years, 11 months"));
        let failure = Failure::learn([&bad, &bad], &[], Origin::Tree).unwrap();
        assert!(shows(&failure, FAILS, &says("-1 years, 11 months")));
        assert!(!shows(&failure, FAILS, &says("%(num)d hour")));
        assert!(!shows(&failure, FAILS, &says("-1 years, 10 months")));
    }

    #[test]
    fn runs_that_fail_in_different_ways_teach_nothing() {
        let learn = |one: Observation, other: Observation| {
            Failure::learn([&one, &other], &[], Origin::Tree)
        };
        assert_eq!(learn(seen(FAILS, ""), seen(SEGV, "")), None);
        assert_eq!(learn(seen(FAILS, "KeyError: 1\n"), seen(FAILS, "ValueError: 1\n")), None);
        assert_eq!(learn(seen(FAILS, "KeyError: 1\n"), seen(FAILS, "")), None);
        let seeded = learn(seen(FAILS, "KeyError: 'ab1'\n"), seen(FAILS, "KeyError: 'cd2'\n"));
        assert_eq!(seeded.unwrap().to_string(), "exits with 1 and says \"KeyError: '…'\"");
    }

    #[test]
    fn of_many_lines_the_last_ones_are_kept_and_shown() {
        let lines: Vec<String> = ('a'..='l').map(|sign| format!("it says {sign}{sign}")).collect();
        let text = lines.join("\n");
        let failure = of_input(FAILS, [&text, &text], "");
        let words = "exits with 1 and prints \"it says jj\", \"it says kk\", \"it says ll\" after \
                     5 other lines";
        assert_eq!(failure.to_string(), words);
        assert!(shows(&failure, FAILS, &lines[4..].join("\n")));
        assert!(!shows(&failure, FAILS, &lines[5..].join("\n")));
    }

    #[test]
    fn a_failure_can_be_written_down() {
        let line = "doc.txt: line 52: forbidden word BUG\n";
        let failure = of_input(FAILS, [line, line], "some BUG here");
        let written = serde_json::to_string(&failure).unwrap();
        let read: Failure = serde_json::from_str(&written).unwrap();
        assert_eq!(read, failure);
        assert!(shows(&read, FAILS, line));
    }
}
