//! Compares the changes that were found with the known cause.

use std::fmt;
use std::ops::RangeInclusive;

use super::facts::Expected;

/// One change that whodunit blames.
#[derive(Debug, Default)]
pub(crate) struct Blamed {
    pub(crate) file: String,
    pub(crate) item: Option<String>,
    pub(crate) old_lines: Option<RangeInclusive<u64>>,
    pub(crate) new_lines: Option<RangeInclusive<u64>>,
    /// The text before and after the change.
    pub(crate) texts: [String; 2],
}

impl Blamed {
    /// Whether the change is in the function of this name, or in a line that mentions it.
    pub(crate) fn is_about(&self, name: &str) -> bool {
        self.item.as_deref().is_some_and(|item| names(item, name))
            || self.texts.iter().any(|text| text.contains(name))
    }

    /// Returns the number of deleted and added lines.
    pub(crate) fn lines(&self) -> u64 {
        let count = |lines: &RangeInclusive<u64>| lines.end() + 1 - lines.start();
        [&self.old_lines, &self.new_lines].into_iter().flatten().map(count).sum()
    }
}

/// The number of expected places among the blamed ones, by the compared property.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    file: Share,
    function: Share,
    lines: Share,
}

/// A number of found places of all expected ones.
#[derive(Debug, Default, PartialEq, Eq)]
struct Share {
    found: usize,
    expected: usize,
}

impl Share {
    fn add(&mut self, is_found: bool) {
        self.found += usize::from(is_found);
        self.expected += 1;
    }
}

/// Compares the blamed changes with the expected ones.
pub(crate) fn judge(expected: &[Expected], blamed: &[Blamed]) -> Found {
    let mut found = Found::default();
    for cause in expected {
        let here = || blamed.iter().filter(|change| change.file == cause.file);
        found.file.add(here().next().is_some());
        if !cause.functions.is_empty() {
            let is_meant = |item: &str| cause.functions.iter().any(|name| names(item, name));
            found.function.add(here().any(|it| it.item.as_deref().is_some_and(is_meant)));
        }
        if let Some(lines) = &cause.lines {
            let meets =
                |it: &RangeInclusive<u64>| it.start() <= lines.end() && lines.start() <= it.end();
            found.lines.add(here().any(|it| it.new_lines.as_ref().is_some_and(meets)));
        }
    }
    found
}

/// Whether an item has this name, with or without the names of the items around it.
fn names(item: &str, name: &str) -> bool {
    item == name || item.strip_suffix(name).is_some_and(|outer| outer.ends_with(['.', ':']))
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} / {} / {}", self.file, self.function, self.lines)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share { expected: 0, .. } => write!(formatter, "–"),
            Share { found, expected } if found == expected => write!(formatter, "yes"),
            Share { found: 0, .. } => write!(formatter, "no"),
            Share { found, expected } => write!(formatter, "{found} of {expected}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(file: &str, function: &str, lines: RangeInclusive<u64>) -> Expected {
        Expected { file: file.into(), functions: vec![function.into()], lines: Some(lines) }
    }

    fn blamed(file: &str, item: &str, lines: RangeInclusive<u64>) -> Blamed {
        let item = Some(item.to_owned());
        Blamed { file: file.into(), item, new_lines: Some(lines), ..Blamed::default() }
    }

    #[test]
    fn each_expected_place_is_looked_for() {
        let causes = [expected("a.py", "run", 10..=12), expected("b.py", "stop", 3..=3)];
        let found = judge(&causes, &[blamed("a.py", "Job.run", 12..=20)]);
        assert_eq!(found.to_string(), "1 of 2 / 1 of 2 / 1 of 2");
    }

    #[test]
    fn the_right_line_of_another_file_is_not_found() {
        let found = judge(&[expected("a.py", "run", 1..=9)], &[blamed("b.py", "run", 1..=9)]);
        assert_eq!(found.to_string(), "no / no / no");
    }

    #[test]
    fn what_is_not_known_is_not_compared() {
        let cause = Expected { file: "a.json".into(), ..Expected::default() };
        assert_eq!(judge(&[cause], &[blamed("a.json", "x", 1..=1)]).to_string(), "yes / – / –");
    }

    #[test]
    fn a_name_that_only_ends_alike_is_another_one() {
        assert!(names("Job.run", "run") && names("Job.run", "Job.run"));
        assert!(!names("Job.rerun", "run"));
    }
}
