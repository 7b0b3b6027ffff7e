//! Ctrl-C and similar signals: the first stops the run and keeps the best result, the second
//! ends it at once.

use std::io;
use std::process;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use whodunit_run::Stop;

use crate::exit::Exit;

/// Stops the run at the first signal; ends the program at the second.
///
/// Nothing has to be cleaned up then: launchers notice that their parent is gone, end their
/// tests and delete their folders; the result is written by one rename or not at all.
pub(crate) fn listen(stop: &Stop) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let stop = stop.clone();
    thread::spawn(move || {
        for _ in &mut signals {
            if stop.is_stopped() {
                process::exit(Exit::Interrupted as i32);
            }
            stop.stop();
        }
    });
    Ok(())
}
