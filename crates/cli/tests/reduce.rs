//! `whodunit reduce` from end to end: its result, its output, and its proof.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use support::{World, numbered};

/// Reduces `bytes` with a test that greps for `needle`, and returns the result.
fn check_left(bytes: &[u8], needle: &str) -> Vec<u8> {
    let world = World::new();
    world.write("input.txt", bytes);
    world.script("test.sh", &format!("LC_ALL=C grep -qa '{needle}' input.txt"));
    let ran = world.line("reduce input.txt --test ./test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.read("input.txt"), bytes, "the input was touched");
    world.read("input.reduced.txt")
}

#[test]
fn one_line_of_many_is_left() {
    let text = numbered(500, &[(123, "here is the needle, well hidden")]);
    assert_eq!(check_left(text.as_bytes(), "needle"), b"needle");
}

#[test]
fn a_command_that_fails_teaches_its_failure() {
    let world = World::new();
    world.write("numbers.txt", numbered(100, &[(40, "9 0"), (70, "garbage")]));
    // Fails in two ways; only the first one is the failure we are after.
    let script = "grep -q '0' \"$1\" && { echo 'fatal error: division by zero' >&2; exit 3; }\n\
                  grep -q garbage \"$1\" && { echo 'error: not a number' >&2; exit 4; }\nexit 0";
    world.script("sum.sh", script);
    let ran = world.line("reduce numbers.txt -- ./sum.sh {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("numbers.reduced.txt"), "0");
    let failure = r#"exits with 3 and says "fatal error: division by zero""#;
    assert!(ran.stderr.contains(&format!("failure: {failure}")), "{}", ran.stderr);
    assert!(ran.stdout.contains(failure), "{}", ran.stdout);
}

#[test]
fn another_failure_is_reported_but_not_followed() {
    let world = World::new();
    world.write("in.txt", numbered(40, &[(5, "alpha"), (30, "beta")]));
    let script = "grep -q alpha $1 || { echo 'error: other trouble'; exit 7; }\n\
                  grep -q beta $1 && { echo 'error: our trouble'; exit 3; }\nexit 0";
    world.script("t.sh", script);
    let ran = world.line("reduce in.txt --level lines -- ./t.sh {}");
    assert_eq!(world.text("in.reduced.txt"), "alpha\nbeta\n", "{}", ran.stderr);
    assert!(ran.stdout.contains("also met   1 other failure\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(r#"exits with 7 and says "error: other trouble""#));
}

#[test]
fn without_a_place_the_candidate_is_the_standard_input() {
    let world = World::new();
    world.write("in.txt", numbered(50, &[(9, "boom")]));
    let args = ["reduce", "in.txt", "--fail-exit", "0", "--", "grep", "boom"];
    assert_eq!(world.run(args).code, Some(0));
    assert_eq!(world.text("in.reduced.txt"), "boom");
}

#[test]
fn several_files_are_reduced_together_and_some_go() {
    let world = World::new();
    world.write("src/main.c", numbered(30, &[(3, "call helper")]));
    world.write("include/helper.h", numbered(30, &[(20, "define helper")]));
    world.write("include/unused.h", numbered(30, &[]));
    world.script("t.sh", "grep -q call src/main.c && grep -q define include/helper.h");
    let ran = world.line(
        "reduce src/main.c include/helper.h include/unused.h --level lines --test ./t.sh -o out",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("out/src/main.c"), "call helper\n");
    assert_eq!(world.text("out/include/helper.h"), "define helper\n");
    assert!(!world.path("out/include/unused.h").exists());
    assert!(ran.stdout.contains("not needed include/unused.h"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no line or file can be left out"), "{}", ran.stdout);
}

#[test]
fn a_file_that_goes_is_not_given_to_the_command() {
    let world = World::new();
    world.write("a.txt", "needle\n");
    world.write("b.txt", "hay\n");
    // A missing file would make `cat` fail, and the test pass.
    world.script("t.sh", "cat \"$@\" > all && ! grep -q needle all");
    let ran = world.line("reduce a.txt b.txt -o out -- ./t.sh {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("out/a.txt"), "needle");
    assert!(!world.path("out/b.txt").exists());
}

#[test]
fn strange_names_are_just_names() {
    let names: [&[u8]; 6] = [
        b"two words.txt",
        b"it's.txt",
        b"new\nline.txt",
        b"-q",
        b"\"$HOME\";.txt",
        b"\xff\xfe.txt",
    ];
    for name in names {
        let world = World::new();
        let name = OsStr::from_bytes(name);
        world.write(name, numbered(20, &[(7, "needle")]));
        world.script("t.sh", "grep -q needle -- \"$1\"");
        let dotted = std::path::Path::new(".").join(name);
        let args = ["reduce".as_ref(), dotted.as_os_str(), "--out".as_ref(), "out".as_ref()];
        let ran = world.run(args.into_iter().chain(["--test", "./t.sh"].map(OsStr::new)));
        assert_eq!(ran.code, Some(0), "{name:?}: {}", ran.stderr);
        assert_eq!(world.text("out"), "needle", "{name:?}");
        fs::remove_file(world.path("out")).unwrap();
        let args = ["reduce".as_ref(), dotted.as_os_str(), "--out".as_ref(), "out".as_ref()];
        let command = ["--fail-exit", "0", "--", "grep", "needle", "{}"];
        let ran = world.run(args.into_iter().chain(command.map(OsStr::new)));
        assert_eq!(ran.code, Some(0), "{name:?}: {}", ran.stderr);
        assert_eq!(world.text("out"), "needle", "{name:?}");
    }
}

#[test]
fn line_ends_of_all_kinds_go_and_stay_whole() {
    assert_eq!(check_left(b"one\r\ntwo\r\nthree\r\n", "two."), b"two\r");
    assert_eq!(check_left(b"one\ntwo\nthree", "three"), b"three");
    assert_eq!(check_left(b"needle", "needle"), b"needle");
}

#[test]
fn what_is_not_utf8_works_too() {
    let mut latin = numbered(20, &[]).into_bytes();
    latin.extend_from_slice(b"caf\xe9 needle \xff\xfe\n");
    assert_eq!(check_left(&latin, "needle"), b"needle");
    let mut binary: Vec<u8> = (0..3000u32).map(|number| (number * 7 % 256) as u8).collect();
    binary.extend_from_slice(b"MAGIC\0\x01");
    assert_eq!(check_left(&binary, "MAGIC"), b"MAGIC");
}

#[test]
fn characters_of_text_are_not_cut_in_two() {
    let text = "äöü ßßß übel needle ĸĸĸ\n".repeat(3);
    assert_eq!(check_left(text.as_bytes(), "übel"), "übel".as_bytes());
}

#[test]
fn any_number_of_jobs_gives_the_same_answer() {
    let text = numbered(120, &[(11, "alpha"), (60, "beta"), (61, "gamma")]);
    let mut answers = Vec::new();
    for jobs in [1, 2, 4] {
        let world = World::new();
        world.write("in.txt", &text);
        world.script("t.sh", "grep -q alpha in.txt && grep -q beta in.txt && grep -q gamma in.txt");
        let line = format!("reduce in.txt --test ./t.sh -j {jobs}");
        let answer = world.answer(&line);
        let tests = &answer["tests"];
        answers.push((
            world.text("in.reduced.txt"),
            tests["committed"].clone(),
            tests["cached"].clone(),
        ));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn the_answer_as_json_has_the_documented_fields() {
    let world = World::new();
    world.write("in.txt", numbered(30, &[(11, "x = y;")]));
    world.script("t.sh", "grep -q 'x = y' in.txt");
    let answer = world.answer("reduce in.txt --test ./t.sh");
    for count in ["committed", "cached", "wasted", "foretold", "unresolved"] {
        assert!(answer["tests"][count].is_u64(), "{count}");
    }
    assert_eq!(answer["size"]["bytes"], 5);
    assert_eq!(answer["size"]["tokens"], 3);
    assert_eq!(answer["start"]["bytes"], world.read("in.txt").len());
    assert_eq!(answer["proof"]["level"], "bytes");
    assert_eq!(answer["proof"]["rerun"]["verdict"], "fail");
    assert_eq!(answer["ended"], "done");
    assert_eq!(answer["files"][0]["path"], world.path("in.reduced.txt").to_str().unwrap());
    let needed = answer["proof"]["needed"].as_array().unwrap();
    let bytes = needed.iter().filter(|needed| needed["level"] == "bytes");
    assert_eq!(bytes.count(), 5);
    assert!(needed.iter().all(|needed| needed["verdict"] != "fail"));
}

#[test]
fn the_level_is_the_finest_piece() {
    let lines = [("lines", "a needle here\n"), ("tokens", "needle"), ("bytes", "eed")];
    for (level, left) in lines {
        let world = World::new();
        world.write("in.txt", numbered(20, &[(3, "a needle here")]));
        world.script("t.sh", "grep -q eed in.txt");
        let answer = world.answer(&format!("reduce in.txt --level {level} --test ./t.sh"));
        assert_eq!(world.text("in.reduced.txt"), left);
        assert_eq!(answer["proof"]["level"], level);
    }
}

#[test]
fn what_is_protected_stays() {
    let world = World::new();
    let text = "#!keep me\na\nneedle\nb\n// whodunit:protect\nc\n// whodunit:end\nd\n";
    world.write("in.txt", text);
    world.script("t.sh", "grep -q needle in.txt");
    let ran = world.run(["reduce", "in.txt", "--protect", "^#!.*\n", "--test", "./t.sh"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let left = "#!keep me\nneedle\n// whodunit:protect\nc\n// whodunit:end\n";
    assert_eq!(world.text("in.reduced.txt"), left);
}

#[test]
fn what_is_protected_because_of_what_stands_around_it_stays() {
    for (name, pattern, text, kept) in [
        ("line.txt", "^BEGIN.*$", "zX\nBEGIN a END\nfoo\n", "\nBEGIN a END"),
        ("word.txt", r"\bkeep me\b", "zX\nw keep me foo\n", "keep me"),
        ("digits.txt", "[0-9]{3}", "z7\n2345\nfoo\n", "234"),
        ("marks.txt", "#[^#]*#", "z # one # two\n# keep me #\nx\n", "# one ## keep me #"),
        ("a.c", "^#include.*$", "int z;\n#include <stdio.h>\nint f;\n", "#include <stdio.h>"),
        ("b.c", "^int main.*$", "int z;\nint main(void) { return z; }\n", "\nint main(void) {"),
        ("a.py", "^import .*$", "z = 1\nimport os\nprint(z)\n", "\nimport os"),
    ] {
        let world = World::new();
        world.write(name, text);
        world.script("t.sh", &format!("grep -q z {name}"));
        let ran = world.run(["reduce", name, "--protect", pattern, "--json", "--test", "./t.sh"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let (stem, extension) = name.split_once('.').unwrap();
        let left = world.text(format!("{stem}.reduced.{extension}"));
        let is_kept = left.contains(kept) || left.starts_with(kept.trim_start());
        assert!(is_kept, "{name}: {left:?}");
        world.write("answer.json", &ran.stdout);
        let verified = world.line("verify answer.json");
        assert_eq!(verified.code, Some(0), "{name}: {}", verified.stderr);
    }
}

#[test]
fn the_result_goes_where_it_is_wanted() {
    let world = World::new();
    let text = numbered(20, &[(3, "needle")]);
    world.write("in.txt", &text);
    world.write("other.txt", &text);
    world.script("t.sh", "grep -q needle -- \"$1\"");
    assert_eq!(world.line("reduce in.txt --test ./t.sh").code, Some(0));
    std::fs::create_dir_all(world.path("deep/er")).unwrap();
    assert_eq!(world.line("reduce in.txt --test ./t.sh --out deep/er/small").code, Some(0));
    assert_eq!(world.line("reduce other.txt --test ./t.sh --in-place").code, Some(0));
    for left in ["in.reduced.txt", "deep/er/small", "other.txt"] {
        assert_eq!(world.text(left), "needle", "{left}");
    }
    assert_eq!(world.text("in.txt"), text);
    assert_eq!(world.names(), ["deep", "in.reduced.txt", "in.txt", "other.txt", "t.sh"]);
}

#[test]
fn an_input_that_changes_during_the_run_is_not_replaced() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(3, "needle")]));
    let input = world.path("in.txt");
    let edit = format!("grep -q edited {0} || echo edited >> {0}", input.display());
    world.script("t.sh", &format!("{edit}; grep -q needle -- \"$1\""));
    let ran = world.line("reduce in.txt --test ./t.sh --in-place");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = "in.txt changed during the run and was left as it is: the result is beside it";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    assert!(world.text("in.txt").ends_with("edited\n") && world.text("in.txt").contains("needle"));
}

#[test]
fn a_gate_spares_the_test() {
    let world = World::new();
    let text = numbered(30, &[(3, "("), (10, "needle"), (20, ")")]);
    world.write("in.txt", text);
    let unbalanced = world.beside("unbalanced");
    // The test must never see a candidate that the gate refuses.
    let see =
        format!("grep -q '(' in.txt && grep -q ')' in.txt || echo >> {}", unbalanced.display());
    world.script("t.sh", &format!("{see}; grep -q needle in.txt"));
    let gate = "grep -q '(' {} && grep -q ')' {}";
    let args = ["reduce", "in.txt", "--level", "lines", "--gate", gate, "--test", "./t.sh"];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "(\nneedle\n)\n");
    assert!(!unbalanced.exists());
}

#[test]
fn what_counts_as_the_failure_can_be_said() {
    let script = "grep -q seven in.txt && { echo found seven; exit 7; }\n\
                  grep -q dies in.txt && kill -SEGV $$\nexit 0";
    let cases = [
        (vec!["--fail-exit", "7"], "seven"),
        (vec!["--fail-match", "found s.*n"], "seven"),
        (vec!["--any-failure"], "dies"),
    ];
    for (flags, left) in cases {
        let world = World::new();
        world.write("in.txt", numbered(20, &[(3, "dies"), (9, "seven")]));
        world.script("t.sh", script);
        let command = ["--", "./t.sh"];
        let args = [&["reduce", "in.txt"], flags.as_slice(), &command].concat();
        let ran = world.run(args);
        assert_eq!(ran.code, Some(0), "{flags:?}: {}", ran.stderr);
        assert_eq!(world.text("in.reduced.txt"), left, "{flags:?}");
    }
}

#[test]
fn a_signal_can_be_the_failure() {
    for signal in ["SIGSEGV", "segv", "11"] {
        let world = World::new();
        world.write("in.txt", numbered(20, &[(9, "dies")]));
        world.script("t.sh", "grep -q dies in.txt && kill -SEGV $$; exit 0");
        let ran = world.line(&format!("reduce in.txt --fail-signal {signal} -- ./t.sh"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(world.text("in.reduced.txt"), "dies");
        assert!(ran.stderr.contains("failure: dies of SIGSEGV\n"), "{}", ran.stderr);
    }
}

#[test]
fn not_ending_can_be_the_failure() {
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "hangs")]));
    world.script("t.sh", "grep -q hangs in.txt && sleep 1000; exit 0");
    let ran = world.line("reduce in.txt --level lines --fail-timeout --timeout 250ms -- ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "hangs\n");
}

#[test]
fn every_candidate_can_be_kept() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(9, "needle")]));
    world.script("t.sh", "grep -q needle in.txt");
    let answer = world.answer("reduce in.txt --test ./t.sh --keep-tests kept");
    let mut kept: Vec<String> = fs::read_dir(world.path("kept"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    let asked =
        ["committed", "cached", "foretold"].map(|kind| answer["tests"][kind].as_u64().unwrap());
    assert_eq!(kept.len() as u64, asked.iter().sum::<u64>());
    for name in &kept {
        let fails = world.text(format!("kept/{name}/in.txt")).contains("needle");
        assert_eq!(name.ends_with("-fail"), fails, "{name}");
    }
}

#[test]
fn less_can_be_proved_and_is_then_not_claimed() {
    for certify in ["dirty", "none"] {
        let world = World::new();
        world.write("in.txt", numbered(20, &[(9, "needle")]));
        world.script("t.sh", "grep -q needle in.txt");
        let ran = world.line(&format!("reduce in.txt --test ./t.sh --certify {certify}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let proof =
            "not proved fails again in a clean folder; whether it is minimal was not checked";
        assert!(ran.stdout.contains(proof), "{}", ran.stdout);
    }
}

#[test]
fn a_test_that_does_not_look_is_noticed() {
    let world = World::new();
    world.write("in.txt", "anything\n");
    world.script("t.sh", "exit 0");
    let ran = world.line("reduce in.txt --test ./t.sh");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("does the test look at its input at all?"), "{}", ran.stdout);
}

#[test]
fn the_sandbox_keeps_tests_in_their_folder() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(9, "needle")]));
    let outside = world.beside("outside");
    let script =
        format!("echo > {0} 2>&-; echo > inside; grep -q needle in.txt", outside.display());
    world.script("t.sh", &script);
    let ran = world.line("reduce in.txt --sandbox --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    let warned = ran.stderr.contains("NOT kept from writing outside their folder");
    assert_eq!(outside.exists(), warned, "{}", ran.stderr);
}

#[test]
fn the_report_says_what_matters() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(9, "a needle")]));
    world.script("t.sh", "grep -q needle in.txt");
    let ran = world.line("reduce in.txt --test ./t.sh");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], format!("result     {}", world.path("in.reduced.txt").display()));
    assert!(
        lines[1].starts_with("size       6 of 285 bytes (2.11 %), 1 of 59 tokens"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[2], "failure    the test exits with 0");
    assert!(lines[3].starts_with("tests      ") && lines[3].contains(" test"));
    assert!(lines[4].starts_with("time       "));
    let proof = "fails again in a clean folder; no byte, token or line can be left out";
    assert_eq!(lines[5], format!("proved     {proof}"));
    assert_eq!(lines[6], "run        to see more: whodunit show reduce-in.txt-1");
}

#[test]
fn a_mark_keeps_a_line_of_its_own() {
    let world = World::new();
    world.write("in.txt", "one\n// DDBEGIN\na\nBUG\nb\n// DDEND\nend\n");
    let ran = world.line("reduce in.txt -q --fail-exit 0 -- grep BUG {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "one\n// DDBEGIN\nBUG\n// DDEND\nend\n");
}

/// A quoted pipe is an argument, and the answer would be about a program that cannot use it.
#[test]
fn words_that_only_a_shell_heeds_are_warned_about() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(9, "a needle")]));
    let ran = world.line("reduce in.txt -- cat {} | grep 7");
    assert!(ran.stderr.contains("warning: `|` is an argument of the command"), "{}", ran.stderr);
    assert!(ran.stderr.contains("-- sh -c '...'"), "{}", ran.stderr);
    let ran = world.line("reduce in.txt --fail-exit 0 -- grep needle {}");
    assert!(!ran.stderr.contains("is an argument"), "{}", ran.stderr);
}
