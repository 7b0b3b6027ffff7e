//! Why the search stopped: parts of the result, and the outcomes of the candidates without them.

use std::fmt::Write;

use whodunit_exec::quote;
use whodunit_jobs::reduce::{Answer, Region, Smaller};
use whodunit_run::Ending;
use whodunit_run::Refutation;
use whodunit_run::judge::Signature;

use crate::output::{STRONG, inert, plain};

/// The most regions that are shown; the answer as JSON has all.
const TOLD: usize = 30;

/// Returns a line for each region, and one for each candidate below it.
pub(super) fn tell(answer: &Answer) -> String {
    let regions = &answer.regions;
    if regions.listed.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{STRONG}why it stopped{STRONG:#}\n");
    for region in regions.listed.iter().take(TOLD) {
        let _ = writeln!(text, "  {}  {}", place(answer, region), plain(&region.text));
        for smaller in &region.smaller {
            let _ = writeln!(text, "      {}: {}", change(region, smaller), because(smaller));
        }
    }
    let left = regions.listed.len().saturating_sub(TOLD) as u64 + regions.more;
    if left > 0 {
        let _ = writeln!(text, "  … and {left} more (--json lists the first 200)");
    }
    text
}

fn place(answer: &Answer, region: &Region) -> String {
    let mut left = answer.files.iter().filter(|file| file.path.is_some());
    let input = left.nth(region.file).map(|file| inert(&quote(file.input.as_os_str())));
    format!("{}:{}", input.unwrap_or_default(), region.line)
}

fn change(region: &Region, smaller: &Smaller) -> String {
    match (smaller.without == region.text, smaller.instead.as_str()) {
        (true, "") => "without it".into(),
        (true, instead) => format!("as `{}`", plain(instead)),
        (false, _) => format!("without `{}`", plain(&smaller.without)),
    }
}

fn because(smaller: &Smaller) -> String {
    match &smaller.because {
        Refutation::DoesNotParse => "does not parse".into(),
        Refutation::NoFailure => "ran without the failure".into(),
        Refutation::OtherFailure { failure } | Refutation::OtherValue { failure } => {
            format!("{} instead", plain(failure))
        }
        Refutation::Refused { failure } => format!("a gate {}", plain(failure)),
        Refutation::DoesNotConfigure { failure } => {
            format!("cannot be configured: {}", plain(failure))
        }
        Refutation::DoesNotBuild { failure } => format!("does not build: {}", plain(failure)),
        Refutation::CutShort { limit } => {
            let ending = Ending::Limited(*limit);
            Signature::silent(ending).to_string()
        }
        Refutation::Open => "neither failed nor passed".into(),
    }
}
