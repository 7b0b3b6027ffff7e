//! The promises of the searches over trees, for trees and oracles of all sorts over a few nodes.
//!
//! Oracles are pure functions of what is shown and a seed; a failing case names its seed. Whether
//! a result is minimal is checked on the shown pieces alone, without the edits of the searches.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use whodunit_core::searches::{Hdd, HddPlus, HddRecursive, HddStar, Sweep};
use whodunit_core::{
    Answer, Delta, DeltaSet, Edit, Facts, Kind, Piece, Removal, Search, Step, Tree, TreeBuilder,
    TreeCandidate, Verdict,
};
use whodunit_test_support::Random;

use Verdict::{Fail, Pass, Unresolved};

/// How many trees, each with an oracle of each family, a search meets.
const TREES: u64 = 600;

macro_rules! promises {
    ($($claim:ident: $start:expr, $promise:expr;)*) => {
        $(
            #[test]
            fn $claim() {
                for seed in 0..TREES {
                    for subject in Subject::families(seed) {
                        $promise(&drive($start(&subject.tree), &subject));
                    }
                }
            }
        )*
    };
}

promises! {
    hdd_always_ends: Hdd::new, nothing_more;
    hdd_recursive_always_ends: HddRecursive::new, nothing_more;
    hdd_plus_is_one_tree_minimal: HddPlus::new, one_tree_minimal;
    hdd_star_is_one_tree_minimal: HddStar::new, one_tree_minimal;
    sweep_is_one_tree_minimal: Sweep::new, one_tree_minimal;
    sweep_is_minimal_under_substitution: Sweep::new, substitution_minimal;
    sweep_over_what_is_left_is_one_tree_minimal: over_what_was_tried, one_tree_minimal;
    sweep_over_what_is_left_is_minimal_under_substitution: over_what_is_left, substitution_minimal;
    sweep_by_lists_is_one_tree_minimal: heaviest_lists_first, one_tree_minimal;
    sweep_by_lists_is_minimal_under_substitution: heaviest_lists_first, substitution_minimal;
}

/// Makes no substitution, as if all of them had been asked about before.
fn over_what_was_tried(tree: &Tree) -> Sweep {
    Sweep::new(tree).over_what_is_left(DeltaSet::full(tree.len()))
}

fn over_what_is_left(tree: &Tree) -> Sweep {
    Sweep::new(tree).over_what_is_left(DeltaSet::empty())
}

fn heaviest_lists_first(tree: &Tree) -> Sweep {
    Sweep::new(tree).heaviest_lists_first()
}

fn nothing_more<S>(_: &Ended<'_, S>) {}

fn one_tree_minimal<S: Search<Candidate = TreeCandidate>>(ended: &Ended<'_, S>) {
    let Ended { search, subject, .. } = ended;
    for (node, smaller) in without_one_node(&subject.tree, &search.best()) {
        assert_ne!((subject.judge)(&smaller), Fail, "{ended}: {node:?} can go");
    }
}

fn substitution_minimal<S: Search<Candidate = TreeCandidate>>(ended: &Ended<'_, S>) {
    let Ended { search, subject, .. } = ended;
    let best = search.best();
    for node in best.nodes().iter() {
        for edit in best.in_place(&subject.tree, node) {
            let smaller = edited(&subject.tree, &best, edit);
            assert_ne!((subject.judge)(&smaller), Fail, "{ended}: {edit:?} can be made");
        }
    }
}

#[test]
fn edits_do_what_they_say_however_many_came_before() {
    for seed in 0..TREES {
        let mut random = Random::new(seed);
        let tree = any_tree(&mut random);
        let mut candidate = TreeCandidate::whole(&tree);
        loop {
            let edits: Vec<Edit> = candidate
                .nodes()
                .iter()
                .flat_map(|node| {
                    let mut edits = candidate.in_place(&tree, node);
                    edits.extend(candidate.leave_out(&tree, node));
                    edits
                })
                .collect();
            if edits.is_empty() {
                break;
            }
            let edit = edits[random.below(edits.len() as u64) as usize];
            let next = candidate.with(&tree, [&edit]);
            let expected = edited(&tree, &candidate, edit);
            assert_eq!(text(&tree, &next), expected, "seed {seed}, {edit:?} of {candidate:?}");
            assert_eq!(text_by_subtrees(&tree, &next), expected, "seed {seed}");
            assert!(next.weight(&tree) <= candidate.weight(&tree), "seed {seed}, {edit:?}");
            let measure = |it: &TreeCandidate| (it.kept().len(), it.shrunk().len());
            assert!(measure(&next) < measure(&candidate), "seed {seed}, {edit:?}");
            candidate = next;
        }
    }
}

#[test]
fn all_searches_find_the_smallest_tree_if_a_set_of_nodes_is_needed() {
    for seed in 0..TREES {
        let mut random = Random::new(seed);
        let tree = free_tree(&mut random);
        let needed = any_set(&mut random, tree.len());
        let subject = Subject::needing(tree, needed);
        let mut smallest: u16 = 0;
        for node in
            (0..subject.tree.len() as u32).map(Delta).filter(|node| needed >> node.0 & 1 == 1)
        {
            let above = std::iter::successors(Some(node), |&node| subject.tree.parent(node));
            smallest |= above.fold(0, |bits, node| bits | 1 << node.0);
        }
        let check = |best: TreeCandidate| {
            let found = best.kept().iter().fold(1, |bits, node| bits | 1 << node.0);
            assert_eq!(found, smallest | 1, "{}", subject.name);
        };
        check(drive(Hdd::new(&subject.tree), &subject).search.best());
        check(drive(HddRecursive::new(&subject.tree), &subject).search.best());
        check(drive(HddStar::new(&subject.tree), &subject).search.best());
        check(drive(Sweep::new(&subject.tree), &subject).search.best());
    }
}

#[test]
fn ten_thousand_nodes_inside_each_other_are_fine() {
    fn reduce<S: Search<Candidate = TreeCandidate>>(mut search: S) {
        while let Step::Ask(question) = search.step() {
            let fails = question.kept().contains(Delta(9_000));
            search.learn(&Answer::from(if fails { Fail } else { Pass }));
        }
        assert_eq!(search.best().kept(), &DeltaSet::full(9_001));
    }
    let mut builder = Tree::builder();
    for _ in 0..10_000 {
        builder.open(Facts::free(1));
    }
    let tree = builder.build();
    reduce(Hdd::new(&tree));
    reduce(HddPlus::new(&tree));
    reduce(HddStar::new(&tree));
    reduce(HddRecursive::new(&tree));
    reduce(Sweep::new(&tree));
}

/// One word of what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    Open(Delta),
    Close(Delta),
    Minimal(Delta),
}

/// Returns the words that a candidate shows.
fn text(tree: &Tree, candidate: &TreeCandidate) -> Vec<Word> {
    let words = candidate.shown_nodes(tree).map(|piece| match piece {
        Piece::Enter { node, .. } => Word::Open(node),
        Piece::Leave(node) => Word::Close(node),
        Piece::Minimal(node) => Word::Minimal(node),
        Piece::Whole { .. } => unreachable!("nodes are shown one by one"),
    });
    words.collect()
}

/// Returns the words that a candidate shows, with complete subtrees copied from the original.
fn text_by_subtrees(tree: &Tree, candidate: &TreeCandidate) -> Vec<Word> {
    let original = text(tree, &TreeCandidate::whole(tree));
    let words = candidate.shown(tree).flat_map(|piece| match piece {
        Piece::Enter { node, .. } => vec![Word::Open(node)],
        Piece::Leave(node) => vec![Word::Close(node)],
        Piece::Minimal(node) => vec![Word::Minimal(node)],
        Piece::Whole { first, last, .. } => {
            original[extent(&original, first).0..extent(&original, last).1].to_vec()
        }
    });
    words.collect()
}

/// Returns the texts of a candidate without one of the nodes that can be removed singly.
fn without_one_node(tree: &Tree, candidate: &TreeCandidate) -> Vec<(Delta, Vec<Word>)> {
    let words = text(tree, candidate);
    let mut found = Vec::new();
    for piece in candidate.shown_nodes(tree) {
        let (node, place) = match piece {
            Piece::Enter { node, place } => (node, place),
            Piece::Minimal(place) => (place, place),
            Piece::Leave(_) | Piece::Whole { .. } => continue,
        };
        let (start, end) = extent(&words, node);
        let replaced = |by: &[Word]| [&words[..start], by, &words[end..]].concat();
        let removal = tree.facts(place).removal;
        if matches!(removal, Removal::Free | Removal::Either(_)) {
            found.push((node, replaced(&[])));
        }
        if let Removal::Minimal(minimal) | Removal::Either(minimal) = removal
            && weight(tree, &words[start..end]) >= minimal
            && words[start] != Word::Minimal(place)
        {
            found.push((node, replaced(&[Word::Minimal(place)])));
        }
    }
    found
}

/// Returns the text of a candidate after an edit, made on the text.
fn edited(tree: &Tree, candidate: &TreeCandidate, edit: Edit) -> Vec<Word> {
    let words = text(tree, candidate);
    let (start, end) = extent(&words, edit.node());
    let by = match edit {
        Edit::Drop(_) => Vec::new(),
        Edit::Shrink(node) => vec![Word::Minimal(candidate.place(node))],
        Edit::Hoist { shown, .. } => {
            let (start, end) = extent(&words, shown);
            words[start..end].to_vec()
        }
        Edit::Splice { list, .. } => {
            let items = tree.children(list).iter().filter(|&&item| {
                matches!(tree.facts(item).removal, Removal::Free | Removal::Either(_))
            });
            let (start, end) = extent(&words, list);
            let inside = &words[start + 1..end - 1];
            items
                .flat_map(|&item| {
                    let within = |word: &&Word| tree.is_within(word.node(), item);
                    inside.iter().filter(within).copied().collect::<Vec<_>>()
                })
                .collect()
        }
    };
    [&words[..start], &by, &words[end..]].concat()
}

/// Returns where the words of a node begin and end.
fn extent(words: &[Word], node: Delta) -> (usize, usize) {
    let start = words.iter().position(|word| word.node() == node).expect("the node is shown");
    let end = words.iter().rposition(|word| word.node() == node).expect("the node is shown");
    (start, end + 1)
}

fn weight(tree: &Tree, words: &[Word]) -> u32 {
    let weight = |word: &Word| match *word {
        Word::Open(node) => tree.facts(node).weight,
        Word::Close(_) => 0,
        Word::Minimal(node) => tree.facts(node).removal.minimal().expect("it was shrunk"),
    };
    words.iter().map(weight).sum()
}

impl Word {
    fn node(self) -> Delta {
        match self {
            Word::Open(node) | Word::Close(node) | Word::Minimal(node) => node,
        }
    }
}

/// A search at its end, and how it got there.
struct Ended<'a, S> {
    search: S,
    subject: &'a Subject,
    asked: Vec<(TreeCandidate, Verdict)>,
}

impl<S: Search<Candidate = TreeCandidate>> fmt::Display for Ended<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subject { name, tree, .. } = self.subject;
        let best = text(tree, &self.search.best());
        write!(f, "{name}, {} questions, best {best:?}", self.asked.len())
    }
}

/// Drives a search to its end and asserts what every search promises.
fn drive<S>(start: S, subject: &Subject) -> Ended<'_, S>
where
    S: Search<Candidate = TreeCandidate>,
{
    let tree = &subject.tree;
    // Far more than any search needs, so only one that does not end reaches it.
    let patience = 16 + 40 * tree.len() * tree.len();
    let mut best = TreeCandidate::whole(tree);
    let mut ended = Ended { search: start.clone(), subject, asked: Vec::new() };
    assert_eq!(ended.search.best(), best, "{ended}: starts with everything");
    while let Step::Ask(question) = ended.search.step() {
        assert!(ended.asked.len() < patience, "{ended}: does not end");
        assert_eq!(ended.search.step(), Step::Ask(question.clone()), "{ended}: not pure");
        assert!((0.0..=1.0).contains(&ended.search.likely()), "{ended}: no probability");
        assert!(question.weight(tree) <= best.weight(tree), "{ended}: asks for more");
        let verdict = (subject.judge)(&text(tree, &question));
        ended.search.learn(&Answer::from(verdict));
        if verdict == Fail {
            best = question.clone();
        }
        ended.asked.push((question, verdict));
        assert_eq!(ended.search.best(), best, "{ended}: not the smallest seen to fail");
    }
    ended.search.learn(&Answer::from(Fail));
    assert_eq!(ended.search.step(), Step::Done, "{ended}: learns when done");
    assert_eq!(ended.search.best(), best, "{ended}: learns when done");
    assert!(!start.heeds_unresolved());
    let mut search = start;
    for (question, verdict) in &ended.asked {
        assert_eq!(search.step(), Step::Ask(question.clone()), "{ended}: heeds unresolved");
        search.learn(&Answer::from(if *verdict == Unresolved { Pass } else { *verdict }));
    }
    assert_eq!(search.step(), Step::Done, "{ended}: heeds unresolved");
    ended
}

/// A tree, and an oracle under which the whole of it fails.
struct Subject {
    name: String,
    tree: Tree,
    judge: Box<Judge>,
}

/// Judges a text.
type Judge = dyn Fn(&[Word]) -> Verdict;

impl Subject {
    /// Returns one subject of each family.
    fn families(seed: u64) -> [Subject; 4] {
        let mut random = Random::new(seed);
        let tree = any_tree(&mut random);
        let named = |subject: Subject| Subject {
            name: format!("seed {seed}: {}", subject.name),
            ..subject
        };
        let needed = any_set(&mut random, tree.len());
        let any = Subject::needing_any(tree.clone(), any_set(&mut random, tree.len()));
        let ordered = Subject::needing(tree.clone(), needed).in_order(&mut random);
        [
            named(Subject::random(tree.clone(), &mut random)),
            named(Subject::needing(tree, needed)),
            named(any),
            named(ordered),
        ]
    }

    fn new(name: String, tree: Tree, judge: impl Fn(&[Word]) -> Verdict + 'static) -> Self {
        Subject { name, tree, judge: Box::new(judge) }
    }

    /// Answers at random but repeatably, neither monotone nor consistent, from nearly always
    /// failing to hardly ever resolved.
    fn random(tree: Tree, random: &mut Random) -> Self {
        let (fails, passes) = (1 + random.below(8), 1 + random.below(8));
        let (sides, salt) = (fails + passes + random.below(16), random.number());
        let whole = text(&tree, &TreeCandidate::whole(&tree));
        Subject::new("random".into(), tree, move |words| {
            if words == whole {
                return Fail;
            }
            let mut hasher = DefaultHasher::new();
            (salt, words).hash(&mut hasher);
            match hasher.finish() % sides {
                roll if roll < fails => Fail,
                roll if roll < fails + passes => Pass,
                _ => Unresolved,
            }
        })
    }

    /// Fails when all these nodes are shown.
    fn needing(tree: Tree, needed: u16) -> Self {
        let judge = move |words: &[Word]| {
            if kept(words) & needed == needed { Fail } else { Pass }
        };
        Subject::new(format!("needs all of {needed:b}"), tree, judge)
    }

    /// Fails when one of these nodes is shown, or everything.
    fn needing_any(tree: Tree, enough: u16) -> Self {
        let all = tree.len() as u32;
        let judge = move |words: &[Word]| {
            let kept = kept(words);
            if kept & enough != 0 || kept.count_ones() == all { Fail } else { Pass }
        };
        Subject::new(format!("needs any of {enough:b}"), tree, judge)
    }

    /// Is unresolved where a node is shown without an earlier one that it depends on.
    fn in_order(self, random: &mut Random) -> Self {
        let count = self.tree.len() as u64;
        let mut pairs: Vec<(u16, u16)> = Vec::new();
        for node in 1..count {
            if random.below(3) == 0 {
                pairs.push((1 << node, 1 << random.below(node)));
            }
        }
        let name = format!("{}, {pairs:?} depend", self.name);
        Subject::new(name, self.tree, move |words| {
            let kept = kept(words);
            let broken = |&(node, needs): &(u16, u16)| kept & node != 0 && kept & needs == 0;
            if pairs.iter().any(broken) { Unresolved } else { (self.judge)(words) }
        })
    }
}

/// Returns the nodes shown as themselves, as bits.
fn kept(words: &[Word]) -> u16 {
    words.iter().fold(0, |bits, word| match word {
        Word::Open(node) => bits | 1 << node.0,
        Word::Close(_) | Word::Minimal(_) => bits,
    })
}

/// Returns a tree of one to twelve nodes with facts of all sorts.
fn any_tree(random: &mut Random) -> Tree {
    let mut tree = tree_of(random, |random| {
        let (weight, minimal) = (random.below(4) as u32, random.below(3) as u32);
        let facts = match random.below(8) {
            0..=3 => Facts::free(weight),
            4 | 5 => Facts::minimal(weight, minimal),
            6 => Facts::either(weight, minimal),
            _ => Facts::fixed(weight),
        };
        let facts = facts.kind(Kind(random.below(3) as u32)).place(Kind(random.below(3) as u32));
        if random.below(3) == 0 { facts.list(Kind(random.below(2) as u32)) } else { facts }
    });
    for _ in 0..random.below(5) {
        tree.stands_for(Kind(random.below(3) as u32), Kind(random.below(3) as u32));
    }
    tree.build()
}

/// Returns a tree of one to twelve nodes that can all be left out, and nothing else.
fn free_tree(random: &mut Random) -> Tree {
    tree_of(random, |_| Facts::free(1)).build()
}

fn tree_of(random: &mut Random, facts: impl Fn(&mut Random) -> Facts) -> TreeBuilder {
    let mut tree = Tree::builder_with(facts(random));
    let mut depth = 0;
    for _ in 0..random.below(12) {
        tree.open(facts(random));
        depth += 1;
        while depth > 0 && random.below(2) == 0 {
            tree.close();
            depth -= 1;
        }
    }
    tree
}

/// A set with about a third of the nodes.
fn any_set(random: &mut Random, count: usize) -> u16 {
    (0..count).filter(|_| random.below(3) == 0).fold(0, |bits, node| bits | 1 << node)
}
