//! All output of the program: data to standard output, everything else to standard error.
//!
//! Colours are removed where they would not be seen, and where `NO_COLOR` forbids them.

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::inert;
pub(crate) use crate::inert::{inert, plain};
use crate::trouble::Trouble;

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();

/// Bytes of JSON that are written at a time.
const BUFFER: usize = 1 << 16;

/// Prints data. A closed standard output is no error.
pub(crate) fn data(text: &str) -> Result<(), Trouble> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::Output(error)),
        _ => Ok(()),
    }
}

/// Prints JSON for programs. It may be long, and has no colours to remove.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), Trouble> {
    let mut stdout = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let text = inert::json(value).map_err(io::Error::from);
    let written = text.and_then(|text| stdout.write_all(text.as_bytes()));
    match written.and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::Output(error)),
        _ => Ok(()),
    }
}

/// Prints a text for people.
pub(crate) fn note(text: &str) {
    // If even this cannot be printed, nobody can be told.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
