//! The programs of the thesis with real tools as oracles: a compiler decides what is a program, and
//! which of its messages are about syntax.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use clap::Parser;
use serde_json::Value;

use crate::page::{self, Table, say};
use crate::run_args::RunArgs;
use crate::session;

/// Runs the searches of the thesis, and whodunit's own, with compilers as oracles, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench tools", no_binary_name = true)]
struct ToolsArgs {
    #[command(flatten)]
    run: RunArgs,
}

const COLUMNS: [&str; 8] =
    ["program, search", "tool", "tokens", "tests", "syntax errors", "left", "ended", "date"];

/// A program with the tool that takes it.
struct Case {
    file: &'static str,
    text: &'static str,
    tool: &'static str,
    /// Compiles the file; the messages of the tool are written to `complaints`.
    compile: &'static str,
    /// An expression for messages about syntax.
    syntax: &'static str,
    /// Tells whether the failure is there, after the file was compiled.
    fails: &'static str,
}

const CASES: [Case; 4] = [
    // The loop of Figure 4.1. The compiler of that time, which crashed, no longer exists: the
    // expressions stand for the crash.
    Case {
        file: "loop.c",
        text: include_str!("../thesis/loop.c"),
        tool: "gcc",
        compile: "gcc -fsyntax-only -w loop.c 2>complaints",
        syntax: "error: expected",
        fails: "tr -d ' \\n' <loop.c | \
                grep -Eq 'for\\(.*\\).*=.*\\+.*\\+.*z\\[i\\]=z\\[i\\]\\*\\(z\\[0\\]\\+1'",
    },
    Case {
        file: "deep.c",
        text: include_str!("../thesis/deep.c"),
        tool: "gcc",
        compile: "gcc -fsyntax-only -w deep.c 2>complaints",
        syntax: "error: expected",
        fails: "tr -d ' \\n' <deep.c | \
                grep -Eq 'longint\\)\\(+signedshort\\)\\(+var0\\)?=.*>.*var1\\)?=.*\\*'",
    },
    // The compiler itself reports the division by zero.
    Case {
        file: "Sha1.java",
        text: include_str!("../thesis/Sha1.java"),
        tool: "javac",
        compile: "javac -proc:none -Xlint:divzero -d . Sha1.java 2>complaints",
        syntax: "expected|illegal start|unclosed|reached end of file|not a statement",
        fails: "grep -q 'division by zero' complaints",
    },
    // The tool applies the stylesheet to a board with one square, and prints the next square.
    Case {
        file: "tour.xsl",
        text: include_str!("../thesis/tour.xsl"),
        tool: "xsltproc",
        compile: "echo '<board><square row=\"1\" column=\"1\" next=\"b3\"/></board>' >board.xml && \
                  xsltproc tour.xsl board.xml >made.html 2>complaints",
        syntax: "parser error",
        fails: "grep -q '<td class=\"light\">to b3</td>' made.html",
    },
];

/// The searches, each with its flags.
const SEARCHES: [(&str, &[&str]); 6] = [
    ("ddmin", &["--search", "ddmin"]),
    ("hdd", &["--search", "hdd"]),
    ("hdd_plus", &["--search", "hdd_plus"]),
    ("hdd_star", &["--search", "hdd_star"]),
    ("valid", &["--valid"]),
    ("default", &[]),
];

/// Runs the chosen programs and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = ToolsArgs::parse_from(words);
    let (program, table_file) = (args.run.program()?, args.run.write_to("tools.md"));
    let mut table = Table::new(COLUMNS);
    let is_chosen =
        |case: &&Case| args.run.only.is_empty() || args.run.only.iter().any(|it| it == case.file);
    for case in CASES.iter().filter(is_chosen) {
        if session::in_path(case.tool).is_none() {
            say(&format!("{}: passed over, there is no {}", case.file, case.tool));
            continue;
        }
        for (search, flags) in SEARCHES {
            let budget = format!("{}s", args.run.cap().as_secs());
            table.put(row(&program, case, search, flags, &budget)?);
            if let Some(path) = &table_file {
                page::update(path, |old| table.over(PREFACE, old))?;
            }
        }
    }
    Ok(table.to_string())
}

fn row(
    program: &Path,
    case: &Case,
    search: &str,
    flags: &[&str],
    budget: &str,
) -> Result<[String; COLUMNS.len()], Box<dyn Error>> {
    let folder = tempfile::Builder::new().prefix("bench-").tempdir()?;
    let log = folder.path().join("log");
    fs::write(folder.path().join(case.file), case.text)?;
    let script = format!(
        "#!/bin/sh\nif ! {{ {}; }}; then\n  grep -Eq '{}' complaints && echo syntax >>{log}\n  exit 1\nfi\n{}\n",
        case.compile,
        case.syntax,
        case.fails,
        log = log.display()
    );
    let test = folder.path().join("t.sh");
    fs::write(&test, script)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    let mut command = Command::new(program);
    command.current_dir(folder.path()).env("XDG_STATE_HOME", folder.path());
    command.env("XDG_CACHE_HOME", folder.path()).args(["reduce", case.file]);
    // One worker, so that no speculative test is counted.
    command.args(flags).args(["-j1", "--json", "-q", "--budget", budget, "--test"]).arg(&test);
    let ran = command.output()?;
    let answer: Value = serde_json::from_slice(&ran.stdout)
        .map_err(|_| String::from_utf8_lossy(&ran.stderr).into_owned())?;
    let number = |field: &str, of: &str| answer[field][of].as_u64().unwrap_or(0).to_string();
    let errors = fs::read_to_string(&log).unwrap_or_default().lines().count();
    say(&format!("{} {search}: {} tests", case.file, number("tests", "committed")));
    Ok([
        format!("{}, {search}", case.file),
        case.tool.to_owned(),
        number("start", "tokens"),
        number("tests", "committed"),
        errors.to_string(),
        number("size", "tokens"),
        answer["ended"].as_str().unwrap_or_default().to_owned(),
        page::today(),
    ])
}

const PREFACE: &str = "# The programs of the thesis with real tools as oracles

The programs of `bench/tables/thesis.md`, which are in the spirit of Tables 4.1, 4.2 and 5.1 of *Hierarchical Delta
Debugging* (Misherghi, 2007). A candidate is unresolved if the compiler refuses it. The crash of the compiler of then is
stood for by the expressions that caused it; that of Java is a warning of the compiler of today; that of the stylesheet
is what xsltproc makes of it and a board with one square.

Tests: those that decided, without the proof. Syntax errors: how many runs of the test, the proof included, the compiler
refused because of syntax, by its own words. Left: tokens. `hdd` proves nothing about what it leaves, `ddmin` is over tokens.
`out_of_time`: ended by `--cap`, so the numbers depend on the machine; the cap was 300 s, for loop.c 600 s.
Regenerate with `target/release/bench tools --write`.

";
