//! `whodunit verify` replays the proof of an answer of `history`, and notices a false one.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{Ran, World, has_git, numbered};

/// How many versions there are.
const VERSIONS: usize = 12;
/// The first version that is wrong.
const CULPRIT: usize = 5;

/// Returns a world with a repository; `more` writes further files of each version. The test is part
/// of the last three versions, with a file that it reads.
fn history(more: impl Fn(&World, usize)) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..VERSIONS {
        let harmless = format!("harmless {version}");
        let mut replaced = vec![(2, harmless.as_str())];
        if version >= CULPRIT {
            replaced.push((20, "wrong"));
        }
        world.write("a.txt", numbered(30, &replaced));
        if version + 3 >= VERSIONS {
            world.script("test.sh", "test -e word || exit 3; ! grep -q \"$(cat word)\" a.txt");
            world.write("word", "wrong\n");
        }
        more(&world, version);
        world.commit(&format!("commit-{version}"));
    }
    world
}

/// Runs `history` with flags and the test of the versions.
fn found(world: &World, flags: &[&str]) -> Value {
    let ran = world.run(["history", "--json", "-q"].iter().chain(flags).chain(&[
        "--",
        "sh",
        "-c",
        "./test.sh",
    ]));
    assert!(matches!(ran.code, Some(0 | 5)), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn verify(world: &World, answer: &Value) -> Ran {
    world.write("../answer.json", answer.to_string());
    world.line("verify ../answer.json")
}

/// Checks that a proof is replayed as claimed, and that the output has these lines.
fn check_holds(world: &World, answer: &Value, lines: &[String]) {
    let ran = verify(world, answer);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("the proof holds:\n"), "{}", ran.stdout);
    for line in lines {
        assert!(ran.stdout.contains(&format!("{line}\n")), "`{line}` is not in\n{}", ran.stdout);
    }
}

/// Checks that the proof of an edited answer is refused with this text.
fn check_refused(world: &World, answer: &Value, text: &str) {
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json --trust --sandbox=off");
    assert_eq!(ran.code, Some(4), "{}{}", ran.stdout, ran.stderr);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains(text), "`{text}` is not in\n{said}");
}

#[test]
fn a_proof_is_replayed_on_the_versions_it_is_about_wherever_the_branch_is_now() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let answer = found(&world, &[]);
    let short = |version: &Value| version["short_id"].as_str().unwrap().to_owned();
    let (good, bad) = (short(&answer["outcome"]["good"]), short(&answer["outcome"]["suspects"][0]));
    let newest = short(&answer["newest"]);
    assert_eq!(answer["back_port"]["on"], good);
    world.write("a.txt", "nothing");
    world.commit("later");
    check_holds(
        &world,
        &answer,
        &[
            format!("the newest version ({newest}): fails"),
            format!("the newest version ({newest}) with fix.patch: passes"),
            format!("{good} + back-port: passes"),
            format!("{good} + back-port with culprit.patch: fails"),
            format!("{bad} + back-port with its fix: passes"),
            format!("{good} + back-port + culprit without a.txt:21: passes"),
        ],
    );
}

#[test]
fn an_answer_whose_patches_were_changed_is_refused() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let answer = found(&world, &[]);
    let mut emptied = answer.clone();
    emptied["forward"]["patch"] = "".into();
    check_refused(&world, &emptied, "with fix.patch: fails (the answer says that it passes)");
    let mut harmless = answer.clone();
    let fix = answer["forward"]["patch"].as_str().unwrap();
    harmless["forward"]["patch"] = fix.replace("+line number 20", "+still wrong").into();
    check_refused(&world, &harmless, "with fix.patch: fails (the answer says that it passes)");
    let mut cut = answer.clone();
    cut["forward"]["patch"] = fix.replace(" line number 19\n", "").into();
    check_refused(&world, &cut, "the patch `fix.patch` does not apply");
    let mut untold = answer.clone();
    untold["outcome"]["causes"][0]["culprit_patch"] = "".into();
    check_refused(&world, &untold, "with culprit.patch: passes (the answer says that it fails)");
    let mut unnumbered = answer.clone();
    unnumbered["outcome"]["causes"][0].as_object_mut().unwrap().remove("numbers");
    check_refused(&world, &unnumbered, "  `outcome.causes[0].culprit` is [");
    let mut renamed = answer.clone();
    renamed["outcome"]["suspects"][0]["title"] = "innocent".into();
    let text =
        "`outcome.suspects[0].title` is \"innocent\" in the answer, and \"commit-5\" was found";
    check_refused(&world, &renamed, text);
    let mut bare = answer.clone();
    bare["back_port"]["patch"] = "".into();
    check_refused(&world, &bare, "(the answer says that it passes)");
}

#[test]
fn more_suspects_than_there_are_is_refused() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..8 {
        let wrong: &[(usize, &str)] = if version >= 4 { &[(9, "wrong")] } else { &[] };
        world.write("a.txt", numbered(20, wrong));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    let answer = world.answer("history --level commit -- ../test.sh");
    let newer = world.answer("history --until HEAD~2 --level commit -- ../test.sh");
    let mut more = answer.clone();
    let mut suspect = newer["newest"].clone();
    suspect["place"] = 2.into();
    more["outcome"]["suspects"].as_array_mut().unwrap().insert(0, suspect);
    let text = "fails (the answer says that it cannot be tested)";
    check_refused(&world, &more, text);
    let mut innocent = answer.clone();
    innocent["outcome"]["suspects"][0] = more["outcome"]["suspects"][0].clone();
    check_refused(&world, &innocent, "`outcome.suspects` is [");
}

#[test]
fn a_newest_version_that_is_another_one_now_is_told() {
    let world = World::new();
    for version in 1..=6 {
        let wrong: &[(usize, &str)] = if version >= 3 { &[(9, "wrong")] } else { &[] };
        world.write(format!("releases/app-1.{version}/a.txt"), numbered(20, wrong));
    }
    world.script("test.sh", "! grep -q wrong a.txt");
    let answer = world.answer("history releases -- ./test.sh");
    check_holds(&world, &answer, &["app-1.2 with culprit.patch: fails".into()]);
    world.write("releases/app-1.6/a.txt", numbered(20, &[(8, "wrong")]));
    let ran = verify(&world, &answer);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the versions are not what they were"), "{}", ran.stderr);
}

#[test]
fn an_overlay_is_part_of_what_is_replayed() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let answer = found(&world, &["--overlay", "test.sh", "--overlay", "word"]);
    assert_eq!(answer["back_port"]["patch"], "");
    check_holds(&world, &answer, &[]);
}

#[test]
fn answers_without_a_culprit_can_be_verified() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let since = format!("HEAD~{}", VERSIONS - CULPRIT - 2);
    let answer = found(&world, &["--since", since.as_str()]);
    assert_eq!(answer["outcome"]["outcome"], "not_a_regression");
    let oldest = answer["outcome"]["oldest"]["short_id"].as_str().unwrap();
    check_holds(&world, &answer, &[format!("{oldest} + back-port: fails")]);
    let answer = found(&world, &["--level", "commit"]);
    assert_eq!(answer["outcome"]["outcome"], "found");
    check_holds(&world, &answer, &[]);
}

#[test]
fn patches_in_other_encodings_than_utf_8_do_what_they_say() {
    if !has_git() {
        return;
    }
    let world = history(|world, version| {
        let mut text = b"na\xefve\n".to_vec();
        text.extend_from_slice(if version < CULPRIT { b"caf\xe9\n" } else { b"caf\xe8 wrong\n" });
        world.write("a.txt", text);
    });
    let answer = found(&world, &[]);
    check_holds(&world, &answer, &[]);
    let fix = std::fs::read(answer["forward"]["file"].as_str().unwrap()).unwrap();
    let has = |line: &[u8]| fix.windows(line.len()).any(|it| it == line);
    assert!(has(b"-caf\xe8 wrong\n") && has(b"+caf\xe9\n"), "{}", String::from_utf8_lossy(&fix));
}
