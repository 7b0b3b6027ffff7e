//! Every search of `changes`, with every flag about it: it ends, reports how it ended, and claims
//! no more than was seen.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use serde_json::Value;
use support::{Ran, World};

const SEARCHES: [&str; 5] = ["closure", "dd", "dd_plus", "ddmin", "isolate"];

/// The bisection of iterative delta debugging, which counts untestable candidates as passing.
const HALVING: [&str; 2] = ["halving", "halving_flat"];

/// How many random oracles are tried with each search.
const SEEDS: u64 = 6;

/// The verdict of a test on a set of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Fail,
    Pass,
    Unknown,
}

/// A test over numbered changes, as data.
#[derive(Debug, Default)]
struct Oracle {
    changes: usize,
    /// It fails with all changes of one of these sets.
    causes: Vec<Vec<usize>>,
    /// It is inconclusive where only one of two is there.
    ties: Vec<(usize, usize)>,
}

impl Oracle {
    /// Makes an oracle from a seed.
    fn random(seed: u64) -> Oracle {
        let mut number = seed;
        let mut next = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            (number >> 33) as usize % below
        };
        let changes = 3 + next(7);
        let mut causes = Vec::new();
        for _ in 0..=next(3) {
            causes.push((0..=next(3)).map(|_| next(changes)).collect());
        }
        let ties = (0..next(3)).map(|_| (next(changes), next(changes))).collect();
        Oracle { changes, causes, ties }
    }

    fn says(&self, set: &BTreeSet<usize>) -> Says {
        if self.ties.iter().any(|(one, other)| set.contains(one) != set.contains(other)) {
            return Says::Unknown;
        }
        let fails = self.causes.iter().any(|cause| cause.iter().all(|it| set.contains(it)));
        if fails { Says::Fail } else { Says::Pass }
    }

    /// Writes the oracle as a script, and the versions without any change and with all of them.
    fn world(&self) -> World {
        let world = World::new();
        for (folder, value) in [("old", 0), ("new", 1)] {
            let line = |it: usize| format!("v{it}={value}\n# between {it}\n# and the next\n");
            let half = self.changes / 2;
            world.write(format!("{folder}/a.txt"), (0..half).map(line).collect::<String>());
            let rest = half..self.changes;
            world.write(format!("{folder}/b.txt"), rest.map(line).collect::<String>());
        }
        let mut script = ". ./a.txt\n. ./b.txt\n".to_owned();
        for (one, other) in &self.ties {
            script += &format!("[ $v{one} = $v{other} ] || exit 125\n");
        }
        for cause in &self.causes {
            let there: String = cause.iter().map(|it| format!("$v{it}")).collect();
            let all = "1".repeat(cause.len());
            script += &format!("[ {there} = {all} ] && {{ echo boom; exit 1; }}\n");
        }
        world.script("test.sh", &(script + "exit 0"));
        world
    }

    /// Returns the numbers of changes that an answer names.
    fn numbers(changes: &Value) -> BTreeSet<usize> {
        let number = |change: &Value| {
            let text = change["new_text"].as_str().unwrap();
            text.strip_prefix('v').unwrap().split_once('=').unwrap().0.parse().unwrap()
        };
        changes.as_array().unwrap().iter().map(number).collect()
    }

    fn all(&self) -> BTreeSet<usize> {
        (0..self.changes).collect()
    }

    /// Checks the claims of an answer.
    fn check(&self, answer: &Value, is_alone: bool, about: &str) {
        let causes = answer["causes"].as_array().unwrap();
        assert!(!causes.is_empty(), "{about}");
        let is_done = answer["ended"] == "done";
        let mut rest = self.all();
        for cause in causes {
            let culprit = Self::numbers(&cause["culprit"]);
            rest = rest.difference(&culprit).copied().collect();
            assert_eq!(cause["proof"]["good_with_culprit"], "fail", "{about}");
            assert!(!is_done || cause["proof"]["each_needed"] == true, "{about}");
            if is_alone {
                assert_eq!(self.says(&culprit), Says::Fail, "{about}: {culprit:?} fails alone");
            }
            for one in culprit.iter().filter(|_| is_alone && is_done) {
                let less = culprit.iter().copied().filter(|it| it != one).collect();
                assert_ne!(self.says(&less), Says::Fail, "{about}: {one} of {culprit:?}");
            }
            let fix = Self::numbers(&cause["fix"]);
            if !fix.is_empty() {
                let fixed = self.all().difference(&fix).copied().collect();
                assert_eq!(self.says(&fixed), Says::Pass, "{about}: without {fix:?}");
            }
        }
        let is_all = answer["settings"]["how"]["all"] == true;
        if is_all && is_done {
            assert_ne!(self.says(&rest), Says::Fail, "{about}: a cause is missing");
        }
    }
}

/// Returns the answer of a run that may end early.
fn answer(ran: &Ran) -> Value {
    assert!([Some(0), Some(3)].contains(&ran.code), "{:?}: {}", ran.code, ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran.code == Some(0), answer["ended"] == "done", "{}", answer["ended"]);
    answer
}

#[test]
fn every_search_finds_all_of_three_causes() {
    let causes = vec![vec![0], vec![3], vec![6]];
    let oracle = Oracle { changes: 7, causes, ..Oracle::default() };
    for search in SEARCHES.into_iter().chain(HALVING) {
        let world = oracle.world();
        let line = format!("changes old new --all --search {search} --json -q -- ./test.sh");
        let answer = answer(&world.line(&line));
        oracle.check(&answer, search != "isolate", search);
        let found: BTreeSet<usize> = answer["causes"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|cause| Oracle::numbers(&cause["culprit"]))
            .collect();
        assert_eq!(
            (&answer["ended"], found),
            (&"done".into(), BTreeSet::from([0, 3, 6])),
            "{search}"
        );
        assert_eq!(answer["causes"].as_array().unwrap().len(), 3, "{search}");
    }
}

#[test]
fn a_number_of_tests_ends_every_search() {
    let causes = vec![vec![0, 1], vec![3, 4], vec![6, 8]];
    let oracle = Oracle { changes: 9, causes, ..Oracle::default() };
    for search in SEARCHES {
        let line =
            format!("changes old new --all --search {search} --max-tests 3 --json -q -- ./test.sh");
        let answer = answer(&oracle.world().line(&line));
        assert_eq!(answer["ended"], "out_of_tests", "{search}");
    }
}

#[test]
fn random_oracles_get_no_lie_from_any_search() {
    for seed in 0..SEEDS {
        let oracle = Oracle::random(seed);
        if oracle.says(&oracle.all()) != Says::Fail {
            continue;
        }
        let world = oracle.world();
        for search in SEARCHES {
            for all in ["", "--all "] {
                let line = format!("changes old new {all}--search {search} --json -q -- ./test.sh");
                let answer = answer(&world.line(&line));
                let about = format!("seed {seed}, {search} {all}{oracle:?}");
                oracle.check(&answer, search != "isolate", &about);
            }
        }
    }
}

#[test]
fn in_an_order_one_change_is_to_blame() {
    // Table 7 of "Yesterday, my program worked. Today, it does not. Why?".
    let oracle = Oracle { changes: 8, causes: vec![vec![6]], ..Oracle::default() };
    for search in SEARCHES.into_iter().chain(HALVING) {
        let line = format!("changes old new --ordered --search {search} --json -q -- ./test.sh");
        let answer = answer(&oracle.world().line(&line));
        let cause = &answer["causes"][0];
        assert_eq!(Oracle::numbers(&cause["culprit"]), BTreeSet::from([6]), "{search}");
        let needed = (&cause["with"], &cause["proof"]["each_needed"]);
        assert_eq!(needed, (&6.into(), &true.into()), "{search}");
        // Three tests for the change, one for the fix.
        if ["closure", "dd_plus"].contains(&search) {
            assert_eq!(answer["tests"]["committed"], 4, "{search}");
        }
    }
}

#[test]
fn the_searches_of_the_papers_heed_groups() {
    // With only one of two changes it is not a program; names show that they belong together.
    let world = World::new();
    for (folder, name, zeta) in [("old", "one", "alpha"), ("new", "two", "zeta")] {
        let lines = |file: &str, odd: usize| -> String {
            let word =
                |it| if it == odd { format!("{zeta} {file}") } else { format!("{name} {it}") };
            (0..8).map(|it| word(it) + "\nbetween\nand\n").collect()
        };
        world.write(format!("{folder}/a.txt"), lines("a", 1));
        world.write(format!("{folder}/b.txt"), lines("b", 6));
    }
    let script = "n=$(cat a.txt b.txt | grep -c zeta); [ $n = 1 ] && exit 125; [ $n = 0 ]";
    world.script("test.sh", script);
    for search in ["dd_plus", "isolate"] {
        let tests = ["location", "lexical"].map(|group| {
            let line =
                format!("changes old new --search {search} --group {group} --json -q -- ./test.sh");
            let answer = answer(&world.line(&line));
            assert_eq!(answer["group"], group);
            answer["tests"]["committed"].as_u64().unwrap()
        });
        assert!(tests[1] < tests[0], "{search}: {tests:?}");
    }
}

#[test]
fn criteria_of_groups_nest_and_the_answer_says_which_were_used() {
    // With only one of two lines of a file it is not a program; names show that they belong
    // together.
    let world = World::new();
    for (folder, name, zeta) in [("old", "one", "alpha"), ("new", "two", "zeta")] {
        let lines = |file: &str, odd: &[usize]| -> String {
            let word = |it: usize| match odd.contains(&it) {
                true => format!("{zeta} {it}"),
                false => format!("{name} {file}{it}"),
            };
            (0..8).map(|it| word(it) + "\nbetween\nand\n").collect()
        };
        world.write(format!("{folder}/a/a.txt"), lines("a", &[]));
        world.write(format!("{folder}/b/b.txt"), lines("b", &[1, 6]));
        world.write(format!("{folder}/b/c.txt"), lines("c", &[]));
    }
    let script = "n=$(grep -c zeta b/b.txt); [ $n = 1 ] && exit 125; [ $n = 0 ]";
    world.script("test.sh", script);
    let tests = |group: &str, used: &str| {
        let line =
            format!("changes old new --search dd_plus --group {group} --json -q -- ./test.sh");
        let answer = answer(&world.line(&line));
        assert_eq!(answer["group"], used);
        assert_eq!(size(&answer), 2, "{group}");
        answer["tests"]["committed"].as_u64().unwrap()
    };
    let (plain, nested) =
        (tests("location", "location"), tests("location,lexical", "location,lexical"));
    assert!(nested < plain, "{nested} nested, {plain} in the order of places");
    tests("process,lexical", "lexical");
    tests("semantic", "semantic");
    let ran = world.line("changes old new --group process,lexical -- ./test.sh");
    let beware = "there is no history between the versions, so changes were grouped by lexical";
    assert!(ran.stdout.contains(beware), "{}", ran.stdout);
}

/// Returns how many tests a search takes to find change 1 of 24, which can only be built with
/// change 20. `complaint` is the output of the test where one of the two is missing.
fn tests_of_a_tie(search: &str, complaint: &str) -> u64 {
    let world = World::new();
    for (folder, word) in [("old", "was"), ("new", "is")] {
        let line = |it| format!("{word}{it}\n# between {it}\n# and the next\n");
        world.write(format!("{folder}/a.txt"), (0..12).map(line).collect::<String>());
        world.write(format!("{folder}/b.txt"), (12..24).map(line).collect::<String>());
    }
    let has = "grep -qx is1 a.txt && one=1; grep -qx is20 b.txt && other=1";
    let script = format!(
        "{has}; [ \"$one\" = \"$other\" ] || {{ echo \"{complaint}\"; exit 125; }}; [ -z $one ]"
    );
    world.script("test.sh", &script);
    let line = format!("changes old new --search {search} --json -q -- ./test.sh");
    let answer = answer(&world.line(&line));
    let culprit = &answer["causes"][0]["culprit"];
    let texts: Vec<&str> =
        culprit.as_array().unwrap().iter().map(|it| it["new_text"].as_str().unwrap()).collect();
    assert!(texts.contains(&"is1") || texts.contains(&"is20"), "{search}: {texts:?}");
    answer["tests"]["committed"].as_u64().unwrap()
}

#[test]
fn every_search_learns_from_what_a_test_complains_about() {
    for search in SEARCHES {
        let told = tests_of_a_tie(search, "a.txt:4:1: error: 'was20' undeclared");
        let silent = tests_of_a_tie(search, "no");
        assert!(told < silent, "{search}: {told} with complaints, {silent} without");
    }
}

#[test]
fn what_the_user_says_to_be_needed_is_heeded_or_refused() {
    let ties = vec![(1, 8)];
    let oracle = Oracle { changes: 10, causes: vec![vec![1]], ties };
    let tests = |search: &str, needs: &str| {
        let world = oracle.world();
        world.write("needs.txt", "# one way\na.txt:4 needs b.txt:10\nb.txt:10 needs a.txt:4\n");
        let line = format!("changes old new {needs} --search {search} --json -q -- ./test.sh");
        world.line(&line)
    };
    for search in ["closure", "dd_plus"] {
        let unresolved = |needs: &str| {
            let answer = answer(&tests(search, needs));
            assert_eq!(Oracle::numbers(&answer["causes"][0]["culprit"]), BTreeSet::from([1, 8]));
            answer["tests"]["unresolved"].as_u64().unwrap()
        };
        assert!(unresolved("--needs a.txt:4:b.txt:10") < unresolved(""), "{search}");
    }
    for (needs, text) in [
        ("--needs-file needs.txt", "needs.txt:3: b.txt:10 needs a.txt:4`: it closes a circle"),
        (
            "--needs a.txt:2:b.txt",
            "cannot use `--needs a.txt:2:b.txt`: nothing changed at `a.txt:2`",
        ),
        ("--needs a.txt", "it is not A:B"),
    ] {
        let ran = tests("closure", needs);
        assert_eq!(ran.code, Some(2), "{needs}: {}", ran.stderr);
        assert!(ran.stderr.contains(text), "{needs}: {}", ran.stderr);
    }
}

/// Returns a world where most sets of sixty changed lines cannot be tested, and any 45 lines fail.
fn tangle() -> World {
    let world = World::new();
    for (folder, word) in [("old", "old"), ("new", "new")] {
        let lines: String = (0..60).map(|it| format!("{word} {it}\n")).collect();
        world.write(format!("{folder}/a.txt"), lines);
    }
    let script = "n=$(grep -c new a.txt)\n[ $n = 0 ] && exit 0\n[ $n -lt 45 ] && exit 125\n\
                  echo boom; exit 1";
    world.script("test.sh", script);
    world
}

fn size(answer: &Value) -> usize {
    answer["causes"][0]["culprit"].as_array().unwrap().len()
}

#[test]
fn a_search_that_gives_up_says_so_first_and_goes_on_when_resumed() {
    let world = tangle();
    let ran = world.line("changes old new -- ./test.sh");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("gave up "), "{}", ran.stdout);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.contains("to continue: whodunit resume changes-new-1"), "{first}");
    assert!(ran.stdout.contains("not each change was asked about"), "{}", ran.stdout);
    let page = world.line("show --markdown page.md --sarif page.json");
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(world.text("page.md").contains("**Not done:** some of it may not be needed"));
    assert!(world.text("page.json").contains("Not done: some of it may not be needed"));
    let mut sizes = Vec::new();
    let last = loop {
        let answer = answer(&world.line("resume changes-new-1 --json -q"));
        sizes.push(size(&answer));
        assert!(sizes.len() < 20, "{sizes:?}");
        if answer["ended"] == "done" {
            break answer;
        }
        assert_eq!(answer["ended"], "gave_up");
    };
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
    assert_eq!(last["causes"][0]["proof"]["each_needed"], true);
    assert_eq!(size(&last), 45);
    // One run with a budget has the same result.
    let line = "changes old new --max-tests 2000 --json -q -- ./test.sh";
    let at_once = answer(&tangle().line(line));
    assert_eq!(at_once["ended"], "done");
    assert_eq!(at_once["causes"][0]["culprit"], last["causes"][0]["culprit"]);
}

#[test]
fn more_tests_never_make_the_answer_larger() {
    let world = tangle();
    let mut sizes = Vec::new();
    for tests in [1, 10, 25, 50, 80, 160, 400] {
        let line = format!("changes old new --max-tests {tests} --json -q -- ./test.sh");
        sizes.push(size(&answer(&world.line(&line))));
    }
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
}

#[test]
fn flags_that_do_not_go_together_are_refused_before_anything_runs() {
    let world = World::new();
    world.write("old/a.txt", "old\n");
    world.write("new/a.txt", "new\n");
    world.script("test.sh", "touch ../ran; exit 1");
    for (flags, text) in [
        ("--ordered --all", "--ordered and --all do not go together"),
        ("--level commit --all", "--all and --level commit do not go together"),
        ("--level commit --search dd", "--search and --level commit do not go together"),
        ("--atomic --search isolate", "--search and --atomic do not go together"),
    ] {
        let ran = world.line(&format!("changes old new {flags} -- ./test.sh"));
        assert_eq!(ran.code, Some(2), "{flags}: {}", ran.stderr);
        assert!(ran.stderr.contains(text), "{flags}: {}", ran.stderr);
        assert!(world.runs().is_empty() && !world.path("ran").exists(), "{flags}");
    }
}
