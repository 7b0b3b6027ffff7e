//! Shows the progress of a run: a display on a terminal, a line for each improvement elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::event::Stage;
use whodunit_run::{Size, Status};

use crate::output;
use crate::plan::is_dumb_terminal;
use crate::report;

/// The most redraws in a second; tests may be a thousand times faster.
const REDRAWS: u8 = 10;

/// Shows the progress of a run.
pub(crate) enum Progress {
    Display(Display),
    Lines(Left),
    Silent,
}

/// The quantity that a search makes smaller, and how much of it there was.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Left {
    Bytes {
        of: u64,
    },
    /// Changes or commits; `tests` were run by earlier searches.
    Changes {
        of: u64,
        stage: Stage,
        tests: u64,
        /// In a search over commits: how many commits the newest passing version holds; these are
        /// no suspects.
        passing: u64,
    },
}

/// The display on a terminal.
pub(crate) struct Display {
    bar: ProgressBar,
    left: Left,
    /// When the run began, or was continued.
    shown_since: Instant,
    /// When the search began.
    begun: Option<Instant>,
    improved: Option<Instant>,
    drawn: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        match io::stderr().is_terminal() && !is_dumb_terminal() {
            _ if quiet => Progress::Silent,
            true => Progress::Display(Display::new()),
            false => Progress::Lines(Left::Bytes { of: 0 }),
        }
    }

    /// Prints a text that stays on the screen.
    pub(crate) fn note(&self, text: &str) {
        match self {
            Progress::Display(display) => display.bar.suspend(|| output::note(text)),
            Progress::Lines(_) => output::note(text),
            Progress::Silent => {}
        }
    }

    /// Prints a line for people, even if only errors are to be printed.
    pub(crate) fn insist(&self, text: &str) {
        match self {
            Progress::Silent => output::note(text),
            _ => self.note(text),
        }
    }

    /// Shows what happens before the search begins.
    pub(crate) fn begin(&mut self, text: &str) {
        if let Progress::Display(display) = self {
            display.bar.set_message(text.to_owned());
            display.bar.tick();
        }
    }

    /// Sets how much there is at the beginning.
    pub(crate) fn start(&mut self, all: Left) {
        match self {
            Progress::Display(display) => {
                display.left = all;
                display.begun = None;
                display.improved = None;
            }
            Progress::Lines(left) => *left = all,
            Progress::Silent => {}
        }
    }

    /// Shows that the best candidate is smaller now.
    pub(crate) fn improved(&mut self, size: Size, tests: u64) {
        match self {
            Progress::Display(display) => display.improved = Some(Instant::now()),
            // A smaller failing candidate tells nothing about what has to be undone.
            Progress::Lines(Left::Changes { stage: Stage::Fix | Stage::Spot, .. }) => {}
            Progress::Lines(left) => {
                output::note(&format!(
                    "{}  (after {})",
                    left.told(size),
                    report::counted(tests, "test", "tests")
                ));
            }
            Progress::Silent => {}
        }
    }

    /// Shows the verdict on a version, in a search that goes from version to version; other
    /// searches show smaller candidates instead.
    pub(crate) fn answered(&mut self, size: Size, verdict: Verdict, tests: u64) {
        let (Progress::Display(Display { left, .. }) | Progress::Lines(left)) = self else {
            return;
        };
        let Left::Changes { stage, passing, .. } = left else { return };
        if *stage == Stage::Commit && verdict == Verdict::Pass {
            *passing = (*passing).max(size.deltas as u64);
        }
        let Some(whither) = report::changes::whither(*stage) else { return };
        if let Progress::Display(display) = self {
            display.improved = Some(Instant::now());
        }
        self.note(&format!(
            "{} {whither}: {}  (after {})",
            report::counted(size.deltas as u64, "version", "versions"),
            report::changes::word(verdict),
            report::counted(tests, "test", "tests")
        ));
    }

    /// Shows the current state, if it is time to.
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

    /// Removes the display from the screen.
    pub(crate) fn end(&mut self) {
        if let Progress::Display(display) = self {
            display.bar.finish_and_clear();
        }
    }
}

impl Left {
    /// Returns how much is left, for a line of its own.
    fn told(self, size: Size) -> String {
        match self {
            Left::Bytes { .. } => format!("{} bytes", size.bytes),
            Left::Changes { of, stage, passing, .. } => {
                let kind = report::changes::suspects(stage);
                let left = report::changes::left(stage, of, size);
                // A pass at the failing version or after it belongs to another failure that is
                // gone.
                let left = if passing < left { left - passing } else { left };
                match left <= of {
                    true => {
                        format!("{} of {} {kind} left", report::number(left), report::number(of))
                    }
                    // The search is over groups of changes, such as files.
                    false => format!("{} {kind} left", report::number(left)),
                }
            }
        }
    }

    /// Returns how much is left, for the display.
    fn shown(self, size: Size) -> String {
        match self {
            Left::Bytes { of } => {
                let share = report::percent(size.bytes, of);
                format!("{} of {of} bytes ({share})", size.bytes)
            }
            Left::Changes { .. } => self.told(size),
        }
    }

    /// Returns how many tests were run before the search.
    fn tests_before(self) -> u64 {
        match self {
            Left::Bytes { .. } => 0,
            Left::Changes { tests, .. } => tests,
        }
    }

    fn tried(self, size: Size) -> String {
        match self {
            Left::Bytes { .. } => format!("{} bytes", size.bytes),
            Left::Changes { stage, .. } => {
                let tried = report::number(size.deltas as u64);
                format!("{tried} {}", report::changes::suspects(stage))
            }
        }
    }
}

impl Display {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(REDRAWS));
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is valid"));
        Display {
            bar,
            left: Left::Bytes { of: 0 },
            shown_since: Instant::now(),
            begun: None,
            improved: None,
            drawn: None,
        }
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
        let asked =
            asked.map_or_else(String::new, |size| format!("trying {}, ", self.left.tried(size)));
        let begun = self.begun.get_or_insert_with(Instant::now);
        let rate = tally.committed as f64 / begun.elapsed().as_secs_f64().max(0.1);
        let improved = self.improved.map_or_else(
            || "nothing smaller yet".to_owned(),
            |improved| format!("last improvement {} ago", report::time(improved.elapsed())),
        );
        let tests = self.left.tests_before() + tally.committed;
        self.bar.set_message(format!(
            "{}  {}, {} remembered, {} ran ahead, {}\n{asked}{busy} of {jobs} busy, \
             {rate:.0} tests/s, {improved}",
            self.left.shown(*best),
            report::counted(tests, "test", "tests"),
            tally.cached,
            tally.wasted,
            report::time(self.shown_since.elapsed()),
        ));
    }
}
