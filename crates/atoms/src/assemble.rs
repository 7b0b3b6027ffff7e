//! Puts the drafts in order, with the needs between them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use whodunit_core::DeltaSet;
use whodunit_versions::{ChangedFile, Decomposition, TreePath};

use super::dispatch::Advised;
use super::draft::{Draft, Drafts, Slot};
use super::kind::AtomKind;
use super::measured;
use super::prerequisites::Needs;
use super::universe::{Id, Universe};
use super::{AtomicChange, Atoms};

/// Tokens that a body must have to show the former name of its definition; shorter bodies are
/// alike by chance. Chosen by hand.
const MIN_BODY_TOKENS: u32 = 8;

/// Makes the atoms of the drafts.
pub(super) fn assemble(
    parts: &Decomposition,
    universe: Universe,
    drafts: &Drafts,
    partners: HashMap<Id, Id>,
    needs: &Needs,
    advised: Advised,
) -> Atoms {
    let former = former_names(&universe, drafts);
    let changes: Vec<AtomicChange> = (0..drafts.drafts.len())
        .map(|at| change(parts, &universe, &drafts.drafts[at], former.get(&at)))
        .collect();
    let mut order: Vec<usize> = (0..changes.len()).collect();
    let file = |at: usize| drafts.drafts[at].file.wrapping_add(1);
    let place = |at: usize| {
        let change = &changes[at];
        let lines = if change.new_lines.is_empty() { &change.old_lines } else { &change.new_lines };
        lines.start
    };
    order.sort_by_key(|&at| (file(at), changes[at].kind, place(at), changes[at].name.clone(), at));
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| rank[old] = new);
    let edges = |edges: &BTreeSet<(usize, usize)>| -> Vec<BTreeSet<usize>> {
        let mut found = vec![BTreeSet::new(); rank.len()];
        for &(one, other) in edges {
            found[rank[one]].insert(rank[other]);
        }
        found
    };
    let graph = edges(&needs.graph);
    let mut all = edges(&needs.besides);
    for (all, graph) in all.iter_mut().zip(&graph) {
        all.extend(graph);
    }
    for group in tied(drafts, rank.len()) {
        let numbers: Vec<usize> = group.iter().map(|&at| rank[at]).collect();
        for (at, &number) in numbers.iter().enumerate() {
            all[number].insert(numbers[(at + 1) % numbers.len()]);
        }
    }
    let buddies = buddies(drafts);
    let vectors = |sets: Vec<BTreeSet<usize>>| -> Vec<Vec<usize>> {
        sets.into_iter().map(|set| set.into_iter().collect()).collect()
    };
    let mut of_delta = vec![0; parts.len()];
    for (delta, &draft) in &drafts.of_delta {
        of_delta[delta.0 as usize] = rank[draft] as u32;
    }
    let is_unread = |at: usize| universe.unread.contains(&drafts.drafts[at].file);
    let everywhere: BTreeSet<usize> = (0..drafts.drafts.len())
        .filter(|&at| is_unread(at))
        .chain(advised.everywhere.iter().copied())
        .map(|at| rank[at])
        .collect();
    let ids = order.iter().map(|&at| ids(&drafts.drafts[at])).collect();
    Atoms {
        of_delta,
        prerequisites: vectors(graph),
        needs: vectors(all),
        buddies: order.iter().map(|at| buddies.get(at).map(|&of| rank[of])).collect(),
        notes: universe.notes.clone(),
        texts: measured::texts(parts, &universe),
        ids,
        partners,
        everywhere: everywhere.into_iter().collect(),
        advised,
        atoms: in_order(changes, &order),
        universe,
    }
}

fn in_order(changes: Vec<AtomicChange>, order: &[usize]) -> Vec<AtomicChange> {
    let mut changes: Vec<Option<AtomicChange>> = changes.into_iter().map(Some).collect();
    order.iter().filter_map(|&at| changes[at].take()).collect()
}

/// Returns the definitions through which a test reaches a change.
fn ids(draft: &Draft) -> Vec<Id> {
    let ends = [draft.old, draft.new].into_iter().flatten();
    if draft.slot == Slot::Text { Vec::new() } else { ends.collect() }
}

fn change(
    parts: &Decomposition,
    universe: &Universe,
    draft: &Draft,
    former: Option<&String>,
) -> AtomicChange {
    let deltas: DeltaSet = draft.deltas.iter().copied().collect();
    let file = parts.changed_file(draft.file as usize);
    let path = file.and_then(|file| file.bad().or(file.good()));
    let path = path.map(|(path, _)| path.clone()).unwrap_or_else(|| TreePath::from(""));
    let id = draft.new.or(draft.old);
    let own = id.map(|id| universe.member(id).name.clone()).filter(|name| !name.is_empty());
    let name = draft.name.clone().or(own).unwrap_or_else(|| path.display().into_owned());
    let moved = file
        .filter(|_| draft.kind == AtomKind::RenameFile)
        .and_then(|file| Some(file.good()?.0.display().into_owned()));
    let (old_lines, new_lines) = lines(parts, draft, universe);
    AtomicChange {
        kind: draft.kind,
        name,
        former_name: draft.former_name.clone().or_else(|| former.cloned()).or(moved),
        file: path,
        old_lines,
        new_lines,
        deltas,
    }
}

/// Returns the lines of a change, counted from 1: those of its deltas, or of its definition.
fn lines(parts: &Decomposition, draft: &Draft, universe: &Universe) -> (Range<u32>, Range<u32>) {
    let (mut old, mut new): (Option<Range<u32>>, Option<Range<u32>>) = (None, None);
    let add = |to: &mut Option<Range<u32>>, lines: &Range<u32>| {
        if !lines.is_empty() {
            let known = to.get_or_insert_with(|| lines.clone());
            *known = known.start.min(lines.start)..known.end.max(lines.end);
        }
    };
    let text = parts.changed_file(draft.file as usize).and_then(ChangedFile::text);
    let in_good = |lines: &Range<u32>| text.map_or(lines.clone(), |text| text.good_lines(lines));
    for piece in draft.deltas.iter().flat_map(|&delta| parts.pieces_of(delta)) {
        add(&mut old, &in_good(&piece.old_lines));
        add(&mut new, &piece.new_lines);
    }
    let is_in = |id: Id| {
        let source = universe.source(id);
        let (old, new) = universe.touched.get(draft.file as usize).copied().unwrap_or_default();
        old == Some(source) || new == Some(source)
    };
    if old.is_none() && new.is_none() {
        let of =
            |id: Option<Id>| id.filter(|&id| is_in(id)).map(|id| universe.member(id).lines.clone());
        (old, new) = (of(draft.old).map(|lines| in_good(&lines)), of(draft.new));
    }
    let from_one = |lines: Option<Range<u32>>| lines.map_or(0..0, |it| it.start + 1..it.end + 1);
    (from_one(old), from_one(new))
}

/// Finds the former name of each added definition: that of the only deleted one with the same
/// body.
fn former_names(universe: &Universe, drafts: &Drafts) -> BTreeMap<usize, String> {
    let mut gone: HashMap<u64, Vec<Id>> = HashMap::new();
    let mut come: HashMap<u64, Vec<(usize, Id)>> = HashMap::new();
    let all = drafts.drafts.iter().enumerate();
    for (number, draft) in all.filter(|(_, draft)| draft.slot == Slot::Define) {
        let Some(id) = draft.new.or(draft.old) else { continue };
        let member = universe.member(id);
        if member.body_size < MIN_BODY_TOKENS {
            continue;
        }
        match draft.new {
            Some(_) => come.entry(member.body).or_default().push((number, id)),
            None => gone.entry(member.body).or_default().push(id),
        }
    }
    let mut found = BTreeMap::new();
    for (body, come) in come {
        if let ([(number, _)], Some([old])) = (&come[..], gone.get(&body).map(Vec::as_slice)) {
            found.insert(*number, universe.member(*old).name.clone());
        }
    }
    found
}

/// Returns the definition of each changed body, if that is added or deleted as well.
fn buddies(drafts: &Drafts) -> HashMap<usize, usize> {
    let mut definitions: HashMap<(Option<Id>, Option<Id>), usize> = HashMap::new();
    let all = || drafts.drafts.iter().enumerate();
    for (number, draft) in all().filter(|(_, draft)| draft.slot == Slot::Define) {
        definitions.insert((draft.old, draft.new), number);
    }
    let bodies = all().filter(|(_, draft)| draft.slot == Slot::Body);
    bodies
        .filter_map(|(number, draft)| Some((number, *definitions.get(&(draft.old, draft.new))?)))
        .collect()
}

/// Returns the groups of changes that are only made together.
fn tied(drafts: &Drafts, count: usize) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..count).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for &(one, other) in &drafts.ties {
        let (one, other) = (root(&mut parent, one), root(&mut parent, other));
        parent[one.max(other)] = one.min(other);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..count {
        groups.entry(root(&mut parent, at)).or_default().push(at);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}
