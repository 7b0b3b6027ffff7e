//! `verify` refutes an answer in which one field is not what it was, whichever field that is.
//!
//! Real answers of every job are edited field by field. What `verify` cannot know is on one list, which is
//! that of the manual.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use support::{WHODUNIT, World, has_git, numbered};
use whodunit_jobs::answer::{Answer, ChangesAnswer, HistoryAnswer};
use whodunit_jobs::settings::{SandboxMode, Surroundings};
use whodunit_jobs::verify::{Commands, Verified};
use whodunit_jobs::{changes, history, reduce};
use whodunit_run::Stop;

/// The fields that are not checked, with all that is in them: `[]` is any element of a list, and at the end
/// of a path the number of elements.
const UNCHECKED: &[&str] = &[
    "version",
    "run",
    "ended",
    "tests",
    "seconds",
    "started_over",
    "sandbox",
    "others",
    "settings",
    "learned",
    "start.tokens",
    "shortened.tests",
    "shortened.complete",
    "changed_input",
    "proof.needed[].because.failure",
    "regions.more",
    "regions.listed[].smaller[].reason",
    "regions.listed[].smaller[].failure",
    "isolated.difference",
    "isolated.minimal",
    "likely[].probability",
    "causes[].atomic",
    "causes[].files",
    "causes[].spot.how",
    "causes[].spot.replaced",
    "causes[].partners[]",
    "steps[]",
    "steps[].result",
    "stretches[]",
    "stretches[].reason",
    "stretches[].says",
    "stretches[].fate",
    "watched",
    "memory",
    "back_port.file",
    "forward.file",
    "forward.also",
    "unported",
    "searches",
    "outcome.reasons[]",
    "outcome.reasons[].reason",
    "outcome.believed",
    "outcome.prints",
    "outcome.lacking",
    "outcome.smallest",
    "outcome.failing",
];

/// Fields within those on the list that are checked all the same.
const CHECKED: &[&str] = &["learned.failure", "learned.command"];

/// A step to a field.
#[derive(Clone)]
enum Step {
    Name(String),
    Place(usize),
}

/// A field of an answer with other values for it.
struct Edit {
    steps: Vec<Step>,
    /// The path with `[]` in the place of numbers.
    path: String,
    value: Value,
}

/// Returns whether a path is on a list, or lies in a field that is.
fn is_on(list: &[&str], path: &str) -> bool {
    // The causes of `history` are in its outcome.
    let plain = path.strip_prefix("outcome.").filter(|it| it.starts_with("causes"));
    let is_it = |path: &str, listed: &&&str| {
        let rest = path.strip_prefix(**listed);
        let counts = listed.ends_with("[]");
        rest.is_some_and(|rest| rest.is_empty() || !counts && rest.starts_with(['.', '[']))
    };
    [Some(path), plain].into_iter().flatten().any(|path| list.iter().any(|it| is_it(path, &it)))
}

/// Returns other values for a value that is no object.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec!["fail".into(), 7.into()],
        Value::Bool(is) => vec![(!is).into()],
        Value::Number(number) => match number.as_u64() {
            Some(number) => vec![(number + 1).into()],
            None => vec![(number.as_f64().unwrap() + 1.0).into()],
        },
        Value::String(text) => match &**text {
            "pass" => vec!["fail".into(), "unresolved".into()],
            "fail" => vec!["pass".into()],
            "unresolved" => vec!["pass".into()],
            "lines" | "nodes" => vec!["tokens".into()],
            "tokens" | "bytes" | "files" => vec!["lines".into()],
            "full" => vec!["none".into()],
            "text" | "added" | "several" => vec!["replaced".into()],
            "location" => vec!["lexical".into()],
            "" => vec!["x".into()],
            patch if patch.starts_with("diff ") => {
                vec!["".into(), format!("{}x\n", patch.trim_end()).into()]
            }
            text => vec![format!("{}{}", &text[..text.len() - 1], other_end(text)).into()],
        },
        Value::Array(_) | Value::Object(_) => Vec::new(),
    }
}

/// Returns another last letter for a text; names of contents stay such.
fn other_end(text: &str) -> &'static str {
    match text.as_bytes().last() {
        Some(b'0') => "1",
        _ => "0",
    }
}

/// Lists edits of all fields.
fn edits(value: &Value, steps: &[Step], path: &str, into: &mut Vec<Edit>) {
    let mut add = |path: &str, value: Value| {
        into.push(Edit { steps: steps.to_vec(), path: path.to_owned(), value });
    };
    others(value).into_iter().for_each(|other| add(path, other));
    let below = |step: Step| [steps, &[step]].concat();
    match value {
        Value::Array(list) => {
            if let Some(last) = list.last() {
                let doubled = list.iter().chain([last]).cloned().collect::<Vec<_>>();
                let path = format!("{path}[]");
                add(&path, json!([]));
                add(&path, doubled.into());
            }
            for (place, value) in list.iter().enumerate() {
                edits(value, &below(Step::Place(place)), &format!("{path}[]"), into);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                edits(value, &below(Step::Name(name.clone())), &format!("{path}{dot}{name}"), into);
            }
        }
        _ => {}
    }
}

fn field<'v>(answer: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(answer, |value, step| match step {
        Step::Name(name) => &mut value[name],
        Step::Place(place) => &mut value[place],
    })
}

/// Replays an answer as the program does, without asking and without a sandbox; an error if it refuses to.
fn verify(world: &World, answer: &Value) -> Result<Verified, String> {
    let mut surroundings =
        Surroundings::new(&world.beside("cache"), std::env::var_os("PATH").unwrap());
    surroundings.launcher = WHODUNIT.into();
    let (stop, words) = (Stop::default(), |error: &dyn std::error::Error| error.to_string());
    let value = answer.clone();
    let commands = Commands::OfTheAnswer;
    match answer["job"].as_str() {
        Some("reduce") => {
            let mut answer: Answer = serde_json::from_value(value).map_err(|it| words(&it))?;
            answer.check().map_err(|it| words(&it))?;
            answer.settings.sandbox = SandboxMode::Off;
            reduce::verify((&answer, commands), &surroundings, &stop, |_| ())
                .map_err(|it| words(&it))
        }
        Some("changes") => {
            let mut answer: ChangesAnswer =
                serde_json::from_value(value).map_err(|it| words(&it))?;
            answer.check().map_err(|it| words(&it))?;
            answer.settings.how.sandbox = SandboxMode::Off;
            changes::verify(&answer, &surroundings, &stop, |_| ()).map_err(|it| words(&it))
        }
        Some("history") => {
            let mut answer: HistoryAnswer =
                serde_json::from_value(value).map_err(|it| words(&it))?;
            answer.check().map_err(|it| words(&it))?;
            answer.settings.how.sandbox = SandboxMode::Off;
            history::verify((&answer, commands), &surroundings, &stop, |_| ())
                .map_err(|it| words(&it))
        }
        _ => Err("no job".into()),
    }
}

/// Makes sure that an answer holds, also without its journal and in another folder, and that no field of it
/// can be another one. Fields of which an earlier answer of the same job has told are left out.
fn check(world: &World, answer: &Value, told: &mut BTreeSet<String>) {
    std::fs::remove_dir_all(world.beside("state")).unwrap();
    std::fs::create_dir_all(world.beside("elsewhere")).unwrap();
    std::fs::write(world.beside("elsewhere/it.json"), answer.to_string()).unwrap();
    let ran = world.line("verify --trust --sandbox=off -q ../elsewhere/it.json");
    let holds = verify(world, answer).unwrap();
    assert!(ran.code == Some(0) && holds.holds(), "{}{holds:#?}", ran.stderr);
    let mut all = Vec::new();
    edits(answer, &[], "", &mut all);
    all.retain(|edit| is_on(CHECKED, &edit.path) || !is_on(UNCHECKED, &edit.path));
    let new: BTreeSet<String> = all.iter().map(|edit| edit.path.clone()).collect();
    let (mut agreed, mut seen) = (Vec::new(), BTreeSet::new());
    for Edit { steps, path, value } in all {
        if told.contains(&path) || !seen.insert((path.clone(), value.to_string())) {
            continue;
        }
        let mut edited = answer.clone();
        let before = std::mem::replace(field(&mut edited, &steps), value.clone());
        if before != value && verify(world, &edited).is_ok_and(|verified| verified.holds()) {
            let short = |value: &Value| value.to_string().chars().take(90).collect::<String>();
            agreed.push(format!("{path}: {} -> {}", short(&before), short(&value)));
        }
    }
    assert!(agreed.is_empty(), "not refuted:\n{}", agreed.join("\n"));
    told.extend(new);
}

#[test]
fn no_field_of_an_answer_of_reduce_can_be_another() {
    let told = &mut BTreeSet::new();
    let world = World::new();
    world.write("project/a.txt", numbered(20, &[(3, "needle"), (9, "thread")]));
    world.write("project/src/b.txt", numbered(9, &[(2, "needle")]));
    world.write("project/c.txt", "nothing\n");
    world.script("t.sh", "grep -qs needle project/src/b.txt && grep -qs thread project/a.txt");
    let answer = world.answer("reduce project --test ./t.sh --level lines");
    check(&world, &answer, told);
    let world = World::new();
    world.write("in.json", "{\"a\": [1, 2, {\"b\": 7}], \"c\": \"boom\"}\n");
    world.script("t.sh", "grep -q boom \"$1\" && { echo 'fatal: boom'; exit 3; }; exit 0");
    check(&world, &world.answer("reduce in.json -- ./t.sh {}"), told);
}

#[test]
fn no_field_of_an_answer_of_changes_can_be_another() {
    if !has_git() {
        return;
    }
    let told = &mut BTreeSet::new();
    let world = commits();
    let answer = world.answer("changes HEAD~7 -- ../t.sh");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 1);
    check(&world, &answer, told);
    check(&world, &world.answer("changes HEAD~7 --level commit -- ../t.sh"), told);
    let world = World::new();
    world.write("old/a.py", "def f():\n    return 1\n");
    world.write("new/a.py", "def f():\n    y = 2\n    return 2\n\nz = 1\n");
    world.script("t.sh", "! grep -q 'return 2' a.py");
    check(&world, &world.answer("changes old new -- ./t.sh"), told);
}

#[test]
fn no_field_of_an_answer_of_history_can_be_another() {
    if !has_git() {
        return;
    }
    let told = &mut BTreeSet::new();
    let world = commits();
    check(&world, &world.answer("history -- ../t.sh"), told);
    check(&world, &world.answer("history --level commit -- ../t.sh"), told);
    let answer = world.answer("history --since HEAD~2 -- ../t.sh");
    assert_eq!(answer["outcome"]["outcome"], "not_a_regression");
    check(&world, &answer, told);
}

/// Returns a world of eight commits, of which the fifth is wrong.
fn commits() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for number in 1..=8 {
        world.write("v.txt", format!("{number}\n"));
        world.write("b.txt", if number < 5 { "fine\n" } else { "fine\nbad\n" });
        world.commit(&format!("c{number}"));
    }
    world.script("../t.sh", "grep -q bad b.txt || exit 0; echo 'error: bad'; exit 1");
    world
}

#[test]
fn the_manual_lists_what_is_not_checked() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/answer.md");
    let page = std::fs::read_to_string(page).unwrap();
    let part = page.split("## Not checked by verify").nth(1).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    let fields = rows.flat_map(|line| line.split('|').nth(1).unwrap().split(','));
    let listed: BTreeSet<&str> = fields.map(|field| field.trim().trim_matches('`')).collect();
    assert_eq!(listed, UNCHECKED.iter().copied().collect());
}
