//! `whodunit changes`: the changes to take back are found next to the bad version, and the lines
//! that the tests of both versions run are looked at first.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, needs};

/// Runs the program and returns the answer.
fn answer(world: &World, jobs: &str, test: &[&str]) -> Value {
    let args = ["changes", "--json", "-q", "-j", jobs, "old", "new", "--"];
    let ran = world.run(args.iter().chain(test));
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn lines(changes: &Value) -> Vec<(String, Option<u64>)> {
    let place = |it: &Value| (it["file"].as_str().unwrap().into(), it["new_lines"][0].as_u64());
    changes.as_array().unwrap().iter().map(place).collect()
}

/// Makes two versions of a function that counts up to a limit. In the new one each of more than ten
/// lines is needed for the wrong result, and the removal of one line fixes it.
fn chain(world: &World) {
    world.write("old/app.py", "def total(items):\n    return sum(items)\n");
    let mut text = String::from("def total(items):\n    step0 = 1\n");
    for number in 1..10 {
        text.push_str(&format!("    step{number} = step{} + 1\n", number - 1));
    }
    text.push_str(
        "    result = sum(items)\n    if step9 > 5:\n        result += 1\n    return result\n",
    );
    world.write("new/app.py", &text);
    world.write(
        "test.py",
        "import app\ntotal = app.total([1, 2])\nassert total == 3, f'total is {total}'\n",
    );
}

#[test]
fn a_large_culprit_comes_with_the_few_lines_to_take_back() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    chain(&world);
    let script = world.path("test.py");
    let test = ["env", "PYTHONPATH=.", "python3", "-B", script.to_str().unwrap()];
    let alone = answer(&world, "1", &test);
    let cause = &alone["causes"][0];
    assert!(cause["culprit"].as_array().unwrap().len() > 10, "{cause}");
    let fix = lines(&cause["fix"]);
    assert!(!fix.is_empty() && fix.len() <= 3, "{fix:?}");
    assert_eq!(cause["proof"]["bad_without_fix"], "pass");
    let together = answer(&world, "4", &test);
    let [one, other] = [&alone, &together].map(|it| &it["causes"][0]);
    assert_eq!((&one["culprit"], &one["fix"]), (&other["culprit"], &other["fix"]));
    assert_eq!(together["tests"]["committed"], alone["tests"]["committed"]);
    let told = world.run(["show"]).stdout;
    assert!(told.contains("undo       app.py:"), "{told}");
    assert!(told.contains("it passes without this"), "{told}");
}

/// Makes two versions of a class. In the new one each method is rewritten for data of another
/// shape, so none can be taken back by itself, and this statement is wrong.
fn rewritten(world: &World, statement: &str) {
    world.write(
        "old/app.py",
        "class Box:
    def __init__(self):
        self.items = []
        self.weights = []
        self.open = True

    def add(self, item):
        if self.open:
            self.items.append(item)
            self.weights.append(1)

    def close(self):
        self.open = False

    def total(self):
        result = 0
        place = 0
        while place < len(self.items):
            item = self.items[place]
            weight = self.weights[place]
            result = result + item * weight
            place = place + 1
        return result
",
    );
    let new = "class Box:
    def __init__(self):
        self._data = {'parts': {}, 'state': 'new', 'count': 0}
        self._data['next'] = 0

    def add(self, item):
        number = self._data['next']
        self._data['parts'][number] = item
        self._data['next'] = number + 1
        self._data['state'] = 'filled'

    def close(self):
        self._data['count'] = len(self._data['parts'])
        self._data['state'] = 'closed'

    def total(self):
        whole = self._data['count'] * 0
        for number in sorted(self._data['parts']):
            STATEMENT
        return whole
";
    world.write("new/app.py", new.replace("STATEMENT", statement));
    world.write(
        "test.py",
        "import app\nbox = app.Box()\nbox.add(5)\nbox.add(2)\nbox.close()\ntotal = box.total()\n\
         assert total == 7, f'total is {total}'\n",
    );
}

#[test]
fn where_all_is_new_a_part_is_named_without_which_it_passes() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    rewritten(&world, "whole += self._data['parts'][number] + len(self._data['state']) // 6");
    let script = world.path("test.py");
    let test = ["env", "PYTHONPATH=.", "python3", "-B", script.to_str().unwrap()];
    let alone = answer(&world, "1", &test);
    let spot = &alone["causes"][0]["spot"];
    assert_eq!(spot["passes"], "pass", "{alone}");
    assert_eq!(lines(&spot["parts"]), [("app.py".to_owned(), Some(19))]);
    let together = answer(&world, "4", &test);
    assert_eq!(together["causes"][0]["spot"], *spot);
    assert_eq!(together["tests"]["committed"], alone["tests"]["committed"]);
    let told = world.run(["show"]).stdout;
    assert!(told.contains("look at    app.py:"), "{told}");
    assert!(told.contains("no repair"), "{told}");
    // The claim is tested again, and a patch without effect is refuted.
    world.write("answer.json", alone.to_string());
    let verified = world.run(["verify", "answer.json"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    assert!(verified.stdout.contains("without-spot.patch"), "{}", verified.stdout);
}

#[test]
fn where_all_is_new_a_part_is_named_that_passes_if_it_is_replaced() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    rewritten(&world, "whole -= self._data['parts'][number]");
    let script = world.path("test.py");
    let test = ["env", "PYTHONPATH=.", "python3", "-B", script.to_str().unwrap()];
    let alone = answer(&world, "1", &test);
    let spot = &alone["causes"][0]["spot"];
    assert_eq!(spot["passes"], "pass", "{alone}");
    assert_eq!(lines(&spot["parts"]), [("app.py".to_owned(), Some(19))]);
    assert_eq!((&spot["how"], &spot["replaced"]["what"]), (&"replaced".into(), &"-=".into()));
    assert_eq!(spot["replaced"]["by"], "+=");
    let together = answer(&world, "4", &test);
    assert_eq!(together["causes"][0]["spot"], *spot);
    assert_eq!(together["tests"]["committed"], alone["tests"]["committed"]);
    let told = world.run(["show"]).stdout;
    assert!(told.contains("it passes with `+=` in place of `-=`"), "{told}");
    assert!(told.contains("no repair"), "{told}");
    world.write("answer.json", alone.to_string());
    let verified = world.run(["verify", "answer.json"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    assert!(verified.stdout.contains("without-spot.patch"), "{}", verified.stdout);
}

/// Writes a class whose fields became entries of one table, with a mistake in one of these lines.
fn renamed_all_over(world: &World) {
    let text = |field: fn(&str) -> String, first: &str, sign: &str| {
        let [items, weights, state] = ["items", "weights", "state"].map(field);
        format!(
            "class Box:
    def __init__(self):{first}
        {items} = []
        {weights} = []
        {state} = 'new'

    def add(self, item, weight):
        {items}.append(item)
        {weights}.append(weight)
        {state} = 'filled'

    def drop(self):
        {items}.pop()
        {weights}.pop()

    def close(self):
        {state} = 'closed'

    def is_closed(self):
        return {state} == 'closed'

    def last(self):
        return {items}[-1] * {weights}[-1]

    def count(self):
        return len({items})

    def lightest(self):
        return min({weights})

    def total(self):
        result = 0
        for place in range(len({items})):
            result = result {sign} {items}[place] * {weights}[place]
        return result
"
        )
    };
    let entry = |name: &str| format!("self._data['{name}']");
    world.write("old/app.py", text(|name| format!("self.{name}"), "", "+"));
    world.write("new/app.py", text(entry, "\n        self._data = {}", "-"));
    world.write(
        "test.py",
        "import app\nbox = app.Box()\nbox.add(5, 1)\nbox.add(2, 1)\nbox.add(9, 1)\nbox.drop()\nbox.close()\n\
         assert box.is_closed() and (box.last(), box.count(), box.lightest()) == (2, 2, 1)\ntotal = box.total()\nassert total == 7, f'total is {total}'\n",
    );
}

#[test]
fn a_word_is_named_in_a_line_that_changed_for_another_reason() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    renamed_all_over(&world);
    let script = world.path("test.py");
    let test = ["env", "PYTHONPATH=.", "python3", "-B", script.to_str().unwrap()];
    let alone = answer(&world, "1", &test);
    let spot = &alone["causes"][0]["spot"];
    assert_eq!(spot["passes"], "pass", "{alone}");
    assert_eq!(lines(&spot["parts"]), [("app.py".to_owned(), Some(35))]);
    let passing = spot["parts"][0]["old_text"].as_str().unwrap();
    assert_eq!(
        passing.trim(),
        "result = result + self._data['items'][place] * self._data['weights'][place]"
    );
    let together = answer(&world, "4", &test);
    assert_eq!(together["causes"][0]["spot"], *spot);
    assert_eq!(together["tests"]["committed"], alone["tests"]["committed"]);
    world.write("answer.json", alone.to_string());
    let verified = world.run(["verify", "answer.json"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
}

/// Returns what the first runs showed, from the journal of the last run.
fn evidence(world: &World) -> Value {
    let ran = world.run(["show", "--events"]);
    let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let learned = events.into_iter().find(|event| event["event"] == "ends_learned").unwrap();
    learned["evidence"].clone()
}

/// Returns the lines that ran in functions in the bad version.
fn called(world: &World) -> Vec<Value> {
    evidence(world)["ran_in_bad"].as_array().cloned().unwrap_or_default()
}

#[test]
fn the_words_of_the_line_at_which_the_test_fails_are_noted() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    let text =
        |more: &str| format!("def first(x):\n    return x\n\ndef second(x):\n    return x{more}\n");
    world.write("old/app.py", text(""));
    world.write("new/app.py", text(" + 1"));
    for version in ["old", "new"] {
        let test = "import app\ndef twice(x):\n    return app.second(x) * 2\n\n\
                    assert app.first(1) == 1\nassert twice(1) == 2\n";
        world.write(format!("{version}/test.py"), test);
    }
    let answer = answer(&world, "1", &["python3", "-B", "test.py"]);
    assert_eq!(lines(&answer["causes"][0]["culprit"]), [("app.py".to_owned(), Some(5))]);
    let asked = evidence(&world)["asked"].to_string();
    assert!(asked.contains("second") && !asked.contains("first"), "{asked}");
}

#[test]
fn the_lines_that_python_runs_are_noted_and_nothing_else_changes() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    let old = "import sys\n\ndef used(x):\n    return x\n\ndef unused(x):\n    return x\n";
    let new = "import sys\n\ndef used(x):\n    return x + 1\n\ndef unused(x):\n    return x + 1\n";
    world.write("old/app.py", old);
    world.write("new/app.py", new);
    world.write("old/test.py", "import app\nassert app.used(1) == 1, 'wrong'\n");
    world.write("new/test.py", "import app\nassert app.used(1) == 1, 'wrong'\n");
    // With and without a path of its own, as in tests of projects.
    let test = ["env", "PYTHONPATH=.", "python3", "-B", "test.py"];
    for test in [&test[2..], &test[..]] {
        let answer = answer(&world, "1", test);
        assert_eq!(lines(&answer["causes"][0]["culprit"]), [("app.py".to_owned(), Some(4))]);
        let noted = called(&world);
        assert_eq!(noted.len(), 1, "{noted:?}");
        assert_eq!(noted[0]["called"], serde_json::json!([[4, 4]]));
    }
}

#[test]
fn the_lines_that_node_runs_are_noted() {
    if !needs("node") {
        return;
    }
    let world = World::new();
    let text = |more: &str| {
        format!(
            "exports.used = x => {{\n  return x{more};\n}};\nexports.unused = x => {{\n  return x{more};\n}};\n"
        )
    };
    world.write("old/app.js", text(""));
    world.write("new/app.js", text(" + 1"));
    for version in ["old", "new"] {
        let test =
            "const app = require('./app.js');\nif (app.used(1) !== 1) throw new Error('wrong');\n";
        world.write(format!("{version}/test.js"), test);
    }
    let answer = answer(&world, "1", &["node", "test.js"]);
    assert_eq!(lines(&answer["causes"][0]["culprit"]), [("app.js".to_owned(), Some(2))]);
    let noted = called(&world);
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert!(noted[0]["called"].to_string().contains('2'), "{noted:?}");
    assert!(!noted[0]["called"].to_string().contains('5'), "{noted:?}");
}
