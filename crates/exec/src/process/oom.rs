//! The kernel's count of the processes that it killed because memory ran out.
//!
//! Such a kill says nothing about the candidate: another program may have taken the memory. A
//! compiler that loses a child this way exits with a status of its own, so the count is read
//! whenever a test did not end well.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The kernel's count for the whole machine; containers have no count of their own.
const ACCOUNT: &str = "/proc/vmstat";

/// The count, and its last value.
pub(super) struct OomKills {
    file: Option<File>,
    seen: Option<u64>,
}

impl OomKills {
    /// Opens the count; without it no kill is ever seen.
    pub(super) fn open() -> OomKills {
        OomKills::of(File::open(ACCOUNT).ok())
    }

    fn of(file: Option<File>) -> OomKills {
        let mut kills = OomKills { file, seen: None };
        kills.seen = kills.read();
        kills
    }

    /// Returns whether there were kills since the last look.
    pub(super) fn are_more(&mut self) -> bool {
        let now = self.read();
        let before = std::mem::replace(&mut self.seen, now);
        before.is_some() && self.seen > before
    }

    fn read(&self) -> Option<u64> {
        let mut text = [0; 16 * 1024];
        let length = self.file.as_ref()?.read_at(&mut text, 0).ok()?;
        count(&text[..length])
    }
}

fn count(account: &[u8]) -> Option<u64> {
    let line =
        account.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"oom_kill "));
    std::str::from_utf8(line?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::*;

    #[test]
    fn the_account_is_read() {
        assert_eq!(count(b"nr_free_pages 4\noom_kill 17\nnuma_hit 3\n"), Some(17));
        assert_eq!(count(b"nr_free_pages 4\n"), None);
    }

    #[test]
    fn a_kill_is_seen_once() -> io::Result<()> {
        let mut account = tempfile::tempfile()?;
        account.write_all(b"oom_kill 0\n")?;
        let mut kills = OomKills::of(Some(account.try_clone()?));
        assert!(!kills.are_more());
        account.write_all_at(b"oom_kill 1\n", 0)?;
        assert!(kills.are_more());
        assert!(!kills.are_more());
        Ok(())
    }

    #[test]
    fn without_an_account_no_kill_is_seen() {
        assert!(!OomKills::of(None).are_more());
    }
}
