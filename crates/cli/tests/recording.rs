//! The picture on the first page is a recording of what the program prints today.
//!
//! `WHODUNIT_DOCS=overwrite` records it again. Times, and how many tests ran ahead, may differ from
//! run to run; everything else has to be as recorded.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::fmt::Write;
use std::fs;

use support::shown::{root, shell};
use support::{World, needs};

const PICTURE: &str = "docs/run.svg";

/// The typed commands.
const COMMANDS: [&str; 3] = [
    "whodunit reduce orders.json -- ./import.sh {}",
    "cat orders.reduced.json; echo",
    "whodunit changes v1.4 v1.5 --build make -- ./app --selftest",
];

/// Columns of text.
const WIDTH: usize = 108;
/// The lines about progress that are shown besides the last one.
const FIRST: usize = 2;
/// Pixels between two lines.
const LINE: usize = 18;
/// Columns of the labels of an answer.
const LABEL: usize = 11;

/// Whether a line is shown: nothing about this machine, and no more progress than fits.
fn is_shown(line: &str) -> bool {
    let left_out = ["warning: tests run as root", "limits: ", "run        ", "patches    "];
    !left_out.iter().any(|start| line.starts_with(start)) && !line.contains(".patches/")
}

/// Runs the commands and returns the lines that are shown.
fn record() -> Option<Vec<String>> {
    let world = World::new();
    let folder = world.path("app");
    fs::create_dir(&folder).unwrap();
    let case = root().join("docs/manual/cases/recording.sh");
    let script = fs::read_to_string(&case).unwrap();
    let programs = script.lines().next().unwrap().strip_prefix("# needs: ").unwrap();
    if !programs.split(' ').all(needs) {
        return None;
    }
    let ran = world.finish(shell(&world, &folder).arg(&case));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let mut lines = Vec::new();
    for command in COMMANDS {
        let ran = world.finish(shell(&world, &folder).args(["-c", command]));
        assert_eq!(ran.code, Some(0), "{command}: {}{}", ran.stdout, ran.stderr);
        lines.push(format!("$ {}", command.trim_end_matches("; echo")));
        let text = format!("{}{}", ran.stderr, ran.stdout)
            .replace(world.path("app/").to_str().unwrap(), "");
        let shown: Vec<&str> = text.lines().filter(|line| is_shown(line)).collect();
        let is_progress = |line: &&str| line.contains("  (after ");
        let progress = shown.iter().filter(|line| is_progress(line)).count();
        let mut seen = 0;
        for line in shown {
            if is_progress(&line) {
                seen += 1;
                if seen == FIRST + 1 && progress > FIRST + 1 {
                    lines.push("…".into());
                }
                if seen > FIRST && seen < progress {
                    continue;
                }
            }
            lines.extend(wrapped(line));
        }
        lines.push(String::new());
    }
    Some(lines)
}

/// Breaks a line between words if it is too long.
fn wrapped(line: &str) -> Vec<String> {
    let (mut lines, mut last) = (Vec::new(), String::new());
    for (place, word) in line.split(' ').enumerate() {
        if place > 0 && last.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut last, format!("{:LABEL$}{word}", "")));
        } else {
            last.push_str(if place > 0 { " " } else { "" });
            last.push_str(word);
        }
    }
    lines.push(last);
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Draws lines as a terminal shows them, with bold labels.
fn draw(lines: &[String]) -> String {
    let height = (lines.len() + 1) * LINE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{height}\" viewBox=\"0 0 900 {height}\" \
         role=\"img\" aria-label=\"Runs of whodunit reduce and whodunit changes\">\n\
         <style>text{{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#d7dae0}}\
         .b{{font-weight:bold;fill:#ffffff}}.o{{fill:#a9b0bd}}</style>\n\
         <rect width=\"900\" height=\"{height}\" rx=\"8\" fill=\"#1c1f26\"/>\n"
    );
    let mut is_output = false;
    for (place, line) in lines.iter().enumerate() {
        let y = (place + 1) * LINE + 4;
        let label = line
            .get(..LABEL)
            .filter(|it| it.ends_with(' ') && !it.starts_with(' ') && it.is_ascii());
        let label = label.filter(|it| !it.contains(':') && is_label(it.trim_end()));
        let _ = match (line.starts_with("$ "), label) {
            (true, _) => {
                is_output = true;
                writeln!(
                    svg,
                    "<text x=\"16\" y=\"{y}\" class=\"b\" xml:space=\"preserve\">{}</text>",
                    escaped(line)
                )
            }
            (false, Some(label)) => writeln!(
                svg,
                "<text x=\"16\" y=\"{y}\" xml:space=\"preserve\"><tspan class=\"b\">{label}</tspan>{}</text>",
                escaped(&line[LABEL..])
            ),
            (false, None) if line.is_empty() || !is_output => Ok(()),
            (false, None) => {
                writeln!(
                    svg,
                    "<text x=\"16\" y=\"{y}\" class=\"o\" xml:space=\"preserve\">{}</text>",
                    escaped(line)
                )
            }
        };
    }
    svg + "</svg>\n"
}

fn is_label(text: &str) -> bool {
    [
        "result", "size", "failure", "tests", "time", "proved", "commit", "culprit", "needs",
        "also met",
    ]
    .contains(&text)
}

/// Returns a picture without the parts that may differ from run to run.
fn steady(svg: &str) -> String {
    let line = |line: &str| match line.split_once(">time       </tspan>") {
        Some((before, _)) => format!("{before}>time\n"),
        None => format!("{}\n", without_ahead(line)),
    };
    svg.lines().map(line).collect()
}

/// Removes `; 58 more ran ahead` from a line.
fn without_ahead(line: &str) -> String {
    let Some(end) = line.find(" more ran ahead") else { return line.to_owned() };
    let begin = line[..end].rfind(';').unwrap();
    format!("{}{}", &line[..begin], &line[end + " more ran ahead".len()..])
}

#[test]
fn the_picture_shows_what_the_program_prints() {
    let Some(lines) = record() else { return };
    let picture = draw(&lines);
    let path = root().join(PICTURE);
    if std::env::var_os("WHODUNIT_DOCS").is_some_and(|value| value == "overwrite") {
        fs::write(path, picture).unwrap();
    } else {
        assert_eq!(steady(&fs::read_to_string(path).unwrap()), steady(&picture));
    }
}

#[test]
fn only_what_differs_from_run_to_run_is_left_out_of_the_comparison() {
    assert_eq!(
        without_ahead("19 tests; 5 more ran ahead; 1 more for the proof"),
        "19 tests; 1 more for the proof"
    );
    assert_eq!(steady("a>time       </tspan>0.3 s</text>\nb"), "a>time\nb\n");
}
