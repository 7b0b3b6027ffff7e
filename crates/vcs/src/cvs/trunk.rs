//! The revisions of a file that lead to its state on the trunk or on a branch.

use std::collections::BTreeMap;

use super::log::{LoggedFile, LoggedRevision};
use super::number::RevisionNumber;

/// The message of the second revision that `cvs import` makes.
const IMPORTED: &[u8] = b"Initial revision\n";

/// Returns the revisions that lead to the trunk or a branch, oldest first. Each gets a
/// later time than the revision it was made from, at least by a second, whatever the clocks
/// were.
pub(super) fn row<'a>(
    file: &'a LoggedFile,
    branch: Option<&str>,
) -> Vec<(i64, &'a LoggedRevision)> {
    let revisions: BTreeMap<&RevisionNumber, &LoggedRevision> =
        file.revisions.iter().map(|revision| (&revision.number, revision)).collect();
    let mut row = match branch {
        None => on_trunk(&revisions),
        Some(name) => {
            let named = file.branches.iter().find(|(known, _)| known == name.as_bytes());
            named.map(|(_, branch)| on_branch(&revisions, branch)).unwrap_or_default()
        }
    };
    if let [first, second, ..] = row[..]
        && first.message == IMPORTED
        && second.number.is_on(&RevisionNumber::vendor_branch())
    {
        row.remove(0);
    }
    let mut latest = i64::MIN;
    let dated = row.into_iter().map(|revision| {
        latest = revision.seconds.max(latest.saturating_add(1));
        (latest, revision)
    });
    // A file that begins with a dead revision was added to a branch first.
    dated.skip_while(|(_, revision)| revision.is_dead).collect()
}

/// Until another revision is committed, the trunk of a file is its vendor branch.
fn on_trunk<'a>(
    revisions: &BTreeMap<&RevisionNumber, &'a LoggedRevision>,
) -> Vec<&'a LoggedRevision> {
    let on_trunk = revisions.values().filter(|revision| revision.number.is_trunk());
    let mut trunk: Vec<&LoggedRevision> = on_trunk.copied().collect();
    let vendor = RevisionNumber::vendor_branch();
    let next = trunk.iter().find(|revision| revision.number > RevisionNumber::first());
    let ends = next.map_or(i64::MAX, |next| next.seconds);
    let delivered = revisions.values().filter(|it| it.number.is_on(&vendor));
    let delivered: Vec<&LoggedRevision> =
        delivered.filter(|it| it.seconds <= ends).copied().collect();
    if trunk.first().is_some_and(|first| first.number == RevisionNumber::first()) {
        trunk.splice(1..1, delivered);
    }
    trunk
}

fn on_branch<'a>(
    revisions: &BTreeMap<&RevisionNumber, &'a LoggedRevision>,
    branch: &RevisionNumber,
) -> Vec<&'a LoggedRevision> {
    let mut row: Vec<&LoggedRevision> =
        revisions.values().filter(|it| it.number.is_on(branch)).copied().collect();
    let root = branch.root_of_branch();
    let mut before = match root.branch() {
        Some(below) => on_branch(revisions, &below),
        None => revisions.values().filter(|it| it.number.is_trunk()).copied().collect(),
    };
    before.retain(|revision| revision.number <= root);
    before.append(&mut row);
    before
}
