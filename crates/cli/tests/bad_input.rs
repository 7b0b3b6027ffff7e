//! Bad usage and bad input: each has a clear message, something to do, and exit code 2.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use support::{Ran, World, numbered};

/// Checks that a line fails with exactly this message, in which `DIR` is the current folder, and
/// leaves neither a result nor a run behind.
fn check(world: &World, line: &str, message: &str) {
    check_run(world, &world.line(line), message);
}

fn check_run(world: &World, ran: &Ran, message: &str) {
    let folder = world.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let said: String = ran
        .stderr
        .lines()
        .skip_while(|line| !line.starts_with("error:"))
        .map(|line| format!("{}\n", line.replace(folder, "DIR")))
        .collect();
    assert_eq!(said, message.trim_start_matches('\n'), "the whole: {}", ran.stderr);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "");
    assert_eq!(world.runs(), Vec::<String>::new(), "a useless run was left");
    assert!(!world.path("in.reduced.txt").exists());
}

fn world(script: &str) -> World {
    let world = World::new();
    world.write("in.txt", numbered(10, &[(5, "needle")]));
    world.script("t.sh", script);
    world
}

#[test]
fn a_script_that_does_not_fail_to_begin_with() {
    check(
        &world("echo all is well; exit 1"),
        "reduce in.txt --test ./t.sh",
        r#"
error: `in.txt` as it is does not fail: `./t.sh` exited with 1 and printed "all is well"
hint: exit 0 must mean that the failure is there
      if it fails where the failure is: -- ./t.sh {}
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh in.txt; echo $?
"#,
    );
}

#[test]
fn a_command_that_does_not_fail_to_begin_with() {
    check(
        &world("exit 0"),
        "reduce in.txt -- ./t.sh --check {}",
        r#"
error: `in.txt` as it is does not fail: `./t.sh --check {}` exited with 0
hint: the command must exit with anything but 0, or die of a signal
      if its exit 0 means that the failure is there: --fail-exit 0
      its standard input is empty; without {} that would be the candidate
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh --check in.txt; echo $?
"#,
    );
}

#[test]
fn an_explicit_rule_that_does_not_hold_to_begin_with() {
    check(
        &world("exit 3"),
        "reduce in.txt --fail-exit 4 -- ./t.sh",
        r#"
error: `in.txt` as it is does not fail: `./t.sh` exited with 3
hint: the command has no {}, so it gets the candidate as its standard input
      everything that the --fail flags say must hold
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh < in.txt; echo $?
"#,
    );
}

#[test]
fn a_gate_that_refuses_the_input() {
    check(
        &world("exit 0"),
        "reduce in.txt --gate false --test ./t.sh",
        r#"
error: `in.txt` as it is does not fail: the gate exited with 1
hint: the gate must exit with 0 on the input as it is
      to see what the gate saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && false; echo $?
"#,
    );
}

#[test]
fn the_hint_can_be_typed() {
    let world = world("cat \"$1\"; exit 1");
    let ran = world.line("reduce in.txt --test ./t.sh");
    let line = ran.stderr.lines().last().unwrap().trim().to_owned();
    let seen = world.finish(world.command("sh").args(["-c", &line]));
    assert_eq!(seen.stdout, world.text("in.txt") + "1\n");
}

#[test]
fn a_flaky_test() {
    let world = world("");
    let mark = world.beside("mark");
    let script = format!("mkdir {} 2>&- && exit 0; echo no luck; exit 1", mark.display());
    world.script("t.sh", &script);
    check(
        &world,
        "reduce in.txt --flaky refuse --test ./t.sh",
        r#"
error: two tests of the same bytes of `in.txt` differ
  caused by: the first time `./t.sh` exited with 0
  caused by: the second time `./t.sh` exited with 1 and printed "no luck"
hint: make the test repeatable, or say with --fail-match or --fail-exit what matters;
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh in.txt; echo $?
"#,
    );
}

#[test]
fn a_missing_script() {
    check(
        &world(""),
        "reduce in.txt --test ./nowhere.sh",
        "
error: there is no script `./nowhere.sh`
hint: the name is relative to the current folder; is it spelled right?
",
    );
}

#[test]
fn a_missing_program() {
    check(
        &world(""),
        "reduce in.txt -- no-such-program {}",
        "
error: there is no program `no-such-program`
hint: install it, or write ./no-such-program if it is a file in the current folder
",
    );
}

#[test]
fn a_script_that_is_not_executable() {
    let world = world("");
    fs::set_permissions(world.path("t.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    check(
        &world,
        "reduce in.txt --test t.sh",
        "
error: `DIR/t.sh` is not executable
hint: chmod +x DIR/t.sh
",
    );
}

#[test]
fn a_wrong_interpreter() {
    let world = world("");
    let script = world.write("t.sh", "#!/no/such/interpreter -x\nexit 0\n");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    check(
        &world,
        "reduce in.txt --test ./t.sh",
        "
error: cannot start `DIR/t.sh`
  caused by: No such file or directory (os error 2)
hint: its interpreter is missing: the first line is `#!/no/such/interpreter -x`
",
    );
}

#[test]
fn a_program_that_the_script_does_not_find() {
    check(
        &world("echo 'no-such-program: not found' >&2; exit 127"),
        "reduce in.txt --test ./t.sh",
        r#"
error: `./t.sh` exited with 127 and printed "no-such-program: not found": a program that the test needs is missing or not executable
hint: each test runs in a new folder that holds only `in.txt`
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh in.txt; echo $?
"#,
    );
}

#[test]
fn a_file_that_is_not_there() {
    check(
        &world(""),
        "reduce nowhere.txt --test ./t.sh",
        "
error: cannot read `DIR/nowhere.txt`
  caused by: No such file or directory (os error 2)
hint: the name is relative to the current folder; is it spelled right?
",
    );
}

#[test]
fn an_empty_file() {
    let world = world("");
    world.write("empty", "");
    check(
        &world,
        "reduce empty --test ./t.sh",
        "
error: `DIR/empty` is empty: there is nothing to reduce
hint: is it the right file?
",
    );
}

#[test]
fn an_empty_folder() {
    let world = world("");
    fs::create_dir(world.path("folder")).unwrap();
    check(
        &world,
        "reduce folder --test ./t.sh",
        "
error: `DIR/folder` is empty: there is nothing to reduce
hint: is it the right folder?
",
    );
}

#[test]
fn the_same_file_twice() {
    check(
        &world(""),
        "reduce in.txt ./in.txt --test ./t.sh",
        "
error: `DIR/in.txt` is given twice
hint: leave out one of the two
",
    );
}

#[test]
fn a_place_to_write_to_that_the_run_reads_or_writes_already() {
    let world = world("grep -q needle in.txt");
    world.write("prog.sh", "grep -q needle $1 && exit 3\nexit 0\n");
    world.write("x.y", "%%\nx: 'x';\n");
    world.write("old/a", "1");
    world.write("new/a", "2");
    std::os::unix::fs::symlink("t.sh", world.path("link")).unwrap();
    fs::create_dir(world.path("sub")).unwrap();
    std::os::unix::fs::symlink("..", world.path("sub/up")).unwrap();
    let before = world.text("t.sh");
    let (reduce, test) = ("reduce in.txt", "--test ./t.sh");
    for (line, what) in [
        (format!("{reduce} {test} -o t.sh"), "`DIR/t.sh`, where --out is written, is the test"),
        (format!("{reduce} {test} -o sub/../link"), "where --out is written, is the test"),
        (
            format!("{reduce} -o prog.sh -- sh prog.sh {{}}"),
            "--out is written, is part of the test",
        ),
        (
            format!("{reduce} {test} --gate ./prog.sh -o prog.sh"),
            "--out is written, is part of a gate",
        ),
        (format!("{reduce} {test} --grammar x.y -o x.y"), "--out is written, is the grammar"),
        (
            format!("{reduce} {test} --events=t.sh"),
            "`t.sh`, where --events is written, is the test",
        ),
        (format!("{reduce} {test} --events=sub/up/in.txt"), "--events is written, is the input"),
        (
            format!("{reduce} {test} --events=x -o x"),
            "--out and --events are written to the same place",
        ),
        (format!("{reduce} {test} --events=in.reduced.txt"), "the result and --events are written"),
        (format!("reduce old {test} --events=old/x"), "lies in `DIR/old`, which is the input"),
        ("changes old new --events=t.sh -- ./t.sh".into(), "is part of the test"),
        (
            "changes old new --sarif x --markdown x -- ./t.sh".into(),
            "--markdown and --sarif are written",
        ),
        ("changes old new --out new -- ./t.sh".into(), "lies in `DIR/new`, which is the input"),
        (
            "changes old new --markdown prog.sh --build ./prog.sh -- ./t.sh".into(),
            "part of a command",
        ),
        ("history . --events=t.sh -- ./t.sh".into(), "is part of the test"),
    ] {
        let ran = world.line(&line);
        let folder = world.path("");
        let said = ran.stderr.replace(folder.to_str().unwrap().trim_end_matches('/'), "DIR");
        assert_eq!(ran.code, Some(2), "{line}: {said}");
        assert!(
            said.contains(what) && said.contains("hint: nothing was run or written"),
            "{line}: {said}"
        );
    }
    assert_eq!(world.text("t.sh"), before);
    assert_eq!(world.runs(), Vec::<String>::new());
    // What is not kept can be written to twice.
    let ran = world.line("reduce in.txt --test ./t.sh -o small.txt --events=/dev/stderr -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn nothing_to_run() {
    check(
        &world(""),
        "reduce in.txt",
        "
error: nothing to run on `in.txt`
hint: give a command after --, with {} for the file, or a script with --test:
        whodunit reduce crash.c -- gcc -O2 -c {}
        whodunit reduce crash.c --test ./still-crashes.sh
",
    );
}

#[test]
fn two_things_to_run() {
    check(
        &world(""),
        "reduce in.txt --test ./t.sh -- ./t.sh {}",
        "
error: two things to run: a test is a command after `--` or what one flag names
hint: leave out one of the two
",
    );
}

#[test]
fn a_command_that_names_the_input_itself() {
    check(
        &world(""),
        "reduce in.txt -- ./t.sh in.txt",
        "
error: the command names `in.txt` itself, so every test would see the whole of it
hint: write {} instead of in.txt: {} stands for the candidate
",
    );
}

#[test]
fn a_place_among_other_text_with_several_files() {
    let world = world("exit 1");
    world.write("b.txt", "b\n");
    check(
        &world,
        "reduce in.txt b.txt -- ./t.sh --file={}",
        "
error: `--file={}` holds {} among other text, but there are several input files
hint: let {} stand alone: it becomes all the names
",
    );
}

#[test]
fn a_bad_pattern() {
    for flag in ["--protect", "--fail-match"] {
        let message = format!(
            "
error: the pattern of {flag} is not valid
  caused by: regex parse error:
        f(oo
         ^
    error: unclosed group
hint: special characters that stand for themselves need a backslash: \\( \\[ \\+
"
        );
        check(&world("exit 0"), &format!("reduce in.txt {flag} f(oo -- ./t.sh"), &message);
    }
}

#[test]
fn values_that_make_no_sense() {
    let cases = [
        ("--timeout 5parsecs", "error: invalid value '5parsecs' for '--timeout <DURATION>': "),
        (
            "--budget 0",
            "error: invalid value '0' for '--budget <DURATION>': must be greater than zero",
        ),
        (
            "--memory much",
            "error: invalid value 'much' for '--memory <SIZE>': not a size like 512M",
        ),
        (
            "--fail-signal SIGNAL",
            "error: invalid value 'SIGNAL' for '--fail-signal <SIGNAL>': not a",
        ),
        ("-j 0", "error: invalid value '0' for '--jobs <N>': "),
        ("--fail-exit 256", "error: invalid value '256' for '--fail-exit <N>': "),
        (
            "--level words",
            "error: invalid value 'words' for '--level <LEVEL>'\n  [possible values: ",
        ),
    ];
    for (flag, message) in cases {
        let world = world("exit 0");
        let ran = world.line(&format!("reduce in.txt --test ./t.sh {flag}"));
        assert!(ran.stderr.starts_with(message), "{flag}: {}", ran.stderr);
        assert_eq!(ran.code, Some(2));
        assert_eq!(world.runs(), Vec::<String>::new());
    }
}

#[test]
fn flags_that_exclude_each_other() {
    let world = world("exit 0");
    let ran = world.line("reduce in.txt --test ./t.sh --in-place --out x");
    assert!(
        ran.stderr
            .starts_with("error: the argument '--in-place' cannot be used with '--out <FILE>'"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(2));
    let ran = world.line("reduce in.txt --test ./t.sh --json --events");
    let said = "error: --json and --events would both be printed\n\
                hint: the last event holds the answer; or write the events to a file: --events=FILE\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), said));
    let ran = world.line("reduce in.txt --fail-timeout -- ./t.sh");
    assert!(ran.stderr.contains("--timeout <DURATION>"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_first_run_that_is_cut_short() {
    check(
        &world("sleep 1000"),
        "reduce in.txt --timeout 200ms -- ./t.sh",
        "
error: the test of `in.txt` as it is was cut short: `./t.sh` did not end in time
hint: give it more time with --timeout; if not ending is the failure, add --fail-timeout
",
    );
    check(
        &world("exec yes"),
        "reduce in.txt --max-output 100k -- ./t.sh",
        "
error: the test of `in.txt` as it is was cut short: `./t.sh` printed too much
hint: let it print more with --max-output, or let it print less
",
    );
    check(
        &world("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; wait"),
        "reduce in.txt --max-processes 5 -- ./t.sh",
        "
error: the test of `in.txt` as it is was cut short: `./t.sh` started too many processes
hint: let it start more with --max-processes
",
    );
    check(
        &world("exec awk 'BEGIN { text = \"x\"; while (1) text = text text }'"),
        "reduce in.txt --memory 64M -- ./t.sh",
        "
error: the test of `in.txt` as it is was cut short: `./t.sh` used too much memory
hint: let it use more with --memory
",
    );
}

#[test]
fn a_target_folder_that_cannot_be_written() {
    let world = world("exit 0");
    // A folder below a file cannot be used by anyone, root included.
    let ran = world.line("reduce in.txt --test ./t.sh --out in.txt/out");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let folder = world.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let message = format!(
        "error: cannot write `{folder}/in.txt/out`\n  \
         caused by: Not a directory (os error 20)\nhint: choose another place with --out\n"
    );
    assert!(ran.stderr.ends_with(&message), "{}", ran.stderr);
    assert_eq!(world.runs(), Vec::<String>::new());
    let ran = world.line("reduce in.txt --test ./t.sh --events=in.txt/events");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot write `in.txt/events`\n"), "{}", ran.stderr);
    assert_eq!(world.runs(), Vec::<String>::new());
}

#[test]
fn a_read_only_target_folder() {
    if !support::can_mount() {
        return;
    }
    let world = world("exit 0");
    // The shell was in the folder before it was mounted, so it has to enter it again.
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && cd \"$0\" && \
                  exec \"$@\"";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script]).arg(world.path(""));
    command.args([support::WHODUNIT, "reduce", "in.txt", "--test", "./t.sh"]);
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let message =
        "caused by: Read-only file system (os error 30)\nhint: choose another place with --out\n";
    assert!(ran.stderr.ends_with(message), "{}", ran.stderr);
    assert_eq!(world.runs(), Vec::<String>::new());
}

#[test]
fn an_answer_that_is_none() {
    let world = world("");
    world.write("none.json", "{\"schema\": 4}");
    world.write("broken.json", "{\"job\": \"reduce\", \"schema\": \"what?\"}");
    for (name, cause) in
        [("none.json", "it does not say which job"), ("broken.json", "invalid type: ")]
    {
        let ran = world.line(&format!("verify {name}"));
        assert_eq!(ran.code, Some(2));
        let message = format!("error: `{name}` is not an answer of whodunit\n  caused by: {cause}");
        assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
        let hint =
            "hint: `whodunit reduce … --json > ANSWER.json` makes one, or `whodunit changes …`\n";
        assert!(ran.stderr.ends_with(hint), "{}", ran.stderr);
    }
}

#[test]
fn an_unknown_command_or_page() {
    let world = world("");
    assert_eq!(world.line("reproduce in.txt").code, Some(2));
    assert_eq!(world.line("").code, Some(2));
    check(
        &world,
        "man nonsense",
        "
error: there is no command `nonsense` to have a page about
hint: `whodunit --help` lists the commands
",
    );
}

#[test]
fn a_result_takes_the_place_of_the_input_only_if_that_is_said() {
    let world = World::new();
    world.write("in.txt", "1\n2\n3\n");
    world.script("t.sh", "grep -q 2 in.txt");
    for out in ["in.txt", "./in.txt", "../work/in.txt"] {
        let ran = world.line(&format!("reduce in.txt --out {out} -q --test ./t.sh"));
        assert_eq!(ran.code, Some(2), "{out}: {}", ran.stderr);
        assert!(ran.stderr.contains("is the input itself"), "{}", ran.stderr);
        assert!(ran.stderr.contains("--in-place"), "{}", ran.stderr);
    }
    assert_eq!(world.text("in.txt"), "1\n2\n3\n");
}
