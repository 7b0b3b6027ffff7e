//! Limits of unpacking: a small archive can be made to fill the memory of any machine.
//!
//! Bytes are counted where they leave a decompressor, so that names and notes of an archive count
//! as well; at the limit reading fails.

use std::cell::Cell;
use std::error::Error;
use std::io::{self, Read};
use std::rc::Rc;

/// Limits for the unpacked bytes of an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    /// Bytes that no archive may exceed, whatever its own size.
    pub(super) total: u64,
    /// Bytes that every archive may unpack to.
    pub(super) always: u64,
    /// Bytes unpacked for each byte of the archive, if that is more than `always`.
    pub(super) ratio: u64,
}

impl Expansion {
    /// The limits for archives of users. Sources of large projects unpack to a quarter of the
    /// total. gzip and xz make sources 3 to 20 times smaller, and data that repeats itself rarely
    /// more than 50 times; a bomb of gzip is 1000 times smaller. A small archive of empty tables
    /// does no harm. All three are chosen by hand.
    pub(super) const DEFAULT: Expansion =
        Expansion { total: 4 << 30, always: 16 << 20, ratio: 200 };

    /// Returns a meter for an archive of `packed` bytes.
    pub(super) fn of(self, packed: u64) -> Meter {
        let limit = packed.saturating_mul(self.ratio).max(self.always).min(self.total);
        Meter { too_much: TooMuch { limit, packed }, left: Rc::new(Cell::new(limit)) }
    }
}

/// Counts the bytes that come out of an archive; copies count together.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    too_much: TooMuch,
    /// The number of bytes that may still come.
    left: Rc<Cell<u64>>,
}

impl Meter {
    /// Returns a reader of the same bytes that fails at the limit.
    pub(super) fn over<R: Read>(&self, reader: R) -> Metered<R> {
        Metered { reader, meter: self.clone() }
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub(super) struct Metered<R> {
    reader: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let left = self.meter.left.get().checked_sub(read as u64);
        let left = left.ok_or_else(|| io::Error::other(self.meter.too_much))?;
        self.meter.left.set(left);
        Ok(read)
    }
}

/// An archive unpacks to more than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {limit} bytes come out of {packed}")]
pub(super) struct TooMuch {
    /// The bytes that it may unpack to.
    pub(super) limit: u64,
    /// The bytes of the archive itself.
    pub(super) packed: u64,
}

/// Returns the exceeded limit, if an error is about one, however many errors of libraries are
/// around it.
pub(super) fn exceeded(error: &(dyn Error + 'static)) -> Option<TooMuch> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<TooMuch>() {
            return Some(*found);
        }
        // An error of this kind hides its cause: only `get_ref` returns it.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
    }
    None
}
