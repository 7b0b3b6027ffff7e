//! The answer of `changes` as text.

mod date;
mod diff;

use std::time::Duration;

use whodunit_exec::quote;
use whodunit_jobs::changes::{
    Base, Cause, ChangeAnswer, ChangeLevel, ChangeWord, ChangesAnswer, CommitAnswer, EndsProof,
    LearnedEnds, Partner, Spot, SpotHow, VersionSettings,
};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::event::Stage;
use whodunit_run::evidence::Claim;
use whodunit_run::{Ended, Flakiness, Size};

use super::{
    GaveUp, atomic, counted, more, number, others, started_over, sure, table, tests, time,
};
use crate::output::{inert, plain};

pub(crate) use date::date;
pub(super) use diff::short;

/// The most commits that are listed, and the most places of a cause.
const LISTED: usize = 10;

/// Returns the answer as text: one fact per line, then the patch if it is short.
///
/// With `phases` also the results of the phases of a search over atomic changes.
pub(crate) fn answer(answer: &ChangesAnswer, phases: bool) -> String {
    let first = super::not_done(answer.ended, gave_up(&answer.causes), &answer.run);
    let mut rows: Vec<_> = first.into_iter().chain(commits(answer)).collect();
    let names = [&answer.compared.good, &answer.compared.bad].map(|name| plain(name));
    let flaky = answer.learned.flaky.as_ref();
    rows.extend(answer.ends.map(|it| ends([&names[0], &names[1]], &it, Verdict::Pass, flaky)));
    for (place, cause) in answer.causes.iter().enumerate() {
        rows.extend(cause.atomic.iter().flat_map(atomic::culprit));
        rows.extend(culprit(answer, cause, place));
        rows.extend(cause.atomic.iter().flat_map(|it| atomic::phases(it, phases)));
    }
    rows.extend(own_script(&answer.learned));
    rows.push(("failure", plain(&answer.failure)));
    rows.push(("tests", tests(&answer.tests)));
    rows.push(("time", time(Duration::from_secs_f64(answer.seconds))));
    rows.extend(answer.started_over.map(|why| ("beware", started_over(why))));
    if !answer.others.is_empty() {
        rows.push(("also met", others(&answer.others)));
    }
    if answer.settings.how.group != answer.group {
        rows.push(("beware", format!("{NO_HISTORY} {}", answer.group)));
    }
    let mut text = table(&rows);
    for cause in &answer.causes {
        let patch = match &cause.spot {
            _ if leads_with_undo(cause) => &cause.fix_patch,
            Some(spot) if cause.culprit.len() > LISTED => &spot.patch,
            _ => &cause.culprit_patch,
        };
        text.push_str(&diff::short(&patch.as_os_str().to_string_lossy()));
    }
    text
}

/// Whether the answer begins with the changes to take back. One place to look at is read sooner
/// than many changes.
pub(crate) fn leads_with_undo(cause: &Cause) -> bool {
    shows_undo(cause) && (cause.spot.is_none() || cause.fix.len() <= LISTED)
}

/// Whether the changes to take back tell more than the culprit: they are much fewer, and were seen
/// to be enough.
fn shows_undo(cause: &Cause) -> bool {
    let passes = cause.proof.bad_without_fix.map(Claim::verdict) == Some(Verdict::Pass);
    passes && cause.culprit.len() > LISTED && cause.fix.len() * 2 <= cause.culprit.len()
}

/// The most letters of replaced words that are shown; the patch has all of them.
const LONGEST_WORDS: usize = 40;

/// For changes that were to be grouped by commits where there are none.
const NO_HISTORY: &str = "there is no history between the versions, so changes were grouped by";

/// Returns why a search did not finish, and how to continue it.
pub(crate) fn not_done(ended: Ended, causes: &[Cause], run: &str) -> Option<String> {
    super::not_done(ended, gave_up(causes), run).map(|(_, text)| text)
}

/// Returns which search was given up, if one was.
pub(super) fn gave_up(causes: &[Cause]) -> GaveUp {
    let is_smallest =
        |it: &Cause| it.proof.each_needed.holds() && it.partners.iter().all(Partner::is_settled);
    if causes.iter().all(is_smallest) { GaveUp::Fix } else { GaveUp::Changes }
}

/// Returns how to see more of a run, or how to continue it.
pub(crate) fn run(answer: &ChangesAnswer) -> String {
    more(&answer.run, answer.ended, answer.settings.how.max_tests)
}

/// Returns how the learned failure looks.
pub(crate) fn failure(learned: &LearnedEnds) -> String {
    match learned.signature {
        Some(_) => format!(
            "failure: {} (other failures are ignored; --any-failure counts them too)",
            plain(&learned.failure)
        ),
        None => format!("failure: {}", plain(&learned.failure)),
    }
}

/// Returns a row that says that each version was tested with its own script, if so.
pub(super) fn own_script(learned: &LearnedEnds) -> Option<(&'static str, String)> {
    let script = plain(&learned.own_script.as_ref()?.as_os_str().to_string_lossy());
    let text = format!(
        "each version ran its own {script}: with the newest {script} no version was seen to pass, so if \
         that is the test, it only checks more than it did"
    );
    Some(("beware", text))
}

/// Returns the aim of a search in words.
pub(crate) fn stage(stage: Stage, changes: u64) -> String {
    let what = match stage {
        Stage::Commit => "the commit",
        Stage::Culprit => "the changes that cause the failure",
        Stage::Smallest => "the smallest part of them that is needed",
        Stage::Fix => "the smallest fix",
        Stage::Spot => "a part without which it passes, or with another one in its place",
        Stage::Walk => "a version that passes",
        Stage::Port => "the smallest part with which the next version can be tested",
        Stage::Forward => "the newest version that the fix fits",
    };
    let suspects = suspects(stage);
    let suspects = if changes == 1 { suspects.trim_end_matches('s') } else { suspects };
    format!("looking for {what}: {} {suspects}", number(changes))
}

/// Returns a short name for the aim of a search.
pub(crate) fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Commit => "the commit",
        Stage::Culprit => "the changes",
        Stage::Smallest => "what is needed",
        Stage::Fix => "the fix",
        Stage::Spot => "a place",
        Stage::Walk => "the way back",
        Stage::Port => "what is carried",
        Stage::Forward => "the way forward",
    }
}

/// Returns the kind of things that a search suspects.
pub(crate) fn suspects(stage: Stage) -> &'static str {
    match stage {
        Stage::Commit => "commits",
        Stage::Walk | Stage::Forward => "versions",
        Stage::Spot => "parts",
        Stage::Culprit | Stage::Smallest | Stage::Fix | Stage::Port => "changes",
    }
}

/// Returns the direction of a search that goes from version to version.
pub(crate) fn whither(stage: Stage) -> Option<&'static str> {
    match stage {
        Stage::Walk => Some("back"),
        Stage::Forward => Some("forward"),
        Stage::Commit | Stage::Culprit | Stage::Smallest | Stage::Fix => None,
        Stage::Spot | Stage::Port => None,
    }
}

/// Returns how many suspects are left when the best candidate has this size.
pub(crate) fn left(stage: Stage, changes: u64, best: Size) -> u64 {
    match stage {
        Stage::Commit | Stage::Culprit | Stage::Smallest | Stage::Port => best.deltas as u64,
        // On a walk the best candidate is the oldest version, and all older ones are suspects.
        Stage::Walk | Stage::Forward => changes.saturating_sub(best.deltas as u64),
        // The best candidate there passes, and the changes that it lacks are suspects.
        Stage::Fix => changes.saturating_sub(best.deltas as u64),
        // Parts are asked about one by one.
        Stage::Spot => changes.saturating_sub(best.deltas as u64),
    }
}

/// Returns a commit in the usual form: hash, title, author and date.
pub(crate) fn commit(commit: &CommitAnswer) -> String {
    let CommitAnswer { short_id, title, author, time, .. } = commit;
    inert(&format!("{short_id} \"{title}\" ({author}, {})", date(*time)))
}

/// Returns the place of a change: the file and the lines in the bad version, or the deleted lines.
pub(crate) fn place(change: &ChangeAnswer) -> String {
    let file = inert(&change.file.as_path().display().to_string());
    let lines = change.new_lines.or(change.old_lines).filter(|_| change.change == ChangeWord::Text);
    match lines {
        Some([first, last]) if first == last => format!("{file}:{first}"),
        Some([first, last]) => format!("{file}:{first}-{last}"),
        None => file,
    }
}

/// Returns the kind of a change, unless it is obvious.
pub(crate) fn kind(change: &ChangeAnswer) -> Option<String> {
    let old = || change.old_file.as_ref().map(|old| inert(&old.as_path().display().to_string()));
    Some(match change.change {
        ChangeWord::Text if change.new_lines.is_none() => "deleted".into(),
        ChangeWord::Text | ChangeWord::Several => return None,
        ChangeWord::DirectoryRenamed | ChangeWord::Renamed => match old() {
            Some(old) => format!("renamed from {old}"),
            None => "renamed".into(),
        },
        ChangeWord::Added => "new file".into(),
        ChangeWord::Deleted => "deleted file".into(),
        ChangeWord::Mode => "executable bit changed".into(),
        ChangeWord::Replaced => "content replaced".into(),
        ChangeWord::Reordered => "members in another order".into(),
    })
}

/// Joins changes that lie together: same file and function, successive lines.
pub(crate) fn joined(changes: &[ChangeAnswer]) -> Vec<ChangeAnswer> {
    let mut joined: Vec<ChangeAnswer> = Vec::new();
    for change in changes {
        match joined.last_mut().filter(|last| touches(last, change)) {
            Some(last) => {
                last.new_lines = spanned(last.new_lines, change.new_lines);
                last.old_lines = spanned(last.old_lines, change.old_lines);
            }
            None => joined.push(change.clone()),
        }
    }
    joined
}

fn touches(one: &ChangeAnswer, next: &ChangeAnswer) -> bool {
    let is_text = one.change == ChangeWord::Text && next.change == ChangeWord::Text;
    let follows = |one: Option<[u32; 2]>, next: Option<[u32; 2]>| match (one, next) {
        (Some([_, last]), Some([first, _])) => first <= last + 1,
        _ => true,
    };
    is_text
        && one.file == next.file
        && one.item == next.item
        && one.new_lines.is_some() == next.new_lines.is_some()
        && follows(one.new_lines, next.new_lines)
        && follows(one.old_lines, next.old_lines)
}

fn spanned(one: Option<[u32; 2]>, next: Option<[u32; 2]>) -> Option<[u32; 2]> {
    match (one, next) {
        (Some([first, last]), Some([start, end])) => Some([first.min(start), last.max(end)]),
        (one, next) => one.or(next),
    }
}

/// Returns which commit is compared instead of a good version that the bad one does not descend
/// from.
pub(crate) fn base(answer: &ChangesAnswer) -> Option<String> {
    let Base { commit: it, verdict, .. } = answer.base.as_ref()?;
    let name = |word: &whodunit_run::Word| inert(&word.as_os_str().to_string_lossy());
    let (good, bad) = (name(&answer.settings.good), name(&answer.settings.bad));
    let parted = format!("{bad} does not come from {good}; they parted at {}", commit(it));
    Some(match verdict.verdict() {
        Verdict::Pass => format!("{parted}, which passes: commits are searched from there on"),
        Verdict::Fail => format!(
            "{parted}, which fails too: {good} has something since then that keeps the failure \
             away. Both versions were compared as they are, and no commit is named"
        ),
        Verdict::Unresolved => format!(
            "{parted}, which cannot be tested: both versions were compared as they are, and no \
             commit is named"
        ),
    })
}

fn commits(answer: &ChangesAnswer) -> Vec<(&'static str, String)> {
    let mut rows: Vec<_> = base(answer).map(|text| ("base", text)).into_iter().collect();
    match &answer.commits[..] {
        [] if answer.settings.how.level == ChangeLevel::Commit => {
            rows.push(("commit", "there is no history between the versions".into()));
        }
        [] => {}
        [only] => {
            let between = match answer.commits_between {
                1 => String::new(),
                between => format!(", one of {}", number(between)),
            };
            let sure = sure::probabilities(&answer.likely).map(|it| format!(" {it}"));
            let words = format!("{}{}{between}", commit(only), sure.unwrap_or_default());
            rows.push(("commit", words));
        }
        several => {
            let count = several.len();
            let words = match answer.ended {
                Ended::Done | Ended::GaveUp => {
                    format!("one of {count}, which cannot be tested apart")
                }
                _ => format!("one of {count}, so far"),
            };
            let sure = sure::probabilities(&answer.likely).map(|it| format!(" {it}"));
            let words = format!("{words}{}", sure.unwrap_or_default());
            rows.push(("commit", words));
            rows.extend(several.iter().take(LISTED).map(|it| ("", commit(it))));
            if count > LISTED {
                rows.push(("", format!("and {} more", count - LISTED)));
            }
        }
    }
    rows
}

fn culprit(answer: &ChangesAnswer, cause: &Cause, place: usize) -> Vec<(&'static str, String)> {
    let mut rows = undo_and_spot(cause);
    rows.extend(places(cause, place));
    rows.extend(partners(cause));
    rows.push(("size", size(answer, cause)));
    let is_proved = is_proved(answer.ended, Verdict::Pass, cause);
    let flaky = answer.learned.flaky.as_ref();
    rows.push((sure::label(is_proved, flaky), proof(answer, cause)));
    if let Some(files) = &cause.files {
        let compared = &answer.compared;
        let written = [
            (Some(&files.culprit), &cause.culprit_on),
            (files.fix.as_ref(), &cause.fix_on),
            (files.beside_culprit.as_ref(), &compared.good),
            (files.beside_fix.as_ref(), &compared.bad),
            (files.without_spot.as_ref(), &compared.bad),
        ];
        let written = written.into_iter().filter_map(|(file, on)| Some((file?, on)));
        for (at, (file, on)) in written.enumerate() {
            let name = if at == 0 { "patches" } else { "" };
            rows.push((name, format!("{} (on {})", quote(file.as_os_str()), plain(on))));
        }
    }
    rows.extend(not_carried(answer, cause).into_iter().map(|text| ("beware", text)));
    rows
}

/// Returns the changes to take back and the place to look at, the one that is read sooner first.
pub(super) fn undo_and_spot(cause: &Cause) -> Vec<(&'static str, String)> {
    match leads_with_undo(cause) {
        true => [undo(cause), spot(cause)].concat(),
        false => [spot(cause), undo(cause)].concat(),
    }
}

/// Returns the changes to take back, where they tell more than the culprit.
fn undo(cause: &Cause) -> Vec<(&'static str, String)> {
    if !shows_undo(cause) {
        return Vec::new();
    }
    let places = joined(&cause.fix);
    let mut rows = Vec::new();
    for (at, change) in places.iter().take(LISTED).enumerate() {
        rows.push((if at == 0 { "undo" } else { "" }, described(change)));
    }
    if places.len() > LISTED {
        rows.push(("", format!("and {} more places", places.len() - LISTED)));
    }
    rows.push(("", "(it passes without this)".into()));
    rows
}

/// Returns a part of the bad version that passes if it is changed.
fn spot(cause: &Cause) -> Vec<(&'static str, String)> {
    let Some(spot) = &cause.spot else { return Vec::new() };
    let places = joined(&spot.parts);
    let mut rows = Vec::new();
    for (at, change) in places.iter().take(LISTED).enumerate() {
        rows.push((if at == 0 { "look at" } else { "" }, described(change)));
    }
    rows.push(("", format!("({}: a place to look at, no repair)", passes_with(spot))));
    rows
}

/// Returns in words how the bad version was seen to pass.
pub(crate) fn passes_with(spot: &Spot) -> String {
    let words = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST_WORDS) {
            Some((cut, _)) => format!("`{}…`", plain(&text[..cut])),
            None => format!("`{}`", plain(&text)),
        }
    };
    match (spot.how, &spot.replaced) {
        (SpotHow::Replaced, Some(it)) => {
            format!("it passes with {} in place of {}", words(&it.by), words(&it.what))
        }
        (SpotHow::Replaced, None) => "it passes with a part of this replaced".into(),
        (SpotHow::TakenOut, _) => "it passes with a part of this taken out".into(),
        (SpotHow::AsItWas, _) => "it passes with some words of this as they were".into(),
    }
}

/// Returns the places of a cause; `number` is the number of causes before it.
pub(super) fn places(cause: &Cause, number: usize) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let places = joined(&cause.culprit);
    for (at, change) in places.iter().take(LISTED).enumerate() {
        let name = match (at, number) {
            (0, 0) => "culprit",
            (0, _) => "and also",
            (1, _) => "needs",
            _ => "",
        };
        rows.push((name, described(change)));
    }
    if places.len() > LISTED {
        rows.push(("", format!("and {} more places", places.len() - LISTED)));
    }
    if places.len() > 1 {
        let together = match cause.proof.each_needed.holds() {
            true => "(together they fail; without any one of them they do not)",
            false => "(together they fail; which of them are needed is not known)",
        };
        rows.push(("", together.into()));
    }
    rows
}

/// Returns the changes of the other side of a merge that the culprit fails with.
fn partners(cause: &Cause) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    for (at, partner) in cause.partners.iter().take(LISTED).enumerate() {
        let name = if at == 0 { "with" } else { "" };
        rows.push((name, format!("{}, on the other side of the merge", commit(&partner.commit))));
        let places = joined(&partner.changes);
        rows.extend(places.iter().take(LISTED).map(|change| ("", described(change))));
    }
    if cause.partners.len() > LISTED {
        rows.push(("", format!("and {} more", cause.partners.len() - LISTED)));
    }
    if !cause.partners.is_empty() {
        rows.push(("", "(each side passes, they fail together)".into()));
    }
    rows
}

/// Returns the given versions in which the patches change nothing.
pub(crate) fn not_carried(answer: &ChangesAnswer, cause: &Cause) -> Vec<String> {
    let compared = &answer.compared;
    let (Some(ours), Some(given)) = (&compared.commits, &compared.given) else { return Vec::new() };
    let name = |word: &whodunit_run::Word| inert(&word.as_os_str().to_string_lossy());
    let (good, bad) = (name(&answer.settings.good), name(&answer.settings.bad));
    let mut said = Vec::new();
    let is_carried = matches!(answer.ended, Ended::Done | Ended::GaveUp);
    if is_carried && ours.good != given.good && cause.beside.culprit_patch.is_none() {
        let why = not_there(cause.proof.given_good_with_culprit, "does not make it fail");
        let on = plain(&compared.good);
        said.push(format!("the culprit, carried to {good}, {why}; culprit.patch is for {on}"));
    }
    let has_fix = !cause.fix.is_empty();
    if is_carried && has_fix && ours.bad != given.bad && cause.beside.fix_patch.is_none() {
        let why = not_there(cause.proof.given_bad_without_fix, "does not make it pass");
        let on = plain(&compared.bad);
        said.push(format!("the fix, carried to {bad}, {why}; fix.patch is for {on}"));
    }
    let fails_without = cause.proof.given_bad_without_fix.map(Claim::verdict);
    if answer.settings.how.all && fails_without == Some(Verdict::Fail) {
        said.push(format!(
            "{bad} fails without it too, so something else does it as well; --all looks in one commit \
             only, and between folders in all of them"
        ));
    }
    said
}

/// Returns the outcome of a patch that was carried to another version; without a change there,
/// nothing was tested.
fn not_there(tested: Option<Claim>, otherwise: &str) -> String {
    match tested {
        Some(claim) => format!("{otherwise} (it {})", sure::claim(claim)),
        None => "finds nothing to change there, so nothing was tested".into(),
    }
}

fn described(change: &ChangeAnswer) -> String {
    let mut text = place(change);
    if let Some(item) = &change.item {
        text.push_str(&format!("  {}", plain(item)));
    }
    if let Some(kind) = kind(change) {
        text.push_str(&format!("  ({kind})"));
    }
    text
}

/// Returns how much the cause is of everything that was suspected.
pub(crate) fn size(answer: &ChangesAnswer, cause: &Cause) -> String {
    let size = &answer.size;
    let is_text = cause.culprit.iter().all(|change| change.change == ChangeWord::Text);
    let (one, many) = match answer.settings.how.level {
        ChangeLevel::Commit | ChangeLevel::Line if is_text => ("changed line", "changed lines"),
        ChangeLevel::Token if is_text => ("changed word or sign", "changed words and signs"),
        ChangeLevel::Directory => ("folder", "folders"),
        ChangeLevel::File => ("file", "files"),
        _ => ("change", "changes"),
    };
    let unit = if size.changes == 1 { one } else { many };
    let hunks = counted(size.hunks, "hunk", "hunks");
    let files = counted(size.files, "file", "files");
    let in_all = match answer.settings.how.level {
        ChangeLevel::File => format!(" ({hunks})"),
        _ if size.hunks == 0 => format!(" (in {files})"),
        _ => format!(" ({hunks} in {files})"),
    };
    let found = number(cause.culprit.len() as u64);
    format!("{found} of {} {unit}{in_all}", number(size.changes))
}

/// Returns whether the proof shows the result. One cause may be proved where the search for another
/// was given up. `good` is the expected verdict on the good version.
pub(crate) fn is_proved(ended: Ended, good: Verdict, cause: &Cause) -> bool {
    matches!(ended, Ended::Done | Ended::GaveUp)
        && cause.proof.each_needed.holds()
        && cause.proof.good_with_culprit.map(Claim::verdict) == Some(Verdict::Fail)
        && !cause.proof.is_refuted(good)
}

/// Returns the outcomes of the versions beside a commit; `good` is the expected verdict on the good
/// one.
pub(super) fn ends(
    [good, bad]: [&str; 2],
    ends: &EndsProof,
    wanted: Verdict,
    flaky: Option<&Flakiness>,
) -> (&'static str, String) {
    let shown = |name: &str, claim: Option<Claim>| match claim {
        Some(claim) => format!("{name} {}", sure::claim(claim)),
        None => format!("{name} was not tested in a clean folder"),
    };
    let is_proved = ends.good.is_some() && ends.bad.is_some() && !ends.is_refuted(wanted);
    (sure::label(is_proved, flaky), format!("{}; {}", shown(good, ends.good), shown(bad, ends.bad)))
}

/// Returns the statements of the proof.
pub(crate) fn proof(answer: &ChangesAnswer, cause: &Cause) -> String {
    let proof = &cause.proof;
    let mut parts = shown(&plain(&answer.compared.good), &plain(&answer.compared.bad), cause);
    let culprit = tested(cause);
    let name = |word: &whodunit_run::Word| inert(&word.as_os_str().to_string_lossy());
    if let Some(claim) = proof.given_good_with_culprit {
        let good = name(&answer.settings.good);
        parts.push(format!("{good} + {culprit}: {}", sure::claim(claim)));
    }
    if let Some(claim) = proof.given_bad_without_fix {
        let bad = name(&answer.settings.bad);
        parts.push(format!("{bad} − fix: {}", sure::claim(claim)));
    }
    let flaky = answer.learned.flaky.as_ref();
    parts.push(certainty(answer.ended, &answer.settings.how, cause, flaky));
    parts.join("; ")
}

/// Returns the outcomes of the versions between which the changes lie.
pub(super) fn shown(good: &str, bad: &str, cause: &Cause) -> Vec<String> {
    let culprit = tested(cause);
    let passes = |claim: Option<Claim>| claim.is_none_or(|claim| claim.verdict() == Verdict::Pass);
    let good = match cause.proof.good_with_culprit {
        Some(claim) => format!("{good} + {culprit}: {}", sure::claim(claim)),
        None => format!("{good} + {culprit}: not tested"),
    };
    let bad = match cause.proof.bad_without_fix {
        Some(claim) => format!("{bad} − fix: {}", sure::claim(claim)),
        // Where the good version does not pass, taking everything back is no fix either.
        None if cause.fix.is_empty() && (!cause.proof.fix_sought || !passes(cause.proof.good)) => {
            "no fix was found".into()
        }
        None if cause.fix.is_empty() => "no fix was found that is less than all of it".into(),
        None => format!("{bad} − fix: not tested"),
    };
    vec![good, bad]
}

/// Returns what was put on the good version: the patch of the culprit also holds the other changes
/// that it needs.
fn tested(cause: &Cause) -> String {
    match cause.with {
        0 => "culprit".into(),
        with => format!("culprit + {}", counted(with, "other change", "other changes")),
    }
}

/// Returns how certain it is that the changes are the smallest.
pub(super) fn certainty(
    ended: Ended,
    how: &VersionSettings,
    cause: &Cause,
    flaky: Option<&Flakiness>,
) -> String {
    let is_needed = cause.proof.each_needed.holds();
    if let (Ended::Done | Ended::GaveUp, true, Some(flaky)) = (ended, is_needed, flaky) {
        let sure = sure::confidence(flaky);
        let proof = &cause.proof;
        let without =
            sure::without(flaky, Some([proof.good, proof.bad_without_fix].into_iter().flatten()));
        return format!("without any change of it {without} ({sure})");
    }
    let certainty = match (ended, is_needed) {
        (Ended::Done | Ended::GaveUp, true) if how.ordered => {
            "without the last change it does not fail"
        }
        (Ended::Done | Ended::GaveUp, true) if cause.with > 0 => {
            "each change of the culprit is needed beside the others"
        }
        (Ended::Done | Ended::GaveUp, true) => "each change is needed",
        (Ended::Done | Ended::GaveUp, false) => "not each change was asked about",
        (Ended::OutOfTime, _) => "the best so far, because the time is up",
        (Ended::OutOfTests, _) => "the best so far, because the number of tests is used up",
        (Ended::Stopped, _) => "the best so far, because it was interrupted",
        (Ended::Defect, _) => "the best so far, because whodunit has a defect",
    };
    certainty.into()
}

/// Returns a verdict in words.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fail => "fails",
        Verdict::Pass => "passes",
        Verdict::Unresolved => "cannot be tested",
    }
}
