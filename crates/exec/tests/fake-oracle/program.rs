//! A test program that obeys a script: its arguments, one command after the other.
//!
//! Every way to misbehave that a real test has shown is one command here. It can also be the
//! launcher, and the program that uses launchers, so that these can be killed.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process, setsid};
use whodunit_exec::process::{Invocation, Launcher, Settings, adopt_orphans, launcher};
use whodunit_exec::scratch::Scratch;
use whodunit_run::{Limits, Ticket};

/// How long a process sleeps that another one is to end. Not for ever, so that a failing test
/// does not leave processes for long.
const LONG: Duration = Duration::from_secs(100);

/// A bomb stops growing at this many processes.
const BOMB_SIZE: usize = 400;

fn main() {
    launcher::run_if_asked();
    let mut script = Script(std::env::args_os().skip(1).collect::<Vec<_>>().into_iter());
    while let Some(command) = script.0.next() {
        script.obey(command.to_str().unwrap());
    }
}

struct Script(std::vec::IntoIter<OsString>);

impl Script {
    fn obey(&mut self, command: &str) {
        match command {
            "exit" => exit(self.number()),
            "signal" => {
                kill_process(getpid(), Signal::from_named_raw(self.number()).unwrap()).unwrap();
            }
            "sleep" => thread::sleep(LONG),
            "pause" => thread::sleep(Duration::from_millis(self.number())),

            "print" => write(io::stdout(), &self.text()),
            "complain" => write(io::stderr(), &self.text()),
            "reopen" => write(File::create("/dev/stderr").unwrap(), &self.text()),
            "repeat" => repeat(self.number(), &self.text()),
            "flood" => repeat(usize::MAX, "flood\n"),
            "nonblocking" => rustix::io::ioctl_fionbio(io::stdout(), true).unwrap(),
            "copy" => drop(io::copy(&mut io::stdin(), &mut io::stdout()).unwrap()),
            "show" => print!("{}", std::env::var(self.text()).unwrap()),
            "folder" => print!("{}", std::env::current_dir().unwrap().display()),

            "record" => record(&self.path(), getpid()),
            "record-parent" => record(&self.path(), getppid().unwrap()),
            "await" => await_file(&self.path()),
            "background" => again(["record".into(), self.word(), "sleep".into()]),
            "daemon" => again(["daemonize".into(), self.word()]),
            "daemonize" => {
                setsid().unwrap();
                again(["background".into(), self.word()]);
            }
            "bomb" => bomb(&self.path(), "bomb"),
            "scattering-bomb" => {
                let _ = setsid();
                bomb(&self.path(), "scattering-bomb");
            }
            "comet" => comet(self.number(), &self.path()),
            "eat" => eat(self.number()),

            "write" => fs::write(self.path(), self.text()).unwrap(),
            "try-write" => report(fs::write(self.path(), "")),
            "try-remove" => report(fs::remove_file(self.path())),
            "try-connect" => report(std::net::TcpStream::connect(self.text()).map(drop)),
            "try-signal" => report(kill_process(self.pid(), Signal::CONT).map_err(Into::into)),
            "serve" => report(serve()),
            "remove-folder" => fs::remove_dir_all(std::env::current_dir().unwrap()).unwrap(),
            "lock-folder" => lock_folder(),
            "fail-from" => fail_from(self.number(), &self.path()),

            "be-parent" => be_parent(&self.path(), &self.path()),
            "be-owner" => be_owner(&self.path()),
            "be-widowed" => be_widowed(&self.path(), &self.path()),
            other => panic!("no such command: {other}"),
        }
    }

    fn word(&mut self) -> OsString {
        self.0.next().unwrap()
    }

    fn path(&mut self) -> PathBuf {
        self.word().into()
    }

    fn text(&mut self) -> String {
        self.word().into_string().unwrap()
    }

    fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.text().parse().unwrap()
    }

    fn pid(&mut self) -> Pid {
        Pid::from_raw(self.number()).unwrap()
    }
}

fn write(mut to: impl Write, text: &str) {
    to.write_all(text.as_bytes()).unwrap();
    to.flush().unwrap();
}

fn repeat(times: usize, text: &str) {
    let mut stdout = io::stdout().lock();
    (0..times).for_each(|_| stdout.write_all(text.as_bytes()).unwrap());
}

/// Prints the outcome of an attempt.
fn report(outcome: io::Result<()>) {
    match outcome {
        Ok(()) => println!("done"),
        Err(error) => println!("{:?}", error.kind()),
    }
}

/// Adds a process id to a list.
fn record(list: &Path, pid: Pid) {
    let mut list = File::options().create(true).append(true).open(list).unwrap();
    list.write_all(format!("{}\n", pid.as_raw_nonzero()).as_bytes()).unwrap();
}

fn await_file(path: &Path) {
    while fs::read(path).unwrap_or_default().is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Starts this program again and does not wait for it.
#[allow(clippy::zombie_processes)] // Leaving processes behind is what it is for.
fn again<const N: usize>(script: [OsString; N]) {
    Command::new("/proc/self/exe").args(script).spawn().unwrap();
}

fn bomb(list: &Path, kind: &str) {
    record(list, getpid());
    for _ in 0..2 {
        if fs::read_to_string(list).unwrap().lines().count() < BOMB_SIZE {
            again([kind.into(), list.into()]);
        }
    }
    thread::sleep(LONG);
}

/// A process that ends as soon as it is seen, because a new one has taken its place.
fn comet(lives: usize, list: &Path) {
    setsid().ok();
    if lives > 0 {
        again(["comet".into(), (lives - 1).to_string().into(), list.into()]);
    } else {
        record(list, getpid());
    }
}

fn eat(mebibytes: usize) {
    let food = vec![1u8; mebibytes << 20];
    thread::sleep(LONG);
    assert!(food.iter().all(|byte| *byte == 1));
}

/// Talks to itself over the loopback interface.
fn serve() -> io::Result<()> {
    let server = std::net::TcpListener::bind("127.0.0.1:0")?;
    let mut client = std::net::TcpStream::connect(server.local_addr()?)?;
    server.accept()?.0.write_all(b"x")?;
    client.read_exact(&mut [0])
}

fn lock_folder() {
    fs::create_dir_all("locked/inside").unwrap();
    fs::write("locked/inside/file", "").unwrap();
    for folder in ["locked/inside", "locked", "."] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o000)).unwrap();
    }
}

/// Exits with 1 from the n-th call on; a file counts the calls.
fn fail_from(call: usize, counter: &Path) {
    let calls = fs::read(counter).map_or(0, |calls| calls.len()) + 1;
    fs::write(counter, "x".repeat(calls)).unwrap();
    exit(i32::from(calls >= call));
}

/// Runs a test that leaves processes of all kinds, in a run's folder of its own in `place`.
fn be_parent(place: &Path, list: &Path) {
    let scratch = Scratch::create(&[place.into()], 0).unwrap();
    let slot = scratch.slot(0).unwrap();
    let mut launcher = start(slot.folder());
    let script: [OsString; 8] = [
        "record-parent".into(),
        list.into(),
        "background".into(),
        list.into(),
        "daemon".into(),
        list.into(),
        "record".into(),
        list.into(),
    ];
    let script = script.into_iter().chain(["sleep".into()]).collect();
    launcher.run(Ticket(1), &invocation(script, &slot.candidate()), &limits()).unwrap();
}

/// Makes a run's folder in `place`, prints its path, and keeps it until its input ends.
fn be_owner(place: &Path) {
    let scratch = Scratch::create(&[place.into()], 0).unwrap();
    println!("{}", scratch.folder().display());
    io::copy(&mut io::stdin(), &mut io::sink()).unwrap();
}

/// Like `be_parent`, but its launcher is killed; prints the errors that it gets.
fn be_widowed(place: &Path, list: &Path) {
    adopt_orphans().unwrap();
    let mut launcher = start(&place.join("slot"));
    let mut unharmed = start(&place.join("other"));
    let script: Vec<OsString> = vec![
        "background".into(),
        list.into(),
        "daemon".into(),
        list.into(),
        "record".into(),
        list.into(),
        "sleep".into(),
    ];
    let died = launcher.run(Ticket(1), &invocation(script, place), &limits()).unwrap_err();
    let again = launcher.run(Ticket(2), &invocation(vec![], place), &limits()).unwrap_err();
    let other = unharmed.run(Ticket(1), &invocation(vec![], place), &limits()).unwrap();
    print!("{died}; {again}; {:?}", other.unwrap().ending);
}

fn start(scratch: &Path) -> Launcher {
    let program = "/proc/self/exe".into();
    let settings = Settings { program, scratch: scratch.into(), sandbox: None, file_size: None };
    Launcher::start(&settings).unwrap()
}

fn invocation(args: Vec<OsString>, folder: &Path) -> Invocation {
    let program = std::env::current_exe().unwrap().into();
    Invocation { program, args, folder: folder.into(), env: vec![], stdin: None }
}

fn limits() -> Limits {
    Limits { time: LONG, memory: None, output: 1 << 20, processes: 100 }
}
