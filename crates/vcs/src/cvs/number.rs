//! Numbers of file revisions and branches.

use std::fmt;

/// The number of a file's revision, as `1.4` or `1.4.2.1`, or of a branch, as `1.4.2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RevisionNumber(Vec<u32>);

impl RevisionNumber {
    /// Reads a number, if it is one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let parts: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
        parts.filter(|parts| parts.len() > 1).map(Self)
    }

    /// Reads the number of a branch in the form that CVS gives to its name: `1.4.0.2`
    /// stands for `1.4.2`.
    pub(super) fn parse_branch(text: &str) -> Option<Self> {
        let mut number = Self::parse(text)?;
        let length = number.0.len();
        if length.is_multiple_of(2) {
            let is_branch = length > 2 && number.0[length - 2] == 0;
            is_branch.then(|| number.0.remove(length - 2))?;
        }
        Some(number)
    }

    /// Returns whether it is a revision of the trunk.
    pub(super) fn is_trunk(&self) -> bool {
        self.0.len() == 2
    }

    /// Returns whether it is a revision on a branch.
    pub(super) fn is_on(&self, branch: &Self) -> bool {
        self.0.len() == branch.0.len() + 1 && self.0.starts_with(&branch.0)
    }

    /// Returns the revision at which a branch begins.
    pub(super) fn root_of_branch(&self) -> Self {
        Self(self.0[..self.0.len() - 1].to_vec())
    }

    /// Returns the branch of a revision; `None` for the trunk.
    pub(super) fn branch(&self) -> Option<Self> {
        (!self.is_trunk()).then(|| Self(self.0[..self.0.len() - 1].to_vec()))
    }

    /// Returns the vendor branch, as `cvs import` makes it.
    pub(super) fn vendor_branch() -> Self {
        Self(vec![1, 1, 1])
    }

    /// Returns the first revision of the trunk.
    pub(super) fn first() -> Self {
        Self(vec![1, 1])
    }
}

impl fmt::Display for RevisionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&parts.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> RevisionNumber {
        RevisionNumber::parse(text).unwrap()
    }

    #[test]
    fn revisions_are_in_the_order_of_their_numbers() {
        assert!(number("1.9") < number("1.10") && number("1.10") < number("2.1"));
        assert_eq!(number("1.4.2.10").to_string(), "1.4.2.10");
        assert_eq!(RevisionNumber::parse("1.x"), None);
        assert_eq!(RevisionNumber::parse("1"), None);
    }

    #[test]
    fn names_of_branches_have_a_zero() {
        let branch = RevisionNumber::parse_branch("1.4.0.2").unwrap();
        assert_eq!(branch, number("1.4.2"));
        assert!(number("1.4.2.7").is_on(&branch) && !number("1.4.4.1").is_on(&branch));
        assert_eq!(branch.root_of_branch(), number("1.4"));
        assert_eq!(RevisionNumber::parse_branch("1.1.1"), Some(RevisionNumber::vendor_branch()));
        assert_eq!(RevisionNumber::parse_branch("1.4"), None);
        assert_eq!(RevisionNumber::parse_branch("1.4.2.3"), None);
    }
}
