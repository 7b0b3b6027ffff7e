//! Reads the events of a run of `reduce` back, and writes candidates to a folder for inspection.

use std::fs;
use std::io;
use std::path::Path;

use whodunit_core::Verdict;
use whodunit_input::{Input, InputCandidate};
use whodunit_run::LayOut;
use whodunit_run::verdict::word as verdict_word;

use super::ReduceError;
use crate::answer::{Answer, Learned};
use crate::event::Event;
use crate::job::{Past, TakeOwn};

/// The journal of an interrupted run of `reduce`, read back.
pub type ReducePast = Past<Learned, Answer>;

impl TakeOwn for ReducePast {
    fn take(&mut self, event: Event) {
        match event {
            Event::Started { key, oracle, .. } => self.begin(key, oracle),
            Event::Learned(learned) => self.learned = Some(*learned),
            Event::Finished { answer } => self.answer = Some(*answer),
            // The other events happen again, or belong to other jobs.
            _ => {}
        }
    }
}

/// Writes a candidate to a folder for inspection; the name of the folder contains the question and
/// the verdict. An error names the folder.
pub(super) fn keep(
    folder: &Path,
    question: u64,
    candidate: &InputCandidate,
    verdict: Verdict,
) -> io::Result<()> {
    let folder = folder.join(format!("{question:06}-{}", verdict_word(verdict)));
    match fs::create_dir_all(folder.parent().expect("a joined path has a parent"))
        .and_then(|()| fs::create_dir(&folder))
    {
        // A continued run asks its first questions again.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|()| Input.lay_out(candidate, &folder)),
    }
    .map_err(|source| io::Error::new(source.kind(), ReduceError::Write { path: folder, source }))
}
