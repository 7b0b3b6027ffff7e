//! Properties of outlines of any bytes, and binary files of known formats.

#![allow(clippy::unwrap_used)] // a failed reading fails the test either way
#![allow(clippy::single_range_in_vec_init)] // one range is deleted, and it is one

mod any_bytes;
mod files;
mod formats;
mod repaired;
