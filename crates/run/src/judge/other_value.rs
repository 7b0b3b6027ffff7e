//! Recognises a run that reaches the failing assertion and shows another value.
//!
//! `AssertionError: '%(num)d hour' != '1 hour'` and `AssertionError: '-1 years' != '1 hour'` come
//! from one assertion: the test reached it and found another value. So the first run does not have
//! the second failure. After an error of another kind, or at another assertion, the failure may
//! only be hidden. Two things identify the assertion: the expected value, if the message shows it,
//! and the places in files that the output names (`test.py`, line 4). For a message with one value,
//! such as `AssertionError: got -1 years`, only the places identify it, and all of them must be the
//! same.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::Failure;
use super::recognise::{QUOTED, generalised};
use super::signature::Signature;

/// Words of assertions. They are required, because other messages have two values too, such as an
/// import that names two modules.
static ASSERTION: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?i)assert|expect|!=|≠|\bbut (?:was|got)\b|\bgot\b"));

/// The values of a line: quoted texts, numbers, and the sign for a number that may be any.
static VALUE: LazyLock<Regex> =
    LazyLock::new(|| compile(&format!(r"{QUOTED}|\b\d+(?:\.\d+)*\b|\bN\b")));

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is one")
}

impl Failure {
    /// Returns whether a run shows another value at the same assertion, and nothing else besides.
    pub(crate) fn has_other_value(&self, seen: &Signature) -> bool {
        let (Some(ours), Some(line)) = (&self.telling, &seen.telling) else { return false };
        let ours = ours.to_string();
        self.ending == seen.ending
            && self.frames == seen.frames
            && self.complaints.as_ref().is_none_or(|known| seen.complaints.is_subset(known))
            && ASSERTION.is_match(&ours)
            && (self.is_at(seen) && is_alike(&ours, line)
                || generalised(&ours) == generalised(line) && is_one_other(&ours, line))
    }

    /// Returns whether a run names the places in files that the failure names.
    fn is_at(&self, seen: &Signature) -> bool {
        self.places.is_some() && self.places == seen.places
    }
}

/// Whether two lines differ and come from an assertion of one kind: they have the same first word.
fn is_alike(ours: &str, line: &str) -> bool {
    let kind = |text| str::split_whitespace(text).next().map(|word| word.trim_end_matches(':'));
    ours != line && kind(ours) == kind(line) && ASSERTION.is_match(line)
}

/// Whether one value of a line is another, and one is the same.
fn is_one_other(ours: &str, line: &str) -> bool {
    let values = |text| -> Vec<&str> { VALUE.find_iter(text).map(|it| it.as_str()).collect() };
    let (ours, theirs) = (values(ours), values(line));
    let known = ours.iter().zip(&theirs).filter(|(ours, _)| **ours != "N" && !ours.contains('…'));
    let (same, other): (Vec<_>, Vec<_>) = known.partition(|(ours, theirs)| ours == theirs);
    ours.len() == theirs.len() && other.len() == 1 && !same.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::observation::{Observation, Stage};
    use super::super::wording::Origin;
    use super::*;
    use crate::{Ending, Output, Ran};

    fn seen(text: &str) -> Observation {
        let text = format!("Traceback:\n{text}\n");
        let length = text.len() as u64;
        let output = Output { head: text.into(), tail: Vec::new(), length };
        let ending = Ending::Exited(1);
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        Observation::new(Stage::Test, ran, &[])
    }

    /// Returns whether one failure is another value where the other would show.
    fn is_other(ours: &str, theirs: &str) -> bool {
        let run = seen(ours);
        let failure = Failure::learn([&run, &run], &[], Origin::Tree).expect("the runs are alike");
        failure.has_other_value(&seen(theirs).signature)
    }

    #[test]
    fn one_value_of_an_assertion_may_be_another() {
        let ours = "AssertionError: '-1 years, 11 months' != '1 hour'";
        assert!(is_other(ours, "AssertionError: '%(num)d hour' != '1 hour'"));
        assert!(is_other("AssertionError: 3 != 4", "AssertionError: 5 != 4"));
        assert!(!is_other(ours, ours));
    }

    #[test]
    fn one_value_at_one_place_may_be_another() {
        let at = |line: u32, says: &str| format!("  File \"t.py\", line {line}, in f\n{says}");
        let ours = at(4, "AssertionError: got -1 years");
        assert!(is_other(&ours, &at(4, "AssertionError: got '1 hour'")));
        assert!(!is_other(&ours, &at(4, "AssertionError: got -1 years")));
        assert!(!is_other(&ours, &at(5, "AssertionError: got '1 hour'")));
        assert!(!is_other(&ours, &at(4, "ImportError: got '1 hour'")));
        assert!(!is_other("AssertionError: got -1 years", "AssertionError: got 1 hour"));
        let deeper = format!("{}\n  File \"lib.py\", line 9, in g", at(4, "AssertionError: got 1"));
        assert!(!is_other(&ours, &deeper));
    }

    #[test]
    fn what_may_hide_the_failure_is_not_another_value() {
        let ours = "AssertionError: '-1 years, 11 months' != '1 hour'";
        for other in [
            "AssertionError: '-1 years, 11 months' != '2 hours, 3 minutes' : too long",
            "AssertionError: 'one' != 'two'",
            "AssertionError: 'one' is not true",
            "ImportError: cannot import name 'hour' from 'units'",
        ] {
            assert!(!is_other(ours, other), "{other}");
        }
        let import = |name| format!("ImportError: cannot import name '{name}' from 'units'");
        assert!(!is_other(&import("hour"), &import("year")));
    }
}
