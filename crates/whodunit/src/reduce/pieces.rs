//! The pieces of a result, each with the candidate that lacks it.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Edit, TreeCandidate};
use whodunit_input::{
    Granularity, Input, InputCandidate, LadderSettings, ReduceSearch, Snapshot, Structure, TextCut,
    Validity, optional_parts,
};
use whodunit_run::{Key, Subject};

use crate::answer::Level;

/// Bytes that may be hashed to list all pieces of a cut. With more, the list would be too long as
/// well, and is not made.
const EFFORT: u64 = 1 << 32;
/// Factor on this effort for a node, because a candidate that was never tested is parsed.
const NODE: usize = 16;

/// The levels of text, the coarsest first.
const TEXT: [Level; 4] = [Level::Files, Level::Lines, Level::Tokens, Level::Bytes];

/// A way to cut a result into pieces.
pub(super) enum Cut {
    /// Files, lines, tokens or bytes. With bytes there are characters of more than one byte as well, which
    /// may go although no single byte of them may.
    Text { cuts: Vec<Arc<TextCut>>, validity: Option<Arc<Validity>> },
    /// Nodes.
    Nodes(Nodes),
}

/// Whether a result is cut in all possible ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AreAll {
    Yes,
    /// Nodes are left out, because there are too many.
    No,
}

/// Nodes that can be removed or replaced by their minimal string.
pub(super) struct Nodes {
    pub(super) structure: Arc<Structure>,
    /// The content of the whole result.
    whole: Key,
    edits: Vec<Edit>,
    /// Removable parts that are no nodes: each place, with the result without it.
    others: Vec<(Range<u64>, InputCandidate)>,
}

/// A piece of a result.
pub(super) struct Piece {
    pub(super) level: Level,
    /// The file of the piece.
    pub(super) file: usize,
    /// The position of its first byte in that file.
    pub(super) start: u64,
    /// The position after its last byte.
    pub(super) end: u64,
    /// The result without the piece.
    pub(super) without: InputCandidate,
}

impl Cut {
    /// Returns the ways to cut a result, the coarsest first, and whether these are all ways; `None`
    /// if there are too many pieces.
    pub(super) fn all(
        result: &Arc<Snapshot>,
        ladder: &LadderSettings,
    ) -> Option<(Vec<Cut>, AreAll)> {
        if ladder.search != ReduceSearch::Passes {
            return Cut::promised(result, ladder);
        }
        let levels = if ladder.wants_sentences() { &TEXT[..1] } else { &TEXT[..] };
        let mut cuts: Vec<Cut> =
            levels.iter().filter_map(|&level| Cut::at(level, result, ladder)).collect();
        if cuts.iter().any(|cut| is_too_much(cut.len(), result)) {
            return None;
        }
        let structure = ladder.structure(result);
        let are_all = match &structure {
            Some(it) if is_too_much(NODE * it.tree().len(), result) => AreAll::No,
            _ => AreAll::Yes,
        };
        let structure = structure.filter(|_| are_all == AreAll::Yes);
        let validity = ladder.validity.as_ref();
        cuts.extend(structure.map(|structure| Cut::Nodes(Nodes::new(structure, validity))));
        cuts.sort_by_key(Cut::level);
        Some((cuts, are_all))
    }

    /// Returns the way to cut a result for which a published search promises that each piece is
    /// needed.
    fn promised(result: &Arc<Snapshot>, ladder: &LadderSettings) -> Option<(Vec<Cut>, AreAll)> {
        let level = match ladder.search {
            search if search.is_over_tree() => Level::Nodes,
            _ => ladder.finest.into(),
        };
        let cuts: Vec<Cut> = Cut::at(level, result, ladder).into_iter().collect();
        let work = if level == Level::Nodes { NODE } else { 1 };
        let is_listed = cuts.iter().all(|cut| !is_too_much(work * cut.len(), result));
        is_listed.then_some((cuts, AreAll::Yes))
    }

    /// Returns one way to cut a result; `None` if the result has no such pieces.
    pub(super) fn at(level: Level, result: &Arc<Snapshot>, ladder: &LadderSettings) -> Option<Cut> {
        let granularity = match level {
            Level::Files => Granularity::Files,
            Level::Lines => Granularity::Lines,
            Level::Tokens => Granularity::Tokens,
            Level::Bytes => Granularity::Bytes,
            Level::Nodes if ladder.search.is_over_tree() => {
                let structure = ladder.tree(result)?;
                return Some(Cut::Nodes(Nodes::of_tree(structure, ladder.validity.as_ref())));
            }
            Level::Nodes => {
                let structure = ladder.structure(result)?;
                return Some(Cut::Nodes(Nodes::new(structure, ladder.validity.as_ref())));
            }
        };
        let makes_sense = granularity != Granularity::Files || result.files().len() > 1;
        let is_flat = ladder.search != ReduceSearch::Passes;
        let cut = if is_flat { TextCut::flat } else { TextCut::cut };
        if granularity > ladder.finest || !makes_sense {
            return None;
        }
        let mut cuts = vec![Arc::new(cut(result.clone(), granularity, ladder))];
        if level == Level::Bytes && !is_flat {
            cuts.push(Arc::new(TextCut::wide_characters(result.clone(), ladder)));
        }
        Some(Cut::Text { cuts, validity: ladder.validity.clone() })
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Cut::Text { cuts, .. } => cuts[0].granularity().into(),
            Cut::Nodes(_) => Level::Nodes,
        }
    }

    /// Returns whether some removable parts of this level are not among the pieces.
    pub(super) fn is_partial(&self) -> bool {
        match self {
            Cut::Text { cuts, .. } => cuts[0].is_partial(),
            Cut::Nodes(_) => false,
        }
    }

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        match self {
            Cut::Text { cuts, .. } => cuts.iter().map(|cut| cut.deltas().len()).sum(),
            Cut::Nodes(nodes) => nodes.edits.len() + nodes.others.len(),
        }
    }

    /// Returns the pieces in the order of the text.
    pub(super) fn pieces(&self) -> Box<dyn Iterator<Item = Piece> + '_> {
        match self {
            Cut::Text { cuts, validity } => {
                let pieces = cuts.iter().flat_map(|cut| {
                    (0..cut.deltas().len()).map(move |place| piece_of_text(cut, place))
                });
                Box::new(pieces.filter(|piece| is_tested(&piece.without, validity.as_ref())))
            }
            Cut::Nodes(nodes) => {
                let others = nodes.others.iter().map(|other| nodes.other_piece(other));
                Box::new(nodes.edits.iter().filter_map(|edit| nodes.piece(edit)).chain(others))
            }
        }
    }
}

fn is_too_much(pieces: usize, result: &Snapshot) -> bool {
    pieces as u64 * result.len() > EFFORT
}

impl Nodes {
    fn new(structure: Structure, validity: Option<&Arc<Validity>>) -> Self {
        let mut nodes = Nodes::of_tree(structure, validity);
        let mut seen: HashSet<Key> =
            nodes.edits.iter().filter_map(|edit| nodes.keyed(edit)).map(|(key, _)| key).collect();
        let others = optional_parts(&nodes.structure).into_iter();
        let is_tested = |without: &InputCandidate| is_tested(without, validity);
        let others = others.filter(|(_, without)| is_tested(without));
        nodes.others = others.filter(|(_, without)| seen.insert(Input.key(without))).collect();
        nodes
    }

    /// Takes only the nodes of the tree, and no other parts.
    fn of_tree(structure: Structure, validity: Option<&Arc<Validity>>) -> Self {
        let whole = Input.key(&InputCandidate::whole(structure.base().clone()));
        let (structure, edits, others) = (Arc::new(structure), Vec::new(), Vec::new());
        let mut nodes = Nodes { structure, whole, edits, others };
        let tree = nodes.structure.tree();
        let all = TreeCandidate::whole(tree);
        let edits = nodes.within_files().filter_map(|node| all.leave_out(tree, node));
        // Nodes with the same text are one piece.
        let mut seen = HashSet::new();
        let is_new = |edit: &Edit| {
            let keyed = nodes.keyed(edit).filter(|(_, without)| is_tested(without, validity));
            keyed.is_some_and(|(key, _)| seen.insert(key))
        };
        nodes.edits = edits.filter(is_new).collect();
        nodes
    }

    /// Returns the nodes inside of files.
    pub(super) fn within_files(&self) -> impl Iterator<Item = Delta> + '_ {
        let tree = self.structure.tree();
        let nodes = (0..tree.len() as u32).map(Delta);
        nodes.filter(|&node| tree.depth(node) > 1 && !self.structure.addresses(node).is_empty())
    }

    /// Returns the result after an edit; `None` if the edit changes nothing or changes protected
    /// text.
    pub(super) fn candidate(&self, edit: &Edit) -> Option<InputCandidate> {
        self.keyed(edit).map(|(_, candidate)| candidate)
    }

    /// Returns the same with the key of its content, which is the slowest part.
    fn keyed(&self, edit: &Edit) -> Option<(Key, InputCandidate)> {
        let tree = self.structure.tree();
        let shown = TreeCandidate::whole(tree).with(tree, [edit]);
        if self.structure.touches_protected(&shown) {
            return None;
        }
        let candidate = InputCandidate::shown(self.structure.clone(), shown);
        let key = Input.key(&candidate);
        (key != self.whole).then_some((key, candidate))
    }

    fn piece(&self, edit: &Edit) -> Option<Piece> {
        let without = self.candidate(edit)?;
        let (file, range) = self.place(edit.node());
        let Range { start, end } = range;
        Some(Piece { level: Level::Nodes, file, start, end, without })
    }

    fn other_piece(&self, (addresses, without): &(Range<u64>, InputCandidate)) -> Piece {
        let (file, Range { start, end }) = self.within_file(addresses);
        Piece { level: Level::Nodes, file, start, end, without: without.clone() }
    }

    /// Returns the file of a node and its bytes there.
    pub(super) fn place(&self, node: Delta) -> (usize, Range<u64>) {
        self.within_file(&self.structure.addresses(node))
    }

    fn within_file(&self, addresses: &Range<u64>) -> (usize, Range<u64>) {
        let base = self.structure.base();
        let file = base.file_at(addresses.start);
        let first = base.addresses(file).start;
        (file, addresses.start - first..addresses.end - first)
    }
}

/// Returns whether a candidate may be tested: it must meet the conditions that hold for every
/// candidate.
fn is_tested(without: &InputCandidate, validity: Option<&Arc<Validity>>) -> bool {
    validity.is_none_or(|validity| {
        let demanding = without.clone().demanding(validity);
        if validity.wants_sentences() {
            Input.foretell(&demanding).is_none()
        } else {
            !demanding.is_refused()
        }
    })
}

/// Returns the delta at a place of a rung.
fn piece_of_text(rung: &Arc<TextCut>, place: usize) -> Piece {
    let delta = &rung.deltas()[place];
    let file = match rung.granularity() {
        Granularity::Files => place,
        _ => rung.base().file_at(delta.start),
    };
    let first = rung.base().addresses(file).start;
    let one: DeltaSet = [Delta(place as u32)].into_iter().collect();
    let kept = DeltaSet::full(rung.deltas().len()).minus(&one);
    Piece {
        level: rung.granularity().into(),
        file,
        start: delta.start - first,
        end: delta.end - first,
        without: InputCandidate::new(rung.clone(), kept),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use whodunit_grammar::shape::Child;
    use whodunit_syntax::language::{Language, NodeKind};
    use whodunit_syntax::parse::{parse, parses};

    use super::*;
    use whodunit_input::{InputFile, Languages};

    /// Returns a text without white space, because that may be laid out differently.
    fn squeezed(text: &[u8]) -> Vec<u8> {
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    }

    /// Returns the text without each of its pieces.
    fn pieces(language: &Language, text: &[u8]) -> HashSet<Vec<u8>> {
        let file = InputFile { name: "in".into(), bytes: text.into(), mode: 0o644 };
        let ladder = LadderSettings::new(Languages::Given(language.clone()));
        let result = Arc::new(Snapshot::new(vec![file]));
        let cut = Cut::at(Level::Nodes, &result, &ladder).unwrap();
        cut.pieces().map(|piece| squeezed(&piece.without.snapshot().files()[0].bytes)).collect()
    }

    /// Returns the text without each run of children that is optional in the grammar.
    fn optional(language: &Language, text: &[u8]) -> Vec<Vec<u8>> {
        let tree = parse(language, text);
        let shapes = language.shapes().unwrap();
        let symbol =
            |kind: NodeKind| shapes.symbol(language.kind_name(kind), language.is_named(kind));
        let mut texts = Vec::new();
        for id in tree.ids().filter(|&id| !tree.node(id).is_error()) {
            let children: Vec<_> = tree.children(id).map(|child| tree.node(child)).collect();
            let kinds: Vec<Child> = children
                .iter()
                .map(|child| match symbol(child.kind()) {
                    _ if child.is_extra() => Child::Extra,
                    _ if child.kind() == NodeKind::TEXT => Child::Hidden,
                    found => found.map_or(Child::Unknown, Child::Kind),
                })
                .collect();
            let Some(node) = symbol(tree.node(id).kind()) else { continue };
            let fit = shapes.fit(node, &kinds);
            for run in (0..kinds.len()).filter_map(|place| fit.goes_with(place)) {
                let (start, end) =
                    (children[run.start].range().start, children[run.end - 1].range().end);
                let left = [&text[..start], b" ", &text[end..]].concat();
                if start < end && parses(language, &left) {
                    texts.push(left);
                }
            }
        }
        texts
    }

    #[test]
    fn every_optional_child_and_item_of_the_grammar_is_a_piece() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syntax/languages");
        for language in Language::all() {
            let name = language.name();
            if language.shapes().is_none() {
                continue;
            }
            let mut paths = folder.join(name).read_dir().unwrap().map(|it| it.unwrap().path());
            let sample = paths.find(|path| path.file_stem().is_some_and(|stem| stem == "sample"));
            let text = std::fs::read(sample.unwrap()).unwrap();
            let pieces = pieces(language, &text);
            for left in optional(language, &text) {
                let text = String::from_utf8_lossy(&left);
                assert!(pieces.contains(&squeezed(&left)), "{name}: {text}");
            }
        }
    }

    #[test]
    fn the_default_value_of_a_parameter_is_a_piece() {
        let language = Language::by_name("cpp").unwrap();
        let pieces = pieces(&language, b"int f(int a = 1) { return a; }");
        assert!(pieces.contains(&b"intf(inta){returna;}"[..]));
    }

    /// Returns whether all pieces of a file are listed; `None` if there are too many of them.
    fn are_listed(name: &str, text: &str) -> Option<AreAll> {
        let bytes: Arc<[u8]> = text.as_bytes().into();
        let file = InputFile { name: name.into(), bytes, mode: 0o644 };
        let ladder = LadderSettings::new(Languages::ByFile);
        Cut::all(&Arc::new(Snapshot::new(vec![file])), &ladder).map(|(_, are_all)| are_all)
    }

    #[test]
    fn what_is_too_much_to_be_listed_is_said_to_be() {
        assert_eq!(are_listed("a.json", "[1, 2, 3]"), Some(AreAll::Yes));
        // Each node counts sixteen times.
        let many = format!("[{}]", ["1"; 12000].join(","));
        assert_eq!(are_listed("a.json", &many), Some(AreAll::No));
        assert_eq!(are_listed("a.txt", &"x".repeat(1 << 10)), Some(AreAll::Yes));
        assert_eq!(are_listed("a.txt", &"x".repeat(1 << 17)), None);
    }
}
