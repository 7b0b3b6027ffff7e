//! Attacks of tests in the sandbox on everything outside: none works, neither as root nor as an
//! ordinary user.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::{Ran, Running, WHODUNIT, World, can_mount, eventually, needs, needs_that, numbered};

/// Every attack on something outside that does no harm if it works.
const HARMLESS: &[&str] = &[
    "write", "chmod", "fchmod", "chown", "utime", "prlimit", "renice", "kill", "unix", "datagram",
    "loopback",
];

/// The same; these do not disturb each other, and each one attacks something of its own.
const APART: &[&str] = &[
    "truncate",
    "unlink",
    "make_folder",
    "make_pipe",
    "write_through_link",
    "write_through_root",
    "write_through_dots",
    "write_to_temporary_folder",
    "write_to_shared_memory",
    "abstract_socket",
    "pidfd_kill",
];

/// The number of files outside that are for one attack each.
const SPARES: usize = 5;

/// Attacks that would change this machine, or whose success without a sandbox depends on it.
const OTHERS: &[&str] = &[
    "xattr",
    "chattr",
    "shm_of_others",
    "device",
    "character_device",
    "hostname",
    "key",
    "ring",
    "user_namespace",
    "mount",
    "capabilities",
    "link_into_own_folder",
    "other_machine",
    "kernel_setting",
    "namespace_of_init",
    "trace",
    "memory_of_others",
    "kill_first",
    "trace_first",
    "limit_first",
    "renice_first",
    "new_root",
    "bind",
];

/// Things outside the sandbox that are attacked.
struct Victims {
    process: Child,
    /// The number of some shared memory.
    shm: String,
    /// They listen as long as they live.
    _sockets: (UnixListener, UnixDatagram, TcpListener, UnixListener),
}

impl Victims {
    fn new(folder: &Path, user: User) -> Victims {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("victim"), "precious").unwrap();
        for number in 0..SPARES {
            fs::write(folder.join(format!("spare-{number}")), "precious").unwrap();
        }
        let name = format!("whodunit-victim-{}", folder.display());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let abstract_listener = UnixListener::bind_addr(&address).unwrap();
        fs::write(folder.join("abstract"), &name).unwrap();
        let mut sleep = user.command("sleep");
        let process = sleep.arg("1000").spawn().unwrap();
        fs::write(folder.join("pid"), process.id().to_string()).unwrap();
        let listener = UnixListener::bind(folder.join("socket")).unwrap();
        let datagrams = UnixDatagram::bind(folder.join("datagrams")).unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = server.local_addr().unwrap().port();
        fs::write(folder.join("port"), port.to_string()).unwrap();
        let made = user.command("ipcmk").args(["-M", "64"]).output().unwrap();
        let shm = String::from_utf8(made.stdout).unwrap();
        let shm = shm.split_whitespace().next_back().unwrap().to_owned();
        fs::write(folder.join("shm"), &shm).unwrap();
        for name in ["", "victim", "socket", "datagrams"] {
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o777)).unwrap();
        }
        user.owns(folder);
        Victims { process, shm, _sockets: (listener, datagrams, server, abstract_listener) }
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = Command::new("ipcrm").args(["-m", &self.shm]).output();
    }
}

/// The user who runs whodunit.
#[derive(Clone, Copy, PartialEq)]
enum User {
    /// The user who runs the tests.
    Same,
    /// A user without privileges; only root can become that.
    Nobody,
    /// The same user where a part of `/proc` is hidden, as in containers: tests have no processes
    /// of their own there.
    InContainer,
}

impl User {
    /// Returns all users that can be tried here.
    fn all() -> Vec<User> {
        let is_root = rustix::process::geteuid().is_root();
        let mut users = vec![User::Same];
        if is_root && needs("setpriv") {
            users.push(User::Nobody);
        }
        users
    }

    fn command(self, program: &str) -> Command {
        match self {
            User::Same => Command::new(program),
            User::InContainer => {
                let mut command = Command::new("unshare");
                let script = "mount --bind /dev/null /proc/interrupts && exec \"$@\"";
                command.args(["-m", "sh", "-c", script, "sh", program]);
                command
            }
            User::Nobody => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--", program]);
                command
            }
        }
    }

    /// Gives a folder and its contents to the user.
    fn owns(self, folder: &Path) {
        if self == User::Nobody {
            let all = Command::new("chown").args(["-R", "65534:65534"]).arg(folder).status();
            assert!(all.unwrap().success());
        }
    }
}

/// A world in which a user attacks.
struct Attacked {
    world: World,
    user: User,
    victims: Victims,
}

impl Attacked {
    fn by(user: User) -> Attacked {
        let world = World::new();
        world.write("in.txt", numbered(3, &[(1, "needle")]));
        world.write("attack.py", include_bytes!("attacks/attack.py"));
        // Other users may not reach the folder of the build, so copy the program. `cp` is a process
        // of its own because a program that is open for writing cannot be started, and a process
        // that another test starts meanwhile would inherit the open file from us.
        let mut copy = Command::new("cp");
        assert!(copy.arg(WHODUNIT).arg(world.path("whodunit")).status().unwrap().success());
        let folder = world.path("");
        fs::set_permissions(folder.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        user.owns(folder.parent().unwrap());
        let victims = Victims::new(&world.beside("outside"), user);
        Attacked { world, user, victims }
    }

    /// Runs whodunit with a test that tries these attacks, and that exits with 0 if all are
    /// refused.
    fn run(&self, flags: &[&str], attacks: &[&str]) -> Ran {
        let world = &self.world;
        let program = world.path("whodunit");
        let mut command = self.user.command(program.to_str().unwrap());
        command
            .current_dir(world.path(""))
            .env("XDG_STATE_HOME", world.beside("state"))
            .env("XDG_CACHE_HOME", world.beside("cache"))
            .env("TMPDIR", world.beside("tmp"))
            .args(["reduce", "in.txt", "--level", "lines", "--json", "-j1", "--max-tests", "1"])
            .args(flags)
            .args(["--fail-exit", "0", "--", "python3"])
            .arg(world.path("attack.py"))
            .arg(world.beside("outside"))
            .args(attacks);
        world.finish(&mut command)
    }
}

/// Returns whether this machine has the whole sandbox for a user; a test without it is reported as
/// skipped.
fn has_sandbox(attacked: &Attacked) -> bool {
    let ran = attacked.run(&["--sandbox"], &[]);
    let is_complete = !ran.stderr.contains("cannot enforce the whole sandbox");
    let remedy =
        "Linux 6.12 with Landlock, seccomp and user namespaces, or root with CAP_SYS_ADMIN";
    needs_that("a complete sandbox", remedy, is_complete)
}

#[test]
fn no_attack_gets_out_of_the_sandbox() {
    if !needs("python3") || !needs("ipcmk") {
        return;
    }
    let mut users = User::all();
    if can_mount() {
        users.push(User::InContainer);
    }
    for user in users {
        let attacked = Attacked::by(user);
        if !has_sandbox(&attacked) {
            continue;
        }
        let mut all = [HARMLESS, APART, OTHERS].concat();
        if cfg!(target_arch = "x86_64") {
            all.push("second_set");
        }
        let ran = attacked.run(&["--sandbox"], &all);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["sandbox"]["kept"].as_array().unwrap().len(), 6, "{answer:#}");
        let victim = attacked.world.beside("outside/victim");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        assert_eq!(fs::metadata(&victim).unwrap().permissions().mode() & 0o777, 0o777);
        for number in 0..SPARES {
            let spare = attacked.world.beside("outside").join(format!("spare-{number}"));
            assert_eq!(fs::read_to_string(spare).unwrap(), "precious");
        }
        assert!(is_alive(&attacked.victims.process));
        let shm = fs::read_to_string("/proc/sysvipc/shm").unwrap();
        let has = |line: &str| line.split_whitespace().nth(1) == Some(&attacked.victims.shm);
        assert!(shm.lines().any(has), "{shm}");
    }
}

#[test]
fn the_attacks_are_real() {
    if !needs("python3") || !needs("ipcmk") {
        return;
    }
    for user in User::all() {
        for attack in HARMLESS {
            let ran = Attacked::by(user).run(&[], &[attack]);
            assert_eq!(ran.code, Some(2), "{attack} is refused without a sandbox: {}", ran.stderr);
            assert!(ran.stderr.contains(&format!("worked: {attack}")), "{}", ran.stderr);
        }
        let ran = Attacked::by(user).run(&[], APART);
        let worked = format!("worked: {}", APART.join(" "));
        assert!(ran.stderr.contains(&worked), "{}", ran.stderr);
    }
}

/// Returns whether tests can have processes of their own here; a test without them is reported as
/// skipped.
fn has_processes() -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let is_hidden =
        |line: &str| line.contains(" /proc/") && !line.contains(" /proc/sys/fs/binfmt_misc ");
    let is_whole = !mounts.lines().any(is_hidden);
    needs_that("processes of their own for tests", "a /proc of which nothing is hidden", is_whole)
}

#[test]
fn tests_in_the_sandbox_see_no_processes_of_others() {
    if !needs("python3") || !needs("ipcmk") || !has_processes() {
        return;
    }
    for user in User::all() {
        let attacked = Attacked::by(user);
        if has_sandbox(&attacked) {
            let ran = attacked.run(&["--sandbox"], &["see_others"]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let ran = attacked.run(&[], &["see_others"]);
            assert!(ran.stderr.contains("worked: see_others"), "{}", ran.stderr);
        }
    }
}

/// Returns the numbers of the processes whose arguments hold a word.
fn running(word: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has_word = |number: &i32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())
    };
    numbers.filter(has_word).collect()
}

/// Starts a test in the sandbox that leaves a process in the background and does not end. Also
/// returns the launcher, and a word that only these processes have among their arguments.
fn start_endless<'a>(world: &'a World, name: &str) -> (Running<'a>, Pid, String) {
    world.write("in.txt", "needle\n");
    let word = format!("{}.{name}", 100_000 + std::process::id());
    world.script("t.sh", &format!("setsid sleep {word} & sleep {word}"));
    let whodunit = world.start("reduce in.txt --sandbox -j1 -q --timeout 100s --test ./t.sh");
    assert!(eventually(|| running(&word).len() == 2));
    let number = whodunit.child.id();
    let children = fs::read_to_string(format!("/proc/{number}/task/{number}/children")).unwrap();
    let launcher = children.split(' ').next().unwrap().parse().unwrap();
    (whodunit, Pid::from_raw(launcher).unwrap(), word)
}

#[test]
fn nothing_in_the_sandbox_outlives_whodunit_and_its_launcher_killed_at_once() {
    if !has_sandbox(&Attacked::by(User::Same)) || !has_processes() {
        return;
    }
    let world = World::new();
    let (whodunit, launcher, word) = start_endless(&world, "25");
    let number = whodunit.child.id();
    // No process of ours can react now.
    kill_process(launcher, Signal::STOP).unwrap();
    whodunit.signal(Signal::KILL);
    kill_process(launcher, Signal::KILL).unwrap();
    whodunit.output();
    assert!(eventually(|| running(&word).is_empty()), "{:?}", running(&word));
    // The next run deletes the folder.
    let ran = world.line("reduce in.txt --fail-exit 0 -j1 -q -- grep -q needle {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world.check_nothing_left(number);
}

#[test]
fn a_killed_launcher_leaves_nothing_in_the_sandbox() {
    if !has_sandbox(&Attacked::by(User::Same)) {
        return;
    }
    let world = World::new();
    let (whodunit, launcher, word) = start_endless(&world, "5");
    kill_process(launcher, Signal::KILL).unwrap();
    let ran = whodunit.end();
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("the launcher process died"), "{}", ran.stderr);
    assert!(running(&word).is_empty());
}

fn is_alive(process: &Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
