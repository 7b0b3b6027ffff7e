//! Changes as texts, for tests of the finders.

use std::sync::Arc;

use whodunit_core::DeltaSet;
use whodunit_syntax::language::Language;

use crate::candidate::InputCandidate;
use crate::changes::Changes;
use crate::edits::Change;
use crate::languages::Languages;
use crate::protect::Protection;
use crate::snapshot::{InputFile, Snapshot};
use crate::structure::{Parsed, Structure};

/// Returns the text after each change, made alone.
pub(super) fn listed(
    language: &str,
    text: &str,
    find: impl Fn(&Parsed<'_>) -> Vec<Change>,
) -> Vec<String> {
    let changes = found(language, text, find);
    let all = DeltaSet::full(changes.len());
    let one = |change| all.minus(&DeltaSet::run(change..change + 1));
    (0..changes.len() as u32).map(|change| made(&changes, one(change))).collect()
}

/// Returns the text after all changes together.
pub(super) fn all_made(
    language: &str,
    text: &str,
    find: impl Fn(&Parsed<'_>) -> Vec<Change>,
) -> String {
    made(&found(language, text, find), DeltaSet::empty())
}

fn found(language: &str, text: &str, find: impl Fn(&Parsed<'_>) -> Vec<Change>) -> Arc<Changes> {
    let file = InputFile { name: "input".into(), bytes: text.as_bytes().into(), mode: 0o644 };
    let base = Arc::new(Snapshot::new(vec![file]));
    let language = Language::by_name(language).unwrap();
    let structure =
        Structure::read(&base, &Languages::Given(language.clone()), &Protection::new(&[]).unwrap());
    let structure = Arc::new(structure.unwrap());
    let changes = structure.parsed().flat_map(|file| find(&file)).collect();
    Arc::new(Changes::new(structure, changes))
}

fn made(changes: &Arc<Changes>, not_made: DeltaSet) -> String {
    let snapshot = InputCandidate::changed(changes.clone(), not_made).snapshot();
    String::from_utf8_lossy(&snapshot.files()[0].bytes).into_owned()
}
