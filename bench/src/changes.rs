//! whodunit on real regressions between two releases: the number of tests, and whether the found
//! changes are the known cause.

mod args;
pub(crate) mod cases;
pub(crate) mod facts;
pub(crate) mod judge;
pub(crate) mod run;
mod table;

use std::error::Error;
use std::ffi::OsString;

use clap::Parser;

use crate::page::{self, say};
use args::ChangesArgs;
use cases::Case;
use facts::Baseline;
use run::{Answer, HUNK_DDMIN, Outcome, Runner};
use table::{Row, Table};

/// Runs whodunit on the chosen cases and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = ChangesArgs::parse_from(words);
    let table_file = args.run.write_to("changes.md");
    let runner = Runner::new(&args.run, args.run.cap())?;
    let mut fresh = Table::default();
    for case in cases::chosen(&args.cases, &args.run.only)? {
        let fetched = match case.fetch(args.fetched.as_deref())? {
            Ok(fetched) => fetched,
            Err(trouble) => {
                say(&format!("{}: passed over, it cannot be fetched: {trouble}", case.name));
                continue;
            }
        };
        let task = case.task(&fetched);
        let outcome = runner.run(&task, &args.with.options)?;
        let Some(answer) = &outcome.answer else {
            say(&format!("{}: no answer ({})\n{}", case.name, outcome.ended, outcome.said));
            fresh.put(row(&case, &outcome, &baseline(&case.facts.ddmin)));
            continue;
        };
        say(&format!("{}: {} tests", case.name, answer.tests_run()));
        let plain = if args.tools.iter().any(|tool| tool == "ddmin") {
            measured(&runner.run(&task, HUNK_DDMIN)?)
        } else {
            baseline(&case.facts.ddmin)
        };
        fresh.put(row(&case, &outcome, &plain));
        // Written after each case, so that an interrupted bench keeps its rows.
        if let Some(path) = &table_file {
            page::update(path, |old| fresh.over(old))?;
        }
    }
    if let Some(path) = &table_file {
        page::update(path, |old| fresh.over(old))?;
    }
    Ok(fresh.to_string())
}

fn row(case: &Case, outcome: &Outcome, plain: &str) -> Row {
    let mut row = Row {
        case: case.name.clone(),
        plain: plain.to_owned(),
        seconds: format!("{:.1}", outcome.wall.as_secs_f64()),
        ended: outcome.ended.clone(),
        date: page::today(),
        ..Row::default()
    };
    if let Some(answer) = &outcome.answer {
        let Answer { files, changes, hunks, committed, .. } = answer;
        let found = judge::judge(&case.facts.causes, &answer.culprit);
        row.size = format!("{files} / {changes} / {hunks}");
        row.tests = format!("{} ({committed} committed)", answer.tests_run());
        row.unresolved = format!("{} %", answer.unresolved_percent());
        row.culprit_lines = answer.culprit_lines().to_string();
        row.found = found.to_string();
    }
    row
}

/// Formats the tests of a plain search as they were measured now.
pub(crate) fn measured(outcome: &Outcome) -> String {
    match &outcome.answer {
        Some(answer) if outcome.ended == "done" => answer.tests_run().to_string(),
        Some(answer) => format!("> {} ({})", answer.tests_run(), outcome.ended),
        None => outcome.ended.clone(),
    }
}

/// Formats the tests of a plain search as the case lists them.
fn baseline(baseline: &Baseline) -> String {
    match baseline {
        Baseline::Ended(tests) => format!("{tests}, as given"),
        Baseline::Stopped(tests) => format!("> {tests}, as given"),
        Baseline::Unknown => "?".to_owned(),
    }
}
