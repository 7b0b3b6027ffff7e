//! Prepares the tests: the oracle, the folders, and the workers.

use std::path::PathBuf;

use whodunit_exec::Oracle;
use whodunit_exec::local::{Feeding, Local};
use whodunit_exec::scratch::Scratch;
use whodunit_input::{Input, Snapshot};
use whodunit_run::Stop;

use super::ReduceError;
use super::reduction::InputWorkers;
use crate::first_runs;
use crate::lab::{Workers, launcher};
use crate::settings::{ReduceSettings, Surroundings};

pub(super) fn oracle(
    settings: &ReduceSettings,
    surroundings: &Surroundings,
) -> Result<Oracle, ReduceError> {
    let value = |name: &String| surroundings.variables.get(name).cloned();
    Ok(Oracle {
        gates: settings.gates(surroundings)?,
        configure: None,
        build: None,
        command: settings.command(surroundings)?,
        limits: first_runs::first_limits(&settings.limits),
        derived_time: settings.limits.time.is_none(),
        variables: settings.variables.iter().map(|name| (name.clone(), value(name))).collect(),
        confined: settings.sandbox.is_on(),
    })
}

pub(super) fn scratch(
    settings: &ReduceSettings,
    surroundings: &Surroundings,
    snapshot: &Snapshot,
) -> Result<Scratch, ReduceError> {
    // Each worker needs room for its candidate, and as much for files that a test creates.
    let needed = snapshot.len() * 2 * settings.jobs as u64 + (16 << 20);
    Ok(Scratch::create(&surroundings.scratch, needed)?)
}

/// Makes workers; `files` are the names of all files of the input, also of those that a result has not:
/// the names tell what a failure says of the input.
pub(super) fn workers(
    settings: &ReduceSettings,
    surroundings: &Surroundings,
    scratch: &Scratch,
    files: Vec<PathBuf>,
    stop: Stop,
) -> Result<InputWorkers, ReduceError> {
    let oracle = oracle(settings, surroundings)?;
    let names = settings.names();
    // A folder cannot be read like a file.
    let stdin = settings.feeds_stdin(&oracle.command) && names == files;
    let feeding = Feeding { names, files, stdin };
    let mut hands = Vec::new();
    for number in 0..settings.jobs.max(1) {
        let slot = scratch.slot(number)?;
        let launcher = launcher(surroundings, &slot, settings.sandbox)?;
        hands.push(Local::new(Input, launcher, slot, feeding.clone(), oracle.clone()));
    }
    Ok(Workers::new(hands, oracle, stop))
}
