//! The searches, one file each, with their paper named there.

mod blocks;
mod chain;
mod dd;
mod dd_plus;
mod ddmin;
mod foretold;
mod halving;
mod isolate;
mod ordered;

pub use blocks::{Blocks, Certify};
pub use chain::{Chain, Rounds};
pub use dd::Dd;
pub use dd_plus::DdPlus;
pub use ddmin::Ddmin;
pub use foretold::Foretold;
pub use halving::Halving;
pub use isolate::Isolate;
pub use ordered::{Ordered, Prefixes};
