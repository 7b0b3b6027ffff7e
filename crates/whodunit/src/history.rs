//! The job `history`: no version that passes is known.
//!
//! The walk begins at the newest version, which fails, and goes back. Where the test cannot be run,
//! the smallest part of the newer version that it needs is found and carried along. At a version
//! that passes, the changes that cause the failure are found, and their fix is carried to the
//! newest version.

mod also;
mod belief;
mod branches;
mod checkout;
mod error;
mod forward;
mod lineage;
mod memory_check;
mod mend;
mod overlay;
mod own;
mod own_script;
mod protect;
mod record;
mod row;
mod stretches;
mod suspects;
mod tip;
mod touched;
mod turn;
mod verify;
mod walk;
mod walking;
mod watch;

use std::path::Path;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::judge::Inability;
use whodunit_run::{Ended, Key, Memory, Stop};
use whodunit_versions::Version;

pub use crate::answer::{
    Also, BackPort, Begins, Belief, Fate, Forward, HistoryAnswer, HistoryOutcome, HistoryStep,
    Measure, MemoryCheck, NotARegression, OwnLines, OwnTest, PatchLines, RevisionAnswer,
    StepReason, StepResult, Stretch, Untested, Watched, Way,
};
pub use crate::settings::HistorySettings;
pub use error::HistoryError;
pub use record::HistoryPast;
pub use verify::verify;

use crate::answer::LearnedEnds;
use crate::changes::{ChangesError, Finder, Links, Setup, identity, key_of, version_of};
use crate::event::{Event, Watch};
use crate::job::{Course, Job};
use crate::journal::Journal;
use crate::settings::Surroundings;
use crate::versions_run::VersionsRun;
use overlay::Overlay;
use protect::Protected;
use row::{Patched, Row};
use walk::{HistoryWalk, Start};

/// One run of `history`.
pub type History<'a> = VersionsRun<'a, HistorySettings, HistoryAnswer>;

impl History<'_> {
    /// Runs, writes the patches and returns the answer.
    pub fn run(mut self) -> Result<HistoryAnswer, HistoryError> {
        let (past, stop) = (std::mem::take(&mut self.past), self.stop.clone());
        let budget = self.settings.how.budget;
        self.carry_out(past, (stop, budget))
    }
}

impl Job for History<'_> {
    type Learned = LearnedEnds;
    type Answer = HistoryAnswer;
    type Error = HistoryError;

    fn oracle_identity(&self) -> Result<Key, HistoryError> {
        Ok(identity(&self.settings.how, self.surroundings)?)
    }

    fn witnesses(&mut self) -> (&mut Journal, &mut dyn Watch) {
        (&mut self.journal, self.watch)
    }

    fn is_always_clean(&self) -> bool {
        self.settings.how.fresh
    }

    fn attempt(
        &mut self,
        course: &Course<LearnedEnds, HistoryAnswer>,
    ) -> Result<HistoryAnswer, HistoryError> {
        let History { settings, surroundings, journal, patches, watch, .. } = self;
        let Course { past, stop, .. } = course;
        let how = &settings.how.in_course(course);
        let opened = {
            let (settings, surroundings) = (settings.clone(), surroundings.clone());
            let client = stop.clone();
            move || open(&settings, &surroundings, &client)
        };
        let Opened { row, newest, key, mut protected, has_script } = stop.wait_for(opened)??;
        row.uncommitted().for_each(|path| watch.uncommitted(path));
        if !course.is_about(key) {
            return Err(ChangesError::Changed.into());
        }
        protected.unknown().iter().for_each(|what| watch.unused(&format!("--protect: {what}")));
        let setup = Setup { settings: how, surroundings, stop, has_script };
        let (_scratch, mut workers) = setup.workers(&newest)?;
        // A missing checker is reported now, not at the end of a long run.
        memory_check::command(settings, &workers.oracle().command, &surroundings.path)
            .map_err(ChangesError::from)?;
        if let Some(enforced) = workers.sandbox() {
            watch.sandbox(enforced);
        }
        let run = journal.name();
        let mut recorder = course.record(journal, *watch, |version, oracle| {
            let settings = settings.clone().into();
            Event::HistoryStarted { version, settings, key, oracle }
        })?;
        let mut memory = Memory::measuring();
        let learned = match past.learned.clone() {
            Some(learned) => learned,
            None => {
                let tip = Arc::new(Patched::new(&row, None)?).at(0);
                let (learned, seen) = tip::learn(settings, &tip, &mut workers, past.is_flaky)?;
                let key = tip.key();
                memory.know(key, Verdict::Fail, Some(&seen));
                recorder.known(key, Verdict::Fail, &seen)?;
                recorder.write(&Event::EndsLearned(Box::new(learned.clone())))?;
                learned
            }
        };
        memory.track(learned.signature.clone());
        protected.add(learned.own.tracked());
        let rule = learned.rule(Inability::LeavesOpen);
        let lab = setup.lab(workers, (rule, &learned), recorder, memory, course);
        let mut finder = Finder::new(how, lab, past.gave_up);
        let own = learned.own.of(&newest)?;
        let start = Start { settings, surroundings, own, protected, run, key, learned };
        let mut answer = own_script::walk_back(&mut finder, &start, &row)?;
        match finder.lab.confirm(how.flaky.confidence).map_err(ChangesError::from)? {
            Ended::Done => {}
            ended => answer.ended = ended,
        }
        answer.tests = finder.lab.tally;
        answer.seconds = course.begun.elapsed().as_secs_f64();
        answer.started_over = past.started_over;
        answer.write_patches(&how.patches_folder(patches))?;
        finder.lab.recorder.finish(&Event::HistoryFinished { answer: Box::new(answer.clone()) })?;
        Ok(answer)
    }
}

/// The opened history.
struct Opened {
    row: Arc<Row>,
    newest: Version,
    /// The content of the newest version.
    key: Key,
    protected: Protected,
    /// Whether the versions have the script of the test at its place.
    has_script: bool,
}

/// Opens the history and the files that are carried back to every version.
fn open(
    settings: &HistorySettings,
    surroundings: &Surroundings,
    stop: &Stop,
) -> Result<Opened, HistoryError> {
    let lineage = lineage::open(settings, surroundings, stop)?;
    if lineage.len() < 2 {
        return Err(HistoryError::OneVersion);
    }
    let newest = version_of(lineage.list(0)?);
    let links = links_of(settings)?;
    let overlay = overlay_of(settings, &newest)?.with(links.clone());
    let uncommitted = checkout::uncommitted_tests(settings, &newest)?;
    let row = Arc::new(Row::back(Arc::from(lineage), overlay, uncommitted));
    let newest = row.version(0)?;
    let key = key_of(&[&links.without_script(newest.clone())])?;
    let protected = Protected::read(settings, &newest)?;
    Ok(Opened { row, newest, key, protected, has_script: links.has_script() })
}

/// Returns the files of the newest version that are carried back to every version.
fn overlay_of(settings: &HistorySettings, newest: &Version) -> Result<Overlay, HistoryError> {
    let paths: Vec<Vec<u8>> =
        settings.overlay.iter().map(|path| path.as_bytes().to_vec()).collect();
    let overlay = Overlay::new(newest, &paths).map_err(|path| HistoryError::NoOverlay {
        path: String::from_utf8_lossy(&path).into_owned(),
    })?;
    Ok(overlay)
}

/// Returns the links that every version gets. Only versions of the checkout in which the command
/// was typed have a place for its script.
fn links_of(settings: &HistorySettings) -> Result<Links, HistoryError> {
    let links = Links::of(&settings.how)?;
    Ok(match settings.place.as_path() == Path::new(".") {
        true => links.with_script(&settings.how),
        false => links,
    })
}
