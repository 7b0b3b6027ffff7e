//! Eight workers against one, with a test that sleeps 50 ms and an input of 400 lines.

use std::error::Error;
use std::fmt::Write;
use std::fs;

use whodunit_input::Granularity;

use crate::workbench;

/// The failure needs all of these lines.
const NEEDED: [usize; 6] = [17, 90, 91, 203, 250, 388];

pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let mut report = String::new();
    let mut runs = Vec::new();
    for jobs in [1, 8] {
        let folder = tempfile::tempdir()?;
        let text: String = (0..400).map(|number| format!("line {number}.\n")).collect();
        fs::write(folder.path().join("input.txt"), text)?;
        let lines = NEEDED.map(|line| line.to_string()).join("|");
        let count = NEEDED.len();
        let test = format!(
            "sleep 0.05; [ \"$(grep -cE 'line ({lines})\\.' \"$1\")\" -ge {count} ] && exit 1; exit 0"
        );
        let mut settings = workbench::settings(folder.path(), "input.txt", &test);
        settings.finest = Granularity::Bytes;
        settings.jobs = jobs;
        let (answer, committed) = workbench::run(folder.path(), settings)?;
        let result = fs::read(folder.path().join("input.reduced.txt"))?;
        writeln!(
            report,
            "-j{jobs}: {:.2} s, {} tests committed, {} wasted, {} bytes left",
            answer.seconds, answer.tests.committed, answer.tests.wasted, answer.size.bytes
        )?;
        runs.push((answer.seconds, result, committed));
    }
    let (one, eight) = (&runs[0], &runs[1]);
    let same = if one.1 == eight.1 && one.2 == eight.2 { "same" } else { "DIFFERENT" };
    let speed = one.0 / eight.0;
    writeln!(report, "{speed:.1} times as fast (bar: 3), {same} bytes and committed questions")?;
    Ok(report)
}
