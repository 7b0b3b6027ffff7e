//! The outcomes of tests, as a table and as bars: Table 3 of Artho's *Iterative Delta
//! Debugging*.

use std::fmt::Write;

use maud::{Markup, html};
use whodunit_run::judge::Obstacle;

use super::text::{escaped, number, plain};
use crate::report;
use crate::report::outcomes::Outcomes;

/// The outcomes of the tests of one search or run, and the cells before them in the row.
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    pub(super) numbers: Vec<String>,
    pub(super) outcomes: Outcomes,
}

/// Returns a table with these rows; obstacles that no test met have no column.
pub(super) fn table(words: &[&str], numbers: &[&str], rows: &[Row]) -> Markup {
    let is_met = |obstacle: &Obstacle| rows.iter().any(|row| row.outcomes.kept_by(*obstacle) > 0);
    let met: Vec<Obstacle> = Obstacle::ALL.into_iter().filter(is_met).collect();
    let columns = numbers.iter().copied().chain(["tests", "failed", "passed"]);
    html! {
        table { "\n"
            tr {
                @for name in words { th { (name) } }
                @for name in columns { th class="number" { (name) } }
                @for obstacle in &met { th class="number" { (obstacle.word()) } }
            } "\n"
            @for Row { cells, numbers, outcomes } in rows {
                tr {
                    @for cell in cells { td { code { (plain(cell)) } } }
                    @for cell in numbers { td class="number" { (plain(cell)) } }
                    @for count in [outcomes.tests(), outcomes.fail, outcomes.pass] {
                        td class="number" { (number(count)) }
                    }
                    @for obstacle in &met {
                        td class="number" { (number(outcomes.kept_by(*obstacle))) }
                    }
                } "\n"
            }
        } "\n"
    }
}

const WIDTH: f64 = 960.0;
const LEFT: f64 = 220.0;
const RIGHT: f64 = 944.0;
/// The height of a bar, and the distance between bars, in pixels.
const HIGH: f64 = 16.0;
const APART: f64 = 26.0;
/// The number of characters of a name that fit beside a bar.
const NAME: usize = 30;

/// Draws the share of each outcome in the tests of each run.
pub(super) fn bars(rows: &[(&str, &Outcomes)]) -> String {
    let height = rows.len() as f64 * APART + 34.0;
    let mut svg = format!(
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"figure\" \
         aria-label=\"shares of outcomes\">\n"
    );
    for (place, (name, outcomes)) in rows.iter().enumerate() {
        let (y, all) = (place as f64 * APART + 4.0, outcomes.tests().max(1));
        let name = escaped(&super::text::shortened(name, NAME));
        let _ = writeln!(
            svg,
            "<text class=\"small end\" x=\"{}\" y=\"{}\">{name}</text>",
            LEFT - 8.0,
            y + 13.0
        );
        let mut x = LEFT;
        for (class, word, count) in shares(outcomes) {
            let width = (RIGHT - LEFT) * count as f64 / all as f64;
            let share = report::percent(count, all);
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" \
                 height=\"{HIGH}\"><title>{word}: {} ({share})</title></rect>",
                number(count)
            );
            x += width;
        }
    }
    let mut x = LEFT;
    for (class, word) in legend() {
        let y = height - 22.0;
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\"/>\
             <text class=\"small\" x=\"{}\" y=\"{}\">{word}</text>",
            x + 16.0,
            y + 11.0
        );
        x += 80.0;
    }
    svg.push_str("</svg>\n</figure>\n");
    svg
}

fn legend() -> impl Iterator<Item = (&'static str, &'static str)> {
    let obstacles = Obstacle::ALL.into_iter().map(|it| (class(it), it.word()));
    [("fail", "failed"), ("band odd", "passed")].into_iter().chain(obstacles)
}

fn shares(outcomes: &Outcomes) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    let decided = [outcomes.fail, outcomes.pass];
    let open = Obstacle::ALL.map(|obstacle| outcomes.kept_by(obstacle));
    let counts = decided.into_iter().chain(open);
    legend().zip(counts).map(|((class, word), count)| (class, word, count)).filter(|it| it.2 > 0)
}

fn class(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Other => "unresolved",
        named => named.word(),
    }
}
