//! The page around the chart: one file of HTML that is also well-formed XML, and that loads and
//! runs nothing.

use std::fmt::Write;
use std::time::Duration;

use whodunit_exec::quote;
use whodunit_run::Ended;

use super::chart::chart;
use super::course::Course;
use super::journey::journey;
use super::text::{counted, duration, escaped, number};
use super::time::Spent;
use crate::report;

const STYLE: &str = include_str!("page.css");

/// How many other failures are listed.
const LISTED: usize = 50;

/// Returns the page about a run.
pub(super) fn page(run: &str, course: &Course<'_>) -> String {
    let heading = &course.heading;
    let title = escaped(&format!("whodunit {}: {}", heading.job, heading.subject));
    let mut page = format!(
        "<!DOCTYPE html>\n\
         <html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n"
    );
    state(&mut page, run, course.ended);
    facts(&mut page, run, course);
    numbers(&mut page, course);
    if course.tests.is_empty() {
        page.push_str("<p class=\"note\">No test was committed yet, so there is no picture.</p>\n");
    } else {
        let _ = write!(
            page,
            "<figure>\n{}<figcaption class=\"note\">Pale marks: the answer was known before. What \
             was foretold cost no test and has no mark.</figcaption>\n</figure>\n",
            chart(course)
        );
    }
    page.push_str(&course.history.map(journey).unwrap_or_default());
    others(&mut page, &course.others);
    time(&mut page, &course.spent);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn state(page: &mut String, run: &str, ended: Option<Ended>) {
    let go_on = format!("To go on: <code>whodunit resume {}</code>", escaped(&quote(run.as_ref())));
    let early = match ended {
        Some(Ended::Done) => {
            page.push_str("<p class=\"state\">The run is finished.</p>\n");
            return;
        }
        Some(Ended::GaveUp) => {
            "The search gave up before all was asked about: the answer may be \
             larger than needed."
        }
        Some(Ended::OutOfTime) => "The run stopped early, because the time is up.",
        Some(Ended::OutOfTests) => "The run stopped early, because the number of tests is used up.",
        Some(Ended::Stopped) => "The run stopped early, because it was interrupted.",
        Some(Ended::Defect) => "The run stopped early, because whodunit has a defect.",
        None => "The run is unfinished: its journal ends before the search does.",
    };
    let _ = writeln!(page, "<p class=\"state open\">{early} {go_on}</p>");
}

fn facts(page: &mut String, run: &str, course: &Course<'_>) {
    let heading = &course.heading;
    let rows = [
        ("run", Some(run)),
        ("in", Some(heading.folder.as_str())),
        ("asked", Some(heading.asked.as_str())),
        ("command", course.command.as_deref()),
        ("failure", course.failure.as_deref()),
    ];
    page.push_str("<table class=\"facts\">\n");
    for (name, fact) in rows.into_iter().filter_map(|(name, fact)| Some((name, fact?))) {
        let fact = escaped(fact);
        let _ = writeln!(page, "<tr><th>{name}</th><td><code>{fact}</code></td></tr>");
    }
    page.push_str("</table>\n");
}

fn numbers(page: &mut String, course: &Course<'_>) {
    let (start, now) = course.sizes();
    let tally = &course.tally;
    let unit = course.measure.unit();
    let mut entries = vec![
        (
            format!("{} → {}", number(start), number(now)),
            format!("{unit} ({})", report::percent(now, start)),
        ),
        (number(tally.committed), "tests committed".to_owned()),
        (number(tally.cached), "cached".into()),
        (number(tally.wasted), "wasted".into()),
        (number(tally.foretold), "foretold".into()),
        (number(tally.unresolved), "unresolved".into()),
        (number(tally.after_last_success), "after the last success".into()),
    ];
    if let Some(time) = course.seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()) {
        entries.push((duration(time), "time".into()));
    }
    page.push_str("<ul class=\"numbers\">\n");
    for (number, name) in entries {
        let _ = writeln!(page, "<li><strong>{number}</strong><span>{}</span></li>", escaped(&name));
    }
    page.push_str("</ul>\n");
}

fn others(page: &mut String, others: &[(String, u64)]) {
    if others.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Other failures met</h2>\n<table>\n\
         <tr><th class=\"number\">tests</th><th>failure</th></tr>\n",
    );
    for (failure, tests) in others.iter().take(LISTED) {
        let (failure, tests) = (escaped(failure), number(*tests));
        let _ = writeln!(
            page,
            "<tr><td class=\"number\">{tests}</td><td><code>{failure}</code></td></tr>"
        );
    }
    page.push_str("</table>\n");
    if let Some(more) = others.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let more = counted(more as u64, "other kind", "other kinds");
        let _ = writeln!(page, "<p class=\"note\">And {more}.</p>");
    }
}

fn time(page: &mut String, spent: &[Spent]) {
    if spent.is_empty() {
        return;
    }
    let whole: Duration = spent.iter().fold(Duration::ZERO, |sum, it| sum.saturating_add(it.time));
    page.push_str(
        "<h2>Where the time went</h2>\n<table>\n<tr><th>what</th><th class=\"number\">number</th>\
         <th class=\"number\">time</th><th class=\"number\">share</th>\
         <th class=\"number\">longest</th></tr>\n",
    );
    for Spent { what, tests, time, longest } in spent {
        let share = report::percent(micros(*time), micros(whole));
        let _ = write!(page, "<tr><td>{what}</td>");
        for cell in [number(*tests), duration(*time), escaped(&share), duration(*longest)] {
            let _ = write!(page, "<td class=\"number\">{cell}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str(
        "</table>\n<p class=\"note\">Sums over all workers; tests that were cancelled are not in \
         the journal.</p>\n",
    );
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
