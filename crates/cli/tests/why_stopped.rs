//! Why the search stopped, as `show` and the answer tell it.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use serde_json::Value;
use support::{World, numbered};

/// Returns the output of `show` about why the last run stopped.
fn why(world: &World) -> String {
    let shown = world.line("show");
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let (_, why) = shown.stdout.split_once("\nwhy it stopped\n").unwrap();
    why.to_owned()
}

#[test]
fn each_node_that_is_left_has_its_refutations() {
    let world = World::new();
    world.write("in.json", "{\"a\": [1, 2, true], \"b\": {\"c\": 7, \"d\": null}}\n");
    // Without `true` it is another failure, without `2` it hangs, and otherwise there is no
    // failure.
    let script = "case $(cat in.json) in
        *'['*2*,*true*']'*) exit 3;;
        *'['*2*']'*) echo 'error: no truth' >&2; exit 1;;
        *'['*true*']'*) sleep 100;;
        esac";
    world.script("t.sh", script);
    let answer = world.answer("reduce in.json -j1 --timeout 1s -- ./t.sh {}");
    assert_eq!(world.text("in.reduced.json"), "[2,true]");
    assert_eq!(answer["proof"]["levels"], serde_json::json!(["nodes", "lines"]));
    let expected = "\
\x20 in.json:1  [2,true]
      without it: ran without the failure
      as `0`: ran without the failure
  in.json:1  2
      without it: does not end in time
  in.json:1  true
      without it: exits with 1 and says \"error: no truth\" instead
";
    assert_eq!(why(&world), expected);
}

#[test]
fn lines_without_a_language_are_told_with_their_tokens() {
    let world = World::new();
    world.write("in.txt", numbered(30, &[(3, "needle, noodle"), (9, "nettle")]));
    world.script("t.sh", "grep -q 'needle, noodle' in.txt && grep -q nettle in.txt");
    let answer = world.answer("reduce in.txt --test ./t.sh --level tokens");
    let listed = answer["regions"]["listed"].as_array().unwrap();
    assert_eq!(answer["regions"]["more"], 0);
    let region = &listed[0];
    assert_eq!((&region["level"], &region["line"]), (&Value::from("lines"), &Value::from(1)));
    assert_eq!(region["smaller"][0]["reason"], "no_failure");
    let expected = "\
\x20 in.txt:1  needle, noodlenettle
      without it: ran without the failure
      without `needle`: ran without the failure
      without `,`: ran without the failure
      without `noodlenettle`: ran without the failure
";
    assert_eq!(why(&world), expected);
}

#[test]
fn what_a_gate_refused_is_told_apart() {
    let world = World::new();
    world.write("in.c", "int a;\nint f(int x) {return x;}\nint b;\n");
    world.script("gate.sh", "[ $(wc -c < in.c) -gt 10 ]");
    world.script("t.sh", "grep -q 'f(int x) *{return x;}' in.c");
    let answer = world.answer("reduce in.c --test ./t.sh --gate ./gate.sh");
    let needed = answer["proof"]["needed"].as_array().unwrap();
    assert!(needed.iter().all(|needed| needed["because"]["reason"].is_string()));
    let expected = "\
\x20 in.c:1  f(int x)
      without it: ran without the failure
      as `;`: ran without the failure
  in.c:1  x
      without it: ran without the failure
  in.c:1  {return x;}
      without it: a gate exits with 1
      as `;`: a gate exits with 1
  in.c:1  return x;
      without it: a gate exits with 1
      as `;`: ran without the failure
  in.c:1  x
      without it: ran without the failure
";
    assert_eq!(why(&world), expected);
}
