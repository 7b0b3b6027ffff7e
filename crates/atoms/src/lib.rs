//! Atomic changes: the difference between two versions as changes of classes, methods, fields and
//! the like, each with its prerequisites.
//!
//! After Zhang, Lin, Gu, Zhao: *Effective Identification of Failure-Inducing Changes: A Hybrid
//! Approach* (PASTE 2008), with the kinds of its Tables 1 and 2 for Java and AspectJ, and their like
//! for other languages. Every delta of a [decomposition](whodunit_versions::Decomposition) belongs to exactly
//! one atomic change, so any set of them can be laid out.
//!
//! Decisions where the paper leaves it open: a method whose parameters have other types is a
//! deleted and an added method, and so is a renamed class; any other change of a head is a change
//! of its own (`CH`). A deleted method with a body is `DM` with `CM`, as an added one is `AM` with
//! `CM`. Everything inside of a method belongs to its body, local and anonymous classes included.
//! The imports of a new file belong to the change of its first class.

mod assemble;
mod assign;
mod call_graph;
mod chains;
mod declared;
mod dispatch;
mod draft;
mod entry;
mod kind;
mod matching;
mod measured;
mod pointcut;
mod prerequisites;
mod resolve;
mod universe;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{Decomposition, ReadError, TreePath};

pub use call_graph::CallGraph;
pub use entry::Entry;
pub use kind::AtomKind;
pub use measured::Ran;

use dispatch::Advised;
use resolve::Resolver;
use universe::{Id, Universe};

/// The atomic changes between two versions.
#[derive(Debug, Default)]
pub struct Atoms {
    atoms: Vec<AtomicChange>,
    /// The atom of each delta.
    of_delta: Vec<u32>,
    prerequisites: Vec<Vec<usize>>,
    needs: Vec<Vec<usize>>,
    buddies: Vec<Option<usize>>,
    notes: Vec<Note>,
    /// Where the text of each delta is in the bad version, if it has any there.
    texts: Vec<measured::DeltaText>,
    /// The definitions of both versions.
    universe: Universe,
    /// The definitions through which each atom is reached.
    ids: Vec<Vec<Id>>,
    /// For each definition the same one in the other version.
    partners: HashMap<Id, Id>,
    /// Atoms that any test may reach.
    everywhere: Vec<usize>,
    advised: Advised,
}

/// One atomic change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomicChange {
    /// Its kind.
    pub kind: AtomKind,
    /// The qualified name of the changed definition, with the types of its parameters if it is a
    /// method.
    pub name: String,
    /// Its former name, if the same definition under another name was deleted.
    pub former_name: Option<String>,
    /// The file that it is in: that of the bad version, unless there is none.
    pub file: TreePath,
    /// The lines of the good version, counted from 1; empty if there are none.
    pub old_lines: Range<u32>,
    /// The lines of the bad version, counted from 1; empty if there are none.
    pub new_lines: Range<u32>,
    /// Its deltas. Empty if it only follows from others, as a changed lookup does, or if the deltas
    /// belong to another change that it requires.
    pub deltas: DeltaSet,
}

/// Something that could not be read as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub file: TreePath,
    /// The note.
    pub what: NoteKind,
}

/// The kind of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The text does not parse in one of the versions, so its changes are changes of text.
    DoesNotParse,
    /// This name is defined more than once; definitions are distinguished by their order.
    DefinedTwice(String),
}

impl Atoms {
    /// Finds the atomic changes of a decomposition, whose level should be that of lines.
    ///
    /// Reads the files of both versions in known languages, also those that do not differ.
    pub fn of(parts: &Decomposition) -> Result<Atoms, ReadError> {
        let universe = Universe::of(parts)?;
        let (mut drafts, pairs) = assign::assign(parts, &universe);
        let resolver = Resolver::of(&universe);
        let mut needs = prerequisites::find(parts, &universe, &resolver, &drafts);
        let partners = matching::partners(&universe, &pairs);
        let mut advised = dispatch::add(&universe, &resolver, &partners, &mut drafts, &mut needs);
        declared::add(&universe, &resolver, &mut advised);
        drop(resolver);
        let atoms = assemble::assemble(parts, universe, &drafts, partners, &needs, advised);
        Ok(atoms)
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Returns whether the versions do not differ.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Returns an atomic change; they are in the order of files, then kinds, then places.
    pub fn get(&self, atom: usize) -> &AtomicChange {
        &self.atoms[atom]
    }

    /// Returns all atomic changes in their order.
    pub fn iter(&self) -> impl Iterator<Item = &AtomicChange> {
        self.atoms.iter()
    }

    /// Returns the atomic change that a delta belongs to.
    pub fn of_delta(&self, delta: Delta) -> usize {
        self.of_delta[delta.0 as usize] as usize
    }

    /// Returns the prerequisites of a change: the arrows into it in the paper's Figure 3, in order.
    /// There may be cycles.
    pub fn prerequisites(&self, atom: usize) -> &[usize] {
        &self.prerequisites[atom]
    }

    /// Returns some atomic changes with all their prerequisites.
    pub fn with_prerequisites(&self, atoms: &BTreeSet<usize>) -> BTreeSet<usize> {
        reach(atoms, |atom| &self.prerequisites[atom])
    }

    /// Returns all changes that a change needs at once: its prerequisites, changes that share lines
    /// with it, and changes without which it does not compile, as the body of a new method that
    /// must return a value.
    pub fn needs(&self, atom: usize) -> &[usize] {
        &self.needs[atom]
    }

    /// Returns some atomic changes with all that they need, directly or through others.
    pub fn closure(&self, atoms: &BTreeSet<usize>) -> BTreeSet<usize> {
        reach(atoms, |atom| &self.needs[atom])
    }

    /// Returns the deltas of some atomic changes; of a closed set they are a sound candidate.
    pub fn deltas(&self, atoms: &BTreeSet<usize>) -> DeltaSet {
        atoms.iter().flat_map(|&atom| self.atoms[atom].deltas.iter()).collect()
    }

    /// Returns the chains among some atomic changes: each is a change that no other of them depends
    /// on, with all that it depends on. Together the chains hold all given changes.
    pub fn chains(&self, among: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let parent = |atom: usize| self.buddies[atom].filter(|of| among.contains(of));
        let mut buddies: HashMap<usize, Vec<usize>> = HashMap::new();
        for &atom in among {
            if let Some(of) = parent(atom) {
                buddies.entry(of).or_default().push(atom);
            }
        }
        // A buddy and its definition need each other, and so count as one.
        chains::chains(among, |atom| {
            let own = buddies.get(&atom).into_iter().flatten().copied();
            self.needs[atom].iter().copied().chain(parent(atom)).chain(own).collect()
        })
    }

    /// Returns how many lines a file has in the bad version, if it was read.
    pub fn line_count(&self, path: &TreePath) -> Option<u32> {
        let is_it = |at: &usize| {
            let source = &self.universe.sources[*at];
            source.side != universe::PresentIn::Old && source.path == *path
        };
        let source = (0..self.universe.sources.len()).find(is_it)?;
        Some(self.universe.member(self.universe.id(source, 0)).lines.end)
    }

    /// Returns the notes about sources that could not be read as expected, in order of the files.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// Returns some atoms with all that are reached from them.
fn reach<'a>(from: &BTreeSet<usize>, next: impl Fn(usize) -> &'a [usize]) -> BTreeSet<usize> {
    let mut reached = from.clone();
    let mut left: Vec<usize> = from.iter().copied().collect();
    while let Some(atom) = left.pop() {
        left.extend(next(atom).iter().copied().filter(|&needed| reached.insert(needed)));
    }
    reached
}
