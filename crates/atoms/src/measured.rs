//! The changes that a test ran, by the lines that a coverage tool counted in the bad version.
//!
//! A definition was run if its body was: in many languages the line that defines a function is
//! executed when its file is loaded, called or not. A tool does not count all lines. An uncounted
//! line has the count of the line that it continues. A definition that is not counted (a type, a
//! macro, a constant, a deleted one) may matter if code that was run uses its name.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use whodunit_core::{Delta, DeltaSet};
use whodunit_syntax::definitions::{Member, MemberKind, Part, Receiver, UseSort};
use whodunit_versions::{Decomposition, TreePath};

use super::CallGraph;
use super::declared::is_declaration;
use super::universe::{Id, PresentIn, Universe};

/// The lines that a test ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The changes of the code that was run, without their needs.
    pub atoms: BTreeSet<usize>,
    /// The deltas whose lines were counted and not run, whatever change they belong to.
    pub missed: DeltaSet,
}

/// The place of the text of a delta in the bad version.
#[derive(Clone, Debug)]
pub(super) struct DeltaText {
    delta: Delta,
    path: TreePath,
    /// The source of that file.
    source: Option<usize>,
    lines: Range<u32>,
    /// The number of its hunk: of the changed lines without a gap between them.
    hunk: u32,
}

/// Finds the text of all deltas in the bad version.
pub(super) fn texts(parts: &Decomposition, universe: &Universe) -> Vec<DeltaText> {
    let mut texts = Vec::new();
    let mut hunk = 0;
    for (file, &(_, source)) in parts.changed_files().zip(&universe.touched) {
        let (Some(text), Some((path, _))) = (file.text(), file.bad()) else { continue };
        let mut ends = None;
        for (delta, piece) in text.pieces() {
            hunk += u32::from(ends != Some((piece.old_lines.start, piece.new_lines.start)));
            ends = Some((piece.old_lines.end, piece.new_lines.end));
            let lines = piece.new_lines.clone();
            texts.push(DeltaText { delta, path: path.clone(), source, lines, hunk });
        }
    }
    texts
}

impl CallGraph<'_> {
    /// Returns the changes of the code that was run in the bad version. `is_run` tells whether one
    /// of some lines, counted from 1, was run; `None` if none of them is counted.
    pub fn run(&self, is_run: &dyn Fn(&TreePath, &Range<u32>) -> Option<bool>) -> Ran {
        let measure = Measure { graph: self, universe: self.universe, is_run };
        let (run, missed) = measure.deltas();
        let reached = measure.with_declarations(measure.with_uncounted(measure.definitions()));
        let changes = reached.iter().filter_map(|id| self.changes.get(id)).flatten().copied();
        let mut atoms: BTreeSet<usize> = changes.collect();
        atoms.extend(&self.atoms.everywhere);
        // Deltas of files that are not read as code are judged by their lines alone.
        atoms.extend(run.iter().map(|delta| self.atoms.of_delta(delta)));
        atoms.retain(|&atom| {
            let deltas = &self.atoms.get(atom).deltas;
            deltas.is_empty() || !deltas.is_subset(&missed)
        });
        Ran { atoms, missed }
    }
}

/// The lines of a run, and the definitions on them.
struct Measure<'a> {
    graph: &'a CallGraph<'a>,
    universe: &'a Universe,
    is_run: &'a dyn Fn(&TreePath, &Range<u32>) -> Option<bool>,
}

impl Measure<'_> {
    /// Adds declarations of aspects that affect code that was run, or that may affect anything.
    fn with_declarations(&self, mut reached: HashSet<Id>) -> HashSet<Id> {
        let advised = &self.graph.atoms.advised;
        let at = reached.iter().filter_map(|id| advised.at.get(id)).flatten();
        let of: Vec<Id> = at.chain(&advised.anywhere).copied().collect();
        reached.extend(of.into_iter().filter(|&id| is_declaration(self.universe, id)));
        reached
    }

    /// Returns the deltas that were run in files that are not read as code, and the deltas of all
    /// files that were not run. If a hunk both deletes and adds lines, all its lines have one
    /// verdict: which new line replaces which old one is not known.
    fn deltas(&self) -> (DeltaSet, DeltaSet) {
        let (mut run, mut missed, mut others) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for hunk in self.graph.atoms.texts.chunk_by(|one, other| one.hunk == other.hunk) {
            let known: Vec<Option<bool>> = hunk.iter().map(|text| self.text(text)).collect();
            let (added, gone): (Vec<_>, Vec<_>) =
                hunk.iter().zip(&known).partition(|(text, _)| !text.lines.is_empty());
            let is_dead = !added.is_empty() && added.iter().all(|(_, it)| **it == Some(false));
            for (text, known) in hunk.iter().zip(&known) {
                let is_missed = is_dead || (*known == Some(false) && gone.is_empty());
                if is_missed { &mut missed } else { &mut others }.insert(text.delta);
                let is_plain = text.source.is_none() && *known == Some(true);
                run.extend(is_plain.then_some(text.delta));
            }
        }
        // A delta may have several texts.
        missed.retain(|delta| !others.contains(delta));
        (run.into_iter().collect(), missed.into_iter().collect())
    }

    /// Whether one of the lines of a delta was run; `None` if none of them is counted.
    fn text(&self, text: &DeltaText) -> Option<bool> {
        let known = text.lines.clone().filter_map(|line| self.line(text, line));
        known.reduce(|one, other| one || other)
    }

    /// Whether a line of a delta was run, or else the line that it continues.
    fn line(&self, text: &DeltaText, line: u32) -> Option<bool> {
        let begun = text.source.map(|at| self.universe.sources[at].facts.begun.as_slice());
        let before = |&at: &u32| begun?.get(at as usize).copied().filter(|&it| it < at);
        let mut all = std::iter::successors(Some(line), before);
        all.find_map(|line| (self.is_run)(&text.path, &(line + 1..line + 2)))
    }

    /// Whether one of some lines was run; `None` if none of them is counted.
    fn lines(&self, id: Id, lines: &Range<u32>) -> Option<bool> {
        let path = &self.universe.sources[self.universe.source(id)].path;
        (self.is_run)(path, &(lines.start + 1..lines.end + 1))
    }

    /// Whether a definition was run; `None` if that is not counted.
    fn is_run(&self, id: Id) -> Option<bool> {
        let member = self.universe.member(id);
        match member.kind {
            // Whether it was run follows from its members.
            MemberKind::File | MemberKind::Module => Some(false),
            kind if kind.is_type() => None,
            MemberKind::Macro => None,
            _ if !member.body_lines.is_empty() && !member.kind.is_variable() => {
                match self.lines(id, &member.body_lines) {
                    Some(false) if self.runs_on_loading(id, member) => Some(true),
                    known => known,
                }
            }
            _ => self.lines(id, &member.lines),
        }
    }

    /// Whether the head of a function runs code of its own when it is loaded: it has a call, or a
    /// decorator that is a function of the program.
    fn runs_on_loading(&self, id: Id, member: &Member) -> bool {
        let resolver = &self.graph.resolver;
        let is_code = |it: Id| it != id && self.universe.member(it).kind.is_callable();
        let mut heads = member.uses.iter().filter(|used| used.part == Part::Head);
        heads.any(|used| {
            let line = used.line..used.line + 1;
            self.lines(id, &line) == Some(true)
                && (used.sort == UseSort::Call
                    || resolver.resolve(used, id, PresentIn::New).into_iter().any(is_code))
        })
    }

    /// Returns the definitions that were run, with those around them, and their partners in the
    /// good version.
    fn definitions(&self) -> HashSet<Id> {
        let universe = self.universe;
        let mut run = HashSet::new();
        let ids = universe.ids().filter(|&id| universe.side(id) != PresentIn::Old);
        for id in ids.filter(|&id| self.is_run(id) == Some(true)) {
            self.insert(&mut run, id);
        }
        let loaded: Vec<Id> = (0..universe.sources.len())
            .map(|source| universe.id(source, 0))
            .filter(|&file| universe.side(file) != PresentIn::Old)
            .filter(|&file| self.lines(file, &universe.member(file).lines) == Some(true))
            .collect();
        loaded.into_iter().for_each(|file| drop(self.insert(&mut run, file)));
        run
    }

    /// Adds a definition, its partner, and all definitions around these; returns the added ones.
    fn insert(&self, run: &mut HashSet<Id>, id: Id) -> Vec<Id> {
        let mut new = Vec::new();
        for id in [Some(id), self.graph.atoms.partners.get(&id).copied()].into_iter().flatten() {
            let mut at = id;
            while run.insert(at) {
                new.push(at);
                at = self.universe.owner(at);
            }
        }
        new
    }

    /// Adds uncounted definitions that code that was run uses, and those that these use.
    fn with_uncounted(&self, mut run: HashSet<Id>) -> HashSet<Id> {
        let mut left: Vec<Id> = run.iter().copied().collect();
        left.sort_unstable();
        // Equal calls on receivers of unknown type lead to the same definitions.
        let mut asked = HashSet::new();
        while let Some(id) = left.pop() {
            for used in &self.universe.member(id).uses {
                let is_unknown = used.receiver == Receiver::Unknown && used.sort == UseSort::Call;
                if is_unknown && !asked.insert((used.name, used.arity)) {
                    continue;
                }
                for target in self.graph.resolver.resolve(used, id, PresentIn::Both) {
                    if !run.contains(&target) && self.is_uncounted(target) {
                        left.extend(self.insert(&mut run, target));
                    }
                }
            }
        }
        run
    }

    /// Whether counted lines cannot show if a definition was run. A function of a file without
    /// coverage was not loaded, and so not run.
    fn is_uncounted(&self, id: Id) -> bool {
        let is_gone = self.universe.side(id) == PresentIn::Old;
        if is_gone {
            return !self.graph.atoms.partners.contains_key(&id);
        }
        let member = self.universe.member(id);
        let is_code = member.kind.is_callable() && member.kind != MemberKind::Macro;
        let file = self.universe.id(self.universe.source(id), 0);
        let is_loaded = || self.lines(file, &self.universe.member(file).lines).is_some();
        self.is_run(id).is_none() && (!is_code || is_loaded())
    }
}
