//! The tests that `history` needs on made-up histories without a known good version.

mod import;
mod project;

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use whodunit_jobs::changes::{ChangeSearch, VersionSettings};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::event::Nobody;
use whodunit_jobs::history::{
    History as Job, HistoryAnswer, HistoryOutcome, HistorySettings, StepResult, Way,
};
use whodunit_jobs::journal::Runs;
use whodunit_jobs::reduce::Surroundings;

use project::History;
use whodunit_run::Ended;

/// The number of commits of a history.
const COMMITS: usize = 2000;

/// The number of histories.
const SEEDS: u64 = 20;

/// The most tests that a run may take.
const BAR: u64 = 120;

/// Tests after which a run with the flat search is cut off.
const MOST: u64 = 2000;

/// Runs `history` on all made-up histories, and returns the table.
pub(crate) fn table(seeds: Option<&str>) -> Result<String, Box<dyn Error>> {
    let seeds: u64 = seeds.map_or(Ok(SEEDS), str::parse)?;
    let mut table = String::from(PREFACE);
    let (mut tests_in_all, mut lines_in_all) = ([0u64; 2], [0u64; 2]);
    let (mut exact, mut flat_exact) = (0, 0);
    for seed in 1..=seeds {
        let history = History::new(seed, COMMITS);
        let hierarchical = run(&history, ChangeSearch::Closure)?;
        let flat = run(&history, ChangeSearch::Ddmin)?;
        let tests = [&hierarchical, &flat].map(|answer| answer.tests.committed);
        let found = found(&hierarchical);
        let is_exact = found == Some(history.cause);
        exact += u64::from(is_exact);
        flat_exact += u64::from(self::found(&flat) == Some(history.cause));
        let both = [&hierarchical, &flat];
        for (at, answer) in both.into_iter().enumerate() {
            tests_in_all[at] += answer.tests.committed;
            // The result of a run that was cut off is not minimal.
            if flat.ended == Ended::Done {
                lines_in_all[at] += answer.back_port.size.lines;
            }
        }
        let mark = match (is_exact, tests[0] <= BAR) {
            (true, true) => "",
            (true, false) => " (bar missed)",
            (false, _) => " (not found)",
        };
        let cut_off = if flat.ended == Ended::Done { "" } else { " (cut off)" };
        writeln!(
            table,
            "| {seed} | {} | {} | {} | {} | {}{mark} | {} | {} | {} | {} | {}{cut_off} | {} | {} |",
            COMMITS - 1 - history.cause,
            history.broken,
            steps(&hierarchical, Some(Verdict::Unresolved)),
            hierarchical.searches,
            tests[0],
            hierarchical.back_port.size.lines,
            carried(&hierarchical),
            hierarchical.forward.as_ref().map_or("no", |_| "yes"),
            flat.searches,
            tests[1],
            flat.back_port.size.lines,
            carried(&flat),
        )?;
    }
    let times = |[one, other]: [u64; 2]| other as f64 / one.max(1) as f64;
    writeln!(
        table,
        "\nFound exactly: {exact} of {seeds}, flat {flat_exact}. Tests in all: {}, flat {} ({:.1} times as many). \
         Lines carried in the end, where flat was not cut off: {}, flat {} ({:.1} times as many).",
        tests_in_all[0],
        tests_in_all[1],
        times(tests_in_all),
        lines_in_all[0],
        lines_in_all[1],
        times(lines_in_all),
    )?;
    Ok(table)
}

/// Counts the lines of all patches that the searches at older versions found.
fn carried(answer: &HistoryAnswer) -> u64 {
    let patches = answer.steps.iter().filter_map(|step| match &step.result {
        StepResult::Searched { way: Way::Back, after, .. } => after.map(|after| after.lines),
        _ => None,
    });
    patches.sum()
}

/// Returns the place of the commit that an answer names, counted from the oldest; `None` if it
/// does not name exactly one.
fn found(answer: &HistoryAnswer) -> Option<usize> {
    match &answer.outcome {
        HistoryOutcome::Found { suspects, .. } => match &suspects[..] {
            [only] => only.title.split(':').next()?.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Counts the steps with a verdict.
fn steps(answer: &HistoryAnswer, wanted: Option<Verdict>) -> usize {
    let is_wanted = |result: &StepResult| match result {
        StepResult::Tested { verdict, .. } => wanted.is_none_or(|wanted| wanted == *verdict),
        StepResult::Searched { .. } => false,
    };
    answer.steps.iter().filter(|step| is_wanted(&step.result)).count()
}

fn run(history: &History, search: ChangeSearch) -> Result<HistoryAnswer, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let repository = folder.path().join("project");
    import::import(history, &repository)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let surroundings = Surroundings::new(folder.path(), path);
    let journal = Runs::new(folder.path().join("runs")).create("bench")?;
    let folders = (journal, folder.path().join("patches"));
    let settings = settings(&repository, search);
    Ok(Job::new(settings, &surroundings, folders, &mut Nobody).run()?)
}

fn settings(repository: &Path, search: ChangeSearch) -> HistorySettings {
    let max_tests = (search != ChangeSearch::Closure).then_some(MOST);
    let mut how = VersionSettings::new(repository, ["sh", "tests/check.sh"]);
    (how.search, how.max_tests) = (search, max_tests);
    HistorySettings::new(".", how)
}

const PREFACE: &str = "# Histories in which no good version is known

Each history has 2,000 commits, made from a seed (`bench/src/histories`): a commit at a random place
breaks a sum; the function that the test calls is renamed twice after it, with all who call it, and the lines
beside the calls change as well; in three stretches, a fifth of the commits in all, nothing can be run; the test
and its data came with the newest commit. Every commit also changes, adds and removes other functions, all of
which are loaded by the test. `history` is given the test and nothing else.

Distance: how many commits the cause is away from the newest. Broken: commits of which nothing can be
run. Untestable: steps of the walk that said nothing. Searches: how often it looked for what the test
needs. Tests: committed ones, all included, down to the lines and with the fix on the newest version.
Lines: how large the patch is that is carried back in the end. All patches: the lines of the patches of all
searches on the way back together. Flat: the same with `--search ddmin`, which takes the difference as a list of
lines, as the paper's first implementation does, but for new files, which are never cut to pieces; after 2,000 tests
it is cut off. Regenerate with `cargo run --release -p whodunit-bench -- histories`.

| seed | distance | broken | untestable | searches | tests | lines | all patches | fix carried forward | flat: searches | tests | lines | all patches |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
";
