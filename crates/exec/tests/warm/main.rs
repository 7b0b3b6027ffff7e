//! Work folders that stay between tests.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod anything;
mod between;
mod folder;
mod world;
