//! Starts one test, as fast as the kernel can.
//!
//! `std::process` sets a parent-death signal only through `pre_exec`, which makes it fork; that
//! costs a fifth of the whole life of a short test. So the launcher calls `clone` like
//! `posix_spawn` (memory shared, the launcher waits until the program runs), which copies nothing,
//! reports failures through that shared memory, and gives the pidfd in the same call.

#![allow(unsafe_code)] // `clone`, and what may happen between it and `execve`; nothing else.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;
use std::{ptr, thread};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process, pidfd_open, waitid,
};

use super::entrance::{Entrance, Hurdle};
use super::sandbox::Confinement;
use super::wire::Failure;
use super::{Enforced, Invocation};

/// Bytes: more than a child needs for a few system calls, in debug builds too.
const STACK: usize = 64 * 1024;

/// One stack for the child that enters a process namespace, and one for its child there.
const STACKS: usize = 2;

/// The folders in which programs are searched if the test has no `PATH`, as by `execvp`.
const DEFAULT_PATH: &[u8] = b"/bin:/usr/bin";

/// How many times to retry a program that another process is just closing (`ETXTBSY`).
const BUSY_RETRIES: u32 = 6;

/// Starts programs in the launcher's environment.
pub(super) struct Spawner {
    /// The launcher's own environment. It is passed on; only `PATH` is interpreted.
    environment: Vec<(OsString, CString)>,
    /// The sandbox that every test enters; `None` if there is none.
    confinement: Option<Confinement>,
    /// For [`STACKS`] children at once.
    stacks: Box<[u8]>,
    me: libc::pid_t,
}

/// A test that was started. It leads a process group of its own.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) pid: i32,
    /// Readable when the test's first process has ended.
    pub(super) pidfd: OwnedFd,
}

impl Spawner {
    pub(super) fn new(confinement: Option<Confinement>) -> Spawner {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.clone(), assignment(&name, &value)?)))
            .collect();
        let me = rustix::process::getpid().as_raw_nonzero().get();
        Spawner { environment, confinement, stacks: vec![0; STACKS * STACK].into_boxed_slice(), me }
    }

    /// Enters the sandbox once without starting a program. Parts that cannot be entered are left
    /// out for all tests and noted as missing.
    pub(super) fn try_sandbox(&mut self, folder: &Path, enforced: &mut Enforced) {
        let Ok(folder) = CString::new(folder.as_os_str().as_bytes()) else { return };
        // With no path to execute, the child gets as far as looking for its program.
        let nothing = Strings { paths: vec![], args: vec![], env: vec![], folder };
        while let Err((Step::Sandbox(hurdle), _)) = self.clone(&nothing, None)
            && let Some(confinement) = &mut self.confinement
        {
            confinement.leave_out(hurdle, enforced);
        }
    }

    /// Starts a test; its output goes where the launcher's goes.
    pub(super) fn spawn(&mut self, invocation: &Invocation) -> Result<Spawned, Failure> {
        let stdin = invocation.stdin.as_ref().map(File::open).transpose();
        let stdin = stdin.map_err(|error| Failure::Stdin(error.raw_os_error().unwrap_or(0)))?;
        let strings = Strings::new(self, invocation).ok_or(Failure::Program(libc::EINVAL))?;
        for attempt in 0.. {
            match self.clone(&strings, stdin.as_ref()) {
                Err((Step::Program, libc::ETXTBSY)) if attempt < BUSY_RETRIES => {
                    thread::sleep(Duration::from_millis(1 << attempt));
                }
                outcome => return outcome.map_err(|(step, errno)| step.failure(errno)),
            }
        }
        unreachable!("the last attempt returns")
    }

    fn clone(&mut self, strings: &Strings, stdin: Option<&File>) -> Result<Spawned, (Step, c_int)> {
        let (paths, argv, envp) =
            (pointers(&strings.paths), pointers(&strings.args), pointers(&strings.env));
        let entrance = self.confinement.as_ref().map(Entrance::to);
        // SAFETY: both tops are in the slice, or at its end.
        let [top, inner_top] = unsafe {
            let end = self.stacks.as_mut_ptr().add(STACKS * STACK);
            [end, end.sub(STACK)].map(|top| top.sub(top.addr() & 15).cast::<c_void>())
        };
        let has_processes = entrance.as_ref().is_some_and(|entrance| entrance.has_processes);
        let mut order = Order {
            paths: paths.as_ptr(),
            argv: argv.as_ptr(),
            envp: envp.as_ptr(),
            folder: strings.folder.as_ptr(),
            stdin: stdin.map_or(-1, AsRawFd::as_raw_fd),
            entrance: entrance.as_ref(),
            parent: self.me,
            inner_stack: if has_processes { inner_top } else { ptr::null_mut() },
            inner: None,
            failed: None,
        };
        let mut pidfd: c_int = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: the child runs `obey` on a stack of its own, which the exclusive borrow keeps
        // from others, and reads `order`, whose pointers stay valid: CLONE_VFORK stops this
        // process, which has one thread, until the child has left the shared memory.
        let pid = unsafe { libc::clone(obey, top, flags, (&raw mut order).cast(), &raw mut pidfd) };
        if pid < 0 {
            return Err((Step::Start, errno()));
        }
        if pidfd < 0 {
            kill_and_reap(pid);
            return Err((Step::Watch, libc::ENOSYS));
        }
        // SAFETY: the kernel has just made this descriptor for us.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        if order.failed.is_some() || order.inner.is_some() {
            // CLONE_VFORK resumes us when the child is exiting, which may be before it can be
            // reaped.
            let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
        }
        let inner = order.inner.and_then(Pid::from_raw);
        match (order.failed, inner) {
            (None, None) => Ok(Spawned { pid, pidfd }),
            (None, Some(inner)) => match pidfd_open(inner, PidfdFlags::empty()) {
                Ok(pidfd) => Ok(Spawned { pid: inner.as_raw_nonzero().get(), pidfd }),
                Err(error) => {
                    kill_and_reap(inner.as_raw_nonzero().get());
                    Err((Step::Watch, error.raw_os_error()))
                }
            },
            (Some(failed), inner) => {
                if let Some(inner) = inner {
                    let _ = waitid(WaitId::Pid(inner), WaitIdOptions::EXITED);
                }
                Err(failed)
            }
        }
    }

    fn variable(&self, invocation: &Invocation, wanted: &str) -> Option<Vec<u8>> {
        let added = invocation.env.iter().rev().find(|(name, _)| name == wanted);
        if let Some((_, value)) = added {
            return Some(value.as_bytes().to_vec());
        }
        let (_, entry) = self.environment.iter().find(|(name, _)| name == wanted)?;
        Some(entry.as_bytes()[wanted.len() + 1..].to_vec())
    }
}

/// Ends a child on a kernel too old to give a descriptor for it.
fn kill_and_reap(pid: libc::pid_t) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, Signal::KILL);
        let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
    }
}

/// All strings that the child needs, as C strings.
struct Strings {
    /// The paths to try to execute, in order.
    paths: Vec<CString>,
    args: Vec<CString>,
    env: Vec<CString>,
    folder: CString,
}

impl Strings {
    /// Returns `None` if a string holds a zero byte.
    fn new(spawner: &Spawner, invocation: &Invocation) -> Option<Strings> {
        let program = invocation.program.as_bytes();
        let args = std::iter::once(&invocation.program).chain(&invocation.args);
        let kept = spawner
            .environment
            .iter()
            .filter(|(name, _)| !invocation.env.iter().any(|(replaced, _)| replaced == name));
        let added = invocation.env.iter().map(|(name, value)| assignment(name, value));
        Some(Strings {
            paths: if program.contains(&b'/') || program.is_empty() {
                vec![CString::new(program).ok()?]
            } else {
                let path = spawner.variable(invocation, "PATH");
                candidates(program, path.as_deref().unwrap_or(DEFAULT_PATH))?
            },
            args: args.map(|arg| CString::new(arg.as_bytes()).ok()).collect::<Option<_>>()?,
            env: kept.map(|(_, entry)| Some(entry.clone())).chain(added).collect::<Option<_>>()?,
            folder: CString::new(invocation.folder.as_os_str().as_bytes()).ok()?,
        })
    }
}

fn assignment(name: &OsStr, value: &OsStr) -> Option<CString> {
    CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()).ok()
}

/// Returns the program in every folder of the path; an empty entry is the current folder.
fn candidates(program: &[u8], path: &[u8]) -> Option<Vec<CString>> {
    path.split(|byte| *byte == b':')
        .map(|folder| if folder.is_empty() { b"." } else { folder })
        .map(|folder| CString::new([folder, b"/", program].concat()).ok())
        .collect()
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// The orders for the child, and its report of where it failed.
struct Order<'a> {
    /// This and the next two end with a null pointer.
    paths: *const *const c_char,
    argv: *const *const c_char,
    envp: *const *const c_char,
    folder: *const c_char,
    /// A descriptor, or -1 to keep the launcher's, which is the null device.
    stdin: c_int,
    /// The sandbox, if there is one.
    entrance: Option<&'a Entrance>,
    parent: libc::pid_t,
    /// The top of a stack for a child of the child, in the new process namespace; null if there is
    /// no such namespace.
    inner_stack: *mut c_void,
    /// The child of the child, if there is one; it runs the program.
    inner: Option<libc::pid_t>,
    failed: Option<(Step, c_int)>,
}

#[derive(Clone, Copy)]
enum Step {
    Start,
    Watch,
    Stdin,
    Folder,
    Sandbox(Hurdle),
    Program,
    /// The launcher died meanwhile; this is never read.
    Orphaned,
}

impl Step {
    fn failure(self, errno: i32) -> Failure {
        let launcher = |action: &str| Failure::Launcher { action: action.into(), errno };
        match self {
            Step::Start => launcher("start a process"),
            Step::Watch => launcher("watch a process (this needs Linux 5.3)"),
            Step::Stdin => Failure::Stdin(errno),
            Step::Folder => Failure::Folder(errno),
            Step::Program => Failure::Program(errno),
            Step::Sandbox(hurdle) => launcher(&format!("enter the sandbox ({})", hurdle.failed())),
            Step::Orphaned => launcher("stay alive"),
        }
    }
}

/// Runs in the child, in the launcher's memory: system calls only, no allocation, no panic.
extern "C" fn obey(order: *mut c_void) -> c_int {
    // SAFETY: `Spawner::clone` passes an `Order` that nobody else uses until this child has gone
    // into its program or exited.
    unsafe {
        let pointer = order;
        let order = pointer.cast::<Order<'_>>();
        if let Some(entrance) = (*order).entrance
            && let Err(hurdle) = entrance.enter_namespaces()
        {
            (*order).failed = Some((Step::Sandbox(hurdle), errno()));
            libc::_exit(127)
        }
        if (*order).inner_stack.is_null() {
            obey_inside(pointer);
        }
        // This makes the inner child a child of the launcher, like this one. This one waits until
        // it has left the shared memory.
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT | libc::SIGCHLD;
        match libc::clone(obey_inside, (*order).inner_stack, flags, pointer) {
            -1 => (*order).failed = Some((Step::Start, errno())),
            inner => (*order).inner = Some(inner),
        }
        libc::_exit(0)
    }
}

/// Runs in the namespaces of the test, in the launcher's memory like [`obey`].
extern "C" fn obey_inside(order: *mut c_void) -> c_int {
    // SAFETY: as for `obey`, which waits for this one or is it.
    unsafe {
        let order = &mut *order.cast::<Order<'_>>();
        order.failed = Some(prepare_and_execute(order));
        libc::_exit(127)
    }
}

/// Returns only if something failed.
///
/// # Safety
///
/// The pointers in the order must be valid, and the caller must be the child.
unsafe fn prepare_and_execute(order: &Order<'_>) -> (Step, c_int) {
    // SAFETY: system calls with valid pointers.
    unsafe {
        libc::setpgid(0, 0);
        if let Some(entrance) = order.entrance
            && let Err(hurdle) = entrance.drop_privileges()
        {
            return (Step::Sandbox(hurdle), errno());
        }
        // Only now, because dropping privileges resets it.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // If the launcher died before the line above, nothing would ever kill this process. In a
        // process namespace the launcher has no number, and there the keeper's end kills it.
        if order.inner_stack.is_null() && libc::getppid() != order.parent {
            return (Step::Orphaned, libc::ESRCH);
        }
        if order.stdin >= 0 && libc::dup2(order.stdin, 0) < 0 {
            return (Step::Stdin, errno());
        }
        if libc::chdir(order.folder) < 0 {
            return (Step::Folder, errno());
        }
        if let Some(entrance) = order.entrance
            && let Err(hurdle) = entrance.enter_rules()
        {
            return (Step::Sandbox(hurdle), errno());
        }
        (Step::Program, execute(order))
    }
}

/// Tries the paths like `execvp`: if one may not be executed, that error is returned unless a later
/// one can be. Unlike there, a folder that may not be searched counts as one without the program.
///
/// # Safety
///
/// As for `prepare_and_execute`.
unsafe fn execute(order: &Order<'_>) -> c_int {
    let mut refused = libc::ENOENT;
    let mut path = order.paths;
    // SAFETY: the list ends with a null pointer and its strings are valid.
    unsafe {
        while !(*path).is_null() {
            libc::execve(*path, order.argv, order.envp);
            match errno() {
                libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV => {}
                libc::EACCES if libc::access(*path, libc::F_OK) == 0 => refused = libc::EACCES,
                libc::EACCES => {}
                other => return other,
            }
            path = path.add(1);
        }
    }
    refused
}

fn errno() -> c_int {
    // SAFETY: the C library always has an error number for this thread.
    unsafe { *libc::__errno_location() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_entry_of_the_path_is_the_current_folder() {
        let found = candidates(b"cc", b"/usr/bin::relative").unwrap();
        let found: Vec<&str> = found.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(found, ["/usr/bin/cc", "./cc", "relative/cc"]);
    }
}
