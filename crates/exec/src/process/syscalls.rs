//! System calls that tests in the sandbox may not make, as a filter for the kernel.
//!
//! Landlock and namespaces look at files and networks; this filter refuses the ways around them:
//! limits and priorities of other processes, keyrings, sockets in the file system, rings that make
//! system calls unseen, new namespaces, and mounts. A refused call fails with `EPERM`. Programs for
//! another processor (32 bits on a machine of 64) have other numbers for the same calls and are ended.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

/// The sockets that tests may open. Pairs of connected sockets are always allowed, and so are the
/// kernel's sockets that only describe the network (netlink).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sockets {
    /// All of them.
    Any,
    /// Internet sockets: the network that they reach is the tests' own.
    Internet,
    /// None: the tests have no network of their own.
    None,
}

/// The tasks of the filter that nothing else does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filtering {
    pub(super) sockets: Sockets,
    /// Whether tests could reach shared memory, semaphores and queues of others, or leave their
    /// own.
    pub(super) refuses_ipc: bool,
    /// The third argument with which `setns` is allowed, though the kernel does not read it. The
    /// launcher enters the filter once for all tests, and each test enters its namespaces
    /// afterwards; programs of tests do not know this random number.
    pub(super) pass: u64,
}

/// Calls that are refused whatever their arguments are.
const REFUSED: &[i64] = &[
    // Keyrings outlive the test, and belong to the user.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Rings make calls that no filter sees.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Namespaces and mounts, with which a test could get privileges or another view.
    libc::SYS_unshare,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // The machine itself; the privileges for these are gone as well.
    libc::SYS_bpf,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_open_by_handle_at,
];

/// System V and POSIX objects that are not files.
const IPC: &[i64] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Every flag of `clone` that makes a namespace.
const NEW_NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The kind of a socket without its flags.
const SOCKET_TYPE: u64 = 0xf;

/// The kernel's constants for all processes of a user, in calls about priorities.
const PRIO_USER: u64 = 2;
const IOPRIO_WHO_USER: u64 = 3;

/// Makes the filter; an error in words if this kernel or processor does not support it.
pub(super) fn filter(filtering: Filtering) -> Result<BpfProgram, String> {
    let words = |error: seccompiler::BackendError| error.to_string();
    let target = std::env::consts::ARCH.try_into().map_err(words)?;
    let rules = rules(filtering).map_err(words)?;
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, target);
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(words)?;
    Ok(unknown_calls().into_iter().chain(program).collect())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn rules(filtering: Filtering) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    if filtering.refuses_ipc {
        rules.extend(IPC.iter().map(|call| (*call, Vec::new())));
    }
    let is = |argument, value| condition(argument, SeccompCmpOp::Eq, value);
    let is_not = |argument, value| condition(argument, SeccompCmpOp::Ne, value);
    let masked = |argument, mask, value| condition(argument, SeccompCmpOp::MaskedEq(mask), value);
    let rule = |conditions: Vec<SeccompCondition>| SeccompRule::new(conditions);

    let no_pass =
        SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, filtering.pass)?;
    rules.insert(libc::SYS_setns, vec![rule(vec![no_pass])?]);

    // Limits and priorities of other processes; the process itself has the number 0.
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![rule(vec![is_not(0, 0)?, sets])?]);
    let priority = vec![rule(vec![is_not(1, 0)?])?, rule(vec![is(0, PRIO_USER)?])?];
    rules.insert(libc::SYS_setpriority, priority);
    let priority = vec![rule(vec![is_not(1, 0)?])?, rule(vec![is(0, IOPRIO_WHO_USER)?])?];
    rules.insert(libc::SYS_ioprio_set, priority);

    let mut clones = Vec::new();
    for flag in NEW_NAMESPACES {
        let flag = u64::from(flag.cast_unsigned());
        clones.push(rule(vec![masked(0, flag, flag)?])?);
    }
    rules.insert(libc::SYS_clone, clones);

    let family = |family: libc::c_int| u64::from(family.cast_unsigned());
    let mut other = vec![is_not(0, family(libc::AF_NETLINK))?];
    match filtering.sockets {
        Sockets::Any => return Ok(rules),
        Sockets::None => {}
        Sockets::Internet => {
            other.push(is_not(0, family(libc::AF_INET))?);
            other.push(is_not(0, family(libc::AF_INET6))?);
        }
    }
    rules.insert(libc::SYS_socket, vec![rule(other)?]);
    // A pair of datagram sockets can send to any socket in the file system.
    let datagrams = [libc::SOCK_DGRAM, libc::SOCK_RAW];
    let refused = datagrams.map(|kind| rule(vec![masked(1, SOCKET_TYPE, family(kind))?]));
    rules.insert(libc::SYS_socketpair, refused.into_iter().collect::<Result<_, _>>()?);
    Ok(rules)
}

/// Compares an argument of which the kernel reads 32 bits.
fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

/// Returns the beginning of the filter, which makes some calls fail as unknown: `clone3`, whose
/// flags no filter can see (C libraries then use `clone`), and on x86-64 the second set of numbers
/// for the same calls, which the rest of the filter does not know.
fn unknown_calls() -> Vec<sock_filter> {
    const LOAD_NUMBER: u16 = 0x20;
    const IS: u16 = 0x15;
    const IS_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const SECOND_SET: u32 = 0x4000_0000;
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let clone3 = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
    let second = if cfg!(target_arch = "x86_64") { SECOND_SET } else { u32::MAX };
    let no_such_call = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
    vec![
        instruction(LOAD_NUMBER, 0, 0, 0),
        instruction(IS, 1, 0, clone3),
        instruction(IS_AT_LEAST, 0, 1, second),
        instruction(RETURN, 0, 0, no_such_call),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_filter_for_every_combination() {
        for sockets in [Sockets::Any, Sockets::Internet, Sockets::None] {
            for refuses_ipc in [true, false] {
                let filter = filter(Filtering { sockets, refuses_ipc, pass: 7 }).unwrap();
                // The kernel's limit on the number of instructions.
                assert!(filter.len() < 4096, "{}", filter.len());
            }
        }
    }
}
