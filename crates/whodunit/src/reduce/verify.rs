//! Verifies an answer of `reduce`: tests again that the result fails and that it does not fail without any of
//! its pieces, and rebuilds the statements about files, sizes and pieces from the result.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_input::{Input, InputCandidate, LadderSettings, Languages, ReduceSearch, Snapshot};
use whodunit_run::{Ended, Key, Refutation, Stop};

use super::input::{joined, names, read_file};
use super::pieces::{AreAll, Cut, Piece};
use super::{ReduceError, language, proof, regions, setup};
use crate::answer::{
    Answer, FileAnswer, FolderAnswer, Isolation, Learned, Needed, Proof, Regions, Rerun, TextSize,
};
use crate::settings::{Certification, ReduceSettings, Surroundings};
use crate::verify::{Check, Claim, Claimed, Commands, Replay, Said, Verified, claimed, compare};

/// Tests the result of `answer` again, and each candidate that lacks one of its pieces, and compares the
/// statements of the answer with the outcome.
pub fn verify(
    (answer, commands): (&Answer, Commands),
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, ReduceError> {
    let settings = match &answer.shortened {
        Some(shortened) => shortened.settings(&answer.settings),
        None => answer.settings.clone(),
    };
    // Pieces are tested one after the other, regardless of the number of workers of the run.
    let settings = &ReduceSettings { jobs: 1, ..settings };
    let snapshot = Arc::new(read_files(&answer.files)?);
    let passing = answer.isolated.as_ref();
    let passing = passing.map(|isolated| read_files(&isolated.files)).transpose()?;
    let scratch = setup::scratch(settings, surroundings, &snapshot)?;
    let rule = answer.learned.rule(settings)?;
    let failure = match commands {
        Commands::OfTheAnswer => rule.describe(),
        Commands::OfTheUser => answer.learned.failure.clone(),
    };
    let files = answer.files.iter().map(|file| file.name.as_path().into()).collect();
    let replay = Replay {
        subject: Input,
        workers: setup::workers(settings, surroundings, &scratch, files, stop.clone())?,
        rule,
        limits: &answer.learned.limits,
        flaky: answer.learned.flaky.as_ref(),
        tracked: None,
    };
    let languages = language::load(settings, surroundings, &scratch, None)?;
    let mut ladder = settings.ladder(languages.clone())?;
    ladder.validity = super::validity(settings.valid, &snapshot, &ladder)?;
    let levels = answer.proof.levels.iter();
    let mut cuts: Vec<Cut> =
        levels.filter_map(|&level| Cut::at(level, &snapshot, &ladder)).collect();
    cuts.retain(|cut| cut.len() > 0 && !cut.is_partial());
    cuts.sort_by_key(Cut::level);
    cuts.dedup_by_key(|cut| cut.level());
    let claim = |what: String, of, claimed| Claimed { what, of, claimed };
    let is = |what: &str, of, verdict| claim(what.into(), of, Said::Is(verdict));
    let whole = is("the result", InputCandidate::whole(snapshot.clone()), Verdict::Fail);
    let passing = passing.map(|passing| {
        is("the input that passes", InputCandidate::whole(Arc::new(passing)), Verdict::Pass)
    });
    let left = answer.files.iter().filter_map(|file| file.path.as_ref());
    let paths: Vec<PathBuf> = left.map(|path| path.as_path().into()).collect();
    // Of a flaky test, the answer only says that it does not show the failure often enough.
    let is_exact = answer.learned.flaky.is_none() && commands == Commands::OfTheAnswer;
    let stated = answer.proof.needed.iter().filter(|_| is_exact);
    let stated: HashMap<Key, Verdict> =
        stated.map(|needed| (needed.key, needed.verdict.verdict())).collect();
    let without = |Piece { file, start, end, without, .. }: Piece| {
        let said = stated.get(&key(&without)).filter(|verdict| **verdict != Verdict::Fail);
        let what = format!("bytes {start}..{end} of {}", paths[file].display());
        claim(what, without, said.map_or(Said::NotFail, |verdict| Said::Is(*verdict)))
    };
    let pieces = cuts.iter().flat_map(Cut::pieces).map(without);
    let ends: Vec<_> = std::iter::once(whole).chain(passing).collect();
    let (first, total) = (ends.len(), cuts.iter().map(Cut::len).sum::<usize>() + ends.len());
    let claims =
        replay.run((ends.into_iter().chain(pieces), total), Ok::<_, ReduceError>, progress)?;
    let found = Found { answer, snapshot: &snapshot, ladder: &ladder, cuts: &cuts, is_exact };
    let again = found.again(failure, &claims[first..]);
    let differences = compare(answer, &again);
    Ok(Verified { claims, differences })
}

fn key(candidate: &InputCandidate) -> Key {
    whodunit_run::Subject::key(&Input, candidate)
}

/// Reads the files of an answer; an error if they have changed since.
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

/// A result and the data from which its answer is rebuilt.
struct Found<'a> {
    answer: &'a Answer,
    snapshot: &'a Arc<Snapshot>,
    ladder: &'a LadderSettings,
    /// The levels of the proof.
    cuts: &'a [Cut],
    /// Whether the reason why the result does not fail without a piece is the same each time.
    is_exact: bool,
}

impl Found<'_> {
    /// Rebuilds the answer from the result and the tests; `pieces` are the tests without each piece.
    fn again(&self, failure: String, pieces: &[Claim]) -> Answer {
        let stated = self.answer;
        let settings = &stated.settings;
        let size = TextSize::of(self.snapshot);
        let all = Cut::all(self.snapshot, self.ladder);
        let (files, folders) = files(settings, (&stated.files, &stated.folders));
        let isolated = stated.isolated.as_ref().map(|it| isolated(settings, it));
        Answer {
            ended: match stated.ended {
                Ended::Done if !self.is_done(all.as_ref()) => Ended::GaveUp,
                ended => ended,
            },
            failure: failure.clone(),
            files,
            folders,
            // The input may have changed since, but a result has at most as many tokens as its input.
            start: TextSize { tokens: stated.start.tokens.max(size.tokens), ..stated.start },
            size,
            proof: self.proof(pieces),
            isolated,
            regions: self.regions(all.as_ref()),
            learned: Learned { failure, ..stated.learned.clone() },
            ..stated.clone()
        }
    }

    /// Returns whether the answer proves everything that a finished run proves.
    fn is_done(&self, all: Option<&(Vec<Cut>, AreAll)>) -> bool {
        let (stated, search) = (self.answer, self.ladder.search);
        if search == ReduceSearch::Isolate && stated.isolated.is_none() {
            return self.snapshot.is_empty();
        }
        let is_whole = stated.settings.certify == Certification::Full
            && search.promises_each_needed()
            && !matches!(self.ladder.languages, Languages::Hierarchy(_));
        !is_whole
            || all.is_some_and(|(cuts, are_all)| {
                *are_all == AreAll::Yes && proof::is_complete(&stated.proof.levels, cuts)
            })
    }

    fn proof(&self, pieces: &[Claim]) -> Proof {
        let stated = &self.answer.proof;
        let levels: Vec<_> = self.cuts.iter().map(Cut::level).collect();
        let known: HashMap<Key, &Needed> = stated.needed.iter().map(|it| (it.key, it)).collect();
        let needed = self.cuts.iter().flat_map(Cut::pieces).zip(pieces).map(|(piece, claim)| {
            let key = key(&piece.without);
            let said = known.get(&key);
            // The claim already reports a test that fails.
            let shown = claim.shown.as_ref().filter(|it| self.is_exact && it.refutation.is_some());
            let seen = shown.and_then(|shown| shown.refutation.as_ref());
            let taken = said.filter(|_| shown.is_none()).map(|said| said.verdict.verdict());
            let verdict = match (taken, seen) {
                (Some(Verdict::Pass), _) | (None, Some(Refutation::NoFailure)) => Verdict::Pass,
                _ => Verdict::Unresolved,
            };
            let verdict = claimed(said.map(|said| said.verdict), verdict)
                .expect("a test in a clean folder supports a claim");
            // Other failures need not print the same words each time.
            let is_such = |said: &Refutation| {
                seen.is_none_or(|seen| std::mem::discriminant(seen) == std::mem::discriminant(said))
            };
            let because = said.and_then(|said| said.because.clone());
            let because = match because {
                Some(said) if !is_such(&said) => seen.cloned(),
                because => because,
            };
            proof::needed(&piece, key, verdict, because)
        });
        let verdict = claimed(stated.rerun.map(|rerun| rerun.verdict), Verdict::Fail);
        let is_rerun = stated.rerun.is_some() || self.answer.ended == Ended::Done;
        Proof {
            level: levels.last().copied(),
            levels,
            certify: self.answer.settings.certify,
            rerun: verdict.filter(|_| is_rerun).map(|verdict| Rerun { verdict }),
            needed: needed.collect(),
        }
    }

    /// Rebuilds the regions about which the answer says that the search asked.
    fn regions(&self, all: Option<&(Vec<Cut>, AreAll)>) -> Regions {
        let (stated, needed) = (&self.answer.regions, &self.answer.proof.needed);
        let is_known = !stated.listed.is_empty() || !needed.is_empty();
        let Some((cuts, _)) = all.filter(|_| is_known) else { return Regions::default() };
        let smaller = stated.listed.iter().flat_map(|region| &region.smaller);
        // Whether a candidate parses is found out again.
        let smaller = smaller.filter(|it| it.because != Refutation::DoesNotParse);
        let mut asked: HashMap<Key, Option<Refutation>> =
            needed.iter().map(|it| (it.key, it.because.clone())).collect();
        asked.extend(smaller.map(|it| (it.key, Some(it.because.clone()))));
        let found = regions::find(self.snapshot, cuts, &|key| asked.get(&key).cloned());
        // The answer has no evidence about regions that it does not list, so their number is copied.
        let more = if found.more == 0 { stated.more } else { found.more };
        Regions { more, ..found }
    }
}

/// Rebuilds files and folders from the settings.
fn files(
    settings: &ReduceSettings,
    (stated, folders): (&[FileAnswer], &[FolderAnswer]),
) -> (Vec<FileAnswer>, Vec<FolderAnswer>) {
    let names = names(settings);
    let input = |file: &FileAnswer| {
        let path = file.input.as_path();
        let inside = |input: &Path| path.strip_prefix(input).ok().map(Path::to_path_buf);
        let mut inputs = settings.inputs.iter().enumerate();
        let found = inputs.find_map(|(place, it)| Some((place, inside(it.as_path())?)));
        found.unwrap_or_default()
    };
    let places: Vec<(usize, PathBuf)> = stated.iter().map(input).collect();
    let again = stated.iter().zip(&places).map(|(file, (place, below))| FileAnswer {
        input: joined(settings.inputs[*place].as_path(), below).as_path().into(),
        name: joined(&names[*place], below).as_path().into(),
        path: file.path.clone().filter(|_| file.key.is_some()),
        key: file.key.filter(|_| file.path.is_some()),
        bytes_before: file.bytes_before,
        bytes: if file.path.is_some() { file.bytes } else { 0 },
    });
    let mut again_folders = Vec::new();
    for (place, input) in settings.inputs.iter().enumerate() {
        let of_folder = || {
            let files = stated.iter().zip(&places).filter(move |(_, of)| of.0 == place);
            files.map(|(file, (_, below))| (file, below))
        };
        if of_folder().all(|(_, below)| below.as_os_str().is_empty()) {
            continue;
        }
        let left = || of_folder().filter_map(|(file, below)| Some((file.path.as_ref()?, below)));
        let path = match left().next() {
            Some((path, below)) => path.as_path().ancestors().nth(below.components().count()),
            // If no file of a folder is left, only the answer knows the place of the folder.
            None => folders.iter().find(|it| it.input == *input).map(|it| it.path.as_path()),
        };
        again_folders.push(FolderAnswer {
            input: input.clone(),
            path: path.unwrap_or(Path::new("")).into(),
            files_before: of_folder().count() as u64,
            files: left().count() as u64,
        });
    }
    (again.collect(), again_folders)
}

/// Rebuilds the files and folders of the input that passes. Its difference from the result is copied.
fn isolated(settings: &ReduceSettings, stated: &Isolation) -> Isolation {
    let (files, folders) = files(settings, (&stated.files, &stated.folders));
    let verdict = claimed(Some(stated.verdict), Verdict::Pass).unwrap_or(stated.verdict);
    Isolation { files, folders, verdict, ..stated.clone() }
}
