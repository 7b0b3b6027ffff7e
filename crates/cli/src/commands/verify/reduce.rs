//! Replays the proof of an answer of `reduce`.

use whodunit::core::Verdict;
use whodunit::reduce::{Answer, Needed, Verified, verify};
use whodunit_run::Stop;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::output::{self, inert};
use crate::plan::Environment;
use crate::progress::Progress;
use crate::signals;
use crate::trouble::Trouble;

/// How many deltas that are not needed are listed.
const LISTED: usize = 10;

pub(super) fn run(
    args: &VerifyArgs,
    answer: &Answer,
    environment: &Environment,
) -> Result<Exit, Trouble> {
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let mut progress = Progress::new(args.quiet);
    progress.begin("testing the result");
    let surroundings = environment.surroundings(&answer.settings.variables);
    let verified =
        verify(answer, &surroundings, &stop, |check| progress.checked(check.done, check.total));
    progress.end();
    let verified = verified
        .map_err(|error| Trouble::Verify { error, settings: Box::new(answer.settings.clone()) })?;
    if !args.quiet {
        output::data(&words(answer, &verified))?;
    }
    Ok(if verified.holds() { Exit::Finished } else { Exit::NotProved })
}

fn words(answer: &Answer, verified: &Verified) -> String {
    let Verified { result, checked, unneeded } = verified;
    if *result != Verdict::Fail {
        return "the proof does not hold: the result does not fail\n".into();
    }
    let claimed = !answer.proof.levels.is_empty();
    let is_flaky = answer.learned.flaky.is_some();
    match (unneeded.as_slice(), claimed) {
        ([], true) if is_flaky => format!(
            "agrees: the result fails, and without any of its {checked} pieces the failure was not \
             seen\n"
        ),
        ([], true) => format!(
            "the proof holds: the result fails, and none of its {checked} pieces can be left out\n"
        ),
        ([], false) => {
            "the result fails; the answer does not claim that all of it is needed\n".into()
        }
        (unneeded, _) => {
            let mut text = format!(
                "the proof does not hold: {} of {checked} pieces can be left out\n",
                unneeded.len()
            );
            for piece in unneeded.iter().take(LISTED) {
                text.push_str(&format!("  {}\n", place(answer, piece)));
            }
            if unneeded.len() > LISTED {
                text.push_str("  …\n");
            }
            text
        }
    }
}

fn place(answer: &Answer, piece: &Needed) -> String {
    let left = answer.files.iter().filter_map(|file| file.path.as_ref());
    let path = left.clone().nth(piece.file).map(|path| path.as_path().display().to_string());
    format!("bytes {}..{} of {}", piece.start, piece.end, inert(&path.unwrap_or_default()))
}
