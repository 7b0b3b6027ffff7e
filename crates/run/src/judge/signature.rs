//! The signature of one run, which is compared with the [`super::Failure`] that a run looks for.
//!
//! A signature is how the process ended, the telling line of its output without parts that
//! differ from run to run, the innermost stack frames outside the candidate, and the kinds of its
//! other complaints.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::recognise;
use crate::{Ending, Key, Limit, Output};

/// The signature of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How the process ended.
    pub ending: Ending,
    /// The telling line, with the numbers and quoted texts in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<String>,
    /// The functions that were being executed, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// The last lines of the output, if nothing else distinguishes this failure from others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The kinds of complaints in the output.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub complaints: BTreeSet<String>,
    /// A hash of all places in files that the output names, in their order and without folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Key>,
    /// The first line that reads like an error message, if no line is telling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_line: Option<String>,
}

impl Signature {
    /// Returns the signature of a run that printed nothing.
    pub fn silent(ending: Ending) -> Self {
        let (telling, frames, lines, complaints, places, error_line) = Default::default();
        Signature { ending, telling, frames, lines, complaints, places, error_line }
    }

    /// Reads the signature off a run. `names` are the candidate's own files: their functions change
    /// as the candidate shrinks, so frames in them are ignored.
    pub fn read(ending: Ending, output: &Output, names: &[PathBuf]) -> Self {
        if ending == Ending::Exited(0) || output.length == 0 {
            return Signature::silent(ending);
        }
        let text = output.text();
        let own: Vec<String> = names.iter().map(|name| name.to_string_lossy().into()).collect();
        let telling = recognise::telling_line(&text, &own, is_crash(ending));
        let frames = recognise::frames(&text, &own);
        // A signal identifies a failure better than the output before it.
        let is_bare = telling.is_none() && frames.is_empty() && says_little(ending);
        let lines = if is_bare { recognise::last_lines(&text, &own) } else { Vec::new() };
        let (complaints, places) = (recognise::complaints(&text), recognise::places(&text));
        let error_line = if telling.is_none() { recognise::error_line(&text, &own) } else { None };
        Signature { ending, telling, frames, lines, complaints, places, error_line }
    }

    /// Returns the failure in words without the parts about the input: one text for all failures of
    /// a kind.
    pub fn kind(&self) -> String {
        let telling = self.telling.as_deref().map(recognise::generalised);
        self.in_words(telling.as_deref())
    }

    fn in_words(&self, telling: Option<&str>) -> String {
        let mut text = ending_in_words(self.ending);
        if let Some(telling) = telling {
            text.push_str(&format!(" and says \"{telling}\""));
        }
        if !self.frames.is_empty() {
            text.push_str(&format!(" in {}", self.frames.join(" < ")));
        }
        let said = self.telling.as_deref().map(recognise::complaints).unwrap_or_default();
        let others: Vec<&str> = self.complaints.difference(&said).map(String::as_str).collect();
        if !others.is_empty() {
            text.push_str(&format!(" beside: {}", others.join(", ")));
        }
        if let Some(line) = &self.error_line {
            text.push_str(&format!(" and prints \"{}\"", recognise::generalised(line)));
        }
        text
    }
}

/// Whether programs end like this for very different reasons.
pub(super) fn says_little(ending: Ending) -> bool {
    matches!(ending, Ending::Exited(code) if code != 0) && !is_crash(ending)
}

/// Signals that a program dies of by its own doing: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
/// SIGSEGV, SIGSYS. The others come from outside.
const CRASHES: [i32; 7] = [4, 5, 6, 7, 8, 11, 31];

/// Whether a program crashed, also one that a shell reports with 128 + the number of the signal.
pub(super) fn is_crash(ending: Ending) -> bool {
    match ending {
        Ending::Signaled(signal) => CRASHES.contains(&signal),
        Ending::Exited(code) => CRASHES.contains(&(i32::from(code) - 128)),
        Ending::Limited(_) => false,
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(self.telling.as_deref()))
    }
}

/// Returns how a process ended, in words.
pub(super) fn ending_in_words(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exits with {code}"),
        Ending::Signaled(signal) => format!("dies of {}", signal_name(signal)),
        Ending::Limited(Limit::Time) => "does not end in time".into(),
        Ending::Limited(Limit::Memory) => "uses too much memory".into(),
        Ending::Limited(Limit::Output) => "prints too much".into(),
        Ending::Limited(Limit::Processes) => "starts too many processes".into(),
    }
}

/// Names of the signals that programs die of, by number.
const SIGNALS: [(i32, &str); 16] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (10, "SIGUSR1"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
];

/// Returns the name of a signal.
pub fn signal_name(number: i32) -> String {
    let known = SIGNALS.iter().find(|(signal, _)| *signal == number);
    known.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

/// Returns the number of a signal given as `SIGSEGV`, `segv` or `11`.
pub fn signal_number(text: &str) -> Option<i32> {
    let name = text.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    let known = SIGNALS.iter().find(|(_, signal)| &signal[3..] == name);
    known.map(|(number, _)| *number).or_else(|| text.parse().ok().filter(|n| (1..=64).contains(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names_and_numbers() {
        assert_eq!(signal_name(11), "SIGSEGV");
        assert_eq!(signal_name(42), "signal 42");
        for text in ["SIGSEGV", "segv", "11"] {
            assert_eq!(signal_number(text), Some(11));
        }
        assert_eq!(signal_number("99"), None);
    }
}
