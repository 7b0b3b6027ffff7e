//! Cover profiles of Go: `file.go:10.2,12.16 statements count` on each line after the mode.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Format, is_executed};
use crate::error::Trouble;
use crate::{CoverageFile, Lines};

/// Reads a profile; several merged ones may have several lines with modes.
pub(super) fn read(text: &[u8]) -> Result<CoverageFile, Trouble> {
    let mut files: BTreeMap<String, [Vec<RangeInclusive<u32>>; 2]> = BTreeMap::new();
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if line.is_empty() || line.starts_with("mode:") {
            continue;
        }
        let broken = || Trouble::broken(Format::Go, number, "no `file:line.column,line.column`");
        let (name, lines, count) = parse(line).ok_or_else(broken)?;
        let [executed, measured] = files.entry(name.to_owned()).or_default();
        if is_executed(count) {
            executed.push(lines.clone());
        }
        measured.push(lines);
    }
    let mut file = CoverageFile::default();
    for (name, [executed, measured]) in files {
        file.outside.add_lines(&name, &executed.into_iter().collect::<Lines>());
        file.outside.add_measured(&name, &measured.into_iter().collect::<Lines>());
    }
    Ok(file)
}

/// Parses a line from its end: only the name may contain any character.
fn parse(line: &str) -> Option<(&str, RangeInclusive<u32>, f64)> {
    let (rest, count) = line.rsplit_once(' ')?;
    let (rest, statements) = rest.rsplit_once(' ')?;
    let (name, block) = rest.rsplit_once(':')?;
    let (first, last) = block.split_once(',')?;
    let line_of = |place: &str| {
        let (line, column) = place.split_once('.')?;
        column.parse::<u32>().ok()?;
        line.parse::<u32>().ok()
    };
    let lines = line_of(first)?..=line_of(last)?;
    statements.parse::<u64>().ok()?;
    let count: f64 = count.parse().ok()?;
    (!name.is_empty() && !lines.is_empty() && !count.is_nan()).then_some((name, lines, count))
}
