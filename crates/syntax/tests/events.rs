//! A user's own hierarchy: accepted ones, refused ones, and the examples.

#![allow(clippy::unwrap_used)] // a missing file fails the test either way

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use whodunit_grammar::arena::{Arena, NodeId};
use whodunit_syntax::events::{Event, read_ranges, read_text};

fn example(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn named(tree: &Arena<Event>, name: &str) -> NodeId {
    let has_name = |id: &NodeId| tree.node(*id).kind.name.as_deref() == Some(name);
    tree.ids().find(has_name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn printed(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn check_text_error(description: &str, expected: &str) {
    assert_eq!(read_text(description.as_bytes()).unwrap_err().to_string(), expected);
}

#[track_caller]
fn check_range_error(description: &str, expected: &str) {
    let data = b"0123456789".to_vec();
    assert_eq!(read_ranges(description.as_bytes(), data).unwrap_err().to_string(), expected);
}

#[test]
fn a_session_is_printed_in_order() {
    let tree = read_text(&example("ui-session/session.json")).unwrap();
    let text = printed(&tree.print());
    assert_eq!(text.lines().count(), 14);
    assert!(text.starts_with("start editor\nmenu File > Open\n"), "{text}");
    assert!(
        text.contains("begin replace\n  from teh\n  to the\n  option whole-words\nend replace")
    );
    assert_eq!(tree.children(tree.root()).count(), 5);
    let fixed: Vec<String> = tree
        .ids()
        .filter(|id| tree.node(*id).kind.is_fixed)
        .map(|id| printed(tree.bytes(id)))
        .collect();
    assert_eq!(fixed, ["start editor\n", "end replace\n", "quit\n"]);
}

#[test]
fn a_dropped_event_leaves_its_minimal_text() {
    let tree = read_text(&example("ui-session/session.json")).unwrap();
    let edit = named(&tree, "edit");
    let dropped = tree.print_with(|id| {
        let event = &tree.node(id).kind;
        let is_dropped = id == edit || event.minimal.is_some();
        is_dropped.then(|| event.minimal.as_deref().unwrap_or_default().as_bytes())
    });
    let expected = "start editor\nmenu File > Open\ntype report.txt\nclick OK\nzoom 100\nquit\n";
    assert_eq!(printed(&dropped), expected);
}

#[test]
fn groups_of_frames_are_ranges_of_a_file() {
    let data = example("video-frames/clip.y4m");
    let tree = read_ranges(&example("video-frames/clip.json"), data.clone()).unwrap();
    assert_eq!(tree.print(), data);
    let group = named(&tree, "group 1");
    assert_eq!(tree.children(group).count(), 3);
    assert!(tree.children(group).all(|frame| tree.bytes(frame).starts_with(b"FRAME\n")));
    let dropped = tree.print_with(|id| (id == group).then_some(&b""[..]));
    assert_eq!(dropped.len(), data.len() - tree.bytes(group).len());
    assert!(dropped.starts_with(b"YUV4MPEG2 "));
}

#[test]
fn what_no_node_covers_belongs_to_the_one_around_it() {
    let description = r#"{"children": [{"range": [2, 8], "children": [{"range": [3, 4]}]}]}"#;
    let tree = read_ranges(description.as_bytes(), b"0123456789".to_vec()).unwrap();
    let inner = tree.children(tree.root()).next().unwrap();
    let drop = |dropped| printed(&tree.print_with(|id| (id == dropped).then_some(&b""[..])));
    assert_eq!(drop(inner), "0189");
    assert_eq!(drop(tree.children(inner).next().unwrap()), "012456789");
}

#[test]
fn a_node_without_a_range_covers_its_children() {
    let description = r#"{"children": [
        {"name": "both", "children": [{"range": [1, 2]}, {"children": [{"range": [4, 6]}]}]}]}"#;
    let tree = read_ranges(description.as_bytes(), b"0123456789".to_vec()).unwrap();
    assert_eq!(tree.node(tree.root()).range, 0..10);
    assert_eq!(tree.node(named(&tree, "both")).range, 1..6);
}

#[test]
fn members_come_in_any_order_and_nulls_do_not_count() {
    let description =
        r#"{ "children" : [ {"fixed":true,"text":"b"} ] , "text":"a\u00e9","name":"n" }"#;
    let tree = read_text(description.as_bytes()).unwrap();
    assert_eq!(printed(&tree.print()), "aéb");
}

#[test]
fn ten_thousand_events_inside_each_other_are_fine() {
    let deep = 10_000;
    let description = format!(
        r#"{}{{"text": "x"}}{}"#,
        r#"{"text": "(", "children": ["#.repeat(deep),
        "]}".repeat(deep)
    );
    let tree = read_text(description.as_bytes()).unwrap();
    assert_eq!(tree.depth(), deep + 1);
    assert_eq!(printed(&tree.print()), format!("{}x", "(".repeat(deep)));
}

#[test]
fn faults_of_ranges_are_named_with_their_path() {
    check_range_error(
        r#"{"children": [{"range": [0, 4]}, {"range": [3, 5]}]}"#,
        "$.children[1]: the range 3..5 begins before the last one's end, 4",
    );
    check_range_error(
        r#"{"children": [{"range": [4, 6]}, {"range": [0, 2]}]}"#,
        "$.children[1]: the range 0..2 begins before the last one's end, 6",
    );
    check_range_error(
        r#"{"children": [{"range": [2, 4], "children": [{"range": [2, 3]}, {"range": [3, 5]}]}]}"#,
        "$.children[0].children[1]: the range 3..5 is not inside of the parent's, 2..4",
    );
    check_range_error(r#"{"range": [5, 4]}"#, "$: the range 5..4 ends before it starts");
    check_range_error(
        r#"{"children": [{"range": [5, 11]}]}"#,
        "$.children[0]: the range 5..11 does not fit into 10 bytes of data",
    );
    check_range_error(
        r#"{"children": [{"text": "x"}]}"#,
        "$.children[0]: `text` does not go with a data file: expected `range`",
    );
    check_range_error(
        r#"{"children": [{"name": "x"}]}"#,
        "$.children[0]: expected `text`, `range` or `children`",
    );
    check_text_error(
        r#"{"children": [{"text": "x"}, {"range": [0, 1]}]}"#,
        "$.children[1]: `range` needs a data file",
    );
    check_text_error(r#"{"children": []}"#, "$: expected `text`, `range` or `children`");
}

#[test]
fn faults_of_the_description_are_named_with_their_path_and_place() {
    check_text_error(
        r#"{"children": [{"text": "x"}, {"txet": "y"}]}"#,
        "$.children[1]: unknown member `txet`: expected `name`, `text`, `range`, `children`, \
         `minimal` or `fixed`",
    );
    check_text_error(r#"{"text": "x", "text": "y"}"#, "$: `text` is given twice");
    check_text_error(r#"{"children": [], "children": []}"#, "$: `children` is given twice");
    check_text_error(
        "{\"children\":\n [{\"text\": 3}]}",
        "$.children[0]: line 2, column 12: invalid type: integer `3`, expected a string",
    );
    check_text_error(r#"{"text": "x""#, "$: line 1, column 13: expected `,` or `}`, found the end");
    check_text_error(r#"{"text": "x",}"#, "$: line 1, column 14: expected a member, found `}`");
    check_text_error(r#"["x"]"#, "$: line 1, column 1: expected `{`, a node, found `[`");
    check_text_error("", "$: line 1, column 1: expected `{`, a node, found the end");
    check_text_error(
        r#"{"text": "x"} y"#,
        "$: line 1, column 15: expected the end of the description, found `y`",
    );
    check_text_error(
        r#"{"children": [{"text": "x"} {"text": "y"}]}"#,
        "$: line 1, column 29: expected `,` or `]`, found `{`",
    );
    check_text_error(
        r#"{"children": {"text": "x"}}"#,
        "$: line 1, column 14: expected `[`, a list of nodes, found `{`",
    );
    let error = read_text(b"{\"text\": \"\xFF\"}").unwrap_err().to_string();
    assert!(error.starts_with("$: line 1, column 10: "), "{error}");
    let error = read_ranges(br#"{"range": [-1, 2]}"#, Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("$: line 1, column 11: invalid value"), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_are_a_description_or_an_error(bytes in "[{}\\[\\]:,\"a0 ]{0,40}") {
        // It ends, and without a panic.
        let _ = read_text(bytes.as_bytes());
        let _ = read_ranges(bytes.as_bytes(), b"data".to_vec());
    }

    #[test]
    fn reading_only_a_part_of_a_description_is_an_error(cut in 0_usize..1000) {
        let whole = example("ui-session/session.json");
        let whole = whole.trim_ascii_end();
        let cut = cut % whole.len();
        prop_assert!(read_text(&whole[..cut]).is_err());
    }
}
