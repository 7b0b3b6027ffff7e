//! Repositories that are made to run programs, to be read for ever, or to write elsewhere: nothing
//! of that happens.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::io::Write;
use std::os::unix::fs::chown;
use std::process::Stdio;

use support::{Ran, WHODUNIT, World, has_git};

/// Settings of git that name a program to run. `RUN` stands for a program that leaves a mark.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "RUN"),
    ("core.hooksPath", "../hooks"),
    ("core.sshCommand", "RUN"),
    ("core.pager", "RUN"),
    ("core.editor", "RUN"),
    ("core.askPass", "RUN"),
    ("credential.helper", "!RUN"),
    ("gpg.program", "RUN"),
    ("log.showSignature", "true"),
    ("diff.external", "RUN"),
    ("diff.x.command", "RUN"),
    ("diff.x.textconv", "RUN"),
    ("merge.x.driver", "RUN"),
    ("filter.x.smudge", "RUN"),
    ("filter.x.clean", "RUN"),
    ("filter.x.process", "RUN"),
    ("filter.x.required", "true"),
    ("alias.status", "!RUN"),
    ("alias.log", "!RUN"),
    ("uploadpack.packObjectsHook", "RUN"),
];

const HOOKS: &[&str] =
    &["post-checkout", "post-index-change", "pre-commit", "reference-transaction", "post-merge"];

/// Makes a repository in which the second commit breaks a file.
fn repository(flags: &str) -> World {
    let world = World::new();
    world.git(&format!("init -q -b main {flags}"));
    for (text, title) in [("fine\n", "good"), ("wrong\n", "bad")] {
        world.write("a.txt", text);
        world.commit(title);
    }
    world
}

/// Searches the repository, with some way to name the bad version.
fn search(world: &World, bad: &str) -> Ran {
    let flags = ["changes", "main~1", bad, "-q", "--json", "-j1", "--"];
    world.run(flags.into_iter().chain(["grep", "-q", "fine", "a.txt"]))
}

/// Fails unless the search found the change, and no other program was run.
fn check_found(world: &World, what: &str, ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
    check_not_run(world, what);
}

fn check_not_run(world: &World, what: &str) {
    assert!(!world.beside("mark").exists(), "{what}: a program was run");
}

/// Makes every setting name a program that leaves a mark.
fn arm(world: &World) {
    let mark = world.beside("mark").display().to_string();
    let program = world.script("../run.sh", &format!("echo \"$0 $*\" >> {mark}; cat"));
    for hook in HOOKS {
        world.script(&format!("../hooks/{hook}"), &format!("echo {hook} >> {mark}"));
    }
    let mut config = fs::read_to_string(world.path(".git/config")).unwrap();
    for (name, value) in SETTINGS {
        let (section, key) = name.rsplit_once('.').unwrap();
        let section = match section.split_once('.') {
            Some((section, sub)) => format!("{section} \"{sub}\""),
            None => section.to_owned(),
        };
        let value = value.replace("RUN", program.to_str().unwrap());
        config.push_str(&format!("[{section}]\n\t{key} = {value}\n"));
    }
    fs::write(world.path(".git/config"), config).unwrap();
    let attributes = "* filter=x diff=x merge=x\n";
    world.write(".git/info/attributes", attributes);
    world.write(".gitattributes", attributes);
}

#[test]
fn no_setting_of_a_repository_runs_a_program() {
    if !has_git() {
        return;
    }
    let world = repository("");
    arm(&world);
    check_found(&world, "settings", &search(&world, "main"));
    let ran = world.line("history -q -j1 --json -- grep -q fine a.txt");
    check_found(&world, "settings and history", &ran);

    // The same through a file that points to the repository.
    world.write("elsewhere/.git", "gitdir: ../.git\n");
    let mut command = world.command(WHODUNIT);
    command.current_dir(world.path("elsewhere"));
    command.args(["changes", "main~1", "main", "-q", "--", "grep", "-q", "fine", "a.txt"]);
    check_found(&world, "a file that leads to it", &world.finish(&mut command));

    // The settings are real: git obeys them.
    world.finish(world.command("git").args(["diff", "main~1", "main"]));
    fs::remove_file(world.beside("mark")).unwrap();

    // The same in a repository of another user, if a file may be given away here.
    let given = ["", ".git", ".git/config", ".git/HEAD"].map(|name| world.path(name));
    if given.iter().all(|path| chown(path, Some(1234), Some(1234)).is_ok()) {
        search(&world, "main");
        check_not_run(&world, "a repository of somebody else");
    }
}

#[test]
fn names_of_branches_are_names() {
    if !has_git() {
        return;
    }
    let world = repository("");
    for name in ["-x", "--output=ESC", "x;touch${IFS}mark", "$(touch${IFS}mark)", "`id`"] {
        world.git(&format!("update-ref refs/heads/{name} main"));
        let ran = search(&world, &format!("refs/heads/{name}"));
        check_found(&world, name, &ran);
        assert!(!world.path("ESC").exists() && !world.path("mark").exists(), "{name}");
    }
}

#[test]
fn objects_that_a_remote_promises_are_not_fetched() {
    if !has_git() {
        return;
    }
    let world = repository("");
    let mark = world.beside("mark").display().to_string();
    world.git("config remote.origin.promisor true");
    world.git("config extensions.partialClone origin");
    world.git("config core.repositoryFormatVersion 1");
    world.git("config protocol.ext.allow always");
    world.git(&format!("config remote.origin.url ext::touch%20{mark}"));
    let blob = world.git("rev-parse main:a.txt").trim().to_owned();
    fs::remove_file(world.path(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let ran = search(&world, "main");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    check_not_run(&world, "a promise");
}

#[test]
fn repositories_of_other_hashes_are_read_and_odd_ones_end() {
    if !has_git() {
        return;
    }
    let world = repository("--object-format=sha256");
    check_found(&world, "SHA-256", &search(&world, "main"));

    let world = repository("");
    let objects = world.path(".git/objects").display().to_string();
    world.write(".git/objects/info/alternates", format!("{objects}\n{objects}/../objects\n"));
    let ran = search(&world, "main");
    assert_eq!(ran.code, Some(2), "alternates in a circle: {}", ran.stderr);

    let world = repository("");
    world.write(".git/packed-refs", "# pack-refs with: peeled\n^^^\0garbage\n".repeat(50));
    let ran = search(&world, "main");
    assert!(matches!(ran.code, Some(0 | 2)), "packed-refs: {:?} {}", ran.code, ran.stderr);
    assert_ne!(ran.stderr.is_empty(), ran.code == Some(2), "{}", ran.stderr);
}

/// Stores a commit whose tree has these entries: mode, name, and whether it is a tree.
fn commit_of(world: &World, entries: &[(&str, &str)]) -> String {
    let id = |name: &str| {
        let id = world.git(&format!("rev-parse {name}"));
        let bytes = (0..40).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap());
        bytes.collect::<Vec<u8>>()
    };
    let (blob, tree) = (id("main:a.txt"), id("main^{tree}"));
    let mut bytes = Vec::new();
    for (mode, name) in entries.iter().chain(&[("100644", "a.txt")]) {
        bytes.extend(format!("{mode} {name}\0").bytes());
        bytes.extend(if *mode == "40000" { &tree } else { &blob });
    }
    let mut git = world.command("git");
    git.args(["hash-object", "-t", "tree", "-w", "--literally", "--stdin"]);
    let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(&bytes).unwrap();
    let tree = String::from_utf8(git.wait_with_output().unwrap().stdout).unwrap();
    world.git(&format!("commit-tree -p main~1 -m odd {}", tree.trim())).trim().to_owned()
}

#[test]
fn names_in_trees_that_lead_out_are_refused() {
    if !has_git() {
        return;
    }
    let world = repository("");
    for name in ["..", "/abs", ".git", "", "../x", "."] {
        let ran = search(&world, &commit_of(&world, &[("100644", name)]));
        assert_eq!(ran.code, Some(2), "{name:?}: {}", ran.stderr);
        let ran = search(&world, &commit_of(&world, &[("40000", name)]));
        assert_eq!(ran.code, Some(2), "{name:?} as a folder: {}", ran.stderr);
    }
}

#[test]
fn odd_entries_of_trees_stay_in_their_folder() {
    if !has_git() {
        return;
    }
    let world = repository("");
    let cases: &[&[(&str, &str)]] = &[
        // The text of a link is the blob: `wrong`, which is another entry.
        &[("120000", "link"), ("40000", "wrong")],
        &[("100644", "CASE"), ("100644", "Case")],
        &[("160000", "module")],
        &[("120000", "wrong")],
        &[("100666", "mode")],
    ];
    for entries in cases {
        let ran = search(&world, &commit_of(&world, entries));
        check_found(&world, &format!("{entries:?}"), &ran);
    }
    assert_eq!(world.names(), [".git", "a.txt"]);
}

/// The output of a hostile `svn` about a checkout.
const ODD_INFO: &[&str] = &[
    "",
    "\x1b[2J garbage",
    "<?xml version=\"1.0\"?><info>",
    "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><info>&e;</info>",
    "<?xml version=\"1.0\"?><info><entry kind=\"dir\" path=\"..\" revision=\"-1\">\
     <url>svn+ssh://-oProxyCommand=touch%20mark/x</url><relative-url>^/../..</relative-url>\
     <repository><root>svn+ssh://-oProxyCommand=touch%20mark/x</root><uuid>../../mark</uuid></repository>\
     <wc-info><wcroot-abspath>/</wcroot-abspath></wc-info></entry></info>",
];

/// The output of a hostile `cvs log`: a file above the module.
const ODD_LOG: &str = "
RCS file: /root/module/../../mark,v
head: 1.2
branch:
locks: strict
access list:
keyword substitution: kv
total revisions: 2;\tselected revisions: 2
description:
----------------------------
revision 1.2
date: 2020-01-02 00:00:00 +0000;  author: a;  state: Exp;  lines: +1 -1;
second
----------------------------
revision 1.1
date: 2020-01-01 00:00:00 +0000;  author: a;  state: Exp;
first
=============================================================================
";

/// Runs `history` with a client that always prints the same.
fn with_client(world: &World, name: &str, printed: &str) -> Ran {
    world.write("../printed", printed);
    let printed = world.beside("printed").display().to_string();
    let client = world.script(&format!("../bin/{name}"), &format!("cat {printed}"));
    let path = std::env::var("PATH").unwrap();
    let mut command = world.command(WHODUNIT);
    command.env("PATH", format!("{}:{path}", client.parent().unwrap().display()));
    world.finish(command.args(["history", "-q", "-j1", "--", "true"]))
}

#[test]
fn odd_words_of_other_clients_are_errors() {
    let world = World::new();
    fs::create_dir(world.path(".svn")).unwrap();
    for info in ODD_INFO {
        let ran = with_client(&world, "svn", info);
        assert_eq!(ran.code, Some(2), "{info}: {}", ran.stderr);
        assert!(!ran.stderr.contains("root:") && !ran.stderr.contains('\x1b'), "{}", ran.stderr);
        assert!(!world.path("mark").exists() && !world.beside("mark").exists(), "{info}");
    }
    let world = World::new();
    world.write("CVS/Root", "/root\n");
    world.write("CVS/Repository", "module\n");
    world.write("CVS/Entries", "D\n");
    let ran = with_client(&world, "cvs", ODD_LOG);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("must not be written: `module/../../mark`"), "{}", ran.stderr);
    let mark = world.path("mark");
    for root in ["-oProxyCommand=touch mark:/x", ":ext;CVS_RSH=./run:localhost:/x"] {
        world.write("CVS/Root", format!("{root}\n"));
        world.script("run", &format!("touch {}", mark.display()));
        let ran = world.line("history -q -j1 -- true");
        assert_eq!(ran.code, Some(2), "{root}: {}", ran.stderr);
        assert!(ran.stderr.contains("can run a program"), "{root}: {}", ran.stderr);
        assert!(!mark.exists(), "{root}");
    }
}
