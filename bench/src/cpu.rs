//! The time that a processor spent on us.

use std::error::Error;
use std::fs;
use std::time::Duration;

/// Returns the processor time of this thread so far.
pub(crate) fn of_thread() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Returns the processor time of another process so far, all its threads included.
pub(crate) fn of_process(process: u32) -> Result<Duration, Box<dyn Error>> {
    let mut spent = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        // The first number is the time on a processor, in nanoseconds.
        let times = fs::read_to_string(thread?.path().join("schedstat"))?;
        let spent_here: u64 = times.split_whitespace().next().ok_or("no number")?.parse()?;
        spent += Duration::from_nanos(spent_here);
    }
    Ok(spent)
}
