//! What grammars say, kept for the next time they are asked.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use whodunit_syntax::grammar::joint::Joints;
use whodunit_syntax::grammar::minimal::Minimal;
use whodunit_syntax::grammar::shape::Shapes;
use whodunit_syntax::grammar::shipped;
use whodunit_syntax::language::Language;

/// What the grammar of a language says.
#[derive(Debug)]
pub(super) struct Knowledge {
    pub(super) shapes: Shapes,
    pub(super) joints: Arc<Joints>,
}

/// Returns what the grammar of a language says; `None` if there is no grammar.
pub(super) fn of(language: &Language) -> Option<Arc<Knowledge>> {
    static KNOWN: LazyLock<Mutex<HashMap<String, Option<Arc<Knowledge>>>>> =
        LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(language.name().to_owned()).or_insert_with(|| learn(language.name())).clone()
}

fn learn(language: &str) -> Option<Arc<Knowledge>> {
    let grammar = shipped::grammar(language)?;
    let minimal = Minimal::new(&grammar, shipped::given(language)).ok()?;
    let joints = Arc::new(minimal.joints().clone());
    Some(Arc::new(Knowledge { shapes: Shapes::new(grammar, &minimal), joints }))
}
