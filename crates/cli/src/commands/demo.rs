//! `whodunit demo`: each of the three jobs on a small example, in a folder of its own.
//!
//! Each example fits a terminal of 80 columns and 24 lines. The commands shown after `$` are
//! run.

mod shop;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, IsTerminal, Read, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use clap::Parser;
use rustix::event::{PollFd, PollFlags, poll};
use whodunit_exec::quote;
use whodunit_exec::scratch::Scratch;
use whodunit_jobs::changes::ChangesPast;
use whodunit_jobs::history::HistoryPast;
use whodunit_run::{Ended, Stop};

use crate::args::{Command, Typed};
use crate::exit::Exit;
use crate::output::{self, STRONG};
use crate::plan::{self, Environment, OutputPlan};
use crate::report;
use crate::session::{Before, Session};
use crate::signals;
use crate::trouble::Trouble;

const IMPORTER: &str = include_str!("../demo/import.sh");

/// Bytes: more than enough for all examples.
const ROOM: u64 = 16 << 20;
const ORDERS: u32 = 40;

/// The columns that the demo needs: those of a terminal of the usual size.
const COLUMNS: usize = 80;

/// Rows of answers that are useless when the folder is gone.
const LEFT_OUT: [&str; 9] =
    ["result", "patches", "patch", "run", "tried", "searches", "also met", "failure", "time"];

/// Advice for the next steps.
const NEXT: &str = "\
Now on your own files:
  whodunit reduce FILE -- CMD {}     the smallest FILE that still fails this way
  whodunit changes GOOD BAD -- CMD   the commit and the lines that make CMD fail
  whodunit history -- CMD            the same, where no good version is known
  whodunit reduce --help             examples, exit codes; also changes, history
";

pub(super) fn run() -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    // Like the folders of tests: deleted at the end, or by the next run if this one is
    // killed.
    let folder = Scratch::create(environment.scratch(), ROOM)?;
    let environment = environment.confined_to(folder.folder());
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let demo = Demo { environment, stop };
    let mut ended = demo.refused_orders()?;
    if demo.environment.has_program("git") {
        for example in [Demo::lost_discount, Demo::no_good_version] {
            if ended == Ended::Done && demo.waits()? {
                ended = example(&demo)?;
            }
        }
    } else {
        output::data("There is no git here, so the examples with a history are left out.\n\n")?;
    }
    if ended == Ended::Done && !demo.stop.is_stopped() {
        output::data(&format!("\n{NEXT}"))?;
    }
    Ok(if demo.stop.is_stopped() { Exit::Interrupted } else { ended.into() })
}

struct Demo {
    environment: Environment,
    stop: Stop,
}

impl Demo {
    fn refused_orders(&self) -> Result<Ended, Trouble> {
        let folder = &self.environment.folder;
        write(folder, "orders.json", &orders(), 0o644)?;
        write(folder, "import.sh", IMPORTER, 0o755)?;
        self.title(&format!(
            "1. reduce: one of {ORDERS} orders makes an importer panic. Which part of it?"
        ))?;
        self.show(folder, "head -n 6 orders.json")?;
        self.show(folder, "./import.sh orders.json")?;
        let words = ["reduce", "orders.json", "--", "./import.sh", "{}"];
        let Command::Reduce(args) = self.typed(&words)? else {
            unreachable!("the line says reduce")
        };
        let (environment, output) = (&self.environment, quiet());
        let session = Session { environment, output: &output, stop: self.stop.clone() };
        let settings = plan::reduce(*args, folder)?;
        let journal = environment.runs().create(&super::reduce::stem(&settings))?;
        let answer = session.carry_out(settings, journal, Before::default())?;
        self.answer(&report::answer(&answer), Patch::LeftOut)?;
        self.show(folder, "cat orders.reduced.json")?;
        self.comment(
            "One order is left, with the one number that matters. The importer insists on the \
             right count, so the count has followed.",
        )?;
        Ok(answer.ended)
    }

    fn lost_discount(&self) -> Result<Ended, Trouble> {
        let folder = self.shop()?;
        let commits = shop::COMMITS;
        self.title(&format!(
            "2. changes: v1.0 gave a discount; {} commits later there is none.",
            commits - 1
        ))?;
        self.show(&folder, "sh tests/discount.sh")?;
        let words = ["changes", "v1.0", "--", "sh", "tests/discount.sh"];
        let Command::Changes(args) = self.typed(&words)? else {
            unreachable!("the line says changes")
        };
        let environment = self.environment.in_folder(&folder);
        let output = quiet();
        let session =
            Session { environment: &environment, output: &output, stop: self.stop.clone() };
        let settings = plan::changes::settings(*args, &folder)?;
        let journal = environment.runs().create("changes-shop")?;
        let answer = session.find_changes(&settings, journal, ChangesPast::default())?;
        self.answer(&report::changes::answer(&answer, false), Patch::Shown)?;
        let broken = shop::BROKEN.count();
        self.comment(&format!(
            "{broken} commits in the middle do not even start, and the guilty commit changes other lines \
             as well."
        ))?;
        Ok(answer.ended)
    }

    fn no_good_version(&self) -> Result<Ended, Trouble> {
        let folder = self.shop()?;
        self.title("3. history: the same, but the test is new and no good version is known.")?;
        let words = ["history", "--", "sh", "tests/discount.sh"];
        let Command::History(args) = self.typed(&words)? else {
            unreachable!("the line says history")
        };
        let environment = self.environment.in_folder(&folder);
        let output = quiet();
        let session =
            Session { environment: &environment, output: &output, stop: self.stop.clone() };
        let settings = plan::history::settings(*args, &folder)?;
        let journal = environment.runs().create("history-shop")?;
        let answer = session.walk_history(&settings, journal, HistoryPast::default())?;
        self.answer(&report::history::answer(&answer), Patch::LeftOut)?;
        self.comment("Older versions were tested with the new test.")?;
        Ok(answer.ended)
    }

    /// Makes the repository of the shop unless it is there, and returns its folder.
    fn shop(&self) -> Result<PathBuf, Trouble> {
        let folder = self.environment.folder.join("shop");
        if folder.exists() {
            return Ok(folder);
        }
        let cannot = |source| Trouble::Write { path: folder.clone(), source };
        fs::create_dir(&folder).map_err(cannot)?;
        let git = |args: &[&str], input: &str| -> io::Result<()> {
            let mut command = Process::new("git");
            command.args(args).current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::null());
            for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
                command.env_remove(variable);
            }
            command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
            let mut child = command.spawn()?;
            child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(input.as_bytes()))?;
            match child.wait()?.success() {
                true => Ok(()),
                false => Err(io::Error::other(format!("git {} failed", args.join(" ")))),
            }
        };
        git(&["init", "-q", "-b", "main"], "")
            .and_then(|()| git(&["fast-import", "--quiet"], &shop::commits()))
            .and_then(|()| git(&["checkout", "-q", "-f", "main"], ""))
            .map_err(cannot)?;
        Ok(folder)
    }

    fn title(&self, text: &str) -> Result<(), Trouble> {
        output::data(&format!("{STRONG}{text}{STRONG:#}\n\n"))
    }

    fn comment(&self, text: &str) -> Result<(), Trouble> {
        output::data(&format!("\n{}\n", wrapped(text, 0)))
    }

    /// Shows a line for the shell and what it prints.
    fn show(&self, folder: &Path, line: &str) -> Result<(), Trouble> {
        let ran =
            Process::new("sh").args(["-c", line]).current_dir(folder).stdin(Stdio::null()).output();
        let ran = ran.map_err(|source| Trouble::Write { path: folder.into(), source })?;
        let printed = [ran.stdout, ran.stderr].concat();
        let printed = output::plain(&String::from_utf8_lossy(&printed));
        output::data(&format!("$ {line}\n{}\n", printed.trim_end()))
    }

    /// Shows a command line of the program, and returns the parsed command.
    fn typed(&self, words: &[&str]) -> Result<Command, Trouble> {
        let line = words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ");
        output::data(&format!("$ whodunit {line}\n"))?;
        Ok(Typed::parse_from(std::iter::once(&"whodunit").chain(words)).command)
    }

    fn answer(&self, text: &str, patch: Patch) -> Result<(), Trouble> {
        let (rows, diff) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut shown = String::new();
        let mut is_left_out = false;
        for row in rows.lines() {
            let label = visible(row).chars().take(LABEL).collect::<String>();
            if !label.trim().is_empty() {
                is_left_out = LEFT_OUT.contains(&label.trim());
            }
            if !is_left_out && !row.contains(".patches/") {
                let _ = writeln!(shown, "{}", wrapped(row, LABEL));
            }
        }
        if patch == Patch::Shown {
            // Skip the lines of the patch before the hunk: they only repeat where it is.
            let hunk = diff.find("@@").unwrap_or(0);
            let from = hunk + diff[hunk..].find('\n').map_or(0, |line| line + 1);
            let _ = writeln!(shown, "{}", diff[from..].trim_end());
        }
        output::data(&shown)
    }

    /// Waits for a key if somebody is at the terminal; returns whether to show more.
    fn waits(&self) -> Result<bool, Trouble> {
        output::data("\n\n")?;
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(!self.stop.is_stopped());
        }
        output::data(&format!("{STRONG}Enter shows the next example.{STRONG:#} "))?;
        let stdin = io::stdin();
        while !self.stop.is_stopped() {
            let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
            // Short enough to react to Ctrl-C at once.
            let pause = rustix::time::Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            if poll(&mut polled, Some(&pause)).is_ok_and(|ready| ready > 0) {
                let _ = stdin.lock().read(&mut [0; 256]);
                break;
            }
        }
        output::data("\n")?;
        Ok(!self.stop.is_stopped())
    }
}

/// Whether the patch of an answer is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patch {
    Shown,
    LeftOut,
}

/// Columns of the labels of an answer.
const LABEL: usize = 11;

/// The demo shows the answer itself, without the output before it.
fn quiet() -> OutputPlan {
    OutputPlan { json: false, events: None, quiet: true }
}

/// Returns a line without codes for colours.
fn visible(line: &str) -> String {
    let mut text = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => while letters.next().is_some_and(|it| !it.is_ascii_alphabetic()) {},
            _ => text.push(letter),
        }
    }
    text
}

/// Breaks a line between words so that it fits; all lines but the first are indented.
fn wrapped(line: &str, indent: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (place, word) in line.split(' ').enumerate() {
        let width = visible(word).chars().count();
        if place > 0 && column + 1 + width > COLUMNS {
            let _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if place > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text
}

fn write(folder: &Path, name: &str, text: &str, mode: u32) -> Result<(), Trouble> {
    let path = folder.join(name);
    let permissions = fs::Permissions::from_mode(mode);
    fs::write(&path, text)
        .and_then(|()| fs::set_permissions(&path, permissions))
        .map_err(|source| Trouble::Write { path, source })
}

/// Makes orders, one of which is for a negative number of pieces.
fn orders() -> String {
    let mut text =
        format!("{{\n  \"shop\": \"corner\",\n  \"count\": {ORDERS},\n  \"orders\": [\n");
    for number in 0..ORDERS {
        let customer = ["Ada", "Bo", "Cy", "Di", "Eve"][number as usize * 3 % 5];
        let town = ["Ulm", "Bonn", "Graz"][number as usize % 3];
        let pieces = if number == 26 { "-3".into() } else { (number * 7 % 9 + 1).to_string() };
        let comma = if number + 1 < ORDERS { "," } else { "" };
        let _ = writeln!(
            text,
            r#"    {{"customer": "{customer}", "town": "{town}", "pieces": {pieces}}}{comma}"#
        );
    }
    text + "  ]\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let line = "proved     ".to_owned() + &"word ".repeat(20);
        for line in wrapped(&line, LABEL).lines() {
            assert!(line.chars().count() <= COLUMNS, "{line}");
        }
        assert_eq!(wrapped("short", 3), "short");
        assert_eq!(visible("\u{1b}[1mname\u{1b}[0m text"), "name text");
    }
}
