//! Shared by the tests of several crates: the programs they need, and random numbers.
//!
//! Depends on nothing, least of all on crates of the program: the lie detector uses it as well.

mod needs;
mod random;

pub use needs::{MAY_SKIP, needs, needs_that, take_skipped};
pub use random::{Random, mix};
