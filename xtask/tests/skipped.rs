//! Prints the skipped tests, after all tests.
//!
//! `cargo test --workspace` runs the test programs in the order of the names of their packages, and
//! this package comes last. If a package with a later name is added, this file must move there.

use std::io::Write;

fn main() {
    if let Some(summary) = whodunit_test_support::take_skipped() {
        let _ = write!(std::io::stderr(), "\n{summary}");
    }
}
