//! Names, titles and output of others have no effect where they are printed.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use support::{Ran, World, has_git, numbered};

/// A name that clears the screen, reverses the line and begins a row of its own.
const NAME: &str = "z\u{1b}[2J\u{202e}\nproved     all of it\ncommit     0000000 \"innocent\"";

/// Fails if a character of a text acts on a terminal, or a name has begun a row.
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
    // An error names it too.
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

/// Text of others with all kinds of acting characters: escapes, C1, marks of direction, zero
/// width.
const ACTS: &str = "\u{1b}]0;x\u{7}\u{9b}31m\u{202a}\u{202e}\u{2066}\u{2069}\u{200b}\u{feff}z";

/// Whether a character does something on a terminal beyond breaking lines.
fn acts(char: char) -> bool {
    matches!(char, '\u{200b}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || char.is_control() && !matches!(char, '\n' | '\t')
}

/// Fails if a character acts in our output, be it a report, a page or an error.
fn check_all(from: &str, text: &str) {
    assert!(!text.chars().any(acts), "{from}: {text:?}");
}

/// Fails if a text is not JSON, line by line, or if a character in it acts.
fn check_json(from: &str, text: &str) {
    assert!(!text.chars().any(|char| acts(char) || char == '\t'), "{from}: {text:?}");
    let values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let values: Vec<serde_json::Value> = values.collect::<Result<_, _>>().unwrap();
    assert!(!values.is_empty(), "{from}");
}

/// Runs a job, and checks every form in which its run can be shown.
fn check_forms(world: &World, args: &[&str], test: &[&str], pages: &[&str]) {
    let run = |more: &[&str]| {
        world.run(args.iter().chain(more).chain(&["--"]).chain(test).copied().collect::<Vec<_>>())
    };
    let ran = run(pages);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    check_all("report", &ran.stdout);
    check_all("progress", &ran.stderr);
    for page in pages.iter().filter(|page| page.starts_with("..")) {
        let text = world.text(page);
        if page.ends_with("sarif") { check_json(page, &text) } else { check_all(page, &text) }
    }
    for line in ["show", "show --list", "report --out ../page.html"] {
        let ran = world.line(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        check_all(line, &ran.stdout);
        check_all(line, &ran.stderr);
    }
    check_all("page", &world.text("../page.html"));
    check_json("events", &world.line("show --events").stdout);
    let ran = run(&["--json", "--events=../events"]);
    check_json("answer", &ran.stdout);
    check_json("events in a file", &world.text("../events"));
    world.write("../answer.json", &ran.stdout);
    let ran = world.line("verify ../answer.json");
    check_all("verify", &ran.stdout);
    check_all("verify", &ran.stderr);
    // An error names the same things.
    let ran = world.run(args.iter().chain(&["--", "true"]).copied().collect::<Vec<_>>());
    check_all("error", &ran.stderr);
}

#[test]
fn nothing_acts_in_any_form_of_a_reduction() {
    let world = World::new();
    let name = format!("in{ACTS}.txt");
    world.write(&name, numbered(6, &[(3, "needle")]));
    world.script(
        "../t.sh",
        &format!("grep -q needle \"$1\" && printf 'error: {ACTS}\\n' && exit 1"),
    );
    check_forms(&world, &["reduce", &name], &["../t.sh", "{}"], &[]);
}

#[test]
fn nothing_acts_in_any_form_of_a_hunt() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    let name = format!("a{ACTS}.txt");
    for (place, text) in
        ["one\n", "one\ntwo\n", "one\nbug\n", "one\nbug\nmore\n"].iter().enumerate()
    {
        world.write(&name, text);
        world.git("add -A");
        let (author, title) = (format!("user.name=J{ACTS}"), format!("title {place} {ACTS}"));
        let mut commit = world.command("git");
        commit.args([
            "-c",
            &author,
            "-c",
            "user.email=j@example.com",
            "commit",
            "-q",
            "-m",
            &title,
        ]);
        assert_eq!(world.finish(&mut commit).code, Some(0));
    }
    let branch = "b\u{202e}\u{2066}x";
    assert_eq!(world.finish(world.command("git").args(["branch", branch])).code, Some(0));
    world.script(
        "../t.sh",
        &format!("! grep -q bug a* || {{ printf 'error: {ACTS}\\n'; exit 1; }}"),
    );
    let pages = ["--markdown", "../o.md", "--sarif", "../o.sarif"];
    check_forms(&world, &["changes", "HEAD~3", branch], &["../t.sh"], &pages);
    check_forms(&world, &["history"], &["../t.sh"], &pages);
}

#[test]
fn nothing_acts_in_any_list_of_atomic_changes() {
    let world = World::new();
    let name = format!("A{ACTS}.java");
    for (folder, body) in [("old", "return 1;"), ("new", "return 2;")] {
        let text = format!("class A {{ int f{ACTS}() {{ {body} }} int g() {{ {body} }} }}\n");
        world.write(format!("{folder}/{name}"), text);
    }
    for format in ["", "--json", "--dot", "--svg"] {
        let ran = world.line(&format!("atoms old new {format}"));
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.stderr);
        assert!(ran.stdout.contains('g'), "{format}: {}", ran.stdout);
        let check = if format == "--json" { check_json } else { check_all };
        check(format, &ran.stdout);
        check_all(format, &ran.stderr);
    }
}
