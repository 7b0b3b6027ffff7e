//! Enters the sandbox in the process of a test, before its program starts.
//!
//! The child shares the launcher's memory at that moment, so there are system calls only here: no
//! allocation, no panic.

#![allow(unsafe_code)] // System calls that have no safe wrapper; each says why it is sound.

use std::ffi::c_int;
use std::os::fd::AsRawFd;

use super::sandbox::Confinement;

/// The parts of the sandbox that the child enters. It borrows descriptors by number from a
/// [`Confinement`], which has to live as long.
pub(super) struct Entrance {
    /// Descriptors of namespaces, in order.
    namespaces: Vec<c_int>,
    /// The number that makes the filter let a process into a namespace.
    pass: u64,
    drops_privileges: bool,
    /// Whether one of the namespaces is of processes. Only the children of a process that enters it
    /// are in it, not the process itself.
    pub(super) has_processes: bool,
    /// A descriptor, or -1 for no rules.
    ruleset: c_int,
}

/// The part of the sandbox that could not be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hurdle {
    Namespaces,
    Privileges,
    Rules,
}

impl Hurdle {
    /// Returns what failed, in words.
    pub(super) fn failed(self) -> &'static str {
        match self {
            Hurdle::Namespaces => "namespaces cannot be entered here",
            Hurdle::Privileges => "capabilities cannot be given up here",
            Hurdle::Rules => "Landlock rules cannot be entered here",
        }
    }
}

/// The capability sets of a process as `capset` takes them: all empty.
#[repr(C)]
struct NoCapabilities {
    version: u32,
    pid: c_int,
    /// Effective, permitted and inheritable ones, twice 32 bits of each.
    sets: [u32; 6],
}

/// The current version of the structure above, which has 64 bits in each set.
const CAPABILITY_VERSION: u32 = 0x2008_0522;

/// The securebits `SECBIT_NOROOT` and `SECBIT_NOROOT_LOCKED` of the kernel: programs that root
/// starts get no capabilities for being root's, and nothing can change that.
const ROOT_IS_NOBODY: libc::c_ulong = 3;

impl Entrance {
    pub(super) fn to(confinement: &Confinement) -> Entrance {
        Entrance {
            namespaces: confinement.namespaces.iter().map(AsRawFd::as_raw_fd).collect(),
            pass: confinement.pass,
            drops_privileges: confinement.drops_privileges,
            has_processes: confinement.kept.is_some(),
            ruleset: confinement.rules.as_ref().map_or(-1, AsRawFd::as_raw_fd),
        }
    }

    /// Enters the namespaces.
    pub(super) fn enter_namespaces(&self) -> Result<(), Hurdle> {
        for namespace in &self.namespaces {
            // SAFETY: a system call without pointers.
            if unsafe { libc::syscall(libc::SYS_setns, *namespace, 0, self.pass) } < 0 {
                return Err(Hurdle::Namespaces);
            }
        }
        Ok(())
    }

    /// Gives up every privilege.
    ///
    /// Programs that are started cannot get privileges back: the launcher has forbidden that for
    /// everything it starts, and has emptied the bounding set where it may. A user namespace comes
    /// with a new bounding set; there the securebits have the same effect.
    pub(super) fn drop_privileges(&self) -> Result<(), Hurdle> {
        let none = NoCapabilities { version: CAPABILITY_VERSION, pid: 0, sets: [0; 6] };
        if !self.drops_privileges {
            return Ok(());
        }
        // SAFETY: the structure is what the system call reads. Without the privilege to set the
        // securebits there are no capabilities to give up.
        let done = unsafe {
            libc::prctl(libc::PR_SET_SECUREBITS, ROOT_IS_NOBODY, 0, 0, 0);
            libc::syscall(libc::SYS_capset, &raw const none, &raw const none.sets)
        };
        if done == 0 { Ok(()) } else { Err(Hurdle::Privileges) }
    }

    /// Enters the Landlock rules.
    pub(super) fn enter_rules(&self) -> Result<(), Hurdle> {
        // SAFETY: a system call without pointers.
        let is_in = self.ruleset < 0
            || unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.ruleset, 0) } == 0;
        if is_in { Ok(()) } else { Err(Hurdle::Rules) }
    }
}
