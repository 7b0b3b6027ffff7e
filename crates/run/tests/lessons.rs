//! The lessons of unresolved tests for a search: the same with any worker and at any time.

#![allow(clippy::unwrap_used)] // In a test that is the message.

use std::convert::Infallible;

use whodunit_core::searches::Isolate;
use whodunit_core::{Answer, Delta, DeltaSet, Lesson, Search, Step};
use whodunit_run::hints::{Mention, MentionKind};
use whodunit_run::judge::{Inability, Observation, Rule, Stage};
use whodunit_run::{
    Ending, Engine, Key, KeyHasher, Memory, Observer, Output, Ran, Size, Stop, Subject, TestEvent,
    Tested, Ticket, Worker,
};

/// Deltas of which each of the first half needs one of the later half.
struct Pairs;

const HALF: u32 = 10;

impl Subject for Pairs {
    type Candidate = DeltaSet;

    fn key(&self, candidate: &DeltaSet) -> Key {
        let mut hasher = KeyHasher::new();
        candidate.iter().for_each(|delta| hasher.update(&delta.0.to_le_bytes()));
        hasher.finish()
    }

    fn size(&self, candidate: &DeltaSet) -> Size {
        Size { deltas: candidate.len(), bytes: candidate.len() as u64 }
    }

    fn lessons(&self, candidate: &DeltaSet, mentions: &[Mention]) -> Vec<Lesson> {
        let named = mentions.iter().flat_map(|mention| &mention.names);
        let missing = named.map(|name| name.parse::<u32>().unwrap());
        let lesson = |missing: u32| {
            assert!(candidate.contains(Delta(missing - HALF)));
            Lesson::Implies {
                delta: Delta(missing - HALF),
                needs: DeltaSet::run(missing..missing + 1),
            }
        };
        missing.map(lesson).collect()
    }
}

/// Names the missing delta, as a build would.
#[derive(Clone)]
struct Builder;

fn observe(candidate: &DeltaSet) -> Observation {
    let lacks = |delta: &Delta| delta.0 < HALF && !candidate.contains(Delta(delta.0 + HALF));
    let lonely: Vec<Delta> = candidate.iter().filter(lacks).collect();
    let culprit = candidate.contains(Delta(5)) && candidate.contains(Delta(12));
    let (stage, code) = match (lonely.is_empty(), culprit) {
        (false, _) => (Stage::Build, 2),
        (true, true) => (Stage::Test, 1),
        (true, false) => (Stage::Test, 0),
    };
    let ran = Ran {
        ending: Ending::Exited(code),
        output: Output::default(),
        duration: Default::default(),
        peak_memory: 0,
    };
    let mention = |delta: &Delta| Mention {
        file: None,
        line: None,
        names: vec![(delta.0 + HALF).to_string()],
        kind: MentionKind::Name,
    };
    let mentions = lonely.iter().map(mention).collect();
    Observation { mentions, ..Observation::new(stage, ran, &[]) }
}

const RULE: Rule = Rule::Bisect { same: None, inability: Inability::Stops };

impl Worker<DeltaSet> for Builder {
    type Error = Infallible;

    fn test(&mut self, _: Ticket, candidate: &DeltaSet) -> Result<Option<Tested>, Infallible> {
        let seen = observe(candidate);
        let verdict = RULE.judge(&seen);
        Ok(Some(Tested { verdict, observation: Some(seen), doubtful: false }))
    }
}

/// A search that records all its answers, and asks the questions of an isolation, with the
/// deltas that are known to be needed.
#[derive(Clone)]
struct Listener {
    inner: Isolate,
    needs: Vec<(Delta, DeltaSet)>,
    told: Vec<(DeltaSet, Answer)>,
}

impl Search for Listener {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.inner.step().map(|asked| {
            let needed = self.needs.iter().filter(|(delta, _)| asked.contains(*delta));
            needed.fold(asked.clone(), |all, (_, needs)| all.union(needs))
        })
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(asked) = self.step().question() else { return };
        self.told.push((asked, answer.clone()));
        if answer.lessons.is_empty() {
            return self.inner.learn(answer);
        }
        for lesson in &answer.lessons {
            if let Lesson::Implies { delta, needs } = lesson {
                self.needs.push((*delta, needs.clone()));
            }
        }
    }

    fn best(&self) -> DeltaSet {
        self.inner.best()
    }
}

fn run(jobs: usize, memory: &mut Memory, observer: &mut dyn Observer) -> Vec<(DeltaSet, Answer)> {
    let engine = Engine {
        subject: &Pairs,
        memory,
        max_tests: None,
        stop: Stop::default(),
        observer,
        keep: &mut |_, _, _| Ok(()),
    };
    let search = Listener { inner: Isolate::new(2 * HALF as usize), needs: vec![], told: vec![] };
    engine.run(search, vec![Builder; jobs]).unwrap().search.told
}

/// Keeps the events that a journal would keep.
#[derive(Default)]
struct Kept(Vec<(Key, Observation)>);

impl Observer for Kept {
    fn event(&mut self, event: &TestEvent) -> std::io::Result<()> {
        if let TestEvent::Tested { key, observation: Some(seen), .. } = event {
            let stored = serde_json::to_string(&seen.shortened(10)).unwrap();
            self.0.push((*key, serde_json::from_str(&stored).unwrap()));
        }
        Ok(())
    }
}

#[test]
fn lessons_reach_the_search_whoever_runs_the_tests() {
    let told = run(1, &mut Memory::default(), &mut ());
    let lessons = told.iter().filter(|(_, answer)| !answer.lessons.is_empty()).count();
    assert!(lessons > 0, "nothing was taught");
    for jobs in [2, 8] {
        assert_eq!(run(jobs, &mut Memory::default(), &mut ()), told, "{jobs} jobs");
    }
}

#[test]
fn what_is_known_teaches_what_it_taught() {
    let mut kept = Kept::default();
    let told = run(1, &mut Memory::default(), &mut kept);
    let mut resumed = Memory::default();
    kept.0.iter().for_each(|(key, seen)| resumed.add(*key, RULE.judge(seen), Some(seen)));
    for jobs in [1, 4] {
        assert_eq!(run(jobs, &mut resumed.clone(), &mut ()), told, "resumed, {jobs} jobs");
    }
}
