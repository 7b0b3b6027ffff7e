//! A log of 200 MB with one needed line.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};

use crate::{memory, workbench};

const BYTES: u64 = 200 << 20;

pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("service.log");
    let mut log = BufWriter::new(fs::File::create(&path)?);
    let mut written = 0;
    let mut number = 0_u64;
    while written < BYTES {
        let line = match number {
            1_234_567 => "2026-03-02 11:15:42 ERROR parser: unexpected token\n".to_owned(),
            _ => format!("2026-03-02 11:15:42 INFO request {number} served from cache in 12 ms\n"),
        };
        log.write_all(line.as_bytes())?;
        written += line.len() as u64;
        number += 1;
    }
    log.into_inner()?.sync_all()?;
    let test = "grep -q 'ERROR parser' \"$1\" && exit 1; exit 0";
    let settings = workbench::settings(folder.path(), "service.log", test);
    let before = memory::peak()?;
    let (answer, _) = workbench::run(folder.path(), settings)?;
    let result = fs::read_to_string(folder.path().join("service.reduced.log"))?;
    let mut report = String::new();
    writeln!(report, "{written} bytes in {number} lines: left {result:?}")?;
    writeln!(
        report,
        "{} tests, {:.1} s, peak memory {:.2} times the file (bar: 3; {before} bytes before)",
        answer.tests.committed,
        answer.seconds,
        memory::peak()? as f64 / written as f64
    )?;
    Ok(report)
}
