//! Shows how a run is going: a display on a terminal, a line for each improvement elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use whodunit::engine::Status;

use crate::output;
use crate::report;

/// How often the display changes; tests may be a thousand times faster.
const REDRAWS: u8 = 10;

/// Shows how a run is going.
pub(crate) enum Progress {
    Display(Display),
    Lines,
    Silent,
}

/// The display on a terminal.
pub(crate) struct Display {
    bar: ProgressBar,
    start: u64,
    /// When the search began.
    begun: Option<Instant>,
    improved: Option<Instant>,
    drawn: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        match io::stderr().is_terminal() {
            _ if quiet => Progress::Silent,
            true => Progress::Display(Display::new()),
            false => Progress::Lines,
        }
    }

    /// Says something that stays on the screen.
    pub(crate) fn note(&self, text: &str) {
        match self {
            Progress::Display(display) => display.bar.suspend(|| output::note(text)),
            Progress::Lines => output::note(text),
            Progress::Silent => {}
        }
    }

    /// Shows what is being done before the search begins.
    pub(crate) fn begin(&mut self, text: &str) {
        if let Progress::Display(display) = self {
            display.bar.set_message(text.to_owned());
            display.bar.tick();
        }
    }

    /// Takes note of how large the input is.
    pub(crate) fn start_size(&mut self, bytes: u64) {
        if let Progress::Display(display) = self {
            display.start = bytes;
        }
    }

    /// Shows that the best candidate is smaller now.
    pub(crate) fn improved(&mut self, bytes: u64, tests: u64) {
        match self {
            Progress::Display(display) => display.improved = Some(Instant::now()),
            Progress::Lines => output::note(&format!("{bytes} bytes  (after {tests} tests)")),
            Progress::Silent => {}
        }
    }

    /// Shows how things are at the moment, if it is time to.
    pub(crate) fn status(&mut self, status: &Status, jobs: usize) {
        if let Progress::Display(display) = self {
            display.status(status, jobs);
        }
    }

    /// Shows how far a verification has come.
    pub(crate) fn checked(&mut self, done: usize, total: usize) {
        if let Progress::Display(display) = self
            && display.is_time()
        {
            display.bar.set_message(format!("{done} of {total} tests replayed"));
        }
    }

    /// Takes the display off the screen.
    pub(crate) fn end(&mut self) {
        if let Progress::Display(display) = self {
            display.bar.finish_and_clear();
        }
    }
}

impl Display {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(REDRAWS));
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is valid"));
        Display { bar, start: 0, begun: None, improved: None, drawn: None }
    }

    fn is_time(&mut self) -> bool {
        let pause = Duration::from_secs(1) / u32::from(REDRAWS);
        let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= pause);
        if due {
            self.drawn = Some(Instant::now());
        }
        due
    }

    fn status(&mut self, status: &Status, jobs: usize) {
        if !self.is_time() {
            return;
        }
        let Status { tally, busy, best, asked } = status;
        let asked = asked.map_or_else(String::new, |size| format!("trying {} bytes, ", size.bytes));
        let begun = self.begun.get_or_insert_with(Instant::now);
        let rate = tally.committed as f64 / begun.elapsed().as_secs_f64().max(0.1);
        let improved = self.improved.map_or_else(
            || "nothing smaller yet".to_owned(),
            |improved| format!("last improvement {} ago", report::time(improved.elapsed())),
        );
        self.bar.set_message(format!(
            "{} of {} bytes ({})  {} tests, {} cached, {} wasted\n{asked}{busy} of {jobs} busy, \
             {rate:.0} tests/s, {improved}",
            best.bytes,
            self.start,
            report::percent(best.bytes, self.start),
            tally.committed,
            tally.cached,
            tally.wasted,
        ));
    }
}
