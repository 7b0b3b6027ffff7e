//! The definitions of both versions, with numbers of their own: those of files that do not differ
//! once, those of files that differ for each version.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whodunit_syntax::definitions::{Family, FileFacts, Member};
use whodunit_syntax::words::WordHash;
use whodunit_versions::{
    ChangedText, Decomposition, Entry, ReadError, TreePath, definition_language, definitions,
    parallel,
};

use super::{Note, NoteKind};

/// The number of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id(pub(super) u32);

/// The versions that a definition is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum PresentIn {
    Old,
    New,
    Both,
}

impl PresentIn {
    /// Whether a definition of this side is in a version.
    pub(super) fn is_in(self, version: PresentIn) -> bool {
        self == PresentIn::Both || self == version || version == PresentIn::Both
    }
}

/// A text that was read.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: TreePath,
    pub(super) side: PresentIn,
    pub(super) facts: FileFacts,
    first: u32,
}

/// All definitions.
#[derive(Debug, Default)]
pub(super) struct Universe {
    pub(super) sources: Vec<SourceFile>,
    /// The sources of each file that differs: of the good and of the bad version.
    pub(super) touched: Vec<(Option<usize>, Option<usize>)>,
    /// The files that differ and are code, but are not read as such.
    pub(super) unread: HashSet<u32>,
    /// The definitions of each name.
    pub(super) by_name: HashMap<WordHash, Vec<Id>>,
    pub(super) notes: Vec<Note>,
    /// The source of each definition.
    source_of: Vec<u32>,
}

/// A text to read.
struct Work<'a> {
    path: &'a TreePath,
    entry: &'a Entry,
    side: PresentIn,
    touched: Option<u32>,
    /// The text that is read instead: that of the good version in the order of the bad one.
    text: Option<&'a Arc<[u8]>>,
}

impl Universe {
    /// Reads both versions.
    pub(super) fn of(parts: &Decomposition) -> Result<Universe, ReadError> {
        let work = work(parts);
        let read = parallel::map(&work, read_one);
        let mut universe =
            Universe { touched: vec![(None, None); parts.file_count()], ..Universe::default() };
        let mut facts: Vec<Option<FileFacts>> = Vec::with_capacity(work.len());
        for result in read {
            facts.push(result?);
        }
        universe.set_aside(&work, &mut facts, parts);
        for (work, facts) in work.iter().zip(facts) {
            let Some(facts) = facts else { continue };
            universe.add(work, facts);
        }
        universe.notes.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(universe)
    }

    /// Drops the facts of files that do not parse in one of the versions.
    fn set_aside(
        &mut self,
        work: &[Work<'_>],
        facts: &mut [Option<FileFacts>],
        parts: &Decomposition,
    ) {
        // For each file: how many ends were read, and how many of them have errors.
        let mut ends = vec![(0, 0); parts.file_count()];
        for (work, facts) in work.iter().zip(facts.iter()) {
            if let (Some(touched), Some(facts)) = (work.touched, facts) {
                let ends = &mut ends[touched as usize];
                *ends = (ends.0 + 1, ends.1 + u32::from(facts.has_errors));
            }
        }
        for (work, facts) in work.iter().zip(facts.iter_mut()) {
            let Some(touched) = work.touched else { continue };
            let (read, broken) = ends[touched as usize];
            let paths = parts.paths(touched as usize);
            let is_changed = paths.0.is_some() && paths.1.is_some();
            // If both ends have errors, the grammar does not know the dialect, and misreads both
            // sides alike.
            let is_broken = broken > 0 && !(is_changed && broken == read);
            if !is_broken || facts.is_none() {
                continue;
            }
            *facts = None;
            if self.unread.insert(touched) {
                self.notes.push(Note { file: work.path.clone(), what: NoteKind::DoesNotParse });
            }
        }
    }

    fn add(&mut self, work: &Work<'_>, facts: FileFacts) {
        let at = self.sources.len();
        if let Some(touched) = work.touched {
            let ends = &mut self.touched[touched as usize];
            if work.side == PresentIn::Old { ends.0 = Some(at) } else { ends.1 = Some(at) }
        }
        for (number, member) in (self.len() as u32..).zip(&facts.members) {
            self.by_name.entry(member.simple).or_default().push(Id(number));
            let is_second = member.key.contains('#') && work.touched.is_some();
            if is_second && member.kind.is_callable() | member.kind.is_type() {
                let name = member.name.clone();
                let what = NoteKind::DefinedTwice(name);
                let note = Note { file: work.path.clone(), what };
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
        }
        let first = self.len() as u32;
        self.source_of.extend(facts.members.iter().map(|_| at as u32));
        self.sources.push(SourceFile { path: work.path.clone(), side: work.side, facts, first });
    }

    /// Returns how many definitions there are.
    pub(super) fn len(&self) -> usize {
        self.source_of.len()
    }

    /// Returns all definitions.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.len() as u32).map(Id)
    }

    /// Returns the number of a definition of a source.
    pub(super) fn id(&self, source: usize, member: u32) -> Id {
        Id(self.sources[source].first + member)
    }

    /// Returns the source of a definition.
    pub(super) fn source(&self, id: Id) -> usize {
        self.source_of[id.0 as usize] as usize
    }

    /// Returns a definition.
    pub(super) fn member(&self, id: Id) -> &Member {
        let source = &self.sources[self.source(id)];
        &source.facts.members[(id.0 - source.first) as usize]
    }

    /// Returns the definition around a definition.
    pub(super) fn owner(&self, id: Id) -> Id {
        let source = &self.sources[self.source(id)];
        Id(source.first + source.facts.members[(id.0 - source.first) as usize].owner)
    }

    /// Returns the versions that a definition is in.
    pub(super) fn side(&self, id: Id) -> PresentIn {
        self.sources[self.source(id)].side
    }

    /// Returns the definitions of a name in a version.
    pub(super) fn named(
        &self,
        name: WordHash,
        version: PresentIn,
    ) -> impl Iterator<Item = Id> + '_ {
        let all = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(move |&id| self.side(id).is_in(version))
    }
}

/// Lists the texts to read: the ends of files that differ, and all other files in the same
/// languages.
fn work(parts: &Decomposition) -> Vec<Work<'_>> {
    let mut work = Vec::new();
    let mut differing: HashSet<&TreePath> = HashSet::new();
    let mut families: HashSet<Family> = HashSet::new();
    for (touched, file) in (0..).zip(parts.changed_files()) {
        let ends = [(file.good(), PresentIn::Old), (file.bad(), PresentIn::New)];
        for ((path, entry), side) in ends.into_iter().filter_map(|(end, side)| Some((end?, side))) {
            if side == PresentIn::Old {
                differing.insert(path);
            }
            let Some(family) = family_of(path) else { continue };
            families.insert(family);
            let moved =
                file.text().filter(|text| side == PresentIn::Old && text.reordered().is_some());
            let text = moved.map(ChangedText::before);
            work.push(Work { path, entry, side, touched: Some(touched), text });
        }
    }
    for (path, entry) in parts.good().entries() {
        let is_of_interest = family_of(path).is_some_and(|family| families.contains(&family));
        if is_of_interest && !differing.contains(path) {
            work.push(Work { path, entry, side: PresentIn::Both, touched: None, text: None });
        }
    }
    work
}

/// Returns the family of the language of a file, by its name.
fn family_of(path: &TreePath) -> Option<Family> {
    Family::of(&definition_language(path, b"")?)
}

fn read_one(work: &Work<'_>) -> Result<Option<FileFacts>, ReadError> {
    if !work.entry.kind.is_file() {
        return Ok(None);
    }
    let text = match work.text {
        Some(text) => text.clone(),
        None => work.entry.content.read_at(work.path)?,
    };
    let mut facts = definitions(work.path, &text);
    if let Some(facts) = facts.as_mut().filter(|_| work.touched.is_none()) {
        (facts.stretches, facts.begun) = (Vec::new(), Vec::new());
    }
    Ok(facts)
}
