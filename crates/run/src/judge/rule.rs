//! Turns the observation of a test into a verdict.

use regex::bytes::Regex;
use whodunit_core::Verdict;

use super::failure::Failure;
use super::observation::{Observation, Stage};
use super::signature::is_crash;
use crate::{Ending, Limit};

/// The rule that decides which runs show the failure.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The C-Reduce convention: exit 0 means that the failure is there.
    Script,
    /// The same failure as the first time.
    Same(Failure),
    /// Conditions that the user gave.
    Explicit(Explicit),
    /// The convention of `git bisect run`: 0 passes, 125 leaves the question open, 1 to 124 and
    /// 126 fail, everything else means that the test could not do its work; but for crashes, which
    /// git knows nothing of: a candidate that is half old and half new may well crash, so they fail
    /// like other failures.
    Bisect {
        /// The failure that counts; another one is unresolved. `None` if any failure counts.
        same: Option<Failure>,
        /// How the run continues if the test could not do its work.
        inability: Inability,
    },
}

/// How a run continues after a test that could not do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inability {
    /// No candidate can be tested: the run stops.
    Stops,
    /// This candidate lacks something that the test needs, as old versions do: the candidate is
    /// unresolved.
    LeavesOpen,
}

/// Conditions that the user gave. All of them must hold.
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
        if seen.stage != Stage::Test {
            return Verdict::Unresolved;
        }
        match (self, seen.ending()) {
            (Rule::Bisect { same, .. }, ending) if fails(ending) => match same {
                Some(failure) if !failure.is_shown_by(&seen.signature) => Verdict::Unresolved,
                _ => Verdict::Fail,
            },
            (Rule::Script, Ending::Exited(0)) => Verdict::Fail,
            (Rule::Script, Ending::Exited(_)) => Verdict::Pass,
            (Rule::Script, _) => Verdict::Unresolved,
            (Rule::Same(failure), _) if failure.is_shown_by(&seen.signature) => Verdict::Fail,
            (Rule::Explicit(explicit), _) if explicit.holds(seen) => Verdict::Fail,
            (_, Ending::Exited(0)) => Verdict::Pass,
            _ => Verdict::Unresolved,
        }
    }

    /// Returns whether the run must stop instead of judging this: the test reports that it can work
    /// on no candidate.
    pub fn stops(&self, seen: &Observation) -> bool {
        matches!(self, Rule::Bisect { inability: Inability::Stops, .. }) && is_unable(seen)
    }

    /// Returns the rule in words.
    pub fn describe(&self) -> String {
        match self {
            Rule::Script => "the test exits with 0".into(),
            Rule::Same(failure) => failure.to_string(),
            Rule::Explicit(explicit) => explicit.describe(),
            Rule::Bisect { same: Some(failure), .. } => failure.to_string(),
            Rule::Bisect { same: None, .. } => {
                "the test exits with 1 to 124, or 126, or crashes".into()
            }
        }
    }
}

/// Whether a script for `git bisect run` with this ending reports the failure.
fn fails(ending: Ending) -> bool {
    matches!(ending, Ending::Exited(1..=124 | 126)) || is_crash(ending)
}

/// Whether a script for `git bisect run` reports that it could not do its work.
///
/// A limit that ended the test concerns this candidate alone.
fn is_unable(seen: &Observation) -> bool {
    let is_odd = matches!(seen.ending(), Ending::Exited(127..) | Ending::Signaled(_));
    seen.stage == Stage::Test && is_odd && !is_crash(seen.ending())
}

impl Explicit {
    /// Returns whether no condition is given.
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
        // A run that was cut short proves nothing, unless the failure is the time limit.
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
    use super::super::wording::Origin;
    use super::*;
    use crate::{Output, Ran};

    const SEGV: Ending = Ending::Signaled(11);
    const KILL: Ending = Ending::Signaled(9);

    fn seen(ending: Ending, text: &str) -> Observation {
        let output = Output { head: text.into(), tail: Vec::new(), length: text.len() as u64 };
        let ran = Ran { ending, output, duration: Default::default(), peak_memory: 0 };
        Observation::new(Stage::Test, ran, &[])
    }

    fn learned(seen: &Observation) -> Failure {
        Failure::learn([seen, seen], &[], Origin::Tree).unwrap()
    }

    fn bisect(same: Option<Failure>) -> Rule {
        Rule::Bisect { same, inability: Inability::Stops }
    }

    #[test]
    fn a_hang_is_not_a_crash() {
        let rule = Rule::Same(learned(&seen(Ending::Signaled(11), "")));
        assert_eq!(rule.judge(&seen(Ending::Signaled(11), "")), Verdict::Fail);
        assert_eq!(rule.judge(&seen(Ending::Limited(Limit::Time), "")), Verdict::Unresolved);
        assert_eq!(rule.judge(&seen(Ending::Exited(0), "")), Verdict::Pass);
    }

    #[test]
    fn another_failure_is_not_the_failure() {
        let ours = "a.c:1:2: internal compiler error: in fold, at tree.c:12\n";
        let rule = Rule::Same(learned(&seen(Ending::Exited(1), ours)));
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
    fn a_refused_gate_or_build_leaves_the_question_open() {
        for stage in [Stage::Gate, Stage::Configure, Stage::Build] {
            let refused = Observation { stage, ..seen(Ending::Exited(0), "") };
            assert_eq!(Rule::Script.judge(&refused), Verdict::Unresolved);
            let refused = Observation { stage, ..seen(Ending::Exited(1), "") };
            assert_eq!(bisect(None).judge(&refused), Verdict::Unresolved);
        }
    }

    #[test]
    fn a_bisect_script_says_it_with_its_exit_status() {
        let rule = bisect(None);
        let judge = |code: u8| rule.judge(&seen(Ending::Exited(code), ""));
        assert_eq!([0, 125].map(judge), [Verdict::Pass, Verdict::Unresolved]);
        assert_eq!([1, 2, 124, 126].map(judge), [Verdict::Fail; 4]);
        let late = seen(Ending::Limited(Limit::Time), "");
        assert_eq!(rule.judge(&late), Verdict::Unresolved);
        assert!(!rule.stops(&late));
    }

    #[test]
    fn a_bisect_script_that_cannot_go_on_stops_the_run() {
        let rule = bisect(None);
        // A shell reports SIGKILL as 137; that signal comes from outside.
        for ending in [127, 128, 137, 255].map(Ending::Exited).into_iter().chain([KILL]) {
            let mut seen = seen(ending, "");
            assert!(rule.stops(&seen), "{ending:?}");
            assert_eq!(rule.judge(&seen), Verdict::Unresolved, "an error is never a failure");
            seen.stage = Stage::Build;
            assert!(!rule.stops(&seen), "what does not build may lack what builds it");
        }
        let stops = |&code: &u8| rule.stops(&seen(Ending::Exited(code), ""));
        assert!(![0, 1, 124, 125, 126].iter().any(stops));
        assert!(!Rule::Script.stops(&seen(Ending::Exited(127), "")));
    }

    #[test]
    fn an_old_version_may_lack_what_the_test_needs() {
        let rule = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
        for code in [125, 127, 255] {
            let seen = seen(Ending::Exited(code), "");
            assert!(!rule.stops(&seen));
            assert_eq!(rule.judge(&seen), Verdict::Unresolved);
        }
        assert_eq!(rule.judge(&seen(Ending::Exited(1), "")), Verdict::Fail);
    }

    #[test]
    fn a_crash_is_a_failure_with_an_identity() {
        for crash in [SEGV, Ending::Exited(139), Ending::Exited(134)] {
            let rule = bisect(Some(learned(&seen(crash, ""))));
            assert_eq!(rule.judge(&seen(crash, "")), Verdict::Fail);
            let other = seen(Ending::Signaled(8), "");
            assert_eq!(rule.judge(&other), Verdict::Unresolved);
            assert!(!rule.stops(&other));
            assert_eq!(bisect(None).judge(&other), Verdict::Fail);
            let said = bisect(Some(learned(&seen(Ending::Exited(1), ""))));
            assert_eq!(said.judge(&seen(crash, "")), Verdict::Unresolved);
        }
    }

    #[test]
    fn a_bisect_script_can_be_held_to_one_failure() {
        let ours = seen(Ending::Exited(1), "Traceback:\nKeyError: 'x'\n");
        let rule = bisect(Some(learned(&ours)));
        assert_eq!(rule.judge(&ours), Verdict::Fail);
        let other = seen(Ending::Exited(1), "Traceback:\nImportError: no x\n");
        assert_eq!(rule.judge(&other), Verdict::Unresolved);
        assert_eq!(bisect(None).judge(&other), Verdict::Fail);
        assert_eq!(rule.judge(&seen(Ending::Exited(0), "")), Verdict::Pass);
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
