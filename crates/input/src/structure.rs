//! A snapshot as one tree: files, the syntax nodes in them, and the edits that each node allows.
//!
//! Every node owns a stretch of text: the separator before it (a comma, if it is an item of a
//! list), the white space that leads to it, and its body. The fragments of a node are the parts of
//! its body that no child owns. So a candidate is the text with some stretches left out and a few
//! words put in, and printing costs time for the edits only.

mod around;
mod check;
mod child_kinds;
mod derived;
mod events;
mod follow;
mod grow;
mod mend;
mod outlined;
mod plain;
mod print;
mod roles;

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, Tree, TreeCandidate, Verdict};
use whodunit_grammar::joint::Joints;
use whodunit_grammar::minimal::Minimal;
use whodunit_syntax::language::Language;
use whodunit_syntax::outline::repairs::Repairs;
use whodunit_syntax::parse::parse;
use whodunit_syntax::parse_check;
use whodunit_syntax::tree::SyntaxTree;

use super::edits::Edit;
use super::languages::Languages;
use super::protect::{Protection, Shields};
use super::snapshot::{InputFile, Snapshot};
use check::Check;
pub(super) use child_kinds::ChildKinds;
use follow::Followers;

/// A parsed snapshot.
#[derive(Debug)]
pub struct Structure {
    base: Arc<Snapshot>,
    tree: Tree,
    /// Where each node is.
    places: Vec<NodePlace>,
    /// The parts of the text that are a node's own, for one node after the other.
    fragments: Vec<Range<u32>>,
    /// Where in `fragments` those of each node begin; one more for the end.
    families: Vec<u32>,
    /// The minimal strings that places refer to.
    minimals: Vec<String>,
    files: Vec<ParsedFile>,
    /// Whether some of the text was not parsed.
    is_abridged: bool,
}

/// Where a node is in the text: addresses in ascending order.
#[derive(Clone, Copy, Debug)]
struct NodePlace {
    /// Where its separator begins.
    start: u32,
    /// Where the white space before it begins.
    lead: u32,
    /// Where it begins.
    body: u32,
    /// Where it ends.
    end: u32,
    /// Its minimal string, or [`NO_MINIMAL`].
    minimal: u16,
    /// Whether it is one of several that are kept apart by separators.
    in_row: bool,
}

/// The purpose of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Everything that the grammar allows may be removed.
    All,
    /// Only measured parts may be removed.
    Coupled,
}

/// Bytes of a text whose candidates are all parsed before they are tested. In a larger text plain
/// deletions are tested unparsed, because parsing takes longer than a few useless tests. Chosen by
/// hand.
pub(super) const MAX_CHECKED_BYTES: u64 = 50_000;

const NO_MINIMAL: u16 = u16::MAX;

/// A file of the snapshot.
#[derive(Debug)]
struct ParsedFile {
    /// Its node.
    node: Delta,
    language: Option<Language>,
    /// Parts that must not be touched.
    shields: Shields,
    /// Checks whether a candidate parses; absent if that is unknown.
    check: Option<Check>,
    /// Whether its parts come from a description.
    is_described: bool,
    /// The minimal strings of its language, which know the white space between tokens.
    minimal: Option<Arc<Minimal>>,
    /// The numbers that follow removed parts, if there are any.
    followers: Option<Followers>,
    /// Lengths and checksums in it that follow deletions.
    repairs: Repairs,
    /// Pieces that make sense only together.
    together: Vec<Vec<Range<usize>>>,
}

/// A file that was outlined, for finders of changes in it.
pub(super) struct Outlined<'a> {
    pub(super) bytes: &'a Arc<[u8]>,
    /// The address of its first byte.
    pub(super) start: u64,
    pub(super) repairs: &'a Repairs,
    pub(super) together: &'a [Vec<Range<usize>>],
}

impl Outlined<'_> {
    /// Turns a range of the file into addresses.
    pub(super) fn addresses(&self, range: &Range<usize>) -> Range<u64> {
        self.start + range.start as u64..self.start + range.end as u64
    }
}

/// A file that was parsed, for finders of changes in it.
pub(super) struct Parsed<'a> {
    pub(super) language: &'a Language,
    pub(super) bytes: &'a Arc<[u8]>,
    /// The address of its first byte.
    pub(super) start: u64,
    /// The white space that keeps tokens apart.
    pub(super) joints: Option<&'a Joints>,
    structure: &'a Structure,
    /// Its number among the files.
    index: usize,
}

impl Parsed<'_> {
    /// Returns it as it is in the snapshot.
    pub(super) fn input(&self) -> &InputFile {
        &self.structure.base.files()[self.index]
    }

    /// Parses it again.
    pub(super) fn tree(&self) -> SyntaxTree {
        parse(self.language, self.bytes.clone())
    }

    /// Turns a range of the file into addresses.
    pub(super) fn addresses(&self, range: Range<usize>) -> Range<u64> {
        self.start + range.start as u64..self.start + range.end as u64
    }
}

impl Structure {
    /// Splits each file whose structure `languages` knows into nodes. `None` if there is no such
    /// file.
    pub fn read(
        base: &Arc<Snapshot>,
        languages: &Languages,
        protection: &Protection,
    ) -> Option<Structure> {
        grow::grow(base, languages, protection, Purpose::All, usize::MAX)
    }

    /// Does the same, but takes files with more bytes than the `budget` into large parts only.
    pub(super) fn read_abridged(
        base: &Arc<Snapshot>,
        languages: &Languages,
        protection: &Protection,
        budget: usize,
    ) -> Option<Structure> {
        grow::grow(base, languages, protection, Purpose::All, budget)
    }

    /// Does the same for parts that numbers in the same file count, sum or measure: only these may
    /// be removed, and the numbers are updated. `None` if there are no such numbers.
    pub(super) fn read_coupled(
        base: &Arc<Snapshot>,
        languages: &Languages,
        protection: &Protection,
    ) -> Option<Structure> {
        let structure = grow::grow(base, languages, protection, Purpose::Coupled, usize::MAX)?;
        structure.files.iter().any(|file| file.followers.is_some()).then_some(structure)
    }

    /// Outlines each file that does not parse. `None` if that would take too long.
    pub fn outline(
        base: &Arc<Snapshot>,
        languages: &Languages,
        protection: &Protection,
    ) -> Option<Structure> {
        outlined::outlined(base, languages, protection, Purpose::All)
    }

    /// Does the same for parts that numbers in the same file measure: only these may be removed,
    /// and the numbers are updated. `None` if there are no such numbers.
    pub(super) fn outline_coupled(
        base: &Arc<Snapshot>,
        languages: &Languages,
        protection: &Protection,
    ) -> Option<Structure> {
        let structure = outlined::outlined(base, languages, protection, Purpose::Coupled)?;
        structure.files.iter().any(|file| file.followers.is_some()).then_some(structure)
    }

    /// Returns the parsed snapshot.
    pub fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns the tree to search.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns whether the parts come from a description.
    pub(super) fn is_described(&self) -> bool {
        self.files.iter().any(|file| file.is_described)
    }

    /// Returns whether there are smaller parts than those of the tree.
    pub(super) fn is_abridged(&self) -> bool {
        self.is_abridged
    }

    /// Returns whether there is anything below the files.
    pub(super) fn has_depth(&self) -> bool {
        self.places.len() > 1 + self.files.len()
    }

    /// Returns the edits of the base that leave only the shown nodes.
    pub(super) fn edits(&self, shown: &TreeCandidate) -> Vec<Edit> {
        let mut edits = print::edits(self, shown);
        for followers in self.files.iter().filter_map(|file| file.followers.as_ref()) {
            followers.follow(&mut edits);
        }
        self.mended(edits, |file| self.drops_file(file, shown))
    }

    pub(super) fn drops_file(&self, file: usize, shown: &TreeCandidate) -> bool {
        !shown.shows(self.files[file].node)
    }

    /// Foretells candidates that touch something protected or no longer parse; `edits` are those of
    /// `shown`.
    pub(super) fn foretell(&self, shown: &TreeCandidate, edits: &[Edit]) -> Option<Verdict> {
        let nothing_protected = self.files.iter().all(|file| file.shields.is_empty());
        let is_large = self.base.len() > MAX_CHECKED_BYTES;
        if is_large && nothing_protected && plain::is_plain(&self.tree, shown) {
            return None;
        }
        self.foretell_edits(edits, |file| self.drops_file(file, shown))
    }

    /// Foretells the same of any edits.
    pub(super) fn foretell_edits(
        &self,
        edits: &[Edit],
        drops_file: impl Fn(usize) -> bool,
    ) -> Option<Verdict> {
        let passes = (0..self.files.len())
            .filter(|&file| !drops_file(file))
            .all(|file| self.lets_through(file, edits));
        (!passes).then_some(Verdict::Unresolved)
    }

    /// Returns whether this touches something protected.
    pub fn touches_protected(&self, shown: &TreeCandidate) -> bool {
        // The edits take as long to find as the text is deep.
        if self.files.iter().all(|file| file.shields.is_empty()) {
            return false;
        }
        let edits = self.edits(shown);
        let touches = |file| {
            let mut edits = self.edits_within(file, &edits).into_iter();
            edits.any(|edit| self.files[file].shields.touch(&edit.range))
        };
        (0..self.files.len()).any(touches)
    }

    /// Returns the addresses of a node, without the white space and the separator before it.
    pub fn addresses(&self, node: Delta) -> Range<u64> {
        let place = self.place(node);
        u64::from(place.body)..u64::from(place.end)
    }

    /// Returns the number of each file, and its node.
    pub(super) fn file_nodes(&self) -> impl Iterator<Item = (usize, Delta)> {
        self.files.iter().map(|file| file.node).enumerate()
    }

    /// Returns the text in the place of a node that is shrunk.
    pub fn minimal(&self, node: Delta) -> &str {
        let minimal = self.place(node).minimal;
        if minimal == NO_MINIMAL { "" } else { &self.minimals[minimal as usize] }
    }

    /// Returns whether there is a language for a file.
    pub fn is_parsed(&self, file: usize) -> bool {
        self.files[file].language.is_some()
    }

    /// Returns the files whose language is known.
    pub(super) fn parsed(&self) -> impl Iterator<Item = Parsed<'_>> {
        let files = self.files.iter().enumerate();
        files.filter_map(|(index, file)| {
            let language = file.language.as_ref()?;
            let start = self.base.addresses(index).start;
            let bytes = &self.base.files()[index].bytes;
            let joints = file.joints();
            Some(Parsed { language, bytes, start, joints, structure: self, index })
        })
    }

    /// Returns the files that were not parsed.
    pub(super) fn outlined(&self) -> impl Iterator<Item = Outlined<'_>> {
        let files = self.files.iter().enumerate().filter(|(_, file)| file.language.is_none());
        files.map(|(index, file)| Outlined {
            bytes: &self.base.files()[index].bytes,
            start: self.base.addresses(index).start,
            repairs: &file.repairs,
            together: &file.together,
        })
    }

    fn lets_through(&self, file: usize, edits: &[Edit]) -> bool {
        let edits = self.edits_within(file, edits);
        let (bytes, file) = (&self.base.files()[file].bytes, &self.files[file]);
        let check = file.check.as_ref().filter(|_| !edits.is_empty());
        edits.iter().all(|edit| !file.shields.touch(&edit.range))
            && check.is_none_or(|check| check.lets_through(bytes, &edits))
    }

    /// Returns the edits of one file, as ranges of it.
    fn edits_within(&self, file: usize, edits: &[Edit]) -> Vec<parse_check::ByteEdit> {
        let addresses = self.base.addresses(file);
        let first = edits.partition_point(|edit| edit.range.start < addresses.start);
        let edits = edits[first..].iter().take_while(|edit| edit.range.start < addresses.end);
        let within = |address: u64| (address.min(addresses.end) - addresses.start) as usize;
        edits
            .map(|edit| parse_check::ByteEdit {
                range: within(edit.range.start)..within(edit.range.end),
                text: edit.text.clone(),
            })
            .collect()
    }

    fn place(&self, node: Delta) -> &NodePlace {
        &self.places[node.0 as usize]
    }

    fn fragments(&self, node: Delta) -> &[Range<u32>] {
        let families = &self.families[node.0 as usize..];
        &self.fragments[families[0] as usize..families[1] as usize]
    }
}

impl ParsedFile {
    fn unparsed(node: Delta, shields: Shields) -> Self {
        let (repairs, together) = (Repairs::default(), Vec::new());
        ParsedFile {
            node,
            language: None,
            shields,
            check: None,
            is_described: false,
            minimal: None,
            followers: None,
            repairs,
            together,
        }
    }

    fn joints(&self) -> Option<&Joints> {
        self.minimal.as_ref().map(|minimal| minimal.joints())
    }
}
