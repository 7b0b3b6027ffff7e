//! What a run of `history` did in which version: the patches that it carried, as a drawing like
//! Figures 9 to 22 of Artho's *Iterative Delta Debugging*, and every step as a table.

use std::fmt::Write;

use whodunit::history::{HistoryAnswer, StepResult};

use super::axes::Axes;
use super::scale::Scale;
use super::text::{counted, escaped, number};
use crate::report::history::{Reasons, fate, result, stretch, watched};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 240.0;
/// The edges of the plot.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 944.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 190.0;

/// How many steps are listed.
const LISTED: usize = 500;

/// A search for what a version needs.
struct Patch {
    place: u64,
    before: u64,
    /// Nothing if none was found.
    after: Option<u64>,
}

/// Returns the part of the page about the versions.
pub(super) fn journey(answer: &HistoryAnswer) -> String {
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
    let mut page = String::from("<h2>The way through the versions</h2>\n");
    let searches = counted(answer.searches, "search", "searches");
    let _ = writeln!(
        page,
        "<p class=\"note\">{}; {searches} for what the test or the fix needs.</p>",
        escaped(&Reasons::of(answer).words())
    );
    if !patches.is_empty() {
        page.push_str(&curve(&patches));
    }
    notes(&mut page, answer);
    table(&mut page, answer);
    page
}

/// Lists the versions that could not be tested, by reason, and those that stood out.
fn notes(page: &mut String, answer: &HistoryAnswer) {
    let stretches = answer.stretches.iter().map(|it| stretch(it) + fate(it.fate));
    list(page, "What could not be tested as it was:", stretches);
    list(
        page,
        "Failed, but not quite as the newest version does:",
        answer.watched.iter().map(watched),
    );
}

fn list(page: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: String =
        items.take(LISTED).map(|item| format!("<li>{}</li>\n", escaped(&item))).collect();
    if !items.is_empty() {
        let _ = write!(page, "<p>{heading}</p>\n<ul>\n{items}</ul>\n");
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
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"figure\" \
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

fn table(page: &mut String, answer: &HistoryAnswer) {
    page.push_str(
        "<table>\n<tr><th>version</th><th class=\"number\">back</th><th>what came of it</th></tr>\n",
    );
    for step in answer.steps.iter().take(LISTED) {
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td class=\"number\">{}</td><td>{}</td></tr>",
            escaped(&step.version),
            number(step.place),
            escaped(&result(step))
        );
    }
    page.push_str("</table>\n");
    if let Some(more) = answer.steps.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let more = counted(more as u64, "more step", "more steps");
        let _ = writeln!(page, "<p class=\"note\">And {more}.</p>");
    }
}
