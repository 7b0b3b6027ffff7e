//! A picture of a search: how much remains after each test, and the verdict of each test.
//!
//! The idea is that of Tables 8 and 9 in Zeller's *Yesterday, my program worked. Today, it does
//! not. Why?* (1999). A journal is folded into the course of the search, the course is drawn, and
//! the drawing is set into a page that needs no other file. The same journal gives the same bytes.
//! The text for terminals is in [`report`](crate::report).

mod answer;
pub(crate) mod atoms;
mod axes;
mod chart;
mod course;
mod journey;
mod many;
mod marks;
mod outcomes;
mod page;
mod scale;
mod text;
mod time;

use whodunit_jobs::event::Event;

/// Returns the page about the run of this name, or `None` if its journal does not tell what the run
/// was about.
pub(crate) fn page(run: &str, events: &[Event]) -> Option<String> {
    course::Course::of(events).map(|course| page::page(run, &course, answer::answer(events)))
}

/// Returns the page about several runs, or the name of the first whose journal does not tell what
/// the run was about.
pub(crate) fn pages(runs: &[(String, Vec<Event>)]) -> Result<String, String> {
    let courses = runs
        .iter()
        .map(|(name, events)| course::Course::of(events).ok_or_else(|| name.clone()))
        .collect::<Result<Vec<_>, String>>()?;
    let names = runs.iter().map(|(name, _)| name.as_str());
    Ok(many::page(&names.zip(&courses).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests;
