//! Inputs of one file, and how they are reduced here.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use whodunit_core::{Search, Step, Verdict};
use whodunit_input::{
    Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot,
};
use whodunit_run::Subject;

/// What came of an input, and what it took.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) bytes: Arc<[u8]>,
    /// Contents that the oracle was asked about.
    pub(crate) tests: usize,
    /// How many of them came after the last one that made the result simpler.
    pub(crate) after_last_success: usize,
    /// What each pass asked.
    pub(crate) passes: BTreeMap<&'static str, Asked>,
}

/// What a pass asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) questions: usize,
    /// How many of them made the result simpler.
    pub(crate) simpler: usize,
    /// How many of them came after the last one of any pass that did.
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

/// Reduces an input as `reduce` does, with settings that may be changed before.
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

/// Returns a file as the only one of an input.
pub(crate) fn snapshot(name: &str, text: impl AsRef<[u8]>) -> Arc<Snapshot> {
    let file = InputFile { name: name.into(), bytes: text.as_ref().into(), mode: 0o644 };
    Arc::new(Snapshot::new(vec![file]))
}

/// Returns settings that leave nothing out.
pub(crate) fn settings(languages: Languages) -> LadderSettings {
    LadderSettings::new(languages)
}

/// Returns what is left of the only file; nothing if the file is gone.
pub(crate) fn content(candidate: &InputCandidate) -> Arc<[u8]> {
    let snapshot = candidate.snapshot();
    snapshot.files().first().map_or_else(|| Arc::from([]), |file| file.bytes.clone())
}
