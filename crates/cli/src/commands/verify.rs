//! `whodunit verify`: replays the proof of an answer.

mod hunt;
mod reduce;

use std::fs;
use std::io;

use serde_json::Value;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::trouble::Trouble;

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Trouble> {
    let cannot = |source: io::Error| Trouble::Answer { path: args.answer.clone(), source };
    let bytes = fs::read(&args.answer).map_err(cannot)?;
    let answer: Value = serde_json::from_slice(&bytes).map_err(|error| cannot(error.into()))?;
    // Only an answer of `changes` has causes.
    if answer.get("causes").is_some() {
        let answer = serde_json::from_value(answer).map_err(|error| cannot(error.into()))?;
        return hunt::changes(args, &answer);
    }
    // Only an answer of `history` has an outcome.
    if answer.get("outcome").is_some() {
        let answer = serde_json::from_value(answer).map_err(|error| cannot(error.into()))?;
        return hunt::history(args, &answer);
    }
    let answer = serde_json::from_value(answer).map_err(|error| cannot(error.into()))?;
    reduce::run(args, &answer)
}
