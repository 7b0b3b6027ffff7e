//! Texts without a grammar in which numbers count, sum or measure the rest, with functions as
//! oracles: the smallest text is reached, and where no number measures anything nothing is asked.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

/// Reduces a text while it `fails`; returns the result and the number of tests.
fn reduce(name: &str, text: &str, fails: impl Fn(&str) -> bool + Sync) -> (String, u64) {
    let fails = |bytes: &[u8]| fails(&String::from_utf8_lossy(bytes));
    let (left, tests) = support::reduce(name, text.as_bytes(), fails);
    (String::from_utf8_lossy(&left).into_owned(), tests)
}

#[track_caller]
fn check(name: &str, text: &str, fails: impl Fn(&str) -> bool + Sync, left: &str, most: u64) {
    assert!(fails(left), "what is expected fails");
    let (found, tests) = reduce(name, text, fails);
    assert_eq!(found, left, "{tests} tests");
    assert!(tests <= most, "{tests} tests");
}

fn number(text: &str) -> Option<usize> {
    text.parse().ok()
}

#[test]
fn a_total_in_the_first_line_follows_the_rows_after_it() {
    let fails = |text: &str| {
        let mut lines = text.lines();
        let total = lines.next()?.strip_prefix("total: ")?.parse::<f64>().ok()?;
        let rows: Option<Vec<f64>> =
            lines.clone().map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).collect();
        let sum: f64 = rows?.iter().sum();
        Some((sum - total).abs() < 0.001 && lines.any(|line| line == "red plum 2.50"))
    };
    let row = |place: usize| match place {
        13 => "red plum 2.50\n".to_owned(),
        _ => format!("apple {}.25\n", place * 7 % 30),
    };
    let rows: String = (0..40).map(row).collect();
    let total: f64 =
        rows.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum();
    let text = format!("total: {total:.2}\n{rows}");
    check("a.txt", &text, |text| fails(text) == Some(true), "total: 2.5\nred plum 2.50", 150);
}

#[test]
fn a_header_counts_the_lines_after_it() {
    let fails = |text: &str| {
        let (count, lines) = text.split_once('\n')?;
        let lines: Vec<&str> = lines.lines().collect();
        Some(number(count)? == lines.len() && lines.contains(&"b 3"))
    };
    let rows: String =
        (0..25).map(|place| format!("{} {}\n", ["a", "b", "c"][place % 3], place % 7)).collect();
    check("a.txt", &format!("25\n{rows}"), |text| fails(text) == Some(true), "1\nb 3", 100);
}

#[test]
fn groups_of_lines_follow_their_counts_and_are_counted() {
    // The usual form of contest inputs: the number of cases, and for each the number of lines.
    let fails = |text: &str| {
        let mut lines = text.lines();
        let cases = number(lines.next()?)?;
        let mut found = false;
        for _ in 0..cases {
            let count = number(lines.next()?)?;
            for _ in 0..count {
                found |= lines.next()? == "7 1";
            }
        }
        Some(found && lines.next().is_none())
    };
    let case = |place: usize| {
        let rows: String = (0..place + 2).map(|row| format!("{} {}\n", row, place % 3)).collect();
        format!("{}\n{rows}", place + 2)
    };
    let cases: String = (0..9).map(case).collect();
    check("a.in", &format!("9\n{cases}"), |text| fails(text) == Some(true), "1\n1\n7 1", 150);
}

#[test]
fn a_count_follows_the_words_after_it() {
    let fails = |text: &str| {
        let mut words = text.split_whitespace();
        let count = number(words.next()?)?;
        let words: Vec<&str> = words.collect();
        Some(words.len() == count && words.contains(&"x7") && words.contains(&"x0"))
    };
    let words: Vec<String> = (0..20).map(|place| format!("x{place}")).collect();
    for between in ["\n", " "] {
        let text = format!("20{between}{}", words.join(" "));
        check("a.in", &text, |text| fails(text) == Some(true), &format!("2{between}x0 x7"), 150);
    }
}

#[test]
fn paragraphs_are_counted() {
    let fails = |text: &str| {
        let (head, body) = text.split_once("\n\n")?;
        let count = number(head.strip_suffix(" records")?)?;
        let records: Vec<&str> = body.split("\n\n").collect();
        let has_name = |record: &&str| record.starts_with("name ");
        let is_it = |record: &str| record.trim_end() == "name n5";
        let found = records.iter().any(|record| is_it(record.lines().next().unwrap_or("")));
        Some(records.len() == count && records.iter().all(has_name) && found)
    };
    let record = |place: usize| format!("name n{place}\nsize {}\ncolour red\n", place * 3);
    let records: Vec<String> = (0..12).map(record).collect();
    let text = format!("12 records\n\n{}", records.join("\n"));
    check("a.txt", &text, |text| fails(text) == Some(true), "1 records\n\nname n5", 150);
}

#[test]
fn several_numbers_of_a_log_follow() {
    let fails = |text: &str| {
        let (lines, last) = text.trim_end().rsplit_once('\n')?;
        let words: Vec<&str> = last.split_whitespace().collect();
        let ["summary:", entries, "entries,", errors, "errors"] = words[..] else { return None };
        let lines: Vec<&str> = lines.lines().collect();
        let of_errors = lines.iter().filter(|line| line.contains("ERROR")).count();
        let found = lines.iter().any(|line| line.contains("ERROR disk"));
        Some(number(entries)? == lines.len() && number(errors)? == of_errors && found)
    };
    let line = |place: usize| {
        let what = ["INFO started", "ERROR net", "WARN slow", "INFO done"][place % 4];
        let what = if place == 18 { "ERROR disk" } else { what };
        format!("2024-05-01 12:{:02}:07 {what} {}\n", place % 60, place * 31 % 17)
    };
    let lines: String = (0..36).map(line).collect();
    let text = format!("{lines}summary: 36 entries, 10 errors\n");
    let left = "ERROR disk\nsummary: 1 entries, 1 errors";
    check("run.log", &text, |text| fails(text) == Some(true), left, 250);
}

#[test]
fn a_length_follows_the_body() {
    let fails = |text: &str| {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
        Some(number(length)? == body.len() && body.contains("needle"))
    };
    let body: String = (0..30).map(|place| format!("line {place} of hay{}\n", place * 7)).collect();
    let body = format!("{body}some more thinneedles there\n{body}");
    let length = body.len();
    let text = format!(
        "POST /form HTTP/1.1\r\nHost: example.org\r\nContent-Length: {length}\r\nAccept: */*\r\n\r\n{body}"
    );
    let left = "Content-Length: 6\r\n\r\nneedle";
    check("post.http", &text, |text| fails(text) == Some(true), left, 250);
}

#[test]
fn subtotals_and_a_grand_total_follow() {
    let fails = |text: &str| {
        let (mut sum, mut all, mut found) = (0, 0, false);
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let (name, amount) = line.split_once(' ')?;
            let amount = number(amount)?;
            match name {
                "subtotal" if sum == amount => sum = 0,
                "total" => {
                    return Some(all == amount && sum == 0 && found && lines.peek().is_none());
                }
                "subtotal" => return None,
                _ => (sum, all) = (sum + amount, all + amount),
            }
            found |= (name, amount) == ("pear", 17);
        }
        None
    };
    let mut text = String::new();
    let mut all = 0;
    for section in 0..5 {
        let amounts: Vec<usize> = (0..6).map(|row| (section * 31 + row * 17) % 40 + 1).collect();
        let amounts = if section == 3 { vec![5, 17, 8] } else { amounts };
        for &amount in &amounts {
            let name = if amount == 17 && section == 3 { "pear" } else { "apple" };
            text.push_str(&format!("{name} {amount}\n"));
        }
        let sum: usize = amounts.iter().sum();
        text.push_str(&format!("subtotal {sum}\n"));
        all += sum;
    }
    text.push_str(&format!("total {all}\n"));
    let left = "pear 17\nsubtotal 17\ntotal 17";
    check("a.txt", &text, |text| fails(text) == Some(true), left, 250);
}

#[test]
fn a_total_that_is_part_of_a_measured_body_follows_first() {
    let fails = |text: &str| {
        let (head, body) = text.split_once("\n\n")?;
        let length = number(head.strip_prefix("length: ")?)?;
        let (rows, total) = body.rsplit_once("total ")?;
        let amount = |row: &str| number(row.split_once(' ')?.1);
        let sum: Option<usize> = rows.lines().map(amount).sum();
        let found = rows.lines().any(|row| row == "pear 17");
        Some(length == body.len() && sum? == number(total.trim_end())? && found)
    };
    let amounts: Vec<usize> =
        (0..30).map(|place| if place == 9 { 17 } else { place * 13 % 50 }).collect();
    let row = |(place, amount): (usize, &usize)| {
        format!("{} {amount}\n", if place == 9 { "pear" } else { "fig" })
    };
    let rows: String = amounts.iter().enumerate().map(row).collect();
    let body = format!("{rows}total {}\n", amounts.iter().sum::<usize>());
    let text = format!("length: {}\n\n{body}", body.len());
    check("a.txt", &text, |text| fails(text) == Some(true), "length: 15\n\npear 17total 17", 250);
}

#[test]
fn a_number_that_measures_nothing_costs_nothing() {
    let line = |place: usize| format!("{place}: entry {} took {} ms\n", place * 7, place * 13 % 97);
    let text: String = (0..60).map(line).collect();
    // A letter for each digit, so that the same words are alike.
    let letter =
        |char: char| char.to_digit(10).map_or(char, |digit| char::from(b'a' + digit as u8));
    let words: String = text.chars().map(letter).collect();
    let tests = |text: &str| {
        reduce("a.log", text, |text| text.contains("entry") && text.lines().count() > 3).1
    };
    assert!(tests(&text).abs_diff(tests(&words)) <= 3);
}

#[test]
fn a_number_that_only_seems_to_count_costs_few_tests() {
    let lines = |count: usize| -> String {
        let lines: String = (0..count).map(|place| format!("w{place} is there\n")).collect();
        format!("{lines}30 units\n")
    };
    let fails =
        |text: &str| text.contains("30 units") && text.contains("w7 is") && text.contains("w20 ");
    let (left, seeming) = reduce("a.txt", &lines(30), fails);
    let (other, plain) = reduce("a.txt", &lines(31), fails);
    assert_eq!(left, other);
    assert!(seeming <= plain + 10, "{seeming} and {plain}");
}
