//! Puts a history into a new git repository.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::project::History;

/// The time of the first commit; each is an hour after the one before.
const BEGIN: u64 = 1_600_000_000;

/// Makes a repository in a folder and puts the history into it, all with one call of git.
pub(super) fn import(history: &History, folder: &Path) -> Result<(), Box<dyn Error>> {
    run(Command::new("git").args(["init", "-q", "-b", "main"]).arg(folder))?;
    let mut stream = String::new();
    for (place, commit) in (0u64..).zip(&history.commits) {
        let time = BEGIN + place * 3600;
        writeln!(stream, "commit refs/heads/main")?;
        writeln!(stream, "committer Somebody <somebody@example.org> {time} +0000")?;
        writeln!(stream, "data {}\n{}", commit.message.len(), commit.message)?;
        for (path, text) in &commit.files {
            writeln!(stream, "M 100644 inline {path}\ndata {}\n{text}", text.len())?;
        }
    }
    let mut git = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    git.stdin.take().ok_or("git takes no input")?.write_all(stream.as_bytes())?;
    if !git.wait()?.success() {
        return Err("git could not import a history".into());
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(())
}
