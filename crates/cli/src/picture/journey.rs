//! The steps of a run of `history`, version by version: the patches that it carried, as a
//! drawing like Figures 9 to 22 of Artho's *Iterative Delta Debugging*, and all steps as a
//! table.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use whodunit_jobs::history::{HistoryAnswer, StepResult};

use super::axes::Axes;
use super::scale::Scale;
use super::text::{counted, number, plain};
use crate::report::history::{Reasons, fate, result, stretch, watched};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 240.0;
/// The left and right edges of the plot, in pixels.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 944.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 190.0;

/// The most steps that are listed.
const LISTED: usize = 500;

/// A search for the changes that a version needs.
struct Patch {
    place: u64,
    before: u64,
    /// `None` if no patch was found.
    after: Option<u64>,
}

/// Returns the part of the page about the versions.
pub(super) fn journey(answer: &HistoryAnswer) -> Markup {
    let patches: Vec<Patch> = answer
        .steps
        .iter()
        .filter_map(|step| match &step.result {
            StepResult::Searched { before, after, .. } => Some(Patch {
                place: step.place,
                before: before.lines,
                after: after.map(|after| after.lines),
            }),
            StepResult::Tested { .. } => None,
        })
        .collect();
    let stretches = answer.stretches.iter().map(|it| stretch(it) + fate(it.fate));
    let watched = answer.watched.iter().map(watched);
    html! {
        h2 { "The way through the versions" } "\n"
        p class="note" {
            (plain(&Reasons::of(answer).words())) "; "
            (counted(answer.searches, "search", "searches"))
            " for what the test or the fix needs."
        } "\n"
        @if !patches.is_empty() { (PreEscaped(curve(&patches))) }
        (list("What could not be tested as it was:", stretches))
        (list("Failed, but not quite as the newest version does:", watched))
        (table(answer))
    }
}

/// Lists versions that could not be tested, or that stood out; empty if there are none.
fn list(heading: &str, items: impl Iterator<Item = String>) -> Markup {
    let mut items = items.take(LISTED).peekable();
    html! {
        @if items.peek().is_some() {
            p { (heading) } "\n"
            ul { "\n"
                @for item in items { li { (plain(&item)) } "\n" }
            } "\n"
        }
    }
}

/// Draws the size of each patch before and after its search against the version.
fn curve(patches: &[Patch]) -> String {
    let far = patches.iter().map(|patch| patch.place).max().unwrap_or(0);
    let across = Scale::linear(far, (RIGHT, LEFT));
    let largest = patches.iter().map(|patch| patch.before).max().unwrap_or(0);
    let sizes = patches.iter().flat_map(|patch| [Some(patch.before), patch.after]).flatten();
    let up = Scale::fitting(sizes, largest, (BOTTOM, TOP));
    let mut svg = format!(
        "<figure tabindex=\"0\">\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"figure\" \
         aria-label=\"sizes of patches\">\n"
    );
    let axes = Axes {
        sides: (LEFT, RIGHT),
        ends: (TOP, BOTTOM),
        across: &across,
        up: &up,
        unit: "lines",
        steps: "versions back from the newest",
    };
    axes.draw(&mut svg);
    for Patch { place, before, after } in patches {
        let (x, high) = (across.place(*place as f64), up.place(*before as f64));
        let found = after.map_or_else(|| "nothing yet".into(), number);
        let title = format!("{} back: {} to {found} lines", number(*place), number(*before));
        let _ = write!(svg, "<g><title>{title}</title>");
        if let Some(after) = after {
            let low = up.place(*after as f64);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{x} {high}V{low}\"/>\
                 <circle class=\"fail\" cx=\"{x}\" cy=\"{low}\" r=\"3.5\"/>"
            );
        }
        let _ = writeln!(svg, "<circle class=\"pass\" cx=\"{x}\" cy=\"{high}\" r=\"3.5\"/></g>");
    }
    svg.push_str(
        "</svg>\n<figcaption class=\"note\">Rings: what differs from the neighbour that shows \
         the outcome. Discs: the smallest part of it that was found and carried on.</figcaption>\n\
         </figure>\n",
    );
    svg
}

fn table(answer: &HistoryAnswer) -> Markup {
    let more = answer.steps.len().saturating_sub(LISTED) as u64;
    html! {
        table { "\n"
            tr { th { "version" } th class="number" { "back" } th { "result" } } "\n"
            @for step in answer.steps.iter().take(LISTED) {
                tr {
                    td { code { (plain(&step.version)) } }
                    td class="number" { (number(step.place)) }
                    td { (plain(&result(step))) }
                } "\n"
            }
        } "\n"
        @if more > 0 {
            p class="note" { "And " (counted(more, "more step", "more steps")) "." } "\n"
        }
    }
}
