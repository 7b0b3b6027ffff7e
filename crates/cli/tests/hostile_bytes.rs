//! Archives, grammars, answers, journals and caches that are made to do harm: they do no harm.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use support::{Ran, World, needs, numbered};

/// Writes archives with Python: each has a file that a test reads, and something unusual.
const ARCHIVES: &str = r#"
import io, tarfile, zipfile
def member(name, kind=tarfile.REGTYPE, link="", text=b"wrong\n"):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    info.size = len(text) if kind == tarfile.REGTYPE else 0
    return info, io.BytesIO(text)
def tar(name, *members):
    with tarfile.open(name, "w") as archive:
        for info, text in (member("a.txt"),) + members:
            archive.addfile(info, text)
with tarfile.open("good.tar", "w") as archive:
    archive.addfile(*member("a.txt", text=b"fine\n"))
tar("refused-dots.tar", member("../mark"))
tar("refused-absolute.tar", member("/tmp/whodunit-mark"))
tar("refused-hard-link.tar", member("x", tarfile.LNKTYPE, "/etc/shadow"))
tar("held-link-above.tar", member("d", tarfile.SYMTYPE, ".."), member("d/mark"))
tar("held-link-out.tar", member("x", tarfile.SYMTYPE, "/etc/passwd"))
tar("held-device.tar", member("x", tarfile.CHRTYPE))
tar("held-pipe.tar", member("x", tarfile.FIFOTYPE))
tar("held-doubled.tar", member("a.txt"), member("a.txt"))
tar("held-names.tar", member("\x1b[2J\nz"), member(".git/config", text=b"[core]\nfsmonitor=false\n"))
with zipfile.ZipFile("refused-dots.zip", "w") as archive:
    archive.writestr("a.txt", "wrong\n"); archive.writestr("../mark", "mark")
whole = open("held-names.tar", "rb").read()
open("refused-cut.tar", "wb").write(whole[:700])
"#;

#[test]
fn archives_write_nothing_outside() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    let ran = world.finish(world.command("python3").args(["-c", ARCHIVES]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let before = world.names();
    let odd = before.iter().filter(|name| *name != "good.tar");
    for name in odd {
        let ran = world.line(&format!("changes good.tar {name} -q -j1 -- grep -q fine a.txt"));
        let expected = if name.starts_with("refused") { 2 } else { 0 };
        assert_eq!(ran.code, Some(expected), "{name}: {}", ran.stderr);
        assert!(!world.beside("mark").exists(), "{name}");
        assert!(!fs::exists("/tmp/whodunit-mark").unwrap(), "{name}");
    }
    assert_eq!(world.names(), before);
}

/// Runs a reduction with only a few tests; fails unless it ends with one of these statuses.
fn ends(world: &World, line: &str, codes: &[i32]) -> Ran {
    let ran = world.line(&format!("reduce {line} -q -j1 --max-tests 5 -- grep -q bad {{}}"));
    assert!(codes.contains(&ran.code.unwrap()), "{line}: {:?} {}", ran.code, ran.stderr);
    ran
}

#[test]
fn grammars_and_hierarchies_are_bounded_or_refused() {
    let world = World::new();
    world.write("in.txt", "a".repeat(400) + "bad");
    let doubling: String =
        (1..40).map(|n| format!("n{n}: n{0} n{0} ;\n", n + 1)).collect::<String>() + "n40: 'a' ;\n";
    for (name, rules) in [
        ("ambiguous", "s: s s | s s s | 'a' | 'b' | 'd' | ;"),
        ("cycle", "s: t | 'a' ; t: s | 'b' | 'd' ;"),
        ("doubling", doubling.as_str()),
    ] {
        world.write(format!("{name}.y"), format!("%%\n{rules}\n"));
        ends(&world, &format!("in.txt --grammar {name}.y --fail-exit 0"), &[0, 2, 3]);
    }
    world.write("log", "bad\n".repeat(4));
    let deep = "{\"start\":0,\"end\":16,\"children\":[".repeat(20_000) + &"]}".repeat(20_000);
    for hierarchy in [
        r#"[{"start":0,"end":8},{"start":4,"end":12}]"#,
        r#"[{"start":-1,"end":8}]"#,
        r#"[{"start":8,"end":4}]"#,
        r#"[{"start":0,"end":99999999999999999999999}]"#,
        r#"[{"start":0,"end":4000}]"#,
        deep.as_str(),
    ] {
        world.write("h.json", hierarchy);
        let ran = ends(&world, "log --hierarchy h.json --fail-exit 0", &[2, 0, 3]);
        assert!(ran.code == Some(2) || hierarchy.len() > 100, "{hierarchy}");
    }
}

#[test]
fn deep_sources_are_bounded() {
    let world = World::new();
    let nested = |deep: usize| format!("{}1{}", "(".repeat(deep), ")".repeat(deep));
    for (name, text) in [
        ("deep.c", format!("int x = {};\nint bad;\n", nested(100_000))),
        ("deep.py", format!("x = {}\nbad = 1\n", nested(900))),
        ("deeper.py", format!("x = {}\nbad = 1\n", nested(50_000))),
    ] {
        world.write(name, text);
        ends(&world, &format!("{name} --fail-exit 0"), &[3]);
    }
}

#[test]
fn patterns_take_time_in_proportion_to_the_output() {
    let world = World::new();
    world.write("in.txt", "bad\n");
    world.script(
        "t.sh",
        "grep -q bad in.txt && yes aaaaaaaaaaaaaaaa | tr -d '\\n' | head -c 1000000",
    );
    for pattern in ["(a+)+$", "(.*)*(.*)*=$", "(a|a)*b|a"] {
        let flags = ["reduce", "in.txt", "-q", "-j1", "--max-tests", "3", "--fail-match", pattern];
        let ran = world.run(flags.into_iter().chain(["--", "./t.sh"]));
        assert!(matches!(ran.code, Some(0 | 2 | 3)), "{pattern}: {}", ran.stderr);
    }
    let nested =
        ["reduce", "in.txt", "-q", "--fail-match", "((a{1000}){1000}){1000}", "--", "true"];
    let ran = world.run(nested);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// Returns a world with a finished reduction, and its answer.
fn answered() -> (World, Value) {
    let world = World::new();
    world.write("in.txt", numbered(12, &[(3, "needle"), (9, "noodle")]));
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    let answer = world.answer("reduce in.txt -j1 --level lines --test ./t.sh");
    (world, answer)
}

#[test]
fn an_answer_is_not_believed() {
    let (world, answer) = answered();
    let verify = |answer: &Value| {
        world.write("answer.json", answer.to_string());
        world.line("verify answer.json --trust")
    };
    assert_eq!(verify(&answer).code, Some(0));
    let mut other = answer.clone();
    other["files"][0]["path"] = "/etc/passwd".into();
    let ran = verify(&other);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(!(ran.stdout + &ran.stderr).contains("root:"));
    let mut other = answer.clone();
    other["proof"]["needed"] =
        json!([{ "level": "lines", "file": 9, "start": 5, "end": u64::MAX }]);
    assert_ne!(verify(&other).code, Some(1));
    world.write("deep.json", "[".repeat(100_000));
    assert_eq!(world.line("verify deep.json --trust").code, Some(2));
}

/// The checksum of journals, written again: a test should not rely on the code under test.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn a_damaged_journal_resumes_to_the_same_bytes_or_says_so() {
    let (world, _) = answered();
    let path = world.journal(&world.runs()[0]);
    let whole = fs::read(&path).unwrap();
    let mut damaged: Vec<Vec<u8>> = Vec::new();
    for share in [1, 3, 5, 7] {
        let place = whole.len() * share / 8;
        damaged.push(whole[..place].to_vec());
        let mut flipped = whole.clone();
        flipped[place] ^= 0x10;
        damaged.push(flipped);
    }
    damaged.push([&whole[..], &[0; 4096]].concat());
    damaged.push([&whole[..], &b"garbage ".repeat(100_000)].concat());
    for (number, bytes) in damaged.iter().enumerate() {
        fs::write(&path, bytes).unwrap();
        let _ = fs::remove_file(world.path("in.reduced.txt"));
        let ran = world.line("resume -q");
        match ran.code {
            Some(0) => assert_eq!(world.text("in.reduced.txt"), "needle\nnoodle\n", "{number}"),
            code => assert_eq!(code, Some(2), "{number}: {}", ran.stderr),
        }
    }
}

#[test]
fn a_forged_verdict_does_not_reach_the_answer() {
    let (world, _) = answered();
    let path = world.journal(&world.runs()[0]);
    let journal = fs::read_to_string(&path).unwrap();
    // The journal of an interrupted run has no result yet.
    let events = journal.lines().take_while(|line| !line.contains("\"finished\""));
    let mut forged = 0;
    let lines = events.map(|line| {
        let Some((sum, body)) = line.split_once(' ') else { return line.to_owned() };
        let body = match body.contains("\"tested\"") && body.contains("\"verdict\":\"pass\"") {
            true => body.replace("\"verdict\":\"pass\"", "\"verdict\":\"fail\""),
            false => return line.to_owned(),
        };
        assert_eq!(format!("{:08x}", crc32(&line.as_bytes()[sum.len() + 1..])), sum);
        forged += 1;
        format!("{:0width$x} {body}", crc32(body.as_bytes()), width = sum.len())
    });
    let text: String = lines.map(|line| line + "\n").collect();
    assert!(forged > 0, "{journal}");
    fs::write(&path, text).unwrap();
    fs::remove_file(world.path("in.reduced.txt")).unwrap();
    let ran = world.line("resume -q");
    match ran.code {
        // Remembered outcomes are judged again, or the proof notices.
        Some(0) => assert_eq!(world.text("in.reduced.txt"), "needle\nnoodle\n"),
        code => assert_eq!(code, Some(2), "{}", ran.stderr),
    }
}

#[test]
fn little_address_space_is_enough() {
    let world = World::new();
    world.write("in.txt", numbered(12, &[(3, "needle")]));
    // In kilobytes; an unoptimised build takes more than half of it for itself.
    let script = "ulimit -v 600000; exec \"$0\" reduce in.txt -j1 --level lines -q --fail-exit 0 \
         -- grep -q needle {}";
    let ran = world.finish(world.command("sh").args(["-c", script, support::WHODUNIT]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
}

#[test]
fn commands_to_copy_are_quoted() {
    let world = World::new();
    let name = "$(touch mark) `touch mark`;touch mark.txt";
    world.write(name, numbered(6, &[(3, "needle")]));
    let ran = world.run(["reduce", name, "--", "false", "{}"]);
    let hint = ran.stderr.lines().find(|line| line.contains("mark") && !line.contains("error:"));
    for line in hint.into_iter().chain(ran.stderr.lines().filter(|line| line.starts_with("  "))) {
        let shell =
            Command::new("sh").args(["-n", "-c", line]).current_dir(world.path("")).status();
        assert!(shell.unwrap().success(), "{line}");
        assert!(!line.contains("$(touch") || line.contains('\''), "{line}");
    }
    assert!(!world.path("mark").exists() && !world.path("mark.txt").exists());
}

#[test]
fn other_stages_and_other_workers_are_confined_too() {
    let world = World::new();
    let marks = world.beside("marks");
    fs::create_dir(&marks).unwrap();
    for folder in ["old", "new"] {
        world.write(format!("{folder}/a.txt"), if folder == "old" { "fine\n" } else { "wrong\n" });
    }
    let write = |stage: &str| format!("echo x 2>&1 > {}/{stage} || true", marks.display());
    // Writes a file to the folder of every other worker, which lies beside its own.
    let others =
        "for slot in ../../*; do [ $slot -ef .. ] || echo x > $slot/work/mark || true; done";
    world.script(
        "../t.sh",
        &format!("{others} 2> out; rm out; [ ! -e mark ] && grep -q fine a.txt"),
    );
    let [gate, build, clean, hint] = ["gate", "build", "clean", "hint"].map(write);
    let flags = ["changes", "old", "new", "-j2", "-q", "--json"];
    let stages = ["--gate", &gate, "--build", &build, "--clean", &clean, "--hint", &hint];
    let run = |sandbox: &'static str| {
        world.run(flags.iter().chain(&[sandbox]).chain(&stages).chain(&["--", "../t.sh"]))
    };
    run("--sandbox=off");
    assert_ne!(fs::read_dir(&marks).unwrap().count(), 0, "the attack is real");
    fs::remove_dir_all(&marks).unwrap();
    fs::create_dir(&marks).unwrap();
    let ran = run("--sandbox=best-effort");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let missing = answer["sandbox"]["missing"].as_array().unwrap();
    if missing.iter().any(|gap| gap["protection"] == "files") {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_dir(&marks).unwrap().count(), 0, "a stage wrote outside");
}

#[test]
fn no_element_of_a_page_comes_from_others() {
    let world = World::new();
    let evil = "</title></svg><script>alert(1)</script><img src=x onerror=alert(1)>";
    let name = "<script>alert(2)<b>.txt";
    world.write(name, numbered(6, &[(3, "needle")]));
    world.script("t.sh", &format!("grep -q needle \"$1\" && echo 'error: {evil}' && exit 1"));
    let ran = world.run(["reduce", name, "-q", "-j1", "--", "./t.sh", "{}"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = world.line("report --out page.html");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = world.text("page.html");
    assert!(page.contains("&lt;script&gt;alert("), "the page shows them");
    for element in ["<script>alert", "<img src=x", "</svg><script>", "<b>.txt"] {
        assert!(!page.contains(element), "{element}");
    }
}

#[test]
fn the_value_of_a_variable_is_kept_nowhere() {
    const VALUE: &str = "open-sesame-4711";
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "needle")]));
    let mut command = world.command(support::WHODUNIT);
    command.env("PASSWORD", VALUE).args(["reduce", "in.txt", "--env", "PASSWORD", "-q", "-j1"]);
    command.args(["--fail-exit", "0", "--", "grep", "-q", "needle", "{}"]);
    assert_eq!(world.finish(&mut command).code, Some(0));
    let mut paths = vec![world.beside("state"), world.beside("cache")];
    let mut read = 0;
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(VALUE), "{}", path.display());
        read += usize::from(text.contains("PASSWORD"));
    }
    assert!(read > 0, "the journal names the variable");
}
