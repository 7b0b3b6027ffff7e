//! Inputs of one file, and how they are reduced here.

use std::sync::Arc;

use whodunit_input::{InputCandidate, InputFile, LadderSettings, Languages, Snapshot};

/// Returns a file as the only one of an input.
pub(crate) fn snapshot(name: &str, text: &str) -> Arc<Snapshot> {
    let file = InputFile { name: name.into(), bytes: text.as_bytes().into(), mode: 0o644 };
    Arc::new(Snapshot::new(vec![file]))
}

/// Returns settings that leave nothing out.
pub(crate) fn settings(languages: Languages) -> LadderSettings {
    LadderSettings::new(languages)
}

/// Returns what is left of the only file; nothing if the file is gone.
pub(crate) fn content(candidate: &InputCandidate) -> Arc<[u8]> {
    let snapshot = candidate.snapshot();
    snapshot.files().first().map_or_else(|| Arc::from([]), |file| file.bytes.clone())
}
