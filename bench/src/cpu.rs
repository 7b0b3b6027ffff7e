//! The time that a processor spent on us.

use std::time::Duration;

/// Returns the processor time of this thread so far.
pub(crate) fn of_thread() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
