//! The workers of a run, a thread each if there are several.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Scope, Thread};
use std::time::Duration;

use crate::key::Key;
use crate::stop::GLANCE;
use crate::worker::{Tested, Ticket, Worker};

/// In place of a ticket: there will be no more tests.
const ENDED: u64 = u64::MAX;

/// A test that came to an end.
pub(super) struct Done<E> {
    worker: usize,
    pub(super) key: Key,
    /// The result of the test, or the panic that ended it.
    pub(super) result: Result<Result<Option<Tested>, E>, Panic>,
}

type Panic = Box<dyn Any + Send>;

pub(super) struct Pool<'scope, C, E> {
    hands: Vec<Hand<C>>,
    results: Receiver<Done<E>>,
    /// The worker itself if there is only one: it works on the engine's own thread, because
    /// waking another one up can take longer than a short test.
    alone: Option<Alone<'scope, C, E>>,
}

struct Hand<C> {
    jobs: Sender<Job<C>>,
    cancel: Box<dyn Fn(Ticket) + Send>,
    running: Option<Ticket>,
    cancelled: bool,
}

struct Job<C> {
    ticket: Ticket,
    key: Key,
    candidate: Arc<C>,
}

/// One worker on the engine's own thread.
struct Alone<'scope, C, E> {
    worker: Box<dyn Worker<C, Error = E> + 'scope>,
    todo: Receiver<Job<C>>,
    done: Sender<Done<E>>,
    /// The ticket of the running test, for the thread that may have to cancel it; 0 for none.
    running: Arc<AtomicU64>,
    guard: Thread,
}

impl<'scope, C: Send + Sync, E: Send> Pool<'scope, C, E> {
    /// Starts the workers. `is_over` returns whether the run no longer waits for them.
    pub(super) fn start<W: Worker<C, Error = E> + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        workers: Vec<W>,
        is_over: impl Fn() -> bool + Send + 'scope,
    ) -> Self
    where
        C: 'scope,
        E: 'scope,
    {
        let (done, results) = mpsc::channel();
        let single = workers.len() == 1;
        let mut pool = Pool { hands: Vec::new(), results, alone: None };
        let mut is_over = Some(is_over);
        for (index, worker) in workers.into_iter().enumerate() {
            let (jobs, todo) = mpsc::channel();
            let (cancel, done) = (worker.canceller(), done.clone());
            pool.hands.push(Hand { jobs, cancel, running: None, cancelled: false });
            if single {
                let running = Arc::new(AtomicU64::new(0));
                let is_over = is_over.take().expect("there is one worker");
                let guard = guard(scope, &running, worker.canceller(), is_over);
                let worker = Box::new(worker);
                pool.alone = Some(Alone { worker, todo, done, running, guard });
            } else {
                scope.spawn(move || work(index, worker, &todo, &done));
            }
        }
        pool
    }

    pub(super) fn size(&self) -> usize {
        self.hands.len()
    }

    pub(super) fn busy(&self) -> usize {
        self.hands.iter().filter(|hand| hand.running.is_some()).count()
    }

    pub(super) fn has_idle(&self) -> bool {
        self.busy() < self.size()
    }

    pub(super) fn is_full(&self) -> bool {
        !self.has_idle()
    }

    /// Gives a test to an idle worker; there must be one.
    pub(super) fn hand_out(&mut self, ticket: Ticket, key: Key, candidate: Arc<C>) {
        let idle = self.hands.iter_mut().find(|hand| hand.running.is_none());
        let hand = idle.expect("somebody is idle");
        hand.running = Some(ticket);
        hand.cancelled = false;
        // A worker that panicked is gone; the run ends with its message.
        let _ = hand.jobs.send(Job { ticket, key, candidate });
    }

    /// Waits for a test to end.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<Done<E>> {
        if let Some(alone) = &mut self.alone {
            alone.work();
        }
        match self.results.recv_timeout(patience) {
            Ok(done) => {
                self.hands[done.worker].running = None;
                Some(done)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("all workers are gone"),
        }
    }

    /// Ends a test if it still runs.
    pub(super) fn cancel(&mut self, ticket: Ticket) {
        let hand = self.hands.iter_mut().find(|hand| hand.running == Some(ticket));
        if let Some(hand) = hand.filter(|hand| !hand.cancelled) {
            hand.cancelled = true;
            (hand.cancel)(ticket);
        }
    }

    /// Cancels all tests; each thread ends after its test.
    pub(super) fn end(self) {
        for hand in &self.hands {
            if let Some(ticket) = hand.running {
                (hand.cancel)(ticket);
            }
        }
    }
}

impl<C, E: Send> Alone<'_, C, E> {
    fn work(&mut self) {
        if let Ok(Job { ticket, key, candidate }) = self.todo.try_recv() {
            self.running.store(ticket.0, Ordering::Relaxed);
            let result = test(&mut *self.worker, ticket, &candidate);
            self.running.store(0, Ordering::Relaxed);
            self.done.send(Done { worker: 0, key, result }).expect("the pool has the other end");
        }
    }
}

impl<C, E> Drop for Alone<'_, C, E> {
    fn drop(&mut self) {
        self.running.store(ENDED, Ordering::Relaxed);
        self.guard.unpark();
    }
}

/// Cancels the test on the engine's own thread once the run no longer waits for it.
fn guard<'scope>(
    scope: &'scope Scope<'scope, '_>,
    running: &Arc<AtomicU64>,
    cancel: Box<dyn Fn(Ticket) + Send>,
    is_over: impl Fn() -> bool + Send + 'scope,
) -> Thread {
    let running = running.clone();
    let guard = scope.spawn(move || {
        loop {
            match running.load(Ordering::Relaxed) {
                ENDED => return,
                ticket if ticket != 0 && is_over() => cancel(Ticket(ticket)),
                _ => {}
            }
            thread::park_timeout(GLANCE);
        }
    });
    guard.thread().clone()
}

fn work<C, W: Worker<C>>(
    index: usize,
    mut worker: W,
    todo: &Receiver<Job<C>>,
    done: &Sender<Done<W::Error>>,
) {
    while let Ok(Job { ticket, key, candidate }) = todo.recv() {
        let result = test(&mut worker, ticket, &candidate);
        let is_broken = result.is_err();
        if done.send(Done { worker: index, key, result }).is_err() || is_broken {
            return;
        }
    }
}

/// Runs a test; a panic is passed on to the engine, which would wait for its end otherwise.
fn test<C, W: Worker<C> + ?Sized>(
    worker: &mut W,
    ticket: Ticket,
    candidate: &C,
) -> Result<Result<Option<Tested>, W::Error>, Panic> {
    catch_unwind(AssertUnwindSafe(|| worker.test(ticket, candidate)))
}
