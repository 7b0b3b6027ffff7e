//! What was typed about tests and searches for changes means this, for `changes` and `history`.

use std::path::Path;

use whodunit::Word;
use whodunit::changes::{ChangeGroup, ChangeLevel, ChangeSearch, HuntSettings};
use whodunit::oracle::quote;

use super::limit_settings;
use crate::args::{HuntArgs, HuntGroup, HuntLevel, HuntSearch};

/// Returns the settings that were typed in `folder`.
pub(super) fn hunt_settings(typed: HuntArgs, folder: &Path) -> HuntSettings {
    let HuntArgs { command, test, search, limits, output: _, out } = typed;
    HuntSettings {
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
            HuntSearch::Closure => ChangeSearch::Closure,
            HuntSearch::Dd => ChangeSearch::Dd,
            HuntSearch::DdPlus => ChangeSearch::DdPlus,
            HuntSearch::Ddmin => ChangeSearch::Ddmin,
            HuntSearch::Isolate => ChangeSearch::Isolate,
        },
        group: match search.group {
            HuntGroup::Location => ChangeGroup::Location,
            HuntGroup::Syntactic => ChangeGroup::Syntactic,
            HuntGroup::Lexical => ChangeGroup::Lexical,
            HuntGroup::Process => ChangeGroup::Process,
        },
        ordered: search.ordered,
        atomic: None,
        all: search.all,
        out: out.map(Word::from),
        jobs: search.jobs.count(),
        budget: search.budget.budget,
        max_tests: search.budget.max_tests,
        sandbox: limits.sandbox,
        variables: test.env,
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

/// Returns the flags that settings stand for.
pub(super) fn hunt_flags(how: &HuntSettings) -> Vec<String> {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let time = |time: std::time::Duration| quote(time.as_secs_f64().to_string().as_ref());
    let mut line = Vec::new();
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    how.build.iter().for_each(|build| flag("--build", text(build)));
    how.gates.iter().for_each(|gate| flag("--gate", text(gate)));
    how.clean.iter().for_each(|clean| flag("--clean", text(clean)));
    how.hint.iter().for_each(|hint| flag("--hint", text(hint)));
    let limits = &how.limits;
    limits.time.iter().for_each(|&limit| flag("--timeout", time(limit)));
    limits.memory.iter().for_each(|limit| flag("--memory", limit.to_string()));
    limits.output.iter().for_each(|limit| flag("--max-output", limit.to_string()));
    limits.processes.iter().for_each(|limit| flag("--max-processes", limit.to_string()));
    let chosen = [
        ("--level", level_word(how.level)),
        ("--search", search_word(how.search)),
        ("--group", group_word(how.group)),
    ];
    for (name, value) in chosen {
        value.iter().for_each(|&value| flag(name, value.to_owned()));
    }
    how.budget.iter().for_each(|&budget| flag("--budget", time(budget)));
    how.max_tests.iter().for_each(|tests| flag("--max-tests", tests.to_string()));
    how.variables.iter().for_each(|name| flag("--env", text(name)));
    how.out.iter().for_each(|out| flag("--out", word(out)));
    let switches = [
        (how.fresh, "--fresh"),
        (how.any_failure, "--any-failure"),
        (how.ordered, "--ordered"),
        (how.all, "--all"),
        (how.sandbox, "--sandbox"),
    ];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
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
