//! Reduces one text in this process, with a function as oracle.

use std::convert::Infallible;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_input::{
    Granularity, Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot,
};
use whodunit_run::{Ask, Ended, Engine, EngineError, Memory, Stop, Tally};
use whodunit_syntax::language::{Language, UnknownLanguage};

/// Reduces one text to a smaller one that still fails, in this process.
///
/// The oracle gets a candidate and returns whether the failure is there: as a `bool`, or as a
/// [`Verdict`] if it may also be unresolved.
///
/// ```
/// # use whodunit_jobs as whodunit;
/// use whodunit::ReduceText;
///
/// let program = "int a = 1;\nint f(int x) { return x / (a - a); }\nint b = 2;\n";
/// let divides = |text: &[u8]| text.windows(1).any(|byte| byte == b"/");
/// let reduced = ReduceText::syntax("c", program)?.run(divides)?;
/// assert!(reduced.bytes.len() < program.len() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReduceText<'a> {
    text: &'a [u8],
    finest: Granularity,
    languages: Languages,
    jobs: usize,
    max_tests: Option<u64>,
    stop: Stop,
}

/// The result of [`ReduceText`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReducedText {
    /// The simplest text that failed.
    pub bytes: Vec<u8>,
    /// Why the search ended.
    pub ended: Ended,
    /// The number of tests.
    pub tests: Tally,
}

/// Why a text could not be reduced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceTextError {
    /// The whole text does not fail.
    #[error("the whole text does not fail to begin with: {0:?}")]
    DoesNotFail(Verdict),
    /// An event of the search could not be recorded.
    #[error(transparent)]
    Engine(#[from] EngineError<Infallible>),
}

impl<'a> ReduceText<'a> {
    fn new(text: &'a [u8], finest: Granularity, languages: Languages) -> Self {
        ReduceText { text, finest, languages, jobs: 1, max_tests: None, stop: Stop::default() }
    }

    /// Reduces a text by removing whole lines.
    pub fn lines(text: &'a str) -> Self {
        ReduceText::new(text.as_bytes(), Granularity::Lines, Languages::None)
    }

    /// Reduces some bytes by removing any of them.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        ReduceText::new(bytes, Granularity::Bytes, Languages::None)
    }

    /// Reduces a text in a language, by its grammar first.
    pub fn syntax(language: &str, text: &'a str) -> Result<Self, UnknownLanguage> {
        let language = Languages::Given(Language::by_name(language)?);
        Ok(ReduceText::new(text.as_bytes(), Granularity::Bytes, language))
    }

    /// Sets how many questions may be tested at once. The answer does not depend on this number.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets the number of tests after which the search ends; the test of the whole text does not
    /// count.
    #[must_use]
    pub fn max_tests(mut self, max_tests: u64) -> Self {
        self.max_tests = Some(max_tests);
        self
    }

    /// Sets a stop that ends the search early.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Asks `oracle` about smaller texts until none of them fails.
    pub fn run<V: Into<Verdict>>(
        self,
        oracle: impl Fn(&[u8]) -> V + Sync,
    ) -> Result<ReducedText, ReduceTextError> {
        let ask = |candidate: &InputCandidate| -> Verdict { oracle(&content(candidate)).into() };
        // No language is recognised by this name, so only the given language is used.
        let file = InputFile { name: "text".into(), bytes: self.text.into(), mode: 0o644 };
        let snapshot = Arc::new(Snapshot::new(vec![file]));
        match ask(&InputCandidate::whole(snapshot.clone())) {
            Verdict::Fail => {}
            verdict => return Err(ReduceTextError::DoesNotFail(verdict)),
        }
        let settings =
            LadderSettings { finest: self.finest, ..LadderSettings::new(self.languages) };
        let mut simplest = InputCandidate::whole(snapshot.clone());
        let mut keep = |_, candidate: &InputCandidate, verdict: Verdict| {
            if verdict.is_fail() && candidate.is_simpler_than(&simplest) {
                simplest = candidate.clone();
            }
            Ok(())
        };
        let engine = Engine {
            subject: &Input,
            memory: &mut Memory::default(),
            max_tests: self.max_tests,
            stop: self.stop.clone(),
            observer: &mut (),
            keep: &mut keep,
        };
        let workers = (0..self.jobs).map(|_| Ask(&ask)).collect();
        let outcome = engine.run(Ladder::new(&snapshot, settings), workers)?;
        if let Some(message) = self.stop.panic() {
            // The oracle is the caller's own code, and so is the panic.
            panic!("{message}");
        }
        let bytes = content(&simplest);
        Ok(ReducedText { bytes, ended: outcome.ended, tests: outcome.tally })
    }
}

/// Returns the text that a candidate stands for.
fn content(candidate: &InputCandidate) -> Vec<u8> {
    let snapshot = candidate.snapshot();
    snapshot.files().first().map_or_else(Vec::new, |file| file.bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_whole() {
        let text = "first\nsecond one\nthird\nfourth one\n";
        let fails = |text: &[u8]| String::from_utf8_lossy(text).matches("one").count() == 2;
        let reduced = ReduceText::lines(text).run(fails).unwrap();
        assert_eq!(reduced.bytes, b"second one\nfourth one\n");
        assert_eq!(reduced.ended, Ended::Done);
    }

    #[test]
    fn bytes_may_be_anything() {
        let bytes: Vec<u8> = (0..=255).collect();
        let fails = |bytes: &[u8]| bytes.contains(&200) && bytes.contains(&7);
        for jobs in [1, 4] {
            let reduced = ReduceText::bytes(&bytes).jobs(jobs).run(fails).unwrap();
            assert_eq!(reduced.bytes, [7, 200]);
        }
    }

    #[test]
    fn characters_go_whole_where_halves_of_them_cannot_be_read() {
        let text = "日本語テキスト bug 中文字 é";
        let fails = |bytes: &[u8]| {
            std::str::from_utf8(bytes).is_ok_and(|it| it.contains("bug") && it.contains('字'))
        };
        let reduced = ReduceText::bytes(text.as_bytes()).run(fails).unwrap();
        assert_eq!(String::from_utf8_lossy(&reduced.bytes), "bug字");
    }

    #[test]
    fn a_grammar_keeps_a_program_whole() {
        let program =
            "int unused(void) { return 1; }\nint main(void) { int a = 3; return a / 0; }\n";
        let is_program = |text: &str| text.matches('{').count() == text.matches('}').count();
        let fails = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            if is_program(&text) {
                Verdict::from(text.contains("/ 0"))
            } else {
                Verdict::Unresolved
            }
        };
        let reduced = ReduceText::syntax("c", program).unwrap().run(fails).unwrap();
        assert!(!String::from_utf8_lossy(&reduced.bytes).contains("unused"));
        assert!(reduced.bytes.len() < 30, "{}", String::from_utf8_lossy(&reduced.bytes));
    }

    #[test]
    fn what_does_not_fail_is_an_error() {
        let result = ReduceText::lines("all is well\n").run(|_| false);
        assert!(matches!(result, Err(ReduceTextError::DoesNotFail(Verdict::Pass))));
        assert!(ReduceText::syntax("no such language", "").is_err());
    }
}
