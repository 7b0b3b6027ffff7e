//! `whodunit demo`: the main job on three small examples, in a folder of its own.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use clap::Parser;
use whodunit_exec::quote;
use whodunit_exec::scratch::Scratch;
use whodunit_jobs::reduce::Answer;
use whodunit_run::{Ended, Stop};

use crate::args::{Command, Typed};
use crate::exit::Exit;
use crate::output::{self, STRONG};
use crate::plan::{self, Environment, OutputPlan};
use crate::report;
use crate::session::{Before, Session};
use crate::signals;
use crate::trouble::Trouble;

const PROGRAM: &str = include_str!("../demo/inventory.c");
const IMPORTER: &str = include_str!("../demo/import.sh");
const SCRIPT: &str = include_str!("../demo/still-locked.sh");

/// More than enough for all examples.
const ROOM: u64 = 16 << 20;
const ORDERS: u32 = 40;
const LOG_LINES: u32 = 3000;

pub(super) fn run() -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    // Like the folders of tests: gone at the end, or with the next run if this one is killed.
    let folder = Scratch::create(environment.scratch(), ROOM)?;
    let environment = environment.confined_to(folder.folder());
    let output = OutputPlan { json: false, events: None, quiet: false };
    let stop = Stop::default();
    signals::listen(&stop).map_err(Trouble::Signals)?;
    let demo = Demo { session: Session { environment: &environment, output: &output, stop } };
    if environment.has_program("cc") {
        let ended = demo.failing_program()?;
        if ended != Ended::Done {
            return Ok(ended.into());
        }
    } else {
        output::data("There is no C compiler (cc), so the first example is left out.\n\n")?;
    }
    let ended = demo.refused_orders()?;
    if ended != Ended::Done {
        return Ok(ended.into());
    }
    Ok(demo.odd_log()?.into())
}

struct Demo<'a> {
    session: Session<'a>,
}

impl Demo<'_> {
    fn failing_program(&self) -> Result<Ended, Trouble> {
        self.write("inventory.c", PROGRAM, 0o644)?;
        let lines = PROGRAM.lines().count();
        let words = [
            "reduce",
            "inventory.c",
            "--certify",
            "none",
            "--",
            "sh",
            "-c",
            r#"cc -w -o prog "$1" && exec ./prog"#,
            "sh",
            "{}",
        ];
        let title = format!("1. A C program of {lines} lines dies of a failed assertion. Why?");
        let answer = self.example(&title, &words)?;
        if answer.ended == Ended::Done {
            output::data(
                "This is enough: nobody makes sure that there is anything to average. The first run \
                 taught what\nthe failure looks like; candidates that do not compile or fail \
                 otherwise were not followed.\nWithout --certify none it would go on to prove that \
                 nothing more can go, as below.\n\n",
            )?;
        }
        Ok(answer.ended)
    }

    fn refused_orders(&self) -> Result<Ended, Trouble> {
        self.write("orders.json", &orders(), 0o644)?;
        self.write("import.sh", IMPORTER, 0o755)?;
        let words = ["reduce", "orders.json", "--", "./import.sh", "{}"];
        let title = format!(
            "2. One of {ORDERS} orders makes an importer panic. It insists on JSON, and on the \
             right count."
        );
        let answer = self.example(&title, &words)?;
        if answer.ended == Ended::Done {
            output::data(
                "One order is left, and the count has followed. The grammar of JSON told what can \
                 go and still\nbe JSON, so that few tests were lost to syntax errors.\n\n",
            )?;
        }
        Ok(answer.ended)
    }

    fn odd_log(&self) -> Result<Ended, Trouble> {
        let log = log();
        self.write("service.log", &log, 0o644)?;
        self.write("still-locked.sh", SCRIPT, 0o755)?;
        let words = ["reduce", "service.log", "--level", "lines", "--test", "./still-locked.sh"];
        let title = format!(
            "3. Somewhere in a log of {LOG_LINES} lines a lock is taken twice. A script says \
             whether it is so."
        );
        let answer = self.example(&title, &words)?;
        if answer.ended == Ended::Done {
            output::data(
                "Two lines are left. The script is asked about ever smaller parts of the log; \
                 exit 0 means that\nthe failure is there, as for creduce and its relatives.\n",
            )?;
        }
        Ok(answer.ended)
    }

    /// Does what the line says, as if it had been typed, and shows what is left.
    fn example(&self, title: &str, words: &[&str]) -> Result<Answer, Trouble> {
        let line = words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ");
        output::data(&format!("{STRONG}{title}{STRONG:#}\n$ whodunit {line}\n"))?;
        let typed = Typed::parse_from(std::iter::once(&"whodunit").chain(words));
        let Command::Reduce(args) = typed.command else { unreachable!("the lines say reduce") };
        let environment = self.session.environment;
        let settings = plan::reduce(*args, &environment.folder)?;
        let journal = environment.runs().create(&super::reduce::stem(&settings))?;
        let answer = self.session.carry_out(settings, journal, Before::default())?;
        output::data(&report::answer(&answer))?;
        output::data(&contents(&answer))?;
        Ok(answer)
    }

    fn write(&self, name: &str, text: &str, mode: u32) -> Result<(), Trouble> {
        let path = self.session.environment.folder.join(name);
        let permissions = fs::Permissions::from_mode(mode);
        fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, permissions))
            .map_err(|source| Trouble::Write { path, source })
    }
}

/// Returns the result itself.
fn contents(answer: &Answer) -> String {
    let mut text = String::new();
    for path in answer.files.iter().filter_map(|file| file.path.as_ref()) {
        let name = path.as_path().file_name().unwrap_or_default().display();
        let _ = writeln!(text, "\n$ cat {name}");
        let bytes = fs::read(path.as_path()).unwrap_or_default();
        let _ = writeln!(text, "{}\n", output::plain(&String::from_utf8_lossy(&bytes)).trim_end());
    }
    text
}

/// Makes orders of which one is for fewer than no pieces.
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

/// Makes a log in which one lock is taken twice.
fn log() -> String {
    let mut text = String::new();
    for number in 0..LOG_LINES {
        let (minute, second) = (number / 60 % 60, number % 60);
        let worker = number * 7 % 13;
        let _ = match (number, number % 5) {
            (1234, _) => writeln!(text, "09:{minute:02}:{second:02} worker-3 take lock orders"),
            (2345, _) => writeln!(text, "09:{minute:02}:{second:02} worker-8 take lock orders"),
            (_, 0) => {
                writeln!(text, "09:{minute:02}:{second:02} worker-{worker} take lock {number}")
            }
            (_, 1) => {
                let lock = number - 1;
                writeln!(text, "09:{minute:02}:{second:02} worker-{worker} give lock {lock}")
            }
            _ => writeln!(text, "09:{minute:02}:{second:02} worker-{worker} served in {worker} ms"),
        };
    }
    text
}
