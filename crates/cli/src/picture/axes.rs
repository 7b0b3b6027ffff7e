//! The axes of a drawing, with their ticks and names.

use std::fmt::Write;

use super::scale::{Place, Scale};
use super::text::number;

/// How far a number is written below its line, in tenths of a pixel.
const DOWN: i64 = 40;

/// A plot with its scales.
pub(super) struct Axes<'a> {
    /// The left and the right edge.
    pub(super) sides: (f64, f64),
    /// The upper and the lower edge.
    pub(super) ends: (f64, f64),
    pub(super) across: &'a Scale,
    pub(super) up: &'a Scale,
    /// The unit of the vertical axis.
    pub(super) unit: &'a str,
    /// The unit of the horizontal axis.
    pub(super) steps: &'a str,
}

impl Axes<'_> {
    pub(super) fn draw(&self, svg: &mut String) {
        let Axes { sides: (left, right), ends: (top, bottom), across, up, unit, steps } = self;
        for tick in up.ticks() {
            let y = up.place(tick as f64);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{left} {y}H{right}\"/>\
                 <text class=\"small end\" x=\"{}\" y=\"{}\">{}</text>",
                left - 8.0,
                Place(y.0 + DOWN),
                number(tick)
            );
        }
        for tick in across.ticks() {
            let x = across.place(tick as f64);
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x} {bottom}v5\"/>\
                 <text class=\"small middle\" x=\"{x}\" y=\"{}\">{}</text>",
                bottom + 20.0,
                number(tick)
            );
        }
        let scale = if up.is_logarithmic() { " (logarithmic)" } else { "" };
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\"/>\n\
             <text class=\"middle\" transform=\"translate(16 {})rotate(-90)\">{unit}{scale}</text>\n\
             <text class=\"middle\" x=\"{}\" y=\"{}\">{steps}</text>",
            f64::midpoint(*top, *bottom),
            f64::midpoint(*left, *right),
            bottom + 38.0
        );
    }
}
