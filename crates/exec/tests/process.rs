//! How the user's command runs: how it ends, what it may use, and that no process is left.

#![allow(clippy::unwrap_used)] // In a test that is the message.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use whodunit_exec::process::{
    Enforced, Invocation, Launcher, NetworkAccess, ProcessError, Protection, Sandbox, Settings,
};
use whodunit_run::{Ending, Limit, Limits, Ran, Ticket};

const FAKE: &str = env!("CARGO_BIN_EXE_fake-oracle");

/// A launcher with a folder to run in and a file that lists processes.
struct World {
    folder: TempDir,
    launcher: Launcher,
    ticket: u64,
    limits: Limits,
}

impl World {
    fn new() -> World {
        World::with(None)
    }

    fn with(sandbox: Option<fn(&Path) -> Sandbox>) -> World {
        let folder = tempfile::tempdir().unwrap();
        let scratch = folder.path().join("slot");
        fs::create_dir(&scratch).unwrap();
        let sandbox = sandbox.map(|sandbox| sandbox(&scratch));
        let program = FAKE.into();
        let launcher =
            Launcher::start(&Settings { program, scratch, sandbox, file_size: None }).unwrap();
        let limits = Limits { time: seconds(60), memory: None, output: 1 << 30, processes: 1000 };
        World { folder, launcher, ticket: 0, limits }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The file in which tests list processes.
    fn list(&self) -> PathBuf {
        self.path("list")
    }

    fn invocation(&self, script: &str) -> Invocation {
        let list = self.list();
        let word = |word: &str| if word == "LIST" { list.clone().into() } else { word.into() };
        Invocation {
            program: FAKE.into(),
            args: script.split_whitespace().map(word).collect(),
            folder: self.path("slot"),
            env: vec![],
            stdin: None,
        }
    }

    fn shell(&self, script: &str) -> Invocation {
        let args = vec!["-c".into(), script.into()];
        Invocation { program: "sh".into(), args, ..self.invocation("") }
    }

    fn try_run(&mut self, invocation: &Invocation) -> Result<Option<Ran>, ProcessError> {
        self.ticket += 1;
        self.launcher.run(Ticket(self.ticket), invocation, &self.limits)
    }

    fn run_invocation(&mut self, invocation: &Invocation) -> Ran {
        self.try_run(invocation).unwrap().unwrap()
    }

    fn run(&mut self, script: &str) -> Ran {
        self.run_invocation(&self.invocation(script))
    }

    fn run_shell(&mut self, script: &str) -> Ran {
        self.run_invocation(&self.shell(script))
    }

    /// Fails if any of the processes that tests listed still exists.
    fn nothing_is_left(&self, at_least: usize) {
        let pids = listed(&self.list());
        assert!(pids.len() >= at_least, "{} processes were listed", pids.len());
        let left: Vec<i32> = pids.into_iter().filter(|pid| is_alive(*pid)).collect();
        assert!(left.is_empty(), "left: {left:?}");
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn text(ran: &Ran) -> String {
    String::from_utf8(ran.output.whole().unwrap().into_owned()).unwrap()
}

fn listed(list: &Path) -> Vec<i32> {
    let list = fs::read_to_string(list).unwrap_or_default();
    list.lines().filter_map(|pid| pid.parse().ok()).collect()
}

/// A process that has ended and was only not reaped yet does nothing any more.
fn is_alive(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat[stat.rfind(')').unwrap()..].starts_with(") Z"))
}

fn kill(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

/// Waits until a condition holds; fails if that takes far too long.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < seconds(30), "never happened: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn an_exit_status_is_seen() {
    let mut world = World::new();
    assert_eq!(world.run("").ending, Ending::Exited(0));
    assert_eq!(world.run("exit 3").ending, Ending::Exited(3));
    assert_eq!(world.run("exit 255").ending, Ending::Exited(255));
}

#[test]
fn a_signal_is_seen() {
    let mut world = World::new();
    assert_eq!(world.run_shell("kill -SEGV $$").ending, Ending::Signaled(11));
    assert_eq!(world.run("signal 9").ending, Ending::Signaled(9));
    assert_eq!(world.run("signal 15").ending, Ending::Signaled(15));
}

#[test]
fn both_outputs_are_seen_in_the_order_of_writing() {
    let mut world = World::new();
    assert_eq!(text(&world.run("print a complain b print c")), "abc");
    assert_eq!(text(&world.run("print d")), "d");
}

#[test]
fn writing_to_dev_stderr_keeps_what_was_printed_before() {
    assert_eq!(text(&World::new().run("print a reopen b print c")), "abc");
}

#[test]
fn long_output_keeps_its_ends() {
    let ran = World::new().run("print begin repeat 1000000 0123456789 print end");
    assert_eq!(ran.ending, Ending::Exited(0));
    assert_eq!(ran.output.length, 10_000_008);
    assert!(ran.output.head.starts_with(b"begin0123"));
    assert!(ran.output.tail.ends_with(b"789end"));
    assert_eq!((ran.output.head.len(), ran.output.tail.len()), (65536, 65536));
}

#[test]
fn a_test_gets_its_folder_variables_and_input() {
    let mut world = World::new();
    let mut invocation = world.invocation("folder print , show NEW print , show HOME print , copy");
    let odd = OsString::from_vec(vec![b'i', b'n', 0xff]);
    let stdin = world.folder.path().join(odd);
    fs::write(&stdin, "input").unwrap();
    invocation.stdin = Some(stdin);
    invocation.env = vec![("NEW".into(), "new".into()), ("HOME".into(), "replaced".into())];
    let folder = fs::canonicalize(world.path("slot")).unwrap();
    let expected = format!("{},new,replaced,input", folder.display());
    assert_eq!(text(&world.run_invocation(&invocation)), expected);
    assert_eq!(text(&world.run("copy")), "", "without a file the input is empty");
}

#[test]
fn a_program_is_found_through_the_path_of_the_test() {
    let mut world = World::new();
    let program = world.path("program-of-the-test");
    fs::write(&program, "#!/bin/sh\necho found \"$@\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let invocation = Invocation {
        program: "program-of-the-test".into(),
        env: vec![("PATH".into(), format!("/nowhere:{}", world.folder.path().display()).into())],
        ..world.invocation("a b")
    };
    assert_eq!(text(&world.run_invocation(&invocation)), "found a b\n");
    let relative = Invocation { program: "../program-of-the-test".into(), ..invocation };
    assert_eq!(text(&world.run_invocation(&relative)), "found a b\n");
}

#[test]
fn a_test_can_differ_on_the_third_call() {
    let mut world = World::new();
    let endings: Vec<Ending> = (0..4).map(|_| world.run("fail-from 3 calls").ending).collect();
    assert_eq!(endings, [0, 0, 1, 1].map(Ending::Exited));
}

#[test]
fn a_test_starts_with_default_signals_and_no_foreign_files() {
    let mut world = World::new();
    let status = text(&world.run_shell("grep -E '^Sig(Ign|Blk)' /proc/self/status"));
    for line in status.lines() {
        // Those above 31 belong to the C library.
        let signals = u64::from_str_radix(line.split('\t').next_back().unwrap(), 16).unwrap();
        assert_eq!(signals & 0x7fff_ffff, 0, "{status}");
    }
    let files = text(&world.run_shell("ls -l /proc/self/fd"));
    assert!(files.contains("0 -> /dev/null"), "{files}");
    assert!(!files.contains("socket:") && !files.contains("anon_inode:"), "{files}");
    assert_eq!(text(&world.run_shell("ulimit -c")), "0\n", "crashes must not dump");
}

#[test]
fn a_test_cannot_change_the_output_of_the_next() {
    let mut world = World::new();
    world.run("nonblocking");
    let ran = world.run("repeat 1000000 0123456789");
    assert_eq!((ran.ending, ran.output.length), (Ending::Exited(0), 10_000_000));
}

#[test]
fn time_and_memory_are_measured() {
    let mut world = World::new();
    let ran = world.run("pause 50");
    assert!(ran.duration >= Duration::from_millis(50), "{:?}", ran.duration);
    // It holds the memory until it is ended, which is long enough to take all of it.
    world.limits.time = seconds(3);
    let ran = world.run("eat 64");
    assert!(ran.peak_memory >= 64 << 20, "{}", ran.peak_memory);
    assert!(ran.peak_memory < 128 << 20, "{}", ran.peak_memory);
}

#[test]
fn a_hang_is_ended() {
    let mut world = World::new();
    // Enough for everything that it does before it hangs.
    world.limits.time = seconds(3);
    let ran = world.run("print before record LIST background LIST sleep");
    assert_eq!(ran.ending, Ending::Limited(Limit::Time));
    assert_eq!(text(&ran), "before");
    assert!(ran.duration >= world.limits.time && ran.duration < seconds(60));
    world.nothing_is_left(1);
    assert_eq!(world.run("exit 4").ending, Ending::Exited(4));
}

#[test]
fn ignoring_sigterm_helps_nobody() {
    let mut world = World::new();
    world.limits.time = seconds(3);
    let list = world.list();
    let script = format!("trap '' TERM HUP INT; echo $$ >>{}; while :; do :; done", list.display());
    let ran = world.run_shell(&script);
    assert_eq!(ran.ending, Ending::Limited(Limit::Time));
    world.nothing_is_left(1);
}

#[test]
fn printing_without_end_is_ended() {
    let mut world = World::new();
    world.limits.output = 3 << 20;
    let ran = world.run("flood");
    assert_eq!(ran.ending, Ending::Limited(Limit::Output));
    assert!(ran.output.length > 3 << 20 && ran.output.length < 10 << 20, "{}", ran.output.length);
    assert_eq!(text(&world.run("print clean")), "clean");
}

#[test]
fn printing_does_not_stop_the_clock() {
    let mut world = World::new();
    (world.limits.time, world.limits.output) = (Duration::from_millis(300), u64::MAX);
    let ran = world.run("flood");
    assert_eq!(ran.ending, Ending::Limited(Limit::Time));
    assert!(ran.duration < seconds(60), "{:?}", ran.duration);
}

#[test]
fn too_much_output_counts_even_if_the_test_ended_first() {
    let mut world = World::new();
    world.limits.output = 3;
    assert_eq!(world.run("print abc").ending, Ending::Exited(0));
    assert_eq!(world.run("print abcd").ending, Ending::Limited(Limit::Output));
}

#[test]
fn eating_memory_is_ended() {
    let mut world = World::new();
    world.limits.memory = Some(100 << 20);
    assert_eq!(world.run("eat 300").ending, Ending::Limited(Limit::Memory));
    assert_eq!(world.run("").ending, Ending::Exited(0));
}

#[test]
fn a_fork_bomb_is_ended() {
    let mut world = World::new();
    world.limits.processes = 50;
    assert_eq!(world.run("bomb LIST").ending, Ending::Limited(Limit::Processes));
    world.nothing_is_left(20);
}

#[test]
fn a_fork_bomb_in_many_sessions_is_ended() {
    let mut world = World::new();
    world.limits.processes = 50;
    assert_eq!(world.run("scattering-bomb LIST").ending, Ending::Limited(Limit::Processes));
    world.nothing_is_left(20);
}

#[test]
fn orphans_that_ended_do_not_count_as_processes() {
    let mut world = World::new();
    world.limits.processes = 60;
    let script = "for i in $(seq 200); do (true &); done; sleep 0.2; exit 3";
    assert_eq!(world.run_shell(script).ending, Ending::Exited(3));
}

#[test]
fn a_process_that_always_flees_into_a_new_one_is_caught() {
    let mut world = World::new();
    world.run("comet 2000 LIST");
    // The last one of two thousand would have listed itself.
    assert!(listed(&world.list()).is_empty());
    assert_eq!(world.run("exit 5").ending, Ending::Exited(5));
}

#[test]
fn a_background_child_holding_the_output_blocks_nothing() {
    let mut world = World::new();
    let ran = world.run("background LIST await ../list print over exit 2");
    assert_eq!((ran.ending, text(&ran)), (Ending::Exited(2), "over".into()));
    assert!(ran.duration < seconds(20));
    world.nothing_is_left(1);
}

#[test]
fn a_daemon_is_ended_with_its_test() {
    let mut world = World::new();
    let ran = world.run("daemon LIST await ../list exit 2");
    assert_eq!(ran.ending, Ending::Exited(2));
    world.nothing_is_left(1);
}

#[test]
fn what_cannot_be_started_is_an_error_with_its_reason() {
    let mut world = World::new();
    let script = world.path("slot/script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    let plain = world.invocation("");
    let with = |program: &str| Invocation { program: program.into(), ..plain.clone() };
    for (program, expected) in [
        ("no-such-program", "NotFound"),
        ("/no/such/program", "NotFound"),
        ("", "NotFound"),
        ("./script", "PermissionDenied"),
        ("/", "PermissionDenied"),
    ] {
        match world.try_run(&with(program)) {
            Err(ProcessError::CannotStart { program: named, source }) => {
                assert_eq!(named, program);
                assert_eq!(format!("{:?}", source.kind()), expected, "{program}");
                assert!(source.raw_os_error().is_some());
            }
            other => panic!("{program}: {other:?}"),
        }
    }
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let error = world.try_run(&with("./script")).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `./script`");

    let error = world.try_run(&Invocation { folder: "/no/such/folder".into(), ..plain.clone() });
    assert!(matches!(error, Err(ProcessError::NoFolder { .. })), "{error:?}");
    let error = world.try_run(&Invocation { stdin: Some("/no/such".into()), ..plain.clone() });
    assert!(matches!(error, Err(ProcessError::NoStdin { .. })), "{error:?}");
    let error = world.try_run(&Invocation { args: vec!["a\0b".into()], ..plain.clone() });
    assert!(matches!(error, Err(ProcessError::ZeroByte { .. })), "{error:?}");

    assert_eq!(world.run("exit 6").ending, Ending::Exited(6), "the launcher goes on");
}

#[test]
fn a_running_test_can_be_cancelled() {
    let mut world = World::new();
    let (canceller, list) = (world.launcher.canceller(), world.list());
    let other = thread::spawn(move || {
        eventually("the test runs", || listed(&list).len() == 3);
        canceller.cancel(Ticket(1));
    });
    let invocation = world.invocation("record LIST background LIST daemon LIST sleep");
    assert_eq!(world.try_run(&invocation).unwrap(), None);
    other.join().unwrap();
    world.nothing_is_left(3);
    assert_eq!(world.run("exit 7").ending, Ending::Exited(7));
}

#[test]
fn cancelling_hits_its_own_test_only() {
    let mut world = World::new();
    let canceller = world.launcher.canceller();
    assert_eq!(world.run("").ending, Ending::Exited(0));
    canceller.cancel(Ticket(1));
    assert_eq!(world.run("exit 2").ending, Ending::Exited(2), "a late cancel");
    canceller.cancel(Ticket(4));
    assert_eq!(world.run("exit 3").ending, Ending::Exited(3), "a cancel of the next one");
    assert_eq!(world.try_run(&world.invocation("record LIST")).unwrap(), None, "an early cancel");
    assert!(listed(&world.list()).is_empty());
    assert_eq!(world.run("exit 5").ending, Ending::Exited(5));
}

#[test]
fn cancelling_at_any_moment_is_harmless() {
    let mut world = World::new();
    let canceller = world.launcher.canceller();
    let other = thread::spawn(move || {
        for ticket in (1..300).step_by(2) {
            canceller.cancel(Ticket(ticket));
            thread::sleep(Duration::from_micros(ticket * 7 % 2000));
        }
    });
    for ticket in 1..300 {
        let ran = world.try_run(&world.invocation("exit 1")).unwrap();
        let ending = ran.map(|ran| ran.ending);
        let may_be_cancelled = ticket % 2 == 1 && ending.is_none();
        assert!(may_be_cancelled || ending == Some(Ending::Exited(1)), "{ticket}: {ending:?}");
    }
    other.join().unwrap();
}

#[test]
fn the_launcher_hides_its_name_and_ignores_polite_signals() {
    let mut world = World::new();
    world.run("record-parent LIST");
    let launcher = listed(&world.list())[0];
    for file in ["cmdline", "comm"] {
        let name = fs::read_to_string(format!("/proc/{launcher}/{file}")).unwrap();
        assert!(name.starts_with("test-launcher") && !name.contains("whodunit"), "{name}");
    }
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::PIPE] {
        kill(launcher, signal);
        assert_eq!(world.run("exit 8").ending, Ending::Exited(8));
    }
}

#[test]
fn dropping_a_launcher_ends_it_and_deletes_its_folder() {
    let mut world = World::new();
    world.run("record-parent LIST lock-folder");
    let World { folder, launcher, .. } = world;
    let canceller = launcher.canceller();
    drop(launcher);
    // Deleting the folder may take longer than the drop waits for it.
    let launcher = listed(&folder.path().join("list"))[0];
    eventually("the launcher ends", || !is_alive(launcher));
    assert!(!folder.path().join("slot").exists());
    canceller.cancel(Ticket(1));
}

#[test]
fn a_program_that_is_no_launcher_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let start = |program: &str| {
        let (program, scratch) = (program.into(), folder.path().into());
        Launcher::start(&Settings { program, scratch, sandbox: None, file_size: None })
    };
    assert!(matches!(start("/bin/false"), Err(ProcessError::LauncherDied { .. })));
    assert!(matches!(start("/no/such/program"), Err(ProcessError::NoLauncher { .. })));
}

/// Writes a launcher that reports that it is ready and then takes requests without ever
/// replying.
fn silent_launcher(folder: &Path) -> PathBuf {
    let path = folder.join("silent.sh");
    // The length of the message, its kind, and two empty lists.
    let ready = format!("\\021\\000\\000\\000\\000{}", "\\000".repeat(16));
    fs::write(&path, format!("#!/bin/sh\nprintf '{ready}' >&0\nexec cat\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_silent_launcher_is_replaced_long_before_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let program = silent_launcher(folder.path());
    let scratch = folder.path().into();
    let settings = Settings { program, scratch, sandbox: None, file_size: None };
    let mut world = World { launcher: Launcher::start(&settings).unwrap(), ..World::new() };
    world.limits.time = seconds(30);
    let begun = Instant::now();
    let outcome = world.try_run(&world.invocation(""));
    assert!(matches!(outcome, Err(ProcessError::LauncherSilent)), "{outcome:?}");
    assert!(begun.elapsed() < world.limits.time, "{:?}", begun.elapsed());
}

#[test]
fn a_test_that_does_nothing_for_long_does_not_make_its_launcher_silent() {
    let mut world = World::new();
    // Twice as long as a launcher may be idle.
    assert_eq!(world.run("pause 1600 exit 3").ending, Ending::Exited(3));
}

#[test]
fn a_killed_launcher_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    let parent = Command::new(FAKE)
        .arg("be-widowed")
        .args([folder.path(), &list])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("the test runs", || listed(&list).len() == 3);
    let stat = |pid: i32| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let session = |pid| stat(pid).split(") ").last().unwrap().split(' ').nth(3).unwrap().to_owned();
    // The launcher's own number is the session of the processes that did not leave it.
    let launcher = listed(&list).into_iter().find(|pid| session(*pid) != pid.to_string());
    let launcher = session(launcher.unwrap()).parse().unwrap();
    kill(launcher, Signal::KILL);
    let said = parent.wait_with_output().unwrap().stdout;
    let expected = "the launcher process died (signal: 9 (SIGKILL)); \
        the launcher process died; Exited(0)";
    assert_eq!(String::from_utf8(said).unwrap(), expected);
    let left: Vec<i32> = listed(&list).into_iter().filter(|pid| is_alive(*pid)).collect();
    assert!(left.is_empty(), "left: {left:?}");
}

#[test]
fn nothing_survives_a_killed_parent() {
    let folder = tempfile::tempdir().unwrap();
    let (place, list) = (folder.path().join("place"), folder.path().join("list"));
    fs::create_dir(&place).unwrap();
    let mut parent = Command::new(FAKE).arg("be-parent").args([&place, &list]).spawn().unwrap();
    eventually("the test runs", || listed(&list).len() == 4);
    assert!(listed(&list).into_iter().all(is_alive));
    let run = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
    // The folder of a worker whose launcher is not started yet.
    fs::create_dir_all(run.join("17/work")).unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    eventually("all processes are gone", || !listed(&list).into_iter().any(is_alive));
    eventually("the run's folder is gone", || fs::read_dir(&place).unwrap().next().is_none());
}

/// A sandbox with a network of its own, which this kernel must be able to enforce.
fn closed(scratch: &Path) -> Sandbox {
    Sandbox { writes_below: scratch.into(), network: NetworkAccess::Loopback }
}

fn assert_kept(world: &World, protection: Protection) {
    let enforced = world.launcher.enforced();
    assert!(enforced.kept.contains(&protection), "{enforced:?}");
}

#[test]
fn without_a_sandbox_nothing_is_enforced_and_nothing_is_missing() {
    assert_eq!(World::new().launcher.enforced(), &Enforced::default());
}

#[test]
fn a_sandbox_that_cannot_be_enforced_says_why() {
    let world = World::with(Some(|_| Sandbox {
        writes_below: "/no/such/folder".into(),
        network: NetworkAccess::Everything,
    }));
    let Enforced { kept, missing } = world.launcher.enforced();
    assert!(!kept.contains(&Protection::Files) && !kept.contains(&Protection::Metadata));
    let files = missing.iter().find(|it| it.protection == Protection::Files).unwrap();
    assert!(files.why.contains("/no/such/folder"), "{missing:?}");
}

#[test]
fn a_sandboxed_test_writes_only_in_its_folder() {
    let mut world = World::with(Some(closed));
    assert_kept(&world, Protection::Files);
    let outside = world.path("outside");
    fs::write(&outside, "precious").unwrap();
    let mut run = |command: &str, path: &Path| {
        let mut invocation = world.invocation(command);
        invocation.args.push(path.into());
        text(&world.run_invocation(&invocation))
    };
    assert_eq!(run("try-write", Path::new("inside")), "done\n");
    assert_eq!(run("try-remove", Path::new("inside")), "done\n");
    // Either protection may refuse it, whichever the kernel asks first.
    let is_refused =
        |seen: String| matches!(seen.as_str(), "PermissionDenied\n" | "ReadOnlyFilesystem\n");
    assert!(is_refused(run("try-write", &outside)));
    assert!(is_refused(run("try-remove", &outside)));
    assert!(is_refused(run("try-write", &outside.with_extension("new"))));
    assert_eq!(run("try-write", Path::new("/dev/null")), "done\n");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
    assert_eq!(text(&world.run_shell("echo a >/dev/null; echo b >/dev/stderr")), "b\n");
    assert_eq!(world.run("remove-folder").ending, Ending::Exited(101), "not itself either");
    drop(world.launcher);
    assert!(!world.folder.path().join("slot").exists(), "the launcher is not in the sandbox");
}

#[test]
fn a_sandboxed_test_cannot_signal_its_launcher() {
    let mut world = World::with(Some(closed));
    let me = std::process::id();
    // In a process namespace there is no such process; the only other one there is its keeper.
    let seen = text(&world.run(&format!("try-signal {me}")));
    assert!(matches!(seen.as_str(), "PermissionDenied\n" | "Uncategorized\n"), "{seen}");
    assert_eq!(text(&world.run("try-signal 1")), "PermissionDenied\n");
}

#[test]
fn a_sandboxed_test_reaches_only_itself_over_the_network() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let mut world = World::with(Some(closed));
    assert_kept(&world, Protection::Network);
    let connect = format!("try-connect {address}");
    assert_eq!(text(&world.run(&connect)), "ConnectionRefused\n");
    assert_eq!(text(&world.run("try-connect 192.0.2.1:9")), "NetworkUnreachable\n");
    assert_eq!(text(&world.run("serve")), "done\n");
    assert_eq!(text(&World::new().run(&connect)), "done\n");
}
