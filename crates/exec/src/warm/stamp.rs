//! The times of written files, as `make` and we see them.
//!
//! `make` builds again what is older than its sources. So a file that is written, even one that
//! gets an earlier content back, must become newer than everything built so far, whatever the
//! clock does and however coarsely the file system keeps time.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{Stat, Timespec};
use rustix::time::{ClockId, clock_gettime};

const SECOND: i128 = 1_000_000_000;

/// Nanoseconds: the coarsest file systems in use keep every other second.
const COARSEST: i128 = 2 * SECOND;

/// Nanoseconds: the kernel's clock for files ticks at least this often.
const TICK: i128 = SECOND / 100;

/// The time of reading of a file that nobody has read yet: long ago, so that file systems that
/// seldom record readings record the first one.
pub(super) const UNREAD: i128 = 0;

/// The facts about a file that show later whether it was touched.
///
/// A test cannot set the time of the last change. The time of writing is set to one that the
/// kernel's own coarse clock does not give, so that a test that writes right after us is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    size: i64,
    written: i128,
    changed: i128,
    inode: u64,
    mode: u32,
}

impl Stamp {
    pub(super) fn of(found: &Stat) -> Self {
        Stamp {
            size: found.st_size,
            written: written(found),
            changed: nanoseconds(found.st_ctime, found.st_ctime_nsec as i64),
            inode: found.st_ino,
            mode: found.st_mode,
        }
    }

    /// Returns whether the two files have the same mode.
    pub(super) fn has_mode_of(&self, other: &Stamp) -> bool {
        self.mode == other.mode
    }
}

/// Returns the time of writing of a file.
pub(super) fn written(found: &Stat) -> i128 {
    nanoseconds(found.st_mtime, found.st_mtime_nsec as i64)
}

/// Returns whether a file was read since it was laid out. Some file systems never tell.
pub(super) fn is_read(found: &Stat) -> bool {
    nanoseconds(found.st_atime, found.st_atime_nsec as i64) != UNREAD
}

/// Gives times for files that are written, each later than all before.
#[derive(Debug)]
pub(super) struct Clock {
    /// The resolution of the file system, in nanoseconds.
    granule: i128,
    /// The latest time that a file can have.
    latest: i128,
}

impl Clock {
    pub(super) fn new() -> Self {
        Clock { granule: 1, latest: 0 }
    }

    /// Notes that files may have been written until now.
    pub(super) fn pass(&mut self) {
        self.pass_until(now());
    }

    /// Returns the time for the next files that are written.
    pub(super) fn next(&mut self) -> i128 {
        self.next_at(now())
    }

    /// Notes that the file system cannot keep times this fine, and returns a time that it can.
    pub(super) fn coarser(&mut self, time: i128) -> i128 {
        self.granule = COARSEST;
        self.latest = time;
        self.next_at(time)
    }

    /// Waits until newly written files get a later time than the files that were laid out, a few
    /// milliseconds at most. Otherwise a product that is built at once would be older than its
    /// sources, and be built again the next time.
    pub(super) fn settle(&self) {
        let ahead = || {
            let kernel = clock_gettime(ClockId::RealtimeCoarse);
            self.latest - nanoseconds(kernel.tv_sec, kernel.tv_nsec)
        };
        let mut rest = ahead();
        // A longer rest is no matter of ticks: times are coarse here, or the clock was set.
        while 0 < rest && rest <= TICK {
            thread::sleep(Duration::from_nanos(rest as u64));
            rest = ahead();
        }
    }

    fn pass_until(&mut self, now: i128) {
        self.latest = self.latest.max(now);
    }

    fn next_at(&mut self, now: i128) -> i128 {
        let after = now.max(self.latest) + 1;
        // Round up: a file's time that was cut off must not become older than `latest`.
        self.latest = (after + self.granule - 1) / self.granule * self.granule;
        self.latest
    }
}

/// Returns the time in the form that system calls take.
pub(super) fn timespec(time: i128) -> Timespec {
    Timespec { tv_sec: (time / SECOND) as i64, tv_nsec: (time % SECOND) as i64 }
}

fn now() -> i128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i128)
}

fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * SECOND + i128::from(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_when_the_clock_does_not() {
        let mut clock = Clock::new();
        let first = clock.next_at(100);
        assert!(first > 100);
        let second = clock.next_at(50);
        assert!(second > first);
        clock.pass_until(1000);
        assert!(clock.next_at(60) > 1000);
    }

    #[test]
    fn coarse_times_differ_too() {
        let mut clock = Clock::new();
        let fine = clock.next_at(5 * SECOND + 7);
        let mut before = fine / SECOND * SECOND; // the time that the file system kept
        let mut time = clock.coarser(fine);
        for _ in 0..3 {
            assert_eq!(time % COARSEST, 0);
            assert!(time > before);
            before = time;
            time = clock.next_at(5 * SECOND + 8);
        }
    }
}
