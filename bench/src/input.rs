//! Inputs of one file, and their reduction in this process.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use whodunit_core::{Search, Step, Verdict};
use whodunit_input::{
    Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot,
};
use whodunit_run::Subject;

/// The result of a reduction, with its costs.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) bytes: Arc<[u8]>,
    /// Different contents that the oracle judged.
    pub(crate) tests: usize,
    /// The number of tests after the last one that made the result simpler.
    pub(crate) after_last_success: usize,
    /// The questions of each pass.
    pub(crate) passes: BTreeMap<&'static str, Asked>,
}

/// The questions of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) questions: usize,
    /// The number of questions that made the result simpler.
    pub(crate) simpler: usize,
    /// The number of questions after the last one of any pass that made the result simpler.
    pub(crate) after: usize,
}

impl fmt::Display for Reduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, tests, after) = (self.bytes.len(), self.tests, self.after_last_success);
        writeln!(f, "{bytes} bytes, {tests} tests, {after} after the last success")?;
        writeln!(f, "{}", String::from_utf8_lossy(&self.bytes).escape_debug())?;
        for (pass, Asked { questions, simpler, after }) in &self.passes {
            writeln!(f, "   {pass}: {questions} asked, {simpler} simpler, {after} after")?;
        }
        Ok(())
    }
}

/// Reduces an input as `reduce` does; a callback may change the settings before.
pub(crate) fn reduce(
    file: &str,
    text: &[u8],
    fails: impl Fn(&[u8]) -> bool,
    change: impl Fn(&mut LadderSettings),
) -> Reduced {
    assert!(fails(text), "{file} fails to begin with");
    let mut settings = settings(Languages::ByFile);
    change(&mut settings);
    let base = snapshot(file, text);
    let mut simplest = InputCandidate::whole(base.clone());
    let mut ladder = Ladder::new(&base, settings);
    let (mut known, mut passes) = (HashMap::new(), BTreeMap::<_, Asked>::new());
    let mut last_success = 0;
    while let Step::Ask(candidate) = ladder.step() {
        let key = Input.key(&candidate);
        let verdict = Input.foretell(&candidate).or_else(|| known.get(&key).copied());
        let verdict = verdict.unwrap_or_else(|| {
            let verdict = if fails(&content(&candidate)) { Verdict::Fail } else { Verdict::Pass };
            known.insert(key, verdict);
            let asked = passes.entry(ladder.pass()).or_default();
            asked.questions += 1;
            asked.after += 1;
            if verdict.is_fail() && candidate.is_simpler_than(&simplest) {
                asked.simpler += 1;
                simplest = candidate.clone();
                last_success = known.len();
                passes.values_mut().for_each(|asked| asked.after = 0);
            }
            verdict
        });
        ladder.learn(&verdict.into());
    }
    let bytes = content(&ladder.best());
    Reduced { bytes, tests: known.len(), after_last_success: known.len() - last_success, passes }
}

/// Returns a snapshot with one file.
pub(crate) fn snapshot(name: &str, text: impl AsRef<[u8]>) -> Arc<Snapshot> {
    let file = InputFile { name: name.into(), bytes: text.as_ref().into(), mode: 0o644 };
    Arc::new(Snapshot::new(vec![file]))
}

/// Returns settings with all passes.
pub(crate) fn settings(languages: Languages) -> LadderSettings {
    LadderSettings::new(languages)
}

/// Returns the remaining content of the only file; empty if the file is gone.
pub(crate) fn content(candidate: &InputCandidate) -> Arc<[u8]> {
    let snapshot = candidate.snapshot();
    snapshot.files().first().map_or_else(|| Arc::from([]), |file| file.bytes.clone())
}
