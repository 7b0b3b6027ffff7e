//! The answer as text.

mod atomic;
pub(crate) mod atoms;
pub(crate) mod changes;
pub(crate) mod history;
pub(crate) mod outcomes;
pub(crate) mod steady;
pub(crate) mod sure;

use std::ffi::OsStr;
use std::time::Duration;

use whodunit_exec::{StageLimits, quote};
use whodunit_input::ReduceSearch;
use whodunit_jobs::answer::WhyAgain;
use whodunit_jobs::core::Verdict;
use whodunit_jobs::reduce::{
    Answer, Certification, FileAnswer, Isolation, LanguageSettings, Learned, LeftOut, Level,
    OtherFailure, Shortened, WhyLeftOut,
};
use whodunit_run::judge::Failure;
use whodunit_run::{Ended, Limits, Tally, Word};

use crate::inert::continued;
use crate::output::{HINT, STRONG, WARNING, inert, plain};
use crate::plan::input_search_word;

/// The number of other failures that are listed.
const OTHERS: usize = 3;

/// The number of files of a folder that are listed, and of things that are left out of it.
const LISTED: usize = 10;

/// For a result that failed in one test and does not in another.
const UNSTEADY: &str = "the smallest that was seen to fail did not fail when it was tested once \
                        more: the test is not repeatable (--fail-match says what matters)";

/// For a result of which not every part was asked about.
const INPUT: &str = "it may be larger than needed: not all of what is left was asked about; to try \
                     more, reduce the result once more, or choose another --level";

/// Returns the answer as text, one fact per line.
pub(crate) fn answer(answer: &Answer) -> String {
    let is_steady = !matches!(rerun(answer), Some(Verdict::Pass | Verdict::Unresolved));
    let not_done = not_done(answer.ended, GaveUp::Input, &answer.run).filter(|_| is_steady);
    let mut rows: Vec<_> = not_done.into_iter().collect();
    rows.extend(files(answer));
    rows.extend(answer.isolated.iter().flat_map(|it| isolation(it, answer)));
    if let Some(shortened) = &answer.shortened {
        rows.push(("command", command(shortened)));
    }
    rows.push(("size", size(answer)));
    rows.push(("failure", plain(&answer.failure)));
    rows.push(("tests", tests(&answer.tests)));
    rows.push(("time", time(Duration::from_secs_f64(answer.seconds))));
    rows.push((label(answer), proof(answer)));
    if !answer.others.is_empty() {
        rows.push(("also met", others(&answer.others)));
    }
    rows.extend(answer.started_over.map(|why| ("beware", started_over(why))));
    rows.extend(answer.changed_input.iter().map(|it| ("beware", changed_input(it))));
    if answer.size.bytes == 0 {
        rows.push(("beware", "nothing is left: does the test look at its input at all?".into()));
    }
    table(&rows)
}

/// Returns where the best result so far is, for a run that ends with an error.
pub(crate) fn rescued(answer: &Answer) -> String {
    let mut rows = files(answer);
    rows.push(("size", size(answer)));
    rows.push(("not proved", "the best so far: the run ends with an error".into()));
    table(&rows).trim_end().to_owned()
}

/// Returns why the result is not in its intended place.
fn changed_input(input: &Word) -> String {
    let input = plain(&quote(input.as_os_str()));
    format!("{input} changed during the run and was left as it is: the result is beside it")
}

/// Returns why a run starts again by itself.
pub(crate) fn why_again(why: WhyAgain) -> &'static str {
    match why {
        WhyAgain::TestChanged => {
            "the command, its script, the sandbox or a variable of --env has changed since the run was \
             interrupted"
        }
        WhyAgain::OutcomeChanged => {
            "a test says something else than before the run was interrupted"
        }
        WhyAgain::WarmFolders => "folders with earlier builds misled the tests",
        WhyAgain::Flaky => "a test said something else when it was repeated",
        WhyAgain::OpenJournal => "others can have written the journal of the run",
    }
}

/// Returns what an answer tells about a run that started again.
pub(crate) fn started_over(why: WhyAgain) -> String {
    let then = match why {
        WhyAgain::TestChanged | WhyAgain::OutcomeChanged => "nothing from before it is used",
        WhyAgain::OpenJournal => "nothing that it says of tests is used",
        WhyAgain::WarmFolders => "all was done again in clean ones",
        WhyAgain::Flaky => "from then on tests were repeated",
    };
    format!("{}; {then}", why_again(why))
}

/// Returns how to see more of a run, or how to continue it.
pub(crate) fn run(answer: &Answer) -> String {
    // A continued run would ask the same questions, and give up in the same place.
    let is_over = answer.ended == Ended::GaveUp;
    let ended = if is_over { Ended::Done } else { answer.ended };
    more(&answer.run, ended, answer.settings.max_tests)
}

/// The search that was given up.
#[derive(Clone, Copy)]
enum GaveUp {
    /// The search for a smaller input.
    Input,
    /// The search for a smaller set of changes.
    Changes,
    /// The search for changes that have to be undone.
    Fix,
}

/// Returns the first line of an answer whose search did not finish: why, and how to continue.
fn not_done(ended: Ended, gave_up: GaveUp, run: &str) -> Option<(&'static str, String)> {
    let go_on = format!("to continue: whodunit resume {}", quote(run.as_ref()));
    let early = |why: &str| Some(("not done", format!("{why}; this is the best so far; {go_on}")));
    match ended {
        Ended::Done => None,
        Ended::GaveUp => {
            let what = match gave_up {
                GaveUp::Input => return Some(("gave up", INPUT.to_owned())),
                GaveUp::Changes => {
                    "some of it may not be needed: many tests in a row removed \
                                    nothing more"
                }
                GaveUp::Fix => "no smaller fix was found: many tests in a row brought nothing",
            };
            Some(("gave up", format!("{what}; {go_on}, or with --budget 10m until it is proved")))
        }
        Ended::OutOfTime => early("the time is up"),
        // The line about the run tells how to continue with more tests.
        Ended::OutOfTests => {
            Some(("not done", "the number of tests is used up; this is the best so far".to_owned()))
        }
        Ended::Stopped => early("it was interrupted"),
        Ended::Defect => early("whodunit has a defect"),
    }
}

fn more(run: &str, ended: Ended, max_tests: Option<u64>) -> String {
    let run = quote(run.as_ref());
    let show = format!("to see more: whodunit show {run}");
    let go_on = format!("{show}; to continue: whodunit resume {run}");
    let text = match ended {
        Ended::Done => show,
        Ended::GaveUp | Ended::OutOfTime | Ended::Stopped | Ended::Defect => go_on,
        Ended::OutOfTests => {
            format!("{go_on} --max-tests {}", max_tests.unwrap_or(0) * 2)
        }
    };
    table(&[("run", text)])
}

/// Returns names and facts in two columns.
pub(crate) fn table(rows: &[(&str, String)]) -> String {
    let line = |(name, text): &(&str, String)| {
        format!("{STRONG}{name:<11}{STRONG:#}{}\n", continued(text))
    };
    rows.iter().map(line).collect()
}

/// Returns how the learned failure looks.
pub(crate) fn failure(learned: &Learned) -> String {
    match learned.signature {
        Some(_) => {
            format!("failure: {} (wrong? use --fail-match or --fail-exit)", plain(&learned.failure))
        }
        None => format!("failure: {}", plain(&learned.failure)),
    }
}

/// Warns if only the exit status tells the failure from others; `hint` says what to do about it.
pub(crate) fn unclear(failure: Option<&Failure>, hint: &str) -> Option<String> {
    let failure = failure.filter(|failure| failure.is_unclear())?;
    let warning = format!(
        "{WARNING}warning:{WARNING:#} nothing but the exit status tells this failure from others"
    );
    if failure.last_lines.is_empty() {
        return Some(format!("{warning}: it prints nothing"));
    }
    let lines: String =
        failure.last_lines.iter().map(|line| format!("\n    {}", plain(line))).collect();
    Some(format!("{warning}; its output ends with{lines}\n{HINT}hint:{HINT:#} {hint}"))
}

/// Returns the command without the arguments that do not matter.
pub(crate) fn command(shortened: &Shortened) -> String {
    let words = shortened.words.iter().map(|word| quote(word.as_os_str()));
    plain(&words.collect::<Vec<_>>().join(" "))
}

/// Returns how the command was shortened.
pub(crate) fn shortened(shortened: &Shortened) -> String {
    let so_far = if shortened.complete { "" } else { " so far" };
    let tests = counted(shortened.tests, "test", "tests");
    format!("command: {}{so_far} ({tests})", command(shortened))
}

/// Returns what is left out of an input folder, one line each.
pub(crate) fn left_out(left_out: &[LeftOut]) -> Vec<String> {
    let why = |why: WhyLeftOut| match why {
        WhyLeftOut::Records => "records of a version control system",
        WhyLeftOut::Test => "the test itself",
        WhyLeftOut::DeadLink => "a symbolic link to nothing",
        WhyLeftOut::LeadsOut => "a symbolic link that leads out of the folder",
        WhyLeftOut::LinkToFolder => "a symbolic link to a folder",
        WhyLeftOut::Special => "neither a file nor a folder",
    };
    let line = |left: &LeftOut| {
        format!("left out: {} ({})", inert(&quote(left.path.as_os_str())), why(left.why))
    };
    let mut lines: Vec<String> = left_out.iter().take(LISTED).map(line).collect();
    if left_out.len() > LISTED {
        lines.push(format!("left out: {} more", left_out.len() - LISTED));
    }
    lines
}

/// Returns the limits of one test.
pub(crate) fn limits(limits: &StageLimits) -> String {
    let Limits { time: most, memory, output, processes } = &limits.test;
    let memory =
        memory.map_or_else(String::new, |bytes| format!("{} of memory, ", bytes_short(bytes)));
    let mut text = format!(
        "limits: {}, {memory}{} of output and {processes} processes and threads for each test",
        time(*most),
        bytes_short(*output)
    );
    let StageLimits { gate, configure, build, .. } = limits;
    for (stage, limits) in [("gate", gate), ("configuration", configure), ("build", build)] {
        if let Some(limits) = limits {
            text.push_str(&format!("; {} for each {stage}", time(limits.time)));
        }
    }
    text
}

/// Returns a number with its digits in groups of three.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number of things.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// Returns a share in percent, with enough digits to be more than zero.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match share {
        share if share >= 10.0 || part == 0 => format!("{share:.0} %"),
        share if share >= 0.01 => format!("{share:.2} %"),
        _ => "< 0.01 %".into(),
    }
}

/// Returns a duration in words.
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns a number of bytes with a unit.
pub(crate) fn bytes_short(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.iter().find(|(shift, _)| bytes >> shift > 0) {
        Some((shift, unit)) => {
            let number = bytes as f64 / (1u64 << shift) as f64;
            let text = format!("{number:.1}");
            format!("{} {unit}", text.trim_end_matches(".0"))
        }
        None => format!("{bytes} bytes"),
    }
}

fn files(answer: &Answer) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let several = answer.files.len() > 1;
    let in_folder = |file: &FileAnswer| {
        let path = file.input.as_path();
        answer.folders.iter().any(|folder| path.starts_with(folder.input.as_path()))
    };
    for file in answer.files.iter().filter(|file| !in_folder(file)) {
        rows.push(match &file.path {
            Some(path) if several => ("result", with_size(path.as_os_str(), file)),
            Some(path) => ("result", inert(&quote(path.as_os_str()))),
            None => ("not needed", inert(&quote(file.input.as_os_str()))),
        });
    }
    for folder in &answer.folders {
        let path = inert(&quote(folder.path.as_os_str()));
        let files = counted(folder.files_before, "file", "files");
        rows.push(("result", format!("{path} ({} of {files})", number(folder.files))));
        let inside = answer.files.iter().filter_map(|file| {
            let below = file.path.as_ref()?.as_path().strip_prefix(folder.path.as_path()).ok()?;
            Some(with_size(below.as_os_str(), file))
        });
        rows.extend(inside.take(LISTED).map(|text| ("", format!("  {text}"))));
        if folder.files > LISTED as u64 {
            rows.push(("", format!("  and {} more", folder.files - LISTED as u64)));
        }
    }
    rows
}

fn with_size(path: &OsStr, file: &FileAnswer) -> String {
    format!("{} ({} of {})", quote(path), file.bytes, counted(file.bytes_before, "byte", "bytes"))
}

fn size(answer: &Answer) -> String {
    let (start, size) = (answer.start, answer.size);
    format!(
        "{} of {} ({}), {} of {}",
        number(size.bytes),
        counted(start.bytes, "byte", "bytes"),
        percent(size.bytes, start.bytes),
        number(size.tokens),
        counted(start.tokens, "token", "tokens")
    )
}

/// Returns how many tests were run and how many were not needed, as in `196 tests (135
/// inconclusive)`. The only place for these words.
pub(crate) fn tests(tally: &Tally) -> String {
    let &Tally { committed, cached, foretold, wasted, unresolved, proof, .. } = tally;
    let mut text = counted(committed, "test", "tests");
    // Answers without a test may be inconclusive too; then the number is not about tests alone.
    let is_about_tests = cached == 0 && foretold == 0;
    if unresolved > 0 && is_about_tests {
        text.push_str(&format!(" ({} inconclusive)", number(unresolved)));
    }
    for (count, name) in [(cached, "remembered"), (foretold, "skipped")] {
        if count > 0 {
            text.push_str(&format!(", {} {name}", number(count)));
        }
    }
    if unresolved > 0 && !is_about_tests {
        text.push_str(&format!(" ({} of all these inconclusive)", number(unresolved)));
    }
    for (count, name) in [(wasted, "more ran ahead"), (proof, "more for the proof")] {
        if count > 0 {
            text.push_str(&format!("; {} {name}", number(count)));
        }
    }
    text
}

/// Returns the name of the row that says how certain the result is.
pub(crate) fn label(answer: &Answer) -> &'static str {
    sure::label(is_proved(answer), answer.learned.flaky.as_ref())
}

fn is_proved(answer: &Answer) -> bool {
    answer.ended == Ended::Done
        && rerun(answer) == Some(Verdict::Fail)
        && (answer.proof.level.is_some() || is_bare(answer) || is_isolated(answer))
        && !is_described(answer)
}

/// Returns whether the result and the passing input are as close as they get.
fn is_isolated(answer: &Answer) -> bool {
    answer.isolated.as_ref().is_some_and(|isolated| isolated.minimal)
}

/// Returns what the papers call the claim of a search.
fn promise(answer: &Answer) -> &'static str {
    match answer.settings.search {
        ReduceSearch::Ddmin => " (1-minimal)",
        ReduceSearch::HddPlus | ReduceSearch::HddStar => " (1-tree-minimal)",
        _ => "",
    }
}

/// Returns what a search leaves open that goes through the tree only once.
fn unpromised(answer: &Answer) -> String {
    match answer.settings.search {
        ReduceSearch::Isolate => "nothing is needed: the empty input fails".into(),
        search => format!(
            "`{}` does not ask about each node that is left; `hdd_plus` and `hdd_star` do",
            input_search_word(search)
        ),
    }
}

/// Returns the claim about the difference of the result and the passing input.
fn isolated(answer: &Answer) -> String {
    let count = answer.isolated.as_ref().map_or(0, |isolated| isolated.difference.len());
    match (is_isolated(answer), count) {
        (true, 1) => "without the difference it passes".into(),
        (true, _) => "without the difference it passes; no part of the difference can be tested \
                      by itself"
            .into(),
        (false, _) => "without the difference it passes; whether less of it makes the failure was \
                       not asked"
            .into(),
    }
}

/// Returns the passing input, and how the result differs from it.
fn isolation(isolation: &Isolation, answer: &Answer) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let paths = isolation.files.iter().filter_map(|file| file.path.as_ref());
    rows.extend(paths.take(LISTED).map(|path| ("passes", inert(&quote(path.as_os_str())))));
    let left: Vec<_> = answer.files.iter().filter_map(|file| file.path.as_ref()).collect();
    let count = isolation.difference.len();
    for (place, delta) in isolation.difference.iter().take(LISTED).enumerate() {
        let path = left.get(delta.file).map(|path| inert(&quote(path.as_os_str())));
        let name = if place == 0 { "difference" } else { "" };
        let place = format!("{}:{}", path.unwrap_or_default(), delta.line);
        rows.push((name, format!("{place}: {}", plain(&delta.text))));
    }
    if count > LISTED {
        rows.push(("", format!("and {} more", count - LISTED)));
    }
    rows
}

/// Returns the verdict on the result when it was tested once more.
fn rerun(answer: &Answer) -> Option<Verdict> {
    answer.proof.rerun.map(|rerun| rerun.verdict.verdict())
}

/// Returns whether a description divided the input.
fn is_described(answer: &Answer) -> bool {
    matches!(answer.settings.language, LanguageSettings::Hierarchy(_))
}

/// Returns whether nothing is left that may be removed.
fn is_bare(answer: &Answer) -> bool {
    answer.proof.certify == Certification::Full
        && answer.proof.needed.is_empty()
        && answer.settings.search.promises_each_needed()
}

/// Returns the statements of the proof, separated by semicolons.
pub(crate) fn proof(answer: &Answer) -> String {
    let proof = &answer.proof;
    let mut text = match rerun(answer) {
        Some(Verdict::Fail) => match proof.rerun.and_then(|rerun| rerun.verdict.counts()) {
            Some(counts) => format!("fails {counts} times; "),
            None => "fails again in a clean folder; ".to_owned(),
        },
        Some(Verdict::Pass | Verdict::Unresolved) => return UNSTEADY.to_owned(),
        None => String::new(),
    };
    text.push_str(&match (answer.ended, proof.certify) {
        (Ended::OutOfTime, _) => "the best so far, because the time is up".to_owned(),
        (Ended::OutOfTests, _) => {
            "the best so far, because the number of tests is used up".to_owned()
        }
        (Ended::Stopped, _) => "the best so far, because it was interrupted".to_owned(),
        (Ended::Defect, _) => "the best so far, because whodunit has a defect".to_owned(),
        (Ended::GaveUp, _) => "given up before everything that is left was asked about".to_owned(),
        (Ended::Done, _) if answer.isolated.is_some() => isolated(answer),
        (Ended::Done, _) if !answer.settings.search.promises_each_needed() => unpromised(answer),
        (Ended::Done, _) if proof.level.is_some() => {
            let levels = either(&proof.levels);
            match answer.learned.flaky.as_ref() {
                Some(flaky) => {
                    let without = sure::without(flaky, None::<[_; 0]>);
                    format!("without any {levels} of it {without} ({})", sure::confidence(flaky))
                }
                None if answer.settings.valid => {
                    format!("no {levels} can be left out of it as a sentence of its grammar")
                }
                None => format!("no {levels} can be left out{}", promise(answer)),
            }
        }
        (Ended::Done, _) if is_described(answer) => {
            "each event that is left was asked about".to_owned()
        }
        (Ended::Done, _) if is_bare(answer) => "nothing is left to remove".to_owned(),
        (Ended::Done, Certification::Full) => "not everything that is left was asked about".into(),
        (Ended::Done, Certification::Dirty | Certification::None) => {
            "whether it is minimal was not checked (--certify=full does)".to_owned()
        }
    });
    text
}

/// Returns the names of the levels, the finest first.
fn either(levels: &[Level]) -> String {
    let name = |level: &Level| match level {
        Level::Files => "file",
        Level::Nodes => "node",
        Level::Lines => "line",
        Level::Tokens => "token",
        Level::Bytes => "byte",
    };
    let names: Vec<&str> = levels.iter().rev().map(name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

fn others(others: &[OtherFailure]) -> String {
    let count = others.len();
    let mut text = match count {
        1 => "1 other failure".to_owned(),
        _ => format!("{count} other failures"),
    };
    for other in others.iter().take(OTHERS) {
        let tests = counted(other.tests, "test", "tests");
        text.push_str(&format!("\n{:13}{} ({tests})", "", plain(&other.failure)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_in_words() {
        let tally = Tally { committed: 196, unresolved: 135, wasted: 58, ..Tally::default() };
        assert_eq!(tests(&tally), "196 tests (135 inconclusive); 58 more ran ahead");
        let tally = Tally { cached: 7, foretold: 4, proof: 3, ..tally };
        let all = "196 tests, 7 remembered, 4 skipped (135 of all these inconclusive); 58 more ran \
                   ahead; 3 more for the proof";
        assert_eq!(tests(&tally), all);
        assert_eq!(tests(&Tally { committed: 1, ..Tally::default() }), "1 test");
    }

    #[test]
    fn small_shares_are_not_nothing() {
        assert_eq!(percent(50, 100), "50 %");
        assert_eq!(percent(3, 400), "0.75 %");
        assert_eq!(percent(1, 1_000_000), "< 0.01 %");
        assert_eq!(percent(0, 10), "0 %");
    }

    #[test]
    fn durations_are_said_as_people_do() {
        assert_eq!(time(Duration::from_millis(2345)), "2.3 s");
        assert_eq!(time(Duration::from_secs(125)), "2 min 5 s");
        assert_eq!(time(Duration::from_secs(3 * 3600 + 60)), "3 h 1 min");
    }

    #[test]
    fn levels_are_listed_from_fine_to_coarse() {
        let levels = [Level::Lines, Level::Tokens, Level::Bytes];
        assert_eq!(either(&levels), "byte, token or line");
        assert_eq!(either(&levels[..1]), "line");
    }
}
