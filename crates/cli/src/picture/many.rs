//! Several runs on one page: the outcomes of their tests (Table 3 of Artho's *Iterative Delta
//! Debugging*), the sizes of patches before and after their search (Figures 23 and 24), and how
//! much repeated searches removed from a patch (Figure 25).

use std::collections::BTreeSet;
use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use whodunit_jobs::history::{HistoryAnswer, StepResult};

use super::axes::Axes;
use super::course::Course;
use super::outcomes::{Row, bars, table};
use super::page::framed;
use super::scale::Scale;
use super::text::{counted, escaped, number, plain};
use crate::report;
use crate::report::outcomes::Outcomes;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 360.0;
/// The left and right edges of the plot, in pixels.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 944.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 310.0;

/// A search that made something smaller.
struct Reduction<'a> {
    run: &'a str,
    before: u64,
    after: u64,
    /// Whether it repeated an earlier search on that search's result.
    again: bool,
}

impl Reduction<'_> {
    /// Returns how much was removed, in percent.
    fn percent(&self) -> f64 {
        100.0 * (1.0 - self.after as f64 / self.before.max(1) as f64)
    }
}

/// Returns the page about runs, each with its name.
pub(super) fn page(runs: &[(&str, &Course<'_>)]) -> String {
    let title = format!("whodunit: {} compared", counted(runs.len() as u64, "run", "runs"));
    let reductions: Vec<Reduction<'_>> =
        runs.iter().flat_map(|(name, course)| reductions(name, course)).collect();
    let (again, first): (Vec<_>, Vec<_>) = reductions.iter().partition(|it| it.again);
    let outcomes: Vec<Outcomes> = runs.iter().map(|(_, course)| outcomes(course)).collect();
    let bars_of: Vec<(&str, &Outcomes)> =
        runs.iter().map(|(name, _)| *name).zip(&outcomes).collect();
    let content = html! {
        (overview(runs))
        h2 { "What the tests inside of the searches said" } "\n"
        (PreEscaped(bars(&bars_of)))
        (table(&["run"], &["less by, on average"], &rows(runs, &outcomes, &reductions)))
        (sizes("Sizes before and after each search", &first))
        (sizes("Sizes before and after a search was repeated", &again))
    };
    framed(&title, &content)
}

/// Returns how many tests runs took, and for how many versions.
fn overview(runs: &[(&str, &Course<'_>)]) -> Markup {
    html! {
        table { "\n"
            tr {
                th { "run" } th { "job" } th { "of" }
                @for name in ["before", "after", "tests", "versions", "tests per version"] {
                    th class="number" { (name) }
                }
            } "\n"
            @for (name, course) in runs {
                @let (before, after) = course.sizes();
                @let versions = course.history.map(versions);
                @let tests = course.tally.committed;
                @let share = versions.map(|all| format!("{:.1}", tests as f64 / all.max(1) as f64));
                tr {
                    td { code { (plain(name)) } }
                    td { (course.heading.job) }
                    td { code { (plain(&course.heading.subject)) } }
                    td class="number" { (number(before)) }
                    td class="number" { (number(after)) }
                    td class="number" { (number(tests)) }
                    td class="number" { (versions.map(number).unwrap_or_default()) }
                    td class="number" { (share.unwrap_or_default()) }
                } "\n"
            }
        } "\n"
    }
}

/// Returns how many versions a run of `history` tested.
fn versions(answer: &HistoryAnswer) -> u64 {
    answer.steps.iter().map(|step| step.place).collect::<BTreeSet<u64>>().len() as u64
}

fn outcomes(course: &Course<'_>) -> Outcomes {
    let mut all = Outcomes::default();
    course.searches.iter().for_each(|search| all.add(&search.outcomes));
    all
}

fn rows(
    runs: &[(&str, &Course<'_>)],
    outcomes: &[Outcomes],
    reductions: &[Reduction<'_>],
) -> Vec<Row> {
    let average = |run: &str| {
        let of: Vec<f64> = reductions
            .iter()
            .filter(|it| it.run == run && !it.again)
            .map(Reduction::percent)
            .collect();
        let average = of.iter().sum::<f64>() / of.len() as f64;
        if of.is_empty() { String::new() } else { format!("{average:.0} %") }
    };
    let row = |((name, _), outcomes): (&(&str, &Course<'_>), &Outcomes)| Row {
        cells: vec![(*name).to_owned()],
        numbers: vec![average(name)],
        outcomes: outcomes.clone(),
    };
    runs.iter().zip(outcomes).map(row).collect()
}

/// Returns the reductions of a run's searches: patches in lines for `history`, otherwise the whole
/// subject.
fn reductions<'a>(run: &'a str, course: &Course<'_>) -> Vec<Reduction<'a>> {
    let Some(answer) = course.history else {
        let (before, after) = course.sizes();
        return vec![Reduction { run, before, after, again: false }];
    };
    let of = answer.steps.iter().filter_map(|step| match &step.result {
        StepResult::Searched { before, after: Some(after), again, .. } => {
            Some(Reduction { run, before: before.lines, after: after.lines, again: *again })
        }
        _ => None,
    });
    of.collect()
}

/// Draws each search as a point: from left to right its size before, upwards its size after. The
/// further a point is below the line, the more was removed.
fn sizes(heading: &str, reductions: &[&Reduction<'_>]) -> Markup {
    if reductions.is_empty() {
        return html! {};
    }
    let largest = reductions.iter().map(|it| it.before.max(it.after)).max().unwrap_or(0);
    let all = || reductions.iter().flat_map(|it| [it.before, it.after]);
    let across = Scale::fitting(all(), largest, (LEFT, RIGHT));
    let up = Scale::fitting(all(), largest, (BOTTOM, TOP));
    let label = escaped(heading);
    let mut svg = format!(
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"figure\" aria-label=\"{label}\">\n"
    );
    let sides = (LEFT, RIGHT);
    let (unit, steps) = ("after", "before");
    Axes { sides, ends: (TOP, BOTTOM), across: &across, up: &up, unit, steps }.draw(&mut svg);
    let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {BOTTOM}L{RIGHT} {TOP}\"/>");
    for it in reductions {
        let (x, y) = (across.place(it.before as f64), up.place(it.after as f64));
        let (before, after) = (number(it.before), number(it.after));
        let share = report::percent(it.after, it.before);
        let title = format!("{}: {before} to {after} ({share})", escaped(it.run));
        let _ = writeln!(
            svg,
            "<circle class=\"fail\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"><title>{title}</title></circle>"
        );
    }
    svg.push_str("</svg>\n</figure>\n");
    html! { h2 { (heading) } "\n" (PreEscaped(svg)) }
}
