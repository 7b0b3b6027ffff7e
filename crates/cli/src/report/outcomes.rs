//! The outcomes of the tests of a search, and what kept them from deciding: Table 3 of Artho's
//! *Iterative Delta Debugging*.

use std::collections::{BTreeMap, HashMap};

use whodunit_jobs::core::Verdict;
use whodunit_run::judge::Obstacle;
use whodunit_run::{Key, Source, TestEvent};

use super::{counted, number};

/// The outcomes of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) fail: u64,
    pub(crate) pass: u64,
    pub(crate) open: BTreeMap<Obstacle, u64>,
}

impl Outcomes {
    pub(crate) fn add(&mut self, other: &Outcomes) {
        self.fail += other.fail;
        self.pass += other.pass;
        other.open.iter().for_each(|(obstacle, count)| {
            *self.open.entry(*obstacle).or_default() += count;
        });
    }

    /// Returns the number of tests.
    pub(crate) fn tests(&self) -> u64 {
        self.fail + self.pass + self.open.values().sum::<u64>()
    }

    /// Returns the number of tests that an obstacle kept from deciding.
    pub(crate) fn kept_by(&self, obstacle: Obstacle) -> u64 {
        self.open.get(&obstacle).copied().unwrap_or(0)
    }

    /// Returns the outcomes on one line.
    pub(crate) fn words(&self) -> String {
        let open: u64 = self.open.values().sum();
        let mut text = format!(
            "{}: {} failed, {} passed",
            counted(self.tests(), "test", "tests"),
            number(self.fail),
            number(self.pass)
        );
        if open > 0 {
            let why =
                self.open.iter().map(|(why, count)| format!("{} {}", number(*count), why.word()));
            let why: Vec<String> = why.collect();
            text.push_str(&format!(", {} inconclusive ({})", number(open), why.join(", ")));
        }
        text
    }
}

/// Counts the answers to the questions of a search, from the events of a journal. Foretold and
/// cached answers do not count, because nothing was tested for them.
#[derive(Debug, Default)]
pub(crate) struct OutcomeCount {
    obstacles: HashMap<Key, Obstacle>,
    /// The questions counted so far; a continued run repeats them.
    questions: u64,
}

impl OutcomeCount {
    /// Reads an event; counts the answer to a question in `outcomes`.
    pub(crate) fn take(&mut self, event: &TestEvent, outcomes: Option<&mut Outcomes>) {
        match event {
            TestEvent::Tested { key, verdict: Verdict::Unresolved, observation: Some(seen) } => {
                self.obstacles.insert(*key, Obstacle::of(seen));
            }
            TestEvent::Committed { question, key, verdict, source: Source::Committed, .. }
                if *question > self.questions =>
            {
                self.questions = *question;
                let Some(outcomes) = outcomes else { return };
                match verdict {
                    Verdict::Fail => outcomes.fail += 1,
                    Verdict::Pass => outcomes.pass += 1,
                    Verdict::Unresolved => {
                        let obstacle = self.obstacles.get(key).copied();
                        *outcomes.open.entry(obstacle.unwrap_or(Obstacle::Other)).or_default() += 1;
                    }
                }
            }
            _ => {}
        }
    }
}
