//! Lists the atomic changes between two versions without running a test.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use whodunit_run::Word;
use whodunit_versions::{Level, decompose};

use crate::answer::{AffectedTest, AtomAnswer, ResponsibleBy};
use crate::atomic::{Known, Suspicion};
use crate::changes::{ChangesError, open_versions};
use crate::settings::AtomicSettings;

/// The versions to compare, and the sources of information about tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AtomsSettings {
    /// The folder that everything else is relative to.
    pub origin: Word,
    /// The older version: a folder, an archive, or a revision of the repository.
    pub old: Word,
    /// The newer version.
    pub new: Word,
    /// The sources of information about tests.
    pub suspects: AtomicSettings,
    /// Whether the answer lists the tests of the newer version with the changes that can affect each.
    #[serde(default)]
    pub tests: bool,
    /// Whether the newer version has the tests of the older one.
    #[serde(default)]
    pub old_tests: bool,
}

/// The atomic changes between two versions; the documented schema of `atoms --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtomsAnswer {
    /// The version of this schema.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The atomic changes in order.
    pub atoms: Vec<AtomAnswer>,
    /// The number of atomic changes of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// How the changes that a test can depend on were found.
    pub responsible_by: ResponsibleBy,
    /// The places where the test begins, if the changes were found by its calls.
    pub entries: Vec<String>,
    /// The chains among the changes that a test can depend on, as numbers of atomic changes.
    pub chains: Vec<Vec<u64>>,
    /// The tests of the newer version with the changes that can affect each, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<AffectedTest>>,
    /// Notes about information that could not be used.
    pub notes: Vec<String>,
}

/// Version of the schema; it grows when a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// Lists the atomic changes between two versions.
pub fn list(settings: &AtomsSettings) -> Result<AtomsAnswer, ChangesError> {
    let origin = settings.origin.as_path();
    let (old, new) = open_versions(origin, &settings.old, &settings.new, settings.old_tests)?;
    let parts = decompose(&old, &new, Level::Line)?;
    let suspects = &settings.suspects;
    let (words, lists_tests) = (BTreeSet::new(), settings.tests);
    let known = Known { parts: &parts, settings: suspects, origin, words, lists_tests };
    let suspicion = Suspicion::of(&known)?;
    let atoms: Vec<AtomAnswer> =
        (0..suspicion.atoms().len()).map(|atom| suspicion.described(atom)).collect();
    let mut kinds = BTreeMap::new();
    for atom in &atoms {
        *kinds.entry(atom.kind.clone()).or_default() += 1;
    }
    let numbers = |chain: Vec<usize>| chain.into_iter().map(|atom| atom as u64 + 1).collect();
    let chains = suspicion.atoms().chains(suspicion.responsible());
    Ok(AtomsAnswer {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").into(),
        atoms,
        kinds,
        responsible_by: suspicion.by(),
        entries: suspicion.entries().to_vec(),
        chains: chains.into_iter().map(numbers).collect(),
        tests: suspicion.tests().map(<[AffectedTest]>::to_vec),
        notes: suspicion.notes().to_vec(),
    })
}
