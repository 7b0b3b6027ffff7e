//! `whodunit verify`: replays the proof of an answer.

mod hunt;
mod reduce;

use std::fs;
use std::io;

use serde::de::DeserializeOwned;
use serde_json::Value;
use whodunit::answer::JobName;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::trouble::Trouble;

/// Said of JSON that is no answer.
const NO_JOB: &str = "it does not say which job it is the answer of";

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Trouble> {
    let cannot = |source: io::Error| Trouble::Answer { path: args.answer.clone(), source };
    let bytes = fs::read(&args.answer).map_err(cannot)?;
    let answer: Value = serde_json::from_slice(&bytes).map_err(|error| cannot(error.into()))?;
    let job = answer.get("job").cloned().unwrap_or_default();
    let job = serde_json::from_value(job).map_err(|_| cannot(io::Error::other(NO_JOB)))?;
    match job {
        JobName::Reduce => reduce::run(args, &read(answer).map_err(cannot)?),
        JobName::Changes => hunt::changes(args, &read(answer).map_err(cannot)?),
        JobName::History => hunt::history(args, &read(answer).map_err(cannot)?),
    }
}

fn read<A: DeserializeOwned>(answer: Value) -> io::Result<A> {
    Ok(serde_json::from_value(answer)?)
}
