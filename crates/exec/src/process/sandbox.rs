//! Confines tests to permitted files and actions, enforced by the kernel.
//!
//! Five means, each for what the others miss: Landlock refuses writes outside the folder and signals to
//! other processes; [namespaces](super::namespaces) have a read-only view of all other files, and a
//! network, IPC objects and processes of their own; a [filter](super::syscalls) refuses system calls;
//! privileges are dropped.
//!
//! All of it is prepared once. The launcher itself enters the filter and empties the bounding set of
//! capabilities. Neither keeps it from cleaning up, and both would cost a quarter of a millisecond in
//! every test (the kernel compiles a filter each time). The rest costs every test some 100 microseconds,
//! most of it for one more process if there is a process namespace: it is [entered](super::entrance) in
//! the test's own process before its program starts, so the launcher stays free. `bench sandbox` measures
//! the cost. [`Enforced`] names every protection that this machine lacks. Only a missing process
//! namespace is not reported: what it would refuse is refused by other means as well.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::thread::set_no_new_privs;

use super::entrance::Hurdle;
use super::namespaces::{Kept, Kind, Namespaces};
use super::syscalls::{self, Filtering, Sockets};
use super::{Enforced, Missing, NetworkAccess, Protection, Sandbox, sys, tree};

/// Devices that programs normally write to; the folder holds the terminals.
///
/// A rule for a file gives no right to remove it: that is a right on its folder. So the null device
/// survives a compiler that runs as root and removes its output file on failure.
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

/// The parts of the sandbox that every test enters before its program starts.
#[derive(Debug, Default)]
pub(super) struct Confinement {
    /// The Landlock rules.
    pub(super) rules: Option<OwnedFd>,
    /// Namespaces, in the order in which they are entered.
    pub(super) namespaces: Vec<OwnedFd>,
    /// [`Filtering::pass`], without which no namespace can be entered.
    pub(super) pass: u64,
    /// Whether tests give up their capabilities.
    pub(super) drops_privileges: bool,
    /// The table of the System V segments that tests make; `None` if they share it with others.
    pub(super) segments: Option<File>,
    /// The process namespace of the tests, if they have one.
    pub(super) kept: Option<Kept>,
}

/// Prepares the sandbox in the launcher, which has one thread: returns the parts that every test
/// has to enter, and the protections that they enforce.
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
    if tree::has_children_files() {
        kinds.push(Kind::Processes);
    }
    let namespaces = Namespaces::make(folder, &kinds);
    // Only now, because the helper that makes namespaces needs the capabilities.
    sys::empty_bounding_set();
    let metadata = namespaces
        .why_not(Kind::Files)
        .map_or(Ok(()), |why_not| Err(format!("no view of the files of their own: {why_not}")));
    enforced.note(Protection::Metadata, metadata);

    let (rules, signals) = landlock(folder);
    let pass = RandomState::new().hash_one(folder);
    let filtered = enter_filter(is_closed, &namespaces, pass);
    if is_closed {
        enforced.note(Protection::Network, filtered.clone());
    }
    enforced.note(Protection::Ipc, filtered.clone());
    enforced.note(Protection::Processes, signals.and(filtered));
    let rules = rules.map_err(|why_not| enforced.note(Protection::Files, Err(why_not))).ok();
    if rules.is_some() {
        enforced.note(Protection::Files, Ok(()));
    }
    let Namespaces { entrances: namespaces, segments, kept, .. } = namespaces;
    tree::keeper_is(kept.as_ref().map(|kept| kept.keeper));
    (Confinement { rules, namespaces, pass, drops_privileges: true, segments, kept }, enforced)
}

/// Makes the launcher, and so all its tests, enter the filter for system calls.
fn enter_filter(is_closed: bool, namespaces: &Namespaces, pass: u64) -> Result<(), String> {
    let filtering = Filtering {
        sockets: match (is_closed, namespaces.why_not(Kind::Network)) {
            (false, _) => Sockets::Any,
            (true, None) => Sockets::Internet,
            (true, Some(_)) => Sockets::None,
        },
        refuses_ipc: namespaces.why_not(Kind::Ipc).is_some(),
        pass,
    };
    let filter = syscalls::filter(filtering)?;
    let no_filters = |error| format!("this kernel takes no filter for system calls: {error}");
    seccompiler::apply_filter(&filter).map_err(no_filters)
}

impl Confinement {
    /// Leaves out the parts that tests cannot enter here, and notes the protections that are lost.
    pub(super) fn leave_out(&mut self, hurdle: Hurdle, enforced: &mut Enforced) {
        let lost: &[Protection] = match hurdle {
            Hurdle::Namespaces => {
                self.namespaces.clear();
                self.kept = None;
                tree::keeper_is(None);
                &[Protection::Metadata, Protection::Network, Protection::Ipc]
            }
            Hurdle::Rules => {
                self.rules = None;
                &[Protection::Files, Protection::Processes]
            }
            Hurdle::Privileges => {
                self.drops_privileges = false;
                &[Protection::Privileges]
            }
        };
        enforced.lose(lost, hurdle.failed());
    }
}

impl Enforced {
    fn note(&mut self, protection: Protection, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.kept.push(protection),
            Err(why) => self.missing.push(Missing { protection, why }),
        }
    }

    /// Moves protections from `kept` to `missing`.
    fn lose(&mut self, lost: &[Protection], why: &str) {
        let (lost, kept) = self.kept.iter().partition(|kept| lost.contains(kept));
        self.kept = kept;
        let missing = |protection| Missing { protection, why: why.to_owned() };
        let lost: Vec<Protection> = lost;
        self.missing.extend(lost.into_iter().map(missing));
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
    // A device node in the folder could be the machine's disk.
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

    /// Landlock restricts the thread that asks for it, so the work gets a thread of its own.
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
