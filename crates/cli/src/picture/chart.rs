//! The chart: how much remains against the tests, as SVG.

use std::fmt::Write;

use whodunit_jobs::core::Verdict;
use whodunit_run::judge::Stage;

use super::axes::Axes;
use super::course::{Course, Measure, Phase, Step, Test};
use super::marks::{self, Mark, Marks};
use super::scale::{Place, Scale};
use super::text::{duration, escaped, number, shortened};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 440.0;
/// The left and right edges of the plot, in pixels.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 944.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 364.0;
/// The largest width of a character of a label, in pixels.
const CHARACTER: f64 = 7.5;
/// The most characters that are shown of a test's output.
const WORDS: usize = 80;

/// The marks differ in shape as well as in colour, so that either is enough to tell them apart.
const SHAPES: &str = "\
<defs>
<circle id=\"fail\" r=\"3.5\"/>
<rect id=\"pass\" x=\"-2.7\" y=\"-2.7\" width=\"5.4\" height=\"5.4\"/>
<path id=\"unresolved\" d=\"M0-3.5L3.4 2.6H-3.4Z\"/>
</defs>
";

/// Draws the course of a search.
pub(super) fn chart(course: &Course<'_>) -> String {
    let across = Scale::linear(course.tests.len() as u64, (LEFT, RIGHT));
    let remaining = course.steps.iter().map(|step| step.size);
    let largest = course.tests.iter().map(|test| test.size).max().unwrap_or(0);
    let up = Scale::fitting(remaining, largest, (BOTTOM, TOP));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"figure\" \
         aria-label=\"what remains after each test\">\n{SHAPES}"
    );
    course.phases.iter().enumerate().for_each(|(index, phase)| {
        band(&mut svg, index, phase, &across);
    });
    let axes = Axes {
        sides: (LEFT, RIGHT),
        ends: (TOP, BOTTOM),
        across: &across,
        up: &up,
        unit: course.measure.unit(),
        steps: "tests",
    };
    axes.draw(&mut svg);
    best(&mut svg, &course.steps, &across, &up);
    for marks in marks::marks(&course.tests, &across, &up) {
        draw_marks(&mut svg, &marks, course.measure);
    }
    legend(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn band(svg: &mut String, index: usize, phase: &Phase, across: &Scale) {
    let (from, to) = (across.place(phase.from as f64), across.place(phase.to as f64));
    let class = if index.is_multiple_of(2) { "band even" } else { "band odd" };
    let width = Place(to.0 - from.0);
    let (name, first, last) = (phase.name, phase.from + 1, phase.to);
    let tests = if first == last {
        format!("test {}", number(last))
    } else {
        format!("tests {} to {}", number(first), number(last))
    };
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{from}\" y=\"{TOP}\" width=\"{width}\" height=\"{}\">\
         <title>{name}: {tests}</title></rect>",
        BOTTOM - TOP
    );
    // A name that does not fit would reach into the next band.
    if width.0 as f64 / 10.0 > name.len() as f64 * CHARACTER {
        let x = Place(from.0 + 50);
        let _ = writeln!(svg, "<text class=\"small\" x=\"{x}\" y=\"{}\">{name}</text>", TOP - 6.0);
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fail => "fail",
        Verdict::Pass => "pass",
        Verdict::Unresolved => "unresolved",
    }
}

fn draw_marks(svg: &mut String, marks: &Marks<'_>, measure: Measure) {
    let verdict = word(marks.verdict);
    let _ = writeln!(svg, "<g class=\"marks {verdict}\">");
    if !marks.untold.is_empty() {
        // A line without length and with round ends is a dot.
        svg.push_str("<path class=\"dots\" d=\"");
        marks.untold.iter().for_each(|(x, y)| {
            let _ = write!(svg, "M{x} {y}h0");
        });
        svg.push_str("\"/>\n");
    }
    for mark in &marks.told {
        let (x, y) = mark.at;
        let class = if mark.test.cached { " class=\"cached\"" } else { "" };
        let _ = writeln!(
            svg,
            "<use href=\"#{verdict}\"{class} x=\"{x}\" y=\"{y}\"><title>{}</title></use>",
            escaped(&told(mark, measure))
        );
    }
    svg.push_str("</g>\n");
}

/// Returns the description of a mark.
fn told(mark: &Mark<'_>, measure: Measure) -> String {
    let Test { number: test, question, verdict, cached, size, seen } = mark.test;
    let mut text = format!("test {}", number(*test));
    if question != test {
        let _ = write!(text, " (question {})", number(*question));
    }
    let _ = write!(text, ": {}, {}", word(*verdict), measure.words(*size));
    if *cached {
        text.push_str(", known before");
    } else if let Some(seen) = seen {
        let _ = write!(text, ", {}", duration(seen.duration));
    }
    if let (Verdict::Unresolved, Some(seen)) = (verdict, seen) {
        let who = match seen.stage {
            Stage::Gate => "; the gate ",
            Stage::Configure => "; the configuration ",
            Stage::Build => "; the build ",
            Stage::Test => "; ",
        };
        text.push_str(who);
        text.push_str(&shortened(&seen.signature.to_string(), WORDS));
    }
    if mark.more > 0 {
        let _ = write!(text, " (and {} more here)", number(mark.more));
    }
    text
}

/// Draws the size of the best candidate as a line of steps.
fn best(svg: &mut String, steps: &[Step], across: &Scale, up: &Scale) {
    let Some((first, rest)) = steps.split_first() else { return };
    // Steps at the same place look the same; the last one counts.
    let mut corners: Vec<(Place, Place)> = Vec::new();
    for step in rest {
        let corner = (across.place(step.test as f64 - 0.5), up.place(step.size as f64));
        match corners.last_mut().filter(|last| last.0 == corner.0) {
            Some(last) => *last = corner,
            None => corners.push(corner),
        }
    }
    let _ = write!(svg, "<path class=\"best\" d=\"M{LEFT} {}", up.place(first.size as f64));
    corners.iter().for_each(|(x, y)| {
        let _ = write!(svg, "H{x}V{y}");
    });
    let _ = writeln!(svg, "H{RIGHT}\"><title>the best so far</title></path>");
}

fn legend(svg: &mut String) {
    let y = HEIGHT - 12.0;
    let entries = [
        (Verdict::Fail, "fail: the failure we are after"),
        (Verdict::Pass, "pass: it is not there"),
        (Verdict::Unresolved, "unresolved: something else happened"),
    ];
    svg.push_str("<g class=\"legend\">\n");
    let mut x = LEFT;
    for (verdict, words) in entries {
        let _ = writeln!(
            svg,
            "<g class=\"marks {0}\"><use href=\"#{0}\" x=\"{x}\" y=\"{1}\"/></g>\
             <text class=\"small\" x=\"{2}\" y=\"{y}\">{words}</text>",
            word(verdict),
            y - 4.0,
            x + 9.0
        );
        x += words.len() as f64 * CHARACTER;
    }
    let _ = writeln!(
        svg,
        "<path class=\"best\" d=\"M{} {}h18\"/><text class=\"small\" x=\"{}\" y=\"{y}\">the best \
         so far</text>\n</g>",
        x,
        y - 4.0,
        x + 23.0
    );
}
