//! What tests may touch, enforced by the kernel.
//!
//! Five means, each for what the others do not see: Landlock refuses writes outside the folder and
//! signals to other processes; [namespaces](super::namespaces) have a read-only view of all other
//! files, a network and IPC objects of their own; a [filter](super::syscalls) refuses system calls;
//! privileges are dropped. All of it is prepared once and entered by every test in its own process
//! before its program starts, so the launcher itself stays free to clean up. What this machine cannot
//! do is said in [`Enforced`], never passed over.

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::thread::set_no_new_privs;
use seccompiler::BpfProgram;

use super::namespaces::{Kind, Namespaces};
use super::syscalls::{self, Filtering, Sockets};
use super::{Enforced, Missing, NetworkAccess, Protection, Sandbox, sys};

/// Devices that programs write to as a matter of course; the folder is the terminals'.
///
/// A rule for a file gives no right to remove it: that is a right on the folder it is in. So the
/// null device survives a compiler that runs as root and removes its output file on failure.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// The first Landlock version that can refuse every way to change a file (`truncate` was missing).
const COMPLETE: ABI = ABI::V3;

/// What every test enters before its program starts.
#[derive(Debug, Default)]
pub(super) struct Confinement {
    /// The Landlock rules.
    pub(super) rules: Option<OwnedFd>,
    /// Namespaces, in the order in which they are entered.
    pub(super) namespaces: Vec<OwnedFd>,
    /// The filter for system calls; empty if there is none.
    pub(super) filter: BpfProgram,
}

/// Prepares the sandbox in the launcher, which has one thread: returns what every test has to enter,
/// and what that enforces.
pub(super) fn prepare(sandbox: &Sandbox) -> (Confinement, Enforced) {
    let mut enforced = Enforced::default();
    let folder = &sandbox.writes_below;
    // Without this neither rules nor a filter can be entered, and programs could get privileges.
    let privileges = set_no_new_privs(true).map_err(|error| error.to_string());
    enforced.note(Protection::Privileges, privileges);

    let is_closed = sandbox.network == NetworkAccess::Loopback;
    let mut kinds = vec![Kind::Ipc, Kind::HostName, Kind::Files];
    if is_closed {
        kinds.push(Kind::Network);
    }
    let namespaces = Namespaces::make(folder, &kinds);
    let filtering = Filtering {
        sockets: match (is_closed, namespaces.why_not(Kind::Network)) {
            (false, _) => Sockets::Any,
            (true, None) => Sockets::Internet,
            (true, Some(_)) => Sockets::None,
        },
        refuses_ipc: namespaces.why_not(Kind::Ipc).is_some(),
    };
    let filter = match sys::has_filters() {
        true => syscalls::filter(filtering),
        false => Err("this kernel has no filters for system calls".to_owned()),
    };
    let filtered = filter.as_ref().map(|_| ()).map_err(Clone::clone);
    if is_closed {
        enforced.note(Protection::Network, filtered.clone());
    }
    enforced.note(Protection::Ipc, filtered.clone());
    let metadata = namespaces
        .why_not(Kind::Files)
        .map_or(Ok(()), |why_not| Err(format!("no view of the files of their own: {why_not}")));
    enforced.note(Protection::Metadata, metadata);

    let (rules, signals) = landlock(folder);
    enforced.note(Protection::Processes, signals.and(filtered));
    let rules = rules.map_err(|why_not| enforced.note(Protection::Files, Err(why_not))).ok();
    if rules.is_some() {
        enforced.note(Protection::Files, Ok(()));
    }
    let filter = filter.unwrap_or_default();
    (Confinement { rules, namespaces: namespaces.entrances, filter }, enforced)
}

impl Enforced {
    fn note(&mut self, protection: Protection, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.kept.push(protection),
            Err(why) => self.missing.push(Missing { protection, why }),
        }
    }
}

/// Returns the Landlock rules, and whether they also keep tests from signalling other processes.
fn landlock(folder: &Path) -> (Result<OwnedFd, String>, Result<(), String>) {
    let create = |signals| {
        let folder = PathFd::new(folder).map_err(|error| error.to_string())?;
        let rules = landlock_rules(folder, DEVICES, signals)
            .map_err(|error| format!("Landlock cannot refuse writes here: {error}"))?;
        Option::from(rules).ok_or_else(|| "this kernel has no Landlock".to_owned())
    };
    if let Ok(rules) = create(Signals::Refused) {
        return (Ok(rules), Ok(()));
    }
    let why_not = "Landlock cannot refuse signals here (this needs Linux 6.12)".to_owned();
    (create(Signals::Allowed), Err(why_not))
}

/// Whether tests may signal processes that are not theirs.
#[derive(Clone, Copy)]
enum Signals {
    Refused,
    Allowed,
}

fn landlock_rules(
    folder: PathFd,
    devices: impl IntoIterator<Item: AsRef<Path>>,
    signals: Signals,
) -> Result<RulesetCreated, RulesetError> {
    let writing = AccessFs::from_write(COMPLETE);
    // A device node in the folder would be the machine's disk.
    let in_folder = writing & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    let on_files: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(writing)?;
    if matches!(signals, Signals::Refused) {
        rules = rules.scope(Scope::Signal | Scope::AbstractUnixSocket)?;
    }
    let mut rules = rules.create()?.add_rule(PathBeneath::new(folder, in_folder))?;
    for device in devices {
        if let Ok(device) = PathFd::new(device) {
            rules = rules.add_rule(PathBeneath::new(device, on_files))?;
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::*;

    /// Landlock restricts the thread that asks for it, so this one is gone when the test is over.
    fn in_sandbox(folder: &Path, device: &Path, work: impl FnOnce() + Send) {
        let rules =
            landlock_rules(PathFd::new(folder).unwrap(), [device], Signals::Allowed).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                rules.restrict_self().unwrap();
                work();
            });
        });
    }

    #[test]
    fn a_device_can_be_written_but_not_removed_or_replaced() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        let device = outside.path().join("device");
        fs::write(&device, "old").unwrap();
        in_sandbox(inside.path(), &device, || {
            let other = inside.path().join("other");
            fs::write(&device, "new").unwrap();
            fs::write(&other, "").unwrap();
            let refused = |outcome: io::Result<()>| {
                let kind = outcome.unwrap_err().kind();
                assert!(matches!(
                    kind,
                    io::ErrorKind::PermissionDenied | io::ErrorKind::CrossesDevices
                ));
            };
            refused(fs::remove_file(&device));
            refused(fs::rename(&device, inside.path().join("stolen")));
            refused(fs::rename(&other, &device));
        });
        assert_eq!(fs::read_to_string(&device).unwrap(), "new");
    }
}
