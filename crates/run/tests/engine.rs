//! The engine with functions as oracles: no processes.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

use std::collections::HashSet;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use whodunit_core::searches::{Blocks, DdPlus, Ddmin, Each, Isolate};
use whodunit_core::{Aim, Answer, Delta, DeltaSet, Run, Search, Step, Task, Verdict, Waits};
use whodunit_run::{
    Ask, Ended, Engine, EngineError, Key, Memory, Minimal, Minimize, MinimizeError, Observer,
    Outcome, Size, Source, Stop, Subject, TestEvent, Tested, Ticket, Worker,
};

/// How long anything may take before it counts as never.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes down the committed questions.
#[derive(Default)]
struct Committed(Vec<(String, Verdict, Source)>);

impl Observer for Committed {
    fn event(&mut self, event: &TestEvent) -> std::io::Result<()> {
        if let TestEvent::Committed { key, verdict, source, .. } = event {
            self.0.push((key.to_string(), *verdict, *source));
        }
        Ok(())
    }
}

/// A repeatable oracle that follows no rule, except that everything fails and nothing passes.
fn arbitrary(seed: u64, count: usize, kept: &[u32]) -> Verdict {
    if kept.is_empty() || kept.len() == count {
        return if kept.is_empty() { Verdict::Pass } else { Verdict::Fail };
    }
    let mut hash = seed | 1;
    for &delta in kept {
        hash = (hash ^ u64::from(delta)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
    [Verdict::Fail, Verdict::Pass, Verdict::Unresolved][(hash >> 7) as usize % 3]
}

fn run<S: Search<Candidate = DeltaSet>>(
    search: S,
    jobs: usize,
    seed: u64,
    items: &[u32],
) -> (DeltaSet, Vec<(String, Verdict, Source)>) {
    let mut committed = Committed::default();
    let count = items.len();
    let minimal = Minimize::new(items)
        .jobs(jobs)
        .run_with(search, |kept| arbitrary(seed, count, kept), &mut committed)
        .unwrap();
    assert_eq!(minimal.ended, Ended::Done);
    (minimal.deltas, committed.0)
}

fn same_for_any_jobs<S: Search<Candidate = DeltaSet>>(search: &S, seed: u64, items: &[u32]) {
    let one = run(search.clone(), 1, seed, items);
    for jobs in [2, 8] {
        assert_eq!(run(search.clone(), jobs, seed, items), one, "{jobs} jobs, seed {seed}");
    }
}

proptest! {
    // Four searches, so ten thousand oracles in all.
    #![proptest_config(ProptestConfig::with_cases(2500))]
    #[test]
    fn the_answer_does_not_depend_on_the_number_of_workers(seed: u64, count in 1usize..9) {
        let items: Vec<u32> = (0..count as u32).collect();
        same_for_any_jobs(&Blocks::new(count), seed, &items);
        same_for_any_jobs(&Ddmin::new(count), seed, &items);
        same_for_any_jobs(&DdPlus::new(count), seed, &items);
        same_for_any_jobs(&Isolate::new(count), seed, &items);
        let script = two_searches(count);
        same_for_any_jobs(&whodunit_core::Scripted::new(&script, DeltaSet::full(count)), seed, &items);
    }
}

/// One search after the other.
fn two_searches(count: usize) -> impl Fn(&mut Run<DeltaSet>) -> Result<(), Waits> {
    move |run| {
        run.ask(Task { aim: Aim::Culprit, among: count }, || DdPlus::new(count))?;
        run.ask(Task { aim: Aim::Smallest, among: count }, || Ddmin::new(count)).map(drop)
    }
}

/// Records tasks, and the number of questions before each.
#[derive(Default)]
struct Tasks {
    questions: u64,
    begun: Vec<(u64, Aim)>,
}

impl Observer for Tasks {
    fn event(&mut self, event: &TestEvent) -> std::io::Result<()> {
        if let TestEvent::Committed { question, .. } = event {
            self.questions = *question;
        }
        Ok(())
    }

    fn task(&mut self, task: Task) -> std::io::Result<()> {
        self.begun.push((self.questions, task.aim));
        Ok(())
    }
}

#[test]
fn a_task_is_told_of_before_its_first_question_for_any_number_of_workers() {
    let items: Vec<u32> = (0..64).collect();
    let fails = |kept: &[u32]| if kept.contains(&9) { Verdict::Fail } else { Verdict::Pass };
    let begun = [1, 8].map(|jobs| {
        let (script, mut tasks) = (two_searches(items.len()), Tasks::default());
        let search = whodunit_core::Scripted::new(&script, DeltaSet::full(items.len()));
        let minimal = Minimize::new(&items).jobs(jobs).run_with(search, fails, &mut tasks);
        assert_eq!(minimal.unwrap().kept, [9]);
        tasks.begun
    });
    let [(0, Aim::Culprit), (later, Aim::Smallest)] = begun[0][..] else {
        panic!("{begun:?}");
    };
    assert!(later > 0 && begun[0] == begun[1], "{begun:?}");
}

#[test]
fn look_ahead_crosses_from_one_search_of_a_script_to_the_next() {
    let items: Vec<u32> = (0..4).collect();
    let script = |run: &mut Run<DeltaSet>| {
        run.ask(Task { aim: Aim::Culprit, among: 1 }, || One(Some(DeltaSet::run(0..3))))?;
        run.ask(Task { aim: Aim::Fix, among: 1 }, || One(Some(DeltaSet::run(0..2)))).map(drop)
    };
    // Both questions are tested at the same time, or none of them ends.
    let (running, both_came) = (Mutex::new(0), Condvar::new());
    let together = |kept: &[u32]| {
        if kept.len() < items.len() {
            let mut count = running.lock().unwrap();
            *count += 1;
            both_came.notify_all();
            let waited = both_came.wait_timeout_while(count, PATIENCE, |count| *count < 2);
            assert!(!waited.unwrap().1.timed_out(), "the second search was not foreseen");
        }
        Verdict::Fail
    };
    let search = whodunit_core::Scripted::new(&script, DeltaSet::full(4));
    let minimal = Minimize::new(&items).jobs(2).run_with(search, together, &mut ()).unwrap();
    assert_eq!(minimal.ended, Ended::Done);
}

/// Asks one question.
#[derive(Clone)]
struct One(Option<DeltaSet>);

impl Search for One {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.0.clone().map_or(Step::Done, Step::Ask)
    }

    fn learn(&mut self, _: &Answer) {
        self.0 = None;
    }

    fn best(&self) -> DeltaSet {
        DeltaSet::full(4)
    }
}

#[test]
fn no_content_is_tested_twice() {
    let items: Vec<u32> = (0..200).collect();
    let seen = Mutex::new(HashSet::new());
    for jobs in [1, 4] {
        seen.lock().unwrap().clear();
        let oracle = |kept: &[u32]| {
            let kept: Vec<u32> = kept.to_vec();
            let fails = kept.contains(&17) && kept.contains(&150);
            assert!(seen.lock().unwrap().insert(kept), "asked twice");
            if fails { Verdict::Fail } else { Verdict::Pass }
        };
        let minimal = Minimize::new(&items).jobs(jobs).run_with(Ddmin::new(200), oracle, &mut ());
        assert_eq!(minimal.unwrap().kept, [17, 150]);
    }
}

#[test]
fn all_workers_have_something_to_do() {
    let items: Vec<u32> = (0..400).collect();
    let fails = |kept: &[u32]| [3, 77, 210, 399].iter().all(|item| kept.contains(item));
    let verdict = |kept: &[u32]| if fails(kept) { Verdict::Fail } else { Verdict::Pass };
    let alone = Minimize::new(&items).run(verdict).unwrap();
    // From the first question of the search on, every test waits until eight are running. The list
    // as a whole is tested before there is anything to foresee.
    let (running, all_came) = (Mutex::new(0), Condvar::new());
    let together = |kept: &[u32]| {
        if kept.len() < items.len() {
            let mut count = running.lock().unwrap();
            *count += 1;
            all_came.notify_all();
            let waited = all_came.wait_timeout_while(count, PATIENCE, |count| *count < 8);
            assert!(!waited.unwrap().1.timed_out(), "some workers have nothing to do");
        }
        verdict(kept)
    };
    let together = Minimize::new(&items).jobs(8).run(together).unwrap();
    assert_eq!(alone.kept, together.kept);
    assert_eq!(alone.tests.committed, together.tests.committed);
}

#[test]
fn a_list_that_does_not_fail_is_an_error() {
    let result = Minimize::new(&[1, 2, 3]).run(|_| false);
    assert!(matches!(result, Err(MinimizeError::DoesNotFail(Verdict::Pass))));
}

#[test]
fn a_budget_of_tests_is_exact_for_any_number_of_workers() {
    let items: Vec<u32> = (0..1000).collect();
    let oracle = |kept: &[u32]| {
        if kept.contains(&500) { Verdict::Fail } else { Verdict::Pass }
    };
    let limited = |jobs| -> Minimal<u32> {
        Minimize::new(&items).jobs(jobs).max_tests(7).run(oracle).unwrap()
    };
    let (one, eight) = (limited(1), limited(8));
    assert_eq!(one.ended, Ended::OutOfTests);
    assert_eq!(one.tests.committed, 7);
    assert_eq!((one.deltas, one.tests.committed), (eight.deltas, eight.tests.committed));
}

#[test]
fn a_stopped_search_keeps_its_best() {
    let items: Vec<u32> = (0..1000).collect();
    let stop = Stop::default();
    let asked = Mutex::new(0);
    let oracle = |kept: &[u32]| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        if *asked == 6 {
            stop.stop();
        }
        if kept.contains(&100) { Verdict::Fail } else { Verdict::Pass }
    };
    let minimal = Minimize::new(&items).stop(stop.clone()).run(oracle).unwrap();
    assert_eq!(minimal.ended, Ended::Stopped);
    assert!(minimal.deltas.contains(Delta(100)));
    assert!(minimal.deltas.len() < 1000);
}

/// Asks without end questions whose answers are known beforehand.
#[derive(Clone)]
struct Endless;

impl Search for Endless {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        Step::Ask(DeltaSet::empty())
    }

    fn learn(&mut self, _: &Answer) {}

    fn best(&self) -> DeltaSet {
        DeltaSet::full(3)
    }
}

#[test]
fn a_deadline_is_heeded_where_every_answer_is_known() {
    // Long enough for the one test before it, on any machine.
    let deadline = Instant::now() + Duration::from_secs(2);
    let stop = Stop::default().until(Some(deadline));
    let minimal = Minimize::new(&[1, 2, 3]).stop(stop).run_with(
        Endless,
        |kept| if kept.len() == 3 { Verdict::Fail } else { Verdict::Pass },
        &mut (),
    );
    let minimal = minimal.unwrap();
    assert_eq!((minimal.ended, minimal.deltas.len()), (Ended::OutOfTime, 3));
    assert_eq!(minimal.tests.committed, 1);
}

/// A list of numbers about which some things are known beforehand.
struct Foreseeing;

impl Subject for Foreseeing {
    type Candidate = DeltaSet;

    fn key(&self, kept: &DeltaSet) -> Key {
        Key::of_bytes(format!("{kept:?}").as_bytes())
    }

    fn size(&self, kept: &DeltaSet) -> Size {
        Size { deltas: kept.len(), bytes: kept.len() as u64 }
    }

    /// Delta 1 implies delta 0.
    fn foretell(&self, kept: &DeltaSet) -> Option<Verdict> {
        let broken = kept.contains(Delta(1)) && !kept.contains(Delta(0));
        broken.then_some(Verdict::Unresolved)
    }
}

/// The verdict on a candidate, given whether the test is cancelled meanwhile.
type Say<'a> = dyn Fn(&DeltaSet, &dyn Fn() -> bool) -> Result<Verdict, ErrorKind> + Sync + 'a;

/// A worker that follows a script: its verdict on each candidate, and what to remember.
struct Scripted<'a> {
    say: &'a Say<'a>,
    cancelled: Arc<Mutex<HashSet<Ticket>>>,
}

impl Worker<DeltaSet> for Scripted<'_> {
    type Error = ErrorKind;

    fn test(&mut self, ticket: Ticket, kept: &DeltaSet) -> Result<Option<Tested>, ErrorKind> {
        let verdict = (self.say)(kept, &|| self.cancelled.lock().unwrap().contains(&ticket))?;
        Ok(Some(Tested { verdict, observation: None, doubtful: false }))
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        let cancelled = self.cancelled.clone();
        Box::new(move |ticket| {
            cancelled.lock().unwrap().insert(ticket);
        })
    }
}

/// Runs `blocks` over 40 deltas with scripted workers; returns the outcome and the cancelled
/// tests.
fn run_scripted(
    jobs: usize,
    say: &Say<'_>,
) -> (Result<Outcome<Blocks>, EngineError<ErrorKind>>, usize) {
    let cancelled = Arc::new(Mutex::new(HashSet::new()));
    let workers = (0..jobs).map(|_| Scripted { say, cancelled: cancelled.clone() }).collect();
    let engine = Engine {
        subject: &Foreseeing,
        memory: &mut Memory::default(),
        max_tests: None,
        stop: Stop::default(),
        observer: &mut (),
        keep: &mut |_, _, _| Ok(()),
    };
    let outcome = engine.run(Blocks::new(40), workers);
    let cancelled = cancelled.lock().unwrap().len();
    (outcome, cancelled)
}

fn needs_one(kept: &DeltaSet) -> Verdict {
    if kept.contains(Delta(1)) && kept.contains(Delta(17)) { Verdict::Fail } else { Verdict::Pass }
}

#[test]
fn what_is_foretold_is_not_tested() {
    for jobs in [1, 8] {
        let say = |kept: &DeltaSet, _: &dyn Fn() -> bool| {
            assert_eq!(Foreseeing.foretell(kept), None, "tested for nothing");
            Ok(needs_one(kept))
        };
        let outcome = run_scripted(jobs, &say).0.unwrap();
        let expected: DeltaSet = [0, 1, 17].into_iter().map(Delta).collect();
        assert_eq!(outcome.search.best(), expected);
        assert_eq!((outcome.tally.foretold, outcome.tally.unresolved), (1, 1));
    }
}

#[test]
fn a_test_that_cannot_be_run_stops_the_run() {
    for jobs in [1, 8] {
        let say = |kept: &DeltaSet, _: &dyn Fn() -> bool| match kept.len() {
            0..20 => Ok(needs_one(kept)),
            _ => Err(ErrorKind::StorageFull),
        };
        let outcome = run_scripted(jobs, &say).0;
        assert!(matches!(outcome, Err(EngineError::Worker(ErrorKind::StorageFull))));
    }
}

#[test]
fn tests_that_are_no_longer_foreseen_are_cancelled() {
    // Tests that a search without look-ahead does not ask for end only if they are cancelled.
    let asked = Mutex::new(HashSet::new());
    let (alone, _) = run_scripted(1, &|kept, _| {
        asked.lock().unwrap().insert(format!("{kept:?}"));
        Ok(needs_one(kept))
    });
    assert_eq!(alone.unwrap().ended, Ended::Done);
    let say = |kept: &DeltaSet, is_cancelled: &dyn Fn() -> bool| {
        if !asked.lock().unwrap().contains(&format!("{kept:?}")) {
            let begun = Instant::now();
            while !is_cancelled() {
                assert!(begun.elapsed() < PATIENCE, "never cancelled");
                std::thread::yield_now();
            }
        }
        Ok(needs_one(kept))
    };
    let (outcome, cancelled) = run_scripted(8, &say);
    assert_eq!(outcome.unwrap().ended, Ended::Done);
    assert!(cancelled > 0);
}

#[test]
fn a_panic_stops_the_run_and_keeps_what_was_found() {
    // The usual hook must not print this panic.
    std::panic::set_hook(Box::new(|_| ()));
    for jobs in [1, 4] {
        let tests = AtomicUsize::new(0);
        let judge = |kept: &DeltaSet| {
            assert!(tests.fetch_add(1, Ordering::SeqCst) < 5, "out of order");
            if kept.contains(Delta(77)) { Verdict::Fail } else { Verdict::Pass }
        };
        let stop = Stop::default();
        let engine = Engine {
            subject: &Foreseeing,
            memory: &mut Memory::default(),
            max_tests: None,
            stop: stop.clone(),
            observer: &mut (),
            keep: &mut |_, _, _| Ok(()),
        };
        // In small groups at first, so there is much left to ask when it breaks.
        let workers = (0..jobs).map(|_| Ask(judge)).collect();
        let outcome = engine.run(Each::new(100), workers).unwrap();
        assert_eq!(outcome.ended, Ended::Defect, "{jobs} jobs");
        assert_eq!(stop.panic(), Some("out of order"));
        // Of several workers some may have run ahead for nothing.
        let (left, most) = (outcome.search.best().len(), if jobs == 1 { 92 } else { 100 });
        assert!((50..=most).contains(&left), "{left} left, {jobs} jobs");
    }
    let oracle = |_: &[u32]| -> Verdict { panic!("of the caller") };
    let panic = std::panic::catch_unwind(|| Minimize::new(&[1, 2, 3]).run(oracle));
    let _ = std::panic::take_hook();
    assert!(panic.is_err());
}
