//! Places that must not be taken out of what is carried back, because the test runs through them.
//!
//! One place a line: a file, or a file and a line or a range of lines, as in `src/a.c:10-20`. That
//! is what coverage tools are easily brought to print.

use std::ops::RangeInclusive;

use whodunit_changes::{Decomposition, TreePath};
use whodunit_core::DeltaSet;

use super::{HistoryError, HistorySettings};

/// The protected places, in the newest version.
#[derive(Debug, Default)]
pub(super) struct Protected {
    places: Vec<(TreePath, RangeInclusive<u32>)>,
}

impl Protected {
    pub(super) fn read(settings: &HistorySettings) -> Result<Self, HistoryError> {
        let Some(file) = &settings.protect else { return Ok(Protected::default()) };
        let path = settings.how.origin.as_path().join(file.as_path());
        let problem =
            |problem: String| HistoryError::Protect { path: path.display().to_string(), problem };
        let text = std::fs::read_to_string(&path).map_err(|error| problem(error.to_string()))?;
        let mut places = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let place = parse(line.trim());
            places.push(place.ok_or_else(|| problem(format!("line {number} is no place")))?);
        }
        Ok(Protected { places })
    }

    /// Returns the changes that touch a protected place, all of which stay together.
    pub(super) fn deltas(&self, parts: &Decomposition) -> Option<DeltaSet> {
        let is_protected = |delta| {
            let part = parts.part(delta);
            let (first, end) = (part.new_lines.start, part.new_lines.end);
            self.places.iter().any(|(path, lines)| {
                part.new_path == Some(path) && first <= *lines.end() && end > *lines.start()
            })
        };
        let deltas: DeltaSet = parts.all().iter().filter(|&delta| is_protected(delta)).collect();
        (!deltas.is_empty()).then_some(deltas)
    }
}

fn parse(line: &str) -> Option<(TreePath, RangeInclusive<u32>)> {
    let Some((file, lines)) = line.rsplit_once(':') else {
        return Some((TreePath::new(line.as_bytes()), 0..=u32::MAX));
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    Some((TreePath::new(file.as_bytes()), first..=last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_a_line_or_lines() {
        let parsed = |line: &str| parse(line).map(|(path, lines)| (path.to_string(), lines));
        assert_eq!(parsed("a.c"), Some(("a.c".into(), 0..=u32::MAX)));
        assert_eq!(parsed("src/a.c:7"), Some(("src/a.c".into(), 7..=7)));
        assert_eq!(parsed("src/a.c:7-9"), Some(("src/a.c".into(), 7..=9)));
        assert_eq!(parsed("src/a.c:x"), None);
    }
}
