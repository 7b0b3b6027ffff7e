//! A file of coverage in any of the formats, and a report of JUnit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whodunit_coverage::{Report, Source, read};

fuzz_target!(|bytes: &[u8]| {
    let _ = read(Source { name: "coverage", bytes });
    let _ = Report::read([Source { name: "report", bytes }]);
});
