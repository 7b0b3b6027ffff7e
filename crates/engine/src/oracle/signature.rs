//! What makes a failure this failure.
//!
//! A signature is how the process ended, the telling line of its output with everything that
//! changes from run to run taken out, and the innermost stack frames outside the candidate.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::recognise;
use crate::process::{Ending, Limit, Output};

/// What makes a failure this failure; equal signatures are the same failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How the process ended.
    pub ending: Ending,
    /// The telling line, normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<String>,
    /// The functions that were being executed, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

impl Signature {
    /// Reads the signature off a run. `names` are the candidate's own files: what the candidate
    /// itself defines changes as it shrinks, so frames in it do not count.
    pub fn read(ending: Ending, output: &Output, names: &[PathBuf]) -> Self {
        if ending == Ending::Exited(0) || output.length == 0 {
            return Signature { ending, telling: None, frames: Vec::new() };
        }
        let mut text = String::from_utf8_lossy(&output.head).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.tail));
        let own: Vec<String> = names.iter().map(|name| name.to_string_lossy().into()).collect();
        Signature {
            ending,
            telling: recognise::telling_line(&text, &own),
            frames: recognise::frames(&text, &own),
        }
    }
}

impl Signature {
    /// Returns the failure in words without what it says about the input: one text for all
    /// failures of a kind.
    pub fn kind(&self) -> String {
        let telling = self.telling.as_deref().map(recognise::without_quoted);
        Signature { telling, ..self.clone() }.to_string()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ending {
            Ending::Exited(code) => write!(f, "exits with {code}")?,
            Ending::Signaled(signal) => write!(f, "dies of {}", signal_name(signal))?,
            Ending::Limited(Limit::Time) => write!(f, "does not end in time")?,
            Ending::Limited(Limit::Memory) => write!(f, "uses too much memory")?,
            Ending::Limited(Limit::Output) => write!(f, "prints too much")?,
            Ending::Limited(Limit::Processes) => write!(f, "starts too many processes")?,
        }
        if let Some(telling) = &self.telling {
            write!(f, " and says \"{telling}\"")?;
        }
        if !self.frames.is_empty() {
            write!(f, " in {}", self.frames.join(" < "))?;
        }
        Ok(())
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
