//! Runs many cases in parallel, and reports the lies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::case::{Case, Name, SIZE};
use crate::examine::{Examined, Programs, examine};

/// Settings of the detector.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tested program.
    pub whodunit: PathBuf,
    /// The least number of runs of the program.
    pub runs: usize,
    /// The seed of the first case; the others follow.
    pub seed: u64,
    /// The number of parallel cases.
    pub jobs: usize,
    /// One case alone, by its seed and its size.
    pub only: Option<(u64, usize)>,
    /// Cases of one job alone: `reduce`, `changes` or `history`.
    pub job: Option<String>,
}

impl Settings {
    /// Reads the settings from variables: `LIES_RUNS`, `LIES_SEED`, `LIES_JOBS`, `LIES_JOB`
    /// for the cases of one job, and `LIES_ONLY=SEED:SIZE` for one case alone.
    pub fn from_environment(whodunit: &Path, runs: usize) -> Self {
        fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
            std::env::var(name).ok()?.parse().ok()
        }
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let only = std::env::var("LIES_ONLY").ok().and_then(|only| {
            let (seed, size) = only.split_once(':')?;
            Some((seed.parse().ok()?, size.parse().ok()?))
        });
        Settings {
            whodunit: std::path::absolute(whodunit).unwrap_or_else(|_| whodunit.to_owned()),
            runs: number("LIES_RUNS").unwrap_or(runs),
            seed: number("LIES_SEED").unwrap_or(1),
            jobs: number("LIES_JOBS").unwrap_or_else(cores),
            only,
            job: std::env::var("LIES_JOB").ok(),
        }
    }
}

/// Runs between two reports of progress.
const PROGRESS: usize = 500;

/// The most lying cases that are listed.
const MOST: usize = 40;

/// Searches for lies, and reports them.
#[allow(clippy::print_stdout)] // a report for people
pub fn detect(settings: &Settings) -> ExitCode {
    let test = std::env::current_exe().unwrap_or_default();
    let programs = Programs { whodunit: &settings.whodunit, test: &test };
    if let Some((seed, size)) = settings.only {
        let name = Name { seed, size };
        let report = match examine(&programs, name, true) {
            Ok(examined) => told(name, &examined),
            Err(error) => format!("error: {error}"),
        };
        println!("{report}");
        return ExitCode::from(u8::from(report.contains("lie:") || report.contains("error:")));
    }
    let tally = Tally::default();
    let next = AtomicU64::new(settings.seed);
    thread::scope(|scope| {
        for _ in 0..settings.jobs {
            scope.spawn(|| {
                while tally.runs.load(Ordering::Relaxed) < settings.runs {
                    let name = Name { seed: next.fetch_add(1, Ordering::Relaxed), size: SIZE };
                    let title = || Case::new(name).title();
                    if settings.job.as_ref().is_none_or(|job| title().starts_with(job)) {
                        tally.add(&programs, name);
                    }
                }
            });
        }
    });
    println!("{}", tally.report());
    ExitCode::from(u8::from(!tally.is_clean()))
}

#[derive(Default)]
struct Tally {
    cases: AtomicUsize,
    runs: AtomicUsize,
    checked: AtomicUsize,
    unchecked: AtomicUsize,
    remembered: AtomicU64,
    ended: Mutex<BTreeMap<String, usize>>,
    lies: Mutex<Vec<String>>,
}

impl Tally {
    #[allow(clippy::print_stdout)] // progress for people
    fn add(&self, programs: &Programs<'_>, name: Name) {
        let examined = match examine(programs, name, false) {
            Ok(examined) => examined,
            Err(error) => {
                self.runs.fetch_add(1, Ordering::Relaxed);
                return self.say(format!("case {}:{}: error: {error}", name.seed, name.size));
            }
        };
        self.cases.fetch_add(1, Ordering::Relaxed);
        let before = self.runs.fetch_add(examined.runs, Ordering::Relaxed);
        if (before + examined.runs) / PROGRESS > before / PROGRESS {
            println!("{} runs", before + examined.runs);
        }
        self.checked.fetch_add(examined.findings.checked, Ordering::Relaxed);
        self.unchecked.fetch_add(examined.findings.unchecked, Ordering::Relaxed);
        self.remembered.fetch_add(examined.remembered, Ordering::Relaxed);
        if let Ok(mut ended) = self.ended.lock() {
            let job = examined.title.split(' ').next().unwrap_or_default();
            *ended.entry(format!("{job} {}", examined.ended)).or_default() += 1;
        }
        if examined.findings.lies.is_empty() {
            return;
        }
        let (name, examined) = smallest(programs, name, examined);
        self.say(told(name, &examined));
    }

    #[allow(clippy::print_stdout)] // progress for people
    fn say(&self, lie: String) {
        if let Ok(mut lies) = self.lies.lock() {
            if lies.len() < MOST {
                println!("{lie}");
            }
            lies.push(lie);
        }
    }

    fn is_clean(&self) -> bool {
        self.lies.lock().is_ok_and(|lies| lies.is_empty())
    }

    fn report(&self) -> String {
        let number = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let lies = self.lies.lock().map_or(0, |lies| lies.len());
        let ended = self.ended.lock().map(|ended| format!("{ended:?}")).unwrap_or_default();
        format!(
            "{} runs of {} cases, {} claims checked, {} beyond this checker, {} outcomes remembered; {lies} cases with lies\n{ended}",
            number(&self.runs),
            number(&self.cases),
            number(&self.checked),
            number(&self.unchecked),
            self.remembered.load(Ordering::Relaxed),
        )
    }
}

/// Searches a smaller case of the same seed that lies as well.
fn smallest(programs: &Programs<'_>, name: Name, examined: Examined) -> (Name, Examined) {
    for size in [2, 3, 4, 6, 9] {
        let name = Name { seed: name.seed, size };
        match examine(programs, name, false) {
            Ok(smaller) if !smaller.findings.lies.is_empty() => return (name, smaller),
            _ => {}
        }
    }
    (name, examined)
}

fn told(name: Name, examined: &Examined) -> String {
    let mut text = format!("case {}:{}: {}", name.seed, name.size, examined.title);
    // Several ways of running a case may show the same lie.
    for lie in examined.findings.lies.iter().collect::<BTreeSet<_>>() {
        let _ = write!(text, "\n  lie: {lie}");
    }
    let _ = match &examined.kept {
        Some(folder) => write!(text, "\n  kept in {}", folder.display()),
        None => write!(text, "\n  to repeat it alone: LIES_ONLY={}:{}", name.seed, name.size),
    };
    text
}
