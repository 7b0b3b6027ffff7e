//! Repeats of a candidate are the same runs for any number of workers, and after an interruption.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

use std::collections::HashMap;
use std::convert::Infallible;

use whodunit_core::searches::{Blocks, Bounds, Ddmin, Noisy, Repeated};
use whodunit_core::{DeltaSet, Noise, Repeat, Search, Sightings, Verdict};
use whodunit_run::{
    Ended, Engine, Key, Memory, Observer, Outcome, Repeats, Size, Stop, Subject, TestEvent, Tested,
    Ticket, Worker,
};

const COUNT: usize = 40;

const NOISE: Noise =
    Noise { there: Sightings { seen: 14, runs: 20 }, elsewhere: Sightings { seen: 0, runs: 10 } };

struct Sets;

impl Subject for Sets {
    type Candidate = DeltaSet;

    fn key(&self, kept: &DeltaSet) -> Key {
        let bytes: Vec<u8> = kept.iter().flat_map(|delta| delta.0.to_le_bytes()).collect();
        Key::of_bytes(&bytes)
    }

    fn size(&self, kept: &DeltaSet) -> Size {
        Size { deltas: kept.len(), bytes: kept.len() as u64 }
    }
}

struct Rows;

impl Subject for Rows {
    type Candidate = usize;

    fn key(&self, place: &usize) -> Key {
        Key::of_bytes(&place.to_le_bytes())
    }

    fn size(&self, place: &usize) -> Size {
        Size { deltas: *place, bytes: *place as u64 }
    }
}

/// Shows the failure in seven of ten runs where it is; which runs depends on the seed alone.
struct Flaky<B, F> {
    subject: B,
    is_there: F,
    seed: u64,
}

impl<B: Subject + Send, F: Fn(&B::Candidate) -> bool + Send> Worker<Repeat<B::Candidate>>
    for Flaky<B, F>
{
    type Error = Infallible;

    fn test(
        &mut self,
        _: Ticket,
        repeat: &Repeat<B::Candidate>,
    ) -> Result<Option<Tested>, Infallible> {
        let name: u128 = self.subject.key(&repeat.candidate).repeat(repeat.nth).into();
        let mixed = (name as u64 ^ self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let shows = (self.is_there)(&repeat.candidate) && (mixed >> 32) % 10 < 7;
        Ok(Some(Tested { verdict: Verdict::from(shows), observation: None, doubtful: false }))
    }
}

/// Writes down the tests, and the committed questions.
#[derive(Default)]
struct Seen {
    tests: Vec<(Key, Verdict)>,
    committed: Vec<(Key, Verdict)>,
}

impl Observer for Seen {
    fn event(&mut self, event: &TestEvent) -> std::io::Result<()> {
        match event {
            TestEvent::Tested { key, verdict, .. } => self.tests.push((*key, *verdict)),
            TestEvent::Committed { key, verdict, .. } => self.committed.push((*key, *verdict)),
            _ => {}
        }
        Ok(())
    }
}

fn run<B, S, W>(subject: &B, search: S, workers: Vec<W>, known: &[(Key, Verdict)]) -> (S, Seen)
where
    B: Subject + Sync,
    S: Search<Candidate = Repeat<B::Candidate>>,
    W: Worker<Repeat<B::Candidate>, Error = Infallible>,
{
    let (mut memory, mut seen, settled) = (Memory::default(), Seen::default(), HashMap::new());
    known.iter().for_each(|(key, verdict)| memory.add(*key, *verdict, None));
    let engine = Engine {
        subject: &Repeats { subject, settled: &settled },
        memory: &mut memory,
        max_tests: None,
        stop: Stop::default(),
        observer: &mut seen,
        keep: &mut |_, _, _| Ok(()),
    };
    let Outcome { search, ended, .. } = engine.run(search, workers).unwrap();
    assert_eq!(ended, Ended::Done);
    (search, seen)
}

/// Runs a search with several numbers of workers, and again with a part of its tests known.
fn is_always_the_same<B, S, W>(subject: &B, search: &S, worker: impl Fn() -> W)
where
    B: Subject + Sync,
    S: Search<Candidate = Repeat<B::Candidate>>,
    W: Worker<Repeat<B::Candidate>, Error = Infallible>,
{
    let with = |jobs: usize, known: &[(Key, Verdict)]| {
        let workers = (0..jobs).map(|_| worker()).collect();
        run(subject, search.clone(), workers, known).1
    };
    let alone = with(1, &[]);
    // A content that is asked about again is known.
    assert!(alone.tests.len() <= alone.committed.len());
    for jobs in [2, 5] {
        assert_eq!(with(jobs, &[]).committed, alone.committed, "{jobs} workers");
    }
    let half = &alone.tests[..alone.tests.len() / 2];
    let resumed = with(2, half);
    assert_eq!(resumed.committed, alone.committed);
    assert!(resumed.tests.iter().all(|test| !half.contains(test)));
}

#[test]
fn the_nth_run_is_the_same_for_any_number_of_workers() {
    let bounds = Bounds { accept: 0.001, reject: 0.001 };
    let needed = || DeltaSet::run(11..12).union(&DeltaSet::run(30..31));
    for seed in 0..5 {
        let sets = || Flaky {
            subject: Sets,
            is_there: move |kept: &DeltaSet| needed().minus(kept).is_empty(),
            seed,
        };
        is_always_the_same(&Sets, &Repeated::new(Ddmin::new(COUNT), NOISE, bounds), sets);
        is_always_the_same(&Sets, &Repeated::new(Blocks::new(COUNT), NOISE, bounds), sets);
        let row = || Flaky { subject: Rows, is_there: |place: &usize| *place > 25, seed };
        is_always_the_same(&Rows, &Noisy::new(COUNT, 0.99, NOISE), row);
    }
}
