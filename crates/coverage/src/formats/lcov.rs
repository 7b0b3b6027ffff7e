//! Trace files of LCOV: a test (`TN:`), a source file (`SF:`), its lines (`DA:`), the end.

use super::{Format, is_executed};
use crate::error::Trouble;
use crate::{CoverageFile, Lines};

/// Reads records; a test's name holds until the next one. Records that are not about lines are
/// skipped, also those of later releases of the tool.
pub(super) fn read(text: &[u8]) -> Result<CoverageFile, Trouble> {
    let mut file = CoverageFile::default();
    let mut test = String::new();
    let mut source: Option<Section> = None;
    let mut number = 0;
    for line in text.split(|&byte| byte == b'\n') {
        number += 1;
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        let broken = |problem: &str| Trouble::broken(Format::Lcov, number, problem);
        if line == "end_of_record" {
            let Section { name, executed, measured } =
                source.take().ok_or_else(|| broken("the end of no file"))?;
            let coverage = file.part(&test);
            coverage.add_lines(&name, &executed.into_iter().collect::<Lines>());
            coverage.add_measured(&name, &measured.into_iter().collect::<Lines>());
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once(':') {
            Some(("TN", name)) => test = name.trim().to_owned(),
            Some(("SF", name)) if source.is_none() => source = Some(Section::of(name)),
            Some(("SF", _)) => return Err(broken("a file begins before the last one ends")),
            Some(("DA", counted)) => {
                let section = source.as_mut().ok_or_else(|| broken("a line of no file"))?;
                let (line, count) = parse(counted).ok_or_else(|| broken("no line and count"))?;
                section.measured.push(line);
                if is_executed(count) {
                    section.executed.push(line);
                }
            }
            Some((kind, _)) if is_kind(kind) => {}
            _ => return Err(broken("no record")),
        }
    }
    match source {
        Some(_) => Err(Trouble::broken(Format::Lcov, number, "it is cut off within a file")),
        None => Ok(file),
    }
}

/// The records of one source file.
#[derive(Default)]
struct Section {
    name: String,
    executed: Vec<u32>,
    measured: Vec<u32>,
}

impl Section {
    fn of(name: &str) -> Section {
        Section { name: name.into(), ..Section::default() }
    }
}

/// Reads `line,count`; a checksum may follow.
fn parse(counted: &str) -> Option<(u32, f64)> {
    let mut fields = counted.split(',').map(str::trim);
    let line = fields.next()?.parse().ok()?;
    let count: f64 = fields.next()?.parse().ok()?;
    (!count.is_nan()).then_some((line, count))
}

fn is_kind(kind: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    kind.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase()) && kind.bytes().all(is_known)
}
