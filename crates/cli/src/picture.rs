//! A picture of a search: how much remains after each test, and what each test said.
//!
//! The idea is that of Tables 8 and 9 in Zeller's *Yesterday, my program worked. Today, it does
//! not. Why?* (1999). A journal is folded into the course of the search, the course is drawn, and
//! the drawing is set into a page that needs nothing but itself. The same journal gives the same
//! bytes. What is said on a terminal is in [`report`](crate::report).

pub(crate) mod atoms;
mod axes;
mod chart;
mod course;
mod journey;
mod marks;
mod page;
mod scale;
mod text;
mod time;

use whodunit_jobs::event::Event;

/// Returns the page about the run of this name, or `None` if its journal does not say what the
/// run was about.
pub(crate) fn page(run: &str, events: &[Event]) -> Option<String> {
    course::Course::of(events).map(|course| page::page(run, &course))
}

#[cfg(test)]
mod tests;
