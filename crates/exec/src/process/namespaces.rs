//! Namespaces that tests enter: a view of the files in which only their own folder can be changed,
//! and a network, IPC objects and a host name of their own.
//!
//! A process that has gone into a user namespace cannot come back, and the launcher has to stay
//! outside to delete what tests leave. So a helper makes the namespaces: this program again, started
//! with a hidden argument. The launcher opens what the helper made, lets it go, and every test enters
//! through these descriptors. All tests of a launcher share them; they are gone with the launcher.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::mount::{MountPropagationFlags, mount_bind, mount_change};
use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, getegid, geteuid, pidfd_getfd, pidfd_open,
};
use rustix::thread::UnshareFlags;

use super::shared::TABLE;
use super::sys::{self, Writing};

/// The argument that makes the program the helper; the folder of the tests follows it.
const ARGUMENT: &str = "--make-namespaces-for-parent";

/// The descriptor in the helper that holds the table of segments: its standard error, on which it has
/// nothing to say.
const SEGMENTS: i32 = 2;

/// A kind of namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Network,
    Ipc,
    HostName,
    Files,
}

/// In the order in which they are entered. The view of the files comes last: entering it changes the
/// current folder.
const KINDS: [Kind; 4] = [Kind::Network, Kind::Ipc, Kind::HostName, Kind::Files];

impl Kind {
    /// Returns the name in `/proc/PID/ns`, and the flag of the system calls.
    fn named(self) -> (&'static str, UnshareFlags) {
        match self {
            Kind::Network => ("net", UnshareFlags::NEWNET),
            Kind::Ipc => ("ipc", UnshareFlags::NEWIPC),
            Kind::HostName => ("uts", UnshareFlags::NEWUTS),
            Kind::Files => ("mnt", UnshareFlags::NEWNS),
        }
    }
}

/// Namespaces to enter.
#[derive(Debug, Default)]
pub(super) struct Namespaces {
    /// In the order in which they have to be entered.
    pub(super) entrances: Vec<OwnedFd>,
    /// The table of System V segments in the new IPC namespace, if it can be had.
    pub(super) segments: Option<File>,
    missing: Vec<(Kind, String)>,
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
        let mut helper = Command::new("/proc/self/exe")
            .arg(ARGUMENT)
            .arg(folder)
            .args(names)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
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
        // The end of its input lets it go.
        drop(helper.stdin.take());
        let is_well = helper.wait()?.success();
        outcome?;
        match is_well {
            true => Ok(namespaces),
            false => Err(io::Error::other("the helper that makes namespaces failed")),
        }
    }

    /// Returns why there is no namespace of a kind that was asked for; nothing if there is one.
    pub(super) fn why_not(&self, kind: Kind) -> Option<&str> {
        self.missing.iter().find(|(missing, _)| *missing == kind).map(|(_, why)| why.as_str())
    }
}

/// Takes the table of segments from the helper. Whoever opens the file sees their own namespace, so it
/// cannot be opened from here.
fn segments(helper: &Child) -> Option<File> {
    let helper = pidfd_open(Pid::from_child(helper), PidfdFlags::empty()).ok()?;
    let taken = pidfd_getfd(helper, SEGMENTS, PidfdGetfdFlags::empty()).ok()?;
    let name = fs::read_link(format!("/proc/self/fd/{}", taken.as_raw_fd())).ok()?;
    (name == Path::new(TABLE)).then(|| taken.into())
}

/// Reads what the helper says: a line for each namespace, with the reason if there is none, and then
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

/// Does the work of the helper if that is what this process was started for with these arguments.
/// Returns the status to exit with then.
pub(super) fn help_if_asked(mut args: impl Iterator<Item = OsString>) -> Option<i32> {
    args.next().filter(|argument| argument == OsStr::new(ARGUMENT))?;
    let _ = rustix::thread::set_name(c"test-namespaces");
    let folder = PathBuf::from(args.next().unwrap_or_default());
    let wanted: Vec<OsString> = args.collect();
    let is_wanted = |kind: &Kind| wanted.iter().any(|name| name == kind.named().0);
    let kinds: Vec<Kind> = KINDS.into_iter().filter(is_wanted).collect();
    Some(help(&folder, &kinds).map_or(1, |()| 0))
}

/// Makes the namespaces, says which there are, and waits until the parent has opened them.
fn help(folder: &Path, kinds: &[Kind]) -> io::Result<()> {
    let mut said = String::new();
    let mut made = leave(kinds, &mut said);
    for (kind, outcome) in &mut made {
        if outcome.is_ok() && *kind == Kind::Network {
            // Tests that start a server and talk to it need this; a network without it is no less
            // closed.
            let _ = sys::raise_loopback();
        }
        if outcome.is_ok() && *kind == Kind::Files {
            *outcome = protect_files(folder);
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

/// Moves this process into namespaces of its own. Without privileges that takes a user namespace, in
/// which the user stays who they are; it is named first in what is said.
fn leave(kinds: &[Kind], said: &mut String) -> Vec<(Kind, io::Result<()>)> {
    let all = kinds.iter().fold(UnshareFlags::empty(), |all, kind| all | kind.named().1);
    let done = |kinds: &[Kind]| kinds.iter().map(|kind| (*kind, Ok(()))).collect();
    if sys::unshare(all).is_ok() {
        return done(kinds);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    if sys::unshare(UnshareFlags::NEWUSER | all).is_err() {
        return kinds.iter().map(|kind| (*kind, sys::unshare(kind.named().1))).collect();
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

/// Gives the user and the group the same numbers in the new user namespace.
fn stay_who_we_are(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Makes a view of all files in which only `folder` can be changed. Modes, owners, times and
/// attributes cannot be changed in a read-only mount, which Landlock does not see to.
fn protect_files(folder: &Path) -> io::Result<()> {
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    mount_bind(folder, folder)?;
    sys::set_writing(Path::new("/"), Writing::RefusedBelow)?;
    sys::set_writing(folder, Writing::Allowed)
}
