//! Output on terminals and in pipes, colours, help, man pages, completions, the demo.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use support::{WHODUNIT, World, needs, numbered};

fn world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(200, &[(3, "needle"), (90, "noodle")]));
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    world
}

/// Runs a command with a terminal as its standard error, and returns the terminal's input.
fn on_terminal(command: &mut Command) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let other = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let size = rustix::termios::Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&other, size).unwrap();
    let mut child =
        command.env("TERM", "xterm").stdout(Stdio::null()).stderr(other).spawn().unwrap();
    // The command keeps the terminal open on this side.
    command.stderr(Stdio::null());
    let mut seen = Vec::new();
    // After the last writer has ended, reading is an error.
    let _ = File::from(terminal).read_to_end(&mut seen);
    child.wait().unwrap();
    String::from_utf8_lossy(&seen).into_owned()
}

#[test]
fn on_a_terminal_there_is_a_display() {
    let world = world();
    world.script("t.sh", "sleep 0.02; grep -q needle in.txt && grep -q noodle in.txt");
    let mut command = world.command(WHODUNIT);
    let seen =
        on_terminal(command.args("reduce in.txt --level lines -j2 --test ./t.sh".split(' ')));
    let size = world.read("in.txt").len();
    assert!(seen.contains(&format!(" of {size} bytes (")), "{seen}");
    for part in [" tests, ", " remembered, ", " ran ahead", "trying ", " of 2 busy, ", " tests/s, "]
    {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    assert!(seen.contains("last improvement "), "{seen}");
    assert!(seen.contains("\u{1b}["), "{seen}");
    assert!(!seen.contains(" tests)"), "lines are for pipes: {seen}");
}

#[test]
fn on_a_terminal_the_display_of_changes_counts_them() {
    let world = World::new();
    world.write("old/in.txt", numbered(40, &[]));
    let all: Vec<(usize, &str)> = (0..40).map(|number| (number, "other")).collect();
    world.write("new/in.txt", numbered(40, &all));
    world.script("t.sh", "sleep 0.02; grep -q 'number 7$' in.txt");
    let mut command = world.command(WHODUNIT);
    let seen = on_terminal(command.args("changes old new -j2 -- ./t.sh".split(' ')));
    for part in ["looking for the changes that cause the failure: ", " changes left  ", "trying "] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
}

#[test]
fn without_a_terminal_there_is_a_line_for_each_improvement() {
    let world = world();
    let ran = world.line("reduce in.txt --level lines --test ./t.sh");
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'), "{}", ran.stderr);
    let improvements: Vec<&str> =
        ran.stderr.lines().filter(|line| line.ends_with(" tests)")).collect();
    assert_eq!(improvements.last().unwrap().split_once("  (after ").unwrap().0, "14 bytes");
    let sizes: Vec<u64> = improvements
        .iter()
        .map(|line| line.split_once(" bytes").unwrap().0.parse().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|one, next| one > next), "{sizes:?}");
    let lines = ran.stderr.lines().filter(|line| !line.starts_with("warning:"));
    let mut lines = lines.take(2);
    assert_eq!(lines.next(), Some("failure: the test exits with 0"));
    assert!(lines.next().unwrap().starts_with("limits: "));
}

#[test]
fn as_root_there_is_a_warning_unless_there_is_a_sandbox() {
    let is_root = rustix::process::geteuid().is_root();
    let warning = "warning: tests run as root: mutated programs and failing compilers can delete \
                   what they are pointed at, devices included (--sandbox protects; this is said once)\n";
    let world = world();
    let ran = world.line("reduce in.txt --level lines --test ./t.sh");
    assert_eq!(ran.stderr.contains(warning), is_root, "{}", ran.stderr);
    let ran = world.line("reduce in.txt --level lines --sandbox --test ./t.sh");
    assert!(!ran.stderr.contains("as root"), "{}", ran.stderr);
}

#[test]
fn quiet_is_quiet() {
    let ran = world().line("reduce in.txt -q --test ./t.sh");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn data_goes_to_standard_output_and_nothing_else() {
    let world = world();
    let ran = world.line("reduce in.txt --json --test ./t.sh");
    assert!(serde_json::from_str::<serde_json::Value>(&ran.stdout).is_ok(), "{}", ran.stdout);
    assert!(ran.stderr.contains("\nproved     "), "{}", ran.stderr);
    let ran = world.line("reduce in.txt --events --test ./t.sh");
    for line in ran.stdout.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
    assert!(ran.stdout.starts_with("{\"event\":\"started\","));
}

#[test]
fn colours_are_for_terminals_and_can_be_turned_off() {
    let world = World::new();
    let mut command = world.command(WHODUNIT);
    let coloured = on_terminal(command.args(["resume", "nonsense"]));
    assert!(coloured.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "), "{coloured:?}");
    let mut command = world.command(WHODUNIT);
    let plain = on_terminal(command.args(["resume", "nonsense"]).env("NO_COLOR", "1"));
    assert!(plain.starts_with("error: there is no run"), "{plain:?}");
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn what_tests_print_does_not_reach_the_terminal_raw() {
    let world = World::new();
    world.write("in.txt", "x\n");
    world.script("t.sh", "printf 'error: \\033[2J\\007 gone\\n'; exit 3");
    let ran = world.line("reduce in.txt -- ./t.sh {}");
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stderr.contains('\u{7}'), "{}", ran.stderr);
    assert!(ran.stderr.contains(r"\u{1b}[NJ"), "{}", ran.stderr);
}

#[test]
fn the_help_teaches() {
    let world = World::new();
    let help = world.line("reduce --help").stdout;
    for part in [
        "whodunit reduce [OPTIONS] FILE... -- CMD [ARG]...",
        "Examples:",
        "whodunit reduce crash.c -- gcc -O2 -c {}",
        "Exit 0 means that the failure is there",
        "Exit codes:\n  0    found: ",
        "  130  interrupted",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    let long_line = help.lines().find(|line| line.chars().count() > 100);
    assert_eq!(long_line, None);
    assert_eq!(world.line("--version").stdout, format!("whodunit {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn man_pages_and_completions_come_from_the_flags() {
    let world = World::new();
    let page = world.line("man").stdout;
    assert!(page.contains(".TH whodunit 1"), "{page}");
    let page = world.line("man reduce").stdout;
    assert!(page.contains(".TH whodunit-reduce 1") && page.contains("fail\\-match"), "{page}");
    assert_eq!(world.line("man --dir pages").code, Some(0));
    for name in
        ["whodunit", "whodunit-reduce", "whodunit-resume", "whodunit-verify", "git-whodunit"]
    {
        let page = world.text(format!("pages/{name}.1"));
        for section in ["EXAMPLES", "FILES", "ENVIRONMENT", "SEE ALSO"] {
            let is_there = page.contains(&format!(".SH {section}"));
            assert!(
                is_there || name == "whodunit-verify" && section == "EXAMPLES",
                "{name}: {section}"
            );
        }
        assert!(!page.contains(".SH EXTRA"), "{name}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = world.line(&format!("completions {shell}"));
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("fail-match"), "{shell}");
    }
}

#[test]
fn nobody_listening_is_no_trouble() {
    let world = World::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran =
        world.command(WHODUNIT).args(["completions", "bash"]).stdout(writer).output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
}

/// Returns the examples of the demo.
fn examples(shown: &str) -> Vec<&str> {
    shown.split_inclusive("\n\n\n").collect()
}

#[test]
fn the_demo_shows_its_examples_and_leaves_nothing() {
    let world = World::new();
    let ran = world.line("demo");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
    for part in [
        "1. reduce: ",
        "$ head -n 6 orders.json\n{\n",
        "$ ./import.sh orders.json\npanic: fewer than no pieces\n",
        "$ cat orders.reduced.json\n{\"count\":1,\"orders\":[{\"pieces\":-3}]}\n",
        "Now on your own files:\n",
    ] {
        assert!(ran.stdout.contains(part), "`{part}` is not in\n{}", ran.stdout);
    }
    if needs("git") {
        for part in [
            "2. changes: ",
            "error: ten pieces cost 1000 instead of 900\n",
            "\"Say what the functions do\" (",
            "culprit    shop.sh:7  total\n",
            "+    if [ \"$2\" -gt \"$many\" ]; then\n",
            "3. history: ",
            "version    ",
        ] {
            assert!(ran.stdout.contains(part), "`{part}` is not in\n{}", ran.stdout);
        }
        assert_eq!(ran.stdout.matches("\nproved     ").count(), 3, "{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("not proved"), "{}", ran.stdout);
    assert_eq!(world.runs(), Vec::<String>::new());
    assert_eq!(world.names(), Vec::<String>::new());
}

#[test]
fn each_example_of_the_demo_fits_a_small_terminal() {
    let shown = World::new().line("demo").stdout;
    for example in examples(&shown) {
        assert!(
            example.trim_end().lines().count() <= 23,
            "with the line that asks for a key:\n{example}"
        );
        let wide = example.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{example}");
    }
}

#[test]
fn the_demo_does_without_git() {
    let world = World::new();
    let tools = world.path("tools");
    std::fs::create_dir(&tools).unwrap();
    for tool in ["sh", "awk", "head", "cat"] {
        std::os::unix::fs::symlink(format!("/usr/bin/{tool}"), tools.join(tool)).unwrap();
    }
    let ran = world.finish(world.command(WHODUNIT).arg("demo").env("PATH", &tools));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("There is no git here"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("also changes, history\n"), "{}", ran.stdout);
}
