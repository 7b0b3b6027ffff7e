//! The definitions of both versions, with numbers of their own: those of files that do not differ
//! once, those of files that differ for each version.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whodunit_syntax::parse::parse;

use super::aspects::Masked;
use super::grammar::{Grammar, Grammars};
use super::member::{FileFacts, Member};
use super::read::read;
use super::{Note, NoteKind};
use crate::decompose::parallel;
use crate::decomposition::{Decomposition, End, Touched};
use crate::outline::language;
use crate::version::{Entry, ReadError, TreePath};
use crate::words::Word;

/// The number of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id(pub(super) u32);

/// Which versions something is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    Old,
    New,
    Both,
}

impl Side {
    /// Whether something of this side is there in a version.
    pub(super) fn is_in(self, version: Side) -> bool {
        self == Side::Both || self == version || version == Side::Both
    }
}

/// A text that was read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: TreePath,
    pub(super) side: Side,
    pub(super) facts: FileFacts,
    first: u32,
}

/// All definitions.
#[derive(Debug, Default)]
pub(super) struct Universe {
    pub(super) sources: Vec<Source>,
    /// The sources of each file that differs: of the good and of the bad version.
    pub(super) touched: Vec<(Option<usize>, Option<usize>)>,
    /// The files that differ and are code, but are not read as such.
    pub(super) unread: HashSet<u32>,
    /// The definitions of each name.
    pub(super) by_name: HashMap<Word, Vec<Id>>,
    pub(super) notes: Vec<Note>,
    /// The source of each definition.
    source_of: Vec<u32>,
}

/// A text to read.
struct Work<'a> {
    path: &'a TreePath,
    entry: &'a Entry,
    side: Side,
    touched: Option<u32>,
    /// What is read instead: the text of the good version in the order of the bad one.
    text: Option<&'a Arc<[u8]>>,
}

impl Universe {
    /// Reads both versions.
    pub(super) fn of(parts: &Decomposition) -> Result<Universe, ReadError> {
        let grammars = Grammars::known();
        let work = work(parts, grammars);
        let read = parallel::map(&work, read_one);
        let mut universe =
            Universe { touched: vec![(None, None); parts.files.len()], ..Universe::default() };
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

    /// Sets files aside that do not parse in one of the versions.
    fn set_aside(
        &mut self,
        work: &[Work<'_>],
        facts: &mut [Option<FileFacts>],
        parts: &Decomposition,
    ) {
        // For each file: how many ends were read, and how many of them have errors.
        let mut ends = vec![(0, 0); parts.files.len()];
        for (work, facts) in work.iter().zip(facts.iter()) {
            if let (Some(touched), Some(facts)) = (work.touched, facts) {
                let ends = &mut ends[touched as usize];
                *ends = (ends.0 + 1, ends.1 + u32::from(facts.has_errors));
            }
        }
        for (work, facts) in work.iter().zip(facts.iter_mut()) {
            let Some(touched) = work.touched else { continue };
            let (read, broken) = ends[touched as usize];
            let file = &parts.files[touched as usize];
            let is_changed = file.old.is_some() && file.new.is_some();
            // Where both ends have errors the grammar does not know the dialect, and what it makes
            // of it is alike on both sides.
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
            if work.side == Side::Old { ends.0 = Some(at) } else { ends.1 = Some(at) }
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
        self.sources.push(Source { path: work.path.clone(), side: work.side, facts, first });
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

    /// Returns what a definition is in.
    pub(super) fn owner(&self, id: Id) -> Id {
        let source = &self.sources[self.source(id)];
        Id(source.first + source.facts.members[(id.0 - source.first) as usize].owner)
    }

    /// Returns which versions a definition is in.
    pub(super) fn side(&self, id: Id) -> Side {
        self.sources[self.source(id)].side
    }

    /// Returns the definitions of a name in a version.
    pub(super) fn named(&self, name: Word, version: Side) -> impl Iterator<Item = Id> + '_ {
        let all = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(move |&id| self.side(id).is_in(version))
    }
}

/// Lists what is to be read: the ends of files that differ, and of the others those in the same
/// languages.
fn work<'a>(parts: &'a Decomposition, grammars: &Grammars) -> Vec<Work<'a>> {
    let mut work = Vec::new();
    let mut differing: HashSet<&TreePath> = HashSet::new();
    let mut tables: HashSet<*const super::tables::Table> = HashSet::new();
    for (touched, file) in (0..).zip(&parts.files) {
        let file: &'a Touched = file;
        let mut end = |end: &'a Option<End>, side: Side| {
            let Some(end) = end else { return };
            if side == Side::Old {
                differing.insert(&end.path);
            }
            let Some(grammar) = grammar_of(grammars, &end.path, b"") else { return };
            tables.insert(std::ptr::from_ref(grammar.table));
            let text = file.text.as_ref().filter(|text| side == Side::Old && text.order.is_some());
            work.push(Work {
                path: &end.path,
                entry: &end.entry,
                side,
                touched: Some(touched),
                text: text.map(|text| &text.old),
            });
        };
        end(&file.old, Side::Old);
        end(&file.new, Side::New);
    }
    for (path, entry) in parts.good.entries() {
        let grammar = grammar_of(grammars, path, b"");
        let is_of_interest =
            grammar.is_some_and(|grammar| tables.contains(&std::ptr::from_ref(grammar.table)));
        if is_of_interest && !differing.contains(path) {
            work.push(Work { path, entry, side: Side::Both, touched: None, text: None });
        }
    }
    work
}

fn grammar_of<'a>(grammars: &'a Grammars, path: &TreePath, text: &[u8]) -> Option<&'a Grammar> {
    if path.name().ends_with(b".aj") {
        return grammars.by_name("java");
    }
    grammars.get(&language(path, text)?)
}

fn read_one(work: &Work<'_>) -> Result<Option<FileFacts>, ReadError> {
    if !work.entry.kind.is_file() {
        return Ok(None);
    }
    let text = match work.text {
        Some(text) => text.clone(),
        None => work.entry.content.read_at(work.path)?,
    };
    let mut facts = facts(work.path, &text);
    if let Some(facts) = facts.as_mut().filter(|_| work.touched.is_none()) {
        (facts.stretches, facts.begun) = (Vec::new(), Vec::new());
    }
    Ok(facts)
}

/// Reads what a text defines, if its language is known.
pub(super) fn facts(path: &TreePath, text: &Arc<[u8]>) -> Option<FileFacts> {
    let grammar = grammar_of(Grammars::known(), path, text)?;
    let name = path.display();
    let mut masked = Masked::of(&name, text);
    let tree = match masked.text.take() {
        Some(masked) => parse(&grammar.language, masked),
        None => parse(&grammar.language, text.clone()),
    };
    Some(read(grammar, &tree, text, &masked, &name))
}
