//! Names, titles and output of others do nothing where they are printed.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use support::{Ran, World, has_git, numbered};

/// A name that clears the screen, reverses the line and begins a row of its own.
const NAME: &str = "z\u{1b}[2J\u{202e}\nproved     all of it\ncommit     0000000 \"innocent\"";

/// Fails if something in a text acts on a terminal, or a name has begun a row.
fn check(text: &str) {
    let acts = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    assert!(!text.chars().any(|char| acts(char) || char == '\u{202e}'), "{text:?}");
    for forged in ["\nproved     all of it", "\ncommit     0000000"] {
        assert!(!text.contains(forged), "{text}");
    }
}

fn check_both(ran: &Ran) {
    check(&ran.stdout);
    check(&ran.stderr);
}

#[test]
fn the_name_of_an_input_is_inert() {
    let world = World::new();
    world.write(NAME, numbered(6, &[(3, "needle")]));
    let args = ["reduce", NAME, "--level", "lines", "--fail-exit", "0", "--", "grep", "-q"];
    let ran = world.run(args.into_iter().chain(["needle", "{}"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    check_both(&ran);
    check_both(&world.line("show"));
    // An error names it as well.
    let ran = world.run(["reduce", NAME, "--", "true", "{}"]);
    assert_eq!(ran.code, Some(2));
    check_both(&ran);
}

#[test]
fn names_and_titles_of_changes_are_inert_on_the_terminal_and_in_pages() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write(NAME, "one\n");
    world.commit("first");
    world.write(NAME, "one\nbug\n");
    world.git("add -A");
    let title =
        "[click](http://evil.example) \u{202e}\u{1b}]0;x\u{7} https://evil.example www.evil";
    let mut commit = world.command("git");
    let user = ["-c", "user.name=J", "-c", "user.email=j@example.com", "commit", "-q", "-m", title];
    assert_eq!(world.finish(commit.args(user)).code, Some(0));
    world.script("../t.sh", "! grep -q bug z*");
    let ran = world.line("changes HEAD~1 HEAD --markdown ../o.md --sarif ../o.sarif -- ../t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    check_both(&ran);
    let page = world.text("../o.md");
    check(&page);
    assert!(!page.contains("https://evil") && !page.contains("[click]"), "{page}");
    let sarif = world.text("../o.sarif");
    assert!(!sarif.contains("[click]"), "{sarif}");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    check(sarif["runs"][0]["results"][0]["message"]["text"].as_str().unwrap());
}
