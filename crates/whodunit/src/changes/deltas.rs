//! Sets of the changes between two versions, as candidates.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use whodunit_core::{Delta, DeltaSet, Lesson};
use whodunit_run::hints::{self, Mention};
use whodunit_run::{FileChange, Key};
use whodunit_versions::{ChangeKind, Decomposition, Entry, Mentions, ParseGate, TreePath, Version};

use super::content::{hash_of, name_of_sum, sum_of, unreadable};
use super::in_space::Space;
use super::locate::Locator;
use super::trees::{Tree, TreeState, remove, write};

/// The changes between two versions.
pub(crate) struct Deltas {
    pub(super) parts: Arc<Decomposition>,
    /// Foretells that a candidate does not parse; `None` if the search asks its own questions.
    pub(super) gate: Option<Arc<ParseGate>>,
    pub(super) mentions: OnceLock<Mentions>,
    /// Deltas that add, delete or rename a file, by its path.
    pub(super) makers: BTreeMap<TreePath, Vec<Delta>>,
    /// The deltas that determine the content of each file.
    deciding: Vec<DeltaSet>,
    /// The hash of each file, by the deltas of it that are chosen.
    hashes: Mutex<HashMap<(u32, DeltaSet), Option<u128>>>,
    /// The sum of the hashes of the files that do not differ.
    unchanged: OnceLock<Option<u128>>,
}

/// The good version with some of the changes.
#[derive(Clone)]
pub(super) struct Chosen {
    pub(super) deltas: Arc<Deltas>,
    pub(super) set: DeltaSet,
}

impl Chosen {
    /// Returns the changes of a candidate, if it is a set of changes.
    pub(super) fn of(tree: &TreeState) -> Option<&Chosen> {
        of_tree(&**tree)
    }
}

fn of_tree(tree: &dyn Tree) -> Option<&Chosen> {
    let tree: &dyn Any = tree;
    tree.downcast_ref()
}

impl Space for Deltas {
    fn tree(self: &Arc<Self>, set: DeltaSet) -> TreeState {
        Arc::new(Chosen { deltas: self.clone(), set })
    }
}

impl Tree for Chosen {
    fn version(&self) -> io::Result<Version> {
        Ok(self.deltas.parts.version(&self.set))
    }

    fn key(&self) -> Key {
        self.deltas.name(&self.set)
    }

    fn count(&self) -> usize {
        self.set.len()
    }

    fn is_possible(&self) -> bool {
        self.deltas.gate.as_ref().is_none_or(|gate| gate.lets_through(&self.set))
    }

    fn lessons(&self, mentions: &[Mention]) -> Vec<Lesson> {
        let locator = Locator { deltas: &self.deltas, set: &self.set };
        hints::lessons(mentions, &self.set, &DeltaSet::empty(), &locator)
    }

    fn since(&self, from: &dyn Tree) -> Option<io::Result<Vec<FileChange>>> {
        let from = of_tree(from).filter(|from| Arc::ptr_eq(&from.deltas, &self.deltas))?;
        let differences = self.deltas.parts.differences(&from.set, &self.set);
        let removed = differences.remove.iter().map(|path| Ok(remove(path)));
        let written = differences.write.into_iter().map(|it| {
            let entry = Entry { kind: it.kind, content: it.content };
            write(&it.path, &entry)
        });
        Some(removed.chain(written).collect())
    }
}

impl Deltas {
    pub(crate) fn new(parts: Arc<Decomposition>, is_gated: bool) -> Self {
        let mut makers: BTreeMap<TreePath, Vec<Delta>> = BTreeMap::new();
        for delta in parts.all().iter() {
            let part = parts.part(delta);
            let makes = matches!(
                part.change,
                ChangeKind::Added | ChangeKind::Deleted | ChangeKind::Renamed | ChangeKind::Several
            );
            for path in [part.old_path, part.new_path].into_iter().flatten().filter(|_| makes) {
                makers.entry(path.clone()).or_default().push(delta);
            }
        }
        Deltas {
            deciding: (0..parts.file_count()).map(|file| parts.deltas_deciding(file)).collect(),
            gate: is_gated.then(|| Arc::new(ParseGate::new(parts.clone()))),
            mentions: OnceLock::new(),
            makers,
            hashes: Mutex::default(),
            unchanged: OnceLock::new(),
            parts,
        }
    }

    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(&self.parts))
    }

    /// Returns the key of the tree that a set makes.
    fn name(&self, set: &DeltaSet) -> Key {
        let unchanged = || {
            let good = DeltaSet::empty();
            let all = sum_of(&self.parts.version(&good)).ok()?;
            Some(all.wrapping_sub(self.changed(&good)?))
        };
        let unchanged = *self.unchanged.get_or_init(unchanged);
        let sum = unchanged.zip(self.changed(set)).map(|(a, b)| a.wrapping_add(b));
        sum.map_or_else(unreadable, name_of_sum)
    }

    /// Returns the sum of the hashes of the files that differ, as a set makes them; `None` if a
    /// file cannot be read.
    fn changed(&self, set: &DeltaSet) -> Option<u128> {
        let mut sum = 0u128;
        let mut unknown: Vec<(u32, DeltaSet)> = Vec::new();
        {
            let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            for (file, deciding) in (0u32..).zip(&self.deciding) {
                let chosen = (file, deciding.intersection(set));
                match hashes.get(&chosen) {
                    Some(hash) => sum = sum.wrapping_add(hash.unwrap_or(0)),
                    None => unknown.push(chosen),
                }
            }
        }
        for (file, chosen) in unknown {
            let laid_out = self.parts.file_in(file as usize, &chosen);
            let hash = laid_out.map(|it| hash_of(&it.path, it.kind, &it.content));
            let hash = hash.transpose().ok()?;
            sum = sum.wrapping_add(hash.unwrap_or(0));
            let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            hashes.insert((file, chosen), hash);
        }
        Some(sum)
    }
}
