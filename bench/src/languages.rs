//! whodunit on made-up programs in several languages, each with two changes that do harm together.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::Parser;
use whodunit_bench::programs::{File, Language, Program, program};

use crate::changes::run::{Answer, Runner, Task};
use crate::page::{self, Table, say};
use crate::run_args::{RunArgs, WithArgs};
use crate::session;

/// Runs whodunit on a made-up program in each language, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench languages", no_binary_name = true)]
struct LanguagesArgs {
    /// Make the program from this seed. Can be repeated
    #[arg(long, value_name = "N", default_values_t = [1, 2, 3])]
    seed: Vec<u64>,

    #[command(flatten)]
    with: WithArgs,

    #[command(flatten)]
    run: RunArgs,
}

const COLUMNS: [&str; 10] = [
    "language, seed",
    "changes",
    "lines / hunks",
    "tests",
    "unresolved",
    "culprit lines",
    "found",
    "seconds",
    "ended",
    "date",
];

/// The time limit of a test: the builds of parallel tests may take much longer than the first
/// ones.
const TIMEOUT: &[&str] = &["--timeout", "60s"];

/// Runs whodunit on the chosen programs and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = LanguagesArgs::parse_from(words);
    let table_file = args.run.write_to("languages.md");
    let runner = Runner::new(&args.run, args.run.cap())?;
    let mut table = Table::new(COLUMNS);
    for language in chosen(&args.run.only)? {
        let missing = language.tools().iter().find(|tool| session::in_path(tool).is_none());
        if let Some(tool) = missing {
            say(&format!("{}: passed over, there is no {tool}", language.title()));
            continue;
        }
        for seed in &args.seed {
            table.put(row(&runner, &args.with.options, language, *seed)?);
            if let Some(path) = &table_file {
                page::update(path, |old| table.over(PREFACE, old))?;
            }
        }
    }
    Ok(table.to_string())
}

fn chosen(names: &[String]) -> Result<Vec<Language>, String> {
    let named = |name: &String| {
        let mut all = Language::ALL.into_iter();
        all.find(|language| language.title().eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("there is no language `{name}`"))
    };
    if names.is_empty() { Ok(Language::ALL.to_vec()) } else { names.iter().map(named).collect() }
}

fn row(
    runner: &Runner,
    with: &[String],
    language: Language,
    seed: u64,
) -> Result<[String; COLUMNS.len()], Box<dyn Error>> {
    let made = program(language, seed);
    let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
    let task = lay_out(&made, folder.path())?;
    let options: Vec<&str> = TIMEOUT
        .iter()
        .copied()
        .chain(["--atomic"])
        .chain(with.iter().map(String::as_str))
        .collect();
    let outcome = runner.run(&task, &options)?;
    let name = format!("{}, {seed}", language.title());
    let Some(answer) = &outcome.answer else {
        say(&format!("{name}: no answer ({})\n{}", outcome.ended, outcome.said));
        let mut row = [const { String::new() }; COLUMNS.len()];
        (row[0], row[8]) = (name, outcome.ended);
        return Ok(row);
    };
    say(&format!("{name}: {} tests", answer.tests_run()));
    Ok([
        name,
        made.changes.to_string(),
        format!("{} / {}", answer.changes, answer.hunks),
        format!("{} ({} committed)", answer.tests_run(), answer.committed),
        format!("{} %", answer.unresolved_percent()),
        answer.culprit_lines().to_string(),
        found(&made, answer).to_owned(),
        format!("{:.1}", outcome.wall.as_secs_f64()),
        outcome.ended,
        page::today(),
    ])
}

/// Writes both versions.
fn lay_out(made: &Program, folder: &Path) -> std::io::Result<Task> {
    let (good, bad) = (folder.join("old"), folder.join("new"));
    let write = |folder: &Path, files: &[File]| {
        fs::create_dir(folder)?;
        files.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
    };
    write(&good, &made.old)?;
    write(&bad, &made.new)?;
    let test = ["sh", "-c", made.test].map(OsString::from).to_vec();
    Ok(Task { good, bad, checkout: None, build: made.build.map(str::to_owned), test })
}

/// Formats whether both culprits are blamed, and nothing else.
fn found(made: &Program, answer: &Answer) -> &'static str {
    let is_meant = |change: &&crate::changes::judge::Blamed| {
        let mut culprits = made.culprits.iter();
        culprits.any(|culprit| change.file == culprit.file && change.is_about(&culprit.name))
    };
    let both = made.culprits.iter().all(|culprit| {
        let mut blamed = answer.culprit.iter();
        blamed.any(|change| change.file == culprit.file && change.is_about(&culprit.name))
    });
    match (both, answer.culprit.iter().all(|change| is_meant(&change))) {
        (true, true) => "yes",
        (true, false) => "with others",
        (false, _) => "no",
    }
}

const PREFACE: &str = "# Two changes that do harm together, in several languages

Programs made from a seed (`bench/src/programs`) in two versions. A limit is raised in one file, a check
of what comes out is dropped in another one, and the test fails only if both are; all else is harmless,
but some of it needs each other: functions that are new, have another name or are gone, and who calls
them; new constants and fields, and who uses them. Types of TypeScript are taken off, not checked.

Changes: functions, constants and types that are not the same in both versions. Lines, hunks: as whodunit
counts them. Tests: all that were run; the committed ones decided, the others ran ahead. Unresolved: share
of the committed tests that were neither pass nor fail. Culprit lines: lines taken out and put in by what
is blamed. Found: whether both are among these, and alone. Run with `--atomic`. Times depend on the machine. Regenerate with
`target/release/bench languages --write`.

";
