//! Replays the proof of an answer of `changes` or `history`.

use whodunit::changes::{self, ChangesAnswer, Said, Verified};
use whodunit::history::{self, HistoryAnswer};
use whodunit::reduce::{Check, Surroundings};
use whodunit_run::Stop;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::output::{self, plain};
use crate::plan::Environment;
use crate::progress::Progress;
use crate::report::changes::word;
use crate::signals;
use crate::trouble::Trouble;

/// Said of a claim that cannot be tested.
const UNFOUNDED: &str =
    "not tested, because the answer names other changes or commits than there are";

pub(super) fn changes(
    args: &VerifyArgs,
    answer: &ChangesAnswer,
    environment: &Environment,
) -> Result<Exit, Trouble> {
    let settings = &answer.settings;
    replay((args, environment), &settings.how.variables, |surroundings, stop, progress| {
        changes::verify(answer, surroundings, stop, progress).map_err(|error| {
            let settings = Box::new(settings.clone());
            Trouble::Changes { error, settings, run: None }
        })
    })
}

pub(super) fn history(
    args: &VerifyArgs,
    answer: &HistoryAnswer,
    environment: &Environment,
) -> Result<Exit, Trouble> {
    let settings = &answer.settings;
    replay((args, environment), &settings.how.variables, |surroundings, stop, progress| {
        history::verify(answer, surroundings, stop, progress).map_err(|error| {
            let settings = Box::new(settings.clone());
            Trouble::History { error, settings, run: None }
        })
    })
}

/// Replays a proof in front of the user.
fn replay(
    (args, environment): (&VerifyArgs, &Environment),
    variables: &[String],
    verify: impl FnOnce(&Surroundings, &Stop, &mut dyn FnMut(Check)) -> Result<Verified, Trouble>,
) -> Result<Exit, Trouble> {
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let mut progress = Progress::new(args.quiet);
    progress.begin("testing the versions with the patches");
    let surroundings = environment.surroundings(variables);
    let verified =
        verify(&surroundings, &stop, &mut |check| progress.checked(check.done, check.total));
    progress.end();
    let verified = verified?;
    if !args.quiet {
        output::data(&words(&verified))?;
    }
    Ok(if verified.holds() { Exit::Finished } else { Exit::NotProved })
}

fn words(verified: &Verified) -> String {
    let holds = if verified.holds() { "the proof holds" } else { "the proof does not hold" };
    let mut text = format!("{holds}:\n");
    for claim in &verified.claims {
        let seen = claim.seen.map_or(UNFOUNDED, word);
        text.push_str(&format!("  {}: {seen}", plain(&claim.what)));
        if !claim.holds() {
            let said = match claim.claimed {
                Said::Is(verdict) => word(verdict),
                Said::NotFail => "does not fail",
            };
            text.push_str(&format!(" (the answer says that it {said})"));
        }
        text.push('\n');
    }
    text
}
