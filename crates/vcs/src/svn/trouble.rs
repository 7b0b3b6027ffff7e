//! The meaning of the client's errors, by their numbers: the words change, the numbers stay.

/// The client refuses to write paths that the locale does not have, and they are kept in UTF-8.
/// The language of its messages is that of the locale `C`.
pub(super) const LOCALE: &str = "C.UTF-8";

/// Errors of networks, servers and locks that pass by themselves.
const PASSING: [&str; 23] = [
    "E000011", // resource temporarily unavailable
    "E000032", // broken pipe
    "E000100", // network is down
    "E000101", // network is unreachable
    "E000103", // connection aborted
    "E000104", // connection reset
    "E000110", // connection timed out
    "E000111", // connection refused
    "E000112", // host is down
    "E000113", // no route to host
    "E120106", // the server closed the connection
    "E120107", // the server aborted it
    "E120108", // the server shut it down
    "E120190", // it could not be made
    "E155004", // a checkout is locked
    "E160039", // the repository is locked
    "E175012", // the server took too long
    "E200030", // a database within is busy
    "E200033", // the same
    "E210002", // the connection was closed unexpectedly
    "E165006", // somebody else writes to the repository
    "E670002", // the name of the server was not found for the moment
    "E670003", // the same
];

/// Reports only that connecting failed; the cause follows, if it is known.
const CONNECTING: &str = "E170013";

/// Returns whether an error will pass by itself.
pub(super) fn passes(said: &str) -> bool {
    let mut codes = codes(said).peekable();
    let is_known = codes.peek().is_some();
    is_known && codes.clone().all(|code| code == CONNECTING)
        || codes.any(|code| PASSING.contains(&code))
}

/// Returns whether a path is no checkout.
pub(super) fn is_no_checkout(said: &str) -> bool {
    codes(said).any(|code| ["E155007", "E155010", "W155010", "E200009"].contains(&code))
}

/// Returns whether a checkout is damaged or of another version of the client: a new one would be
/// usable.
pub(super) fn is_disorder(said: &str) -> bool {
    let of_checkouts = |code: &str| code.starts_with("E155") || code.starts_with("E2000");
    codes(said).any(of_checkouts)
}

fn codes(said: &str) -> impl Iterator<Item = &str> + Clone {
    let words = said.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| {
        let digits = word.strip_prefix(['E', 'W']);
        digits.is_some_and(|it| it.len() == 6 && it.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_and_locks_pass() {
        let said = "svn: E170013: Unable to connect to a repository at URL 'svn://h/x'\n\
                    svn: E000111: Can't connect to host 'h': Connection refused";
        assert!(passes(said));
        assert!(passes("svn: E170013: Unable to connect to a repository at URL 'https://h/x'"));
        assert!(passes("svn: E155004: Working copy '/x' locked"));
        assert!(passes("svn: E210002: Network connection closed unexpectedly"));
    }

    #[test]
    fn what_is_not_there_does_not_come() {
        let said = "svn: E170013: Unable to connect to a repository at URL 'file:///x'\n\
                    svn: E180001: Unable to open repository 'file:///x'";
        assert!(!passes(said));
        assert!(!passes("svn: E160013: File not found: revision 3, path '/E000111x'"));
        assert!(!passes("svn: E170001: Authorization failed"));
        assert!(!passes("killed"));
    }
}
