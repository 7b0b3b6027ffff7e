//! Whether a run should stop, and why it did.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How often a waiting thread checks whether the run should stop. A stop takes effect this much
/// later at most. Chosen by hand: too short to be noticed.
pub const GLANCE: Duration = Duration::from_millis(50);

/// How long a stopped run waits for work that ends itself on a stop; after that the work is left
/// behind. Chosen by hand: a few times [`GLANCE`].
const STOP_GRACE: Duration = Duration::from_millis(300);

/// Bytes of stack for a thread that does work which cannot be interrupted: as many as a main thread
/// has, where the work would be done otherwise.
const STACK_BYTES: usize = 8 << 20;

/// Stops a run: on request of another thread, or at a deadline.
///
/// Everything that may take longer than a moment checks it: tests, and our own work between tests.
/// Copies share the request; each has its own deadline.
///
/// A panic in whodunit itself is caught and stops the run like a request, so that the results so
/// far are kept.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    is_asked: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// The message of the first panic.
    panic: Arc<OnceLock<String>>,
}

impl Stop {
    /// Returns a copy that also stops at this moment, if there is one.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> Stop {
        Stop { deadline, ..self.clone() }
    }

    /// Returns a copy whose deadline is earlier by `by`.
    #[must_use]
    pub fn sooner(&self, by: Duration) -> Stop {
        self.until(self.deadline.map(|deadline| deadline.checked_sub(by).unwrap_or(deadline)))
    }

    /// Asks the run to stop soon and keep what it has.
    pub fn stop(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
    }

    /// Returns whether the run should stop.
    pub fn is_stopped(&self) -> bool {
        self.ended().is_some()
    }

    /// Returns why the run should stop, if it should.
    pub fn ended(&self) -> Option<Ended> {
        if self.is_asked.load(Ordering::Relaxed) {
            return Some(if self.panic.get().is_some() { Ended::Defect } else { Ended::Stopped });
        }
        let is_past = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_past.then_some(Ended::OutOfTime)
    }

    /// Does work that cannot be interrupted, such as reading and comparing versions, and returns
    /// its result. Returns the reason if the run should stop first.
    ///
    /// The work has a thread of its own. When the run stops, the thread is left behind: it ends
    /// with its work or with the process, and its result is dropped. So the work must only read.
    pub fn wait_for<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Ended> {
        if let Some(ended) = self.ended() {
            return Err(ended);
        }
        let (done, result) = mpsc::channel();
        let work = move || drop(done.send(catch_unwind(AssertUnwindSafe(work))));
        let started = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        started.expect("a thread can be started");
        loop {
            match result.recv_timeout(GLANCE) {
                Ok(done) => {
                    let done = done.unwrap_or_else(|panic| resume_unwind(panic));
                    // The work may have ended early because of the stop.
                    return self.ended().map_or(Ok(done), Err);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends its result"),
            }
            if let Some(ended) = self.ended() {
                // Work that runs a program to fetch something ends that program on a stop; give it
                // time for that.
                let _ = result.recv_timeout(STOP_GRACE);
                return Err(ended);
            }
        }
    }

    /// Returns the message of the panic that stopped the run, if one did.
    pub fn panic(&self) -> Option<&str> {
        self.panic.get().map(String::as_str)
    }

    /// Stops the run because of a panic.
    pub fn panicked(&self, payload: &(dyn Any + Send)) {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let _ = self.panic.set(text.unwrap_or("no message").to_owned());
        self.stop();
    }
}

/// Why a search is no longer asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It has nothing more to ask. Of a run: every claim of its answer is built.
    Done,
    /// There was more to ask. Describes a whole run, never one search. In `changes` and `history`
    /// too many tests in a row had no success. In `reduce` not every remaining piece was tested
    /// although that was requested, or the result does not fail again. A ladder ends with untested
    /// pieces if a pass keeps changing the text without making it simpler, or if the text is too
    /// large to list its pieces; never with a pass suspended.
    GaveUp,
    /// The time is up.
    OutOfTime,
    /// The number of tests is used up.
    OutOfTests,
    /// The user stopped it.
    Stopped,
    /// whodunit itself panicked.
    Defect,
}

impl Ended {
    /// Returns it in words that can begin a sentence about the remaining work.
    pub fn words(self) -> &'static str {
        match self {
            Ended::Done => "done",
            Ended::GaveUp => "given up",
            Ended::OutOfTime => "the time was up",
            Ended::OutOfTests => "the number of tests was used up",
            Ended::Stopped => "stopped",
            Ended::Defect => "stopped by a defect of whodunit",
        }
    }
}
