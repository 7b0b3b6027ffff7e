//! Replays the proof of an answer.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_files::regular;
use whodunit_input::{Input, InputCandidate, InputFile, Snapshot};
use whodunit_run::evidence::Evidence;
use whodunit_run::{Key, Stop, Subject};

use super::pieces::Cut;
use super::proof;
use super::{ReduceError, language, workshop};
use crate::answer::{Answer, Needed};
use crate::lab::decide_again;
use crate::settings::{ReduceSettings, Surroundings};

/// What came of replaying a proof.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The verdict on the result; it must be fail.
    pub result: Verdict,
    /// How many deltas were checked.
    pub checked: usize,
    /// Deltas that are not needed after all.
    pub unneeded: Vec<Needed>,
}

impl Verified {
    /// Returns whether everything is as the answer says.
    pub fn holds(&self) -> bool {
        self.result == Verdict::Fail && self.unneeded.is_empty()
    }
}

/// How far a verification has come.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Tests that were run.
    pub done: usize,
    /// Tests that there are to run.
    pub total: usize,
}

/// Tests the result of `answer` again, and each candidate that lacks one of its deltas, without
/// believing anything that was found before.
pub fn verify(
    answer: &Answer,
    surroundings: &Surroundings,
    stop: &Stop,
    mut progress: impl FnMut(Check),
) -> Result<Verified, ReduceError> {
    let settings = match &answer.shortened {
        Some(shortened) => shortened.settings(&answer.settings),
        None => answer.settings.clone(),
    };
    // Pieces are tested one after the other, whatever number of workers found them.
    let settings = &ReduceSettings { jobs: 1, ..settings };
    let snapshot = Arc::new(read_result(answer)?);
    let rule = Arc::new(answer.learned.rule(settings)?);
    let scratch = workshop::scratch(settings, surroundings, &snapshot)?;
    let mut workers = workshop::workers(settings, surroundings, &scratch, &snapshot, stop.clone())?;
    let limits = answer.learned.limits.clone();
    workers.instruct(Oracle { limits, ..workers.oracle().clone() }, &rule);

    let whole = InputCandidate::whole(snapshot.clone());
    let flaky = answer.learned.flaky.as_ref();
    let result = decide_again(&mut workers, &whole, &rule, flaky)?;
    let result = result.map_or(Verdict::Unresolved, |(verdict, _)| verdict);
    let languages = language::load(settings, surroundings, &scratch, None)?;
    let ladder = settings.ladder(languages)?;
    let levels = answer.proof.levels.iter();
    let cuts: Vec<Cut> = levels.filter_map(|&level| Cut::at(level, &snapshot, &ladder)).collect();
    let total = cuts.iter().map(Cut::len).sum::<usize>() + 1;
    let mut verified = Verified { result, checked: 0, unneeded: Vec::new() };
    let mut tested = std::collections::HashMap::new();
    for piece in cuts.iter().flat_map(Cut::pieces) {
        // Where all is foretold, no test is waited for that would notice it.
        if let Some(ended) = stop.ended() {
            return Err(ended.into());
        }
        let key = Input.key(&piece.without);
        let claim = match tested.get(&key) {
            Some(&claim) => claim,
            None => {
                let seen = decide_again(&mut workers, &piece.without, &rule, flaky)?;
                seen.and_then(|(verdict, seen)| Evidence::of(verdict, &seen).claim())
            }
        };
        tested.insert(key, claim);
        verified.checked += 1;
        if let Some(claim) = claim.filter(|claim| claim.verdict() == Verdict::Fail) {
            verified.unneeded.push(proof::needed(&piece, key, claim, None));
        }
        progress(Check { done: verified.checked + 1, total });
    }
    Ok(verified)
}

/// Reads the files of the result, which must be those that the answer is about.
fn read_result(answer: &Answer) -> Result<Snapshot, ReduceError> {
    let mut files = Vec::new();
    for file in &answer.files {
        let (Some(path), Some(key)) = (&file.path, file.key) else { continue };
        let path = path.as_path();
        let bytes = regular::read(path)
            .map_err(|source| ReduceError::Read { path: path.into(), source })?;
        if Key::of_bytes(&bytes) != key {
            return Err(ReduceError::ResultChanged(path.into()));
        }
        files.push(InputFile { name: file.name.clone().into(), bytes: bytes.into(), mode: 0o644 });
    }
    Ok(Snapshot::new(files))
}
