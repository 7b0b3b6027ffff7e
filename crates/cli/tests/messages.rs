//! Mistakes that people make in their first hour, and the advice of the program about each.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use support::{Ran, World, has_git, numbered};

/// Returns a world with an input that has a needle, and scripts.
fn world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(9, &[(5, "needle")]));
    world.script("t.sh", "if grep -q needle \"$1\"; then exit 1; fi");
    world.script("stdin.sh", "if grep -q needle; then exit 1; fi");
    world.script(
        "words.sh",
        "cat words.txt || exit 0; if grep -q -f words.txt \"$1\"; then exit 1; fi",
    );
    world.write("words.txt", "needle\n");
    world
}

/// Returns a world with a repository of two versions, `v1` and the one with the failure.
fn shop() -> World {
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", "1\n");
    world.commit("one");
    world.git("tag v1");
    world.write("a.txt", "2\n");
    world.script("t.sh", "grep -q 1 a.txt");
    world.write("tests/new.sh", "grep -q 1 a.txt\n");
    world.commit("two");
    world
}

/// Returns the output from the error on, with `DIR` for the current folder.
fn message(world: &World, ran: &Ran) -> String {
    let folder = world.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let lines = ran.stderr.lines().skip_while(|line| !line.starts_with("error:"));
    lines.map(|line| format!("{}\n", line.replace(folder, "DIR"))).collect()
}

/// Checks the whole message of a line whose words are separated by ` | `.
fn check(world: &World, words: &[&str], expected: &str) {
    let ran = world.run(words);
    assert_eq!(message(world, &ran), expected.trim_start_matches('\n'), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(world.runs(), Vec::<String>::new(), "a useless run was left");
}

#[test]
fn a_command_in_quotes_is_taken_apart() {
    check(
        &world(),
        &["reduce", "in.txt", "--", "./t.sh {}"],
        "
error: `./t.sh {}` is one word, and no program has that name
hint: leave out the quotes around it:
        -- ./t.sh {}
",
    );
}

#[test]
fn a_pipeline_in_quotes_gets_a_shell() {
    check(
        &world(),
        &["reduce", "in.txt", "--", "cat {} | grep needle"],
        r#"
error: `cat {} | grep needle` is one word, and no program has that name
hint: leave out the quotes around it:
        -- sh -c 'cat "$1" | grep needle' sh {}
"#,
    );
}

#[test]
fn what_the_message_suggests_works() {
    let world = world();
    let ran = world.run(
        ["reduce", "in.txt", "-q", "--fail-exit", "0", "--", "sh", "-c"].into_iter().chain([
            r#"cat "$1" | grep needle"#,
            "sh",
            "{}",
        ]),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle");
}

#[test]
fn a_command_in_quotes_is_recognised_in_versions_too() {
    if !has_git() {
        return;
    }
    for job in [&["changes", "v1"][..], &["history"]] {
        let words: Vec<&str> = job.iter().copied().chain(["--", "./t.sh && true"]).collect();
        check(
            &shop(),
            &words,
            "
error: `./t.sh && true` is one word, and no program has that name
hint: leave out the quotes around it:
        -- sh -c './t.sh && true'
",
        );
    }
}

#[test]
fn words_of_a_shell_are_warned_about() {
    for word in ["|", "&&", ">"] {
        let ran = world().run(["reduce", "in.txt", "--", "cat", "{}", word, "grep"]);
        let warning =
            format!("warning: `{word}` is an argument of the command, because no shell runs it");
        assert!(ran.stderr.contains(&warning), "{}", ran.stderr);
    }
}

#[test]
fn a_command_without_a_place_for_the_candidate() {
    check(
        &world(),
        &["reduce", "in.txt", "--", "./t.sh"],
        r#"
error: `in.txt` as it is does not fail: `./t.sh` exited with 0 and printed "grep: : No such file or directory"
hint: the command has no {}, so it gets the candidate as its standard input
      the command must exit with anything but 0, or die of a signal
      if its exit 0 means that the failure is there: --fail-exit 0
      each test runs in a new folder that holds only `in.txt`
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh < in.txt; echo $?
"#,
    );
}

#[test]
fn a_command_that_reads_its_standard_input() {
    let expected = r#"
error: `in.txt` as it is does not fail: `./stdin.sh {}` exited with 0
hint: the command must exit with anything but 0, or die of a signal
      if its exit 0 means that the failure is there: --fail-exit 0
      its standard input is empty; without {} that would be the candidate
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/stdin.sh in.txt; echo $?
"#;
    check(&world(), &["reduce", "in.txt", "--", "./stdin.sh", "{}"], expected);
}

#[test]
fn swapped_conventions_are_named_in_both_directions() {
    let world = world();
    let ran = world.line("reduce in.txt -- grep -q needle {}");
    assert!(message(&world, &ran).contains("means that the failure is there: --fail-exit 0\n"));
    let ran = world.line("reduce in.txt --fail-exit 0 -q -- grep -q needle {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    check(
        &self::world(),
        &["reduce", "in.txt", "--test", "./t.sh"],
        r#"
error: `in.txt` as it is does not fail: `./t.sh` exited with 1
hint: exit 0 must mean that the failure is there
      if it fails where the failure is: -- ./t.sh {}
      if it fails only sometimes: --repeat 20 runs it more often first
      to see what the test saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && DIR/t.sh in.txt; echo $?
"#,
    );
}

#[test]
fn a_file_that_the_test_needs_is_not_in_its_folder() {
    let world = world();
    let ran = world.line("reduce in.txt -- ./words.sh {}");
    let hint = "      each test runs in a new folder that holds only `in.txt`\n";
    assert!(message(&world, &ran).contains(hint), "{}", ran.stderr);
}

#[test]
fn numbers_that_make_no_sense() {
    for (flag, text) in [
        ("-j 0", "error: invalid value '0' for '--jobs <N>': must be at least 1\n"),
        ("-j 1001", "error: invalid value '1001' for '--jobs <N>': not a number from 1 to 1000\n"),
        ("--max-tests 0", "error: invalid value '0' for '--max-tests <N>': must be at least 1\n"),
        (
            "--budget 10x",
            "error: invalid value '10x' for '--budget <DURATION>': not a time like 90s, 10m or 1h 30m\n",
        ),
        (
            "--budget 0",
            "error: invalid value '0' for '--budget <DURATION>': must be greater than zero\n",
        ),
    ] {
        let ran = world().line(&format!("reduce in.txt {flag} -- ./t.sh {{}}"));
        assert!(ran.stderr.starts_with(text), "{flag}: {}", ran.stderr);
        assert_eq!(ran.code, Some(2));
    }
}

#[test]
fn a_test_that_the_good_version_lacks() {
    if !has_git() {
        return;
    }
    check(
        &shop(),
        &["changes", "v1", "HEAD", "--", "sh", "-c", "sh tests/new.sh"],
        r#"
error: `v1` fails too: `sh -c 'sh tests/new.sh'` exited with 2 and printed "sh: 0: cannot open tests/new.sh: No such file"
hint: the test must exit with 0 in the good version; perhaps only an older one is good
      if tests/new.sh is newer than `v1`: --with tests/new.sh gives it to both versions, or
        whodunit history --overlay tests/new.sh -- sh -c 'sh tests/new.sh'
      to see what the test saw:
        cd "$(mktemp -d)" && git -C DIR archive v1 | tar -x && sh -c 'sh tests/new.sh'; echo $?
"#,
    );
    let world = shop();
    let line = ["changes", "v1", "HEAD", "-q", "--with", "tests/new.sh", "--", "sh", "-c"];
    let ran = world.run(line.into_iter().chain(["sh tests/new.sh"]));
    assert_eq!(ran.code, Some(0), "the first suggestion works: {}", ran.stderr);
    let line = ["history", "-q", "--overlay", "tests/new.sh", "--", "sh", "-c", "sh tests/new.sh"];
    let ran = world.run(line);
    assert_eq!(ran.code, Some(0), "the second suggestion works: {}", ran.stderr);
}

#[test]
fn a_script_that_no_version_has() {
    if !has_git() {
        return;
    }
    check(
        &shop(),
        &["changes", "v1", "--", "./nope.sh"],
        "
error: cannot start `./nope.sh`
  caused by: No such file or directory (os error 2)
hint: neither the version nor this folder has it; one that is built first needs --build
",
    );
}

#[test]
fn a_version_in_the_place_of_a_history() {
    if !has_git() {
        return;
    }
    check(
        &shop(),
        &["history", "v1", "--", "./t.sh"],
        "
error: there is no folder `v1` with a history
hint: PLACE is where the history is, and that of this folder is the default. If v1 is a version that passes: --good v1; if it is the one that fails: --until v1
",
    );
    check(
        &shop(),
        &["history", "--good", "HEAD", "--", "./t.sh"],
        "
error: `HEAD` is not older than the newest version
hint: --good takes an older version that passes; without it whodunit looks for one
",
    );
}

#[test]
fn dates_are_understood_as_git_does() {
    if !has_git() {
        return;
    }
    // All commits of this world are from March 2026, later than these dates.
    let world = shop();
    for date in ["20 years ago", "March 1 2026", "2026-03-01"] {
        let ran = world.run(["history", "-q", "--since", date, "--", "./t.sh"]);
        assert_eq!(ran.code, Some(0), "{date}: {}", ran.stderr);
    }
    let ran = world.run(["history", "-q", "--until", "March 1 2026", "--", "./t.sh"]);
    assert!(ran.stderr.contains("no commit is as old as `2026-03-01`"), "{}", ran.stderr);
    world.git("branch yesterday v1");
    let ran = world.run(["changes", "yesterday", "-q", "--", "./t.sh"]);
    assert_eq!(ran.code, Some(0), "a branch comes first: {}", ran.stderr);
}

#[test]
fn no_repository_and_an_empty_one() {
    if !has_git() {
        return;
    }
    let world = World::new();
    check(
        &world,
        &["history", "--", "true"],
        "
error: not a git repository: DIR
hint: go to the folder of the checkout, or name it; a folder of releases will do as well
",
    );
    world.git("init -q");
    for line in [&["history", "--", "true"][..], &["changes", "HEAD", "--", "true"]] {
        check(
            &world,
            line,
            "
error: the repository has no commits yet
hint: commit the versions to compare; `git log` lists them
",
        );
    }
}

#[test]
fn a_folder_that_is_not_there() {
    if !has_git() {
        return;
    }
    check(
        &shop(),
        &["changes", "v1", "/nowhere", "--", "true"],
        "
error: there is no folder or archive `/nowhere`
hint: is it spelled right?
",
    );
}

#[test]
fn a_gate_is_shown_as_it_was_run() {
    check(
        &world(),
        &["reduce", "in.txt", "--gate", "grep -q nowhere {}", "--", "./t.sh", "{}"],
        r#"
error: `in.txt` as it is does not fail: the gate exited with 1
hint: the gate must exit with 0 on the input as it is
      to see what the gate saw:
        cd "$(mktemp -d)" && cp DIR/in.txt . && grep -q nowhere in.txt; echo $?
"#,
    );
}

#[test]
fn a_script_among_the_inputs() {
    check(
        &world(),
        &["reduce", "in.txt", "./t.sh"],
        "
error: nothing to run on in.txt, and `./t.sh` is a program
hint: if it decides and exit 0 means that the failure is there:
        whodunit reduce in.txt --test ./t.sh
      if it fails where the failure is:
        whodunit reduce in.txt -- ./t.sh {}
",
    );
}

#[test]
fn the_test_flag_in_a_search_for_changes() {
    if !has_git() {
        return;
    }
    check(
        &shop(),
        &["changes", "v1", "--test", "./t.sh"],
        "
error: --test is a flag of `reduce`, and `changes` takes a command after `--`
hint: whodunit changes … -- ./t.sh, as for `git bisect run`: it exits with 0 where the failure is not there, and with 1 where it is. If its exit 0 means that the failure is there:
        -- sh -c '! ./t.sh'
",
    );
}

#[test]
fn files_of_grammars_that_are_not_there_or_not_right() {
    check(
        &world(),
        &["reduce", "in.txt", "--grammar", "nope.y", "--", "./t.sh", "{}"],
        "
error: cannot read `nope.y`
  caused by: No such file or directory (os error 2)
hint: the name is relative to the current folder; is it spelled right?
",
    );
    let ran = world().line("reduce --hierarchy in.txt -- ./t.sh {}");
    assert!(ran.stderr.contains("\nhint: it is JSON like {"), "{}", ran.stderr);
}

#[test]
fn an_answer_that_is_not_there() {
    check(
        &World::new(),
        &["verify", "missing.json"],
        "
error: there is no file `missing.json`
hint: `whodunit show RUN --json > ANSWER.json` writes the answer of a run; `whodunit show --list` lists the runs
",
    );
}

#[test]
fn a_result_in_a_folder_that_is_not_there() {
    let world = world();
    let ran = world.line("reduce in.txt --out nowhere/x -- ./t.sh {}");
    assert_eq!(ran.code, Some(2));
    let hint = "hint: there is no such folder: mkdir -p DIR/nowhere\n";
    assert!(message(&world, &ran).ends_with(hint), "{}", ran.stderr);
    assert!(!world.path("nowhere").exists());
}

#[test]
fn standard_input_is_no_file_to_reduce() {
    check(
        &world(),
        &["reduce", "-", "--", "./t.sh", "{}"],
        "
error: `reduce` reads files, not its standard input
hint: save it to a file first: cat > input.txt
",
    );
}

#[test]
fn a_dash_prints_a_page_and_reads_an_answer() {
    if !has_git() {
        return;
    }
    let world = shop();
    let ran = world.line("changes v1 --markdown - -- ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("## "), "{}", ran.stdout);
    assert!(ran.stderr.contains("\nproved     "), "the answer is beside it: {}", ran.stderr);
    assert!(!world.path("-").exists());
    let json = world.line("show --json").stdout;
    let path = world.write("answer.json", json);
    let mut command = world.command(support::WHODUNIT);
    let ran = world.finish(command.args(["verify", "-"]).stdin(fs::File::open(path).unwrap()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn help_and_version_are_commands_too() {
    let world = World::new();
    assert_eq!(world.line("version").stdout, world.line("--version").stdout);
    assert_eq!(world.line("help reduce").stdout, world.line("reduce --help").stdout);
    assert!(
        world.line("help").stdout.contains("\nUsage: whodunit"),
        "{}",
        world.line("help").stdout
    );
}

#[test]
fn levels_have_one_name_in_all_jobs_and_plurals_are_understood() {
    let world = world();
    for level in ["line", "lines"] {
        let ran = world.line(&format!("reduce in.txt -q --level {level} -- ./t.sh {{}}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(world.text("in.reduced.txt"), "needle\n");
    }
    world.write("old/a.txt", "1\n");
    world.write("new/a.txt", "2\n");
    for level in ["line", "lines"] {
        let ran = world.line(&format!("changes old new -q --level {level} -- grep -q 1 a.txt"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
}

#[test]
fn a_warning_about_root_comes_once() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let world = world();
    let seen = |world: &World| world.line("reduce in.txt -- ./t.sh {}").stderr.contains("as root");
    assert!(seen(&world));
    assert!(!seen(&world));
}

#[test]
fn errors_are_json_where_the_answer_would_be() {
    let world = world();
    let error = |line: &str| -> Value {
        let ran = world.line(line);
        let value: Value = serde_json::from_str(&ran.stdout).expect(&ran.stdout);
        assert_eq!(ran.code.map(Value::from), Some(value["error"]["exit"].clone()));
        assert!(ran.stderr.contains("error: "), "{}", ran.stderr);
        value["error"].clone()
    };
    let missing = error("reduce nowhere.txt --json -- ./t.sh {}");
    assert!(missing["message"].as_str().unwrap().starts_with("cannot read `"), "{missing}");
    assert_eq!(missing["causes"][0], "No such file or directory (os error 2)");
    assert!(missing["hint"].as_str().unwrap().contains("spelled right"), "{missing}");
    let usage = error("reduce in.txt --json --nonsense -- ./t.sh {}");
    assert!(usage["message"].as_str().unwrap().contains("--nonsense"), "{usage}");
    // The command may have such a flag of its own.
    let ran = world.line("reduce nowhere.txt -- ./t.sh --json {}");
    assert_eq!(ran.stdout, "");
}

#[test]
fn exit_codes_tell_found_from_not_a_regression() {
    if !has_git() {
        return;
    }
    let world = shop();
    assert_eq!(world.line("history -q -- ./t.sh").code, Some(0));
    assert_eq!(world.line("history -q -- false").code, Some(5), "not a regression");
    assert_eq!(world.line("history -q --max-tests 1 -- ./t.sh").code, Some(3), "not done");
    let help = world.line("history --help").stdout;
    for line in ["  0    found", "  3    not done", "  5    history: done, and no version is named"]
    {
        assert!(help.contains(line), "{line}");
    }
}

#[test]
fn counts_have_a_plural_only_where_they_are_more() {
    let world = World::new();
    world.write("in.txt", "x");
    world.script("t.sh", "exit 3");
    let ran = world.line("reduce in.txt --level byte -- ./t.sh {}");
    assert!(ran.stdout.contains(" of 1 byte ("), "{}", ran.stdout);
    assert!(ran.stdout.contains(" of 1 token\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains(" 1 tests"), "{}", ran.stdout);
}

#[test]
fn a_script_that_may_not_be_run() {
    let world = world();
    fs::set_permissions(world.path("t.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    check(
        &world,
        &["reduce", "in.txt", "--", "./t.sh", "{}"],
        "
error: `DIR/t.sh` is not executable
hint: chmod +x DIR/t.sh
",
    );
}

#[test]
fn a_test_that_fails_only_sometimes_is_run_more_often_as_the_hint_says() {
    let world = World::new();
    world.write("in.txt", numbered(9, &[(5, "needle")]));
    // Fails every third time.
    let count = world.beside("count");
    let script = format!(
        "grep -q needle \"$1\" || exit 0; echo >> {0}; exit $(( $(wc -l < {0}) % 3 == 0 ))",
        count.display()
    );
    world.script("t.sh", &script);
    let ran = world.line("reduce in.txt -j1 -- ./t.sh {}");
    let hint = "if it fails only sometimes: --repeat 20 runs it more often first\n";
    assert!(ran.code == Some(2) && ran.stderr.contains(hint), "{}", ran.stderr);
    fs::remove_file(&count).unwrap();
    let ran = world.line("reduce in.txt -j1 --level line --repeat 20 -- ./t.sh {}");
    assert_ne!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("flaky: the failure shows in "), "{}", ran.stderr);
}

#[test]
fn the_short_help_leaves_out_what_only_experiments_need() {
    let world = World::new();
    for (job, flag) in
        [("reduce", "--certify"), ("changes", "--needs-file"), ("history", "--memcheck")]
    {
        assert!(!world.line(&format!("{job} -h")).stdout.contains(flag), "{job}");
        assert!(world.line(&format!("{job} --help")).stdout.contains(flag), "{job}");
    }
}
