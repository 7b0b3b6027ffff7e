//! Prepares the tests: the oracle, folders, workers, and the lab.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whodunit_exec::scratch::Scratch;
use whodunit_exec::warm::{Between, BuildCache, Warm, WarmSettings};
use whodunit_exec::{Command, Oracle};
use whodunit_run::judge::Rule;
use whodunit_run::{Key, Memory, Stop};
use whodunit_versions::Version;

use super::ChangesError;
use super::finder::{TreeLab, TreeWorkers};
use super::trees::Trees;
use crate::answer::LearnedEnds;
use crate::first_runs;
use crate::job::Course;
use crate::lab::{Budget, Lab, Repeating, Workers, launcher};
use crate::record::Recorder;
use crate::settings::{Surroundings, VersionSettings};

/// Returns the identity of the oracle, by which a continued run recognises it.
pub(crate) fn identity(
    settings: &VersionSettings,
    surroundings: &Surroundings,
) -> Result<Key, ChangesError> {
    Ok(oracle(settings, surroundings)?.identity(settings.limits.time))
}

/// The parts that a lab is made from.
pub(crate) struct Setup<'s> {
    pub(crate) settings: &'s VersionSettings,
    pub(crate) surroundings: &'s Surroundings,
    pub(crate) stop: &'s Stop,
    /// Whether the versions have the script of the test at its place.
    pub(crate) has_script: bool,
}

impl Setup<'_> {
    /// Creates room and workers for versions like this one. The folders are deleted when the
    /// returned [`Scratch`] is dropped.
    pub(crate) fn workers(
        &self,
        version: &Version,
    ) -> Result<(Scratch, TreeWorkers), ChangesError> {
        let Setup { settings, surroundings, stop, has_script } = self;
        let mut oracle = oracle(settings, surroundings)?;
        if *has_script {
            oracle.command = oracle.command.in_place();
        }
        // An estimate for the files and a build of them, because contents may have to be fetched to
        // know their size.
        let each = version.len() as u64 * (16 << 10) + (64 << 20);
        let needed = each * settings.jobs.max(1) as u64;
        let scratch = Scratch::create(&surroundings.scratch, needed)?;
        let shell = |line: &String| Command::shell_in_tree(line, &surroundings.path);
        let between = match (&settings.clean, settings.fresh) {
            (_, true) => Between::Discard,
            (Some(clean), false) => Between::Clean(shell(clean)?),
            (None, false) => Between::Keep,
        };
        let hint = settings.hint.as_ref().map(shell).transpose()?;
        let build_cache = match &settings.build_cache {
            Some(folder) => {
                let folder = settings.origin.as_path().join(folder.as_path());
                let made = BuildCache::new(folder.clone(), &oracle);
                Some(made.map_err(|source| ChangesError::Write { path: folder, source })?)
            }
            None => None,
        };
        let mut hands = Vec::new();
        for number in 0..settings.jobs.max(1) {
            let slot = scratch.slot(number)?;
            let launcher = launcher(surroundings, &slot, settings.sandbox)?;
            let (between, hint) = (between.clone(), hint.clone());
            let settings = WarmSettings { between, hint, build_cache: build_cache.clone() };
            hands.push(Warm::new(Trees, launcher, slot, settings, oracle.clone()));
        }
        Ok((scratch, Workers::new(hands, oracle, (*stop).clone())))
    }

    /// Creates a lab that looks for the learned failure, with the memory from before an
    /// interruption.
    pub(crate) fn lab<'a, A>(
        &self,
        workers: TreeWorkers,
        (rule, learned): (Rule, &LearnedEnds),
        recorder: Recorder<'a>,
        memory: Memory,
        course: &Course<LearnedEnds, A>,
    ) -> TreeLab<'a> {
        let budget = Budget {
            max_tests: self.settings.max_tests,
            reserve: first_runs::reserve(&learned.durations, course.budget),
        };
        let mut lab = Lab::new(Trees, workers, (rule, learned.limits.clone()), recorder, budget);
        (lab.memory, lab.tally.wasted) = (memory, course.in_vain);
        lab.expects_noise = self.settings.flaky.goes_on();
        let is_repeated = self.settings.flaky.repeat.is_some();
        lab.is_suspicious = lab.expects_noise && (is_repeated || course.past.is_misled());
        if let Some(flakiness) = &learned.flaky {
            lab.repeat(Repeating::new(flakiness));
        }
        lab.recall(&course.past.tests);
        lab
    }
}

fn oracle(settings: &VersionSettings, surroundings: &Surroundings) -> Result<Oracle, ChangesError> {
    let shell = |line: &String| Command::shell_in_tree(line, &surroundings.path);
    let value = |name: &String| surroundings.variables.get(name).cloned();
    Ok(Oracle {
        gates: settings.gates.iter().map(shell).collect::<Result<_, _>>()?,
        configure: settings.configure.as_ref().map(shell).transpose()?,
        build: settings.build.as_ref().map(shell).transpose()?,
        command: settings.command(surroundings)?,
        limits: first_runs::first_limits(&settings.limits),
        derived_time: settings.limits.time.is_none(),
        variables: settings.variables.iter().map(|name| (name.clone(), value(name))).collect(),
        confined: settings.sandbox.is_on(),
    })
}

impl VersionSettings {
    /// Returns the settings of an attempt: with the remaining number of tests, and in clean folders
    /// if other folders misled it before.
    pub(crate) fn in_course<A>(&self, course: &Course<LearnedEnds, A>) -> Self {
        let mut how = self.clone();
        how.fresh |= course.past.is_misled();
        how.max_tests = course.tests_left(how.max_tests);
        how
    }

    /// Returns the folder for patches: `usual` unless the settings name one.
    pub(crate) fn patches_folder(&self, usual: &Path) -> PathBuf {
        let said = self.out.as_ref().map(|out| self.origin.as_path().join(out.as_path()));
        said.unwrap_or_else(|| usual.into())
    }

    fn command(&self, surroundings: &Surroundings) -> Result<Command, ChangesError> {
        let words: Vec<OsString> =
            self.test.iter().map(|word| word.as_os_str().to_owned()).collect();
        Ok(Command::in_tree(&words, self.origin.as_path(), &surroundings.path)?)
    }
}
