//! Looks for a part of the bad version that makes it pass if the part is taken out or replaced.
//!
//! If the cause is in code that is completely new, there is no old text to return to: the new function is
//! needed, and one statement of it is wrong. So parts of the code are taken out of the bad version or
//! replaced by similar ones, one at a time and as the grammar allows. A part that makes the test pass in
//! this way is a place to look at, and no repair.
//!
//! ```text
//! if (!ready) { send(); }    taken out whole:  (nothing)                  ✗
//!                            the condition:    send();                    ✓  look here
//! if (size < limit) grow();  replaced:         if (size <= limit) grow(); ✓  look here
//! ```
//!
//! Parts that are taken out are mostly needed, so that few such candidates can be tested. Nearly all
//! candidates with a replacement can be tested. The search counts how many candidates of each kind could
//! be tested, and asks next about the most promising kind.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use whodunit_core::{Answer, Delta, Edit, Search, Step, TreeCandidate, Verdict};
use whodunit_input::{
    Input, InputCandidate, InputFile, Languages, Protection, Snapshot, Structure,
};
use whodunit_run::{Key, Subject};
use whodunit_versions::{
    Content, Decomposition, Entry, REPLACEMENT_KINDS, ReadError, Replacement, ReplacementKind,
    TreePath, Version, replacements_in, still_parses,
};

use super::content::{hash_of, name_of_sum, sum_of};
use super::suspects::Suspects;
use super::trees::{TreeState, Versions, at};
use crate::answer::{Evidence, Replaced, SpotHow};
use crate::test_files::is_test;

/// Largest file, in bytes, in which parts are changed. Larger files are mostly generated, and each candidate
/// is parsed. Chosen by hand.
const MAX_FILE_BYTES: usize = 1 << 20;

/// Number of files in which parts are changed, the most suspect ones first. Chosen by hand.
const MAX_FILES: usize = 16;

/// How promising each way to take something out is, beside 1 of leaving out a plain statement, which other
/// code mostly needs. Chosen by hand.
const WITHOUT_CONDITION: f64 = 3.0;
const ONE_OPERAND: f64 = 2.0;
const PLAIN: f64 = 1.0;
const MINIMAL: f64 = 0.5;

/// Assumed tests of each kind before the first one: those with a verdict, and all. One in 5 to 60 parts that
/// are taken out gives a verdict, and most replaced ones do. So replacements begin, and soon the counts of
/// the run decide.
const TAKEN_OUT: (f64, f64) = (1.0, 3.0);
const REPLACED: (f64, f64) = (3.0, 4.0);

/// After this many questions of a kind, with the assumed ones, its next one is half as promising. Many parts
/// are equally suspect, so that otherwise one kind would use up all questions. Chosen by hand.
const HALVES: f64 = 8.0;

/// The bad version, and the candidates with one of its parts taken out or replaced.
pub(super) struct Cutouts {
    bad: Version,
    /// The sum of the hashes of all files of the bad version.
    sum: u128,
    /// The most promising candidate first.
    list: Vec<Cutout>,
    /// The kinds of candidates.
    kinds: Vec<CutoutKind>,
}

/// How a part is taken out or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutoutKind {
    TakenOut,
    Replaced(ReplacementKind),
}

/// The bad version with one part changed, which was seen to pass.
#[derive(Clone)]
pub(super) struct SpotFound {
    /// The candidate.
    pub(super) state: TreeState,
    /// How the part was changed.
    pub(super) how: SpotHow,
    /// The old and the new words, if the part was replaced.
    pub(super) replaced: Option<Replaced>,
}

/// A file with one of its parts taken out or replaced.
struct Cutout {
    path: TreePath,
    /// The bytes of the file that the part covers.
    range: Range<u64>,
    made: CutoutText,
    promise: f64,
}

/// The new text of a file.
enum CutoutText {
    TakenOut(InputCandidate),
    Replaced(Replacement),
}

impl Cutout {
    fn kind(&self) -> CutoutKind {
        match &self.made {
            CutoutText::TakenOut(_) => CutoutKind::TakenOut,
            CutoutText::Replaced(it) => CutoutKind::Replaced(it.kind),
        }
    }

    /// Returns the new text of the file; `bad` is its text in the bad version.
    fn text(&self, bad: &[u8]) -> Arc<[u8]> {
        match &self.made {
            CutoutText::TakenOut(it) => match it.snapshot().files().first() {
                Some(file) => file.bytes.clone(),
                None => [].into(),
            },
            CutoutText::Replaced(Replacement { range, text, .. }) => {
                [&bad[..range.start], text.as_bytes(), &bad[range.end..]].concat().into()
            }
        }
    }
}

impl CutoutKind {
    /// Returns how many candidates of this kind are assumed to have given a verdict, and out of how many.
    fn expected(self) -> (f64, f64) {
        match self {
            CutoutKind::TakenOut => TAKEN_OUT,
            CutoutKind::Replaced(_) => REPLACED,
        }
    }
}

impl Cutouts {
    /// Finds the parts of changed and new lines that can be taken out or replaced, at most `most` of each
    /// kind.
    pub(super) fn of(
        parts: &Decomposition,
        evidence: &Evidence,
        most: usize,
    ) -> Result<Self, ReadError> {
        let bad = parts.version(&parts.all());
        let mut found = Vec::new();
        for (path, lines) in suspect_lines(parts, evidence) {
            let Some(entry) = bad.get(&path) else { continue };
            let bytes = entry.content.read_at(&path)?;
            if bytes.len() > MAX_FILE_BYTES {
                continue;
            }
            found.extend(replaced(&path, &bytes, &lines));
            found.extend(cutouts_of(&path, bytes, &lines));
        }
        found.sort_by(|this: &Cutout, that| that.promise.total_cmp(&this.promise));
        let replaced = REPLACEMENT_KINDS.into_iter().map(CutoutKind::Replaced);
        let kinds: Vec<CutoutKind> =
            std::iter::once(CutoutKind::TakenOut).chain(replaced).collect();
        let mut counts = vec![0; kinds.len()];
        found.retain(|it| {
            let count = &mut counts[place_of(&kinds, it.kind())];
            *count += 1;
            *count <= most
        });
        Ok(Cutouts { sum: sum_of(&bad)?, bad, list: found, kinds })
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn spot(&self, place: usize, state: TreeState) -> io::Result<SpotFound> {
        let cutout = &self.list[place];
        let CutoutText::Replaced(Replacement { range, text, .. }) = &cutout.made else {
            return Ok(SpotFound { state, how: SpotHow::TakenOut, replaced: None });
        };
        let bad = match self.bad.get(&cutout.path) {
            Some(entry) => entry.content.read()?,
            None => [].into(),
        };
        let what = bad.get(range.clone()).map(String::from_utf8_lossy).unwrap_or_default();
        let replaced = Some(Replaced { what: what.into_owned(), by: text.clone() });
        Ok(SpotFound { state, how: SpotHow::Replaced, replaced })
    }

    fn entry(&self, place: usize) -> io::Result<(&TreePath, &Entry, Entry)> {
        let cutout = &self.list[place];
        let gone = || io::Error::other(format!("{} is gone", cutout.path));
        let old = self.bad.get(&cutout.path).ok_or_else(gone)?;
        let bytes = cutout.text(&old.content.read()?);
        Ok((&cutout.path, old, Entry { kind: old.kind, content: Content::bytes(bytes) }))
    }
}

fn place_of(kinds: &[CutoutKind], kind: CutoutKind) -> usize {
    kinds.iter().position(|it| *it == kind).expect("every kind is listed")
}

impl Versions for Cutouts {
    fn version(&self, place: usize) -> io::Result<Version> {
        let (path, _, entry) = self.entry(place)?;
        let mut version = self.bad.clone();
        version.insert(path.clone(), entry);
        Ok(version)
    }

    fn key(&self, place: usize) -> Key {
        let sum = self.entry(place).and_then(|(path, old, new)| {
            let [old, new] = [old, &new].map(|it| hash_of(path, it.kind, &it.content));
            Ok(self.sum.wrapping_sub(old?).wrapping_add(new?))
        });
        // Every file was read before. If one can no longer be read, laying out the candidate is an error.
        name_of_sum(sum.unwrap_or_default())
    }

    fn fits(&self, place: usize) -> bool {
        let cutout = &self.list[place];
        match &cutout.made {
            CutoutText::TakenOut(candidate) => Input.foretell(candidate).is_none(),
            CutoutText::Replaced(_) => self.bad.get(&cutout.path).is_some_and(|entry| {
                let bad = entry.content.read();
                bad.is_ok_and(|bad| still_parses(&cutout.path, &bad, &cutout.text(&bad)))
            }),
        }
    }
}

/// Returns the changed and new lines of the most suspect files, with their weights. Files of tests are left
/// out, because everything passes without a line of its test.
pub(super) fn suspect_lines(
    parts: &Decomposition,
    evidence: &Evidence,
) -> Vec<(TreePath, BTreeMap<u32, f64>)> {
    let weights = Suspects { parts, evidence }.weights(&parts.all());
    let mut files: BTreeMap<TreePath, BTreeMap<u32, f64>> = BTreeMap::new();
    for (delta, weight) in weights {
        let part = parts.part(delta);
        let Some(path) = part.new_path.filter(|path| !is_test(path)) else { continue };
        let lines = files.entry(path.clone()).or_default();
        for line in part.new_lines {
            let known = lines.entry(line).or_default();
            *known = known.max(weight);
        }
    }
    let most = |lines: &BTreeMap<u32, f64>| lines.values().copied().fold(0.0, f64::max);
    let mut files: Vec<_> = files.into_iter().filter(|(_, lines)| !lines.is_empty()).collect();
    files.sort_by(|(_, this), (_, that)| most(that).total_cmp(&most(this)));
    files.truncate(MAX_FILES);
    files
}

/// Returns the candidates without a part that begins in one of some lines.
fn cutouts_of(path: &TreePath, bytes: Arc<[u8]>, lines: &BTreeMap<u32, f64>) -> Vec<Cutout> {
    let starts: Vec<u64> = std::iter::once(0)
        .chain((1..).zip(bytes.iter()).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at))
        .collect();
    let line_of = |address: u64| starts.partition_point(|&start| start <= address) as u32;
    let file = InputFile { name: PathBuf::from(path.as_os_str()), bytes, mode: 0 };
    let base = Arc::new(Snapshot::new(vec![file]));
    let protection = Protection::new(&[]).expect("there is no pattern");
    let Some(structure) = Structure::read(&base, &Languages::ByFile, &protection) else {
        return Vec::new();
    };
    let structure = Arc::new(structure);
    let tree = structure.tree();
    let whole = TreeCandidate::whole(tree);
    let mut found = Vec::new();
    // The root and the node of the file are kept.
    for node in (2..tree.len() as u32).map(Delta) {
        let range = structure.addresses(node);
        let Some(&weight) = lines.get(&line_of(range.start)) else { continue };
        let edits = whole.leave_out(tree, node).into_iter().chain(whole.in_place(tree, node));
        for edit in edits {
            let shown = whole.with(tree, [&edit]);
            found.push(Cutout {
                path: path.clone(),
                range: range.clone(),
                made: CutoutText::TakenOut(InputCandidate::shown(structure.clone(), shown)),
                promise: weight * promise(edit, tree.children(node).is_empty()),
            });
        }
    }
    found
}

/// Returns how promising an edit is; `is_plain` if the node has no parts that can be removed.
fn promise(edit: Edit, is_plain: bool) -> f64 {
    match edit {
        Edit::Splice { .. } => WITHOUT_CONDITION,
        Edit::Hoist { .. } => ONE_OPERAND,
        Edit::Drop(_) if is_plain => PLAIN,
        Edit::Drop(_) => ONE_OPERAND,
        Edit::Shrink(_) => MINIMAL,
    }
}

/// Returns the candidates with a replaced part that begins in one of some lines.
fn replaced(
    path: &TreePath,
    bytes: &Arc<[u8]>,
    lines: &BTreeMap<u32, f64>,
) -> impl Iterator<Item = Cutout> {
    replacements_in(path, bytes, lines).into_iter().map(|(replacement, weight)| Cutout {
        path: path.clone(),
        range: replacement.range.start as u64..replacement.range.end as u64,
        promise: weight * likelihood(replacement.kind),
        made: CutoutText::Replaced(replacement),
    })
}

/// Returns how promising a replacement is, beside 1 of leaving out a plain statement. Chosen by hand: a
/// condition decides more than a limit does, and a number in a program is seldom off by one.
fn likelihood(kind: ReplacementKind) -> f64 {
    match kind {
        ReplacementKind::Contrary => 3.0,
        ReplacementKind::Operator | ReplacementKind::Truth => 2.0,
        ReplacementKind::Limit | ReplacementKind::Order => 1.5,
        ReplacementKind::Number | ReplacementKind::Twin => 1.0,
    }
}

/// Asks about one part after the other until the version passes without one or with a replaced one, and then
/// about the smaller parts within it.
#[derive(Clone)]
pub(super) struct SpotSearch {
    cutouts: Arc<Cutouts>,
    /// The parts to ask about, by kind; the next one is the last of its kind.
    ahead: Vec<CutoutRow>,
    /// Questions that may still be asked.
    left: usize,
    found: Option<usize>,
}

/// The parts of one kind that are still to be asked about, and how tests of this kind went.
#[derive(Clone)]
struct CutoutRow {
    places: Vec<usize>,
    resolved: f64,
    asked: f64,
}

impl CutoutRow {
    fn new(cutouts: &Cutouts, kind: CutoutKind) -> Self {
        let is_so = |place: &usize| cutouts.list[*place].kind() == kind;
        let (resolved, asked) = kind.expected();
        CutoutRow { places: (0..cutouts.len()).rev().filter(is_so).collect(), resolved, asked }
    }

    /// Returns how much the next one promises.
    fn promise(&self, cutouts: &Cutouts) -> f64 {
        let next = self.places.last().map_or(0.0, |&place| cutouts.list[place].promise);
        next * (self.resolved / self.asked) * (HALVES / (HALVES + self.asked))
    }
}

impl SpotSearch {
    /// Makes a search that asks at most `most` questions.
    pub(super) fn new(cutouts: Arc<Cutouts>, most: usize) -> Self {
        let ahead = cutouts.kinds.iter().map(|kind| CutoutRow::new(&cutouts, *kind)).collect();
        SpotSearch { cutouts, ahead, left: most, found: None }
    }

    /// Returns whether a part was found.
    pub(super) fn has_found(&self) -> bool {
        self.found.is_some()
    }

    /// Returns the bad version with the smallest changed part that is known to make it pass.
    pub(super) fn found(&self) -> io::Result<Option<SpotFound>> {
        let found = |place| self.cutouts.spot(place, self.state(place));
        self.found.map(found).transpose()
    }

    fn state(&self, place: usize) -> TreeState {
        at(self.cutouts.clone(), place)
    }

    /// Returns the kind of the next question; of equally promising ones the first.
    fn next(&self) -> Option<usize> {
        let rows = self.ahead.iter().enumerate().filter(|(_, row)| !row.places.is_empty());
        let promise = |row: &CutoutRow| row.promise(&self.cutouts);
        let best =
            rows.rev().max_by(|(_, one), (_, other)| promise(one).total_cmp(&promise(other)));
        best.map(|(kind, _)| kind).filter(|_| self.left > 0)
    }
}

impl Search for SpotSearch {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        let place = self.next().and_then(|kind| self.ahead[kind].places.last());
        place.map_or(Step::Done, |&place| Step::Ask(self.state(place)))
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(kind) = self.next() else { return };
        let row = &mut self.ahead[kind];
        let Some(place) = row.places.pop() else { return };
        self.left -= 1;
        row.asked += 1.0;
        row.resolved += f64::from(u8::from(answer.verdict != Verdict::Unresolved));
        if answer.verdict != Verdict::Pass {
            return;
        }
        self.found = Some(place);
        let Cutout { path, range, .. } = &self.cutouts.list[place];
        let size = range.end - range.start;
        let is_within = |other: &usize| {
            let Cutout { path: its_path, range: inner, .. } = &self.cutouts.list[*other];
            its_path == path
                && range.start <= inner.start
                && inner.end <= range.end
                && inner.end - inner.start < size
        };
        self.ahead.iter_mut().for_each(|row| row.places.retain(is_within));
    }

    fn best(&self) -> TreeState {
        self.state(self.found.unwrap_or(0))
    }

    fn likely(&self) -> f64 {
        0.7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts without a part that begins in one of some lines, the most promising first.
    fn without(name: &str, text: &str, lines: Range<u32>) -> Vec<String> {
        let lines = lines.map(|line| (line, 1.0)).collect();
        let mut found = cutouts_of(&TreePath::from(name), text.as_bytes().into(), &lines);
        found.sort_by(|this, that| that.promise.total_cmp(&this.promise));
        let texts = found.iter().map(|it| String::from_utf8_lossy(&it.text(&[])).into_owned());
        texts.collect()
    }

    #[test]
    fn conditions_go_before_the_statements_below_them() {
        let found = without("a.js", "f();\nif (!ready) { send(); }\ng();\n", 2..3);
        let place = |text: &str| {
            let place =
                found.iter().position(|it| it.split_whitespace().eq(text.split_whitespace()));
            place.unwrap_or_else(|| panic!("{text:?} is not among {found:?}"))
        };
        let bare = place("f(); send(); g();");
        let whole = place("f(); g();");
        let empty = place("f(); if (!ready) { } g();");
        let turned = place("f(); if (ready) { send(); } g();");
        assert!(bare.max(whole).max(turned) < empty, "{found:?}");
    }

    #[test]
    fn lines_that_are_not_suspect_stay() {
        let found = without("a.py", "x = 1\ny = x or 2\nz = y\n", 2..3);
        assert!(found.contains(&"x = 1\ny = x\nz = y\n".to_owned()), "{found:?}");
        assert!(found.iter().all(|text| text.starts_with("x = 1\n") && text.ends_with("z = y\n")));
    }
}
