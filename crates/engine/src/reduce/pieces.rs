//! The pieces that a result can be cut into, each with the candidate that lacks it.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Edit, TreeCandidate};

use super::answer::Level;
use crate::key::Key;
use crate::subject::{
    Granularity, Input, InputCandidate, LadderSettings, Rung, Snapshot, Structure, Subject,
};

/// Bytes that may be hashed to look at all pieces of a cut; beyond that the list would be huge too.
const EFFORT: u64 = 1 << 32;
/// How much more it takes to look at a node: what was never tested is parsed.
const NODE: usize = 16;

/// A way to cut a result into pieces.
pub(super) enum Cut {
    /// Files, lines, tokens or bytes.
    Text(Arc<Rung>),
    /// Nodes.
    Nodes(Nodes),
}

/// Nodes that can be left out or shown as their minimal string.
pub(super) struct Nodes {
    pub(super) structure: Arc<Structure>,
    /// The content of all of it.
    whole: Key,
    edits: Vec<Edit>,
}

/// A piece of a result.
pub(super) struct Piece {
    pub(super) level: Level,
    /// The file it lies in.
    pub(super) file: usize,
    /// Its first byte in that file.
    pub(super) start: u64,
    /// The byte after its last.
    pub(super) end: u64,
    /// The result without it.
    pub(super) without: InputCandidate,
}

impl Cut {
    /// Returns the ways to cut a result, the coarsest first; `None` if there are too many pieces.
    pub(super) fn all(result: &Arc<Snapshot>, ladder: &LadderSettings) -> Option<Vec<Cut>> {
        let text = [Level::Files, Level::Lines, Level::Tokens, Level::Bytes];
        let mut cuts: Vec<Cut> =
            text.into_iter().filter_map(|level| Cut::at(level, result, ladder)).collect();
        if cuts.iter().any(|cut| is_too_much(cut.len(), result)) {
            return None;
        }
        let structure = ladder.structure(result);
        let structure =
            structure.filter(|structure| !is_too_much(NODE * structure.tree().len(), result));
        cuts.extend(structure.map(|structure| Cut::Nodes(Nodes::new(structure))));
        cuts.sort_by_key(Cut::level);
        Some(cuts)
    }

    /// Returns one way to cut a result; `None` if there is nothing to cut that way.
    pub(super) fn at(level: Level, result: &Arc<Snapshot>, ladder: &LadderSettings) -> Option<Cut> {
        let granularity = match level {
            Level::Files => Granularity::Files,
            Level::Lines => Granularity::Lines,
            Level::Tokens => Granularity::Tokens,
            Level::Bytes => Granularity::Bytes,
            Level::Nodes => {
                let structure = ladder.structure(result)?;
                return Some(Cut::Nodes(Nodes::new(structure)));
            }
        };
        let makes_sense = granularity != Granularity::Files || result.files().len() > 1;
        let rung = || Arc::new(Rung::cut(result.clone(), granularity, ladder));
        (granularity <= ladder.finest && makes_sense).then(|| Cut::Text(rung()))
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Cut::Text(rung) => rung.granularity().into(),
            Cut::Nodes(_) => Level::Nodes,
        }
    }

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        match self {
            Cut::Text(rung) => rung.deltas().len(),
            Cut::Nodes(nodes) => nodes.edits.len(),
        }
    }

    /// Returns the pieces in the order of the text.
    pub(super) fn pieces(&self) -> Box<dyn Iterator<Item = Piece> + '_> {
        match self {
            Cut::Text(rung) => Box::new((0..self.len()).map(|place| piece_of_text(rung, place))),
            Cut::Nodes(nodes) => Box::new(nodes.edits.iter().filter_map(|edit| nodes.piece(edit))),
        }
    }
}

fn is_too_much(pieces: usize, result: &Snapshot) -> bool {
    pieces as u64 * result.len() > EFFORT
}

impl Nodes {
    fn new(structure: Structure) -> Self {
        let whole = Input.key(&InputCandidate::whole(structure.base().clone()));
        let mut nodes = Nodes { structure: Arc::new(structure), whole, edits: Vec::new() };
        let tree = nodes.structure.tree();
        let all = TreeCandidate::whole(tree);
        let edits = nodes.within_files().filter_map(|node| all.leave_out(tree, node));
        // Nodes with the same text are one piece.
        let mut seen = HashSet::new();
        let is_new = |edit: &Edit| nodes.keyed(edit).is_some_and(|(key, _)| seen.insert(key));
        nodes.edits = edits.filter(is_new).collect();
        nodes
    }

    /// Returns the nodes below those of the files.
    pub(super) fn within_files(&self) -> impl Iterator<Item = Delta> + '_ {
        let tree = self.structure.tree();
        let nodes = (0..tree.len() as u32).map(Delta);
        nodes.filter(|&node| tree.depth(node) > 1 && !self.structure.addresses(node).is_empty())
    }

    /// Returns the result after an edit; `None` if that changes nothing or must not be.
    pub(super) fn candidate(&self, edit: &Edit) -> Option<InputCandidate> {
        self.keyed(edit).map(|(_, candidate)| candidate)
    }

    /// The same with its content's key, which takes longest.
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

    /// Returns the file of a node and its bytes there.
    pub(super) fn place(&self, node: Delta) -> (usize, Range<u64>) {
        let base = self.structure.base();
        let addresses = self.structure.addresses(node);
        let file = base.file_at(addresses.start);
        let first = base.addresses(file).start;
        (file, addresses.start - first..addresses.end - first)
    }
}

/// Returns the delta at a place of a rung.
fn piece_of_text(rung: &Arc<Rung>, place: usize) -> Piece {
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
