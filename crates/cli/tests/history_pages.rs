//! The answer of `history` as SARIF and as Markdown.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, has_git, numbered};

/// Returns a world of twelve versions, the sixth of which is the first that is wrong; the test is
/// part of the last three, with a file that it reads.
fn history() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..12 {
        let harmless = format!("harmless {version}");
        let mut replaced = vec![(2, harmless.as_str())];
        if version >= 5 {
            replaced.push((20, "wrong"));
        }
        world.write("a.txt", numbered(30, &replaced));
        if version >= 9 {
            world.script("probe.sh", "! grep -q \"$(cat word)\" a.txt");
            world.write("word", "wrong\n");
        }
        world.commit(&format!("commit_{version}"));
    }
    world
}

/// Runs the script of the version: a script named as the first word would be used in its current
/// form.
const TEST: &str = "./probe.sh";

fn check(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "`{text}` is not in\n{page}");
    }
}

#[test]
fn the_page_for_a_bug_report_has_the_version_its_lines_and_all_patches() {
    if !has_git() {
        return;
    }
    let world = history();
    let ran = world.run([
        "history",
        "--also",
        "true",
        "--markdown",
        "../x.md",
        "--sarif",
        "../x.sarif",
        "--",
        "sh",
        "-c",
        TEST,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = world.text("../x.md");
    check(
        &page,
        &[
            "## Which version made it fail\n",
            "`sh -c ./probe.sh` fails in `",
            "- Version: ",
            "\"commit\\_5\" (J. Doe, 2026-03-02), 6 back of 12 versions\n",
            "- Before it: ",
            "- 1 change in 1 file\n",
            "| `a.txt:21` |",
            "+ back-port + culprit: fails",
            " + back-port` fail:\n\n```diff\n",
            "### The fix on the newest version\n",
            "Note that it explains the failure; it is not a repair; the newest version with it passes: 2 changed",
            "\n\nProved: ",
            "A wider suite: the same without the fix and with it",
            "### The back-port\n",
            "This patch lets the test run in `",
            "+! grep -q \"$(cat word)\" a.txt\n",
            "### The way through the versions\n",
            "| version | back | result |\n",
            "| 3 | ",
            "### Versions that cannot be tested\n",
            "(made testable with the back-port)\n",
            "### How to reproduce\n\n```sh\nwhodunit history --also true -- sh -c ./probe.sh\n",
        ],
    );
    let sarif: Value = serde_json::from_str(&world.text("../x.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a.txt");
    assert_eq!(location["region"]["startLine"], 21);
    let said = results[0]["message"]["text"].as_str().unwrap();
    check(said, &["`sh -c ./probe.sh` fails", "It came with ", "\"commit_5\""]);
}

#[test]
fn pages_can_be_had_later_and_are_the_same() {
    if !has_git() {
        return;
    }
    let world = history();
    let ran = world.run(["history", "--markdown", "../x.md", "--", "sh", "-c", TEST]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.line("show --markdown ../y.md --sarif ../y.sarif").code, Some(0));
    assert_eq!(world.text("../y.md"), world.text("../x.md"));
    let resumed = world.line("resume history-work-1 --markdown ../z.md --sarif ../z.sarif");
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(world.text("../z.md"), world.text("../x.md"));
    assert_eq!(world.text("../z.sarif"), world.text("../y.sarif"));
}

#[test]
fn pages_of_a_run_without_a_culprit_say_so() {
    if !has_git() {
        return;
    }
    let world = history();
    world.script("../test.sh", "grep -q nothing a.txt");
    let ran = world.line("history --markdown ../x.md --sarif ../x.sarif -- ../test.sh");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    let page = world.text("../x.md");
    check(&page, &["- Answer: not a regression within 12 versions\n", "- Oldest: "]);
    assert!(!page.contains("### The fix"), "{page}");
    let sarif: Value = serde_json::from_str(&world.text("../x.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn the_page_of_an_unfinished_run_says_why() {
    if !has_git() {
        return;
    }
    let world = history();
    let args = ["history", "--max-tests", "2", "--markdown", "../x.md", "--", "sh", "-c", TEST];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    check(
        &world.text("../x.md"),
        &["- Answer: none yet, because the number of tests is used up\n"],
    );
}
