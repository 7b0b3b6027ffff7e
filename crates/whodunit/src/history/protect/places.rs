//! Reads the file that names protected places: a list of places, or the output of a coverage tool.
//!
//! Each line of a list is a file, or a file and a line or a range of lines, as in `src/a.c:10-20`.

use std::collections::BTreeMap;

use whodunit_coverage::{Lines, PathMap, Source, looks_like_coverage, read};
use whodunit_versions::{TreePath, Version};

/// Number of unknown names in a warning.
const MOST_LISTED: usize = 3;

/// Lines of files of a version.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) lines: BTreeMap<TreePath, Lines>,
    /// The names that are not in the version, in words.
    pub(super) unknown: Vec<String>,
}

/// Returns whether these are all lines that a file may have.
pub(super) fn is_whole_file(lines: &Lines) -> bool {
    lines.contains(u32::MAX)
}

impl Places {
    /// Reads a file with places in a version; the error is the fault in the file.
    pub(super) fn read(bytes: &[u8], version: &Version) -> Result<Self, String> {
        if looks_like_coverage(bytes) {
            Places::of_coverage(bytes, version)
        } else {
            Places::of_list(bytes, version)
        }
    }

    fn of_coverage(bytes: &[u8], version: &Version) -> Result<Self, String> {
        // The caller adds the name of the file to an error.
        let file = read(Source { name: "", bytes });
        let coverage = file.map_err(|error| match error.line {
            Some(line) => format!("line {line}: {}", error.problem),
            None => error.problem.to_string(),
        })?;
        let coverage = coverage.all();
        let paths = version.entries().map(|(path, _)| path.as_bytes());
        let map = PathMap::new(coverage.names(), paths);
        let lines = map.apply(&coverage).into_iter();
        let lines: BTreeMap<TreePath, Lines> =
            lines.map(|(path, lines)| (TreePath::new(path), lines)).collect();
        if lines.is_empty() {
            return Err(none_is_there(coverage.names()));
        }
        if lines.values().all(Lines::is_empty) {
            return Err("it says that nothing was executed".into());
        }
        let mut unknown = Vec::new();
        unknown.extend(not_there(&map.unmatched));
        unknown.extend(map.ambiguous.iter().map(|it| {
            let paths = it.paths.iter().map(|path| String::from_utf8_lossy(path).into_owned());
            format!("`{}` may be {}", it.name, told(&paths.collect::<Vec<_>>()))
        }));
        unknown.extend(map.shared.iter().map(|it| {
            let path = String::from_utf8_lossy(&it.path);
            format!("`{path}` is taken for all of {}", told(&it.names))
        }));
        Ok(Places { lines, unknown })
    }

    fn of_list(bytes: &[u8], version: &Version) -> Result<Self, String> {
        let (mut places, mut absent) = (Places::default(), Vec::new());
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let place = parse(line).ok_or_else(|| format!("line {number} is no place"))?;
            let (path, lines) = place;
            match version.get(&path) {
                Some(_) => places.lines.entry(path).or_default().add(&lines),
                None => absent.push(path.to_string()),
            }
        }
        absent.dedup();
        if places.lines.is_empty() && !absent.is_empty() {
            return Err(none_is_there(absent.iter().map(String::as_str)));
        }
        places.unknown.extend(not_there(&absent));
        Ok(places)
    }
}

fn parse(line: &[u8]) -> Option<(TreePath, Lines)> {
    let Some(colon) = line.iter().rposition(|&byte| byte == b':') else {
        return Some((TreePath::new(line), Lines::from_iter([1..=u32::MAX])));
    };
    let lines = str::from_utf8(&line[colon + 1..]).ok()?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    Some((TreePath::new(&line[..colon]), Lines::from_iter([first..=last])))
}

fn none_is_there<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(str::to_owned).collect();
    format!("none of its files is in the newest version: {}", told(&names))
}

fn not_there(names: &[String]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("`{name}` is not in the newest version")),
        names => Some(format!("{} are not in the newest version", told(names))),
    }
}

/// Returns the first few names in words, and the number of the others.
fn told(names: &[String]) -> String {
    let first: Vec<String> =
        names.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST_LISTED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_a_line_or_lines() {
        let parsed = |line: &str| {
            let (path, lines) = parse(line.as_bytes())?;
            Some((path.to_string(), lines.ranges().next()?))
        };
        assert_eq!(parsed("a.c"), Some(("a.c".into(), 1..=u32::MAX)));
        assert_eq!(parsed("src/a.c:7"), Some(("src/a.c".into(), 7..=7)));
        assert_eq!(parsed("src/a.c:7-9"), Some(("src/a.c".into(), 7..=9)));
        assert_eq!(parsed("src/a.c:x"), None);
    }

    #[test]
    fn names_that_are_not_there_are_told_but_not_all_of_them() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let said = |count: usize| not_there(&names[..count]);
        assert_eq!(said(0), None);
        assert_eq!(said(1).as_deref(), Some("`a` is not in the newest version"));
        let many = "`a`, `b`, `c` and 2 more are not in the newest version";
        assert_eq!(said(5).as_deref(), Some(many));
    }
}
