//! From what a test run showed to a verdict.

use regex::bytes::Regex;
use whodunit_core::Verdict;

use super::observation::{Observation, Stage};
use super::signature::Signature;
use crate::process::{Ending, Limit};

/// What counts as the failure.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The C-Reduce convention: exit 0 means that the failure is there.
    Script,
    /// The same failure as the first time.
    Same(Signature),
    /// What the user said.
    Explicit(Explicit),
}

/// A rule in the user's words. What is given must all hold.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// The command exits with one of these.
    pub exit: Vec<u8>,
    /// The output has a match.
    pub matching: Option<Regex>,
    /// One of these signals ends the command, also one that a shell reports as 128 + number.
    pub signal: Vec<i32>,
    /// The command does not end within the time limit.
    pub timeout: bool,
    /// The command exits with anything but 0, or dies of a signal.
    pub any: bool,
}

impl Rule {
    /// Judges one run.
    ///
    /// A signal or a limit is never the failure unless the failure we are after is that signal or
    /// limit: a candidate that hangs is not a smaller reproduction of a crash.
    pub fn judge(&self, seen: &Observation) -> Verdict {
        if seen.stage == Stage::Gate {
            return Verdict::Unresolved;
        }
        match (self, seen.ending()) {
            (Rule::Script, Ending::Exited(0)) => Verdict::Fail,
            (Rule::Script, Ending::Exited(_)) => Verdict::Pass,
            (Rule::Script, _) => Verdict::Unresolved,
            (Rule::Same(signature), _) if seen.signature == *signature => Verdict::Fail,
            (Rule::Explicit(explicit), _) if explicit.holds(seen) => Verdict::Fail,
            (_, Ending::Exited(0)) => Verdict::Pass,
            _ => Verdict::Unresolved,
        }
    }

    /// Returns whether the rule can judge an observation whose output was shortened.
    pub fn can_judge(&self, seen: &Observation) -> bool {
        match self {
            Rule::Explicit(Explicit { matching: Some(_), .. }) => !seen.output.is_cut(),
            _ => true,
        }
    }

    /// Returns the rule in words.
    pub fn describe(&self) -> String {
        match self {
            Rule::Script => "the test exits with 0".into(),
            Rule::Same(signature) => signature.to_string(),
            Rule::Explicit(explicit) => explicit.describe(),
        }
    }
}

impl Explicit {
    /// Returns whether nothing was said.
    pub fn is_empty(&self) -> bool {
        let Explicit { exit, matching, signal, timeout, any } = self;
        exit.is_empty() && matching.is_none() && signal.is_empty() && !timeout && !any
    }

    fn holds(&self, seen: &Observation) -> bool {
        let ending = seen.ending();
        let exited =
            |wanted: &[u8]| matches!(ending, Ending::Exited(code) if wanted.contains(&code));
        let signaled = |wanted: &[i32]| match ending {
            Ending::Signaled(signal) => wanted.contains(&signal),
            Ending::Exited(code) => wanted.contains(&(i32::from(code) - 128)),
            Ending::Limited(_) => false,
        };
        let failed = !matches!(ending, Ending::Exited(0) | Ending::Limited(_));
        // A run that was cut short proves nothing, unless that is what we are after.
        let cut_short =
            matches!(ending, Ending::Limited(limit) if limit != Limit::Time || !self.timeout);
        !cut_short
            && (self.exit.is_empty() || exited(&self.exit))
            && (self.signal.is_empty() || signaled(&self.signal))
            && (!self.timeout || ending == Ending::Limited(Limit::Time))
            && (!self.any || failed)
            && self.matching.as_ref().is_none_or(|pattern| match seen.output.whole() {
                Some(whole) => pattern.is_match(&whole),
                None => pattern.is_match(&seen.output.head) || pattern.is_match(&seen.output.tail),
            })
    }

    fn describe(&self) -> String {
        let mut parts = Vec::new();
        if !self.exit.is_empty() {
            let codes: Vec<String> = self.exit.iter().map(u8::to_string).collect();
            parts.push(format!("exits with {}", codes.join(" or ")));
        }
        if !self.signal.is_empty() {
            let names: Vec<String> =
                self.signal.iter().map(|&signal| super::signature::signal_name(signal)).collect();
            parts.push(format!("dies of {}", names.join(" or ")));
        }
        if self.timeout {
            parts.push("does not end in time".into());
        }
        if self.any {
            parts.push("fails in any way".into());
        }
        if let Some(pattern) = &self.matching {
            parts.push(format!("prints something like /{pattern}/"));
        }
        parts.join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Output, Ran};

    fn seen(ending: Ending, text: &str) -> Observation {
        let output = Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 };
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        Observation::new(Stage::Test, ran, &[])
    }

    #[test]
    fn a_hang_is_not_a_crash() {
        let rule = Rule::Same(seen(Ending::Signaled(11), "").signature);
        assert_eq!(rule.judge(&seen(Ending::Signaled(11), "")), Verdict::Fail);
        assert_eq!(rule.judge(&seen(Ending::Limited(Limit::Time), "")), Verdict::Unresolved);
        assert_eq!(rule.judge(&seen(Ending::Exited(0), "")), Verdict::Pass);
    }

    #[test]
    fn another_failure_is_not_the_failure() {
        let ours = "a.c:1:2: internal compiler error: in fold, at tree.c:12\n";
        let rule = Rule::Same(seen(Ending::Exited(1), ours).signature);
        let moved = "a.c:9:1: internal compiler error: in fold, at tree.c:12\n";
        assert_eq!(rule.judge(&seen(Ending::Exited(1), moved)), Verdict::Fail);
        let other = "a.c:1:2: error: expected ';' before '}'\n";
        assert_eq!(rule.judge(&seen(Ending::Exited(1), other)), Verdict::Unresolved);
    }

    #[test]
    fn a_script_says_yes_with_zero() {
        assert_eq!(Rule::Script.judge(&seen(Ending::Exited(0), "")), Verdict::Fail);
        assert_eq!(Rule::Script.judge(&seen(Ending::Exited(1), "")), Verdict::Pass);
        assert_eq!(Rule::Script.judge(&seen(Ending::Signaled(9), "")), Verdict::Unresolved);
    }

    #[test]
    fn a_refused_gate_leaves_the_question_open() {
        let mut refused = seen(Ending::Exited(0), "");
        refused.stage = Stage::Gate;
        assert_eq!(Rule::Script.judge(&refused), Verdict::Unresolved);
    }

    #[test]
    fn what_the_user_says_must_all_hold() {
        let matching = Some(Regex::new("boom").unwrap());
        let rule = Rule::Explicit(Explicit { exit: vec![3], matching, ..Explicit::default() });
        assert_eq!(rule.judge(&seen(Ending::Exited(3), "boom")), Verdict::Fail);
        assert_eq!(rule.judge(&seen(Ending::Exited(3), "quiet")), Verdict::Unresolved);
        assert_eq!(rule.judge(&seen(Ending::Exited(0), "boom")), Verdict::Pass);
        assert_eq!(rule.judge(&seen(Ending::Limited(Limit::Output), "boom")), Verdict::Unresolved);
    }

    #[test]
    fn a_signal_reported_by_a_shell_is_that_signal() {
        let rule = Rule::Explicit(Explicit { signal: vec![11], ..Explicit::default() });
        assert_eq!(rule.judge(&seen(Ending::Exited(139), "")), Verdict::Fail);
        assert_eq!(rule.judge(&seen(Ending::Signaled(11), "")), Verdict::Fail);
    }

    #[test]
    fn a_timeout_is_the_failure_only_when_asked_for() {
        let rule = Rule::Explicit(Explicit { timeout: true, ..Explicit::default() });
        assert_eq!(rule.judge(&seen(Ending::Limited(Limit::Time), "")), Verdict::Fail);
        let rule = Rule::Explicit(Explicit { any: true, ..Explicit::default() });
        assert_eq!(rule.judge(&seen(Ending::Limited(Limit::Time), "")), Verdict::Unresolved);
    }
}
