//! Replays the proof of an answer of `changes`.

use whodunit::changes::{ChangesAnswer, Verified, verify};
use whodunit::core::Verdict;
use whodunit::engine::Stop;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::output::{self, plain};
use crate::plan::Environment;
use crate::progress::Progress;
use crate::report::changes::word;
use crate::signals;
use crate::trouble::Trouble;

pub(super) fn run(args: &VerifyArgs, answer: &ChangesAnswer) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let mut progress = Progress::new(args.quiet);
    progress.begin("testing the versions with the patches");
    let surroundings = environment.surroundings(&answer.settings.how.variables);
    let verified =
        verify(answer, &surroundings, &stop, |check| progress.checked(check.done, check.total));
    progress.end();
    let verified = verified.map_err(|error| {
        let settings = Box::new(answer.settings.clone());
        Trouble::Changes { error, settings, run: None }
    })?;
    if !args.quiet {
        output::data(&words(&verified))?;
    }
    Ok(if verified.holds() { Exit::Finished } else { Exit::NotProved })
}

fn words(verified: &Verified) -> String {
    let holds = if verified.holds() { "the proof holds" } else { "the proof does not hold" };
    let mut text = format!("{holds}:\n");
    for claim in &verified.claims {
        let seen: Verdict = claim.seen;
        text.push_str(&format!("  {}: {}", plain(&claim.what), word(seen)));
        if seen != claim.claimed {
            text.push_str(&format!(" (the answer says that it {})", word(claim.claimed)));
        }
        text.push('\n');
    }
    text
}
