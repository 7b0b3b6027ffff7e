//! Every subset of the deltas of any two versions can be laid out.

#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use support::{Plain, chosen, is_consistent, plain, texts, two_versions, version};
use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{
    Boundary, ChangeKind, Content, Decomposition, Dependencies, Entry, EntryKind, Grouping, Level,
    Order, ParseGate, Store, TreePath, Version, Weave, decompose,
};

const LEVELS: [Level; 6] =
    [Level::Directory, Level::File, Level::Item, Level::Hunk, Level::Line, Level::Token];

fn laid_out(decomposition: &Decomposition, candidate: &DeltaSet) -> Plain {
    plain(&decomposition.version(candidate))
}

/// Brings a tree from one candidate to another, as a warm folder is.
fn bring(decomposition: &Decomposition, from: &DeltaSet, to: &DeltaSet) -> Plain {
    let mut tree = decomposition.version(from);
    let differences = decomposition.differences(from, to);
    for path in &differences.remove {
        assert!(tree.remove(path).is_some(), "{path:?} was not there");
    }
    let mut tree = plain(&tree);
    for file in differences.write {
        let bytes = file.content.read().unwrap().to_vec();
        let new = (file.kind, bytes);
        let old = tree.insert(file.path.as_bytes().to_vec(), new.clone());
        assert_ne!(old, Some(new), "{:?} is written for nothing", file.path);
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_ends_are_the_versions_byte_for_byte((good, bad) in two_versions()) {
        for level in LEVELS {
            let parts = decompose(&version(&good), &version(&bad), level).unwrap();
            prop_assert_eq!(&laid_out(&parts, &DeltaSet::empty()), &good);
            prop_assert_eq!(&laid_out(&parts, &parts.all()), &bad);
            let order = Order::of(&parts, Grouping::Location);
            prop_assert_eq!(order.boundaries().len(), parts.len().saturating_sub(1));
        }
    }

    #[test]
    fn every_subset_is_laid_out_without_a_clash(
        (good, bad) in two_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
        others in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for level in LEVELS {
            let parts = decompose(&version(&good), &version(&bad), level).unwrap();
            let one = chosen(parts.len(), &bits);
            let other = chosen(parts.len(), &others);
            let tree = laid_out(&parts, &one);
            prop_assert!(is_consistent(&tree), "{tree:?}");
            prop_assert_eq!(bring(&parts, &other, &one), tree);
            prop_assert_eq!(bring(&parts, &one, &parts.all()), bad.clone());
        }
    }

    #[test]
    fn lines_are_refined_to_tokens_that_mean_the_same(
        (good, bad) in two_versions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
        refined in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let lines = decompose(&version(&good), &version(&bad), Level::Line).unwrap();
        let (tokens, became) = lines.refine(&chosen(lines.len(), &refined));
        let candidate = chosen(lines.len(), &bits);
        let same = candidate
            .iter()
            .fold(DeltaSet::empty(), |all, delta| all.union(&became[delta.0 as usize]));
        prop_assert_eq!(laid_out(&lines, &candidate), laid_out(&tokens, &same));
    }

    #[test]
    fn every_delta_is_described((good, bad) in two_versions()) {
        let parts = decompose(&version(&good), &version(&bad), Level::Line).unwrap();
        let has = |version: &Plain, path: &TreePath| {
            let path = path.as_bytes();
            version.keys().any(|known| known.starts_with(path))
        };
        for delta in parts.all().iter() {
            let part = parts.part(delta);
            prop_assert!(part.old_path.is_none_or(|path| has(&good, path)));
            prop_assert!(part.new_path.is_none_or(|path| has(&bad, path)));
        }
    }
}

#[test]
fn a_line_of_a_candidate_leads_to_its_deltas() {
    let good = texts(&[("f", "a\nb\nc\nd\ne\n")]);
    let bad = texts(&[("f", "a\nnew 1\nnew 2\nb\nc\nD\ne\n")]);
    let parts = decompose(&good, &bad, Level::Line).unwrap();
    let at = |candidate: &DeltaSet, line: u32| {
        let file = parts.file_at(candidate, &TreePath::from("f")).unwrap();
        parts.deltas_at(candidate, file, line)
    };
    let (all, none) = (parts.all(), DeltaSet::empty());
    assert_eq!(parts.len(), 3);
    assert_eq!(at(&all, 2), DeltaSet::run(0..1));
    assert_eq!(at(&all, 6), DeltaSet::run(2..3));
    assert_eq!(at(&none, 4), DeltaSet::run(2..3));
    // The lines that would come after the first line.
    assert_eq!(at(&none, 1), DeltaSet::run(0..2));
    assert!(at(&none, 5).is_empty());
    assert!(parts.file_at(&all, &TreePath::from("g")).is_none());
}

#[test]
fn levels_put_the_same_changes_together() {
    let before = "def f():\n    return 1\n\n\ndef g():\n    a = 1\n    b = 2\n    return a\n";
    let after = "def f():\n    return 2\n\n\ndef g():\n    a = 3\n    b = 2\n    return a + b\n";
    let good = texts(&[("x/a.py", before), ("x/b", "1\n"), ("y/c", "one two three four\na b\n")]);
    let bad = texts(&[("x/a.py", after), ("x/b", "2\n"), ("y/c", "ONE two three FOUR\na c\n")]);
    let count = |level| decompose(&good, &bad, level).unwrap().len();
    assert_eq!(LEVELS.map(count), [2, 3, 4, 5, 6, 7]);
    let parts = decompose(&good, &bad, Level::Line).unwrap();
    use Boundary::{Directory, File, Hunk, Item, Line};
    let order = Order::of(&parts, Grouping::Location);
    let expected = [Item, Hunk, File, Directory, Line];
    assert_eq!(order.boundaries(), expected.map(|boundary| boundary as u8));
}

#[test]
fn what_is_too_much_to_parse_has_headings_until_it_is_looked_at() {
    let mut filler = String::new();
    while filler.len() < 3 << 20 {
        filler += "/* much to read, and nothing to see, again and again and again, to the end */\n";
    }
    let text =
        |body: &str| format!("{filler}static int last_one (int x) {{\n{body}  return x;\n}}\n");
    let good = texts(&[("a.c", &text(""))]);
    let bad = texts(&[("a.c", &text("  if (x) {\n    x++;\n  }\n"))]);
    let parts = decompose(&good, &bad, Level::Line).unwrap();
    assert_eq!(parts.len(), 3);
    assert_eq!(parts.part(Delta(1)).item, Some("last_one"));
    assert!(Dependencies::of(&parts).edges().is_empty());
    let edges = Dependencies::within(&parts, &DeltaSet::run(1..2));
    let found: Vec<(u32, u32)> =
        edges.edges().iter().map(|edge| (edge.delta.0, edge.needs.0)).collect();
    assert_eq!(found, [(0, 2), (1, 0), (2, 0)]);
}

#[test]
fn workers_can_share_what_is_decomposed() {
    fn check<T: Send + Sync>() {}
    check::<Decomposition>();
    check::<ParseGate>();
    check::<Weave>();
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let good = texts(&[("a", "1\n")]);
    let mut bad = good.clone();
    let content =
        Content::file("/nowhere/to/be/found".into(), 3, std::time::SystemTime::UNIX_EPOCH);
    bad.insert(TreePath::from("x/y"), Entry { kind: EntryKind::Regular, content });
    let error = decompose(&good, &bad, Level::Line).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `x/y`");
}

#[test]
fn equal_contents_of_a_store_are_not_read() {
    struct Sealed;
    impl Store for Sealed {
        fn read(&self, _: &[u8]) -> std::io::Result<Vec<u8>> {
            Err(std::io::Error::other("nobody may read this"))
        }
    }
    let store: Arc<dyn Store> = Arc::new(Sealed);
    let entry = || Entry {
        kind: EntryKind::Regular,
        content: Content::stored(store.clone(), b"name".to_vec()),
    };
    let version = || Version::from_iter([(TreePath::from("a"), entry())]);
    assert!(decompose(&version(), &version(), Level::Line).unwrap().is_empty());
}

#[test]
fn an_added_file_that_is_a_copy_comes_as_it_was_copied() {
    let lines = |changed: &[(usize, &str)]| -> String {
        let line = |at: usize| {
            let other = changed.iter().find(|(place, _)| *place == at);
            other.map_or_else(|| format!("line {at}\n"), |(_, text)| format!("{text}\n"))
        };
        (0..10).map(line).collect()
    };
    let (old, copy) = (lines(&[]), lines(&[(7, "changed in the copy")]));
    let good = texts(&[("a", &old)]);
    let bad = texts(&[("a", &lines(&[(0, "changed")])), ("b", &copy)]);
    let parts = decompose(&good, &bad, Level::Line).unwrap();
    assert_eq!(parts.len(), 3);
    let added = Delta(1);
    assert_eq!(parts.part(added).change, ChangeKind::Added);
    let text_of = |set: &DeltaSet| laid_out(&parts, set).get(b"b".as_slice()).cloned();
    assert_eq!(text_of(&DeltaSet::run(0..1)), None);
    assert_eq!(text_of(&DeltaSet::run(1..2)).unwrap().1, old.as_bytes());
    assert_eq!(text_of(&parts.all()).unwrap().1, copy.as_bytes());
    let line = parts.part(Delta(2));
    assert_eq!((line.old_lines.is_empty(), line.new_lines), (true, 8..9));
}
