//! `whodunit verify`: replays the proof of an answer.
//!
//! An answer is data: its commands are checked, and shown to the user, before any of them is run.

mod words;

use std::io::{self, Read};

use serde::de::DeserializeOwned;
use serde_json::Value;
use whodunit_jobs::answer::{Answer, ChangesAnswer, HistoryAnswer, JobName};
use whodunit_jobs::changes::{self, VersionSettings};
use whodunit_jobs::foreign::{self, BadAnswer};
use whodunit_jobs::history;
use whodunit_jobs::reduce::{self, LanguageSettings, ReduceSettings, RuleSettings, Test, is_yacc};
use whodunit_jobs::regular;
use whodunit_jobs::settings::SandboxMode;
use whodunit_jobs::verify::{Check, Commands, Verified};
use whodunit_run::{Stop, Word};

use crate::args::VerifyArgs;
use crate::consent::{self, Demands, Foreign};
use crate::exit::Exit;
use crate::output;
use crate::plan::Environment;
use crate::progress::Progress;
use crate::signals;
use crate::trouble::Trouble;

/// The error for JSON that is no answer.
const NO_JOB: &str = "it does not say which job it is the answer of";

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Trouble> {
    let cannot = |source: io::Error| Trouble::Answer { path: args.answer.clone(), source };
    let answer = value(args).map_err(cannot)?;
    let job = answer.get("job").cloned().unwrap_or_default();
    let job = serde_json::from_value(job).map_err(|_| cannot(io::Error::other(NO_JOB)))?;
    let environment = Environment::read()?;
    let source = foreign::source(&answer, &environment.runs());
    let verification = Verification { args, why: consent::why_foreign(source) };
    let refused = |source: BadAnswer| Trouble::BadAnswer { path: args.answer.clone(), source };
    match job {
        JobName::Reduce => {
            let mut answer: Answer = read(answer).map_err(cannot)?;
            answer.check().map_err(refused)?;
            let shortened = answer.shortened.as_ref();
            verification.confirm(&consent::of_reduce(&answer.settings, shortened))?;
            verification.confine(&mut answer.settings.sandbox);
            let commands = verification.commands();
            if commands == Commands::OfTheUser {
                verification.take_commands(&mut answer.settings)?;
                answer.shortened = None;
            }
            let shown = Shown {
                begin: "testing the result",
                words: &|verified| words::of_result(&answer, verified),
            };
            let settings = &answer.settings;
            let surroundings = environment.surroundings(&settings.variables);
            verification.replay(&shown, |stop, progress| {
                reduce::verify((&answer, commands), &surroundings, stop, progress).map_err(
                    |error| Trouble::Verify { error, settings: Box::new(settings.clone()) },
                )
            })
        }
        JobName::Changes => {
            let mut answer: ChangesAnswer = read(answer).map_err(cannot)?;
            answer.check().map_err(refused)?;
            let settings = &mut answer.settings;
            let demands = consent::of_changes(&settings.good, &settings.bad, &settings.how);
            verification.confirm(&demands)?;
            verification.adjust(&mut settings.how);
            let settings = &answer.settings;
            let surroundings = environment.surroundings(&settings.how.variables);
            verification.replay(&VERSIONS, |stop, progress| {
                changes::verify(&answer, &surroundings, stop, progress).map_err(|error| {
                    let settings = Box::new(settings.clone());
                    Trouble::Changes { error, settings, run: None }
                })
            })
        }
        JobName::History => {
            let mut answer: HistoryAnswer = read(answer).map_err(cannot)?;
            answer.check().map_err(refused)?;
            verification.confirm(&consent::of_history(&answer.settings))?;
            let commands = verification.commands();
            verification.adjust(&mut answer.settings.how);
            let settings = &answer.settings;
            let surroundings = environment.surroundings(&settings.how.variables);
            verification.replay(&VERSIONS, |stop, progress| {
                history::verify((&answer, commands), &surroundings, stop, progress).map_err(
                    |error| {
                        let settings = Box::new(settings.clone());
                        Trouble::History { error, settings, run: None }
                    },
                )
            })
        }
    }
}

/// Reads the file that should be an answer.
fn value(args: &VerifyArgs) -> io::Result<Value> {
    let bytes = match args.answer.as_os_str() == "-" {
        true => read_standard_input()?,
        false => regular::read(&args.answer)?,
    };
    Ok(serde_json::from_slice(&bytes)?)
}

/// Bytes: the largest answer that is read from standard input; answers about large inputs have a
/// few MB.
const MOST_INPUT: u64 = 1 << 30;

fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MOST_INPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read<A: DeserializeOwned>(answer: Value) -> io::Result<A> {
    Ok(serde_json::from_value(answer)?)
}

/// The words of a verification: at its beginning, and of its outcome.
struct Shown<'a> {
    begin: &'a str,
    words: &'a dyn Fn(&Verified) -> String,
}

/// The words for answers about versions.
const VERSIONS: Shown<'static> =
    Shown { begin: "testing the versions with the patches", words: &words::of_versions };

/// The replay of the proof of an answer.
struct Verification<'a> {
    args: &'a VerifyArgs,
    /// Why the answer is not known to be the user's own; `None` if it is.
    why: Option<&'static str>,
}

impl Verification<'_> {
    /// Succeeds only if the commands of the answer may be run.
    fn confirm(&self, demands: &Demands) -> Result<(), Trouble> {
        let Some(why) = self.why else { return Ok(()) };
        let foreign = Foreign {
            name: self.args.answer.display().to_string(),
            why,
            args: &self.args.trust,
            has_own_commands: !self.args.commands.is_empty(),
            quiet: self.args.quiet,
        };
        foreign.confirm(demands)
    }

    /// Replays the claims of the answer, and shows that to the user.
    fn replay(
        &self,
        shown: &Shown<'_>,
        verify: impl FnOnce(&Stop, &mut dyn FnMut(Check)) -> Result<Verified, Trouble>,
    ) -> Result<Exit, Trouble> {
        let stop = Stop::default();
        signals::listen(&stop).map_err(Trouble::Signals)?;
        let mut progress = Progress::new(self.args.quiet);
        progress.begin(shown.begin);
        let verified = verify(&stop, &mut |check| progress.checked(check.done, check.total));
        progress.end();
        let verified = verified?;
        if !self.args.quiet {
            output::data(&(shown.words)(&verified))?;
        }
        Ok(if verified.holds() { Exit::Finished } else { Exit::NotProved })
    }

    fn confine(&self, sandbox: &mut SandboxMode) {
        *sandbox = consent::mode(&self.args.trust, self.why.is_some(), *sandbox);
    }

    fn commands(&self) -> Commands {
        if self.args.commands.is_empty() { Commands::OfTheAnswer } else { Commands::OfTheUser }
    }

    /// Puts the user's own commands into the settings of `reduce`.
    fn take_commands(&self, settings: &mut ReduceSettings) -> Result<(), Trouble> {
        let Some((test, gates)) = self.args.commands.split_last() else { return Ok(()) };
        // A library is run as part of this program, where no sandbox holds it.
        if let (Some(_), LanguageSettings::Grammar { path, .. }) = (self.why, &settings.language)
            && !is_yacc(path.as_path())
        {
            return Err(Trouble::Untrusted(self.args.answer.display().to_string()));
        }
        if matches!(settings.test, Test::Script(_)) && settings.rule == RuleSettings::default() {
            // For scripts, 0 means that the failure is there.
            settings.rule.exit = vec![0];
        }
        settings.test = Test::Command(shell(test));
        settings.gates = gates.to_vec();
        Ok(())
    }

    /// Puts the user's own commands, if there are any, and the sandbox into settings.
    fn adjust(&self, how: &mut VersionSettings) {
        self.confine(&mut how.sandbox);
        let Some((test, gates)) = self.args.commands.split_last() else { return };
        how.test = shell(test);
        how.gates = gates.to_vec();
        (how.configure, how.build, how.clean, how.hint) = (None, None, None, None);
    }
}

/// Returns the words that make a shell run a line, in which `{}` stands for the candidate.
fn shell(line: &str) -> Vec<Word> {
    let mut words = vec!["sh".to_owned(), "-c".to_owned(), line.replace("{}", "\"$@\"")];
    if line.contains("{}") {
        words.extend(["sh".to_owned(), "{}".to_owned()]);
    }
    words.into_iter().map(Word::from).collect()
}
