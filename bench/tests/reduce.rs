//! `bench reduce` with stand-ins for the reducers, so that none has to be installed.

#![allow(clippy::unwrap_used)] // trouble fails the test either way

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Called as `singledelta -test=TEST -in_place FILE`: tests the whole, the input without the
/// chaff, and the empty input.
const DELTA: &str = r#"#!/bin/sh
case $1 in -help) echo "Delta version 9.9"; exit ;; esac
test=${1#-test=}
"$test" "$3" || exit 1
grep -v chaff "$3" > smaller
"$test" smaller || exit 1
mv smaller "$3"
: > empty
"$test" empty && exit 1
exit 0
"#;

/// Tests once, leaves a process in a session of its own, and hangs.
const HANGING_CVISE: &str = r#"#!/bin/sh
case $1 in --version) echo "cvise 9.8.7"; exit ;; esac
for word; do before=$test; test=$word; done
"$before" || exit 1
setsid sleep 1000 &
echo $! > "$LEFT_BEHIND"
sleep 1000
"#;

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// Prepares one case, whose failure is that its input contains a needle.
    fn new() -> Self {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        let case = bench.at("cases/hay");
        for folder in [&case, &bench.at("bin"), &bench.at("tmp")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(case.join("input.txt"), "chaff 1\nneedle\nchaff 2\n").unwrap();
        write_script(&case.join("interesting.sh"), "#!/bin/sh\ngrep -q needle input.txt\n");
        bench
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn install(&self, name: &str, script: &str) {
        write_script(&self.at("bin").join(name), script);
    }

    fn run(&self, args: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap();
        Command::new(env!("CARGO_BIN_EXE_bench"))
            .args(["reduce", "--cases"])
            .arg(self.at("cases"))
            .arg("--program")
            .arg(self.at("bin/whodunit"))
            .args(args)
            .env("PATH", format!("{}:{path}", self.at("bin").display()))
            .env("TMPDIR", self.at("tmp"))
            .env("LEFT_BEHIND", self.at("left-behind"))
            .output()
            .unwrap()
    }
}

fn write_script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns the cells of the row of a tool.
fn row(page: &str, tool: &str) -> Vec<String> {
    let line = page.lines().find(|line| line.contains(&format!("| {tool} ")));
    let line = line.unwrap_or_else(|| panic!("no row for {tool} in\n{page}"));
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn the_tests_of_a_tool_are_counted_and_its_result_is_measured() {
    let bench = Bench::new();
    bench.install("singledelta", DELTA);
    let output = bench.run(&["--tools", "delta", "-j2"]);
    assert!(output.status.success(), "{output:?}");
    let page = String::from_utf8(output.stdout).unwrap();
    assert_eq!(row(&page, "input")[5..7], ["23", "5"]);
    let delta = row(&page, "delta");
    assert_eq!(delta[..7], ["hay", "delta 9.9", "1", "3", "1", "7", "1"]);
    assert_eq!(delta[9], "done");
    assert!(is_empty(&bench.at("tmp")));
}

#[test]
fn a_tool_that_hangs_is_capped_with_all_that_it_started() {
    let bench = Bench::new();
    bench.install("cvise", HANGING_CVISE);
    let output = bench.run(&["--tools", "cvise", "--cap", "3"]);
    assert!(output.status.success(), "{output:?}");
    let cvise = row(&String::from_utf8(output.stdout).unwrap(), "cvise");
    assert_eq!(cvise[1..7], ["cvise 9.8.7", "2", "1", "0", "23", "5"]);
    assert_eq!(cvise[9], "capped");
    let left = fs::read_to_string(bench.at("left-behind")).unwrap();
    assert!(!Path::new("/proc").join(left.trim()).exists());
    assert!(is_empty(&bench.at("tmp")));
}

#[test]
fn rows_of_tools_that_were_not_run_are_kept() {
    let bench = Bench::new();
    bench.install("singledelta", DELTA);
    let page = bench.at("page.md");
    let write = format!("--write={}", page.display());
    assert!(bench.run(&["--tools", "delta", &write]).status.success());
    let old = fs::read_to_string(&page).unwrap().replace("| delta 9.9 |", "| lithium 1.2 |");
    fs::write(&page, &old).unwrap();
    assert!(bench.run(&["--tools", "delta", &write]).status.success());
    let new = fs::read_to_string(&page).unwrap();
    assert_eq!(row(&new, "lithium"), row(&old, "lithium"));
    assert_eq!(row(&new, "delta")[3], "3");
}

#[test]
fn what_is_missing_is_passed_over_with_a_word() {
    let bench = Bench::new();
    fs::write(bench.at("cases/hay/input.txt"), "chaff\n").unwrap();
    let output = bench.run(&["--tools", "whodunit"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("whodunit: passed over, it is not installed"), "{said}");
    assert!(said.contains("hay: passed over, it does not fail here"), "{said}");
}

#[test]
fn a_tool_without_a_failing_test_gets_no_row() {
    let bench = Bench::new();
    bench.install("singledelta", "#!/bin/sh\necho out of order >&2\nexit 1\n");
    let output = bench.run(&["--tools", "delta"]);
    assert!(output.status.success(), "{output:?}");
    assert!(!String::from_utf8(output.stdout).unwrap().contains("delta"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("out of order"));
}
