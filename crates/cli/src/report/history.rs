//! The answer of `history` as text.

mod steps;

use std::time::Duration;

use whodunit_exec::quote;
use whodunit_jobs::changes::{Cause, ChangeAnswer};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::history::{
    Also, Begins, Belief, Fate, Forward, HistoryAnswer, HistoryOutcome, HistorySettings, Measure,
    MemoryCheck, NotARegression, PatchLines, RevisionAnswer, Stretch, Untested, Watched,
};
use whodunit_run::Ended;
use whodunit_run::Word;

use super::changes::{
    certainty, date, ends, gave_up, is_proved, own_script, places, short, shown, undo_and_spot,
    word,
};
use super::{counted, more, not_done, others, started_over, sure, table, tests, time};
use crate::output::plain;

pub(crate) use steps::{Reasons, result, steps};

/// The most versions that are listed.
const LISTED: usize = 10;

type Rows = Vec<(&'static str, String)>;

/// Returns the answer as text: one fact per line, then the patch if it is short.
pub(crate) fn answer(answer: &HistoryAnswer) -> String {
    let not_done = not_done(answer.ended, gave_up(causes(answer)), &answer.run);
    let mut rows: Vec<_> = not_done.into_iter().chain(outcome(answer)).collect();
    rows.extend(base(answer).map(|text| ("base", text)));
    rows.extend(ends_of(answer));
    for (number, cause) in causes(answer).iter().enumerate() {
        rows.extend(culprit(answer, cause, number));
    }
    rows.extend(unreduced(answer).map(|text| ("beware", text.to_owned())));
    rows.extend(carried_back(answer));
    rows.extend(answer.forward.as_ref().map(carried_forward).unwrap_or_default());
    rows.extend(answer.unported.map(|tries| ("fix", unported(tries))));
    let is_past = |it: &&Stretch| it.fate != Fate::Open;
    let past = answer.stretches.iter().filter(is_past).map(|it| stretch(it) + fate(it.fate));
    rows.extend(labelled("untestable", past));
    rows.push(("failure", plain(&answer.failure)));
    rows.extend(labelled("watched", answer.watched.iter().map(watched)));
    rows.extend(answer.memory.as_ref().map(memory));
    rows.push(("tried", Reasons::of(answer).words()));
    let searches = counted(answer.searches, "search", "searches");
    rows.push(("searches", format!("{searches} for what the test or the fix needs")));
    rows.push(("tests", tests(&answer.tests)));
    rows.push(("time", time(Duration::from_secs_f64(answer.seconds))));
    rows.extend(answer.started_over.map(|why| ("beware", started_over(why))));
    if !answer.others.is_empty() {
        rows.push(("also met", others(&answer.others)));
    }
    let mut text = table(&rows);
    for cause in causes(answer) {
        text.push_str(&short(&cause.culprit_patch.as_os_str().to_string_lossy()));
    }
    text
}

/// Returns which version is used instead of the requested oldest one, if the newest does not
/// descend from that.
pub(crate) fn base(answer: &HistoryAnswer) -> Option<String> {
    let HistorySettings { good, since, .. } = &answer.settings;
    let (base, asked) = (answer.base.as_ref()?, good.as_ref().or(since.as_ref())?);
    let (asked, base) = (plain(asked), version(base));
    Some(format!(
        "the newest version does not come from {asked}: {base} stands for it, and nothing older counts"
    ))
}

/// Returns how to see more of a run, or how to continue it.
pub(crate) fn run(answer: &HistoryAnswer) -> String {
    more(&answer.run, answer.ended, answer.settings.how.max_tests)
}

/// Returns the findings of the memory check.
fn memory(check: &MemoryCheck) -> (&'static str, String) {
    let version = plain(&check.version);
    let doubts = check.doubts();
    let said = |all: &[&str]| plain(&all.join("; "));
    if !doubts.is_empty() {
        let text = format!(
            "the failure of {version} may rest on memory that is misused, and that of the newest version \
             does not: {}",
            said(&doubts)
        );
        return ("beware", text);
    }
    let text = match &check.newest[..] {
        [] => format!("nothing is wrong with it in {version} and in the newest version"),
        newest => {
            let newest: Vec<&str> = newest.iter().map(String::as_str).collect();
            format!("in {version} no worse than in the newest version: {}", said(&newest))
        }
    };
    ("memory", text)
}

/// Returns the size of a patch in words.
pub(crate) fn lines(size: &PatchLines) -> String {
    let lines = counted(size.lines, "changed line", "changed lines");
    format!("{lines} in {}", counted(size.files, "file", "files"))
}

/// Returns the causes.
pub(crate) fn causes(answer: &HistoryAnswer) -> &[Cause] {
    answer.outcome.causes()
}

/// Returns the version that brought the failure, or why none is named; one fact per line, with a
/// label unless it is about the fact above.
pub(crate) fn outcome(answer: &HistoryAnswer) -> Rows {
    match &answer.outcome {
        HistoryOutcome::Found { suspects, good, instead, causes, ends, .. } => {
            let mut rows = suspected(answer, suspects);
            let good = version(good);
            let tested = causes.first().and_then(|it| it.proof.good);
            let tested = tested.or_else(|| ends.as_ref().and_then(|it| it.good));
            rows.push(match instead {
                None => {
                    let passes = tested.map_or_else(|| "passes".to_owned(), sure::claim);
                    ("before it", format!("{good} {passes}"))
                }
                Some(shows) => ("before it", plain(&format!("{good} fails otherwise: it {shows}"))),
            });
            rows.extend(own_script(&answer.learned));
            rows.extend(passed_over(answer).map(|text| ("beware", text)));
            rows
        }
        HistoryOutcome::NotARegression(never) => {
            let NotARegression { oldest, is_cut_off, old_test_passes, begins, .. } = never;
            let versions = counted(answer.versions, "version", "versions");
            let unless = if begins.is_some() { ", unless the back-port is the cause" } else { "" };
            let skipped =
                never.failing.map_or(0, |failing| answer.versions.saturating_sub(failing));
            let seen = if skipped > 0 { ", as far as they were tested" } else { "" };
            let text = format!("not a regression within {versions}{seen}{unless}");
            let mut rows = vec![("answer", text)];
            if skipped > 0 {
                rows.push(("seen", seen_to_fail(answer, never)));
            }
            if let Some(begins) = begins.as_deref() {
                let Begins { failing, failing_test, before, before_test, shows, .. } = begins;
                let [failing, before] = [failing, before].map(version);
                let with_test = match failing_test.as_ref().or(before_test.as_ref()) {
                    Some(_) => " with the newest test",
                    None => "",
                };
                rows.push((
                    "without it",
                    format!("{failing} fails{with_test}, and before it {before} does not:"),
                ));
                rows.push(("", plain(shows)));
            }
            let oldest = format!("{}{} fails too", version(oldest), carried(answer, oldest));
            rows.push(("oldest", oldest));
            if let Some(it) = old_test_passes {
                rows.push(("", format!("{} passes {OLD_TEST}", version(it))));
            }
            match is_cut_off {
                true => rows.push(("beware", CUT_OFF.into())),
                false if old_test_passes.is_some() => {}
                false => rows.extend(surroundings(never, has_back_port(answer))),
            }
            rows
        }
        HistoryOutcome::Untestable { oldest, reasons, smallest } => {
            let mut rows = vec![
                ("answer", "nothing older can be tested, so the cause is not known".into()),
                ("oldest", format!("{} fails", version(oldest))),
            ];
            rows.extend(untested(reasons));
            if smallest.is_empty() {
                rows.push(("", "no part of the newer version brings the failure there".into()));
            }
            rows
        }
        HistoryOutcome::Unfinished { oldest } => vec![
            ("answer", format!("none yet, because {}", why(answer.ended))),
            ("oldest", format!("{} fails, as far as is known", version(oldest))),
        ],
    }
}

/// Warns that another version may have brought the failure: with `--path` not every version was
/// looked at, and the commits of the culprit's changes are not all known.
fn passed_over(answer: &HistoryAnswer) -> Option<String> {
    let causes = causes(answer);
    let is_known = |it: &ChangeAnswer| it.commit.is_some();
    let is_covered = !causes.is_empty() && causes.iter().flat_map(|it| &it.culprit).all(is_known);
    if answer.settings.paths.is_empty() || is_covered {
        return None;
    }
    let paths: Vec<_> = answer.settings.paths.iter().map(file).collect();
    Some(format!(
        "only versions that change {} were looked at: one between these two that changes other files \
         may have done it",
        paths.join(" or ")
    ))
}

/// Returns the proof of the version that brought the failure, where its changes were not searched.
fn ends_of(answer: &HistoryAnswer) -> Option<(&'static str, String)> {
    let HistoryOutcome::Found { ends: Some(proof), .. } = &answer.outcome else { return None };
    let versions = Ends::of(&answer.outcome)?;
    let [good, bad] = [versions.good, versions.bad].map(|end| with_back_port(answer, end));
    let flaky = answer.learned.flaky.as_ref();
    Some(ends([&good, &bad], proof, good_verdict(&answer.outcome), flaky))
}

/// Returns the expected verdict on the version before the one that brought the failure.
pub(crate) fn good_verdict(outcome: &HistoryOutcome) -> Verdict {
    match outcome {
        HistoryOutcome::Found { instead: Some(_), .. } => Verdict::Unresolved,
        _ => Verdict::Pass,
    }
}

/// Returns a warning if the pass was seen with the reduced patch only.
pub(crate) fn unreduced(answer: &HistoryAnswer) -> Option<&'static str> {
    match &answer.outcome {
        HistoryOutcome::Found { believed: Belief::AsItIs, .. } => {
            has_back_port(answer).then_some(UNREDUCED)
        }
        HistoryOutcome::NotARegression(NotARegression { believed: Belief::AsItIs, .. }) => {
            Some(UNSURE)
        }
        _ => None,
    }
}

/// For a pass that was seen with the reduced patch only.
const UNREDUCED: &str = "with all that could have been carried back the version before cannot be \
                         tested; that it passes was seen with less";

/// For a failure of the oldest version that was seen with less than could be carried back.
const UNSURE: &str = "with the newest test, or with all that could have been carried back, the oldest \
                      version cannot be tested; that it fails was seen with less";

/// Why the pass of a version does not count.
const OLD_TEST: &str = "with its own test, which is not that of the newest version";

/// Says how many versions were seen to fail, if others were not.
fn seen_to_fail(answer: &HistoryAnswer, never: &NotARegression) -> String {
    let failing = counted(never.failing.unwrap_or_default(), "version", "versions");
    let carried = if has_back_port(answer) { ", some with the back-port" } else { "" };
    let advice = match answer.settings.is_linear {
        true => "the others cannot be tested",
        false => "the others were skipped or cannot be tested (--linear skips none)",
    };
    format!("{failing} of {} fail{carried}; {advice}", answer.versions)
}

/// Returns what to think of a test that never passes: mostly something is missing around it.
fn surroundings(never: &NotARegression, has_back_port: bool) -> Rows {
    let never_passes = if has_back_port { NEVER_WITH_BACK_PORT } else { NEVER };
    let mut rows = vec![("beware", never_passes.to_owned())];
    rows.extend(labelled("it prints", never.prints.iter().map(|line| plain(line))));
    let lacking = never.lacking.iter().map(|path| plain(&quote(path.as_os_str())));
    let lacking: Vec<String> = lacking.collect();
    if !lacking.is_empty() {
        let listed = lacking.join(", ");
        rows.push((
            "lacks",
            format!("{listed} of your checkout; to have it: --with {}", lacking[0]),
        ));
    }
    rows
}

/// For a history in which all versions fail.
const NEVER: &str = "a test that fails in every version, the first one included, mostly lacks \
                     something in the folder that it runs in";

/// For such a history where something was carried back for the test: that may be the cause.
const NEVER_WITH_BACK_PORT: &str = "that the first version fails was seen with the back-port. If the back-port only lets the test run, \
     the failure is as old as the history, or the test lacks something in the folder that it runs in; if it makes the failure, it is \
     the cause";

/// For a history without a beginning.
const CUT_OFF: &str = "the history is cut off there (a shallow clone, --since, --path): there are \
                       older versions that were not looked at";

fn why(ended: Ended) -> &'static str {
    match ended {
        Ended::Done | Ended::GaveUp => "nothing more could be asked",
        Ended::OutOfTime => "the time is up",
        Ended::OutOfTests => "the number of tests is used up",
        Ended::Stopped => "it was interrupted",
        Ended::Defect => "whodunit has a defect",
    }
}

fn suspected(answer: &HistoryAnswer, suspects: &[RevisionAnswer]) -> Rows {
    let of = counted(answer.versions, "version", "versions");
    let mut rows = Vec::new();
    match suspects {
        [only] => {
            rows.push(("version", format!("{}, {} of {of}", version(only), back(only.place))));
        }
        several => {
            let count = several.len();
            let first = several.first().map_or(0, |first| first.place);
            rows.push((
                "version",
                format!("one of {count} that could not be distinguished; {} of {of}", back(first)),
            ));
            rows.extend(several.iter().take(LISTED).map(|it| ("", version(it))));
            if count > LISTED {
                rows.push(("", format!("and {} more", count - LISTED)));
            }
            let last = several.last().map_or(0, |last| last.place);
            let is_between = |it: &&Stretch| it.place <= last && it.place + it.versions > first;
            let between = answer.stretches.iter().filter(is_between);
            rows.extend(labelled("because", between.map(stretch)));
        }
    }
    rows
}

/// Returns the distance of a version from the newest one.
fn back(place: u64) -> String {
    match place {
        0 => "the newest".into(),
        place => format!("{} back", super::number(place)),
    }
}

fn untested(reasons: &[Untested]) -> Rows {
    let reasons = reasons.iter().map(|it| plain(&format!("{}: {}", it.version, it.reason)));
    labelled("untested", reasons)
}

/// Returns a list whose first line has a label; a long list is cut off.
fn labelled(label: &'static str, lines: impl Iterator<Item = String>) -> Rows {
    let lines: Vec<String> = lines.collect();
    let left_out = lines.len().saturating_sub(LISTED);
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let mut rows: Rows = labels.zip(lines).take(LISTED).collect();
    if left_out > 0 {
        rows.push(("", format!("and {left_out} more")));
    }
    rows
}

/// Returns which versions could not be tested, and why.
pub(crate) fn stretch(stretch: &Stretch) -> String {
    let Stretch { newest, oldest, versions, reason, says, .. } = stretch;
    let why = reason.with(says.as_deref());
    plain(&match versions {
        1 => format!("{newest}: {why}"),
        _ => format!("{newest} to {oldest}, {} versions: {why}", super::number(*versions)),
    })
}

/// Returns what is unusual about a failing version.
pub(crate) fn watched(watched: &Watched) -> String {
    let Watched { version, measure, times, is_confirmed, .. } = watched;
    let what = match (measure, *times < 1.0) {
        (Measure::Time, _) => format!("took {times:.0} times the time"),
        (Measure::Memory, _) => format!("took {times:.0} times the memory"),
        (Measure::Output, false) => format!("printed {times:.0} times as much"),
        (Measure::Output, true) => format!("printed {:.0} % as much", times * 100.0),
    };
    let again = if *is_confirmed { ", also when tested again" } else { "" };
    plain(&format!("at {version} the test {what}{again}"))
}

/// Returns how the search dealt with versions that could not be tested.
pub(crate) fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Leapt => " (skipped)",
        Fate::Mended => " (made testable with the back-port)",
        Fate::Open => "",
    }
}

/// Returns a version in the usual form: id, title, author and date.
pub(crate) fn version(version: &RevisionAnswer) -> String {
    let RevisionAnswer { short_id, title, author, time, .. } = version;
    let made: Vec<String> = [Some(author.clone()).filter(|it| !it.is_empty()), time.map(date)]
        .into_iter()
        .flatten()
        .collect();
    let title =
        if title.is_empty() || title == short_id { String::new() } else { format!(" \"{title}\"") };
    let made = if made.is_empty() { String::new() } else { format!(" ({})", made.join(", ")) };
    plain(&format!("{short_id}{title}{made}"))
}

fn culprit(answer: &HistoryAnswer, cause: &Cause, number: usize) -> Rows {
    let mut rows = undo_and_spot(cause);
    rows.extend(places(cause, number));
    rows.push(("size", size(cause)));
    let Some(ends) = Ends::of(&answer.outcome) else { return rows };
    let is_proved = is_proved(answer.ended, good_verdict(&answer.outcome), cause);
    let flaky = answer.learned.flaky.as_ref();
    rows.push((sure::label(is_proved, flaky), proof(answer, cause, ends)));
    if let Some(files) = &cause.files {
        let good = with_back_port(answer, ends.good);
        rows.push(("patch", format!("{} (on {good})", file(&files.culprit))));
    }
    rows
}

/// Returns the size of the culprit.
pub(crate) fn size(cause: &Cause) -> String {
    let changes = counted(cause.culprit.len() as u64, "change", "changes");
    format!("{changes} in {}", counted(cause.size.files, "file", "files"))
}

/// The versions between which causes lie.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub(crate) good: &'a RevisionAnswer,
    pub(crate) bad: &'a RevisionAnswer,
}

impl<'a> Ends<'a> {
    pub(crate) fn of(outcome: &'a HistoryOutcome) -> Option<Self> {
        let HistoryOutcome::Found { suspects, good, .. } = outcome else { return None };
        Some(Ends { good, bad: suspects.first()? })
    }
}

/// Returns the statements of the proof.
pub(crate) fn proof(answer: &HistoryAnswer, cause: &Cause, ends: Ends<'_>) -> String {
    let [good, bad] = [ends.good, ends.bad].map(|end| with_back_port(answer, end));
    let mut proof = shown(&good, &bad, cause);
    let flaky = answer.learned.flaky.as_ref();
    proof.push(certainty(answer.ended, &answer.settings.how, cause, flaky));
    proof.join("; ")
}

/// Returns the name of a version, with what the test needs there.
pub(crate) fn with_back_port(answer: &HistoryAnswer, version: &RevisionAnswer) -> String {
    plain(&match answer.back_port.given(version) {
        Some(_) => format!("{} + back-port", version.short_id),
        None => version.short_id.clone(),
    })
}

/// Returns an addition to the name of a version if something was carried to it.
fn carried(answer: &HistoryAnswer, version: &RevisionAnswer) -> &'static str {
    match answer.back_port.given(version) {
        Some(_) => " with the back-port",
        None => "",
    }
}

fn has_back_port(answer: &HistoryAnswer) -> bool {
    !answer.back_port.patch.as_bytes().is_empty()
}

fn file(file: &Word) -> String {
    plain(&quote(file.as_os_str()))
}

/// Returns the changes that the test needs where it does not run by itself.
fn carried_back(answer: &HistoryAnswer) -> Rows {
    if !has_back_port(answer) {
        return Vec::new();
    }
    let port = &answer.back_port;
    let mut rows = vec![("back-port", format!("{}, for the test to run", lines(&port.size)))];
    rows.extend(
        port.file.iter().map(|patch| ("", format!("{} (on {})", file(patch), plain(&port.on)))),
    );
    rows
}

/// A caveat about the fix.
pub(crate) const NO_REPAIR: &str = "it explains the failure; it is not a repair";

/// For a fix that changes none of the files of the culprit.
pub(crate) const ELSEWHERE: &str = "the fix changes other files than the culprit: since then something else fails \
                                    in the same way, or the files have other names";

/// Returns the rows about the fix.
fn carried_forward(forward: &Forward) -> Rows {
    let mut rows = vec![("fix", fixed(forward))];
    rows.extend(forward.file.iter().map(|patch| ("", file(patch))));
    rows.push(("", format!("({NO_REPAIR})")));
    rows.extend(forward.is_elsewhere.then(|| ("beware", ELSEWHERE.to_owned())));
    rows.extend(forward.also.iter().map(|it| ("also", also(it))));
    rows
}

/// Returns that the fix could not be carried to the newest version.
pub(crate) fn unported(tries: u64) -> String {
    format!(
        "none for the newest version: given up after making it fit {tries} times on the way there"
    )
}

/// Returns the effect of the fix on the newest version.
pub(crate) fn fixed(forward: &Forward) -> String {
    format!(
        "the newest version with it {}: {}",
        word(forward.proof.verdict()),
        lines(&forward.size)
    )
}

/// Returns the outcome of a wider suite.
pub(crate) fn also(also: &Also) -> String {
    let (without, with) = (plain(&also.without), plain(&also.with));
    match also.is_same {
        true => format!("the same without the fix and with it: it {with}"),
        false => format!("it {without} without the fix, it {with} with it"),
    }
}
