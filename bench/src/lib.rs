//! Made-up subjects that both the tables and the tests of the program use.

pub mod programs;
