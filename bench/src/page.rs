//! Pages with one Markdown table, which commands write anew row by row.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::time::SystemTime;

/// Writes the first two lines of a table.
pub(crate) fn write_head(formatter: &mut fmt::Formatter<'_>, columns: &[&str]) -> fmt::Result {
    writeln!(formatter, "| {} |", columns.join(" | "))?;
    writeln!(formatter, "|{}", "---|".repeat(columns.len()))
}

/// Reads the cells of each row of a page; what is not a row is passed over, but a row of another
/// shape is an error, since it would be lost.
pub(crate) fn rows<const COLUMNS: usize>(page: &str) -> Result<Vec<[String; COLUMNS]>, String> {
    let lines = page.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let inner = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|'));
        let cells = inner.unwrap_or_default().split('|').map(|cell| cell.trim().to_owned());
        let cells: Result<[String; COLUMNS], _> = cells.collect::<Vec<_>>().try_into();
        cells.map_err(|_| format!("not a row of {COLUMNS} cells: {line}"))
    };
    lines.skip(2).map(cells).collect()
}

/// Writes the page in `path` anew; one that is not there is empty.
pub(crate) fn update(
    path: &Path,
    newer: impl FnOnce(&str) -> Result<String, String>,
) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
    let page = match std::fs::read_to_string(path) {
        Ok(page) => page,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(named(&error).into()),
    };
    let page = newer(&page).map_err(|error| named(&error))?;
    std::fs::write(path, page).map_err(|error| named(&error).into())
}

/// Returns the date in UTC.
pub(crate) fn today() -> String {
    let mut now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.truncate("2000-01-01".len());
    now
}

/// Tells people what goes on.
#[allow(clippy::print_stderr)] // a command for people
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}
