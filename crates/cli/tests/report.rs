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
    // Cut off in the middle of a line.
    fs::write(&journal, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(world.line("report").code, Some(0));
    let page = world.text("reduce-in.txt-1.html");
    check_well_formed(&page);
    let said = "The run is unfinished: its journal ends before the search does. \
                To continue: <code>whodunit resume reduce-in.txt-1</code>";
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

/// Returns the part of a page about the answer, which comes before the run and the search.
fn answer_of(page: &str) -> &str {
    let begins =
        page.find("<section class=\"answer\">").unwrap_or_else(|| panic!("no answer: {page}"));
    let ends = page.find("</section>").unwrap();
    for heading in ["<h2>The run</h2>", "<h2>The search</h2>"] {
        assert!(page.find(heading).unwrap() > ends, "{heading} comes first");
    }
    &page[begins..ends]
}

#[test]
fn a_page_about_an_input_begins_with_the_result_and_its_proof() {
    let world = world();
    let page = world.line("report -o -").stdout;
    check_well_formed(&page);
    let answer = answer_of(&page);
    for part in [
        "<code>needlenoodle</code></pre>",
        "<caption>proved</caption>",
        "fails again in a clean folder",
    ] {
        assert!(answer.contains(part), "`{part}` is not in\n{answer}");
    }
    // A file that somebody else wrote there is not shown as the result.
    world.write("in.reduced.txt", "FOREIGN WORDS\n");
    let page = world.line("report -o -").stdout;
    assert!(!page.contains("FOREIGN WORDS"), "{page}");
    assert!(answer_of(&page).contains("no longer the same"), "{page}");
}

#[test]
fn a_page_about_changes_begins_with_the_patch_and_its_proof() {
    let world = World::new();
    world.write("old/a.py", "def price(count):\n    return count * 2\n");
    world.write("new/a.py", "def price(count):\n    return count * 3 # <b>\n");
    let ran = world.line("changes old new -q -- grep -q 2 a.py");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = world.line("report -o -").stdout;
    check_well_formed(&page);
    let answer = answer_of(&page);
    for part in [
        "<code>a.py:2</code> in <code>price</code>",
        "<span class=\"removed\">-    return count * 2</span>",
        "<span class=\"added\">+    return count * 3 # &lt;b&gt;</span>",
        "<td>old + culprit</td><td class=\"says-fail\">fails</td>",
        "<td>new − fix</td><td class=\"says-pass\">passes</td>",
        "each change is needed",
    ] {
        assert!(answer.contains(part), "`{part}` is not in\n{answer}");
    }
}

#[test]
fn a_page_can_be_read_by_keyboard_and_by_ear() {
    let world = world();
    let page = world.line("report -o -").stdout;
    assert!(page.contains("<html lang=\"en\">") && page.contains("name=\"viewport\""), "{page}");
    assert_eq!(page.matches("<h1>").count(), 1);
    assert_eq!(page.matches("<main>").count(), 1);
    assert_eq!(page.matches("<h3").count(), 0, "no heading is skipped");
    for svg in page.match_indices("<svg ").map(|(place, _)| &page[place..]) {
        let tag = &svg[..svg.find('>').unwrap()];
        assert!(tag.contains("role=") && tag.contains("aria-label="), "{tag}");
    }
    // Scrollable parts can be reached without a mouse.
    for pre in page.match_indices("<pre").map(|(place, _)| &page[place..]) {
        assert!(pre[..pre.find('>').unwrap()].contains("tabindex=\"0\""), "{pre}");
    }
}
