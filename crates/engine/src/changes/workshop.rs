//! Sets up what tests need: the oracle, folders, and workers.

use whodunit_versions::Version;

use super::ChangesError;
use super::settings::HuntSettings;
use super::trees::Trees;
use crate::first_runs;
use crate::oracle::{Command, Oracle};
use crate::reduce::Surroundings;
use crate::scratch::Scratch;
use crate::warm::{Between, Warm, WarmSettings};

/// The workers of a run.
pub(crate) type Crew = Vec<Warm<Trees>>;

pub(crate) fn oracle(
    settings: &HuntSettings,
    surroundings: &Surroundings,
) -> Result<Oracle, ChangesError> {
    let shell = |line: &String| Command::shell_in_tree(line, &surroundings.path);
    let value = |name: &String| surroundings.variables.get(name).cloned();
    Ok(Oracle {
        gates: settings.gates.iter().map(shell).collect::<Result<_, _>>()?,
        build: settings.build.as_ref().map(shell).transpose()?,
        command: settings.command(surroundings)?,
        limits: first_runs::first_limits(&settings.limits),
        derived_time: settings.limits.time.is_none(),
        variables: settings.variables.iter().map(|name| (name.clone(), value(name))).collect(),
        confined: settings.sandbox,
    })
}

/// Makes room for the folders of all workers.
pub(crate) fn scratch(
    settings: &HuntSettings,
    surroundings: &Surroundings,
    version: &Version,
) -> Result<Scratch, ChangesError> {
    // A guess at what the files and a build of them take: contents need not be at hand.
    let each = version.len() as u64 * (16 << 10) + (64 << 20);
    Ok(Scratch::create(&surroundings.scratch, each * settings.jobs.max(1) as u64)?)
}

pub(crate) fn crew(
    settings: &HuntSettings,
    surroundings: &Surroundings,
    scratch: &Scratch,
    oracle: &Oracle,
) -> Result<Crew, ChangesError> {
    let shell = |line: &String| Command::shell_in_tree(line, &surroundings.path);
    let between = match (&settings.clean, settings.fresh) {
        (_, true) => Between::Discard,
        (Some(clean), false) => Between::Clean(shell(clean)?),
        (None, false) => Between::Keep,
    };
    let hint = settings.hint.as_ref().map(shell).transpose()?;
    let mut crew = Crew::new();
    for number in 0..settings.jobs.max(1) {
        let slot = scratch.slot(number)?;
        let launcher = first_runs::launcher(surroundings, &slot, settings.sandbox)?;
        let settings = WarmSettings { between: between.clone(), hint: hint.clone() };
        crew.push(Warm::new(Trees, launcher, slot, settings, oracle.clone()));
    }
    Ok(crew)
}
