//! The memory of processes.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Returns the peak of this process's memory so far, in bytes.
pub(crate) fn peak() -> Result<u64, Box<dyn Error>> {
    peak_in(Path::new("/proc/self/status"))
}

/// Returns the peak of another process's memory so far, in bytes.
pub(crate) fn peak_of(process: u32) -> Result<u64, Box<dyn Error>> {
    peak_in(Path::new(&format!("/proc/{process}/status")))
}

fn peak_in(status: &Path) -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string(status)?;
    let line = status.lines().find(|line| line.starts_with("VmHWM")).ok_or("no VmHWM")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
    Ok(kilobytes * 1024)
}
