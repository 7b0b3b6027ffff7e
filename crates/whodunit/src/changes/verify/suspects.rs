//! The claim of an answer about the commits that cause the failure: they lead from the version that
//! passes to the one that fails. Tests of the two versions do not show this.

use whodunit_vcs::git::CommitInfo;

use crate::answer::{ChangesAnswer, CommitAnswer};
use crate::changes::commits::described;
use crate::changes::replay::VersionClaim;
use crate::changes::versions::Ends;

/// Returns an unfounded claim if the commits that an answer names do not lead from one version to
/// the other.
pub(super) fn others(answer: &ChangesAnswer, beside: &Ends) -> Option<VersionClaim> {
    let named = answer.commits.last()?;
    let what = format!("{} as the commit that did it", named.short_id);
    (!leads(&answer.commits, beside)).then(|| VersionClaim::unfounded(what))
}

fn leads(row: &[CommitAnswer], beside: &Ends) -> bool {
    let (Some(source), Some(passing), Some(failing)) =
        (&beside.repository, &beside.good.commit, &beside.bad.commit)
    else {
        return false;
    };
    let mut before = passing.id;
    for named in row {
        match source.repository.resolve(&named.id) {
            Ok(commit) if is(named, &commit) && commit.parents.contains(&before) => {
                before = commit.id;
            }
            _ => return false,
        }
    }
    before == failing.id
}

/// Returns whether the description of a commit in an answer is right. The length of a short id may
/// change as the repository grows.
pub(super) fn is(named: &CommitAnswer, commit: &CommitInfo) -> bool {
    let short_id = named.short_id.clone();
    named.id.starts_with(&short_id) && CommitAnswer { short_id, ..described(commit) } == *named
}
