//! whodunit and other reducers on the same real failing inputs, with every test counted.
//!
//! All reducers are called as by their users, with the same test; its verdicts and times are
//! recorded by this program and not by the reducers.

mod ablation;
mod args;
mod cases;
mod counting;
mod numbers;
mod run;
mod table;
mod tools;

use std::error::Error;
use std::ffi::OsString;

use clap::Parser;

pub(crate) use counting::{COUNTED_TEST, run_counted};

use crate::page::{self, say};
use crate::session;
use args::ReduceArgs;
use cases::Case;
use run::{Outcome, Runner};
use table::{Row, Table};
use tools::Tool;

/// The default number of parallel tests: the same for each tool that supports them.
const JOBS: usize = 2;

/// Runs the chosen tools on the chosen cases and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = ReduceArgs::parse_from(words);
    if !args.without.is_empty() {
        let table = ablation::table(&args.without, &cases::chosen(&args.cases, &args.run.only)?)?;
        if let Some(path) = args.run.write_to("passes.md") {
            page::update(&path, |_| Ok(table.clone()))?;
        }
        return Ok(table);
    }
    if args.passes {
        return ablation::results(&cases::chosen(&args.cases, &args.run.only)?);
    }
    let table_file = args.run.write_to("reduce.md");
    let runner = Runner {
        cap: args.run.cap(),
        jobs: args.run.jobs.unwrap_or(JOBS),
        whodunit: args.run.program()?,
        interrupted: session::watch_for_signals()?,
    };
    let tools = installed(&runner, &args.tools)?;
    let mut fresh = Table::default();
    for case in cases::chosen(&args.cases, &args.run.only)? {
        if !counting::fails(&case, &case.content)? {
            say(&format!("{}: passed over, it does not fail here (see its README.md)", case.name));
            continue;
        }
        fresh.put(input_row(&case));
        for (tool, version) in &tools {
            if !tool.takes(&case.extension) {
                continue;
            }
            match runner.run(tool, &case)? {
                Ok(outcome) => {
                    let row = row(&case, tool, version, &outcome, runner.jobs_of(tool));
                    say(&row.to_string());
                    fresh.put(row);
                }
                Err(trouble) => say(&format!("{} {}: no row: {trouble}", case.name, tool.name)),
            }
            // Written after each run, so that an interrupted bench keeps its rows.
            if let Some(path) = &table_file {
                page::update(path, |old| fresh.over(old))?;
            }
        }
    }
    Ok(fresh.to_string())
}

/// Returns the requested tools that are installed, with their versions.
fn installed(
    runner: &Runner,
    names: &[String],
) -> Result<Vec<(&'static Tool, String)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for tool in tools::chosen(names)? {
        match runner.program(tool) {
            Some(program) => found.push((tool, tool.version(&program)?)),
            None => say(&format!("{}: passed over, it is not installed", tool.name)),
        }
    }
    Ok(found)
}

fn input_row(case: &Case) -> Row {
    let size = cases::size(&case.content);
    Row {
        case: case.name.clone(),
        tool: table::INPUT.into(),
        bytes: size.bytes.to_string(),
        tokens: size.tokens.to_string(),
        ..Row::default()
    }
}

fn row(case: &Case, tool: &Tool, version: &str, outcome: &Outcome, jobs: usize) -> Row {
    let numbers = numbers::count(&outcome.tests);
    let size = cases::size(&outcome.content);
    let committed = outcome.committed.map(|tests| format!(" ({tests} committed)"));
    Row {
        case: case.name.clone(),
        tool: format!("{} {version}", tool.name),
        jobs: jobs.to_string(),
        tests: format!("{}{}", numbers.tests, committed.unwrap_or_default()),
        after_last_success: numbers.after_last_success.to_string(),
        bytes: size.bytes.to_string(),
        tokens: size.tokens.to_string(),
        seconds: format!("{:.1}", outcome.wall.as_secs_f64()),
        tool_ms: format!("{:.1}", numbers.tool_time(outcome.wall).as_secs_f64() * 1000.0),
        ended: outcome.ended.clone(),
        date: page::today(),
    }
}
