//! The page that draws the search of a run.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::io::Write;

use support::{World, numbered};
use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse;

const RUN: &str = "reduce-in.txt-1";

/// A world with a finished run.
fn world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(60, &[(7, "needle"), (40, "noodle")]));
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    let ran = world.line("reduce in.txt --test ./t.sh -j2 -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world
}

fn check_well_formed(page: &str) {
    let xml = Language::by_name("xml").unwrap();
    assert!(parse::parses(&xml, page.as_bytes()), "{page}");
}

#[test]
fn a_run_is_drawn_with_a_mark_for_each_test() {
    let world = world();
    let ran = world.line("report");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, "report     reduce-in.txt-1.html\n");
    let page = world.text("reduce-in.txt-1.html");
    check_well_formed(&page);
    let events = world.line("show --events").stdout;
    let asked = |source: &str| events.matches(&format!("\"source\":\"{source}\"")).count();
    assert!(asked("committed") > 10);
    let marks = page.matches("<title>test ").count();
    assert_eq!(marks, asked("committed") + asked("cached"));
    assert!(page.contains("<p class=\"state\">The run is finished.</p>"));
    for foreign in ["<script", "http:", "https:", "url(", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes_wherever_they_go() {
    let world = world();
    assert_eq!(world.line(&format!("report {RUN} --out a.html")).code, Some(0));
    let printed = world.line("report -o -");
    assert_eq!(printed.stdout, world.text("a.html"));
}

#[test]
fn a_journal_that_was_cut_off_is_said_to_be_unfinished() {
    let world = world();
    let journal = world.journal(RUN);
    let bytes = fs::read(&journal).unwrap();
    // In the middle of a line.
    fs::write(&journal, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(world.line("report").code, Some(0));
    let page = world.text("reduce-in.txt-1.html");
    check_well_formed(&page);
    let said = "The run is unfinished: its journal ends before the search does. \
                To go on: <code>whodunit resume reduce-in.txt-1</code>";
    assert!(page.contains(said), "{page}");
    assert!(page.contains("<title>test 1: "), "{page}");
}

#[test]
fn a_journal_without_a_beginning_is_no_run() {
    let world = world();
    let journal = world.journal(RUN);
    let text = fs::read_to_string(&journal).unwrap();
    let header = text.lines().next().unwrap();
    writeln!(fs::File::create(&journal).unwrap(), "{header}").unwrap();
    let ran = world.line(&format!("report {RUN}"));
    assert_eq!(ran.code, Some(2));
    let said = "error: the journal of `reduce-in.txt-1` does not say what the run was about\n\
                hint: `whodunit show --list` lists the runs\n";
    assert_eq!(ran.stderr, said);
}

#[test]
fn a_run_that_is_not_there_is_not_drawn() {
    let world = World::new();
    let ran = world.line("report");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: there is no earlier run that was started from `"));
    let ran = world.line("report nobody-1");
    assert_eq!(ran.code, Some(2));
    let said = "error: there is no run named `nobody-1`\n\
                hint: `whodunit show --list` lists the runs\n";
    assert_eq!(ran.stderr, said);
    assert!(world.names().is_empty());
}

#[test]
fn a_report_that_cannot_be_written_is_trouble() {
    let world = world();
    for place in ["missing/a.html", "."] {
        let ran = world.line(&format!("report --out {place}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
        let begins = format!("error: cannot write the report to `{place}`\n  caused by: ");
        assert!(ran.stderr.starts_with(&begins), "{}", ran.stderr);
        assert!(ran.stderr.ends_with("hint: choose another place with --out\n"), "{}", ran.stderr);
    }
}

#[test]
fn pages_and_completions_know_the_command() {
    let world = World::new();
    assert!(world.line("man report").stdout.contains("What the page shows"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(world.line(&format!("completions {shell}")).stdout.contains("report"));
    }
}
