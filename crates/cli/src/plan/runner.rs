//! One test of a known test runner, as `--pytest tests/x.py::test_new` names it: the command that
//! runs only that test, the meaning of its outcome, and the file that holds it.
//!
//! Runners exit with 0 where they found nothing to run or skipped everything, and some exit alike
//! for a test that fails and for a program that does not build. So each command reads the output of
//! the runner: 0 only if the test was seen to pass, 1 only if it was seen to fail, and 125
//! (inconclusive) for everything else.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whodunit_jobs::vcs::git::Repository;

use crate::args::RunnerArgs;
use crate::trouble::Usage;

/// A known runner of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Pytest,
    Cargo,
    Go,
    Node,
}

/// pytest exits with 1 if tests fail, with 2 to 5 if it could not run them, and with 0 even if all
/// were skipped.
const PYTEST: &str = r#"out=$(python3 -m pytest -q -rA -p no:cacheprovider "$1" 2>&1); code=$?
printf '%s\n' "$out"
case $code in
0) case $out in *[0-9]" passed"*) exit 0 ;; esac ;;
1) exit 1 ;;
esac
exit 125"#;

/// cargo exits with 101 for a test that fails and for a program that does not build.
const CARGO: &str = r#"cargo test --quiet --no-run || exit 125
out=$(cargo test --no-fail-fast -- --exact "$1" 2>&1)
printf '%s\n' "$out"
case $out in *"test $1 ... FAILED"*) exit 1 ;; *"test $1 ... ok"*) exit 0 ;; esac
exit 125"#;

/// go exits with 0 if no test has the name.
const GO: &str = r#"out=$(go test -count=1 -v -run "^$1\$" ./... 2>&1)
printf '%s\n' "$out"
case $out in *"--- FAIL: $1 "*) exit 1 ;; *"--- PASS: $1 "*) exit 0 ;; esac
exit 125"#;

/// node counts a file without the test as a test that passes.
const NODE: &str = r#"out=$(node --test --test-reporter=tap --test-name-pattern="$2" "$1" 2>&1)
printf '%s\n' "$out"
lines() { printf '%s\n' "$out" | grep -v '# SKIP' | sed -n "s/^ *$1 [0-9]* - //p"; }
if lines 'not ok' | grep -qxF -- "$2"; then exit 1; fi
if lines ok | grep -qxF -- "$2"; then exit 0; fi
exit 125"#;

/// A test of a known runner, for a search in versions.
pub(super) struct OneTest {
    /// The command that runs it.
    pub(super) command: Vec<OsString>,
    /// The file that holds it, from the current folder, if its name contains the file.
    pub(super) file: Option<PathBuf>,
}

/// Returns the test that was named, if one was.
pub(super) fn one_test(typed: &RunnerArgs, folder: &Path) -> Result<Option<OneTest>, Usage> {
    let named = [
        (Runner::Pytest, &typed.pytest),
        (Runner::Cargo, &typed.cargo_test),
        (Runner::Go, &typed.go_test),
        (Runner::Node, &typed.node_test),
    ];
    let Some((runner, id)) =
        named.into_iter().find_map(|(runner, id)| Some((runner, id.as_ref()?)))
    else {
        return Ok(None);
    };
    let one = runner.test(id)?;
    match &one.file {
        Some(file) if !folder.join(file).is_file() => {
            Err(Usage::NoTestFile { flag: runner.flag(), file: file.display().to_string() })
        }
        _ => Ok(Some(one)),
    }
}

impl Runner {
    fn flag(self) -> &'static str {
        match self {
            Runner::Pytest => "--pytest",
            Runner::Cargo => "--cargo-test",
            Runner::Go => "--go-test",
            Runner::Node => "--node-test",
        }
    }

    fn test(self, id: &str) -> Result<OneTest, Usage> {
        let (file, name) = match id.split_once("::") {
            Some((file, name)) if !name.is_empty() => (file, Some(name)),
            _ => (id, None),
        };
        let (script, words, file) = match (self, name) {
            (Runner::Pytest, _) => (PYTEST, vec![id], Some(file)),
            (Runner::Cargo, _) => (CARGO, vec![id], None),
            (Runner::Go, _) => (GO, vec![id], None),
            (Runner::Node, Some(name)) => (NODE, vec![file, name], Some(file)),
            (Runner::Node, None) => return Err(Usage::NoTestName { id: id.into() }),
        };
        let begin = ["sh", "-c", script, "sh"].into_iter();
        let command = begin.chain(words).map(OsString::from).collect();
        Ok(OneTest { command, file: file.map(PathBuf::from) })
    }
}

/// Returns the path of a file in the versions of the repository that a folder is in, if the newest commit
/// has it.
pub(super) fn committed(file: &Path, folder: &Path) -> Option<Vec<u8>> {
    let repository = Repository::discover(folder).ok()?;
    let top = repository.work_folder()?.canonicalize().ok()?;
    let path = folder.join(file).canonicalize().ok()?;
    let path = path.strip_prefix(top).ok()?.as_os_str().as_encoded_bytes().to_vec();
    let listing = repository.list(repository.resolve("HEAD").ok()?.id).ok()?;
    listing.files.iter().any(|file| file.path == path).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_a_command_with_its_name_as_a_word_of_its_own() {
        let one = Runner::Pytest.test("tests/x.py::test_a[it's $HOME]").unwrap();
        assert_eq!(one.command.last().unwrap(), "tests/x.py::test_a[it's $HOME]");
        assert_eq!(one.file.as_deref(), Some(Path::new("tests/x.py")));
        assert!(Runner::Node.test("a.test.js").is_err());
        assert_eq!(Runner::Go.test("TestA").unwrap().file, None);
    }
}
