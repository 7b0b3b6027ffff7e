//! What was typed after `whodunit changes` means this.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use whodunit::Word;
use whodunit::changes::{ChangeGroup, ChangeLevel, ChangeSearch, ChangesSettings, HuntSettings};
use whodunit::oracle::quote;

use super::limit_settings;
use crate::args::{ChangesArgs, ChangesGroup, ChangesLevel, ChangesSearch};
use crate::trouble::Usage;

/// What the bad version is called if none is given.
const BAD: &str = "HEAD";

/// Returns the settings that were typed in `folder`.
pub(crate) fn settings(typed: ChangesArgs, folder: &Path) -> Result<ChangesSettings, Usage> {
    let ChangesArgs { good, bad, command, test, search, limits, output: _, pages: _, out } = typed;
    let (good, bad) = ends(good, bad, folder)?;
    if command.is_empty() {
        return Err(Usage::NoChangesTest);
    }
    let how = HuntSettings {
        origin: folder.into(),
        test: command.into_iter().map(Word::from).collect(),
        build: test.build,
        gates: test.gate,
        clean: test.clean,
        fresh: test.fresh,
        hint: test.hint,
        any_failure: test.any_failure,
        limits: limit_settings(&limits),
        level: level(search.level),
        search: match search.search {
            ChangesSearch::Closure => ChangeSearch::Closure,
            ChangesSearch::Dd => ChangeSearch::Dd,
            ChangesSearch::DdPlus => ChangeSearch::DdPlus,
            ChangesSearch::Ddmin => ChangeSearch::Ddmin,
            ChangesSearch::Isolate => ChangeSearch::Isolate,
        },
        group: match search.group {
            ChangesGroup::Location => ChangeGroup::Location,
            ChangesGroup::Syntactic => ChangeGroup::Syntactic,
            ChangesGroup::Lexical => ChangeGroup::Lexical,
            ChangesGroup::Process => ChangeGroup::Process,
        },
        ordered: search.ordered,
        all: search.all,
        out: out.map(Word::from),
        jobs: search.jobs.count(),
        budget: search.budget.budget,
        max_tests: search.budget.max_tests,
        sandbox: limits.sandbox,
        variables: test.env,
        cache: !search.no_cache,
    };
    Ok(ChangesSettings { good: good.into(), bad: bad.into(), how })
}

fn level(typed: ChangesLevel) -> ChangeLevel {
    match typed {
        ChangesLevel::Commit => ChangeLevel::Commit,
        ChangesLevel::Directory => ChangeLevel::Directory,
        ChangesLevel::File => ChangeLevel::File,
        ChangesLevel::Item => ChangeLevel::Item,
        ChangesLevel::Hunk => ChangeLevel::Hunk,
        ChangesLevel::Line => ChangeLevel::Line,
        ChangesLevel::Token => ChangeLevel::Token,
    }
}

/// Returns the good version and the bad one. `GOOD..BAD` names both unless there is such a file.
fn ends(
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

/// Splits `GOOD..BAD`, where an empty side means the default. Three dots mean something else.
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

/// Returns the command line that settings stand for.
pub(crate) fn command_line(settings: &ChangesSettings) -> String {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let time = |time: std::time::Duration| quote(time.as_secs_f64().to_string().as_ref());
    let mut line = vec!["whodunit changes".to_owned()];
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    settings.how.build.iter().for_each(|build| flag("--build", text(build)));
    settings.how.gates.iter().for_each(|gate| flag("--gate", text(gate)));
    settings.how.clean.iter().for_each(|clean| flag("--clean", text(clean)));
    settings.how.hint.iter().for_each(|hint| flag("--hint", text(hint)));
    let limits = &settings.how.limits;
    limits.time.iter().for_each(|&limit| flag("--timeout", time(limit)));
    limits.memory.iter().for_each(|limit| flag("--memory", limit.to_string()));
    limits.output.iter().for_each(|limit| flag("--max-output", limit.to_string()));
    limits.processes.iter().for_each(|limit| flag("--max-processes", limit.to_string()));
    let chosen = [
        ("--level", level_word(settings.how.level)),
        ("--search", search_word(settings.how.search)),
        ("--group", group_word(settings.how.group)),
    ];
    for (name, value) in chosen {
        value.iter().for_each(|&value| flag(name, value.to_owned()));
    }
    settings.how.budget.iter().for_each(|&budget| flag("--budget", time(budget)));
    settings.how.max_tests.iter().for_each(|tests| flag("--max-tests", tests.to_string()));
    settings.how.variables.iter().for_each(|name| flag("--env", text(name)));
    settings.how.out.iter().for_each(|out| flag("--out", word(out)));
    let switches = [
        (settings.how.fresh, "--fresh"),
        (settings.how.any_failure, "--any-failure"),
        (settings.how.ordered, "--ordered"),
        (settings.how.all, "--all"),
        (settings.how.sandbox, "--sandbox"),
        (!settings.how.cache, "--no-cache"),
    ];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    line.extend([word(&settings.good), word(&settings.bad), "--".into()]);
    line.extend(settings.how.test.iter().map(word));
    line.join(" ")
}

/// Returns the word for a level unless it is the default.
fn level_word(level: ChangeLevel) -> Option<&'static str> {
    match level {
        ChangeLevel::Commit => Some("commit"),
        ChangeLevel::Directory => Some("directory"),
        ChangeLevel::File => Some("file"),
        ChangeLevel::Item => Some("item"),
        ChangeLevel::Hunk => Some("hunk"),
        ChangeLevel::Line => None,
        ChangeLevel::Token => Some("token"),
    }
}

fn search_word(search: ChangeSearch) -> Option<&'static str> {
    match search {
        ChangeSearch::Closure => None,
        ChangeSearch::Dd => Some("dd"),
        ChangeSearch::DdPlus => Some("dd_plus"),
        ChangeSearch::Ddmin => Some("ddmin"),
        ChangeSearch::Isolate => Some("isolate"),
    }
}

fn group_word(group: ChangeGroup) -> Option<&'static str> {
    match group {
        ChangeGroup::Location => None,
        ChangeGroup::Syntactic => Some("syntactic"),
        ChangeGroup::Lexical => Some("lexical"),
        ChangeGroup::Process => Some("process"),
    }
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
