//! Asks before it runs the commands of a file that somebody else may have written.
//!
//! An answer and a journal name the commands that are run. The user's own files are recognised
//! by their journal; the commands of any other file are shown, and run only if the user agrees.

use std::io::{self, BufRead, IsTerminal};

use whodunit_exec::quote;
use whodunit_jobs::changes::VersionSettings;
use whodunit_jobs::foreign::Source;
use whodunit_jobs::history::HistorySettings;
use whodunit_jobs::reduce::{
    Destination, LanguageSettings, ReduceSettings, Shortened, Test, is_yacc,
};
use whodunit_jobs::settings::SandboxMode;
use whodunit_run::Word;

use crate::args::TrustArgs;
use crate::output::{self, WARNING, inert};
use crate::plan::sandbox_mode;
use crate::trouble::Trouble;

/// A file that names commands to run.
pub(crate) struct Foreign<'a> {
    /// The file or run, as the user calls it.
    pub(crate) name: String,
    /// Why it is not known to be the user's own.
    pub(crate) why: &'static str,
    pub(crate) args: &'a TrustArgs,
    /// Whether the user has given commands to run instead.
    pub(crate) has_own_commands: bool,
    pub(crate) quiet: bool,
}

/// The things that a file makes whodunit run, load or open: the kind of each, and its text.
pub(crate) type Demands = Vec<(&'static str, String)>;

impl Foreign<'_> {
    /// Shows what would be run; succeeds only if the user agrees.
    pub(crate) fn confirm(&self, demands: &Demands) -> Result<(), Trouble> {
        if self.has_own_commands || (self.args.trust && self.quiet) {
            return Ok(());
        }
        output::note(&self.shown(demands));
        if self.args.trust || self.is_agreed() {
            return Ok(());
        }
        Err(Trouble::Untrusted(self.name.clone()))
    }

    fn shown(&self, demands: &Demands) -> String {
        let mut text = format!(
            "{WARNING}warning:{WARNING:#} `{}` {}; it makes whodunit use:",
            inert(&self.name),
            self.why
        );
        for (what, line) in demands {
            text.push_str(&format!("\n  {what:<9} {}", inert(line)));
        }
        text
    }

    /// Asks on the terminal, if there is one.
    fn is_agreed(&self) -> bool {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return false;
        }
        output::note("run these commands? y or n, then Enter");
        let mut line = String::new();
        let is_read = io::stdin().lock().read_line(&mut line).is_ok();
        is_read && matches!(line.trim(), "y" | "Y" | "yes")
    }
}

/// Returns why an answer is not known to be the user's own; `None` if it is.
pub(crate) fn why_foreign(source: Source) -> Option<&'static str> {
    match source {
        Source::OwnRun => None,
        Source::NoJournal => Some("does not come from a run of yours on this machine"),
        Source::OtherJournal => Some("is not what the journal of its run says"),
        Source::OpenJournal => Some("comes from a run whose journal others can have written"),
    }
}

/// Returns how the tests of a file are confined.
pub(crate) fn mode(args: &TrustArgs, is_foreign: bool, given: SandboxMode) -> SandboxMode {
    match args.sandbox {
        Some(typed) => sandbox_mode(typed),
        None if is_foreign && !given.is_on() => SandboxMode::Enforce,
        None => given,
    }
}

/// Lists the things that settings of `reduce` make whodunit use.
pub(crate) fn of_reduce(settings: &ReduceSettings, shortened: Option<&Shortened>) -> Demands {
    let mut demands = vec![("folder", word(&settings.origin))];
    demands.push((
        "test",
        match (&settings.test, shortened) {
            (Test::Command(_), Some(shortened)) => line(&shortened.words),
            (Test::Command(words), None) => line(words),
            (Test::Script(script), _) => word(script),
        },
    ));
    demands.extend(settings.gates.iter().map(|gate| ("gate", gate.clone())));
    if let LanguageSettings::Grammar { path, .. } = &settings.language {
        let is_data = is_yacc(path.as_path());
        demands.push((if is_data { "reads" } else { "loads" }, word(path)));
    }
    demands
}

/// Lists the files that settings of `reduce` make `resume` read and write.
pub(crate) fn files_of_reduce(settings: &ReduceSettings) -> Demands {
    let mut demands: Demands = settings.inputs.iter().map(|input| ("reads", word(input))).collect();
    match &settings.destination {
        Destination::At(place) => demands.push(("writes", word(place))),
        Destination::InPlace => {
            demands.extend(settings.inputs.iter().map(|input| ("writes", word(input))));
        }
        Destination::Beside => demands.push(("writes", "beside what it reads".to_owned())),
    }
    demands.extend(settings.keep_tests.iter().map(|folder| ("writes", word(folder))));
    demands
}

/// Lists the files that settings of `changes` and `history` make `resume` write.
pub(crate) fn files_of_hunt(how: &VersionSettings) -> Demands {
    how.out.iter().map(|folder| ("writes", word(folder))).collect()
}

/// Lists the things that settings of `changes` make whodunit use.
pub(crate) fn of_changes(good: &Word, bad: &Word, how: &VersionSettings) -> Demands {
    let mut demands = of_hunt(how);
    demands.extend([("version", word(good)), ("version", word(bad))]);
    demands
}

/// Lists the things that settings of `history` make whodunit use.
pub(crate) fn of_history(settings: &HistorySettings) -> Demands {
    let mut demands = of_hunt(&settings.how);
    demands.push(("history", word(&settings.place)));
    demands.extend(settings.memcheck.iter().map(|line| ("memcheck", line.clone())));
    demands.extend(settings.also.iter().map(|also| ("also", also.clone())));
    demands
}

fn of_hunt(how: &VersionSettings) -> Demands {
    let mut demands = vec![("folder", word(&how.origin)), ("test", line(&how.test))];
    demands.extend(how.gates.iter().map(|gate| ("gate", gate.clone())));
    demands.extend(how.configure.iter().map(|configure| ("configure", configure.clone())));
    demands.extend(how.build.iter().map(|build| ("build", build.clone())));
    demands.extend(how.build_cache.iter().map(|folder| ("builds", word(folder))));
    demands.extend(how.clean.iter().map(|clean| ("clean", clean.clone())));
    demands.extend(how.hint.iter().map(|hint| ("hint", hint.clone())));
    demands.extend(how.with.iter().map(|with| ("with", word(with))));
    demands
}

fn word(word: &Word) -> String {
    quote(word.as_os_str())
}

fn line(words: &[Word]) -> String {
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}
