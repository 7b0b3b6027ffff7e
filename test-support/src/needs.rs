//! The things that a test needs on the machine.
//!
//! A test that lacks one fails and reports what to install. Only if [`MAY_SKIP`] is set it is
//! skipped instead: with a line on standard error that libtest does not capture, and a line in a
//! file from which the last test of `cargo test --workspace` prints the summary.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::{env, io, thread};

/// Environment variable that allows skipping tests, if it is neither empty nor `0`.
pub const MAY_SKIP: &str = "WHODUNIT_TESTS_MAY_SKIP";

/// One program a line, and the packages that contain it; `.ci/run` reads the same file.
const PROGRAMS: &str = include_str!("../programs.txt");

/// The beginning of the names of files that list skipped tests.
const LIST: &str = "skipped-tests-";

/// Returns whether a program is installed, or a file exists if `program` is a path.
///
/// # Panics
///
/// If it is missing and tests may not be skipped, and for a program that `programs.txt` does not
/// list, because then nobody would install it.
#[must_use = "a test that lacks something has to return"]
#[track_caller]
pub fn needs(program: &str) -> bool {
    let packages = packages(program)
        .unwrap_or_else(|| panic!("`{program}` is not listed in test-support/programs.txt"));
    needs_that(program, &format!("apt-get install {packages}"), is_there(program))
}

/// Returns `is_there`, for a need other than a program; `remedy` describes how to meet it.
///
/// # Panics
///
/// If the need is not met and tests may not be skipped.
#[must_use = "a test that lacks something has to return"]
#[track_caller]
pub fn needs_that(what: &str, remedy: &str, is_there: bool) -> bool {
    if is_there {
        return true;
    }
    assert!(may_skip(), "this test needs {what} ({remedy}); to skip such tests set {MAY_SKIP}=1");
    let current = thread::current();
    let test = current.name().unwrap_or("a test");
    let line = format!("{what} ({remedy})\t{test}\n");
    let mut list = File::options().create(true).append(true).open(list()).expect("can be written");
    list.write_all(line.as_bytes()).expect("can be written");
    // Not `eprintln!`, which libtest captures.
    let _ = writeln!(io::stderr(), "skipped {test}: it needs {what} ({remedy})");
    false
}

/// Returns a summary of the tests that this run of `cargo test` skipped so far, and deletes the lists
/// of all runs; `None` if there are none.
pub fn take_skipped() -> Option<String> {
    let listed = fs::read_to_string(list()).unwrap_or_default();
    let folder = fs::read_dir(beside_programs()).into_iter().flatten().flatten();
    for entry in folder.filter(|entry| entry.file_name().to_string_lossy().starts_with(LIST)) {
        let _ = fs::remove_file(entry.path());
    }
    summary(&listed)
}

fn summary(listed: &str) -> Option<String> {
    let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
    for (what, _) in listed.lines().filter_map(|line| line.split_once('\t')) {
        *tests.entry(what).or_default() += 1;
    }
    let sum: usize = tests.values().sum();
    let rows: String =
        tests.iter().map(|(what, count)| format!("  {count:>4}  {what}\n")).collect();
    (sum > 0).then(|| format!("{sum} tests were skipped, for want of\n{rows}"))
}

fn may_skip() -> bool {
    env::var_os(MAY_SKIP).is_some_and(|value| value != "0" && !value.is_empty())
}

/// Returns the packages that contain a program.
fn packages(program: &str) -> Option<&'static str> {
    let lines = PROGRAMS.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.filter_map(|line| line.split_once(char::is_whitespace));
    rows.find(|(name, _)| *name == program).map(|(_, packages)| packages.trim())
}

fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| {
        let file = fs::metadata(folder.join(program));
        file.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

/// Returns the file that lists the skipped tests of this run. All test programs of one `cargo test`
/// have the same parent, so lists of other runs are not mixed in.
fn list() -> PathBuf {
    beside_programs().join(format!("{LIST}{}", parent_id()))
}

/// Returns the folder of the profile: test programs are in `target/debug/deps`.
fn beside_programs() -> PathBuf {
    let program = env::current_exe().expect("is known on Linux");
    program.ancestors().nth(2).expect("is in a folder").to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_listed_once_with_its_packages() {
        let lines = PROGRAMS.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
        assert!(names.len() > 10);
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
            assert!(packages(name).is_some_and(|packages| !packages.is_empty()), "{name}");
        }
    }

    #[test]
    fn a_program_is_looked_for_in_the_path() {
        assert!(is_there("sh"));
        assert!(is_there("/etc"));
        assert!(!is_there("no-such-program"));
    }

    #[test]
    fn the_summary_counts_tests_by_what_they_lack() {
        let listed = "git (apt-get install git)\ta\ncvs (x)\tb\ngit (apt-get install git)\tc\n";
        let expected = "3 tests were skipped, for want of\n     \
                        1  cvs (x)\n     2  git (apt-get install git)\n";
        assert_eq!(summary(listed).as_deref(), Some(expected));
        assert_eq!(summary(""), None);
    }
}
