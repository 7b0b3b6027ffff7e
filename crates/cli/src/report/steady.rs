//! How steady a test is, as text.

use whodunit_jobs::steady::{Durations, SteadyAnswer, Way, WayAnswer};

use super::{counted, table, time};
use crate::output::plain;
use crate::report::sure::percent;

/// The most kinds of failures that are listed.
const MOST_KINDS: usize = 5;

/// A difference is mentioned if the probability of getting it by chance is at most this.
const MAYBE: f64 = 0.05;

/// The probability of seeing the failure at least once in the advised number of runs.
const SEEN: f64 = 0.99;

/// Returns the results, and what can be done about them.
pub(crate) fn answer(answer: &SteadyAnswer) -> String {
    let usual = &answer.ways[0];
    let mut rows = vec![("test", plain(&answer.command)), ("steady", steadiness(answer))];
    rows.push(("alone", counts(usual)));
    for way in &answer.ways[1..] {
        rows.push((name(way.way), format!("{}{}", counts(way), matters(way))));
    }
    for untried in &answer.untried {
        rows.push((name(untried.way), format!("not tried: {}", plain(&untried.why))));
    }
    for kind in answer.failures.iter().take(MOST_KINDS) {
        let runs = counted(u64::from(kind.runs), "run", "runs");
        rows.push(("failure", format!("{runs}: {}", plain(&kind.failure))));
    }
    if let Some(more @ 1..) = answer.failures.len().checked_sub(MOST_KINDS) {
        rows.push(("failure", format!("and {more} other kinds")));
    }
    rows.push(("time", durations(&answer.durations)));
    rows.extend(advice(answer).into_iter().map(|text| ("advice", text)));
    table(&rows)
}

fn steadiness(answer: &SteadyAnswer) -> String {
    let usual = &answer.ways[0];
    let (least, most) = answer.rate;
    if answer.is_steady {
        let word = match (usual.counts.seen, usual.inconclusive) {
            (_, 1..) => "is inconclusive",
            (0, 0) => "passes",
            _ => "fails",
        };
        let runs: u32 = answer.ways.iter().map(|way| way.counts.runs + way.inconclusive).sum();
        return format!("it {word} in each of {runs} runs");
    }
    let depends: Vec<&str> =
        answer.ways.iter().filter(|way| way.matters).map(|way| cause(way.way)).collect();
    let on = match depends[..] {
        [] => String::new(),
        _ => format!("; it depends on: {}", depends.join(", ")),
    };
    format!("no: it fails in {} to {} of its runs alone{on}", percent(least), percent(most))
}

fn counts(way: &WayAnswer) -> String {
    let inconclusive = match way.inconclusive {
        0 => String::new(),
        some => format!(", {some} inconclusive"),
    };
    format!("fails in {}{inconclusive}", way.counts)
}

fn matters(way: &WayAnswer) -> String {
    match way.matters {
        true if way.by_chance < 0.001 => ", which is not by chance".into(),
        true => format!(", by chance in only {} of cases", percent(way.by_chance)),
        false if way.by_chance <= MAYBE => {
            ", which may be by chance: a larger -n would tell".into()
        }
        false => String::new(),
    }
}

/// Returns what a test depends on if its outcome differs in this way.
fn cause(way: Way) -> &'static str {
    match way {
        Way::Alone => "nothing",
        Way::UsedFolder => "files that a run leaves",
        Way::SameAddresses => "addresses of memory",
        Way::SameHashes => "the hashes of Python",
        Way::PlainLocale => "the locale",
        Way::OtherZone => "the time zone",
        Way::SideBySide => "what runs beside it",
    }
}

fn name(way: Way) -> &'static str {
    match way {
        Way::Alone => "alone",
        Way::UsedFolder => "reused",
        Way::SameAddresses => "addresses",
        Way::SameHashes => "hashes",
        Way::PlainLocale => "locale",
        Way::OtherZone => "time zone",
        Way::SideBySide => "at once",
    }
}

fn durations(durations: &Durations) -> String {
    let Durations { fastest, slowest, limit, beyond } = *durations;
    let limit = match (beyond, durations.are_near_limit()) {
        (0, false) => String::new(),
        (0, true) => format!("; the limit of {} is near", time(limit)),
        (beyond, _) => format!("; {beyond} took longer than the limit of {}", time(limit)),
    };
    format!("{} to {}{limit}", time(fastest), time(slowest))
}

/// Returns what to do about the results.
fn advice(answer: &SteadyAnswer) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    for way in answer.ways.iter().filter(|way| way.matters) {
        let rate = |way: &WayAnswer| f64::from(way.counts.seen) / f64::from(way.counts.runs);
        let more = rate(way) > rate(&answer.ways[0]);
        advice.push(match way.way {
            Way::Alone => continue,
            Way::UsedFolder => "a run leaves files that the next one reads: use --fresh".into(),
            Way::SideBySide if more => "runs disturb each other: use -j1".into(),
            Way::SideBySide => "load changes the outcome: look for a race".into(),
            Way::SameAddresses => {
                "put `setarch -R` in front of the command, and look for memory that is \
                                   not initialised"
                    .into()
            }
            Way::SameHashes => "set PYTHONHASHSEED to a number with which it fails".into(),
            Way::PlainLocale => "set LC_ALL in the command".into(),
            Way::OtherZone => "set TZ in the command, and look for what it does with dates".into(),
        });
    }
    if answer.durations.are_near_limit() {
        advice.push("give a longer --timeout".into());
    }
    let usual = &answer.ways[0].counts;
    if usual.seen > 0 && usual.seen < usual.runs {
        let rate = f64::from(usual.seen) / f64::from(usual.runs);
        let runs = ((1.0 - SEEN).ln() / (1.0 - rate).ln()).ceil().max(2.0);
        advice.push(format!(
            "in {runs} runs the failure shows in {} of cases: add --repeat {runs} to a search",
            percent(SEEN)
        ));
    }
    advice
}
