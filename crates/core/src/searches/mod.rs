//! The searches, one file each, with their paper named there.

mod blocks;
mod chain;
mod closure;
mod dd;
mod dd_plus;
mod ddmin;
mod density;
mod each;
mod fix;
mod foretold;
mod halving;
mod hdd;
mod hdd_plus;
mod hdd_recursive;
mod hdd_star;
mod isolate;
mod level;
mod ordered;
mod sweep;

pub use blocks::{Blocks, Certify};
pub use chain::{Chain, Rounds};
pub use closure::{Boundaries, ChangeSet, Closure, Weights};
pub use dd::Dd;
pub use dd_plus::DdPlus;
pub use ddmin::Ddmin;
pub use each::Each;
pub use fix::Fix;
pub use foretold::Foretold;
pub use halving::Halving;
pub use hdd::Hdd;
pub use hdd_plus::HddPlus;
pub use hdd_recursive::HddRecursive;
pub use hdd_star::HddStar;
pub use isolate::Isolate;
pub use ordered::{Ordered, Prefixes};
pub use sweep::Sweep;
