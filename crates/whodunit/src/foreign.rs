//! Checks of answers and journals that somebody else may have written, before they are used.
//!
//! An answer names the commands that replay its proof, so its author decides which programs run.
//! The answer of a run of this user on this machine is recognised by the journal of that run; every
//! other answer is data that is checked here and confirmed by the user before anything is run.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use whodunit_exec::{StageLimits, quote};
use whodunit_run::{Limits, Word};

use crate::answer::{Answer, ChangesAnswer, FileAnswer, HistoryAnswer, SCHEMA};
use crate::event::Event;
use crate::journal::Runs;
use crate::settings::{Test, VersionSettings};

/// Longest time that a test of an answer may ask for. Builds of the largest programs take hours;
/// beyond a week nobody waits for the end.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A run of this user on this machine: its journal is here and agrees.
    OwnRun,
    /// There is no journal of such a run here.
    NoJournal,
    /// The journal of the run disagrees.
    OtherJournal,
    /// Other users could have written the journal of the run.
    OpenJournal,
}

/// Finds out where an answer comes from. The journal must contain the whole answer, because its
/// patches are run as well, as parts of the versions.
pub fn source(answer: &Value, runs: &Runs) -> Source {
    let Some(run) = answer.get("run").and_then(Value::as_str) else { return Source::NoJournal };
    match runs.is_private(run) {
        Ok(true) => {}
        Ok(false) => return Source::OpenJournal,
        Err(_) => return Source::NoJournal,
    }
    let Ok(events) = runs.read(run) else { return Source::NoJournal };
    let finished = events.iter().rev().find_map(|event| match event {
        Event::Finished { answer } => serde_json::to_value(answer).ok(),
        Event::ChangesFinished { answer } => serde_json::to_value(answer).ok(),
        Event::HistoryFinished { answer } => serde_json::to_value(answer).ok(),
        _ => None,
    });
    if finished.as_ref() == Some(answer) { Source::OwnRun } else { Source::OtherJournal }
}

/// Why an answer cannot be used, no matter where it comes from.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswer {
    /// A file would be written outside the folder of the test.
    #[error("`{}` is not the name of a file in the folder of a test", .0.display())]
    Name(PathBuf),
    /// It may mean something else than it seems to.
    #[error("its `schema` is {0}, and this program reads {SCHEMA}")]
    Schema(u32),
    /// There is nothing to run.
    #[error("it does not say what to run")]
    NoCommand,
    /// There is nothing to run it on.
    #[error("it has no input")]
    NoInput,
    /// The command that people read differs from the command that would run.
    #[error("it says that it runs `{said}`, and would run `{run}`")]
    OtherCommand {
        /// The readable command.
        said: String,
        /// The one in the settings.
        run: String,
    },
    /// Two statements of the answer, about its size or about its proof, contradict each other.
    #[error("it contradicts itself about {0}")]
    Contradiction(&'static str),
    /// A limit is too large.
    #[error("a test may not ask for {0:?}")]
    Time(Duration),
}

impl Answer {
    /// Checks that the answer names only files that may be written, names the command that it runs,
    /// and sets no excessive limits.
    pub fn check(&self) -> Result<(), BadAnswer> {
        check_schema(self.schema)?;
        if self.settings.inputs.is_empty() || self.files.is_empty() {
            return Err(BadAnswer::NoInput);
        }
        let names = self.files.iter().map(|file| file.name.as_path().to_path_buf());
        for name in names.chain(self.settings.names()) {
            check_name(&name)?;
        }
        let given = match &self.settings.test {
            Test::Command(words) => words,
            Test::Script(script) => std::slice::from_ref(script),
        };
        // The shortened command is the one that runs, so it must be a part of the command that
        // people read.
        let left = self.shortened.as_ref().map_or(given, |shortened| &shortened.words);
        if left.is_empty() || !is_part(left, given) {
            return Err(BadAnswer::NoCommand);
        }
        let origin = self.settings.origin.as_path();
        for said in [&self.command, &self.learned.command] {
            check_command(said, &[given, left], origin)?;
        }
        self.check_figures()?;
        check_limits(&self.learned.limits)
    }

    /// Checks that the figures which people read follow from the verified ones.
    fn check_figures(&self) -> Result<(), BadAnswer> {
        let bytes = |size: fn(&FileAnswer) -> u64| self.files.iter().map(size).sum::<u64>();
        let is_size = self.size.bytes == bytes(|it| it.bytes);
        let is_start = self.start.bytes == bytes(|it| it.bytes_before);
        if !is_size || !is_start {
            return Err(BadAnswer::Contradiction("sizes"));
        }
        match self.proof.level.is_none_or(|level| self.proof.levels.contains(&level)) {
            true => Ok(()),
            false => Err(BadAnswer::Contradiction("the levels at which all of it is needed")),
        }
    }
}

impl ChangesAnswer {
    /// Checks that the answer names the command that it runs and sets no excessive limits. Paths of
    /// patches are checked where they are laid out.
    pub fn check(&self) -> Result<(), BadAnswer> {
        check_schema(self.schema)?;
        let said = [&self.command, &self.learned.command];
        check_versions(&self.settings.how, said, &self.learned.limits)
    }
}

impl HistoryAnswer {
    /// Checks the same as [`ChangesAnswer::check`].
    pub fn check(&self) -> Result<(), BadAnswer> {
        check_schema(self.schema)?;
        let said = [&self.command, &self.learned.command];
        check_versions(&self.settings.how, said, &self.learned.limits)
    }
}

fn check_versions(
    how: &VersionSettings,
    said: [&String; 2],
    limits: &StageLimits,
) -> Result<(), BadAnswer> {
    if how.test.is_empty() {
        return Err(BadAnswer::NoCommand);
    }
    for said in said {
        check_command(said, &[&how.test], how.origin.as_path())?;
    }
    check_limits(limits)
}

/// Refuses names that lead out of the folder to which they are joined.
fn check_name(name: &Path) -> Result<(), BadAnswer> {
    let is_inside = |part| matches!(part, Component::Normal(_));
    let is_empty = name.as_os_str().is_empty();
    let has_zero = name.as_os_str().as_encoded_bytes().contains(&0);
    match !is_empty && !has_zero && name.components().all(is_inside) {
        true => Ok(()),
        false => Err(BadAnswer::Name(name.into())),
    }
}

fn check_schema(schema: u32) -> Result<(), BadAnswer> {
    if schema == SCHEMA { Ok(()) } else { Err(BadAnswer::Schema(schema)) }
}

fn check_limits(limits: &StageLimits) -> Result<(), BadAnswer> {
    let before = [&limits.gate, &limits.configure, &limits.build];
    let all = before.into_iter().map(Option::as_ref).chain([Some(&limits.test)]);
    let mut times = all.flatten().map(|limits: &Limits| limits.time);
    times.find(|time| *time > LONGEST).map_or(Ok(()), |time| Err(BadAnswer::Time(time)))
}

/// Returns whether the words are a subsequence of `of`.
fn is_part(words: &[Word], of: &[Word]) -> bool {
    let mut of = of.iter();
    words.iter().all(|word| of.any(|other| other == word))
}

/// Checks that `said` is the readable form of one of these commands.
fn check_command(said: &str, commands: &[&[Word]], origin: &Path) -> Result<(), BadAnswer> {
    if commands.iter().any(|words| is_readable_form(said, words, origin)) {
        return Ok(());
    }
    let words = commands.last().into_iter().flat_map(|words| words.iter());
    let run = words.map(|word| quote(word.as_os_str())).collect::<Vec<_>>().join(" ");
    Err(BadAnswer::OtherCommand { said: said.to_owned(), run })
}

/// Returns whether `said` is the readable form of a command that was typed in the folder `origin`:
/// the words in order, with the folder before those that name files in it. `sh` precedes a script
/// that names no interpreter, and `{}` follows a script that receives the candidate.
fn is_readable_form(said: &str, words: &[Word], origin: &Path) -> bool {
    let begins = [said.strip_prefix("sh "), Some(said)];
    begins.into_iter().flatten().any(|mut rest| {
        for (place, word) in words.iter().enumerate() {
            let (path, plain) = (origin.join(word.as_path()), quote(word.as_os_str()));
            let tidy = quote(whodunit_input::tidy(&path).as_os_str());
            let joined = quote(path.as_os_str());
            let forms = [plain, joined, tidy];
            let is_whole = |rest: &&str| rest.is_empty() || rest.starts_with(' ');
            let matching = |form: &String| rest.strip_prefix(form.as_str()).filter(is_whole);
            let Some(after) = forms.iter().find_map(matching) else { return false };
            let is_last = place + 1 == words.len();
            rest = if is_last { after } else { after.strip_prefix(' ').unwrap_or(after) };
        }
        matches!(rest, "" | " '{}'" | " {}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<Word> {
        words.iter().map(|word| Word::from(*word)).collect()
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in ["/etc/passwd", "../x", "a/../../x", "", "a/\0"] {
            assert!(check_name(Path::new(name)).is_err(), "{name:?}");
        }
        for name in ["x.c", "a/b/c", "..x", "-rf"] {
            assert_eq!(check_name(Path::new(name)), Ok(()), "{name:?}");
        }
    }

    #[test]
    fn the_readable_command_is_the_one_that_is_run() {
        let is = |said: &str, run: &[&str]| is_readable_form(said, &words(run), Path::new("/w"));
        assert!(is("gcc -c {}", &["gcc", "-c", "{}"]));
        assert!(is("/w/t.sh 1", &["./t.sh", "1"]));
        assert!(is("sh /w/t.sh {}", &["t.sh"]));
        assert!(is("sh -c 'a b'", &["sh", "-c", "a b"]));
        assert!(!is("gcc -c {}", &["sh", "-c", "id"]));
        assert!(!is("gcc -c x; id", &["gcc", "-c", "x"]));
        assert!(!is("gcc -c", &["gcc", "-c", "x"]));
        assert!(!is("gccx", &["gcc"]));
    }
}
