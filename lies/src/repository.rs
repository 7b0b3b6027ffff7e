//! A row of versions as a git repository with a checkout.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::case::Row;
use crate::tree::Tree;

/// Makes a repository in a folder, and returns the ids of its commits, the oldest first.
pub(crate) fn create(folder: &Path, row: &Row, marks: &Path) -> io::Result<Vec<String>> {
    run(git(folder).args(["init", "-q", "-b", "main"]))?;
    let mut child = git(folder)
        .args(["fast-import", "--quiet", "--force"])
        .arg(format!("--export-marks={}", marks.display()))
        .stdin(Stdio::piped())
        .spawn()?;
    let mut pipe = child.stdin.take().ok_or_else(|| io::Error::other("no pipe"))?;
    pipe.write_all(&stream(row))?;
    drop(pipe);
    if !child.wait()?.success() {
        return Err(io::Error::other("git fast-import failed"));
    }
    run(git(folder).args(["reset", "-q", "--hard", "main"]))?;
    let mut names: Vec<(usize, String)> = fs::read_to_string(marks)?
        .lines()
        .filter_map(|line| line.strip_prefix(':')?.split_once(' '))
        .map(|(mark, name)| (mark.parse().unwrap_or(0), name.to_owned()))
        .collect();
    names.sort();
    Ok(names.into_iter().map(|(_, name)| name).collect())
}

/// Applies a patch with git itself; `None` if it does not apply.
pub(crate) fn apply(folder: &Path, files: &Tree, patch: &[u8]) -> io::Result<Option<Tree>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    crate::tree::write(folder, files)?;
    let mut child = git(folder).args(["apply", "-"]).stdin(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(patch)?;
    }
    let is_applied = child.wait()?.success();
    is_applied.then(|| crate::tree::read(folder)).transpose()
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} failed"))) }
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "no-such-file")
        .env("GIT_CONFIG_SYSTEM", "no-such-file")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn stream(row: &Row) -> Vec<u8> {
    let mut stream = Vec::new();
    for place in 0..row.versions.len() {
        let who = format!("J. Doe <doe@example.com> {} +0000", 1_750_000_000 + place * 3600);
        let mark = place + 1;
        let mut head = format!("commit refs/heads/main\nmark :{mark}\n");
        head += &format!("author {who}\ncommitter {who}\ndata 8\nstep {place:03}\n");
        for (parent, word) in row.parents[place].iter().zip(["from", "merge"]) {
            head += &format!("{word} :{}\n", parent + 1);
        }
        head += "deleteall\n";
        stream.extend_from_slice(head.as_bytes());
        for (path, bytes) in row.files(place) {
            let head = format!("M 100644 inline {path}\ndata {}\n", bytes.len());
            stream.extend_from_slice(head.as_bytes());
            stream.extend_from_slice(&bytes);
            stream.push(b'\n');
        }
    }
    stream
}
