//! The page around the chart: one file of HTML that is also well-formed XML, and that loads and
//! runs nothing.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};
use whodunit_exec::quote;
use whodunit_run::Ended;

use super::chart::chart;
use super::course::{Course, Searched};
use super::journey::journey;
use super::outcomes::{Row, table};
use super::text::{counted, duration, number, plain};
use super::time::Spent;
use crate::report;

const STYLE: &str = include_str!("page.css");

/// The most other failures that are listed.
const LISTED: usize = 50;

/// The part before the title, as text, because elements without content have to end as in XML
/// here.
const BEFORE_TITLE: &str = "<!DOCTYPE html>\n\
    <html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
    <meta http-equiv=\"Content-Security-Policy\" \
    content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n";

/// Returns the page about a run.
pub(super) fn page(run: &str, course: &Course<'_>, answer: Option<Markup>) -> String {
    let heading = &course.heading;
    let title = plain(&format!("whodunit {}: {}", heading.job, heading.subject));
    let content = html! {
            (state(run, course.ended))
            @if let Some(answer) = answer { (answer) }
            h2 { "The run" } "\n"
            (facts(run, course))
            h2 { "The search" } "\n"
            (numbers(course))
            (picture(course))
            @if let Some(answer) = course.history { (journey(answer)) }
            (searches(&course.searches))
            (others(&course.others))
            (time(&course.spent))
    };
    framed(&title, &content)
}

/// Returns a page with this title.
pub(super) fn framed(title: &str, content: &Markup) -> String {
    let page = html! {
        (PreEscaped(BEFORE_TITLE))
        title { (title) } "\n"
        style { "\n" (PreEscaped(STYLE)) } "\n"
        (PreEscaped("</head>\n<body>\n"))
        main { "\n"
            h1 { (title) } "\n"
            (content)
        } "\n"
        (PreEscaped("</body>\n</html>\n"))
    };
    page.into_string()
}

/// Shows the outcomes of the tests of each search.
fn searches(searches: &[Searched]) -> Markup {
    let of = |search: &Searched| Row {
        cells: vec![search.name.to_owned()],
        numbers: vec![number(search.changes)],
        outcomes: search.outcomes.clone(),
    };
    let rows: Vec<Row> = searches.iter().filter(|it| it.outcomes.tests() > 0).map(of).collect();
    html! {
        @if !rows.is_empty() {
            h2 { "What the tests of each search said" } "\n"
            (table(&["looking for"], &["suspects"], &rows))
        }
    }
}

fn state(run: &str, ended: Option<Ended>) -> Markup {
    let early = match ended {
        Some(Ended::Done) => {
            return html! { p class="state" { "The run is finished." } "\n" };
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
    html! {
        p class="state open" {
            (early) " To continue: " code { "whodunit resume " (plain(&quote(run.as_ref()))) }
        } "\n"
    }
}

fn facts(run: &str, course: &Course<'_>) -> Markup {
    let heading = &course.heading;
    let rows = [
        ("run", Some(run)),
        ("in", Some(heading.folder.as_str())),
        ("asked", Some(heading.asked.as_str())),
        ("command", course.command.as_deref()),
        ("failure", course.failure.as_deref()),
    ];
    html! {
        table class="facts" { "\n"
            @for (name, fact) in rows.into_iter().filter_map(|(name, fact)| Some((name, fact?))) {
                tr { th { (name) } td { code { (plain(fact)) } } } "\n"
            }
        } "\n"
    }
}

fn numbers(course: &Course<'_>) -> Markup {
    let (start, now) = course.sizes();
    let tally = &course.tally;
    let unit = course.measure.unit();
    let mut entries = vec![
        (
            format!("{} → {}", number(start), number(now)),
            format!("{unit} ({})", report::percent(now, start)),
        ),
        (number(tally.committed), "tests decided".to_owned()),
        (number(tally.cached), "remembered".into()),
        (number(tally.wasted), "more ran ahead".into()),
        (number(tally.foretold), "skipped".into()),
        (number(tally.unresolved), "inconclusive".into()),
        (number(tally.after_last_success), "after the last success".into()),
    ];
    if let Some(time) = course.seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()) {
        entries.push((duration(time), "time".into()));
    }
    html! {
        ul class="numbers" { "\n"
            @for (number, name) in entries {
                li { strong { (number) } span { (name) } } "\n"
            }
        } "\n"
    }
}

fn picture(course: &Course<'_>) -> Markup {
    if course.tests.is_empty() {
        return html! {
            p class="note" { "No test was committed yet, so there is no picture." } "\n"
        };
    }
    html! {
        figure tabindex="0" { "\n"
            (PreEscaped(chart(course)))
            figcaption class="note" {
                "Pale marks: the answer was known before. What was skipped cost no test and has \
                 no mark."
            } "\n"
        } "\n"
    }
}

fn others(others: &[(String, u64)]) -> Markup {
    let more = others.len().saturating_sub(LISTED) as u64;
    html! {
        @if !others.is_empty() {
            h2 { "Other failures met" } "\n"
            table { "\n"
                tr { th class="number" { "tests" } th { "failure" } } "\n"
                @for (failure, tests) in others.iter().take(LISTED) {
                    tr { td class="number" { (number(*tests)) } td { code { (plain(failure)) } } } "\n"
                }
            } "\n"
            @if more > 0 {
                p class="note" { "And " (counted(more, "other kind", "other kinds")) "." } "\n"
            }
        }
    }
}

fn time(spent: &[Spent]) -> Markup {
    let whole: Duration = spent.iter().fold(Duration::ZERO, |sum, it| sum.saturating_add(it.time));
    html! {
        @if !spent.is_empty() {
            h2 { "Where the time went" } "\n"
            table { "\n"
                tr {
                    th { "what" }
                    @for heading in ["number", "time", "share", "longest"] {
                        th class="number" { (heading) }
                    }
                } "\n"
                @for Spent { what, tests, time, longest } in spent {
                    @let share = report::percent(micros(*time), micros(whole));
                    tr {
                        td { (what) }
                        @for cell in [number(*tests), duration(*time), share, duration(*longest)] {
                            td class="number" { (cell) }
                        }
                    } "\n"
                }
            } "\n"
            p class="note" {
                "Sums over all workers; tests that were cancelled are not in the journal."
            } "\n"
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
