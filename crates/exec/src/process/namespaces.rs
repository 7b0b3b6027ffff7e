//! Namespaces that tests enter: a view of the files in which only their own folder can be changed,
//! and a network, IPC objects, a host name and process numbers of their own.
//!
//! A process cannot leave a user namespace again, and the launcher has to stay outside to delete
//! the files of tests. So a helper makes the namespaces: this program again, started with a hidden
//! argument. The launcher opens the helper's namespaces and lets the helper end; every test enters
//! through these descriptors. All tests of a launcher share them; they are gone with the launcher.
//!
//! A process namespace lives as long as its first process, the *keeper*, which the helper leaves
//! behind. A test must not be that process itself, because the kernel keeps signals from it: an
//! `abort` would end it in another way. The keeper adopts the orphans of tests, and ends when no
//! process holds the other end of a pipe any more, however the launcher ended; the kernel then ends
//! everything left in the namespace.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_change};
use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, getegid, geteuid, pidfd_getfd, pidfd_open,
};
use rustix::thread::UnshareFlags;

use super::shared::TABLE;
use super::sys::{self, Forked, Writing};
use super::tree;

/// The argument that makes the program the helper; the folder of the tests follows it.
const ARGUMENT: &str = "--make-namespaces-for-parent";

/// The descriptor in the helper that in the end holds the table of segments: its standard error,
/// which it does not use. Before that it is the end of a pipe that the keeper waits for.
const SEGMENTS: i32 = 2;

/// A kind of namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Network,
    Ipc,
    HostName,
    Files,
    Processes,
}

/// All kinds, in the order in which they are made and entered. Processes come last: their `/proc`
/// is mounted in the view of the files.
const KINDS: [Kind; 5] = [Kind::Network, Kind::Ipc, Kind::HostName, Kind::Files, Kind::Processes];

impl Kind {
    /// Returns the name in `/proc/PID/ns`, and the flag of the system calls.
    fn named(self) -> (&'static str, UnshareFlags) {
        match self {
            Kind::Network => ("net", UnshareFlags::NEWNET),
            Kind::Ipc => ("ipc", UnshareFlags::NEWIPC),
            Kind::HostName => ("uts", UnshareFlags::NEWUTS),
            Kind::Files => ("mnt", UnshareFlags::NEWNS),
            // The helper itself stays where it was.
            Kind::Processes => ("pid_for_children", UnshareFlags::NEWPID),
        }
    }
}

/// Namespaces to enter.
#[derive(Debug, Default)]
pub(super) struct Namespaces {
    /// The descriptors, in the order in which they have to be entered.
    pub(super) entrances: Vec<OwnedFd>,
    /// The table of System V segments in the new IPC namespace, if it is available.
    pub(super) segments: Option<File>,
    /// Keeps the keeper of the process namespace alive, if there is one.
    pub(super) kept: Option<Kept>,
    missing: Vec<(Kind, String)>,
}

/// A process namespace, as long as this lives.
#[derive(Debug)]
pub(super) struct Kept {
    /// The keeper, a child of the launcher.
    pub(super) keeper: i32,
    /// When this is dropped, the keeper ends.
    _life: OwnedFd,
}

impl Namespaces {
    /// Makes the namespaces of these kinds that this machine permits, with a view of the files in
    /// which only `folder` can be changed.
    pub(super) fn make(folder: &Path, wanted: &[Kind]) -> Namespaces {
        Namespaces::try_make(folder, wanted).unwrap_or_else(|error| {
            let missing = wanted.iter().map(|kind| (*kind, error.to_string())).collect();
            Namespaces { missing, ..Namespaces::default() }
        })
    }

    fn try_make(folder: &Path, wanted: &[Kind]) -> io::Result<Namespaces> {
        let names = wanted.iter().map(|kind| kind.named().0);
        let (end, life) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let mut helper = Command::new("/proc/self/exe")
            .arg(ARGUMENT)
            .arg(folder)
            .args(names)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(end))
            .spawn()?;
        let said = helper.stdout.take().map(BufReader::new).map(said);
        let mut namespaces = Namespaces::default();
        let mut outcome = Ok(());
        for (name, why_not) in said.transpose()?.unwrap_or_default() {
            let kind = KINDS.into_iter().find(|kind| kind.named().0 == name);
            match (kind, why_not.as_str()) {
                (Some(kind), why_not) if !why_not.is_empty() => {
                    namespaces.missing.push((kind, why_not.to_owned()));
                }
                _ => match File::open(format!("/proc/{}/ns/{name}", helper.id())) {
                    Ok(entrance) => namespaces.entrances.push(entrance.into()),
                    Err(error) => outcome = Err(error),
                },
            }
        }
        namespaces.segments = segments(&helper);
        if wanted.contains(&Kind::Processes) && namespaces.why_not(Kind::Processes).is_none() {
            let keeper = tree::children(Pid::from_child(&helper).as_raw_nonzero().get()).pop();
            namespaces.kept = keeper.map(|keeper| Kept { keeper, _life: life });
        }
        // The helper ends when its input ends.
        drop(helper.stdin.take());
        let is_well = helper.wait()?.success();
        outcome?;
        match is_well {
            true => Ok(namespaces),
            false => Err(io::Error::other("the helper that makes namespaces failed")),
        }
    }

    /// Returns why a requested namespace is missing; `None` if it is there.
    pub(super) fn why_not(&self, kind: Kind) -> Option<&str> {
        self.missing.iter().find(|(missing, _)| *missing == kind).map(|(_, why)| why.as_str())
    }
}

/// Takes the table of segments from the helper. The file shows the namespace of the process that
/// opens it, so it cannot be opened here.
fn segments(helper: &Child) -> Option<File> {
    let helper = pidfd_open(Pid::from_child(helper), PidfdFlags::empty()).ok()?;
    let taken = pidfd_getfd(helper, SEGMENTS, PidfdGetfdFlags::empty()).ok()?;
    let name = fs::read_link(format!("/proc/self/fd/{}", taken.as_raw_fd())).ok()?;
    (name == Path::new(TABLE)).then(|| taken.into())
}

/// Reads the helper's report: a line for each namespace, with the reason if there is none, and then
/// an empty line.
fn said(mut from: impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Err(io::Error::other("the helper that makes namespaces died"));
        }
        match line.trim_end_matches('\n').split_once('\t') {
            Some((name, why_not)) => all.push((name.to_owned(), why_not.to_owned())),
            None => return Ok(all),
        }
    }
}

/// Does the work of the helper if this process was started for that, and returns the exit status
/// then.
pub(super) fn help_if_asked(mut args: impl Iterator<Item = OsString>) -> Option<i32> {
    args.next().filter(|argument| argument == OsStr::new(ARGUMENT))?;
    let _ = rustix::thread::set_name(c"test-namespaces");
    let folder = PathBuf::from(args.next().unwrap_or_default());
    let wanted: Vec<OsString> = args.collect();
    let is_wanted = |kind: &Kind| wanted.iter().any(|name| name == kind.named().0);
    let kinds: Vec<Kind> = KINDS.into_iter().filter(is_wanted).collect();
    Some(help(&folder, &kinds).map_or(1, |()| 0))
}

/// Makes the namespaces, reports which there are, and waits until the parent has opened them.
fn help(folder: &Path, kinds: &[Kind]) -> io::Result<()> {
    let mut said = String::new();
    let mut made = leave(kinds, &mut said);
    let mut has_view = false;
    for (kind, outcome) in &mut made {
        if outcome.is_ok() && *kind == Kind::Network {
            // Tests that start a server and talk to it need this; without it the network is just as
            // closed.
            let _ = sys::raise_loopback();
        }
        if outcome.is_ok() && *kind == Kind::Files {
            *outcome = protect_files(folder);
            has_view = outcome.is_ok();
        }
        if *kind == Kind::Processes {
            *outcome = match has_view.then(leave_keeper) {
                // This is the keeper, and its work is over.
                Some(Ok(Forked::Child)) => return Ok(()),
                Some(left) => left.map(|_| ()),
                None => Err(io::ErrorKind::Unsupported.into()),
            };
        }
        let why_not = outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
        said.push_str(&format!("{}\t{}\n", kind.named().0, why_not.replace('\n', " ")));
    }
    said.push('\n');
    if let Ok(table) = File::open(TABLE) {
        rustix::stdio::dup2_stderr(table)?;
    }
    io::stdout().write_all(said.as_bytes())?;
    io::stdout().flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Moves this process into namespaces of its own. Without privileges that takes a user namespace,
/// in which the user keeps their numbers; it comes first in the report.
fn leave(kinds: &[Kind], said: &mut String) -> Vec<(Kind, io::Result<()>)> {
    // Processes come later: where they are not permitted, all others may be.
    let now = kinds.iter().filter(|kind| **kind != Kind::Processes);
    let all = now.fold(UnshareFlags::empty(), |all, kind| all | kind.named().1);
    let done = |kinds: &[Kind]| kinds.iter().map(|kind| (*kind, Ok(()))).collect();
    if sys::unshare(all).is_ok() {
        return done(kinds);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    if sys::unshare(UnshareFlags::NEWUSER | all).is_err() {
        let alone = |kind: &Kind| (*kind, sys::unshare(kind.named().1 & all));
        return kinds.iter().map(alone).collect();
    }
    match stay_who_we_are(user, group) {
        Ok(()) => {
            said.push_str("user\t\n");
            done(kinds)
        }
        Err(error) => {
            let failed =
                |kind: &Kind| (*kind, Err(io::Error::new(error.kind(), error.to_string())));
            kinds.iter().map(failed).collect()
        }
    }
}

/// Makes a process namespace with a keeper, and mounts `/proc` as its processes see it. Returns in
/// the keeper as well, when the keeper has to end.
fn leave_keeper() -> io::Result<Forked> {
    // Parts of `/proc` that a container hides must stay hidden.
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    if let Some(place) = places.find(|it| it.starts_with("/proc/") && *it != BINARY_FORMATS) {
        return Err(io::Error::other(format!("there is something mounted at {place}")));
    }
    sys::unshare(UnshareFlags::NEWPID)?;
    let (mut outcome, ready) = io::pipe()?;
    let life = io::stderr().as_fd().try_clone_to_owned()?;
    if sys::fork()? == Forked::Child {
        keep(File::from(life), ready);
        return Ok(Forked::Child);
    }
    drop(ready);
    let mut said = String::new();
    outcome.read_to_string(&mut said)?;
    if said == READY { Ok(Forked::Parent) } else { Err(io::Error::other(said)) }
}

/// A file system with what the kernel knows about kinds of programs; mounting it hides nothing.
const BINARY_FORMATS: &str = "/proc/sys/fs/binfmt_misc";

/// The keeper's report if all is well.
const READY: &str = "ready";

/// Does the work of the keeper: waits until the pipe has ended. The kernel itself reaps the
/// children of a process that ignores their ends.
fn keep(mut life: File, mut ready: io::PipeWriter) {
    let _ = rustix::thread::set_name(c"test-keeper");
    sys::ignore_children();
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let said = match mount("proc", "/proc", "proc", flags, None) {
        Ok(()) => READY.to_owned(),
        Err(error) => format!("/proc cannot be mounted: {error}"),
    };
    let is_told = ready.write_all(said.as_bytes()).is_ok();
    drop(ready);
    if is_told && said == READY {
        let _ = life.read_to_end(&mut Vec::new());
    }
}

/// Gives the user and the group the same numbers in the new user namespace.
fn stay_who_we_are(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Makes a view of all files in which only `folder` can be changed. A read-only mount also protects
/// modes, owners, times and attributes, which Landlock does not.
fn protect_files(folder: &Path) -> io::Result<()> {
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    mount_bind(folder, folder)?;
    sys::set_writing(Path::new("/"), Writing::RefusedBelow)?;
    sys::set_writing(folder, Writing::Allowed)
}
