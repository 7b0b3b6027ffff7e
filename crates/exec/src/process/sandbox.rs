//! What tests may touch, enforced by the kernel.
//!
//! Files: Landlock. The rules are made once; every test enters them in its own process before its
//! program starts, so the launcher itself stays free to clean up, and a test can neither signal
//! nor trace the launcher. Network: a namespace of the launcher's own, which has only a loopback
//! interface. What the kernel cannot do is said in [`Enforced`], never passed over.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::process::{getegid, geteuid};
use rustix::thread::{UnshareFlags, set_no_new_privs};

use super::{Enforced, NetworkAccess, Sandbox, sys};

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

/// Prepares the sandbox in the launcher, which has one thread: returns the rules that every test
/// has to enter, and what is enforced.
pub(super) fn prepare(sandbox: &Sandbox) -> (Option<OwnedFd>, Enforced) {
    let mut enforced = Enforced::default();
    let mut missing = Vec::new();
    if sandbox.network == NetworkAccess::Loopback {
        match leave_network() {
            Ok(()) => enforced.network = true,
            Err(error) => missing.push(format!("no network namespace: {error}")),
        }
    }
    let rules = write_rules(&sandbox.writes_below, &mut missing);
    enforced.filesystem = rules.is_some();
    enforced.why_not = (!missing.is_empty()).then(|| missing.join("; "));
    (rules, enforced)
}

/// Makes the rules, and the launcher ready to let its children enter them.
fn write_rules(folder: &Path, missing: &mut Vec<String>) -> Option<OwnedFd> {
    let rules = set_no_new_privs(true)
        .map_err(|error| format!("privileges cannot be given up: {error}"))
        .and_then(|()| PathFd::new(folder).map_err(|error| error.to_string()))
        .and_then(|folder| {
            landlock_rules(folder, DEVICES)
                .map_err(|error| format!("Landlock cannot refuse writes here: {error}"))
        })
        .and_then(|rules| {
            Option::from(rules).ok_or_else(|| "this kernel has no Landlock".to_owned())
        });
    rules.map_err(|reason| missing.push(reason)).ok()
}

fn landlock_rules(
    folder: PathFd,
    devices: impl IntoIterator<Item: AsRef<Path>>,
) -> Result<RulesetCreated, RulesetError> {
    let writing = AccessFs::from_write(COMPLETE);
    let on_files: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(writing)?
        .set_compatibility(CompatLevel::BestEffort)
        // Newer kernels also keep tests from signalling processes that are not theirs.
        .scope(Scope::Signal)?
        .create()?
        .add_rule(PathBeneath::new(folder, writing))?;
    for device in devices {
        if let Ok(device) = PathFd::new(device) {
            rules = rules.add_rule(PathBeneath::new(device, on_files))?;
        }
    }
    Ok(rules)
}

/// Moves the launcher into a network namespace; without privileges that takes a user namespace,
/// in which the user stays who they are.
fn leave_network() -> io::Result<()> {
    if sys::unshare(UnshareFlags::NEWNET).is_err() {
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        sys::unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNET)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    // Tests that start a server and talk to it need this; a network without it is no less closed.
    let _ = sys::raise_loopback();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Landlock restricts the thread that asks for it, so this one is gone when the test is over.
    fn in_sandbox(folder: &Path, device: &Path, work: impl FnOnce() + Send) {
        let rules = landlock_rules(PathFd::new(folder).unwrap(), [device]).unwrap();
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
