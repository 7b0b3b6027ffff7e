//! The searches of 1999 beside whodunit's own, on real differences as large as those of that paper.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;

use crate::changes::run::{Answer, Runner, Task};
use crate::page::{self, Table, say};
use crate::run_args::RunArgs;

/// Runs `whodunit changes` with several searches on two versions, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench searches", no_binary_name = true)]
struct SearchesArgs {
    /// What the rows are called
    name: String,

    /// The version that passes: a folder, or with `--checkout` a revision
    good: PathBuf,

    /// The version that fails
    bad: PathBuf,

    /// A git checkout. The searches are run on its commits, and once more hunk by hunk on the two versions
    /// as folders, without their history
    #[arg(long, value_name = "DIR")]
    checkout: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,

    /// What runs the test, in the root of a version
    #[arg(last = true, required = true)]
    test: Vec<OsString>,
}

const COLUMNS: [&str; 8] =
    ["case, search", "commits", "hunks", "tests", "unresolved", "culprit lines", "ended", "date"];

/// The searches, each with its flags.
const SEARCHES: [(&str, &[&str]); 3] = [
    ("dd_plus, files in order", &["--search", "dd_plus"]),
    ("dd_plus, grouped", &["--search", "dd_plus", "--group", "location,lexical"]),
    ("closure", &[]),
];

/// Runs the searches and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = SearchesArgs::parse_from(words);
    let runner = Runner::new(&args.run, args.run.cap())?;
    let table_file = args.run.write_to("searches.md");
    let mut table = Table::new(COLUMNS);
    let temporary = tempfile::Builder::new().prefix("bench-").tempdir()?;
    let mut tasks = Vec::new();
    let task = |good: &Path, bad: &Path, checkout: Option<PathBuf>| Task {
        good: good.to_owned(),
        bad: bad.to_owned(),
        checkout,
        build: None,
        test: args.test.clone(),
    };
    if let Some(checkout) = &args.checkout {
        let checkout = std::path::absolute(checkout)?;
        tasks.push((" by commits", task(&args.good, &args.bad, Some(checkout.clone()))));
        let [good, bad] = ["good", "bad"].map(|name| temporary.path().join(name));
        export(&checkout, &args.good, &good)?;
        export(&checkout, &args.bad, &bad)?;
        tasks.push(("", task(&good, &bad, None)));
    } else {
        let (good, bad) = (std::path::absolute(&args.good)?, std::path::absolute(&args.bad)?);
        tasks.push(("", task(&good, &bad, None)));
    }
    for (by, task) in &tasks {
        for (search, flags) in SEARCHES {
            let outcome = runner.run(task, &[flags, &["--level", "hunk"]].concat())?;
            let case = format!("{}{by}, {search}", args.name);
            say(&format!("{case}: {}", outcome.ended));
            let cells = outcome.answer.as_ref().map(cells).unwrap_or_default();
            let [commits, hunks, tests, unresolved, lines] = cells;
            let row =
                [case, commits, hunks, tests, unresolved, lines, outcome.ended, page::today()];
            table.put(row);
            // Written after each run, so that an interrupted bench keeps its rows.
            if let Some(path) = &table_file {
                page::update(path, |old| table.over(PREFACE, old))?;
            }
        }
    }
    Ok(table.to_string())
}

fn cells(answer: &Answer) -> [String; 5] {
    let commits = answer.commits.map(|commits| commits.to_string());
    [
        commits.unwrap_or_default(),
        answer.hunks.to_string(),
        answer.committed.to_string(),
        format!("{} %", answer.unresolved_percent()),
        answer.culprit_lines().to_string(),
    ]
}

/// Writes the files of a revision to a new folder.
fn export(checkout: &Path, revision: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir(folder)?;
    let mut git = Command::new("git")
        .current_dir(checkout)
        .args(["archive", "--format=tar"])
        .arg(revision)
        .stdout(Stdio::piped())
        .spawn()?;
    let files = git.stdout.take().expect("the output is piped");
    let unpacked = Command::new("tar").arg("x").current_dir(folder).stdin(files).status()?;
    if git.wait()?.success() && unpacked.success() {
        Ok(())
    } else {
        Err(format!("{} cannot be read", revision.display()).into())
    }
}

const PREFACE: &str = "# The searches of 1999 on real differences

The two case studies of *Yesterday, my program worked* (Zeller, 1999) have 344 changes of 116 commits (DDD: 31 tests, 12 with
the order of the commits) and 8,721 changes of one release (GDB: 470 tests, 289 grouped by folder, file and identifier).
Those programs are gone. The cases here are as large:

- *sqlparse*: the repository `andialbrecht/sqlparse`, `0.2.4` to `0.4.0`, 195 commits. `in` is no longer in capitals with
  `keyword_case='upper'`.
- *django*: the releases 3.2 and 4.2 of the Python package index; `timesince` is wrong in one time zone.

`dd_plus` has its questions completed by what the sources show to be needed and by what tests complain about, as every
search here has. *By commits*: the commit is looked for first, then its changes. Without that, all hunks at once.
Tests: those that decided, without first runs and proof. Unresolved: share of the questions, remembered ones too.
`exit 3` means that the time was up or the search gave up. Regenerate with `target/release/bench searches NAME GOOD BAD
[--checkout DIR] --write -- TEST`, one worker (`-j1`).

";
