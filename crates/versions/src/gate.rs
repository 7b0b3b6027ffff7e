//! A cheap check of candidates before a test: does every file still parse that parses in both
//! versions?
//!
//! Its answer depends on the candidate alone; its memory only saves time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use whodunit_core::{Delta, DeltaSet};
use whodunit_syntax::parse::parses;
use whodunit_syntax::parse_check::{ByteEdit, ParseCheck};

use crate::decomposition::{Decomposition, Grain, NONE, Text};
use crate::syntax_facts::language;

/// Tells which candidates no longer parse where both versions do.
#[derive(Debug)]
pub struct ParseGate {
    decomposition: Arc<Decomposition>,
    /// For each file the deltas of its text.
    deltas: Vec<DeltaSet>,
    /// For each file its gate, made when first needed; none where not both versions parse.
    gates: Vec<OnceLock<Option<ParseCheck>>>,
    known: Mutex<HashMap<(u32, DeltaSet), bool>>,
}

impl ParseGate {
    /// Makes the gate of a decomposition; nothing is parsed yet.
    pub fn new(decomposition: Arc<Decomposition>) -> Self {
        let gates = decomposition.files.iter().map(|_| OnceLock::new()).collect();
        let deltas = |text: &Text| text.pieces.clone().map(|grain| decomposition.delta_of(grain));
        let texts = decomposition.files.iter().map(|file| file.text.as_ref());
        let deltas = texts.map(|text| text.into_iter().flat_map(deltas).collect()).collect();
        ParseGate { decomposition, deltas, gates, known: Mutex::default() }
    }

    /// Whether a candidate parses as far as both versions do.
    pub fn lets_through(&self, candidate: &DeltaSet) -> bool {
        self.partly_changed(candidate).all(|(file, chosen)| self.parses(file, chosen))
    }

    /// Returns the numbers of the files that no longer parse, in order; `None` if `goes_on`, which
    /// is called before each file, returns false.
    pub fn broken(&self, candidate: &DeltaSet, goes_on: &dyn Fn() -> bool) -> Option<Vec<usize>> {
        let mut broken = Vec::new();
        for (file, chosen) in self.partly_changed(candidate) {
            if !goes_on() {
                return None;
            }
            broken.extend((!self.parses(file, chosen)).then_some(file as usize));
        }
        Some(broken)
    }

    /// Returns a larger candidate that parses: where its deltas break a file, the rest of their
    /// hunk is added, or of their item, and if nothing else helps all changes of the file.
    ///
    /// Returns `None` if `goes_on`, which is called before each file and hunk, returns false:
    /// where large files are cut in many places this takes seconds.
    pub fn mend(&self, candidate: &DeltaSet, goes_on: &dyn Fn() -> bool) -> Option<DeltaSet> {
        let mut mended = candidate.clone();
        for file in self.broken(candidate, goes_on)? {
            let chosen = self.deltas[file].intersection(candidate);
            mended = mended.union(&self.mend_file(file, &chosen, goes_on)?);
        }
        Some(mended)
    }

    fn mend_file(
        &self,
        file: usize,
        chosen: &DeltaSet,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<DeltaSet> {
        let parses = |deltas: &DeltaSet| {
            deltas.is_empty()
                || deltas.len() == self.deltas[file].len()
                || self.parses(file as u32, deltas.clone())
        };
        let mut mended = chosen.clone();
        for hunk in self.parts_of(file, chosen, |grain| grain.hunk) {
            if !goes_on() {
                return None;
            }
            let taken = hunk.intersection(chosen);
            if parses(&taken) {
                continue;
            }
            let items = self.parts_of(file, &taken, |grain| grain.item);
            let item = items.iter().fold(hunk.clone(), |all, item| all.union(item));
            let wider = [hunk, item].into_iter().find(parses);
            mended = wider.map_or(mended.clone(), |wider| mended.union(&wider));
        }
        let all =
            |parts: Vec<DeltaSet>| parts.iter().fold(mended.clone(), |all, part| all.union(part));
        let hunks = all(self.parts_of(file, &mended, |grain| grain.hunk));
        let items = all(self.parts_of(file, &mended, |grain| grain.item));
        let widest = self.deltas[file].clone();
        Some([mended, hunks, items].into_iter().find(parses).unwrap_or(widest))
    }

    /// Returns the hunks or items of a file that chosen deltas are in, each with all its deltas.
    fn parts_of(&self, file: usize, chosen: &DeltaSet, part: fn(&Grain) -> u32) -> Vec<DeltaSet> {
        let of = |delta: Delta| {
            let grains = self.decomposition.grains_of(delta);
            part(self.decomposition.grain(grains[0]))
        };
        let mut parts: BTreeMap<u32, Vec<Delta>> = BTreeMap::new();
        for delta in self.deltas[file].iter() {
            parts.entry(of(delta)).or_default().push(delta);
        }
        let touched: BTreeSet<u32> = chosen.iter().map(of).collect();
        // Parts outside of items do not belong together.
        let touched = touched.into_iter().filter(|&part| part != NONE);
        touched.filter_map(|part| Some(parts.get(&part)?.iter().copied().collect())).collect()
    }

    /// Returns the texts that are neither those of the good version nor those of the bad one,
    /// with the deltas that each takes.
    fn partly_changed<'a>(
        &'a self,
        candidate: &'a DeltaSet,
    ) -> impl Iterator<Item = (u32, DeltaSet)> + 'a {
        (0..).zip(&self.deltas).filter_map(|(file, deltas)| {
            let runs = deltas.runs().flat_map(|run| candidate.runs_within(run));
            let chosen: DeltaSet = runs.collect();
            (!chosen.is_empty() && chosen.len() < deltas.len()).then_some((file, chosen))
        })
    }

    fn parses(&self, file: u32, chosen: DeltaSet) -> bool {
        let Some(text) = &self.decomposition.files[file as usize].text else { return true };
        let gate = self.gates[file as usize].get_or_init(|| self.gate(file, text));
        let Some(gate) = gate else { return true };
        let key = (file, chosen);
        if let Some(&known) = self.lock().get(&key) {
            return known;
        }
        let answer = gate.lets_through(&self.edits(text, &key.1))
            // Parsing only the edited parts is sometimes stricter than parsing all of it.
            || gate.lets_text_through(&self.decomposition.text_of(text, &key.1));
        self.lock().insert(key, answer);
        answer
    }

    fn gate(&self, file: u32, text: &Text) -> Option<ParseCheck> {
        let touched = &self.decomposition.files[file as usize];
        let of = |end: &Option<crate::decomposition::End>, text: &[u8]| {
            end.as_ref().map(|end| language(&end.path, text))
        };
        let after = of(&touched.new, &text.new)??;
        // A file that was not there may be empty, whatever its language.
        if of(&touched.old, &text.old).is_some_and(|before| before != Some(after.clone())) {
            return None;
        }
        let gate = ParseCheck::between(&after, text.old.clone(), &text.new)?;
        let both_parse = gate.errors() == 0 && parses(&after, &text.new);
        both_parse.then_some(gate)
    }

    fn edits(&self, text: &Text, chosen: &DeltaSet) -> Vec<ByteEdit> {
        let pieces = self.decomposition.pieces(text);
        let chosen = pieces.filter(|(grain, _)| self.decomposition.takes(chosen, *grain));
        let edit = |(_, piece): (u32, &crate::decomposition::Piece)| ByteEdit {
            range: piece.old.start as usize..piece.old.end as usize,
            text: text.new[piece.new.start as usize..piece.new.end as usize].to_vec(),
        };
        chosen.map(edit).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(u32, DeltaSet), bool>> {
        // Nothing is left half done in it if another thread panicked.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
