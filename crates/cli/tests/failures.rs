//! The failure that is found is the failure that was learned: neither another one that ends in the
//! same way, nor one so narrow that nothing around it can change.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{Ran, World, has_git, numbered};
use whodunit_test_support::needs;

/// Reduces a text with a test and returns the result, and the output.
fn reduced(input: &str, test: &str) -> (String, Ran) {
    let world = World::new();
    world.write("doc.txt", input);
    world.script("test.sh", test);
    let ran = world.line("reduce doc.txt -j2 -- ./test.sh {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (world.text("doc.reduced.txt"), ran)
}

#[test]
fn a_plain_message_is_kept() {
    let lint = r#"head -1 $1 | grep -q '^#' || { echo "$1:1: missing header"; exit 1; }
        line=$(grep -n BUG $1 | head -1 | cut -d: -f1)
        [ -z "$line" ] || { echo "$1: line $line: forbidden word BUG"; exit 1; }"#;
    let input = format!("# title\n{}", numbered(60, &[(50, "some BUG here"), (55, "BUG")]));
    let (left, ran) = reduced(&input, lint);
    assert_eq!(left.trim(), "#BUG");
    let learned = r#"failure: exits with 1 and prints "INPUT: line N: forbidden word BUG""#;
    assert!(ran.stderr.contains(learned), "{}", ran.stderr);
    assert!(!ran.stderr.contains("nothing but the exit status"), "{}", ran.stderr);
}

#[test]
fn a_message_that_shows_a_line_of_the_input_lets_the_line_shrink() {
    let test = r#"! grep -n wrong $1 | sed "s/:/: bad line: /""#;
    let input = numbered(40, &[(30, "some long line that is wrong (all of it), as you see")]);
    let test = format!("{test} | grep .");
    let (left, _) = reduced(&input, &test);
    assert_eq!(left.trim(), "wrong");
}

#[test]
fn a_message_of_the_program_that_also_stands_in_the_input_loses_no_word() {
    let test = r#"echo "note: option x is old"
        while read time kind text; do
            case "$kind $text" in
                "TX "*[!0-9]*) echo "transaction without number"; exit 1;;
                "INFO "* | "TX "*) ;;
                *) echo "not a line of a log"; exit 1;;
            esac
        done < $1"#;
    let input = "10:00 INFO a transaction without number was skipped\n10:01 TX 15\n10:02 TX ab\n";
    let (left, ran) = reduced(input, test);
    assert!(ran.stderr.contains(r#""transaction without number""#), "{}", ran.stderr);
    assert!(left.contains("TX"), "{left:?}");
}

#[test]
fn the_message_of_a_program_that_is_reduced_loses_no_word() {
    if !needs("python3") {
        return;
    }
    let comment = "# raises ValueError: invalid literal for int() with base 10: 'abc'\n";
    let program = "for text in ['1', 'abc', '3']:\n    if text == '3':\n        \
                   raise ValueError\n    print(int(text))\n";
    let check = "def check(it):\n    if not it: raise ValueError('it is empty')\n    \
                 if it > 9: raise ValueError('it is too large')\ncheck(3)\ncheck(90)\n";
    for (input, said) in [
        (&format!("{comment}{program}")[..], "invalid literal for int()"),
        (check, "it is too large"),
    ] {
        let world = World::new();
        world.write("a.py", input);
        let ran = world.line("reduce a.py -j2 -- python3 {}");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let left = world.text("a.reduced.py");
        world.write("left.py", &left);
        let again = world.finish(std::process::Command::new("python3").arg(world.path("left.py")));
        assert!(again.stderr.contains(said), "{left}\n{}", again.stderr);
    }
}

#[test]
fn a_message_about_something_else_is_another() {
    // A used name must be defined: deleting a definition makes a failure of the same kind.
    let test = r#"for name in $(sed -n 's/^use //p' $1); do
            grep -q "^def $name" $1 || { echo "name '$name' is not defined"; exit 1; }
        done"#;
    let input = "def one\ndef two\nuse one\nuse two\nuse three\ndef four\nuse four\n";
    assert_eq!(reduced(input, test).0.trim(), "use three");
}

#[test]
fn a_crash_on_a_valid_text_stays_one_on_a_valid_text() {
    let compiler = r#"test $(grep -c '{' $1) = $(grep -c '}' $1) ||
            echo "$1:1:1: error: expected '}' at end of input"
        grep -q unused $1 && echo "$1:1:1: warning: unused"
        ! grep -q '{.*magic' $1 || { echo "$1:2:1: internal compiler error: in fold, at t.c:12"; exit 4; }"#;
    let input = "unused\nint f() { int magic = 1;\n}\nint g() {\n}\n";
    let (left, _) = reduced(input, compiler);
    assert!(left.contains('}'), "{left}");
    assert!(left.len() <= "{magic\n}\n".len(), "{left}");
}

#[test]
fn a_failure_that_only_its_exit_status_tells_is_warned_about() {
    let (_, ran) = reduced("one\nwrong\n", "cat $1; ! grep -q wrong $1");
    let warning = "warning: nothing but the exit status tells this failure from others; \
                   its output ends with\n    one\n    wrong\nhint: to insist on a text of it, \
                   add --fail-match TEXT";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    let (_, ran) = reduced("one\nwrong\n", "! grep -q wrong $1");
    assert!(ran.stderr.contains("from others: it prints nothing\n"), "{}", ran.stderr);
}

/// Output that differs from run to run and from version to version, beside the failure.
const NOISY: &str = r#"echo "run $$ in $PWD, $(wc -l < a.txt) lines, TMPDIR=$TMPDIR"
    ! grep -n wrong a.txt > $TMPDIR/found || {
        line=$(cut -d: -f1 $TMPDIR/found)
        echo "Traceback (most recent call last):"
        echo "  File \"$PWD/a.txt\", line $line, in main"
        echo "ValueError: a.txt:$line: got '41' and '$(cat b.txt)' at 0x7ffd$$$$, seed $$"
        exit 1
    }"#;

#[test]
fn noise_around_a_failure_does_not_hide_it() {
    let world = World::new();
    world.write("old/a.txt", numbered(30, &[]));
    world.write("new/a.txt", numbered(40, &[(3, "harmless"), (17, "wrong"), (25, "too")]));
    for version in ["old", "new"] {
        world.write(format!("{version}/b.txt"), "7");
    }
    world.script("test.sh", NOISY);
    let answer = world.answer("changes old new -j2 -- ./test.sh");
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert_eq!(culprit.len(), 1, "{culprit:?}");
    assert_eq!(culprit[0]["new_lines"][0], 18);
    let failure = answer["failure"].as_str().unwrap();
    assert!(failure.contains("ValueError: a.txt:N: got '41' and '7'"), "{failure}");
}

#[test]
fn plain_lines_of_versions_are_told_apart_from_those_that_both_print() {
    let test = r#"echo "version $(cat v.txt), built by $$"; echo checking
        ! grep -q wrong a.txt || { echo "the sum is off by $(cat v.txt)"; exit 1; }"#;
    let world = World::new();
    world.write("old/a.txt", numbered(30, &[]));
    world.write("new/a.txt", numbered(30, &[(3, "harmless"), (17, "wrong")]));
    world.write("old/v.txt", "12");
    world.write("new/v.txt", "13");
    world.script("test.sh", test);
    let answer = world.answer("changes old new -j2 -- ./test.sh");
    assert_eq!(answer["failure"], "the test exits with 1 and prints \"the sum is off by N\"");
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert_eq!((culprit.len(), &culprit[0]["file"]), (1, &"a.txt".into()), "{culprit:?}");
}

/// Returns a world with a history whose versions print one of these texts; passing ones print
/// nothing.
fn history(says: &[&str]) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (number, says) in says.iter().enumerate() {
        world.write("says.txt", says);
        world.write("more.txt", number.to_string());
        world.commit(&format!("commit-{number}"));
    }
    world
}

/// Returns how many versions could not be tested unchanged, the newest first in one stretch, and
/// why.
fn stretch(answer: &Value) -> (u64, u64, &str) {
    let stretch = &answer["stretches"][0];
    let number = |name: &str| stretch[name].as_u64().unwrap_or_default();
    (number("place"), number("versions"), stretch["reason"].as_str().unwrap_or_default())
}

/// The commit that first makes the value wrong.
const EARLY: usize = 4;
/// The commit that gives it the wrong value of the newest version.
const LATE: usize = 8;

/// The origin of the later wrong value.
#[derive(Clone, Copy, Debug)]
enum Later {
    /// The line of the early wrong value gets another value.
    Instead,
    /// The same, and nothing else changes in that commit.
    InsteadOnly,
    /// A line of its own sets it, whatever the other line says.
    Alone,
    /// A line of its own sets it, but only where the other line is wrong.
    Together,
}

/// Returns a world with 12 versions and a test with one assertion, which shows one wrong value from
/// `EARLY` on and another one from `LATE` on. `more` is called for each version as well.
fn two_values(later: Later, more: impl Fn(&World, usize)) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..12 {
        // An unchanged line is no change.
        let is_alone = matches!(later, Later::InsteadOnly) && version == LATE;
        let harmless = format!("harmless {}", if is_alone { version - 1 } else { version });
        let unit = match later {
            _ if version < EARLY => "unit: 1 hour",
            Later::Instead | Later::InsteadOnly if version >= LATE => "unit: -1 years, 11 months",
            _ => "unit: %(num)d hour",
        };
        let mut lines = vec![(2, harmless.as_str()), (9, unit)];
        match later {
            Later::Alone if version >= LATE => lines.push((15, "always: -1 years, 11 months")),
            Later::Together if version >= LATE => lines.push((15, "wrong: -1 years, 11 months")),
            _ => {}
        }
        world.write("hours.txt", numbered(20, &lines));
        more(&world, version);
        world.commit(&format!("commit-{version}"));
    }
    let test = r#"test ! -e broken || exit 125
        grep -q 'unit: cannot' hours.txt && exit 125
        said() { sed -n "s/^$1: //p" hours.txt; }
        unit=$(said unit); [ "$unit" = '1 hour' ] || unit=$(said wrong | grep . || echo "$unit")
        unit=$(said always | grep . || echo "$unit")
        [ "$unit" = '1 hour' ] || { echo "AssertionError: '$unit' != '1 hour'"; exit 1; }"#;
    world.script("../test.sh", test);
    world
}

/// Checks that the answer names the commit that set the final value, not the one that first made it
/// wrong, and that the answer's claims about it are true.
fn check_named(world: &World, about: &str) -> Value {
    let answer = world.answer("history -j2 -- ../test.sh");
    let outcome = &answer["outcome"];
    assert_eq!(outcome["outcome"], "found", "{about}: {outcome:#}");
    assert_eq!(outcome["suspects"][0]["title"], format!("commit-{LATE}"), "{about}: {outcome:#}");
    let instead = outcome["instead"].as_str().unwrap_or_default();
    assert!(instead.contains("'%(num)d hour' != '1 hour'"), "{about}: {outcome:#}");
    let proof = &outcome["causes"][0]["proof"];
    assert_eq!(proof["good"], "unresolved", "{about}: {proof}");
    assert_eq!(proof["good_with_culprit"], "fail", "{about}: {proof}");
    // No version passes here, so the answer claims no pass.
    assert_eq!(proof["bad_without_fix"], Value::Null, "{about}: {proof}");
    assert_eq!(answer["forward"], Value::Null, "{about}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{about}: {}{}", ran.stdout, ran.stderr);
    answer
}

#[test]
fn a_version_that_shows_another_value_at_the_same_assertion_does_not_have_this_failure() {
    if !has_git() {
        return;
    }
    for later in [Later::Instead, Later::InsteadOnly, Later::Alone, Later::Together] {
        let about = format!("{later:?}");
        let world = two_values(later, |_, _| {});
        let answer = check_named(&world, &about);
        let outcome = &answer["outcome"];
        assert_eq!(outcome["suspects"].as_array().unwrap().len(), 1, "{about}: {outcome:#}");
        assert_eq!(outcome["good"]["title"], format!("commit-{}", LATE - 1), "{about}");
        assert_eq!(outcome["causes"][0]["proof"]["each_needed"], true, "{about}: {outcome:#}");
        let text = world.line("show").stdout;
        let before = "fails otherwise: it exits with 1 and says \"AssertionError: '%(num)d hour'";
        assert!(text.contains(before), "{about}: {text}");
        assert!(text.contains("\nproved "), "{about}: {text}");
        assert!(!text.contains("passes"), "{about}: {text}");
        assert!(text.contains(": fails; no fix was found; each change"), "{about}: {text}");
    }
}

#[test]
fn another_value_behind_versions_that_can_be_made_testable_is_told_apart_as_well() {
    if !has_git() {
        return;
    }
    for later in [Later::Instead, Later::InsteadOnly, Later::Alone, Later::Together] {
        let about = format!("{later:?}");
        let world =
            two_values(later, |world, version| match (EARLY + 1..LATE).contains(&version) {
                true => _ = world.write("broken", "1"),
                false => _ = std::fs::remove_file(world.path("broken")),
            });
        let answer = check_named(&world, &about);
        let outcome = &answer["outcome"];
        assert_eq!(outcome["suspects"].as_array().unwrap().len(), 1, "{about}: {outcome:#}");
        assert_eq!(outcome["good"]["title"], format!("commit-{}", LATE - 1), "{about}");
        let carried = answer["back_port"]["patch"].as_str().unwrap();
        assert!(carried.contains("broken") && !carried.contains("months"), "{about}: {carried}");
    }
}

#[test]
fn another_value_behind_versions_that_cannot_be_tested_ends_the_suspects() {
    if !has_git() {
        return;
    }
    let world = two_values(Later::Instead, |world, version| {
        if (EARLY + 1..LATE).contains(&version) {
            let text = world.text("hours.txt").replace("unit: %(num)d hour", "unit: cannot");
            world.write("hours.txt", text);
        }
    });
    let answer = check_named(&world, "untestable");
    let outcome = &answer["outcome"];
    let suspects = outcome["suspects"].as_array().unwrap();
    let titles: Vec<&str> = suspects.iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["commit-8", "commit-7", "commit-6", "commit-5"], "{outcome:#}");
    assert_eq!(outcome["good"]["title"], format!("commit-{EARLY}"));
}

/// Returns a world whose value is wrong from the beginning, and changes in one version.
fn one_value() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..8 {
        let value = if version < 6 { "1 hour" } else { "-1 years" };
        world.write("hours.txt", value);
        world.write("version.txt", version.to_string());
        world.commit(&format!("commit-{version}"));
    }
    world
}

#[test]
fn an_assertion_that_shows_one_value_is_told_apart_by_its_place() {
    if !has_git() || !needs("python3") || !needs("node") {
        return;
    }
    let python = "v = open('hours.txt').read()\nassert v == '2 hours', f'got {v}'\n";
    let node = "const v = require('fs').readFileSync('hours.txt', 'utf8');\n\
                require('assert')(v == '2 hours', 'got ' + v);\n";
    let shell = "v=$(cat hours.txt)\n[ \"$v\" = '2 hours' ] || { echo \"$0:2: assertion failed: got $v\"; exit 1; }\n";
    for (name, test, command) in
        [("t.py", python, "python3"), ("t.js", node, "node"), ("t.sh", shell, "sh")]
    {
        let world = one_value();
        world.write(format!("../{name}"), test);
        let answer = world.answer(&format!("history -- {command} ../{name}"));
        let outcome = &answer["outcome"];
        assert_eq!(outcome["outcome"], "found", "{name}: {outcome:#}");
        assert_eq!(outcome["suspects"][0]["title"], "commit-6", "{name}: {outcome:#}");
        assert_eq!(outcome["suspects"].as_array().unwrap().len(), 1, "{name}: {outcome:#}");
        let instead = outcome["instead"].as_str().unwrap_or_default();
        assert!(instead.contains("got 1 hour"), "{name}: {outcome:#}");
    }
}

#[test]
fn a_failure_that_may_have_been_carried_back_is_not_called_old() {
    if !has_git() {
        return;
    }
    let world = one_value();
    let test = "v=$(cat hours.txt)\n[ \"$v\" = '2 hours' ] || { echo \"this took $v\"; exit 1; }\n";
    world.write("../t.sh", test);
    let ran = world.line("history -- sh ../t.sh");
    for text in [
        "not a regression within 8 versions, unless the back-port is the cause\n",
        "\"commit-6\" (",
        ") fails, and before it ",
        ") does not:\n           the test does something else: it exits with 1",
        " with the back-port fails too\n",
        "if it makes the failure, it is the cause\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    let answer = world.answer("history -- sh ../t.sh");
    let begins = &answer["outcome"]["begins"];
    assert_eq!(begins["failing"]["title"], "commit-6", "{answer:#}");
    assert_eq!(begins["before"]["title"], "commit-5", "{answer:#}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn any_failure_of_a_history_is_none_that_says_that_the_test_cannot_tell() {
    if !has_git() {
        return;
    }
    for code in ["125", "127"] {
        let world = history(&["", "", code, code, "1", "2", "3"]);
        world.script("../test.sh", "exit $(cat says.txt)");
        let answer = world.answer("history --any-failure -j2 -- ../test.sh");
        assert_eq!(stretch(&answer), (3, 2, "test"), "{code}: {}", answer["stretches"]);
    }
}
