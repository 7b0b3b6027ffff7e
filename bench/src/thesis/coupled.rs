//! Problems in which two places must change together, and inputs that are already minimal.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse::{parse, parses};
use whodunit_jobs::syntax::tree::NodeId;

use super::nesting::kind;
use crate::input::{Reduced, reduce};

const HEAD: &str = "
# Problems in which two places must change together

Through the whole of `reduce`, with the oracle in the same process. The smallest text that fails is
known. Those in `.txt`, `.csv` and `.http` files have no grammar.

| problem | file | bytes | tests | bytes left | smallest |
|---|---|---|---|---|---|
";

const MINIMAL: &str = "
# Inputs that are as small as they get

The oracle fails for this very text alone.

| input | bytes | tests |
|---|---|---|
";

/// A problem, and the smallest text that shows it.
pub(crate) struct Problem {
    name: &'static str,
    pub(crate) file: &'static str,
    pub(crate) text: fn() -> String,
    smallest: &'static str,
    pub(crate) fails: fn(&str) -> bool,
}

pub(crate) const PROBLEMS: [Problem; 7] = [
    Problem {
        name: "a JSON count and its list",
        file: "count.json",
        text: items_with_their_count,
        smallest: r#"{"count":1,"items":[{"bad":true}]}"#,
        fails: counts_a_bad_item,
    },
    Problem {
        name: "a JSON total and its rows",
        file: "total.json",
        text: rows_with_their_total_in_json,
        smallest: r#"{"rows":[{"name":"pear","amount":17}],"total":17}"#,
        fails: sums_up_with_a_pear_in_json,
    },
    Problem {
        name: "a total and its rows",
        file: "total.txt",
        text: rows_with_their_total,
        smallest: "pear 17\ntotal 17",
        fails: sums_up_with_a_pear,
    },
    Problem {
        name: "a count and its lines",
        file: "count.txt",
        text: lines_with_their_count,
        smallest: "1 entries\nbad",
        fails: counts_a_bad_line,
    },
    Problem {
        name: "a table with a count and a total",
        file: "table.csv",
        text: table_with_its_count_and_total,
        smallest: "# rows: 1\nname,amount\npear,1.70\ntotal,1.7",
        fails: is_a_table_with_a_pear,
    },
    Problem {
        name: "a length and the text that follows",
        file: "post.http",
        text: message_with_its_length,
        smallest: "Content-Length: 6\r\n\r\nneedle",
        fails: is_as_long_as_it_says,
    },
    Problem {
        name: "a function's arity and its calls",
        file: "arity.py",
        text: function_with_its_calls,
        smallest: "def f():g()\nf()",
        fails: calls_what_it_defines,
    },
];

/// Texts of 34 bytes.
const SMALL: [(&str, &str); 3] = [
    ("small.json", r#"{"count":1,"items":[{"bad":true}]}"#),
    ("small.c", "int fun(){int x=1;return x/(x-1);}"),
    ("small.txt", "one needle in a haystack of thirty"),
];

pub(super) fn table() -> String {
    let mut text = String::from(HEAD);
    for problem in &PROBLEMS {
        let start = (problem.text)();
        let reduced = reduced(problem.file, &start, problem.fails);
        let (before, left, smallest) = (start.len(), reduced.bytes.len(), problem.smallest.len());
        let _ = writeln!(
            text,
            "| {} | `{}` | {before} | {} | {left} | {smallest} |",
            problem.name, problem.file, reduced.tests
        );
    }
    text.push_str(MINIMAL);
    for (file, small) in SMALL {
        let reduced = reduced(file, small, |text| text == small);
        let _ = writeln!(text, "| {file} | {} | {} |", small.len(), reduced.tests);
    }
    text
}

/// Reduces a text as `reduce` does.
fn reduced(file: &str, text: &str, fails: impl Fn(&str) -> bool) -> Reduced {
    reduce(file, text.as_bytes(), |bytes| std::str::from_utf8(bytes).is_ok_and(&fails), |_| {})
}

fn items_with_their_count() -> String {
    let item = |place: usize| {
        let (bad, size) = (place == 17, place * 37 % 100);
        format!("    {{\"name\": \"item {place}\", \"size\": {size}, \"bad\": {bad}}}")
    };
    let items: Vec<String> = (0..40).map(item).collect();
    format!("{{\n  \"count\": 40,\n  \"items\": [\n{}\n  ]\n}}\n", items.join(",\n"))
}

/// Fails iff the number of items is right and one of them is bad.
fn counts_a_bad_item(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    let Some(items) = value["items"].as_array() else { return false };
    value["count"].as_u64() == Some(items.len() as u64)
        && items.iter().any(|item| item["bad"] == true)
}

/// Returns the names and amounts of some rows.
fn rows() -> Vec<(&'static str, usize)> {
    let names = ["apple", "plum", "fig", "quince", "cherry", "grape"];
    let row = |place: usize| match place {
        21 => ("pear", 17),
        _ => (names[place % names.len()], place * 53 % 91 + 3),
    };
    (0..30).map(row).collect()
}

fn rows_with_their_total() -> String {
    let rows = rows();
    let total: usize = rows.iter().map(|(_, amount)| amount).sum();
    let lines: String = rows.iter().map(|(name, amount)| format!("{name} {amount}\n")).collect();
    format!("{lines}total {total}\n")
}

/// Fails iff the total is right and there is a row of 17 pears.
fn sums_up_with_a_pear(text: &str) -> bool {
    let mut rows = Vec::new();
    for line in text.lines() {
        let Some((name, amount)) = line.split_once(' ') else { return false };
        let Ok(amount) = amount.parse::<u64>() else { return false };
        rows.push((name, amount));
    }
    let Some((("total", total), rows)) = rows.split_last() else { return false };
    let sum = rows.iter().try_fold(0_u64, |sum, (_, amount)| sum.checked_add(*amount));
    sum == Some(*total) && rows.contains(&("pear", 17))
}

fn lines_with_their_count() -> String {
    let line = |place: usize| match place {
        23 => "12:40:07 disk is bad\n".to_owned(),
        _ => format!("12:{:02}:07 disk {} is fine\n", place + 17, place * 7 % 9),
    };
    let lines: String = (0..40).map(line).collect();
    format!("40 entries\n{lines}")
}

/// Fails iff the first line is the number of the others, and one of them mentions something bad.
fn counts_a_bad_line(text: &str) -> bool {
    let Some((count, lines)) = text.split_once(" entries\n") else { return false };
    let is_right = count.parse() == Ok(lines.lines().count());
    is_right && lines.lines().any(|line| line.ends_with("bad"))
}

fn table_with_its_count_and_total() -> String {
    let row = |(name, amount): &(&str, usize)| {
        let note = if amount % 3 == 0 { "\"sweet, or not\"" } else { "ripe" };
        format!("{name},{}.{:02},{note}\n", amount / 10, amount % 10 * 10)
    };
    let rows = rows();
    let total: usize = rows.iter().map(|(_, amount)| amount).sum();
    let (count, lines) = (rows.len(), rows.iter().map(row).collect::<String>());
    let total = format!("{}.{:02}", total / 10, total % 10 * 10);
    format!("# rows: {count}\nname,amount,note\n{lines}total,{total},\n")
}

/// Fails iff there is a header, count and total are right, and there is a row of 1.70 pears.
fn is_a_table_with_a_pear(text: &str) -> bool {
    let cells = |line: &str| {
        let mut cells = line.split(',').map(str::to_owned);
        Some((cells.next()?, cells.next()?))
    };
    let mut lines = text.lines();
    let Some(count) = lines.next().and_then(|line| line.strip_prefix("# rows: ")) else {
        return false;
    };
    let Some(rows) = lines.map(cells).collect::<Option<Vec<_>>>() else { return false };
    let [(name, amount), rows @ .., (last, total)] = &rows[..] else { return false };
    let sum = rows.iter().map(|(_, amount)| cents(amount)).sum::<Option<u64>>();
    (name.as_str(), amount.as_str(), last.as_str()) == ("name", "amount", "total")
        && count.parse() == Ok(rows.len())
        && sum.is_some()
        && sum == cents(total)
        && rows.iter().any(|(name, amount)| name == "pear" && amount == "1.70")
}

/// Reads a number with at most two decimals.
fn cents(amount: &str) -> Option<u64> {
    let (whole, rest) = amount.split_once('.').unwrap_or((amount, ""));
    let is_number = rest.len() <= 2 && rest.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("{whole}{rest:0<2}").parse().ok())?
}

fn message_with_its_length() -> String {
    let line = |place: usize| match place {
        19 => "some more thinneedles there\r\n".to_owned(),
        _ => format!("line {place} of the hay, {}\r\n", place * 7),
    };
    let body: String = (0..40).map(line).collect();
    let length = body.len();
    format!(
        "POST /form HTTP/1.1\r\nHost: example.org\r\nContent-Length: {length}\r\n\
         Accept: */*\r\n\r\n{body}"
    )
}

/// Fails iff the stated length is that of the body, and the body contains a needle.
fn is_as_long_as_it_says(text: &str) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    length.is_some_and(|length| length.parse() == Ok(body.len())) && body.contains("needle")
}

fn rows_with_their_total_in_json() -> String {
    let rows = rows();
    let total: usize = rows.iter().map(|(_, amount)| amount).sum();
    let row = |(name, amount)| format!("    {{\"name\": \"{name}\", \"amount\": {amount}}}");
    let lines: Vec<String> = rows.into_iter().map(row).collect();
    format!("{{\n  \"rows\": [\n{}\n  ],\n  \"total\": {total}\n}}\n", lines.join(",\n"))
}

/// The same in JSON.
fn sums_up_with_a_pear_in_json(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    let Some(rows) = value["rows"].as_array() else { return false };
    let amounts = rows.iter().map(|row| row["amount"].as_u64());
    let sum = amounts.sum::<Option<u64>>();
    sum.is_some()
        && sum == value["total"].as_u64()
        && rows.iter().any(|row| row["name"] == "pear" && row["amount"] == 17)
}

fn function_with_its_calls() -> String {
    let mut text = String::from(
        "def f(first, second, third, fourth=None):\n    total = first + second\n    g()\n    \
         return total * third\n\n\ndef g():\n    pass\n\n\n",
    );
    for place in 0..12 {
        let _ = writeln!(text, "x{place} = f({place}, {}, x{place} + 1, \"{place}\")", place * 3);
    }
    text
}

/// Fails iff all calls of `f` have as many arguments as it has parameters, one of them is outside
/// of `f`, and `f` calls `g`.
fn calls_what_it_defines(text: &str) -> bool {
    let language = Language::by_name("python").expect("it is in the default build");
    if !parses(&language, text.as_bytes()) {
        return false;
    }
    let tree = parse(&language, Arc::<[u8]>::from(text.as_bytes()));
    let part = |id, field: &str| {
        tree.children(id).find(|&child| {
            tree.node(child).field().is_some_and(|of| language.field_name(of) == field)
        })
    };
    let count = |id| tree.children(id).filter(|&child| tree.node(child).is_named()).count();
    let is_named = |id, field, name: &str| {
        part(id, field).is_some_and(|part| tree.text(part) == name.as_bytes())
    };
    let of_kind = |wanted: &'static str| {
        let tree = &tree;
        tree.ids().filter(move |&id| kind(tree, id) == wanted)
    };
    let mut definitions = of_kind("function_definition").filter(|&id| is_named(id, "name", "f"));
    let (Some(definition), None) = (definitions.next(), definitions.next()) else { return false };
    let within: HashSet<NodeId> = tree.subtree(definition).collect();
    let arity = part(definition, "parameters").map(count);
    let calls_of =
        |name: &'static str| of_kind("call").filter(move |&id| is_named(id, "function", name));
    calls_of("g").any(|call| within.contains(&call))
        && calls_of("f").any(|call| !within.contains(&call))
        && calls_of("f").all(|call| part(call, "arguments").map(count) == arity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_texts_fail() {
        for problem in &PROBLEMS {
            assert!((problem.fails)(problem.smallest), "{}", problem.name);
        }
        assert!(SMALL.iter().all(|(_, text)| text.len() == 34));
    }

    #[test]
    fn what_must_change_together_becomes_as_small_as_it_gets() {
        for problem in &PROBLEMS {
            let reduced = reduced(problem.file, &(problem.text)(), problem.fails);
            assert_eq!(*reduced.bytes, *problem.smallest.as_bytes(), "{}", problem.name);
        }
    }

    #[test]
    fn what_is_as_small_as_it_gets_is_soon_known_to_be() {
        for (file, small) in SMALL {
            let reduced = reduced(file, small, |text| text == small);
            assert_eq!(*reduced.bytes, *small.as_bytes());
            assert!(reduced.tests <= 120, "{file}: {}", reduced.tests);
        }
    }
}
