//! A patch on the terminal.

use anstyle::{AnsiColor, Style};

use crate::output::{STRONG, plain};

const NEW: Style = AnsiColor::Green.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const PLACE: Style = AnsiColor::Cyan.on_default();

/// The most lines of a patch that is shown; a screen has about as many. Of longer patches
/// only the file is named.
const SHORT: usize = 40;

/// Returns a patch in colours if it is short.
pub(crate) fn short(patch: &str) -> String {
    if patch.is_empty() || patch.lines().count() > SHORT {
        return String::new();
    }
    let mut text = String::from("\n");
    for line in patch.lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', ..] => STRONG,
            [b'+', ..] => NEW,
            [b'-', ..] => OLD,
            [b'@', ..] => PLACE,
            _ => Style::new(),
        };
        text.push_str(&format!("{style}{}{style:#}\n", plain(line)));
    }
    text.push('\n');
    text
}
