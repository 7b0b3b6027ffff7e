//! Turns arguments of `whodunit changes` into settings.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use whodunit_exec::quote;
use whodunit_jobs::changes::{ChangeLevel, ChangeSearch, ChangesSettings, VersionSettings};
use whodunit_run::Word;

use super::atomic::{suspect_flags, suspect_settings};
use super::hunt::{NO_CHANGES, check, clashes, hunt_flags, hunt_settings, take_test};
use crate::args::ChangesArgs;
use crate::trouble::Usage;

/// The default bad version.
const BAD: &str = "HEAD";

/// Returns the settings for arguments that were typed in `folder`.
pub(crate) fn settings(typed: ChangesArgs, folder: &Path) -> Result<ChangesSettings, Usage> {
    let ChangesArgs { good, bad, old_tests, mut hunt, atomic, pages: _ } = typed;
    let (good, bad) = ends(good, bad, folder)?;
    let file = take_test(&mut hunt, folder, "changes", Usage::NoChangesTest)?;
    hunt.test.with.extend(file);
    let mut how = hunt_settings(hunt, folder);
    how.old_tests = old_tests.then(|| good.clone().into());
    how.atomic = atomic.chosen().map(suspect_settings).transpose()?;
    check(&how)?;
    check_commit(&how)?;
    check_atomic(&how)?;
    Ok(ChangesSettings::new(good, bad, how))
}

/// Checks that a search for a commit is not asked for things that only a search for changes can
/// do.
fn check_commit(how: &VersionSettings) -> Result<(), Usage> {
    let is_commit = how.level == ChangeLevel::Commit;
    let clash = |flag, why| (flag, "--level commit", why);
    clashes([
        (is_commit && how.search != ChangeSearch::Closure, clash("--search", NO_CHANGES)),
        (is_commit && how.out.is_some(), clash("--out", "there are no patches to write")),
    ])
}

/// Checks that a search can go through atomic changes.
fn check_atomic(how: &VersionSettings) -> Result<(), Usage> {
    use ChangeLevel::{Item, Line};
    use ChangeSearch::{Closure, DdPlus};
    let is_atomic = how.atomic.is_some();
    let clash = |flag, why| (flag, "--atomic", why);
    let (levels, searches) = ([Item, Line], [Closure, DdPlus]);
    clashes([
        (
            is_atomic && !levels.contains(&how.level),
            clash("--level", "its phases end with `item` or `line`"),
        ),
        (
            is_atomic && !searches.contains(&how.search),
            clash("--search", "its phases search with `closure` or `dd_plus`"),
        ),
        (
            is_atomic && !how.group.is_default(),
            clash("--group", "its phases group changes by what they are part of"),
        ),
        (is_atomic && how.ordered, clash("--ordered", "its phases have an order of their own")),
    ])
}

/// Returns the good version and the bad one. `GOOD..BAD` names both unless there is such a file.
pub(super) fn ends(
    good: OsString,
    bad: Option<OsString>,
    folder: &Path,
) -> Result<(OsString, OsString), Usage> {
    match (range(&good).filter(|_| !folder.join(&good).exists()), bad) {
        (Some(_), Some(bad)) => {
            let (good, bad) = (good.to_string_lossy().into(), bad.to_string_lossy().into());
            Err(Usage::RangeAndVersion { range: good, version: bad })
        }
        (Some(both), None) => Ok(both),
        (None, Some(bad)) => Ok((good, bad)),
        (None, None) => Ok((good, BAD.into())),
    }
}

/// Splits `GOOD..BAD`, where an empty side means the default. Three dots have another meaning.
fn range(text: &OsStr) -> Option<(OsString, OsString)> {
    let bytes = text.as_bytes();
    let dots = bytes.windows(2).position(|pair| pair == b"..")?;
    let (good, bad) = (&bytes[..dots], &bytes[dots + 2..]);
    let is_path = good.is_empty() || bad.first().is_some_and(|byte| b"./".contains(byte));
    let side = |bytes: &[u8]| match bytes {
        [] => BAD.into(),
        bytes => OsStr::from_bytes(bytes).to_owned(),
    };
    (!is_path).then(|| (side(good), side(bad)))
}

/// Returns the command line that has the same meaning as some settings.
pub(crate) fn command_line(settings: &ChangesSettings) -> String {
    let word = |word: &Word| quote(word.as_os_str());
    let mut line = vec!["whodunit changes".to_owned()];
    line.extend(hunt_flags(&settings.how));
    line.extend(settings.how.old_tests.iter().map(|_| "--old-tests".to_owned()));
    line.extend(settings.how.atomic.iter().flat_map(suspect_flags));
    line.extend([word(&settings.good), word(&settings.bad), "--".into()]);
    line.extend(settings.how.test.iter().map(word));
    line.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(good: &str, bad: Option<&str>) -> Option<(String, String)> {
        let ends = ends(good.into(), bad.map(OsString::from), Path::new("/nowhere")).ok()?;
        Some((ends.0.into_string().unwrap(), ends.1.into_string().unwrap()))
    }

    #[test]
    fn a_range_names_both_versions_and_the_bad_one_can_be_left_out() {
        let both = |good: &str, bad: &str| Some((good.to_owned(), bad.to_owned()));
        assert_eq!(named("v1..v2", None), both("v1", "v2"));
        assert_eq!(named("v1..", None), both("v1", "HEAD"));
        assert_eq!(named("v1", None), both("v1", "HEAD"));
        assert_eq!(named("v1.4", Some("v1.5")), both("v1.4", "v1.5"));
        assert_eq!(named("v1..v2", Some("v3")), None);
    }

    #[test]
    fn paths_and_three_dots_are_no_ranges() {
        let both = |good: &str, bad: &str| Some((good.to_owned(), bad.to_owned()));
        assert_eq!(named("../old", Some("../new")), both("../old", "../new"));
        assert_eq!(named("a/../old", Some("new")), both("a/../old", "new"));
        assert_eq!(named("v1...v2", None), both("v1...v2", "HEAD"));
    }
}
