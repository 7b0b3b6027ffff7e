//! The worth of each pass of `reduce`: the same inputs without the pass.
//!
//! The search runs in this process and tests each content of a case once, whatever pass is left
//! out, so that leaving out one pass after the other costs little more than reducing once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

use whodunit_input::pass_names;

use super::cases::{self, Case};
use super::counting;
use crate::input::{Reduced, reduce};
use crate::minimum::PROBLEMS;
use crate::page::say;
use crate::thesis::coupled;

const HEAD: &str = "\
# What each pass of `reduce` is worth

The problems of `minimum.md`, those of `thesis.md` in which two places must change together, and the
cases that fail on the machine where this was measured, each reduced with all passes and without one. A pass pays on a case if the result is larger without it, or the same in
more tests. It costs if the result is the same in fewer tests, or smaller. Tests: with all passes less
those without it, over all cases. Regenerate with `bench reduce --cases DIR --without all`.

";

/// Returns whether a content fails.
type Oracle<'a> = Box<dyn Fn(&[u8]) -> bool + 'a>;

/// Something to reduce, by name.
struct Subject<'a> {
    name: &'a str,
    file: &'a str,
    content: Vec<u8>,
    fails: Oracle<'a>,
}

/// The change of one case if a pass is left out: more or fewer tokens, bytes and tests.
struct Difference<'a> {
    case: &'a str,
    tokens: i64,
    bytes: i64,
    tests: i64,
}

/// Returns a table with a row for each of the passes; `all` stands for every pass.
pub(super) fn table(passes: &[String], cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let known = pass_names();
    let mut named = passes.iter().flat_map(|passes| passes.split('+'));
    if let Some(name) = named.find(|name| *name != "all" && !known.contains(name)) {
        return Err(format!("there is no pass `{name}`; there are {}", known.join(", ")).into());
    }
    let each = known.iter().copied().filter(|_| passes.iter().any(|pass| pass == "all"));
    let given = passes.iter().map(String::as_str).filter(|pass| *pass != "all");
    let wanted: Vec<&str> = each.chain(given).collect();
    let mut subjects: Vec<Subject<'_>> = PROBLEMS.iter().map(Subject::problem).collect();
    subjects.extend(coupled::PROBLEMS.iter().map(Subject::coupled));
    for case in cases {
        if counting::fails(case, &case.content)? {
            subjects.push(Subject::case(case));
        } else {
            say(&format!("{}: passed over, it does not fail here (see its README.md)", case.name));
        }
    }
    let mut rows: Vec<Vec<Difference<'_>>> = wanted.iter().map(|_| Vec::new()).collect();
    let mut text = String::from(HEAD);
    text.push_str("| case | bytes | tokens | tests | after |\n|---|---|---|---|---|\n");
    for subject in &subjects {
        let whole = subject.reduce(&[]);
        let (tokens, bytes) = sizes(&whole);
        let Reduced { tests, after_last_success, .. } = whole;
        let row =
            format!("| {} | {bytes} | {tokens} | {tests} | {after_last_success} |", subject.name);
        say(&row);
        let _ = writeln!(text, "{row}");
        for (pass, row) in wanted.iter().zip(&mut rows) {
            // A pass without questions makes no difference.
            let left_out: Vec<String> = pass.split('+').map(str::to_owned).collect();
            if !left_out.iter().any(|pass| whole.passes.contains_key(pass.as_str())) {
                continue;
            }
            let without = subject.reduce(&left_out);
            let (other_tokens, other_bytes) = sizes(&without);
            row.push(Difference {
                case: subject.name,
                tokens: other_tokens - tokens,
                bytes: other_bytes - bytes,
                tests: without.tests as i64 - tests as i64,
            });
        }
    }
    text.push_str("\n| pass | asks on | pays on | costs on | tests | larger without it |\n|---|---|---|---|---|---|\n");
    for (pass, differences) in wanted.iter().zip(&rows) {
        let pays = differences.iter().filter(|it| it.gain() > 0).count();
        let costs = differences.iter().filter(|it| it.gain() < 0).count();
        let tests: i64 = differences.iter().map(|it| -it.tests).sum();
        let larger = differences.iter().filter(|it| (it.tokens, it.bytes) > (0, 0));
        let larger: Vec<String> =
            larger.map(|it| format!("{} ({:+})", it.case, it.bytes)).collect();
        let _ = writeln!(
            text,
            "| `{pass}` | {} | {pays} | {costs} | {tests:+} | {} |",
            differences.len(),
            larger.join(", ")
        );
    }
    Ok(text)
}

/// Returns the result of each case, and the questions of each pass.
pub(super) fn results(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for case in cases {
        if !counting::fails(case, &case.content)? {
            say(&format!("{}: passed over, it does not fail here (see its README.md)", case.name));
            continue;
        }
        let result = format!("== {}: {}", case.name, Subject::case(case).reduce(&[]));
        say(&result);
        text.push_str(&result);
    }
    Ok(text)
}

fn sizes(reduced: &Reduced) -> (i64, i64) {
    let size = cases::size(&reduced.bytes);
    (size.tokens as i64, size.bytes as i64)
}

impl Difference<'_> {
    /// Returns a positive number if the pass is worth it, a negative one if it only costs.
    fn gain(&self) -> i64 {
        match (self.tokens, self.bytes) {
            (0, 0) => self.tests,
            sizes if sizes > (0, 0) => 1,
            _ => -1,
        }
    }
}

impl<'a> Subject<'a> {
    fn problem(problem: &'a crate::minimum::Problem) -> Self {
        let fails = Box::new(problem.fails);
        Subject { name: problem.file, file: problem.file, content: (problem.text)(), fails }
    }

    fn coupled(problem: &'a coupled::Problem) -> Self {
        let fails = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(problem.fails);
        let content = (problem.text)().into_bytes();
        Subject { name: problem.file, file: problem.file, content, fails: Box::new(fails) }
    }

    fn case(case: &'a Case) -> Self {
        let known: RefCell<HashMap<Vec<u8>, bool>> = RefCell::default();
        let fails = move |bytes: &[u8]| {
            let known_verdict = known.borrow().get(bytes).copied();
            known_verdict.unwrap_or_else(|| {
                let fails =
                    counting::fails(case, bytes).expect("a test that ran before can be run");
                known.borrow_mut().insert(bytes.to_vec(), fails);
                fails
            })
        };
        let content = case.content.clone();
        Subject { name: &case.name, file: &case.file, content, fails: Box::new(fails) }
    }

    fn reduce(&self, without: &[String]) -> Reduced {
        reduce(self.file, &self.content, &self.fails, |settings| {
            settings.without = without.to_vec();
        })
    }
}
