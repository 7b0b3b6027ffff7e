//! Asks and judges: drives a search, remembers verdicts, and turns the observation of a test into a
//! verdict.
//!
//! The [engine] takes questions from a [search](whodunit_core::Search), gives them to
//! [workers](Worker) and commits their answers, so that the result does not depend on the number of
//! workers. Absent: processes, files that are opened, and jobs.

pub mod engine;
pub mod evidence;
pub mod hints;
pub mod judge;
pub mod word;

mod event;
mod key;
mod layout;
mod list;
mod memory;
mod noise;
mod output;
mod ran;
mod refutation;
mod repeats;
mod stop;
mod subject;
mod worker;

pub use engine::{Engine, EngineError, Keep, Observer, Outcome, Status, Tally};
pub use event::{Source, TestEvent};
pub use evidence::{Claim, EachNeeded, Evidence};
pub use key::{Key, KeyHasher};
pub use layout::{FileChange, LayOut, LayOutOver, TreeFile};
pub use list::{Minimal, Minimize, MinimizeError};
pub use memory::Memory;
pub use noise::{Counts, Flakiness};
pub use output::Output;
pub use ran::{Ending, Limit, Limits, Ran};
pub use refutation::Refutation;
pub use repeats::{RepeatWorker, Repeats};
pub use stop::{Ended, GLANCE, Stop};
pub use subject::{Size, Subject};
pub use whodunit_files::EntryKind;
pub use word::{Word, verdict};
pub use worker::{Ask, Observe, Tested, Ticket, Worker};
