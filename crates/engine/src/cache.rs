//! Outcomes kept across runs: identical content is never tested twice by the same oracle.
//!
//! One append-only file for each oracle. Several runs may append to it at once: a record is one
//! write, and one that got torn is skipped. Observations are kept, so that another rule can judge
//! them without running anything.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::{Observation, Rule};
use crate::records::{self, Kind, Records, RecordsError};

const KIND: Kind = Kind { name: "cache", version: 1 };

/// How much of the output is kept for a later rule to look at.
const OUTPUT: usize = 2048;

#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    observation: Observation,
}

/// The outcomes of one oracle.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    records: Records,
    stored: HashSet<Key>,
}

impl Cache {
    /// Opens the cache of an oracle below `folder` and recalls what `rule` can judge; `found` is
    /// told of each outcome.
    ///
    /// A cache that cannot be read is started afresh: it holds nothing that a test cannot find.
    pub fn open(
        folder: &Path,
        oracle: Key,
        rule: &Rule,
        memory: &mut Memory,
        found: &mut dyn FnMut(Key, Verdict, &Observation),
    ) -> Result<Self, RecordsError> {
        let path = folder.join(format!("{oracle}.cache"));
        fs::create_dir_all(folder)
            .map_err(|source| RecordsError::Io { path: folder.into(), source })?;
        let mut stored = HashSet::new();
        let mut recall = |entry: Entry| {
            if rule.can_judge(&entry.observation) {
                let (seen, verdict) = (&entry.observation, rule.judge(&entry.observation));
                memory.recall(entry.key, verdict, Some(seen));
                found(entry.key, verdict, seen);
                stored.insert(entry.key);
            }
        };
        if path.exists() && records::read(&path, KIND, &mut recall).is_ok() {
            let records = Records::append_to(&path)?;
            return Ok(Cache { path, records, stored });
        }
        // Another run may have created the file in the meantime; then it is as good as ours.
        let _ = fs::remove_file(&path);
        let records = match Records::create(&path, KIND) {
            Err(RecordsError::Io { source, .. })
                if source.kind() == io::ErrorKind::AlreadyExists =>
            {
                Records::append_to(&path)?
            }
            created => created?,
        };
        Ok(Cache { path, records, stored })
    }

    /// Forgets everything, for later runs too: the outcomes turned out to be wrong.
    pub fn discard(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// Keeps an outcome for later runs.
    pub fn store(&mut self, key: Key, observation: &Observation) -> io::Result<()> {
        if !self.stored.insert(key) {
            return Ok(());
        }
        self.records.append(&Entry { key, observation: observation.shortened(OUTPUT) })
    }
}
