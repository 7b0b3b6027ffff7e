//! Reducing one input with a function as oracle.

#![allow(clippy::unwrap_used, unreachable_pub)] // a failure of the machinery fails the test

use std::sync::Arc;

use whodunit_core::{Search, Verdict};
use whodunit_input::{
    Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot,
};
use whodunit_run::{Ask, Engine, Memory, Stop};

/// Reduces `bytes` while they `fail`; returns the result and the number of tests.
pub fn reduce(name: &str, bytes: &[u8], fails: impl Fn(&[u8]) -> bool + Sync) -> (Vec<u8>, u64) {
    assert!(fails(bytes), "it fails to begin with");
    let content = |candidate: &InputCandidate| {
        let snapshot = candidate.snapshot();
        snapshot.files().first().map_or_else(Vec::new, |file| file.bytes.to_vec())
    };
    let judge = |candidate: &InputCandidate| {
        if fails(&content(candidate)) { Verdict::Fail } else { Verdict::Pass }
    };
    let engine = Engine {
        subject: &Input,
        memory: &mut Memory::default(),
        max_tests: None,
        stop: Stop::default(),
        observer: &mut (),
        keep: &mut |_, _, _| Ok(()),
    };
    let file = InputFile { name: name.into(), bytes: bytes.into(), mode: 0o644 };
    let settings = LadderSettings::new(Languages::ByFile);
    let ladder = Ladder::new(&Arc::new(Snapshot::new(vec![file])), settings);
    let outcome = engine.run(ladder, vec![Ask(judge)]).unwrap();
    (content(&outcome.search.best()), outcome.tally.committed)
}
