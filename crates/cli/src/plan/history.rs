//! Turns arguments of `whodunit history` into settings.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use whodunit_exec::quote;
use whodunit_jobs::changes::{ChangeGroup, ChangeLevel, ChangeSearch, VersionSettings};
use whodunit_jobs::history::HistorySettings;
use whodunit_run::Word;

use super::hunt::{check, clashes, hunt_flags, hunt_settings, take_test};
use super::runner::committed;
use crate::args::HistoryArgs;
use crate::trouble::Usage;

/// The repository of the current folder.
const HERE: &str = ".";

/// Returns the settings for arguments that were typed in `folder`.
pub(crate) fn settings(typed: HistoryArgs, folder: &Path) -> Result<HistorySettings, Usage> {
    let HistoryArgs { place, versions, mut carried, mut hunt, pages: _ } = typed;
    let file = take_test(&mut hunt, folder, "history", Usage::NoHistoryTest)?;
    // Uncommitted files are carried anyway.
    let file = file.and_then(|file| committed(&file, folder));
    carried.overlay.extend(file.map(OsString::from_vec));
    check_place(place.as_deref(), folder)?;
    let how = hunt_settings(hunt, folder);
    check_history(&how)?;
    check(&how)?;
    let is_commit = how.level == ChangeLevel::Commit;
    let no_fix = "no fix is looked for that it could be run with";
    clashes([(is_commit && carried.also.is_some(), ("--also", "--level commit", no_fix))])?;
    let words = |typed: Vec<OsString>| typed.into_iter().map(Word::from).collect();
    let mut settings = HistorySettings::new(place.unwrap_or_else(|| HERE.into()), how);
    settings.good = versions.good;
    settings.since = versions.since;
    settings.until = versions.until;
    settings.paths = words(versions.path);
    settings.cvs_window = versions.cvs_window;
    settings.cvs_any_author = versions.cvs_any_author;
    settings.is_linear = versions.linear;
    settings.all_parents = versions.all_parents;
    settings.overlay = words(carried.overlay);
    settings.protect = carried.protect.map(Word::from);
    settings.also = carried.also;
    settings.memcheck = carried.memcheck;
    Ok(settings)
}

/// Checks that the history is a place, and not a version of it.
fn check_place(place: Option<&OsStr>, folder: &Path) -> Result<(), Usage> {
    let Some(place) = place else { return Ok(()) };
    let text = place.to_string_lossy();
    let is_address = text.starts_with(':') || text.contains("://");
    match is_address || folder.join(place).exists() {
        true => Ok(()),
        false => Err(Usage::NoPlace(quote(place))),
    }
}

/// Checks that only things are asked for that `history` can do.
fn check_history(how: &VersionSettings) -> Result<(), Usage> {
    let refuse = |flag, why| Err(Usage::NotHistory { flag, why });
    match how {
        VersionSettings { group, .. } if group.contains(ChangeGroup::Process) => refuse(
            "--group process",
            "it puts the changes of a commit together, and `history` looks into one",
        ),
        VersionSettings { needs, needs_file, .. } if !needs.is_empty() || needs_file.is_some() => {
            refuse("--needs", "a place in one version is none in the others")
        }
        VersionSettings { ordered: true, .. } => {
            refuse("--ordered", "what is carried to other versions is no row of changes")
        }
        VersionSettings {
            search: ChangeSearch::Dd | ChangeSearch::DdPlus | ChangeSearch::Isolate,
            ..
        } => refuse(
            "this --search",
            "what is carried back is searched with `closure`, `ddmin`, `halving` or `halving_flat`",
        ),
        _ => Ok(()),
    }
}

/// Returns the command line that has the same meaning as some settings.
pub(crate) fn command_line(settings: &HistorySettings) -> String {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let mut line = vec!["whodunit history".to_owned()];
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    settings.good.iter().for_each(|good| flag("--good", text(good)));
    settings.since.iter().for_each(|since| flag("--since", text(since)));
    settings.until.iter().for_each(|until| flag("--until", text(until)));
    settings.paths.iter().for_each(|path| flag("--path", word(path)));
    let seconds = |window: std::time::Duration| format!("{}s", window.as_secs());
    settings.cvs_window.iter().for_each(|&window| flag("--cvs-window", seconds(window)));
    settings.overlay.iter().for_each(|path| flag("--overlay", word(path)));
    settings.protect.iter().for_each(|file| flag("--protect", word(file)));
    settings.also.iter().for_each(|also| flag("--also", text(also)));
    let memcheck = settings.memcheck.iter();
    line.extend(memcheck.map(|memcheck| format!("--memcheck={}", text(memcheck))));
    let switches = [
        (settings.cvs_any_author, "--cvs-any-author"),
        (settings.is_linear, "--linear"),
        (settings.all_parents, "--all-parents"),
    ];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    line.extend(hunt_flags(&settings.how));
    if settings.place.as_path() != Path::new(HERE) {
        line.push(word(&settings.place));
    }
    line.push("--".into());
    line.extend(settings.how.test.iter().map(word));
    line.join(" ")
}
