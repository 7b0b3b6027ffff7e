//! Turns arguments about atomic changes into settings.

use std::path::Path;

use whodunit_exec::quote;
use whodunit_jobs::atomic::{AtomicSettings, RankBy};
use whodunit_jobs::listing::AtomsSettings;
use whodunit_run::Word;

use super::changes::ends;
use crate::args::{AtomsArgs, Rank, SuspectArgs};
use crate::trouble::Usage;

/// Returns the settings of `whodunit atoms` for each pair of versions that were typed in `folder`.
pub(crate) fn settings(typed: AtomsArgs, folder: &Path) -> Result<Vec<AtomsSettings>, Usage> {
    let AtomsArgs { old, mut new, kinds, tests, old_tests, suspects, output: _ } = typed;
    if new.len() > 1 && !kinds {
        return Err(Usage::ManyVersions);
    }
    let more = new.split_off(new.len().min(1));
    let (old, new) = ends(old, new.pop(), folder)?;
    let suspects = match tests {
        true => Ok(settings_of(suspects)),
        false => suspect_settings(suspects),
    }?;
    let versions: Vec<Word> = [old, new].into_iter().chain(more).map(Word::from).collect();
    let pair = |pair: &[Word]| AtomsSettings {
        origin: folder.into(),
        old: pair[0].clone(),
        new: pair[1].clone(),
        suspects: suspects.clone(),
        tests,
        old_tests,
    };
    Ok(versions.windows(2).map(pair).collect())
}

/// Returns the settings about the failing test and others.
pub(super) fn suspect_settings(typed: SuspectArgs) -> Result<AtomicSettings, Usage> {
    match typed.junit.is_empty() && !typed.test_coverage.is_empty() {
        true => Err(Usage::NoReports),
        false => Ok(settings_of(typed)),
    }
}

fn settings_of(typed: SuspectArgs) -> AtomicSettings {
    let words = |paths: Vec<_>| paths.into_iter().map(Word::from).collect();
    let mut settings = AtomicSettings::default();
    settings.entries = typed.entry;
    settings.coverage = words(typed.coverage);
    settings.reports = words(typed.junit);
    settings.test_coverage = words(typed.test_coverage);
    settings.rank = match typed.rank {
        Rank::Share => RankBy::Share,
        Rank::Ochiai => RankBy::Ochiai,
    };
    settings
}

/// Returns the flags that have the same meaning as some settings.
pub(super) fn suspect_flags(settings: &AtomicSettings) -> Vec<String> {
    let AtomicSettings { entries, coverage, reports, test_coverage, rank, .. } = settings;
    let mut line = vec!["--atomic".to_owned()];
    line.extend(entries.iter().map(|name| format!("--entry {}", quote(name.as_ref()))));
    let files =
        [("--coverage", coverage), ("--junit", reports), ("--test-coverage", test_coverage)];
    for (flag, words) in files {
        line.extend(words.iter().map(|word| format!("{flag} {}", quote(word.as_os_str()))));
    }
    line.extend((*rank == RankBy::Ochiai).then(|| "--rank ochiai".to_owned()));
    line
}
