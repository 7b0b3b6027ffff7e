//! Foreign bytes for every reader of them.
//!
//! A target is a function that reads any bytes and must neither panic nor hang. `fuzz/` calls the
//! targets with the findings of libFuzzer; the test of this crate calls them with the committed
//! seeds and with [mutations](mutate) of these, so that every compiler runs them.

pub mod mutate;
pub mod targets;

/// A reader of bytes, by name.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of its folder of seeds and of its file in `fuzz/`.
    pub name: &'static str,
    /// Reads the bytes.
    pub read: fn(&[u8]),
}

/// Returns all targets.
pub fn all() -> Vec<Target> {
    use targets::*;
    let target = |name, read| Target { name, read };
    vec![
        target("answer", answer),
        target("archive", archive),
        target("blocks", blocks),
        target("coverage", coverage),
        target("diagnostics", diagnostics),
        target("grammar", grammar),
        target("hierarchy", hierarchy),
        target("inert", inert),
        target("journal", journal),
        target("lexical", lexical),
        target("patch", patch),
        target("tree", tree),
    ]
}
