//! Histories of CVS repositories.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use support::cvs::{Cvs, has_cvs};
use support::files::{files_below, make_executable, make_writable, write_script};
use support::{chain, check, os};
use whodunit_vcs::cvs::{Repository, Versions};
use whodunit_vcs::{Beginning, ClientSettings, Error, Lineage, Patience, Span};

fn row(made: &Cvs, span: &Span) -> Versions {
    made.open().lineage(None, span).unwrap()
}

fn titles(row: &Versions) -> Vec<String> {
    (0..row.len()).map(|place| row.revision(place).unwrap().title().to_owned()).collect()
}

/// Commits that belong together by author, message and time, and others that do not.
fn hour() -> Cvs {
    let made = Cvs::new();
    made.write("a", "1\n").write("in/b", "1\n").commit("first");
    made.date("a", "2026.01.02.12.00.00").date("in/b", "2026.01.02.12.04.59");
    made.write("a", "2\n").commit("first").date("a", "2026.01.02.12.09.59");
    made.write("in/b", "2\n").commit("second").date("in/b", "2026.01.02.12.10.00");
    made.write("a", "3\n").write("in/b", "3\n").commit("third");
    made.date("a", "2026.01.02.12.11.00").date("in/b", "2026.01.04.12.11.00");
    made
}

#[test]
fn what_is_closer_than_five_minutes_and_alike_is_one_version() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    let row = row(&made, &Span::default());
    assert_eq!(titles(&row), ["third", "third", "second", "first", "first"]);
    assert_eq!(row.beginning(), Beginning::Root);
    check(&row.list(4).unwrap(), &["- a: 1\\n", "- in/b: 1\\n"]);
    check(&row.list(3).unwrap(), &["- a: 2\\n", "- in/b: 1\\n"]);
    check(&row.list(2).unwrap(), &["- a: 2\\n", "- in/b: 2\\n"]);
    check(&row.list(1).unwrap(), &["- a: 3\\n", "- in/b: 2\\n"]);
    check(&row.list(0).unwrap(), &["- a: 3\\n", "- in/b: 3\\n"]);
    let oldest = row.revision(4).unwrap();
    assert_eq!((oldest.id.as_str(), oldest.message.as_str()), ("1", "first\n"));
    assert_eq!(oldest.time.unwrap().to_string(), "2026-01-02 12:04:59 +0000");
    assert!(!oldest.author.is_empty());
}

#[test]
fn bounds_are_numbers_or_dates() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    let bounded = |since: Option<&str>, until: Option<&str>| {
        let [since, until] = [since, until].map(|spec| spec.map(String::from));
        let row = row(&made, &Span { since, until, paths: Vec::new() });
        let ids = (0..row.len()).map(|place| row.revision(place).unwrap().id);
        (ids.collect::<Vec<_>>().join(" "), row.beginning())
    };
    assert_eq!(bounded(Some("4"), None), ("5 4".to_owned(), Beginning::Bound));
    assert_eq!(bounded(Some("1"), Some("2")), ("2 1".to_owned(), Beginning::Root));
    assert_eq!(bounded(None, Some("2026-01-03")), ("4 3 2 1".to_owned(), Beginning::Root));
    assert_eq!(bounded(Some("2026-01-03"), None), ("5".to_owned(), Beginning::Bound));
    let unknown = Span { until: Some("6".to_owned()), ..Span::default() };
    let error = made.open().lineage(None, &unknown).unwrap_err();
    assert!(matches!(error, Error::UnknownRevision { .. }), "{}", chain(&error));
    let of_file = Span { paths: vec![b"a".to_vec()], ..Span::default() };
    assert_eq!(titles(&row(&made, &of_file)), ["third", "third", "first", "first"]);
    // The bound counts, whatever the path.
    let asked_for = Span { since: Some("3".to_owned()), ..of_file };
    assert_eq!(titles(&row(&made, &asked_for)), ["third", "third", "second"]);
}

#[test]
fn files_are_as_they_were_checked_in() {
    if !has_cvs() {
        return;
    }
    let made = Cvs::new();
    made.write("key word.c", "$Id$ $Revision$\r\n").write("binary", [0, 255, b'\n', b'\r', b'\n']);
    made.write("deep/er/file", "no end of line").write(os(b"n\xe4me"), "ä\n");
    made.write("run.sh", "");
    make_executable(&made.work("run.sh"));
    made.commit("first");
    made.write("key word.c", "$Id$ $Revision$ 2\r\n").commit("second");
    let row = row(&made, &Span::default());
    let expected = [
        "- binary: \\x00\\xff\\n\\r\\n",
        "- deep/er/file: no end of line",
        "- key word.c: $Id$ $Revision$\\r\\n",
        "- n\\xe4me: \\xc3\\xa4\\n",
        "x run.sh: ",
    ];
    check(&row.list(1).unwrap(), &expected);
    let mut later = expected;
    later[2] = "- key word.c: $Id$ $Revision$ 2\\r\\n";
    check(&row.list(0).unwrap(), &later);
}

#[test]
fn what_was_deleted_comes_and_goes() {
    if !has_cvs() {
        return;
    }
    let made = Cvs::new();
    made.write("a", "1").write("in/b", "1").commit("first");
    made.delete("a").delete("in/b").commit("deleted");
    assert!(made.beside("root/module/Attic/a,v").exists());
    made.write("a", "2").commit("again");
    let row = row(&made, &Span::default());
    assert_eq!(titles(&row), ["again", "deleted", "first"]);
    check(&row.list(0).unwrap(), &["- a: 2"]);
    check(&row.list(1).unwrap(), &[]);
    check(&row.list(2).unwrap(), &["- a: 1", "- in/b: 1"]);
}

#[test]
fn a_branch_has_its_own_history_and_that_of_what_it_came_from() {
    if !has_cvs() {
        return;
    }
    let made = Cvs::new();
    made.write("a", "1").write("b", "1").commit("first");
    made.cvs(&["tag", "-b", "side"]);
    made.write("a", "trunk").commit("on the trunk");
    made.cvs(&["update", "-r", "side"]);
    made.write("a", "side").write("new", "").commit("on the side");
    let trunk = row(&made, &Span::default());
    assert_eq!(titles(&trunk), ["on the trunk", "first"]);
    check(&trunk.list(0).unwrap(), &["- a: trunk", "- b: 1"]);
    let side = made.open().lineage(Some("side"), &Span::default()).unwrap();
    assert_eq!(titles(&side), ["on the side", "first"]);
    check(&side.list(0).unwrap(), &["- a: side", "- b: 1", "- new: "]);
    check(&side.list(1).unwrap(), &["- a: 1", "- b: 1"]);
    let error = made.open().lineage(Some("nowhere"), &Span::default()).unwrap_err();
    assert!(matches!(error, Error::UnknownRevision { .. }), "{}", chain(&error));
}

#[test]
fn what_others_deliver_is_on_the_trunk_until_it_is_changed() {
    if !has_cvs() {
        return;
    }
    let made = Cvs::new();
    let import = |content: &str, tag: &str| {
        let folder = made.beside(tag);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a"), content).unwrap();
        fs::write(folder.join("b"), content).unwrap();
        made.cvs_in(&folder, &["import", "-m", tag, "module", "vendor", tag]);
    };
    import("1", "one");
    made.cvs(&["update"]);
    made.write("a", "ours").commit("changed");
    import("2", "two");
    let row = row(&made, &Span::default());
    assert_eq!(titles(&row), ["two", "changed", "one"]);
    check(&row.list(2).unwrap(), &["- a: 1", "- b: 1"]);
    check(&row.list(1).unwrap(), &["- a: ours", "- b: 1"]);
    check(&row.list(0).unwrap(), &["- a: ours", "- b: 2"]);
}

#[test]
fn neither_repository_nor_checkout_is_touched() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    fs::write(made.work("a"), "not committed").unwrap();
    let before = [made.beside("root"), made.beside("module")].map(|it| files_below(&it));
    let repository = Repository::of_checkout(&made.work(""), &made.settings()).unwrap();
    let row = repository.lineage(None, &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a: 3\\n", "- in/b: 3\\n"]);
    let of_folder = Repository::of_checkout(&made.work("in"), &made.settings()).unwrap();
    let of_folder = of_folder.lineage(None, &Span::default()).unwrap();
    assert_eq!(titles(&of_folder), ["third", "second", "first"]);
    check(&of_folder.list(0).unwrap(), &["- b: 3\\n"]);
    let after = [made.beside("root"), made.beside("module")].map(|it| files_below(&it));
    assert_eq!(before, after);
    let error = Repository::of_checkout(&made.beside("root"), &made.settings()).unwrap_err();
    assert!(matches!(error, Error::NoCheckout { .. }), "{}", chain(&error));
}

/// A client that notes its commands before it runs the real one.
fn noting(made: &Cvs, before: &str) -> ClientSettings {
    let (program, notes) = (made.beside("noting-cvs"), made.beside("notes"));
    let notes = notes.display();
    let script = format!("echo \"$*\" >> '{notes}'\n{before}\nexec cvs \"$@\"");
    write_script(&program, &script);
    ClientSettings { program: Some(program), ..made.settings() }
}

fn notes(made: &Cvs, word: &str) -> usize {
    let notes = fs::read_to_string(made.beside("notes")).unwrap();
    notes.lines().filter(|line| line.contains(word)).count()
}

#[test]
fn a_checkout_cannot_name_a_program_to_run() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    let (mark, program) = (made.beside("mark"), made.beside("program"));
    write_script(&program, &format!("touch '{}'", mark.display()));
    let (root, program) = (made.root(), program.display());
    let open = || Repository::of_checkout(&made.work(""), &made.settings());
    for named in [
        format!(":fork;CVS_SERVER={program}:{root}"),
        format!(":ext;CVS_RSH={program}:localhost:{root}"),
        format!(":ext:-oProxyCommand={program}:{root}"),
        format!(":ext:me@-oProxyCommand={program}:{root}"),
        format!("-oProxyCommand={program}:{root}"),
    ] {
        fs::write(made.work("CVS/Root"), format!("{named}\n")).unwrap();
        let error = open().unwrap_err();
        assert!(matches!(error, Error::RunsProgram { .. }), "{named}: {}", chain(&error));
    }
    fs::write(made.work("CVS/Root"), format!(":fork:{root}\n")).unwrap();
    assert!(open().is_ok());
    fs::write(made.work("CVS/Repository"), "-x\n").unwrap();
    assert!(matches!(open().unwrap_err(), Error::RunsProgram { .. }));
    assert!(!mark.exists());
}

#[test]
fn programs_of_a_module_are_not_run() {
    if !has_cvs() {
        return;
    }
    let made = many_numbers();
    let (mark, program) = (made.beside("mark"), made.beside("program"));
    write_script(&program, &format!("touch '{}'", mark.display()));
    let program = program.display();
    let modules = made.beside("root/CVSROOT/modules");
    make_writable(&modules);
    fs::write(&modules, format!("module -o {program} -e {program} -t {program} module\n")).unwrap();
    let repository = Repository::open(&made.root(), "module", &noting(&made, "")).unwrap();
    let row = repository.lineage(None, &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a: 1", "- c: 3", "- d: 4", "- in/b: 2"]);
    assert_eq!(notes(&made, " checkout "), 1);
    assert!(!mark.exists());
}

#[test]
fn each_file_revision_is_fetched_once() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    let settings = noting(&made, "");
    for _ in 0..2 {
        let repository = Repository::open(&made.root(), "module", &settings).unwrap();
        let row = repository.lineage(None, &Span::default()).unwrap();
        for place in [4, 0, 3, 2, 1, 4] {
            row.list(place).unwrap();
        }
    }
    // Both files at 1.1, both at 1.3, and each at 1.2.
    assert_eq!((notes(&made, " update "), notes(&made, " checkout ")), (4, 0));
}

#[test]
fn a_server_gives_the_same_files() {
    if !has_cvs() {
        return;
    }
    let made = Cvs::new();
    made.write("a b", "$Id$").write("run.sh", "").write("in/c", "1");
    make_executable(&made.work("run.sh"));
    made.commit("first");
    made.delete("in/c").write("a b", "$Id$ 2").commit("second");
    // The client talks to a server that it starts itself.
    let server = format!(":fork:{}", made.root());
    let repository = Repository::open(&server, "module", &made.settings()).unwrap();
    let row = repository.lineage(None, &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a b: $Id$ 2", "x run.sh: "]);
    check(&row.list(1).unwrap(), &["- a b: $Id$", "- in/c: 1", "x run.sh: "]);
}

/// A history in which each file ends at another number.
fn many_numbers() -> Cvs {
    let made = Cvs::new();
    made.write("a", "1").write("in/b", "1").write("c", "1").write("d", "1").commit("1");
    made.write("in/b", "2").write("c", "2").write("d", "2").commit("2");
    made.write("c", "3").write("d", "3").commit("3");
    made.write("d", "4").commit("4");
    made
}

#[test]
fn many_numbers_at_once_are_one_call() {
    if !has_cvs() {
        return;
    }
    let made = many_numbers();
    let repository = Repository::open(&made.root(), "module", &noting(&made, "")).unwrap();
    let row = repository.lineage(None, &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a: 1", "- c: 3", "- d: 4", "- in/b: 2"]);
    assert_eq!((notes(&made, " update "), notes(&made, " checkout ")), (0, 1));
    // If the dates disagree with the numbers, the numbers count.
    made.date("d", "2030.01.01.00.00.00");
    let fresh = ClientSettings { cache: made.beside("other"), ..made.settings() };
    let repository = Repository::open(&made.root(), "module", &fresh).unwrap();
    let row = repository.lineage(None, &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a: 1", "- c: 3", "- d: 4", "- in/b: 2"]);
    check(&row.list(1).unwrap(), &["- a: 1", "- c: 3", "- d: 3", "- in/b: 2"]);
}

#[test]
fn servers_and_locks_are_waited_for_and_other_trouble_is_told() {
    if !has_cvs() {
        return;
    }
    let made = hour();
    let waited = Arc::new(Mutex::new(Vec::new()));
    let patience = |go_on: ControlFlow<()>| {
        let waited = waited.clone();
        Patience::new(move |time| {
            waited.lock().unwrap().push(time.as_secs());
            go_on
        })
    };
    let once = made.beside("once");
    let locked = format!(
        "if [ ! -e '{0}' ]; then touch '{0}'; echo \"cvs rlog: [12:00:00] waiting for ada's lock in /x\" >&2; exit 1; fi",
        once.display()
    );
    let continued = patience(ControlFlow::Continue(()));
    let settings = ClientSettings { patience: continued, ..noting(&made, &locked) };
    let repository = Repository::open(&made.root(), "module", &settings).unwrap();
    assert_eq!(repository.lineage(None, &Span::default()).unwrap().len(), 5);
    assert_eq!(*waited.lock().unwrap(), [1]);

    // Port 1 of this machine has no server; the user gives up.
    let root = format!(":pserver:anonymous@127.0.0.1:1{}", made.root());
    let patience = patience(ControlFlow::Break(()));
    let settings = ClientSettings { patience, ..made.settings() };
    let repository = Repository::open(&root, "module", &settings).unwrap();
    let error = repository.lineage(None, &Span::default()).unwrap_err();
    assert!(matches!(error, Error::Unreachable { attempts: 1, .. }), "{}", chain(&error));
    assert_eq!(*waited.lock().unwrap(), [1, 1]);

    let repository = Repository::open(&made.root(), "clock", &made.settings()).unwrap();
    let error = repository.lineage(None, &Span::default()).unwrap_err();
    assert!(matches!(error, Error::Client { .. }), "{}", chain(&error));
    assert!(error.to_string().contains("cannot find module"), "{}", chain(&error));
    assert_eq!(*waited.lock().unwrap(), [1, 1]);
    let repository = Repository::open(&made.root(), "module", &noting(&made, "exit 0")).unwrap();
    let error = repository.lineage(None, &Span::default()).unwrap_err();
    assert!(matches!(error, Error::NoVersions), "{}", chain(&error));
}
