//! Process trees, as `/proc` shows them, and how to end them.
//!
//! Trees are ended with SIGKILL at once: mutated programs have nothing to save, and a SIGTERM that
//! they may ignore would only cost time. Processes are stopped first, so that none forks while
//! others are being killed. Processes that fork and exit faster than we look are caught too: every
//! orphan becomes a child of its nearest subreaper, which is us, and the search continues until no
//! children are left. In a process namespace orphans become children of its keeper instead, which
//! is a child of ours.
//!
//! A process id may be used again once its process was waited for. Our own children cannot be
//! waited for by anyone else; all others are signalled through a pidfd, after a look whether it is
//! still the same process.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process, kill_process_group, pidfd_open,
    pidfd_send_signal, set_child_subreaper,
};

use super::sys::{self, Reaped, Waited, Whom};

/// After this time a process that was sent SIGKILL counts as stuck. Killed processes die within
/// milliseconds unless they wait for a device or a dead network folder.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most looks for new processes to stop, before the killing begins anyway.
const STOPPING_PASSES: usize = 50;

/// A process that does not die.
#[derive(Debug)]
pub(super) struct Stuck {
    pub(super) pid: i32,
}

/// One line of `/proc/PID/stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    parent: i32,
    group: i32,
    session: i32,
    state: u8,
    /// In clock ticks since the machine started; with the id it names a process for good.
    started: u64,
    threads: u32,
    /// In pages.
    resident: u64,
}

/// The current usage of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Threads count too: each takes a place in the kernel's table, like a process.
    pub(super) processes: u32,
    /// In bytes; pages that processes share are counted for each of them.
    pub(super) memory: u64,
}

/// Makes orphaned descendants children of this process instead of `init`.
///
/// The program calls it before it starts launchers, so that [`end_orphans`] can find and end what a
/// killed launcher leaves behind.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Ends the processes that killed launchers left behind, and returns when they are gone.
///
/// Orphans differ from programs that this process started itself by their session: launchers and
/// their tests never run in ours. Does nothing unless [`adopt_orphans`] was called before.
pub fn end_orphans() -> Result<(), super::ProcessError> {
    let launchers = launchers();
    // Number 0 is a session that began outside our container; it is still ours.
    let ours = Process::read(me()).map_or(0, |process| process.session);
    let orphan = |child: &Process| child.session != ours && !launchers.contains(&child.pid);
    let begun = Instant::now();
    loop {
        let struck = strike(|| trees(everyone(), &orphan));
        if struck.is_empty() {
            return Ok(());
        }
        wait_for(&struck, begun).map_err(|Stuck { pid }| super::ProcessError::Stuck { pid })?;
        for child in struck.iter().filter(|process| process.parent == me()) {
            sys::reap(Whom::Pid(child.pid));
        }
    }
}

/// The launchers of this process. The lock is held while one is being started, so that
/// [`end_orphans`] in another thread does not take it for an orphan.
pub(super) fn launchers() -> MutexGuard<'static, BTreeSet<i32>> {
    static LAUNCHERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The keeper of the process namespace of the tests, 0 if there is none.
static KEEPER: AtomicI32 = AtomicI32::new(0);

/// Sets which child of this process is the keeper of a process namespace. The keeper is no part of
/// a test and stays: orphans of tests become its children, and are searched below it.
pub(super) fn keeper_is(keeper: Option<i32>) {
    KEEPER.store(keeper.unwrap_or(0), Ordering::Relaxed);
}

/// Ends all descendants of this process but the keeper, and waits for them.
pub(super) fn end_descendants(mut reaped: impl FnMut(Reaped)) -> Result<(), Stuck> {
    let begun = Instant::now();
    // The quick look may miss processes that come and go meanwhile, so it is only the first.
    let mut look: fn(i32) -> Vec<Process> = descendants;
    while reap_all(&mut reaped) == Left::Some {
        if only_keeper_is_left() {
            return Ok(());
        }
        let struck = strike(|| without_keeper(look(me())));
        wait_for(&struck, begun)?;
        look = descendants_by_scan;
    }
    Ok(())
}

/// Returns whether the keeper is the only child that is left and has no children itself. Then no
/// process is left: a process whose parent ends becomes a child of the keeper in the same moment,
/// so the keeper's list of children is never empty while a process forks and ends faster than we
/// look.
fn only_keeper_is_left() -> bool {
    let keeper = KEEPER.load(Ordering::Relaxed);
    keeper != 0 && children(me()) == [keeper] && children(keeper).is_empty()
}

/// Whether children are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Some,
    None,
}

/// Reaps every child that has ended; one system call if there was only one.
pub(super) fn reap_all(mut reaped: impl FnMut(Reaped)) -> Left {
    loop {
        match sys::reap(Whom::Anyone) {
            Waited::Reaped(child) => reaped(child),
            Waited::Running => return Left::Some,
            Waited::NoChildren => return Left::None,
        }
    }
}

/// Ends the processes of a session that is not ours, whatever their parents are.
pub(super) fn end_session(session: i32) -> Result<(), Stuck> {
    let begun = Instant::now();
    let look = || {
        let mut all = everyone();
        all.retain(|process| process.session == session && process.is_alive());
        all
    };
    loop {
        reap_members(session);
        let struck = strike(look);
        if struck.is_empty() {
            return Ok(());
        }
        wait_for(&struck, begun)?;
    }
}

/// Reaps processes of a session that have ended and became our children because their parent, the
/// leader of the session, ended: the keeper of a process namespace ends only after all others in it
/// were reaped. The leader itself is reaped elsewhere.
fn reap_members(session: i32) {
    for process in everyone() {
        let is_member = process.session == session && process.pid != session;
        if is_member && process.parent == me() && !process.is_alive() {
            sys::reap(Whom::Pid(process.pid));
        }
    }
}

/// Kills a process group whose first process was not reaped yet; no fork escapes this.
pub(super) fn kill_group(leader: i32) {
    if let Some(leader) = Pid::from_raw(leader) {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// Returns the descendants of this process but for the keeper, parents before children.
pub(super) fn ours() -> Vec<Process> {
    without_keeper(descendants(me()))
}

fn without_keeper(mut processes: Vec<Process>) -> Vec<Process> {
    let keeper = KEEPER.load(Ordering::Relaxed);
    processes.retain(|process| process.pid != keeper);
    processes
}

/// Returns what some processes use together.
pub(super) fn usage(processes: &[Process]) -> Usage {
    let page = rustix::param::page_size() as u64;
    processes.iter().fold(Usage::default(), |sum, process| Usage {
        // A process that ended and was not reaped yet has no threads, but still takes a place.
        processes: sum.processes + process.threads.max(1),
        memory: sum.memory + process.resident * page,
    })
}

/// The activity of a process at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    /// Stopped by a signal or by a debugger.
    Stopped,
    /// Asleep until an event that it waits for.
    Asleep {
        /// How often it has gone to sleep so far: the same number in two looks means that it was
        /// not awake in between.
        times: u64,
    },
    /// Running, waiting for a processor or for a device, or ended.
    Busy,
}

/// Returns the activity of a process; `None` if there is no such process.
pub(super) fn activity(pid: i32) -> Option<Activity> {
    let state = Process::read(pid)?.state;
    if state != b'S' {
        return Some(if matches!(state, b'T' | b't') { Activity::Stopped } else { Activity::Busy });
    }
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = "voluntary_ctxt_switches:";
    let times = status.lines().find_map(|line| line.strip_prefix(field)?.trim().parse().ok())?;
    Some(Activity::Asleep { times })
}

/// Returns whether processes can be seen here; without `/proc` they cannot.
pub(super) fn is_visible() -> bool {
    Process::read(me()).is_some()
}

/// Stops the processes until a look shows no new one, then kills them all.
fn strike(look: impl Fn() -> Vec<Process>) -> Vec<Process> {
    let (mut known, mut all) = (BTreeSet::new(), Vec::new());
    for _ in 0..STOPPING_PASSES {
        let mut new = look();
        new.retain(|process| known.insert((process.pid, process.started)));
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|process| process.signal(Signal::STOP));
        all.extend(new);
    }
    all.iter().for_each(|process| process.signal(Signal::KILL));
    all
}

/// Gives killed processes a moment to die; an error if they had enough time.
fn wait_for(struck: &[Process], begun: Instant) -> Result<(), Stuck> {
    if begun.elapsed() > PATIENCE {
        return Err(Stuck { pid: struck.first().map_or(0, |process| process.pid) });
    }
    let moment = Duration::from_millis(20);
    let waiting = Instant::now();
    for process in struck {
        process.wait(moment.saturating_sub(waiting.elapsed()));
    }
    if struck.is_empty() {
        // There are children, but they cannot be seen; do not use up a processor for that.
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Returns the trees whose root is a chosen child of ours.
fn trees(all: Vec<Process>, chosen: &impl Fn(&Process) -> bool) -> Vec<Process> {
    let roots: Vec<i32> = all
        .iter()
        .filter(|process| process.parent == me() && chosen(process))
        .map(|process| process.pid)
        .collect();
    below(all, &roots)
}

/// Returns the descendants of a process, itself left out, parents before children.
fn descendants(of: i32) -> Vec<Process> {
    if has_children_files() { descendants_by_children(of) } else { descendants_by_scan(of) }
}

/// Looks at every process of the machine.
fn descendants_by_scan(of: i32) -> Vec<Process> {
    let all = everyone();
    let children = all.iter().filter(|process| process.parent == of);
    let roots: Vec<i32> = children.map(|process| process.pid).collect();
    below(all, &roots)
}

/// Looks only at the tree, through a file that kernels may be built without.
fn descendants_by_children(of: i32) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let (mut next, mut parent) = (0, of);
    loop {
        found.extend(children(parent).into_iter().filter_map(Process::read));
        let Some(process) = found.get(next) else { return found };
        (next, parent) = (next + 1, process.pid);
    }
}

/// Returns the children of all threads of a process.
pub(super) fn children(of: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    let lists = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")));
    let numbers = |list: &String| list.split(' ').filter_map(|pid| pid.parse().ok()).collect();
    lists.flatten().flat_map(|list| -> Vec<i32> { numbers(&list) }).collect()
}

/// Returns whether the kernel lists the children of a process.
pub(super) fn has_children_files() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| fs::exists("/proc/thread-self/children").unwrap_or(false))
}

/// Returns the processes of this list that are, or descend from, one of the roots.
fn below(all: Vec<Process>, roots: &[i32]) -> Vec<Process> {
    let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
    let mut found = Vec::new();
    for process in all {
        if roots.contains(&process.pid) {
            found.push(process);
        } else {
            by_parent.entry(process.parent).or_default().push(process);
        }
    }
    let mut next = 0;
    while let Some(process) = found.get(next) {
        let children = by_parent.remove(&process.pid);
        found.extend(children.into_iter().flatten());
        next += 1;
    }
    found
}

/// Returns every process that can be seen; those that come or go meanwhile may be missing.
fn everyone() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Process::read)
        .collect()
}

fn me() -> i32 {
    getpid().as_raw_nonzero().get()
}

impl Process {
    fn read(pid: i32) -> Option<Process> {
        let stat =
            open(format!("/proc/{pid}/stat"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        // The line is shorter than this: a name of 16 bytes and some fifty numbers.
        let mut line = [0; 1536];
        let length = rustix::io::read(stat.ok()?, &mut line).ok()?;
        Process::parse(pid, &line[..length])
    }

    /// Reads the line from the last parenthesis on: the name before may hold any byte.
    fn parse(pid: i32, line: &[u8]) -> Option<Process> {
        let name_end = line.iter().rposition(|byte| *byte == b')')?;
        let fields = std::str::from_utf8(line.get(name_end + 2..)?).ok()?;
        let fields: Vec<&str> = fields.split(' ').collect();
        // Numbered as in proc(5), where the state is field 3.
        let field = |number: usize| fields.get(number - 3);
        Some(Process {
            pid,
            state: *field(3)?.as_bytes().first()?,
            parent: field(4)?.parse().ok()?,
            group: field(5)?.parse().ok()?,
            session: field(6)?.parse().ok()?,
            threads: field(20)?.parse().ok()?,
            started: field(22)?.parse().ok()?,
            resident: field(24)?.parse().unwrap_or(0),
        })
    }

    fn is_alive(&self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }

    /// Sends a signal to this process, never to a later one with the same id.
    fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.pid) else { return };
        if !self.is_alive() {
            return;
        }
        if self.parent == me() {
            let _ = kill_process(pid, signal);
            return;
        }
        let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { return };
        if Process::read(self.pid).is_some_and(|now| now.started == self.started) {
            let _ = pidfd_send_signal(pidfd, signal);
        }
    }

    /// Waits until this process has ended, but not longer than `longest`.
    fn wait(&self, longest: Duration) {
        let pidfd = Pid::from_raw(self.pid).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let Some(Ok(pidfd)) = pidfd else { return };
        let timeout = Timespec::try_from(longest).ok();
        let _ = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], timeout.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_spaces_and_parentheses() {
        let line = b"42 (a) R 1 (b) S 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 555 1000 33 0\n";
        let process = Process::parse(42, line).unwrap();
        assert_eq!((process.state, process.parent, process.group), (b'S', 7, 8));
        assert_eq!((process.session, process.started, process.resident), (9, 555, 33));
        assert_eq!(process.threads, 1);
    }

    #[test]
    fn both_ways_of_looking_see_the_same_tree() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "sleep 1000 & echo; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = io::BufReader::new(child.stdout.take().unwrap());
        io::BufRead::read_line(&mut stdout, &mut line).unwrap();

        let pid = i32::try_from(child.id()).unwrap();
        let pids = |tree: Vec<Process>| tree.into_iter().map(|p| p.pid).collect::<Vec<_>>();
        let by_scan = pids(descendants_by_scan(pid));
        assert_eq!(by_scan.len(), 1);
        if has_children_files() {
            assert_eq!(pids(descendants_by_children(pid)), by_scan);
        }

        for sleeper in descendants_by_scan(pid) {
            sleeper.signal(Signal::KILL);
        }
        assert!(child.wait().unwrap().success());
    }
}
