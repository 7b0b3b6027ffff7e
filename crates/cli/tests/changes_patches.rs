//! The patches of an answer have the effects that it claims, and `verify` notices if they do not.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use serde_json::Value;
use support::{Ran, World, has_git, numbered};

/// Returns a world with a repository; each version is some files with their bytes, and has a tag
/// `v0`, `v1` and so on.
fn history(versions: &[&[(&str, &[u8])]]) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (number, files) in versions.iter().enumerate() {
        for (name, bytes) in *files {
            world.write(name, bytes);
        }
        world.commit(&format!("commit-{number}"));
        world.git(&format!("tag v{number}"));
    }
    world
}

/// Returns six versions of a text; the fourth brings a wrong line and a harmless one.
fn six() -> World {
    let text = |number: usize| {
        let mut replaced: Vec<(usize, &str)> = (0..number).map(|it| (it, "harmless")).collect();
        if number >= 3 {
            replaced.extend([(30, "wrong"), (40, "harmless")]);
        }
        numbered(60, &replaced).into_bytes()
    };
    let texts: Vec<Vec<u8>> = (0..6).map(text).collect();
    let files: Vec<[(&str, &[u8]); 1]> = texts.iter().map(|it| [("a.txt", &it[..])]).collect();
    let versions: Vec<&[(&str, &[u8])]> = files.iter().map(|it| &it[..]).collect();
    let world = history(&versions);
    test(&world, "! grep -q wrong a.txt");
    world
}

/// Writes the test beside the repository.
fn test(world: &World, text: &str) {
    world.script("../test.sh", text);
}

/// Returns how the test ends in a checkout of a revision that a patch of the answer was applied to.
fn patched(world: &World, revision: &str, patch: &str) -> Option<i32> {
    let place = world.beside("patched");
    world.git(&format!("worktree add -q --detach {} {revision}", place.display()));
    let run = |program: &str, args: &[&str]| -> Ran {
        world.finish(world.command(program).args(args).current_dir(&place))
    };
    let applied = run("git", &["apply", world.path("../out").join(patch).to_str().unwrap()]);
    assert_eq!(applied.code, Some(0), "{}", applied.stderr);
    let code = run("sh", &[world.beside("test.sh").to_str().unwrap()]).code;
    world.git(&format!("worktree remove --force {}", place.display()));
    code
}

fn found(world: &World, versions: &str) -> Value {
    answered(world, &format!("{versions} --out ../out"))
}

fn answered(world: &World, asked: &str) -> Value {
    let answer = world.answer(&format!("changes {asked} -- ../test.sh"));
    fs::write(world.beside("answer.json"), serde_json::to_string(&answer).unwrap()).unwrap();
    answer
}

#[test]
fn with_a_history_both_patches_are_for_the_given_versions_too() {
    if !has_git() {
        return;
    }
    let world = six();
    let answer = found(&world, "v0 v5");
    let cause = &answer["causes"][0];
    assert_eq!((&cause["culprit_on"], &cause["fix_on"]), (&"v0".into(), &"v5".into()));
    let proof = &cause["proof"];
    assert_eq!(proof["given_good_with_culprit"], "fail");
    assert_eq!(proof["given_bad_without_fix"], "pass");
    assert_eq!(patched(&world, "v0", "culprit.patch"), Some(1));
    assert_eq!(patched(&world, "v5", "fix.patch"), Some(0));
    assert_eq!(patched(&world, "v2", "commit-culprit.patch"), Some(1));
    assert_eq!(patched(&world, "v3", "commit-fix.patch"), Some(0));
    let words = world.line("show").stdout;
    for text in
        ["culprit.patch (on v0)\n", "fix.patch (on v5)\n", "; v0 + culprit: fails; v5 − fix"]
    {
        assert!(words.contains(text), "{text} in\n{words}");
    }
}

#[test]
fn a_patch_that_does_nothing_to_the_given_version_is_said_to() {
    if !has_git() {
        return;
    }
    let one = numbered(20, &[]);
    let bad = numbered(20, &[(9, "wrong")]);
    let world = history(&[
        &[("a.txt", b"a\n")],
        &[("b.txt", one.as_bytes())],
        &[("b.txt", bad.as_bytes())],
        &[("a.txt", b"b\n")],
    ]);
    test(&world, "! grep -q wrong b.txt");
    let answer = found(&world, "v0 v3");
    let (cause, before) = (&answer["causes"][0], &answer["compared"]["good"]);
    assert_eq!((&cause["culprit_on"], &cause["fix_on"]), (before, &"v3".into()));
    assert_eq!(cause["proof"]["given_good_with_culprit"], Value::Null);
    assert_eq!(cause["beside"]["culprit_patch"], Value::Null);
    assert_eq!(patched(&world, "v1", "culprit.patch"), Some(1));
    let words = world.line("show").stdout;
    let said = "beware     the culprit, carried to v0, finds nothing to change there";
    assert!(words.contains(said), "{words}");
    assert_eq!(world.line("verify ../answer.json").code, Some(0));
}

#[test]
fn binary_data_and_texts_that_are_not_utf_8_are_in_the_patches_as_they_are() {
    if !has_git() {
        return;
    }
    let mut bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let old = bytes.clone();
    bytes[4321] = 7;
    let world = history(&[
        &[("data", &old), ("latin1", b"caf\xe9\nb\n")],
        &[("data", &bytes), ("latin1", b"th\xe9\nb\n")],
    ]);
    let check = |script: &str, file: &str, text: &str| {
        test(&world, script);
        let answer = found(&world, "v0 v1");
        assert_eq!(answer["causes"][0]["culprit"][0]["file"], file);
        let patch = fs::read(world.path("../out/culprit.patch")).unwrap();
        assert!(String::from_utf8_lossy(&patch).contains(text), "{patch:?}");
        assert_eq!(patched(&world, "v0", "culprit.patch"), Some(1), "{file}");
        assert_eq!(patched(&world, "v1", "fix.patch"), Some(0), "{file}");
        assert_eq!(world.line("verify ../answer.json").code, Some(0), "{file}");
    };
    let sum = world.finish(world.command("sh").args(["-c", "git show v0:data | cksum"])).stdout;
    let same = format!("test \"$(cksum <data)\" = \"{}\"", sum.trim());
    check(&same, "data", "GIT binary patch\nliteral 5000\n");
    check("LC_ALL=C grep -q caf latin1", "latin1", "@@ -1,2 +1,2 @@");
}

#[test]
fn the_numbers_of_the_answer_agree() {
    let world = World::new();
    let old = "int one() {\n    return 1;\n}\n\nint two() {\n    return 2;\n}\n";
    world.write("old/a.c", old);
    world.write("new/a.c", old.replace("return 1", "return 10").replace("return 2", "return 20"));
    world.write("old/b.txt", numbered(30, &[]));
    world.write("new/b.txt", numbered(30, &[(3, "x"), (4, "y"), (20, "z")]));
    world.script("test.sh", "! grep -q 'return 20' a.c");
    let counts = |size: &Value| ["files", "items", "hunks"].map(|it| size[it].as_u64().unwrap());
    let answer = world.answer("changes old new -- ./test.sh");
    let (all, found) = (&answer["size"], &answer["causes"][0]["size"]);
    assert_eq!((counts(all), counts(found)), ([2, 2, 4], [1, 1, 1]));
    // At this level a change is a line.
    assert_eq!((&all["lines"], &found["lines"]), (&all["changes"], &found["changes"]));
    let words = world.line("show").stdout;
    let said =
        format!("{} of {} changed lines (4 hunks in 2 files)\n", found["lines"], all["lines"]);
    assert!(words.contains(&said), "{words}");
    for level in ["directory", "file", "item", "hunk"] {
        let line = format!("changes old new --level {level} -- ./test.sh");
        let size = world.answer(&line)["size"].clone();
        assert_eq!((counts(&size), &size["lines"]), ([2, 2, 4], &all["lines"]), "{level}");
    }
}

#[test]
fn verify_replays_both_directions_and_finds_what_no_longer_holds() {
    if !has_git() {
        return;
    }
    let world = six();
    found(&world, "v0");
    // The current meaning of the names does not matter.
    world.commit("later");
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("the proof holds:\n  v0 with culprit.patch: fails\n"));
    assert!(ran.stdout.contains("  HEAD with fix.patch: passes\n"), "{}", ran.stdout);
    test(&world, "! grep -q nothing a.txt");
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(4), "{}{}", ran.stdout, ran.stderr);
    let text = "v0 with culprit.patch: passes (the answer says that it fails)\n";
    assert!(ran.stdout.contains(text), "{}", ran.stdout);
    let answer = fs::read_to_string(world.beside("answer.json")).unwrap();
    fs::write(world.beside("cut.json"), answer.replace(" line number 29\\n", "")).unwrap();
    let ran = world.line("verify ../cut.json --trust --sandbox=off");
    assert_eq!(ran.code, Some(4), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("does not apply to `v0`"), "{}", ran.stderr);
}

#[test]
fn an_answer_without_patches_or_of_versions_that_changed_cannot_be_verified() {
    let world = World::new();
    world.write("old/a.txt", numbered(20, &[]));
    world.write("new/a.txt", numbered(20, &[(9, "wrong")]));
    world.script("../test.sh", "! grep -q wrong a.txt");
    found(&world, "old new");
    assert_eq!(world.line("verify ../answer.json").code, Some(0));
    world.write("new/a.txt", numbered(20, &[(8, "wrong")]));
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("the versions are not what they were"), "{}", ran.stderr);
    answered(&world, "old new --level commit");
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = "the proof holds:\n  old: passes\n  new: fails\nnot checked: ";
    assert!(ran.stdout.starts_with(text), "{}", ran.stdout);
}

#[test]
fn verify_replays_that_each_change_is_needed() {
    let world = World::new();
    world.write("old/a.txt", numbered(40, &[]));
    world.write("new/a.txt", numbered(40, &[(3, "harmless"), (9, "wrong"), (30, "bad")]));
    world.script("../test.sh", "! { grep -q wrong a.txt && grep -q bad a.txt; }");
    let answer = found(&world, "old new");
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for line in ["10: passes", "31: passes"] {
        let line = format!("  old + culprit without a.txt:{line}\n");
        assert!(ran.stdout.contains(&line), "`{line}` is not in\n{}", ran.stdout);
    }
    assert_eq!(answer["causes"][0]["numbers"]["culprit"], serde_json::json!([[1, 2]]));
    // A culprit with an unnecessary change, in all places where the answer mentions it.
    let mut more = answer.clone();
    let cause = &mut more["causes"][0];
    let mut harmless = cause["culprit"][0].clone();
    harmless["old_lines"] = serde_json::json!([4, 4]);
    harmless["new_lines"] = serde_json::json!([4, 4]);
    (harmless["old_text"], harmless["new_text"]) = ("line number 3".into(), "harmless".into());
    cause["culprit"].as_array_mut().unwrap().insert(0, harmless);
    cause["numbers"]["culprit"] = serde_json::json!([[0, 2]]);
    let all = fs::read_to_string(world.path("new/a.txt")).unwrap();
    cause["culprit_patch"] = whole_patch(&world, &all).into();
    let ran = verified(&world, &more);
    let text = "a.txt:4: fails (the answer says that it does not fail)\n";
    assert!(ran.code == Some(4) && ran.stdout.contains(text), "{}{}", ran.stdout, ran.stderr);
    // The same, but only said, or with numbers of other changes, or with none.
    let unsaid = "  `causes[0].culprit` is [";
    for numbers in [serde_json::json!([[1, 2]]), serde_json::json!([[7, 9]]), Value::Null] {
        let mut less = more.clone();
        less["causes"][0]["culprit_patch"] = answer["causes"][0]["culprit_patch"].clone();
        match numbers {
            Value::Null => _ = less["causes"][0].as_object_mut().unwrap().remove("numbers"),
            numbers => less["causes"][0]["numbers"]["culprit"] = numbers,
        }
        let ran = verified(&world, &less);
        assert!(ran.code == Some(4) && ran.stdout.contains(unsaid), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn verify_replays_what_is_said_of_each_change_in_an_order_and_of_a_difference() {
    let world = World::new();
    world.write("old/a.txt", numbered(40, &[]));
    world.write("new/a.txt", numbered(40, &[(3, "harmless"), (9, "wrong"), (30, "bad")]));
    world.script("../test.sh", "! { grep -q wrong a.txt && grep -q bad a.txt; }");
    for flags in ["--ordered", "--search isolate"] {
        let answer = found(&world, &format!("old new {flags}"));
        assert_eq!(answer["causes"][0]["proof"]["each_needed"], true, "{flags}: {answer:#}");
        let ran = world.line("verify ../answer.json");
        assert_eq!(ran.code, Some(0), "{flags}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(" + culprit without a.txt:"), "{flags}: {}", ran.stdout);
        // The answer names everything that was tested.
        let with = answer["causes"][0]["with"].as_u64().unwrap();
        assert!(with > 0, "{flags}: {answer:#}");
        let runs = answer["causes"][0]["numbers"]["with"].as_array().unwrap();
        let run = |run: &Value| run[1].as_u64().unwrap() - run[0].as_u64().unwrap() + 1;
        assert_eq!(runs.iter().map(run).sum::<u64>(), with, "{flags}");
        let shown = world.line("show").stdout;
        let others = if with == 1 { "1 other change" } else { "2 other changes" };
        let proof = format!("proved     old + culprit + {others}: fails; ");
        assert!(shown.contains(&proof), "{flags}: {shown}");
        // In an order no change can be removed without those after it, so the answer calls only the
        // last one needed.
        let certain = match flags {
            "--ordered" => "; without the last change it does not fail",
            _ => "; each change of the culprit is needed beside",
        };
        assert!(shown.contains(certain), "{flags}: {shown}");
    }
}

/// Returns the patch that makes the old version of one file this text.
fn whole_patch(world: &World, text: &str) -> String {
    world.write("whole/a.txt", text);
    let mut diff = world.command("git");
    let ran = world.finish(diff.args(["diff", "--no-index", "old/a.txt", "whole/a.txt"]));
    ran.stdout.replace("a/old/", "a/").replace("b/whole/", "b/")
}

fn verified(world: &World, answer: &Value) -> Ran {
    world.write("../doctored.json", answer.to_string());
    world.line("verify ../doctored.json --trust --sandbox=off")
}
