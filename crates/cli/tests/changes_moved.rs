//! `whodunit changes`: a line that changed when its function moved to a new file is found.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::World;

/// Returns shell functions, each of which prints something; `changed` ones print it twice.
fn functions(names: std::ops::Range<usize>, changed: &[usize]) -> String {
    let function = |number: usize| {
        let text = format!("number {number} of {}", number * number);
        let twice = if changed.contains(&number) { &*format!(" and {text}") } else { "" };
        format!("show_{number}() {{\n  local text='{text}'\n  echo \"$text{twice}\"\n}}\n\n")
    };
    names.map(function).collect()
}

/// Returns the places of the culprit: files with the first line in the bad version.
fn culprit(world: &World) -> Vec<(String, Option<u64>)> {
    let args = ["changes", "--json", "-q", "old", "new", "--", "./test.sh"];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap().clone();
    let place = |it: &Value| (it["file"].as_str().unwrap().into(), it["new_lines"][0].as_u64());
    culprit.iter().map(place).collect()
}

#[test]
fn the_changed_line_of_a_function_that_moved_is_named() {
    let world = World::new();
    world.write("old/run.sh", ". ./all.sh\nshow_7\n");
    world.write("old/all.sh", functions(0..12, &[]));
    world.write("new/run.sh", ". ./all.sh\n. ./upper.sh\nshow_7\n");
    world.write("new/all.sh", functions(0..6, &[]));
    let changed = functions(6..12, &[7, 10]);
    world.write("new/upper.sh", format!("# The upper half.\nupper=yes\n\n{changed}"));
    world.script("test.sh", "! sh run.sh | grep -q and");
    let found = culprit(&world);
    let in_new: Vec<u64> =
        found.iter().filter(|(file, _)| file == "upper.sh").filter_map(|(_, line)| *line).collect();
    assert_eq!(in_new, [11], "{found:?}");
}
