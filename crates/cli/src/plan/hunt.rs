//! Turns arguments about tests and searches for changes into settings, for `changes` and `history`.

use std::path::{Path, PathBuf};

use whodunit_exec::quote;
use whodunit_jobs::changes::{
    ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, VersionSettings,
};
use whodunit_run::Word;

use super::runner::one_test;
use super::{OneWordOf, check_one_word, flaky_flags, flaky_settings, limit_settings, sandbox_mode};
use crate::args::{HuntArgs, HuntGroup, HuntLevel, HuntSearch};
use crate::trouble::Usage;

/// Returns the settings for arguments that were typed in `folder`.
pub(super) fn hunt_settings(typed: HuntArgs, folder: &Path) -> VersionSettings {
    let HuntArgs { command, script: _, runner: _, test, search, limits, flaky, output: _, out } =
        typed;
    let mut settings = VersionSettings::new(folder, command);
    settings.with = test.with.into_iter().map(Word::from).collect();
    settings.configure = test.configure;
    settings.build = test.build;
    settings.build_cache = test.build_cache.map(Word::from);
    settings.gates = test.gate;
    settings.clean = test.clean;
    settings.fresh = test.fresh;
    settings.hint = test.hint;
    settings.any_failure = test.any_failure;
    settings.limits = limit_settings(&limits);
    settings.level = level(search.level);
    settings.search = match search.search {
        HuntSearch::Closure => ChangeSearch::Closure,
        HuntSearch::Dd => ChangeSearch::Dd,
        HuntSearch::DdPlus => ChangeSearch::DdPlus,
        HuntSearch::Ddmin => ChangeSearch::Ddmin,
        HuntSearch::Isolate => ChangeSearch::Isolate,
        HuntSearch::Halving => ChangeSearch::Halving,
        HuntSearch::HalvingFlat => ChangeSearch::HalvingFlat,
    };
    settings.group = ChangeGroups::new(search.group.into_iter().map(group));
    settings.ordered = search.ordered;
    settings.needs = search.needs;
    settings.needs_file = search.needs_file.map(Word::from);
    settings.all = search.all;
    settings.out = out.map(Word::from);
    settings.jobs = search.jobs.count();
    settings.budget = search.budget.budget;
    settings.max_tests = search.budget.max_tests;
    settings.sandbox = sandbox_mode(limits.sandbox);
    settings.variables = test.env;
    settings.flaky = flaky_settings(&flaky);
    settings
}

/// Checks that there is one test whose words can be a command; `missing` is the error if there is
/// none. Fills in the command of a test of a known runner, and returns the file that holds that
/// test.
pub(super) fn take_test(
    typed: &mut HuntArgs,
    folder: &Path,
    job: &'static str,
    missing: Usage,
) -> Result<Option<PathBuf>, Usage> {
    let mut file = None;
    match (one_test(&typed.runner, folder)?, typed.command.is_empty(), &typed.script) {
        (Some(one), true, None) => {
            typed.command = one.command;
            file = one.file;
        }
        (None, true, None) => return Err(missing),
        (None, true, Some(script)) => {
            return Err(Usage::ScriptOfReduce { job, script: quote(script) });
        }
        (None, false, None) => {}
        _ => return Err(Usage::TwoTests),
    }
    check_one_word(&typed.command, folder, OneWordOf::Version)?;
    Ok(file)
}

/// Why flags about changes have no effect with `--level commit`.
pub(super) const NO_CHANGES: &str = "only commits are searched, not their changes";

/// A flag, another flag, and why they exclude each other.
type Clash = (&'static str, &'static str, &'static str);

/// Returns an error for the first clash that is present.
pub(super) fn clashes(found: impl IntoIterator<Item = (bool, Clash)>) -> Result<(), Usage> {
    match found.into_iter().find(|(is_one, _)| *is_one) {
        Some((_, (flag, with, why))) => Err(Usage::Clash { flag, with, why }),
        None => Ok(()),
    }
}

/// Checks flags that exclude each other, in `changes` and in `history` alike. A flag that would be
/// ignored is an error, because nobody would notice.
pub(super) fn check(how: &VersionSettings) -> Result<(), Usage> {
    let is_commit = how.level == ChangeLevel::Commit;
    let is_grouped = !how.group.is_default();
    let has_needs = !how.needs.is_empty() || how.needs_file.is_some();
    let of_commit = |flag| (flag, "--level commit", NO_CHANGES);
    clashes([
        (is_commit && how.all, of_commit("--all")),
        (is_commit && how.ordered, of_commit("--ordered")),
        (is_commit && is_grouped, of_commit("--group")),
        (is_commit && has_needs, of_commit("--needs")),
        (how.ordered && how.all, ("--ordered", "--all", "an order has one cause, the first")),
    ])
}

fn group(typed: HuntGroup) -> ChangeGroup {
    match typed {
        HuntGroup::Location => ChangeGroup::Location,
        HuntGroup::Syntactic => ChangeGroup::Syntactic,
        HuntGroup::Lexical => ChangeGroup::Lexical,
        HuntGroup::Semantic => ChangeGroup::Semantic,
        HuntGroup::Process => ChangeGroup::Process,
    }
}

fn level(typed: HuntLevel) -> ChangeLevel {
    match typed {
        HuntLevel::Commit => ChangeLevel::Commit,
        HuntLevel::Directory => ChangeLevel::Directory,
        HuntLevel::File => ChangeLevel::File,
        HuntLevel::Item => ChangeLevel::Item,
        HuntLevel::Hunk => ChangeLevel::Hunk,
        HuntLevel::Line => ChangeLevel::Line,
        HuntLevel::Token => ChangeLevel::Token,
    }
}

/// Returns the flags that have the same meaning as some settings.
pub(super) fn hunt_flags(how: &VersionSettings) -> Vec<String> {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let time = |time: std::time::Duration| quote(time.as_secs_f64().to_string().as_ref());
    let mut line = Vec::new();
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    how.with.iter().for_each(|path| flag("--with", word(path)));
    how.configure.iter().for_each(|configure| flag("--configure", text(configure)));
    how.build.iter().for_each(|build| flag("--build", text(build)));
    how.build_cache.iter().for_each(|folder| flag("--build-cache", word(folder)));
    how.gates.iter().for_each(|gate| flag("--gate", text(gate)));
    how.clean.iter().for_each(|clean| flag("--clean", text(clean)));
    how.hint.iter().for_each(|hint| flag("--hint", text(hint)));
    let limits = &how.limits;
    limits.time.iter().for_each(|&limit| flag("--timeout", time(limit)));
    limits.memory.iter().for_each(|limit| flag("--memory", limit.to_string()));
    limits.output.iter().for_each(|limit| flag("--max-output", limit.to_string()));
    limits.processes.iter().for_each(|limit| flag("--max-processes", limit.to_string()));
    let chosen = [("--level", level_word(how.level)), ("--search", search_word(how.search))];
    for (name, value) in chosen {
        value.iter().for_each(|&value| flag(name, value.to_owned()));
    }
    if !how.group.is_default() {
        flag("--group", how.group.to_string());
    }
    how.needs.iter().for_each(|needs| flag("--needs", text(needs)));
    how.needs_file.iter().for_each(|file| flag("--needs-file", word(file)));
    how.budget.iter().for_each(|&budget| flag("--budget", time(budget)));
    how.max_tests.iter().for_each(|tests| flag("--max-tests", tests.to_string()));
    how.variables.iter().for_each(|name| flag("--env", text(name)));
    flaky_flags(&how.flaky, &mut flag);
    how.out.iter().for_each(|out| flag("--out", word(out)));
    let switches = [
        (how.fresh, "--fresh"),
        (how.any_failure, "--any-failure"),
        (how.ordered, "--ordered"),
        (how.all, "--all"),
    ];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    line.extend(how.sandbox.flag().map(str::to_owned));
    line
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
        ChangeSearch::Halving => Some("halving"),
        ChangeSearch::HalvingFlat => Some("halving_flat"),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use std::path::Path;

    use crate::args::{Command, Typed};
    use crate::plan;

    /// Every flag about the search for changes, with a value that is not the default.
    const FLAGS: [&str; 18] = [
        "--level commit",
        "--level file",
        "--level token",
        "--search dd",
        "--search dd_plus",
        "--search ddmin",
        "--search isolate",
        "--search halving",
        "--group syntactic",
        "--group lexical",
        "--group location,semantic",
        "--group process",
        "--all",
        "--ordered",
        "--atomic",
        "--hint hint",
        "--out out",
        "--also also",
    ];

    /// The pairs of flags that exclude each other; a flag paired with itself is not allowed at all.
    const REFUSED: [(&str, &[&str]); 2] = [
        (
            "changes",
            &[
                "--level commit & --search dd",
                "--level commit & --search dd_plus",
                "--level commit & --search ddmin",
                "--level commit & --search isolate",
                "--level commit & --search halving",
                "--level commit & --group syntactic",
                "--level commit & --group lexical",
                "--level commit & --group location,semantic",
                "--level commit & --group process",
                "--level commit & --all",
                "--level commit & --ordered",
                "--level commit & --atomic",
                "--level commit & --out out",
                "--level file & --atomic",
                "--level token & --atomic",
                "--search dd & --atomic",
                "--search ddmin & --atomic",
                "--search isolate & --atomic",
                "--search halving & --atomic",
                "--group syntactic & --atomic",
                "--group lexical & --atomic",
                "--group location,semantic & --atomic",
                "--group process & --atomic",
                "--all & --ordered",
                "--ordered & --atomic",
                "--also also & --also also",
            ],
        ),
        (
            "history",
            &[
                "--level commit & --group syntactic",
                "--level commit & --group lexical",
                "--level commit & --group location,semantic",
                "--level commit & --all",
                "--level commit & --also also",
                "--search dd & --search dd",
                "--search dd_plus & --search dd_plus",
                "--search isolate & --search isolate",
                "--group process & --group process",
                "--ordered & --ordered",
                "--atomic & --atomic",
            ],
        ),
    ];

    /// Returns whether a job accepts some flags.
    fn takes(job: &str, flags: &[&str]) -> bool {
        let versions = if job == "changes" { "old new" } else { "" };
        let line = format!("whodunit {job} {versions} {} -- test", flags.join(" "));
        let Ok(typed) = Typed::try_parse_from(line.split_whitespace()) else { return false };
        let folder = Path::new("/nowhere");
        match typed.command {
            Command::Changes(args) => plan::changes::settings(*args, folder).is_ok(),
            Command::History(args) => plan::history::settings(*args, folder).is_ok(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_are_heeded_or_refused() {
        for (job, refused) in REFUSED {
            let is_listed = |one, other| refused.contains(&&*format!("{one} & {other}"));
            let alone = |flag| !is_listed(flag, flag);
            for (place, one) in FLAGS.iter().enumerate() {
                assert_eq!(takes(job, &[one]), alone(one), "{job} {one}");
                for other in &FLAGS[place + 1..] {
                    // A flag can be given only once.
                    if one.split(' ').next() == other.split(' ').next() {
                        continue;
                    }
                    let expected = alone(one) && alone(other) && !is_listed(one, other);
                    assert_eq!(takes(job, &[one, other]), expected, "{job} {one} {other}");
                }
            }
        }
    }
}
