//! The lie detector: random inputs, programs and histories with random tests are given to the whole
//! program, cold, warm, killed and resumed, with one worker and with many. Each answer is then
//! checked by a checker that knows the test as a function, and shares no code with the library.

mod case;
mod claims;
mod detector;
mod examine;
mod inputs;
mod oracle;
mod repository;
mod tree;
mod versions;
mod world;

pub use detector::{Settings, detect};
pub use oracle::obey_if_asked;
