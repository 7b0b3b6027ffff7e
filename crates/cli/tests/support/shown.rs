//! Compares the text of a page or a case with the output of commands.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{WHODUNIT, World};

/// Returns the root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Whether lines fit the shown ones.
pub fn fits(shown: &[String], lines: &[&str]) -> bool {
    match (shown.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "..." => {
            (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..]))
        }
        (Some((first, rest)), Some((line, others))) => line_fits(first, line) && fits(rest, others),
        _ => false,
    }
}

/// Whether a line fits the shown one, where `[..]` stands for any text.
fn line_fits(shown: &str, line: &str) -> bool {
    match shown.split_once("[..]") {
        None => shown == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            let mut places = (0..=rest.len()).filter(|&place| rest.is_char_boundary(place));
            places.any(|place| line_fits(after, &rest[place..]))
        }),
    }
}

/// Prepares a shell that finds the program, and in which everybody is the same user.
pub fn shell(world: &World, folder: &Path) -> Command {
    let programs = Path::new(WHODUNIT).parent().unwrap();
    let mut command = world.command("sh");
    command
        .current_dir(folder)
        .env("PATH", format!("{}:{}", programs.display(), std::env::var("PATH").unwrap()))
        .env("CASES", root().join("docs/manual/cases"));
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), "J. Doe")
            .env(format!("GIT_{role}_EMAIL"), "doe@example.com");
    }
    let nowhere = world.beside("no-config");
    command.env("GIT_CONFIG_GLOBAL", &nowhere).env("GIT_CONFIG_SYSTEM", &nowhere);
    command
}
