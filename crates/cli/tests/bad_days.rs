//! Bad days: tests that misbehave, disks that fill up, people who press Ctrl-C. Whatever happens,
//! the answer is right or it is an error, and nothing is left behind; [`support::World`] checks
//! the latter after every run.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::os::fd::AsFd;

use rustix::process::Signal;
use support::{Ran, WHODUNIT, World, eventually, numbered};

/// Reduces a file to the line `needle` with a test that does `mischief` first, and returns the
/// outcome. `without` is mischief only for candidates that lack the needle.
fn check_found(mischief: &str, without: &str, flags: &str) -> Ran {
    let world = World::new();
    world.write("in.txt", numbered(12, &[(7, "needle")]));
    let script = format!(
        "found() {{ grep -q needle in.txt; }}\nif found; then r=0; else r=1; fi\n\
                          {mischief}\n[ $r = 0 ] || {{ {without}\n:; }}\nexit $r"
    );
    world.script("t.sh", &script);
    let ran = world.line(&format!("reduce in.txt --level lines --test ./t.sh {flags}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
    assert_eq!(world.names(), ["in.reduced.txt", "in.txt", "t.sh"]);
    ran
}

#[test]
fn a_test_that_deletes_its_folder() {
    check_found("rm -rf \"$PWD\"", "", "");
    check_found("here=$PWD; cd /; rm -rf \"$here\"; echo file > \"$here\"", "", "");
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("precious"), "").unwrap();
    let link = format!("ln -s {} \"$here\"", elsewhere.path().display());
    check_found(&format!("here=$PWD; cd /; rm -rf \"$here\"; {link}"), "", "");
    assert!(elsewhere.path().join("precious").exists());
}

#[test]
fn a_test_that_makes_its_folder_unreadable() {
    check_found("mkdir -p deep/er; chmod 0 deep/er deep in.txt .", "", "");
}

#[test]
fn a_test_that_grows_its_folder() {
    let grow = "head -c 3000000 /dev/zero > big; mkdir many; cd many; seq 300 | xargs touch";
    check_found(grow, "", "");
}

#[test]
fn a_test_that_fills_its_disk() {
    if !support::can_mount() {
        return;
    }
    let world = World::new();
    world.write("in.txt", numbered(12, &[(7, "needle")]));
    world.script("t.sh", "head -c 50000000 /dev/zero > big 2>&-; grep -q needle in.txt");
    let line = "reduce in.txt -j1 --level lines --test ./t.sh";
    let ran = with_small_disk(&world, "/dev/shm", "24m", line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
}

#[test]
fn a_test_that_puts_a_link_in_the_place_of_its_candidate() {
    let world = World::new();
    world.write("in.txt", numbered(40, &[(7, "needle")]));
    let precious = world.write("precious", "not to be written over\n");
    let link = format!("rm in.txt; ln -s {} in.txt", precious.display());
    world.script("t.sh", &format!("grep -q needle in.txt; found=$?; {link}; exit $found"));
    let ran = world.line("reduce in.txt --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    assert_eq!(world.text("precious"), "not to be written over\n");
}

#[test]
fn a_test_that_leaves_a_child_which_holds_the_pipe() {
    check_found("sleep 1000 &", "", "");
    check_found("(trap '' TERM HUP INT; sleep 1000) & setsid sleep 1000 &", "", "");
}

#[test]
fn a_test_that_prints_without_end() {
    let ran = check_found("", "yes", "--max-output 1M");
    assert!(ran.stdout.contains(" inconclusive)"), "{}", ran.stdout);
}

#[test]
fn a_test_that_ignores_being_told_to_end() {
    let ran = check_found("trap '' TERM INT HUP", "while :; do sleep 1; done", "--timeout 1s");
    assert!(ran.stdout.contains(" inconclusive)"), "{}", ran.stdout);
}

#[test]
fn a_test_that_forks_without_end() {
    // Not quite without end: if the limit did not work, this would stop by itself.
    let bomb = "i=0; while [ $i -lt 200 ]; do sleep 100 & i=$((i+1)); done; wait";
    let ran = check_found("", bomb, "--max-processes 20");
    assert!(ran.stdout.contains(" inconclusive)"), "{}", ran.stdout);
}

#[test]
fn a_test_that_takes_all_memory() {
    let hog = "awk 'BEGIN { text = \"x\"; while (length(text) < 1e9) text = text text }'";
    let ran = check_found("", hog, "--memory 100M");
    assert!(ran.stdout.contains(" inconclusive)"), "{}", ran.stdout);
}

#[test]
fn a_launcher_that_is_killed_is_an_error_not_a_verdict() {
    let world = World::new();
    world.write("in.txt", numbered(12, &[(7, "needle")]));
    // The parent of a test is its launcher. Only the whole input is ever seen to fail.
    let whole = numbered(12, &[(7, "needle")]);
    world.write("whole.txt", &whole);
    let whole = world.path("whole.txt");
    world.script("t.sh", &format!("cmp -s in.txt {} || kill -9 $PPID", whole.display()));
    let ran = world.line("reduce in.txt --test ./t.sh -j1");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let message = "error: the launcher process died (signal: 9 (SIGKILL))\n\
                   hint: somebody killed it, or the memory ran out: fewer --jobs, or a lower \
                   --memory\n      to continue: whodunit resume reduce-in.txt-1\n";
    assert!(ran.stderr.ends_with(message), "{}", ran.stderr);
    assert!(!world.path("in.reduced.txt").exists());
    world.script("t.sh", "grep -q needle in.txt");
    assert_eq!(world.line("resume").code, Some(0));
    assert_eq!(world.text("in.reduced.txt"), "needle");
}

/// Returns a world whose test never ends once the candidate is small.
fn slow_world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(64, &[(60, "needle")]));
    let script = "grep -q needle in.txt || exit 1\n[ $(wc -l < in.txt) -gt 20 ] || sleep 1000";
    world.script("t.sh", script);
    world
}

#[test]
fn one_interruption_keeps_the_best_so_far() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let world = slow_world();
        let running = world.start("reduce in.txt --level lines --timeout 10m --test ./t.sh");
        running.wait_for(" tests)");
        running.signal(signal);
        let ran = running.end();
        assert_eq!(ran.code, Some(130), "{}", ran.stderr);
        let left = world.text("in.reduced.txt");
        assert!(left.contains("needle\n"), "{left}");
        let proof = "not proved the best so far, because it was interrupted\n";
        assert!(ran.stdout.contains(proof), "{}", ran.stdout);
        assert!(ran.stdout.ends_with("to continue: whodunit resume reduce-in.txt-1\n"));
        world.script("t.sh", "grep -q needle in.txt");
        let ran = world.line("resume");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(world.text("in.reduced.txt"), "needle\n");
    }
}

#[test]
fn an_interruption_of_the_first_run_leaves_nothing() {
    let world = World::new();
    world.write("in.txt", "needle\n");
    let mark = world.beside("mark");
    world.script("t.sh", &format!("echo > {}; sleep 1000", mark.display()));
    let running = world.start("reduce in.txt --test ./t.sh");
    assert!(eventually(|| mark.exists()));
    running.signal(Signal::INT);
    let ran = running.end();
    assert_eq!(ran.code, Some(130));
    assert!(ran.stderr.ends_with("error: stopped before anything was found\n"), "{}", ran.stderr);
    assert_eq!(world.names(), ["in.txt", "t.sh"]);
    assert_eq!(world.runs(), Vec::<String>::new());
}

#[test]
fn two_interruptions_end_it_at_once() {
    let world = World::new();
    world.write("in.txt", numbered(300, &[(250, "needle")]));
    world.script("t.sh", &format!("echo {}; grep -q needle in.txt", "x".repeat(2000)));
    // Nobody reads the events, so the run blocks when the pipe is full.
    let mut running = world.start("reduce in.txt --events --test ./t.sh");
    let pipe = running.child.stdout.as_ref().unwrap().as_fd();
    let mut looks = Vec::new();
    let stuck = eventually(|| {
        looks.push(rustix::io::ioctl_fionread(pipe).unwrap());
        // How much fits into a pipe depends on the sizes of the writes.
        looks.len() > 20
            && looks[looks.len() - 20..]
                .iter()
                .all(|&look| look > 10_000 && look == looks[looks.len() - 1])
    });
    assert!(stuck, "{looks:?}");
    // Two signals of one kind could arrive as one.
    running.signal(Signal::INT);
    running.signal(Signal::TERM);
    let stdout = running.child.stdout.take();
    let ran = running.end();
    drop(stdout);
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(!world.path("in.reduced.txt").exists());
}

#[test]
fn a_budget_of_time_keeps_the_best_so_far() {
    let world = slow_world();
    let line = "reduce in.txt --level lines --budget 1s --timeout 10m --test ./t.sh";
    let ran = world.line(line);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(world.text("in.reduced.txt").contains("needle\n"));
    assert!(ran.stdout.contains("the best so far, because the time is up\n"), "{}", ran.stdout);
}

#[test]
fn a_budget_of_tests_keeps_the_best_so_far() {
    let world = World::new();
    world.write("in.txt", numbered(200, &[(60, "needle"), (120, "noodle")]));
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    let ran = world.line("reduce in.txt --max-tests 12 --json -q --test ./t.sh");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["tests"]["committed"], 12);
    assert_eq!(answer["ended"], "out_of_tests");
    let left = world.text("in.reduced.txt");
    assert!(left.contains("needle") && left.len() < world.read("in.txt").len(), "{left}");
    let ran = world.line("resume --max-tests 100000");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needlenoodle");
}

/// Runs whodunit where `place` is a small file system of its own.
fn with_small_disk(world: &World, place: &str, size: &str, line: &str) -> Ran {
    let script = "mount -t tmpfs -o size=$2 none \"$1\" && shift 2 && exec \"$@\"";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script, "sh", place, size, WHODUNIT]);
    world.finish(command.args(line.split_whitespace()))
}

#[test]
fn no_room_for_candidates() {
    if !support::can_mount() {
        return;
    }
    let world = World::new();
    world.write("in.txt", "needle\n");
    world.script("t.sh", "exit 0");
    let small = world.beside("tmp");
    let script = "mount -t tmpfs -o size=1m none /dev/shm && mount -t tmpfs -o size=2m none \"$1\" \
                  && shift && exec \"$@\"";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(&small);
    let ran = world.finish(command.args([WHODUNIT, "reduce", "in.txt", "--test", "./t.sh"]));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let message = format!(
        "error: no place for candidates: `/dev/shm` (only 1 MiB left), `{}` (only 2 MiB left)\n\
         hint: make room, or set TMPDIR to a folder that has some and lets programs run\n",
        small.display()
    );
    assert!(ran.stderr.ends_with(&message), "{}", ran.stderr);
    assert_eq!(world.runs(), Vec::<String>::new());
}

#[test]
fn a_full_disk_stops_the_run_and_it_goes_on_when_there_is_room() {
    if !support::can_mount() {
        return;
    }
    let world = World::new();
    let text = numbered(200, &[(60, "needle"), (120, "noodle")]);
    world.write("in.txt", &text);
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    let state = world.beside("state");
    let script = "mount -t tmpfs -o size=24k none \"$1\" || exit 99\n\
                  \"$2\" reduce in.txt --test ./t.sh -j2; echo \"exit $?\"\n\
                  mount -o remount,size=10m \"$1\" || exit 99\n\
                  \"$2\" resume; echo \"exit $?\"";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(&state).arg(WHODUNIT);
    let ran = world.finish(&mut command);
    let message = format!(
        "error: cannot write down what happens\n  caused by: cannot read or write \
         `{}/whodunit/runs/reduce-in.txt-1.journal`\n  caused by: No space left on device (os \
         error 28)\nhint: make room there; nothing of the input was touched\n      to continue: \
         whodunit resume reduce-in.txt-1\n",
        state.display()
    );
    assert!(ran.stderr.contains(&message), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("exit 1\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("exit 0\n"), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), "needlenoodle");
    assert_eq!(world.text("in.txt"), text);
}

#[test]
fn a_full_target_disk_is_said() {
    if !support::can_mount() {
        return;
    }
    let world = World::new();
    world.write("in.txt", "x".repeat(100_000));
    world.script("t.sh", "[ $(wc -c < in.txt) = 100000 ]");
    std::fs::create_dir(world.path("out")).unwrap();
    let place = world.path("out");
    let line = "reduce in.txt --out out/small --level lines --test ./t.sh";
    let ran = with_small_disk(&world, place.to_str().unwrap(), "16k", line);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let message = format!(
        "error: cannot write `{}/small`\n  caused by: No space left on device (os error 28)\n\
         hint: make room there; nothing of the input was touched\n      to continue: whodunit resume \
         reduce-in.txt-1\n",
        place.display()
    );
    assert!(ran.stderr.ends_with(&message), "{}", ran.stderr);
}
