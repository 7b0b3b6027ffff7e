//! The system calls that have no safe wrapper in `rustix`.
//!
//! Each function here is safe to call from anywhere unless it says otherwise; starting a program
//! is in [`spawn`](super::spawn).

#![allow(unsafe_code)] // The calls below are foreign functions; each says why it is sound.

use std::ffi::CString;
use std::io;
use std::mem;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::thread::UnshareFlags;
use whodunit_run::Ending;

/// A process that ended and was reaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) pid: i32,
    pub(super) ending: Ending,
    /// The resident memory of the largest of the process and the children it waited for, in bytes.
    pub(super) peak_memory: u64,
}

/// Which children to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whom {
    Anyone,
    Pid(i32),
}

/// The outcome of waiting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Waited {
    Reaped(Reaped),
    /// There are such children, and all of them still run.
    Running,
    NoChildren,
}

/// Reaps a child that has ended, without waiting for one to end.
pub(super) fn reap(whom: Whom) -> Waited {
    let pid = match whom {
        Whom::Anyone => -1,
        Whom::Pid(pid) => pid,
    };
    let mut status = 0;
    // SAFETY: all zeros are a valid `rusage`.
    let mut usage: libc::rusage = unsafe { mem::zeroed() };
    // SAFETY: both pointers are valid for the call.
    match unsafe { libc::wait4(pid, &mut status, libc::WNOHANG | libc::__WALL, &mut usage) } {
        0 => Waited::Running,
        pid if pid > 0 => Waited::Reaped(Reaped {
            pid,
            ending: ending(status),
            peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        }),
        // With WNOHANG the only error left is that there are no such children.
        _ => Waited::NoChildren,
    }
}

fn ending(status: i32) -> Ending {
    if libc::WIFSIGNALED(status) {
        return Ending::Signaled(libc::WTERMSIG(status));
    }
    // The kernel keeps only these eight bits of an exit status.
    Ending::Exited((libc::WEXITSTATUS(status) & 0xff) as u8)
}

/// Makes this process ignore the polite signals, and gives its children the defaults for all.
///
/// The polite signals get a handler that does nothing instead of being ignored: ignored signals
/// stay ignored in a program that is started, handled ones go back to the default there, so that
/// tests pay no system call for it. The same holds for SIGPIPE, which Rust ignores. Signals that
/// were ignored when whodunit started (`nohup`, a shell's background job) get their default too:
/// how a test ends must not depend on how whodunit was started. SIGCHLD must not stay ignored in
/// any case, because the kernel would discard the statuses.
pub(super) fn take_signals() {
    extern "C" fn nothing(_: libc::c_int) {}
    let deaf_to = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE];
    for signal in 1..=libc::SIGRTMAX() {
        let handler: extern "C" fn(libc::c_int) = nothing;
        let handler = if deaf_to.contains(&signal) { handler as usize } else { libc::SIG_DFL };
        // SAFETY: all zeros are a valid `sigaction`; the handler does nothing, so it may run at
        // any time. Errors (SIGKILL, SIGSTOP and what the C library keeps) change nothing.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = handler;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// The two processes after a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forked {
    Parent,
    Child,
}

/// Copies this process, which must have one thread.
pub(super) fn fork() -> io::Result<Forked> {
    // SAFETY: with one thread, no lock is held by another one that the child does not have.
    match unsafe { libc::fork() } {
        0 => Ok(Forked::Child),
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Forked::Parent),
    }
}

/// Makes the kernel reap children itself when they end.
pub(super) fn ignore_children() {
    // SAFETY: no handler is set.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Moves this process, which must have one thread, into namespaces of its own.
pub(super) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    // SAFETY: only a new file table (`FILES`) is dangerous; it is never asked for here.
    Ok(unsafe { rustix::thread::unshare_unsafe(namespaces - UnshareFlags::FILES) }?)
}

/// Whether files can be changed through a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Allowed,
    /// Neither through the mount nor through any below it.
    RefusedBelow,
}

/// Sets whether files can be changed through the mount at a path.
pub(super) fn set_writing(path: &Path, writing: Writing) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let (attr_set, attr_clr, flags) = match writing {
        Writing::Allowed => (0, libc::MOUNT_ATTR_RDONLY, 0),
        Writing::RefusedBelow => (libc::MOUNT_ATTR_RDONLY, 0, libc::AT_RECURSIVE),
    };
    let attributes = libc::mount_attr { attr_set, attr_clr, propagation: 0, userns_fd: 0 };
    let size = mem::size_of_val(&attributes);
    // SAFETY: the path ends with a zero byte, and the attributes are valid for the call.
    let done = unsafe {
        let (call, folder) = (libc::SYS_mount_setattr, libc::AT_FDCWD);
        libc::syscall(call, folder, path.as_ptr(), flags, &raw const attributes, size)
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// One more than the number of any capability.
const CAPABILITIES: libc::c_ulong = 64;

/// Keeps the programs that this process starts from getting any capability; this process keeps its
/// own. Does nothing without the privilege to do so.
pub(super) fn empty_bounding_set() {
    for capability in 0..CAPABILITIES {
        // The numbers have no gaps: after the first invalid one there are no others.
        // SAFETY: a system call without pointers.
        if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) } < 0 {
            break;
        }
    }
}

/// Turns on the loopback interface of this network namespace.
pub(super) fn raise_loopback() -> io::Result<()> {
    let socket = std::net::UdpSocket::bind(("0.0.0.0", 0))?;
    // SAFETY: all zeros are a valid `ifreq`, with an empty name.
    let mut request: libc::ifreq = unsafe { mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
    // SAFETY: the request is valid for the call and has the type that SIOCSIFFLAGS reads.
    match unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
