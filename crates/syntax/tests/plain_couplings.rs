//! Numbers of texts without a grammar that follow something, drawn one coupling a line.

#![allow(clippy::unwrap_used)] // a wrong drawing fails the test either way

use std::ops::Range;

use whodunit_syntax::couplings::{Coupling, Measure, plain};

fn drawing(text: &str, coupling: &Coupling) -> String {
    let part = |part: &Range<usize>| text[part.clone()].trim_end().replace("\r\n", "\n");
    let list = |parts: &[Range<usize>]| parts.iter().map(part).collect::<Vec<_>>().join(" | ");
    let of = match &coupling.of {
        Measure::Count { items } => format!("count of {}", list(items)),
        Measure::Sum { terms, .. } => format!("sum of {}", list(terms)),
        Measure::Size { of } => format!("size of {}", part(of)),
        Measure::Lines { of } => format!("lines of {}", part(of)),
        other => panic!("{other:?}"),
    };
    format!("{} is the {}", part(&coupling.number), of.replace('\n', "/"))
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = plain(text.as_bytes());
    let drawn: Vec<String> = found.couplings.iter().map(|of| drawing(text, of)).collect();
    assert_eq!(drawn, expected, "{text}");
    assert_eq!(found.pieces.spans.is_empty(), expected.is_empty());
    for coupling in &found.couplings {
        let number = text.as_bytes()[coupling.number.clone()].to_vec();
        assert_eq!(coupling.text(text.as_bytes(), &text.as_bytes()), Some(number));
    }
}

#[test]
fn totals_before_and_after_their_rows() {
    check("pear 17\nfig 3\ntotal 20\n", &["20 is the sum of 17 | 3"]);
    check("Total: $4.75\nred plum 1.25\nfig 3.5\n", &["4.75 is the sum of 1.25 | 3.5"]);
    check("a 1\nb 2\nc 4\n  7\n", &["7 is the sum of 1 | 2 | 4"]);
    check(
        "a 1\nb 2\nsubtotal 3\nc 4\nd 5\nsubtotal 9\ntotal 12\n",
        &["3 is the sum of 1 | 2", "9 is the sum of 4 | 5", "12 is the sum of 1 | 2 | 4 | 5"],
    );
}

#[test]
fn totals_of_tables() {
    check(
        "name,amount,note\nfig,\"10\",\"a, b\"\npear,20,\nplum,5,x\ntotal,35,\n",
        &["35 is the sum of 10 | 20 | 5"],
    );
    check(
        "a\t1\t10\nb\t2\t20\nsum\t3\t30\n",
        &["3 is the sum of 1 | 2", "30 is the sum of 10 | 20"],
    );
}

#[test]
fn counts_of_lines() {
    check("3\na\nb\nc\n", &["3 is the count of a | b | c"]);
    check("rows: 2\nname,x\na,b\nc,d\n", &["2 is the count of a,b | c,d"]);
    check("a\nb\nc\n3 records\n", &["3 is the count of a | b | c"]);
    check("entries 2\n\na\n  more\nb\n  more\n", &["2 is the count of a/  more | b/  more"]);
    check("2 items\n\na\nb\n\nc\nd\n\n", &["2 is the count of a/b | c/d"]);
    check("x\nlines: 3\ny\n", &["3 is the lines of x/lines: 3/y"]);
}

#[test]
fn counts_of_lines_with_a_word() {
    check("ERROR a\ninfo b\nError c\n2 errors\n", &["2 is the count of ERROR a | Error c"]);
}

#[test]
fn counts_of_groups_and_of_fields() {
    check(
        "2\n1\na b\n3\nc\nd\ne\n",
        &[
            "2 is the count of 1/a b | 3/c/d/e",
            "1 is the count of a b",
            "3 is the count of c | d | e",
        ],
    );
    check("2\nx y\n", &["2 is the count of x | y"]);
    check("args 3: x y z\n", &["3 is the count of x | y | z"]);
}

#[test]
fn sizes_of_what_follows() {
    check("A: b\r\nContent-Length: 5\r\n\r\nhello", &["5 is the size of hello"]);
    check("length 6\nab\ncd\n\n", &["6 is the size of ab/cd"]);
    check("x size=5 hello\nmore\n", &["5 is the size of hello"]);
    check(
        "Content-Length: 2\n\nxyContent-Length: 3\n\nxyz",
        &["2 is the size of xy", "3 is the size of xyz"],
    );
}

#[test]
fn numbers_that_measure_nothing() {
    check("", &[]);
    check("one needle in a haystack of thirty", &[]);
    check("2024-05-01 12:30:01 read 17 of 32\n2024-05-01 12:30:02 read 3 of 7\n", &[]);
    check("1.2.3\n10.0.0.1\nv2\n007\n", &[]);
    check("a 1\nb 2\nc 4\nd 5\n", &[]);
    let often: String = (0..50).map(|place| format!("at {place} count={}\n", place % 9)).collect();
    check(&often, &[]);
}

#[test]
fn long_texts_are_no_danger() {
    let long = [
        "total 1 2 3\n".repeat(5_000),
        "3 errors\n".repeat(5_000),
        "1 ".repeat(20_000),
        "1\n".repeat(20_000),
        "length 7 ".repeat(10_000),
        format!("total 5\n{}", "-1 2\n".repeat(10_000)),
    ];
    for text in long {
        let found = plain(text.as_bytes());
        assert!(found.couplings.len() <= text.len());
    }
    plain(b"\xff\xfe 3 \x80\n1 \xe4 2\n");
}
