//! The claims of an answer of `reduce`: the result fails, and without any one of its pieces it does
//! not.

use std::path::PathBuf;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_input::{Input, InputCandidate, Snapshot};
use whodunit_run::{Key, Stop};

use super::input::read_file;
use super::pieces::{Cut, Piece};
use super::{ReduceError, language, setup};
use crate::answer::{Answer, FileAnswer};
use crate::settings::{ReduceSettings, Surroundings};
use crate::verify::{Check, Claimed, Replay, Said, Verified};

/// Tests the result of `answer` again, and each candidate that lacks one of its pieces.
pub fn verify(
    answer: &Answer,
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, ReduceError> {
    let settings = match &answer.shortened {
        Some(shortened) => shortened.settings(&answer.settings),
        None => answer.settings.clone(),
    };
    // Pieces are tested one after the other, whatever number of workers the run had.
    let settings = &ReduceSettings { jobs: 1, ..settings };
    let snapshot = Arc::new(read_files(&answer.files)?);
    let passing = answer.isolated.as_ref();
    let passing = passing.map(|isolated| read_files(&isolated.files)).transpose()?;
    let scratch = setup::scratch(settings, surroundings, &snapshot)?;
    let replay = Replay {
        subject: Input,
        workers: setup::workers(settings, surroundings, &scratch, &snapshot, stop.clone())?,
        rule: answer.learned.rule(settings)?,
        limits: &answer.learned.limits,
        flaky: answer.learned.flaky.as_ref(),
    };
    let languages = language::load(settings, surroundings, &scratch, None)?;
    let mut ladder = settings.ladder(languages.clone())?;
    ladder.validity = super::validity(settings.valid, &snapshot, &ladder)?;
    let levels = answer.proof.levels.iter();
    let cuts: Vec<Cut> = levels.filter_map(|&level| Cut::at(level, &snapshot, &ladder)).collect();
    let whole = Claimed {
        what: "the result".into(),
        of: Some(InputCandidate::whole(snapshot.clone())),
        claimed: Said::Is(Verdict::Fail),
    };
    let passing = passing.map(|passing| Claimed {
        what: "the input that passes".into(),
        of: Some(InputCandidate::whole(Arc::new(passing))),
        claimed: Said::Is(Verdict::Pass),
    });
    let left = answer.files.iter().filter_map(|file| file.path.as_ref());
    let paths: Vec<PathBuf> = left.map(|path| path.as_path().into()).collect();
    let without = |Piece { file, start, end, without, .. }: Piece| Claimed {
        what: format!("bytes {start}..{end} of {}", paths[file].display()),
        of: Some(without),
        claimed: Said::NotFail,
    };
    let pieces = cuts.iter().flat_map(Cut::pieces).map(without);
    let ends: Vec<_> = std::iter::once(whole).chain(passing).collect();
    let total = cuts.iter().map(Cut::len).sum::<usize>() + ends.len();
    replay.run((ends.into_iter().chain(pieces), total), Ok, progress)
}

/// Reads the files of an answer; an error if they changed since.
pub(super) fn read_files(answered: &[FileAnswer]) -> Result<Snapshot, ReduceError> {
    let mut files = Vec::new();
    for file in answered {
        let (Some(path), Some(key)) = (&file.path, file.key) else { continue };
        let path = path.as_path();
        let read = read_file(path, file.name.clone().into())?;
        if Key::of_bytes(&read.bytes) != key || read.bytes.len() as u64 != file.bytes {
            return Err(ReduceError::ResultChanged(path.into()));
        }
        files.push(read);
    }
    Ok(Snapshot::new(files))
}
