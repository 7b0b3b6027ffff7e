//! Histories of Subversion repositories.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use support::files::{files_below, write_script};
use support::svn::{Subversion, has_svn};
use support::{chain, check, draw};
use whodunit_vcs::svn::Repository;
use whodunit_vcs::{Beginning, ClientSettings, Error, Lineage, Patience, Span};

fn since(spec: &str) -> Span {
    Span { since: Some(spec.to_owned()), ..Span::default() }
}

fn until(spec: &str) -> Span {
    Span { until: Some(spec.to_owned()), ..Span::default() }
}

fn row(made: &Subversion, path: &str, span: &Span) -> Vec<String> {
    let row = made.open(path).lineage(span).unwrap();
    (0..row.len()).map(|place| row.revision(place).unwrap().id).collect()
}

/// Changes of `trunk` in revisions 1, 2, 4 and 6, others beside it.
fn numbers() -> Subversion {
    let made = Subversion::new();
    made.write("trunk/number", "1\n").commit("the first\n\nwith more to say");
    made.write("trunk/number", "2\n").write("trunk/in/a b", "").commit("<second> & so on");
    made.write("branches/else", "").commit("elsewhere");
    made.write("trunk/number", "3\n").commit("");
    made.write("branches/else", "2").commit("elsewhere again");
    made.write("trunk/in/a b", "ä").commit("größer");
    made
}

#[test]
fn a_row_has_the_revisions_that_changed_the_folder() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let row = made.open("trunk").lineage(&Span::default()).unwrap();
    let numbers: Vec<u64> = (0..row.len()).map(|place| row.number(place)).collect();
    assert_eq!(numbers, [6, 4, 2, 1]);
    assert_eq!(row.beginning(), Beginning::Root);
    check(&row.list(3).unwrap(), &["- number: 1\\n"]);
    check(&row.list(0).unwrap(), &["- in/a b: \\xc3\\xa4", "- number: 3\\n"]);
    check(&row.list(2).unwrap(), &["- in/a b: ", "- number: 2\\n"]);
    let [newest, second, first] = [0, 2, 3].map(|place| row.revision(place).unwrap());
    assert_eq!((newest.title(), newest.author.as_str()), ("größer", "ada"));
    assert_eq!(newest.time.unwrap().to_string(), "2026-01-06 12:00:00 +0000");
    assert_eq!((second.id.as_str(), second.title()), ("r2", "<second> & so on"));
    assert_eq!(first.message, "the first\n\nwith more to say");
}

#[test]
fn bounds_are_numbers_or_dates() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let check = |span: &Span, expected: &[&str]| assert_eq!(row(&made, "trunk", span), expected);
    check(&until("4"), &["r4", "r2", "r1"]);
    check(&until("r5"), &["r4", "r2", "r1"]);
    check(&until("2026-01-04"), &["r4", "r2", "r1"]);
    check(&until("2026-01-04T11:00"), &["r2", "r1"]);
    check(&since("4"), &["r6", "r4"]);
    // The state of the folder in revision 3 is that of revision 2.
    check(&since("3"), &["r6", "r4", "r2"]);
    check(&since("2026-01-04"), &["r6", "r4"]);
    check(&since("HEAD"), &["r6"]);
    let repository = made.open("trunk");
    assert_eq!(repository.lineage(&since("3")).unwrap().beginning(), Beginning::Bound);
    assert_eq!(repository.lineage(&since("1")).unwrap().beginning(), Beginning::Root);
    for spec in ["7", "v1.0"] {
        let error = repository.lineage(&until(spec)).unwrap_err();
        assert!(matches!(error, Error::UnknownRevision { .. }), "{}", chain(&error));
    }
    let nothing = repository.lineage(&since("2027-01-01")).unwrap_err();
    assert!(matches!(nothing, Error::NoVersions), "{}", chain(&nothing));
}

#[test]
fn paths_leave_what_changes_them_and_the_newest() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let of = |path: &str| Span { paths: vec![path.as_bytes().to_vec()], ..Span::default() };
    assert_eq!(row(&made, "trunk", &of("number")), ["r6", "r4", "r2", "r1"]);
    assert_eq!(row(&made, "trunk", &of("in/")), ["r6", "r2"]);
    made.write("trunk/at@2", "").commit("a name with a sign");
    made.write("trunk/number", "4").commit("number");
    assert_eq!(row(&made, "trunk", &of("at@2")), ["r8", "r7"]);
    assert_eq!(
        row(&made, "trunk", &Span { until: Some("4".into()), ..of("in/a b") }),
        ["r4", "r2"]
    );
    // The folder in revision 5 is that of revision 4, whatever the path.
    assert_eq!(
        row(&made, "trunk", &Span { since: Some("5".into()), ..of("in/") }),
        ["r8", "r6", "r4"]
    );
}

#[test]
fn files_are_as_the_repository_has_them() {
    if !has_svn() {
        return;
    }
    let made = Subversion::new();
    made.write("trunk/keyword.c", "$Id$\r\n").write("trunk/größe @2.txt", "1");
    made.write("trunk/binary", [0, 255, b'\r', b'\n']).write("trunk/run.sh", "");
    made.write("trunk/deep/er/file", "").write("trunk/external", "");
    symlink("deep/er", made.work("trunk/link")).unwrap();
    made.svn(&["add", "--quiet", "trunk/link"]);
    made.svn(&["propset", "--quiet", "svn:keywords", "Id", "trunk/keyword.c"]);
    made.svn(&["propset", "--quiet", "svn:executable", "yes", "trunk/run.sh"]);
    let external = format!("{} outside", made.url("branches"));
    made.svn(&["propset", "--quiet", "svn:externals", &external, "trunk/deep"]);
    made.commit("first");
    made.svn(&["propdel", "--quiet", "svn:executable", "trunk/run.sh"]);
    fs::remove_file(made.work("trunk/link")).unwrap();
    symlink("elsewhere", made.work("trunk/link")).unwrap();
    made.commit("kinds");

    let row = made.open("trunk").lineage(&Span::default()).unwrap();
    let expected = [
        "- binary: \\x00\\xff\\r\\n",
        "- deep/er/file: ",
        "- external: ",
        "- gr\\xc3\\xb6\\xc3\\x9fe @2.txt: 1",
        "- keyword.c: $Id$\\r\\n",
        "l link: deep/er",
        "x run.sh: ",
    ];
    check(&row.list(1).unwrap(), &expected);
    let mut changed = expected;
    (changed[5], changed[6]) = ("l link: elsewhere", "- run.sh: ");
    check(&row.list(0).unwrap(), &changed);
}

#[test]
fn what_was_deleted_comes_and_goes() {
    if !has_svn() {
        return;
    }
    let made = Subversion::new();
    made.write("trunk/a", "1").write("trunk/b/c", "1").commit("first");
    made.svn(&["delete", "--quiet", "trunk/a", "trunk/b"]);
    made.write("trunk/b", "a file now").commit("deleted");
    made.svn(&["delete", "--quiet", "trunk/b"]);
    made.commit("deleted too");
    made.write("trunk/a", "2").write("trunk/b/c", "2").commit("again");
    let row = made.open("trunk").lineage(&Span::default()).unwrap();
    // Not in order: the checkout goes back and forth.
    check(&row.list(3).unwrap(), &["- a: 1", "- b/c: 1"]);
    check(&row.list(0).unwrap(), &["- a: 2", "- b/c: 2"]);
    check(&row.list(2).unwrap(), &["- b: a file now"]);
    check(&row.list(1).unwrap(), &[]);
}

#[test]
fn a_branch_has_its_own_history_and_that_of_what_it_came_from() {
    if !has_svn() {
        return;
    }
    let made = Subversion::new();
    made.write("trunk/file", "1").commit("first");
    made.svn(&["copy", "--quiet", "trunk", "branches/b 1"]);
    made.commit("branched");
    made.write("trunk/file", "trunk").commit("on the trunk");
    made.write("branches/b 1/file", "branch").commit("on the branch");
    made.svn(&["move", "--quiet", "branches/b 1", "branches/moved"]);
    made.commit("moved");
    assert_eq!(row(&made, "trunk", &Span::default()), ["r3", "r1"]);
    let branch = made.open("branches/moved").lineage(&Span::default()).unwrap();
    let titles: Vec<String> =
        (0..branch.len()).map(|place| branch.revision(place).unwrap().message).collect();
    assert_eq!(titles, ["moved", "on the branch", "branched", "first"]);
    check(&branch.list(3).unwrap(), &["- file: 1"]);
    check(&branch.list(0).unwrap(), &["- file: branch"]);
    check(&branch.list(2).unwrap(), &["- file: 1"]);
    let trunk = made.open("trunk").lineage(&Span::default()).unwrap();
    check(&trunk.list(0).unwrap(), &["- file: trunk"]);
}

#[test]
fn a_checkout_is_asked_for_its_url_and_left_alone() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    made.svn(&["update", "--quiet", "-r", "4"]);
    fs::write(made.work("trunk/number"), "not committed").unwrap();
    let before = files_below(&made.beside("work"));
    let path = made.work("trunk");
    let repository = Repository::open(path.to_str().unwrap(), made.settings()).unwrap();
    assert_eq!(repository.url(), made.url("trunk"));
    let row = repository.lineage(&Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- in/a b: \\xc3\\xa4", "- number: 3\\n"]);
    assert_eq!(files_below(&made.beside("work")), before);
}

#[test]
fn what_is_no_repository_is_said_to_be_none() {
    if !has_svn() {
        return;
    }
    let made = Subversion::new();
    let waited = Arc::new(Mutex::new(0));
    let settings = || {
        let waited = waited.clone();
        let patience = Patience::new(move |_| {
            *waited.lock().unwrap() += 1;
            ControlFlow::Continue(())
        });
        ClientSettings { patience, ..made.settings() }
    };
    let folder = made.beside("configuration");
    let error = Repository::open(folder.to_str().unwrap(), settings()).unwrap_err();
    assert!(matches!(error, Error::NoCheckout { .. }), "{}", chain(&error));
    let missing = format!("file://{}", made.beside("missing").display());
    let error = Repository::open(&missing, settings()).unwrap_err();
    assert!(matches!(error, Error::Client { .. }), "{}", chain(&error));
    assert!(error.to_string().contains("E180001"), "{}", chain(&error));
    let error = Repository::open(&made.url("no-such-folder"), settings()).unwrap_err();
    assert!(matches!(error, Error::Client { .. }), "{}", chain(&error));
    let program = Some(made.beside("no-such-program"));
    let error =
        Repository::open(&made.url(""), ClientSettings { program, ..settings() }).unwrap_err();
    assert!(matches!(error, Error::NoClient { .. }), "{}", chain(&error));
    assert!(error.hint().unwrap().contains("install"));
    assert_eq!(*waited.lock().unwrap(), 0, "nothing of this passes by itself");
}

/// A client that notes its commands before it runs the real one.
fn noting(made: &Subversion, before: &str) -> ClientSettings {
    let (program, notes) = (made.beside("noting-svn"), made.beside("notes"));
    let notes = notes.display();
    let script = format!("echo \"$*\" >> '{notes}'\n{before}\nexec svn \"$@\"");
    write_script(&program, &script);
    ClientSettings { program: Some(program), ..made.settings() }
}

fn count_notes(made: &Subversion, word: &str) -> usize {
    let notes = fs::read_to_string(made.beside("notes")).unwrap();
    notes.lines().filter(|line| line.contains(word)).count()
}

#[test]
fn each_version_is_fetched_once() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let settings = noting(&made, "");
    for _ in 0..2 {
        let repository = Repository::open(&made.url("trunk"), settings.clone()).unwrap();
        let row = repository.lineage(&Span::default()).unwrap();
        for place in [3, 0, 2, 3, 0] {
            row.list(place).unwrap();
        }
    }
    assert_eq!((count_notes(&made, " checkout "), count_notes(&made, " switch ")), (1, 2));
    // A content that several versions share is one file.
    let kept = files_below(&made.beside("cache"));
    let threes = kept.iter().filter(|(path, content)| {
        path.to_string_lossy().contains("/contents/") && *content == b"3\n"
    });
    assert_eq!(threes.count(), 1);
}

#[test]
fn a_run_that_was_ended_in_the_middle_leaves_no_trouble() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let list = |place: usize| {
        let row = made.open("trunk").lineage(&Span::default()).unwrap();
        draw(&row.list(place).unwrap())
    };
    list(0);
    let cache = fs::read_dir(made.beside("cache")).unwrap().next().unwrap().unwrap().path();
    // First a mark, then a checkout in ruins.
    fs::write(cache.join("under-way"), "").unwrap();
    assert_eq!(list(1), "- in/a b: \n- number: 3\\n\n");
    fs::write(cache.join("checkout/.svn/wc.db"), "ruined").unwrap();
    assert_eq!(list(2), "- in/a b: \n- number: 2\\n\n");
    assert!(!cache.join("under-way").exists());
}

#[test]
fn several_threads_get_what_they_ask_for() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let row: Arc<dyn Lineage> = Arc::new(made.open("trunk").lineage(&Span::default()).unwrap());
    let threads: Vec<_> = (0..4)
        .map(|place| {
            let row = row.clone();
            std::thread::spawn(move || draw(&row.list(place).unwrap()))
        })
        .collect();
    let drawn: Vec<String> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(drawn[3], "- number: 1\\n\n");
    assert_eq!(drawn[2], "- in/a b: \n- number: 2\\n\n");
    assert_eq!(drawn[0], "- in/a b: \\xc3\\xa4\n- number: 3\\n\n");
}

/// A server that is ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_server_that_does_not_answer_yet_is_waited_for() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server: Arc<Mutex<Option<Server>>> = Arc::default();
    let waited = Arc::new(Mutex::new(Vec::new()));
    // The server is started after the client was refused twice.
    let patience = Patience::new({
        let (server, waited) = (server.clone(), waited.clone());
        let root = made.beside("repository");
        move |time: Duration| {
            waited.lock().unwrap().push(time.as_secs());
            if waited.lock().unwrap().len() == 2 {
                let mut command = Command::new("svnserve");
                command.args(["--daemon", "--foreground", "--listen-host", "127.0.0.1"]);
                command.args(["--listen-port", &port.to_string(), "--root"]).arg(&root);
                *server.lock().unwrap() = Some(Server(command.spawn().unwrap()));
                while TcpStream::connect(("127.0.0.1", port)).is_err() {
                    std::thread::yield_now();
                }
            }
            ControlFlow::Continue(())
        }
    });
    let settings = ClientSettings { patience, ..made.settings() };
    let repository =
        Repository::open(&format!("svn://127.0.0.1:{port}/trunk"), settings.clone()).unwrap();
    assert_eq!(*waited.lock().unwrap(), [1, 2]);
    let row = repository.lineage(&until("4")).unwrap();
    check(&row.list(0).unwrap(), &["- in/a b: ", "- number: 3\\n"]);
    check(&row.list(2).unwrap(), &["- number: 1\\n"]);

    // The server ends again, this time for good.
    server.lock().unwrap().take();
    let error = row.list(1).unwrap_err();
    assert!(matches!(error, Error::Unreachable { attempts: 9, .. }), "{}", chain(&error));
    assert!(error.to_string().contains("E000111"), "{}", chain(&error));
    assert!(error.hint().unwrap().contains("resume"));
}

#[test]
fn a_lock_is_waited_for_and_other_trouble_is_told() {
    if !has_svn() {
        return;
    }
    let made = numbers();
    let once = made.beside("once");
    let locked = format!(
        "if [ ! -e '{0}' ]; then touch '{0}'; echo \"svn: E155004: '.' is locked\" >&2; exit 1; fi",
        once.display()
    );
    let settings = noting(&made, &locked);
    let repository = Repository::open(&made.url("trunk"), settings).unwrap();
    assert_eq!(repository.lineage(&Span::default()).unwrap().len(), 4);
    assert_eq!(count_notes(&made, " info "), 2);

    let refused = "echo 'svn: E170001: Authorization failed' >&2; exit 1";
    let error = Repository::open(&made.url("trunk"), noting(&made, refused)).unwrap_err();
    assert_eq!(error.to_string(), "`noting-svn info` failed: svn: E170001: Authorization failed");
    let error = Repository::open(&made.url("trunk"), noting(&made, "echo '<info>'; exit 0"));
    assert!(matches!(error.unwrap_err(), Error::Garbled { .. }));
}
