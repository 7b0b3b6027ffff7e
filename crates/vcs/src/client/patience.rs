//! Waiting for a server or a lock, longer each time.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// The first wait; each later one is twice as long. Chosen by hand.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Waits before the client gives up: four minutes in all, in which a server starts again or a
/// commit of others ends. Chosen by hand.
const MAX_WAITS: u32 = 8;

/// The number of further attempts, and the way to wait between them.
#[derive(Clone)]
pub struct Patience {
    wait: Arc<dyn Fn(Duration) -> ControlFlow<()> + Send + Sync>,
    goes_on: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Patience {
    /// Waits with a function of the caller: it gets the time, and returns whether to continue.
    pub fn new(wait: impl Fn(Duration) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self { wait: Arc::new(wait), goes_on: Arc::new(|| true) }
    }

    /// Ends programs as soon as the caller no longer wants their output.
    #[must_use]
    pub fn while_wanted(self, goes_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { goes_on: Arc::new(goes_on), ..self }
    }

    /// Whether the output is still wanted.
    pub(crate) fn goes_on(&self) -> bool {
        (self.goes_on)()
    }

    /// Never waits.
    pub fn none() -> Self {
        Self::new(|_| ControlFlow::Break(()))
    }

    /// Waits after a number of attempts. Returns whether to try again.
    pub(crate) fn wait(&self, attempts: u32) -> ControlFlow<()> {
        if attempts > MAX_WAITS {
            return ControlFlow::Break(());
        }
        (self.wait)(FIRST_WAIT * 2_u32.pow(attempts.saturating_sub(1)))
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Patience")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let waited = Arc::new(Mutex::new(Vec::new()));
        let noted = waited.clone();
        let patience = Patience::new(move |time| {
            noted.lock().unwrap().push(time.as_secs());
            ControlFlow::Continue(())
        });
        let attempts = (1..).take_while(|attempts| patience.wait(*attempts).is_continue()).count();
        assert_eq!(attempts, 8);
        assert_eq!(*waited.lock().unwrap(), [1, 2, 4, 8, 16, 32, 64, 128]);
        assert!(Patience::none().wait(1).is_break());
    }
}
