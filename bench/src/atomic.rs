//! whodunit over atomic changes on libraries of real size, beside `dd_plus` over hunks.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Parser;

use crate::changes::cases::{self, Case};
use crate::changes::judge;
use crate::changes::measured;
use crate::changes::run::{Answer, Outcome, Phase, Runner};
use crate::page::{self, Table, say};
use crate::run_args::RunArgs;

/// Runs whodunit over atomic changes, and `dd_plus` over hunks, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench atomic", no_binary_name = true)]
struct AtomicArgs {
    /// The folder with the cases, each with `case.toml`, `setup.sh`, `build.sh` and `test.sh`
    #[arg(long, value_name = "DIR", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/atomic"))]
    cases: PathBuf,

    /// Take `CASE/good` and `CASE/bad` from this folder; what is not there is fetched into it
    #[arg(long, value_name = "DIR")]
    fetched: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,
}

const COLUMNS: [&str; 14] = [
    "case",
    "fault",
    "files / lines / hunks",
    "atoms",
    "responsible",
    "chains, atoms, lines",
    "tests",
    "unresolved",
    "dd_plus, hunks",
    "times fewer",
    "culprit lines",
    "expected file / function / lines",
    "ended",
    "date",
];

/// The cap of a search, unless the command line has another one.
const CAP: Duration = Duration::from_secs(900);
/// The time that a stopped search may take to prove and write its result.
const TO_STOP: Duration = Duration::from_secs(120);
/// The builds of parallel tests may take much longer than the first ones.
const TIMEOUT: [&str; 2] = ["--timeout", "60s"];
const HUNK_DD_PLUS: [&str; 4] = ["--search", "dd_plus", "--level", "hunk"];
const ATOMIC: &str = "--atomic";

/// Runs whodunit on the chosen cases and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = AtomicArgs::parse_from(words);
    let table_file = args.run.write_to("atomic.md");
    let cap = args.run.cap_or(CAP);
    // whodunit stops by itself, so that it reports its progress.
    let budget = ["--budget".to_owned(), format!("{}s", cap.as_secs())];
    let runner = Runner::new(&args.run, cap + TO_STOP)?;
    let knows_atoms = knows_atoms(&runner.whodunit)?;
    if !knows_atoms {
        say("this whodunit knows no atomic changes; its usual search is measured");
    }
    let mut table = Table::new(COLUMNS);
    for case in cases::chosen(&args.cases, &args.run.only)? {
        let fetched = match case.fetch(args.fetched.as_deref())? {
            Ok(fetched) => fetched,
            Err(trouble) => {
                say(&format!("{}: passed over, it cannot be fetched: {trouble}", case.name));
                continue;
            }
        };
        let task = case.task(&fetched);
        let usual = [budget.clone(), TIMEOUT.map(str::to_owned)].concat();
        let mut options = usual.clone();
        if knows_atoms {
            options.push(ATOMIC.to_owned());
            options.extend(case.facts.atomic.iter().map(|option| fetched.named_in(option)));
        }
        let outcome = runner.run(&task, &options)?;
        say(&format!("{}: {}", case.name, measured(&outcome)));
        if outcome.answer.is_none() {
            say(&outcome.said);
        }
        let plain = [usual, HUNK_DD_PLUS.map(str::to_owned).into()].concat();
        let plain = runner.run(&task, &plain)?;
        say(&format!("{}, dd_plus over hunks: {}", case.name, measured(&plain)));
        table.put(row(&case, &outcome, &plain));
        if let Some(path) = &table_file {
            page::update(path, |old| table.over(PREFACE, old))?;
        }
    }
    Ok(table.to_string())
}

/// Returns whether this whodunit can search atomic changes.
fn knows_atoms(whodunit: &Path) -> std::io::Result<bool> {
    let help = Command::new(whodunit).args(["changes", "--help"]).output()?;
    Ok(String::from_utf8_lossy(&help.stdout).contains(ATOMIC))
}

fn row(case: &Case, outcome: &Outcome, plain: &Outcome) -> [String; COLUMNS.len()] {
    let mut row = [const { String::new() }; COLUMNS.len()];
    row[0].clone_from(&case.name);
    row[1].clone_from(&case.facts.kind);
    row[8] = measured(plain);
    row[12].clone_from(&outcome.ended);
    row[13] = page::today();
    if let Some(answer) = &outcome.answer {
        let Answer { files, changes, hunks, committed, atoms, .. } = answer;
        row[2] = format!("{files} / {changes} / {hunks}");
        [row[3], row[4]] = match atoms {
            Some([all, responsible]) => {
                let percent = 100 * responsible / (*all).max(1);
                [all.to_string(), format!("{responsible} ({percent} %)")]
            }
            None => ["–", "–"].map(str::to_owned),
        };
        row[5] = answer.phases.map_or_else(String::new, |phases| phases.map(words).join(", "));
        row[6] = format!("{} ({committed} committed)", answer.tests_run());
        row[7] = format!("{} %", answer.unresolved_percent());
        row[9] = times_fewer(answer, plain);
        row[10] = answer.culprit_lines().to_string();
        row[11] = judge::judge(&case.facts.causes, &answer.culprit).to_string();
    }
    row
}

/// Formats a phase: the number of kept changes, of all changes, of tests.
fn words(Phase { of, left, tests }: Phase) -> String {
    format!("{left} of {of} ({tests})")
}

/// Formats the ratio of the deciding tests of the plain search to those of this one.
#[allow(clippy::cast_precision_loss)] // of counts that are small
fn times_fewer(answer: &Answer, plain: &Outcome) -> String {
    let Some(other) = &plain.answer else { return "?".to_owned() };
    let times = other.committed as f64 / answer.committed.max(1) as f64;
    let more = if plain.ended == "done" { "" } else { "> " };
    format!("{more}{times:.1}")
}

const PREFACE: &str = "# Atomic changes on libraries of real size

`whodunit changes GOOD BAD --atomic --build build.sh -- sh test.sh` on the cases of `bench/atomic`, and
beside it `--search dd_plus --level hunk` on the same. Without numbers of atoms: the whodunit measured knew
none, and its usual search was run.

Fault: `real` if it came with the release, `seeded` if it was put in for the case. Responsible: atoms that
the failing test touches, with what they need. Chains, atoms, lines: how many of each are needed, of how many, and
after how many tests of that phase (`–`: not counted then); Figure 6 of *Effective Identification of Failure-Inducing
Changes* (Zhang and others, 2008) has such counts. In commons-io-two-chains two chains fail only together.
Tests: all that were run; the committed ones decided.
Unresolved: share of the questions, remembered ones too, that stayed open. dd_plus: `>` if it was stopped
after so many. Times fewer: committed tests of it for one of ours. Expected: whether the known places are
among what is blamed. Regenerate as `bench/README.md` says.

";
