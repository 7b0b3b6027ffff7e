//! Numbers that follow something, drawn one coupling a line.

#![allow(clippy::unwrap_used)] // a wrong drawing fails the test either way

mod samples;

use std::borrow::Cow;
use std::ops::Range;

use whodunit_syntax::couplings::{Coupling, Edited, Measure, couplings};
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::parse;
use whodunit_syntax::tree::SyntaxTree;

/// A text without some of its parts; one of them is another text.
struct Cut<'a> {
    text: &'a [u8],
    gone: Vec<Range<usize>>,
    changed: Option<(Range<usize>, &'a str)>,
}

impl Cut<'_> {
    /// Returns the number of deleted bytes between two places.
    fn gone(&self, start: usize, end: usize) -> usize {
        let inside = self.gone.iter().filter(|range| start <= range.start && range.end <= end);
        inside.map(ExactSizeIterator::len).sum()
    }
}

impl Edited for Cut<'_> {
    fn is_kept(&self, part: &Range<usize>) -> bool {
        !self.gone.iter().any(|gone| gone.start <= part.start && part.end <= gone.end)
    }

    fn text(&self, part: &Range<usize>) -> Option<Cow<'_, [u8]>> {
        let mut text = self.text[part.clone()].to_vec();
        text.truncate(text.len() - self.gone(part.start, part.end));
        if let Some((_, new)) = self.changed.as_ref().filter(|(changed, _)| changed == part) {
            text = new.as_bytes().to_vec();
        }
        self.is_kept(part).then_some(Cow::Owned(text))
    }

    fn start(&self, part: &Range<usize>) -> Option<usize> {
        self.is_kept(part).then(|| part.start - self.gone(0, part.start))
    }
}

fn words(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn drawing(source: &[u8], coupling: &Coupling) -> String {
    let text = |part: &Range<usize>| words(&source[part.clone()]);
    let list = |parts: &[Range<usize>]| parts.iter().map(text).collect::<Vec<_>>().join(" | ");
    let of = match &coupling.of {
        Measure::Count { items } if items.is_empty() => "count of nothing".to_owned(),
        Measure::Count { items } => format!("count of {}", list(items)),
        Measure::Sum { terms, .. } => format!("sum of {}", list(terms)),
        Measure::Length { of, unit } => format!("length in {unit:?} of {}", text(of)),
        Measure::Size { of } => format!("size of {}", text(of)),
        Measure::Offset { of } => format!("offset of {}", text(of)),
        Measure::Lines { of } => format!("lines of {}", text(of)),
    };
    format!("{} is the {of}", text(&coupling.number))
}

fn tree(language: &str, text: &str) -> Option<SyntaxTree> {
    let language = Language::by_name(language).ok()?; // its feature may be off
    let tree = parse(&language, text.as_bytes());
    assert!(!tree.has_errors(), "{text}");
    Some(tree)
}

fn check(language: &str, text: &str, expected: &str) {
    let Some(tree) = tree(language, text) else { return };
    let found = couplings(&tree);
    for coupling in &found {
        let number = text.as_bytes()[coupling.number.clone()].to_vec();
        let now = coupling.text(text.as_bytes(), &text.as_bytes());
        assert_eq!(now, Some(number), "nothing changed, so it must not");
    }
    let drawn: Vec<String> = found.iter().map(|of| drawing(text.as_bytes(), of)).collect();
    let expected = expected.trim().lines().map(str::trim);
    let expected: Vec<&str> = expected.filter(|line| !line.is_empty()).collect();
    assert_eq!(drawn, expected, "{text}");
}

#[test]
fn json_counts() {
    check(
        "json",
        r#"{"count": 3, "items": [{"a": 1}, {"a": 2}, {"a": 9}]}"#,
        r#"3 is the count of {"a": 1} | {"a": 2} | {"a": 9}"#,
    );
    check(
        "json",
        r#"{"meta": {"num_rows": 2}, "rows": ["x", "y"]}"#,
        r#"2 is the count of "x" | "y""#,
    );
    check(
        "json",
        r#"{"n": "2", "map": {"x": null, "y": null}}"#,
        r#""2" is the count of "x": null | "y": null"#,
    );
    check("json", r#"{"count": 0, "items": []}"#, "0 is the count of nothing");
    check("json", r#"{"whatever": 3, "items": [[], [], []]}"#, "3 is the count of [] | [] | []");
    check("json", "[4, [true, true, true, null]]", "4 is the count of true | true | true | null");
}

#[test]
fn json_numbers_that_count_nothing() {
    check("json", "[[1, 2], [2, 2], [2, 3]]", "");
    check("json", r#"{"one": 1, "items": ["x"], "zero": 0, "none": []}"#, "");
    let rows = r#"[{"id": 1, "t": ["a", "b"]}, {"id": 2, "t": ["a", "b"]}, {"id": 3, "t": []}]"#;
    check("json", rows, "");
    check("json", r#"[{"total": 3, "x": [1, 1]}, {"total": 4, "x": [1, 1, 1]}]"#, "");
    check("xml", "<rs><r count=\"3\"><i/></r><r count=\"2\"><i/><i/><i/></r></rs>", "");
    check("sql", "INSERT INTO t VALUES (2, 'NY', 5, 'ab');", "");
    check("json", r#"{"far": 2, "a": {"b": {"c": [1, 1]}}}"#, "");
}

#[test]
fn json_sums() {
    check("json", r#"{"total": 60, "values": [10, 20, 30]}"#, "60 is the sum of 10 | 20 | 30");
    check(
        "json",
        r#"{"rows": [{"price": 1.25}, {"price": 2.5}], "total": "3.75"}"#,
        r#""3.75" is the sum of 1.25 | 2.5"#,
    );
    check(
        "json",
        r#"{"price": 30, "parts": [{"price": 10}, {"price": 20}]}"#,
        "30 is the sum of 10 | 20",
    );
    check("json", r#"{"rows": [["a", 10], ["b", 20]], "sum": 30}"#, "30 is the sum of 10 | 20");
    check(
        "json",
        r#"{"x": 2, "y": [{"z": 1}, {"z": 1}]}"#,
        r#"2 is the count of {"z": 1} | {"z": 1}"#,
    );
}

#[test]
fn lengths_sizes_and_offsets() {
    check("json", r#"{"length": 5, "text": "hello"}"#, r#"5 is the length in Bytes of "hello""#);
    check(
        "json",
        r#"{"len": 4, "text": "a\nü!", "other": "abc"}"#,
        r#"4 is the length in Characters of "a\nü!""#,
    );
    check("json", r#"{"size": 12, "data": [1, 2, 3, 4]}"#, "12 is the size of [1, 2, 3, 4]");
    check("json", r#"{"offset": 25, "other": [1, 2, 3]}"#, "25 is the offset of 1");
    check(
        "c",
        "int f() { return write(1, \"hello\", 5); }",
        r#"5 is the length in Bytes of "hello""#,
    );
}

#[test]
fn xml_counts_sums_and_lengths() {
    check("xml", "<list count=\"2\"><i/><i/><other/></list>", r#""2" is the count of <i/> | <i/>"#);
    check(
        "xml",
        "<r><count>2</count><is><i>x</i><i>y</i></is></r>",
        "2 is the count of <i>x</i> | <i>y</i>",
    );
    check(
        "xml",
        "<o total=\"30\"><i price=\"10\"/><i price=\"20\"/></o>",
        r#""30" is the sum of "10" | "20""#,
    );
    check("xml", "<o><total>3</total><i><p>1</p></i><i><p>2</p></i></o>", "3 is the sum of 1 | 2");
    check("xml", "<r><m n=\"2\"/><is><i/><i/></is></r>", r#""2" is the count of <i/> | <i/>"#);
    check("xml", "<d length=\"5\">hello</d>", r#""5" is the length in Bytes of hello"#);
    check(
        "html",
        "<ul data-count=\"2\"><li>a</li><li>b</li></ul>",
        r#""2" is the count of <li>a</li> | <li>b</li>"#,
    );
}

#[test]
fn yaml_and_toml() {
    check("yaml", "count: 2\nitems:\n  - a\n  - b\n", "2 is the count of - a | - b");
    check(
        "toml",
        "count = 2\n[[item]]\na = 1\n[[item]]\na = 2\n",
        "2 is the count of [[item]] a = 1 | [[item]] a = 2",
    );
    check("toml", "total = 6\nall = [1, 2, 3]\n", "6 is the sum of 1 | 2 | 3");
}

#[test]
fn programs() {
    check("c", "int a[3] = {1, 2, 4};", "3 is the count of 1 | 2 | 4");
    check("c", "int n = 3; int a[] = {7, 8, 9}; int m = 3;", "3 is the count of 7 | 8 | 9");
    check("c", "int f() { return sum(3, a, b, c) + 2 + g(1, 2); }", "3 is the count of a | b | c");
    check("rust", "const A: [u8; 2] = [1, 1];", "2 is the count of 1 | 1");
    check("go", "package p\nvar a = [2]int{5, 6}\n", "2 is the count of 5 | 6");
    check("python", "f(count=2, items=[a, b])\nx = 2\ny = [1, 2]\n", "2 is the count of a | b");
    check(
        "javascript",
        "const list = { length: 2, items: ['a', 'b'] };",
        "2 is the count of 'a' | 'b'",
    );
    check("java", "class A { int[] a = new int[] {1, 2}; int f() { return 2; } }", "");
}

#[test]
fn a_count_follows_its_list() {
    let Some(tree) = tree("json", r#"{"count": "3", "items": ["x", "y", "z"]}"#) else { return };
    let found = couplings(&tree);
    let Measure::Count { items } = &found[0].of else { panic!("{found:?}") };
    let cut = Cut { text: tree.source(), gone: vec![items[1].clone()], changed: None };
    assert_eq!(found[0].text(tree.source(), &cut), Some(b"\"2\"".to_vec()));
    let cut = Cut { text: tree.source(), gone: items.to_vec(), changed: None };
    assert_eq!(found[0].of.value(&cut), Some("0".to_owned()));
}

#[test]
fn a_sum_follows_its_terms() {
    let Some(tree) = tree("json", r#"{"total": 4.00, "v": [1.50, 2, 0.5]}"#) else { return };
    let found = couplings(&tree);
    let Measure::Sum { terms, .. } = &found[0].of else { panic!("{found:?}") };
    let value = |gone, changed| found[0].of.value(&Cut { text: tree.source(), gone, changed });
    assert_eq!(value(vec![terms[0].clone()], None).unwrap(), "2.50");
    assert_eq!(value(vec![], Some((terms[1].clone(), "0"))).unwrap(), "2.00");
    assert_eq!(value(vec![], Some((terms[1].clone(), "0.125"))).unwrap(), "2.125");
    assert_eq!(value(vec![], Some((terms[1].clone(), "many"))), None);
    assert_eq!(value(terms.to_vec(), None).unwrap(), "0.00");
}

#[test]
fn lengths_sizes_and_offsets_follow() {
    let Some(tree) = tree("json", r#"{"length": 5, "text": "hello", "offset": 51, "z": [1]}"#)
    else {
        return;
    };
    let found = couplings(&tree);
    assert_eq!(found.len(), 2, "{found:?}");
    let Measure::Length { of, .. } = &found[0].of else { panic!("{found:?}") };
    let cut = Cut { text: tree.source(), gone: vec![of.clone()], changed: None };
    assert_eq!(found[0].of.value(&cut), None, "nothing is left to measure");
    assert_eq!(found[1].of.value(&cut).unwrap(), "44");
    let cut = Cut { text: tree.source(), gone: vec![], changed: Some((of.clone(), "\"hi\"")) };
    assert_eq!(found[0].of.value(&cut).unwrap(), "2");
}

#[test]
fn in_any_text_a_number_is_what_it_measures() {
    for language in Language::all() {
        let (name, text) = (language.name(), samples::text(language));
        for part in [&text[..], &text[..text.len() / 2], &text[text.len() / 3..], b"", b"\xff\0"] {
            let tree = parse(language, part);
            for coupling in couplings(&tree) {
                let number = part[coupling.number.clone()].to_vec();
                assert_eq!(coupling.text(part, &part), Some(number), "{name}");
            }
        }
    }
}

#[test]
fn depth_and_width_are_no_danger() {
    let deep = format!("{}{}", "[3,".repeat(20_000), "]".repeat(20_000));
    let wide = format!("{{\"count\": 20000, \"v\": [{}1]}}", "1,".repeat(19_999));
    let records = format!("[{}0]", "{\"count\":2,\"total\":3,\"v\":[1,2]},".repeat(5_000));
    for text in [deep, wide, records] {
        let Ok(language) = Language::by_name("json") else { return };
        let tree = parse(&language, text.into_bytes());
        assert!(couplings(&tree).len() < tree.len());
    }
}
