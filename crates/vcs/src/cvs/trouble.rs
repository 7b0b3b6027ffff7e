//! The meaning of the client's errors. CVS has no numbers for them, only words.

/// Words in errors of networks, of servers, and of locks that are taken at the moment.
const PASSING: [&str; 17] = [
    "'s lock in ",
    "lock directory",
    "failed to obtain",
    "failed to create lock",
    "failed to create read lock",
    "could not lock",
    "connection refused",
    "connection reset",
    "connection timed out",
    "connection closed",
    "no route to host",
    "network is unreachable",
    "temporary failure in name resolution",
    "end of file from server",
    "broken pipe",
    "resource temporarily unavailable",
    "operation timed out",
];

/// Returns whether an error will pass by itself.
pub(super) fn passes(said: &str) -> bool {
    let said = said.to_lowercase();
    PASSING.iter().any(|words| said.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_and_locks_pass() {
        for said in [
            "cvs [rlog aborted]: connect to 127.0.0.1(127.0.0.1):2401 failed: Connection refused",
            "cvs rlog: failed to create lock directory for `/x' (/x/#cvs.lock): Permission denied",
            "cvs checkout: [12:00:00] waiting for ada's lock in /root/module",
            "cvs [checkout aborted]: end of file from server (consult above messages if any)",
        ] {
            assert!(passes(said), "{said}");
        }
    }

    #[test]
    fn what_is_not_there_does_not_come() {
        for said in [
            "cvs rlog: cannot find module `clock' - ignored",
            "cvs [rlog aborted]: /x/CVSROOT: No such file or directory",
            "",
        ] {
            assert!(!passes(said), "{said}");
        }
    }
}
