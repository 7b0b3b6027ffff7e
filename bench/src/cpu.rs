//! The processor time of threads and processes.

use std::error::Error;
use std::fs;
use std::time::Duration;

/// Returns the processor time of this thread so far.
pub(crate) fn of_thread() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Returns the processor time of another process so far, threads that have ended included.
pub(crate) fn of_process(process: u32) -> Result<Duration, Box<dyn Error>> {
    times(&format!("/proc/{process}/stat"), 0)
}

/// Returns the processor time of all processes below this one that have ended and were waited for.
pub(crate) fn of_children() -> Result<Duration, Box<dyn Error>> {
    times("/proc/self/stat", 2)
}

/// Returns the sum of user and system time, which follow each other in the file: first those of
/// the process, then those of its children.
fn times(stat: &str, skipped: usize) -> Result<Duration, Box<dyn Error>> {
    let stat = fs::read_to_string(stat)?;
    // The name, in brackets, may hold any character.
    let (_, fields) = stat.rsplit_once(')').ok_or("no name")?;
    let ticks = fields.split_whitespace().skip(11 + skipped).take(2);
    let ticks = ticks.map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}
