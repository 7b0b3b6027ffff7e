//! Parents that replace the true ones, as the repository's owner wants it.

use std::collections::BTreeMap;
use std::path::Path;

use whodunit_files::regular;

use crate::ObjectId;

/// The file `info/grafts`: an old form of `git replace`, which git still honours.
#[derive(Debug, Default)]
pub(super) struct Grafts {
    parents: BTreeMap<ObjectId, Vec<ObjectId>>,
}

impl Grafts {
    /// Reads the grafts of a repository. Other lines are skipped, as in git.
    pub(super) fn read(common_folder: &Path) -> Self {
        let text = regular::read_to_string(&common_folder.join("info/grafts"));
        let text = text.unwrap_or_default();
        Self { parents: text.lines().filter_map(parse).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the replaced parents of a commit, if it has any.
    pub(super) fn parents_of(&self, commit: ObjectId) -> Option<&[ObjectId]> {
        self.parents.get(&commit).map(Vec::as_slice)
    }
}

fn parse(line: &str) -> Option<(ObjectId, Vec<ObjectId>)> {
    let mut ids = line.split_ascii_whitespace().map(ObjectId::from_hex);
    let commit = ids.next()??;
    Some((commit, ids.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_commit_and_its_parents() {
        let [one, two, three] = ["11", "22", "33"].map(|pair| pair.repeat(20));
        let id = |text: &str| ObjectId::from_hex(text).unwrap();
        let parsed = parse(&format!("{one} {two} {three}"));
        assert_eq!(parsed, Some((id(&one), vec![id(&two), id(&three)])));
        assert_eq!(parse(&one), Some((id(&one), vec![])));
    }

    #[test]
    fn what_is_no_graft_is_none() {
        for line in ["", "# a comment", "11", &format!("{} main", "11".repeat(20))] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
