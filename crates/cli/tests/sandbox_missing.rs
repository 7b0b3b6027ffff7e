//! A sandbox that is not complete: no test is run, or the answer names the missing part.
//!
//! Each case makes one system call fail, as an old kernel, a container or another sandbox does.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::process::Command;

use serde_json::Value;
use support::{Ran, WHODUNIT, World, needs, needs_that};

/// A system call, the error with which it fails, the protections that are missing then, and a part
/// of the reason.
const CASES: &[(&str, &str, &[&str], &str)] = &[
    ("landlock_create_ruleset", "ENOSYS", &["files", "processes"], "Landlock cannot refuse"),
    ("landlock_restrict_self", "E2BIG", &["files", "processes"], "Landlock rules cannot be"),
    ("unshare", "EPERM", &["metadata"], "no view of the files of their own"),
    ("mount_setattr", "ENOSYS", &["metadata"], "no view of the files of their own"),
    ("seccomp", "EINVAL", &["ipc", "network", "processes"], "takes no filter for system calls"),
    ("setns", "EPERM", &["ipc", "metadata", "network"], "namespaces cannot be entered"),
    ("capset", "EPERM", &["privileges"], "capabilities cannot be given up"),
];

/// Runs a reduction whose tests leave a mark, while a system call fails.
fn run(world: &World, call: &str, error: &str, flags: &[&str]) -> Ran {
    let mut command = world.command("strace");
    command.args(["-f", "-qq", "-o"]).arg(world.beside("trace")).args([
        "-e",
        &format!("trace={call}"),
        "-e",
        &format!("inject={call}:error={error}"),
    ]);
    reduce(world, command, flags)
}

/// Runs that reduction below a program.
fn reduce(world: &World, mut command: Command, flags: &[&str]) -> Ran {
    command
        .args([WHODUNIT, "reduce", "in.txt", "-j1", "--level", "lines", "--max-tests", "1", "-q"])
        .args(flags)
        .args(["--fail-exit", "0", "--", "./t.sh", "{}"]);
    world.finish(&mut command)
}

fn world() -> World {
    let world = World::new();
    world.write("in.txt", "needle\nhay\n");
    // The mark shows that a test was run; it is in the test's own folder and printed.
    world.script("t.sh", "echo ran; grep -q needle $1");
    world
}

#[test]
fn a_sandbox_that_lacks_a_part_ends_the_run_before_the_first_test() {
    if !needs("strace") {
        return;
    }
    for (call, error, missing, why) in CASES {
        let world = world();
        let ran = run(&world, call, error, &["--sandbox"]);
        assert_eq!(ran.code, Some(1), "{call}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot enforce the whole sandbox"), "{call}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{call}: {}", ran.stderr);
        assert!(ran.stderr.contains("nothing was run"), "{call}: {}", ran.stderr);
        let parts = ran.stderr.matches("tests could ").count();
        assert!(parts >= missing.len(), "{call}: {}", ran.stderr);
        assert!(world.runs().is_empty(), "{call}: there is nothing to go on with");
    }
}

#[test]
fn with_best_effort_the_answer_names_what_is_missing() {
    if !needs("strace") {
        return;
    }
    for (call, error, missing, why) in CASES {
        let world = world();
        let ran = run(&world, call, error, &["--sandbox=best-effort", "--json"]);
        assert!(matches!(ran.code, Some(0 | 3)), "{call}: {:?} {}", ran.code, ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        let named = answer["sandbox"]["missing"].as_array().unwrap();
        let mut names: Vec<&str> =
            named.iter().map(|gap| gap["protection"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, *missing, "{call}: {answer:#}");
        let is_said = |gap: &Value| gap["why"].as_str().unwrap().contains(why);
        assert!(named.iter().any(is_said), "{call}: {named:?}");
    }
}

/// Starts a program in which `prctl(PR_SET_NO_NEW_PRIVS)` fails. `prctl` has many other uses, so
/// this needs a filter that looks at the argument. Only root can enter a filter without first
/// making the call that the filter refuses.
const NO_NEW_PRIVS_FAILS: &str = r#"
import ctypes, os, platform, struct, sys
prctl = {"x86_64": 157, "aarch64": 167}[platform.machine()]
program = b"".join(struct.pack("HBBI", *line) for line in [
    (0x20, 0, 0, 0),            # the number of the system call
    (0x15, 0, 3, prctl),
    (0x20, 0, 0, 16),           # its first argument
    (0x15, 0, 1, 38),           # PR_SET_NO_NEW_PRIVS
    (0x06, 0, 0, 0x00050016),   # fails with EINVAL
    (0x06, 0, 0, 0x7fff0000),   # is allowed
])
lines = ctypes.create_string_buffer(program)
filter = struct.pack("HxxxxxxP", 6, ctypes.addressof(lines))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(22, 2, ctypes.c_char_p(filter), 0, 0) != 0:  # PR_SET_SECCOMP
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
"#;

#[test]
fn without_no_new_privileges_there_is_no_sandbox() {
    let is_root = rustix::process::geteuid().is_root();
    if !needs("python3") || !needs_that("a filter for system calls", "run as root", is_root) {
        return;
    }
    let below = |world: &World| {
        world.write("../fails.py", NO_NEW_PRIVS_FAILS);
        let mut command = world.command("python3");
        command.arg(world.beside("fails.py"));
        command
    };
    let world = self::world();
    let ran = reduce(&world, below(&world), &["--sandbox"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot enforce the whole sandbox"), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing was run"), "{}", ran.stderr);
    assert!(world.runs().is_empty(), "there is nothing to go on with");

    let world = self::world();
    let ran = reduce(&world, below(&world), &["--sandbox=best-effort", "--json"]);
    assert!(matches!(ran.code, Some(0 | 3)), "{:?} {}", ran.code, ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let missing = answer["sandbox"]["missing"].as_array().unwrap();
    assert!(missing.iter().any(|gap| gap["protection"] == "privileges"), "{answer:#}");
}
