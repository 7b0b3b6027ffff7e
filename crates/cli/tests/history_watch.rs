//! Failures that look like the tracked one, but take more or less time or output.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, has_git, needs};

/// Returns a world with 24 versions that are wrong from the tenth on.
fn history(test: &str) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..24 {
        world.write("a.txt", if version < 9 { "fine\n" } else { "wrong\n" });
        world.write("version", format!("{version}\n"));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", test);
    world
}

#[test]
fn a_failure_that_prints_much_more_is_seen_twice_and_told() {
    if !has_git() {
        return;
    }
    let world = history("if [ $(cat version) -lt 18 ]; then seq 1000; fi; ! grep -q wrong a.txt");
    let ran = world.line("history -- ../test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\"commit-9\""), "{}", ran.stdout);
    assert!(ran.stdout.contains(" the test printed "), "{}", ran.stdout);
    assert!(ran.stdout.contains(", also when tested again\n"), "{}", ran.stdout);
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    let watched = answer["watched"].as_array().unwrap();
    assert!(!watched.is_empty(), "{answer:#}");
    for it in watched {
        assert_eq!((&it["measure"], &it["is_confirmed"]), (&"output".into(), &true.into()));
        assert!(it["place"].as_u64().unwrap() > 5, "{it}");
    }
    let page = world.line("report --out -").stdout;
    assert!(page.contains("Failed, but not quite as the newest version does:"), "{page}");
}

#[test]
fn a_failure_that_is_not_there_a_second_time_is_not_believed() {
    if !has_git() {
        return;
    }
    // Once, an older version fails in the same way, but with much more output.
    let world = history("exit 1");
    let flag = world.beside("once");
    world.script(
        "../test.sh",
        &format!(
            "if [ $(cat version) -lt 9 ] && [ ! -e {0} ]; then touch {0}; seq 1000; exit 1; fi\n\
             ! grep -q wrong a.txt",
            flag.display()
        ),
    );
    let answer = world.answer("history -j1 -- ../test.sh");
    assert!(flag.exists());
    assert_eq!(answer["started_over"], "warm_folders", "{answer:#}");
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "commit-9");
    assert_eq!(answer["watched"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_version_that_fails_every_other_time_is_not_said_to_pass() {
    if !has_git() {
        return;
    }
    // All versions are wrong, but the oldest one passes every other time.
    let world = history("exit 1");
    let seen = world.beside("seen");
    let test = format!(
        "if [ $(cat version) -eq 9 ]; then\n\
         if rm {0} 2>/dev/null; then echo fine now; exit 0; else touch {0}; fi; fi\n\
         ! grep wrong a.txt",
        seen.display()
    );
    world.script("../test.sh", &test);
    for flags in ["--fresh", ""] {
        let _ = std::fs::remove_file(&seen);
        let ran = world.line(&format!("history {flags} -j1 --since HEAD~14 -- ../test.sh"));
        assert_eq!(ran.code, Some(0), "{flags}: {}{}", ran.stdout, ran.stderr);
        for text in [
            "\"commit-10\"",
            "\nlikely ",
            "without any change of it the failure shows less often (99 % sure)",
            "a test said something else when it was repeated",
        ] {
            assert!(ran.stdout.contains(text), "{flags}: `{text}` is not in\n{}", ran.stdout);
        }
        let before = ran.stdout.lines().find(|line| line.starts_with("before it")).unwrap();
        let (_, counts) = before.split_once("\"commit-9\"").unwrap();
        let (_, counts) = counts.split_once(" fails ").unwrap();
        let (shown, runs) = counts.split_once(" of ").unwrap();
        let [shown, runs] = [shown, runs].map(|count| count.parse::<u32>().unwrap());
        assert!(runs >= 6 && shown * 2 == runs, "{before}");
        for text in ["proved", "passes", "earlier builds say"] {
            assert!(!ran.stdout.contains(text), "{flags}: `{text}` is in\n{}", ran.stdout);
        }
    }
}

#[test]
fn a_failure_that_rests_on_memory_that_is_not_initialised_is_doubted() {
    if !has_git() || !needs("gcc") || !needs("valgrind") {
        return;
    }
    // It is wrong from the second version on; up to the fifth because a value is not
    // initialised.
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..8 {
        let body = match version {
            0 => "return 6;",
            1..5 => {
                "int v; if (c > 5) v = 6; return v == 6 ? 6 : 7; } int more(int c) { if (c) return 1;"
            }
            _ => "return 7;",
        };
        let main = "int main(int c, char **v) { (void)v; if (value(c) != 6) { puts(\"wrong\"); \
                    return 1; } return 0; }";
        world.write(
            "main.c",
            format!("#include <stdio.h>\nint value(int c) {{ {body} }}\n{main}\n"),
        );
        world.commit(&format!("commit-{version}"));
    }
    let build = "gcc -Wall -o t main.c";
    let run = |flag: &str| {
        let line = ["history", flag, "--build", build, "--json", "-q", "--", "./t"];
        let ran = world.run(line);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let answer = run("--memcheck");
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "commit-1");
    let memory = &answer["memory"];
    assert_eq!((&memory["place"], &memory["newest"]), (&6.into(), &Value::Array(vec![])));
    let said = memory["complaints"].to_string();
    assert!(said.contains("Conditional jump"), "{said}");
    assert!(said.contains("control reaches end"), "the compiler warns of it: {said}");
    let text = world.line("show").stdout;
    assert!(text.contains("may rest on memory that is misused"), "{text}");
    assert!(text.contains("--memcheck=valgrind"), "{text}");
    // A command of the user's own, for a build with a sanitizer or another checker.
    let own = "--memcheck=gcc -g -o v main.c && valgrind -q ./v";
    assert!(run(own)["memory"]["complaints"].to_string().contains("Conditional jump"));
    let nothing = run("--memcheck=true");
    let said = nothing["memory"]["complaints"].to_string();
    assert!(said.contains("control reaches") && !said.contains("Conditional"), "{said}");
    // The answer is silent about checks that were not requested.
    assert!(run("--linear")["memory"].is_null());
}

#[test]
fn a_memory_checker_that_is_not_there_is_told_before_the_search() {
    if !has_git() {
        return;
    }
    let world = history("! grep -q wrong a.txt");
    let mut command = world.command(support::WHODUNIT);
    command.args(["history", "--memcheck", "--", "../test.sh"]);
    let sh = std::fs::canonicalize("/bin/sh").unwrap();
    std::fs::create_dir(world.beside("bin")).unwrap();
    for (program, name) in
        [(sh, "sh"), ("/usr/bin/grep".into(), "grep"), ("/bin/cat".into(), "cat")]
    {
        std::os::unix::fs::symlink(program, world.beside("bin").join(name)).unwrap();
    }
    command.env("PATH", world.beside("bin"));
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("there is no program `valgrind`"), "{}", ran.stderr);
}
