//! What was typed after `whodunit history` means this.

use std::ffi::OsString;
use std::path::Path;

use whodunit::Word;
use whodunit::history::HistorySettings;
use whodunit::oracle::quote;

use super::hunt::{hunt_flags, hunt_settings};
use crate::args::{HistoryArgs, HuntGroup};
use crate::trouble::Usage;

/// The repository of the current folder.
const HERE: &str = ".";

/// Returns the settings that were typed in `folder`.
pub(crate) fn settings(typed: HistoryArgs, folder: &Path) -> Result<HistorySettings, Usage> {
    let HistoryArgs { place, versions, carried, hunt, pages: _ } = typed;
    if hunt.command.is_empty() {
        return Err(Usage::NoHistoryTest);
    }
    if matches!(hunt.search.group, HuntGroup::Process) {
        return Err(Usage::NoProcess);
    }
    let words = |typed: Vec<OsString>| typed.into_iter().map(Word::from).collect();
    Ok(HistorySettings {
        place: place.unwrap_or_else(|| HERE.into()).into(),
        good: versions.good,
        since: versions.since,
        until: versions.until,
        paths: words(versions.path),
        is_linear: versions.linear,
        all_parents: versions.all_parents,
        overlay: words(carried.overlay),
        protect: carried.protect.map(Word::from),
        also: carried.also,
        how: hunt_settings(hunt, folder),
    })
}

/// Returns the command line that settings stand for.
pub(crate) fn command_line(settings: &HistorySettings) -> String {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let mut line = vec!["whodunit history".to_owned()];
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    settings.good.iter().for_each(|good| flag("--good", text(good)));
    settings.since.iter().for_each(|since| flag("--since", text(since)));
    settings.until.iter().for_each(|until| flag("--until", text(until)));
    settings.paths.iter().for_each(|path| flag("--path", word(path)));
    settings.overlay.iter().for_each(|path| flag("--overlay", word(path)));
    settings.protect.iter().for_each(|file| flag("--protect", word(file)));
    settings.also.iter().for_each(|also| flag("--also", text(also)));
    let switches = [(settings.is_linear, "--linear"), (settings.all_parents, "--all-parents")];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    line.extend(hunt_flags(&settings.how));
    if settings.place.as_path() != Path::new(HERE) {
        line.push(word(&settings.place));
    }
    line.push("--".into());
    line.extend(settings.how.test.iter().map(word));
    line.join(" ")
}
