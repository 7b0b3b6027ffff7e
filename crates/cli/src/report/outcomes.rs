//! What the tests inside a search said, and what kept them from deciding: Table 3 of Artho's
//! *Iterative Delta Debugging*.

use std::collections::{BTreeMap, HashMap};

use whodunit_jobs::core::Verdict;
use whodunit_run::judge::Obstacle;
use whodunit_run::{Key, Source, TestEvent};

use super::{counted, number};

/// What tests said.
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

    /// Returns how many tests there were.
    pub(crate) fn tests(&self) -> u64 {
        self.fail + self.pass + self.open.values().sum::<u64>()
    }

    /// Returns how many tests were kept from deciding by something.
    pub(crate) fn kept_by(&self, obstacle: Obstacle) -> u64 {
        self.open.get(&obstacle).copied().unwrap_or(0)
    }

    /// Returns them in a line.
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

/// Counts what the questions of a search were told, as the journal goes on. What was foretold was
/// not tested, and what was known is not tested again: neither counts.
#[derive(Debug, Default)]
pub(crate) struct OutcomeCount {
    obstacles: HashMap<Key, Obstacle>,
    /// Questions that are counted already; a run that goes on tells of them again.
    questions: u64,
}

impl OutcomeCount {
    /// Takes note of an event, and counts the answer of a question in `outcomes`.
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
