//! README and manual show what the program really does.
//!
//! Every block of a page that is marked `console` is run in a folder of its own. The line
//! `<!-- case: NAME -->` before it names the script in `docs/manual/cases` that first lays out files and
//! histories there; without it, commands run in the root of the project. The text below a command has to
//! be what the command prints: `[..]` stands for any text within a line, a line `...` for any lines.
//! Without a text only the exit code counts, which must be 0.
//!
//! `trycmd` cannot do this: a block needs a repository with a history, paths of the temporary folder have
//! to be replaced, and commands end in comments for the reader.
//!
//! `WHODUNIT_DOCS=overwrite` writes the real output into the pages, without `[..]` and `...`.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::fs;

use support::shown::{fits, root, shell};
use support::{Ran, World, needs};

/// One command of a page and the text shown below it.
struct Shown {
    command: String,
    output: Vec<String>,
}

/// A block of commands that run one after the other in the same folder.
struct Block {
    case: Option<String>,
    shown: Vec<Shown>,
}

/// A part of a page: text as it is, or a block that is run.
enum Part {
    Text(String),
    Block(Block),
}

fn parts(page: &str) -> Vec<Part> {
    let (mut parts, mut case) = (Vec::new(), None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        parts.push(Part::Text(format!("{line}\n")));
        let named = line.strip_prefix("<!-- case: ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(name) = named {
            case = Some(name.to_owned());
        }
        if line != "```console" {
            continue;
        }
        let mut shown: Vec<Shown> = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => shown.push(Shown { command: command.into(), output: vec![] }),
                (None, Some(last)) => last.output.push(line.into()),
                (None, None) => panic!("a block begins with a command, not with `{line}`"),
            }
        }
        parts.push(Part::Block(Block { case: case.take(), shown }));
        parts.push(Part::Text("```\n".into()));
    }
    parts
}

impl Block {
    /// Runs the block and returns the output of each command; `None` if a program that it needs is
    /// missing.
    fn run(&self) -> Option<Vec<Ran>> {
        let world = World::new();
        let folder = world.path("app");
        fs::create_dir(&folder).unwrap();
        if let Some(case) = &self.case {
            let path = root().join("docs/manual/cases").join(format!("{case}.sh"));
            let script = fs::read_to_string(&path).unwrap();
            let programs = script.lines().next().and_then(|line| line.strip_prefix("# needs: "));
            if !programs.expect("the first line says what it needs").split(' ').all(needs) {
                return None;
            }
            let ran = world.finish(shell(&world, &folder).arg(path));
            assert_eq!(ran.code, Some(0), "{case}: {}{}", ran.stdout, ran.stderr);
        }
        let folder = if self.case.is_some() { folder } else { root() };
        let run = |shown: &Shown| {
            let ran = world.finish(shell(&world, &folder).args(["-c", &shown.command]));
            assert_eq!(ran.code, Some(0), "{}: {}{}", shown.command, ran.stdout, ran.stderr);
            let (state, here) = (world.beside("state"), world.path("app"));
            let stdout = ran.stdout.replace(state.to_str().unwrap(), "~/.local/state");
            Ran { stdout: stdout.replace(here.to_str().unwrap(), "~/app"), ..ran }
        };
        Some(self.shown.iter().map(run).collect())
    }
}

/// Runs all blocks of a page, and compares.
fn check(page: &str) {
    let overwrite = std::env::var_os("WHODUNIT_DOCS").is_some_and(|value| value == "overwrite");
    let path = root().join(page);
    let (mut written, mut wrong) = (String::new(), String::new());
    for part in parts(&fs::read_to_string(&path).unwrap()) {
        let block = match part {
            Part::Text(text) => {
                written.push_str(&text);
                continue;
            }
            Part::Block(block) => block,
        };
        let Some(ran) = block.run() else { return };
        for (shown, ran) in block.shown.iter().zip(ran) {
            let lines: Vec<&str> = ran.stdout.lines().collect();
            let is_so = shown.output.is_empty() || fits(&shown.output, &lines);
            let output = if is_so { shown.output.join("\n") } else { lines.join("\n") };
            written.push_str(&format!("$ {}\n{output}", shown.command));
            written.push_str(if output.is_empty() { "" } else { "\n" });
            if !is_so {
                let expected = shown.output.join("\n");
                wrong.push_str(&format!(
                    "$ {}\n{output}\ninstead of\n{expected}\n\n",
                    shown.command
                ));
            }
        }
    }
    if overwrite {
        fs::write(&path, written).unwrap();
    } else {
        assert_eq!(wrong, "", "{page} is wrong");
    }
}

macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $name() {
            check($page);
        })*
    };
}

pages! {
    the_readme_is_true: "README.md",
    the_page_on_answers_is_true: "docs/manual/answer.md",
    the_page_for_users_of_other_tools_is_true: "docs/manual/coming-from.md",
    the_page_on_tests_is_true: "docs/manual/test.md",
    the_page_on_trouble_is_true: "docs/manual/troubleshooting.md",
    the_page_on_atomic_changes_is_true: "docs/manual/atoms.md",
    the_page_on_changes_is_true: "docs/manual/changes.md",
    the_page_on_flaky_tests_is_true: "docs/manual/flaky.md",
    the_page_on_grammars_is_true: "docs/manual/grammar.md",
    the_page_on_histories_is_true: "docs/manual/history.md",
    the_page_on_reducing_is_true: "docs/manual/reduce.md",
}

#[test]
fn every_page_is_run() {
    let entries = fs::read_dir(root().join("docs/manual")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    for name in names.filter(|name| name.ends_with(".md")) {
        assert!(PAGES.contains(&&*format!("docs/manual/{name}")), "{name} is not run");
    }
}

/// Returns the cells of a row of a table.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn measured_numbers_of_the_readme_are_those_of_the_table() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let table = fs::read_to_string(root().join("bench/tables/reduce.md")).unwrap();
    let measured = |case: &str, tool: &str| {
        let rows = table.lines().filter(|row| row.starts_with('|')).map(cells);
        rows.into_iter().find(|row| row[0] == case && row[1].starts_with(tool)).unwrap()
    };
    let grouped = |bytes: &str| {
        let digits = bytes.len();
        let comma =
            |place: usize| if place > 0 && (digits - place).is_multiple_of(3) { "," } else { "" };
        let digit = |(place, digit): (usize, char)| format!("{}{digit}", comma(place));
        bytes.chars().enumerate().map(digit).collect::<String>()
    };
    let rows = readme.split_once("<!-- measured: bench/tables/reduce.md -->\n").unwrap().1;
    let rows: Vec<&str> = rows.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    assert!(rows.len() > 3);
    for row in rows {
        let row = cells(row);
        let case = row[0];
        assert_eq!(row[1], grouped(measured(case, "input")[5]), "{case}");
        for (shown, tool) in row[2..].iter().zip(["whodunit", "cvise", "shrinkray"]) {
            let measured = measured(case, tool);
            let seconds: f64 = measured[7].parse().unwrap();
            let stopped = if measured[9] == "capped" { " (stopped)" } else { "" };
            let expected = format!("{} in {seconds:.0} s{stopped}", grouped(measured[5]));
            assert_eq!(*shown, expected, "{case}, {tool}");
        }
    }
}

#[test]
fn the_share_of_faults_that_are_found_is_that_of_the_table() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let table = fs::read_to_string(root().join("bench/tables/seeded.md")).unwrap();
    let all = cells(table.lines().find(|row| row.starts_with("| all |")).unwrap());
    let count = |cell: &str| cell.split(' ').next().unwrap().to_owned();
    let (cases, found, hunk) = (count(all[1]), count(all[4]), count(all[5]));
    let lines = readme.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    assert!(lines.contains(&format!("of {cases} faults that were put into newer releases of packages, `changes` names the line in {found} and its hunk in {hunk} (")));
}
