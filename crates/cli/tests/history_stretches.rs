//! Versions that cannot be tested, in stretches by their reasons.

#![allow(clippy::unwrap_used)]

mod support;

use std::ops::Range;

use serde_json::Value;
use support::{World, has_git};

/// How many versions there are.
const VERSIONS: usize = 40;

/// Returns the reason why a version cannot be tested, if there is one.
type Broken = fn(usize) -> Option<&'static str>;

/// Returns a world whose versions are wrong from `culprit` on.
fn history(culprit: usize, broken: Broken) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..VERSIONS {
        let word = if version < culprit { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\n"));
        world.write("state", broken(version).map_or(String::new(), |it| format!("{it}\n")));
        world.write("other", format!("{version}\n"));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", TEST);
    world
}

const TEST: &str = "case $(cat state) in\n\
                    one*) echo 'error: one is missing'; exit 3;;\n\
                    two*) echo 'error: two is missing'; exit 3;;\n\
                    esac\n\
                    ! grep -q wrong a.txt";

/// Returns the answer of a run, whose proof must hold.
fn found(world: &World) -> Value {
    let answer = world.answer("history -- ../test.sh");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    answer
}

fn title(answer: &Value) -> &str {
    let outcome = &answer["outcome"];
    assert_eq!(outcome["suspects"].as_array().map(Vec::len), Some(1), "{outcome:#}");
    outcome["suspects"][0]["title"].as_str().unwrap()
}

/// Returns output, fate and number of versions of each stretch.
fn stretches(answer: &Value) -> Vec<(String, String, u64)> {
    let stretches = answer["stretches"].as_array().unwrap().iter();
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let stretches = stretches
        .map(|it| (text(&it["says"]), text(&it["fate"]), it["versions"].as_u64().unwrap()));
    stretches.collect()
}

#[test]
fn a_cause_on_an_island_between_two_stretches_is_found_without_mending_either() {
    if !has_git() {
        return;
    }
    for culprit in [20, 21] {
        let world = history(culprit, |version| match version {
            10..20 => Some("one"),
            22..32 => Some("two"),
            _ => None,
        });
        let answer = found(&world);
        assert_eq!(title(&answer), format!("commit-{culprit}"));
        // With 20 the version before is in the older stretch, which has to be mended.
        if culprit == 21 {
            assert_eq!(answer["searches"], 0, "{answer:#}");
        }
        let found = stretches(&answer);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0.contains("two is missing") && found[1].0.contains("one is missing"));
        assert_eq!(found[0].1, "leapt");
    }
}

#[test]
fn stretches_that_lie_beside_each_other_are_told_apart_and_the_cause_is_found() {
    if !has_git() {
        return;
    }
    let culprits: Range<usize> = 19..22;
    for culprit in culprits {
        let world = history(culprit, |version| match version {
            12..20 => Some("one"),
            20..28 => Some("two"),
            _ => None,
        });
        let answer = found(&world);
        assert_eq!(title(&answer), format!("commit-{culprit}"));
        let found = stretches(&answer);
        let words: Vec<&str> = found.iter().map(|(_, fate, _)| fate.as_str()).collect();
        assert!(words.contains(&"mended"), "{found:?}");
    }
}

#[test]
fn versions_that_cannot_be_told_apart_are_listed_with_why() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..40 {
        // Another line stops the test in each version, so no back-port helps for long.
        let state = match version {
            5..15 => format!("one {version}"),
            15..30 => format!("two {version}"),
            _ => format!("fine {version}"),
        };
        world.write("a.txt", if version < 8 { "fine\n" } else { "wrong\n" });
        world.write("state", format!("{state}\n"));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", TEST);
    let ran = world.line("history -- ../test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for text in [
        "that could not be distinguished",
        "because    ",
        "what is carried back does not fit",
        "versions: the test does something else: it exits with 3 and says \"error: two is missing\"",
        "error: one is missing",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    let suspects = answer["outcome"]["suspects"].as_array().unwrap();
    assert!(suspects.iter().any(|it| it["title"] == "commit-8"), "{suspects:#?}");
    assert_eq!(answer["outcome"]["good"]["title"], "commit-4");
    let page = world.line("report --out -").stdout;
    for text in [
        "What could not be tested as it was:",
        "two is missing",
        "(made testable with the back-port)",
    ] {
        assert!(page.contains(text), "`{text}` is not in\n{page}");
    }
}

/// The back-port of one version may break the next version, which needs nothing.
#[test]
fn a_suspect_that_fails_as_it_is_is_not_named_with_a_newer_one() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    // The file `lock` has to be there in mode k, and must not be there in the others.
    let versions = [("b", false), ("b", true), ("k", true), ("a", true), ("a", false)];
    for (version, (mode, is_locked)) in versions.into_iter().enumerate() {
        world.write("a.txt", if version < 2 { "fine\n" } else { "wrong\n" });
        world.write("mode", format!("{mode}\n"));
        match is_locked {
            true => _ = world.write("lock", "here\n"),
            false => _ = std::fs::remove_file(world.path("lock")),
        }
        world.commit(&format!("commit-{version}"));
    }
    let test = "state=$(cat mode)\n\
                if test -e lock; then state=locked-$state; fi\n\
                case $state in a|b|locked-k) ;; *) echo 'error: no such unit'; exit 125;; esac\n\
                ! grep -q wrong a.txt";
    world.script("../test.sh", test);
    let answer = found(&world);
    assert_eq!(title(&answer), "commit-2");
    assert_eq!(answer["outcome"]["good"]["title"], "commit-1", "{answer:#}");
}

#[test]
fn a_cause_that_was_carried_back_is_not_blamed_on_a_version_that_passes() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    // The guard prevents the failure. It moves to a file of its own, another failure takes its
    // place, and then the file is removed; that removal is all that the versions between need.
    let versions = [
        ("first", Some("first.txt"), "guard\nof the first kind\n"),
        ("moved", Some("x.txt"), "1\nguard\n2\n3\n4\n5\n"),
        ("good", Some("x.txt"), "1\nguard\n2\n3\n4\n5\n"),
        ("other", Some("x.txt"), "1\nother\n2\n3\n4\n5\n"),
        ("between", Some("x.txt"), "1\nother\n2\n3\n4\n5\n"),
        ("gone", None, ""),
        ("later", None, ""),
        ("newest", None, ""),
    ];
    for (title, file, text) in versions {
        for name in ["first.txt", "x.txt"] {
            _ = std::fs::remove_file(world.path(name));
        }
        if let Some(name) = file {
            world.write(name, text);
        }
        world.commit(title);
    }
    let test = "cat *.txt >all 2>&1\n\
                grep -q guard all && exit 0\n\
                grep -q other all && { echo 'error: another one'; exit 1; }\n\
                echo 'error: no guard'; exit 2";
    world.script("../test.sh", test);
    let answer = found(&world);
    let outcome = &answer["outcome"];
    let suspects = outcome["suspects"].as_array().unwrap().iter();
    let titles: Vec<&str> = suspects.map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["gone", "between", "other"], "{outcome:#}");
    assert_eq!(outcome["good"]["title"], "good", "{outcome:#}");
}
