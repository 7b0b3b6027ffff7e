//! The output of `cvs rlog`.
//!
//! Messages have no end mark in it: a message may contain text that looks like the next revision.
//! So the beginning of a revision must be followed by its number and date, and each number counts
//! once.

use super::number::RevisionNumber;
use crate::{Cause, Time, date};

const BETWEEN: &[u8] = b"----------------------------";
const END: &[u8] = &[b'='; 77];

/// A file with all its revisions.
#[derive(Debug)]
pub(super) struct LoggedFile {
    /// The path below the root of the repository, without `Attic` and `,v`.
    pub(super) path: Vec<u8>,
    /// The branches that have names.
    pub(super) branches: Vec<(Vec<u8>, RevisionNumber)>,
    pub(super) revisions: Vec<LoggedRevision>,
}

/// A revision of a file.
#[derive(Debug)]
pub(super) struct LoggedRevision {
    pub(super) number: RevisionNumber,
    pub(super) seconds: i64,
    pub(super) author: Vec<u8>,
    /// Whether the file was deleted.
    pub(super) is_dead: bool,
    pub(super) message: Vec<u8>,
}

/// Returns the path of the repository on its server.
pub(super) fn path_of_root(root: &str) -> &str {
    let path = root.rsplit(':').next().unwrap_or(root);
    // A port stands directly before the path.
    let begins = path.find('/').unwrap_or(0);
    path[begins..].trim_end_matches('/')
}

/// Returns whether the client can be made to run a program by a root: by an option of the method, as in
/// `:fork;CVS_SERVER=./program:/root`, or by a host that `ssh` takes for an option.
pub(super) fn can_run_programs(root: &str) -> bool {
    let (method, rest) = match root.strip_prefix(':') {
        Some(root) => root.split_once(':').unwrap_or((root, "")),
        None => ("", root),
    };
    let host = rest.split_once('@').map_or(rest, |(_, host)| host);
    method.contains(';') || rest.starts_with('-') || host.starts_with('-')
}

/// Returns whether a repository is read without a server.
pub(super) fn is_local(root: &str) -> bool {
    root.starts_with('/') || root.starts_with(":local:")
}

/// Reads the files of a log.
pub(super) fn read(text: &[u8], root: &str) -> Result<Vec<LoggedFile>, Cause> {
    let mut files = Vec::new();
    let mut lines = LogLines { rest: text };
    while let Some(line) = lines.next() {
        if let Some(place) = line.strip_prefix(b"RCS file: ") {
            let path = path_below(place, path_of_root(root).as_bytes())?;
            files.push(read_file(path, &mut lines)?);
        }
    }
    Ok(files)
}

fn path_below(place: &[u8], root: &[u8]) -> Result<Vec<u8>, Cause> {
    let path = place.strip_prefix(root).and_then(|path| path.strip_prefix(b"/"));
    let path = path.and_then(|path| path.strip_suffix(b",v"));
    let path = path.ok_or_else(|| format!("`{}` is not in the root", place.escape_ascii()))?;
    let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    // Deleted files are put aside.
    if parts.len() > 1 && parts[parts.len() - 2] == b"Attic" {
        parts.remove(parts.len() - 2);
    }
    Ok(parts.join(&b'/'))
}

fn read_file(path: Vec<u8>, lines: &mut LogLines<'_>) -> Result<LoggedFile, Cause> {
    let cut_off = || format!("the log of `{}` is cut off", path.escape_ascii());
    let mut branches = Vec::new();
    let mut selected = None;
    loop {
        let line = lines.next().ok_or_else(cut_off)?;
        if let Some(named) = line.strip_prefix(b"\t") {
            branches.extend(read_branch(named));
        } else if let Some((_, count)) = split_once(line, b"selected revisions: ") {
            selected = std::str::from_utf8(count)?.trim().parse::<usize>().ok();
        } else if line == BETWEEN || line == END {
            break;
        }
    }
    let mut revisions: Vec<LoggedRevision> = Vec::new();
    while revisions.len() < selected.unwrap_or(0) {
        let begun = read_head(lines).ok_or_else(cut_off)?;
        revisions.push(begun);
        loop {
            if lines.is_at_end_of_file() {
                lines.next();
                break;
            }
            let line = lines.next().ok_or_else(cut_off)?;
            let is_new = |head: LoggedRevision| revisions.iter().all(|it| it.number != head.number);
            if line == BETWEEN && read_head(&mut lines.clone()).is_some_and(is_new) {
                break;
            }
            let last = revisions.last_mut().ok_or_else(cut_off)?;
            let is_first = last.message.is_empty();
            if !(is_first && line.starts_with(b"branches: ")) {
                last.message.extend(line);
                last.message.push(b'\n');
            }
        }
    }
    Ok(LoggedFile { path, branches, revisions })
}

/// Reads the name and number of a branch; `None` for a tag.
fn read_branch(line: &[u8]) -> Option<(Vec<u8>, RevisionNumber)> {
    let (name, number) = split_once(line, b": ")?;
    let number = RevisionNumber::parse_branch(std::str::from_utf8(number).ok()?.trim())?;
    Some((name.to_vec(), number))
}

/// Reads the first two lines of a revision.
fn read_head(lines: &mut LogLines<'_>) -> Option<LoggedRevision> {
    let number = lines.next()?.strip_prefix(b"revision ")?;
    // A lock is marked after the number.
    let number = number.split(u8::is_ascii_whitespace).next()?;
    let number = RevisionNumber::parse(std::str::from_utf8(number).ok()?)?;
    let mut fields = lines.next()?.split(|byte| *byte == b';');
    let mut field = |name: &[u8]| fields.next()?.trim_ascii().strip_prefix(name);
    let seconds = moment(std::str::from_utf8(field(b"date: ")?).ok()?)?.seconds;
    let author = field(b"author: ")?.to_vec();
    let is_dead = field(b"state: ")? == b"dead";
    Some(LoggedRevision { number, seconds, author, is_dead, message: Vec::new() })
}

/// Reads a time like `2026-03-01 12:00:00 +0000`, or `2026/03/01 12:00:00` of older programs.
fn moment(text: &str) -> Option<Time> {
    let seconds =
        date::parse(&text.replace('/', "-").replacen(" +", "+", 1).replacen(" -", "-", 1))?;
    Some(Time { seconds, offset: 0 })
}

fn split_once<'a>(line: &'a [u8], at: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let place = line.windows(at.len()).position(|part| part == at)?;
    Some((&line[..place], &line[place + at.len()..]))
}

/// The lines of a text.
#[derive(Clone)]
struct LogLines<'a> {
    rest: &'a [u8],
}

impl<'a> LogLines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line)
    }

    /// Returns whether the next line ends a file: a message may have such a line too.
    fn is_at_end_of_file(&self) -> bool {
        let Some(after) = self.rest.strip_prefix(END) else { return false };
        matches!(after, b"" | b"\n" | b"\n\n") || after.starts_with(b"\n\nRCS file: ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "
RCS file: /root/module/dir/Attic/a b.c,v
head: 1.2
branch:
locks: strict
access list:
symbolic names:
\tside: 1.1.0.2
\ttag: 1.1
keyword substitution: kv
total revisions: 2;\tselected revisions: 2
description:
----------------------------
revision 1.2
date: 2026-01-02 13:00:00 +0100;  author: ada;  state: dead;  lines: +1 -1;  commitid: x;
gone, see
----------------------------
revision 1.2
date: 2026-01-01 12:00:00 +0000;  author: ada;  state: Exp;
=============================================================================
----------------------------
revision 1.1
date: 2026/01/01 12:00:00;  author: grace;  state: Exp;
branches:  1.1.2;
first
=============================================================================
";

    #[test]
    fn a_log_is_read_whatever_its_messages_say() {
        let files = read(LOG.as_bytes(), ":ext:ada@host:/root").unwrap();
        let [file] = &files[..] else { panic!("one file") };
        assert_eq!(file.path, b"module/dir/a b.c");
        assert_eq!(file.branches, [(b"side".to_vec(), RevisionNumber::parse("1.1.2").unwrap())]);
        let [last, first] = &file.revisions[..] else { panic!("two revisions") };
        assert!(last.is_dead && !first.is_dead);
        assert_eq!(last.seconds - first.seconds, 24 * 60 * 60);
        assert_eq!(first.message, b"first\n");
        let text = String::from_utf8(last.message.clone()).unwrap();
        assert!(text.starts_with("gone, see\n---") && text.ends_with("===\n"), "{text}");
    }

    #[test]
    fn a_log_that_is_cut_off_is_not_understood() {
        let whole = LOG.as_bytes();
        for length in [30, 200, 400, whole.len() - 100] {
            assert!(read(&whole[..length], "/root").is_err(), "{length}");
        }
        assert!(read(whole, "/other").is_err());
    }

    #[test]
    fn roots_are_paths_after_how_to_get_there() {
        for root in ["/a/b", ":local:/a/b/", ":ext:ada@host:/a/b", ":pserver:a:p@host:2401/a/b"] {
            assert_eq!(path_of_root(root), "/a/b", "{root}");
            assert_eq!(is_local(root), !root.contains('@'), "{root}");
        }
    }
}
