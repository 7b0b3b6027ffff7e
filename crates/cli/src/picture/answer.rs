//! The answer of a run, at the top of a page: the changes or the reduced text, and the proof.

use std::path::Path;

use maud::{Markup, html};
use whodunit_jobs::changes::Cause;
use whodunit_jobs::event::Event;
use whodunit_jobs::reduce::Answer;
use whodunit_jobs::regular;
use whodunit_run::Key;

use super::text::{counted, number, plain};
use crate::pages::View;
use crate::report;
use crate::report::changes::{joined, kind, place};

/// The most bytes of a result that are shown, and the most files: a page is read by people.
const MOST_BYTES: usize = 20_000;
const MOST_FILES: usize = 10;

/// The most places of a cause that are listed, and the most lines of a patch.
const MOST_PLACES: usize = 20;
const MOST_LINES: usize = 200;

/// Returns the part of the page about the answer; `None` if the journal ends before there is one.
pub(super) fn answer(events: &[Event]) -> Option<Markup> {
    let found = events.iter().rev().find_map(|event| match event {
        Event::Finished { answer } => Some(reduced(answer)),
        Event::ChangesFinished { answer } => Some(of_versions(&View::from(&**answer))),
        Event::HistoryFinished { answer } => Some(of_versions(&View::from(&**answer))),
        _ => None,
    })?;
    Some(html! {
        section class="answer" { "\n"
            h2 { "The answer" } "\n"
            (found)
        } "\n"
    })
}

/// Shows the result, as far as its files still exist.
fn reduced(answer: &Answer) -> Markup {
    let left: Vec<_> = answer.files.iter().filter(|file| file.path.is_some()).collect();
    let more = left.len().saturating_sub(MOST_FILES) as u64;
    let (start, size) = (answer.start, answer.size);
    html! {
        p {
            strong { (number(size.bytes)) } " of " (counted(start.bytes, "byte", "bytes"))
            " (" (report::percent(size.bytes, start.bytes)) ") are left: "
            (counted(size.tokens, "token", "tokens")) "."
        } "\n"
        @for file in left.iter().take(MOST_FILES) {
            @if let (Some(path), Some(key)) = (&file.path, file.key) {
                p class="note" { code { (plain(&path.as_path().display().to_string())) } } "\n"
                (text(path.as_path(), key))
            }
        }
        @if more > 0 {
            p class="note" { "And " (counted(more, "more file", "more files")) "." } "\n"
        }
        (proof(report::label(answer), &report::proof(answer)))
    }
}

/// Shows the content of a file, if it is still the content of the result.
fn text(path: &Path, key: Key) -> Markup {
    let bytes = regular::read(path).ok().filter(|bytes| Key::of_bytes(bytes) == key);
    let text = bytes.map(String::from_utf8);
    html! {
        @match text {
            None => { p class="note" { "The file is no longer there, or no longer the same." } "\n" }
            Some(Err(_)) => { p class="note" { "It is not text." } "\n" }
            Some(Ok(text)) if text.len() > MOST_BYTES => {
                p class="note" { "It is too large to be shown." } "\n"
            }
            Some(Ok(text)) => { pre tabindex="0" { code { (lines(&text)) } } "\n" }
        }
    }
}

/// Returns text that cannot act on a terminal, with its line breaks kept.
fn lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// Shows which version and which changes cause the failure.
fn of_versions(view: &View<'_>) -> Markup {
    html! {
        ul class="facts" { "\n"
            @for fact in &view.facts { li { (plain(&fact.text)) } "\n" }
        } "\n"
        @for it in &view.causes {
            (places(it.cause))
            (diff(&it.cause.culprit_patch.as_os_str().to_string_lossy()))
            (proof(it.certainty, &it.proof))
            @for said in &it.beware { p class="note" { "Note: " (plain(said)) "." } "\n" }
        }
    }
}

fn places(cause: &Cause) -> Markup {
    let places = joined(&cause.culprit);
    let more = places.len().saturating_sub(MOST_PLACES) as u64;
    html! {
        ul class="places" { "\n"
            @for change in places.iter().take(MOST_PLACES) {
                li {
                    code { (plain(&place(change))) }
                    @if let Some(item) = &change.item { " in " code { (plain(item)) } }
                    @if let Some(kind) = kind(change) { " (" (plain(&kind)) ")" }
                } "\n"
            }
            @if more > 0 { li { "and " (counted(more, "more place", "more places")) } "\n" }
        } "\n"
    }
}

/// Shows a patch with its lines in colours; each line also has its sign.
fn diff(patch: &str) -> Markup {
    let is_shown = |line: &&str| !line.starts_with("diff --git") && !line.starts_with("index ");
    let all: Vec<&str> = patch.lines().filter(is_shown).collect();
    let more = all.len().saturating_sub(MOST_LINES) as u64;
    let class = |line: &str| match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'@', b'@', ..] => "head",
        [b'+', ..] => "added",
        [b'-', ..] => "removed",
        _ => "same",
    };
    html! {
        @if !all.is_empty() {
            pre class="diff" tabindex="0" {
                @for line in all.iter().take(MOST_LINES) {
                    span class=(class(line)) { (plain(line)) } "\n"
                }
            } "\n"
        }
        @if more > 0 {
            p class="note" { "And " (counted(more, "more line", "more lines")) " in the patch." } "\n"
        }
    }
}

/// Shows each statement of the proof in a row of its own.
fn proof(certainty: &str, said: &str) -> Markup {
    let rows: Vec<(&str, &str)> =
        said.split("; ").map(|part| part.split_once(": ").unwrap_or((part, ""))).collect();
    html! {
        table class="proof" { "\n"
            caption { (certainty) } "\n"
            @for (what, outcome) in rows {
                tr {
                    @if outcome.is_empty() { td colspan="2" { (plain(what)) } }
                    @else { td { (plain(what)) } td class=(verdict(outcome)) { (plain(outcome)) } }
                } "\n"
            }
        } "\n"
    }
}

fn verdict(outcome: &str) -> &'static str {
    match outcome {
        it if it.starts_with("fails") => "says-fail",
        it if it.starts_with("passes") => "says-pass",
        _ => "says-nothing",
    }
}
