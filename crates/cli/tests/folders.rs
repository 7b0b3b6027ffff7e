//! Folders as input, references between files, and the command line as part of what is reduced.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;
use support::{Ran, World, needs, needs_that, numbered};

/// Returns the files in and below a folder with their content; of links, the target.
fn tree(world: &World, folder: &str) -> BTreeMap<String, String> {
    let root = world.path(folder);
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let text = if kind.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if kind.is_file() {
                fs::read_to_string(&path).unwrap()
            } else {
                "special".into()
            };
            found.insert(name, text);
        }
    }
    found
}

fn files(list: &[(&str, &str)]) -> BTreeMap<String, String> {
    list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// Returns the printed error, in which `DIR` is the current folder.
fn error(world: &World, ran: &Ran) -> String {
    let folder = world.path("").to_str().unwrap().trim_end_matches('/').to_owned();
    let lines = ran.stderr.lines().skip_while(|line| !line.starts_with("error:"));
    lines.map(|line| line.replace(&folder, "DIR") + "\n").collect()
}

/// A folder in which one line of each of two files is needed.
fn project() -> World {
    let world = World::new();
    world.write("project/a.txt", numbered(20, &[(7, "needle")]));
    world.write("project/empty.txt", "");
    world.write("project/src/b.txt", numbered(20, &[]));
    world.write("project/src/deep/c.txt", numbered(20, &[(3, "thread")]));
    world.write("project/src/deep/d.txt", numbered(20, &[]));
    world.script("t.sh", "grep -qs needle project/a.txt && grep -qs thread project/src/deep/c.txt");
    world
}

#[test]
fn a_folder_is_reduced_as_a_whole() {
    let world = project();
    let before = tree(&world, "project");
    let ran = world.line("reduce project --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        tree(&world, "project.reduced"),
        files(&[("a.txt", "needle"), ("src/deep/c.txt", "thread")])
    );
    assert_eq!(tree(&world, "project"), before, "the input was touched");
    assert_eq!(world.names(), ["project", "project.reduced", "t.sh"]);
    let shown = "project.reduced (2 of 5 files)\n             a.txt (6 of ";
    assert!(ran.stdout.contains(shown), "{}", ran.stdout);
}

#[test]
fn the_answer_lists_each_file_and_can_be_verified() {
    let world = project();
    let answer = world.answer("reduce project/ --test ./t.sh --out small");
    assert_eq!(answer["files"].as_array().unwrap().len(), 5);
    assert_eq!(answer["files"][0]["input"], "project/a.txt");
    assert_eq!(answer["files"][0]["name"], "project/a.txt");
    assert_eq!(answer["files"][1]["path"], Value::Null);
    assert_eq!(answer["folders"][0]["files_before"], 5);
    assert_eq!(answer["folders"][0]["files"], 2);
    assert_eq!(answer["size"]["bytes"], 12);
    assert_eq!(answer["size"]["tokens"], 2);
    assert_eq!(tree(&world, "small").len(), 2);
    world.write("answer.json", answer.to_string());
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    world.write("small/a.txt", "other");
    assert_eq!(world.line("verify answer.json").code, Some(4));
}

#[test]
fn the_place_in_a_command_is_the_folder() {
    let world = project();
    world.script("t.sh", "grep -qs needle \"$1/a.txt\" || exit 0; echo boom in $1 $2; exit 3");
    let answer = world.answer("reduce project -- ./t.sh {} {}/src");
    assert_eq!(tree(&world, "project.reduced"), files(&[("a.txt", "needle")]));
    assert!(answer["failure"].as_str().unwrap().contains("exits with 3"));
}

#[test]
fn the_current_folder_has_a_name_too() {
    let world = project();
    let mut command = world.command(support::WHODUNIT);
    command.current_dir(world.path("project")).args(["reduce", ".", "--test", "../t.sh"]);
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&world, "project.reduced").len(), 2);
}

#[test]
fn files_and_folders_can_be_mixed() {
    let world = project();
    world.write("more.txt", numbered(9, &[(4, "needle")]));
    world.script("t.sh", "grep -qs needle more.txt && grep -qs thread project/src/deep/c.txt");
    let answer = world.answer("reduce more.txt project --test ./t.sh --out small");
    let wanted = files(&[("more.txt", "needle"), ("project/src/deep/c.txt", "thread")]);
    assert_eq!(tree(&world, "small"), wanted);
    assert_eq!(answer["files"].as_array().unwrap().len(), 6);
    let ran = world.line("reduce project project/a.txt --test ./t.sh");
    let twice = "error: `DIR/project/a.txt` is given twice\nhint: leave out one of the two\n";
    assert_eq!(error(&world, &ran), twice);
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let results = ["1", "4"].map(|jobs| {
        let world = project();
        let answer = world.answer(&format!("reduce project --test ./t.sh -j {jobs}"));
        (tree(&world, "project.reduced"), answer["tests"]["committed"].clone())
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn many_files_that_are_not_needed_cost_few_tests() {
    let world = World::new();
    for number in 0..200 {
        world.write(format!("many/{}/{number}.dat", number / 20), format!("{number}"));
    }
    world.script("t.sh", "test -e many/3/61.dat && test -e many/8/170.dat");
    let answer = world.answer("reduce many --test ./t.sh --level lines -j 1");
    let left = tree(&world, "many.reduced");
    assert_eq!(left.into_keys().collect::<Vec<_>>(), ["3/61.dat", "8/170.dat"]);
    let tests = answer["tests"]["committed"].as_u64().unwrap();
    assert!(tests <= 40, "{tests} tests");
}

#[test]
fn the_test_in_the_folder_is_not_part_of_it() {
    for line in [
        "reduce project --test project/t.sh",
        "reduce project --fail-exit 1 -- ./project/t.sh {}",
        "reduce project --fail-exit 1 -- sh project/t.sh {}",
    ] {
        let world = project();
        let exit = if line.contains("--test") { "" } else { " && exit 1; exit 0" };
        world.script(
            "project/t.sh",
            &format!("test ! -e project/t.sh && grep -qs needle project/a.txt{exit}"),
        );
        let before = tree(&world, "project");
        let ran = world.line(line);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let path = world.path("project/t.sh");
        let word = format!("left out: {} (the test itself)", path.display());
        assert!(ran.stderr.contains(&word), "{}", ran.stderr);
        assert_eq!(tree(&world, "project.reduced"), files(&[("a.txt", "needle")]), "{line}");
        assert_eq!(tree(&world, "project"), before);
    }
}

#[test]
fn what_is_no_file_is_left_out_with_a_word() {
    let world = project();
    let at = |name: &str| world.path("project").join(name);
    world.write("project/.git/config", "x");
    world.write("secret", "x");
    symlink("a.txt", at("inside")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("../secret", at("outside")).unwrap();
    symlink("/etc", at("system")).unwrap();
    symlink("src", at("folder")).unwrap();
    symlink("..", at("src/loop")).unwrap();
    symlink(".git/config", at("config")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    world.script(
        "t.sh",
        "cd project && grep -qs needle inside && test ! -L inside || exit 1
        ls -A | grep -qx -e .git -e dangling -e outside -e system -e folder -e config -e pipe && exit 1
        exit 0",
    );
    let before = tree(&world, "project");
    let ran = world.line("reduce project --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said: Vec<String> = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("left out: "))
        .map(|line| line.replace(world.path("project/").to_str().unwrap(), ""))
        .collect();
    assert_eq!(
        said,
        [
            ".git (records of a version control system)",
            "config (records of a version control system)",
            "dangling (a symbolic link to nothing)",
            "folder (a symbolic link to a folder)",
            "outside (a symbolic link that leads out of the folder)",
            "pipe (neither a file nor a folder)",
            "src/loop (a symbolic link to a folder)",
            "system (a symbolic link that leads out of the folder)",
        ]
    );
    assert_eq!(tree(&world, "project.reduced"), files(&[("inside", "needle")]));
    assert_eq!(tree(&world, "project"), before);
}

#[test]
fn a_file_that_cannot_be_read_is_named_before_anything_is_tested() {
    let world = project();
    let mark = world.beside("mark");
    world.script("t.sh", &format!("touch {}", mark.display()));
    let path = world.path("project/a.txt");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Even a user who may read everything can drop the privilege.
    let script = "test -r project/a.txt && \
                  set -- setpriv --bounding-set -dac_override,-dac_read_search \"$@\"; exec \"$@\"";
    let run = |program: &str, args: &[&str]| {
        let mut command = world.command("sh");
        command.args(["-c", script, "sh", program]).args(args);
        world.finish(&mut command)
    };
    let denied = run("cat", &["project/a.txt"]).stderr.contains("Permission denied");
    if !needs_that("a file that cannot be read", "apt-get install util-linux", denied) {
        return;
    }
    let ran = run(support::WHODUNIT, &["reduce", "project", "--test", "./t.sh"]);
    let said = "error: cannot read `DIR/project/a.txt`\n  \
                caused by: Permission denied (os error 13)\nhint: check who may read it\n";
    assert_eq!(error(&world, &ran), said);
    assert_eq!(ran.code, Some(2));
    assert!(!mark.exists());
    assert_eq!(world.names(), ["project", "t.sh"]);
}

#[test]
fn a_folder_in_the_way_is_not_replaced() {
    let world = project();
    world.write("project.reduced/mine", "x");
    let ran = world.line("reduce project --test ./t.sh");
    let said = "error: `DIR/project.reduced` is there already\n\
                hint: move it away, or choose another place with --out\n";
    assert_eq!(error(&world, &ran), said);
    assert_eq!(ran.code, Some(2));
    assert_eq!(tree(&world, "project.reduced"), files(&[("mine", "x")]));
    assert_eq!(world.runs(), Vec::<String>::new());
    // An empty folder may exist already.
    fs::create_dir(world.path("small")).unwrap();
    let ran = world.line("reduce project --test ./t.sh -o small");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&world, "small").len(), 2);
}

#[test]
fn a_result_inside_the_input_is_refused() {
    let world = project();
    for flag in ["--out", "--keep-tests"] {
        let ran = world.line(&format!("reduce project --test ./t.sh {flag} project/out"));
        let said = "error: `DIR/project/out` lies in `DIR/project`, which is to be reduced\n\
                    hint: choose a place outside of it\n";
        assert_eq!(error(&world, &ran), said);
        assert_eq!(ran.code, Some(2));
    }
}

#[test]
fn a_folder_is_reduced_in_place() {
    let world = project();
    world.write("project/.git/config", "x");
    fs::create_dir(world.path("project/hollow")).unwrap();
    world.script("t.sh", "grep -qs needle project/a.txt");
    let ran = world.line("reduce project --test ./t.sh --in-place");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&world, "project"), files(&[(".git/config", "x"), ("a.txt", "needle")]));
    assert!(!world.path("project/src").exists());
    assert!(world.path("project/hollow").exists(), "it was empty before");
    assert_eq!(world.names(), ["project", "t.sh"]);
}

#[test]
fn a_run_that_goes_on_replaces_its_own_result() {
    let world = project();
    let ran = world.line("reduce project --test ./t.sh --max-tests 4");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(world.path("project.reduced").exists());
    let ran = world.line("resume --max-tests 5");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let theirs = world.write("project.reduced/theirs", "x");
    let ran = world.line("resume --max-tests 1000");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    fs::remove_file(theirs).unwrap();
    let ran = world.line("resume --max-tests 1000");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&world, "project.reduced").len(), 2);
    assert_eq!(world.names(), ["project", "project.reduced", "t.sh"]);
}

#[test]
fn a_command_that_names_a_file_of_the_folder() {
    let world = project();
    let ran = world.line("reduce project -- ./t.sh -x project/a.txt");
    let said = "error: the command names `project/a.txt` itself, so every test would see the whole of it\n\
                hint: write {}/a.txt instead of project/a.txt: {} stands for the candidate\n";
    assert_eq!(error(&world, &ran), said);
    assert_eq!(ran.code, Some(2));
    // A program there may be the test, but the command does not say that it looks at the candidate.
    world.script("project/run.sh", "exit 3");
    for (command, name) in
        [("sh project/run.sh", "project/run.sh"), ("./project/run.sh", "./project/run.sh")]
    {
        let ran = world.line(&format!("reduce project -- {command}"));
        let said = format!(
            "error: the command names `{name}` itself, so every test would see the whole of it\n\
             hint: write {{}}/run.sh instead of {name}: {{}} stands for the candidate. If the file is the test, \
             and no part of what is reduced:\n        -- {command} {{}}\n"
        );
        assert_eq!((ran.code, error(&world, &ran)), (Some(2), said));
    }
    assert_eq!(world.names(), ["project", "t.sh"]);
}

#[test]
fn files_that_are_gone_still_tell_what_a_failure_says_of_the_input() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    world.write("p/src/a.py", "import b\nprint(b.f(2))\n");
    world.write("p/src/b.py", "def f(x):\n    return x/0\n");
    world.write("p/README", "hi\n");
    // The test is the program as it is, which imports its own files: nothing of the candidate is needed.
    let answer = world.answer("reduce p -- python3 p/src/a.py {}");
    assert_eq!(answer["size"]["bytes"], 0);
    world.write("answer.json", answer.to_string());
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

/// A make-believe compiler: all included files must be there.
const COMPILER: &str = "
check() {
    for name in $(sed -n 's/^#include \"\\(.*\\)\"/\\1/p' \"$1\"); do
        test -e code/$name || exit 1
        check code/$name
    done
    cat \"$1\"
}
check code/main.c > out && grep -q needle out";

#[test]
fn headers_go_with_their_includes_and_into_their_place() {
    let world = World::new();
    let mut main = String::new();
    for number in 0..30 {
        main.push_str(&format!("#include \"lib/h{number}.h\"\n"));
        let inner = if number == 17 { "#include \"lib/inner.h\"\n" } else { "" };
        world.write(format!("code/lib/h{number}.h"), format!("{inner}int h{number};\n"));
    }
    world.write("code/main.c", main + "int main(void) { return 0; }\n");
    world.write("code/lib/inner.h", "int needle;\n");
    world.script("t.sh", COMPILER);
    let answer = world.answer("reduce code --test ./t.sh");
    let left = tree(&world, "code.reduced");
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left["main.c"].contains("needle") && left["main.c"].len() <= 12, "{left:?}");
    let tests = answer["tests"]["committed"].as_u64().unwrap();
    assert!(tests <= 60, "{tests} tests");
}

/// Fails only with `-x` and a `--level` of 3.
const TOOL: &str = "
input=; x=; level=
while [ $# -gt 0 ]; do
    case $1 in
    -x) x=1 ;;
    --level) level=$2; shift ;;
    --keep | -v) ;;
    -*) echo unknown; exit 9 ;;
    *) input=$1 ;;
    esac
    shift
done
grep -q needle $input && [ \"$x$level\" = 13 ] && exit 4
exit 0";

fn tool() -> World {
    let world = World::new();
    world.write("in.txt", numbered(30, &[(20, "needle")]));
    world.script("tool.sh", TOOL);
    world
}

const TYPED: &str = "./tool.sh -v -x --keep --level 3 -v {} --keep -v";

#[test]
fn arguments_that_do_not_matter_are_dropped() {
    let world = tool();
    let ran = world.line(&format!("reduce in.txt --reduce-args -- {TYPED}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\ncommand    ./tool.sh -x --level 3 {}\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("command: ./tool.sh -x --level 3 {} ("), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle");
    let shown = world.line("show").stdout;
    assert!(shown.contains("--reduce-args in.txt -- ./tool.sh -v"), "{shown}");
}

#[test]
fn the_answer_is_about_the_shorter_command() {
    let world = tool();
    let answer = world.answer(&format!("reduce in.txt --reduce-args -- {TYPED}"));
    let words = ["./tool.sh", "-x", "--level", "3", "{}"];
    assert_eq!(answer["shortened"]["words"], serde_json::json!(words));
    assert!(answer["command"].as_str().unwrap().ends_with("/tool.sh -x --level 3 {}"));
    assert!(answer["tests"]["committed"].as_u64() > answer["shortened"]["tests"].as_u64());
    world.write("answer.json", answer.to_string());
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // Outcomes of other commands are not mistaken for those of the whole command.
    let whole = world.answer(&format!("reduce in.txt -- {TYPED}"));
    assert_eq!(whole["shortened"], Value::Null);
    assert!(whole["tests"]["committed"].as_u64() > Some(0));
}

#[test]
fn a_run_that_goes_on_knows_the_shorter_command() {
    let world = tool();
    let (watched, mark) = (world.beside("watched"), world.beside("mark"));
    let watch = format!("test -e {} && test \"$arg\" = -v", watched.display());
    world
        .script("tool.sh", &format!("for arg; do {watch} && touch {}; done{TOOL}", mark.display()));
    let ran = world.line(&format!("reduce in.txt --reduce-args --max-tests 14 -- {TYPED}"));
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    world.write("../watched", "");
    let ran = world.line("resume --max-tests 1000");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!mark.exists(), "a longer command was tested again");
    assert!(ran.stdout.contains("\ncommand    ./tool.sh -x --level 3 {}\n"), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), "needle");
}

#[test]
fn a_run_that_goes_on_asks_nothing_twice_about_the_command() {
    let world = tool();
    let whole = world.answer(&format!("reduce in.txt -j1 --reduce-args -- {TYPED}"));
    let ran = world.line(&format!("reduce in.txt -j1 --reduce-args --max-tests 14 -- {TYPED}"));
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let resumed = world.answer("resume --max-tests 1000");
    assert_eq!(resumed["shortened"], whole["shortened"]);
    // Results of before an interruption are proved again.
    for count in ["committed", "cached", "wasted", "unresolved"] {
        assert_eq!(resumed["tests"][count], whole["tests"][count], "{count}");
    }
}

#[test]
fn the_shorter_command_does_not_depend_on_the_number_of_workers() {
    let world = tool();
    let answer = |jobs: &str| {
        let mut answer = world.answer(&format!("reduce in.txt {jobs} --reduce-args -- {TYPED}"));
        answer["tests"]["wasted"] = 0.into();
        (answer["shortened"].clone(), answer["tests"].clone(), world.text("in.reduced.txt"))
    };
    assert_eq!(answer("-j1"), answer("-j4"));
}

#[test]
fn a_budget_that_ends_among_the_arguments() {
    let world = tool();
    let ran = world.line(&format!("reduce in.txt --reduce-args --max-tests 3 -- {TYPED}"));
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stdout.contains("tests      3 tests"), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), world.text("in.txt"));
    let ran = world.line("resume --max-tests 1000");
    assert!(ran.stdout.contains("\ncommand    ./tool.sh -x --level 3 {}\n"), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), "needle");
}

#[test]
fn a_script_after_an_interpreter_is_not_an_argument() {
    let world = tool();
    world.script("check.sh", "grep -q needle $1 && exit 1; exit 0");
    // Without the script the shell itself would fail.
    let line = "reduce in.txt --reduce-args --any-failure -- sh check.sh {} -v";
    let ran = world.line(line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\ncommand    sh check.sh {}\n"), "{}", ran.stdout);
    assert_eq!(world.text("in.reduced.txt"), "needle");
}

#[test]
fn a_script_has_no_arguments_to_drop() {
    let world = tool();
    let ran = world.line("reduce in.txt --reduce-args --test ./tool.sh");
    let said = "error: --reduce-args needs a command after `--`: a script takes no arguments of its own\n\
                hint: call the script as a command, with {} for the file:\n        \
                whodunit reduce crash.c --reduce-args -- ./crashes.sh -O2 {}\n";
    assert_eq!(error(&world, &ran), said);
    assert_eq!(ran.code, Some(2));
    assert!(Path::new(&world.path("in.txt")).exists());
}
